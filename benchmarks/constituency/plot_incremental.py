#!/usr/bin/env python3
"""Draws what incremental.sh measures as an SVG, with nothing but Python.

    benchmarks/constituency/plot_incremental.py passes early.log full.log ... > passes.svg
    benchmarks/constituency/plot_incremental.py length speed.txt > length.svg

passes: F1 on the development trees after each pass; a log is what `copse train constituency` said on
standard error, its name is the name of the line. length: milliseconds a sentence by its length, from
what bench_incremental printed.
"""
import pathlib
import re
import sys

WIDTH, HEIGHT, MARGIN = 760, 420, 70
COLOURS = ["#4c72b0", "#c44e52", "#55a868", "#8172b2", "#dd8452", "#64b5cd"]


def read_passes(paths):
    lines = {}
    for path in map(pathlib.Path, paths):
        found = re.findall(r"epoch (\d+):.* dev ([\d.]+)", path.read_text())
        lines[path.stem] = [(int(number), float(f1)) for number, f1 in found]
    return lines


def read_lengths(path):
    found = re.findall(r"sentences of (\d+) words, beam (\d+): ([\d.]+) ms a word", pathlib.Path(path).read_text())
    lines = {}
    for length, beam, time in found:
        lines.setdefault(f"beam {beam}", []).append((int(length), int(length) * float(time)))
    return lines


def ticks(low, high):
    """About five round numbers that enclose the range."""
    span = max(high - low, 1e-9)
    step = next(m * 10 ** e for e in range(-3, 6) for m in (1, 2, 5) if span / (m * 10 ** e) <= 6)
    first = int(low // step)
    marks = [first * step]
    while marks[-1] < high:
        marks.append((first + len(marks)) * step)
    return marks


def text(x, y, what, anchor="middle", more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{more}>{what}</text>\n'


def draw(lines, below, beside, from_zero):
    numbers = sorted({number for line in lines.values() for number, _ in line})
    values = [value for line in lines.values() for _, value in line] + ([0] if from_zero else [])
    marks = ticks(min(values), max(values))
    left, right = (0 if from_zero else numbers[0]), numbers[-1]

    def x(number):
        return MARGIN + (number - left) / max(right - left, 1) * (WIDTH - 2 * MARGIN)

    def y(value):
        return HEIGHT - MARGIN - (value - marks[0]) / (marks[-1] - marks[0]) * (HEIGHT - 2 * MARGIN)

    body = ""
    for mark in marks:
        body += f'<line x1="{MARGIN}" x2="{WIDTH - MARGIN}" y1="{y(mark):.1f}" y2="{y(mark):.1f}" stroke="#ddd"/>\n'
        body += text(MARGIN - 8, y(mark) + 4, f"{mark:g}", "end")
    for number in numbers:
        if from_zero and number < right / 12:
            continue
        body += text(x(number), HEIGHT - MARGIN + 18, number)
    body += text(WIDTH / 2, HEIGHT - 20, below)
    body += text(20, HEIGHT / 2, beside, more=f' transform="rotate(-90 20 {HEIGHT / 2})"')
    for place, (name, line) in enumerate(lines.items()):
        colour, at = COLOURS[place % len(COLOURS)], HEIGHT - MARGIN - 20 - 16 * place
        points = " ".join(f"{x(number):.1f},{y(value):.1f}" for number, value in line)
        body += f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>\n'
        body += "".join(f'<circle cx="{x(number):.1f}" cy="{y(value):.1f}" r="3.5" fill="{colour}"/>\n'
                        for number, value in line)
        body += f'<line x1="{WIDTH / 2}" x2="{WIDTH / 2 + 24}" y1="{at}" y2="{at}" stroke="{colour}" stroke-width="2"/>\n'
        body += text(WIDTH / 2 + 30, at + 4, name, "start")
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif" '
            f'font-size="12">\n<rect width="100%" height="100%" fill="white"/>\n{body}</svg>\n')


def main():
    if len(sys.argv) < 3 or sys.argv[1] not in ("passes", "length"):
        raise SystemExit(__doc__)
    if sys.argv[1] == "passes":
        print(draw(read_passes(sys.argv[2:]), "pass", "F1 on the development trees", False), end="")
    else:
        print(draw(read_lengths(sys.argv[2]), "words in a sentence", "milliseconds a sentence", True), end="")


if __name__ == "__main__":
    main()
