# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The classifiers' task: which English sentences are questions once their final mark is gone; for the hierarchical
network, whether one of several sentences is a question."""
import os
import random
import re

from data import read_pairs

LABELS = ["statement", "question"]


def sentences(data, part):
    """([statement], [question]), each once, final mark removed; lines of several sentences or with quotes left out."""
    found = ([], [])
    for sentence in dict.fromkeys(english for english, _ in read_pairs(os.path.join(data, part + ".tsv.xz"))):
        if re.fullmatch(r'[^.?!"]+[.?]', sentence):
            found[sentence[-1] == "?"].append(sentence[:-1].rstrip())
    return found


def single(data, part, seed=1):
    """[(sentence, label)]: all questions and twice as many statements, in mixed order."""
    statements, questions = sentences(data, part)
    chance = random.Random(seed)
    some = chance.sample(statements, min(2 * len(questions), len(statements)))
    found = [(s, 0) for s in some] + [(q, 1) for q in questions]
    chance.shuffle(found)
    return found


def documents(data, part, seed=1):
    """[([sentence], label, place of the question or -1)]: three to seven sentences; half have one question."""
    statements, questions = sentences(data, part)
    chance = random.Random(seed)
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
