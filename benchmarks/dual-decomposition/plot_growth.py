#!/usr/bin/env python3
"""Draws seconds a sentence against its length, as an SVG, from what bench_dual_decomposition prints.

    plot_growth.py GROWTH.txt > growth.svg

Both axes are logarithmic; one line for each method. Needs nothing but Python.
"""
import math
import sys

WIDTH, HEIGHT, MARGIN = 760, 480, 70
COLOURS = ("#c44e52", "#4c72b0", "#55a868", "#8172b2", "#dd8452", "#64b5cd")


def read(path):
    """Lengths, and {method: seconds by length}: the rows after "words up to"."""
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    start = next(k for k, line in enumerate(lines) if line.startswith("words up to"))
    lengths = [int(word) for word in lines[start][12:].split()]
    rows = {}
    for line in lines[start + 1:]:
        if not line.strip():
            break
        rows[line[:12].strip()] = [float(word) for word in line[12:].split()]
    return lengths, rows


def main():
    lengths, rows = read(sys.argv[1])
    times = [t for line in rows.values() for t in line if t > 0]
    low_y, high_y = math.floor(math.log10(min(times))), math.ceil(math.log10(max(times)))
    low_x, high_x = math.log10(lengths[0]), math.log10(lengths[-1])

    def x(n):
        return MARGIN + (math.log10(n) - low_x) / (high_x - low_x) * (WIDTH - 2 * MARGIN)

    def y(t):
        return HEIGHT - MARGIN - (math.log10(t) - low_y) / (high_y - low_y) * (HEIGHT - 2 * MARGIN)

    out = sys.stdout
    out.write(f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
              'font-family="sans-serif" font-size="12">\n<rect width="100%" height="100%" fill="white"/>\n')
    for power in range(low_y, high_y + 1):
        at = y(10.0 ** power)
        out.write(f'<line x1="{MARGIN}" x2="{WIDTH - MARGIN}" y1="{at:.1f}" y2="{at:.1f}" stroke="#ddd"/>\n'
                  f'<text x="{MARGIN - 8}" y="{at + 4:.1f}" text-anchor="end">{label(power)}</text>\n')
    for n in lengths:
        out.write(f'<text x="{x(n):.1f}" y="{HEIGHT - MARGIN + 18}" text-anchor="middle">{n}</text>\n')
    out.write(f'<text x="{WIDTH / 2}" y="{HEIGHT - 20}" text-anchor="middle">words</text>\n')
    for place, (name, line) in enumerate(rows.items()):
        colour = COLOURS[place % len(COLOURS)]
        points = " ".join(f"{x(n):.1f},{y(t):.1f}" for n, t in zip(lengths, line) if t > 0)
        at = MARGIN + 16 * place
        out.write(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>\n'
                  f'<line x1="{MARGIN + 12}" x2="{MARGIN + 36}" y1="{at}" y2="{at}" stroke="{colour}" '
                  f'stroke-width="2"/>\n<text x="{MARGIN + 42}" y="{at + 4}">{name}</text>\n')
    out.write("</svg>\n")


def label(power):
    units = {-6: "µs", -3: "ms", 0: "s"}
    base = max(p for p in units if p <= max(power, -6))
    return f"{10.0 ** (power - base):g} {units[base]}"


if __name__ == "__main__":
    main()
