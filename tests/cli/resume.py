#!/usr/bin/env python3
"""Training that is killed and goes on ends with the same bytes as training that is left alone.

For every learner of `copse train dependency`, and for the spinal, the incremental and the history parser: one run
without a break, then COUNT times a run with --checkpoint that is killed (SIGKILL, now and then SIGTERM) at random moments, three times at most,
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
                            "eg-maxmargin", "spinal", "incremental", "history"]


def read(path):
    with open(path, "rb") as file:
        return file.read()


def command(learner, model, checkpoint=None):
    more = ["--checkpoint", checkpoint] if checkpoint else []
    if learner in ("spinal", "incremental"):
        trees = os.path.join(FIXTURES, "english.mrg")
        own = ["--dev", trees, "--beam-size", "2", "--training-beam", "4", "--mix", "0,2", "--patience",
               "100", "--cache-rounds", "2"] if learner == "incremental" else []
        return [PROGRAM, "train", "constituency", "--model", learner, "--train", trees, "--passes", "6",
                "--tag-folds", "0", "--threads", "1", "-q", "-o", model] + own + more
    if learner == "history":
        trees = os.path.join(FIXTURES, "english.mrg")
        return [PROGRAM, "train", "constituency", "--model", learner, "--train", trees, "--descent-passes",
                "5", "--networks", "2", "--hidden", "8", "--embedding", "6", "--tag-folds", "0",
                "--threads", "1", "-q", "-o", model] + more
    treebank = os.path.join(FIXTURES, "english.conllu")
    words = [PROGRAM, "train", "dependency", "--train", treebank, "--dev", treebank, "--order", "first",
             "--learner", learner, "--passes", "12", "--patience", "100", "--min-count", "1",
             "--pruner-passes", "1", "--threads", "1", "-q", "-o", model]
    return words + more


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
        with tempfile.TemporaryDirectory() as folder:
            model, checkpoint = os.path.join(folder, "m.copse"), os.path.join(folder, "state")
            started = time.monotonic()
            subprocess.run(command(learner, model), check=True)
            whole, seconds = read(model), time.monotonic() - started
            same = kills = 0
            for _ in range(COUNT):
                for name in os.listdir(folder):
                    os.remove(os.path.join(folder, name))
                for _ in range(3):
                    number = rng.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGTERM])
                    if not killed(command(learner, model, checkpoint), seconds * rng.random(), number):
                        break
                    kills += 1
                    left = [name for name in os.listdir(folder) if name.endswith(".tmp")]
                    if number == signal.SIGTERM and left:
                        print(f"{learner}: SIGTERM leaves {left}")
                        wrong += 1
                    for name in left:
                        os.remove(os.path.join(folder, name))
                subprocess.run(command(learner, model, checkpoint), check=True)
                same += read(model) == whole
            print(f"{learner}: {kills} kills, {same} of {COUNT} the same", flush=True)
            wrong += COUNT - same
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
