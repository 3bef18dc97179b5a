# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which heads of an exported language model have a clear job, measured on the held-out test text. For every job and
head: share, the mean attention that goes where the job says, and hits, how often the largest weight is there. Both are
means over the positions the job applies to; chance is the share of attention spread evenly. Adds the best heads of
every job to scores.json, of which card.py makes a table."""
import argparse
import os

import torch

import text
from export import load, read_scores, write_json
from tasks import encoded_sentences, padded, rows

PRONOUNS = set("i you he she it we they".split())
VERBS = set("""am is are was were has have had do does did will would can could shall should must may might knows know
knew goes go went comes come came says say said thinks think thought takes take took makes make made sees see saw gets
get got gives give gave wants want wanted likes like liked loves love loved lives live lived works work worked looks
look looked felt feel feels found finds find told tell tells left leave leaves left spoke speak speaks began""".split())
JOBS = {"previous": "the token before", "next": "the token after", "itself": "itself",
        "first": "the first token", "separator": "[SEP]", "sentence end": "a sentence's end (. ? !)",
        "same word": "the same word elsewhere", "successor": "what followed the same word before (induction)",
        "subject": "a verb's subject pronoun, two to five tokens before it"}


def words_of(tokens):
    """Lower-cased tokens without the marks of a word's start or inside; insides of words become empty."""
    found = []
    for i, token in enumerate(tokens):
        inside = token.startswith("##")
        cut = i + 1 < len(tokens) and tokens[i + 1].startswith("##")
        found.append("" if inside or cut else token.removeprefix("Ġ").lower())
    return found


def targets(tokens, causal):
    """{job: bool [n, n]}: where row i should look by that job; rows without a place are not counted. Columns and rows
    of special tokens count only for the jobs about them."""
    n, words = len(tokens), words_of(tokens)
    special = torch.tensor([token[0] in "[<" and len(token) > 2 for token in tokens])
    ordinary = ~special
    both = ordinary[:, None] & ordinary[None]
    visible = torch.ones(n, n, dtype=torch.bool).tril() if causal else torch.ones(n, n, dtype=torch.bool)
    i, j = torch.arange(n)[:, None], torch.arange(n)[None]
    real = torch.tensor([len(word) > 1 and word.isalpha() for word in words])
    same = torch.tensor([[a == b for b in words] for a in words]) & real[:, None] & real[None] & (i != j)
    ends = torch.tensor([word in (".", "?", "!") for word in words])[None]
    found = {"previous": both & (i - j == 1), "itself": both & (i == j), "same word": both & same & visible,
             "first": ordinary[:, None] & (j == 0) & (i > 1),
             "sentence end": both & (i != j) & ends & visible}
    if causal:
        after = torch.zeros(n, n, dtype=torch.bool)
        after[:, 1:] = (same & (i > j))[:, :-1]
        found["successor"] = both & after & (j <= i)
    else:
        found["next"] = both & (j - i == 1)
        found["separator"] = ordinary[:, None] & torch.tensor([token == "[SEP]" for token in tokens])[None]
    subject = torch.zeros(n, n, dtype=torch.bool)
    for row in range(n):
        if words[row] in VERBS:
            between = words[max(row - 5, 0):row]
            near = [row - 1 - k for k, word in enumerate(reversed(between)) if word in PRONOUNS]
            clear = near and not any(w in VERBS or not w.isalpha() for w in words[near[0] + 1:row])
            if clear and row - near[0] >= 2:
                subject[row, near[0]] = True
    found["subject"] = subject & both
    return found, visible


@torch.no_grad()
def measure(model, tokenizer, documents):
    """{job: (share [layers, heads], hits [layers, heads], chance, positions)}. documents: texts, or for a BERT lists of
    sentences."""
    causal = model.kind == "gpt2"
    if causal:
        found = [tokenizer.encode(line)[:128] for line in documents]
    else:
        found = rows(encoded_sentences(tokenizer, documents), tokenizer, model.settings["positions"], 1)
    totals = {}
    for row in found:
        keep = []
        if causal:
            ids = row[:model.settings["positions"]]
            model.states(torch.tensor([ids]), keep)
        else:
            ids = row[0].tolist()
            model.states(*padded([row], tokenizer.pad), keep)
        weights = torch.cat(keep)  # [layers, heads, n, n]
        largest = weights.argmax(3)
        wanted, visible = targets([tokenizer.tokens[i] for i in ids], causal)
        for job, places in wanted.items():
            counted = places.any(1)
            if not counted.any():
                continue
            chosen = places[counted]
            share = (weights[:, :, counted] * chosen).sum((2, 3))
            hit = chosen[None, None].expand(*weights.shape[:2], -1, -1).gather(
                3, largest[:, :, counted].unsqueeze(3)).float().sum((2, 3))
            even = (chosen.sum(1) / visible[counted].sum(1)).sum()
            old = totals.get(job, (0, 0, 0, 0))
            totals[job] = tuple(a + b for a, b in zip(old, (share, hit, float(even), len(chosen))))
    return {job: (share / n, hit / n, even / n, n) for job, (share, hit, even, n) in totals.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", help="an exported model")
    parser.add_argument("--work", default="build/training", help="folder with test.txt.xz")
    parser.add_argument("--every", type=int, default=1, help="measure on every Nth document only")
    parser.add_argument("--best", type=int, default=3, help="heads a job")
    options = parser.parse_args()
    model, tokenizer = load(options.folder)
    documents = (text.prose if model.kind == "gpt2" else text.read)(options.work, "test")[::options.every]
    measured = measure(model, tokenizer, [document for _, document in documents])
    scores = read_scores(options.folder)
    scores["heads"] = []
    for job, (share, hits, chance, n) in measured.items():
        order = share.flatten().argsort(descending=True)[:options.best].tolist()
        for place in order:
            layer, head = divmod(place, share.shape[1])
            values = [round(float(x), 3) for x in (share[layer, head], hits[layer, head], chance)]
            scores["heads"].append({"job": job, "looks_at": JOBS[job], "layer": layer, "head": head,
                                    "share": values[0], "hits": values[1], "chance": values[2], "positions": n})
    write_json(os.path.join(options.folder, "scores.json"), scores)


if __name__ == "__main__":
    main()
