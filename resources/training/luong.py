# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""An LSTM encoder-decoder with Luong et al.'s (2015) general score and input feeding; global, or local with a predicted
position (local-p)."""
import math

import torch
from torch import nn
from torch.nn import functional as F

from data import PAD
from ops import Repeated, by_step, dropout, lstm, plain_float32, recur


class Luong(nn.Module):
    kind = "luong"
    attends = True
    by_step = True  # all positions of features() are steps behind each other

    def __init__(self, vocabulary, window=0, embedding=256, hidden=240, size=256, dropout=0.2):
        """window: 0 for global attention; size: of the layer that predicts the position."""
        super().__init__()
        self.settings = dict(vocabulary=vocabulary, window=window, embedding=embedding, hidden=hidden, size=size,
                             dropout=dropout)
        self.dropout, self.window = dropout, window
        wide = 2 * hidden  # of an annotation and of the decoder's state, which starts as the encoder's last
        self.source = nn.Embedding(vocabulary, embedding)
        self.target = nn.Embedding(vocabulary, embedding)
        self.encoder = nn.LSTM(embedding, hidden, batch_first=True, bidirectional=True)
        self.cell = nn.LSTMCell(2 * embedding, wide)
        self.general = nn.Linear(wide, wide, bias=False)
        if window:
            self.position = nn.Linear(wide, size, bias=False)
            self.position_v = nn.Linear(size, 1, bias=False)
        self.output_hidden = nn.Linear(2 * wide, embedding)
        self.bias = nn.Parameter(torch.zeros(vocabulary))
        for table in (self.source, self.target):
            nn.init.normal_(table.weight, std=0.06)
        for matrix in (self.encoder.weight_hh_l0, self.encoder.weight_hh_l0_reverse, self.cell.weight_hh):
            for gate in matrix.data.chunk(4):
                nn.init.orthogonal_(gate)

    def drop(self, x):
        return dropout(x, self.dropout, self.training)

    def begin(self, source, lengths=None):
        """((annotations, keys, mask), (hidden, cell, fed features)); the mask is -inf at padding."""
        lengths = (source != PAD).sum(1) if lengths is None else lengths
        annotations, last = recur(self.encoder, self.drop(self.source(source)), lengths)
        annotations = self.drop(annotations)
        mask = torch.zeros(source.shape, device=source.device).masked_fill(source == PAD, -math.inf)
        hidden, cell = (torch.cat([part[0], part[1]], 1) for part in last)
        fed = torch.zeros(len(source), self.target.embedding_dim, device=source.device)
        keys = self.general(annotations)
        return (annotations.to(keys.dtype), keys, mask), (hidden, cell, fed)

    def attention(self, query, scored, mixed, mask):
        """scored, mixed: the products with the keys and the annotations."""
        scores = scored(query.unsqueeze(1)).squeeze(1).float()
        if self.window:
            last = (mask == 0).sum(1, keepdim=True) - 1
            centre = last * torch.sigmoid(self.position_v(torch.tanh(self.position(query))).float())
            places = torch.arange(mask.shape[1], device=mask.device)
            far = (places - centre.round()).abs() > self.window
            weights = (scores + mask).masked_fill(far, -math.inf).softmax(1)
            weights = weights * torch.exp(-2 * ((places - centre) / self.window) ** 2)
        else:
            weights = (scores + mask).softmax(1)
        return mixed(weights.unsqueeze(1)).squeeze(1), weights

    def steps(self, encoded, embedded):
        """What every step shares: the input product of the embeddings with both biases, and the products with the
        matrix of the fed features and the state, the keys, the annotations and the matrix of the output."""
        width = self.target.embedding_dim
        inward = F.linear(embedded, self.cell.weight_ih[:, :width], self.cell.bias_ih + self.cell.bias_hh)
        matrix = torch.cat([self.cell.weight_ih[:, width:], self.cell.weight_hh], 1)
        return inward, (Repeated(matrix.t()), Repeated(encoded[1].transpose(1, 2)), Repeated(encoded[0]),
                        Repeated(self.output_hidden.weight.t(), self.output_hidden.bias))

    def advance(self, inward, shared, mask, hidden, cell, fed):
        """(hidden, cell, attentional features), and the attention."""
        recurrent, scored, mixed, output = shared
        hidden, cell = lstm(inward, recurrent(torch.cat([fed.to(hidden.dtype), hidden], 1)), cell)
        context, attention = self.attention(hidden, scored, mixed, mask)
        features = torch.tanh(output(torch.cat([context, hidden.to(context.dtype)], 1)))
        return (hidden, cell, self.drop(features)), attention

    def projection(self):
        """Table and bias of the last product."""
        return self.target.weight, self.bias

    def states(self, source, inputs, lengths=None, weights=None):
        """Attentional features [n, batch, embedding]; in `weights`, a list or None, the attention of every step is
        left."""
        encoded, state = self.begin(source, lengths)
        embedded, found = self.drop(self.target(inputs.t())), []
        with plain_float32(embedded):
            inward, shared = self.steps(encoded, embedded)
            for part in inward.unbind():
                state, attention = self.advance(part, shared, encoded[2], *state)
                found.append(state[2])
                if weights is not None:
                    weights.append(attention)
        return torch.stack(found)

    def features(self, source, inputs, keep, lengths=None):
        """What the last product gets, [kept positions, embedding]; keep: indexes of the positions, rows behind each
        other, or None for all, steps behind each other."""
        states = self.states(source, inputs, lengths).flatten(0, 1)
        return states if keep is None else states.index_select(0, by_step(keep, *inputs.shape))

    def forward(self, *arguments):
        """Logits [kept positions, vocabulary], of the arguments of features()."""
        return F.linear(self.features(*arguments), *self.projection())

    def alignments(self, source, inputs):
        """Attention [1, 1, n, source] of one pair: row i is that of the step that predicts the token behind
        inputs[i]."""
        weights = []
        self.states(source, inputs, weights=weights)
        return torch.stack(weights, 1)[None]

    def next_logits(self, encoded, state, prefixes):
        inward, shared = self.steps(encoded, self.target(prefixes[:, -1]))
        state, self.weights = self.advance(inward, shared, encoded[2], *state)
        return F.linear(state[2], *self.projection()).float(), state

    @staticmethod
    def select_encoded(encoded, rows):
        return tuple(part[rows] for part in encoded)

    @staticmethod
    def select_state(state, rows):
        return tuple(part[rows] for part in state)
