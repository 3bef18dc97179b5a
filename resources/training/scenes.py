# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The captioner's tasks on the scenes of draw_scenes.py: naming single pictograms, where its encoder starts (that of Xu
et al. had learned ImageNet), and captions. Boxes are used to cut the pictograms out and to score; where to look while
captions are written is not taught."""
import glob
import json
import os

import numpy
import torch
from torch.nn import functional as F

from captioner import Captioner
from data import EOS, PAD
from draw_scenes import COLOURS, NOUNS, PHRASES, SIZE, WORDS

MEAN, DEVIATION = [0.485, 0.456, 0.406], [0.229, 0.224, 0.225]
NOUN = {noun[0]: i for i, noun in enumerate(NOUNS)}
LABEL = {label: i for i, label in enumerate([*NOUN, *COLOURS, *PHRASES])}
CROP = 56  # pixels of a pictogram cut out
BEST = 0.7  # share of training captions that are the scene's best; the others are any true one
TAUGHT = 2.0  # weight of what the teacher says of a patch
# Weights of these terms of the loss. The first at 1 keeps attention flat here, the second makes it look closely.
DOUBLY_STOCHASTIC, ENTROPY, WITNESS = 0.1, 0.03, 0.1


class Words:
    """The captions' words; blanks separate them."""
    tokens = ["<pad>", "<unk>", "<bos>", "<eos>", *WORDS]
    end = EOS

    def __init__(self):
        self.ids = {token: i for i, token in enumerate(self.tokens)}

    def encode(self, text):
        return [self.ids[word] for word in text.split()]

    def decode(self, ids):
        return " ".join(self.tokens[i] for i in ids)


class Scenes:
    """The scenes of one or several shards; pictures stay on the disk, on a GPU in its memory."""

    def __init__(self, work, pattern, device):
        paths = sorted(glob.glob(os.path.join(work, "scenes", pattern + ".npy")))
        if not paths:
            raise SystemExit(f"{work}/scenes has no {pattern}.npy: run draw_scenes.py first")
        self.device, self.scenes = device, []
        for path in paths:
            with open(path[:-4] + ".jsonl", encoding="utf-8") as lines:
                self.scenes += map(json.loads, lines)
        shards = [numpy.load(path, mmap_mode="r") for path in paths]
        self.whole = torch.from_numpy(numpy.concatenate(shards)).to(device) if device == "cuda" else None
        self.shards, self.starts = shards, numpy.cumsum([0] + [len(shard) for shard in shards])

    def __len__(self):
        return len(self.scenes)

    def picture(self, row):
        shard = numpy.searchsorted(self.starts, row, "right") - 1
        return self.shards[shard][row - self.starts[shard]]

    def pictures(self, rows, corners=None, side=SIZE):
        """Normalised pictures [rows, 3, side, side]; corners: (top, left) of the square that is cut out of each."""
        corners = numpy.zeros((len(rows), 2), int) if corners is None else corners
        if self.whole is None:
            cut = [self.picture(row)[top:top + side, left:left + side] for row, (top, left) in zip(rows, corners)]
            return normalised(torch.from_numpy(numpy.stack(cut)))
        rows, corners = (torch.as_tensor(v, device=self.device) for v in (rows, corners))
        y, x = (corners[:, i:i + 1] + torch.arange(side, device=self.device) for i in (0, 1))
        return normalised(self.whole[rows[:, None, None], y[:, :, None], x[:, None]])


def normalised(pictures):
    """Of uint8 [..., height, width, 3]."""
    mean, deviation = (torch.tensor(v, device=pictures.device)[:, None, None] for v in (MEAN, DEVIATION))
    return (pictures.permute(0, 3, 1, 2).float() / 255 - mean) / deviation


def shaken(pictures):
    """(the pictures with contrast and the channels' brightness changed a little, half of them mirrored; which)"""
    like = lambda channels: torch.randn(len(pictures), channels, 1, 1, device=pictures.device)
    mirrored = torch.rand(len(pictures), device=pictures.device) < 0.5
    pictures = torch.where(mirrored[:, None, None, None], pictures.flip(3), pictures)
    return pictures * (1 + 0.1 * like(1)) + 0.1 * like(3), mirrored


class Pictograms:
    """Noun and colour of a pictogram, in a square cut out of a scene."""
    unit = "pictograms"

    def __init__(self, options):
        self.device, self.seed, self.rows = options.device, options.seed, options.tokens // 4
        self.scenes, self.held = (Scenes(options.work, part, options.device) for part in ("train-*", "validation"))
        self.tokenizer, self.examples = Words(), alone(self.scenes.scenes)
        self.size = f"{len(self.examples):,} pictograms"
        self.model = Captioner(len(Words.tokens), len(LABEL)).to(options.device)

    def plan(self, epoch):
        return shuffled(len(self.examples), self.rows, self.seed * 1000 + epoch)

    def scored(self, model, scenes, examples, jitter):
        """Logits [examples, labels] and the labels of nouns and colours (-1: none)."""
        centres = numpy.array([centre for *_, centre in examples])
        corners = (centres - CROP / 2 + torch.randint(-jitter, jitter + 1, centres.shape).numpy()).round().astype(int)
        pictures = scenes.pictures(numpy.array([row for row, *_ in examples]), corners.clip(0, SIZE - CROP), CROP)
        if jitter:
            pictures, _ = shaken(pictures)
        logits = model.witness(model.cells(pictures)).float().logsumexp(1)  # of all cells
        return logits, *(torch.tensor(labels, device=self.device) for labels in list(zip(*examples))[1:3])

    def loss_of(self, logits, nouns, colours):
        """(both losses together, that of the nouns)"""
        exact = F.cross_entropy(logits[:, :len(NOUN)], nouns)
        of_colours = F.cross_entropy(logits[:, len(NOUN):len(NOUN) + len(COLOURS)], colours, ignore_index=-1,
                                     reduction="sum")
        return exact + of_colours / len(nouns), exact

    def loss(self, batch):
        scored = self.scored(self.model, self.scenes, [self.examples[i] for i in batch], 8)
        return *self.loss_of(*scored), len(batch)

    @torch.no_grad()
    def validate(self, model):
        parts = [self.scored(model, self.held, some, 0) for some in chunks(alone(self.held.scenes), 100)]
        logits, nouns, colours = map(torch.cat, zip(*parts))
        coloured, places = colours >= 0, logits[:, len(NOUN):len(NOUN) + len(COLOURS)].argmax(1)
        scores = {"loss": self.loss_of(logits, nouns, colours)[1],
                  "nouns": (logits[:, :len(NOUN)].argmax(1) == nouns).float().mean(),
                  "colours": (places == colours)[coloured].float().mean()}
        return " ".join(f"{name} {value:.3f}" for name, value in scores.items()), scores


def alone(scenes):
    """[(number of the scene, noun, colour or -1, centre (y, x))] of the objects with no other kind near them."""
    found = []
    for row, scene in enumerate(scenes):
        things = [(thing["noun"], thing["colour"], numpy.array(thing["box"]).reshape(2, 2).mean(0)[::-1])
                  for thing in scene["objects"]]
        found += [(row, NOUN[noun], list(COLOURS).index(colour) if colour else -1, centre)
                  for noun, colour, centre in things
                  if all((noun, colour) == other[:2] or abs(centre - other[2]).max() > 0.7 * CROP for other in things)]
    return found


def chunks(rows, size):
    return [rows[first:first + size] for first in range(0, len(rows), size)]


def shuffled(count, size, seed):
    return chunks(numpy.random.default_rng(seed).permutation(count), size)


class Captions:
    unit = "words"

    def __init__(self, options, make=Captioner, tokenizer=lambda folder, texts: Words()):
        self.device, self.seed, self.rows = options.device, options.seed, options.tokens // 10
        self.scenes, self.held = (Scenes(options.work, part, options.device) for part in ("train-*", "validation"))
        # Of every scene, the best caption and then all true ones.
        told = [[scene["best"], *scene["accepted"]] for scene in self.scenes.scenes]
        self.tokenizer = tokenizer(os.path.join(options.work, options.name), told)
        self.size, self.exact = f"{len(self.scenes):,} scenes", options.f32
        self.model = make(len(self.tokenizer.tokens), len(LABEL)).to(options.device)
        self.counts = numpy.array([len(some) - 1 for some in told])
        self.firsts = numpy.cumsum(self.counts + 1) - self.counts - 1
        self.told = padded([self.tokenizer.encode(text) for some in told for text in some], self.tokenizer.end)
        self.labels = numpy.zeros((len(told), len(LABEL)), numpy.float32)
        for row, scene in enumerate(self.scenes.scenes):
            for thing in scene["objects"]:
                self.labels[row, [LABEL[thing[key]] for key in ("noun", "colour") if thing[key]]] = 1
            if scene["background"] in LABEL:
                self.labels[row, LABEL[scene["background"]]] = 1
        left, right = (self.tokenizer.encode(f"a dog {side} of a cat")[2] for side in ("left", "right"))
        self.other_side = torch.arange(len(self.tokenizer.tokens))
        self.other_side[[left, right]] = torch.tensor([right, left])

    def plan(self, epoch):
        return shuffled(len(self.scenes), self.rows, self.seed * 1000 + epoch)

    def chosen(self, rows):
        """Ids of a true caption of each."""
        best, which = torch.rand(2, len(rows)).numpy()
        other = 1 + (which * self.counts[rows]).astype(int)
        return torch.from_numpy(self.told[self.firsts[rows] + numpy.where(best < BEST, 0, other)])

    def cells(self, rows):
        """(what the encoder makes of the pictures, which of them are mirrored)"""
        pictures, mirrored = shaken(self.scenes.pictures(rows))
        with torch.autocast(self.device, dtype=torch.bfloat16, enabled=not self.exact):
            return self.model.cells(pictures.to(memory_format=torch.channels_last)), mirrored

    def loss(self, rows):
        target = self.chosen(rows)
        order = (target != PAD).sum(1).argsort(descending=True)
        cells, mirrored = self.cells(rows[order])
        target = target[order]
        target = torch.where(mirrored.cpu()[:, None], self.other_side[target], target).to(self.device)
        with torch.autocast(self.device, enabled=self.model.parallel and not self.exact):
            exact, maps = forced(self.model, cells, target)
            there = (target != PAD).float()
            length = there.sum(1, keepdim=True)
            labels = torch.from_numpy(self.labels[rows[order]]).to(self.device)
            exact, seen = exact.float(), self.model.witness(cells).float().amax(1)
            unseen = F.binary_cross_entropy_with_logits(seen, labels, reduction="sum")
            loss = exact + WITNESS * unseen / len(rows)
            if maps:
                looked = sum(F.pad(weights * there[:len(weights), step, None], (0, 0, 0, len(rows) - len(weights)))
                             for step, weights in enumerate(maps))
                unfair = (looked - length / cells.shape[1]).square().sum(1).mean()  # 0 where cells have equal shares
                spread = sum(-(weights * (weights + 1e-9).log()).sum() for weights in maps) / sum(map(len, maps))
                loss = loss + DOUBLY_STOCHASTIC / 50 * unfair + ENTROPY * spread
        return loss, exact, int(length.sum())

    def validate(self, model):
        scores = measured(model, self.tokenizer, self.held)
        found = {"loss": scores["loss"], "accepted": scores["accepted"], "inside": scores["ground"]["noun"]["inside"]}
        return " ".join(f"{name} {value:.3f}" for name, value in found.items()) + "   " + scores["example"], found


class TaughtCaptions(Captions):
    """Captions whose encoder also learns to foretell of each patch what the captioner's encoder makes of the same cell
    (Touvron et al. 2021 let a convolutional network teach a ViT, too)."""

    def __init__(self, options, *rest):
        super().__init__(options, *rest)
        teacher = torch.load(os.path.join(options.work, "captioner-scenes.pt"), map_location="cpu", weights_only=False)
        self.teacher = Captioner(len(Words.tokens), len(LABEL)).to(options.device).eval().requires_grad_(False)
        self.teacher.load_state_dict(teacher["average"])

    def cells(self, rows):
        pictures, mirrored = shaken(self.scenes.pictures(rows))
        with torch.no_grad():
            told = F.layer_norm(self.teacher.cells(pictures), (self.teacher.witness.in_features,))
        cells = self.model.cells(pictures)
        self.apart = (self.model.pupil(cells[:, 1:]).float() - told).square().mean()
        return cells, mirrored

    def loss(self, rows):
        loss, exact, count = super().loss(rows)
        return loss + TAUGHT * self.apart, exact, count


class DecoderCaptions(Captions):
    """Captions from an encoder that stays as it is, as in Xu et al.: what it makes of a picture is computed once."""
    stored = None

    @torch.no_grad()
    def store(self):
        model = self.model.eval()
        parts = [model.cells(self.scenes.pictures(rows)).half() for rows in chunks(numpy.arange(len(self.scenes)), 64)]
        self.stored = torch.cat(parts)
        model.train()

    def cells(self, rows):
        if self.stored is None:
            self.store()
        return self.stored[torch.from_numpy(rows)].float(), torch.zeros(len(rows), dtype=torch.bool)


def padded(rows, end=EOS):
    """Ids with the end, int64 [rows, longest]."""
    found = numpy.full((len(rows), max(map(len, rows)) + 1), PAD, numpy.int64)
    for row, ids in zip(found, rows):
        row[:len(ids) + 1] = ids + [end]
    return found


def forced(model, cells, target):
    """(cross-entropy a word, attention weights of every step) of captions, the longest first; rows that have ended
    leave every fourth step. Not every model gives weights while it is trained."""
    counts = (target != PAD).sum(0).tolist()
    counts = [counts[step - step % 4] for step in range(len(counts)) if counts[step]]
    inputs = torch.cat([torch.full_like(target[:, :1], model.start), target[:, :-1]], 1)
    logits, maps = model(cells, inputs, counts)
    answers = torch.cat([ids[:count] for count, ids in zip(counts, target.t())])
    return F.cross_entropy(logits, answers, ignore_index=PAD), maps


def shares(boxes, grid):
    """Share of each cell [grid, grid] that the boxes together cover; their edges are on half pixels."""
    fine, side = numpy.zeros((2 * SIZE, 2 * SIZE), bool), 2 * SIZE // grid
    for left, top, right, bottom in boxes:
        fine[int(2 * top):int(2 * bottom), int(2 * left):int(2 * right)] = True
    return fine.reshape(grid, side, grid, side).mean((1, 3))


def looks(weights, boxes, grid):
    """(weight inside the boxes, that of even attention, if the centre of the cell with the largest is in one), as
    `attnscope ground` has them."""
    covered, cell = shares(boxes, grid).ravel(), int(weights.argmax())
    weights = weights / weights.sum()  # a class token may have a share
    y, x = ((v + 0.5) * SIZE / grid for v in divmod(cell, grid))
    hit = any(left <= x < right and top <= y < bottom for left, top, right, bottom in boxes)
    return float((weights * covered).sum()), covered.mean(), float(hit)


def part_of(word):
    if word in COLOURS:
        return "colour"
    return "noun" if any(word in noun[:2] for noun in NOUNS) else "other"


@torch.no_grad()
def measured(model, words, scenes, batch=100):
    """The loss a word of the best captions; the share of greedy captions that are true, all and by kind of scene; where
    the words of the given captions look: {part of speech: {words, inside, uniform, hit}}."""
    grid, device = model.settings["grid"], next(model.parameters()).device
    total = counted = 0
    right, found, example = {}, {}, ""
    for rows in chunks(numpy.arange(len(scenes)), batch):
        cells = model.cells(scenes.pictures(rows).to(device))
        some = [scenes.scenes[row] for row in rows]
        for scene, ids in zip(some, model.captions(cells)):
            caption = words.decode(ids)
            example = example or f"{scene['best']} -> {caption}"
            right.setdefault(scene["kind"], []).append(caption in scene["accepted"])
        for key in ("best", "caption"):
            order = sorted(range(len(rows)), key=lambda i: -len(some[i][key].split()))
            target = torch.from_numpy(padded([words.encode(some[i][key]) for i in order], words.end)).to(device)
            loss, maps = forced(model, cells[order], target)
            if key == "best":
                count = int((target != PAD).sum())
                total, counted = total + float(loss) * count, counted + count
        for place, i in enumerate(order):
            for step, (word, numbers) in enumerate(zip(some[i]["caption"].split(), some[i]["words"])):
                boxes = [some[i]["objects"][number]["box"] for number in numbers if number >= 0]
                if boxes:
                    found.setdefault(part_of(word), []).append(looks(maps[step][place].cpu().numpy(), boxes, grid))
    ground = {part: dict(zip(("words", "inside", "uniform", "hit"),
                             (len(rows), *numpy.mean(rows, 0).round(4).tolist())))
              for part, rows in sorted(found.items())}
    every = [value for values in right.values() for value in values]
    return {"scenes": len(every), "accepted": round(sum(every) / len(every), 4), "loss": round(total / counted, 4),
            "accepted_by_kind": {kind: round(sum(values) / len(values), 4) for kind, values in sorted(right.items())},
            "ground": ground, "example": example}
