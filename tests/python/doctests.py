#!/usr/bin/env python3
"""Runs every example in the docstrings of the module, and those of docs/python.md."""
import doctest
import importlib.util
import inspect
import sys
import unittest

import copse

GLOBALS = {"copse": copse, "nlp": copse.load("en")}
NEEDS = {"to_nltk": "nltk", "to_pandas": "pandas", "docs/python.md": "numpy"}


def wanted(name):
    """Examples of another package are run where it is."""
    package = NEEDS.get(name, NEEDS.get(name.rsplit(".", 1)[-1]))
    return package is None or importlib.util.find_spec(package) is not None


def examples():
    """Every docstring once: of the package, its functions, classes and their methods."""
    parser = doctest.DocTestParser()

    def from_text(name, text):
        if text and ">>>" in text and wanted(name):
            yield parser.get_doctest(text, dict(GLOBALS), name, None, 0)

    yield from from_text("copse", copse.__doc__)
    for name in copse.__all__:
        member = getattr(copse, name)
        yield from from_text(name, inspect.getdoc(member))
        if inspect.isclass(member):
            for attribute, value in vars(member).items():
                yield from from_text(f"{name}.{attribute}", getattr(value, "__doc__", None))
    with open("docs/python.md", encoding="utf-8") as page:
        yield from from_text("docs/python.md", page.read().replace("```", "\n"))


class Documented(unittest.TestCase):
    def test_everything_public_has_a_docstring(self):
        for name in copse.__all__:
            if not name.startswith("__"):
                self.assertTrue(getattr(copse, name).__doc__, name)


def load_tests(loader, tests, pattern):
    found = list(examples())
    if len(found) < 15:
        sys.exit(f"only {len(found)} docstrings with examples were found")
    for example in found:
        tests.addTest(doctest.DocTestCase(example, optionflags=doctest.ELLIPSIS))
    return tests


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
