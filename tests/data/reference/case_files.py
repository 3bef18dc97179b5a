# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes a case: a checkpoint, how to run it, and what comes out."""
import json
import os
import struct

import numpy as np

CASES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cases")


def stored(value, storage):
    """The bytes of a float32 tensor whose values the storage can hold."""
    array = np.ascontiguousarray(value.detach().numpy(), dtype="<f4")
    if storage == "f16":
        return array.astype("<f2").tobytes()
    return (array.view("<u4") >> 16).astype("<u2").tobytes() if storage == "bf16" else array.tobytes()


def write_safetensors(path, tensors, storage="f32"):
    header, blobs, at = {}, [], 0
    for name, value in sorted(tensors.items()):
        blob = stored(value, storage)
        header[name] = {"dtype": storage.upper(), "shape": list(value.shape), "data_offsets": [at, at + len(blob)]}
        blobs.append(blob)
        at += len(blob)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + b"".join(blobs))


def write_case(name, what, kind, config, tensors, runs, expected, storage="f32"):
    """runs: {"forced": [arguments]}; expected: {name: array}, floats stored as float32."""
    folder = os.path.join(CASES, name)
    os.makedirs(folder, exist_ok=True)
    write_safetensors(os.path.join(folder, "model.safetensors"), tensors, storage)
    case = {"family": config["model_type"], "variant": name, "what": what, "weights": storage, "storage": "safetensors",
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
