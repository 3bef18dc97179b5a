# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Attention of any model, shown, drawn and kept by AttnScope.

    import attnscope
    attnscope.show(model(**inputs, output_attentions=True), tokens=tokens)      # the window, or the notebook
    attnscope.figure(output, "figure.pdf", tokens=tokens, site="encoder:1:4")   # a file
    attnscope.save(output, "run.npz", tokens=tokens)                            # an attention archive
    attnscope.load("run.npz").map("cross", layer=2, head="mean")                # weights with their labels
    with attnscope.capture(model) as seen:                                      # of models that give none
        model(**inputs)
    attnscope.show(seen, tokens=tokens)

Everything runs on this machine; nothing is sent anywhere.
"""

from .archive import Archive, LabelledMap, load, save
from .capture import capture
from .program import AttnScopeError, figure, show

__all__ = ["Archive", "AttnScopeError", "LabelledMap", "capture", "figure", "load", "save", "show"]
__version__ = "0.2.0"
