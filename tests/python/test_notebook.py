#!/usr/bin/env python3
"""Executes the example notebook, where Debian's nbconvert is, and looks at what came out of it.

COPSE_NOTEBOOK_HTML names a file that the page is kept in, to look at the pictures."""
import importlib.util
import os
import re
import sys
import unittest


@unittest.skipUnless(importlib.util.find_spec("nbconvert"), "python3-nbconvert is not there")
class Notebook(unittest.TestCase):
    def test_it_runs(self):
        import nbformat
        from nbconvert import HTMLExporter
        from nbconvert.preprocessors import ExecutePreprocessor

        notebook = nbformat.read("examples/notebook.ipynb", as_version=4)
        # The kernel must be this Python, whatever is registered under "python3".
        os.environ["PATH"] = os.path.dirname(sys.executable) + ":" + os.environ["PATH"]
        ExecutePreprocessor(timeout=120).preprocess(notebook, {"metadata": {"path": "examples"}})
        outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
        self.assertFalse([output for output in outputs if output.output_type == "error"])
        kinds = {kind for output in outputs for kind in output.get("data", {})}
        self.assertIn("image/svg+xml", kinds)
        self.assertIn("text/html", kinds)
        page, _ = HTMLExporter().from_notebook_node(notebook)
        self.assertIn("<svg", page)
        self.assertIn("telescope", page)
        # Every drawing has come through with its lines: the exporter cleans some kinds of output.
        drawings = re.findall(r"<svg [^>]*class=.copse.*?</svg>", page, re.DOTALL)
        self.assertGreaterEqual(len(drawings), 2)
        for drawing in drawings:
            self.assertIn("<path", drawing)
        if "COPSE_NOTEBOOK_HTML" in os.environ:
            with open(os.environ["COPSE_NOTEBOOK_HTML"], "w", encoding="utf-8") as file:
                file.write(page)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
