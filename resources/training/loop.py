# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The training loop. The learning rate follows the budget, minutes or passes over the data, so a run always ends
decayed. A run can be ended at any moment, by a signal or a power cut: started again with the same name and work
folder, it goes on at its last checkpoint.

A task has: model; unit, what its loss counts; plan(epoch), the epoch's batches in order; loss(batch), the loss to
descend, the loss to report and the count it is a mean over; validate(model), (a line to print, {measure: value})."""
import copy
import json
import math
import os
import signal
import time

import torch
from torch import nn

from data import PAD
from export import load
from muon import Muon


def optimizers(model, options, rate=None):
    """rate: a tensor on the GPU that holds the learning rate, for a captured graph."""
    tables = {id(module.weight) for module in model.modules() if isinstance(module, nn.Embedding)}
    matrices, others = [], []
    for parameter in model.parameters():
        inner = parameter.dim() == 2 and min(parameter.shape) > 1 and id(parameter) not in tables
        (matrices if inner and not options.no_muon else others).append(parameter)
    lr, captured = (options.lr, {}) if rate is None else (rate, {"fused": True, "capturable": True})
    found = [torch.optim.Adam(others, lr=lr, betas=(0.9, 0.98), eps=1e-9, **captured)]
    if matrices:
        found.append(Muon(matrices, lr=lr))
    return found


def set_dropout(model, rate):
    """Of the whole model, whatever it was made with."""
    model.settings["dropout"] = rate
    for module in model.modules():
        if "dropout" in vars(module) and not isinstance(module, nn.RNNBase):
            module.dropout = rate


def pieces(tokenizer):
    """The tokens in order of their ids."""
    size = getattr(tokenizer, "get_piece_size", None)
    return [tokenizer.id_to_piece(i) for i in range(size())] if size else tokenizer.tokens


class Average:
    """Exponential moving average of the weights: what is validated and exported."""

    def __init__(self, model):
        self.model = copy.deepcopy(model).eval()
        self.count = 0

    def keep(self):
        """What the next update keeps of the average."""
        self.count += 1
        return min(0.999, (1 + self.count) / (10 + self.count))

    @torch.no_grad()
    def update(self, model, keep):
        """keep: a number or a tensor. The running values of batch normalization are averaged, too."""
        mine, theirs = ([part for part in (*m.parameters(), *m.buffers()) if part.is_floating_point()]
                        for m in (self.model, model))
        torch._foreach_mul_(mine, keep)
        torch._foreach_add_(mine, torch._foreach_mul(theirs, 1 - keep))


def replace_file(path, write, mode="wb"):
    """Writes beside the file and renames, so that there is a whole file at any moment."""
    with open(path + ".new", mode) as file:
        write(file)
        file.flush()
        os.fsync(file.fileno())
    os.replace(path + ".new", path)


def device_name(device):
    if device == "cuda":
        return torch.cuda.get_device_name()
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        names = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
    threads = torch.get_num_threads()
    return f"{names[0] if names else 'CPU'}, {threads} thread" + ("s" if threads != 1 else "")


class Run:
    """The state of a training run: weights, their average, the optimizers, random numbers and the place in the data."""

    def __init__(self, task, options, rate=None):
        """rate: as for optimizers()."""
        self.task, self.options, self.model = task, options, task.model
        self.path, self.stopped = os.path.join(options.work, options.name + ".pt"), False
        self.state = {"step": 0, "epoch": 0, "batch": 0, "batches": 1, "seconds": 0.0, "tokens": 0, "devices": {},
                      "curve": [], "validation": [], "runs": [], "start": None,
                      "first": {"step": 0, "seconds": 0.0, "passes": 0.0}}
        if options.dropout is not None:
            set_dropout(self.model, options.dropout)
        if options.start and not os.path.exists(self.path):
            self.begin_with(options.start)
        self.average, self.steppers = Average(self.model), optimizers(self.model, options, rate)
        if os.path.exists(self.path):
            self.resume(torch.load(self.path, map_location="cpu", weights_only=False))

    def begin_with(self, start):
        """Takes the tensors of the same name and shape of a directory that export.py has written, or of a checkpoint,
        and a Transformer's embeddings. If it is this model, what it tells of its training goes before this run's: the
        optimizers begin anew, the counts go on."""
        mine = self.model.state_dict()
        self.state["start"] = os.path.basename(os.path.normpath(start))
        if os.path.isdir(start):
            model, tokenizer = load(start)
            if pieces(tokenizer) != pieces(self.task.tokenizer):
                raise SystemExit(f"{start} has other tokens than {self.options.work}: prepare the data with its own")
            theirs = model.state_dict()
            self.go_on_from(os.path.join(start, "training.json"))
        else:
            theirs = torch.load(start, map_location="cpu", weights_only=False)["average"]
        if "shared.weight" in theirs:
            theirs |= dict.fromkeys(("source.weight", "target.weight"), theirs["shared.weight"])
            theirs["final_logits_bias"][:, PAD] = 0  # Marian's files have none
        found = {name: value for name, value in theirs.items() if name in mine and mine[name].shape == value.shape}
        print(f"{len(found)} of {len(mine)} tensors are those of {start}", flush=True)
        self.model.load_state_dict(mine | found)

    def go_on_from(self, path):
        """path: of a record(), which may be another model's or none."""
        record = {}
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                record = json.load(file)
        if record.get("name") != self.options.name or "runs" not in record:
            print("the counts begin at nothing", flush=True)
            return
        epoch, seconds = sum(math.ceil(run["passes"]) for run in record["runs"]), record["hours"] * 3600
        self.state |= {"step": record["steps"], "epoch": epoch, "seconds": seconds, "tokens": record["seen"],
                       "curve": record["curve"], "validation": record["validation"], "runs": record["runs"],
                       "devices": {name: hours * 3600 for name, hours in record["hours_on"].items()},
                       "first": {"step": record["steps"], "seconds": seconds, "passes": epoch}}

    def resume(self, saved):
        self.model.load_state_dict(saved["model"])
        self.average.model.load_state_dict(saved["average"])
        for stepper, values in zip(self.steppers, saved["optimizers"]):  # with this run's rate, wherever that is held
            stepper.load_state_dict(values | {"param_groups": stepper.state_dict()["param_groups"]})
        self.state |= saved["state"]
        self.average.count = self.state["step"] - self.state["first"]["step"]
        torch.set_rng_state(saved["random"])
        if "random_cuda" in saved and self.task.device == "cuda":
            torch.cuda.set_rng_state(saved["random_cuda"])
        if saved["plan"] != self.plan_key():  # other batches: the pass begins again where it was, in parts of the whole
            before, now = max(self.state["batches"], 1), len(self.plan(self.state["epoch"]))
            self.state |= {"batch": now * self.state["batch"] // before, "batches": now}
        print(f"resumed at step {self.state['step']}, {self.state['seconds'] / 60:.1f} minutes in", flush=True)

    def plan(self, epoch):
        return self.task.plan(epoch)

    def plan_key(self):
        """Tells plans apart whose passes have other batches."""
        return [self.options.tokens, *self.options.repeats]

    def save(self):
        state = {"model": self.model.state_dict(), "average": self.average.model.state_dict(), "state": self.state,
                 "optimizers": [s.state_dict() for s in self.steppers], "settings": self.model.settings,
                 "random": torch.get_rng_state(), "plan": self.plan_key()}
        if self.task.device == "cuda":
            state["random_cuda"] = torch.cuda.get_rng_state()
        replace_file(self.path, lambda file: torch.save(state, file))
        record = json.dumps(self.record(), indent=1, ensure_ascii=False)
        replace_file(self.path[:-3] + ".json", lambda file: file.write(record + "\n"), "w")

    def record(self):
        """What a card tells of the training, and the loss curve."""
        options, state, first = self.options, self.state, self.state["first"]
        run = {"data": self.task.size, "start": state["start"], "steps": state["step"] - first["step"],
               "passes": round(self.passes() - first["passes"], 3),
               "hours": round((state["seconds"] - first["seconds"]) / 3600, 3), "rate": options.lr,
               "dropout": self.model.settings["dropout"], "seed": options.seed, "bf16": not options.f32,
               "batch": options.tokens * options.accumulate, "torch": torch.__version__}
        return {"name": options.name, "parameters": sum(p.numel() for p in self.model.parameters()),
                "settings": self.model.settings, "unit": self.task.unit,
                "runs": state["runs"] + [run], "steps": state["step"],
                "passes": round(sum(some["passes"] for some in state["runs"]) + run["passes"], 3),
                "seen": state["tokens"],
                "hours": round(state["seconds"] / 3600, 3),
                "hours_on": {name: round(seconds / 3600, 3) for name, seconds in state["devices"].items()},
                "curve": state["curve"], "validation": state["validation"]}

    def validate(self, *arguments):
        state = self.state
        line, scores = self.task.validate(self.average.model, *arguments)
        print(f"step {state['step']} validation {line}", flush=True)
        state["validation"].append({"step": state["step"], "seen": state["tokens"],
                                    "minutes": round(state["seconds"] / 60, 2)}
                                   | {name: round(float(value), 4) for name, value in scores.items()})

    def passes(self):
        return self.state["epoch"] + self.state["batch"] / max(self.state["batches"], 1)

    def done(self):
        """The share of the budget that is spent; whichever ends first counts."""
        options, first = self.options, self.state["first"]
        return max((self.state["seconds"] - first["seconds"]) / (options.minutes * 60) if options.minutes else 0.0,
                   (self.passes() - first["passes"]) / options.passes if options.passes else 0.0)

    def rate(self):
        warm = min((self.state["step"] + 1 - self.state["first"]["step"]) / self.options.warmup, 1.0)
        return self.options.lr * warm * max(0.01, min(1.0, 1.15 * (1 - self.done())))

    def step(self, groups):
        """One update from several batches; the loss to report, summed, and its count."""
        for stepper in self.steppers:
            stepper.zero_grad(set_to_none=True)
        total = counted = 0
        for batch in groups:
            with torch.autocast(self.task.device, dtype=torch.bfloat16, enabled=not self.options.f32):
                loss, exact, count = self.task.loss(batch)
            (loss * (count / self.options.tokens)).backward()
            total, counted = total + exact.detach() * count, counted + count
        gradients = [p.grad for p in self.model.parameters() if p.grad is not None]
        torch._foreach_mul_(gradients, self.options.tokens / counted)
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        rate = self.rate()
        for stepper in self.steppers:
            for group in stepper.param_groups:
                group["lr"] = rate
            stepper.step()
        self.average.update(self.model, self.average.keep())
        self.state["step"] += 1
        self.state["batch"] += len(groups)
        self.state["tokens"] += counted
        return total, counted

    def report(self, total, counted, seconds):
        """A line and a point of the curve, of the updates since the last one."""
        state, loss = self.state, float(total) / max(counted, 1)
        if not math.isfinite(loss):
            raise SystemExit("the loss is not a number; go on at the last checkpoint with a lower --lr")
        state["curve"].append([state["step"], state["tokens"], round(state["seconds"] / 60, 2), round(loss, 4)])
        print(f"step {state['step']} pass {self.passes():.2f} {state['seconds'] / 60:.1f} min  loss {loss:.3f}  "
              f"{counted / max(seconds, 1e-9):.0f} {self.task.unit}/s  lr {self.rate():.2e}", flush=True)

    def train(self):
        state, options, name = self.state, self.options, device_name(self.task.device)
        signal.signal(signal.SIGTERM, self.stop)
        signal.signal(signal.SIGINT, self.stop)
        last = time.monotonic()
        validated = saved = reported = state["seconds"]
        total = counted = 0
        self.model.train()
        while self.done() < 1 and not self.stopped:
            plan = self.plan(state["epoch"])
            state["batches"] = len(plan)
            while state["batch"] < len(plan) and self.done() < 1 and not self.stopped:
                more, count = self.step(plan[state["batch"]:state["batch"] + options.accumulate])
                total, counted = total + more, counted + count
                if state["step"] % options.report == 0:
                    loss = float(total)  # waits for the device, so that the clock below is right
                now = time.monotonic()
                state["seconds"] += now - last
                state["devices"][name] = state["devices"].get(name, 0.0) + now - last
                last = now
                if state["step"] % options.report == 0:
                    self.report(loss, counted, state["seconds"] - reported)
                    total = counted = 0
                    reported = state["seconds"]
                if state["seconds"] - validated > options.validate * 60:
                    self.validate()
                    validated = state["seconds"]
                if state["seconds"] - saved > options.save * 60:
                    self.save()
                    saved = state["seconds"]
            if state["batch"] >= len(plan):
                state["epoch"] += 1
                state["batch"] = 0
        self.save()
        if not self.stopped:
            self.validate()
            self.save()
        hours = state["seconds"] / 3600
        print(f"stopped at step {state['step']}; the same command goes on" if self.stopped else
              f"finished: {state['step']} steps, {self.passes():.2f} passes, {hours:.2f} hours", flush=True)

    def stop(self, *_):
        self.stopped = True


def run(task, options):
    found = Run(task, options)
    print(f"{sum(p.numel() for p in task.model.parameters()):,} parameters, {task.size}, on {device_name(task.device)}",
          flush=True)
    found.train()
