#!/usr/bin/env python3
"""`mpirun -n N copse train dependency`: the same bytes for any N, as without mpirun; a rank that is
killed ends the run, and its checkpoint goes on with another N.

Usage: mpi.py PROGRAM FIXTURES [SEED]     PROGRAM is built with MPI
"""
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

PROGRAM, FIXTURES = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
RNG = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
LEARNERS = ["loglinear", "eg-loglinear", "eg-maxmargin", "mira", "perceptron", "loglinear-sgd"]
NO_BLOCKS = ("loglinear", "loglinear-sgd")


def read(path):
    with open(path, "rb") as file:
        return file.read()


def command(learner, model, *more):
    treebank = os.path.join(FIXTURES, "english.conllu")
    return [PROGRAM, "train", "dependency", "--train", treebank, "--dev", treebank, "--order", "first",
            "--learner", learner, "--passes", "6", "--patience", "100", "--min-count", "1",
            "--pruner-passes", "1", "--threads", "1", "-q", "-o", model, *more]


def mpirun(ranks, words):
    return ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", str(ranks)] + words


def run(words):
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(words)}\nexit code {done.returncode}: {done.stdout.decode()}")
    return done.stdout


def same_for_all(learner, folder):
    blocks = [] if learner in NO_BLOCKS else ["--blocks", "4"]
    alone = os.path.join(folder, learner + ".copse")
    run(command(learner, alone, *blocks))
    for ranks in (1, 2, 3, 4):
        model = os.path.join(folder, f"{learner}-{ranks}.copse")
        said = run(mpirun(ranks, command(learner, model)))
        if said:
            raise SystemExit(f"{learner}, {ranks} ranks, quiet: {said.decode()}")
        if read(model) != read(alone):
            raise SystemExit(f"{learner}: {ranks} ranks give other bytes than one process")
    print(f"{learner}: the same bytes by 1, 2, 3 and 4 ranks and without mpirun", flush=True)


def ranks_below(process):
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat", encoding="utf-8") as file:
                parent = int(file.read().rsplit(")", 1)[1].split()[1])
            words = read(f"/proc/{name}/cmdline")
        except OSError:
            continue
        if parent == process and words.startswith(PROGRAM.encode()):
            found.append(int(name))
    return found


def killed_and_resumed(learner, folder):
    """With more passes than a test can wait for: a rank is killed once there is a checkpoint."""
    expected = os.path.join(folder, learner + ".copse")
    model, checkpoint = (os.path.join(folder, name) for name in ("killed.copse", "state"))
    words = command(learner, model, "--checkpoint", checkpoint)
    words[words.index("--passes") + 1] = "1000"
    words = mpirun(3, words)
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    deadline = time.monotonic() + 300
    while not os.path.exists(checkpoint):
        if process.poll() is not None or time.monotonic() > deadline:
            raise SystemExit(f"{learner}: no checkpoint: {process.communicate()[1].decode()}")
        time.sleep(0.01)
    victim = RNG.choice(ranks_below(process.pid))
    os.kill(victim, signal.SIGKILL)
    process.communicate(timeout=120)
    if process.returncode == 0:
        raise SystemExit(f"{learner}: a rank was killed, and the run ended as if nothing had happened")
    if os.path.exists(model):
        raise SystemExit(f"{learner}: a run that was broken off left a model")
    os.unlink(checkpoint)
    # The passes of the other runs, broken off after two.
    words = command(learner, model, "--checkpoint", checkpoint)
    words[words.index("--passes") + 1] = "2"
    run(mpirun(3, words))
    os.unlink(model)
    run(mpirun(2, command(learner, model, "--checkpoint", checkpoint)))
    if read(model) != read(expected):
        raise SystemExit(f"{learner}: going on with another number of ranks gives other bytes")
    os.unlink(model)
    os.unlink(checkpoint)
    print(f"{learner}: a killed rank ends the run; 3 ranks, then 2, give the same bytes", flush=True)


def refuses(folder):
    model = os.path.join(folder, "none.copse")
    words = command("mira", model)
    words[words.index("--train") + 1] = "nowhere.conllu"
    done = subprocess.run(mpirun(2, words), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode == 0 or b"nowhere.conllu" not in done.stdout:
        raise SystemExit(f"a missing file: {done.stdout.decode()}")
    tagger = [PROGRAM, "train", "tagger", "--train", os.path.join(FIXTURES, "english.conllu"), "-o", model]
    done = subprocess.run(mpirun(2, tagger), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode == 0 or b"works in one process" not in done.stdout:
        raise SystemExit(f"a task for one process: {done.stdout.decode()}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        for learner in LEARNERS:
            same_for_all(learner, folder)
        for learner in ("loglinear", "eg-loglinear", "mira"):
            killed_and_resumed(learner, folder)
        refuses(folder)


main()
