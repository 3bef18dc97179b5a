# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sentence pairs as files and as ids, and batches of similar length."""
import lzma
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
