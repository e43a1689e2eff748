#!/usr/bin/env bash
# Accuracy and speed of the incremental parser:
#   incremental.sh DATA WORK [COPSE [SET [CLUSTERS]]]
# DATA holds SET/{train,dev}.mrg, SET is wsj-sample or craft. Models and parses are kept in WORK and
# not made again. Times are user seconds of one thread, loading and tagging included. Odd and even:
# halves of the development sentences; the pass of a training is chosen on all of them.
# MIXES: weights of the generative model to try (0 is without it). CURVES=1: also early and full
# update, with the cache, without punctuation features, by pass. LONG=1: time by length.
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
mkdir -p "$work"

timed() {  # title, command: only user time is told
  local title=$1
  shift
  local TIMEFORMAT="$title: %U s"
  time "$@"
}
f1() {
  "$copse" eval constituency --gold "$1" --system "$2" --summary |
    grep -E -m 5 'Recall|Precision|FMeasure|Complete|Tagging' | tr -s ' ' | tr '\n' ';'
  echo
}
learn() {  # name, then options
  local name=$1
  shift
  [ -s "$work/$name.copse" ] || timed "train $name" "$copse" train constituency --model incremental \
    --train "$train" --dev "$dev" --threads 1 -o "$work/$name.copse" "$@" "${more[@]}" \
    > "$work/$name.log" 2>&1
  grep -h '^epoch' "$work/$name.log" | sed "s/^/$name: /"
}
judge() {  # name
  timed "parse $1" "$copse" parse -m "$work/$1.copse" "$dev" -o "$work/$1.mrg" --threads 1
  awk 'NR % 2 == 1' "$work/$1.mrg" > "$work/odd.mrg"
  awk 'NR % 2 == 0' "$work/$1.mrg" > "$work/even.mrg"
  echo "$1: $(f1 "$work/gold.mrg" "$work/$1.mrg")"
  echo "$1, odd: $(f1 "$work/gold-odd.mrg" "$work/odd.mrg")"
  echo "$1, even: $(f1 "$work/gold-even.mrg" "$work/even.mrg")"
}

"$copse" convert "$dev" --to ptb --clean --outer TOP -o "$work/gold.mrg"
awk 'NR % 2 == 1' "$work/gold.mrg" > "$work/gold-odd.mrg"
awk 'NR % 2 == 0' "$work/gold.mrg" > "$work/gold-even.mrg"
for mix in ${MIXES:-0 2}; do
  learn "mix-$mix" --mix "$mix"
  judge "mix-$mix"
done
for beam in 8 64; do
  timed "beam $beam" "$copse" parse -m "$work/mix-0.copse" --beam-size $beam "$dev" \
    -o "$work/beam.mrg" --threads 1
  echo "beam $beam: $(f1 "$work/gold.mrg" "$work/beam.mrg")"
done
if [ -n "${CURVES:-}" ]; then
  learn early --update early
  learn full --update full
  learn early-cache --update early --cache-rounds 5
  learn early-no-punctuation --update early --no-punctuation-features
fi
if [ -n "${LONG:-}" ]; then  # sentences of one length, 2000 words of each
  for length in 10 20 40 80 160 300; do
    "$copse" convert "$dev" --to text | tr '\n' ' ' | tr -s ' ' | tr ' ' '\n' | head -n 6000 |
      awk -v n=$length '{ printf "%s%s", $0, NR % n ? " " : "\n" }' > "$work/long.txt"
    timed "6000 words in sentences of $length" "$copse" parse -m "$work/mix-0.copse" --beam-size 8 \
      --from text "$work/long.txt" -o "$work/long.mrg" --threads 1
  done
fi
