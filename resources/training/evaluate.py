# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Translates a test set with an exported directory, as the program does it, and writes scores.json there."""
import argparse
import json
import os

from bleu import bleu
from data import EOS, read_pairs
from decode import beam
from export import load, write_json

LENGTHS = [(1, 4), (5, 5), (6, 6), (7, 999)]  # source words between spaces


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", help="an exported model")
    parser.add_argument("--data", required=True)
    parser.add_argument("--set", default="test", help="test or validation")
    parser.add_argument("--beam", type=int, default=4)
    parser.add_argument("--show", type=int, default=0, help="print this many translations")
    options = parser.parse_args()
    model, processor = load(options.folder)
    pairs = read_pairs(os.path.join(options.data, options.set + ".tsv.xz"))
    attends = getattr(model, "attends", False)
    maxima, guesses = [], []
    for english, french in pairs:
        ids = beam(model, processor.encode(english) + [EOS], options.beam, row_maxima=maxima if attends else None)
        guesses.append(processor.decode(ids))
        if len(guesses) <= options.show:
            print(f"{english}\n    {guesses[-1]}\n    {french}")
    scores = {"bleu": round(bleu(guesses, [f for _, f in pairs]), 2), "beam": options.beam,
              options.set + "_sentences": len(pairs), "bleu_by_length": []}
    for low, high in LENGTHS:
        some = [i for i, (english, _) in enumerate(pairs) if low <= len(english.split()) <= high]
        words = [len(pairs[i][0].split()) for i in some] or [low]
        scores["bleu_by_length"].append({
            "from": min(words), "to": max(words), "sentences": len(some),
            "bleu": round(bleu([guesses[i] for i in some], [pairs[i][1] for i in some]), 2)})
    if attends:
        scores["mean_row_maximum"] = round(sum(maxima) / len(maxima), 3)
    print(json.dumps(scores))
    if options.set == "test":
        write_json(os.path.join(options.folder, "scores.json"), scores)


if __name__ == "__main__":
    main()
