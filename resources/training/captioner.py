# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Show, Attend and Tell (Xu et al. 2015): a convolutional encoder of a grid of cells, and an LSTM that attends to them,
with a gate on the context. Tensors have the names that they have in the exported file."""
import torch
from torch import nn
from torch.nn import functional as F

from data import BOS, EOS, PAD
from ops import Repeated, dropout, lstm


def conv(channels, stride=1):
    return [{"type": "conv", "channels": channels, "kernel": 3, "stride": stride, "padding": 1, "bias": False},
            {"type": "batch_norm"}, {"type": "activation", "name": "relu"}]


def block(channels):
    return [{"type": "residual", "body": conv(channels) + conv(channels)[:2]}, {"type": "activation", "name": "relu"}]


LAYERS = [*conv(24, 2), *conv(48, 2), *block(48), *conv(128, 2), *block(128), *block(128), *conv(192)]


class Residual(nn.Module):
    def __init__(self, body):
        super().__init__()
        self.body = body

    def forward(self, x):
        return x + self.body(x)


def encoder(layers, channels):
    """(module, its channels) of the layers as the configuration has them."""
    made = []
    for layer in layers:
        if layer["type"] == "conv":
            made.append(nn.Conv2d(channels, layer["channels"], layer["kernel"], layer["stride"], layer["padding"],
                                  bias=layer["bias"]))
            channels = layer["channels"]
        elif layer["type"] == "residual":
            made.append(Residual(encoder(layer["body"], channels)[0]))
        else:
            made.append(nn.BatchNorm2d(channels) if layer["type"] == "batch_norm" else nn.ReLU())
    return nn.Sequential(*made), channels


class Captioner(nn.Module):
    kind = "captioner"
    parallel = False  # one small step after the other, as quick in float32
    start, end = BOS, EOS

    def __init__(self, vocabulary, labels, layers=LAYERS, grid=14, embedding=128, hidden=256, size=128, dropout=0.2):
        """labels: of the classifier of cells, which only training needs."""
        super().__init__()
        self.settings = dict(vocabulary=vocabulary, labels=labels, layers=layers, grid=grid, embedding=embedding,
                             hidden=hidden, size=size, dropout=dropout)
        self.dropout = dropout
        self.encoder, self.decoder, self.attention = nn.Module(), nn.Module(), nn.Module()
        self.encoder.layers, channels = encoder(layers, 3)
        self.encoder.positions = nn.Embedding(grid * grid, channels)
        self.witness = nn.Linear(channels, labels)
        decoder, attention = self.decoder, self.attention
        decoder.embedding = nn.Embedding(vocabulary, embedding)
        decoder.initial, decoder.initial_cell = nn.Linear(channels, hidden), nn.Linear(channels, hidden)
        decoder.rnn = nn.LSTM(embedding + channels, hidden)
        decoder.output_hidden = nn.Linear(hidden, embedding)
        decoder.output_context = nn.Linear(channels, embedding, bias=False)
        decoder.output = nn.Linear(embedding, vocabulary)
        attention.query, attention.key = nn.Linear(hidden, size, bias=False), nn.Linear(channels, size)
        attention.v, attention.gate = nn.Linear(size, 1, bias=False), nn.Linear(hidden, 1)
        for table, spread in ((self.encoder.positions, 0.02), (decoder.embedding, 0.1)):
            nn.init.normal_(table.weight, std=spread)
        for gate in decoder.rnn.weight_hh_l0.data.chunk(4):
            nn.init.orthogonal_(gate)
        nn.init.constant_(attention.gate.bias, 1.0)
        nn.init.constant_(self.witness.bias, -3.0)

    def drop(self, x):
        return dropout(x, self.dropout, self.training)

    def cells(self, pictures):
        """[batch, cells, channels] without positions, of normalised pictures of any size."""
        return self.encoder.layers(pictures).flatten(2).transpose(1, 2).float()

    def begin(self, cells):
        """((annotations, keys), (hidden, cell))"""
        annotations = cells + self.encoder.positions.weight
        mean = annotations.mean(1)
        state = tuple(torch.tanh(layer(mean)) for layer in (self.decoder.initial, self.decoder.initial_cell))
        return (annotations, self.attention.key(annotations)), state

    def steps(self):
        """The products that all steps share: the query, and the LSTM's with context and state."""
        rnn, width = self.decoder.rnn, self.decoder.embedding.embedding_dim
        matrix = torch.cat([rnn.weight_ih_l0[:, width:], rnn.weight_hh_l0], 1)
        return Repeated(self.attention.query.weight.t()), Repeated(matrix.t())

    def advance(self, embedded, annotations, keys, shared, hidden, cell):
        """(output features, state, weights) of one step."""
        decoder, rnn, (query, recurrent) = self.decoder, self.decoder.rnn, shared
        weights = (torch.tanh(query(hidden).unsqueeze(1) + keys) @ self.attention.v.weight[0]).softmax(1)
        context = torch.sigmoid(self.attention.gate(hidden)) * torch.bmm(weights.unsqueeze(1), annotations).squeeze(1)
        inward = F.linear(embedded, rnn.weight_ih_l0[:, :embedded.shape[1]], rnn.bias_ih_l0 + rnn.bias_hh_l0)
        hidden, cell = lstm(inward, recurrent(torch.cat([context, hidden], 1)), cell)
        features = torch.tanh(decoder.output_hidden(self.drop(hidden)) + decoder.output_context(context) + embedded)
        return self.drop(features), (hidden, cell), weights

    def forward(self, cells, inputs, counts=None):
        """Logits [places, vocabulary], steps behind each other, and of every step the weights [rows, cells], the
        captions forced. counts: of the rows that are still there at each step, the longest first; None: all."""
        encoded, state = self.begin(cells)
        shared, features, maps = self.steps(), [], []
        for count, ids in zip(counts or [len(cells)] * inputs.shape[1], inputs.t()):
            if count < len(state[0]):
                encoded, state = ([part[:count] for part in parts] for parts in (encoded, state))
            some, state, weights = self.advance(self.decoder.embedding(ids[:count]), *encoded, shared, *state)
            features.append(some)
            maps.append(weights)
        return self.decoder.output(torch.cat(features)), maps

    @torch.no_grad()
    def captions(self, cells, limit=30):
        """Ids of the greedy captions, without the end."""
        encoded, state = self.begin(cells)
        shared, token, found = self.steps(), torch.full((len(cells),), BOS, device=cells.device), []
        for _ in range(limit):
            features, state, _ = self.advance(self.decoder.embedding(token), *encoded, shared, *state)
            logits = self.decoder.output(features)
            logits[:, PAD] = -float("inf")
            token = logits.argmax(1)
            found.append(token)
        rows = torch.stack(found, 1).tolist()
        return [row[:row.index(EOS)] if EOS in row else row for row in rows]
