#!/usr/bin/env python3
"""The tables of docs/dual-decomposition.md, from the figures that run.sh left in a folder.

    tables.py COPSE WORK
"""
import json
import pathlib
import subprocess
import sys

NAMES = {"nonprojective-first": "MST", "nonprojective-sibling": "Sib",
         "nonprojective-grandsibling": "G+S", "nonprojective-grandsibling-z": "G+S over Z",
         "projective-sibling": "projective Sib",
         "projective-grandsibling": "projective G+S", "lifted-grandsibling": "lifted G+S"}
DUAL = ("nonprojective-sibling", "nonprojective-grandsibling", "nonprojective-grandsibling-z")
LANGUAGES = ("slovene", "turkish", "dutch", "basque", "ewt", "gum")
CROSSING = ("slovene", "turkish", "dutch", "basque")


def read(work):
    """{(language, system): {key: value}}"""
    out = {}
    for path in sorted(work.glob("*.figures")):
        rows = dict(line.split(None, 1) for line in path.read_text().splitlines())
        key = rows.pop("language"), rows.pop("system")
        out[key] = {name: float(value) for name, value in rows.items()}
    return out


def row(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |")


def head(*cells):
    row(*cells)
    row(*("---" for _ in cells))


def accuracy(figures, languages, metric):
    systems = [s for s in NAMES if any((l, s) in figures for l in languages)]
    print(f"\n{metric.upper()} (even sentences of dev)\n")
    head("treebank", *(NAMES[s] for s in systems))
    for language in languages:
        row(language, *(f"{figures[language, s][metric]:.2f}" if (language, s) in figures else "-"
                        for s in systems))
    for name in ("nonprojective-sibling", "nonprojective-grandsibling"):
        both = [l for l in CROSSING if (l, name) in figures and (l, "nonprojective-first") in figures]
        if both:
            gain = [figures[l, name][metric] - figures[l, "nonprojective-first"][metric] for l in both]
            print(f"\n{NAMES[name]} over MST, mean of {', '.join(both)}: {sum(gain) / len(gain):+.2f}")


def proofs(figures, languages):
    print("\nCertificates (all of dev)\n")
    head("treebank", "model", "certified", "iterations", "automata solved anew", "certified, K=250",
         "same tree, K=250", "ms a sentence, all", "of that search", "tokens/s")
    sums = {system: [] for system in DUAL}
    for language in languages:
        for system in DUAL:
            at = figures.get((language, system))
            if not at:
                continue
            sums[system].append((at["certified"], at["250_same"]))
            row(language, NAMES[system], f"{at['certified']:.2f} %", f"{at['iterations']:.1f}",
                f"{at['automata']:.1f} %", f"{at['250_certified']:.2f} %", f"{at['250_same']:.2f} %",
                f"{1000 * at['parse_seconds'] / at['dev_sentences']:.2f}", f"{at['search_ms']:.2f}",
                f"{at['tokens'] / at['parse_seconds']:,.0f}")
    for system, values in sums.items():
        if values:
            certified, same = (sum(v[k] for v in values) / len(values) for k in (0, 1))
            print(f"\n{NAMES[system]}, mean: certified {certified:.2f} %, same tree at K=250 {same:.2f} %")


def compare(copse, work, figures, languages):
    pairs = [("projective-sibling", "nonprojective-sibling"),
             ("projective-grandsibling", "nonprojective-grandsibling"),
             ("lifted-grandsibling", "nonprojective-grandsibling")]
    print("\nNon-projective over projective (even sentences of dev; p by the sign tests over words and over"
          " sentences)\n")
    head("treebank", "A", "B", "UAS, B - A", "p", "LAS, B - A", "p")
    for language in languages:
        for a, b in pairs:
            if (language, a) not in figures or (language, b) not in figures:
                continue
            cells = []
            for metric in ("uas", "las"):
                found = json.loads(subprocess.check_output(
                    [copse, "eval", "compare", "--json", "--metric", metric,
                     "--gold", work / f"{language}.report.conllu",
                     "--a", work / f"{language}-{a}.report.conllu",
                     "--b", work / f"{language}-{b}.report.conllu"]))
                cells += [f"{found['difference']:+.2f}",
                          f"{found['sign_words']['p']:.2g} / {found['sign_sentences']['p']:.2g}"]
            row(language, NAMES[a], NAMES[b], *cells)


def cost(figures, languages):
    print("\nTraining (user time)\n")
    head("treebank", "sentences", "model", "seconds", "most memory, MB")
    for language in languages:
        for system in NAMES:
            at = figures.get((language, system))
            if at:
                row(language, f"{at['sentences']:,.0f}", NAMES[system], f"{at['train_user']:.0f}",
                    f"{at['train_kb'] / 1024:.0f}")


def main():
    copse, work = sys.argv[1], pathlib.Path(sys.argv[2])
    figures = read(work)
    languages = [l for l in LANGUAGES if any(key[0] == l for key in figures)]
    accuracy(figures, languages, "uas")
    accuracy(figures, languages, "las")
    proofs(figures, languages)
    compare(copse, work, figures, languages)
    cost(figures, languages)


if __name__ == "__main__":
    main()
