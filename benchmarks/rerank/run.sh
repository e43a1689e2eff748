#!/usr/bin/env bash
# Accuracy of rerankers: run.sh DATA TREEBANK [COPSE [WORK]]
# DATA holds TREEBANK/{train,dev}.mrg (wsj-sample, craft). Lists are made once and kept in WORK.
# What has to be chosen is chosen on one half of the development sentences and reported on the other,
# both ways ("each half of dev chosen by the other"); then the saved model, which all of them chose, is
# applied and scored. Rounds of boosting: WORK/rounds.tsv, for plot_rounds.py.
# METHODS, K, FOLDS, WITHIN, THREADS and OPTIONS (of train reranker) can be set in the environment;
# with METHODS= it only makes the lists.
set -euo pipefail
data=$1/$2 copse=${3:-build/copse} work=${4:-/tmp/rerank-$2}
threads=${THREADS:-1}
mkdir -p "$work"
if [[ ! -s $work/dev.nbl ]]; then
  "$copse" train reranker-data --train "$data/train.mrg" --dev "$data/dev.mrg" --folds "${FOLDS:-5}" \
    -k "${K:-50}" --within "${WITHIN:-1000}" --threads "$threads" -o "$work/train.nbl" \
    --dev-output "$work/dev.nbl"
fi
"$copse" convert "$data/dev.mrg" --to ptb --clean --outer TOP -o "$work/gold.mrg"
TIMEFORMAT='%U s of the processor'
for method in ${METHODS-boost logboost loglinear perceptron}; do
  echo "== $method"
  log=()
  if [[ $method == boost ]]; then log=(--round-log "$work/rounds.tsv"); fi
  # shellcheck disable=SC2086
  time "$copse" train reranker --method "$method" --lists "$work/train.nbl" --gold "$data/train.mrg" \
    --dev-lists "$work/dev.nbl" --dev-gold "$data/dev.mrg" --threads "$threads" "${log[@]}" \
    ${OPTIONS:-} -o "$work/$method.copse" 2> "$work/$method.log"
  grep -h '^train\|^chosen\|^kept\|^each half' "$work/$method.log"
  time "$copse" rerank -m "$work/$method.copse" "$work/dev.nbl" -q -o "$work/$method.mrg"
  "$copse" eval constituency --gold "$work/gold.mrg" --system "$work/$method.mrg" --json \
    --max-errors 1000000 2> /dev/null | grep -E '^  "(f1|n|errors)"'
done
