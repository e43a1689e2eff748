#!/usr/bin/env python3
"""Draws the runs of sweeps.sh as an SVG and prints them as a table, with nothing but Python.

    benchmarks/rerank/plot_sweeps.py candidates sweep-candidates-*.json --svg candidates.svg
    benchmarks/rerank/plot_sweeps.py groups sweep-groups-*.json --svg groups.svg

Each file is what `copse train reranker --json` printed. F1 is what each half of the development lists
reaches with the number of rounds that the other half chose.
"""
import argparse
import json
import pathlib

from plot_rounds import COLOURS, HEIGHT, MARGIN, WIDTH, ticks


def read_run(path):
    made = json.loads(path.read_text())["provenance"]
    dev, crossed = made["figures"]["dev"], made["figures"]["dev_crossed"]
    return {
        "name": path.stem.removeprefix("sweep-"),
        "most": made["options"]["max_candidates"],
        "each": dev["candidates"] / dev["lists"],
        "first": crossed["most_probable"],
        "chosen": crossed["chosen"],
        "gain": crossed["chosen"] - crossed["most_probable"],
        "p": crossed["p"],
        "oracle": dev["f1_oracle"],
        "features": made["figures"]["features"],
    }


def text(x, y, what, anchor="middle", more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{more}>{what}</text>\n'


def svg(height, body):
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" font-family="sans-serif" '
            f'font-size="12">\n<rect width="100%" height="100%" fill="white"/>\n{body}</svg>\n')


def candidates_svg(runs):
    """The most probable tree, the reranker's choice and the best candidate by the length of the lists."""
    lines = {"best candidate": [(1, runs[0]["first"])] + [(run["most"], run["oracle"]) for run in runs],
             "chosen": [(1, runs[0]["first"])] + [(run["most"], run["chosen"]) for run in runs],
             "most probable tree": [(1, runs[0]["first"]), (runs[-1]["most"], runs[0]["first"])]}
    values = [value for line in lines.values() for _, value in line]
    marks = ticks(min(values), max(values))
    most = runs[-1]["most"]

    def x(number):
        return MARGIN + number / most * (WIDTH - 2 * MARGIN)

    def y(value):
        return HEIGHT - MARGIN - (value - marks[0]) / (marks[-1] - marks[0]) * (HEIGHT - 2 * MARGIN)

    body = ""
    for mark in marks:
        body += f'<line x1="{MARGIN}" x2="{WIDTH - MARGIN}" y1="{y(mark):.1f}" y2="{y(mark):.1f}" stroke="#ddd"/>\n'
        body += text(MARGIN - 8, y(mark) + 4, f"{mark:g}", "end")
    for number in [1] + [run["most"] for run in runs]:
        body += text(x(number), HEIGHT - MARGIN + 18, number)
    body += text(WIDTH / 2, HEIGHT - 20, "candidates, at most")
    body += text(20, HEIGHT / 2, "F1 on the development lists", more=f' transform="rotate(-90 20 {HEIGHT / 2})"')
    for place, (name, line) in enumerate(lines.items()):
        colour, at = COLOURS[place], MARGIN / 2 + 14 * place
        points = " ".join(f"{x(number):.1f},{y(value):.1f}" for number, value in line)
        body += f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>\n'
        if len(line) > 2:
            body += "".join(f'<circle cx="{x(number):.1f}" cy="{y(value):.1f}" r="3.5" fill="{colour}"/>\n'
                            for number, value in line)
        body += f'<line x1="{MARGIN + 12}" x2="{MARGIN + 36}" y1="{at}" y2="{at}" stroke="{colour}" stroke-width="2"/>\n'
        body += text(MARGIN + 42, at + 4, name, "start")
    return svg(HEIGHT, body)


def candidates_table(runs):
    print("| candidates at most | a list | F1 | gain | p | best candidate | part of the distance |")
    print("|---|---|---|---|---|---|---|")
    for run in runs:
        part = run["gain"] / (run["oracle"] - run["first"])
        print(f'| {run["most"]} | {run["each"]:.1f} | {run["chosen"]:.2f} | {run["gain"]:+.2f} | {run["p"]:.4f} | '
              f'{run["oracle"]:.2f} | {100 * part:.0f} % |')


def group_of(run):
    """groups-03-rule-grandparent is the third group that is added."""
    return run["name"].split("-", 2)[2]


def groups_svg(runs):
    """A bar for every group: what it gains with those above it."""
    left, row, top = 170, 24, 40
    bottom = top + row * len(runs)
    marks = ticks(min(0.0, *(run["gain"] for run in runs)), max(run["gain"] for run in runs))

    def x(gain):
        return left + (gain - marks[0]) / (marks[-1] - marks[0]) * (WIDTH - left - 60)

    body = text(left - 8, top - 14, "log probability", "end")
    for mark in marks:
        body += f'<line x1="{x(mark):.1f}" x2="{x(mark):.1f}" y1="{top - 8}" y2="{bottom}" stroke="#ddd"/>\n'
        body += text(x(mark), bottom + 16, f"{mark:.2g}")
    body += text((left + WIDTH - 60) / 2, bottom + 38, "gain in F1 on the development lists")
    for place, run in enumerate(runs):
        at = top + row * place
        low, high = sorted((x(0.0), x(run["gain"])))
        body += text(left - 8, at + 14, "+ " + group_of(run), "end")
        body += f'<rect x="{low:.1f}" y="{at + 2}" width="{high - low:.1f}" height="{row - 6}" fill="{COLOURS[0]}"/>\n'
        body += text(high + 6, at + 14, f'{run["gain"]:+.2f}', "start")
    return svg(bottom + 50, body)


def groups_table(runs):
    print("| groups so far, and | F1 | gain | p | features with a weight |")
    print("|---|---|---|---|---|")
    for run in runs:
        print(f'| `{group_of(run)}` | {run["chosen"]:.2f} | {run["gain"]:+.2f} | {run["p"]:.4f} | {run["features"]:,} |')


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sweep", choices=["candidates", "groups"])
    parser.add_argument("runs", nargs="+", type=pathlib.Path)
    parser.add_argument("--svg", required=True, type=pathlib.Path)
    options = parser.parse_args()
    runs = sorted(map(read_run, options.runs), key=lambda run: run["most"])
    draw, table = {"candidates": (candidates_svg, candidates_table), "groups": (groups_svg, groups_table)}[options.sweep]
    options.svg.write_text(draw(runs))
    table(runs)


if __name__ == "__main__":
    main()
