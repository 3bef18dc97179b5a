# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs every notebook of resources/python as Jupyter does, and looks for the figures that it shows."""

import os
import tempfile
import unittest
from pathlib import Path

try:
    import ipykernel  # noqa: F401
    import nbformat
    from nbclient import NotebookClient
except ImportError:
    NotebookClient = None

NOTEBOOKS = Path(__file__).resolve().parents[2] / "resources" / "python" / "notebooks"


@unittest.skipIf(NotebookClient is None, "nbclient or ipykernel is not installed (python3-nbclient, python3-ipykernel)")
@unittest.skipUnless(os.environ.get("ATTNSCOPE_FIGURES") == "1", "the program was built without figures")
class Notebooks(unittest.TestCase):
    def run_notebook(self, path):
        with tempfile.TemporaryDirectory() as folder:
            notebook = nbformat.read(path, as_version=4)
            NotebookClient(notebook, timeout=100, kernel_name="python3", resources={"metadata": {"path": folder}}).execute()
        outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
        return [o.data["text/html"] for o in outputs if o.output_type == "display_data" and "text/html" in o.get("data", {})]

    def test_notebooks(self):
        paths = sorted(NOTEBOOKS.glob("*.ipynb"))
        self.assertGreaterEqual(len(paths), 3)
        for path in paths:
            with self.subTest(path.name):
                if "import torch" in path.read_text(encoding="utf-8"):
                    try:
                        import torch  # noqa: F401
                    except ImportError:
                        self.skipTest("PyTorch is not installed (python3-torch)")
                pages = self.run_notebook(path)
                self.assertEqual(len(pages), 1)
                self.assertIn("<iframe", pages[0])
                self.assertNotIn("src=&quot;http", pages[0])


if __name__ == "__main__":
    unittest.main()
