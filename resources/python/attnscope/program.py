# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The program: windows, figures, and figures in a notebook."""

from __future__ import annotations

import html
import os
import shutil
import subprocess
import tempfile
import threading
from pathlib import Path
from typing import Any, List, Optional, Union

from .archive import save

PROGRAM = "ATTNSCOPE" # the variable that names the program where it is not on the PATH


class AttnScopeError(RuntimeError):
    """The line in which the program said what was wrong."""


def program() -> str:
    """The path of the program. Raises AttnScopeError where it is not installed."""
    named = os.environ.get(PROGRAM)
    found = shutil.which(named or "attnscope")
    if found is None:
        raise AttnScopeError(
            f"{named or 'attnscope'}: the program was not found; install the package attnscope, or name it in {PROGRAM}"
        )
    return found


def run(arguments: List[str]) -> None:
    done = subprocess.run([program(), *arguments], capture_output=True, text=True, encoding="utf-8", errors="replace")
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines()
        raise AttnScopeError(lines[-1] if lines else f"attnscope ended with status {done.returncode}")


def _options(given: dict) -> List[str]:
    """Command-line options of keyword arguments: True is an option alone, a list the option several times."""
    result: List[str] = []
    for name, value in given.items():
        option = "--" + name.rstrip("_").replace("_", "-")
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if one is True:
                result.append(option)
            elif one is not False and one is not None:
                result.append(f"{option}={one}")
    return result


NAMING = ("tokens", "target_tokens", "text", "target_text", "attention_mask", "index", "stage", "tokenizer")


def _file_of(x: Any, folder: str, arguments: dict) -> str:
    """The path that x is, or that of an archive of x in the folder; takes save's arguments out of `arguments`."""
    naming = {name: arguments.pop(name) for name in NAMING if name in arguments}
    if isinstance(x, (str, os.PathLike)):
        if naming:
            raise TypeError(f"{', '.join(naming)}: a file names its own tokens")
        return os.fspath(x)
    return os.fspath(save(x, Path(folder) / "attention.npz", **naming))


def figure(x: Any, path: Union[str, os.PathLike], **arguments: Any) -> Path:
    """Draws the attention of x, whatever save and show take, into a file: .svg, .pdf, .png, .tex, .html, .gif or .csv.

    tokens=, target_tokens= and so on name the tokens, as for save; everything else is an option of `attnscope figure`
    with _ for -: site="cross:2:mean", view="lines", words=True, colormap="blues", width=80, title="...".
    Raises AttnScopeError with the program's message, TypeError and ValueError as save does.
    """
    with tempfile.TemporaryDirectory(prefix="attnscope-") as folder:
        file = _file_of(x, folder, arguments)
        run(["figure", file, *_options(arguments), "--output", os.fspath(path)])
    return Path(path)


class NotebookFigure:
    """An interactive figure that a notebook keeps and shows without a network or an extension."""

    def __init__(self, page: str, height: int):
        self.page = page
        self.height = height

    def _repr_html_(self) -> str:
        return (
            f'<iframe sandbox="allow-scripts" width="100%" height="{self.height}" style="border: 0" '
            f'srcdoc="{html.escape(self.page, quote=True)}"></iframe>'
        )


def in_notebook() -> bool:
    try:
        from IPython import get_ipython
    except ImportError:
        return False
    shell = get_ipython()
    return shell is not None and hasattr(shell, "kernel")


def show(x: Any, *, height: int = 640, window: Optional[bool] = None, **arguments: Any) -> None:
    """Shows the attention of x, whatever save takes, or the path of an archive, a session or a model.

    In a notebook the interactive figure appears below the cell; elsewhere, or with window=True, it is handed to the
    program's window that is open, or a window opens; this returns at once. tokens= and so on name the tokens, as for save; everything else is an option of
    `attnscope figure` in a notebook, and of the window elsewhere.
    """
    notebook = in_notebook() if window is None else not window
    if notebook:
        with tempfile.TemporaryDirectory(prefix="attnscope-") as folder:
            page = Path(folder) / "figure.html"
            figure(x, page, **arguments)
            from IPython.display import display

            display(NotebookFigure(page.read_text(encoding="utf-8"), height))
        return
    found = program()
    folder = tempfile.mkdtemp(prefix="attnscope-")
    try:
        file = _file_of(x, folder, arguments)
        options = _options(arguments) or ["--hand-over"] # what a window is to be opened with asks for one of its own
        window_process = subprocess.Popen([found, file, *options], start_new_session=True)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise

    def clean() -> None:
        window_process.wait()
        shutil.rmtree(folder, ignore_errors=True)

    threading.Thread(target=clean, daemon=True).start()
