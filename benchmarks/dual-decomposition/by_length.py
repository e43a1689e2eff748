#!/usr/bin/env python3
"""Sentences of a treebank by length: the first COUNT of up to LOW words, up to LOW + 10, ... HIGH.

    by_length.py DEV.conllu LOW HIGH COUNT

Where a treebank has no COUNT sentences of a length, neighbours are joined and cut to that length: they
have no heads then, and are for measuring time only.
"""
import sys


def read(path):
    """The rows of words of each sentence."""
    with open(path, encoding="utf-8") as file:
        for block in file.read().split("\n\n"):
            rows = [line.split("\t") for line in block.split("\n")]
            rows = [row for row in rows if row[0].isdigit()]
            if rows:
                yield rows


def join(sentences, start, length):
    """`length` words from sentence `start` on, all hanging on the root's only word."""
    rows = []
    for sentence in sentences[start:] + sentences[:start]:
        rows += [list(row) for row in sentence]
        if len(rows) >= length:
            break
    rows = rows[:length]
    for k, row in enumerate(rows):
        row[0], row[6] = str(k + 1), "0" if k == 0 else "1"
    return rows


def main():
    path, low, high, count = sys.argv[1], *map(int, sys.argv[2:5])
    sentences = list(read(path))
    for length in range(low, high + 1, 10):
        found = [s for s in sentences if length - 10 < len(s) <= length][:count]
        step = max(1, len(sentences) // count)
        for k in range(count - len(found)):
            found.append(join(sentences, k * step, length))
        for rows in found:
            print("\n".join("\t".join(row) for row in rows), end="\n\n")


if __name__ == "__main__":
    main()
