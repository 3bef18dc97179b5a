# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Alignment error rate (Och and Ney 2003) of an exported translation model's attention, on sentences aligned by hand:
a line is French tokens, tab, English tokens, tab, links, i-j sure or i?j possible, i the French token. The reference
is forced; each French word is linked to the English word with most attention, to none where that is the end token.
Adds the rates to scores.json."""
import argparse
import itertools
import os
import unicodedata

import torch

from data import BOS, EOS
from export import load, read_scores, write_json

CLOSING = {",", ".", ")", "]", "...", "…"}
ENGLISH_CLOSING = CLOSING | {";", ":", "?", "!", "'s", "'ll", "'d", "'re", "'ve", "'m", "n't", "'S"}
ROWS = {"predicting": 0, "reading": 1}  # which step stands for a word: the one that writes it, the one that reads it


def text_of(tokens, french):
    """The sentence as people write it."""
    out, inside = "", False
    for token in tokens:
        closing = token in (CLOSING if french else ENGLISH_CLOSING) or token == '"' and inside
        glued = out.endswith(("(", "[", "'" if french else "(")) or out.endswith('"') and inside
        out += token if closing or glued or not out else " " + token
        inside ^= token == '"'
    return out


def pieces_of(processor, tokens, french):
    """(ids, the token that each id belongs to)"""
    text = text_of([token.replace("’", "'") for token in tokens], french)
    ids, owners, at = processor.encode(text), [], 0
    ends = list(itertools.accumulate(len(unicodedata.normalize("NFKC", token).replace(" ", "")) for token in tokens))
    for piece in processor.encode(text, out_type=str):
        owners.append(next((i for i, end in enumerate(ends) if end > at), len(tokens) - 1))
        at += len(piece.replace("▁", ""))
    if at == ends[-1]:
        return ids, owners
    found = [(i, id_) for i, token in enumerate(tokens) for id_ in processor.encode(token)]  # letters that are changed
    return [id_ for _, id_ in found], [i for i, _ in found]


def read_links(path):
    """[(French tokens, English tokens, {sure}, {sure or possible})]"""
    found = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            french, english, links = line.rstrip("\n").split("\t")
            sure = {tuple(map(int, link.split("-"))) for link in links.split() if "-" in link}
            possible = {tuple(map(int, link.split("?"))) for link in links.split() if "?" in link}
            found.append((french.split(" "), english.split(" "), sure, sure | possible))
    return found


def grouped(weights, owners, count):
    """[..., pieces] summed to [..., count words]."""
    return torch.zeros(*weights.shape[:-1], count).index_add_(-1, torch.tensor(owners), weights)


def links_of(weights, sources, targets, words, others):
    """{(target word, source word)} of one matrix [target pieces, source pieces and the end]."""
    by_source = grouped(weights, sources + [words], words + 1)
    by_both = grouped(by_source.t(), targets, others).t()
    best = by_both.argmax(1).tolist()
    return {(i, j) for i, j in enumerate(best) if j < words}


@torch.no_grad()
def counts(model, processor, sentences):
    """{(kind of row, site): [links, hits of sure ones, hits of possible ones]}, and the number of sure links"""
    found, sure_links = {}, 0
    for french, english, sure, possible in sentences:
        source, sources = pieces_of(processor, english, False)
        target, targets = pieces_of(processor, french, True)
        weights = model.alignments(torch.tensor([source + [EOS]]), torch.tensor([[BOS] + target]))
        places = itertools.product(*map(range, weights.shape[:2]))
        matrices = {(layer, head): weights[layer, head] for layer, head in places}
        if weights.shape[1] > 1:
            matrices |= {(layer, "mean"): weights[layer].mean(0) for layer in range(len(weights))}
        sure_links += len(sure)
        for (kind, shift), (site, matrix) in itertools.product(ROWS.items(), matrices.items()):
            links = links_of(matrix[shift:shift + len(target)], sources, targets, len(english), len(french))
            entry = found.setdefault((kind, site), [0, 0, 0])
            for k, value in enumerate((len(links), len(links & sure), len(links & possible))):
                entry[k] += value
    return found, sure_links


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", help="an exported translation model with attention")
    parser.add_argument("--links", required=True, help="alibi-fr-en.tsv")
    parser.add_argument("--every", type=int, default=1, help="measure on every Nth sentence only")
    options = parser.parse_args()
    model, processor = load(options.folder)
    found, sure = counts(model, processor, read_links(options.links)[::options.every])
    rows = sorted(({"layer": site[0], "head": site[1], "rows": kind, "aer": round(1 - (s + p) / (links + sure), 4)}
                   for (kind, site), (links, s, p) in found.items()), key=lambda row: row["aer"])
    heads, means = ([row for row in rows if (row["head"] == "mean") == wanted] for wanted in (False, True))
    best = {"best": heads[0]} | ({"best_layer_mean": means[0]} if means else {})
    best["sites"] = rows
    for row in rows[:12]:
        print(f"layer {row['layer']} head {row['head']} {row['rows']}: AER {100 * row['aer']:.1f}")
    scores = read_scores(options.folder)
    scores["aer"] = best
    write_json(os.path.join(options.folder, "scores.json"), scores)


if __name__ == "__main__":
    main()
