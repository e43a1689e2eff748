#!/usr/bin/env python3
"""What large and odd input may cost: processor time and memory have bounds whatever comes in.

Usage: limits.py PROGRAM FIXTURES [CASE ...]
"""
import os
import random
import resource
import subprocess
import sys
import tempfile

PROGRAM, FIXTURES = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
WANTED = sys.argv[3:]
ENGLISH = os.path.join(FIXTURES, "english.conllu")


def columns(heads):
    rows = (f"{i}\tw{i % 50}\t_\tX\tNN\t_\t{head}\tdep\t_\t_\n" for i, head in enumerate(heads, 1))
    return ("".join(rows) + "\n").encode()


def chain(words):
    return columns(range(words))


def random_tree(words, seed=1):
    rng = random.Random(seed)
    order = list(range(1, words + 1))
    rng.shuffle(order)
    heads = [0] * words
    for i in range(1, words):
        heads[order[i] - 1] = order[rng.randrange(i)]
    return columns(heads)


# Name, input, command ("@tagger" and "@parser" are models, "@in" is the input), seconds of the
# processor, megabytes, exit code, and what must be said.
CASES = [
    ("a sentence of 1,000 words", lambda: chain(1000), "parse -m @parser --from conllu @in", 10, 512, 0, ""),
    ("a sentence of 10,000 words", lambda: chain(10000), "parse -m @parser --from conllu @in", 10, 1024, 0, ""),
    ("10,000 words that are asked for whole", lambda: chain(10000),
     "parse -m @parser --longest 10000 --max-memory 512 --from conllu @in", 10, 1024, 0, ""),
    ("a long sentence to learn from", lambda: chain(10000),
     "train dependency --order first --passes 1 --train @in.conllu -o @out", 10, 512, 1,
     "the sentence has 10000 words; training takes up to"),
    ("a random tree of 10,000 words, lifted", lambda: random_tree(10000),
     "convert --from conllu --projectivise head @in", 20, 256, 0, ""),
    ("a line without an end", lambda: b"a" * 54_000_000, "convert --from conllu --to json @in", 20, 400, 1,
     "this is not conllu"),
    ("a tree without an end", lambda: b"(S " + b"(NN a) " * 5_000_000, "convert --from ptb --to json @in", 20,
     400, 1, "is never closed"),
    ("many trees without an end", lambda: b"(S (NN a)\n" * 3_000_000, "convert --from ptb --to json @in", 20,
     400, 1, "1000 sentences were unusable"),
    ("many trees without an end under one label", lambda: b"(TOP (NN a)\n" * 3_000_000,
     "convert --from ptb --to json @in", 20, 400, 1, "3000000 sentences were unusable"),
    ("trees and unclosed trees in turns", lambda: b"(A b) (C\n" * 4_000_000,
     "convert --from ptb --to text @in", 60, 500, 1, "4000000 sentences were unusable"),
    ("short trees behind one without an end", lambda: b"(S\n" + b"(A b)\n" * 6_000_000,
     "convert --from ptb --to text @in", 20, 500, 1, "is never closed"),
    ("brackets to evaluate", lambda: b"(" * 50_000_000, "eval constituency --strict --gold @in --system @in", 20, 400, 1,
     "the line has more than 4194304 bytes"),
    ("brackets of JSON", lambda: b"[" * 40_000_000, "convert --from json --to conllu @in", 20, 400, 1,
     "is not json"),
    ("brackets of JSON in a sentence", lambda: b'{"tokens":' + b"[" * 40_000_000,
     "convert --from json --to conllu @in", 20, 400, 1, "unusable"),
    ("lists of tags", lambda: chain(50), "tag -m @tagger --nbest 90000 --column xpos --from conllu @in", 20, 1024,
     0, ""),
    ("lists of more tags", lambda: chain(1000), "tag -m @tagger --nbest 100000 --column xpos --from conllu @in", 20,
     1024, 1, "a list of 100000 sequences of 1000 words"),
]


def used(words, stdout):
    """Exit code, processor seconds and megabytes of a run, and what it said."""
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen([PROGRAM] + words, stdin=subprocess.DEVNULL, stdout=stdout, stderr=said,
                                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (90, 90)))
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        return (process.returncode, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024,
                said.read().decode(errors="replace"))


def main():
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        place = {"@" + name: os.path.join(folder, name) for name in
                 ("tagger", "parser", "in", "in.conllu", "out")}
        for words in (["tagger", "--passes", "1", "-o", place["@tagger"]],
                      ["dependency", "--order", "first", "--passes", "1", "-o", place["@parser"]]):
            subprocess.run([PROGRAM, "train"] + words + ["--train", ENGLISH, "-q"], check=True)
        for name, make, command, seconds, megabytes, code, text in CASES:
            if WANTED and not any(each in name for each in WANTED):
                continue
            for path in ("@in", "@in.conllu"):
                with open(place[path], "wb") as file:
                    file.write(make())
            words = [place.get(word, word) for word in command.split()]
            got, took, memory, said = used(words + ["--threads", "1"], subprocess.DEVNULL)
            wrong = [what for what, true in (
                (f"exit code {got}, expected {code}", got == code),
                (f"more than {seconds} s", took <= seconds),
                (f"more than {megabytes} MB", memory <= megabytes),
                (f"'{text}' is not said", text in said)) if not true]
            print(f"{name}: {took:.1f} s, {memory:.0f} MB{'; FAILED: ' if wrong else ''}{', '.join(wrong)}",
                  flush=True)
            if wrong:
                print(said[-500:])
                failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
