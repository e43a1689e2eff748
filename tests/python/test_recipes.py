#!/usr/bin/env python3
"""Training, evaluation, clusters, checks, explanations: what test_bytes.py does not see."""
import os
import signal
import sys
import tempfile
import threading
import unittest

import copse

TREEBANK = "fixtures/english.conllu"
SAME = {"train": TREEBANK, "dev": TREEBANK}


class Recipes(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, "model.copse")

    def tearDown(self):
        self.folder.cleanup()

    def test_figures_and_progress(self):
        lines = []
        figures = copse.train("dependency", self.path, order="first", passes=2, progress=lines.append, **SAME)
        self.assertGreater(figures["uas"], 20)
        self.assertTrue(any(line.startswith("pass 2") for line in lines), lines)
        self.assertEqual(copse.load(self.path)(copse.read(TREEBANK))[0].problem, None)

    def test_wrong_options(self):
        with self.assertRaisesRegex(TypeError, "did you mean 'passes'"):
            copse.train("dependency", self.path, pases=2, **SAME)
        with self.assertRaises(copse.Error):
            copse.train("dependency", self.path, order="tenth", **SAME)
        with self.assertRaises(copse.Error):
            copse.train("nonsense", self.path)
        with self.assertRaisesRegex(copse.Error, "(?s)unknown method 'boots'.*expected one of boost"):
            copse.train("reranker", self.path, method="boots", lists=TREEBANK)
        with self.assertRaisesRegex(TypeError, "did you mean 'rounds'"):
            copse.train("reranker", self.path, lists=TREEBANK, round=2)
        with self.assertRaisesRegex(TypeError, "did you mean 'dev_lists'"):
            copse.train("reranker", self.path, method="mix", lists=TREEBANK, dev_list=TREEBANK)
        with self.assertRaises(copse.Error):
            copse.train("reranker", self.path, method="hidden", lists=TREEBANK, start="nowhere")
        self.assertFalse(os.path.exists(self.path))

    def test_what_progress_raises_ends_it(self):
        def progress(line):
            raise KeyError(line)

        for what in ("dependency", "tagger", "tokenizer"):
            with self.assertRaises(KeyError):
                copse.train(what, self.path, progress=progress, **SAME)
        self.assertFalse(os.path.exists(self.path))

    def test_control_c_ends_it(self):
        timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            copse.train("dependency", self.path, order="first", passes=10_000, patience=10_000, **SAME)

    def test_problems(self):
        bad = os.path.join(self.folder.name, "bad.conllu")
        with open(TREEBANK, encoding="utf-8") as good, open(bad, "w", encoding="utf-8") as out:
            out.write("1\tbad\n\n" + good.read())
        self.assertRaises(copse.Error, copse.train, "tagger", self.path, train=bad, passes=1)
        problems = []
        copse.train("tagger", self.path, train=bad, passes=1, problems=problems.append)
        self.assertEqual([(p.file, p.line) for p in problems], [(bad, 1)])

    def test_non_projective_parsers_certify(self):
        copse.train("dependency", self.path, order="grandsibling", tree="nonprojective", passes=2, **SAME)
        sentence = copse.load(self.path)(copse.read(TREEBANK))[0]
        self.assertIsInstance(sentence.certificate, copse.Certificate)
        self.assertIn(sentence.certificate.optimal, (True, False))
        self.assertGreaterEqual(sentence.certificate.gap, 0)

    def test_tags(self):
        copse.train("tagger", self.path, passes=2, columns=["upos"], **SAME)
        model = copse.Model(self.path)
        best, second = model.k_best_tags(["Dogs", "sleep"], 2)
        self.assertEqual(len(best[0]), 2)
        self.assertGreaterEqual(best[1], second[1])
        self.assertIn("=", model.tag(["Dogs", "sleep"], probabilities=True)[0].misc)

    def test_explanations_add_up(self):
        nlp = copse.load("en")
        sentence = nlp("She saw the man with the telescope.")[0]
        why = nlp.explain(sentence)
        self.assertEqual([arc.head for arc in why], sentence.heads)
        self.assertEqual(len(why), len(sentence))
        for arc in why:
            total = sum(part.score if part.chosen else -part.score for part in arc.parts)
            self.assertAlmostEqual(total, arc.difference, places=6)
            for part in arc.parts:
                self.assertAlmostEqual(sum(f.weight for f in part.features), part.score, places=4)
        self.assertIn("telescope", why.lines())
        self.assertEqual(nlp.explain(sentence, word=7, head=2)[0].other_head, 2)
        self.assertRaises(copse.Error, nlp.explain, sentence, word=99)

    def test_evaluation_of_sentences(self):
        gold, system = list(copse.read(TREEBANK)), list(copse.read(TREEBANK))
        before = copse.evaluate("dependency", gold, system)
        self.assertEqual(before["uas"], 100)
        word = next(w for s in system for w in s if w.head > 1)
        word.head = 1
        after = copse.evaluate("dependency", gold, system)
        self.assertAlmostEqual(after["uas"], 100 - 100 / after["n"], places=6)
        self.assertRaises(copse.Error, copse.evaluate, "nonsense", gold, system)
        self.assertRaises(copse.Error, copse.evaluate, "dependency", gold, system[:-1])

    def test_check(self):
        report = copse.check(TREEBANK, model=copse.load("en"))
        self.assertEqual(report.errors, [])
        self.assertIn("<html", report.page(5))
        self.assertEqual(report.sentences, len(list(copse.read(TREEBANK))))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
