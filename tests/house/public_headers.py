#!/usr/bin/env python3
"""public_headers.py SOURCE_DIR [INCLUDE_DIR]: what copse.h includes, near or far, is what users get.

With INCLUDE_DIR, the folder of an installation, its headers must be those and no others."""
import re
import sys
from pathlib import Path

INCLUDE = re.compile(r'^\s*#\s*include\s*"(copse/[^"]+)"', re.M)
FRONT_ENDS = ("copse/cli/", "copse/server/", "copse/python/")


def followed(root):
    """Every header that copse.h leads to, and what is wrong with them."""
    found, faults, todo = set(), [], ["copse/copse.h"]
    while todo:
        name = todo.pop()
        if name in found:
            continue
        found.add(name)
        path = Path(root) / name
        if not path.is_file():
            faults.append(f"{name} is not there")
            continue
        if name.startswith(FRONT_ENDS):
            faults.append(f"{name} is no header for users")
        todo += INCLUDE.findall(path.read_text())
    return found, faults


def main(root, installed=None):
    found, faults = followed(root)
    if installed is not None:
        there = {str(path.relative_to(installed)) for path in Path(installed).rglob("copse/**/*.h")}
        faults += [f"{name} is not installed" for name in sorted(found - there)]
        faults += [f"{name} is installed; copse.h does not lead to it" for name in sorted(there - found)]
    print("\n".join(faults + [f"{len(found)} public headers: {len(faults)} faults"]))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
