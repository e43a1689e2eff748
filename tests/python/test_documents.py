#!/usr/bin/env python3
"""Documents, sentences, words, trees, probabilities."""
import gc
import importlib.util
import pickle
import sys
import unittest

import copse

TEXT = "She saw the man with the telescope. Ærøskøbing can't sleep!\n\nDogs 🐕 bark."
nlp = copse.load("en")


class Documents(unittest.TestCase):
    def setUp(self):
        self.doc = nlp(TEXT)

    def test_places_are_indexes_of_the_text(self):
        for sentence in self.doc:
            for token in sentence.tokens:
                self.assertEqual(TEXT[token.begin : token.end], token.form)
                for word in token.words:
                    self.assertEqual((word.begin, word.end), (token.begin, token.end))
                utf8 = TEXT.encode()
                self.assertEqual(utf8[token.byte_begin : token.byte_end].decode(), token.form)
            self.assertEqual(TEXT[sentence.begin : sentence.end], sentence.text)

    def test_sequences(self):
        doc = self.doc
        self.assertEqual(doc[-1].text, "Dogs 🐕 bark.")
        self.assertEqual(doc[0][-1].form, ".")
        self.assertEqual([s.text for s in doc], [s.text for s in doc.sentences])
        self.assertRaises(IndexError, lambda: doc[3])
        self.assertRaises(IndexError, lambda: doc[0][99])
        self.assertIs(doc[0], doc[0])
        self.assertEqual(doc[0][0], doc[0][0])
        self.assertEqual(len({doc[0][0], doc[0][0], doc[0][1]}), 2)

    def test_views_keep_the_document_alive(self):
        word = nlp(TEXT)[0][6]
        tree = nlp(TEXT)[0].tree
        other = nlp(TEXT, n_best=3)[0].dependencies[2]
        gc.collect()
        nlp(TEXT)
        self.assertEqual(word.form, "telescope")
        self.assertEqual(word.head_word.form, "man")
        self.assertEqual(tree.words[3], "man")
        self.assertEqual(len(other.heads), 8)

    def test_heads_and_relations(self):
        sentence = self.doc[0]
        self.assertEqual(sentence.heads, [word.head for word in sentence])
        self.assertEqual(sentence.relations, [word.relation for word in sentence])
        self.assertIsNone(sentence[1].head_word)

    def test_columns_can_be_written(self):
        sentence = copse.Sentence(["Dogs", "sleep"])
        sentence[0].upos = "NOUN"
        sentence[0].head = 2
        sentence[1].head = 0
        sentence[0].lemma = None
        sentence.set_comment("sent_id", "7")
        self.assertEqual(
            sentence.to_conllu(),
            "# sent_id = 7\n1\tDogs\t_\tNOUN\t_\t_\t2\t_\t_\t_\n2\tsleep\t_\t_\t_\t_\t0\t_\t_\t_\n\n",
        )
        self.assertEqual(sentence.comment("sent_id"), "7")
        self.assertIsNone(sentence.comment("text"))

    def test_trees(self):
        tree = self.doc[0].tree
        self.assertEqual(tree, copse.Tree(str(tree)))
        self.assertEqual(tree[0].parent, tree)
        self.assertEqual([leaf.word for leaf in tree.leaves], tree.words)
        self.assertEqual(len(tree.words), len(self.doc[0]))
        for node in tree.subtrees():
            self.assertEqual(node.words, tree.words[node.begin : node.end])
        self.assertEqual(pickle.loads(pickle.dumps(tree)), tree)

    def test_nothing_that_was_not_asked_for(self):
        sentence = nlp("Dogs sleep.", phrases=False)[0]
        self.assertIsNone(sentence.tree)
        self.assertEqual((sentence.phrases, sentence.brackets, sentence.certificate), ([], [], None))
        sentence = nlp("Dogs sleep.", dependencies=False, tags=False)[0]
        self.assertEqual(sentence.dependencies, [])
        self.assertEqual(sentence[0].upos, "_")

    def test_empty_text(self):
        self.assertEqual(len(nlp("")), 0)
        self.assertEqual(nlp("").to_conllu(), "")

    def test_bytes_that_are_no_utf8(self):
        doc = nlp(b"Dogs \xff\xfe sleep.")
        self.assertIn("\ufffd", doc.text)

    def test_pickled_sentences(self):
        for sentence in self.doc:
            again = pickle.loads(pickle.dumps(sentence))
            self.assertEqual(again.to_conllu(), sentence.to_conllu())
            self.assertEqual(again.tree, sentence.tree)
        again = pickle.loads(pickle.dumps(self.doc))
        self.assertEqual(again.to_conllu(), self.doc.to_conllu())
        self.assertEqual(again.text, self.doc.text)


@unittest.skipUnless(importlib.util.find_spec("numpy"), "python3-numpy is not there")
class Probabilities(unittest.TestCase):
    def setUp(self):
        self.sentence = nlp(TEXT, n_best=4, marginals=True)[0]

    def test_arcs(self):
        sentence = self.sentence
        arcs = sentence.arcs
        matrix = sentence.arc_matrix()
        self.assertEqual(arcs.dtype.names, ("head", "word", "probability"))
        self.assertEqual(matrix.shape, (len(sentence) + 1, len(sentence) + 1))
        self.assertAlmostEqual(arcs["probability"].sum(), len(sentence), places=6)
        for head, word, probability in arcs:
            self.assertEqual(matrix[head, word], probability)
        for word, total in enumerate(matrix.sum(axis=0)):
            self.assertAlmostEqual(total, 1 if word > 0 else 0, places=6)
        best = sentence.dependencies[0]
        for word in sentence:
            self.assertAlmostEqual(best.arc_probability[word.number], matrix[word.head, word.number])
            self.assertLessEqual(
                best.relation_probability[word.number], best.arc_probability[word.number] + 1e-12
            )

    def test_alternatives(self):
        trees = self.sentence.dependencies
        self.assertEqual(len(trees), 4)
        self.assertEqual(len({(*tree.heads, *tree.relations) for tree in trees}), 4)
        self.assertEqual(list(self.sentence.scores), [tree.score for tree in trees])
        self.assertLessEqual(sum(tree.probability for tree in trees), 1 + 1e-9)
        self.assertEqual(len(self.sentence.phrases), 4)
        self.assertEqual(self.sentence.phrases[0], self.sentence.tree)
        self.assertEqual(len(self.sentence.phrase_scores), 4)

    def test_views_keep_the_document_alive(self):
        scores = nlp(TEXT, n_best=3)[0].scores
        arcs = nlp(TEXT, marginals=True)[0].arcs
        gc.collect()
        nlp(TEXT)
        self.assertEqual(list(scores), sorted(scores, reverse=True))
        self.assertAlmostEqual(arcs["probability"].sum(), 8, places=6)

    def test_views_cannot_be_written(self):
        for view in (self.sentence.scores, self.sentence.arcs, self.sentence.phrase_scores,
                     self.sentence.dependencies[0].arc_probability):
            self.assertFalse(view.flags.writeable)
            self.assertFalse(view.flags.owndata)

    def test_brackets(self):
        brackets = self.sentence.brackets
        self.assertGreater(len(brackets), 3)
        phrase = sum(b.probability for b in brackets if (b.label, b.begin, b.end) == ("VP", 1, 7))
        self.assertAlmostEqual(phrase, 1, places=2)
        self.assertTrue(all(0 <= b.probability for b in brackets))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
