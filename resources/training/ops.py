# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Dropout, the smoothed loss and recurrent layers in forms that are quick on a CPU, where PyTorch's own take a third of
a step and more, and on a GPU can be captured in a graph: nothing here waits for the device."""
import contextlib

import torch
from torch.autograd.function import once_differentiable
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
    way to memory and back takes as long as the products. The likelihoods stay in the products' type, and what smoothing
    takes from all of them alike is taken from the products, which are smaller. Autocast keeps the table's copy that is
    made here without a graph, so nothing later in a step may use the table."""
    ROWS = 512

    @staticmethod
    def forward(ctx, states, table, bias, target, smoothing, present):
        """present: 1 where a row counts and 0 where it is padding, or None where there is none."""
        even = smoothing / len(table)
        rows = len(states) if states.is_cuda else _SmoothedLoss.ROWS
        count = len(states) if present is None else present.sum()
        counted = states if present is None else states * present.unsqueeze(1)
        mean = lambda x: x.mean() if present is None else (x * present).sum() / count
        back, of_table, of_bias = torch.empty_like(states), torch.zeros_like(table), torch.zeros_like(table[:, 0])
        scored, likely = [], []
        for first in range(0, len(states), rows):
            part, answers = states[first:first + rows], target[first:first + rows]
            logits = F.linear(part, table, bias)
            slope = torch.softmax(logits, 1, dtype=logits.dtype)
            places = torch.arange(len(part), device=slope.device), answers
            scored.append(logits[places])
            likely.append(slope[places])
            slope[places] -= 1 - smoothing
            back[first:first + rows] = slope @ table
            of_table += slope.t() @ counted[first:first + rows]
            if bias is not None:
                there = None if present is None else present[first:first + rows].to(slope.dtype)
                of_bias += slope.sum(0) if there is None else there @ slope
        middle, summed = counted.to(table.dtype).sum(0) / count, table.sum(0)
        exact = -mean(torch.cat(likely).float().clamp_(min=1e-30).log_())  # of what has become 0, at most 69
        spread = mean(torch.cat(scored).float()) - (middle * summed).sum() / len(table)
        spread = spread if bias is None else spread - bias.mean()
        back = (back - even * summed) / count
        ctx.save_for_backward(back if present is None else back * present.unsqueeze(1),
                              of_table / count - even * middle, of_bias / count - even if bias is not None else None)
        ctx.mark_non_differentiable(exact)
        return exact + smoothing * spread, exact

    @staticmethod
    def backward(ctx, grad, _):
        return *(part if part is None else part * grad for part in ctx.saved_tensors), None, None, None


def plain_float32(x):
    """Where a loop of small steps runs: on a GPU without autocast, whose copies of everything small take longer than
    the products, which use TF32."""
    return torch.autocast("cuda", enabled=False) if x.is_cuda else contextlib.nullcontext()


def cpu_autocast():
    try:
        return torch.is_autocast_enabled("cpu")
    except TypeError:  # before PyTorch 2.4
        return torch.is_autocast_cpu_enabled()


class _Matrix(torch.autograd.Function):
    """Matrix and bias of Repeated: their gradients are made of what all uses have left."""

    @staticmethod
    def forward(ctx, matrix, bias, uses):
        ctx.uses, ctx.biased = uses, bias is not None
        ctx.set_materialize_grads(False)
        return matrix.view_as(matrix), None if bias is None else bias.view_as(bias)

    @staticmethod
    @once_differentiable
    def backward(ctx, *_):
        rows, slopes = (torch.cat(parts, -2) for parts in zip(*ctx.uses))
        ctx.uses.clear()
        of_bias = slopes.sum(-2, keepdim=slopes.dim() > 2) if ctx.biased else None
        return rows.transpose(-2, -1) @ slopes, of_bias, None


class _Use(torch.autograd.Function):
    """One product of Repeated; leaves for matrix and bias what their gradients need."""

    @staticmethod
    def forward(ctx, rows, matrix, bias, uses):
        ctx.uses = uses
        ctx.save_for_backward(rows, matrix)
        if bias is not None and rows.is_cuda:
            return torch.addmm(bias, rows, matrix) if rows.dim() == 2 else torch.baddbmm(bias, rows, matrix)
        product = rows @ matrix
        return product if bias is None else product + bias

    @staticmethod
    @once_differentiable
    def backward(ctx, slope):
        rows, matrix = ctx.saved_tensors
        if ctx.needs_input_grad[1]:
            ctx.uses.append((rows, slope))
        return slope @ matrix.transpose(-2, -1), None, None, None


class Repeated:
    """Products rows @ matrix + bias, [..., n, k] @ [..., k, m], with a matrix that every step of a loop uses; the bias
    is [m] or, of several matrices, [..., 1, m]. The gradients of both are one product and sum over all steps instead of
    one at each. On a CPU in bfloat16 where autocast asks for it, on a GPU in the matrix's type."""

    def __init__(self, matrix, bias=None):
        if not matrix.is_cuda and cpu_autocast():
            matrix, bias = matrix.bfloat16(), None if bias is None else bias.bfloat16()
        self.uses = []
        self.matrix, self.bias = _Matrix.apply(matrix, bias, self.uses)

    def __call__(self, rows):
        return _Use.apply(rows.to(self.matrix.dtype), self.matrix, self.bias, self.uses)


def by_step(keep, rows, n):
    """Indexes into [rows, n], flattened, as those of the same places in [n, rows]."""
    return keep % n * rows + torch.div(keep, n, rounding_mode="floor")


def gru(inward, from_state, state):
    """nn.GRUCell's step of the products of its input and of its state, both with their biases; [rows, width] each on a
    GPU, where it is PyTorch's own kernel of its cells."""
    if state.is_cuda:
        return torch.ops.aten._thnn_fused_gru_cell(inward, from_state, state, None, None)[0]
    i_reset, i_update, i_new = inward.chunk(3, -1)
    h_reset, h_update, h_new = from_state.chunk(3, -1)
    update = torch.sigmoid(i_update + h_update).float()
    new = torch.tanh(i_new + torch.sigmoid(i_reset + h_reset) * h_new).float()
    return torch.lerp(new, state.float(), update)


def lstm(inward, from_state, cell):
    """nn.LSTMCell's step of the products of its input and of its state with their biases: (state, cell). On a GPU as
    above."""
    if cell.is_cuda:
        return torch.ops.aten._thnn_fused_lstm_cell(inward, from_state, cell, None, None)[:2]
    i, f, g, o = (inward + from_state).float().chunk(4, -1)
    cell = torch.sigmoid(f) * cell + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(cell), cell


def turned(x, lengths):
    """x [rows, n, width] with the sequences of these lengths the other way round, each in its place."""
    place, ends = torch.arange(x.shape[1], device=x.device), lengths.unsqueeze(1)
    return x.gather(1, torch.where(place < ends, ends - 1 - place, place).unsqueeze(2).expand_as(x))


def recur_in_step(layer, x, lengths):
    """recur() where padding costs nothing but a wait would: both directions begin at their sequence's first element and
    run through the padding, and what counts is picked afterwards."""
    rows, n, _ = x.shape
    sides = [(x, ""), (turned(x, lengths), "_reverse")]
    part = lambda name: [getattr(layer, name + "_l0" + end) for _, end in sides]
    inward = torch.stack([F.linear(side.transpose(0, 1), *weights) for (side, _), *weights
                          in zip(sides, part("weight_ih"), part("bias_ih"))], 1)  # [n, 2, rows, ...]
    from_state = Repeated(torch.stack(part("weight_hh")).transpose(1, 2), torch.stack(part("bias_hh")).unsqueeze(1))
    state = cell = torch.zeros(2 * rows, layer.hidden_size, device=x.device)
    states, cells = [], []
    for step in inward.flatten(1, 2).unbind():
        products = from_state(state.view(2, rows, -1)).flatten(0, 1)
        if layer.mode == "GRU":
            state = gru(step, products, state)
        else:
            state, cell = lstm(step, products, cell)
            cells.append(cell)
        states.append(state)
    ends = (lengths - 1).repeat(2)[None, :, None].expand(1, -1, layer.hidden_size)
    states, *cells = [torch.stack(some) for some in (states, cells) if some]
    last = [some.gather(0, ends).view(2, rows, -1) for some in (states, *cells)]
    forward, backward = states.view(n, 2, rows, -1).permute(1, 2, 0, 3)
    return torch.cat([forward, turned(backward, lengths)], 2), last[0] if layer.mode == "GRU" else tuple(last)


def recur(layer, x, lengths):
    """A bidirectional GRU or LSTM over a batch [rows, n, width] of sequences of these lengths: outputs [rows, n, 2
    hidden] and the last states [2, rows, hidden], of an LSTM (states, cells). A loop over both directions at once: on a
    CPU because PyTorch's makes a gradient of all positions at every one, on a GPU because cuDNN's wants the lengths on
    the CPU, so that no graph can be captured. Outputs beyond a sequence's end are of no use."""
    if x.is_cuda:
        with plain_float32(x):
            return recur_in_step(layer, x.float(), lengths.to(x.device))
    both = {name: torch.stack([getattr(layer, name + "_l0"), getattr(layer, name + "_l0_reverse")])
            for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")}
    rows, n, _ = x.shape
    x = x.transpose(0, 1)
    inward = Repeated(both["weight_ih"].transpose(1, 2), both["bias_ih"].unsqueeze(1))
    from_state = Repeated(both["weight_hh"].transpose(1, 2), both["bias_hh"].unsqueeze(1))
    present = torch.arange(n).unsqueeze(1) < lengths
    present = torch.stack([present, present.flip(0)], 1).unsqueeze(3)  # [n, 2, rows, 1]
    state = cell = torch.zeros(2, rows, layer.hidden_size)
    outputs = []
    parts = inward(torch.stack([x, x.flip(0)]).flatten(1, 2)).view(2, n, rows, -1).unbind(1)
    for here, part, whole in zip(present, parts, present.flatten(1).all(1).tolist()):
        if layer.mode == "GRU":
            new = gru(part, from_state(state), state)
        else:
            new, kept = lstm(part, from_state(state), cell)
            cell = kept if whole else torch.where(here, kept, cell)
        state = new if whole else torch.where(here, new, state)
        outputs.append(state)
    forward, backward = torch.stack(outputs, 1)
    outputs = torch.cat([forward, backward.flip(0)], 2).transpose(0, 1).contiguous()
    return outputs, state if layer.mode == "GRU" else (state, cell)


def smoothed_loss(states, table, bias, target, smoothing=0.1, present=None):
    """(loss with label smoothing, cross-entropy alone), means over the rows, of logits states @ table^T + bias (a
    vector or None); the loss can be differentiated once. present, in training: 1 or 0 a row, if some do not count."""
    if torch.is_grad_enabled():
        return _SmoothedLoss.apply(states, table, bias, target, smoothing, present)
    logs = F.linear(states, table, bias).float().log_softmax(1)
    exact = -logs.gather(1, target.unsqueeze(1)).mean()
    return (1 - smoothing) * exact - smoothing * logs.mean(), exact
