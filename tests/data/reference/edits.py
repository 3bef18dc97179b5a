# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What edits do to attention, as they are defined: every cell is asked for by itself."""
import numpy as np
import torch

INF = float("inf")


def names(field, number):
    """Whether a field of an edit names a number."""
    for part in field.split(","):
        first, _, last = part.partition("-")
        if part == "*" or int(first) <= number <= int(last or first):
            return True
    return False


class Edits:
    """specs: as the command line takes them. other_maps: (stage, layer) of maps whose columns are no source tokens."""

    def __init__(self, specs=(), other_maps=()):
        self.attention, self.replaced, self.hidden, self.other_maps = [], {}, [], set(other_maps)
        for spec in specs:
            where, what = spec.split("=", 1)
            kind, _, value = what.partition(":")
            fields = where.split(":")
            if fields[0] != "source":
                self.attention.append((fields + ["*"] * (5 - len(fields)), kind, value))
            elif kind == "token":
                self.replaced[int(fields[1])] = int(value)
            else:
                self.hidden.append(int(fields[1]))

    def any(self):
        return bool(self.attention or self.hidden)

    def source(self, ids):
        return [self.replaced.get(place, token) for place, token in enumerate(ids)]

    def hide(self, stage, layer, scores, first_row=0):
        """scores: [heads, rows, columns]."""
        scores = np.array(scores, dtype=np.float64)
        for head, row, column in np.ndindex(*scores.shape):
            hidden = column in self.hidden and (stage, layer) not in self.other_maps
            for fields, kind, _ in self.attention:
                hidden |= kind == "hide" and self.has(fields, stage, layer, head, first_row + row, column)
            if hidden:
                scores[head, row, column] = -INF
        return torch.from_numpy(scores)

    @staticmethod
    def has(fields, stage, layer, head, row, column):
        return fields[0] in ("*", stage) and all(names(field, number) for field, number
                                                 in zip(fields[1:], (layer, head, row, column)))

    def change(self, stage, layer, weights, scores, first_row=0):
        """weights, scores: [heads, rows, columns]."""
        weights, scores = np.array(weights, dtype=np.float64), np.array(scores)
        for fields, kind, value in self.attention:
            for head, row in np.ndindex(*weights.shape[:2]):
                cells = [column for column in range(weights.shape[2]) if scores[head, row, column] != -INF
                         and self.has(fields, stage, layer, head, first_row + row, column)]
                line = weights[head, row]
                if not cells or kind == "hide":
                    continue
                if kind == "zero":
                    line[cells] = 0
                elif kind == "set":
                    line[cells] = float(value)
                elif kind == "scale":
                    line[cells] *= float(value)
                elif kind == "uniform":
                    line[cells] = line[cells].sum() / len(cells)
                elif line.sum() != 0:  # renormalize
                    line /= line.sum()
        return torch.from_numpy(weights)


def softmax(scores):
    """Over the last axis; a row of nothing but -inf becomes zeros."""
    weights = torch.zeros_like(scores)
    seen = (scores > -INF).any(-1)
    weights[seen] = scores[seen].softmax(-1)
    return weights
