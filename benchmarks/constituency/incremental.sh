#!/usr/bin/env bash
# Accuracy and speed of the incremental parser:
#   incremental.sh DATA WORK [COPSE [SET [CLUSTERS]]]
# DATA holds SET/{train,dev}.mrg, SET is wsj-sample or craft. Models and parses are kept in WORK and
# not made again. Times are user seconds of one thread, loading and tagging included. Odd and even:
# halves of the development sentences; the pass of a training is chosen on all of them.
# MIX: weights of the generative model to try in one training (0 is without it); training tells what
# each half of the development trees says of the weight and pass that the other half chose.
# CURVES=1: early and full update, with and without the cache, without punctuation features, by pass, on
# the first TREES (1000) trees. SPEED=1: sentences/s and time by length (bench_incremental).
# SURPRISAL=1: correlation with bigrams. OPTIONS: more options of every training, for example "--passes 3 --training-beam 8".
set -euo pipefail
data=$1
work=$2
copse=${3:-build/copse}
set=${4:-wsj-sample}
clusters=${5:-}
train=${TRAIN:-$data/$set/train.mrg}
dev=${DEV:-$data/$set/dev.mrg}
more=()
[ -z "$clusters" ] || more+=(--clusters "$clusters")
read -r -a given <<< "${OPTIONS:-}"
here=$(dirname "$0")
# shellcheck source=benchmarks/constituency/trees.sh
source "$(dirname "$0")/trees.sh"

learn() {  # name, then options
  local name=$1
  shift
  [ -s "$work/$name.copse" ] || timed "train $name" "$copse" train constituency --model incremental \
    --dev "$dev" --threads 1 -o "$work/$name.copse" "${given[@]}" "$@" "${more[@]}" \
    > "$work/$name.log" 2>&1
  grep -hE 'epoch|chosen on' "$work/$name.log" | sed "s/^/$name: /"
}

learn perceptron --train "$train"
judge perceptron
learn mixed --train "$train" --mix "${MIX:-1,2,5,10}"
judge mixed
for beam in 8 64; do
  timed "beam $beam" "$copse" parse -m "$work/perceptron.copse" --beam-size $beam "$dev" \
    -o "$work/beam-$beam.mrg" --threads 1
  echo "beam $beam: $(f1 "$work/beam-$beam.mrg")"
done
if [ -n "${CURVES:-}" ]; then
  head -n "${TREES:-1000}" "$train" > "$work/some.mrg"
  given=()
  learn_some() { learn "$1" --train "$work/some.mrg" --training-beam 8 --beam-size 8 --passes 4 "${@:2}"; }
  learn_some early --update early
  learn_some full --update full
  learn_some early-cache --update early --cache-rounds 5
  learn_some early-no-punctuation --update early --no-punctuation-features
  "$here/plot_incremental.py" passes "$work"/{early,full,early-cache,early-no-punctuation}.log \
    > "$work/incremental-passes.svg"
fi
if [ -n "${SPEED:-}" ]; then
  "$(dirname "$copse")/benchmarks/constituency/bench_incremental" "$work/perceptron.copse" "$dev" \
    | tee "$work/speed.txt"
  "$here/plot_incremental.py" length "$work/speed.txt" > "$work/incremental-length.svg"
fi
if [ -n "${SURPRISAL:-}" ]; then
  "$copse" parse -m "$work/mixed.copse" --surprisal "$dev" --threads 1 > "$work/surprisal.txt"
  "$here/surprisal.py" "$train" "$work/surprisal.txt"
fi
