# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Attention layers in plain tensor code, as the published architectures define them, recording what they compute."""
import math

import torch
import torch.nn.functional as F

from edits import Edits, softmax

ACTIVATIONS = {"relu": torch.relu, "gelu": F.gelu, "silu": F.silu, "swish": F.silu, "tanh": torch.tanh,
               "gelu_new": lambda x: 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3)))}


class Weights:
    """Tensors by name, and what a run has recorded."""

    def __init__(self, tensors, edits=Edits()):
        self.tensors, self.edits = tensors, edits
        self.maps = {"encoder": [], "decoder": [], "cross": []}
        self.scores = {"encoder": [], "decoder": [], "cross": []}

    def has(self, name):
        return name in self.tensors

    def linear(self, x, name):
        y = x @ self.tensors[name + ".weight"].T
        return y + self.tensors[name + ".bias"] if self.has(name + ".bias") else y

    def convolution(self, x, name):
        """GPT-2's: the matrix is [in, out]."""
        return x @ self.tensors[name + ".weight"] + self.tensors[name + ".bias"]

    def layer_norm(self, x, name, epsilon):
        scale = self.tensors.get(name + ".weight", self.tensors.get(name + ".gamma"))
        shift = self.tensors.get(name + ".bias", self.tensors.get(name + ".beta"))
        return F.layer_norm(x, (x.shape[-1],), scale, shift, epsilon)

    def rms_norm(self, x, name, epsilon):
        return x * torch.rsqrt((x * x).mean(-1, keepdim=True) + epsilon) * self.tensors[name + ".weight"]

    def attend(self, stage, q, k, v, heads, key_heads=None, scale=None, bias=None, mask=None, turn=None):
        """q [T, heads*d], k, v [S, key_heads*d]. Returns [T, heads*d]."""
        key_heads = key_heads or heads
        split = lambda x, n: x.reshape(x.shape[0], n, -1).transpose(0, 1)
        q, k, v = split(q, heads), split(k, key_heads), split(v, key_heads)
        if turn is not None:
            q, k = turn(q), turn(k)
        k, v = k.repeat_interleave(heads // key_heads, 0), v.repeat_interleave(heads // key_heads, 0)
        scores = q @ k.transpose(1, 2) * (1 / math.sqrt(q.shape[-1]) if scale is None else scale)
        if bias is not None:
            scores = scores + bias
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        layer = len(self.maps[stage])
        scores = self.edits.hide(stage, layer, scores) if self.edits.any() else scores
        weights = softmax(scores)
        weights = self.edits.change(stage, layer, weights, scores) if self.edits.any() else weights
        self.maps[stage].append(weights)
        self.scores[stage].append(scores)
        return (weights @ v).transpose(0, 1).reshape(q.shape[1], -1)


def causal(length, window=None):
    """What row i may see: up to itself, with a window its own and the window-1 before."""
    row, column = torch.arange(length)[:, None], torch.arange(length)[None]
    seen = column <= row
    return seen if window is None else seen & (column > row - window)


def sinusoid(positions, width, spread):
    """Sines in the first half, cosines in the second. spread: tensor2tensor's frequencies, whose last is 1/10000."""
    half = width // 2
    steps = torch.arange(half, dtype=torch.float64)
    frequencies = 10000.0 ** (-steps / (half - 1)) if spread else 10000.0 ** (-2 * steps / width)
    angles = positions[:, None].double() * frequencies
    return torch.cat([angles.sin(), angles.cos()], 1)


def relative_bias(table, rows, columns, bidirectional, longest):
    """T5: [heads, rows, columns] from [buckets, heads]."""
    distance = torch.arange(columns)[None] - torch.arange(rows)[:, None]
    buckets = table.shape[0]
    base = torch.zeros_like(distance)
    if bidirectional:
        buckets //= 2
        base = (distance > 0).long() * buckets
        away = distance.abs()
    else:
        away = (-distance).clamp(min=0)
    exact = buckets // 2
    wide = exact + (torch.log(away.float() / exact) / math.log(longest / exact) * (buckets - exact)).long()
    bucket = base + torch.where(away < exact, away, wide.clamp(max=buckets - 1))
    return table[bucket].permute(2, 0, 1)


def rotary(config, width, length):
    """A function that turns [heads, length, width] by rotary positions as rope_theta and rope_scaling say."""
    base, scaling = config.get("rope_theta", 10000.0), config.get("rope_scaling") or {}
    kind = scaling.get("rope_type", scaling.get("type", "default"))
    limit, factor, magnitude = config["max_position_embeddings"], scaling.get("factor", 1.0), 1.0
    if kind == "dynamic" and length > limit:
        base = base * (factor * length / limit - (factor - 1)) ** (width / (width - 2))
    pairs = torch.arange(0, width, 2, dtype=torch.float64) / width
    frequencies = base ** -pairs
    original = scaling.get("original_max_position_embeddings", limit)
    if kind == "linear":
        frequencies = frequencies / factor
    elif kind == "llama3":
        low, high = scaling["low_freq_factor"], scaling["high_freq_factor"]
        waves = 2 * math.pi / frequencies
        smooth = (original / waves - low) / (high - low)
        between = (1 - smooth) * frequencies / factor + smooth * frequencies
        frequencies = torch.where(waves > original / low, frequencies / factor,
                                  torch.where(waves < original / high, frequencies, between))
    elif kind == "yarn":
        place = lambda turns: width * math.log(original / (turns * 2 * math.pi)) / (2 * math.log(base))
        low = max(math.floor(place(scaling.get("beta_fast", 32))), 0)
        high = min(math.ceil(place(scaling.get("beta_slow", 1))), width - 1)
        ramp = ((torch.arange(width // 2).double() - low) / (high - low if high > low else 0.001)).clamp(0, 1)
        frequencies = frequencies / factor * ramp + frequencies * (1 - ramp)
        magnitude = scaling.get("attention_factor") or 0.1 * math.log(factor) + 1
    angles = torch.arange(length).double()[:, None] * frequencies
    cosine, sine = torch.cat([angles.cos()] * 2, 1) * magnitude, torch.cat([angles.sin()] * 2, 1) * magnitude

    def turn(x):
        left, right = x.chunk(2, -1)
        return x * cosine.to(x.dtype) + torch.cat([-right, left], -1) * sine.to(x.dtype)
    return turn
