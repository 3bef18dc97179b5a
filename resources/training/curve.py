# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws the loss curve of a training run, from the record that the training loop writes, as a small SVG."""
import argparse
import json
import math

WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 600, 290, 46, 24, 160, 38
COLOURS = ("#777777", "#0072b2", "#d55e00", "#009e73")  # the first is training's; Okabe and Ito's for the others
POINTS = 300  # at most, of a line


def series(record):
    """{name: [(seen, loss)]}"""
    curve = [(seen, loss) for _, seen, _, loss in record["curve"]]
    size = max(math.ceil(len(curve) / POINTS), 1)
    found = {"training": [(some[-1][0], sum(loss for _, loss in some) / len(some))
                          for some in (curve[i:i + size] for i in range(0, len(curve), size))]}
    for entry in record["validation"]:
        for name, value in entry.items():
            if name.split()[-1] == "loss":
                name = "held-out" if name == "loss" else "held-out " + name.removesuffix(" loss").capitalize()
                found.setdefault(name, []).append((entry["seen"], value))
    return {name: points for name, points in found.items() if points}


def ticks(low, high, count=5):
    step = 10 ** math.floor(math.log10((high - low) / count))
    step *= next(k for k in (1, 2, 5, 10) if (high - low) / (k * step) <= count)
    return [k * step for k in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]


def drawn(path):
    """The picture as text. The first and highest losses are drawn at the upper edge; they would take all the room."""
    with open(path, encoding="utf-8") as file:
        record = json.load(file)
    lines = series(record)
    losses = sorted(loss for points in lines.values() for _, loss in points) or [0.0, 1.0]
    most = max((seen for points in lines.values() for seen, _ in points), default=1)
    low, high = math.floor(losses[0] * 4) / 4, math.ceil(losses[int(0.97 * (len(losses) - 1))] * 4) / 4
    high = max(high, low + 0.25)
    x = lambda seen: LEFT + (WIDTH - LEFT - RIGHT) * seen / most
    y = lambda loss: TOP + (HEIGHT - TOP - BOTTOM) * (high - min(loss, high)) / (high - low)
    bottom, right = HEIGHT - BOTTOM, WIDTH - RIGHT
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
           'font-size="11">', "<!-- SPDX-FileCopyrightText: 2026 The AttnScope authors -->",
           "<!-- SPDX-License-Identifier: GPL-3.0-or-later -->",
           f'<title>Loss curve of {record["name"]}</title>',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>']
    for value in ticks(low, high):
        out.append(f'<path d="M{LEFT} {y(value):.1f}H{right}" stroke="#dddddd"/>'
                   f'<text x="{LEFT - 6}" y="{y(value) + 4:.1f}" text-anchor="end">{value:g}</text>')
    for value in ticks(0, most / 1e6):
        out.append(f'<path d="M{x(value * 1e6):.1f} {bottom}v4" stroke="#000000"/><text x="{x(value * 1e6):.1f}" '
                   f'y="{bottom + 16}" text-anchor="middle">{value:g}</text>')
    out.append(f'<path d="M{LEFT} {TOP}V{bottom}H{right}" fill="none" stroke="#000000"/>'
               f'<text x="{(LEFT + right) / 2}" y="{HEIGHT - 6}" text-anchor="middle">millions of {record["unit"]} seen'
               f'</text><text x="{LEFT - 30}" y="14">cross-entropy</text>')
    for number, (name, points) in enumerate(lines.items()):
        colour = COLOURS[number % len(COLOURS)]
        path = " ".join(f"{x(seen):.1f},{y(loss):.1f}" for seen, loss in points)
        width, height = (1.8 if number else 1), TOP + 14 + 16 * number
        out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width}"/>'
                   f'<text x="{right + 6}" y="{height}" fill="{colour}">{name} {points[-1][1]:.2f}</text>')
    return "\n".join(out + ["</svg>", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("record", help="NAME.json of the work folder")
    parser.add_argument("picture", help="an SVG file to write")
    options = parser.parse_args()
    with open(options.picture, "w", encoding="utf-8") as out:
        out.write(drawn(options.record))


if __name__ == "__main__":
    main()
