# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sentence pairs, the joint subword vocabulary, and batches of similar length."""
import lzma
import os
import random

import sentencepiece
import torch

PAD, UNK, BOS, EOS = 0, 1, 2, 3  # ids of the SentencePiece model


def read_pairs(path):
    """[(English, French)] of a .tsv or .tsv.xz file."""
    opener = lzma.open if path.endswith(".xz") else open
    with opener(path, "rt", encoding="utf-8") as lines:
        return [tuple(line.rstrip("\n").split("\t")[:2]) for line in lines if "\t" in line]


def vocabulary(data, work, size):
    """The joint SentencePiece model, trained once into the work folder."""
    path = os.path.join(work, "tokenizer.model")
    if not os.path.exists(path):
        text = os.path.join(work, "text.txt")
        with open(text, "w", encoding="utf-8") as out:
            for english, french in read_pairs(os.path.join(data, "train.tsv.xz")):
                out.write(english + "\n" + french + "\n")
        sentencepiece.SentencePieceTrainer.train(
            input=text, model_prefix=os.path.join(work, "tokenizer"), vocab_size=size, model_type="bpe",
            character_coverage=1.0, pad_id=PAD, unk_id=UNK, bos_id=BOS, eos_id=EOS, minloglevel=1)
        os.remove(text)
    return sentencepiece.SentencePieceProcessor(model_file=path)


def encode(processor, pairs, longest=60):
    """Ids of both sides with the end token; pairs with a side over `longest` are left out."""
    source = processor.encode([pair[0] for pair in pairs])
    target = processor.encode([pair[1] for pair in pairs])
    return [(s + [EOS], t + [EOS]) for s, t in zip(source, target) if max(len(s), len(t)) < longest]


def pad(rows):
    width = max(map(len, rows))
    return torch.tensor([row + [PAD] * (width - len(row)) for row in rows])


def batches(examples, tokens, seed):
    """Shuffled batches of about `tokens` target tokens, each of similar lengths."""
    chance = random.Random(seed)
    order = sorted(range(len(examples)),
                   key=lambda i: (len(examples[i][1]), len(examples[i][0]), chance.random()))
    groups, group, widest = [], [], 0
    for i in order:
        wide = max(widest, len(examples[i][1]), len(examples[i][0]))
        if group and wide * (len(group) + 1) > tokens:
            groups.append(group)
            group, wide = [], max(len(examples[i][1]), len(examples[i][0]))
        group.append(i)
        widest = wide
    groups.append(group)
    chance.shuffle(groups)
    return groups
