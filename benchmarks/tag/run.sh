#!/usr/bin/env bash
# Accuracy, training time and speed of the taggers on real data.
#   benchmarks/tag/run.sh DATA      DATA holds ewt/, wsj-sample/, ner/ (see docs/benchmarks.md)
# Times are user CPU seconds of one thread; speeds leave out starting and loading the model.
set -euo pipefail
data=$(realpath "${1:?usage: run.sh DATA}")
copse=$(realpath "$(dirname "$0")/../../build/copse")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
TIMEFORMAT=%U

seconds() { { time "$@" > /dev/null 2>&1; } 2>&1; }
train() { # name, arguments
  local name=$1; shift
  local used
  used=$( { time "$copse" train "$@" --threads 1 -o "$name.copse" 2> "$name.log" > /dev/null; } 2>&1 )
  echo "$name: $(grep '^dev' "$name.log" | tail -1)  trained in $used s"
}
speed() { # model, file, words
  local idle busy
  idle=$(seconds "$copse" tag -m "$1.copse" -q --threads 1 --from conllu /dev/null)
  busy=$(seconds "$copse" tag -m "$1.copse" -q --threads 1 "$2")
  awk -v i="$idle" -v b="$busy" -v n="$3" -v m="$1" \
    'BEGIN { printf "%s: %.0f tokens/s, reading and writing included\n", m, n / (b - i) }'
}

train ewt tagger --train "$data/ewt/train.conllu" --dev "$data/ewt/dev.conllu"
train ewt-xpos tagger --train "$data/ewt/train.conllu" --dev "$data/ewt/dev.conllu" --columns xpos
train ewt-upos tagger --train "$data/ewt/train.conllu" --dev "$data/ewt/dev.conllu" --columns upos
train wsj tagger --train "$data/wsj-sample/train.mrg" --dev "$data/wsj-sample/dev.mrg"
train wsj-maxent tagger --train "$data/wsj-sample/train.mrg" --dev "$data/wsj-sample/dev.mrg" --learner maxent
for set in wnut17 esp ned; do
  train "$set" entities --train "$data/ner/$set.train" --dev "$data/ner/$set.dev" --boundaries
done
for _ in 1 2 3 4 5 6 7 8 9 10; do cat "$data/ewt/dev.conllu"; done > ten.conllu
words=$(grep -c -P '^[0-9]+\t' ten.conllu)
for model in ewt ewt-upos ewt-xpos; do speed "$model" ten.conllu "$words"; done
