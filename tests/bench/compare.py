#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The shapes of `attnscope bench model` beside PyTorch and ONNX Runtime: one table of ratios.

The three take turns, a few runs each time, so that what else the machine does falls on all of them. A ratio is the
other's median by AttnScope's: above 1, AttnScope is faster. resources/documentation/benchmarks.md says how to get what
this needs.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SHAPES = ["bert-base", "bert-large", "gpt2", "gpt2-medium", "transformer-base", "llama-160m", "rnnsearch-1000"]
MEDIAN_OF = 9 # runs, at least
TIMINGS = {"run_ms": "warm run", "input_ms": "prompt or source", "step_ms": "a step"}


def output_of(command):
    paths = [str(HERE), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(paths))
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=environment).stdout)


def python(script, *arguments):
    return [sys.executable, str(HERE / script), *arguments]


def add(times, found):
    for timing in TIMINGS:
        times.setdefault(timing, []).extend(found.get(timing, []))


def compared(shape, options, folder):
    """Program -> timing -> milliseconds of each run."""
    numbers = [str(options.tokens), str(options.steps), str(options.runs), str(options.threads)]
    ours = [options.attnscope, "bench", "model", shape, "--json", "--tokens", numbers[0], "--steps", numbers[1],
            "--runs", numbers[2], "--threads", "0" if options.busy else numbers[3], "--capture", options.capture,
            "--precision", options.precision]
    times = {"AttnScope": {}, "PyTorch": {}, "ONNX Runtime": {}}
    for turn in range(options.turns):
        found = output_of(ours)
        config = json.dumps(found["config"])
        add(times["AttnScope"], {timing: found[timing]["values"] for timing in TIMINGS if timing in found})
        add(times["PyTorch"], output_of(python("torch_run.py", config, *numbers)))
        if not options.onnx:
            continue
        if turn == 0:
            subprocess.run(python("onnx_export.py", config, folder), check=True, stdout=subprocess.DEVNULL)
        add(times["ONNX Runtime"], output_of(["node", str(HERE / "onnx_run.mjs"), options.onnx, folder, *numbers]))
    return times


def row(shape, timing, times):
    ours = times["AttnScope"][timing]
    low, own, high = statistics.quantiles(ours, n=4)
    cells = f"{shape:<18}{TIMINGS[timing]:<18}" + f"{own:.2f} ms ({low:.2f} - {high:.2f})".rjust(32)
    for other in ("PyTorch", "ONNX Runtime"):
        values = times[other].get(timing)
        if not values:
            cells += f"{'-':>22}"
            continue
        low, middle, high = statistics.quantiles(values, n=4)
        cells += f"{middle / own:>8.2f} ({low / own:.2f} - {high / own:.2f})".rjust(22)
    return cells


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shapes", nargs="*", default=SHAPES, metavar="SHAPE")
    parser.add_argument("--tokens", type=int, default=128)
    parser.add_argument("--steps", type=int, default=32)
    parser.add_argument("--turns", type=int, default=3, help="how often each of them runs")
    parser.add_argument("--runs", type=int, default=3, help="in each turn")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--busy", action="store_true",
                        help="beside another program that needs one core; AttnScope chooses how many threads it uses")
    parser.add_argument("--capture", default="weights", choices=["none", "weights", "all"], help="of AttnScope")
    parser.add_argument("--attnscope", default=str(ROOT / "build/release/app/attnscope"), metavar="PROGRAM")
    parser.add_argument("--onnx", metavar="FOLDER", help="where npm put onnxruntime-node; without: PyTorch alone")
    parser.add_argument("--precision", default="f32", choices=["f32", "bf16"], help="of AttnScope")
    options = parser.parse_args()
    if options.turns * options.runs < MEDIAN_OF:
        parser.error(f"--turns times --runs must be at least {MEDIAN_OF}")
    taken = ", one core taken" if options.busy else ""
    print(f"{options.tokens} tokens, {options.steps} steps, {options.threads} threads{taken}, "
          f"{options.turns} x {options.runs} runs; medians with quartiles, ratios above 1: AttnScope is faster")
    print(f"{'shape':<18}{'':<18}{'AttnScope':>32}{'PyTorch':>22}{'ONNX Runtime':>22}")
    busy = subprocess.Popen([sys.executable, "-c", "while True: pass"]) if options.busy else None
    try:
        for shape in options.shapes:
            with tempfile.TemporaryDirectory(prefix="attnscope-onnx-") as folder:
                times = compared(shape, options, folder)
            for timing in TIMINGS:
                if times["AttnScope"].get(timing):
                    print(row(shape, timing, times), flush=True)
    finally:
        if busy:
            busy.kill()
            busy.wait()


main()
