# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Muon (Jordan et al. 2024): momentum whose update of a matrix is made orthogonal by Newton-Schulz iterations."""
import torch


def orthogonalize(stack, steps=5):
    """The nearest (semi-)orthogonal matrices to a stack [n, rows, columns], roughly, by the published quintic."""
    a, b, c = 3.4445, -4.7750, 2.0315
    x = stack.bfloat16()
    x = x / (x.float().norm(dim=(1, 2), keepdim=True).bfloat16() + 1e-7)
    tall = x.shape[1] > x.shape[2]
    if tall:
        x = x.transpose(1, 2)
    for _ in range(steps):
        gram = x @ x.transpose(1, 2)
        x = torch.baddbmm(x, torch.baddbmm(gram, gram, gram, beta=b, alpha=c), x, beta=a)
    return (x.transpose(1, 2) if tall else x).float()


class Muon(torch.optim.Optimizer):
    """For the matrices of the layers; embeddings, norms and biases belong to Adam. The update's root mean square is
    that of Adam (0.2, Liu et al. 2025), so both share a learning rate, a number or a tensor. A parameter with
    `side_by_side` = n holds n matrices beside each other; each gets an update of its own, or one with small gradients
    would hardly move."""

    def __init__(self, matrices, lr, momentum=0.95, weight_decay=0.01):
        super().__init__(matrices, dict(lr=lr, momentum=momentum, weight_decay=weight_decay))

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            present = [p for p in group["params"] if p.grad is not None]
            gradients = [p.grad for p in present]
            buffers = [self.state[p].setdefault("momentum", torch.zeros_like(p)) for p in present]
            torch._foreach_mul_(buffers, group["momentum"])
            torch._foreach_add_(buffers, gradients)
            updates, shapes = torch._foreach_add(gradients, buffers, alpha=group["momentum"]), {}
            for p, update in zip(present, updates):
                count = getattr(p, "side_by_side", 1)
                for pair in zip(p.chunk(count, 1), update.chunk(count, 1)):
                    shapes.setdefault(pair[0].shape, []).append(pair)
            for shape, pairs in shapes.items():
                parts = [part for part, _ in pairs]
                steps = orthogonalize(torch.stack([step for _, step in pairs]))
                torch._foreach_mul_(parts, 1 - group["lr"] * group["weight_decay"])
                torch._foreach_add_(parts, list((steps * (group["lr"] * (-0.2 * max(shape) ** 0.5))).unbind()))
