# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whisper (Radford et al. 2023) as Hugging Face computes and names it, and its features."""
import math

import numpy
import torch
from torch import nn
from torch.nn import functional as F

from digits import RATE, WORDS
from language import attend, group, initialize
from ops import dropout
from transformer import sinusoids

FFT, HOP, BANDS = 400, 160, 80
COLUMN = 2 * HOP / RATE  # seconds of a column of the encoder, and of a step of the time tokens


def bands():
    """Slaney's triangles [BANDS, FFT / 2 + 1], equally wide in mel."""
    edges = numpy.linspace(0, 15 + 27 * math.log(RATE / 2000) / math.log(6.4), BANDS + 2)
    edges = numpy.where(edges < 15, edges * 200 / 3, 1000 * numpy.exp((edges - 15) * math.log(6.4) / 27))
    places = numpy.linspace(0, RATE / 2, FFT // 2 + 1)
    left, middle, right = (edges[i:i + BANDS, None] for i in range(3))
    rising, falling = (places - left) / (middle - left), (right - places) / (right - middle)
    return numpy.maximum(0, numpy.minimum(rising, falling)) * 2 / (right - left)


def features(sounds):
    """[batch, BANDS, frames] of samples [batch, n], float."""
    window = torch.hann_window(FFT, device=sounds.device, dtype=sounds.dtype)
    spectra = torch.stft(sounds, FFT, HOP, window=window, center=True, pad_mode="reflect", return_complex=True)
    power = torch.from_numpy(bands()).to(sounds) @ spectra[..., :-1].abs().square()
    logs = power.clamp(min=1e-10).log10()
    logs = torch.maximum(logs, logs.amax((1, 2), keepdim=True) - 8)
    return ((logs + 4) / 4).float()


class Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.k_proj = nn.Linear(width, width, bias=False)
        self.v_proj, self.q_proj, self.out_proj = (nn.Linear(width, width) for _ in range(3))

    def forward(self, x, memory, mask=None, keep=None):
        return self.out_proj(attend(self.q_proj(x), self.k_proj(memory), self.v_proj(memory), mask, self.heads, keep))


class Layer(nn.Module):
    def __init__(self, width, heads, inner, rate, decoder):
        super().__init__()
        self.dropout, self.mask = rate, "causal" if decoder else None
        self.self_attn, self.self_attn_layer_norm = Attention(width, heads), nn.LayerNorm(width)
        if decoder:
            self.encoder_attn, self.encoder_attn_layer_norm = Attention(width, heads), nn.LayerNorm(width)
        self.fc1, self.fc2 = nn.Linear(width, inner), nn.Linear(inner, width)
        self.final_layer_norm = nn.LayerNorm(width)

    def forward(self, x, memory=None, keep=None):
        drop = lambda y: dropout(y, self.dropout, self.training)
        normed = self.self_attn_layer_norm(x)
        x = x + drop(self.self_attn(normed, normed, self.mask))
        if memory is not None:
            x = x + drop(self.encoder_attn(self.encoder_attn_layer_norm(x), memory, None, keep))
        return x + drop(self.fc2(F.gelu(self.fc1(self.final_layer_norm(x)))))


class Whisper(nn.Module):
    kind = "whisper"

    def __init__(self, vocabulary, columns=250, width=192, heads=6, layers=4, inner=768, positions=64, dropout=0.1):
        super().__init__()
        self.settings = dict(vocabulary=vocabulary, columns=columns, width=width, heads=heads, layers=layers,
                             inner=inner, positions=positions, dropout=dropout)
        self.dropout = dropout
        stack = lambda decoder: nn.ModuleList(Layer(width, heads, inner, dropout, decoder) for _ in range(layers))
        self.model = group(
            encoder=group(conv1=nn.Conv1d(BANDS, width, 3, padding=1), conv2=nn.Conv1d(width, width, 3, 2, 1),
                          embed_positions=nn.Embedding(columns, width), layers=stack(False),
                          layer_norm=nn.LayerNorm(width)),
            decoder=group(embed_tokens=nn.Embedding(vocabulary, width), embed_positions=nn.Embedding(positions, width),
                          layers=stack(True), layer_norm=nn.LayerNorm(width)))
        self.witness = nn.Linear(width, len(WORDS) + 1)  # the word said in each column, or none; for training alone
        initialize(self)
        self.model.encoder.embed_positions.weight.data.copy_(0.3 * sinusoids(columns, width))
        for name, matrix in self.named_parameters():
            if name.endswith(("out_proj.weight", "fc2.weight")):
                matrix.data.div_(math.sqrt(3 * layers))

    def encode(self, found):
        """The memory [batch, columns, width] of features."""
        parts = self.model.encoder
        # Turned before the activation, whose gradients are noise on a CPU where they come turned (PyTorch 1.13).
        x = parts.conv2(F.gelu(parts.conv1(found))).transpose(1, 2).contiguous()
        x = F.gelu(x) + parts.embed_positions.weight
        x = dropout(x, self.dropout, self.training)
        for layer in parts.layers:
            x = layer(x)
        return parts.layer_norm(x)

    def forward(self, memory, inputs, keep=None):
        """Logits [batch, n, vocabulary]; `keep` receives the layers' attention to the memory."""
        parts = self.model.decoder
        x = parts.embed_tokens(inputs) + parts.embed_positions(torch.arange(inputs.shape[1], device=inputs.device))
        x = dropout(x, self.dropout, self.training)
        for layer in parts.layers:
            x = layer(x, memory, keep)
        return F.linear(parts.layer_norm(x), parts.embed_tokens.weight)
