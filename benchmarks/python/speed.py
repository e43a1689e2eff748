#!/usr/bin/env python3
"""speed.py COPSE TEXT [REPEATS]: how fast the module is beside the program.

TEXT has a short text a line. The program reads all of it with --one-per-line, the module gets one text
after the other, so that each pays for a call. Both write CoNLL-U. Rounds alternate, the best counts:
other work on the machine makes a round slower, never faster. Loading is measured apart."""
import os
import subprocess
import sys
import time

import copse

PROGRAM, PATH = sys.argv[1], sys.argv[2]
ROUNDS = int(sys.argv[3]) if len(sys.argv) > 3 else 5
PARTS = ["tokenizer", "tagger", "dependency"]
with open(PATH, encoding="utf-8") as file:
    TEXTS = [line.strip() for line in file if line.strip()]


def program(path, threads):
    """Seconds of the whole run, processor and clock."""
    begin = time.perf_counter()
    before = os.times()
    subprocess.run(
        [PROGRAM, "parse", "-q", "--one-per-line", "--threads", str(threads), "--to", "conllu", "-o", os.devnull,
         path], check=True)
    after = os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return time.perf_counter() - begin, cpu


def module(nlp, threads):
    begin, before = time.perf_counter(), os.times()
    words = 0
    for doc in nlp.pipe(TEXTS, threads=threads, phrases=False, line_ends="sentences"):
        doc.to_conllu()
        words += sum(len(sentence) for sentence in doc)
    after = os.times()
    cpu = after.user + after.system - before.user - before.system
    return time.perf_counter() - begin, cpu, words


def first_sentence():
    """Milliseconds of a fresh interpreter, less those of one that does nothing."""
    def run(code):
        begin = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True)
        return 1000 * (time.perf_counter() - begin)

    code = "import copse; copse.load('en')('She saw the man with the telescope.')"
    light = "import copse; copse.load('en')('She saw the man with the telescope.', phrases=False)"
    nothing = min(run("pass") for _ in range(10))
    return min(run(code) for _ in range(10)) - nothing, min(run(light) for _ in range(10)) - nothing, nothing


def best(runs):
    return [min(values) for values in zip(*runs)]


def main():
    nlp = copse.load("en", parts=PARTS)
    empty = "/dev/null"
    theirs, ours, loading = {1: [], 2: []}, {1: [], 2: []}, []
    for _ in range(ROUNDS):
        loading.append(program(empty, 1))
        for threads in (1, 2):
            theirs[threads].append(program(PATH, threads))
            ours[threads].append(module(nlp, threads))
    load_clock, load_cpu = best(loading)
    words = ours[1][0][2]
    print(f"{len(TEXTS)} texts, {words} words; best of {ROUNDS} rounds; the program's loading "
          f"({1000 * load_clock:.0f} ms) is taken off")
    print("threads  program w/s  module w/s  share   program w/cpu-s  module w/cpu-s  share")
    for threads in (1, 2):
        clock, cpu = best(theirs[threads])
        our_clock, our_cpu, _ = best(ours[threads])
        rates = words / (clock - load_clock), words / our_clock
        by_cpu = words / (cpu - load_cpu), words / our_cpu
        print(f"{threads:7}  {rates[0]:11.0f}  {rates[1]:10.0f}  {rates[1] / rates[0]:5.2f}   "
              f"{by_cpu[0]:15.0f}  {by_cpu[1]:14.0f}  {by_cpu[1] / by_cpu[0]:5.2f}")
    print(f"2 threads of the module against 1: {best(ours[1])[0] / best(ours[2])[0]:.2f}x")
    everything, light, nothing = first_sentence()
    print(f"import, load, first sentence: {everything:.0f} ms with both trees, {light:.0f} ms with dependencies "
          f"(python3 itself: {nothing:.0f} ms)")


main()
