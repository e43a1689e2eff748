#!/usr/bin/env bash
# Accuracy and speed of the spinal parser beside the generative one: spinal.sh DATA [COPSE [SET]]
# DATA holds SET/{train,dev}.mrg, SET is wsj-sample or craft. Times are user seconds of one thread,
# tagging and pruning included. Dependencies are compared with those of the gold trees under the same
# head table (Yamada-Matsumoto), which the second model is trained with.
set -euo pipefail
data=$1
copse=${2:-build/copse}
set=${3:-wsj-sample}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
train=$data/$set/train.mrg
dev=$data/$set/dev.mrg

timed() {
  local title=$1
  shift
  local TIMEFORMAT="$title: %U s"
  time "$@"
}
f1() {
  "$copse" eval constituency --gold "$work/gold.mrg" --system "$1" --json |
    grep -E '^  "(f1|precision|recall|exact|tagging|n)"' | tr -d '\n'
  echo
}
learn() {  # name, then options
  local name=$1
  shift
  timed "train $name" "$copse" train constituency --train "$train" --threads 1 -q \
    -o "$work/$name.copse" "$@"
  timed "parse $name" "$copse" parse -m "$work/$name.copse" "$dev" -o "$work/$name.mrg" --threads 1
  echo "$name: $(f1 "$work/$name.mrg")"
}

"$copse" convert "$dev" --to ptb --clean --outer TOP -o "$work/gold.mrg"
learn generative --model generative
learn first --model spinal --first-order
learn second --model spinal
for other in generative first; do
  echo "second order against $other:"
  "$copse" eval compare --gold "$work/gold.mrg" --a "$work/$other.mrg" --b "$work/second.mrg" \
    --metric f1
done
for alpha in 1e-3 1e-4 1e-5 1e-6; do
  timed "alpha $alpha" "$copse" parse -m "$work/second.copse" --alpha $alpha "$dev" --threads 1 \
    -o "$work/alpha.mrg"
  echo "alpha $alpha: $(f1 "$work/alpha.mrg")"
done
learn dependencies --model spinal --heads yamada-matsumoto
"$copse" convert --from ptb --to conllx --heads yamada-matsumoto "$dev" -o "$work/gold.conllx"
"$copse" parse -m "$work/dependencies.copse" "$dev" --to conllx -o "$work/system.conllx" --threads 1
"$copse" eval dependency --gold "$work/gold.conllx" --system "$work/system.conllx" --punct ptb
