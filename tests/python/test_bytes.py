#!/usr/bin/env python3
"""test_bytes.py COPSE: the program and the module give the same bytes."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

import copse

PROGRAM = os.path.abspath(sys.argv[1])
TREEBANK = "fixtures/english.conllu"
TREES = "fixtures/english.mrg"
TEXT = (
    "She saw the man with the telescope. He can't have seen her!\n\n"
    "Dr. Brown (who lives in Ærøskøbing) didn't answer. \"No,\" he said.\nOne more line\n"
) * 12


def program(*arguments, text=None, fails=False):
    done = subprocess.run([PROGRAM, *arguments], input=text, capture_output=True)
    if done.returncode != 0 and not fails:
        raise AssertionError(done.stderr.decode())
    return done.stdout.decode()


class SameBytes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.nlp = copse.load("en")
        cls.folder = tempfile.TemporaryDirectory()

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def assert_same_files(self, a, b):
        with open(a, "rb") as one, open(b, "rb") as two:
            self.assertTrue(one.read() == two.read(), f"{a} and {b} differ")

    def test_parse_text(self):
        for form, options in (
            ("conllu", {"phrases": False}),
            ("json", {}),
            ("ptb", {"dependencies": False}),
            ("svg", {}),
        ):
            got = self.nlp(TEXT, threads=2, **options).to_string(form)
            self.assertEqual(got, program("parse", "-q", "--to", form, text=TEXT.encode()), form)

    def test_parse_with_probabilities(self):
        got = self.nlp(TEXT, marginals=True, phrases=False).to_conllu()
        self.assertEqual(got, program("parse", "-q", "--marginals", text=TEXT.encode()))

    def test_parse_treebank(self):
        got = self.nlp(copse.read(TREEBANK), phrases=False).to_conllu()
        self.assertEqual(got, program("parse", "-q", TREEBANK))
        # Heads that cross are refused; the program leaves those sentences out.
        doc = self.nlp(copse.read(TREEBANK), phrases=False, constraints=True, keep_tags=True)
        got = "".join(sentence.to_conllu() for sentence in doc if sentence.problem is None)
        options = ("-q", "--constraints", "--keep-tags", TREEBANK)
        self.assertEqual(got, program("parse", *options, fails=True))

    def test_convert(self):
        for source in (TREEBANK, TREES):
            for form in ("conllu", "conllx", "json", "text", "latex", "dot"):
                if source == TREES and form in ("conllx",):
                    continue
                whole = "".join(s.to_string(form) for s in copse.read(source))
                copse.write(self.path("out"), copse.read(source), form)
                with open(self.path("out"), encoding="utf-8") as file:
                    self.assertEqual(file.read(), program("convert", "--to", form, source), form)
                if form in ("conllu", "json", "text"):
                    self.assertEqual(whole, program("convert", "--to", form, source), form)

    def test_eval(self):
        parsed = self.path("parsed.conllu")
        copse.write(parsed, self.nlp(copse.read(TREEBANK), phrases=False), "conllu")
        sides = ["--gold", TREEBANK, "--system", parsed]
        for what, command in (("dependency", "dependency"), ("conll18", "conll18"), ("tags", "tags")):
            report = copse.evaluate(what, TREEBANK, parsed)
            self.assertEqual(report.text, program("eval", command, *sides))
            self.assertEqual(report.json, program("eval", command, "--json", *sides))
            self.assertEqual(report.figures, json.loads(report.json))
        report = copse.evaluate("dependency", TREEBANK, parsed, punctuation="ud", details=True)
        self.assertEqual(report.text, program("eval", "dependency", "--punct", "ud", "--details", *sides))
        report = copse.evaluate("constituency", TREES, TREES)
        self.assertEqual(report.text, program("eval", "constituency", "--gold", TREES, "--system", TREES))
        report = copse.compare(TREEBANK, parsed, TREEBANK, "las", rounds=500)
        self.assertEqual(
            report.text,
            program("eval", "compare", "--gold", TREEBANK, "--a", parsed, "--b", TREEBANK, "--metric",
                    "las", "--rounds", "500"),
        )

    def test_explain(self):
        parser = self.path("explained.copse")
        copse.train("dependency", parser, train=TREEBANK, order="first", passes=2, min_count=1)
        sentence = next(copse.read(TREEBANK))
        nlp = copse.load(parser)
        self.assertEqual(nlp.explain(sentence).lines(), program("explain", "-q", "-m", parser, TREEBANK))
        self.assertEqual(
            nlp.explain(sentence, word=2).page(),
            program("explain", "-q", "-m", parser, TREEBANK, "--word", "2"),
        )

    def test_check(self):
        report = copse.check(TREEBANK, passes=2)
        self.assertEqual(report.text(100), program("check", "-q", "--passes", "2", TREEBANK))
        self.assertEqual(report.json(100), program("check", "-q", "--json", "--passes", "2", TREEBANK))

    def test_cluster(self):
        found = copse.cluster(TREEBANK, clusters=16)
        self.assertEqual(found.paths(), program("cluster", "-q", "--clusters", "16", TREEBANK))

    def test_models(self):
        """A model that the module has trained is the one that the command trains."""
        data = ["--train", TREEBANK, "--dev", TREEBANK]
        same = {"train": TREEBANK, "dev": TREEBANK}
        for what, options, arguments in (
            ("tokenizer", {**same, "passes": 2}, [*data, "--passes", "2"]),
            ("tagger", {**same, "passes": 2}, [*data, "--passes", "2"]),
            (
                "dependency",
                {**same, "order": "sibling", "passes": 2, "min_count": 1},
                [*data, "--order", "sibling", "--passes", "2", "--min-count", "1"],
            ),
            ("constituency", {"train": TREES, "dev": TREES}, ["--train", TREES, "--dev", TREES]),
        ):
            ours, theirs = self.path(f"{what}.module.copse"), self.path(f"{what}.command.copse")
            lines = []
            copse.train(what, ours, progress=lines.append, **options)
            program("train", what, "-q", *arguments, "-o", theirs)
            self.assert_same_files(ours, theirs)
            self.assertEqual(copse.Model(ours).kind, what)

    def test_rerankers(self):
        lists = self.path("lists.nbl")
        program("train", "reranker-data", "-q", "--train", TREES, "--folds", "2", "-k", "5", "-o", lists)
        data = {"lists": lists, "gold": TREES, "dev_lists": lists, "dev_gold": TREES}
        for method, options in (
            ("boost", {"rounds": 20, "smoothing": [0.001, 0.01], "min_lists": 1}),
            ("perceptron", {"passes": 2, "scales": [1, 3], "min_lists": 1, "seed": 7}),
            ("tree-kernel", {"lambdas": [0.3, 0.5], "passes": 2}),
            ("hidden", {"domain": "lexical", "passes": 1, "min_lists": 1}),
        ):
            ours, theirs = self.path(f"{method}.ours"), self.path(f"{method}.theirs")
            lines = []
            copse.train("reranker", ours, method=method, progress=lines.append, **data, **options)
            self.assertTrue(lines, method)
            arguments = []
            for name, value in {**data, **options}.items():
                value = ",".join(map(str, value)) if isinstance(value, list) else str(value)
                arguments += ["--" + {"lambdas": "lambda"}.get(name, name).replace("_", "-"), value]
            program("train", "reranker", "-q", "--method", method, *arguments, "-o", theirs)
            self.assert_same_files(ours, theirs)
        mixed = self.path("mixed")
        copse.train("reranker", mixed, method="mix", lists=lists, gold=TREES, starts=1,
                    members=[self.path("boost.ours"), self.path("perceptron.ours")])
        self.assertEqual(copse.Model(mixed).kind, "reranker")

    def test_errors(self):
        """The sentence that a command prints is the one that the module raises."""
        with self.assertRaises(copse.Error) as caught:
            copse.load("no-such-model")
        done = subprocess.run([PROGRAM, "parse", "-m", "no-such-model", "x y"], capture_output=True, text=True)
        self.assertIn(caught.exception.message, done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
