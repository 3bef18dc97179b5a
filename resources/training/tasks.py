# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the training loop trains: translation, masked language modelling and language modelling."""
import math
import os
import random

import numpy
import torch

import text
from bleu import bleu
from data import BOS, CORPORA, PAD, Pairs, encode, pad, read_pairs, vocabulary
from decode import greedy
from language import Bert, Gpt
from ops import smoothed_loss
from subwords import ByteLevel, WordPiece, tokenizer

HIDDEN = 0.25  # share of the tokens that a masked language model learns from; it is scored at 15%


class Translation:
    unit = "tokens"

    def __init__(self, options, make):
        self.options, self.device = options, options.device
        self.tokenizer, self.pairs = vocabulary(options.work), Pairs(options.work)
        repeats = " and ".join(f"{name.capitalize()} {count}" for name, count in zip(CORPORA, options.repeats))
        self.size = f"{len(self.pairs):,} pairs, {repeats} times a pass"
        self.held = {name: read_pairs(os.path.join(options.work, f"validation-{name}.tsv.xz")) for name in CORPORA}
        self.model = make(self.tokenizer.get_piece_size()).to(self.device)

    def plan(self, epoch):
        return self.pairs.plan(self.options.tokens, self.options.seed * 1000 + epoch, self.options.repeats)

    def loss(self, batch):
        return self.loss_of(self.model, *self.pairs.batch(batch))

    def loss_of(self, model, source, target):
        inputs = torch.cat([torch.full((len(target), 1), BOS), target[:, :-1]], 1)
        keep = (target != PAD).flatten().nonzero().squeeze(1)
        lengths, count = (source != PAD).sum(1), len(keep)
        keep = keep.to(self.device)
        states = model.features(source.to(self.device), inputs.to(self.device), keep, lengths)
        answers = target.to(self.device).flatten().index_select(0, keep)
        return *smoothed_loss(states, *model.projection(), answers), count

    def loss_of_shape(self, source, target, lengths):
        """loss() of padded ids on the device, without a wait for it; the count is a tensor."""
        inputs = torch.cat([torch.full((len(target), 1), BOS, device=target.device), target[:, :-1]], 1)
        answers = (target.t() if self.model.by_step else target).flatten()
        present = (answers != PAD).float()
        states = self.model.features(source, inputs, None, lengths)
        return *smoothed_loss(states, *self.model.projection(), answers, present=present), present.sum()

    @torch.no_grad()
    def held_loss(self, model, examples):
        """Mean cross-entropy a token."""
        examples, total, counted = sorted(examples, key=lambda pair: len(pair[1])), 0.0, 0
        for first in range(0, len(examples), 50):
            _, exact, count = self.loss_of(model, *map(pad, zip(*examples[first:first + 50])))
            total, counted = total + float(exact) * count, counted + count
        return total / counted

    def validate(self, model, translate=True):
        """Of each corpus, the loss on the whole validation set and the BLEU of greedy translations of a part of it."""
        scores, parts = {}, []
        for name, held in self.held.items():
            scores[name + " loss"] = self.held_loss(model, encode(self.tokenizer, held))
            if not translate:
                parts.append(f"{name}: loss {scores[name + ' loss']:.3f}")
                continue
            some = held[::max(len(held) // self.options.held, 1)]
            guesses = self.tokenizer.decode(greedy(model, [s for s, _ in encode(self.tokenizer, some, 10 ** 6)], 80))
            shown = min(7, len(some) - 1)
            scores[name + " BLEU"] = bleu(guesses, [french for _, french in some])
            parts.append(f"{name}: loss {scores[name + ' loss']:.3f} BLEU {scores[name + ' BLEU']:.1f} (greedy)   "
                         f"{some[shown][0]} -> {guesses[shown]}")
        return "\n    ".join([""] + parts), scores


class Masked:
    """BERT's task, without the prediction of the next sentence. A row is a document or a part of it; half of those of
    several sentences are cut in two, as a pair."""
    unit = "masked tokens"

    def __init__(self, options):
        self.device, self.tokens, self.longest = options.device, options.tokens, 128
        documents = [sentences for _, sentences in text.read(options.work, "train")]
        self.tokenizer = tokenizer(WordPiece, lambda: (s for some in documents for s in some), 6000,
                                   os.path.join(options.work, options.name))
        self.encoded = encoded_sentences(self.tokenizer, documents)
        held = [sentences for _, sentences in text.read(options.work, "validation")[::4]]
        self.held = rows(encoded_sentences(self.tokenizer, held), self.tokenizer, self.longest, 1)
        self.size = f"{sum(len(s) for some in self.encoded for s in some):,} tokens, {HIDDEN:.0%} of them hidden"
        self.model = Bert(len(self.tokenizer.tokens), positions=self.longest).to(self.device)
        self.seed = options.seed * 1000

    def plan(self, epoch):
        chance = random.Random(self.seed + epoch)
        found = rows(self.encoded, self.tokenizer, self.longest, self.seed + epoch)
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
        ids, types, present = padded(batch, self.tokenizer.pad)
        hidden, chosen = mask(ids, self.tokenizer, HIDDEN)
        places = chosen.flatten().nonzero().squeeze(1)
        answers = ids.flatten()[places].to(self.device)
        states = self.model.features(*(x.to(self.device) for x in (hidden, types, present, places)))
        return *smoothed_loss(states, *self.model.projection(), answers, 0.0), len(places)

    def validate(self, model):
        with torch.random.fork_rng():
            torch.manual_seed(1)
            loss, right, five, _ = masked_scores(model, self.held, self.tokenizer, self.device)
        return (f"perplexity of masked tokens {math.exp(loss):.2f}, right {100 * right:.1f}%, among the first five "
                f"{100 * five:.1f}%"), {"loss": loss, "right": right, "top 5": five}


def encoded_sentences(tokenizer, documents):
    """Ids of every sentence of every document, without paragraph marks."""
    return [[numpy.array(tokenizer.encode(s), numpy.uint16) for s in sentences if s != text.PARAGRAPH]
            for sentences in documents]


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
                found.append((joined(tokenizer, segment[at:at + longest - 2]), longest))
                first += 1
                continue
            cut = chance.randint(first + 1, end - 1) if end - first > 1 and chance.random() < 0.5 else end
            a, b = numpy.concatenate(sentences[first:cut]), sentences[cut:end]
            found.append((joined(tokenizer, a, numpy.concatenate(b) if b else None), len(a) + 2))
            first = end
    return found


def joined(tokenizer, a, b=None):
    """[CLS] a [SEP], and behind it b [SEP]."""
    parts = [[tokenizer.cls], a, [tokenizer.sep]] + ([] if b is None else [b, [tokenizer.sep]])
    return numpy.concatenate(parts).astype(numpy.uint16)


def padded(batch, filler):
    """Ids, token types and presence, [rows, longest]."""
    width = max(len(ids) for ids, _ in batch)
    ids = numpy.full((len(batch), width), filler, numpy.int64)
    types = numpy.zeros((len(batch), width), numpy.int64)
    for i, (row, first) in enumerate(batch):
        ids[i, :len(row)] = row
        types[i, first:len(row)] = 1
    ids = torch.from_numpy(ids)
    return ids, torch.from_numpy(types), ids != filler


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
    """Where 15% of the tokens are hidden (all by [MASK]): mean cross-entropy, the share right, the share whose token is
    among the likeliest five, and their number."""
    total = right = five = count = 0
    found = sorted(found, key=lambda row: len(row[0]))
    for first in range(0, len(found), 64):
        ids, types, present = padded(found[first:first + 64], tokenizer.pad)
        _, chosen = mask(ids, tokenizer)
        places = chosen.flatten().nonzero().squeeze(1)
        answers, hidden = ids.flatten()[places].to(device), ids.masked_fill(chosen, tokenizer.mask)
        logs = model(*(x.to(device) for x in (hidden, types, present, places))).float().log_softmax(1)
        total -= float(logs.gather(1, answers.unsqueeze(1)).sum())
        likely = logs.topk(5).indices == answers.unsqueeze(1)
        right, five = right + int(likely[:, 0].sum()), five + int(likely.sum())
        count += len(places)
    return total / count, right / count, five / count, count


class Causal:
    """GPT's task: the next token, in windows over documents that follow each other behind <|endoftext|>."""
    unit = "tokens"

    def __init__(self, options):
        self.device, self.tokens, self.longest = options.device, options.tokens, 256
        documents = text.prose(options.work, "train")
        self.tokenizer = tokenizer(ByteLevel, lambda: (s for _, s in documents), 5000,
                                   os.path.join(options.work, options.name))
        self.encoded = [self.tokenizer.encode(s) + [self.tokenizer.end] for _, s in documents]
        self.held = [self.tokenizer.encode(s) for _, s in text.prose(options.work, "validation")[::4]]
        self.size = f"{sum(map(len, self.encoded)):,} tokens"
        self.model = Gpt(len(self.tokenizer.tokens), positions=self.longest).to(self.device)
        self.seed = options.seed * 1000

    def plan(self, epoch):
        """Windows begin with a document, half of them behind the end token, or with the rest of one that was cut; two
        of three are half as long."""
        chance = random.Random(self.seed + epoch)
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
        ids = torch.from_numpy(numpy.array(batch, numpy.int64)).to(self.device)
        states, answers = self.model.states(ids[:, :-1]).flatten(0, 1), ids[:, 1:].flatten()
        return *smoothed_loss(states, *self.model.projection(), answers, 0.0), len(answers)

    def validate(self, model):
        loss = sum(sum(next_losses(model, ids, self.device)) for ids in self.held)
        loss /= sum(len(ids) - 1 for ids in self.held)
        start = self.tokenizer.encode("She opened the door and")
        return f"perplexity {math.exp(loss):.2f}   {self.tokenizer.decode(extend(model, start, 24))}", {"loss": loss}


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
