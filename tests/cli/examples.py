#!/usr/bin/env python3
"""Runs every example of --help and of the documentation: what is printed there must work.

Examples of --help are the lines behind "Examples:" of every command and of its parts; those of the
documentation are the lines of code blocks that begin with "copse" or "$ copse". A line with
brackets, dots or capital letters for what the reader must fill in is a synopsis and not run.

The files that examples name are made from the fixtures by their endings, models by training on
them, each example in a folder of its own. Sizes in the examples are cut down ("--sentences 100000"
makes 200, training makes one pass), options and file names are not touched.

Usage: examples.py PROGRAM SOURCE [PART OF A LINE]
"""
import glob
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

PROGRAM, SOURCE = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
ONLY = sys.argv[3] if len(sys.argv) > 3 else ""
FIXTURES = os.path.join(SOURCE, "fixtures")
SYNOPSIS = re.compile(r"\[|\.\.\.|\bMODEL\b|\bPATHS\b|\bDATA\b|\bBITS\b|\bFILE\b|\bCOMMAND\b|\$[a-z{]")
ENDINGS = {"conllu": "english.conllu", "conllx": "sample.conllx", "mrg": "english.mrg",
           "bio": "entities.iob", "iob": "entities.iob"}


def help_of(words):
    return subprocess.run([PROGRAM] + words + ["--help"], stdout=subprocess.PIPE, check=True,
                          universal_newlines=True).stdout


def commands_in(text):
    found = re.search(r"\nSubcommands:\n((?:  .*\n)+)", text)
    return re.findall(r"^  ([a-z][\w-]*)", found[1], re.M) if found else []


def help_examples(words=()):
    text = help_of(list(words))
    if words:
        lines = text[text.find("\nExamples:") + 1:].split("\n") if "\nExamples:" in text else []
        for line in lines:
            if line.startswith("  copse "):
                yield "copse {} --help".format(" ".join(words)), line.strip()
    for name in commands_in(text):
        yield from help_examples(tuple(words) + (name,))


def doc_examples():
    pages = ["README.md"] + sorted(glob.glob("docs/**/*.md", root_dir=SOURCE, recursive=True))
    for page in pages:
        with open(os.path.join(SOURCE, page), encoding="utf-8") as file:
            lines = file.read().split("\n")
        i, fenced = 0, False
        while i < len(lines):
            line = lines[i]
            number = i + 1
            i += 1
            if line.startswith("```"):
                fenced = not fenced
            code = line.strip() if fenced or line.startswith("    ") else ""
            code = code[2:] if code.startswith("$ ") else code
            if not re.match(r"copse [a-z-]", code):
                continue
            while code.endswith("\\") and i < len(lines):
                code = code[:-1] + " " + lines[i].strip()
                i += 1
            yield f"{page}:{number}", re.sub(r"\s+#\s.*$", "", code)


def cut_down(line):
    line = re.sub(r"(--sentences|-n) \d{4,}", r"\1 200", line)
    line = re.sub(r"--folds \d+", "--folds 2", re.sub(r"--jackknife \d+", "--jackknife 2", line))
    line = re.sub(r"--clusters (\d{3,})", "--clusters 10", line)
    line = re.sub(r"--holdout \d+", "--holdout 5", line)
    if re.search(r"copse train (dependency|tagger|entities|tokenizer|pipeline)", line):
        if not re.search(r"--(passes|epochs|iterations)", line):
            line = re.sub(r"(copse train \w+)", r"\1 --passes 1", line)
    if "--model spinal" in line and "--epochs" not in line:
        line = line.replace("--model spinal", "--model spinal --epochs 1")
    if line.startswith("copse serve"):  # at any port, until it listens; then it must end well
        line = re.sub(r" --port \d+", "", line) + " --port 0 > said & server=$!; until grep -q http said; " \
            "do kill -0 $server || exit 1; sleep 0.05; done; kill -TERM $server; wait $server"
    if "--model incremental" in line and "--passes" not in line:
        line = line.replace("--model incremental", "--model incremental --passes 1")
    if "--model history" in line and "--descent-passes" not in line:
        line = line.replace("--model history", "--model history --descent-passes 1 --hidden 8 --tag-folds 0 "
                            "--rate 0.02 --most-steps 50")
    return line


class Sandbox:
    """Fixtures under the names of examples, and models of every kind."""

    def __init__(self, folder):
        self.folder = folder
        self.models = {}
        os.mkdir(os.path.join(folder, "bin"))
        os.symlink(PROGRAM, os.path.join(folder, "bin", "copse"))
        for stub in ("jq", "man", "less", "python3-jq"):  # what may not be installed reads its input
            path = os.path.join(folder, "bin", stub)
            with open(path, "w") as file:
                file.write("#!/bin/sh\nexec cat > /dev/null\n")
            os.chmod(path, 0o755)
        self.env = dict(os.environ, PATH=os.path.join(folder, "bin") + os.pathsep + os.environ["PATH"],
                        HOME=folder, LC_ALL="C.UTF-8")
        os.makedirs(os.path.join(folder, ".local/share/bash-completion/completions"))

    def shell(self, line, folder):
        return subprocess.run(["bash", "-o", "pipefail", "-c", line], cwd=folder, env=self.env,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=900)

    def model(self, kind):
        lines = {
            "tagger": "train tagger --train {}/english.conllu --passes 1",
            "entities": "train entities --train {}/entities.iob --passes 1",
            "tokenizer": "train tokenizer --train {0}/english.conllu --dev {0}/english.conllu --passes 1",
            "dependency": "train dependency --train {}/english.conllu --passes 1 --order first",
            "constituency": "train constituency --model generative --train {}/english.mrg",
            "spinal": "train constituency --model spinal --train {}/english.mrg --epochs 1",
            "incremental": "train constituency --model incremental --train {}/english.mrg --passes 1 "
                           "--mix 2 --tag-folds 0",
            "history": "train constituency --model history --train {}/english.mrg --descent-passes 1 "
                       "--hidden 8 --tag-folds 0 --rate 0.02",
            "crossing": "train dependency --train {}/english.conllu --passes 1 --tree nonprojective --order sibling",
            "tags": "train reranker --method tag-kernel --lists {2}",
            "hidden": "train reranker --method hidden --lists {1} --gold {0}/english.mrg --min-lists 1 "
                      "--passes 1",
            "bundle": "models bundle {3} {4}",
            "reranker": "train reranker --method perceptron --lists {1} --gold {0}/english.mrg "
                        "--dev-lists {1} --dev-gold {0}/english.mrg",
        }
        if kind not in self.models:
            path = os.path.join(self.folder, kind + ".copse")
            lists = os.path.join(self.folder, "for-reranker.nbl")
            if kind in ("reranker", "hidden"):
                self.lists(lists, "binary")
            tags = os.path.join(self.folder, "for-tags.lists")
            if kind == "tags":
                self.tag_lists(tags)
            parts = [self.model("tagger"), self.model("dependency")] if kind == "bundle" else ["", ""]
            line = "copse {} -q -o {}".format(lines[kind].format(FIXTURES, lists, tags, *parts), path)
            result = self.shell(line, self.folder)
            if result.returncode != 0:
                raise RuntimeError(f"{line}: {result.stderr.decode()}")
            self.models[kind] = path
        return self.models[kind]

    def kind_of(self, name, line):
        part = next((each for each in line.split("|") if name in each), line)
        if f"--tagger {name}" in part:
            return "tagger"
        command = re.search(r"copse ([a-z-]+)", part)
        command = command[1] if command else ""
        if name.startswith("tags"):
            return "tags"
        if name.startswith("hidden"):
            return "hidden"
        if name.startswith("spinal"):
            return "spinal"
        if name.startswith("incremental"):
            return "incremental"
        if name.startswith("history"):
            return "history"
        if "--certificate" in part:
            return "crossing"
        if command == "models" and "parser" in name:
            return "dependency"
        if "models install" in part or re.search(r"\b(my|xx)\b", name):
            return "bundle"
        if command == "rerank" or "reranker" in name:
            return "reranker"
        if command == "tag":
            return "entities" if re.search("entit|starts|ner", name) else "tagger"
        if command == "tokenize":
            return "tokenizer"
        if command == "nbest" or "wsj" in name:
            return "constituency"
        if command == "parse":
            return "constituency" if re.search(r"--to ptb|\.mrg", part) else "dependency"
        if command == "explain":
            return "constituency" if re.search(r"\.mrg|ptb", part) else "dependency"
        if command == "serve" and "tagger" not in name:
            return "dependency"
        return "tagger"

    def make(self, name, line, folder):
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        base = re.sub(r"\.(gz|zst)$", "", name)
        ending = base.rsplit(".", 1)[-1]
        if ending == "copse":
            shutil.copy(self.model(self.kind_of(name, line)), path)
            return
        tokenised = "copse tokenize" not in line
        part = next((each for each in line.split("|") if name in each), line)
        if base.startswith("partly"):  # heads and relations to be filled in
            with open(os.path.join(FIXTURES, "english.conllu"), encoding="utf-8") as source:
                rows = [line.split("\t") for line in source]
            with open(path, "w", encoding="utf-8") as out:
                for row in rows:
                    out.write("\t".join(row[:6] + ["_", "_"] + row[8:]) if len(row) == 10 else row[0])
        elif ending in ENDINGS:
            shutil.copy(os.path.join(FIXTURES, ENDINGS[ending]), path)
        elif ending == "txt" and re.search(r"--lists|copse rerank", part):
            self.lists(path, "text")
        elif ending == "txt" and "paths" not in base:
            text = "copse convert --to text {}/english.conllu".format(FIXTURES)
            text = text if tokenised else "cat {}/raw.txt".format(FIXTURES)
            self.shell(f"{text} > {shlex.quote(path)}", folder)
        elif ending in ("paths", "txt"):
            self.shell(f"copse convert --to text {FIXTURES}/english.conllu | "
                       f"copse cluster --clusters 100 -q -o {shlex.quote(path)}", folder)
        elif ending == "json":
            self.shell(f"copse convert {FIXTURES}/english.conllu --to json -o {shlex.quote(path)}", folder)
        elif ending == "nbl":
            self.lists(path, "binary")
        elif ending == "lists" and "tag-kernel" in line:
            self.tag_lists(path)
        elif ending == "lists":  # candidates that bring their scores
            with open(path, "w") as out:
                for i in range(10):
                    out.write(f"# id = {i}\n0.2\t-3.1\tx:2 y\tthe the cat\n0.9\t-3.4\tx y\tthe cat\n\n")
        elif ending == "grammar":
            shutil.copy(os.path.join(SOURCE, "copse/treebank/data/english.grammar"), path)
        else:
            raise RuntimeError(f"no way to make {name}")
        if name.endswith(".gz"):
            os.rename(path, path[:-3])
            self.shell(f"gzip -f {shlex.quote(path[:-3])}", folder)

    def tag_lists(self, path):
        self.shell("copse train entities --train {}/entities.iob --learner maxent --jackknife 2 --nbest 3 -q "
                   "-o {}".format(FIXTURES, shlex.quote(path)), self.folder)

    def lists(self, path, form):
        self.shell("copse nbest -m {} -k 5 {}/english.mrg --to {} -o {}".format(
            self.model("constituency"), FIXTURES, form, shlex.quote(path)), self.folder)

    def run(self, line):
        folder = tempfile.mkdtemp(dir=self.folder)
        made = set(re.findall(r"(?:-o|--output|>|--html|--svg|--curve|--checkpoint|--report)\s+(\S+)", line))
        inputs = re.findall(r"(?<![\w/.-])([\w][\w.-]*\.(?:conllu|conllx|mrg|bio|iob|txt|json|nbl|paths|lists|"
                            r"grammar|copse)(?:\.gz|\.zst)?)(?![\w.])", line)
        if re.search(r"--clusters (paths)\b|--map (paths)\b", line):
            inputs.append("paths")
        for name in inputs:
            if name not in made and not os.path.exists(os.path.join(folder, name)):
                self.make(name, line, folder)
        result = self.shell(line, folder)
        shutil.rmtree(folder)
        return result


def main():
    seen, failed, run, skipped = set(), 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        sandbox = Sandbox(folder)
        for where, line in list(help_examples()) + list(doc_examples()):
            if line in seen or ONLY not in line:
                continue
            seen.add(line)
            if SYNOPSIS.search(line):
                skipped += 1
                continue
            run += 1
            try:
                result = sandbox.run(cut_down(line))
                said = result.stderr.decode(errors="replace")
                good = result.returncode == 0
            except Exception as error:  # what cannot be prepared is a fault of the example or of this file
                good, said, result = False, repr(error), None
            if not good:
                failed += 1
                print(f"{where}: {line}\n  exit code {result.returncode if result else '-'}: {said.strip()[-500:]}")
    print(f"{run} examples run, {failed} failed; {skipped} lines are synopses")
    return 1 if failed or run < 60 and not ONLY else 0


if __name__ == "__main__":
    sys.exit(main())
