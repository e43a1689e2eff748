#!/usr/bin/env python3
"""Tags by column, whole triples, and both for words that training did not have.
    score.py TRAIN GOLD SYSTEM"""
import sys


def sentences(path):
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            fields = line.rstrip("\n").split("\t")
            if fields[0].isdigit():
                yield fields


def accuracy(pairs, columns):
    right = sum(all(g[c] == s[c] for c in columns) for g, s in pairs)
    return 100 * right / max(1, len(pairs))


train, gold, system = sys.argv[1:4]
known = {fields[1] for fields in sentences(train)}
pairs = list(zip(sentences(gold), sentences(system), strict=True))
unknown = [(g, s) for g, s in pairs if g[1] not in known]
lemma, upos, xpos, feats = 2, 3, 4, 5
print(
    f"UPOS {accuracy(pairs, [upos]):.2f} XPOS {accuracy(pairs, [xpos]):.2f}"
    f" FEATS {accuracy(pairs, [feats]):.2f} lemmas {accuracy(pairs, [lemma]):.2f}"
    f" triples {accuracy(pairs, [upos, xpos, feats]):.2f};"
    f" unknown words: FEATS {accuracy(unknown, [feats]):.2f} lemmas {accuracy(unknown, [lemma]):.2f}"
    f" triples {accuracy(unknown, [upos, xpos, feats]):.2f}"
)
