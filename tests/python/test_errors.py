#!/usr/bin/env python3
"""What goes wrong becomes a copse.Error with its place, or a TypeError of the caller's."""
import pickle
import sys
import unittest

import copse

nlp = copse.load("en")
BAD = "1\tDogs\t_\t_\t_\t_\t0\troot\t_\t_\n2\tsleep\n\n1\tYes\t_\t_\t_\t_\t0\troot\t_\t_\n\n"


class Errors(unittest.TestCase):
    def test_place(self):
        with self.assertRaises(copse.Error) as caught:
            list(copse.read_string(BAD, "conllu", name="bad.conllu"))
        error = caught.exception
        self.assertEqual((error.file, error.line, error.kind), ("bad.conllu", 2, "data"))
        self.assertTrue(str(error).startswith("bad.conllu:2"))
        self.assertNotIn("bad.conllu", error.message)
        again = pickle.loads(pickle.dumps(error))
        self.assertEqual((str(again), again.line), (str(error), error.line))

    def test_reading_goes_on(self):
        problems = []
        sentences = list(copse.read_string(BAD, "conllu", problems=problems.append))
        self.assertEqual([s.text for s in sentences], ["Yes"])
        self.assertEqual([p.line for p in problems], [2])

    def test_no_such_model(self):
        with self.assertRaises(copse.Error) as caught:
            copse.load("no-such-model")
        self.assertEqual(caught.exception.kind, "machine")
        self.assertTrue(caught.exception.hint)

    def test_no_such_file(self):
        with self.assertRaises(copse.Error) as caught:
            copse.read("/no/such/file.conllu")
        self.assertIn("/no/such/file.conllu", str(caught.exception))

    def test_unknown_keyword(self):
        with self.assertRaisesRegex(TypeError, "did you mean 'n_best'"):
            nlp("Dogs sleep.", n_bset=2)
        with self.assertRaisesRegex(TypeError, "n_best cannot be 'two'"):
            nlp("Dogs sleep.", n_best="two")

    def test_wrong_types(self):
        self.assertRaises(TypeError, nlp, 7)
        self.assertRaises(TypeError, nlp, ["words", "without", "sentences"])
        self.assertRaises(TypeError, copse.read, 7)
        self.assertRaises(UnicodeEncodeError, nlp, "\ud800")

    def test_usage(self):
        with self.assertRaises(copse.Error) as caught:
            nlp("Dogs sleep.", n_best=2, mbr=True)
        self.assertEqual(caught.exception.kind, "usage")

    def test_time(self):
        text = "She saw the man with the telescope. " * 2000
        self.assertRaises(copse.Stopped, nlp, text, seconds=0.05)
        self.assertTrue(issubclass(copse.Stopped, copse.Error))

    def test_problem_of_a_sentence(self):
        doc = nlp("one two three four five. Dogs sleep.", most_words=5)
        self.assertIsInstance(doc[0].problem, copse.Error)
        self.assertIsNone(doc[1].problem)
        self.assertRaises(copse.Error, doc.require_no_problem)

    def test_demands_that_cannot_be(self):
        sentence = nlp("Dogs sleep.")[0]
        made = None
        try:
            made = nlp.annotate(sentence, arcs=[copse.Arc(1, head=99)])
        except copse.Error:
            return
        self.assertIsNotNone(made.problem)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
