#!/usr/bin/env bash
# Accuracy, speed and pruning of the spinal parser beside the generative one:
#   spinal.sh DATA WORK [COPSE [SET [CLUSTERS]]]
# DATA holds SET/{train,dev}.mrg, SET is wsj-sample or craft. Models, parses, checkpoints and what
# trainings share (tags, tagger, pruner) are kept in WORK and not made again; a training that was
# broken off goes on. Times are user seconds of one thread, tagging and pruning included: the training
# that comes first has the preparation in it. Dependencies are compared with those of the gold trees
# under the head table of the model (Yamada-Matsumoto).
# TRAIN, DEV: other trees than those of the set. OPTIONS: more options for the spinal models.
# ONLY=accuracy: without the sweep of alpha, the table of pruning and the dependencies.
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
learn_spinal() {  # name, name of what is shared, then options
  local name=$1 shared=$2
  shift 2
  learn "$name" --model spinal --prepared "$work/$shared.prepared" \
    --checkpoint "$work/$name.state" "$@" "${more[@]}"
}
compare() {  # name against name, on all trees and on those of the even half
  local half
  for half in "" -even; do
    echo "$1 against $2${half}:"
    "$copse" eval compare --gold "$work/gold$half.mrg" --a "$work/$2$half.mrg" --b "$work/$1$half.mrg" \
      --metric f1 --max-errors 1000000
  done
}

learn generative --model generative
learn_spinal second collins
learn_spinal first collins --first-order
compare second generative
compare second first
[ "${ONLY:-}" != accuracy ] || exit 0
for alpha in 1e-3 1e-4 1e-5 1e-6 1e-7; do
  timed "alpha $alpha" "$copse" parse -m "$work/second.copse" --alpha $alpha "$dev" --threads 1 \
    -o "$work/alpha.mrg"
  echo "alpha $alpha: $(f1 "$work/alpha.mrg")"
done
"$copse" eval pruning -m "$work/second.copse" --gold "$dev" --threads 1
learn_spinal dependencies yamada-matsumoto --heads yamada-matsumoto
"$copse" convert --from ptb --to conllx --heads yamada-matsumoto "$dev" -o "$work/gold.conllx"
"$copse" parse -m "$work/dependencies.copse" "$dev" --to conllx -o "$work/system.conllx" --threads 1
"$copse" eval dependency --gold "$work/gold.conllx" --system "$work/system.conllx" --punct ptb
