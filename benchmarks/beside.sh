#!/usr/bin/env bash
# Two builds of copse side by side, one after the other on each task: accuracy, user seconds of
# training and of use, and whether the answers are the same bytes.
#   benchmarks/beside.sh OLD NEW DATA
# OLD and NEW are programs; DATA holds ewt/, wsj-sample/ and raw/ (see docs/benchmarks.md). Times are
# user CPU time of one thread, the least of three runs where they are short. SENTENCES: of EWT to learn
# from (4000).
set -eEuo pipefail
usage='usage: beside.sh OLD NEW DATA'
old=$(realpath "${1:?$usage}") new=$(realpath "${2:?$usage}") data=$(realpath "${3:?$usage}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'tail -n 3 log >&2' ERR
cd "$work"

seconds() { { TIMEFORMAT=%U; time "$@" > /dev/null 2>> log; } 2>&1; }
least() { for _ in 1 2 3; do seconds "$@"; done | sort -n | head -1; }
program() { if [ "$1" = old ]; then echo "$old"; else echo "$new"; fi; }

# Both are judged by the new program.
# row TASK: what `learn`, `use` and `judge` of the task say, for both programs.
row() {
  local which time_learn time_use figure
  for which in old new; do
    copse=$(program $which)
    time_learn=$(seconds learn $which)
    time_use=$(least use $which)
    figure=$(judge $which)
    printf '%s\t%s\t%s\t%s\t%s\n' "$1" $which "$time_learn" "$time_use" "$figure"
  done
  if cmp -s old.out new.out; then echo "$1: the same bytes out"; else echo "$1: other bytes out"; fi
}

# The first sentences of a treebank with blank lines between them.
first() { awk -v n="$1" 'BEGIN { RS = ""; ORS = "\n\n" } NR <= n' "$2"; }
first ${SENTENCES:-4000} "$data/ewt/train.conllu" > train.conllu
first 1000 "$data/ewt/dev.conllu" > dev.conllu
grep '^# text = ' "$data/ewt/dev.conllu" | cut -c10- > dev.txt
for _ in $(seq 20); do cat dev.txt; done > text.txt

printf 'task\tprogram\ttraining (s)\tuse (s)\tfigure\n'
learn() { "$copse" train tokenizer -q --threads 1 --train train.conllu --dev dev.conllu -o $1.copse; }
use() { "$copse" tokenize -q --threads 1 -m $1.copse text.txt -o $1.out; }
judge() { "$copse" tokenize -q -m $1.copse dev.txt | grep -c -P '^[0-9]+\t'; }
row tokeniser

learn() { "$copse" train tagger -q --threads 1 --train train.conllu -o $1.copse; }
use() { "$copse" tag -q --threads 1 -m $1.copse dev.conllu --to conllu -o $1.out; }
judge() { "$new" eval tags --gold dev.conllu --system $1.out | head -3 | tail -n 2 | tr '\n' ' '; }
row tagger

for order in first model1; do
  learn() { "$copse" train dependency -q --threads 1 --train train.conllu --order $order --passes 5 -o $1.copse; }
  use() { "$copse" parse -q --threads 1 -m $1.copse dev.conllu --to conllu -o $1.out; }
  judge() { "$new" eval dependency --gold dev.conllu --system $1.out | head -2 | tr '\n' ' '; }
  row "dependency $order"
done

learn() { "$copse" train constituency -q --threads 1 --train "$data/wsj-sample/train.mrg" -o $1.copse; }
use() { "$copse" parse -q --threads 1 -m $1.copse "$data/wsj-sample/dev.mrg" --to ptb -o $1.out; }
judge() { "$new" eval constituency --gold "$data/wsj-sample/dev.mrg" --system $1.out | grep -m 1 FMeasure; }
row constituency

raw=$(find "$data/raw" -name '*.gz' | sort | head -1)
zcat "$raw" | head -c 8000000 > raw.txt || true
learn() { "$copse" cluster -q --threads 1 raw.txt -c 100 -o $1.out; }
use() { "$copse" cluster --tree $1.out; }
judge() { wc -l < $1.out; }
row clusters

learn() { :; }
use() { "$copse" eval dependency --gold "$data/ewt/train.conllu" --system "$data/ewt/train.conllu" > $1.out; }
judge() { head -1 $1.out; }
row "evaluation, dependencies"
use() { "$copse" eval constituency --gold "$data/wsj-sample/train.mrg" --system "$data/wsj-sample/train.mrg" > $1.out; }
row "evaluation, brackets"
use() { "$copse" convert -q --to conllx "$data/ewt/train.conllu" -o $1.out; }
judge() { wc -l < $1.out; }
row conversion
