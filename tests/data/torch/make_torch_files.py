#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the small torch.save files of this folder (made with PyTorch 1.13). What is in them: tst_torch_file.cpp."""
import os
import pathlib
import warnings
import zipfile

import torch

warnings.filterwarnings("ignore")
FOLDER = pathlib.Path(__file__).parent


def tensors():
    matrix = torch.arange(6, dtype=torch.float32).reshape(2, 3)
    shared = torch.arange(8, dtype=torch.float32) + 100
    return {
        "matrix": matrix,
        "transposed": matrix.t(),
        "parameter": torch.nn.Parameter(torch.tensor([1.5, -2.5])),
        "half": torch.tensor([1.0, -0.5], dtype=torch.float16),
        "bfloat16": torch.tensor([[3.0], [-4.0]], dtype=torch.bfloat16),
        "double": torch.tensor([0.25], dtype=torch.float64),
        "shared.head": shared[:3],
        "shared.tail": shared[5:],
        "shared.even": shared[::2],
        "ids": torch.arange(4).unsqueeze(0),
        "flags": torch.tensor([True, False]),
        "scalar": torch.tensor(7.0),
        "empty": torch.zeros(0, 3),
    }


class Runs:
    def __reduce__(self):
        return os.system, ("exit 3",)


def state_dict():
    module = torch.nn.Linear(2, 3)
    with torch.no_grad():
        module.weight.copy_(torch.arange(6).reshape(3, 2))
        module.bias.fill_(0.5)
    return module.state_dict()


def main():
    torch.save(tensors(), FOLDER / "zip.bin")
    torch.save(tensors(), FOLDER / "zip_protocol4.bin", pickle_protocol=4)
    torch.save(tensors(), FOLDER / "legacy.bin", _use_new_zipfile_serialization=False)
    torch.save(state_dict(), FOLDER / "state_dict.bin")
    nested = {"epoch": 3, "loss": 0.5, "note": None, "state_dict": state_dict(),
              "optimizer": {"state": {0: {"step": torch.tensor(1.0)}}, "groups": [{"lr": 0.1, "params": [0, 1]}]}}
    torch.save(nested, FOLDER / "nested.bin")
    torch.save({"model": state_dict(), "average": state_dict()}, FOLDER / "ambiguous.bin")
    torch.save({"weight": torch.zeros(1), "surprise": Runs()}, FOLDER / "runs_a_program.bin")
    torch.save({"weight": torch.zeros(1), "surprise": Runs()}, FOLDER / "runs_a_program_legacy.bin",
               _use_new_zipfile_serialization=False)
    torch.save(torch.nn.Linear(1, 1), FOLDER / "whole_module.bin")
    torch.save({"weight": torch.zeros(2, dtype=torch.complex64)}, FOLDER / "complex.bin")
    with zipfile.ZipFile(FOLDER / "state_dict.bin") as stored, \
            zipfile.ZipFile(FOLDER / "deflated.bin", "w", zipfile.ZIP_DEFLATED) as deflated:
        for entry in stored.infolist():
            deflated.writestr(entry.filename, stored.read(entry))


if __name__ == "__main__":
    main()
