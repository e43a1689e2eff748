#!/usr/bin/env python3
"""The share of sentences, in percent, for which two CoNLL-U files have the same heads and labels.

    same_trees.py ONE.conllu OTHER.conllu
"""
import sys


def trees(path):
    """Heads and labels of each sentence."""
    with open(path, encoding="utf-8") as file:
        tree = []
        for line in file:
            columns = line.rstrip("\n").split("\t")
            if columns[0].isdigit():
                tree.append(tuple(columns[6:8]))
            elif line == "\n" and tree:
                yield tree
                tree = []
        if tree:
            yield tree


def main():
    one, other = (list(trees(path)) for path in sys.argv[1:3])
    if len(one) != len(other) or not one:
        sys.exit("the files differ in their sentences")
    print(f"{100 * sum(a == b for a, b in zip(one, other)) / len(one):.3f}")


if __name__ == "__main__":
    main()
