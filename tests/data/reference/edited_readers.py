# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the models that read a text into one vector, in float64, with edits: (arrays, class logits)."""
import torch

from edits import INF, softmax
from recurrent import layers_of


class Reader:
    def __init__(self, config, tensors, edits):
        self.c, self.edits = config, edits
        self.t = {name: value.double() for name, value in tensors.items()}

    def linear(self, x, name):
        y = x @ self.t[name + ".weight"].T
        return y + self.t[name + ".bias"] if name + ".bias" in self.t else y

    def states(self, prefix, x):
        encoder = self.c["encoder"]
        for layer in layers_of(self.t, prefix, encoder["cell"], encoder["layers"], encoder["bidirectional"]):
            x = layer(x[:, None])[0][:, 0]
        return x

    def attend(self, layer, scores):
        """scores: [rows, columns]."""
        scores = self.edits.hide("encoder", layer, scores[None])
        weights = self.edits.change("encoder", layer, softmax(scores), scores)
        return weights[0], scores[0]

    def read(self, ids):
        x = self.t["embedding.weight"][torch.tensor(ids)]
        vector, found = getattr(self, self.c["model_type"])(x, ids)
        return {**found, "class_logits": self.linear(vector, "classifier")}

    def attention_pooling(self, x, _):
        states = self.states("encoder.rnn.", x)
        inner = torch.tanh(self.linear(states, "attention.key")) if self.c["attention"].get("score") != "dot" else states
        weights, scores = self.attend(0, self.linear(inner, "attention.v").T)
        return (weights @ states)[0], {"summary_attentions": weights, "summary_scores": scores}

    def structured_self_attention(self, x, _):
        states = self.states("encoder.rnn.", x)
        inner = torch.tanh(self.linear(states, "attention.w1"))
        weights, scores = self.attend(0, self.linear(inner, "attention.w2").T)
        return (weights @ states).flatten(), {"summary_attentions": weights, "summary_scores": scores}

    def lstmn(self, x, ids):
        maps, befores, n, hidden = [], [], len(ids), self.c["encoder"]["hidden_size"]
        for layer in range(self.c["encoder"]["layers"]):
            w = {name: self.t[f"encoder.rnn.{name}_l{layer}"] for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")}
            share = torch.zeros(n, n, dtype=torch.float64)
            before = torch.full((n, n), -INF, dtype=torch.float64)
            h, c, above = [], [], torch.zeros(hidden, dtype=torch.float64)
            memory = torch.zeros(hidden, dtype=torch.float64)
            for t in range(n):
                if t:
                    p = f"attention.{layer}."
                    inner = self.linear(torch.stack(h), p + "key") + self.linear(x[t], p + "input") \
                        + self.linear(above, p + "summary")
                    scores = self.linear(torch.tanh(inner), p + "v").T
                    scores = self.edits.hide("encoder", layer, scores[None], t)
                    weights = self.edits.change("encoder", layer, softmax(scores), scores, t)[0, 0]
                    before[t, :t], share[t, :t] = scores[0, 0], weights
                    above, memory = weights @ torch.stack(h), weights @ torch.stack(c)
                i, f, g, o = (w["weight_ih"] @ x[t] + w["bias_ih"] + w["weight_hh"] @ above + w["bias_hh"]).chunk(4)
                c.append(torch.sigmoid(f) * memory + torch.sigmoid(i) * torch.tanh(g))
                h.append(torch.sigmoid(o) * torch.tanh(c[-1]))
            x = torch.stack(h)
            maps.append(share[None])
            befores.append(before[None])
        vector = x.mean(0) if self.c.get("pooling", "mean") == "mean" else x[-1]
        return vector, {"encoder_attentions": torch.stack(maps), "encoder_scores": torch.stack(befores)}

    def hierarchical_attention(self, x, ids):
        groups = [[]]
        for place, token in enumerate(ids):
            groups[-1].append(place)
            if token == self.c["eos_token_id"]:
                groups.append([])
        groups = [group for group in groups if group]
        states = torch.cat([self.states("word.rnn.", x[group]) for group in groups])
        own = self.linear(torch.tanh(self.linear(states, "word.attention.key")), "word.attention.v")[:, 0]
        scores = torch.full((len(groups), len(ids)), -INF, dtype=torch.float64)
        for row, group in enumerate(groups):
            scores[row, group] = own[group]
        words, word_scores = self.attend(0, scores)
        upper = self.states("sentence.rnn.", words @ states)
        scores = self.linear(torch.tanh(self.linear(upper, "sentence.attention.key")), "sentence.attention.v").T
        sentences, sentence_scores = self.attend(1, scores)
        return (sentences @ upper)[0], {"summary_attentions": words, "summary_scores": word_scores,
                                        "sentence_attentions": sentences[0], "sentence_scores": sentence_scores[0]}
