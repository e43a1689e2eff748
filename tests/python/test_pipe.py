#!/usr/bin/env python3
"""nlp.pipe and nlp.stream: order, memory, errors of the source, threads, pickles."""
import itertools
import os
import pickle
import resource
import sys
import tempfile
import threading
import time
import unittest

import copse

nlp = copse.load("en", parts=["tokenizer", "tagger", "dependency"])
SENTENCES = ["Dogs sleep.", "She saw the man with the telescope.", "No.", "It rained all day and night."]


class Pipe(unittest.TestCase):
    def test_same_bytes_and_order(self):
        texts = [SENTENCES[i % 4] + f" Number {i}." for i in range(60)]
        alone = [nlp(text).to_conllu() for text in texts]
        for threads in (1, 2, 5):
            self.assertEqual([doc.to_conllu() for doc in nlp.pipe(texts, threads=threads)], alone)

    def test_sentences(self):
        docs = list(nlp.pipe(([["Dogs", "sleep"]] for _ in range(5)), threads=2))
        self.assertEqual({doc[0].text for doc in docs}, {"Dogs sleep"})

    def test_it_takes_only_what_it_needs(self):
        taken = 0

        def source():
            nonlocal taken
            for text in itertools.cycle(SENTENCES):
                taken += 1
                yield text

        pipe = nlp.pipe(source(), threads=2)
        for _ in range(10):
            next(pipe)
        self.assertLess(taken, 40)
        del pipe  # the threads end

    def test_flat_memory(self):
        def texts(count):
            return (SENTENCES[1] * 20 for _ in range(count))

        for _ in nlp.pipe(texts(40), threads=2):
            pass
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        for _ in nlp.pipe(texts(250), threads=2):
            pass
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        self.assertLess(grown, 30_000, "kilobytes")

    def test_error_of_the_source_comes_last(self):
        def source():
            yield "Dogs sleep."
            yield "Cats sleep."
            raise KeyError("source")

        for threads in (1, 3):
            got = []
            with self.assertRaises(KeyError):
                for doc in nlp.pipe(source(), threads=threads):
                    got.append(doc[0].text)
            self.assertEqual(got, ["Dogs sleep.", "Cats sleep."])

    def test_wrong_item(self):
        with self.assertRaises(TypeError):
            list(nlp.pipe(["Dogs sleep.", 7], threads=2))

    def test_other_threads_run_meanwhile(self):
        ticks = []
        stop = threading.Event()

        def tick():
            while not stop.is_set():
                ticks.append(1)
                time.sleep(0.001)

        thread = threading.Thread(target=tick)
        thread.start()
        nlp(SENTENCES[1] * 300)
        stop.set()
        thread.join()
        self.assertGreater(len(ticks), 3)

    def test_one_pipeline_in_many_threads(self):
        alone = nlp(SENTENCES[1]).to_conllu()
        found = []
        threads = [
            threading.Thread(target=lambda: found.extend(nlp(SENTENCES[1]).to_conllu() for _ in range(8)))
            for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(set(found), {alone})
        self.assertEqual(len(found), 32)


class Stream(unittest.TestCase):
    def setUp(self):
        handle, self.path = tempfile.mkstemp(suffix=".txt")
        os.write(handle, ("\n\n".join(SENTENCES) * 30).encode())
        os.close(handle)

    def tearDown(self):
        os.unlink(self.path)

    def test_stream(self):
        with open(self.path, encoding="utf-8") as file:
            text = file.read()
        alone = [sentence.to_conllu() for sentence in nlp(text)]
        for threads in (1, 3):
            got = []
            count = nlp.stream(self.path, lambda s: got.append(s.to_conllu()), threads=threads)
            self.assertEqual(count, len(alone))
            self.assertEqual(got, alone)

    def test_error_of_the_callback(self):
        for threads in (1, 3):
            def give(sentence):
                raise KeyError("callback")

            self.assertRaises(KeyError, nlp.stream, self.path, give, threads=threads)


class Pickle(unittest.TestCase):
    def test_pipeline(self):
        data = pickle.dumps(nlp)
        self.assertLess(len(data), 200)
        self.assertEqual(pickle.loads(data)("Dogs sleep.").to_conllu(), nlp("Dogs sleep.").to_conllu())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
