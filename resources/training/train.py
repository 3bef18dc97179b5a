# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Trains one of the bundled models. Started again, it goes on at its last checkpoint."""
import argparse
import os

import torch

from data import CORPORA
from loop import run
from luong import Luong
from questions import Questions
from recurrent import Recurrent
from scenes import Captions, DecoderCaptions, Pictograms, TaughtCaptions
from speech import Digits
from tasks import Causal, Masked, Translation
from transformer import Transformer
from vision import VisionGpt, caption_tokens

TASKS = {"transformer-en-fr": lambda o: Translation(o, Transformer),
         "rnnsearch-en-fr": lambda o: Translation(o, lambda size: Recurrent(size, attention=True)),
         "rnn-no-attention-en-fr": lambda o: Translation(o, lambda size: Recurrent(size, attention=False)),
         "luong-general-en-fr": lambda o: Translation(o, Luong),
         "luong-local-p-en-fr": lambda o: Translation(o, lambda size: Luong(size, window=4)),
         "bert-small-en": Masked,
         "gpt-small-en": Causal,
         "pictograms": Pictograms,  # the captioner's start, not bundled
         "captioner-decoder": DecoderCaptions,  # goes on with the pictograms' encoder; the captioner's start
         "captioner-scenes": Captions,
         "vit-gpt2-scenes": lambda o: TaughtCaptions(o, VisionGpt, caption_tokens),
         "whisper-digits": Digits,
         "question-pooling-en": lambda o: Questions(o, "pooling"),
         "question-structured-en": lambda o: Questions(o, "structured", hops=4),
         "question-hierarchical-en": lambda o: Questions(o, "hierarchical")}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", choices=TASKS)
    parser.add_argument("--work", default="build/training", help="prepared data and checkpoints")
    parser.add_argument("--data", help="the classifiers' Tatoeba folder with train, validation and test .tsv.xz")
    parser.add_argument("--minutes", type=float, default=0, help="time budget, all starts together; 0: none")
    parser.add_argument("--passes", type=float, default=0, help="passes over the data as a budget; 0: none")
    parser.add_argument("--tokens", type=int, default=3500, help="target tokens a batch, padding counted")
    parser.add_argument("--accumulate", type=int, default=1, help="batches an update")
    parser.add_argument("--repeats", type=int, nargs=len(CORPORA), default=[2, 1],
                        help=f"how often a pass goes through {' and '.join(CORPORA)}")
    parser.add_argument("--lr", type=float, default=2e-3, help="peak learning rate")
    parser.add_argument("--warmup", type=int, default=300, help="updates")
    parser.add_argument("--report", type=int, default=50, help="updates between two lines and points of the loss curve")
    parser.add_argument("--validate", type=float, default=30, help="minutes between validations")
    parser.add_argument("--held", type=int, default=100, help="validation sentences of a corpus that are translated")
    parser.add_argument("--save", type=float, default=5, help="minutes between checkpoints")
    parser.add_argument("--dropout", type=float, help="instead of the model's own; 0 where the budget is a pass or two")
    parser.add_argument("--start", help="an exported directory of this model, which a new run goes on with, or of "
                        "another one, or a checkpoint, of which it takes the tensors of the same name and shape")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--no-muon", action="store_true")
    parser.add_argument("--f32", action="store_true", help="no bf16 autocast; the default where the CPU lacks it")
    options = parser.parse_args()
    if not options.minutes and not options.passes:
        parser.error("give a budget: --minutes, --passes or both")
    if options.name.startswith("question") and not options.data:
        parser.error("a classifier needs --data")
    options.device = "cuda" if torch.cuda.is_available() else "cpu"
    options.f32 = options.f32 or options.device == "cpu" and not quick_bf16()
    return options


def quick_bf16():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        flags = file.read()
    return "avx512_bf16" in flags or "amx_bf16" in flags


def main():
    options = arguments()
    os.makedirs(options.work, exist_ok=True)
    torch.manual_seed(options.seed)
    torch.set_float32_matmul_precision("high")
    run(TASKS[options.name](options), options)


if __name__ == "__main__":
    main()
