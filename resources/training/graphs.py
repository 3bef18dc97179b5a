# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Trains several translation models on one GPU in step, every batch by all of them, so that they have the same data and
the same budget, and exports them. A whole step, from the pairs' ids to the average of the weights, is captured as a
CUDA graph once for every shape of batch, because starting a recurrent model's thousands of small kernels one by one
takes far longer than running them. Each model has a stream of its own, and together they fill the GPU. Without a GPU
the same steps run as they are. Started again, it goes on at the last checkpoints; a model whose loss is no longer a
number is left behind at its last one."""
import time

BEGAN = time.monotonic()

import argparse
import collections
import copy
import os
import signal
import subprocess
import sys

import numpy
import torch

from data import Pairs, Shaped
from loop import Run, device_name
from train import TASKS, arguments

AHEAD = 3  # updates that are given to the GPU before the first of them is waited for


class InStep(Run):
    """A run whose passes are those of all models."""

    def __init__(self, task, options, shaped, rate):
        self.shaped = shaped
        super().__init__(task, options, rate)

    def plan(self, epoch):
        return self.shaped.plan(self.options.seed * 1000 + epoch, self.options.repeats)

    def plan_key(self):
        return super().plan_key() + ["shapes"]


class Trained:
    """One model: its run, its stream and its graphs."""

    def __init__(self, name, options, shaped, graphs):
        self.options = copy.copy(options)
        self.options.name, self.shaped = name, shaped
        torch.manual_seed(options.seed)
        device, self.gpu = options.device, graphs
        scalar = lambda kind: torch.zeros((), dtype=kind, device=device)
        self.rate, self.keep, self.loss = scalar(torch.float32), scalar(torch.float32), scalar(torch.float64)
        self.run = InStep(TASKS[name](self.options), self.options, shaped, self.rate if graphs else None)
        self.rows = torch.zeros(max(size for _, size in shaped.shapes), dtype=torch.long, device=device)
        self.parameters, self.graphs, self.events = list(self.run.model.parameters()), {}, collections.deque()
        self.lost = False
        if self.gpu:
            # The recurrent models' long chains of small kernels go first; the Transformer's larger ones fill the gaps.
            self.stream = torch.cuda.Stream(priority=0 if name.startswith("transformer") else -1)
        self.run.model.train()

    def step(self, number):
        """An update from the rows' pairs, in a batch of the shape of this number."""
        batch = self.shaped.batch(self.rows[:self.shaped.shapes[number][1]], number)
        with torch.autocast(self.run.task.device, dtype=torch.bfloat16, enabled=not self.options.f32):
            loss, exact, count = self.run.task.loss_of_shape(*batch)
        for parameter, gradient in zip(self.parameters, torch.autograd.grad(loss, self.parameters)):
            parameter.grad = gradient
        self.loss += exact.detach().double() * count
        torch.nn.utils.clip_grad_norm_(self.parameters, 1.0)
        for stepper in self.run.steppers:
            stepper.step()
        self.run.average.update(self.run.model, self.keep)

    def drop_gradients(self):
        for parameter in self.parameters:
            parameter.grad = None

    def capture(self, examples):
        """examples: rows of each shape. What the steps before a capture change is put back, in the optimizers; of the
        weights they change nothing, as the rate is 0 and all of the average is kept."""
        pool = torch.cuda.graph_pool_handle()
        states = lambda: [pair for stepper in self.run.steppers for pair in stepper.state.items()]
        before = {parameter: {name: value.clone() for name, value in state.items()} for parameter, state in states()}
        self.rate.fill_(0)
        self.keep.fill_(1)
        torch.cuda.synchronize()
        for number, rows in examples.items():
            with torch.cuda.stream(self.stream):
                self.rows[:len(rows)].copy_(rows)
                self.step(number)
            torch.cuda.synchronize()
            self.drop_gradients()
        for number in examples:
            self.graphs[number] = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self.graphs[number], pool=pool, stream=self.stream):
                self.step(number)
            self.drop_gradients()
        for parameter, state in states():  # where they are, because the graphs know only that place
            for name, value in state.items():
                value.copy_(before[parameter][name]) if parameter in before else value.zero_()
        self.loss.zero_()
        torch.cuda.synchronize()

    def update(self, number, rows):
        rate, keep = self.run.rate(), self.run.average.keep()
        if not self.gpu:
            self.rows[:len(rows)].copy_(rows)
            self.keep.fill_(keep)
            for stepper in self.run.steppers:
                for group in stepper.param_groups:
                    group["lr"] = rate
            self.step(number)
            return
        with torch.cuda.stream(self.stream):
            self.rows[:len(rows)].copy_(rows, non_blocking=True)
            self.rate.fill_(rate)
            self.keep.fill_(keep)
            self.graphs[number].replay()
            self.events.append(torch.cuda.Event())
            self.events[-1].record()

    def wait(self, ahead=0):
        while len(self.events) > ahead:
            self.events.popleft().synchronize()

    def report(self, counted, seconds):
        self.wait()
        print(f"{self.options.name:24}", end="")
        try:
            self.run.report(float(self.loss), counted, seconds)
        except SystemExit as problem:
            print(problem, flush=True)
            self.lost = True
        self.loss.zero_()


def train(trained, options):
    """Whether the budget is spent. Of the minutes, loading and capturing are taken off first."""
    device, first = options.device, trained[0].run
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, first.stop)
    name, last = device_name(device), time.monotonic()
    for one in trained:
        one.options.minutes = options.minutes and max(options.minutes - (last - BEGAN) / 60, 0.05)
    validated = saved = reported = first.state["seconds"]
    counted = 0
    while first.done() < 1 and not first.stopped:
        for one in trained:
            one.wait()
        groups, begin = first.plan(first.state["epoch"]), first.state["batch"]
        at = sum(len(rows) for _, rows, _ in groups[:begin])
        all_rows = torch.from_numpy(numpy.concatenate([rows for _, rows, _ in groups])).to(device)
        if device == "cuda":
            torch.cuda.synchronize()
        for number, rows, count in groups[begin:]:
            live = [one for one in trained if not one.lost]
            for one in live:
                one.update(number, all_rows[at:at + len(rows)])
            for one in live:
                one.wait(AHEAD)
            at += len(rows)
            now = time.monotonic()
            for one in trained:
                state = one.run.state
                state["step"] += 1
                state["batch"], state["batches"] = state["batch"] + 1, len(groups)
                state["tokens"] += count
                state["seconds"] += now - last
                state["devices"][name] = state["devices"].get(name, 0.0) + now - last
            last, counted, seconds = now, counted + count, first.state["seconds"]
            if first.state["step"] % options.report == 0:
                for one in live:
                    one.report(counted, seconds - reported)
                if device == "cuda":
                    torch.cuda.synchronize()
                counted, reported = 0, seconds
            if seconds - validated > options.validate * 60:
                finish(live, False, seconds - saved > options.save * 60)
                saved = seconds if seconds - saved > options.save * 60 else saved
                validated = seconds
            if first.done() >= 1 or first.stopped:
                break
        if first.state["batch"] >= len(groups):
            for one in trained:
                one.run.state["epoch"] += 1
                one.run.state["batch"] = 0
    for one in trained:
        one.wait()
    live = [one for one in trained if not one.lost]
    if first.stopped:
        for one in live:
            one.run.save()
    else:
        finish(live, True, True)
    state = first.state
    print(f"{'stopped' if first.stopped else 'finished'}: {state['step']} steps, {first.passes():.2f} passes, "
          f"{state['tokens']:,} pieces each, {state['seconds']:.0f} seconds, "
          f"{state['tokens'] / state['seconds']:.0f} pieces/s each", flush=True)
    return not first.stopped


def finish(trained, translate, save):
    for one in trained:
        one.wait()
        if save:
            one.run.save()
    for one in trained:
        print(one.options.name, end=" ")
        one.run.validate(translate)
        if save:
            one.run.save()
    if trained and trained[0].gpu:
        torch.cuda.synchronize()


def main():
    parser = argparse.ArgumentParser(description=__doc__, add_help=False)
    parser.add_argument("--models", required=True, help="folder for the exported directories")
    parser.add_argument("--names", nargs="+", required=True, help="translation models, as for train.py")
    own, others = parser.parse_known_args()
    sys.argv[1:] = [own.names[0], *others]
    options = arguments()
    graphs = options.device == "cuda"
    torch.set_float32_matmul_precision("high")
    if graphs:
        torch.backends.cuda.enable_cudnn_sdp(False)  # it plans anew for every shape
    shaped = Shaped(Pairs(options.work), options.device, options.tokens)
    trained = [Trained(name, options, shaped, graphs) for name in own.names]
    if len({one.run.state["step"] for one in trained}) > 1:
        raise SystemExit("the checkpoints are of different steps: " + ", ".join(
            f"{one.options.name} {one.run.state['step']}" for one in trained) + "; remove those that are to begin anew")
    print(f"{time.monotonic() - BEGAN:.1f} s: data and models are there", flush=True)
    if graphs:
        examples = {}
        for number, rows, _ in shaped.plan(0, [1] * len(options.repeats)):
            examples.setdefault(number, torch.from_numpy(rows).to(options.device))
        for one in trained:
            one.capture(examples)
            print(f"{time.monotonic() - BEGAN:.1f} s: {one.options.name}: {len(one.graphs)} graphs, "
                  f"{torch.cuda.memory_reserved() / 2 ** 30:.1f} GiB in all", flush=True)
    if not train(trained, options):
        return
    here = os.path.dirname(os.path.abspath(__file__))
    exports = [subprocess.Popen([sys.executable, os.path.join(here, "export.py"), name, "--work", options.work,
                                 "--models", own.models], env=os.environ | {"OMP_NUM_THREADS": "4"})
               for name in own.names]
    if any([process.wait() for process in exports]):
        raise SystemExit("an export failed")
    print(f"{time.monotonic() - BEGAN:.1f} s: exported", flush=True)


if __name__ == "__main__":
    main()
