#!/usr/bin/env python3
"""What must hold for every command on every input, tried on generated treebanks with faults:

  books      sentences in = sentences out + sentences reported
  tokens     the words of every sentence that is not reported come out as they went in, or the
             program says that they do not
  streams    standard output and error that are closed, full or slow cost no result and give the
             right exit code
  signals    at any moment leave no temporary file, and what ended the program is seen

Usage: properties.py PROGRAM FIXTURES [SEED [SIGNALS]]      SIGNALS: so many at random moments, 6
"""
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

PROGRAM, FIXTURES = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 1
SIGNALS = int(sys.argv[4]) if len(sys.argv) > 4 else 6
failures = []


def check(true, what):
    if not true:
        failures.append(what)
        print("FAILED:", what)


def run(arguments, stdin=b"", **more):
    options = dict(input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
    options.update(more)
    if "stdin" in options:
        del options["input"]
    return subprocess.run([PROGRAM] + arguments, **options)


# --- treebanks with faults -----------------------------------------------------------------------

WORDS = ["the", "cat", "a)b", "(", "New York", "caf\u00e9", "``", ".", "-LRB-", "\U0001F600", "a/b", "x_y",
         "don't", "1,000", "#", "{", "[", "\\", "'"]


def conllu_sentence(rng, number):
    """A sentence and whether something is wrong with it."""
    size = rng.randint(1, 6)
    heads = [0] + [rng.randint(1, i) for i in range(1, size)]
    words = [rng.choice(WORDS) for _ in range(size)]
    fault = rng.random() < 0.25
    if fault:
        kind = rng.choice(["cycle", "range", "columns", "id", "no head"])
        if kind == "cycle" and size > 1:
            heads[0], heads[1] = 2, 1
        elif kind == "columns":
            words = words + ["short"]
        elif kind == "range":
            heads[-1] = size + 5
        elif kind == "id":
            pass
        else:
            heads[0] = "_"
        fault = kind if not (kind == "cycle" and size == 1) else False
    lines = [f"# sent_id = s{number}"]
    for i, word in enumerate(words):
        if fault == "columns" and i == len(words) - 1:
            lines.append(f"{i + 1}\t{word}\t_")
            break
        identity = i + 1 if not (fault == "id" and i == size - 1) else i + 7
        lines.append(f"{identity}\t{word}\t_\tX\tNN\t_\t{heads[i]}\tdep\t_\t_")
    return "\n".join(lines) + "\n\n", words, fault


def conllu_words(text):
    sentences = []
    for block in re.split(r"\n\n+", text.strip("\n")):
        rows = [line.split("\t") for line in block.split("\n") if line and line[0] != "#"]
        words = [row[1] for row in rows if len(row) > 1]
        if words:
            sentences.append(words)
    return sentences


def tree(rng, number):
    def phrase(depth):
        if depth > 3 or rng.random() < 0.4:
            return "({} {})".format(rng.choice(["NN", "VB", ".", "DT"]),
                                    rng.choice(["a", "b", "-LRB-", "caf\u00e9", "x"]))
        return "({} {})".format(rng.choice(["S", "NP", "VP"]),
                                " ".join(phrase(depth + 1) for _ in range(rng.randint(1, 3))))
    return f"(TOP {phrase(0)} {phrase(2)})\n"


def leaves(text):
    return [re.findall(r"\([^\s()]+ ([^\s()]+)\)", line) for line in text.split("\n") if line.strip()]


def unescape(word):
    for name, bracket in (("-LRB-", "("), ("-RRB-", ")"), ("-LCB-", "{"), ("-RCB-", "}"),
                          ("-LSB-", "["), ("-RSB-", "]")):
        word = word.replace(name, bracket)
    return word.replace("\\/", "/").replace("\\*", "*")


def words_of(text, form):
    if form in ("conllu", "conllx"):
        return conllu_words(text)
    if form == "ptb":
        return [[unescape(word) for word in words] for words in leaves(text)]
    if form == "text":
        return [line.split(" ") for line in text.split("\n") if line.strip()]
    if form == "columns":
        return [[row.split("\t")[0] for row in block.split("\n")]
                for block in re.split(r"\n\n+", text.strip("\n")) if block]
    sentences = []
    for line in text.split("\n"):
        if not line.strip():
            continue
        entry = json.loads(line)
        if "tokens" in entry:
            sentences.append([token["form"] for token in entry["tokens"]])
        else:
            found = []
            todo = [entry["tree"]]
            while todo:
                node = todo.pop()
                if "word" in node:
                    found.append(unescape(node["word"]))
                todo += reversed(node.get("children", []))
            sentences.append(found)
    return sentences


def reported(stderr):
    found = re.search(rb"(\d+) sentences? (?:was|were) unusable", stderr)
    return int(found[1]) if found else 0


def check_books(name, arguments, text, count, good, form, same_format):
    result = run(arguments, text.encode())
    out = result.stdout.decode()
    complaints = reported(result.stderr)
    check(result.returncode == (1 if complaints else 0),
          f"{name}: exit code {result.returncode} with {complaints} reported: {result.stderr[-300:]}")
    sentences = words_of(out, form)
    # Reported ones are passed through where the format allows it, else left out.
    expected = count if same_format else count - complaints
    check(len(sentences) == expected,
          f"{name}: {count} in, {complaints} reported, {len(sentences)} out; expected {expected}")
    # Brackets keep their names on the way from trees to columns: "-LRB-" and "(" are one word.
    plain = lambda lists: [[unescape(word) for word in words] for words in lists]
    sentences, good = plain(sentences), plain(good)
    told = b"cannot keep" in result.stderr
    if not same_format and complaints == count - len(good) and not told:
        check(sentences == good, f"{name}: words changed without a message")
    if same_format and complaints == 0:
        check(sentences == good, f"{name}: words changed without a message")


def books(models, phrases):
    rng = random.Random(SEED)
    for round_number in range(6):
        made = [conllu_sentence(rng, i) for i in range(40)]
        text = "".join(sentence for sentence, _, _ in made)
        # A missing head is no fault of the file; whoever needs a tree refuses it.
        whole = [words for _, words, fault in made if not fault]
        readable = [words for _, words, fault in made if not fault or fault == "no head"]
        for form in ("conllu", "conllx", "json", "text", "columns"):
            check_books(f"convert --to {form}, round {round_number}", ["convert", "--from", "conllu",
                        "--to", form, "--threads", str(rng.randint(1, 3))], text, len(made), readable,
                        form, form == "conllu")
        for transform in (["--projectivise", "head"], ["--deprojectivise", "head"],
                          ["--best-projective"]):
            for form in ("conllu", "json"):
                check_books(f"convert {transform[0]} --to {form}, round {round_number}",
                            ["convert", "--from", "conllu", "--to", form] + transform, text,
                            len(made), whole, form, form == "conllu")
        # Who puts other heads in their place does not judge those that are there.
        for name, arguments in models:
            accepted = readable if name == "tag" else [
                words for _, words, fault in made if fault not in ("columns", "id")]
            for form in ("conllu", "json", "text"):
                check_books(f"{name} --to {form}, round {round_number}",
                            arguments + ["--from", "conllu", "--to", form], text, len(made), accepted,
                            form, form == "conllu")
        accepted = [words for _, words, fault in made if fault not in ("columns", "id")]
        for form in ("ptb", "json"):
            check_books(f"parse to phrases --to {form}, round {round_number}", ["parse", "-m", phrases,
                        "--from", "conllu", "--to", form], text, len(made), accepted, form, False)
        trees = [tree(rng, i) for i in range(30)]
        good = [[unescape(word) for word in leaves(each)[0]] for each in trees]
        for form in ("ptb", "json", "conllu", "conllx", "text", "columns"):
            check_books(f"convert trees --to {form}", ["convert", "--from", "ptb", "--to", form],
                        "".join(trees), len(trees), good, form, form == "ptb")
        broken = [each if rng.random() < 0.8 else each.replace(")", "", 1) for each in trees]
        bad = sum(1 for a, b in zip(trees, broken) if a != b)
        result = run(["convert", "--from", "ptb", "--to", "json"], "".join(broken).encode())
        out = len(result.stdout.decode().splitlines())
        check(out >= len(trees) - bad and (bad == 0) == (result.returncode == 0),
              f"broken trees: {len(trees)} in, {bad} broken, {out} out, exit {result.returncode}")


def passed_through(models):
    """What is reported and passed through is what was read, byte for byte."""
    refused = ("# a comment\n1\ta\tA\tX\tY\tZ=1\t_\tdep\t_\tNote=1\n"
               "2\tb\tB\tX\tY\tZ=1\t_\tdep\t_\tNote=2\n\n")
    good = "1\tc\t_\tX\tNN\t_\t0\troot\t_\t_\n\n"
    for transform in (["--projectivise", "head"], ["--deprojectivise", "head"], ["--best-projective"]):
        result = run(["convert", "--from", "conllu"] + transform, (good + refused + good).encode())
        check(result.stdout.decode() == good + refused + good,
              f"convert {transform}: a refused sentence is not passed through unchanged")
        check(b"1 sentence was unusable and passed through unchanged" in result.stderr,
              f"convert {transform}: says {result.stderr}")


def lists(parser):
    """As many lists as sentences, as many trees as lists; and the words in them."""
    rng = random.Random(SEED)
    trees = [tree(rng, i) for i in range(25)]
    words = [[unescape(word) for word in leaves(each)[0]] for each in trees]
    text = "".join(trees).encode()
    result = run(["nbest", "-m", parser, "-k", "3", "--from", "ptb"], text)
    blocks = [block.split("\n") for block in result.stdout.decode().strip("\n").split("\n\n")]
    check(result.returncode == 0 and len(blocks) == len(trees),
          f"nbest: {len(trees)} in, {len(blocks)} lists out, exit code {result.returncode}")
    for block, expected in zip(blocks, words):
        check(int(block[0].split()[0]) * 2 == len(block) - 1, f"nbest: {block[0]} and {len(block)} lines")
        for line in block[2::2]:
            check([unescape(word) for word in leaves(line)[0]] == expected, f"nbest: {line}, {expected}")
    again = run(["nbest", "--lists", "/dev/stdin", "--to", "binary"], result.stdout)
    back = run(["nbest", "--lists", "/dev/stdin", "--to", "text"], again.stdout)
    check(back.stdout == result.stdout, "nbest: lists change on the way to binary and back")
    parsed = run(["parse", "-m", parser, "--from", "ptb", "--to", "ptb"], text)
    check([[unescape(word) for word in found] for found in leaves(parsed.stdout.decode())] == words,
          "parse: words of trees change")


def reranked(folder, parser):
    """A tree of each list, with its words; the command, for whoever tries more."""
    english = os.path.join(FIXTURES, "english.mrg")
    some, model = os.path.join(folder, "lists.txt"), os.path.join(folder, "reranker.copse")
    check(run(["nbest", "-m", parser, "-k", "4", "-q", english, "-o", some]).returncode == 0, "nbest")
    check(run(["train", "reranker", "--method", "perceptron", "--lists", some, "--gold", english, "-q", "-o",
               model]).returncode == 0, "train reranker")
    with open(some, "rb") as file:
        text = file.read()
    result = run(["rerank", "-m", model], text)
    blocks = text.decode().strip("\n").split("\n\n")
    found = leaves(result.stdout.decode())
    check(result.returncode == 0 and found == [leaves(block.split("\n")[2])[0] for block in blocks],
          f"rerank: {len(blocks)} lists in, {len(found)} trees out, or other words")
    return ["rerank", "-m", model], text


# --- descriptors ---------------------------------------------------------------------------------

def streams(commands):
    for name, arguments, stdin in commands:
        plain = run(arguments, stdin)
        with open("/dev/full", "w") as full:
            result = run(arguments, stdin, stdout=full)
            check(result.returncode == (3 if plain.stdout else plain.returncode),
                  f"{name} > /dev/full: exit code {result.returncode}")
            result = run(arguments, stdin, stderr=full)
            check(result.returncode == plain.returncode and result.stdout == plain.stdout,
                  f"{name} 2> /dev/full: exit code {result.returncode}")
        closed = run(arguments, stdin, preexec_fn=lambda: os.close(2))
        check(closed.returncode == plain.returncode and closed.stdout == plain.stdout,
              f"{name} 2>&-: exit code {closed.returncode}")
        closed = run(arguments, stdin, preexec_fn=lambda: os.close(1))
        check(closed.returncode == (3 if plain.stdout else plain.returncode),
              f"{name} >&-: exit code {closed.returncode}")
        slow = subprocess.Popen([PROGRAM] + arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                stderr=subprocess.DEVNULL)
        slow.stdin.write(stdin)
        slow.stdin.close()
        time.sleep(0.05)
        out = b""
        while True:
            chunk = slow.stdout.read(4096)
            out += chunk
            if not chunk:
                break
        slow.stdout.close()
        check(slow.wait() == plain.returncode and out == plain.stdout, f"{name}: a slow reader")
        gone = subprocess.Popen([PROGRAM] + arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE)
        gone.stdout.close()
        try:
            gone.stdin.write(stdin)
            gone.stdin.close()
        except BrokenPipeError:
            pass
        said = gone.stderr.read()
        gone.stderr.close()
        check(gone.wait() in (0, 3, plain.returncode) and b"Broken pipe" not in said,
              f"{name} | head: exit code {gone.returncode}, says {said}")


# --- signals -------------------------------------------------------------------------------------

def reset_signals():
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def signals(folder, train):
    rng = random.Random(SEED)
    inner = os.path.join(folder, "signals")
    os.mkdir(inner)
    sentence = b"1\ta\t_\tX\t_\t_\t0\tdep\t_\t_\n\n"
    # For certain inside the writing: the input is not at its end.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        process = subprocess.Popen([PROGRAM, "convert", "--unbuffered", "--from", "conllu", "-o",
                                    os.path.join(inner, "out.conllu")], stdin=subprocess.PIPE,
                                   stderr=subprocess.PIPE, preexec_fn=reset_signals)
        process.stdin.write(sentence)
        process.stdin.flush()
        for _ in range(400):
            if os.listdir(inner):
                break
            time.sleep(0.02)
        check([each for each in os.listdir(inner) if each.endswith(".tmp")],
              "no temporary file while writing: the test sees nothing")
        process.send_signal(number)
        process.wait(60)
        process.stdin.close()
        process.stderr.close()
        check(process.returncode == -number, f"signal {number}: exit code {process.returncode}")
        check(os.listdir(inner) == [], f"signal {number} leaves {os.listdir(inner)}")
    # At random moments of training.
    for i in range(SIGNALS):
        model = os.path.join(inner, "model.copse")
        process = subprocess.Popen([PROGRAM] + train + ["-o", model], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, preexec_fn=reset_signals)
        time.sleep(rng.random() * 0.4)
        number = rng.choice([signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
        process.send_signal(number)
        process.wait(120)
        check(process.returncode in (0, -number), f"training, signal {i}: exit code {process.returncode}")
        left = os.listdir(inner)
        check(left in ([], ["model.copse"]), f"training, signal {i}: leaves {left}")
        if left == ["model.copse"]:
            check(run(["info", model]).returncode == 0, "training: a model that cannot be read")
            os.remove(model)


def main():
    print("seed", SEED)
    english = os.path.join(FIXTURES, "english.conllu")
    with open(english, "rb") as file:
        columns = file.read()
    with tempfile.TemporaryDirectory() as folder:
        tagger, parser = os.path.join(folder, "tagger.copse"), os.path.join(folder, "parser.copse")
        train = ["train", "tagger", "--train", english, "--passes", "1", "-q"]
        check(run(train + ["-o", tagger]).returncode == 0, "train tagger")
        check(run(["train", "dependency", "--train", english, "--order", "first", "--passes", "1",
                   "-q", "-o", parser]).returncode == 0, "train dependency")
        phrases = os.path.join(folder, "phrases.copse")
        check(run(["train", "constituency", "--train", os.path.join(FIXTURES, "english.mrg"), "-q", "-o",
                   phrases]).returncode == 0, "train constituency")
        lists(phrases)
        models = [("tag", ["tag", "-m", tagger]), ("parse", ["parse", "-m", parser])]
        books(models, phrases)
        passed_through(models)
        rerank, parses = reranked(folder, phrases)
        streams([("convert", ["convert", english, "--to", "json"], b""),
                 ("convert stdin", ["convert", "--from", "conllu"], columns * 20),
                 ("stats", ["stats", english], b""),
                 ("view", ["view", english], b""),
                 ("eval", ["eval", "dependency", "--gold", english, "--system", english], b""),
                 ("sample", ["sample", "-n", "50"], b""),
                 ("tag", ["tag", "-m", tagger], columns),
                 ("parse", ["parse", "-m", parser], columns),
                 ("parse to phrases", ["parse", "-m", phrases, "--from", "conllu"], columns),
                 ("nbest", ["nbest", "-m", phrases, "-k", "3", "--from", "conllu"], columns),
                 ("rerank", rerank, parses),
                 ("tokenize", ["tokenize", "--rules", "english-ptb"], b"One sentence. Another one, with a comma.\n" * 9),
                 ("explain", ["explain", "-m", parser, english, "--sentence", "1"], b""),
                 ("check", ["check", english], b""),
                 ("info", ["info", tagger], b""),
                 ("help", ["parse", "--help"], b""),
                 ("completion", ["completion", "bash"], b""),
                 ("manual", ["manual"], b"")])
        signals(folder, train)
    if failures:
        print(len(failures), "failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
