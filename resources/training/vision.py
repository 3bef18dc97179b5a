# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A vision-encoder-decoder: ViT (Dosovitskiy et al. 2021) and a GPT-2 that attends to its patches, as Hugging Face
computes and names them."""
import math

import torch
from torch import nn
from torch.nn import functional as F

from data import PAD
from draw_scenes import SIZE, WORDS
from language import Conv1D, GptLayer, attend, group, initialize
from ops import dropout
from subwords import ByteLevel, tokenizer


class VitLayer(nn.Module):
    def __init__(self, width, heads, inner, rate):
        super().__init__()
        self.heads, self.dropout = heads, rate
        self.layernorm_before, self.layernorm_after = (nn.LayerNorm(width, eps=1e-12) for _ in range(2))
        inward = group(**{name: nn.Linear(width, width) for name in ("query", "key", "value")})
        self.attention = group(attention=inward, output=group(dense=nn.Linear(width, width)))
        self.intermediate, self.output = group(dense=nn.Linear(width, inner)), group(dense=nn.Linear(inner, width))

    def forward(self, x):
        inward, normed = self.attention.attention, self.layernorm_before(x)
        mixed = attend(inward.query(normed), inward.key(normed), inward.value(normed), None, self.heads, None)
        x = x + dropout(self.attention.output.dense(mixed), self.dropout, self.training)
        wide = F.gelu(self.intermediate.dense(self.layernorm_after(x)))
        return x + dropout(self.output.dense(wide), self.dropout, self.training)


class CrossLayer(GptLayer):
    """GPT-2's layer with attention to a memory between its two parts."""

    def __init__(self, width, heads, inner, rate):
        super().__init__(width, heads, inner, rate)
        self.ln_cross_attn = nn.LayerNorm(width)
        self.crossattention = group(q_attn=Conv1D(width, width), c_attn=Conv1D(width, 2 * width),
                                    c_proj=Conv1D(width, width))
        self.crossattention.c_attn.weight.side_by_side = 2

    def forward(self, x, memory, keep):
        drop = lambda y: dropout(y, self.dropout, self.training)
        mixed = attend(*self.attn.c_attn(self.ln_1(x)).chunk(3, 2), "causal", self.heads, None)
        x, cross = x + drop(self.attn.c_proj(mixed)), self.crossattention
        mixed = attend(cross.q_attn(self.ln_cross_attn(x)), *cross.c_attn(memory).chunk(2, 2), None, self.heads, keep)
        x = x + drop(cross.c_proj(mixed))
        return x + drop(self.mlp.c_proj(F.gelu(self.mlp.c_fc(self.ln_2(x)))))


class VisionGpt(nn.Module):
    kind = "vit-gpt2"
    parallel = True

    def __init__(self, vocabulary, labels, width=192, heads=6, layers=4, decoder_layers=3, inner=768, grid=14,
                 positions=32, taught=192, dropout=0.1):
        """labels: of the classifier of patches, which only training needs. taught: features of a cell of the teacher,
        which `pupil` foretells, likewise."""
        super().__init__()
        self.settings = dict(vocabulary=vocabulary, labels=labels, width=width, heads=heads, layers=layers,
                             decoder_layers=decoder_layers, inner=inner, grid=grid, positions=positions,
                             taught=taught, dropout=dropout)
        self.dropout, self.start, self.end = dropout, vocabulary - 1, vocabulary - 1
        projection = nn.Conv2d(3, width, SIZE // grid, SIZE // grid)
        self.encoder = group(
            embeddings=group(patch_embeddings=group(projection=projection)),
            encoder=group(layer=nn.ModuleList(VitLayer(width, heads, inner, dropout) for _ in range(layers))),
            layernorm=nn.LayerNorm(width, eps=1e-12))
        self.encoder.embeddings.cls_token = nn.Parameter(torch.randn(1, 1, width) * 0.02)
        self.encoder.embeddings.position_embeddings = nn.Parameter(torch.randn(1, 1 + grid * grid, width) * 0.02)
        self.decoder = group(transformer=group(
            wte=nn.Embedding(vocabulary, width), wpe=nn.Embedding(positions, width),
            h=nn.ModuleList(CrossLayer(width, heads, inner, dropout) for _ in range(decoder_layers)),
            ln_f=nn.LayerNorm(width)))
        self.witness, self.pupil = nn.Linear(width, labels), nn.Linear(width, taught)
        initialize(self)
        nn.init.constant_(self.witness.bias, -3.0)
        for layer in self.decoder.transformer.h:
            for matrix in (layer.attn.c_proj.weight, layer.crossattention.c_proj.weight, layer.mlp.c_proj.weight):
                matrix.data.div_(math.sqrt(3 * decoder_layers))

    def cells(self, pictures):
        """The memory [batch, 1 + patches, width], the class token first."""
        parts = self.encoder.embeddings
        x = parts.patch_embeddings.projection(pictures).flatten(2).transpose(1, 2)
        x = torch.cat([parts.cls_token.expand(len(x), -1, -1).to(x.dtype), x], 1) + parts.position_embeddings
        x = dropout(x, self.dropout, self.training)
        for layer in self.encoder.encoder.layer:
            x = layer(x)
        return self.encoder.layernorm(x.float())

    def decode(self, cells, inputs, keep=None):
        """Logits [batch, n, vocabulary]; `keep` receives the layers' attention to the memory."""
        parts = self.decoder.transformer
        x = parts.wte(inputs) + parts.wpe(torch.arange(inputs.shape[1], device=inputs.device))
        x = dropout(x, self.dropout, self.training)
        for layer in parts.h:
            x = layer(x, cells, keep)
        return F.linear(parts.ln_f(x), parts.wte.weight)

    def forward(self, cells, inputs, counts=None):
        """Logits and weights as Captioner's; the weights are those of the last layer on patches, mean over heads, and
        none in training."""
        keep = None if self.training else []
        logits, counts = self.decode(cells, inputs, keep), counts or [len(cells)] * inputs.shape[1]
        steps = list(enumerate(counts))
        maps = [keep[-1].mean(1)[:count, step, 1:] for step, count in steps] if keep else []
        return torch.cat([logits[:count, step] for step, count in steps]), maps

    @torch.no_grad()
    def captions(self, cells):
        """Ids of the greedy captions, without the end."""
        ids = torch.full((len(cells), 1), self.start, device=cells.device)
        for _ in range(self.settings["positions"] - 1):
            logits = self.decode(cells, ids)[:, -1]
            logits[:, PAD] = -float("inf")
            ids = torch.cat([ids, logits.argmax(1, keepdim=True)], 1)
        return [row[:row.index(self.end)] if self.end in row else row for row in ids[:, 1:].tolist()]


def caption_tokens(folder, texts):
    """The byte-level tokenizer of captions, with room for all merges: a word is a token, so that it has a map of its
    own."""
    pairs = [f"{first} {word}" for word in WORDS for first in WORDS]
    found = tokenizer(ByteLevel, lambda: pairs + [text for some in texts for text in some], 900, folder)
    split = [word for word in WORDS if len(found.encode(f"a {word}")) != 2]
    if split:
        raise SystemExit(f"{folder}: these words are several tokens: {' '.join(split)}")
    return found
