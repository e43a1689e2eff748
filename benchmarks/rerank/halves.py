"""halves.py LISTS.txt GOLD.mrg OUT: sentences 0, 2, ... to OUT0.txt and OUT0.mrg, the others to
OUT1.*; the first parse of every list, a line each, to first.mrg beside them. One tree a line."""
import os
import sys

lists, gold, out = sys.argv[1:]
trees = [line for line in open(gold) if line.strip()]
blocks = [block for block in open(lists).read().split("\n\n") if block.strip()]
assert len(trees) == len(blocks), (len(trees), len(blocks))
for half in (0, 1):
    with open(f"{out}{half}.txt", "w") as file:
        file.writelines(block + "\n\n" for block in blocks[half::2])
    with open(f"{out}{half}.mrg", "w") as file:
        file.writelines(trees[half::2])
with open(os.path.join(os.path.dirname(out), "first.mrg"), "w") as file:
    for block in blocks:
        lines = block.strip("\n").split("\n")
        file.write((lines[2] if len(lines) > 2 else "") + "\n")
