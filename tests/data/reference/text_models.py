# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Cases of the models that read a text into one vector, computed in float64 from their equations."""
import numpy as np
import torch
from torch import nn

from case_files import write_case

INF = float("inf")
LABELS = {"0": "no", "1": "yes", "2": "perhaps"}


class Weights:
    """Random weights by name, drawn once and rounded to float32."""

    def __init__(self, seed):
        self.generator = torch.Generator().manual_seed(seed)
        self.all = {}

    def draw(self, name, *shape, scale=0.6):
        value = (torch.randn(*shape, generator=self.generator, dtype=torch.float64) * scale).float().double()
        self.all[name] = value
        return value

    def linear(self, name, outputs, inputs, bias=True, scale=0.6):
        weight = self.draw(name + ".weight", outputs, inputs, scale=scale)
        offset = self.draw(name + ".bias", outputs) if bias else torch.zeros(outputs, dtype=torch.float64)
        return lambda x: x @ weight.T + offset

    def reader(self, prefix, cell, inputs, hidden, layers=1, bidirectional=True):
        module = (nn.LSTM if cell == "lstm" else nn.GRU)(inputs, hidden, layers, bidirectional=bidirectional).double()
        state = {name: self.draw(prefix + name, *value.shape) for name, value in module.named_parameters()}
        module.load_state_dict(state)
        return lambda x: module(x.unsqueeze(1))[0].squeeze(1)


def settings(model_type, vocabulary, embedding, cell, hidden, attention, layers=1, bidirectional=True, **more):
    return {"model_type": model_type, "vocab_size": vocabulary, "embedding_size": embedding,
            "encoder": {"cell": cell, "layers": layers, "hidden_size": hidden, "bidirectional": bidirectional},
            "attention": attention, "id2label": LABELS, "pad_token_id": 0, "unk_token_id": 1, "bos_token_id": 2,
            "eos_token_id": 3, **more}


def finish(name, what, config, weights, ids, expected, width=None, vector=None):
    if vector is not None:
        expected["class_logits"] = weights.linear("classifier", len(LABELS), width, scale=1)(vector)
        expected["class_names"] = np.array(list(LABELS.values()))
    arguments = ["--source-ids", ",".join(map(str, ids)), "--logits", "--hidden", "--scores"]
    expected = {key: value.detach().numpy() if torch.is_tensor(value) else value for key, value in expected.items()}
    write_case(name, what, "encoder", config, weights.all, {"forced": arguments},
               {"source_ids": np.array(ids, dtype=np.int64), **expected})
    rows = expected.get("summary_attentions", expected.get("encoder_attentions"))
    print(name, "largest weights", np.round(rows.max(-1), 2).reshape(-1)[:8])


def pooling(name, what, seed, ids, cell, score, layers=1, bidirectional=True, hidden=12, embedding=10, size=9):
    weights = Weights(seed)
    width = hidden * (2 if bidirectional else 1)
    config = settings("attention_pooling", 60, embedding, cell, hidden,
                      {"score": "dot"} if score == "dot" else {"size": size}, layers, bidirectional)
    table = weights.draw("embedding.weight", 60, embedding, scale=1)
    states = weights.reader("encoder.rnn.", cell, embedding, hidden, layers, bidirectional)(table[ids])
    if score == "dot":
        scores = weights.linear("attention.v", 1, width, False, 1.5)(states)[:, 0]
    else:
        key = weights.linear("attention.key", size, width)
        scores = weights.linear("attention.v", 1, size, False, 1.2)(torch.tanh(key(states)))[:, 0]
    share = scores.softmax(0)
    finish(name, what, config, weights, ids,
           {"summary_attentions": share[None], "summary_scores": scores[None], "hidden_states": states[None]}, width,
           share @ states)


def structured(name, what, seed, ids, hops=4, hidden=11, embedding=10, size=8):
    weights = Weights(seed)
    config = settings("structured_self_attention", 60, embedding, "lstm", hidden, {"size": size, "hops": hops})
    table = weights.draw("embedding.weight", 60, embedding, scale=1)
    states = weights.reader("encoder.rnn.", "lstm", embedding, hidden)(table[ids])
    first = weights.linear("attention.w1", size, 2 * hidden, False)
    second = weights.linear("attention.w2", hops, size, False, 1.2)
    scores = second(torch.tanh(first(states))).T
    share = scores.softmax(1)
    finish(name, what, config, weights, ids,
           {"summary_attentions": share, "summary_scores": scores, "hidden_states": states[None]}, hops * 2 * hidden,
           (share @ states).flatten())


def lstmn(name, what, seed, ids, layers, kind, hidden=10, embedding=9, size=8):
    weights = Weights(seed)
    config = settings("lstmn", 60, embedding, "lstm", hidden, {"size": size}, layers, False, pooling=kind)
    table = weights.draw("embedding.weight", 60, embedding, scale=1)
    x, maps, befores, states = table[ids], [], [], []
    n = len(ids)
    for layer in range(layers):
        inputs = x.shape[1]
        w_ih = weights.draw(f"encoder.rnn.weight_ih_l{layer}", 4 * hidden, inputs)
        w_hh = weights.draw(f"encoder.rnn.weight_hh_l{layer}", 4 * hidden, hidden)
        b_ih = weights.draw(f"encoder.rnn.bias_ih_l{layer}", 4 * hidden)
        b_hh = weights.draw(f"encoder.rnn.bias_hh_l{layer}", 4 * hidden)
        key = weights.linear(f"attention.{layer}.key", size, hidden, scale=1)
        of_input = weights.linear(f"attention.{layer}.input", size, inputs, False)
        of_summary = weights.linear(f"attention.{layer}.summary", size, hidden, False)
        v = weights.linear(f"attention.{layer}.v", 1, size, False, 2)
        share = torch.zeros(n, n, dtype=torch.float64)
        before = torch.full((n, n), -INF, dtype=torch.float64)
        past_h, past_c = [], []
        summary_h = torch.zeros(hidden, dtype=torch.float64)
        summary_c = torch.zeros(hidden, dtype=torch.float64)
        for t in range(n):
            if t:
                h = torch.stack(past_h)
                scores = v(torch.tanh(key(h) + of_input(x[t]) + of_summary(summary_h)))[:, 0]
                before[t, :t], share[t, :t] = scores, scores.softmax(0)
                summary_h, summary_c = share[t, :t] @ h, share[t, :t] @ torch.stack(past_c)
            i, f, g, o = (w_ih @ x[t] + b_ih + w_hh @ summary_h + b_hh).chunk(4)
            past_c.append(torch.sigmoid(f) * summary_c + torch.sigmoid(i) * torch.tanh(g))
            past_h.append(torch.sigmoid(o) * torch.tanh(past_c[-1]))
        x = torch.stack(past_h)
        maps.append(share[None])
        befores.append(before[None])
        states.append(x)
    vector = x.mean(0) if kind == "mean" else x[-1]
    finish(name, what, config, weights, ids,
           {"encoder_attentions": torch.stack(maps), "encoder_scores": torch.stack(befores),
            "hidden_states": torch.stack(states)}, hidden, vector)


def hierarchical(name, what, seed, ids, cell, hidden=9, embedding=8, size=7):
    weights = Weights(seed)
    config = settings("hierarchical_attention", 60, embedding, cell, hidden, {"size": size})
    table = weights.draw("embedding.weight", 60, embedding, scale=1)
    levels = {}
    for level, inputs in (("word", embedding), ("sentence", 2 * hidden)):
        levels[level] = (weights.reader(level + ".rnn.", cell, inputs, hidden),
                         weights.linear(level + ".attention.key", size, 2 * hidden),
                         weights.linear(level + ".attention.v", 1, size, False, 1.5))
    groups, current = [], []
    for place, token in enumerate(ids):
        current.append(place)
        if token == 3:
            groups.append(current)
            current = []
    groups += [current] if current else []
    n = len(ids)
    share = torch.zeros(len(groups), n, dtype=torch.float64)
    before = torch.full((len(groups), n), -INF, dtype=torch.float64)
    read, key, v = levels["word"]
    states, vectors = [], []
    for row, places in enumerate(groups):
        own = read(table[[ids[place] for place in places]])
        scores = v(torch.tanh(key(own)))[:, 0]
        before[row, places], share[row, places] = scores, scores.softmax(0)
        states.append(own)
        vectors.append(share[row, places] @ own)
    read, key, v = levels["sentence"]
    upper = read(torch.stack(vectors))
    scores = v(torch.tanh(key(upper)))[:, 0]
    finish(name, what, config, weights, ids,
           {"summary_attentions": share, "summary_scores": before, "sentence_attentions": scores.softmax(0),
            "sentence_scores": scores, "hidden_states": torch.cat(states)[None]}, 2 * hidden,
           scores.softmax(0) @ upper)


if __name__ == "__main__":
    pooling("text-pooling-lstm", "bidirectional LSTM, one learned query, additive", 1,
            [14, 27, 5, 41, 33, 58, 9, 22, 3], "lstm", "additive")
    pooling("text-pooling-gru-dot", "two layers of a one-way GRU, one learned query, dot", 2,
            [50, 8, 19, 44, 6, 31, 12, 3], "gru", "dot", layers=2, bidirectional=False)
    structured("text-structured", "bidirectional LSTM, four hops", 3, [11, 29, 4, 55, 37, 20, 16, 48, 7, 3])
    lstmn("text-lstmn-2layers", "two layers, mean of the states", 4, [21, 45, 13, 8, 39, 52, 30, 3], 2, "mean")
    lstmn("text-lstmn-last", "one layer, last state", 5, [17, 33, 54, 6, 28, 10, 3], 1, "last")
    hierarchical("text-hierarchical-gru", "GRU, three sentences, the last without an end token", 6,
                 [12, 40, 7, 3, 25, 31, 18, 9, 3, 53, 22], "gru")
    hierarchical("text-hierarchical-lstm", "LSTM, a sentence of one token among four", 7,
                 [44, 3, 15, 36, 3, 3, 27, 58, 11, 3], "lstm")
