# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Arrays of PyTorch, JAX and NumPy as NumPy arrays, and stages of attention that are read a layer at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Optional, Sequence, Tuple

import numpy as np

STAGES = ("encoder", "decoder", "cross")


def numbers(x: Any) -> np.ndarray:
    """x as a NumPy array on the CPU, without its gradient; bfloat16, which NumPy has not, as float32."""
    if hasattr(x, "detach"):
        x = x.detach()
        if "bfloat16" in str(x.dtype):
            x = x.float()
        return x.cpu().numpy()
    x = np.asarray(x)
    return x.astype(np.float32) if x.dtype.name == "bfloat16" else x


def is_array(x: Any) -> bool:
    return hasattr(x, "shape") and hasattr(x, "dtype")


@dataclass
class StageMaps:
    """The weights of one stage, float32 [heads, rows, columns] a layer, made when they are asked for."""

    layers: int
    heads: int
    rows: int
    columns: int
    layer: Callable[[int], np.ndarray]

    @property
    def shape(self) -> Tuple[int, int, int, int]:
        return self.layers, self.heads, self.rows, self.columns

    def picked(self, rows: Optional[np.ndarray], columns: Optional[np.ndarray]) -> "StageMaps":
        """The rows and columns with these numbers; None: all."""

        def layer(index: int) -> np.ndarray:
            values = self.layer(index)
            values = values if rows is None else values[:, rows]
            return values if columns is None else values[:, :, columns]

        count = lambda picked, all_of_them: all_of_them if picked is None else len(picked)
        return StageMaps(self.layers, self.heads, count(rows, self.rows), count(columns, self.columns), layer)


def of_layers(name: str, layers: Sequence[Any], index: int) -> StageMaps:
    """Maps of one entry of the batch, from an array [batch, heads, rows, columns] or [heads, rows, columns] a layer.

    Raises ValueError where a layer gives no weights, or layers have maps of different shapes.
    """
    if not len(layers):
        raise ValueError(f"{name}: no layer is there")
    for number, layer in enumerate(layers):
        if layer is None:
            raise ValueError(
                f"{name}: layer {number} gives no weights, as sdpa and flash attention do not; load the model with "
                'attn_implementation="eager", or run it inside attnscope.capture(model)'
            )
        if len(layer.shape) not in (3, 4):
            raise ValueError(
                f"{name}: layer {number} has shape {tuple(layer.shape)}; expected [batch, heads, rows, columns] or "
                "[heads, rows, columns]"
            )
        if tuple(layer.shape[-3:]) != tuple(layers[0].shape[-3:]):
            raise ValueError(
                f"{name}: layer {number} is {tuple(layer.shape[-3:])} and layer 0 {tuple(layers[0].shape[-3:])}; "
                "layers of one stage have the same heads, rows and columns"
            )
        if len(layer.shape) == 4 and not 0 <= index < layer.shape[0]:
            raise ValueError(f"index {index}: the batch of {name} has entries 0 to {layer.shape[0] - 1}")

    def one(number: int) -> np.ndarray:
        layer = layers[number]
        return numbers(layer[index] if len(layer.shape) == 4 else layer).astype(np.float32, copy=False)

    return StageMaps(len(layers), *(int(size) for size in layers[0].shape[-3:]), one)


def of_steps(name: str, steps: Sequence[Sequence[Any]], entries: Sequence[int], square: bool) -> StageMaps:
    """Maps put together of a generation: steps[t][layer] is [batch or beams, heads, rows, columns].

    The first step may have several rows (the prompt); of every later one the last row counts. entries[t] is the entry of
    the batch at step t: with beams, the beam that the token of step t came from. Columns that a step does not have are 0.
    square: as many columns as rows, those of tokens that were read.
    """
    if not len(steps) or any(step is None or not len(step) or any(x is None for x in step) for step in steps):
        raise ValueError(
            f"{name}: a step gives no weights; generate with output_attentions=True, return_dict_in_generate=True and a "
            'model that was loaded with attn_implementation="eager"'
        )
    for number, entry in enumerate(entries):
        if not 0 <= entry < steps[number][0].shape[0]:
            raise ValueError(f"{name}: step {number} has entries 0 to {steps[number][0].shape[0] - 1}, not {entry}")
    first = int(steps[0][0].shape[-2])
    rows = first + len(entries) - 1
    columns = rows if square else int(steps[0][0].shape[-1])
    heads = int(steps[0][0].shape[1])

    def layer(number: int) -> np.ndarray:
        result = np.zeros((heads, rows, columns), np.float32)
        for step, entry in enumerate(entries):
            maps = steps[step][number][entry]
            begin, count = (0, first) if step == 0 else (first + step - 1, 1)
            maps = numbers(maps[:, -count:, :columns])
            result[:, begin : begin + count, : maps.shape[-1]] = maps
        return result

    return StageMaps(len(steps[0]), heads, rows, columns, layer)


def looks_causal(maps: StageMaps) -> bool:
    """True where no row of the first layer looks ahead: the weights of a decoder."""
    if maps.rows != maps.columns or maps.rows < 2:
        return False
    return not np.triu(maps.layer(0), 1).any()
