#!/usr/bin/env python3
"""The points that docs/scale.md is reckoned from.

    measure.py PROGRAM DATA OUT.json [parsing] [sharing] [training] [ranks]

PROGRAM is built with MPI; DATA has ewt/train.conllu, ewt/dev.conllu and raw/en.txt.gz. Times are seconds
of CPU, not of the clock: a busy machine does not change them much. Figures of earlier runs stay in
OUT.json unless they are measured again."""
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile
import time

PROGRAM, DATA, OUT = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3]
WANTED = sys.argv[4:] or ["parsing", "sharing", "training", "ranks"]


def run(words, **more):
    """(CPU seconds, largest resident size in bytes, standard error)"""
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(words, stderr=said, **more)
        _, status, usage = os.wait4(process.pid, 0)
        said.seek(0)
        text = said.read().decode(errors="replace")
    if status != 0:
        raise SystemExit(f"{' '.join(words)}\n{text}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, text


def sentences_of(path, count):
    with open(path, "rb") as file:
        blocks = [block for block in file.read().split(b"\n\n") if block.strip()]
    return b"".join(block + b"\n\n" for block in blocks[:count])


def text_of_lines(count):
    """So many lines of running text, as paragraphs of five."""
    lines = []
    with gzip.open(os.path.join(DATA, "raw", "en.txt.gz"), "rb") as file:
        for number, line in enumerate(file):
            if number == count:
                break
            lines.append(line + (b"\n" if number % 5 == 4 else b""))
    return b"".join(lines)


def measure_parsing(folder):
    points = []
    for lines in (1, 400, 1200):
        source, target = (os.path.join(folder, name) for name in ("in.txt", "out.conllu"))
        data = text_of_lines(lines)
        with open(source, "wb") as file:
            file.write(data)
        for threads in (1, 2):
            with open(source, "rb") as given, open(target, "wb") as made:
                seconds, resident, _ = run([PROGRAM, "parse", "-q", "--threads", str(threads)],
                                           stdin=given, stdout=made)
            with open(target, "rb") as made:
                words = sum(line[:1].isdigit() for line in made)
            points.append({"threads": threads, "words": words, "seconds": round(seconds, 3),
                           "bytes_in": len(data), "bytes_out": os.path.getsize(target),
                           "resident": resident})
    return {"parsing": points}


def memory_of(pid):
    """(resident, private, proportional) bytes"""
    figures = {}
    with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as file:
        for line in file:
            match = re.match(r"(\w+): +(\d+) kB", line)
            if match:
                figures[match[1]] = int(match[2]) * 1024
    private = figures["Private_Clean"] + figures["Private_Dirty"]
    return figures["Rss"], private, figures["Pss"]


def measure_sharing(_):
    """Four processes that have loaded the same model and wait for text."""
    words = [PROGRAM, "parse", "-q", "--threads", "1"]
    processes = [subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
                 for _ in range(4)]
    try:
        for process in processes:
            process.stdin.write(b"One sentence.\n\n" * 5000)
            process.stdin.flush()
        for process in processes:
            process.stdout.read(1)
        figures = [memory_of(process.pid) for process in processes]
    finally:
        for process in processes:
            process.kill()
            process.wait()
    size = os.path.getsize(os.path.join(os.path.dirname(PROGRAM), "models", "en.copse"))
    return {"sharing": {"processes": len(processes), "model_bytes": size,
                        "resident": sum(f[0] for f in figures), "private": sum(f[1] for f in figures),
                        "proportional": sum(f[2] for f in figures)}}


def training_words(folder, count, learner, order, passes, more=()):
    source = os.path.join(folder, f"{count}.conllu")
    with open(source, "wb") as file:
        file.write(sentences_of(os.path.join(DATA, "ewt", "train.conllu"), count))
    blocks = ["--blocks", "4"] if learner in ("mira", "eg-loglinear") else []
    return [PROGRAM, "train", "dependency", "--train", source, "--order", order, "--learner", learner,
            "--passes", str(passes), "--threads", "1", "-o", os.path.join(folder, "m.copse"),
            *blocks, *more]


def dimension_of(checkpoint):
    return json.loads(subprocess.check_output([PROGRAM, "info", "--json", checkpoint]))["dimension"]


def measure_training(folder):
    points = []
    for order, learner, count in [("first", learner, count) for learner in
                                  ("loglinear", "eg-loglinear", "mira") for count in
                                  (250, 500, 1000, 2000)] + [("model1", "mira", 500)]:
        checkpoint = os.path.join(folder, "state")
        few, _, _ = run(training_words(folder, count, learner, order, 2))
        many, resident, _ = run(training_words(folder, count, learner, order, 6,
                                               ("--checkpoint", checkpoint)))
        words = sentences_of(os.path.join(DATA, "ewt", "train.conllu"), count)
        points.append({"order": order, "learner": learner, "sentences": count,
                       "words": sum(line[:1].isdigit() for line in words.splitlines()),
                       "dimension": dimension_of(checkpoint),
                       "pass_seconds": round((many - few) / 4, 3),
                       "other_seconds": round(few - (many - few) / 2, 3), "resident": resident})
        os.unlink(checkpoint)
        print(points[-1], flush=True)
    return {"training": points}


def measure_ranks(folder):
    points = []
    count = 1000
    for learner in ("loglinear", "eg-loglinear", "mira"):
        checkpoint = os.path.join(folder, "state")
        run(training_words(folder, count, learner, "first", 1, ("--checkpoint", checkpoint)))
        dimension = dimension_of(checkpoint)
        os.unlink(checkpoint)
        for ranks in (1, 2, 3, 4):
            start = time.monotonic()
            words = training_words(folder, count, learner, "first", 4)
            cpu, _, said = run(["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", str(ranks)]
                               + words)
            lines = [line for line in said.splitlines() if line.startswith("pass") and "loss" in line]
            sent = [float(found[1]) if (found := re.search(r"([\d.]+) MB sent", line)) else 0.0
                    for line in lines]
            seconds = [float(re.search(r"([\d.]+) s", line)[1]) for line in lines]
            points.append({"learner": learner, "sentences": count, "ranks": ranks,
                           "dimension": dimension, "megabytes": sent, "clock_seconds": seconds,
                           "cpu_seconds": round(cpu, 2), "all_clock": round(time.monotonic() - start, 1)})
            print(points[-1], flush=True)
    return {"ranks": points}


def main():
    found = {}
    if os.path.exists(OUT):
        with open(OUT, encoding="utf-8") as file:
            found = json.load(file)
    tasks = {"parsing": measure_parsing, "sharing": measure_sharing, "training": measure_training,
             "ranks": measure_ranks}
    for name in WANTED:
        with tempfile.TemporaryDirectory() as folder:
            found.update(tasks[name](folder))
        with open(OUT, "w", encoding="utf-8") as file:
            json.dump(found, file, indent=1)
            file.write("\n")


main()
