#!/usr/bin/env python3
"""Drawings, nltk, pandas, and the type stubs."""
import importlib.util
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml

import copse

nlp = copse.load("en")
TEXT = "She saw the man with the telescope. He smiled."


def needs(package):
    return unittest.skipUnless(importlib.util.find_spec(package), f"python3-{package} is not there")


class Drawings(unittest.TestCase):
    def test_svg(self):
        doc = nlp(TEXT)
        for drawn in (doc[0], doc[0].tree, doc[0].tree[0][0], doc):
            root = xml.fromstring(drawn._repr_svg_())
            self.assertTrue(root.tag.endswith("svg"))
        self.assertIn("telescope", doc[0]._repr_svg_())

    def test_html(self):
        xml.fromstring("<div>" + nlp(TEXT)._repr_html_() + "</div>")
        xml.fromstring("<div>" + nlp(TEXT)[0]._repr_html_() + "</div>")
        xml.fromstring("<div>" + nlp(TEXT)[0].tree._repr_html_() + "</div>")

    def test_formats(self):
        sentence = nlp(TEXT)[0]
        for name in ("conllu", "conllx", "ptb", "json", "text", "svg", "html", "latex", "dot", "ascii"):
            self.assertIn("telescope", sentence.to_string(name), name)


class Others(unittest.TestCase):
    @needs("nltk")
    def test_nltk(self):
        tree = nlp(TEXT)[0].tree
        self.assertEqual(" ".join(str(tree.to_nltk()).split()), str(tree))
        self.assertEqual(nlp(TEXT)[0].to_nltk().leaves(), tree.words)
        deep = "(X " * 5000 + "(Y z)" + ")" * 5000
        self.assertEqual(copse.Tree(deep).to_nltk().label(), "X")

    @needs("pandas")
    def test_pandas(self):
        doc = nlp(TEXT)
        table = doc.to_pandas()
        self.assertEqual(len(table), sum(len(sentence) for sentence in doc))
        self.assertEqual(list(table[table.relation == "root"].form), ["saw", "smiled"])
        self.assertEqual(list(table["head"]), [head for sentence in doc for head in sentence.heads])
        self.assertEqual(list(doc[1].to_pandas().form), ["He", "smiled", "."])

    def test_importing_copse_imports_nothing_else(self):
        code = "import sys, copse; copse.load(); sys.exit(bool({'numpy','pandas','nltk'} & set(sys.modules)))"
        self.assertEqual(subprocess.run([sys.executable, "-c", code]).returncode, 0)


class Stubs(unittest.TestCase):
    def test_stubs_have_what_the_module_has(self):
        import ast

        folder = importlib.util.find_spec("copse").submodule_search_locations[0]
        with open(f"{folder}/__init__.pyi", encoding="utf-8") as file:
            stubs = ast.parse(file.read())
        classes = {node.name: node for node in stubs.body if isinstance(node, ast.ClassDef)}
        functions = {node.name for node in stubs.body if isinstance(node, ast.FunctionDef)}
        for name in copse.__all__:
            member = getattr(copse, name)
            if isinstance(member, type):
                told = {
                    node.name if isinstance(node, ast.FunctionDef) else node.target.id
                    for node in classes[name].body
                    if isinstance(node, (ast.FunctionDef, ast.AnnAssign))
                }
                has = {n for n in vars(member) if not n.startswith("_")}
                self.assertEqual(has - told, set(), name)
                if not issubclass(member, Exception):
                    self.assertEqual({n for n in told if not n.startswith("_")} - has, set(), name)
            elif callable(member):
                self.assertIn(name, functions)

    @needs("mypy")
    def test_mypy_accepts_a_program(self):
        folder = importlib.util.find_spec("copse").submodule_search_locations[0]
        with tempfile.NamedTemporaryFile("w", suffix=".py") as program:
            program.write(
                "import copse\n"
                "nlp = copse.load('en')\n"
                "for doc in nlp.pipe(['a'], threads=2):\n"
                "    heads: list[int] = doc[0].heads\n"
                "    form: str = doc[0][0].form\n"
            )
            program.flush()
            done = subprocess.run(
                [sys.executable, "-m", "mypy", "--no-incremental", "--cache-dir=/dev/null", program.name],
                env={"MYPYPATH": folder + "/..", "PATH": "/usr/bin:/bin"},
                capture_output=True, text=True,
            )
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
