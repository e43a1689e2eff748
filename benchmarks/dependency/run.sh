#!/usr/bin/env bash
# Accuracy, training time, size and speed of the dependency parser on real data.
#   benchmarks/dependency/run.sh DATA [CLUSTERS]
# DATA holds ewt/ and wsj-sample/ (see docs/benchmarks.md); CLUSTERS is a file of 'copse cluster'.
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

# The Penn Treebank sample, unlabelled, Yamada & Matsumoto heads, predicted tags.
for part in train dev; do
  "$copse" convert -q --to conllu --heads yamada-matsumoto --unlabelled "$data/wsj-sample/$part.mrg" -o "$part.conllu"
done
"$copse" train tagger -q --train train.conllu --jackknife 10 -o jackknifed.conllu
"$copse" train tagger -q --train train.conllu -o wsj-tagger.copse
"$copse" tag -q -m wsj-tagger.copse dev.conllu -o tagged.conllu
wsj=(--train jackknifed.conllu --dev tagged.conllu --unlabeled)
for order in first sibling carreras model0 model1 model2; do
  train "wsj-$order" "${wsj[@]}" --order "$order"
  score "wsj-$order" tagged.conllu dev.conllu --punct ptb
done
train wsj-no-tags "${wsj[@]}" --order first --no-tags
score wsj-no-tags tagged.conllu dev.conllu --punct ptb
[ -n "$clusters" ] || exit 0
for order in first carreras model1; do
  train "wsj-$order-clusters" "${wsj[@]}" --order "$order" --clusters "$clusters"
  score "wsj-$order-clusters" tagged.conllu dev.conllu --punct ptb
  "$copse" eval compare --gold dev.conllu --a "wsj-$order.conllu" --b "wsj-$order-clusters.conllu" \
    --metric uas --punct ptb | sed 's/^/  /'
done
train wsj-no-tags-clusters "${wsj[@]}" --order first --no-tags --clusters "$clusters"
score wsj-no-tags-clusters tagged.conllu dev.conllu --punct ptb
"$copse" train dependency "${wsj[@]}" --order first --clusters "$clusters" \
  --learning-curve 500,1000,2000,2967 -o curve.svg 2> curve.log

# The tagger may have the clusters, too.
"$copse" train tagger -q --train train.conllu --clusters "$clusters" --jackknife 10 -o jackknifed-c.conllu
"$copse" train tagger -q --train train.conllu --clusters "$clusters" -o wsj-tagger-c.copse
"$copse" tag -q -m wsj-tagger-c.copse dev.conllu -o tagged-c.conllu
for order in first carreras model1; do
  train "wsj-$order-both" --train jackknifed-c.conllu --dev tagged-c.conllu --unlabeled --order "$order" \
    --clusters "$clusters"
  score "wsj-$order-both" tagged-c.conllu dev.conllu --punct ptb
  "$copse" eval compare --gold dev.conllu --a "wsj-$order.conllu" --b "wsj-$order-both.conllu" \
    --metric uas --punct ptb | sed 's/^/  /'
done
