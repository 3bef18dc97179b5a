# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Dropout and the smoothed loss in forms that are quick on a CPU, where PyTorch's own take a third of a step; a
recurrent layer as a GPU has it."""
import torch
from torch.nn import functional as F

_POOL, _USES = 1 << 23, 1500
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
    @staticmethod
    def forward(ctx, logits, target, smoothing):
        logs = logits.float().log_softmax(1)
        exact = -logs.gather(1, target.unsqueeze(1)).mean()
        loss = (1 - smoothing) * exact - smoothing * logs.mean()
        ctx.logs, ctx.target, ctx.smoothing, ctx.kind = logs, target, smoothing, logits.dtype
        ctx.mark_non_differentiable(exact)
        return loss, exact

    @staticmethod
    def backward(ctx, grad, _):
        rows, columns = ctx.logs.shape
        slope = ctx.logs.exp_().sub_(ctx.smoothing / columns)
        slope[torch.arange(rows, device=slope.device), ctx.target] -= 1 - ctx.smoothing
        slope = slope.mul_(grad / rows).to(ctx.kind)
        ctx.logs = None
        return slope, None, None


def recur(layer, packed):
    """A recurrent layer over a packed batch. On a GPU in float32 (TF32 inside), as cuDNN has no bfloat16 for them."""
    if not packed.data.is_cuda:
        return layer(packed)
    with torch.autocast("cuda", enabled=False):
        return layer(packed.float())


def smoothed_loss(logits, target, smoothing=0.1):
    """(loss with label smoothing, cross-entropy alone), means over the rows; the loss can be differentiated once."""
    return _SmoothedLoss.apply(logits, target, smoothing)
