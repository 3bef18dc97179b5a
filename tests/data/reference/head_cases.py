# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What each head of the models of some cases does, and what becomes of the forced output without each head and each
source token, written to tests/data/heads.json. Every weight is looked at by itself, and every output is computed anew
from the whole text."""
import json
import math
import os

import numpy as np
import torch

import transformers
from edited_cases import OTHER_MAPS, READERS, SENTENCE_MAP, Case
from edited_readers import Reader
from edits import INF, Edits
from families import DECODERS, ENCODERS
from recurrent import Recurrent

OUTPUT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "heads.json")
NAMED = ("bos", "eos", "pad", "cls", "sep", "decoder_start", "forced_bos", "forced_eos")
RUNS = [("marian-relu", []), ("marian-relu", ["encoder:1:0=zero", "cross:0:1:*:2=hide", "source:1=token:9"]),
        ("t5-relu", []), ("bart-plain", []), ("bert-mlm", []), ("gpt2-plain", []), ("mistral-window", ["decoder:0:1=uniform"]),
        ("rnn-bahdanau-gru", []), ("rnn-luong-local-p", []), ("rnn-intra-bahdanau", []), ("text-pooling-lstm", []),
        ("text-structured", []), ("text-hierarchical-gru", []), ("text-lstmn-2layers", [])]


class Computation:
    """One run of a case: maps {(stage, layer): (weights, scores)}, log-probabilities [places, vocabulary], tokens."""

    def __init__(self, case, specs):
        kind = case.kind
        edits = Edits(specs, () if kind in DECODERS else OTHER_MAPS + SENTENCE_MAP * (kind == READERS[-1]))
        self.source, self.maps = edits.source(case.source), {}
        if kind in READERS:
            found = Reader(case.config, case.tensors, edits).read(self.source)
            self.logs, self.tokens = found["class_logits"].log_softmax(-1)[None], None
            if "encoder_attentions" in found:
                self.keep("encoder", found["encoder_attentions"], found["encoder_scores"])
            else:
                self.maps["encoder", 0] = found["summary_attentions"][None], found["summary_scores"][None]
            if "sentence_attentions" in found:
                self.maps["encoder", 1] = found["sentence_attentions"][None, None], found["sentence_scores"][None, None]
            return
        if kind == "rnn_encoder_decoder":
            model, rows = Recurrent(case.config, case.tensors, edits), []
            found, state = model.forced(case.source, case.target), model.begin(self.source)
            for token in [case.config["bos_token_id"], *case.target[:-1]]:
                state, row, _ = model.step(state, token)
                rows.append(row)
            self.logs, self.tokens = torch.stack(rows), case.target
        else:
            found = transformers.Model(case.config, case.tensors, edits).read(case.source, case.target)
            self.logs, self.tokens = found["logits"].log_softmax(-1), case.target
            if kind in DECODERS:
                self.logs, self.tokens = self.logs[:-1], self.source[1:]
            elif kind in ENCODERS:
                self.tokens = self.source
        for stage in ("encoder", "decoder", "cross"):
            if f"{stage}_attentions" in found:
                self.keep(stage, found[f"{stage}_attentions"], found[f"{stage}_scores"])

    def keep(self, stage, weights, scores):
        for layer, pair in enumerate(zip(weights, scores)):
            self.maps[stage, layer] = pair


def special_ids(config):
    ids = set()
    for name in NAMED:
        value = config.get(name + "_token_id")
        ids |= set(value if isinstance(value, list) else [] if value is None else [value])
    return ids


def columns_of(case, run, stage, layer):
    """The special columns."""
    named = special_ids(case.config)
    if stage == "decoder" and case.kind not in DECODERS:
        return [0] + [place + 1 for place, token in enumerate(case.target[:-1]) if token in named]
    if (stage, layer) == ("encoder", 1) and case.kind == READERS[-1]:
        return []
    return [place for place, token in enumerate(run.source) if token in named]


def describe(case, run, stage, layer, head):
    weights, scores = (np.asarray(part[head], dtype=np.float64) for part in run.maps[stage, layer])
    special = columns_of(case, run, stage, layer)
    tokens = stage != "cross" and (case.kind not in READERS or case.kind == "lstmn")
    names = ["entropy", "evenness", "largest", *(["distance", "previous", "self", "next"] if tokens else []), "first", "special"]
    sums, count = dict.fromkeys(names, 0.0), 0
    for row, line in enumerate(weights):
        if not line.any():
            continue
        count += 1
        entropy = -sum(w * math.log(w) for w in line if w > 0)
        keys = int((scores[row] != -INF).sum())
        sums["entropy"] += entropy
        sums["evenness"] += entropy / math.log(keys) if keys > 1 else 1
        sums["largest"] += line.max()
        sums["first"] += line[0]
        sums["special"] += sum(line[column] for column in special)
        if tokens:
            sums["distance"] += sum(w * abs(row - column) for column, w in enumerate(line))
            for name, column in (("previous", row - 1), ("self", row), ("next", row + 1)):
                sums[name] += line[column] if 0 <= column < len(line) else 0
    found = {"stage": stage, "layer": layer, "head": head, "rows": count}
    found |= {name: value / count if count else None for name, value in sums.items()}
    return found if tokens else found | dict.fromkeys(("distance", "previous", "self", "next"))


def change(before, after):
    p, q = before.logs.double(), after.logs.double()
    tokens = [int(p[0].argmax())] if before.tokens is None else before.tokens
    divergence = torch.where(p > -INF, p.exp() * (p - q), torch.zeros_like(p)).sum(-1).mean()
    return {"kl": float(divergence), "delta_logprob": float(sum(q[i, t] - p[i, t] for i, t in enumerate(tokens)))}


def write():
    listed = []
    for name, specs in RUNS:
        case = Case(name, {})
        run = Computation(case, specs)
        heads = []
        for (stage, layer), (weights, _) in sorted(run.maps.items(), key=lambda one: (("encoder", "decoder", "cross").index(one[0][0]), one[0][1])):
            for head in range(len(weights)):
                without = Computation(case, specs + [f"{stage}:{layer}:{head}=zero"])
                heads.append(describe(case, run, stage, layer, head) | change(run, without))
        tokens = [change(run, Computation(case, specs + [f"source:{place}=hide"])) for place in range(len(run.source))]
        listed.append({"case": name, "edits": specs, "heads": heads, "tokens": tokens})
        print(name, specs, "kl", max(head["kl"] for head in heads), max(token["kl"] for token in tokens))
    with open(OUTPUT, "w", encoding="utf-8") as file:
        file.write("[\n " + ",\n ".join(json.dumps(one) for one in listed) + "\n]\n")


if __name__ == "__main__":
    torch.set_grad_enabled(False)
    write()
