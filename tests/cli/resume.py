#!/usr/bin/env python3
"""Training that is killed and goes on ends with the same bytes as training that is left alone.

For every learner that has checkpoints (those of `copse train dependency`, the spinal, the incremental
and the history parser, rerankers with hidden values): one run without a break, then COUNT times a run
with --checkpoint that is killed (SIGKILL, now and then SIGTERM) at random moments, three times at most,
and goes on each time. No kill may leave a model that cannot be read, or a temporary file behind a
signal that can be handled.

Usage: resume.py PROGRAM FIXTURES [COUNT [SEED [LEARNER ...]]]
"""
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

PROGRAM, FIXTURES = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
COUNT = int(sys.argv[3]) if len(sys.argv) > 3 else 1
SEED = int(sys.argv[4]) if len(sys.argv) > 4 else 1
LEARNERS = sys.argv[5:] or ["perceptron", "mira", "loglinear", "loglinear-sgd", "eg-loglinear",
                            "eg-maxmargin", "spinal", "incremental", "history", "hidden"]
TREES = os.path.join(FIXTURES, "english.mrg")


def read(path):
    with open(path, "rb") as file:
        return file.read()


def make_lists(folder):
    """Lists of parses to learn from, for the reranker; their path."""
    parser, lists = os.path.join(folder, "parser.copse"), os.path.join(folder, "lists.txt")
    subprocess.run([PROGRAM, "train", "constituency", "--train", TREES, "-q", "-o", parser], check=True)
    subprocess.run([PROGRAM, "nbest", "-m", parser, "-k", "8", "-q", TREES, "-o", lists], check=True)
    return lists


def own_options(learner, lists):
    """What is trained, and with what options, so that it takes several passes."""
    if learner == "hidden":
        return ["reranker", "--method", "hidden", "--lists", lists, "--gold", TREES, "--dev-lists", lists,
                "--dev-gold", TREES, "--passes", "8", "--patience", "100", "--rates", "0.1",
                "--plain-passes", "2"]
    phrases = ["constituency", "--model", learner, "--train", TREES, "--tag-folds", "0"]
    if learner == "spinal":
        return phrases + ["--passes", "6"]
    if learner == "incremental":
        return phrases + ["--passes", "6", "--dev", TREES, "--beam-size", "2", "--training-beam", "4",
                          "--mix", "0,2", "--patience", "100", "--cache-rounds", "2"]
    if learner == "history":
        return phrases + ["--descent-passes", "5", "--networks", "2", "--hidden", "8", "--embedding", "6"]
    treebank = os.path.join(FIXTURES, "english.conllu")
    return ["dependency", "--train", treebank, "--dev", treebank, "--order", "first", "--learner", learner,
            "--passes", "12", "--patience", "100", "--min-count", "1", "--pruner-passes", "1"]


def command(learner, lists, model, checkpoint=None):
    more = ["--checkpoint", checkpoint] if checkpoint else []
    return [PROGRAM, "train"] + own_options(learner, lists) + ["--threads", "1", "-q", "-o", model] + more


def killed(words, seconds, number):
    """Whether the run was ended by the signal; it may have been quicker."""
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        said = process.communicate(timeout=seconds)[1]
    except subprocess.TimeoutExpired:
        process.send_signal(number)
        said = process.communicate()[1]
    if process.returncode not in (0, -number):
        raise SystemExit(f"exit code {process.returncode}: {said.decode()}")
    return process.returncode != 0


def main():
    rng = random.Random(SEED)
    wrong = 0
    for learner in LEARNERS:
        with tempfile.TemporaryDirectory() as data, tempfile.TemporaryDirectory() as folder:
            lists = make_lists(data) if learner == "hidden" else None
            model, checkpoint = os.path.join(folder, "m.copse"), os.path.join(folder, "state")
            started = time.monotonic()
            subprocess.run(command(learner, lists, model), check=True)
            whole, seconds = read(model), time.monotonic() - started
            same = kills = 0
            for _ in range(COUNT):
                for name in os.listdir(folder):
                    os.remove(os.path.join(folder, name))
                for _ in range(3):
                    number = rng.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGTERM])
                    if not killed(command(learner, lists, model, checkpoint), seconds * rng.random(), number):
                        break
                    kills += 1
                    left = [name for name in os.listdir(folder) if name.endswith(".tmp")]
                    if number == signal.SIGTERM and left:
                        print(f"{learner}: SIGTERM leaves {left}")
                        wrong += 1
                    for name in left:
                        os.remove(os.path.join(folder, name))
                subprocess.run(command(learner, lists, model, checkpoint), check=True)
                same += read(model) == whole
            print(f"{learner}: {kills} kills, {same} of {COUNT} the same", flush=True)
            wrong += COUNT - same
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
