# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a shape in PyTorch: CONFIG TOKENS STEPS RUNS THREADS. Prints milliseconds as JSON."""
import json
import sys
import time

import torch

import models


def main():
    config = json.loads(sys.argv[1])
    tokens, steps, runs, threads = map(int, sys.argv[2:])
    torch.set_num_threads(threads)
    begin, step, empty = models.make(config)
    ids = torch.randint(config.get("vocab_size") or config["source_vocab_size"], (tokens,))
    times = {"run_ms": [], "input_ms": [], "step_ms": []}
    with torch.inference_mode():
        for run in range(runs + 1):
            started = time.perf_counter()
            marks = []
            out, state = begin(ids, *empty)
            marks.append(time.perf_counter())
            for i in range(steps if step is not None else 0):
                token = out[-1].argmax().view(1) if i > 0 or empty else torch.zeros(1, dtype=torch.long)
                out, changed = step(token, *state)
                state = changed + state[len(changed):]
                marks.append(time.perf_counter())
            if run > 0:  # the first makes what is kept
                times["run_ms"].append(1e3 * (marks[-1] - started))
                times["input_ms"].append(1e3 * (marks[0] - started))
                times["step_ms"] += [1e3 * (b - a) for a, b in zip(marks, marks[1:])]
    print(json.dumps(times))


main()
