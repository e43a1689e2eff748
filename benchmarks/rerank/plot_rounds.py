#!/usr/bin/env python3
"""Draws a round log of `copse train reranker --round-log` as an SVG, with nothing but Python.

    benchmarks/rerank/plot_rounds.py rounds.tsv > rounds.svg          # F1 on dev by rounds
    benchmarks/rerank/plot_rounds.py rounds.tsv --work > work.svg     # entries visited by rounds

One line per smoothing; the number of rounds is logarithmic.
"""
import argparse
import math
import sys

WIDTH, HEIGHT, MARGIN = 760, 420, 70
COLOURS = ["#4c72b0", "#55a868", "#c44e52", "#8172b2", "#dd8452", "#64b5cd"]


def read_runs(file):
    """{smoothing: [(round, dev F1, cost)]}, the log probability's own steps left out."""
    names = file.readline().rstrip("\n").split("\t")
    at = {name: i for i, name in enumerate(names)}
    runs = {}
    for line in file:
        row = line.rstrip("\n").split("\t")
        if row[at["feature"]] == "log-probability":
            continue
        f1 = float(row[at["dev-f1"]]) if "dev-f1" in at else math.nan
        runs.setdefault(row[0], []).append((int(row[at["round"]]), f1, float(row[at["cost"]])))
    return runs


def sampled(rounds):
    """About 40 places a decade."""
    last = -1
    for point in rounds:
        place = int(40 * math.log10(point[0]))
        if place > last or point is rounds[-1]:
            last = place
            yield point


def lines_of(runs, work):
    lines = {}
    for smoothing, rounds in runs.items():
        if work:
            sums, total = [], 0.0
            for number, _, cost in rounds:
                total += cost
                sums.append((number, total / 1e6, cost))
            rounds = sums
        lines[smoothing] = [(number, value) for number, value, _ in sampled(rounds)]
    return lines


def ticks(low, high):
    step = 10 ** math.floor(math.log10((high - low) / 4))
    step *= min((m for m in (1, 2, 5, 10) if (high - low) / (m * step) <= 6), default=10)
    first = math.floor(low / step)
    return [step * k for k in range(first, math.ceil(high / step) + 1)]


def write_svg(lines, title, out):
    values = [value for line in lines.values() for _, value in line]
    most = max(number for line in lines.values() for number, _ in line)
    marks = ticks(min(values), max(values) + 1e-9)

    def x(number):
        return MARGIN + math.log10(number) / math.log10(max(most, 2)) * (WIDTH - 2 * MARGIN)

    def y(value):
        return HEIGHT - MARGIN - (value - marks[0]) / (marks[-1] - marks[0]) * (HEIGHT - 2 * MARGIN)

    out.write(f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
              'font-family="sans-serif" font-size="12">\n<rect width="100%" height="100%" fill="white"/>\n')
    for mark in marks:
        out.write(f'<line x1="{MARGIN}" x2="{WIDTH - MARGIN}" y1="{y(mark):.1f}" y2="{y(mark):.1f}" stroke="#ddd"/>\n'
                  f'<text x="{MARGIN - 8}" y="{y(mark) + 4:.1f}" text-anchor="end">{mark:g}</text>\n')
    for power in range(int(math.log10(most)) + 1):
        out.write(f'<text x="{x(10 ** power):.1f}" y="{HEIGHT - MARGIN + 18}" text-anchor="middle">{10 ** power:,}</text>\n')
    out.write(f'<text x="{WIDTH / 2}" y="{HEIGHT - 20}" text-anchor="middle">rounds</text>\n'
              f'<text x="20" y="{HEIGHT / 2}" transform="rotate(-90 20 {HEIGHT / 2})" text-anchor="middle">{title}</text>\n')
    for place, (smoothing, line) in enumerate(lines.items()):
        colour = COLOURS[place % len(COLOURS)]
        points = " ".join(f"{x(number):.1f},{y(value):.1f}" for number, value in line)
        at = MARGIN / 2 + 14 * place
        out.write(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>\n'
                  f'<line x1="{MARGIN + 12}" x2="{MARGIN + 36}" y1="{at}" y2="{at}" stroke="{colour}" stroke-width="2"/>\n'
                  f'<text x="{MARGIN + 42}" y="{at + 4}">smoothing {smoothing}</text>\n')
    out.write("</svg>\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rounds", type=argparse.FileType("r"))
    parser.add_argument("--work", action="store_true", help="millions of entries visited instead of F1")
    options = parser.parse_args()
    runs = read_runs(options.rounds)
    if not runs:
        sys.exit("no rounds in the file")
    title = "million entries visited" if options.work else "F1 on the development lists"
    write_svg(lines_of(runs, options.work), title, sys.stdout)


if __name__ == "__main__":
    main()
