# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Trains one of the bundled models. The learning rate follows the time budget, so a run always ends decayed; it goes
on where it was when started again with the same name and --work."""
import argparse
import copy
import math
import os
import time

import torch

from bleu import bleu
from data import BOS, EOS, PAD, batches, encode, pad, read_pairs, vocabulary
from decode import greedy
from muon import Muon
from ops import smoothed_loss
from recurrent import Recurrent
from transformer import Transformer

MODELS = {"transformer-en-fr": lambda size: Transformer(size),
          "rnnsearch-en-fr": lambda size: Recurrent(size, attention=True),
          "rnn-no-attention-en-fr": lambda size: Recurrent(size, attention=False)}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", choices=MODELS)
    parser.add_argument("--data", required=True, help="folder with train, validation and test .tsv.xz")
    parser.add_argument("--work", default="build/training", help="checkpoints; training resumes from here")
    parser.add_argument("--minutes", type=float, default=180, help="time budget, all starts together")
    parser.add_argument("--tokens", type=int, default=3500, help="target tokens a batch, padding counted")
    parser.add_argument("--vocabulary", type=int, default=8000)
    parser.add_argument("--lr", type=float, default=0.0, help="peak learning rate; default by model")
    parser.add_argument("--validate", type=float, default=8, help="minutes between validations")
    parser.add_argument("--start", help="checkpoint of another model; a new run takes its tensors of the same shape")
    parser.add_argument("--warmup", type=int, default=300)
    parser.add_argument("--no-muon", action="store_true")
    parser.add_argument("--f32", action="store_true", help="no bf16 autocast")
    return parser.parse_args()


def optimizers(model, options):
    matrices, others = [], []
    for name, parameter in model.named_parameters():
        inner = parameter.dim() == 2 and not any(part in name for part in ("shared", "source", "target", "logits", "v."))
        (matrices if inner and not options.no_muon else others).append(parameter)
    found = [torch.optim.Adam(others, lr=options.lr, betas=(0.9, 0.98), eps=1e-9)]
    if matrices:
        found.append(Muon(matrices, lr=options.lr))
    return found


class Average:
    """Exponential moving average of the weights: what is validated and exported."""

    def __init__(self, model):
        self.model = copy.deepcopy(model).eval()
        self.count = 0

    @torch.no_grad()
    def update(self, model):
        self.count += 1
        keep = min(0.999, (1 + self.count) / (10 + self.count))
        for mine, theirs in zip(self.model.parameters(), model.parameters()):
            mine.lerp_(theirs, 1 - keep)


def save(path, state):
    torch.save(state, path + ".new")
    os.replace(path + ".new", path)


def main():
    options = arguments()
    os.makedirs(options.work, exist_ok=True)
    if not options.lr:
        options.lr = 2e-3
    device = "cuda" if torch.cuda.is_available() else "cpu"
    processor = vocabulary(options.data, options.work, options.vocabulary)
    examples = encode(processor, read_pairs(os.path.join(options.data, "train.tsv.xz")))
    validation = read_pairs(os.path.join(options.data, "validation.tsv.xz"))
    validation_ids = [s for s, _ in encode(processor, validation, longest=10 ** 6)]
    torch.manual_seed(1)
    model = MODELS[options.name](processor.get_piece_size()).to(device)
    if options.start:
        mine, theirs = model.state_dict(), torch.load(options.start, map_location=device)["average"]
        model.load_state_dict({name: theirs[name] if name in theirs and theirs[name].shape == value.shape else value
                               for name, value in mine.items()})
    average, steppers = Average(model), optimizers(model, options)
    state = {"step": 0, "epoch": 0, "batch": 0, "seconds": 0.0, "tokens": 0}
    path = os.path.join(options.work, options.name + ".pt")
    if os.path.exists(path):
        saved = torch.load(path, map_location=device)
        model.load_state_dict(saved["model"])
        average.model.load_state_dict(saved["average"])
        average.count = saved["state"]["step"]
        for stepper, values in zip(steppers, saved["optimizers"]):
            stepper.load_state_dict(values)
        state = saved["state"]
        print(f"resumed at step {state['step']}, {state['seconds'] / 60:.1f} minutes in", flush=True)
    print(f"{sum(p.numel() for p in model.parameters()):,} parameters, {len(examples)} pairs", flush=True)
    budget = options.minutes * 60
    began = time.time() - state["seconds"]
    validated, reported = state["seconds"], state["seconds"]
    recent_loss = recent_tokens = 0.0

    def checkpoint(score=None):
        save(path, {"model": model.state_dict(), "average": average.model.state_dict(), "state": state,
                    "optimizers": [s.state_dict() for s in steppers], "settings": model.settings, "score": score})

    def validate():
        guesses = processor.decode(greedy(average.model.cpu(), validation_ids))
        average.model.to(device)
        score = bleu(guesses, [french for _, french in validation])
        print(f"step {state['step']} validation BLEU {score:.2f} (greedy)   {validation[7][0]} -> {guesses[7]}", flush=True)
        checkpoint(score)

    model.train()
    while state["seconds"] < budget:
        plan = batches(examples, options.tokens, state["epoch"])
        while state["batch"] < len(plan) and state["seconds"] < budget:
            rows = [examples[i] for i in plan[state["batch"]]]
            source = pad([s for s, _ in rows]).to(device)
            target = pad([t for _, t in rows]).to(device)
            inputs = torch.cat([torch.full((len(rows), 1), BOS, device=device), target[:, :-1]], 1)
            keep = target != PAD
            with torch.autocast(device, dtype=torch.bfloat16, enabled=not options.f32):
                logits = model(source, inputs, keep)
            loss, exact = smoothed_loss(logits, target[keep])
            for stepper in steppers:
                stepper.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            done = state["seconds"] / budget
            rate = options.lr * min((state["step"] + 1) / options.warmup, 1.0) * max(0.01, min(1.0, 1.15 * (1 - done)))
            for stepper in steppers:
                for group in stepper.param_groups:
                    group["lr"] = rate
                stepper.step()
            average.update(model)
            count = int(keep.sum())
            recent_loss += float(exact.detach()) * count
            recent_tokens += count
            state["step"] += 1
            state["batch"] += 1
            state["tokens"] += count
            state["seconds"] = time.time() - began
            if not math.isfinite(float(loss.detach())):
                raise SystemExit("the loss is not a number; start again with a lower --lr")
            if state["step"] % 50 == 0:
                speed = recent_tokens / (state["seconds"] - reported)
                print(f"step {state['step']} epoch {state['epoch'] + state['batch'] / len(plan):.2f} "
                      f"{state['seconds'] / 60:.1f} min  loss {recent_loss / recent_tokens:.3f}  "
                      f"{speed:.0f} tokens/s  lr {rate:.2e}", flush=True)
                recent_loss = recent_tokens = 0.0
                reported = state["seconds"]
            if state["seconds"] - validated > options.validate * 60:
                validated = state["seconds"]
                validate()
        if state["batch"] >= len(plan):
            state["epoch"] += 1
            state["batch"] = 0
    validate()


if __name__ == "__main__":
    main()
