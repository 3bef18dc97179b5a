# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whisper's task on the spoken numbers of digits.py: the words, or each word between two times."""
import glob
import json
import os

import numpy
import torch
from torch.nn import functional as F

from digits import RATE, SECONDS, WORDS
from subwords import ByteLevel, tokenizer
from whisper import COLUMN, HOP, Whisper, features

PAD = -100  # where a target has no token
WITNESS = 0.5  # weight of this term of the loss


class Spoken(ByteLevel):
    """Byte-level tokens, Whisper's special ones, and the times."""
    added = ["<|startoftranscript|>", "<|notimestamps|>",
             *(f"<|{i * COLUMN:.2f}|>" for i in range(round(SECONDS / COLUMN) + 1))]

    def __init__(self, folder):
        super().__init__(folder)
        self.start, self.untimed, self.first_time = self.end + 1, self.end + 2, self.end + 3
        self.tokens |= {self.start + i: token for i, token in enumerate(self.added)}

    def time(self, seconds):
        return self.first_time + min(round(seconds / COLUMN), round(SECONDS / COLUMN))

    def told(self, line, timed):
        """What is to be written behind the start token; a word is one token."""
        words = self.encode("".join(" " + word for word in line["text"].split()))
        if not timed:
            return [self.untimed, *words, self.end]
        spans = [map(self.time, span) for span in line["spans"]]
        return [i for word, (begin, end) in zip(words, spans) for i in (begin, word, end)] + [self.end]

    def text(self, ids):
        return self.decode([i for i in ids if i < self.end]).strip()


class Utterances:
    def __init__(self, work, pattern, device):
        paths = sorted(glob.glob(os.path.join(work, "digits", pattern + ".npy")))
        if not paths:
            raise SystemExit(f"{work}/digits has no {pattern}.npy: run digits.py first")
        self.lines = []
        for path in paths:
            with open(path[:-4] + ".jsonl", encoding="utf-8") as lines:
                self.lines += map(json.loads, lines)
        sounds = numpy.concatenate([numpy.load(path, mmap_mode="r") for path in paths])
        self.sounds = torch.from_numpy(sounds).to(device)

    def __len__(self):
        return len(self.lines)

    def sound(self, rows):
        return self.sounds[torch.as_tensor(rows, device=self.sounds.device)].float() / 32768


class Digits:
    unit = "tokens"

    def __init__(self, options):
        self.device, self.seed, self.rows = options.device, options.seed, options.tokens // 10
        self.data, self.held = (Utterances(options.work, part, options.device) for part in ("train-*", "validation"))
        texts = [f" {one} {other}" for one in WORDS for other in WORDS]
        self.tokenizer = tokenizer(Spoken, lambda: texts, 400, os.path.join(options.work, options.name))
        self.size = f"{len(self.data):,} utterances"
        self.model = Whisper(len(self.tokenizer.tokens)).to(options.device)

    def plan(self, epoch):
        order = numpy.random.default_rng(self.seed * 1000 + epoch).permutation(len(self.data))
        return [order[first:first + self.rows] for first in range(0, len(order), self.rows)]

    def loss_of(self, model, data, rows, timed):
        """(the loss to descend, its cross-entropy a token, tokens); not of the token that says that no times follow."""
        found = [self.tokenizer.told(data.lines[row], own) for row, own in zip(rows, timed)]
        target = torch.full((len(rows), max(map(len, found))), PAD)
        for row, ids in zip(target, found):
            row[:len(ids)] = torch.tensor(ids)
        inputs = torch.cat([torch.full((len(rows), 1), self.tokenizer.start), target[:, :-1]], 1)
        inputs = inputs.masked_fill(inputs == PAD, self.tokenizer.end).to(self.device)
        target = target.masked_fill(target == self.tokenizer.untimed, PAD)
        sounds = data.sound(rows)
        if model.training:
            loud = 10 ** (-1 - 3 * torch.rand(len(rows), 1, device=self.device))  # 0.1 to 0.0001
            sounds = sounds * (0.5 + torch.rand_like(loud)) + 0.1 * loud * torch.randn_like(sounds)
        memory = model.encode(features(sounds))
        logits = model(memory, inputs).float()
        exact = F.cross_entropy(logits.flatten(0, 1), target.to(self.device).flatten(), ignore_index=PAD)
        said = said_in_columns([data.lines[row] for row in rows], memory.shape[1]).to(self.device)
        witness = F.cross_entropy(model.witness(memory).float().flatten(0, 1), said.flatten())
        return exact + WITNESS * witness, exact, int((target != PAD).sum())

    def loss(self, rows):
        return self.loss_of(self.model, self.data, rows, torch.rand(len(rows)) < 0.5)

    @torch.no_grad()
    def validate(self, model):
        rows = numpy.arange(len(self.held))
        _, loss, _ = self.loss_of(model, self.held, rows, rows % 2 == 0)
        errors, first = word_errors(model, self.tokenizer, self.held)
        return f"loss {loss:.3f} word errors {errors:.3f}   {first}", {"loss": loss, "word errors": errors}


def said_in_columns(lines, columns):
    """[lines, columns]: 1 + the number of the word that is said in each column of the encoder; 0: none."""
    found = torch.zeros(len(lines), columns, dtype=torch.long)
    for row, line in zip(found, lines):
        for word, (begin, end) in zip(line["text"].split(), line["spans"]):
            row[round(begin / COLUMN):round(end / COLUMN)] = 1 + WORDS.index(word)
    return found


@torch.no_grad()
def transcribed(model, tokens, data, batch=100):
    """[ids] behind the start token, greedy and without times, each with the end."""
    found, device = [], next(model.parameters()).device
    for first in range(0, len(data), batch):
        memory = model.encode(features(data.sound(numpy.arange(first, min(first + batch, len(data))))))
        ids = torch.tensor([[tokens.start, tokens.untimed]], device=device).repeat(len(memory), 1)
        while ids.shape[1] < 24:
            ids = torch.cat([ids, model(memory, ids)[:, -1].argmax(1, keepdim=True)], 1)
        rows = [row + [tokens.end] for row in ids[:, 1:].tolist()]
        found += [row[:row.index(tokens.end) + 1] for row in rows]
    return found


def distance(one, other):
    """Levenshtein's."""
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        before, row[0] = row[0], i
        for j, b in enumerate(other, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (a != b))
    return row[-1]


def word_errors(model, tokens, data):
    """(word error rate, one example)"""
    said = [tokens.text(ids) for ids in transcribed(model, tokens, data)]
    wrong = sum(distance(line["text"].split(), text.split()) for line, text in zip(data.lines, said))
    words = sum(len(line["text"].split()) for line in data.lines)
    return wrong / words, f"{data.lines[0]['text']} -> {said[0]}"


@torch.no_grad()
def looked(model, tokens, data, row):
    """Attention [layers, heads, n, columns in the sound] of the steps that write the true words with their times, and
    the end: three to a word."""
    memory, keep = model.encode(features(data.sound([row]))), []
    inputs = [tokens.start, *tokens.told(data.lines[row], True)[:-1]]
    model(memory, torch.tensor([inputs], device=memory.device), keep)
    columns = max(1, min(memory.shape[1], data.lines[row]["samples"] // HOP // 2))
    return torch.cat(keep)[:, :, :, :columns].cpu().numpy()


def sharp_heads(model, tokens, data, least=0.6, fewest=2):
    """[[layer, head]] whose largest weight is within the word written in at least this share of the words; the best few
    where none does."""
    hits, count = 0, 0
    for row, line in enumerate(data.lines):
        best = looked(model, tokens, data, row)[:, :, 1::3].argmax(3) * COLUMN
        begin, end = numpy.array(line["spans"]).T
        hits = hits + ((best > begin - COLUMN) & (best < end)).sum(2)
        count += len(begin)
    order = numpy.argsort(-hits, None)
    chosen = max(fewest, int((hits >= least * count).sum()))
    return [[int(i) for i in numpy.unravel_index(place, hits.shape)] for place in order[:chosen]]


def smooth(x, width=7):
    """Running median over the last axis, mirrored at the ends."""
    if x.shape[-1] <= width // 2:
        return x
    wide = numpy.pad(x, [(0, 0)] * (x.ndim - 1) + [(width // 2,) * 2], "reflect")
    return numpy.median(numpy.lib.stride_tricks.sliding_window_view(wide, width, -1), -1)


def begins(weights, chosen, prompt=0):
    """The first column of every step behind the prompt but the last by dynamic time warping, as the program has it."""
    some = numpy.stack([weights[layer, head] for layer, head in chosen])
    spread = some.std(1, keepdims=True)
    cost = -smooth((some - some.mean(1, keepdims=True)) / numpy.where(spread == 0, 1, spread)).mean(0)[prompt:]
    rows, columns = cost.shape
    total = numpy.full((rows + 1, columns + 1), numpy.inf)
    total[0, 0] = 0
    back = numpy.zeros((rows + 1, columns + 1), int)
    for i in range(1, rows + 1):
        for j in range(1, columns + 1):
            before = total[i - 1, j - 1], total[i - 1, j], total[i, j - 1]
            if before[0] < before[1] and before[0] < before[2]:
                back[i, j] = 0
            else:
                back[i, j] = 1 if before[1] < before[0] and before[1] < before[2] else 2
            total[i, j] = cost[i - 1, j - 1] + before[back[i, j]]
    i, j, first = rows, columns, {}
    while i > 0 and j > 0:
        first[i - 1] = j - 1
        i, j = i - (back[i, j] != 2), j - (back[i, j] != 1)
    return [first[i] for i in range(rows - 1)]


def begins_found(model, tokens, data, chosen, near=0.1):
    """Share of words whose begin is found within `near` seconds, the true text with its times forced."""
    hits = count = 0
    for row, line in enumerate(data.lines):
        for column, (begin, _) in zip(begins(looked(model, tokens, data, row), chosen)[1::3], line["spans"]):
            hits, count = hits + (abs(column * COLUMN - begin) <= near), count + 1
    return hits / count
