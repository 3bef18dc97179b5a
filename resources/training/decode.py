# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Greedy and beam search, as the program does them."""
import torch

from data import BOS, EOS, PAD, pad


@torch.no_grad()
def greedy(model, sources, limit=60, batch=250):
    """Ids of each source's translation, without the end token."""
    results, device = [None] * len(sources), next(model.parameters()).device
    order = sorted(range(len(sources)), key=lambda i: len(sources[i]))
    for first in range(0, len(order), batch):
        rows = order[first:first + batch]
        encoded, state = model.begin(pad([sources[i] for i in rows]).to(device))
        prefixes = torch.full((len(rows), 1), BOS, device=device)
        ended = torch.zeros(len(rows), dtype=torch.bool, device=device)
        for _ in range(limit):
            logits, state = model.next_logits(encoded, state, prefixes)
            logits[:, PAD] = -float("inf")
            token = logits.argmax(1).masked_fill(ended, PAD)
            prefixes = torch.cat([prefixes, token.unsqueeze(1)], 1)
            ended |= token == EOS
            if ended.all():
                break
        for i, ids in zip(rows, prefixes[:, 1:].tolist()):
            results[i] = [t for t in ids if t not in (EOS, PAD)]
    return results


@torch.no_grad()
def beam(model, source, width=4, limit=80, row_maxima=None):
    """Ids of the best hypothesis by mean log-probability, without the end token. row_maxima, a list, receives the
    largest attention weight of every row of the answer (recurrent models with attention)."""
    encoded, state = model.begin(torch.tensor([source]))
    live, finished = [(0.0, [BOS], [])], []
    for step in range(limit):
        rows = len(live)
        many = model.select_encoded(encoded, torch.zeros(rows, dtype=torch.long))
        logits, state = model.next_logits(many, state, torch.tensor([h[1] for h in live]))
        logs = logits.log_softmax(1)
        logs[:, PAD] = -float("inf")
        maxima = model.weights.max(1)[0].tolist() if getattr(model, "weights", None) is not None else None
        total = logs + torch.tensor([h[0] for h in live]).unsqueeze(1)
        best, index = total.view(-1).topk(min(2 * width + 2, total.numel()))
        grown, parents = [], []
        for rank, (value, where) in enumerate(zip(best.tolist(), index.tolist())):
            parent, token = divmod(where, total.shape[1])
            trail = live[parent][2] + ([maxima[parent]] if maxima else [])
            if token == EOS:
                if rank < width:
                    finished.append((value / (step + 1), live[parent][1][1:], trail))
            else:
                grown.append((value, live[parent][1] + [token], trail))
                parents.append(parent)
                if len(grown) == width:
                    break
        finished.sort(key=lambda f: -f[0])
        live = grown
        state = model.select_state(state, torch.tensor(parents))
        if len(finished) >= width and max(h[0] for h in live) / (step + 1) <= finished[width - 1][0]:
            break
    else:
        finished += [(h[0] / limit, h[1][1:], h[2]) for h in live]
    answer = max(finished, key=lambda f: f[0])
    if row_maxima is not None:
        row_maxima.extend(answer[2])
    return answer[1]
