#!/usr/bin/env python3
"""The tables of clusters.sh, from what it left in a folder. A cell that was not made is a dash.

    clusters.py COPSE WORK
"""
import sys

from tables import Judge, head, row, score, tests


def pairs(judge, title, rows, clustered="-clusters"):
    """Rows "title: name": without clusters and with them, and the tests."""
    head(title, "", "without", "with clusters", "difference", "sentences better / worse", "p, sentences",
         "p, words")
    for text, name in rows.items():
        with_them = f"{name}{clustered}"
        if judge.has(name) and judge.has(with_them):
            row(text, score(judge, name), score(judge, with_them),
                *tests(judge.compare("gold", name, with_them)))


def against(judge, title, base, rows):
    head(title, "", "UAS", "difference", "sentences better / worse", "p, sentences", "p, words")
    row("all of it", score(judge, base), *("" for _ in range(4)))
    for text, name in rows.items():
        if judge.has(name):
            row(text, score(judge, name), *tests(judge.compare("gold", base, name)))


def main():
    judge = Judge(sys.argv[1], sys.argv[2], ["--punct", "ptb"])
    pairs(judge, "By order, UAS", {"first order": "first", "Carreras": "carreras", "Model 1": "model1"})
    pairs(judge, "Clusters in the tagger, too, UAS",
          {"first order": "first", "Carreras": "carreras", "Model 1": "model1"}, "-both")
    for title, suffix in (("First order, less data, tagger of all data, UAS", ""),
                          ("First order, less data, tagger of the same data, UAS", "-reduced")):
        pairs(judge, title, {**{f"{count} sentences": f"first-{count}{suffix}"
                                for count in (500, 1000, 2000)}, "2,967 sentences": "first"})
    pairs(judge, "First order without tags, UAS", {"with tags": "first", "no tags": "first-no-tags"})
    against(judge, "First order with clusters, less of it, UAS", "first-clusters",
            {"no features that join clusters with words or tags": "first-no-hybrids",
             "no whole bit strings": "first-no-strings",
             "clusters of a quarter of the text": "first-text4",
             "clusters of a sixteenth of the text": "first-text16",
             "forms of the 200 most frequent words": "first-limit200",
             "forms of all words": "first-limit0"})


if __name__ == "__main__":
    main()
