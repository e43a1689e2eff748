#!/usr/bin/env python3
"""Treebanks from files, strings and streams, written back byte for byte."""
import gzip
import io
import os
import pathlib
import sys
import tempfile
import unittest

import copse

PATH = "fixtures/english.conllu"
with open(PATH, "rb") as file:
    BYTES = file.read()


class Treebanks(unittest.TestCase):
    def test_every_way_in(self):
        whole = "".join(sentence.to_conllu() for sentence in copse.read(PATH)).encode()
        self.assertEqual(whole, BYTES)
        ways = [
            copse.read(pathlib.Path(PATH)),
            copse.read(io.BytesIO(BYTES)),
            copse.read(io.StringIO(BYTES.decode())),
            copse.read(io.BytesIO(gzip.compress(BYTES))),
            copse.read_string(BYTES, "conllu"),
            copse.read_string(BYTES.decode(), "conllu"),
        ]
        for way in ways:
            self.assertEqual(way.format, "conllu")
            self.assertEqual("".join(s.to_conllu() for s in way).encode(), BYTES)
        with open(PATH, "rb") as stream:
            treebank = copse.read(stream)
            self.assertEqual(treebank.name, PATH)
            self.assertEqual("".join(s.to_conllu() for s in treebank).encode(), BYTES)

    def test_error_of_a_stream(self):
        class Broken:
            def read(self, size=-1):
                raise OSError("gone")

        with self.assertRaises(OSError):
            list(copse.read(Broken(), "conllu"))

    def test_trees(self):
        trees = [sentence.tree for sentence in copse.read("fixtures/english.mrg")]
        self.assertGreater(len(trees), 3)
        for tree in trees:
            self.assertEqual(copse.Tree(str(tree)), tree)

    def test_write(self):
        sentences = list(copse.read(PATH))
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "out.conllu")
            copse.write(path, sentences, "conllu")
            with open(path, "rb") as file:
                self.assertEqual(file.read(), BYTES)
            self.assertRaises(copse.Error, copse.write, "/no/such/folder/x", sentences, "conllu")
            self.assertRaises(copse.Error, copse.write, path, sentences, "no-such-format")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
