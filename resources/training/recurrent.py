# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""An RNN encoder-decoder with additive attention (Bahdanau et al. 2015) or none (Cho et al. 2014)."""
import math

import torch
from torch import nn
from torch.nn import functional as F

from data import PAD
from ops import Repeated, by_step, dropout, gru, plain_float32, recur


class Recurrent(nn.Module):
    kind = "recurrent"
    by_step = True  # all positions of features() are steps behind each other

    def __init__(self, vocabulary, attention=True, embedding=256, hidden=256, decoder=512, size=256, dropout=0.2):
        super().__init__()
        self.settings = dict(vocabulary=vocabulary, attention=attention, embedding=embedding, hidden=hidden,
                             decoder=decoder, size=size, dropout=dropout)
        self.attends, self.dropout = attention, dropout
        annotation = 2 * hidden
        self.source = nn.Embedding(vocabulary, embedding)
        self.target = nn.Embedding(vocabulary, embedding)
        self.encoder = nn.GRU(embedding, hidden, batch_first=True, bidirectional=True)
        self.initial = nn.Linear(hidden if attention else annotation, decoder)
        self.cell = nn.GRUCell(embedding + annotation, decoder)
        if attention:
            self.query = nn.Linear(decoder, size, bias=False)
            self.key = nn.Linear(annotation, size)
            self.v = nn.Linear(size, 1, bias=False)
        self.output_hidden = nn.Linear(decoder + annotation + embedding, embedding)
        self.bias = nn.Parameter(torch.zeros(vocabulary))
        for table in (self.source, self.target):
            nn.init.normal_(table.weight, std=0.06)
        for matrix in (self.encoder.weight_hh_l0, self.encoder.weight_hh_l0_reverse, self.cell.weight_hh):
            for gate in matrix.data.chunk(3):
                nn.init.orthogonal_(gate)

    def drop(self, x):
        return dropout(x, self.dropout, self.training)

    def encode(self, source, lengths=None):
        """Annotations [batch, source, 2 hidden], keys doubled, mask (-inf at padding), z for the initial state.
        lengths: of the source's rows, where they are known."""
        lengths = (source != PAD).sum(1) if lengths is None else lengths
        annotations, last = recur(self.encoder, self.drop(self.source(source)), lengths)
        z = last[1] if self.attends else torch.cat([last[0], last[1]], 1)
        mask = torch.zeros(source.shape, device=source.device).masked_fill(source == PAD, -math.inf)
        annotations = self.drop(annotations)
        keys = 2 * self.key(annotations) if self.attends else annotations
        return annotations.to(keys.dtype), keys, mask, z

    def begin(self, source, lengths=None):
        encoded = self.encode(source, lengths)
        return encoded, torch.tanh(self.initial(encoded[3]))

    def context(self, encoded, query, mixed):
        """mixed: the products with the annotations. tanh(x) is 2 sigmoid(2 x) - 1, which takes a CPU half the time; the
        softmax forgets the constant."""
        moved = torch.sigmoid((2 * query).to(encoded[1].dtype).unsqueeze(1) + encoded[1])
        scores = F.linear(moved, self.v.weight.to(moved.dtype)).squeeze(2).float() * 2 + encoded[2]
        weights = scores.softmax(1)
        return mixed(weights.unsqueeze(1)).squeeze(1), weights

    def projection(self):
        """Table and bias of the last product."""
        return self.target.weight, self.bias

    def output(self, parts):
        """What the last product gets, of states, contexts and embeddings."""
        return self.drop(torch.tanh(self.output_hidden(torch.cat(parts, 1))))

    def states(self, source, inputs, lengths=None, weights=None):
        """(decoder states, contexts, embeddings), each [n, batch, width]; in `weights`, a list or None, the attention
        of every step is left."""
        encoded, state = self.begin(source, lengths)
        embedded = self.drop(self.target(inputs.t()))
        with plain_float32(embedded):
            return *self.loop(encoded, state.to(embedded.dtype), embedded, weights), embedded

    def loop(self, encoded, state, embedded, weights):
        """(decoder states, contexts) of states()."""
        width = embedded.shape[2]
        # The cell's input product in two parts: that of the embeddings for all steps at once, that of the contexts.
        of_embedding, of_context = self.cell.weight_ih.split([width, self.cell.input_size - width], 1)
        inward = F.linear(embedded, of_embedding, self.cell.bias_ih).unbind()
        of_context, of_state = Repeated(of_context.t()), Repeated(self.cell.weight_hh.t(), self.cell.bias_hh)
        context, found = encoded[3], None
        if self.attends:
            query, mixed = Repeated(self.query.weight.t()), Repeated(encoded[0])
        else:
            from_context = of_context(context)
        states, contexts = [], []
        for part in inward:
            if self.attends:
                context, found = self.context(encoded, query(state), mixed)
                from_context = of_context(context)
            state = gru(part + from_context, of_state(state), state)
            states.append(state)
            contexts.append(context)
            if weights is not None:
                weights.append(found)
        return torch.stack(states), torch.stack(contexts)

    def features(self, source, inputs, keep, lengths=None):
        """What the last product gets, [kept positions, embedding]; keep: indexes of the positions, rows behind each
        other, or None for all, steps behind each other."""
        parts = [part.flatten(0, 1) for part in self.states(source, inputs, lengths)]
        if keep is not None:
            keep = by_step(keep, *inputs.shape)
            parts = [part.index_select(0, keep) for part in parts]
        return self.output([part.to(parts[1].dtype) for part in parts])

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
        self.weights = None
        embedded = self.target(prefixes[:, -1])
        context = encoded[3]
        if self.attends:
            context, self.weights = self.context(encoded, self.query(state), Repeated(encoded[0]))
        state = self.cell(torch.cat([embedded, context], 1), state)
        return F.linear(self.output([state, context, embedded]), *self.projection()).float(), state

    @staticmethod
    def select_encoded(encoded, rows):
        return tuple(part[rows] for part in encoded)

    @staticmethod
    def select_state(state, rows):
        return state[rows]
