# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Scores an exported classifier on the test set and measures where its word attention goes in questions; writes
scores.json into its directory."""
import argparse
import collections
import json
import os

import torch

from data import EOS
from export import load, write_json
from questions import arranged, examples, measured

ASKING = set("""who whom whose what when where why which how do does did is are am was were has have had can could will
would shall should may might must""".split())


@torch.no_grad()
def word_attention(model, processor, held):
    """For every hop, over the questions: how often the largest weight is at a word that asks (a question word or an
    auxiliary, also with n't or 's), the mean weight there, the share of even attention, and the commonest places of the
    largest weight."""
    hops = model.settings["hops"]
    hits, share, even, count = [0] * hops, [0.0] * hops, 0.0, 0
    places = [collections.Counter() for _ in range(hops)]
    for texts, label, place in held:
        if not label:
            continue
        ids = processor.encode(texts[max(place, 0)]) + [EOS]
        pieces = [processor.id_to_piece(i).lstrip("▁").lower() for i in ids[:-1]] + ["</s>"]
        asking = torch.tensor([piece.split("'")[0] in ASKING for piece in pieces])
        if not asking.any():
            continue
        weights = model.sentences(torch.tensor([ids]))[0][0]
        count += 1
        even += float(asking.float().mean())
        for hop in range(hops):
            largest = int(weights[hop].argmax())
            hits[hop] += bool(asking[largest])
            share[hop] += float(weights[hop][asking].sum())
            places[hop][pieces[largest]] += 1
    return [{"hop": hop, "asking_word_has_largest_weight": round(hits[hop] / count, 4),
             "asking_word_weight": round(share[hop] / count, 4), "even": round(even / count, 4), "questions": count,
             "largest_at": dict(places[hop].most_common(8))} for hop in range(hops)]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", help="an exported classifier")
    parser.add_argument("--data", required=True)
    parser.add_argument("--show", type=int, default=0, help="print this many wrong answers")
    options = parser.parse_args()
    model, processor = load(options.folder)
    held = examples(options.data, "test", model.style)
    scores = measured(model, processor, held) | {"word_attention": word_attention(model, processor, held)}
    print(json.dumps(scores, ensure_ascii=False))
    wrong = 0
    for texts, label, _ in held:
        if wrong >= options.show:
            break
        ids, counts, _ = arranged([([processor.encode(text) + [EOS] for text in texts], label)])
        if int(model(ids, counts)[0].argmax()) != label:
            wrong += 1
            print(label, texts)
    write_json(os.path.join(options.folder, "scores.json"), scores)


if __name__ == "__main__":
    main()
