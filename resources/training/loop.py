# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The training loop. The learning rate follows the time budget, so a run always ends decayed; it goes on where it was
when started again with the same name and work folder.

A task has: model; unit, what its loss counts; plan(epoch), the epoch's batches in order; loss(batch), the loss to
descend, the loss to report and the count it is a mean over; validate(model), a line to print and a score."""
import copy
import math
import os
import time

import torch
from torch import nn

from muon import Muon


def optimizers(model, options):
    tables = {id(module.weight) for module in model.modules() if isinstance(module, nn.Embedding)}
    matrices, others = [], []
    for parameter in model.parameters():
        inner = parameter.dim() == 2 and min(parameter.shape) > 1 and id(parameter) not in tables
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


class Run:
    """The state of a training run: weights, their average, the optimizers and the place in the data."""

    def __init__(self, task, options):
        self.task, self.options, self.model = task, options, task.model
        self.path = os.path.join(options.work, options.name + ".pt")
        if options.start:
            mine, theirs = self.model.state_dict(), torch.load(options.start, map_location=task.device)["average"]
            self.model.load_state_dict({name: theirs[name] if name in theirs and theirs[name].shape == value.shape
                                        else value for name, value in mine.items()})
        self.average, self.steppers = Average(self.model), optimizers(self.model, options)
        self.state = {"step": 0, "epoch": 0, "batch": 0, "seconds": 0.0, "tokens": 0}
        if os.path.exists(self.path):
            saved = torch.load(self.path, map_location=task.device)
            self.model.load_state_dict(saved["model"])
            self.average.model.load_state_dict(saved["average"])
            self.average.count = saved["state"]["step"]
            for stepper, values in zip(self.steppers, saved["optimizers"]):
                stepper.load_state_dict(values)
            self.state = saved["state"]
            print(f"resumed at step {self.state['step']}, {self.state['seconds'] / 60:.1f} minutes in", flush=True)

    def validate(self):
        line, score = self.task.validate(self.average.model)
        print(f"step {self.state['step']} validation {line}", flush=True)
        save(self.path, {"model": self.model.state_dict(), "average": self.average.model.state_dict(),
                         "state": self.state, "optimizers": [s.state_dict() for s in self.steppers],
                         "settings": self.model.settings, "score": score})

    def step(self, batch):
        """One update; the loss to report, its count, and the learning rate."""
        options, state = self.options, self.state
        with torch.autocast(self.task.device, dtype=torch.bfloat16, enabled=not options.f32):
            loss, exact, count = self.task.loss(batch)
        for stepper in self.steppers:
            stepper.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        done = state["seconds"] / (options.minutes * 60)
        rate = options.lr * min((state["step"] + 1) / options.warmup, 1.0) * max(0.01, min(1.0, 1.15 * (1 - done)))
        for stepper in self.steppers:
            for group in stepper.param_groups:
                group["lr"] = rate
            stepper.step()
        self.average.update(self.model)
        if not math.isfinite(float(loss.detach())):
            raise SystemExit("the loss is not a number; start again with a lower --lr")
        state["step"] += 1
        state["batch"] += 1
        state["tokens"] += count
        return float(exact.detach()), count, rate

    def train(self):
        state, options = self.state, self.options
        budget = options.minutes * 60
        began = time.time() - state["seconds"]
        validated = reported = state["seconds"]
        total = counted = 0.0
        self.model.train()
        while state["seconds"] < budget:
            plan = self.task.plan(state["epoch"])
            while state["batch"] < len(plan) and state["seconds"] < budget:
                exact, count, rate = self.step(plan[state["batch"]])
                total += exact * count
                counted += count
                state["seconds"] = time.time() - began
                if state["step"] % 50 == 0:
                    print(f"step {state['step']} epoch {state['epoch'] + state['batch'] / len(plan):.2f} "
                          f"{state['seconds'] / 60:.1f} min  loss {total / counted:.3f}  "
                          f"{counted / (state['seconds'] - reported):.0f} {self.task.unit}/s  lr {rate:.2e}", flush=True)
                    total = counted = 0.0
                    reported = state["seconds"]
                if state["seconds"] - validated > options.validate * 60:
                    validated = state["seconds"]
                    self.validate()
            if state["batch"] >= len(plan):
                state["epoch"] += 1
                state["batch"] = 0
        self.validate()


def run(task, options):
    found = Run(task, options)
    print(f"{sum(p.numel() for p in task.model.parameters()):,} parameters, {task.size}", flush=True)
    found.train()
