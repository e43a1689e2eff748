#!/usr/bin/env python3
"""How many of the mistakes that were put into a treebank does `copse check` find?

Changes the head or the relation of COUNT words at random, so that every sentence stays a tree with one
root, runs `copse check` on the result and counts how many of the changed words are among its first
suspicions.

Usage: check.py PROGRAM TREEBANK [--count 200] [--most 400] [--sentences N] [--seed 1]
"""
import argparse
import json
import random
import subprocess
import tempfile


def read(path, most):
    sentences, rows = [], []
    for line in open(path, encoding="utf-8"):
        if line.strip():
            rows.append(line.rstrip("\n").split("\t"))
        elif rows:
            sentences.append(rows)
            rows = []
            if len(sentences) == most:
                break
    return sentences


def words_of(rows):
    return {int(row[0]): row for row in rows if len(row) == 10 and row[0].isdigit()}


def descends(words, word, ancestor):
    while word:
        if word == ancestor:
            return True
        word = int(words[word][6])
    return False


def change(sentences, count, rng):
    relations = sorted({row[7] for rows in sentences for row in words_of(rows).values() if row[7] != "root"})
    places = [(s, w) for s, rows in enumerate(sentences) for w, row in words_of(rows).items() if row[6] != "0"]
    changed = set()
    for place in rng.sample(places, len(places)):
        if len(changed) == count:
            break
        words = words_of(sentences[place[0]])
        row = words[place[1]]
        if rng.random() < 0.5:
            heads = [h for h in words if h != int(row[6]) and not descends(words, h, place[1])]
            if not heads:
                continue
            row[6] = str(rng.choice(heads))
        else:
            row[7] = rng.choice([r for r in relations if r != row[7]])
        changed.add(place)
    return changed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("treebank")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--most", type=int, default=400)
    parser.add_argument("--sentences", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    sentences = read(args.treebank, args.sentences)
    changed = change(sentences, args.count, random.Random(args.seed))
    with tempfile.NamedTemporaryFile("w", suffix=".conllu", encoding="utf-8") as file:
        for rows in sentences:
            file.write("\n".join("\t".join(row) for row in rows) + "\n\n")
        file.flush()
        report = json.loads(subprocess.run(
            [args.program, "check", file.name, "--json", "--quiet", "--most", str(args.most)],
            stdout=subprocess.PIPE).stdout)
    places = [(each["sentence"] - 1, each["word"]) for each in report["suspicions"]]
    found = [place in changed for place in places]
    words = sum(len(words_of(rows)) for rows in sentences)
    print(f"{len(sentences)} sentences, {words} words, {len(changed)} changed")
    for most in sorted({100, 200, args.most}):
        print(f"among the first {most} suspicions: {sum(found[:most])} "
              f"({100 * sum(found[:most]) / len(changed):.1f} %)")


if __name__ == "__main__":
    main()
