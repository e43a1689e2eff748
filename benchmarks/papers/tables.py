"""What the tables of this folder share: scores and tests by the program, rows of Markdown."""
import collections
import functools
import json
import pathlib
import re
import subprocess

Training = collections.namedtuple("Training", "cost features")


class Judge:
    """Scores of files in a folder, each computed once."""

    def __init__(self, copse, work, options=()):
        self.copse, self.work, self.options = copse, pathlib.Path(work), list(options)

    def has(self, name):
        return (self.work / f"{name}.conllu").exists()

    def run(self, *arguments):
        return json.loads(subprocess.check_output(
            [self.copse, "eval", *map(str, arguments), "--json", *self.options]))

    @functools.lru_cache(maxsize=None)
    def uas(self, gold, name):
        return self.run("dependency", "--gold", self.work / f"{gold}.conllu",
                        "--system", self.work / f"{name}.conllu")["uas"]

    def compare(self, gold, a, b):
        """Of B over A: difference, and the sign tests over sentences and words."""
        return self.run("compare", "--metric", "uas", "--gold", self.work / f"{gold}.conllu",
                        "--a", self.work / f"{a}.conllu", "--b", self.work / f"{b}.conllu")


def row(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |")


def head(title, *cells):
    print(f"\n{title}\n")
    row(*cells)
    row(*("---" for _ in cells))


def tests(found):
    """Difference, better and worse sentences, p by sentences and by words."""
    by_sentence, by_word = found["sign_sentences"], found["sign_words"]
    return (f"{found['difference']:+.2f}", f"{by_sentence['b_only']} / {by_sentence['a_only']}",
            f"{by_sentence['p']:.2g}", f"{by_word['p']:.2g}")


def mean(values):
    values = list(values)
    return f"{sum(values) / len(values):.2f}" if values else "-"


def score(judge, name):
    """Of a file of the Penn Treebank's sample; a dash if it is not there."""
    return f"{judge.uas('gold', name):.2f}" if judge.has(name) else "-"


def training(judge, name):
    """What a training cost, and its features with a weight: from its .time and .log."""
    if not judge.has(name):
        return Training("-", "-")
    seconds, kilobytes = (judge.work / f"{name}.time").read_text().split()
    features = re.search(r"features: (\d+)", (judge.work / f"{name}.log").read_text())[1]
    return Training(f"{float(seconds):.0f} s, {int(kilobytes) / 2**20:.1f} GB", f"{int(features):,}")
