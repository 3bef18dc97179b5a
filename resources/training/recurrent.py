# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""An RNN encoder-decoder with additive attention (Bahdanau et al. 2015) or none (Cho et al. 2014)."""
import math

import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from data import PAD
from ops import dropout, recur


class Recurrent(nn.Module):
    kind = "recurrent"

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
        """Annotations [batch, source, 2 hidden], keys, mask (-inf at padding), and z for the initial state. lengths: of
        the source's rows, on the CPU; saves a wait for the device where they are known."""
        lengths = (source != PAD).sum(1).cpu() if lengths is None else lengths
        packed = pack_padded_sequence(self.drop(self.source(source)), lengths, True, False)
        outputs, last = recur(self.encoder, packed)
        annotations, _ = pad_packed_sequence(outputs, True, total_length=source.shape[1])
        z = last[1] if self.attends else torch.cat([last[0], last[1]], 1)
        mask = torch.zeros(source.shape, device=source.device).masked_fill(source == PAD, -math.inf)
        annotations = self.drop(annotations)
        keys = self.key(annotations) if self.attends else annotations
        return annotations.to(keys.dtype), keys, mask, z

    def begin(self, source, lengths=None):
        encoded = self.encode(source, lengths)
        return encoded, torch.tanh(self.initial(encoded[3]))

    def context(self, encoded, state):
        annotations, keys, mask, z = encoded
        if not self.attends:
            return z, None
        scores = self.v(torch.tanh(self.query(state).unsqueeze(1) + keys)).squeeze(2).float() + mask
        weights = scores.softmax(1)
        return torch.bmm(weights.unsqueeze(1).to(annotations.dtype), annotations).squeeze(1), weights

    def projection(self):
        """Table and bias of the last product."""
        return self.target.weight, self.bias

    def output(self, parts):
        """What the last product gets, of states, contexts and embeddings."""
        return self.drop(torch.tanh(self.output_hidden(torch.cat(parts, 1))))

    def states(self, source, inputs, lengths=None, weights=None):
        """(decoder states, contexts, embeddings), each [batch, n, width]; in `weights`, a list or None, the attention
        of every step is left."""
        encoded, state = self.begin(source, lengths)
        embedded = self.drop(self.target(inputs))
        width = embedded.shape[2]
        # The cell's input product in two parts: that of the embeddings for all steps at once, that of the contexts.
        of_embedding, of_context = self.cell.weight_ih.split([width, self.cell.input_size - width], 1)
        inward = F.linear(embedded, of_embedding, self.cell.bias_ih).unbind(1)
        states, contexts = [], []
        for part in inward:
            if self.attends or not contexts:
                context, found = self.context(encoded, state)
                from_context = F.linear(context, of_context)
            state = self.advance(part + from_context, state)
            states.append(state)
            contexts.append(context)
            if weights is not None:
                weights.append(found)
        return torch.stack(states, 1), torch.stack(contexts, 1), embedded

    def features(self, source, inputs, keep, lengths=None):
        """What the last product gets, [kept positions, embedding]; keep: indexes of the positions, rows behind each
        other."""
        parts = self.states(source, inputs, lengths)
        kind = parts[1].dtype
        return self.output([part.flatten(0, 1).index_select(0, keep).to(kind) for part in parts])

    def forward(self, *arguments):
        """Logits [kept positions, vocabulary], of the arguments of features()."""
        return F.linear(self.features(*arguments), *self.projection())

    def alignments(self, source, inputs):
        """Attention [1, 1, n, source] of one pair: row i is that of the step that predicts the token behind
        inputs[i]."""
        weights = []
        self.states(source, inputs, weights=weights)
        return torch.stack(weights, 1)[None]

    def advance(self, inward, state):
        """nn.GRUCell's step from the product of its input."""
        i_reset, i_update, i_new = inward.chunk(3, 1)
        h_reset, h_update, h_new = F.linear(state, self.cell.weight_hh, self.cell.bias_hh).chunk(3, 1)
        update = torch.sigmoid(i_update + h_update).float()
        new = torch.tanh(i_new + torch.sigmoid(i_reset + h_reset) * h_new).float()
        return torch.lerp(new, state.float(), update)

    def next_logits(self, encoded, state, prefixes):
        self.weights = None
        embedded = self.target(prefixes[:, -1])
        context, self.weights = self.context(encoded, state)
        state = self.cell(torch.cat([embedded, context], 1), state)
        return F.linear(self.output([state, context, embedded]), *self.projection()).float(), state

    @staticmethod
    def select_encoded(encoded, rows):
        return tuple(part[rows] for part in encoded)

    @staticmethod
    def select_state(state, rows):
        return state[rows]
