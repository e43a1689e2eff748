#!/usr/bin/env python3
"""How honest the probabilities of a dependency parser are: the expected calibration error of arcs, of
arcs with their labels and of whole trees, ten bins each.

  copse parse -m MODEL --marginals --confidence dev.conllu | calibration.py dev.conllu

By default over the sentences that temperatures and odds were not fitted to if dev.conllu was the --dev
of training: every other one, beginning with the second. Training chose its pass by all of them, though.
For sentences that training has not seen in any way: train with --dev of the odd sentences only, as
benchmarks/dual-decomposition/run.sh does (the even ones are then new), or give the first so many
sentences of the file to training and leave them out here with --after.
"""
import argparse
import sys


def sentences(lines):
    rows, comments = [], {}
    for line in lines:
        line = line.rstrip("\n")
        if line.startswith("#"):
            key, _, value = line[1:].partition("=")
            comments[key.strip()] = value.strip()
        elif not line:
            if rows:
                yield rows, comments
            rows, comments = [], {}
        elif line.split("\t", 1)[0].isdigit():
            rows.append(line.split("\t"))
    if rows:
        yield rows, comments


class Bins:
    def __init__(self):
        self.bins = [[0, 0.0, 0] for _ in range(10)]

    def add(self, probability, right):
        row = self.bins[min(9, int(10 * probability))]
        row[0] += 1
        row[1] += probability
        row[2] += right

    def error(self):
        count = sum(row[0] for row in self.bins)
        return sum(abs(row[1] - row[2]) for row in self.bins) / count, count


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gold")
    parser.add_argument("--after", type=int, default=0, help="leave out the first so many sentences")
    parser.add_argument("--all", action="store_true", help="of the others all, not every other one")
    parser.add_argument("-v", action="store_true", help="print the bins")
    options = parser.parse_args()
    arcs, labelled, trees = Bins(), Bins(), Bins()
    with open(options.gold, encoding="utf-8") as gold:
        for number, ((right, _), (found, comments)) in enumerate(zip(sentences(gold), sentences(sys.stdin))):
            if number < options.after or (number % 2 == 0 and not options.all):
                continue
            whole = True
            for a, b in zip(right, found):
                assert a[1] == b[1], (a, b)
                misc = dict(item.split("=", 1) for item in b[9].split("|") if "=" in item)
                head, label = a[6] == b[6], a[6] == b[6] and a[7] == b[7]
                arcs.add(float(misc["Prob"]), head)
                labelled.add(float(misc["LabelProb"]), label)
                whole = whole and label
            trees.add(float(comments["confidence"]), whole)
    for name, bins in (("arcs", arcs), ("labelled arcs", labelled), ("trees", trees)):
        print("{}: calibration error {:.4f} of {}".format(name, *bins.error()))
        if options.v:
            for i, (count, sum_, right) in enumerate(bins.bins):
                if count:
                    print("  {:.1f}  {:6d}  said {:.3f}  right {:.3f}".format(i / 10, count, sum_ / count, right / count))


if __name__ == "__main__":
    main()
