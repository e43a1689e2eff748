#!/usr/bin/env python3
"""Does surprisal under the incremental parser go with that of a bigram model?

    copse parse -m MODEL --surprisal DEV > surprisal.txt
    benchmarks/constituency/surprisal.py TRAIN surprisal.txt

TRAIN holds the bracketed trees that the parser learnt from: the bigrams are counted in them. The bigram
model is interpolated as the parser's own generative model is (n / (n + 2 u), u the different words that
follow), down to the words alone and a uniform distribution. Prints Pearson's correlation over all words
of the development sentences, over those that were seen in training, and by rank (Spearman's).
"""
import collections
import math
import re
import sys


def sentences_of_trees(path):
    with open(path, encoding="utf-8") as file:
        for line in file:
            words = [word for tag, word in re.findall(r"\(([^\s()]+) ([^\s()]+)\)", line) if tag != "-NONE-"]
            if words:
                yield words


def sentences_of_surprisals(path):
    sentence = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            row = line.rstrip("\n").split("\t")
            if len(row) < 3:
                if sentence:
                    yield sentence
                sentence = []
            else:
                sentence.append((row[0], float(row[2])))
    if sentence:
        yield sentence


class Bigrams:
    def __init__(self, sentences):
        self.words = collections.Counter()
        self.after = collections.defaultdict(collections.Counter)
        for sentence in sentences:
            for before, word in zip(["<s>"] + sentence, sentence + ["</s>"]):
                self.words[word] += 1
                self.after[before][word] += 1
        self.total = sum(self.words.values())

    def surprisal(self, before, word):
        kinds = len(self.words)
        share = self.total / (self.total + 2 * kinds)
        probability = share * self.words[word] / self.total + (1 - share) / (kinds + 1)
        row = self.after.get(before)
        if row:
            seen = sum(row.values())
            share = seen / (seen + 2 * len(row))
            probability = share * row[word] / seen + (1 - share) * probability
        return -math.log(probability)


def pearson(pairs):
    n = len(pairs)
    mean_x, mean_y = sum(x for x, _ in pairs) / n, sum(y for _, y in pairs) / n
    xy = sum((x - mean_x) * (y - mean_y) for x, y in pairs)
    xx, yy = sum((x - mean_x) ** 2 for x, _ in pairs), sum((y - mean_y) ** 2 for _, y in pairs)
    return xy / math.sqrt(xx * yy)


def ranks(values):
    out = [0.0] * len(values)
    order = sorted(range(len(values)), key=lambda i: values[i])
    begin = 0
    while begin < len(order):
        end = begin
        while end < len(order) and values[order[end]] == values[order[begin]]:
            end += 1
        for i in order[begin:end]:
            out[i] = (begin + end - 1) / 2
        begin = end
    return out


def main():
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    bigrams = Bigrams(sentences_of_trees(sys.argv[1]))
    every, known = [], []
    for sentence in sentences_of_surprisals(sys.argv[2]):
        before = "<s>"
        for word, surprisal in sentence:
            pair = (surprisal, bigrams.surprisal(before, word))
            every.append(pair)
            if word in bigrams.words:
                known.append(pair)
            before = word
    by_rank = list(zip(ranks([x for x, _ in every]), ranks([y for _, y in every])))
    print(f"{len(every)} words: Pearson {pearson(every):.3f}, Spearman {pearson(by_rank):.3f}; "
          f"{len(known)} of them known: Pearson {pearson(known):.3f}")
    print(f"mean surprisal: parser {sum(x for x, _ in every) / len(every):.3f}, "
          f"bigrams {sum(y for _, y in every) / len(every):.3f} nats")


if __name__ == "__main__":
    main()
