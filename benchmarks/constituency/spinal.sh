#!/usr/bin/env bash
# Accuracy and speed of the spinal parser beside the generative one:
#   spinal.sh DATA WORK [COPSE [SET [CLUSTERS]]]
# DATA holds SET/{train,dev}.mrg, SET is wsj-sample or craft. Models and parses are kept in WORK and
# not made again. Times are user seconds of one thread, tagging and pruning included. Dependencies are
# compared with those of the gold trees under the head table of the model (Yamada-Matsumoto).
# TRAIN, DEV: other trees than those of the set. OPTIONS: more options for the spinal models.
set -euo pipefail
data=$1
work=$2
copse=${3:-build/copse}
set=${4:-wsj-sample}
clusters=${5:-}
train=${TRAIN:-$data/$set/train.mrg}
dev=${DEV:-$data/$set/dev.mrg}
read -r -a more <<< "${OPTIONS:-}"
[ -z "$clusters" ] || more+=(--clusters "$clusters")
# shellcheck source=benchmarks/constituency/trees.sh
source "$(dirname "$0")/trees.sh"

learn() {  # name, then options
  local name=$1
  shift
  [ -s "$work/$name.copse" ] || timed "train $name" "$copse" train constituency --train "$train" \
    --threads 1 -q -o "$work/$name.copse" "$@"
  judge "$name"
}

learn generative --model generative
learn second --model spinal "${more[@]}"
learn first --model spinal --first-order "${more[@]}"
for other in generative first; do
  echo "second order against $other:"
  "$copse" eval compare --gold "$work/gold.mrg" --a "$work/$other.mrg" --b "$work/second.mrg" \
    --metric f1
done
for alpha in 1e-3 1e-4 1e-5 1e-6 1e-7; do
  timed "alpha $alpha" "$copse" parse -m "$work/second.copse" --alpha $alpha "$dev" --threads 1 \
    -o "$work/alpha.mrg"
  echo "alpha $alpha: $(f1 "$work/alpha.mrg")"
done
"$copse" eval pruning -m "$work/second.copse" --gold "$dev" --threads 1
learn dependencies --model spinal --heads yamada-matsumoto "${more[@]}"
"$copse" convert --from ptb --to conllx --heads yamada-matsumoto "$dev" -o "$work/gold.conllx"
"$copse" parse -m "$work/dependencies.copse" "$dev" --to conllx -o "$work/system.conllx" --threads 1
"$copse" eval dependency --gold "$work/gold.conllx" --system "$work/system.conllx" --punct ptb
