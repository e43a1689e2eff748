#!/usr/bin/env bash
# Accuracy of rerankers: run.sh DATA TREEBANK [COPSE [WORK]]
# DATA holds TREEBANK/{train,dev}.mrg (wsj-sample, craft). Lists are made once and kept in WORK.
# What has to be chosen is chosen on one half of the development sentences and reported on the other,
# both ways; the figure is of all development sentences, against the parser's most probable trees.
# METHODS, K, FOLDS, WITHIN, THREADS and OPTIONS (of train reranker) can be set in the environment.
set -euo pipefail
data=$1/$2 copse=${3:-build/copse} work=${4:-/tmp/rerank-$2}
threads=${THREADS:-1}
here=$(dirname "$0")
mkdir -p "$work"
if [[ ! -s $work/dev.nbl ]]; then
  "$copse" train reranker-data --train "$data/train.mrg" --dev "$data/dev.mrg" --folds "${FOLDS:-5}" \
    -k "${K:-50}" --within "${WITHIN:-1000}" --threads "$threads" -o "$work/train.nbl" \
    --dev-output "$work/dev.nbl"
fi
"$copse" convert "$data/dev.mrg" --to ptb --clean --outer TOP -o "$work/gold.mrg"
"$copse" nbest --lists "$work/dev.nbl" -o "$work/dev.txt"
python3 "$here/halves.py" "$work/dev.txt" "$data/dev.mrg" "$work/half"
for method in ${METHODS:-boost logboost loglinear perceptron}; do
  for half in 0 1; do
    other=$((1 - half))
    # shellcheck disable=SC2086
    "$copse" train reranker --method "$method" --lists "$work/train.nbl" --gold "$data/train.mrg" \
      --dev-lists "$work/half$half.txt" --dev-gold "$work/half$half.mrg" --threads "$threads" \
      ${OPTIONS:-} -o "$work/$method$half.copse" 2> "$work/$method$half.log"
    "$copse" rerank -m "$work/$method$half.copse" "$work/half$other.txt" -o "$work/$method$other.out"
  done
  paste -d '\n' "$work/${method}0.out" "$work/${method}1.out" | sed '/^$/d' > "$work/$method.mrg"
  echo "== $method"
  grep -h '^chosen' "$work/$method"[01].log
  "$copse" eval compare --gold "$work/gold.mrg" --a "$work/first.mrg" --b "$work/$method.mrg" --metric f1
done
