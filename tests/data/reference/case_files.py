# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes a case: a checkpoint, how to run it, and what comes out."""
import json
import os
import struct

import numpy as np

CASES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cases")


def write_safetensors(path, tensors):
    header, blobs, at = {}, [], 0
    for name, value in sorted(tensors.items()):
        blob = np.ascontiguousarray(value.detach().numpy(), dtype="<f4").tobytes()
        header[name] = {"dtype": "F32", "shape": list(value.shape), "data_offsets": [at, at + len(blob)]}
        blobs.append(blob)
        at += len(blob)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + b"".join(blobs))


def write_case(name, what, kind, config, tensors, runs, expected):
    """runs: {"forced": [arguments]}; expected: {name: array}, floats stored as float32."""
    folder = os.path.join(CASES, name)
    os.makedirs(folder, exist_ok=True)
    write_safetensors(os.path.join(folder, "model.safetensors"), tensors)
    case = {"family": config["model_type"], "variant": name, "what": what, "weights": "f32", "storage": "safetensors",
            "kind": kind, "arguments": {run: ["trace", "MODEL", *arguments, "--output", "OUT.npz"]
                                        for run, arguments in runs.items()}}
    for file, value in (("config.json", config), ("case.json", case)):
        with open(os.path.join(folder, file), "w", encoding="utf-8") as out:
            json.dump(value, out, indent=2)
            out.write("\n")
    arrays = {}
    for key, value in expected.items():
        array = np.asarray(value)
        arrays[key] = array.astype(np.float32) if array.dtype.kind == "f" else array
    np.savez(os.path.join(folder, "expected.npz"), **arrays)
    return arrays
