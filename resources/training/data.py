# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sentence pairs as files and as ids, and batches of similar length."""
import lzma
import math
import os

import numpy
import sentencepiece
import torch

PAD, UNK, BOS, EOS = 0, 1, 2, 3  # ids of the SentencePiece model
CORPORA = ("tatoeba", "europarl")


def read_pairs(path):
    """[(English, French)] of a .tsv or .tsv.xz file."""
    opener = lzma.open if path.endswith(".xz") else open
    with opener(path, "rt", encoding="utf-8") as lines:
        return [tuple(line.rstrip("\n").split("\t")[:2]) for line in lines if "\t" in line]


def vocabulary(work):
    """The joint SentencePiece model that pairs.py has made."""
    return sentencepiece.SentencePieceProcessor(model_file=os.path.join(work, "tokenizer.model"))


def encode(processor, pairs, longest=80):
    """Ids of both sides with the end token; pairs with a side over `longest` are left out."""
    source = processor.encode([pair[0] for pair in pairs])
    target = processor.encode([pair[1] for pair in pairs])
    return [(s + [EOS], t + [EOS]) for s, t in zip(source, target) if max(len(s), len(t)) < longest]


def pad(rows):
    width = max(map(len, rows))
    found = numpy.full((len(rows), width), PAD, numpy.int64)
    for i, row in enumerate(rows):
        found[i, :len(row)] = row
    return torch.from_numpy(found)


class Pairs:
    """The training pairs of pairs.npz."""

    def __init__(self, work):
        with numpy.load(os.path.join(work, "pairs.npz")) as file:
            self.ids = [file["source"], file["target"]]
            self.lengths = [file["source_lengths"].astype(numpy.int64), file["target_lengths"].astype(numpy.int64)]
            self.corpus = file["corpus"]
        self.starts = [numpy.concatenate([[0], lengths.cumsum()]) for lengths in self.lengths]

    def __len__(self):
        return len(self.corpus)

    def batch(self, rows):
        """Padded ids of both sides."""
        found = []
        for ids, starts, lengths in zip(self.ids, self.starts, self.lengths):
            place, length = numpy.arange(lengths[rows].max()), lengths[rows][:, None]
            at = numpy.minimum(starts[rows][:, None] + place, len(ids) - 1)
            found.append(torch.from_numpy(numpy.where(place < length, ids[at], PAD).astype(numpy.int64)))
        return tuple(found)

    def plan(self, tokens, seed, repeats):
        """Shuffled batches of about `tokens` target tokens, padding counted, each of similar lengths. repeats: how
        often each corpus is gone through."""
        chance = numpy.random.default_rng(seed)
        rows = numpy.concatenate([numpy.repeat(numpy.flatnonzero(self.corpus == number), times)
                                  for number, times in enumerate(repeats)])
        source, target = (lengths[rows] for lengths in self.lengths)
        rows = rows[numpy.lexsort((chance.random(len(rows)), source, target))]
        wide = numpy.maximum(self.lengths[0][rows], self.lengths[1][rows])
        groups, first, widest = [], 0, 0
        for i, width in enumerate(wide.tolist()):
            if max(widest, width) * (i - first + 1) > tokens and i > first:
                groups.append(rows[first:i])
                first, widest = i, 0
            widest = max(widest, width)
        groups.append(rows[first:])
        return [groups[i] for i in chance.permutation(len(groups))]


class Shaped:
    """The training pairs on a device and their batches of a few fixed shapes, for captured graphs. A shape is the width
    of the source and of the target; a pair belongs to the first that it fits. A batch has `tokens` target tokens,
    padding counted; where pairs are missing it is filled with one that has no target."""
    TARGETS = (8, 10, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 54, 60, 68, 80)

    def __init__(self, pairs, device, tokens):
        widths = [(math.ceil(0.85 * target / 4) * 4, target) for target in self.TARGETS[:-1]] + [(80, 80)]
        source, target = pairs.lengths
        self.shape = numpy.full(len(pairs), len(widths) - 1)
        for number in reversed(range(len(widths))):
            self.shape[(source <= widths[number][0]) & (target <= widths[number][1])] = number
        self.shapes = [(width, max(tokens // max(width) // 8 * 8, 8)) for width in widths]
        self.filler, self.counts, self.corpus = len(pairs), numpy.append(target, 0), pairs.corpus
        place = lambda x: torch.from_numpy(numpy.asarray(x).astype(numpy.int64)).to(device)
        self.lengths = [place(numpy.append(source, 1)), place(self.counts)]
        self.starts = [place(starts) for starts in pairs.starts]
        self.ids = [place(numpy.append(ids, EOS)) for ids in pairs.ids]

    def plan(self, seed, repeats):
        """[(number of the shape, rows, target tokens)] of a pass, shuffled."""
        chance = numpy.random.default_rng(seed)
        rows = numpy.concatenate([numpy.repeat(numpy.flatnonzero(self.corpus == number), times)
                                  for number, times in enumerate(repeats)])
        groups = []
        for number, (_, size) in enumerate(self.shapes):
            some = chance.permutation(rows[self.shape[rows] == number])
            some = numpy.append(some, numpy.full(-len(some) % size, self.filler))
            groups += [(number, group, int(self.counts[group].sum())) for group in some.reshape(-1, size)]
        return [groups[i] for i in chance.permutation(len(groups))]

    def batch(self, rows, number):
        """Padded ids of both sides and the sources' lengths."""
        found = []
        for ids, starts, lengths, width in zip(self.ids, self.starts, self.lengths, self.shapes[number][0]):
            place = torch.arange(width, device=rows.device)
            at = (starts[rows].unsqueeze(1) + place).clamp(max=len(ids) - 1)
            found.append(ids[at].masked_fill(place >= lengths[rows].unsqueeze(1), PAD))
        return *found, self.lengths[0][rows]
