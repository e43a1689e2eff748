#!/usr/bin/env bash
# Accuracy, training time, size and speed of the dependency parser on real data.
#   benchmarks/dependency/run.sh DATA [CLUSTERS]
# DATA holds ewt/ (see docs/benchmarks.md); CLUSTERS is a file of 'copse cluster'. The Penn Treebank's
# sample and other languages: benchmarks/papers/.
# Speeds are user CPU time of one thread, without starting and loading the model.
set -euo pipefail
data=$(realpath "${1:?usage: run.sh DATA [CLUSTERS]}")
clusters=${2:+$(realpath "$2")}
copse=$(realpath "$(dirname "$0")/../../build/copse")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

seconds() { { TIMEFORMAT=%U; time "$@" > /dev/null 2>&1; } 2>&1; }
train() { # name, arguments
  local name=$1; shift
  /usr/bin/time -o "$name.time" -f "%e s, %M KB" "$copse" train dependency "$@" -o "$name.copse" 2> "$name.log"
  echo "$name: $(grep -c '^pass' "$name.log") passes, $(cat "$name.time"), $(stat -c %s "$name.copse") bytes"
  grep -E '^(arcs|temperature)' "$name.log" | sed 's/^/  /'
}
score() { # name, input, gold, arguments of eval
  local name=$1 input=$2 gold=$3; shift 3
  "$copse" parse -q -m "$name.copse" "$input" -o "$name.conllu"
  "$copse" eval dependency --gold "$gold" --system "$name.conllu" "$@" | head -2 | sed 's/^/  /'
}
speed() { # name
  local idle busy
  idle=$(seconds "$copse" parse -m "$1.copse" -q --threads 1 --from conllu /dev/null)
  busy=$(seconds "$copse" parse -m "$1.copse" -q --threads 1 four.conllu)
  awk -v i="$idle" -v b="$busy" -v n="$words" \
    'BEGIN { printf "  %.0f tokens/s, reading and writing included\n", n / (b - i) }'
}

ewt=(--train "$data/ewt/train.conllu" --dev "$data/ewt/dev.conllu")
for _ in 1 2 3 4; do cat "$data/ewt/dev.conllu"; done > four.conllu
words=$(grep -c -P '^[0-9]+\t' four.conllu)
for order in first model1; do
  train "ewt-$order" "${ewt[@]}" --order "$order"
  score "ewt-$order" "$data/ewt/dev.conllu" "$data/ewt/dev.conllu"
  speed "ewt-$order"
done

# Predicted tags: those of the training data by taggers that have not seen them.
"$copse" train tagger -q --train "$data/ewt/train.conllu" --jackknife 5 -o ewt.jackknifed.conllu
"$copse" train tagger -q --train "$data/ewt/train.conllu" -o ewt-tagger.copse
"$copse" tag -q -m ewt-tagger.copse "$data/ewt/dev.conllu" -o ewt.tagged.conllu
train ewt-predicted --train ewt.jackknifed.conllu --dev ewt.tagged.conllu
score ewt-predicted ewt.tagged.conllu "$data/ewt/dev.conllu"
if [ -n "$clusters" ]; then
  train ewt-predicted-clusters --train ewt.jackknifed.conllu --dev ewt.tagged.conllu --clusters "$clusters"
  score ewt-predicted-clusters ewt.tagged.conllu "$data/ewt/dev.conllu"
fi
