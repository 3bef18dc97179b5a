# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Attention archives (.npz): written a layer at a time, read as arrays with labels."""

from __future__ import annotations

import json
import os
import tempfile
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple, Union

import numpy as np

from .arrays import STAGES, StageMaps
from .collect import Options, Record, collect

HeadName = Union[int, str]


def save(
    x: Any,
    path: Union[str, os.PathLike],
    *,
    tokens: Optional[Sequence[Any]] = None,
    target_tokens: Optional[Sequence[Any]] = None,
    text: Optional[str] = None,
    target_text: Optional[str] = None,
    attention_mask: Optional[Any] = None,
    index: int = 0,
    stage: Optional[str] = None,
    tokenizer: Optional[Any] = None,
) -> Path:
    """Writes the attention of x into an archive that the program, figure, show and load read, and returns its path.

    x              what model(..., output_attentions=True) or generate(..., return_dict_in_generate=True,
                   output_attentions=True) returned, a tuple of [batch, heads, rows, columns] a layer, a TransformerLens
                   ActivationCache, an inseq attribution, a dictionary with an archive's names, one array of 2 to 4
                   dimensions, or the result of attnscope.capture
    tokens         names or ids of what was read, of the columns; with a tokenizer ids are named by it
    target_tokens  the same of what was written: token i is the one that row i predicts; with the decoder's start token
                   in front is right, too
    text, target_text   what was tokenized, and what was written
    attention_mask [batch, tokens] or [tokens]: what is 0 there is padding and left out
    index          the entry of the batch (after generate: of sequences)
    stage          "encoder", "decoder" or "cross", where the weights do not tell

    Raises TypeError where x is of no known kind, ValueError where its parts do not fit. A file that is there is
    replaced when the new one is complete.
    """
    record = collect(x, Options(tokens, target_tokens, text, target_text, attention_mask, index, stage, tokenizer))
    path = Path(path)
    if path.suffix != ".npz":
        raise ValueError(f"{path}: an archive's name ends in .npz")
    write(record, path)
    return path


def write(record: Record, path: Path) -> None:
    descriptor, unfinished = tempfile.mkstemp(prefix=path.name, suffix=".part", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file, zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
            for stage, maps in record.maps.items():
                _write_maps(archive, f"{stage}_attentions", maps)
            for name, array in _small_arrays(record).items():
                with archive.open(f"{name}.npy", "w") as entry:
                    np.lib.format.write_array(entry, array, allow_pickle=False)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(unfinished, 0o666 & ~mask)
        os.replace(unfinished, path)
    except BaseException:
        os.unlink(unfinished)
        raise


def _write_maps(archive: zipfile.ZipFile, name: str, maps: StageMaps) -> None:
    header = {"descr": "<f4", "fortran_order": False, "shape": maps.shape}
    with archive.open(f"{name}.npy", "w", force_zip64=True) as entry:
        np.lib.format.write_array_header_1_0(entry, header)
        for layer in range(maps.layers):
            values = np.ascontiguousarray(maps.layer(layer), "<f4")
            if values.shape != maps.shape[1:]:
                raise ValueError(f"{name}: layer {layer} is {values.shape}; expected {maps.shape[1:]}")
            entry.write(values.data)


def _small_arrays(record: Record) -> Dict[str, np.ndarray]:
    result = dict(record.other)
    for side, ids in record.ids.items():
        result[f"{side}_ids"] = np.asarray(ids).astype(np.int64)
    for side, tokens in record.tokens.items():
        result[f"{side}_tokens"] = np.array(tokens, dtype=np.str_)
    metadata = {"program": "attnscope for Python", **record.metadata}
    result.setdefault("metadata", np.array(json.dumps(metadata, ensure_ascii=False)))
    return result


@dataclass(frozen=True)
class LabelledMap:
    """The weights of one head, [rows, columns], and the names of its rows and columns."""

    values: np.ndarray
    rows: List[str]
    columns: List[str]

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return np.array(self.values, dtype=dtype)

    def strongest(self, count: int = 10) -> List[Tuple[str, str, float]]:
        """The largest weights: row, column, weight."""
        order = np.argsort(-self.values, axis=None, kind="stable")[:count]
        places = zip(*np.unravel_index(order, self.values.shape))
        return [(self.rows[i], self.columns[j], float(self.values[i, j])) for i, j in places]

    def __repr__(self) -> str:
        width = max([5] + [len(name) for name in self.rows])
        lines = [" " * width + " " + " ".join(f"{name[:8]:>8}" for name in self.columns)]
        for name, row in zip(self.rows, self.values):
            lines.append(f"{name:>{width}} " + " ".join(f"{weight:8.3f}" for weight in row))
        return "\n".join(lines)


class Archive(Mapping):
    """An attention archive: its arrays by name, and its maps with labels. Arrays are read when they are asked for."""

    def __init__(self, path: Union[str, os.PathLike]):
        self.path = Path(path)
        self._file = np.load(self.path, allow_pickle=False)
        if not isinstance(self._file, np.lib.npyio.NpzFile):
            raise ValueError(f"{self.path}: one array, no archive; expected the .npz that attnscope.save or the program wrote")

    def __getitem__(self, name: str) -> np.ndarray:
        return self._file[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._file.files)

    def __len__(self) -> int:
        return len(self._file.files)

    @property
    def metadata(self) -> Dict[str, Any]:
        return json.loads(str(self["metadata"])) if "metadata" in self else {}

    @property
    def stages(self) -> List[str]:
        return [stage for stage in STAGES if f"{stage}_attentions" in self]

    def labels(self, side: str) -> List[str]:
        """The names of a side's tokens, "source" or "target": as they are shown, else as the vocabulary spells them."""
        for name in (f"{side}_labels", f"{side}_tokens", f"{side}_ids"):
            if name in self:
                return [str(label) for label in self[name]]
        raise KeyError(f"{self.path}: it names no {side} tokens")

    def map(self, stage: str, layer: int, head: HeadName) -> LabelledMap:
        """The weights of a head, or of the "mean" or "max" over heads of a layer.

        Row i is the step that writes token i; of a decoder's own map, column j is the token that it read at step j (the
        start token first). Decoder-only and encoder maps have the tokens of the text on both sides.
        """
        if stage not in self.stages:
            raise KeyError(f"{self.path}: no {stage} maps; it has " + (", ".join(self.stages) or "none"))
        heads = self[f"{stage}_attentions"][layer]
        values = heads.mean(0) if head == "mean" else heads.max(0) if head == "max" else heads[head]
        source = "source" if stage != "decoder" or "cross" not in self.stages else "target"
        columns = self.labels(source)
        rows = self.labels("target") if stage == "cross" else list(columns)
        if stage == "decoder" and source == "target":
            columns = ["<start>"] + columns[:-1]
        return LabelledMap(values, rows, columns)

    def bertviz(self) -> Dict[str, Any]:
        """The arguments of BertViz: head_view(**archive.bertviz()), model_view(**archive.bertviz()).

        Weights are a list of tensors [1, heads, rows, columns], one a layer; needs PyTorch, as BertViz does.
        """
        import torch

        layers = lambda stage: [torch.from_numpy(np.asarray(layer)[None]) for layer in self[f"{stage}_attentions"]]
        if "cross" not in self.stages:
            return {"attention": layers(self.stages[0]), "tokens": self.labels("source")}
        result = {f"{stage}_attention": layers(stage) for stage in self.stages}
        return {**result, "encoder_tokens": self.labels("source"), "decoder_tokens": self.labels("target")}

    def headvis(self, layer: int, head: int, stage: str = "decoder") -> Dict[str, Any]:
        """One head as HeadVis and Neuronpedia read it (heads/L0H0.json): json.dump it to a file.

        The eight largest weights of each row count, of 0.005 and more, as their programs keep them.
        """
        found = self.map(stage, layer, head)
        size = len(found.rows)
        if found.values.shape != (size, size) or found.rows != found.columns:
            raise ValueError(f"{stage}:{layer}:{head}: HeadVis shows attention of a text to itself")
        order = np.argsort(-found.values, axis=1, kind="stable")[:, :8]
        kept = sorted((i, int(j)) for i, row in enumerate(order) for j in row if found.values[i, j] >= 0.005)
        inside = found.values[1:, 1:]
        sequence = {
            "sequence_id": 0,
            "interval": 0,
            "tokens": found.columns,
            "attention_indices": [i * size + j for i, j in kept],
            "attention_values": [round(float(found.values[i, j]), 4) for i, j in kept],
            "seq_len": size,
            "max_activation": round(float(inside.max()), 4) if inside.size else 0.0,
        }
        return {"sequences": [sequence], "statistics": {"n_samples": 1, "mean_max_activation": sequence["max_activation"]}}

    def pharaoh(self, layer: int, head: HeadName = "mean") -> str:
        """The alignment of a head as a line "0-0 2-1": for each word written, the word read that it looks at most.

        Words are those of the archive (source_words, target_words), else its tokens; special tokens are left out.
        """
        values = self.map("cross", layer, head).values
        words = {side: self._words(side) for side in ("source", "target")}
        merged = np.zeros([max(numbers, default=-1) + 1 for numbers in (words["target"], words["source"])])
        for i, row in enumerate(words["target"]):
            for j, column in enumerate(words["source"]):
                if row >= 0 and column >= 0:
                    merged[row, column] += values[i, j]
        return " ".join(f"{int(row.argmax())}-{i}" for i, row in enumerate(merged) if row.any())

    def _words(self, side: str) -> List[int]:
        """The number of each token's word, -1 for none."""
        if f"{side}_words" in self:
            return [int(word) for word in self[f"{side}_words"]]
        special = self[f"{side}_special"] if f"{side}_special" in self else np.zeros(len(self.labels(side)), bool)
        numbers = np.cumsum(~special) - 1
        return [-1 if skipped else int(number) for skipped, number in zip(special, numbers)]

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> "Archive":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        stages = (f"{stage} {self[f'{stage}_attentions'].shape}" for stage in self.stages)
        return f"Archive({str(self.path)!r}: {', '.join(stages) or 'no attention maps'})"


def load(path: Union[str, os.PathLike]) -> Archive:
    """The archive in a file. Raises OSError where there is none, ValueError where it is something else."""
    return Archive(path)
