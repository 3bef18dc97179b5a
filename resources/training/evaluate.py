# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Translates the held-out sentences with an exported directory, as the program does it, and writes scores.json there."""
import argparse
import json
import os

from bleu import bleu
from data import EOS, read_pairs
from decode import beam
from export import load, write_json

LENGTHS = [(1, 4), (5, 5), (6, 7), (8, 9), (10, 11), (12, 999)]  # source words between spaces


def by_length(pairs, guesses):
    scores = []
    for low, high in LENGTHS:
        some = [i for i, (english, _) in enumerate(pairs) if low <= len(english.split()) <= high]
        if not some:
            continue
        words = [len(pairs[i][0].split()) for i in some]
        scores.append({
            "from": min(words), "to": max(words), "sentences": len(some),
            "bleu": round(bleu([guesses[i] for i in some], [pairs[i][1] for i in some]), 2)})
    return scores


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", help="an exported model")
    parser.add_argument("--data", required=True)
    parser.add_argument("--beam", type=int, default=4)
    parser.add_argument("--show", type=int, default=0, help="print this many translations")
    options = parser.parse_args()
    model, processor = load(options.folder)
    attends = getattr(model, "attends", False)

    def translate(pairs, maxima):
        guesses = []
        for english, french in pairs:
            ids = beam(model, processor.encode(english) + [EOS], options.beam, row_maxima=maxima)
            guesses.append(processor.decode(ids))
            if len(guesses) <= options.show:
                print(f"{english}\n    {guesses[-1]}\n    {french}")
        return guesses

    test, validation = (read_pairs(os.path.join(options.data, name + ".tsv.xz")) for name in ("test", "validation"))
    maxima = [] if attends else None
    guesses = translate(test, maxima)
    scores = {"bleu": round(bleu(guesses, [french for _, french in test]), 2), "beam": options.beam,
              "test_sentences": len(test)}
    # The test sentences are short; the validation set has longer ones.
    scores["bleu_by_length"] = by_length(test + validation, guesses + translate(validation, None))
    if attends:
        scores["mean_row_maximum"] = round(sum(maxima) / len(maxima), 3)
    print(json.dumps(scores))
    write_json(os.path.join(options.folder, "scores.json"), scores)


if __name__ == "__main__":
    main()
