#!/usr/bin/env python3
"""The tables of matrix-tree.sh, from what it left in a folder.

    matrix_tree.py COPSE WORK LANGUAGE...
"""
import collections
import itertools
import pathlib
import re
import sys

from tables import Judge, head, mean, row, tests

LEARNERS = {"perceptron": "perceptron", "eg-maxmargin": "max-margin", "loglinear": "log-linear"}
TREES = ("projective", "nonprojective")
SHORT = {"projective": "p", "nonprojective": "np"}
Choice = collections.namedtuple("Choice", "odd trained decoded even name")


def choices(judge, language, learner):
    """A learner's two models, decoded both ways, with their scores on both halves of dev."""
    found = []
    for trained, decoded in itertools.product(TREES, TREES):
        name = f"{language}-{learner}-{trained}.{decoded}"
        odd, even = (judge.uas(f"{language}.{part}", f"{name}.{part}") for part in ("odd", "even"))
        found.append(Choice(odd, trained, decoded, even, name))
    return found


def best(found):
    """The odd half of dev decides; ties: the first."""
    return max(found, key=lambda choice: choice.odd)


def by_training(languages, runs):
    head("UAS by training, kind of decoding chosen (even sentences of dev)", "treebank",
         *(f"{name} {SHORT[tree]}" for name in LEARNERS.values() for tree in TREES))
    for language in languages:
        cells = []
        for learner, tree in itertools.product(LEARNERS, TREES):
            chosen = best([c for c in runs[language, learner] if c.trained == tree])
            cells.append(f"{chosen.even:.2f} ({SHORT[chosen.decoded]})")
        row(language, *cells)


def by_decoding(languages, runs):
    head("The same, mean of the learners, by training and decoding", "treebank",
         *(f"{SHORT[a]} decoded {SHORT[b]}" for a in TREES for b in TREES))
    for language in languages:
        row(language, *(mean(best([c for c in runs[language, learner]
                                   if (c.trained, c.decoded) == (a, b)]).even for learner in LEARNERS)
                        for a in TREES for b in TREES))


def all_chosen(languages, runs):
    chosen = {key: best(found) for key, found in runs.items()}
    head("UAS, training and decoding chosen (even sentences of dev)", "treebank", *LEARNERS.values())
    for language in languages:
        row(language, *(f"{chosen[language, learner].even:.2f} ({SHORT[chosen[language, learner].trained]}"
                        f" decoded {SHORT[chosen[language, learner].decoded]})" for learner in LEARNERS))
    row("mean", *(mean(chosen[language, learner].even for language in languages) for learner in LEARNERS))
    return chosen


def pooled(judge, name, parts):
    """One file of the even halves of all treebanks, one after the other."""
    path = judge.work / f"pooled-{name}.conllu"
    path.write_text("".join((judge.work / f"{part}.conllu").read_text() for part in parts))
    return path.stem


def significance(judge, languages, chosen):
    head("All treebanks together (even sentences of dev)", "A", "B", "UAS, B - A",
         "sentences better / worse", "p, sentences", "p, words")
    gold = pooled(judge, "gold", (f"{language}.even" for language in languages))
    system = {learner: pooled(judge, learner, (f"{chosen[language, learner].name}.even"
                                               for language in languages)) for learner in LEARNERS}
    for a, b in (("perceptron", "loglinear"), ("perceptron", "eg-maxmargin"), ("eg-maxmargin", "loglinear")):
        row(LEARNERS[a], LEARNERS[b], *tests(judge.compare(gold, system[a], system[b])))


def grid(judge, languages):
    """What the odd sentences chose from: the last line but one of each log of training."""
    found = {}
    for path in sorted(judge.work.glob("*.log")):
        named = re.fullmatch(r"([a-z]+)-(.+)-(seed\d|C[0-9.]+)-(.+)", path.stem)
        scored = re.search(r"dev, as saved: UAS ([0-9.]+)", path.read_text())
        if named and scored:
            found.setdefault(named.group(2, 3), {})[named.group(1, 4)] = scored[1]
    head("What the odd sentences chose from, UAS there", "learner", "setting",
         *(f"{language} {SHORT[tree]}" for language in languages for tree in TREES))
    for (learner, setting), cells in sorted(found.items()):
        row(LEARNERS[learner], setting, *(cells.get((language, tree), "-")
                                          for language in languages for tree in TREES))


def cost(judge, languages):
    head("Training, user seconds (all settings)", "treebank",
         *(f"{name} {SHORT[tree]}" for name in LEARNERS.values() for tree in TREES))
    for language in languages:
        seconds = [sum(float(path.read_text().split()[0]) for path in
                       judge.work.glob(f"{language}-{learner}-[!-]*-{tree}.time"))
                   for learner, tree in itertools.product(LEARNERS, TREES)]
        row(language, *(f"{each:.0f}" for each in seconds))


def main():
    judge = Judge(sys.argv[1], pathlib.Path(sys.argv[2]))
    languages = sys.argv[3:]
    runs = {(language, learner): choices(judge, language, learner)
            for language in languages for learner in LEARNERS}
    by_training(languages, runs)
    by_decoding(languages, runs)
    chosen = all_chosen(languages, runs)
    significance(judge, languages, chosen)
    grid(judge, languages)
    cost(judge, languages)


if __name__ == "__main__":
    main()
