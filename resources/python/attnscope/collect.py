# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What other libraries hand out, as the parts of an attention archive.

Each kind of object is one row of READERS: how it is told, and the function that makes a Record of it. The attributes that
are read of other libraries' classes are listed in README.md; none of these libraries is imported.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

import numpy as np

from .arrays import STAGES, StageMaps, is_array, looks_causal, numbers, of_layers, of_steps


@dataclass
class Record:
    """The parts of an archive: maps by stage, ids and tokens by side, and arrays that are kept as they are."""

    maps: Dict[str, StageMaps] = field(default_factory=dict)
    ids: Dict[str, np.ndarray] = field(default_factory=dict)
    tokens: Dict[str, List[str]] = field(default_factory=dict)
    other: Dict[str, np.ndarray] = field(default_factory=dict)
    metadata: Dict[str, Any] = field(default_factory=dict)

    @property
    def decoder_only(self) -> bool:
        return "decoder" in self.maps and "cross" not in self.maps and "encoder" not in self.maps


@dataclass(frozen=True)
class Options:
    """The arguments of show, figure and save that say how an object is read."""

    tokens: Optional[Sequence[Any]] = None
    target_tokens: Optional[Sequence[Any]] = None
    text: Optional[str] = None
    target_text: Optional[str] = None
    attention_mask: Optional[Any] = None
    index: int = 0
    stage: Optional[str] = None
    tokenizer: Optional[Any] = None


def _get(x: Any, name: str) -> Any:
    if isinstance(x, Mapping):
        return x[name] if name in x else None
    return getattr(x, name, None)


def _is_list(x: Any) -> bool:
    return isinstance(x, (list, tuple))


# Hugging Face: what a forward pass and generate return -----------------------------------------------------------------


def _is_model_output(x: Any) -> bool:
    names = ("attentions", "encoder_attentions", "decoder_attentions", "cross_attentions")
    return any(_get(x, name) is not None and not is_array(_get(x, name)) for name in names)


def _entries(output: Any, index: int, steps: int) -> Tuple[List[int], Optional[np.ndarray]]:
    """The entry of the batch at each step that made the sequence, and the sequence."""
    sequences, beams = _get(output, "sequences"), _get(output, "beam_indices")
    sequence = None
    if sequences is not None:
        if not 0 <= index < sequences.shape[0]:
            raise ValueError(f"index {index}: sequences has entries 0 to {sequences.shape[0] - 1}")
        sequence = numbers(sequences[index])
    if beams is None:
        return [index] * steps, sequence
    picked = numbers(beams[index])
    return [int(beam) for beam in picked[picked >= 0]][:steps], sequence


def _of_generation(output: Any, options: Options) -> Record:
    record = Record()
    steps = _get(output, "attentions")
    if steps is not None:
        entries, sequence = _entries(output, options.index, len(steps))
        maps = of_steps("attentions", steps, entries, True)
        if sequence is not None:
            record.ids["source"] = sequence
            # The last token was written and never read: its row is empty.
            length = min(len(sequence), maps.rows + 1)
            record.ids["source"] = sequence[:length]
            maps = _grown(maps, length)
        record.maps["decoder"] = maps
        return record
    encoder = _get(output, "encoder_attentions")
    if encoder is not None:
        batch = encoder[0].shape[0]
        sequences = _get(output, "sequences")
        per_text = max(1, (sequences.shape[0] if sequences is not None else batch) // batch)
        record.maps["encoder"] = of_layers("encoder_attentions", encoder, options.index // per_text)
    for stage, square in (("decoder", True), ("cross", False)):
        steps = _get(output, f"{stage}_attentions")
        if steps is None:
            continue
        entries, sequence = _entries(output, options.index, len(steps))
        maps = of_steps(f"{stage}_attentions", steps, entries, square)
        record.maps[stage] = maps
        if sequence is not None:
            record.ids["target"] = sequence[1 : 1 + maps.rows] # behind the decoder's start token
    return record


def _grown(maps: StageMaps, size: int) -> StageMaps:
    if size <= maps.rows:
        kept = np.arange(size)
        return maps.picked(kept, kept)

    def layer(number: int) -> np.ndarray:
        result = np.zeros((maps.heads, size, size), np.float32)
        result[:, : maps.rows, : maps.columns] = maps.layer(number)
        return result

    return StageMaps(maps.layers, maps.heads, size, size, layer)


def _of_model_output(output: Any, options: Options) -> Record:
    for name in ("attentions", "decoder_attentions", "cross_attentions"):
        layers = _get(output, name)
        if layers is not None and len(layers) and _is_list(layers[0]):
            return _of_generation(output, options)
    record = Record()
    for stage in STAGES:
        layers = _get(output, f"{stage}_attentions")
        if layers is not None and len(layers):
            record.maps[stage] = of_layers(f"{stage}_attentions", layers, options.index)
    layers = _get(output, "attentions")
    if layers is not None and len(layers):
        maps = of_layers("attentions", layers, options.index)
        record.maps[options.stage or ("decoder" if looks_causal(maps) else "encoder")] = maps
    return record


# Tuples of layers, one array -------------------------------------------------------------------------------------------


def _is_layers(x: Any) -> bool:
    return _is_list(x) and len(x) > 0 and all(entry is None or is_array(entry) or _is_list(entry) for entry in x)


def _of_layers(layers: Sequence[Any], options: Options) -> Record:
    return _of_model_output({"attentions": layers}, options)


def _of_array(x: Any, options: Options) -> Record:
    dimensions = len(x.shape)
    if not 2 <= dimensions <= 5:
        raise ValueError(
            f"an array of shape {tuple(x.shape)}: expected [rows, columns], [heads, rows, columns] or "
            "[layers, heads, rows, columns]"
        )
    if dimensions == 5: # [layers, batch, heads, rows, columns]
        return _of_single("array", [layer for layer in x], options)
    x = x[None] if dimensions == 2 else x
    return _of_single("array", [x] if dimensions < 4 else [layer for layer in x], options)


def _of_single(name: str, layers: Sequence[Any], options: Options) -> Record:
    maps = of_layers(name, layers, options.index)
    stage = options.stage
    if stage is None:
        if options.target_tokens is not None:
            stage = "cross"
        elif maps.rows != maps.columns:
            raise ValueError(
                f"{name}: a map of {maps.rows} rows and {maps.columns} columns has two sides; give tokens= of the columns "
                "and target_tokens= of the rows"
            )
        else:
            stage = "decoder" if looks_causal(maps) else "encoder"
    if stage not in STAGES:
        raise ValueError(f"stage {stage!r}: expected encoder, decoder or cross")
    return Record(maps={stage: maps})


# A dictionary of arrays with the names of an archive; TransformerLens --------------------------------------------------

PATTERN = ("blocks.", ".attn.hook_pattern")


def _names(x: Any) -> List[str]:
    try:
        return [name for name in x.keys() if isinstance(name, str)]
    except (AttributeError, TypeError):
        return []


def _is_cache(x: Any) -> bool:
    return any(name.startswith(PATTERN[0]) and name.endswith(PATTERN[1]) for name in _names(x))


def _of_cache(cache: Any, options: Options) -> Record:
    found = {}
    for name in _names(cache):
        if name.startswith(PATTERN[0]) and name.endswith(PATTERN[1]):
            found[int(name[len(PATTERN[0]) : -len(PATTERN[1])])] = name
    missing = [layer for layer in range(max(found) + 1) if layer not in found]
    if missing:
        raise ValueError(f"the cache has no blocks.{missing[0]}.attn.hook_pattern; expected one of every layer up to {max(found)}")
    return _of_model_output({"attentions": [cache[found[layer]] for layer in sorted(found)]}, options)


def _is_archive(x: Any) -> bool:
    return any(f"{stage}_attentions" in _names(x) for stage in STAGES)


def _of_archive(x: Any, options: Options) -> Record:
    record = Record()
    for name in _names(x):
        stage = name[: -len("_attentions")] if name.endswith("_attentions") else ""
        side = name.split("_")[0]
        if stage in STAGES:
            values = x[name]
            if len(values.shape) not in (4, 5):
                raise ValueError(f"{name}: shape {tuple(values.shape)}; expected [layers, heads, rows, columns]")
            record.maps[stage] = of_layers(name, [layer for layer in values], options.index)
        elif name in ("source_ids", "target_ids"):
            record.ids[side] = numbers(x[name])
        elif name in ("source_tokens", "target_tokens"):
            record.tokens[side] = [str(token) for token in x[name]]
        else:
            record.other[name] = numbers(x[name])
    return record


# inseq -----------------------------------------------------------------------------------------------------------------


def _is_inseq(x: Any) -> bool:
    return hasattr(x, "sequence_attributions") or (hasattr(x, "target_attributions") and hasattr(x, "target"))


def _of_inseq(x: Any, options: Options) -> Record:
    if hasattr(x, "sequence_attributions"):
        if not 0 <= options.index < len(x.sequence_attributions):
            raise ValueError(f"index {options.index}: the attribution has sequences 0 to {len(x.sequence_attributions) - 1}")
        x = x.sequence_attributions[options.index]
    spelled = lambda tokens: [getattr(token, "token", token) for token in tokens]
    identified = lambda tokens: np.array([getattr(token, "id", -1) for token in tokens], np.int64)
    record = Record()

    def keep(stage: str, scores: Any, square: bool) -> None:
        # [read, written], with layers, or layers and heads, behind where inseq has not merged them.
        values = numbers(scores).astype(np.float32)
        values = values.reshape(values.shape[:2] + (1,) * (4 - values.ndim) + values.shape[2:])
        values = np.nan_to_num(values.transpose(2, 3, 1, 0))
        if square: # row i is the step that predicts the next token; the first ones were not attributed
            size = values.shape[3]
            begin = max(size - values.shape[2] - 1, 0)
            whole = np.zeros(values.shape[:2] + (size, size), np.float32)
            whole[:, :, begin : begin + values.shape[2]] = values
            values = whole
        record.maps[stage] = of_layers(stage, [layer for layer in values], options.index)

    source, target = list(x.source), list(x.target)
    if x.source_attributions is not None:
        written = x.source_attributions.shape[1]
        record.tokens = {"source": spelled(source), "target": spelled(target[-written:])}
        record.ids = {"source": identified(source), "target": identified(target[-written:])}
        keep("cross", x.source_attributions, False)
    elif x.target_attributions is not None:
        record.tokens, record.ids = {"source": spelled(target)}, {"source": identified(target)}
        keep("decoder", x.target_attributions, True)
    else:
        raise ValueError("the inseq attribution has neither source_attributions nor target_attributions")
    record.metadata["reading"] = str(_get(getattr(x, "info", None) or {}, "attribution_method") or "inseq attribution")
    return record


@dataclass(frozen=True)
class Reader:
    """A kind of object: how it is told from the others, and what makes a Record of it."""

    name: str
    fits: Callable[[Any], bool]
    read: Callable[[Any, Options], Record]


READERS = (
    Reader("the result of attnscope.capture", lambda x: hasattr(x, "attnscope_record"), lambda x, o: x.attnscope_record(o)),
    Reader("one array", is_array, _of_array),
    Reader("a TransformerLens ActivationCache", _is_cache, _of_cache),
    Reader("an inseq attribution", _is_inseq, _of_inseq),
    Reader("a dictionary of arrays with an archive's names", lambda x: isinstance(x, Mapping) and _is_archive(x) and is_array(next(x[n] for n in _names(x) if n.endswith("_attentions"))), _of_archive),
    Reader("what model(..., output_attentions=True) or generate returns", _is_model_output, _of_model_output),
    Reader("a tuple of one array a layer", _is_layers, _of_layers),
)


def collect(x: Any, options: Options) -> Record:
    """The Record of x, with padding left out and both sides named.

    Raises TypeError where nothing can be made of x, ValueError where its parts do not fit together.
    """
    for reader in READERS:
        if reader.fits(x):
            record = reader.read(x, options)
            break
    else:
        raise TypeError(f"{type(x).__name__} is not known; expected " + ", ".join(reader.name for reader in READERS) + " or a path")
    if not record.maps:
        raise ValueError(
            "there are no attention weights: call the model with output_attentions=True and "
            'attn_implementation="eager", or inside attnscope.capture(model)'
        )
    _name_tokens(record, options)
    if options.attention_mask is not None:
        _leave_padding_out(record, options)
    _check(record)
    for side, text in (("source", options.text), ("target", options.target_text)):
        if text is not None:
            record.other[f"{side}_text"] = np.array(text)
    return record


def _sizes(record: Record) -> Dict[str, int]:
    """Tokens that each side must have, by the maps."""
    result: Dict[str, int] = {}
    if record.decoder_only:
        return {"source": record.maps["decoder"].columns}
    for stage, side, axis in (("encoder", "source", "columns"), ("cross", "source", "columns"), ("cross", "target", "rows"),
                              ("decoder", "target", "rows")):
        if stage in record.maps:
            result.setdefault(side, getattr(record.maps[stage], axis))
    return result


def _name_tokens(record: Record, options: Options) -> None:
    for side, given in (("source", options.tokens), ("target", options.target_tokens)):
        if given is None:
            continue
        if is_array(given) and len(given.shape) == 2:
            given = given[options.index]
        given = list(numbers(given)) if is_array(given) else list(given)
        if given and _is_list(given[0]):
            given = list(given[options.index])
        if all(isinstance(token, (int, np.integer)) for token in given):
            record.ids[side] = np.array(given, np.int64)
            record.tokens.pop(side, None)
        else:
            record.tokens[side] = [str(token) for token in given]
            if side in record.ids and len(record.ids[side]) != len(given):
                del record.ids[side]
    sizes = _sizes(record)
    # The decoder's start token in front of what was written is no output.
    for named in (record.tokens, record.ids):
        if "target" in named and len(named["target"]) == sizes.get("target", 0) + 1:
            named["target"] = named["target"][1:]
    if options.tokenizer is not None:
        for side, ids in record.ids.items():
            if side not in record.tokens:
                record.tokens[side] = list(options.tokenizer.convert_ids_to_tokens([int(i) for i in ids]))
    if record.decoder_only and "target" in record.tokens and "source" not in record.tokens:
        record.tokens["source"] = record.tokens.pop("target")


def _leave_padding_out(record: Record, options: Options) -> None:
    mask = numbers(options.attention_mask)
    mask = (mask[options.index] if mask.ndim == 2 else mask) != 0
    size = _sizes(record)["source"]
    if len(mask) > size:
        raise ValueError(f"attention_mask has {len(mask)} entries for {size} tokens")
    kept = np.flatnonzero(np.concatenate([mask, np.ones(size - len(mask), bool)])) # tokens generated since count
    if record.decoder_only:
        record.maps["decoder"] = record.maps["decoder"].picked(kept, kept)
    if "encoder" in record.maps:
        record.maps["encoder"] = record.maps["encoder"].picked(kept, kept)
    if "cross" in record.maps:
        record.maps["cross"] = record.maps["cross"].picked(None, kept)
    if len(record.ids.get("source", ())) == size:
        record.ids["source"] = record.ids["source"][kept]
    if len(record.tokens.get("source", ())) == size:
        record.tokens["source"] = [record.tokens["source"][i] for i in kept]


def _check(record: Record) -> None:
    for side, size in _sizes(record).items():
        argument = "tokens" if side == "source" else "target_tokens"
        if side not in record.ids and side not in record.tokens:
            raise ValueError(f"{argument}: the maps have {size} {side} tokens; give their names or ids with {argument}=")
        for kind, values in (("tokens", record.tokens), ("ids", record.ids)):
            if side in values and len(values[side]) != size:
                raise ValueError(f"{argument}: {len(values[side])} {kind} for maps of {size} {side} tokens")
