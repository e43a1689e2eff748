#!/usr/bin/env python3
"""definitions.py SOURCE_DIR: no type is defined twice under one name.

Two types of one name in two files break the one-definition rule though each file compiles: the
linker keeps one of the two sets of member functions, and which one depends on the optimiser. No
compiler sees it, so that this looks at every definition of a type in a namespace, in all files
together, also of rooms that no program links together."""
import re
import sys
from collections import defaultdict

from source import code_only, files, line_of

OPENER = re.compile(r"[{};]")
SPACE = re.compile(r"\bnamespace\s*([\w:]*)\s*$")
TYPE = re.compile(r"\b(?:class|struct|union|enum(?:\s+class|\s+struct)?)\s+"
                  r"(?:alignas\s*\([^)]*\)\s*|\[\[[^\]]*\]\]\s*)*"
                  r"([A-Za-z_]\w*(?:\s*<[^{;]*>)?)\s*(?:final\s*)?(?::(?!:)[^{;]*)?$")


def definitions(text):
    """Pairs of qualified name and offset of the types that stand in a namespace with a name."""
    code = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", lambda m: re.sub(r"[^\n]", " ", m[0]),
                  code_only(text), flags=re.M)
    stack, start = [], 0
    for mark in OPENER.finditer(code):
        head = code[start:mark.start()]
        start = mark.end()
        if mark[0] == "}":
            if stack:
                stack.pop()
        elif mark[0] == "{":
            if space := SPACE.search(head):
                stack.append(space[1] or None)
                continue
            found = TYPE.search(head)
            if found and all(stack):
                name = "::".join(stack + [re.sub(r"\s+", "", found[1])])
                yield name, mark.start()
            stack.append(None)


def main(root):
    places = defaultdict(list)
    for path in files(root, ".h", ".cc"):
        text = path.read_text()
        for name, offset in definitions(text):
            places[name].append(f"{path}:{line_of(text, offset)}")
    twice = {name: where for name, where in places.items() if len(where) > 1}
    for name, where in sorted(twice.items()):
        print(f"{name} is defined more than once: {', '.join(where)}")
    print(f"{len(places)} types: {len(twice)} defined more than once")
    return 1 if twice or not places else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
