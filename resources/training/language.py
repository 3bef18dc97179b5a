# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A BERT masked language model and a GPT-2 language model as Hugging Face computes and names them."""
import math

import torch
from torch import nn
from torch.nn import functional as F

from ops import dropout
from transformer import FUSED, sinusoids


def attend(query, key, value, mask, heads, keep):
    """Multi-head attention of [batch, n, width]; `keep`, a list or None, receives the weights [batch, heads, n, keys].
    mask: added to the scores, or None; the string "causal" stands for the triangle."""
    batch, length, width = query.shape
    q, k, v = (x.view(batch, x.shape[1], heads, -1).transpose(1, 2) for x in (query, key, value))
    causal = isinstance(mask, str)
    if FUSED and q.is_cuda and keep is None:
        added = None if causal or mask is None else mask.to(q.dtype)
        mixed = F.scaled_dot_product_attention(q, k, v, added, is_causal=causal)
        return mixed.transpose(1, 2).reshape(batch, length, width)
    if causal:
        mask = torch.full((1, length, length), -math.inf, device=query.device).triu(1)
    elif mask is None:
        mask = torch.zeros(1, 1, 1, device=query.device)
    else:
        mask = mask.expand(batch, heads, 1, length).flatten(0, 1)
    q, k, v = (x.flatten(0, 1) for x in (q, k, v))
    weights = torch.baddbmm(mask.to(q.dtype), q, k.transpose(1, 2), alpha=(width // heads) ** -0.5).softmax(-1)
    if keep is not None:
        keep.append(weights.view(batch, heads, length, -1))
    return torch.bmm(weights.to(v.dtype), v).view(batch, heads, length, -1).transpose(1, 2).reshape(query.shape)


def group(**parts):
    """Modules under names that Python reserves or that need a dot."""
    module = nn.Module()
    for name, part in parts.items():
        module.add_module(name, part)
    return module


class BertLayer(nn.Module):
    def __init__(self, width, heads, inner, rate):
        super().__init__()
        self.heads, self.dropout = heads, rate
        norm = lambda: nn.LayerNorm(width, eps=1e-12)
        self.attention = group(self=group(**{n: nn.Linear(width, width) for n in ("query", "key", "value")}),
                               output=group(dense=nn.Linear(width, width), LayerNorm=norm()))
        self.intermediate = group(dense=nn.Linear(width, inner))
        self.output = group(dense=nn.Linear(inner, width), LayerNorm=norm())

    def forward(self, x, mask, keep):
        inward, out = getattr(self.attention, "self"), self.attention.output
        mixed = attend(inward.query(x), inward.key(x), inward.value(x), mask, self.heads, keep)
        x = out.LayerNorm(x + dropout(out.dense(mixed), self.dropout, self.training))
        wide = F.gelu(self.intermediate.dense(x))
        return self.output.LayerNorm(x + dropout(self.output.dense(wide), self.dropout, self.training))


class Bert(nn.Module):
    kind = "bert"

    def __init__(self, vocabulary, layers=7, heads=8, width=256, inner=1024, positions=128, dropout=0.1):
        super().__init__()
        self.settings = dict(vocabulary=vocabulary, layers=layers, heads=heads, width=width, inner=inner,
                             positions=positions, dropout=dropout)
        self.dropout = dropout
        norm = lambda: nn.LayerNorm(width, eps=1e-12)
        self.bert = group(
            embeddings=group(word_embeddings=nn.Embedding(vocabulary, width),
                             position_embeddings=nn.Embedding(positions, width),
                             token_type_embeddings=nn.Embedding(2, width), LayerNorm=norm()),
            encoder=group(layer=nn.ModuleList(BertLayer(width, heads, inner, dropout) for _ in range(layers))))
        self.cls = group(predictions=group(transform=group(dense=nn.Linear(width, width), LayerNorm=norm())))
        self.cls.predictions.bias = nn.Parameter(torch.zeros(vocabulary))
        initialize(self)

    def states(self, ids, types, mask, keep=None):
        """[batch, n, width]; mask: true at tokens, false at padding."""
        parts = self.bert.embeddings
        places = torch.arange(ids.shape[1], device=ids.device)
        x = parts.word_embeddings(ids) + parts.position_embeddings(places) + parts.token_type_embeddings(types)
        x = dropout(parts.LayerNorm(x), self.dropout, self.training)
        bias = torch.zeros(mask.shape, device=ids.device).masked_fill(~mask, -math.inf)[:, None, None]
        for layer in self.bert.encoder.layer:
            x = layer(x, bias, keep)
        return x

    def projection(self):
        """Table and bias of the last product."""
        return self.bert.embeddings.word_embeddings.weight, self.cls.predictions.bias

    def features(self, ids, types, mask, chosen):
        """What the last product gets, [chosen positions, width]; chosen: indexes of the positions, rows behind each
        other."""
        head = self.cls.predictions.transform
        states = self.states(ids, types, mask).flatten(0, 1).index_select(0, chosen)
        return head.LayerNorm(F.gelu(head.dense(states)).float())

    def forward(self, *arguments):
        """Logits [chosen positions, vocabulary], of the arguments of features()."""
        return F.linear(self.features(*arguments), *self.projection())


class Conv1D(nn.Module):
    """A linear layer whose weight is stored [in, out]."""

    def __init__(self, inward, outward):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(inward, outward))
        self.bias = nn.Parameter(torch.zeros(outward))

    def forward(self, x):
        return F.linear(x, self.weight.t(), self.bias)


class GptLayer(nn.Module):
    def __init__(self, width, heads, inner, rate):
        super().__init__()
        self.heads, self.dropout = heads, rate
        self.ln_1, self.ln_2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attn = group(c_attn=Conv1D(width, 3 * width), c_proj=Conv1D(width, width))
        self.attn.c_attn.weight.side_by_side = 3
        self.mlp = group(c_fc=Conv1D(width, inner), c_proj=Conv1D(inner, width))

    def forward(self, x, mask, keep):
        mixed = attend(*self.attn.c_attn(self.ln_1(x)).chunk(3, 2), mask, self.heads, keep)
        x = x + dropout(self.attn.c_proj(mixed), self.dropout, self.training)
        wide = F.gelu(self.mlp.c_fc(self.ln_2(x)))
        return x + dropout(self.mlp.c_proj(wide), self.dropout, self.training)


class Gpt(nn.Module):
    kind = "gpt2"

    def __init__(self, vocabulary, layers=7, heads=8, width=256, inner=1024, positions=256, dropout=0.1):
        super().__init__()
        self.settings = dict(vocabulary=vocabulary, layers=layers, heads=heads, width=width, inner=inner,
                             positions=positions, dropout=dropout)
        self.dropout = dropout
        self.transformer = group(wte=nn.Embedding(vocabulary, width), wpe=nn.Embedding(positions, width),
                                 h=nn.ModuleList(GptLayer(width, heads, inner, dropout) for _ in range(layers)),
                                 ln_f=nn.LayerNorm(width))
        initialize(self)
        # Learned from a start where "the token before" is the same turn everywhere: heads find it far sooner.
        self.transformer.wpe.weight.data.copy_(0.07 * sinusoids(positions, width))
        for layer in self.transformer.h:
            for matrix in (layer.attn.c_proj.weight, layer.mlp.c_proj.weight):
                matrix.data.div_(math.sqrt(2 * layers))

    def states(self, ids, keep=None):
        parts, length = self.transformer, ids.shape[1]
        x = parts.wte(ids) + parts.wpe(torch.arange(length, device=ids.device))
        x = dropout(x, self.dropout, self.training)
        for layer in parts.h:
            x = layer(x, "causal", keep)
        return parts.ln_f(x)

    def projection(self):
        """Table and bias, which is none, of the last product."""
        return self.transformer.wte.weight, None

    def forward(self, ids):
        """Logits [batch, n, vocabulary]"""
        return F.linear(self.states(ids), *self.projection())


def initialize(model):
    for name, parameter in model.named_parameters():
        if parameter.dim() == 2:
            nn.init.normal_(parameter, std=0.02)
        elif name.endswith(".bias"):
            nn.init.zeros_(parameter)
