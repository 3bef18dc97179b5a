# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Averages the weights of runs that went on from one checkpoint with different --order, into another work folder."""
import argparse
import os
import shutil

import torch

from train import save


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name")
    parser.add_argument("works", nargs="+", help="work folders of the runs")
    parser.add_argument("--out", required=True, help="work folder to write")
    options = parser.parse_args()
    runs = [torch.load(os.path.join(work, options.name + ".pt"), map_location="cpu") for work in options.works]
    result = dict(runs[0], score=None)
    for part in ("model", "average"):
        result[part] = {name: sum(run[part][name] for run in runs) / len(runs) for name in runs[0][part]}
    os.makedirs(options.out, exist_ok=True)
    save(os.path.join(options.out, options.name + ".pt"), result)
    shutil.copyfile(os.path.join(options.works[0], "tokenizer.model"), os.path.join(options.out, "tokenizer.model"))


if __name__ == "__main__":
    main()
