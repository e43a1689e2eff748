#!/usr/bin/env python3
"""No command loses or changes a word without saying so: every command that passes words on, for every
format that it reads and writes. What comes out has the words that went in, sentence by sentence, or the
program says that it does not: with a warning ("cannot keep"), or by refusing.

Usage: tokens.py PROGRAM FIXTURES [SEED]
"""
import json
import os
import random
import re
import sys
import tempfile

from properties import FIXTURES, SEED, WORDS, check, failures, leaves, run, unescape, words_of

ESCAPES = {"(": "-LRB-", ")": "-RRB-"}
MORE_WORDS = WORDS + ["mat.", "e.g.", "&", "<b>", "\u202e", "a\u0301", "\u4f60\u597d", "''", "x=y", "|", "_", "-", "%",
                      "NotHead=1", "/", "*", "\\/", "0", "1-2", "NULL", "x" * 300]


def bracketed(word):
    return re.sub(r"[()]", lambda found: ESCAPES[found[0]], word).replace(" ", "_")


def written(form, sentences):
    """The sentences as a file of the format."""
    out = []
    for number, words in enumerate(sentences):
        rows = [f"{i + 1}\t{word}\t_\tX\tNN\t_\t{i}\tdep\t_\t_" for i, word in enumerate(words)]
        if form == "conllu":
            out.append(f"# sent_id = s{number}\n" + "\n".join(rows) + "\n\n")
        elif form == "conllx":
            out.append("\n".join(rows) + "\n\n")
        elif form == "json":
            tokens = [{"id": str(i + 1), "form": word, "xpos": "NN", "head": i, "deprel": "dep"}
                      for i, word in enumerate(words)]
            out.append(json.dumps({"tokens": tokens}, ensure_ascii=False) + "\n")
        elif form == "text":
            out.append(" ".join(words) + "\n")
        elif form == "columns":
            out.append("".join(f"{word}\tNN\n" for word in words) + "\n")
        else:
            out.append("(TOP (S " + " ".join(f"(NN {bracketed(word)})" for word in words) + "))\n")
    return "".join(out)


def made(rng, form, count=25):
    """Sentences whose words the format can hold."""
    def fits(word):
        if form in ("text", "columns") and " " in word:
            return False
        if form == "ptb":
            return " " not in word and "_" not in word and unescape(bracketed(word)) == word
        # A line of columns that begins with "#" is a comment, "_" is no word but an empty cell.
        return not (form == "columns" and word.startswith("#"))
    usable = [word for word in MORE_WORDS if fits(word)]
    return [[rng.choice(usable) for _ in range(rng.randint(1, 7))] for _ in range(count)]


def plain(sentences):
    return [[unescape(word) for word in words] for words in sentences]


def check_words(name, result, found, expected, repeated=False):
    said = result.stderr
    if result.returncode == 2 and not result.stdout:
        return  # refused as a whole
    check(result.returncode in (0, 1), f"{name}: exit code {result.returncode}: {said[-300:]}")
    if b"cannot keep" in said or b"unusable" in said:
        return  # a message; properties.py keeps the books of these
    found, expected = plain(found), plain(expected)
    if repeated:  # a list of trees: each sentence once or more, in order
        once = [words for i, words in enumerate(found) if i == 0 or words != found[i - 1]]
        expected = [words for i, words in enumerate(expected) if i == 0 or words != expected[i - 1]]
        found = once
    if found != expected:
        at = next((i for i, (a, b) in enumerate(zip(found, expected)) if a != b), min(len(found), len(expected)))
        check(False, f"{name}: sentence {at + 1} of {len(expected)}: {expected[at:at + 1]} became "
                     f"{found[at:at + 1]} without a message: {said[-200:]}")


def commands(models):
    dependency = ["conllu", "conllx", "json", "text", "columns"]
    rows = [("convert", ["convert"], dependency + ["ptb"], False)]
    for flags in ([], ["--marginals"], ["--keep"], ["--beam", "1"]):
        rows.append(("tag " + " ".join(flags), ["tag", "-m", models["tagger"]] + flags, dependency, False))
    for flags in ([], ["--tagger", models["tagger"]], ["--marginals", "--confidence"], ["--mbr"],
                  ["--constraints"], ["--max-memory", "1"]):
        rows.append(("parse " + " ".join(flags), ["parse", "-m", models["parser"]] + flags, dependency, False))
    rows.append(("parse --nbest", ["parse", "-m", models["parser"], "--nbest", "3"], dependency, True))
    for flags in ([], ["--mbr"], ["--use-tags"]):
        rows.append(("parse phrases " + " ".join(flags), ["parse", "-m", models["phrases"]] + flags,
                     ["ptb", "json"], False))
    rows.append(("parse phrases --nbest", ["parse", "-m", models["phrases"], "--nbest", "2"], ["json"], True))
    rows.append(("parse phrases --marginals", ["parse", "-m", models["phrases"], "--marginals"], ["json"], False))
    return rows


def every_format(models):
    rng = random.Random(SEED)
    for name, arguments, outputs, repeated in commands(models):
        for given in ("conllu", "conllx", "json", "text", "columns", "ptb"):
            sentences = made(rng, given)
            data = written(given, sentences).encode()
            chosen = outputs if name == "convert" else rng.sample(outputs, min(2, len(outputs)))
            for form in chosen:
                result = run(arguments + ["--from", given, "--to", form, "--threads", "2"], data)
                check_words(f"{name} {given} -> {form}", result,
                            words_of(result.stdout.decode(), form), sentences, repeated)


def drawings():
    rng = random.Random(SEED)
    sentences = [[word for word in words if len(word) < 40] or ["x"] for words in made(rng, "ptb")]
    for given in ("conllu", "ptb"):
        result = run(["convert", "--from", given, "--to", "svg"], written(given, sentences).encode())
        found = re.findall(r'class="form"[^>]*>([^<]*)<', result.stdout.decode())
        for name, sign in (("lt", "<"), ("gt", ">"), ("quot", '"'), ("amp", "&")):
            found = [word.replace(f"&{name};", sign) for word in found]
        words = [word for sentence in sentences for word in sentence if word != "\u202e"]
        check([unescape(word) for word in found if word != "\ufffd"] == words, f"svg of {given}: words changed")


def lists(models, folder):
    rng = random.Random(SEED)
    sentences = made(rng, "text")
    data = written("text", sentences).encode()
    text = run(["nbest", "-m", models["phrases"], "-k", "3", "--from", "text"], data)
    trees = [words for words in leaves(text.stdout.decode()) if words]
    check_words("nbest", text, trees, sentences, True)
    result = run(["nbest", "-m", models["phrases"], "-k", "3", "--from", "text", "--to", "json"], data)
    parses = [json.loads(line)["parses"] for line in result.stdout.decode().splitlines()]
    shown = "".join(json.dumps({"tree": parse["tree"]}) + "\n" for list_ in parses for parse in list_)
    check_words("nbest --to json", result, words_of(shown, "json"), sentences, True)
    path = os.path.join(folder, "lists.nbl")
    with open(os.path.join(folder, "lists.txt"), "wb") as file:
        file.write(text.stdout)
    run(["nbest", "--lists", os.path.join(folder, "lists.txt"), "-o", path])
    back = run(["nbest", "--lists", path])
    check(back.stdout == text.stdout, "nbest --lists: not the same there and back")
    result = run(["tag", "-m", models["tagger"], "--nbest", "2", "--column", "xpos", "--from", "text"], data)
    found = [[item.rsplit("/", 1)[0] for item in line.split(" ")] for line in result.stdout.decode().split("\n")
             if "/" in line]
    check_words("tag --nbest", result, found, sentences, True)


def raw_text(models):
    """What a tokeniser cuts is the text again, blanks apart."""
    rng = random.Random(SEED)
    sentences = made(rng, "text", 60)
    text = "".join(" ".join(words) + rng.choice([" ", "\n", "\n\n", ". "]) for words in sentences)
    expected = re.sub(r"\s", "", text)
    for name, flags in (("model", ["-m", models["tokenizer"]]), ("rules", ["--rules", "english-ptb", "--keep-quotes"])):
        for form in ("conllu", "text", "json"):
            result = run(["tokenize", "--to", form] + flags, text.encode())
            out = result.stdout.decode()
            if form == "conllu":  # surface tokens: a range stands for its words
                tokens = []
                for block in out.split("\n\n"):
                    rows = [line.split("\t") for line in block.split("\n") if line and line[0] != "#"]
                    tokens += [token["form"] for token in surface({"id": row[0], "form": row[1]} for row in rows)]
            else:
                tokens = [word for words in words_of(out, "text") for word in words] if form == "text" else [
                    token["form"] for line in out.splitlines() for token in surface(json.loads(line)["tokens"])]
            found = re.sub(r"\s", "", "".join(tokens))
            if name == "rules":
                found, expected_here = found.replace("``", '"').replace("''", '"'), expected.replace("``", '"').replace("''", '"')
            else:
                expected_here = expected
            check(found == expected_here, f"tokenize {name} --to {form}: the text is not the same")


def surface(tokens):
    last = 0
    for token in tokens:
        first = int(token["id"].split("-")[0])
        if "-" in token["id"]:
            last = int(token["id"].split("-")[1])
        elif first <= last:
            continue
        yield token


def clusters(folder):
    rng = random.Random(SEED)
    sentences = made(rng, "text")
    data = written("text", sentences).encode()
    paths = os.path.join(folder, "paths")
    run(["cluster", "--clusters", "5", "-q", "-o", paths], data)
    with open(paths, encoding="utf-8") as file:
        counted = sum(int(line.rstrip("\n").split("\t")[2]) for line in file)
    check(counted == sum(len(words) for words in sentences), f"cluster: {counted} words counted")
    result = run(["cluster", "--map", paths], data)
    found = [[line.split("\t")[0] for line in block.split("\n")] for block in result.stdout.decode().strip("\n").split("\n\n")]
    check(found == sentences, "cluster --map: words changed")
    result = run(["cluster", "--map", paths, "--json"], data)
    found = [[entry["word"] for entry in json.loads(line)] for line in result.stdout.decode().splitlines()]
    check(found == sentences, "cluster --map --json: words changed")


def main():
    print("seed", SEED)
    english, trees = os.path.join(FIXTURES, "english.conllu"), os.path.join(FIXTURES, "english.mrg")
    with tempfile.TemporaryDirectory() as folder:
        models = {name: os.path.join(folder, name + ".copse") for name in ("tagger", "parser", "phrases", "tokenizer")}
        for arguments in (["tagger", "--train", english, "--passes", "1", "-o", models["tagger"]],
                          ["dependency", "--train", english, "--order", "first", "--passes", "1", "-o", models["parser"]],
                          ["constituency", "--train", trees, "-o", models["phrases"]],
                          ["tokenizer", "--train", english, "--dev", english, "--passes", "1", "-o", models["tokenizer"]]):
            check(run(["train"] + arguments + ["-q"]).returncode == 0, "train " + arguments[0])
        every_format(models)
        drawings()
        lists(models, folder)
        raw_text(models)
        clusters(folder)
    if failures:
        print(len(failures), "failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
