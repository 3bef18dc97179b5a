# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws scenes of pictograms with captions whose truth is known: every caption that is true in a small grammar, the
objects with their boxes, and the objects that each word speaks of. Scene number I of a seed depends on both and the
icon sets alone."""
import argparse
import colorsys
import concurrent.futures
import json
import os
import random
import subprocess

import numpy
from PIL import Image, ImageDraw, ImageFilter

# Noun, plural, name in the icon sets, and if it may have other colours than its own.
NOUNS = [
    ("dog", "dogs", "dog", 0), ("cat", "cats", "cat", 0), ("horse", "horses", "horse", 0), ("cow", "cows", "cow", 0),
    ("pig", "pigs", "pig", 0), ("rabbit", "rabbits", "rabbit", 0), ("mouse", "mice", "mouse", 0),
    ("tiger", "tigers", "tiger", 0), ("elephant", "elephants", "elephant", 0), ("monkey", "monkeys", "monkey", 0),
    ("frog", "frogs", "frog", 0), ("bird", "birds", "bird", 1), ("duck", "ducks", "duck", 0), ("owl", "owls", "owl", 0),
    ("penguin", "penguins", "penguin", 0), ("rooster", "roosters", "rooster", 0), ("fish", "fish", "tropical-fish", 1),
    ("whale", "whales", "spouting-whale", 0), ("octopus", "octopuses", "octopus", 0), ("crab", "crabs", "crab", 0),
    ("turtle", "turtles", "turtle", 0), ("snail", "snails", "snail", 0), ("butterfly", "butterflies", "butterfly", 1),
    ("bee", "bees", "honeybee", 0), ("goat", "goats", "goat", 0), ("camel", "camels", "camel", 0),
    ("apple", "apples", "red-apple", 1), ("banana", "bananas", "banana", 0), ("lemon", "lemons", "lemon", 0),
    ("pear", "pears", "pear", 0), ("strawberry", "strawberries", "strawberry", 0),
    ("watermelon", "watermelons", "watermelon", 0), ("carrot", "carrots", "carrot", 0), ("pizza", "pizzas", "pizza", 0),
    ("cake", "cakes", "birthday-cake", 0), ("car", "cars", "automobile", 1), ("bus", "buses", "bus", 1),
    ("bicycle", "bicycles", "bicycle", 1), ("plane", "planes", "airplane", 0), ("rocket", "rockets", "rocket", 0),
    ("sailboat", "sailboats", "sailboat", 0), ("tractor", "tractors", "tractor", 1), ("house", "houses", "house", 0),
    ("tree", "trees", "deciduous-tree", 0), ("cactus", "cacti", "cactus", 0), ("mushroom", "mushrooms", "mushroom", 1),
    ("rose", "roses", "rose", 1), ("sunflower", "sunflowers", "sunflower", 0), ("ball", "balls", "soccer-ball", 0),
    ("balloon", "balloons", "balloon", 1), ("umbrella", "umbrellas", "umbrella", 1), ("chair", "chairs", "chair", 1),
    ("book", "books", "closed-book", 1), ("clock", "clocks", "alarm-clock", 1), ("key", "keys", "key", 1),
    ("guitar", "guitars", "guitar", 1), ("bell", "bells", "bell", 0), ("hat", "hats", "top-hat", 0),
    ("shirt", "shirts", "t-shirt", 1), ("shoe", "shoes", "running-shoe", 1), ("camera", "cameras", "camera", 0),
    ("cup", "cups", "hot-beverage", 0), ("gift", "gifts", "wrapped-gift", 1), ("kite", "kites", "kite", 1),
    ("drum", "drums", "drum", 1), ("crown", "crowns", "crown", 0)]
UNMIRRORED = {"book", "clock", "key"}
# Hue, and factors of saturation and value.
COLOURS = {"black": (0.0, 0.06, 0.3), "blue": (0.59, 1.0, 0.95), "green": (0.36, 0.95, 0.85),
           "orange": (0.075, 1.0, 1.05), "pink": (0.92, 0.62, 1.1), "purple": (0.77, 0.85, 0.85),
           "red": (0.0, 1.0, 1.0), "yellow": (0.135, 1.0, 1.12)}
NUMBERS = {2: "two", 3: "three", 4: "four"}
PHRASES = {"grass": "on the grass", "beach": "on the beach", "snow": "in the snow", "night": "at night",
           "room": "in a room", "sea": "at sea"}
RELATIONS = {True: ("left of", "right of"), False: ("above", "below")}  # side by side or one over the other
WORDS = sorted({"a", "an", "and", "between", "big", "small", *COLOURS, *NUMBERS.values(),
                *(word for noun in NOUNS for word in noun[:2]),
                *" ".join([*PHRASES.values(), *RELATIONS[True], *RELATIONS[False]]).split()})

# npm packages of the Iconify project, each with an icons.json.
SETS = {"fluent": "fluent-emoji-flat", "noto": "noto", "emojione": "emojione", "fxemoji": "fxemoji",
        "twemoji": "twemoji"}
SCORED, HELD = ["fluent", "noto"], ["twemoji"]  # styles
TRAINED = [*SCORED, *SCORED, "emojione", "fxemoji"]  # two scenes in three are of the styles that are scored
SIZE = 112  # pixels of a picture that the model reads
SHARD = 2048  # scenes of a file


class Icons:
    """Pictograms of all sets, drawn by rsvg-convert once, at 192 pixels, and cut to what is visible."""

    def __init__(self, folder, cache):
        """folder: with the unpacked npm packages; cache: for the drawn pictograms."""
        self.sets, self.cache, self.kept, self.share = {}, cache, {}, {}
        for style, package in SETS.items():
            with open(os.path.join(folder, package, "icons.json"), encoding="utf-8") as file:
                self.sets[style] = json.load(file)
        os.makedirs(cache, exist_ok=True)

    def entry(self, style, name):
        found = self.sets[style]
        if name not in found["icons"]:
            name = name if name in found.get("aliases", {}) else name.replace("-", "")
        while name in found.get("aliases", {}):
            name = found["aliases"][name]["parent"]
        return found["icons"].get(name)

    def colourable(self, style, name):
        """Whether enough of it is of one colour, so that another one can be named."""
        if (style, name) not in self.share:
            self.share[style, name] = main_colour(self.plain(style, name))[1]
        return self.share[style, name] >= 0.4

    def plain(self, style, name, colour=None):
        key = (style, name, colour)
        if key not in self.kept:
            path = os.path.join(self.cache, f"{style}-{name}.png")
            if not os.path.exists(path):
                entry, whole = self.entry(style, name), self.sets[style]
                sides = [entry.get(side, whole.get(side, 16)) for side in ("width", "height")]
                svg = (f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
                       f'viewBox="0 0 {sides[0]} {sides[1]}">{entry["body"]}</svg>')
                subprocess.run(["rsvg-convert", "-w", "192", "-h", "192", "-o", path], input=svg.encode(), check=True)
            image = Image.open(path).convert("RGBA")
            image = image.crop(seen(image, 24))
            self.kept[key] = recoloured(image, colour) if colour else image
        return self.kept[key]

    def draw(self, style, name, colour=None):
        return self.plain(style, name, colour)


class Varied(Icons):
    """Pictograms in up to six drawings each: as they are, and bent, shaded, smoothed or outlined, so that what is
    learned is more than two drawings of a thing. `chance` picks one."""
    SIDE = 112  # less than Icons has: turned in a third of the time
    drawn = {}

    def draw(self, style, name, colour=None):
        variant = max(0, self.chance.randrange(9) - 3)
        key = (style, name, colour, variant)
        if key not in self.drawn:
            image = self.plain(style, name, colour)
            scale = self.SIDE / max(image.size)
            image = image.resize((round(image.width * scale), round(image.height * scale)), Image.LANCZOS)
            self.drawn[key] = altered(image, random.Random("/".join(map(str, key)))) if variant else image
        return self.drawn[key]


def seen(image, least):
    """The box of what is more opaque than `least`."""
    return image.getchannel("A").point(lambda v: 255 * (v > least)).getbbox()


def altered(image, r):
    width, height = image.size
    wide = Image.new("RGBA", (width + width // 3, height + height // 3))
    wide.paste(image, (width // 6, height // 6))
    stretch, shear, bulge, n = r.uniform(-0.14, 0.14), r.uniform(-0.15, 0.15), r.uniform(0.0, 0.05), 3
    knots, mesh = {}, []
    for row in range(n + 1):
        for column in range(n + 1):
            x, y = column / n - 0.5, row / n - 0.5
            x = x * (1 + stretch) + shear * y + 0.5 + r.uniform(-bulge, bulge)
            y = y * (1 - stretch) + 0.5 + r.uniform(-bulge, bulge)
            knots[row, column] = x * wide.width, y * wide.height
    for row in range(n):
        for column in range(n):
            box = (round(column * wide.width / n), round(row * wide.height / n),
                   round((column + 1) * wide.width / n), round((row + 1) * wide.height / n))
            corners = [(row, column), (row + 1, column), (row + 1, column + 1), (row, column + 1)]
            mesh.append((box, [v for corner in corners for v in knots[corner]]))
    warped = wide.transform(wide.size, Image.MESH, mesh, Image.BILINEAR)
    image = warped.crop(seen(warped, 24))
    alpha, rgb = image.getchannel("A"), image.convert("RGB")
    if r.random() < 0.5:
        contrast, shift = r.uniform(0.7, 1.3), r.uniform(-14, 14)
        rgb = rgb.point(lambda v: min(255, max(0, int((v - 128) * contrast + 128 + shift))))
    if r.random() < 0.3:
        rgb = rgb.filter(ImageFilter.MedianFilter(5))
    elif r.random() < 0.3:
        rgb = Image.composite(rgb, rgb.point(lambda v: int(v * 0.45)), alpha.filter(ImageFilter.MinFilter(5)))
    return Image.merge("RGBA", (*rgb.split(), alpha))


def hsv_of(image):
    return numpy.asarray(image.convert("RGB").convert("HSV")).astype(float) / 255


def main_colour(image):
    """(The pixels whose hue is near the strongest one, their share, how far each hue is from it)."""
    alpha = numpy.asarray(image).astype(float)[..., 3] / 255
    hue, saturation, value = numpy.moveaxis(hsv_of(image), -1, 0)
    votes, _ = numpy.histogram(hue.ravel(), bins=36, range=(0, 1), weights=(alpha * saturation * value).ravel())
    votes = votes + numpy.roll(votes, 1) + numpy.roll(votes, -1)
    away = (hue - (numpy.argmax(votes) + 0.5) / 36 + 0.5) % 1 - 0.5
    chosen, visible = (numpy.abs(away) < 0.10) & (saturation > 0.15), alpha > 0.5
    return chosen, (chosen & visible).sum() / visible.sum(), away


def recoloured(image, colour):
    """The strongest hue of the pictogram becomes the colour; shades stay."""
    chosen, _, away = main_colour(image)
    hue, saturation, value = numpy.moveaxis(hsv_of(image), -1, 0)
    new, more, bright = COLOURS[colour]
    hue = numpy.where(chosen, (new + away * 0.3) % 1, hue)
    saturation = numpy.where(chosen, numpy.clip(numpy.maximum(saturation, 0.6) * more, 0, 1), saturation)
    value = numpy.where(chosen, numpy.clip(value * bright, 0, 1), value)
    hsv = [Image.fromarray((channel * 255).round().astype(numpy.uint8)) for channel in (hue, saturation, value)]
    return Image.merge("RGBA", (*Image.merge("HSV", hsv).convert("RGB").split(), image.getchannel("A")))


# Backdrops


def slope(size, top, bottom):
    t = numpy.linspace(0, 1, size)[:, None, None]
    return numpy.broadcast_to(numpy.array(top) * (1 - t) + numpy.array(bottom) * t, (size, size, 3)).astype(float)


def grain(n, size, amount, coarse=1):
    noise = n.normal(0, amount, (size // coarse + 1, size // coarse + 1))
    return numpy.kron(noise, numpy.ones((coarse, coarse)))[:size, :size, None]


def hilly(n, size, level, swing):
    x = numpy.arange(size)
    line = level + swing * numpy.sin(x / size * n.uniform(2, 6) + n.uniform(0, 6))
    line = line + 0.4 * swing * numpy.sin(x / size * n.uniform(8, 14) + n.uniform(0, 6))
    return (numpy.arange(size)[:, None] >= line[None])[..., None]


def below(size, height):
    return (numpy.arange(size) >= height)[:, None, None]


def tint(n, saturation, value):
    return numpy.array(colorsys.hsv_to_rgb(n.uniform(0, 1), n.uniform(*saturation), n.uniform(*value))) * 255


def backdrop(kind, n, size):
    sky = slope(size, (120, 180, 235), (215, 236, 250)) + n.uniform(-12, 12, 3)
    if kind == "grass":
        ground = slope(size, (150, 205, 105), (75, 150, 60)) + grain(n, size, 7, 2) + grain(n, size, 6)
        a = numpy.where(hilly(n, size, size * n.uniform(0.25, 0.5), 10), ground, sky)
    elif kind == "beach":
        sea = slope(size, (70, 160, 200), (110, 200, 215)) + grain(n, size, 3, 3)
        sand = slope(size, (245, 225, 170), (225, 195, 135)) + grain(n, size, 6)
        top = size * n.uniform(0.2, 0.35)
        a = numpy.where(below(size, top), sea, sky)
        a = numpy.where(hilly(n, size, top + size * n.uniform(0.1, 0.25), 6), sand, a)
    elif kind == "snow":
        hills = hilly(n, size, size * n.uniform(0.25, 0.45), 14)
        ground = slope(size, (238, 244, 250), (214, 226, 240)) + grain(n, size, 3)
        a = numpy.where(hills, ground, slope(size, (165, 185, 205), (205, 218, 230)))
        for _ in range(60):
            y, x = n.integers(0, size, 2)
            a[y:y + 2, x:x + 2] = 250
    elif kind == "night":
        a = slope(size, (14, 18, 48), (46, 52, 100)) + grain(n, size, 2)
        for _ in range(70):
            y, x = n.integers(0, int(size * 0.75)), n.integers(0, size)
            a[y, x] = n.uniform(150, 255)
        a = numpy.where(hilly(n, size, size * n.uniform(0.75, 0.88), 8), slope(size, (20, 26, 40), (28, 38, 44)), a)
    elif kind == "room":
        a = numpy.broadcast_to(tint(n, (0.1, 0.3), (0.82, 0.95)), (size, size, 3)) + grain(n, size, 1.5)
        a = a - (numpy.arange(size) // int(n.integers(10, 22)) % 2)[None, :, None] * n.uniform(0, 9)
        floor = numpy.array((176, 128, 84)) + grain(n, size, 5, 3) - (numpy.arange(size) // 14 % 2 * 9)[:, None, None]
        a = numpy.where(below(size, size * n.uniform(0.6, 0.78)), floor, a)
    elif kind == "sea":
        y, x = numpy.arange(size)[:, None], numpy.arange(size)[None]
        waves = 9 * numpy.sin(y / 5 + 2 * numpy.sin(x / 23 + n.uniform(0, 6)))[..., None]
        water = slope(size, (40, 120, 180), (20, 80, 140)) + waves
        a = numpy.where(below(size, size * n.uniform(0.15, 0.35)), water, sky)
    else:
        base = tint(n, (0.0, 0.35), (0.78, 0.97))
        a = slope(size, numpy.clip(base + 10, 0, 255), numpy.clip(base - 14, 0, 255)) + grain(n, size, 2)
        if n.random() < 0.3:
            step = int(n.integers(12, 30))
            y, x = numpy.mgrid[0:size, 0:size]
            a = a + (((x // step + y // step) % 2) * n.uniform(4, 9))[..., None]
    return Image.fromarray(numpy.clip(a, 0, 255).astype(numpy.uint8))


# Scenes


class Thing:
    def __init__(self, noun, plural, icon, colour):
        self.noun, self.plural, self.icon, self.colour = noun, plural, icon, colour

    def but(self, colour):
        return Thing(self.noun, self.plural, self.icon, colour)


def phrase(things, numbers, size_word=None):
    """[(word, objects it speaks of)] for the objects of these numbers, one or several alike."""
    first, many = things[numbers[0]], len(numbers) > 1
    words = [w for w in (size_word, first.colour, first.plural if many else first.noun) if w]
    if many:
        words.insert(0, NUMBERS[len(numbers)])
        return [(w, numbers) for w in words]
    return [("an" if words[0][0] in "aeiou" else "a", [])] + [(w, numbers) for w in words]


def silent(text):
    """Words that speak of no object."""
    return [(word, []) for word in text.split()]


def told(words):
    return " ".join(word for word, _ in words)


def apart(places, gap):
    return all(max(abs(a[0] - b[0]), abs(a[1] - b[1])) >= (a[2] + b[2]) / 2 + gap
               for i, a in enumerate(places) for b in places[:i])


def scatter(n, count, size, low, high):
    """Places (x, y, edge) that do not touch, or None."""
    for _ in range(500):
        places = []
        for _ in range(count):
            edge = n.uniform(low, high) * size
            places.append((n.uniform(edge / 2, size - edge / 2), n.uniform(edge / 2, size - edge / 2), edge))
        if apart(places, 2):
            return places
        high = max(low * 1.02, high * 0.995)
    return None


class Draft:
    """Things, their places and what can be said of them: `words`, the caption, and `others`, all true captions without
    the backdrop; `best` is the one that speaks of the larger thing first and says how they stand."""
    KINDS = {"one": 20, "group": 17, "pair": 33, "between": 11, "groups": 9, "sizes": 5, "colours": 5}

    def __init__(self, r, n, icons, styles, size):
        self.r, self.n, self.icons, self.size = r, n, icons, size
        self.style = r.choice(styles)
        self.pool = [noun for noun in NOUNS if icons.entry(self.style, noun[2])]
        self.kind = r.choices(list(self.KINDS), list(self.KINDS.values()))[0]
        self.across = r.random() < 0.55
        kinds = {"one": self.one, "group": self.group, "between": self.between, "groups": self.groups}
        kinds.get(self.kind, self.pair)()

    def thing(self, others=()):
        """What can have another colour always has a named one, so that the truth is never in doubt."""
        while True:
            noun, plural, icon, colourable = self.r.choice(self.pool)
            if noun not in others:
                break
        able = colourable and self.icons.colourable(self.style, icon)
        return Thing(noun, plural, icon, self.r.choice(list(COLOURS)) if able else None)

    def row(self, edges):
        """Places beside or above each other, in unmistakable order; edges are shares of the picture."""
        gaps = [self.r.uniform(0.2, 1.0) for _ in range(len(edges) + 1)]
        scale, at, places = (1.0 - sum(edges)) / sum(gaps), 0.0, []
        middle = self.r.uniform(max(edges) / 2, 1 - max(edges) / 2)
        for edge, gap in zip(edges, gaps):
            at += gap * scale
            along = at + edge / 2
            drift = min(max(middle + self.r.uniform(-0.08, 0.08), edge / 2), 1 - edge / 2)
            places.append([v * self.size for v in ((along, drift, edge) if self.across else (drift, along, edge))])
            at += edge
        return places

    def say_two(self, first, second, forward, plain):
        """Sets what is said of two phrases, the first left of or above the second. plain: says "and" alone."""
        both = sorted({number for _, numbers in first + second for number in numbers})
        ahead, back = ([(word, [] if word == "of" else both) for word in text.split()]
                       for text in RELATIONS[self.across])
        ways = [first + ahead + second, second + back + first]
        joined = [first + silent("and") + second, second + silent("and") + first]
        self.words = joined[not forward] if plain else ways[not forward]
        self.others = ways + joined
        area = [sum(self.places[number][2] ** 2 for number in part[-1][1]) for part in (first, second)]
        self.best = ways[area[1] > area[0]]

    def one(self):
        self.things, self.places = [self.thing()], scatter(self.n, 1, self.size, 0.25, 0.6)
        self.words = self.best = phrase(self.things, [0])
        self.others = [self.words]

    def group(self):
        count = self.r.choice([2, 2, 2, 3, 3, 4])
        self.things = [self.thing()] * count
        self.places = scatter(self.n, count, self.size, 0.19, {2: 0.42, 3: 0.34, 4: 0.3}[count])
        self.words = self.best = phrase(self.things, list(range(count)))
        self.others = [self.words]

    def pair(self):
        r, one = self.r, self.thing()
        edges, marks = [r.uniform(0.22, 0.4), r.uniform(0.22, 0.4)], [None, None]
        if self.kind == "sizes":
            other = one
            edges, marks = [r.uniform(0.4, 0.5), r.uniform(0.16, 0.21)], ["big", "small"]
            if r.random() < 0.5:
                edges, marks = edges[::-1], marks[::-1]
        elif self.kind == "colours":
            while not one.colour:
                one = self.thing()
            other = one.but(r.choice([c for c in COLOURS if c != one.colour]))
        else:
            other = self.thing((one.noun,))
        self.things, self.places = [one, other], self.row(edges)
        forward = r.random() < 0.5
        plain = self.kind == "pair" and r.random() < 0.15
        self.say_two(phrase(self.things, [0], marks[0]), phrase(self.things, [1], marks[1]), forward or plain, plain)

    def between(self):
        one, alike = self.thing(), self.r.random() < 0.5
        middle = self.thing((one.noun,))
        other = one if alike else self.thing((one.noun, middle.noun))
        self.places = self.row([self.r.uniform(0.19, 0.27) for _ in range(3)])
        self.things = [one, middle, other]
        start = phrase(self.things, [1]) + [("between", [0, 1, 2])]
        if alike:
            self.others = [start + phrase(self.things, [0, 2])]
        else:
            sides = [phrase(self.things, [number]) for number in (0, 2)]
            self.others = [start + sides[i] + silent("and") + sides[1 - i] for i in (0, 1)]
        self.words = self.others[0]
        self.best = self.others[not alike and self.places[2][2] > self.places[0][2]]

    def groups(self):
        r, one = self.r, self.thing()
        other = self.thing((one.noun,))
        counts = r.choice([(1, 2), (2, 1), (2, 2), (1, 3), (3, 1)])
        self.things = [one] * counts[0] + [other] * counts[1]
        while True:
            halves = [scatter(self.n, count, self.size * 0.5, 0.3, 0.6 if count < 2 else 0.46) for count in counts]
            if None in halves:
                continue
            self.places = []
            for number, half in enumerate(halves):
                for x, y, edge in half:
                    along, drift = x + number * self.size * 0.5, min(max(2 * y, edge / 2), self.size - edge / 2)
                    self.places.append((along, drift, edge) if self.across else (drift, along, edge))
            if apart(self.places, 1):
                break
        numbers = list(range(sum(counts)))
        forward = r.random() < 0.5
        plain = r.random() < 0.35
        phrases = [phrase(self.things, some) for some in (numbers[:counts[0]], numbers[counts[0]:])]
        self.say_two(*phrases, forward or plain, plain)


def paste(canvas, icon, place, r, light):
    """The pictogram with its shadow, mirrored by the caller, turned a little; (picture, its box)."""
    x, y, edge = place
    icon = icon.rotate(r.uniform(-9, 9), Image.BICUBIC, expand=True)
    scale = edge / max(icon.size)
    icon = icon.resize((max(1, round(icon.width * scale)), max(1, round(icon.height * scale))), Image.LANCZOS)
    light *= r.uniform(0.88, 1.08)
    rgb, alpha = icon.convert("RGB").point(lambda v: min(255, int(v * light))), icon.getchannel("A")
    left = min(max(round(x - icon.width / 2), 0), canvas.width - icon.width)
    top = min(max(round(y - icon.height / 2), 0), canvas.height - icon.height)
    shade = Image.new("L", canvas.size, 0)
    ImageDraw.Draw(shade).ellipse([left + icon.width * 0.12, top + icon.height * 0.9, left + icon.width * 0.88,
                                   top + icon.height * 1.02], fill=95)
    shade = shade.filter(ImageFilter.GaussianBlur(edge * 0.035))
    canvas = Image.composite(Image.new("RGB", canvas.size, (0, 0, 0)), canvas, shade)
    canvas.paste(rgb, (left, top), alpha)
    box = seen(icon, 60)
    return canvas, [left + box[0], top + box[1], left + box[2], top + box[3]]


def compose(seed, number, icons, styles, size):
    """(picture, scene as written to the .jsonl)."""
    r = random.Random(f"{seed}/{number}")
    n = numpy.random.default_rng(r.getrandbits(63))
    draft = Draft(r, n, icons, styles, size)
    where = r.choices(["plain", *PHRASES], [40, 13, 10, 9, 9, 12, 7])[0]
    words, best, accepted = draft.words, draft.best, {told(some) for some in draft.others}
    if where != "plain":
        ahead = PHRASES[where].split()
        place = silent(" ".join(ahead[:-1])) + [(ahead[-1], [-1])]
        accepted |= {f"{caption} {PHRASES[where]}" for caption in accepted}
        best = best + place
        if r.random() < 0.6:
            words = words + place
    canvas, objects = backdrop(where, n, size), []
    for thing, place in zip(draft.things, draft.places):
        icon = icons.draw(draft.style, thing.icon, thing.colour)
        if r.random() < 0.5 and thing.noun not in UNMIRRORED:
            icon = icon.transpose(Image.FLIP_LEFT_RIGHT)
        canvas, box = paste(canvas, icon, place, r, 0.85 if where == "night" else 1.0)
        objects.append({"noun": thing.noun, "colour": thing.colour, "style": draft.style, "box": box})
    return canvas, {"caption": told(words), "words": [numbers for _, numbers in words], "best": told(best),
                    "accepted": sorted(accepted), "objects": objects, "kind": draft.kind, "background": where}


# Files


def write_lines(path, scenes):
    with open(path, "w", encoding="utf-8") as out:
        out.writelines(json.dumps(scene) + "\n" for scene in scenes)


def write_shard(path, icons, styles, seed, first, count):
    """PATH.npy, uint8 [count, SIZE, SIZE, 3], and PATH.jsonl, boxes in pixels of SIZE. Drawn in double size and halved
    as the model's preprocessor does; of Varied icons two thirds at once in SIZE, which is quicker."""
    pictures, scenes = numpy.empty((count, SIZE, SIZE, 3), numpy.uint8), []
    for i in range(count):
        scale = 2
        if isinstance(icons, Varied):
            icons.chance = random.Random(f"{seed}/{first + i}/drawing")
            scale = 1 if i % 3 else 2
        picture, scene = compose(seed, first + i, icons, styles, SIZE * scale)
        pictures[i] = numpy.asarray(picture.resize((SIZE, SIZE), Image.BILINEAR))
        for thing in scene["objects"]:
            thing["box"] = [edge / scale for edge in thing["box"]]
        scenes.append(scene)
    write_lines(path + ".jsonl", scenes)
    with open(path + ".new", "wb") as out:
        numpy.save(out, pictures)
    os.replace(path + ".new", path + ".npy")
    return path


def write_pictures(folder, icons, styles, seed, count):
    """Pictures as PNG files of 224 pixels and scenes.jsonl, as `attnscope ground` reads it."""
    os.makedirs(folder, exist_ok=True)
    scenes = []
    for number in range(count):
        picture, scene = compose(seed, number, icons, styles, 2 * SIZE)
        scenes.append({"image": f"{number:06d}.png"} | scene)
        picture.save(os.path.join(folder, scenes[-1]["image"]))
    write_lines(os.path.join(folder, "scenes.jsonl"), scenes)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--icons", required=True, help="folder of the unpacked npm packages")
    parser.add_argument("--work", default="build/training")
    parser.add_argument("--shards", type=int, default=12, help=f"files of {SHARD} training scenes; those there stay")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--pictures", help="instead: PNG files of the test scenes into this folder")
    parser.add_argument("--held", action="store_true", help="with --pictures: in the style not trained on")
    parser.add_argument("--count", type=int, default=200, help="with --pictures")
    options = parser.parse_args()
    folder, cache = os.path.join(options.work, "scenes"), os.path.join(options.work, "icons")
    os.makedirs(folder, exist_ok=True)
    plain = Icons(options.icons, cache)
    if options.pictures:
        write_pictures(options.pictures, plain, HELD if options.held else SCORED, "test", options.count)
        return
    for style in SETS:  # once, before several processes would
        for noun in NOUNS:
            if plain.entry(style, noun[2]):
                plain.plain(style, noun[2])
    varied = Varied(options.icons, cache)
    jobs = [("validation", plain, SCORED, "validation", 0, 500)]
    jobs += [(f"train-{i:03d}", varied, TRAINED, "train", i * SHARD, SHARD) for i in range(options.shards)]
    jobs += [("test", plain, SCORED, "test", 0, 2000), ("test-held", plain, HELD, "test", 0, 1000)]
    jobs = [(os.path.join(folder, name), *rest) for name, *rest in jobs
            if not os.path.exists(os.path.join(folder, name + ".npy"))]
    with concurrent.futures.ProcessPoolExecutor(options.processes) as pool:
        for path in pool.map(write_shard, *zip(*jobs)) if jobs else ():
            print(path, flush=True)


if __name__ == "__main__":
    main()
