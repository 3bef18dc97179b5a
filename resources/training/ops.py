# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Dropout and the smoothed loss in forms that are quick on a CPU, where PyTorch's own take a third of a step; a
recurrent layer as a GPU has it."""
import torch
from torch.nn import functional as F

_POOL, _USES = 1 << 24, 1500
_masks = {}


def dropout(x, rate, training):
    """Dropout. On a CPU the mask is a stretch, from a random start, of a pool drawn anew every _USES calls."""
    if not training or rate == 0:
        return x
    if x.is_cuda or x.numel() * 2 > _POOL:
        return F.dropout(x, rate, True)
    pool, uses = _masks.get((rate, x.dtype), (None, _USES))
    if uses >= _USES:
        pool, uses = torch.empty(_POOL).bernoulli_(1 - rate).div_(1 - rate).to(x.dtype), 0
    _masks[rate, x.dtype] = (pool, uses + 1)
    start = int(torch.randint(_POOL - x.numel(), ()))
    return x * pool[start:start + x.numel()].view(x.shape)


class _SmoothedLoss(torch.autograd.Function):
    """The gradients are made with the loss, some rows at a time, so that no whole table of logits is kept: on a CPU its
    way to memory and back takes as long as the products. Autocast keeps the table's copy that is made here without a
    graph, so nothing later in a step may use the table."""
    ROWS = 512

    @staticmethod
    def forward(ctx, states, table, bias, target, smoothing):
        count, columns = len(states), len(table)
        rows = count if states.is_cuda else _SmoothedLoss.ROWS
        back, of_table, of_bias = torch.empty_like(states), torch.zeros_like(table), torch.zeros_like(table[:, 0])
        exact = even = 0.0
        for first in range(0, count, rows):
            part, answers = states[first:first + rows], target[first:first + rows]
            logits = F.linear(part, table, bias)
            logs = logits.float().log_softmax(1)
            exact = exact - logs.gather(1, answers.unsqueeze(1)).sum() / count
            if smoothing:
                even = even - logs.mean(1).sum() / count
            slope = logs.exp_().sub_(smoothing / columns)
            slope[torch.arange(len(part), device=slope.device), answers] -= 1 - smoothing
            slope.div_(count)
            of_bias += slope.sum(0)
            slope = slope.to(logits.dtype)
            back[first:first + rows] = slope @ table
            of_table += slope.t() @ part
        ctx.save_for_backward(back, of_table, of_bias if bias is not None else None)
        ctx.mark_non_differentiable(exact)
        return (1 - smoothing) * exact + smoothing * even, exact

    @staticmethod
    def backward(ctx, grad, _):
        return *(part if part is None else part * grad for part in ctx.saved_tensors), None, None


def recur(layer, packed):
    """A recurrent layer over a packed batch. On a GPU in float32 (TF32 inside), as cuDNN has no bfloat16 for them."""
    if not packed.data.is_cuda:
        return layer(packed)
    with torch.autocast("cuda", enabled=False):
        return layer(packed.float())


def smoothed_loss(states, table, bias, target, smoothing=0.1):
    """(loss with label smoothing, cross-entropy alone), means over the rows, of logits states @ table^T + bias (a
    vector or None); the loss can be differentiated once."""
    if torch.is_grad_enabled():
        return _SmoothedLoss.apply(states, table, bias, target, smoothing)
    logs = F.linear(states, table, bias).float().log_softmax(1)
    exact = -logs.gather(1, target.unsqueeze(1)).mean()
    return (1 - smoothing) * exact - smoothing * logs.mean(), exact
