#!/usr/bin/env python3
"""The tables of third-order.sh, from what it left in a folder. A cell that was not made is a dash.

    third_order.py COPSE WORK
"""
import re
import sys

from tables import Judge, head, mean, row, score, tests, training

NAMES = {"first": "first order", "sibling": "sibling", "carreras": "Carreras", "model0": "Model 0",
         "model1": "Model 1", "model2": "Model 2"}
SEEDS = (1, 2, 3, 4)


def seeds(judge):
    orders = ("first", "carreras", "model1")
    head("Four seeds, UAS", "order", *(f"seed {seed}" for seed in SEEDS), "mean")
    for order in orders:
        made = [f"{order}-seed{seed}" for seed in SEEDS if judge.has(f"{order}-seed{seed}")]
        row(NAMES[order], *(score(judge, f"{order}-seed{seed}") for seed in SEEDS),
            mean(judge.uas("gold", name) for name in made))
    head("The same, tests; and with the pruner's threshold 0.001", "A", "B", "threshold", "seed",
         "UAS, B - A", "sentences better / worse", "p, sentences", "p, words")
    for suffix, threshold in (("", "0.01"), ("-p001", "0.001")):
        for a, b in (("first", "model1"), ("carreras", "model1")):
            for seed in SEEDS:
                pair = f"{a}-seed{seed}{suffix}", f"{b}-seed{seed}{suffix}"
                if all(map(judge.has, pair)):
                    row(NAMES[a], NAMES[b], threshold, seed, *tests(judge.compare("gold", *pair)))


TRIED = {"": "as above", "-p001": "threshold 0.001", "-p001-4": "threshold 0.001, 4 passes",
         "-q15": "threshold 0.001, 15 passes", "-mc1": "all features, however rare",
         "-perc": "averaged perceptron"}


def tried(judge):
    """Settings that are the same for all orders, over the seeds that every order of a row has."""
    orders = ("first", "carreras", "model1")
    head("What was tried, UAS", "setting", "seeds", *(NAMES[order] for order in orders),
         "Model 1 - Carreras", "Model 1 - first order")
    for suffix, text in TRIED.items():
        made = {order: {seed: judge.uas("gold", f"{order}-seed{seed}{suffix}") for seed in SEEDS
                        if judge.has(f"{order}-seed{seed}{suffix}")} for order in orders}
        present = [order for order in orders if made[order]]
        shared = sorted(set.intersection(*(set(made[order]) for order in present))) if present else []
        if not shared:
            continue
        means = {order: sum(made[order][seed] for seed in shared) / len(shared) for order in present}
        row(text, " ".join(map(str, shared)),
            *(f"{means[order]:.2f}" if order in means else "-" for order in orders),
            *(f"{means['model1'] - means[order]:+.2f}" if order in means and "model1" in means else "-"
              for order in ("carreras", "first")))


def features(judge):
    head("UAS by order and table of features, equal pruning", "order", "built-in", "paper.templates",
         "features, built-in", "features, paper", "training, built-in", "training, paper")
    for order, name in NAMES.items():
        pair = f"{order}-seed1", f"{order}-paper"
        if not any(map(judge.has, pair)):
            continue
        costs = [training(judge, each) for each in pair]
        row(name, *(score(judge, each) for each in pair), *(cost.features for cost in costs),
            *(cost.cost for cost in costs))


def ablations(judge):
    head("UAS without some features, built-in table", "model", "UAS")
    for name, title in (("model0-seed1", "Model 0"), ("carreras-seed1", "Carreras"),
                        ("model1-seed1", "Model 1"), ("model1-no-third", "Model 1, no third order"),
                        ("model1-gsib-tags", "Model 1, third order without words"),
                        ("model1-no-stop", "Model 1, no features of ends"),
                        ("model2-seed1", "Model 2"), ("model2-no-third", "Model 2, no third order"),
                        ("model2-no-grand", "Model 2, no grandparents")):
        row(title, score(judge, name))


def sweep(judge):
    words = [int(n) for n in lengths(judge.work / "gold.conllu")]
    arcs = sum(n * n for n in words) / sum(words)  # heads of a word: all others and the root
    head("The pruner, Model 1 (dev)", "threshold", "learner", "arcs kept per word", "of all arcs",
         "oracle UAS, all words", "UAS", "training", "parsing, s")
    for name, pruner, learner in (("model1-0.0001", "0.0001", "SGD"), ("model1-0.001", "0.001", "SGD"),
                                  ("model1-seed1", "0.01", "SGD"), ("model1-eg", "eg", "EG, 10 passes")):
        if not (judge.work / f"pruner-{pruner}.copse").exists():
            continue
        kept, lost = pruning(judge, f"pruner-{pruner}")
        row("0.01" if pruner == "eg" else pruner, learner, f"{kept:.2f}", f"{100 * kept / arcs:.1f} %",
            f"{100 - lost:.2f}", score(judge, name), training(judge, name).cost,
            seconds(judge.work / f"{name}.seconds"))


def seconds(path):
    return path.read_text().strip() if path.exists() else "-"


def pruning(judge, name):
    """Of development sentences: arcs kept per word, share of right ones lost."""
    log = (judge.work / f"{name}.log").read_text()
    return map(float, re.search(r"([0-9.]+) in dev, where ([0-9.]+)% of the right", log).groups())


def lengths(path):
    return re.findall(r"(?m)^(\d+)\t.*\n\n", path.read_text())


def main():
    judge = Judge(sys.argv[1], sys.argv[2], ["--punct", "ptb"])
    seeds(judge)
    tried(judge)
    features(judge)
    ablations(judge)
    sweep(judge)


if __name__ == "__main__":
    main()
