# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How well an exported language model predicts the held-out test text, and what it makes of its card's examples; writes
scores.json into its directory."""
import argparse
import json
import math
import os
import re

import torch

import text
from export import load, read_scores, write_json
from tasks import encoded_sentences, extend, masked_scores, next_losses, padded, rows

MASKINGS = 3  # different ones of the same text


def sources(documents):
    """All, then each that there is."""
    return ["all", *(source for source in text.SOURCES if any(source == origin for origin, _ in documents))]


def causal_scores(model, tokenizer, documents):
    """Every document by itself; its first token is not predicted, so its first word does not count. documents:
    [(source, text)]"""
    found = {}
    for source in sources(documents):
        loss = tokens = words = size = 0
        for origin, line in documents:
            if source in ("all", origin):
                ids = tokenizer.encode(line)
                loss += sum(next_losses(model, ids))
                tokens, words = tokens + len(ids) - 1, words + len(line.split()) - 1
                size += len(line.encode()) - len(tokenizer.decode(ids[:1]).encode())
        found[source] = {"tokens": tokens, "perplexity": round(math.exp(loss / tokens), 2),
                         "perplexity_by_word": round(math.exp(loss / words), 1),
                         "bits_by_byte": round(loss / size / math.log(2), 3)}
    return found


@torch.no_grad()
def pseudo_perplexity(model, tokenizer, sentences):
    """Each token of each sentence hidden by itself (Salazar et al. 2020)."""
    total = count = 0
    for sentence in sentences:
        ids = [tokenizer.cls] + tokenizer.encode(sentence) + [tokenizer.sep]
        row, types, present = padded([(ids, len(ids))] * (len(ids) - 2), tokenizer.pad)
        places = torch.arange(1, len(ids) - 1)
        chosen = torch.zeros(row.shape, dtype=torch.bool)
        chosen[torch.arange(len(places)), places] = True
        flat = chosen.flatten().nonzero().squeeze(1)
        logs = model(row.masked_fill(chosen, tokenizer.mask), types, present, flat).log_softmax(1)
        total -= float(logs.gather(1, row[chosen].unsqueeze(1)).sum())
        count += len(places)
    return math.exp(total / count)


def bert_scores(model, tokenizer, documents):
    torch.manual_seed(1)
    found = {}
    for source in sources(documents):
        encoded = encoded_sentences(tokenizer, [sentences for origin, sentences in documents
                                                if source in ("all", origin)])
        parts = [masked_scores(model, rows(encoded, tokenizer, model.settings["positions"], seed), tokenizer)
                 for seed in range(MASKINGS)]
        count = sum(part[3] for part in parts)
        loss, right, five = (sum(part[i] * part[3] for part in parts) / count for i in range(3))
        found[source] = {"masked_tokens": count, "perplexity": round(math.exp(loss), 2), "right": round(right, 4),
                         "top_5": round(five, 4)}
    some = [sentences[0] for origin, sentences in documents if origin == "tatoeba"]
    found["tatoeba"]["pseudo_perplexity"] = round(pseudo_perplexity(model, tokenizer, some), 2)
    return found


def examples_of(folder):
    """The texts of the card's widget; none where there is no card."""
    path = os.path.join(folder, "README.md")
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        return re.findall(r'^- text: "(.*)"$', file.read(), re.MULTILINE)


def continued(model, tokenizer, prompt):
    """By the likeliest token, up to forty times."""
    ids = tokenizer.encode(prompt)
    found = extend(model, ids, 40)[len(ids):]
    ended = found.index(tokenizer.end) if tokenizer.end in found else len(found)
    return {"prompt": prompt, "continued": tokenizer.decode(found[:ended])}


@torch.no_grad()
def filled(model, tokenizer, sentence):
    """The five likeliest tokens at [MASK], with their probabilities."""
    before, after = (tokenizer.encode(part) for part in sentence.split("[MASK]", 1))
    ids = [tokenizer.cls, *before, tokenizer.mask, *after, tokenizer.sep]
    place = torch.tensor([1 + len(before)])
    likely = model(*padded([(ids, len(ids))], tokenizer.pad), place)[0].softmax(0).topk(5)
    return {"prompt": sentence, "filled": [[tokenizer.tokens[i], round(float(p), 3)]
                                           for p, i in zip(likely.values, likely.indices)]}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", help="an exported model")
    parser.add_argument("--work", default="build/training", help="folder with test.txt.xz")
    parser.add_argument("--every", type=int, default=1, help="measure on every Nth document only")
    options = parser.parse_args()
    model, tokenizer = load(options.folder)
    shown = continued if model.kind == "gpt2" else filled
    examples = [shown(model, tokenizer, prompt) for prompt in examples_of(options.folder)]
    scores = read_scores(options.folder)
    if model.kind == "gpt2":
        scores["test"] = causal_scores(model, tokenizer, text.prose(options.work, "test")[::options.every])
    else:
        scores["test"] = bert_scores(model, tokenizer, text.read(options.work, "test")[::options.every])
    scores["examples"] = examples
    print(json.dumps({name: scores[name] for name in ("test", "examples")}, indent=1))
    write_json(os.path.join(options.folder, "scores.json"), scores)


if __name__ == "__main__":
    main()
