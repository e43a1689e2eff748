#!/usr/bin/env python3
"""flags.py SOURCE_DIR: no text of the library names a flag of the command line.

A message that says "--max-words" helps nobody who calls the library from C++, Python or a server;
it says "the limit max-words", and each front end spells it its own way."""
import re
import sys

from source import files, literals, room_of

# Custom properties of style sheets look alike: "--ink: #222" and "var(--ink)".
FLAG = re.compile(r"(?<![\w-])(?<!var\()--[a-z][a-z-]*(?!\s*:|[a-z-])")


def main(root):
    faults, texts = [], 0
    for path in files(root, ".h", ".cc"):
        if room_of(root, path) == "cli":
            continue
        for line, literal in literals(path.read_text()):
            texts += 1
            for flag in FLAG.findall(literal):
                faults.append(f"{path}:{line}: the library names the flag {flag}")
    print("\n".join(faults + [f"{texts} texts: {len(faults)} faults"]))
    return 1 if faults or not texts else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
