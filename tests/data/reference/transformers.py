# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a Transformer checkpoint forced, greedily and with a beam, with edits or without. With folders as arguments it recomputes their cases and
prints the largest differences; without, it writes the cases of transformer_cases.py.

Nothing is cached: every step of decoding is a pass over the whole text."""
import json
import math
import os
import struct
import sys

import numpy as np
import torch

from edits import Edits
from families import DECODERS, ENCODERS, PAIRS
from layers import Weights


def maps_of(w, kind):
    return {**{f"{stage}_attentions": torch.stack(maps) for stage, maps in w.maps.items() if maps},
            **{f"{stage}_scores": torch.stack(scores) for stage, scores in w.scores.items() if scores}}


class Model:
    """One checkpoint: float32 tensors and its configuration."""

    def __init__(self, config, tensors, edits=Edits()):
        self.config, self.tensors, self.kind, self.edits = config, tensors, config["model_type"], edits
        self.margin = math.inf
        end = config.get("eos_token_id")
        self.ends = set(end if isinstance(end, list) else [end])
        self.never = [t[0] for t in config.get("bad_words_ids", []) if len(t) == 1]

    def start(self):
        for name in ("decoder_start_token_id", "bos_token_id", "pad_token_id"):
            if self.config.get(name) is not None:
                return self.config[name]

    def read(self, source, target=None, segments=None):
        """All arrays of a forced run."""
        source = self.edits.source(source)
        w, ids = Weights(self.tensors, self.edits), torch.tensor(source)
        found = {"source_ids": np.array(source)}
        if self.kind in ENCODERS:
            given = None if segments is None else torch.tensor(segments)
            hidden, logits = ENCODERS[self.kind](w, self.config, ids, given)
            if segments is not None:
                found["source_segments"] = np.array(segments)
        elif self.kind in DECODERS:
            hidden, logits = DECODERS[self.kind](w, self.config, ids)
            logs = logits.log_softmax(-1)[torch.arange(len(ids) - 1), ids[1:]]
            found["logprobs"] = torch.cat([torch.tensor([math.nan]), logs])
        else:
            model = PAIRS[self.kind](w, self.config)
            memory = model.encode(ids)
            inputs = torch.tensor([self.start()] + list(target[:-1]))
            hidden, logits = model.decode(memory[-1], inputs)
            found["target_ids"] = np.array(target)
            found["logprobs"] = logits.log_softmax(-1)[torch.arange(len(target)), torch.tensor(target)]
            found["encoder_hidden_states"] = torch.stack(memory)
        found["hidden_states"] = torch.stack(hidden)
        if logits is not None:
            found["logits"] = logits
        found.update(maps_of(w, self.kind))
        return found

    def next_logs(self, source, produced):
        """Log-probabilities of what follows."""
        source = self.edits.source(source)
        if self.kind in DECODERS:
            logits = DECODERS[self.kind](Weights(self.tensors, self.edits), self.config, torch.tensor(source + produced))[1]
        else:
            model = PAIRS[self.kind](Weights(self.tensors, self.edits), self.config)
            memory = model.encode(torch.tensor(source))[-1]
            logits = model.decode(memory, torch.tensor([self.start()] + produced))[1]
        logs = logits[-1].log_softmax(-1)
        logs[self.never] = -math.inf
        return logs

    def greedy(self, source, length):
        produced, logs = [], []
        while len(produced) < length and not (produced and produced[-1] in self.ends):
            row = self.next_logs(source, produced)
            best = row.topk(2)[0]
            self.margin = min(self.margin, float(best[0] - best[1]))
            produced.append(int(row.argmax()))
            logs.append(float(row.max()))
        return produced, logs

    def beam(self, source, width, length):
        live, finished = [([], [], 0.0)], []
        for step in range(length):
            everything = []
            for tokens, logs, total in live:
                row = self.next_logs(source, tokens)
                values, ids = row.topk(2 * width)
                everything += [(tokens + [int(t)], logs + [float(v)], total + float(v)) for v, t in zip(values, ids)]
            everything.sort(key=lambda entry: -entry[2])
            live = []
            for rank, entry in enumerate(everything):
                if len(live) == width:
                    self.margin = min(self.margin, everything[rank - 1][2] - entry[2])
                    break
                if entry[0][-1] not in self.ends:
                    live.append(entry)
                elif rank < width:
                    finished.append(entry)
            finished.sort(key=lambda entry: -entry[2] / len(entry[0]))
            if len(finished) >= width and live[0][2] / len(live[0][0]) <= finished[width - 1][2] / len(finished[width - 1][0]):
                live = []
                break
        return max(finished + live, key=lambda entry: entry[2] / len(entry[0]))


def load(folder):
    with open(os.path.join(folder, "config.json"), encoding="utf-8") as file:
        config = json.load(file)
    with open(os.path.join(folder, "model.safetensors"), "rb") as file:
        size, = struct.unpack("<Q", file.read(8))
        header, data = json.loads(file.read(size)), file.read()
    tensors = {}
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        blob = data[slice(*entry["data_offsets"])]
        if entry["dtype"] == "BF16":
            values = (np.frombuffer(blob, "<u2").astype("<u4") << 16).view("<f4")
        else:
            values = np.frombuffer(blob, {"F32": "<f4", "F16": "<f2"}[entry["dtype"]]).astype("<f4")
        tensors[name] = torch.from_numpy(values.reshape(entry["shape"]).copy())
    return Model(config, tensors)


def largest(found, expected):
    found, expected = np.asarray(found, dtype=np.float64), np.asarray(expected, dtype=np.float64)
    same = (found == expected) | (np.isnan(found) & np.isnan(expected))
    with np.errstate(invalid="ignore"):
        return float(np.where(same, 0, np.abs(found - expected)).max())


def verify(folder):
    model, expected = load(folder), np.load(os.path.join(folder, "expected.npz"))
    source = expected["source_ids"].tolist()
    target = expected["target_ids"].tolist() if "target_ids" in expected else None
    found = model.read(source, target)
    worst = {name: largest(value, expected[name]) for name, value in found.items()}
    problems = {name: value for name, value in worst.items() if not value < 1e-5}
    for name in ("greedy", "beam4"):
        key = f"{name}_target_ids" if f"{name}_target_ids" in expected else f"{name}_source_ids"
        if key not in expected:
            continue
        ids = expected[key].tolist()
        given = ids[len(source):] if key.endswith("source_ids") else ids
        got = model.greedy(source, len(given))[0] if name == "greedy" else model.beam(source, 4, 12)[0]
        if got != given:
            problems[key] = got
    print(os.path.basename(folder), "differs" if problems else "agrees", problems or max(worst.values()))


if __name__ == "__main__":
    torch.set_grad_enabled(False)
    if len(sys.argv) > 1:
        for path in sys.argv[1:]:
            verify(path)
    else:
        import transformer_cases
        transformer_cases.write()
