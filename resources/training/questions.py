# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The classifiers' task: which English sentences are questions once their final mark is gone; for the hierarchical
network, whether one of several sentences is a question. In training most sentences end with a mark drawn by chance,
whatever they are, so that the models learn to do without it."""
import os
import random
import re

import torch
from torch.nn import functional as F

from classifier import Classifier, redundancy
from data import EOS, pad, read_pairs, vocabulary

LABELS = ["statement", "question"]
PENALTY = 0.03  # weight of the redundancy of hops


def sentences(data, part):
    """([statement], [question]), each once, final mark removed; lines of several sentences or with quotes left out."""
    found = ([], [])
    for sentence in dict.fromkeys(english for english, _ in read_pairs(os.path.join(data, part + ".tsv.xz"))):
        if re.fullmatch(r'[^.?!"]+[.?]', sentence):
            found[sentence[-1] == "?"].append(sentence[:-1].rstrip())
    return found


def single(pool, chance):
    """[([sentence], label, 0)]: all questions and twice as many statements, in mixed order."""
    statements, questions = pool
    some = chance.sample(statements, min(2 * len(questions), len(statements)))
    found = [([s], 0, 0) for s in some] + [([q], 1, 0) for q in questions]
    chance.shuffle(found)
    return found


def documents(pool, chance):
    """[([sentence], label, place of the question or -1)]: three to seven sentences; half have one question."""
    statements, questions = pool
    found = []
    for question in questions:
        for label in (0, 1):
            some = chance.sample(statements, chance.randint(3, 7))
            place = chance.randrange(len(some)) if label else -1
            if label:
                some[place] = question
            found.append((some, label, place))
    chance.shuffle(found)
    return found


def examples(data, part, style, seed=1):
    return (documents if style == "hierarchical" else single)(sentences(data, part), random.Random(seed))


class Questions:
    unit = "examples"

    def __init__(self, options, style, hops=1):
        self.device, self.rows, self.style = options.device, options.tokens // 16, style
        self.make = documents if style == "hierarchical" else single
        self.tokenizer = vocabulary(options.work)
        self.pool = sentences(options.data, "train")
        self.held = examples(options.data, "validation", style)
        self.size = f"{len(self.pool[1])} questions, {len(self.pool[0])} statements"
        self.model = Classifier(self.tokenizer.get_piece_size(), style, len(LABELS), hops=hops).to(self.device)

    def plan(self, epoch):
        chance = random.Random(epoch)
        marks = ["", "", ".", ".", "?", "!"]
        found = [([self.tokenizer.encode(s + chance.choice(marks)) + [EOS] for s in texts], label)
                 for texts, label, _ in self.make(self.pool, chance)]
        found.sort(key=lambda example: (max(map(len, example[0])), chance.random()))
        rows = self.rows // 5 if self.style == "hierarchical" else self.rows
        groups = [found[first:first + rows] for first in range(0, len(found), rows)]
        chance.shuffle(groups)
        return groups

    def loss(self, batch):
        ids, counts, labels = (x.to(self.device) for x in arranged(batch))
        logits, weights, _ = self.model(ids, counts)
        exact = F.cross_entropy(logits.float(), labels)
        loss = exact + PENALTY * redundancy(weights) if self.style == "structured" else exact
        return loss, exact, len(batch)

    def validate(self, model):
        scores = measured(model, self.tokenizer, self.held, self.device)
        return " ".join(f"{name} {value}" for name, value in scores.items()), scores


def arranged(batch):
    """Ids [sentences, n], number of sentences of each example, labels."""
    ids = pad([ids for sentences_, _ in batch for ids in sentences_])
    return ids, torch.tensor([len(s) for s, _ in batch]), torch.tensor([label for _, label in batch])


@torch.no_grad()
def measured(model, processor, held, device="cpu"):
    """Accuracy, and precision and recall of questions; of the hierarchical network also how often the question has the
    largest sentence weight, and its mean weight."""
    right = said = found = questions = hits = places = 0
    share = 0.0
    for first in range(0, len(held), 100):
        some = held[first:first + 100]
        encoded = [([processor.encode(sentence) + [EOS] for sentence in texts], label) for texts, label, _ in some]
        ids, counts, labels = (x.to(device) for x in arranged(encoded))
        logits, _, weights = model(ids, counts)
        guess = logits.argmax(1)
        right += int((guess == labels).sum())
        said += int(guess.sum())
        questions += int(labels.sum())
        found += int((guess * labels).sum())
        if weights is not None:
            for row, (_, label, place) in zip(weights, some):
                if label:
                    places += 1
                    hits += int(row.argmax()) == place
                    share += float(row[place])
    scores = {"accuracy": round(right / len(held), 4), "precision": round(found / max(said, 1), 4),
              "recall": round(found / questions, 4), "examples": len(held), "questions": questions}
    if places:
        scores |= {"question_has_largest_weight": round(hits / places, 4), "question_weight": round(share / places, 4)}
    return scores
