# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Attention of PyTorch models whose results do not hold it."""

from __future__ import annotations

import sys
import warnings
from contextlib import contextmanager
from typing import Any, Dict, Iterator, List, Optional

from .arrays import looks_causal, of_layers, of_steps
from .collect import Options, Record

FUSED = ("flash", "xformers", "memory_efficient")


class Captured:
    """The weights of every attention that ran inside attnscope.capture, in the order of the calls.

    calls    {name of the module: [weights [batch, heads, rows, columns] of each call]}
    missing  {name of the module: why it gave no weights}
    """

    def __init__(self) -> None:
        self.calls: Dict[str, List[Any]] = {}
        self.missing: Dict[str, str] = {}

    def attnscope_record(self, options: Options) -> Record:
        """The weights by stage: a module's name, or the shape of its maps, says which."""
        if not self.calls:
            reasons = "; ".join(f"{name}: {why}" for name, why in self.missing.items())
            raise ValueError("no attention weights were captured: " + (reasons or "no attention ran inside attnscope.capture"))
        stages: Dict[str, List[List[Any]]] = {}
        for name, calls in self.calls.items():
            stages.setdefault(_stage_by_name(name, calls) or "", []).append(calls)
        if "" in stages: # names that say nothing
            unnamed = stages.pop("")
            square = [calls for calls in unnamed if calls[0].shape[-1] == calls[0].shape[-2]]
            across = [calls for calls in unnamed if calls[0].shape[-1] != calls[0].shape[-2]]
            if square:
                causal = looks_causal(of_layers("capture", [square[0][0]], options.index)) or len(square[0]) > 1
                stages.setdefault(options.stage or ("decoder" if causal else "encoder"), []).extend(square)
            if across:
                stages.setdefault("cross", []).extend(across)
        record = Record()
        for stage, modules in stages.items():
            steps = min(len(calls) for calls in modules)
            if steps == 1:
                record.maps[stage] = of_layers(stage, [calls[0] for calls in modules], options.index)
            else: # one call a step
                by_step = [[calls[step] for calls in modules] for step in range(steps)]
                record.maps[stage] = of_steps(stage, by_step, [options.index] * steps, stage != "cross")
        return record


def _stage_by_name(name: str, calls: List[Any]) -> Optional[str]:
    lowered = name.lower()
    if any(word in lowered for word in ("crossattention", "encoder_attn", "encdecattention", "multihead_attn", "cross_attn")):
        return "cross"
    if "encoder" in lowered and "decoder" not in lowered:
        return "encoder"
    return "decoder" if "decoder" in lowered else None


def _is_attention(module: Any) -> bool:
    return "attention" in type(module).__name__.lower() or "attn" in type(module).__name__.lower()


def _weights(result: Any) -> Optional[Any]:
    """The weights in what an attention module returned: four dimensions, rows that sum to one or to less."""
    for part in result[1:] if isinstance(result, tuple) else ():
        if hasattr(part, "detach") and part.dim() in (3, 4) and part.is_floating_point():
            sums = part.detach().float().sum(-1)
            if bool(((part >= 0).all()) & ((sums < 1.01).all())):
                return part.detach()
    return None


@contextmanager
def capture(model: Any) -> Iterator[Captured]:
    """Collects the attention weights of a PyTorch model while it runs, and leaves the model as it was.

    Hugging Face models run with eager attention meanwhile; torch.nn.MultiheadAttention and the Transformer layers of
    PyTorch are asked for the weights of each head; scaled_dot_product_attention, where a model calls it, computes them.
    What gives none, fused kernels outside PyTorch, is named in `missing`, with a warning.
    Raises TypeError where model is no torch.nn.Module.
    """
    torch = sys.modules.get("torch")
    if torch is None or not isinstance(model, torch.nn.Module):
        raise TypeError(f"{type(model).__name__}: expected a torch.nn.Module")
    captured = Captured()
    undo: List[Any] = []
    try:
        _turn_eager_on(model, undo)
        running: List[str] = []
        for name, module in model.named_modules():
            _follow(module, name, running, undo)
            if isinstance(module, torch.nn.MultiheadAttention):
                _ask_for_weights(module, name, captured, undo)
            elif _is_attention(module):
                _listen(module, name, captured, undo)
        _turn_fast_path_off(torch, model, undo)
        _replace_sdpa(torch, captured, running, undo)
        yield captured
    finally:
        for step in reversed(undo):
            step()
    _forget_wrappers(captured)
    for name, why in captured.missing.items():
        warnings.warn(f"{name}: {why}", stacklevel=3)


def _set(owner: Any, name: str, value: Any, undo: List[Any]) -> None:
    before = getattr(owner, name)
    setattr(owner, name, value)
    undo.append(lambda: setattr(owner, name, before))


def _turn_eager_on(model: Any, undo: List[Any]) -> None:
    seen = set()
    for module in model.modules():
        config = getattr(module, "config", None)
        if config is None or id(config) in seen:
            continue
        seen.add(id(config))
        for name, value in (("_attn_implementation", "eager"), ("output_attentions", True)):
            if hasattr(config, name):
                _set(config, name, value, undo)


def _keep(captured: Captured, name: str, weights: Any) -> None:
    captured.calls.setdefault(name, []).append(weights[None] if weights.dim() == 3 else weights)


def _follow(module: Any, name: str, running: List[str], undo: List[Any]) -> None:
    """Keeps the names of the modules that are at work, the innermost one last."""

    def begin(_module: Any, _inputs: Any) -> None:
        running.append(name)

    def end(_module: Any, _inputs: Any, _result: Any) -> None:
        running.pop()

    undo.append(module.register_forward_pre_hook(begin).remove)
    undo.append(module.register_forward_hook(end).remove)


def _listen(module: Any, name: str, captured: Captured, undo: List[Any]) -> None:
    def hook(_module: Any, _inputs: Any, result: Any) -> None:
        weights = _weights(result)
        if weights is not None:
            _keep(captured, name, weights)
        elif any(word in type(module).__name__.lower() for word in FUSED):
            captured.missing[name] = f"{type(module).__name__} computes no weights; load the model with eager attention"

    undo.append(module.register_forward_hook(hook).remove)


def _ask_for_weights(module: Any, name: str, captured: Captured, undo: List[Any]) -> None:
    forward = module.forward

    def with_weights(*arguments: Any, **named: Any) -> Any:
        wanted = named.get("need_weights", arguments[4] if len(arguments) > 4 else True)
        averaged = named.get("average_attn_weights", True)
        named["need_weights"], named["average_attn_weights"] = True, False
        if len(arguments) > 4:
            named.setdefault("attn_mask", arguments[5] if len(arguments) > 5 else None)
            arguments = arguments[:4]
        output, weights = forward(*arguments, **named)
        _keep(captured, name, weights.detach())
        if not wanted:
            return output, None
        return output, weights.mean(-3) if averaged else weights

    module.forward = with_weights
    undo.append(lambda: module.__dict__.pop("forward", None))


def _turn_fast_path_off(torch: Any, model: Any, undo: List[Any]) -> None:
    """PyTorch's Transformer layers call a fused kernel in evaluation, unless their activation is none that it knows."""
    for module in model.modules():
        if isinstance(module, torch.nn.TransformerEncoderLayer) and hasattr(module, "activation_relu_or_gelu"):
            _set(module, "activation_relu_or_gelu", 0, undo)
        if isinstance(module, torch.nn.TransformerEncoder) and hasattr(module, "enable_nested_tensor"):
            _set(module, "enable_nested_tensor", False, undo)


def _replace_sdpa(torch: Any, captured: Captured, running: List[str], undo: List[Any]) -> None:
    functional = torch.nn.functional
    if not hasattr(functional, "scaled_dot_product_attention"):
        return

    def with_weights(query: Any, key: Any, value: Any, attn_mask: Any = None, dropout_p: float = 0.0,
                     is_causal: bool = False, scale: Optional[float] = None, enable_gqa: bool = False) -> Any:
        if enable_gqa:
            key = key.repeat_interleave(query.size(-3) // key.size(-3), -3)
            value = value.repeat_interleave(query.size(-3) // value.size(-3), -3)
        scores = query @ key.transpose(-2, -1) * (query.size(-1) ** -0.5 if scale is None else scale)
        if is_causal:
            ahead = torch.ones(scores.shape[-2:], dtype=torch.bool, device=scores.device).triu(1)
            scores = scores.masked_fill(ahead, float("-inf"))
        if attn_mask is not None:
            scores = scores.masked_fill(~attn_mask, float("-inf")) if attn_mask.dtype == torch.bool else scores + attn_mask
        weights = torch.softmax(scores, -1)
        if weights.dim() in (3, 4):
            _keep(captured, running[-1] if running else "scaled_dot_product_attention", weights.detach())
        return torch.dropout(weights, dropout_p, dropout_p > 0) @ value

    _set(functional, "scaled_dot_product_attention", with_weights, undo)


def _forget_wrappers(captured: Captured) -> None:
    """Leaves out what a module hands on of one inside it: the same weights, twice."""
    for name in list(captured.calls):
        inner = [other for other in captured.calls if other.startswith(name + ".")]
        if inner:
            del captured.calls[name]
