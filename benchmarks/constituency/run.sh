#!/usr/bin/env bash
# Accuracy and speed of the generative parser: run.sh DATA [COPSE [SET]]
# DATA holds SET/{train,dev}.mrg, SET is wsj-sample or craft. Times are user seconds of one thread.
# The odd and the even sentences are also scored apart, so that what is chosen on one half can be
# reported on the other.
set -euo pipefail
data=$1
copse=${2:-build/copse}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
set=${3:-wsj-sample}
train=$data/$set/train.mrg
dev=$data/$set/dev.mrg

timed() {
  local title=$1
  shift
  local TIMEFORMAT="$title: %U s"
  time "$@"
}
f1() {
  "$copse" eval constituency --gold "$work/gold.mrg" --system "$1" --json --max-errors 1000000 |
    grep -E '^  "(f1|tagging|n)"' | tr -d '\n'
  echo
}

"$copse" convert "$dev" --to ptb --clean --outer TOP -o "$work/gold.mrg"
timed "train" "$copse" train constituency --train "$train" -o "$work/m.copse" --threads 1
timed "1 best" "$copse" parse -m "$work/m.copse" "$dev" -o "$work/one.mrg" --threads 1
timed "1 best, --mbr" "$copse" parse -m "$work/m.copse" --mbr "$dev" -o "$work/mbr.mrg" --threads 1
timed "50 best" "$copse" nbest -m "$work/m.copse" -k 50 "$dev" -o "$work/dev.nbl" --threads 1
"$copse" nbest --lists "$work/dev.nbl" -o "$work/dev.txt"
halves() {  # F1 of the odd and of the even sentences
  local first
  for first in 1 2; do
    awk "(NR - $first) % 2 == 0" "$work/gold.mrg" > "$work/half.gold"
    awk "(NR - $first) % 2 == 0" "$1" > "$work/half.system"
    "$copse" eval constituency --gold "$work/half.gold" --system "$work/half.system" --json --max-errors 1000000 |
      grep -E '^  "f1"' | tr -d '\n'
  done
  echo
}
echo "odd and even sentences, most probable: $(halves "$work/one.mrg")"
echo "odd and even sentences, most expected brackets: $(halves "$work/mbr.mrg")"
echo "most probable tree: $(f1 "$work/one.mrg")"
echo "most expected brackets: $(f1 "$work/mbr.mrg")"
