#!/usr/bin/env python3
"""Draws how the projective charts grow with the sentence, as an SVG, from benchmark output.

    build/benchmarks/inference/bench_projective --benchmark_filter=BM_Growth \\
        --benchmark_format=json > growth.json
    benchmarks/inference/plot_growth.py growth.json > growth.svg
    benchmarks/inference/plot_growth.py growth.json --csv > growth.csv

Both axes are logarithmic; one line per factorisation, solid without pruning, dashed with it. Needs
nothing but Python.
"""
import argparse
import json
import math
import sys

WIDTH, HEIGHT, MARGIN = 760, 520, 70
COLOURS = {"first": "#4c72b0", "sibling": "#55a868", "carreras": "#c44e52",
           "model0": "#8172b2", "model1": "#dd8452", "model2": "#64b5cd"}


def read_rows(file):
    """(factorisation, heads kept or 0, words, microseconds, edges), the fastest repetition."""
    best = {}
    for run in json.load(file)["benchmarks"]:
        if run.get("run_type") == "aggregate" or not run["name"].startswith("BM_Growth"):
            continue
        fields = dict(part.split(":") for part in run["run_name"].split("/")[1:] if ":" in part)
        key = (run["label"], int(fields["heads"]), int(fields["n"]))
        scale = {"ns": 1e-3, "us": 1.0, "ms": 1e3, "s": 1e6}[run["time_unit"]]
        micros = run["cpu_time"] * scale
        if key not in best or micros < best[key][0]:
            best[key] = (micros, int(run["edges"]))
    return sorted((*key, *value) for key, value in best.items())


def write_csv(rows, out):
    out.write("factorisation,heads,words,microseconds,edges\n")
    for row in rows:
        out.write("{},{},{},{:.2f},{}\n".format(*row))


def write_svg(rows, out):
    words = [row[2] for row in rows]
    times = [row[3] for row in rows]
    low_x, high_x = math.log10(min(words)), math.log10(max(words))
    low_y, high_y = math.floor(math.log10(min(times))), math.ceil(math.log10(max(times)))

    def x(n):
        return MARGIN + (math.log10(n) - low_x) / (high_x - low_x) * (WIDTH - 2 * MARGIN)

    def y(t):
        return HEIGHT - MARGIN - (math.log10(t) - low_y) / (high_y - low_y) * (HEIGHT - 2 * MARGIN)

    out.write(f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
              'font-family="sans-serif" font-size="12">\n<rect width="100%" height="100%" fill="white"/>\n')
    for power in range(low_y, high_y + 1):
        at = y(10.0 ** power)
        out.write(f'<line x1="{MARGIN}" x2="{WIDTH - MARGIN}" y1="{at:.1f}" y2="{at:.1f}" stroke="#ddd"/>\n'
                  f'<text x="{MARGIN - 8}" y="{at + 4:.1f}" text-anchor="end">{label(power)}</text>\n')
    for n in sorted(set(words)):
        out.write(f'<text x="{x(n):.1f}" y="{HEIGHT - MARGIN + 18}" text-anchor="middle">{n}</text>\n')
    out.write(f'<text x="{WIDTH / 2}" y="{HEIGHT - 20}" text-anchor="middle">words</text>\n'
              f'<text x="20" y="{HEIGHT / 2}" transform="rotate(-90 20 {HEIGHT / 2})" '
              'text-anchor="middle">time of the best tree</text>\n')
    for place, name in enumerate(COLOURS):
        for heads in sorted({row[1] for row in rows}):
            line = [(row[2], row[3]) for row in rows if row[0] == name and row[1] == heads]
            points = " ".join(f"{x(n):.1f},{y(t):.1f}" for n, t in line)
            dash = ' stroke-dasharray="5 4"' if heads else ""
            out.write(f'<polyline points="{points}" fill="none" stroke="{COLOURS[name]}" stroke-width="2"{dash}/>\n')
        at = MARGIN + 16 * place
        out.write(f'<line x1="{MARGIN + 12}" x2="{MARGIN + 36}" y1="{at}" y2="{at}" stroke="{COLOURS[name]}" '
                  f'stroke-width="2"/>\n<text x="{MARGIN + 42}" y="{at + 4}">{name}</text>\n')
    kept = max((row[1] for row in rows), default=0)
    out.write(f'<text x="{MARGIN + 12}" y="{MARGIN + 16 * len(COLOURS) + 4}">dashed: {kept} heads per word</text>\n</svg>\n')


def label(power):
    units = {0: "µs", 3: "ms", 6: "s"}
    base = max(p for p in units if p <= max(power, 0))
    return f"{10.0 ** (power - base):g} {units[base]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("json", type=argparse.FileType("r"))
    parser.add_argument("--csv", action="store_true", help="print the figures instead of drawing them")
    options = parser.parse_args()
    rows = read_rows(options.json)
    if not rows:
        sys.exit("no BM_Growth figures in the file")
    (write_csv if options.csv else write_svg)(rows, sys.stdout)


if __name__ == "__main__":
    main()
