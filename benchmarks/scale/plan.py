#!/usr/bin/env python3
"""What a size costs, from measured points: the tables of docs/scale.md.

    plan.py MEASURED.json                prints the tables
    plan.py MEASURED.json --write PAGE   puts them into the page, between its marks
    plan.py MEASURED.json --check PAGE   fails if the page has others

The model: parsing and passes of training cost time in proportion to their words; weights grow as a power
of the number of sentences; everything else is counted from how the program works (block_sum.h,
mixed_online.h, block_gradient.h)."""
import json
import math
import sys

MARKS = ("<!-- {}: made by benchmarks/scale/plan.py -->", "<!-- end -->")
BILLION = 1e9
MILLION = 1e6
PASSES = {"loglinear": 120, "eg-loglinear": 25, "mira": 15}  # as many as the learners make at most
ROUNDS = 8                                                     # of exponentiated gradient, in a pass
PAIRS = 10                                                     # that L-BFGS remembers


# How the program works.

def transfers(blocks, ranks):
    """Sums that have to travel up the tree."""
    def owner(block):
        return block * ranks // blocks
    count, width = 0, 1
    while 2 * width <= blocks:
        for left in range(0, blocks, 2 * width):
            count += owner(left) != owner(left + width)
        width *= 2
    return count


def blocks_of(learner, sentences):
    """16 to 256 for L-BFGS, at least 512 sentences in each; else --blocks."""
    if learner != "loglinear":
        return 4
    return max(16, min(256, 1 << max(0, (sentences // 512).bit_length() - 1)))


def bytes_of_pass(learner, dimension, sentences, ranks, blocks=None):
    """Sent by all ranks together, with one evaluation of the objective in a pass."""
    vector = {"loglinear": dimension + 1, "eg-loglinear": ROUNDS * (dimension + 1),
              "mira": 2 * dimension + 2}[learner]
    sums = 8 * vector * (transfers(blocks or blocks_of(learner, sentences), ranks) + ranks - 1)
    # The terms of the dual: those of all ranks but the first, to it, and all of them back.
    dual = 8 * sentences * ((ranks - 1) / ranks + ranks - 1) if learner == "eg-loglinear" else 0
    return sums + dual


def bytes_of_weights(learner, dimension):
    """Memory of a process that does not shrink with their number."""
    number = {"loglinear": 8 * 4 + 8 * PAIRS + 8 * 5,  # w, trial, gradients; pairs; sums on the tree
              "eg-loglinear": 8 + 4 + 4 + 8 * 5 + 4,
              "mira": 4 + 8 + 12 + 16 * 4}[learner]
    return number * dimension


# What was measured.

def slope(points, x, y):
    """Between the smallest and the largest."""
    first, last = min(points, key=lambda p: p[x]), max(points, key=lambda p: p[x])
    return (last[y] - first[y]) / (last[x] - first[x])


def power(points, x, y):
    """(a, b) of y = a x^b, by least squares of the logarithms."""
    pairs = [(math.log(p[x]), math.log(p[y])) for p in points]
    n = len(pairs)
    mx, my = sum(p[0] for p in pairs) / n, sum(p[1] for p in pairs) / n
    b = sum((p[0] - mx) * (p[1] - my) for p in pairs) / sum((p[0] - mx) ** 2 for p in pairs)
    return math.exp(my - b * mx), b


class Measured:
    def __init__(self, data):
        self.parsing = data["parsing"]
        self.sharing = data["sharing"]
        self.training = data["training"]
        self.ranks = data["ranks"]

    def parsed(self, threads):
        return [p for p in self.parsing if p["threads"] == threads]

    def trained(self, learner, order="first"):
        return [p for p in self.training if p["learner"] == learner and p["order"] == order]


# Tables

def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def size(number):
    for unit, factor in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if number >= factor:
            return f"{number / factor:,.3g} {unit}" if number / factor < 999.5 else f"{number / factor:,.0f} {unit}"
    return f"{number:.0f} B"


def duration(seconds):
    hours = seconds / 3600
    return f"{hours:,.0f}" if hours >= 99.5 else f"{hours:,.2g}"


def parsing_points(measured):
    rows = [[str(p["threads"]), f"{p['words']:,}", f"{p['seconds']:.2f}", f"{p['bytes_in']:,}",
             f"{p['bytes_out']:,}", size(p["resident"])] for p in measured.parsing]
    return table(["threads", "words", "CPU seconds", "bytes in", "bytes out", "memory"], rows)


def parsing_plan(measured):
    one, two = measured.parsed(1), measured.parsed(2)
    rate = 1 / slope(one, "words", "seconds")
    largest = max(one, key=lambda p: p["words"])
    resident = max(p["resident"] for p in one)
    each = max(p["resident"] for p in two) - resident
    sharing = measured.sharing
    private = sharing["private"] / sharing["processes"]
    rows = [
        ["words a second and core", f"{rate:,.0f}"],
        ["core-hours for a billion words", duration(BILLION / rate)],
        ["read, for a billion words", size(BILLION * largest["bytes_in"] / largest["words"])],
        ["written, for a billion words", size(BILLION * largest["bytes_out"] / largest["words"])],
        ["to start, CPU seconds of each shard", f"{min(p['seconds'] for p in one):.2f}"],
        ["memory of a process with one thread", size(resident)],
        ["of each further thread, about", size(max(each, 0))],
        ["own memory of each of four processes beside each other", size(private)],
        ["16 cores of one machine: one process with 16 threads", size(resident + 15 * max(each, 0))],
        ["16 cores of one machine: 16 processes", size(sharing["resident"] / sharing["processes"] - private + 16 * private)],
    ]
    return table(["parsing with the English bundle, from raw text", ""], rows)


def training_points(measured):
    rows = [[p["order"], p["learner"], f"{p['sentences']:,}", f"{p['words']:,}", f"{p['dimension']:,}",
             f"{p['pass_seconds']:.2f}", f"{p['other_seconds']:.2f}", size(p["resident"])]
            for p in measured.training]
    return table(["order", "learner", "sentences", "words", "weights", "CPU seconds a pass",
                  "before the first", "memory"], rows)


def training_plan(measured):
    rows = []
    sizes = {p["sentences"]: p for p in measured.training if p["order"] == "first"}
    a, b = power(list(sizes.values()), "sentences", "dimension")  # the same for all learners
    dimension = a * MILLION ** b
    for learner in ("loglinear", "eg-loglinear", "mira"):
        points = measured.trained(learner)
        each_pass = slope(points, "sentences", "pass_seconds") * MILLION
        before = slope(points, "sentences", "other_seconds") * MILLION
        fixed = bytes_of_weights(learner, dimension)
        # What grows with the sentences of a process, without what grows with the weights.
        first, last = points[0], points[-1]
        grown = last["resident"] - first["resident"]
        grown -= bytes_of_weights(learner, last["dimension"]) - bytes_of_weights(learner, first["dimension"])
        sentences = max(grown, 0) / (last["sentences"] - first["sentences"]) * MILLION
        ranks, blocks = 16, blocks_of(learner, 10 ** 6) if learner == "loglinear" else 16
        sent = bytes_of_pass(learner, dimension, 10 ** 6, ranks, blocks)
        rows.append([learner, duration(each_pass),
                     duration(before), duration(PASSES[learner] * each_pass + before),
                     size(fixed + sentences), size(fixed + sentences / ranks), size(sent),
                     size(sent * PASSES[learner])])
    law = f"{dimension / 1e6:,.0f} million weights: {a:,.0f} times the number of sentences to the power of {b:.2f}.\n\n"
    return law + table(["learner", "core-hours a pass",
                  "before the first", "all passes", "memory, one process", "each of 16",
                  "sent in a pass, 16 processes", "in all passes"], rows)


def rank_points(measured):
    rows = []
    for p in measured.ranks:
        expected = bytes_of_pass(p["learner"], p["dimension"], p["sentences"], p["ranks"]) / 1e6
        # The first point of L-BFGS and the start of the dual are evaluated before the first pass.
        found = p["megabytes"][1:]
        rows.append([p["learner"], str(p["ranks"]), f"{expected:.2f}",
                     f"{sum(found) / len(found):.2f}",
                     " ".join(f"{value:.2f}" for value in p["megabytes"]),
                     " ".join(f"{value:.1f}" for value in p["clock_seconds"]), f"{p['cpu_seconds']:.1f}"])
    return table(["learner", "ranks", "MB a pass, predicted", "measured, passes 2 to 4", "of each pass",
                  "seconds of each pass, by the clock", "CPU seconds of all"], rows)


TABLES = {"parsing points": parsing_points, "parsing": parsing_plan, "training points": training_points,
          "training": training_plan, "ranks": rank_points}


def replaced(page, measured):
    for name, make in TABLES.items():
        begin, end = (mark.format(name) for mark in MARKS)
        first = page.index(begin) + len(begin)
        page = page[:first] + "\n" + make(measured) + "\n" + page[page.index(end, first):]
    return page


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        measured = Measured(json.load(file))
    if len(sys.argv) < 4:
        print("\n\n".join(make(measured) for make in TABLES.values()))
        return 0
    with open(sys.argv[3], encoding="utf-8") as file:
        page = file.read()
    made = replaced(page, measured)
    if sys.argv[2] == "--check":
        if made != page:
            print(f"{sys.argv[3]} has other tables than plan.py makes of {sys.argv[1]}: run it with --write")
        return 0 if made == page else 1
    with open(sys.argv[3], "w", encoding="utf-8") as file:
        file.write(made)
    return 0


if __name__ == "__main__":
    sys.exit(main())
