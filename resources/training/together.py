# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Trains several models at once on one GPU, which each of them alone leaves half idle, then exports them. Arguments
that it does not know go to train.py. A training that is not done when the minutes and a little more are over is
stopped at its checkpoint and exported as it is; the same command goes on with it."""
import argparse
import os
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
START = 90  # seconds that reading the data and the last validation may take


def command(script, *arguments):
    return [sys.executable, "-u", os.path.join(HERE, script), *arguments]


def last_lines(path, count=2):
    with open(path, encoding="utf-8", errors="replace") as file:
        return "".join("    " + line[:150].rstrip("\n") + "\n" for line in file.readlines()[-count:])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="+", help="models, as for train.py; NAME=N: a budget of N passes of its own")
    parser.add_argument("--minutes", type=float, required=True, help="budget of each training, all starts together")
    parser.add_argument("--work", default="build/training")
    parser.add_argument("--models", required=True, help="folder for the exported directories")
    parser.add_argument("--threads", default="2", help="CPU threads of each process")
    options, others = parser.parse_known_args()
    passes = {name: ["--passes", own] if own else [] for name, _, own in (n.partition("=") for n in options.names)}
    environment = os.environ | {"OMP_NUM_THREADS": options.threads,
                                "PYTORCH_CUDA_ALLOC_CONF": "expandable_segments:True"}
    logs = {name: os.path.join(options.work, name + ".log") for name in passes}
    trainings = {}
    for name, own in passes.items():
        with open(logs[name], "a", encoding="utf-8") as log:
            trainings[name] = subprocess.Popen(
                command("train.py", name, "--work", options.work, "--minutes", str(options.minutes), *others, *own),
                stdout=log, stderr=log, env=environment)
    began = told = time.monotonic()
    while any(process.poll() is None for process in trainings.values()):
        time.sleep(0.5)
        now = time.monotonic()
        if now - told > 60:
            told = now
            print("".join(f"{name}\n{last_lines(logs[name])}" for name in passes), flush=True)
        if now - began > 60 * options.minutes + START:
            for process in trainings.values():
                process.terminate()
            began = now  # once is enough, unless a process hangs
    exports = [subprocess.Popen(command("export.py", name, "--work", options.work, "--models", options.models),
                                env=environment) for name in passes
               if os.path.exists(os.path.join(options.work, name + ".pt"))]
    failed = [name for name, process in trainings.items() if process.returncode]
    for name in passes:
        print(f"{name}: exit {trainings[name].returncode}\n{last_lines(logs[name], 6)}", flush=True)
    if any([process.wait() for process in exports]) or failed:
        raise SystemExit(f"not all is well: {', '.join(failed) or 'an export failed'}")


if __name__ == "__main__":
    main()
