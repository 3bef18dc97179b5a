# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sentence classifiers with self-attention from before the Transformer: attention pooling over a BiLSTM, structured
self-attention (Lin et al. 2017) and the hierarchical attention network (Yang et al. 2016)."""
import math

import torch
from torch import nn

from data import PAD
from ops import dropout, recur


class Reader(nn.Module):
    """A bidirectional recurrent layer over padded rows."""

    def __init__(self, cell, inward, hidden):
        super().__init__()
        self.rnn = (nn.LSTM if cell == "lstm" else nn.GRU)(inward, hidden, batch_first=True, bidirectional=True)

    def forward(self, x, lengths):
        return recur(self.rnn, x, lengths.cpu())[0]


class Pool(nn.Module):
    """Weights [batch, hops, n] = softmax over n of v tanh(W h + b), and the weighted sums [batch, hops, width]."""

    def __init__(self, width, size, hops=1, bias=True):
        super().__init__()
        self.key = nn.Linear(width, size, bias=bias)
        self.v = nn.Linear(size, hops, bias=False)

    def forward(self, annotations, present):
        scores = self.v(torch.tanh(self.key(annotations))).float().transpose(1, 2)
        weights = scores.masked_fill(~present[:, None], -math.inf).softmax(2)
        return weights, weights.to(annotations.dtype) @ annotations


class Classifier(nn.Module):
    kind = "classifier"

    def __init__(self, vocabulary, style="pooling", labels=2, embedding=128, hidden=128, size=128, hops=1, dropout=0.3):
        """style: pooling, structured or hierarchical; hops: rows of attention in the structured style."""
        super().__init__()
        self.settings = dict(vocabulary=vocabulary, style=style, labels=labels, embedding=embedding, hidden=hidden,
                             size=size, hops=hops, dropout=dropout)
        self.style, self.dropout = style, dropout
        cell = "gru" if style == "hierarchical" else "lstm"
        self.embedding = nn.Embedding(vocabulary, embedding)
        nn.init.normal_(self.embedding.weight, std=0.1)
        self.word_reader = Reader(cell, embedding, hidden)
        self.word_pool = Pool(2 * hidden, size, hops, bias=style != "structured")
        if style == "hierarchical":
            self.sentence_reader = Reader(cell, 2 * hidden, hidden)
            self.sentence_pool = Pool(2 * hidden, size)
        self.output = nn.Linear(2 * hidden * hops, labels)

    def drop(self, x):
        return dropout(x, self.dropout, self.training)

    def sentences(self, ids):
        """Weights [sentences, hops, n] and sentence vectors [sentences, hops * width]."""
        present = ids != PAD
        annotations = self.word_reader(self.drop(self.embedding(ids)), present.sum(1))
        weights, vectors = self.word_pool(annotations, present)
        return weights, vectors.flatten(1)

    def forward(self, ids, counts=None):
        """(logits, word weights, sentence weights or None). ids: [sentences, n]; counts: sentences of each document,
        in the hierarchical style."""
        words, vectors = self.sentences(ids)
        if self.style != "hierarchical":
            return self.output(self.drop(vectors)), words, None
        documents = nn.utils.rnn.pad_sequence(self.drop(vectors).split(counts.tolist()), True)
        present = torch.arange(documents.shape[1], device=ids.device)[None] < counts[:, None]
        weights, found = self.sentence_pool(self.sentence_reader(documents, counts), present)
        return self.output(self.drop(found[:, 0])), words, weights[:, 0]


def redundancy(weights):
    """Lin et al.'s penalty |A A' - I|^2, which keeps hops from looking at the same places; mean over sentences."""
    gram = weights @ weights.transpose(1, 2) - torch.eye(weights.shape[1], device=weights.device)
    return gram.square().sum((1, 2)).mean()
