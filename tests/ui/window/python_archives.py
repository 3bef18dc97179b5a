# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the lines of README's section "From Python" on a made-up model: python_archives.py README FOLDER."""

import os
import sys
from types import SimpleNamespace

import numpy as np


class Tensor(np.ndarray):
    """As much of a torch tensor as the lines touch."""

    def detach(self):
        return self

    def numpy(self):
        return np.asarray(self)


def tensor(values):
    return np.asarray(values).view(Tensor)


def attention(layers, heads, rows, columns, causal=False):
    maps = []
    for layer in range(layers):
        weights = np.random.default_rng(layer).random((1, heads, rows, columns))
        if causal:
            weights = np.tril(weights)
        maps.append(tensor((weights / weights.sum(-1, keepdims=True)).astype(np.float32)))
    return tuple(maps)


class Tokenizer:
    pieces = ["[PAD]", "[CLS]", "[SEP]", "the", "cat", "sat", "on", "##s", "mat", "."]

    def __call__(self, text, return_tensors):
        assert isinstance(text, str) and return_tensors == "pt"
        ids = tensor(np.array([[1, 3, 4, 7, 5, 6, 3, 8, 9, 2]]))
        return {"input_ids": ids, "attention_mask": tensor(np.ones((1, 10), np.int64))}

    def convert_ids_to_tokens(self, ids):
        return [self.pieces[i] for i in ids]


class Model:
    """Layers and heads: 3 and 4 in the encoder, 2 and 4 in the decoder."""

    def __init__(self, kind):
        self.kind = kind

    def generate(self, input_ids, attention_mask, max_new_tokens=5):
        if self.kind == "decoder":
            added = np.array([[4, 5, 6]])[:, :max_new_tokens]
            return tensor(np.concatenate([input_ids, added], axis=1))
        return tensor(np.array([[0, 4, 5, 8, 9, 2]]))

    def __call__(self, input_ids, attention_mask=None, decoder_input_ids=None, output_attentions=False):
        assert output_attentions
        length = input_ids.shape[1]
        if self.kind == "encoder":
            return SimpleNamespace(attentions=attention(3, 4, length, length))
        if self.kind == "decoder":
            return SimpleNamespace(attentions=attention(2, 4, length, length, causal=True))
        written = decoder_input_ids.shape[1]
        return SimpleNamespace(
            encoder_attentions=attention(3, 4, length, length),
            decoder_attentions=attention(2, 4, written, written, causal=True),
            cross_attentions=attention(2, 4, written, length),
        )


def code_blocks(readme):
    """The indented blocks of the section: the common lines, then one per kind of model."""
    text = open(readme, encoding="utf-8").read()
    section = text.split("### From Python\n", 1)[1].split("\n## ", 1)[0]
    blocks = [""]
    for line in section.splitlines():
        if line.startswith("    "):
            blocks[-1] += line[4:] + "\n"
        elif line.strip() and blocks[-1]:
            blocks.append("")
    return [block for block in blocks if block]


def main():
    common, *kinds = code_blocks(sys.argv[1])
    assert len(kinds) == 3, kinds
    os.chdir(sys.argv[2])
    for kind, block in zip(["encoder", "decoder", "both"], kinds):
        exec(common + block, {"tokenizer": Tokenizer(), "model": Model(kind)})


main()
