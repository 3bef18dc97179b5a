# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A Transformer encoder-decoder as Hugging Face's Marian computes it: post-norm, sinusoidal positions, tied
embeddings."""
import math

import torch
from torch import nn
from torch.nn import functional as F

from data import PAD
from ops import dropout

FUSED = hasattr(F, "scaled_dot_product_attention")  # PyTorch 2; used on a GPU


def sinusoids(length, width):
    """[length, width]: all sines, then all cosines (Vaswani et al. 2017, in Marian's layout)."""
    position = torch.arange(length, dtype=torch.float64).unsqueeze(1)
    angle = position / torch.pow(10000, 2 * torch.arange(width // 2, dtype=torch.float64) / width)
    return torch.cat([angle.sin(), angle.cos()], 1).float()


def product(x, *layers):
    """The layers' outputs beside each other."""
    return F.linear(x, torch.cat([layer.weight for layer in layers]), torch.cat([layer.bias for layer in layers]))


class Attention(nn.Module):
    def __init__(self, width, heads, dropout):
        super().__init__()
        self.heads, self.dropout = heads, dropout
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (nn.Linear(width, width) for _ in range(4))

    def split(self, x):
        return x.view(x.shape[0], x.shape[1], self.heads, -1).transpose(1, 2)

    def projected(self, query, memory):
        """Queries, keys and values; what is projected from the same states is one product."""
        if query is memory:
            return product(query, self.q_proj, self.k_proj, self.v_proj).chunk(3, -1)
        return self.q_proj(query), *product(memory, self.k_proj, self.v_proj).chunk(2, -1)

    def forward(self, query, memory, mask, weights=None):
        """mask: 0 where a query may look, -inf elsewhere, broadcastable to [batch, heads, queries, keys]. In
        `weights`, a list or None, the attention weights are left."""
        q, k, v = map(self.split, self.projected(query, memory))
        if FUSED and q.is_cuda and weights is None:  # no dropout: its mask is drawn again backwards, which a graph of
            mixed = F.scaled_dot_product_attention(q, k, v, mask.to(q.dtype))  # several on one GPU might draw otherwise
        else:
            scores = q / math.sqrt(q.shape[-1]) @ k.transpose(2, 3)
            found = (scores + mask.to(scores.dtype)).softmax(-1)
            if weights is not None:
                weights.append(found)
            mixed = dropout(found.to(v.dtype), self.dropout, self.training) @ v
        return self.out_proj(mixed.transpose(1, 2).reshape(query.shape))


class Layer(nn.Module):
    def __init__(self, width, heads, inner, dropout, cross):
        super().__init__()
        self.dropout = dropout
        self.self_attn = Attention(width, heads, dropout)
        self.self_attn_layer_norm = nn.LayerNorm(width)
        if cross:
            self.encoder_attn = Attention(width, heads, dropout)
            self.encoder_attn_layer_norm = nn.LayerNorm(width)
        self.fc1, self.fc2 = nn.Linear(width, inner), nn.Linear(inner, width)
        self.final_layer_norm = nn.LayerNorm(width)

    def drop(self, x):
        return dropout(x, self.dropout, self.training)

    def forward(self, x, mask, memory=None, memory_mask=None, weights=None):
        x = self.self_attn_layer_norm(x + self.drop(self.self_attn(x, x, mask)))
        if memory is not None:
            x = self.encoder_attn_layer_norm(x + self.drop(self.encoder_attn(x, memory, memory_mask, weights)))
        return self.final_layer_norm(x + self.drop(self.fc2(self.drop(F.relu(self.fc1(x))))))


class Stack(nn.Module):
    def __init__(self, layers, *arguments):
        super().__init__()
        self.layers = nn.ModuleList(Layer(*arguments) for _ in range(layers))


class Transformer(nn.Module):
    kind = "transformer"
    by_step = False  # all positions of features() are rows behind each other

    def __init__(self, vocabulary, width=256, heads=8, inner=896, encoder_layers=3, decoder_layers=3, dropout=0.1):
        super().__init__()
        self.settings = dict(vocabulary=vocabulary, width=width, heads=heads, inner=inner,
                             encoder_layers=encoder_layers, decoder_layers=decoder_layers, dropout=dropout)
        self.dropout, self.scale = dropout, math.sqrt(width)
        self.shared = nn.Embedding(vocabulary, width)
        nn.init.normal_(self.shared.weight, std=width ** -0.5)
        self.encoder = Stack(encoder_layers, width, heads, inner, dropout, False)
        self.decoder = Stack(decoder_layers, width, heads, inner, dropout, True)
        self.final_logits_bias = nn.Parameter(torch.zeros(1, vocabulary))
        self.register_buffer("positions", sinusoids(512, width), persistent=False)
        for name, parameter in self.named_parameters():
            if parameter.dim() == 2 and "proj" in name or ".fc" in name and parameter.dim() == 2:
                nn.init.xavier_uniform_(parameter)
            elif name.endswith(".bias") and "norm" not in name:
                nn.init.zeros_(parameter)

    def embed(self, ids, first=0):
        x = self.shared(ids) * self.scale + self.positions[first:first + ids.shape[1]]
        return dropout(x, self.dropout, self.training)

    def encode(self, source):
        mask = torch.zeros(source.shape, device=source.device).masked_fill(source == PAD, -math.inf)[:, None, None]
        x = self.embed(source)
        for layer in self.encoder.layers:
            x = layer(x, mask)
        return x, mask

    def states(self, encoded, inputs, weights=None):
        """[batch, n, width]; in `weights`, a list or None, the cross attention of every layer is left."""
        memory, memory_mask = encoded
        length = inputs.shape[1]
        causal = torch.full((length, length), -math.inf, device=inputs.device).triu(1)
        x = self.embed(inputs)
        for layer in self.decoder.layers:
            x = layer(x, causal, memory, memory_mask, weights)
        return x

    def projection(self):
        """Table and bias of the last product."""
        return self.shared.weight, self.final_logits_bias[0]

    def features(self, source, inputs, keep, lengths=None):
        """What the last product gets, [kept positions, width]; keep: indexes of the positions, rows behind each
        other, or None for all."""
        states = self.states(self.encode(source), inputs).flatten(0, 1)
        return states if keep is None else states.index_select(0, keep)

    def forward(self, *arguments):
        """Logits [kept positions, vocabulary], of the arguments of features()."""
        return F.linear(self.features(*arguments), *self.projection())

    def alignments(self, source, inputs):
        """Cross attention [layers, heads, n, source] of one pair: row i predicts the token behind inputs[i]."""
        weights = []
        self.states(self.encode(source), inputs, weights)
        return torch.cat(weights)

    # Decoding: the whole prefix again at every step, which is quick enough for sentences.
    def begin(self, source):
        return self.encode(source), None

    def next_logits(self, encoded, state, prefixes):
        return F.linear(self.states(encoded, prefixes)[:, -1], *self.projection()).float(), state

    @staticmethod
    def select_encoded(encoded, rows):
        return encoded[0][rows], encoded[1][rows]

    @staticmethod
    def select_state(state, rows):
        return state
