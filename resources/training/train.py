# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Trains one of the bundled models."""
import argparse
import os

import torch

from loop import run
from luong import Luong
from questions import Questions
from recurrent import Recurrent
from tasks import Causal, Masked, Translation
from transformer import Transformer

TASKS = {"transformer-en-fr": lambda o: Translation(o, Transformer),
         "rnnsearch-en-fr": lambda o: Translation(o, lambda size: Recurrent(size, attention=True)),
         "rnn-no-attention-en-fr": lambda o: Translation(o, lambda size: Recurrent(size, attention=False)),
         "luong-general-en-fr": lambda o: Translation(o, Luong),
         "luong-local-p-en-fr": lambda o: Translation(o, lambda size: Luong(size, window=4)),
         "bert-small-en": Masked,
         "gpt-small-en": Causal,
         "question-pooling-en": lambda o: Questions(o, "pooling"),
         "question-structured-en": lambda o: Questions(o, "structured", hops=4),
         "question-hierarchical-en": lambda o: Questions(o, "hierarchical")}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", choices=TASKS)
    parser.add_argument("--data", required=True, help="folder with train, validation and test .tsv.xz")
    parser.add_argument("--work", default="build/training", help="texts and checkpoints; training resumes from here")
    parser.add_argument("--minutes", type=float, default=180, help="time budget, all starts together")
    parser.add_argument("--tokens", type=int, default=3500, help="target tokens a batch, padding counted")
    parser.add_argument("--vocabulary", type=int, default=8000)
    parser.add_argument("--lr", type=float, default=2e-3, help="peak learning rate")
    parser.add_argument("--validate", type=float, default=8, help="minutes between validations")
    parser.add_argument("--start", help="checkpoint of another model; a new run takes its tensors of the same shape")
    parser.add_argument("--warmup", type=int, default=300)
    parser.add_argument("--no-muon", action="store_true")
    parser.add_argument("--f32", action="store_true", help="no bf16 autocast")
    options = parser.parse_args()
    options.device = "cuda" if torch.cuda.is_available() else "cpu"
    return options


def main():
    options = arguments()
    os.makedirs(options.work, exist_ok=True)
    torch.manual_seed(1)
    run(TASKS[options.name](options), options)


if __name__ == "__main__":
    main()
