# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes a shape for ONNX Runtime: CONFIG FOLDER. begin.onnx and, of what decodes, step.onnx; shape.json names them."""
import json
import pathlib
import sys
import warnings

import torch

import models


def export(module, ids, state, path):
    after = module(ids, *state)[1]
    names = [f"state{i}" for i in range(len(state))]
    out = [f"next{i}" for i in range(len(after))]
    axes = {"ids": {0: "tokens"}}
    for name in names + out:
        axes[name] = {0: f"{name}_rows", 1: f"{name}_columns"}
    torch.onnx.export(module, (ids, *state), str(path), input_names=["ids", *names], output_names=["out", *out],
                      dynamic_axes=axes, opset_version=15)
    return after


def main():
    warnings.filterwarnings("ignore")
    config, folder = json.loads(sys.argv[1]), pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    torch.set_grad_enabled(False)
    begin, step, empty = models.make(config)
    ids = torch.arange(7)
    state = export(begin, ids, empty, folder / "begin.onnx")
    if step is not None and step is not begin:
        export(step, ids[:1], state, folder / "step.onnx")
    shape = {"step": None if step is None else "begin.onnx" if step is begin else "step.onnx",
             "vocabulary": config.get("vocab_size") or config["source_vocab_size"],
             "empty": [list(tensor.shape) for tensor in empty]}
    (folder / "shape.json").write_text(json.dumps(shape))


main()
