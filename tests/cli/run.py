#!/usr/bin/env python3
"""Runs one .test file: commands as a user types them, and what they must answer.

  # a comment
  <<< broken.mrg            a file for the commands below, up to a line with >>>
  (S (NP (NN cat
  >>>
  $ copse convert broken.mrg --to json     run by bash, `copse` is the program under test
  > one line of standard output            all lines must match exactly; none: not compared
  stderr: part of a line                   must occur in standard error, in this order
  exit: 1                                  0 if not given

In files, \\t is a tab and \\xHH a byte. $FIXTURES names the folder of fixtures.
"""
import os
import re
import subprocess
import sys
import tempfile


class Step:
    def __init__(self, line, command):
        self.line, self.command = line, command
        self.stdout, self.stderr, self.exit = [], [], 0


def unescape(text):
    raw = text.encode().replace(b"\\t", b"\t").replace(b"\\r", b"\r")
    return re.sub(rb"\\x([0-9A-Fa-f]{2})", lambda m: bytes([int(m[1], 16)]), raw)


def parse(path, folder):
    steps, lines = [], open(path, encoding="utf-8").read().split("\n")
    number = 0
    while number < len(lines):
        line = lines[number]
        number += 1
        if line.startswith("<<< "):
            end = lines.index(">>>", number)
            with open(os.path.join(folder, line[4:]), "wb") as out:
                out.write(b"".join(unescape(text) + b"\n" for text in lines[number:end]))
            number = end + 1
        elif line.startswith("$ "):
            steps.append(Step(number, line[2:]))
        elif line.startswith("> ") or line == ">":
            steps[-1].stdout.append(unescape(line[2:]).decode())
        elif line.startswith("stderr: "):
            steps[-1].stderr.append(line[8:])
        elif line.startswith("exit: "):
            steps[-1].exit = int(line[6:])
        elif line.strip() and not line.startswith("#"):
            raise SystemExit(f"{path}:{number}: cannot understand: {line}")
    return steps


def complaints(step, result):
    out = result.stdout.decode(errors="replace")
    err = result.stderr.decode(errors="replace")
    if result.returncode != step.exit:
        yield f"exit code {result.returncode}; expected {step.exit}"
    if step.stdout and out != "\n".join(step.stdout) + "\n":
        yield "standard output is\n" + out + "expected\n" + "\n".join(step.stdout)
    position = 0
    for part in step.stderr:
        found = err.find(part, position)
        if found < 0:
            yield f"standard error lacks '{part}'"
        position = max(found, position)
    if re.search(r"Sanitizer|runtime error:", err):
        yield "a sanitizer complained"


def main():
    program, fixtures, path = sys.argv[1:4]
    with tempfile.TemporaryDirectory() as folder:
        steps = parse(path, folder)
        bin_folder = os.path.join(folder, ".bin")
        os.mkdir(bin_folder)
        os.symlink(os.path.abspath(program), os.path.join(bin_folder, "copse"))
        env = dict(os.environ, FIXTURES=os.path.abspath(fixtures),
                   PATH=bin_folder + os.pathsep + os.environ["PATH"], LC_ALL="C.UTF-8")
        failed = 0
        for step in steps:
            result = subprocess.run(["bash", "-c", step.command], cwd=folder, env=env,
                                    stdin=subprocess.DEVNULL, capture_output=True, timeout=300)
            for complaint in complaints(step, result):
                failed += 1
                print(f"{path}:{step.line}: $ {step.command}\n{complaint}")
                print("standard error:\n" + result.stderr.decode(errors="replace"))
        if not steps:
            raise SystemExit(f"{path}: no command in it")
        return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
