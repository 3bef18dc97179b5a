# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The shapes of `attnscope bench model` as PyTorch modules in eager mode, with random weights.

A model is a pair: `begin` reads the input, `step` one more token. Both return what comes out (hidden states, or
logits) and the state that the next step takes, as a flat tuple of tensors; a step returns the first ones
of it, those that have changed. An encoder has no `step`; of a decoder-only model both are one module, whose state is
empty at first.
"""
import math

import torch
from torch import nn
from torch.nn import functional as F


class RmsNorm(nn.Module):
    def __init__(self, width, epsilon=1e-6):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.epsilon = epsilon

    def forward(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.epsilon) * self.weight


def rotated(x, positions, base=10000.0):
    half = x.shape[-1] // 2
    frequencies = base ** (-torch.arange(0, half, dtype=torch.float32) / half)
    angles = positions[:, None].float() * frequencies
    cosine, sine = torch.cat([angles.cos()] * 2, -1), torch.cat([angles.sin()] * 2, -1)
    return x * cosine + torch.cat([-x[..., half:], x[..., :half]], -1) * sine


class Attention(nn.Module):
    def __init__(self, width, heads, bias=True, rotary=False):
        super().__init__()
        self.heads, self.rotary = heads, rotary
        self.query, self.key, self.value, self.output = (nn.Linear(width, width, bias) for _ in range(4))

    def split(self, x):
        return x.view(-1, self.heads, x.shape[-1] // self.heads).transpose(0, 1)

    def keys_and_values(self, memory):
        return self.split(self.key(memory)), self.split(self.value(memory))

    # past: keys and values of the tokens before x; memory: those of the encoder, which are all there are.
    def forward(self, x, past=None, memory=None, causal=False):
        query = self.split(self.query(x))
        if memory is not None:
            key, value = memory
        else:
            key, value = self.keys_and_values(x)
            before = past[0].shape[1] if past is not None else 0
            if self.rotary:
                positions = torch.arange(before, before + x.shape[0])
                query, key = rotated(query, positions), rotated(key, positions)
            if past is not None:
                key, value = torch.cat([past[0], key], 1), torch.cat([past[1], value], 1)
        scores = query @ key.transpose(1, 2) / math.sqrt(query.shape[-1])
        if causal:
            columns = torch.arange(key.shape[1])
            rows = columns[key.shape[1] - x.shape[0]:]
            scores = scores.masked_fill(columns[None, :] > rows[:, None], -1e9)
        weights = scores.softmax(-1)
        context = (weights @ value).transpose(0, 1).reshape(x.shape[0], -1)
        return self.output(context), (key, value)


class Layer(nn.Module):
    def __init__(self, width, heads, inner, activation, before=False, bias=True, gated=False, rotary=False,
                 cross=False, norm=nn.LayerNorm):
        super().__init__()
        self.own = Attention(width, heads, bias, rotary)
        self.own_norm = norm(width)
        self.cross = Attention(width, heads) if cross else None
        self.cross_norm = norm(width) if cross else None
        self.first, self.second = nn.Linear(width, inner, bias), nn.Linear(inner, width, bias)
        self.gate = nn.Linear(width, inner, bias) if gated else None
        self.norm = norm(width)
        self.activation, self.before = activation, before

    def feed_forward(self, x):
        if self.gate is not None:
            return self.second(self.activation(self.gate(x)) * self.first(x))
        return self.second(self.activation(self.first(x)))

    def around(self, x, norm, block):
        return x + block(norm(x)) if self.before else norm(x + block(x))

    def forward(self, x, past=None, memory=None, causal=False):
        kept = []

        def own(y):
            result, state = self.own(y, past, causal=causal)
            kept.extend(state)
            return result
        x = self.around(x, self.own_norm, own)
        if self.cross is not None:
            x = self.around(x, self.cross_norm, lambda y: self.cross(y, memory=memory)[0])
        return self.around(x, self.norm, self.feed_forward), tuple(kept)


def pairs(state):
    return list(zip(state[0::2], state[1::2]))


class Bert(nn.Module):
    def __init__(self, config):
        super().__init__()
        width = config["hidden_size"]
        self.words = nn.Embedding(config["vocab_size"], width)
        self.positions = nn.Embedding(config["max_position_embeddings"], width)
        self.segments = nn.Embedding(2, width)
        self.norm = nn.LayerNorm(width)
        self.layers = nn.ModuleList(Layer(width, config["num_attention_heads"], config["intermediate_size"], F.gelu)
                                    for _ in range(config["num_hidden_layers"]))

    def forward(self, ids):
        positions = torch.arange(ids.shape[0])
        x = self.norm(self.words(ids) + self.positions(positions) + self.segments(torch.zeros_like(ids)))
        for layer in self.layers:
            x, _ = layer(x)
        return x, ()


class Decoder(nn.Module):
    def __init__(self, words, layers, norm, output, positions=None):
        super().__init__()
        self.words, self.layers, self.norm, self.positions = words, nn.ModuleList(layers), norm, positions
        self.output = output

    def empty(self):
        attention = self.layers[0].own
        none = torch.zeros(attention.heads, 0, attention.query.in_features // attention.heads)
        return (none,) * (2 * len(self.layers))

    def forward(self, ids, *state):
        x = self.words(ids)
        if self.positions is not None:
            before = state[0].shape[1]
            x = x + self.positions(torch.arange(before, before + ids.shape[0]))
        kept = ()
        for layer, past in zip(self.layers, pairs(state)):
            x, own = layer(x, past, causal=True)
            kept += own
        return F.linear(self.norm(x), self.output), kept


def gelu_new(x):
    return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x.pow(3))))


def gpt2(config):
    width = config["n_embd"]
    words = nn.Embedding(config["vocab_size"], width)
    layers = [Layer(width, config["n_head"], config["n_inner"], gelu_new, before=True)
              for _ in range(config["n_layer"])]
    return Decoder(words, layers, nn.LayerNorm(width), words.weight, nn.Embedding(config["n_positions"], width))


def llama(config):
    width = config["hidden_size"]
    words = nn.Embedding(config["vocab_size"], width)
    layers = [Layer(width, config["num_attention_heads"], config["intermediate_size"], F.silu, before=True, bias=False,
                    gated=True, rotary=True, norm=RmsNorm) for _ in range(config["num_hidden_layers"])]
    return Decoder(words, layers, RmsNorm(width), nn.Parameter(0.02 * torch.randn(config["vocab_size"], width)))


class MarianTables(nn.Module):
    def __init__(self, config):
        super().__init__()
        width = config["d_model"]
        self.words = nn.Embedding(config["vocab_size"], width)
        self.bias = nn.Parameter(torch.zeros(config["vocab_size"]))
        angles = torch.arange(config["max_position_embeddings"])[:, None] \
            * 10000.0 ** (-torch.arange(0, width, 2) / width)
        self.register_buffer("positions", torch.cat([angles.sin(), angles.cos()], -1))
        self.scale = math.sqrt(width)

    def forward(self, ids, before=0):
        return self.words(ids) * self.scale + self.positions[before:before + ids.shape[0]]


def marian_layer(config, side, cross):
    return Layer(config["d_model"], config[side + "_attention_heads"], config[side + "_ffn_dim"], F.relu, cross=cross)


class MarianStep(nn.Module):
    def __init__(self, config, tables):
        super().__init__()
        self.tables = tables
        self.layers = nn.ModuleList(marian_layer(config, "decoder", True) for _ in range(config["decoder_layers"]))

    # state: keys and values of each layer, then the encoder's of each layer.
    def forward(self, ids, *state):
        count = 2 * len(self.layers)
        own, memory = state[:count], state[count:]
        x = self.tables(ids, own[0].shape[1])
        kept = ()
        for layer, past, of_encoder in zip(self.layers, pairs(own), pairs(memory)):
            x, now = layer(x, past, of_encoder, causal=True)
            kept += now
        return F.linear(x[-1:], self.tables.words.weight, self.tables.bias), kept


class MarianBegin(nn.Module):
    def __init__(self, config, tables, step):
        super().__init__()
        self.tables = tables
        self.layers = nn.ModuleList(marian_layer(config, "encoder", False) for _ in range(config["encoder_layers"]))
        self.cross = nn.ModuleList(layer.cross for layer in step.layers)

    def forward(self, ids):
        x = self.tables(ids)
        for layer in self.layers:
            x, _ = layer(x)
        memory = ()
        for cross in self.cross:
            memory += cross.keys_and_values(x)
        none = memory[0][:, :0]
        return x, (none,) * len(memory) + memory


def marian(config):
    tables = MarianTables(config)
    step = MarianStep(config, tables)
    return MarianBegin(config, tables, step), step


class RnnBegin(nn.Module):
    def __init__(self, config):
        super().__init__()
        hidden = config["encoder"]["hidden_size"]
        self.words = nn.Embedding(config["source_vocab_size"], config["embedding_size"])
        self.rnn = nn.GRU(config["embedding_size"], hidden, bidirectional=True)
        self.initial = nn.Linear(hidden, config["decoder"]["hidden_size"])
        self.key = nn.Linear(2 * hidden, config["attention"]["size"])
        self.hidden = hidden

    def forward(self, ids):
        annotations = self.rnn(self.words(ids)[:, None])[0][:, 0]
        state = torch.tanh(self.initial(annotations[:1, self.hidden:]))
        return annotations, (state, annotations, self.key(annotations))


class RnnStep(nn.Module):
    def __init__(self, config):
        super().__init__()
        hidden, embedding = config["decoder"]["hidden_size"], config["embedding_size"]
        context = 2 * config["encoder"]["hidden_size"]
        self.words = nn.Embedding(config["target_vocab_size"], embedding)
        self.query = nn.Linear(hidden, config["attention"]["size"], bias=False)
        self.v = nn.Linear(config["attention"]["size"], 1, bias=False)
        self.rnn = nn.GRU(embedding + context, hidden)
        self.joint = nn.Linear(hidden + context + embedding, 2 * config["decoder"]["output_size"])
        self.output = nn.Linear(config["decoder"]["output_size"], config["target_vocab_size"])

    def forward(self, ids, state, annotations, keys):
        weights = self.v(torch.tanh(keys + self.query(state))).softmax(0)
        context = weights.t() @ annotations
        word = self.words(ids)
        state = self.rnn(torch.cat([word, context], -1)[None], state[None])[1][0]
        joint = self.joint(torch.cat([state, context, word], -1))
        return self.output(joint.view(1, -1, 2).max(-1)[0]), (state,)


def make(config):
    """(begin, step, state of a decoder-only model before anything was read)"""
    torch.manual_seed(1)
    kind = config["model_type"]
    if kind == "bert":
        found = Bert(config), None, ()
    elif kind in ("gpt2", "llama"):
        model = (gpt2 if kind == "gpt2" else llama)(config)
        found = model, model, model.empty()
    elif kind == "marian":
        found = *marian(config), ()
    else:
        found = RnnBegin(config), RnnStep(config), ()
    for part in found[:2]:
        if part is not None:
            part.eval()
            for parameter in part.parameters():
                if parameter.dim() > 1:
                    nn.init.normal_(parameter, std=0.02)
    return found
