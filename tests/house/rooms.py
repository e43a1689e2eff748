#!/usr/bin/env python3
"""rooms.py SOURCE_DIR: the drawing in docs/architecture.md against #include and copse_room().

The drawing is the only place where the order of the rooms is written down."""
import re
import sys
from pathlib import Path

from source import files, room_of

ROW = re.compile(r"^ {4}((?:[a-z]+/\s+)+)(?=[a-z])")
EXCEPTION = re.compile(r"^ {4}([a-z]+)/ does not use ((?:[a-z]+/\s*)+)$")
ALSO = re.compile(r"^ {4}([a-z]+)/ also uses ((?:[a-z]+/\s*)+)$")
INCLUDE = re.compile(r'^\s*#\s*include\s*["<]copse/(?:(\w+)/)?([^">]*)[">]', re.M)
ROOM = re.compile(r"copse_room\(\s*(\w+)(.*?)\)", re.S)


def drawing(root):
    """Room -> the rooms it may use, and the names of the front ends."""
    rows, less, also = [], {}, {}
    for line in (Path(root) / "docs/architecture.md").read_text().splitlines():
        if exception := EXCEPTION.match(line):
            less[exception[1]] = set(re.findall(r"[a-z]+", exception[2]))
        elif beside := ALSO.match(line):
            also[beside[1]] = set(re.findall(r"[a-z]+", beside[2]))
        elif row := ROW.match(line):
            rows.append(re.findall(r"[a-z]+", row[1]))
    if len(rows) < 2:
        sys.exit("docs/architecture.md: no drawing of rooms was found")
    allowed, below = {}, set()
    for row in reversed(rows):
        for room in row:
            allowed[room] = (below - less.get(room, set())) | also.get(room, set())
        below |= set(row)
    for room in less | also:
        if room not in allowed:
            sys.exit(f"docs/architecture.md: {room}/ has an exception but no row")
    return allowed, set(rows[0])


def declared(root):
    """Room -> the rooms that its copse_room() names."""
    uses = {}
    for path in sorted((Path(root) / "copse").glob("*/CMakeLists.txt")):
        for room, rest in ROOM.findall(path.read_text()):
            part = re.search(r"\bUSES\b((?:\s+(?!PUBLIC\b|PRIVATE\b|SOURCES\b)[\w:]+)*)", rest)
            uses[room] = set(part[1].split()) if part else set()
    return uses


def reached(uses, room):
    """The rooms whose headers a room can include because they are linked, near or far."""
    found, todo = set(), [room]
    while todo:
        for used in uses.get(todo.pop(), ()):
            if used not in found:
                found.add(used)
                todo.append(used)
    return found


def check_include(room, target, allowed, fronts, linked):
    if target == room:
        return None
    if not target:  # copse/copse.h
        return None if room in fronts else "only front ends use the front door"
    if not room:
        return f"the front door leads into {target}/, a front end" if target in fronts else None
    if target not in allowed:
        return f"{target}/ is not in the drawing"
    if target not in allowed[room]:
        return f"the drawing does not let {room}/ use {target}/"
    if target not in linked:
        return f"copse_room({room} USES ...) does not lead to {target}"
    return None


def main(root):
    allowed, fronts = drawing(root)
    uses = declared(root)
    faults, includes = [], 0
    for room, named in uses.items():
        for target in sorted(named - allowed.get(room, set())):
            faults.append(f"copse/{room}/CMakeLists.txt: the drawing does not let {room}/ use {target}/")
    for path in files(root, ".h", ".cc"):
        room = room_of(root, path)
        if room and room not in allowed:
            faults.append(f"{path}: {room}/ is not in the drawing")
            continue
        linked = reached(uses, room)
        text = path.read_text()
        for include in INCLUDE.finditer(text):
            includes += 1
            fault = check_include(room, include[1] or "", allowed, fronts, linked)
            if fault:
                line = text.count("\n", 0, include.start(2)) + 1
                faults.append(f"{path}:{line}: {fault}")
    print("\n".join(faults + [f"{includes} includes, {len(uses)} rooms: {len(faults)} faults"]))
    return 1 if faults or not includes or not uses else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
