# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Cases of intra-temporal and intra-decoder attention (Paulus et al. 2017), computed in float64 as the paper writes
them: exponentials and quotients, not logarithms. The margins of the decoded tokens are printed."""
import numpy as np
import torch
from torch import nn

from case_files import write_case
from text_models import Weights

INF = float("inf")
BOS, EOS = 2, 3


class Model:
    def __init__(self, seed, style, cell, score, hidden, layers, temporal, intra, feeding, output, source=50, target=45,
                 embedding=9, size=8, features=10):
        w = self.weights = Weights(seed)
        self.style, self.temporal, self.intra, self.feeding, self.kind = style, temporal, intra, feeding, output
        self.lstm, self.additive, self.features = cell == "lstm", score == "additive", features
        wide = 2 * hidden
        decoder = self.decoder = wide if self.lstm else 2 * hidden - 3
        self.config = {
            "model_type": "rnn_encoder_decoder", "source_vocab_size": source, "target_vocab_size": target,
            "embedding_size": embedding,
            "encoder": {"cell": cell, "layers": 1, "hidden_size": hidden, "bidirectional": True},
            "decoder": {"cell": cell, "layers": layers, "hidden_size": decoder, "initial_state": "mean", "style": style,
                        "input_feeding": feeding, "output": output, "output_size": features,
                        "intra_attention": intra},
            "attention": {"score": score, "size": size, "scope": "global", "mode": "soft", "temporal": temporal},
            "tie_output": False, "source_eos": True, "pad_token_id": 0, "unk_token_id": 1, "bos_token_id": BOS,
            "eos_token_id": EOS}
        self.source = w.draw("encoder.embedding.weight", source, embedding, scale=1)
        self.target = w.draw("decoder.embedding.weight", target, embedding, scale=1)
        self.read = w.reader("encoder.rnn.", cell, embedding, hidden)
        first = embedding + (features if feeding else 0) + (wide if style == "bahdanau" else 0)
        self.cells = []
        for layer in range(layers):
            module = (nn.LSTMCell if self.lstm else nn.GRUCell)(first if layer == 0 else decoder, decoder).double()
            module.load_state_dict({name: w.draw(f"decoder.rnn.{name}_l{layer}", *value.shape)
                                    for name, value in module.named_parameters()})
            self.cells.append(module)
        self.initial = w.linear("decoder.initial", decoder * layers, wide)
        if self.lstm:
            self.initial_cell = w.linear("decoder.initial_cell", decoder * layers, wide)
        if self.additive:
            self.query = w.linear("attention.query", size, decoder, False)
            self.key = w.linear("attention.key", size, wide)
            self.v = w.linear("attention.v", 1, size, False, 1.5)
        else:
            self.general = w.draw("attention.general.weight", decoder, wide, scale=3)
        if intra:
            self.own = w.draw("decoder.intra.weight", decoder, decoder, scale=1.5)
        joint = decoder + wide + (0 if output == "attentional" else embedding) + (decoder if intra else 0)
        self.hidden_layer = w.linear("decoder.output_hidden", features, joint, scale=0.8)
        self.output = w.linear("decoder.output", target, features, scale=1.4)

    def begin(self, ids):
        self.annotations = self.read(self.source[ids])
        z = self.annotations.mean(0)
        layers = len(self.cells)
        hidden = torch.tanh(self.initial(z)).view(layers, -1)
        cell = torch.tanh(self.initial_cell(z)).view(layers, -1) if self.lstm else hidden
        return {"hidden": list(hidden), "cell": list(cell), "sums": None, "past": [],
                "fed": torch.zeros(self.features, dtype=torch.float64)}

    def attend(self, query, sums):
        """Weights, what enters the softmax, and the sums of exponentials with this step's."""
        if self.additive:
            scores = self.v(torch.tanh(self.query(query) + self.key(self.annotations)))[:, 0]
        else:
            scores = self.annotations @ (self.general.T @ query)
        exponents = scores.exp()
        discounted = exponents / sums if self.temporal and sums is not None else exponents
        return discounted / discounted.sum(), discounted.log(), exponents if sums is None else sums + exponents

    def step(self, state, token):
        new = {key: list(value) if isinstance(value, list) else value for key, value in state.items()}
        y = self.target[token]

        def advance(x):
            for layer, cell in enumerate(self.cells):
                if self.lstm:
                    found = cell(x[None], (new["hidden"][layer][None], new["cell"][layer][None]))
                    new["hidden"][layer], new["cell"][layer] = found[0][0], found[1][0]
                else:
                    new["hidden"][layer] = cell(x[None], new["hidden"][layer][None])[0]
                x = new["hidden"][layer]

        if self.style == "bahdanau":
            weights, scores, new["sums"] = self.attend(new["hidden"][-1], state["sums"])
            advance(torch.cat([y, weights @ self.annotations]))
        else:
            advance(torch.cat([y, state["fed"]]) if self.feeding else y)
            weights, scores, new["sums"] = self.attend(new["hidden"][-1], state["sums"])
        s, context = new["hidden"][-1], weights @ self.annotations
        parts = [context, s] if self.kind == "attentional" else [s, context, y]
        own, own_scores = torch.zeros(0, dtype=torch.float64), torch.zeros(0, dtype=torch.float64)
        if self.intra:
            if state["past"]:
                past = torch.stack(state["past"])
                own_scores = past @ self.own.T @ s
                own = own_scores.softmax(0)
                parts.append(own @ past)
            else:
                parts.append(torch.zeros_like(s))
            new["past"].append(s)
        new["fed"] = torch.tanh(self.hidden_layer(torch.cat(parts)))
        found = {"cross": weights, "cross_scores": scores, "own": own, "own_scores": own_scores,
                 "hidden": torch.stack(new["hidden"])}
        return new, self.output(new["fed"]), found


def forced(model, ids, target):
    state, steps, logits = model.begin(ids), [], []
    for token in [BOS, *target[:-1]]:
        state, row, found = model.step(state, token)
        steps.append(found)
        logits.append(row)
    logits = torch.stack(logits)
    count = len(target)
    expected = {"cross_attentions": torch.stack([s["cross"] for s in steps])[None, None],
                "cross_scores": torch.stack([s["cross_scores"] for s in steps])[None, None],
                "logits": logits, "logprobs": logits.log_softmax(1)[torch.arange(count), target],
                "hidden_states": torch.stack([s["hidden"] for s in steps], 1),
                "encoder_hidden_states": model.annotations[None]}
    if model.intra:
        weights = torch.zeros(count, count, dtype=torch.float64)
        scores = torch.full((count, count), -INF, dtype=torch.float64)
        for i, s in enumerate(steps):
            weights[i, :i], scores[i, :i] = s["own"], s["own_scores"]
        expected |= {"decoder_attentions": weights[None, None], "decoder_scores": scores[None, None]}
    return expected


def beam(model, ids, width, limit):
    """(ids, log-probabilities, smallest margin between what was kept and what was not)."""
    live = [([], [], model.begin(ids))]
    finished, margin = [], INF
    for length in range(1, limit + 1):
        options = []
        for tokens, logs, state in live:
            new, logits, _ = model.step(state, tokens[-1] if tokens else BOS)
            options += [(sum(logs) + float(p), tokens + [token], logs + [float(p)], new)
                        for token, p in enumerate(logits.log_softmax(0))]
        options.sort(key=lambda option: -option[0])
        live = []
        for rank, (_, tokens, logs, state) in enumerate(options):
            if tokens[-1] != EOS:
                live.append((tokens, logs, state))
            elif rank < width:
                finished.append((tokens, logs))
            if len(live) == width:
                margin = min(margin, options[rank][0] - options[rank + 1][0])
                break
        finished.sort(key=lambda one: -sum(one[1]) / len(one[1]))
        if len(finished) >= width and sum(live[0][1]) / length <= sum(finished[width - 1][1]) / len(finished[width - 1][1]):
            break
    else:
        finished += [(tokens, logs) for tokens, logs, _ in live]
    means = sorted((sum(logs) / len(logs) for _, logs in finished), reverse=True)
    margin = min([margin, *(means[0] - mean for mean in means[1:2])])
    return (*max(finished, key=lambda one: sum(one[1]) / len(one[1])), margin)


def greedy(model, ids, limit):
    state, tokens, logs, margin = model.begin(ids), [], [], INF
    while len(tokens) < limit and (not tokens or tokens[-1] != EOS):
        state, logits, _ = model.step(state, tokens[-1] if tokens else BOS)
        best = logits.log_softmax(0).topk(2)
        tokens.append(int(best.indices[0]))
        logs.append(float(best.values[0]))
        margin = min(margin, float(best.values[0] - best.values[1]))
    return tokens, logs, margin


def case(name, what, ids, target, limit, **settings):
    model = Model(**settings)
    listed = lambda numbers: ",".join(map(str, numbers))
    everything = ["--logits", "--hidden", "--scores"]
    runs = {"forced": ["--source-ids", listed(ids), "--target-ids", listed(target), *everything]}
    expected = {key: value.detach().numpy() for key, value in forced(model, ids, target).items()}
    expected |= {"source_ids": np.array(ids, dtype=np.int64), "target_ids": np.array(target, dtype=np.int64)}
    for run, option, found in (("greedy", "greedy", greedy(model, ids, limit)),
                               ("beam4", "beam:4", beam(model, ids, 4, limit))):
        tokens, logs, margin = found
        runs[run] = ["--source-ids", listed(ids), "--decode", option, "--max-length", str(limit), *everything]
        expected |= {run + "_target_ids": np.array(tokens, dtype=np.int64), run + "_logprobs": np.array(logs)}
        print(name, run, tokens, f"margin {margin:.4f}")
        assert margin > 2e-3, "a decoded token hangs on rounding: take another seed"
    expected["beam4_score"] = np.mean(expected["beam4_logprobs"])
    write_case(name, what, "encoder-decoder", model.config, model.weights.all, runs, expected)


if __name__ == "__main__":
    source = [14, 27, 5, 41, 33, 8, 19, 3]
    target = [12, 30, 7, 12, 41, 9, 30, 3]
    case("rnn-paulus-lstm", "intra-temporal and intra-decoder attention, general, input feeding, LSTM, two layers", source,
         target, 10, seed=4, style="luong", cell="lstm", score="general", hidden=7, layers=2, temporal=True, intra=True,
         feeding=True, output="attentional")
    case("rnn-temporal-bahdanau", "intra-temporal attention, additive, GRU", source, target, 10, seed=2,
         style="bahdanau", cell="gru", score="additive", hidden=8, layers=1, temporal=True, intra=False, feeding=False,
         output="tanh")
    case("rnn-intra-bahdanau", "intra-decoder attention, additive, GRU", source, target, 10, seed=5, style="bahdanau",
         cell="gru", score="additive", hidden=8, layers=1, temporal=False, intra=True, feeding=False, output="tanh")
