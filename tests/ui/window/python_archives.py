# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Archives of made-up models by the package of resources/python: python_archives.py PACKAGE FOLDER."""

import os
import sys
from types import SimpleNamespace

import numpy as np


class Tensor(np.ndarray):
    """As much of a torch tensor as the lines touch."""

    def detach(self):
        return self

    def cpu(self):
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


def main():
    sys.path.insert(0, sys.argv[1])
    sys.dont_write_bytecode = True
    import attnscope

    os.chdir(sys.argv[2])
    tokenizer = Tokenizer()
    inputs = tokenizer("The cat sat on the mat.", return_tensors="pt")
    read = inputs["input_ids"]

    output = Model("encoder")(**inputs, output_attentions=True)
    attnscope.save(output, "bert.npz", tokens=read, tokenizer=tokenizer)

    decoder = Model("decoder")
    text = decoder.generate(**inputs, max_new_tokens=20)
    output = decoder(input_ids=text, output_attentions=True)
    attnscope.save(output, "gpt.npz", tokens=text, tokenizer=tokenizer)

    both = Model("both")
    written = both.generate(**inputs)
    output = both(**inputs, decoder_input_ids=written[:, :-1], output_attentions=True)
    attnscope.save(output, "marian.npz", tokens=read, target_tokens=written, tokenizer=tokenizer)


main()
