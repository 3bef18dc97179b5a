# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Dropout, the smoothed loss and recurrent layers in forms that are quick on a CPU, where PyTorch's own take a third of
a step and more."""
import torch
from torch.autograd.function import once_differentiable
from torch.nn import functional as F
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

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
    def forward(ctx, states, table, bias, target, smoothing):
        count, even = len(states), smoothing / len(table)
        rows = count if states.is_cuda else _SmoothedLoss.ROWS
        back, of_table, of_bias = torch.empty_like(states), torch.zeros_like(table), torch.zeros_like(table[:, 0])
        scored, likely = [], []
        for first in range(0, count, rows):
            part, answers = states[first:first + rows], target[first:first + rows]
            logits = F.linear(part, table, bias)
            slope = torch.softmax(logits, 1, dtype=logits.dtype)
            places = torch.arange(len(part), device=slope.device), answers
            scored.append(logits[places])
            likely.append(slope[places])
            slope[places] -= 1 - smoothing
            back[first:first + rows] = slope @ table
            of_table += slope.t() @ part
            if bias is not None:
                of_bias += slope.sum(0)
        middle, summed = states.to(table.dtype).mean(0), table.sum(0)
        exact = -torch.cat(likely).float().clamp_(min=1e-30).log_().mean()  # of what has become 0, at most 69
        spread = torch.cat(scored).float().mean() - middle @ summed / len(table) - (0 if bias is None else bias.mean())
        ctx.save_for_backward((back - even * summed) / count, of_table / count - even * middle,
                              of_bias / count - even if bias is not None else None)
        ctx.mark_non_differentiable(exact)
        return exact + smoothing * spread, exact

    @staticmethod
    def backward(ctx, grad, _):
        return *(part if part is None else part * grad for part in ctx.saved_tensors), None, None


class _Matrix(torch.autograd.Function):
    """The matrix of Repeated: its gradient is made of what all uses have left."""

    @staticmethod
    def forward(ctx, matrix, uses):
        ctx.uses = uses
        ctx.set_materialize_grads(False)
        return matrix.view_as(matrix)

    @staticmethod
    @once_differentiable
    def backward(ctx, _):
        rows, slopes = (torch.cat(parts, -2) for parts in zip(*ctx.uses))
        ctx.uses.clear()
        return rows.transpose(-2, -1) @ slopes, None


class _Use(torch.autograd.Function):
    """One product of Repeated; leaves for the matrix what its gradient needs."""

    @staticmethod
    def forward(ctx, rows, matrix, uses):
        ctx.uses = uses
        ctx.save_for_backward(rows, matrix)
        return rows @ matrix

    @staticmethod
    @once_differentiable
    def backward(ctx, slope):
        rows, matrix = ctx.saved_tensors
        if ctx.needs_input_grad[1]:
            ctx.uses.append((rows, slope))
        return slope @ matrix.transpose(-2, -1), None, None


class Repeated:
    """Products rows @ matrix + bias, [..., n, k] @ [..., k, m], with a matrix that every step of a loop uses. The
    matrix's gradient is one product over all steps instead of a product and a sum at each. In bfloat16 where autocast
    asks for it."""

    def __init__(self, matrix, bias=None):
        cast = torch.is_autocast_enabled() if matrix.is_cuda else torch.is_autocast_cpu_enabled()
        self.uses = []
        self.matrix = _Matrix.apply(matrix.bfloat16() if cast else matrix, self.uses)
        self.bias = None if bias is None else bias.to(self.matrix.dtype)

    def __call__(self, rows):
        product = _Use.apply(rows.to(self.matrix.dtype), self.matrix, self.uses)
        return product if self.bias is None else product + self.bias


def by_step(keep, rows, n):
    """Indexes into [rows, n], flattened, as those of the same places in [n, rows]."""
    return keep % n * rows + torch.div(keep, n, rounding_mode="floor")


def gru(inward, from_state, state):
    """nn.GRUCell's step of the products of its input and of its state, both with their biases."""
    i_reset, i_update, i_new = inward.chunk(3, -1)
    h_reset, h_update, h_new = from_state.chunk(3, -1)
    update = torch.sigmoid(i_update + h_update).float()
    new = torch.tanh(i_new + torch.sigmoid(i_reset + h_reset) * h_new).float()
    return torch.lerp(new, state.float(), update)


def lstm(gates, cell):
    """nn.LSTMCell's step of the sum of its products with their biases: (state, cell)."""
    i, f, g, o = gates.float().chunk(4, -1)
    cell = torch.sigmoid(f) * cell + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(cell), cell


def recur(layer, x, lengths):
    """A bidirectional GRU or LSTM over a batch [rows, n, width] of sequences of these lengths (on the CPU): outputs
    [rows, n, 2 hidden] and the last states [2, rows, hidden], of an LSTM (states, cells). On a GPU cuDNN's, in float32
    (TF32 inside), as it has no bfloat16 for them. On a CPU a loop over both directions at once, because PyTorch's makes
    a gradient of all positions at every one. Outputs beyond a sequence's end are of no use."""
    if x.is_cuda:
        with torch.autocast("cuda", enabled=False):
            outputs, last = layer(pack_padded_sequence(x.float(), lengths, True, False))
        return pad_packed_sequence(outputs, True, total_length=x.shape[1])[0], last
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
            new, kept = lstm(part + from_state(state), cell)
            cell = kept if whole else torch.where(here, kept, cell)
        state = new if whole else torch.where(here, new, state)
        outputs.append(state)
    forward, backward = torch.stack(outputs, 1)
    outputs = torch.cat([forward, backward.flip(0)], 2).transpose(0, 1).contiguous()
    return outputs, state if layer.mode == "GRU" else (state, cell)


def smoothed_loss(states, table, bias, target, smoothing=0.1):
    """(loss with label smoothing, cross-entropy alone), means over the rows, of logits states @ table^T + bias (a
    vector or None); the loss can be differentiated once."""
    if torch.is_grad_enabled():
        return _SmoothedLoss.apply(states, table, bias, target, smoothing)
    logs = F.linear(states, table, bias).float().log_softmax(1)
    exact = -logs.gather(1, target.unsqueeze(1)).mean()
    return (1 - smoothing) * exact - smoothing * logs.mean(), exact
