# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the training loop trains: translation, masked language modelling and language modelling."""
import math
import os
import random

import torch

import text
from bleu import bleu
from data import BOS, PAD, batches, encode, pad, read_pairs, vocabulary
from decode import greedy
from language import Bert, Gpt
from ops import smoothed_loss
from subwords import ByteLevel, WordPiece, tokenizer


class Translation:
    unit = "tokens"

    def __init__(self, options, make):
        self.device, self.tokens = options.device, options.tokens
        self.processor = vocabulary(options.data, options.work, options.vocabulary)
        self.examples = encode(self.processor, read_pairs(os.path.join(options.data, "train.tsv.xz")))
        self.validation = read_pairs(os.path.join(options.data, "validation.tsv.xz"))
        self.sources = [s for s, _ in encode(self.processor, self.validation, longest=10 ** 6)]
        self.size = f"{len(self.examples)} pairs"
        self.model = make(self.processor.get_piece_size()).to(self.device)

    def plan(self, epoch):
        return batches(self.examples, self.tokens, epoch)

    def loss(self, batch):
        source, target = (pad(side).to(self.device) for side in zip(*(self.examples[i] for i in batch)))
        inputs = torch.cat([torch.full((len(batch), 1), BOS, device=self.device), target[:, :-1]], 1)
        keep = target != PAD
        loss, exact = smoothed_loss(self.model(source, inputs, keep), target[keep])
        return loss, exact, int(keep.sum())

    def validate(self, model):
        guesses = self.processor.decode(greedy(model.cpu(), self.sources))
        model.to(self.device)
        score = bleu(guesses, [french for _, french in self.validation])
        return f"BLEU {score:.2f} (greedy)   {self.validation[7][0]} -> {guesses[7]}", score


class Masked:
    """BERT's task, without the prediction of the next sentence. A row is a document or a part of it; half of those of
    several sentences are cut in two, as a pair."""
    unit = "masked tokens"

    def __init__(self, options):
        self.device, self.tokens, self.longest = options.device, options.tokens, 128
        self.documents = text.read(options.work, "train")
        self.tokenizer = tokenizer(WordPiece, lambda: (" ".join(s) for _, s in self.documents), options.vocabulary,
                                   os.path.join(options.work, options.name))
        self.encoded = [[self.tokenizer.encode(s) for s in sentences] for _, sentences in self.documents]
        held = [sentences for _, sentences in text.read(options.work, "validation")[::4]]
        held = [[self.tokenizer.encode(s) for s in sentences] for sentences in held]
        self.held = rows(held, self.tokenizer, self.longest, 1)
        self.size = f"{sum(map(len, sum(self.encoded, []))):,} tokens"
        self.model = Bert(len(self.tokenizer.tokens), positions=self.longest).to(self.device)

    def plan(self, epoch):
        chance = random.Random(epoch)
        found = rows(self.encoded, self.tokenizer, self.longest, epoch)
        found.sort(key=lambda row: (len(row[0]), chance.random()))
        groups, first = [], 0
        for i, row in enumerate(found):
            if (i - first + 1) * len(row[0]) > self.tokens:
                groups.append(found[first:i])
                first = i
        groups.append(found[first:])
        chance.shuffle(groups)
        return groups

    def loss(self, batch):
        ids, types, present = (x.to(self.device) for x in padded(batch, self.tokenizer.pad))
        hidden, chosen = mask(ids, self.tokenizer)
        loss, exact = smoothed_loss(self.model(hidden, types, present, chosen), ids[chosen], 0.0)
        return loss, exact, int(chosen.sum())

    def validate(self, model):
        with torch.random.fork_rng():
            torch.manual_seed(1)
            loss, right, _ = masked_scores(model, self.held, self.tokenizer, self.device)
        return f"perplexity of masked tokens {math.exp(loss):.2f}, right {100 * right:.1f}%", loss


def rows(documents, tokenizer, longest, seed):
    """[(ids, length of the first segment with its [CLS] and [SEP])] of encoded documents."""
    chance, found = random.Random(seed), []
    for sentences in documents:
        first = 0
        while first < len(sentences):
            end, length = first, 3
            while end < len(sentences) and length + len(sentences[end]) <= longest:
                length += len(sentences[end])
                end += 1
            if end == first:
                segment = sentences[first]
                at = chance.randint(0, len(segment) - (longest - 2))
                found.append(([tokenizer.cls] + segment[at:at + longest - 2] + [tokenizer.sep], longest))
                first += 1
                continue
            cut = chance.randint(first + 1, end - 1) if end - first > 1 and chance.random() < 0.5 else end
            a, b = sum(sentences[first:cut], []), sum(sentences[cut:end], [])
            ids = [tokenizer.cls] + a + [tokenizer.sep] + (b + [tokenizer.sep] if b else [])
            found.append((ids, len(a) + 2))
            first = end
    return found


def padded(batch, filler):
    """Ids, token types and presence, [rows, longest]."""
    width = max(len(ids) for ids, _ in batch)
    ids = torch.tensor([row + [filler] * (width - len(row)) for row, _ in batch])
    types = torch.tensor([[0] * first + [1] * (len(row) - first) + [0] * (width - len(row)) for row, first in batch])
    return ids, types, ids != filler


def mask(ids, tokenizer, share=0.15):
    """(ids with a share hidden, where): of the chosen, 80% become [MASK], 10% any token, 10% stay."""
    ordinary = ids > tokenizer.mask
    chosen = (torch.rand(ids.shape, device=ids.device) < share) & ordinary
    if not chosen.any():
        chosen = ordinary & (ids == ids[ordinary][0])
    kind = torch.rand(ids.shape, device=ids.device)
    hidden = ids.masked_fill(chosen & (kind < 0.8), tokenizer.mask)
    other = torch.randint(tokenizer.mask + 1, len(tokenizer.tokens), ids.shape, device=ids.device)
    return torch.where(chosen & (kind >= 0.9), other, hidden), chosen


@torch.no_grad()
def masked_scores(model, found, tokenizer, device="cpu"):
    """Mean cross-entropy and share right where 15% of the tokens are hidden (all by [MASK]), and their number."""
    total = right = count = 0
    found = sorted(found, key=lambda row: len(row[0]))
    for first in range(0, len(found), 64):
        ids, types, present = (x.to(device) for x in padded(found[first:first + 64], tokenizer.pad))
        _, chosen = mask(ids, tokenizer)
        logs = model(ids.masked_fill(chosen, tokenizer.mask), types, present, chosen).float().log_softmax(1)
        total -= float(logs.gather(1, ids[chosen].unsqueeze(1)).sum())
        right += int((logs.argmax(1) == ids[chosen]).sum())
        count += int(chosen.sum())
    return total / count, right / count, count


class Causal:
    """GPT's task: the next token, in windows over documents that follow each other behind <|endoftext|>."""
    unit = "tokens"

    def __init__(self, options):
        self.device, self.tokens, self.longest = options.device, options.tokens, 256
        documents = text.read(options.work, "train")
        self.tokenizer = tokenizer(ByteLevel, lambda: (" ".join(s) for _, s in documents), options.vocabulary,
                                   os.path.join(options.work, options.name))
        self.encoded = [self.tokenizer.encode(" ".join(s)) + [self.tokenizer.end] for _, s in documents]
        self.held = [self.tokenizer.encode(" ".join(s)) for _, s in text.read(options.work, "validation")[::8]]
        self.size = f"{sum(map(len, self.encoded)):,} tokens"
        self.model = Gpt(len(self.tokenizer.tokens), positions=self.longest).to(self.device)

    def plan(self, epoch):
        """Windows begin with a document, half of them behind the end token, or with the rest of one that was cut; two of
        three are half as long."""
        chance = random.Random(epoch)
        order = list(range(len(self.encoded)))
        chance.shuffle(order)
        windows = {self.longest: [], self.longest // 2: []}
        size, window = self.longest, []
        for i in order:
            window = (window or [self.tokenizer.end][:chance.randint(0, 1)]) + self.encoded[i]
            while len(window) > size:
                windows[size].append(window[:size + 1])
                window = window[size:] if len(window) > size + 40 else []
                size = self.longest // chance.choice((1, 2, 2))
        groups = []
        for size, some in windows.items():
            rows_ = self.tokens // size
            groups += [some[first:first + rows_] for first in range(0, len(some), rows_)]
        chance.shuffle(groups)
        return groups

    def loss(self, batch):
        ids = torch.tensor(batch).to(self.device)
        logits = self.model(ids[:, :-1])
        loss, exact = smoothed_loss(logits.flatten(0, 1), ids[:, 1:].flatten(), 0.0)
        return loss, exact, ids[:, 1:].numel()

    def validate(self, model):
        loss = sum(sum(next_losses(model, ids, self.device)) for ids in self.held)
        loss /= sum(len(ids) - 1 for ids in self.held)
        start = self.tokenizer.encode("She opened the door and")
        return f"perplexity {math.exp(loss):.2f}   {self.tokenizer.decode(extend(model, start, 24))}", loss


@torch.no_grad()
def next_losses(model, ids, device="cpu"):
    """Cross-entropy of each token of a document but the first; long ones in windows."""
    size, losses = model.settings["positions"], []
    for first in range(0, len(ids) - 1, size):
        window = torch.tensor([ids[first:first + size + 1]]).to(device)
        logs = model(window[:, :-1]).float().log_softmax(2)
        losses += (-logs[0].gather(1, window[0, 1:].unsqueeze(1))).squeeze(1).tolist()
    return losses


@torch.no_grad()
def extend(model, ids, count):
    """The ids with up to `count` likeliest next ones."""
    for _ in range(count):
        logits = model(torch.tensor([ids[-model.settings["positions"]:]]).to(next(model.parameters()).device))
        ids = ids + [int(logits[0, -1].argmax())]
    return ids
