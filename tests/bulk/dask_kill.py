#!/usr/bin/env python3
"""Dask workers that are killed: every sentence once, the same bytes as one process.

    dask_kill.py PROGRAM TREEBANK [SHARDS [WORKERS [KILLED [SEED]]]]

Trains a small parser, cuts the treebank (repeated until there are enough sentences) into SHARDS,
parses it in one process and by with_dask.py with so many local workers, of which KILLED are killed
(SIGKILL) at random moments, and compares the bytes. Ends with 77, "skipped", where Dask is not
installed."""
import importlib.util
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

PROGRAM, TREEBANK = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
SHARDS, WORKERS, KILLED, SEED = (int(word) for word in (sys.argv[3:] + ["200", "4", "2", "1"][len(sys.argv) - 3:]))
SCRIPTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts", "bulk")
sys.path.insert(0, SCRIPTS)
import bulk  # noqa: E402


def read(path):
    with open(path, "rb") as file:
        return file.read()


def workers_of(process):
    """The process ids of the Dask workers below it."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat", encoding="utf-8") as file:
                parent = int(file.read().rsplit(")", 1)[1].split()[1])
            words = read(f"/proc/{name}/cmdline")
        except OSError:
            continue
        if parent == process and b"spawn_main" in words:
            found.append(int(name))
    return found


def kill_at_random(process, job, rng):
    """Kills workers while there is work left; returns how many shards were left at each kill."""
    moments = []
    goals = sorted(rng.uniform(0.15, 0.8) for _ in range(KILLED))
    while goals and process.poll() is None:
        left = len(job.left())
        if left < len(job.shards) * (1 - goals[0]):
            victims = workers_of(process.pid)
            if victims:
                os.kill(rng.choice(victims), signal.SIGKILL)
                moments.append(left)
                goals.pop(0)
        time.sleep(0.05)
    return moments


def main():
    if importlib.util.find_spec("distributed") is None:
        print("Dask is not installed")
        return 77
    rng = random.Random(SEED)
    with tempfile.TemporaryDirectory() as folder:
        model, text, plain = (os.path.join(folder, name) for name in ("m.copse", "in.conllu", "one"))
        subprocess.run([PROGRAM, "train", "dependency", "--train", TREEBANK, "--order", "first",
                        "--passes", "2", "--pruner-passes", "1", "-q", "-o", model], check=True)
        sentences = [block + b"\n\n" for block in read(TREEBANK).split(b"\n\n") if block.strip()]
        with open(text, "wb") as file:
            for n in range(max(10 * SHARDS, len(sentences))):
                file.write(sentences[n % len(sentences)])
        command = [PROGRAM, "parse", "-m", model, "--from", "conllu", "--threads", "1", "-q"]
        start = time.monotonic()
        with open(text, "rb") as source, open(plain, "wb") as target:
            subprocess.run(command, stdin=source, stdout=target, check=True)
        one = time.monotonic() - start
        job_dir = os.path.join(folder, "job")
        size = os.path.getsize(text) / SHARDS
        shards = bulk.split(job_dir, [text], command, "conllu", b"", size)
        job = bulk.Job(job_dir)
        start = time.monotonic()
        process = subprocess.Popen([sys.executable, os.path.join(SCRIPTS, "with_dask.py"), job_dir,
                                    "--workers", str(WORKERS)], stderr=subprocess.DEVNULL)
        moments = kill_at_random(process, job, rng)
        code = process.wait()
        seconds = time.monotonic() - start
        joined = os.path.join(folder, "joined")
        faults = bulk.verify(job)
        with open(joined, "wb") as file:
            bulk.join(job, file)
        same = read(joined) == read(plain)
        total = read(plain).count(b"\n\n")
        print(f"{shards} shards, {total} sentences, {WORKERS} workers, killed when "
              f"{' and '.join(map(str, moments))} shards were left; one process {one:.1f} s, Dask "
              f"{seconds:.1f} s; exit {code}; faults {len(faults)}; "
              f"{'the same bytes' if same else 'OTHER BYTES'}")
        return 0 if code == 0 and not faults and same and len(moments) == KILLED else 1


if __name__ == "__main__":
    sys.exit(main())
