#!/usr/bin/env bash
# Accuracy and speed of the generative parser: run.sh DATA [COPSE]
# DATA holds wsj-sample/{train,dev}.mrg. Times are user seconds of one thread.
set -euo pipefail
data=$1
copse=${2:-build/copse}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
train=$data/wsj-sample/train.mrg
dev=$data/wsj-sample/dev.mrg

timed() {
  local title=$1
  shift
  local TIMEFORMAT="$title: %U s"
  time "$@"
}
f1() {
  "$copse" eval constituency --gold "$work/gold.mrg" --system "$1" --json |
    grep -E '^  "(f1|tagging|n)"' | tr -d '\n'
  echo
}

"$copse" convert "$dev" --to ptb --clean --outer TOP -o "$work/gold.mrg"
timed "train" "$copse" train constituency --train "$train" -o "$work/m.copse" --threads 1
timed "1 best" "$copse" parse -m "$work/m.copse" "$dev" -o "$work/one.mrg" --threads 1
timed "1 best, --mbr" "$copse" parse -m "$work/m.copse" --mbr "$dev" -o "$work/mbr.mrg" --threads 1
timed "50 best" "$copse" nbest -m "$work/m.copse" -k 50 "$dev" -o "$work/dev.nbl" --threads 1
echo "most probable tree: $(f1 "$work/one.mrg")"
echo "most expected brackets: $(f1 "$work/mbr.mrg")"
