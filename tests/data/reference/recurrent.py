# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a recurrent encoder-decoder, in float64 and step by step, as resources/documentation/formats.md writes its
equations."""
import math

import torch
from torch import nn

from edits import INF, Edits, softmax


def layers_of(tensors, prefix, cell, count, bidirectional):
    """PyTorch's layers, one module each, with their weights."""
    found = []
    for layer in range(count):
        names = {name: tensors[f"{prefix}{name}_l{layer}{side}"] for side in (("", "_reverse") if bidirectional else ("",))
                 for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")}
        inputs, hidden = names["weight_ih"].shape[1], names["weight_hh"].shape[1]
        module = (nn.LSTM if cell == "lstm" else nn.GRU)(inputs, hidden, 1, bidirectional=bidirectional).double()
        module.load_state_dict({f"{name}_l0{side}": tensors[f"{prefix}{name}_l{layer}{side}"]
                                for side in (("", "_reverse") if bidirectional else ("",)) for name in names})
        found.append(module)
    return found


class Recurrent:
    def __init__(self, config, tensors, edits=Edits()):
        self.c, self.t, self.edits = config, {name: value.double() for name, value in tensors.items()}, edits
        self.attention, self.d = config["attention"], config["decoder"]
        self.lstm = self.d["cell"] == "lstm"
        encoder = config["encoder"]
        self.encoder = layers_of(self.t, "encoder.rnn.", encoder["cell"], encoder["layers"], encoder["bidirectional"])
        self.decoder = layers_of(self.t, "decoder.rnn.", self.d["cell"], self.d["layers"], False)

    def linear(self, x, name):
        y = x @ self.t[name + ".weight"].T
        return y + self.t[name + ".bias"] if name + ".bias" in self.t else y

    def begin(self, ids):
        x, finals = self.t["encoder.embedding.weight"][torch.tensor(ids)], []
        for layer in self.encoder:
            x, last = layer(x[:, None])
            x = x[:, 0]
            finals.append([part[:, 0].reshape(-1) for part in (last if isinstance(last, tuple) else (last,))])
        self.annotations, kind = x, self.d["initial_state"]
        hidden = self.c["encoder"]["hidden_size"]
        self.z = {"first_backward": lambda: x[0, hidden:], "mean": lambda: x.mean(0)}.get(kind, lambda: finals[-1][0])()
        if kind == "copy":
            states = finals
        else:
            parts = [torch.tanh(self.linear(self.z, "decoder.initial"))]
            if self.lstm:
                parts.append(torch.tanh(self.linear(self.z, "decoder.initial_cell")))
            states = list(zip(*(part.view(self.d["layers"], -1) for part in parts)))
        return {"states": [tuple(state) for state in states], "sums": None, "past": [], "step": 0,
                "fed": torch.zeros(self.d["output_size"], dtype=torch.float64)}

    def score(self, q):
        h, kind = self.annotations, self.attention["score"]
        if kind in ("additive", "concat"):
            inner = torch.tanh(self.linear(q, "attention.query") + self.linear(h, "attention.key"))
            return self.linear(inner, "attention.v")[:, 0]
        if kind == "general":
            return (h @ self.t["attention.general.weight"].T) @ q
        if kind == "low_rank":
            return (h @ self.t["attention.w.weight"].T) @ (self.t["attention.u.weight"] @ q)
        return h @ q / (math.sqrt(len(q)) if kind == "scaled_dot" else 1)

    def read(self, state, new):
        """The context of one step, and its weights and scores."""
        if self.attention["score"] == "none":
            return self.z, None, None
        q, step, count = new["states"][-1][0], state["step"], len(self.annotations)
        scores, scope, window = self.score(q), self.attention["scope"], self.attention.get("window", 0)
        if self.attention.get("temporal"):
            exponents = scores.exp()
            if state["sums"] is not None:
                scores = (exponents / state["sums"]).log()
            new["sums"] = exponents if state["sums"] is None else state["sums"] + exponents
        place, keys = None, torch.arange(count)
        if scope == "local_m":
            place = min(step, count - 1)
        elif scope == "local_p":
            inner = torch.tanh(self.t["attention.position.weight"] @ q)
            place = (count - 1) * torch.sigmoid(self.t["attention.position_v.weight"] @ inner)[0]
        if place is not None:
            scores = scores.masked_fill((keys - torch.as_tensor(place).round()).abs() > window, -INF)
        scores = self.edits.hide("cross", 0, scores[None, None], step)
        weights = softmax(scores)
        if scope == "local_p":
            weights = weights * torch.exp(-(keys - place) ** 2 / (2 * (window / 2) ** 2))
        if self.attention["mode"] == "hard" and weights.max() > 0:
            weights = torch.zeros_like(weights).index_fill(-1, weights.argmax(-1)[0], 1.0)
        weights = self.edits.change("cross", 0, weights, scores, step)[0, 0]
        return weights @ self.annotations, weights, scores[0, 0]

    def recall(self, s, new):
        """Intra-decoder attention."""
        weights, scores, context = torch.zeros(0), torch.zeros(0), torch.zeros_like(s)
        if new["past"]:
            past = torch.stack(new["past"])
            scores = past @ self.t["decoder.intra.weight"].T @ s
            scores = self.edits.hide("decoder", 0, scores[None, None], len(past))
            weights = self.edits.change("decoder", 0, softmax(scores), scores, len(past))[0, 0]
            scores, context = scores[0, 0], weights @ past
        new["past"] = new["past"] + [s]
        return context, weights, scores

    def advance(self, new, x):
        for number, layer in enumerate(self.decoder):
            state = tuple(part[None, None] for part in new["states"][number])
            out, last = layer(x[None, None], state if self.lstm else state[0])
            new["states"][number] = tuple(part[0, 0] for part in (last if self.lstm else (last,)))
            x = out[0, 0]

    def step(self, state, token):
        new = {**state, "states": list(state["states"]), "step": state["step"] + 1}
        y = self.t["decoder.embedding.weight"][token]
        if self.d["style"] == "bahdanau":
            context, weights, scores = self.read(state, new)
            self.advance(new, torch.cat([y, context]))
        else:
            self.advance(new, torch.cat([y, state["fed"]]) if self.d["input_feeding"] else y)
            context, weights, scores = self.read(state, new)
        s, found = new["states"][-1][0], {"cross": weights, "cross_scores": scores}
        parts = [context, s] if self.d["output"] == "attentional" else [s, context, y]
        if self.d.get("intra_attention"):
            own, found["own"], found["own_scores"] = self.recall(s, new)
            parts.append(own)
        features = self.linear(torch.cat(parts), "decoder.output_hidden")
        features = features.view(-1, 2).max(1)[0] if self.d["output"] == "maxout" else torch.tanh(features)
        new["fed"] = features
        table = self.t["decoder.embedding.weight"] if self.c["tie_output"] else self.t["decoder.output.weight"]
        return new, (table @ features + self.t["decoder.output.bias"]).log_softmax(0), found

    def forced(self, ids, target):
        """Attention and log-probabilities of a given output."""
        state, steps, logs = self.begin(self.edits.source(ids)), [], []
        for before, token in zip([self.c["bos_token_id"], *target], target):
            state, row, found = self.step(state, before)
            steps.append(found)
            logs.append(float(row[token]))
        found, count = {"logprobs": logs}, len(target)
        if steps[0]["cross"] is not None:
            found["cross_attentions"] = torch.stack([one["cross"] for one in steps])[None, None]
            found["cross_scores"] = torch.stack([one["cross_scores"] for one in steps])[None, None]
        if self.d.get("intra_attention"):
            weights = torch.zeros(count, count, dtype=torch.float64)
            scores = torch.full((count, count), -INF, dtype=torch.float64)
            for row, one in enumerate(steps):
                weights[row, :row], scores[row, :row] = one["own"], one["own_scores"]
            found |= {"decoder_attentions": weights[None, None], "decoder_scores": scores[None, None]}
        return found

    def search(self, ids, width, limit):
        """Beam search, with width 1 greedy: (ids, log-probabilities, the smallest margin of a decision)."""
        end = self.c["eos_token_id"]
        live, finished, margin = [([], [], self.begin(self.edits.source(ids)))], [], INF
        mean = lambda logs: sum(logs) / len(logs)
        for length in range(1, limit + 1):
            options = []
            for tokens, logs, state in live:
                new, row, _ = self.step(state, tokens[-1] if tokens else self.c["bos_token_id"])
                options += [(sum(logs) + float(p), tokens + [token], logs + [float(p)], new) for token, p in enumerate(row)]
            options.sort(key=lambda option: -option[0])
            live = []
            for rank, (_, tokens, logs, state) in enumerate(options):
                if tokens[-1] != end:
                    live.append((tokens, logs, state))
                elif rank < width:
                    finished.append((tokens, logs))
                    if width == 1:
                        return tokens, logs, min(margin, options[0][0] - options[1][0])
                if len(live) == width:
                    margin = min(margin, options[rank][0] - options[rank + 1][0])
                    break
            finished.sort(key=lambda one: -mean(one[1]))
            if width > 1 and len(finished) >= width and mean(live[0][1]) <= mean(finished[width - 1][1]):
                break
        else:
            finished += [(tokens, logs) for tokens, logs, _ in live]
        finished.sort(key=lambda one: -mean(one[1]))
        if len(finished) > 1:
            margin = min(margin, mean(finished[0][1]) - mean(finished[1][1]))
        return (*finished[0], margin)
