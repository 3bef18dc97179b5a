# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The safetensors file format: a JSON header, then the tensors' bytes."""
import json
import struct

import numpy
import torch

KINDS = {"F32": numpy.float32, "F16": numpy.float16}


def write_safetensors(path, tensors):
    header, body, offset = {"__metadata__": {"format": "pt"}}, [], 0
    for name in sorted(tensors):
        array = numpy.ascontiguousarray(tensors[name])
        kind = next(k for k, v in KINDS.items() if v == array.dtype)
        header[name] = {"dtype": kind, "shape": list(array.shape), "data_offsets": [offset, offset + array.nbytes]}
        offset += array.nbytes
        body.append(array.tobytes())
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as out:
        out.write(struct.pack("<Q", len(text)) + text + b"".join(body))


def read_safetensors(path):
    """{name: float32 tensor}"""
    with open(path, "rb") as file:
        header = json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))
        body = file.read()
    header.pop("__metadata__", None)
    return {name: torch.from_numpy(numpy.frombuffer(body[slice(*entry["data_offsets"])], KINDS[entry["dtype"]])
                                   .reshape(entry["shape"]).astype(numpy.float32))
            for name, entry in header.items()}
