#!/usr/bin/env bash
# What boosting gains by number of candidates (craft) and by group of features (wsj-sample):
# sweeps.sh DATA [COPSE [WORK]]
# DATA holds {craft,wsj-sample}/{train,dev}.mrg. Lists are made once by run.sh and kept in
# WORK/TREEBANK. Each run leaves what it printed in WORK/TREEBANK/sweep-*.json and is not done again
# while that is there. Makes WORK/{candidates,groups}.{svg,md}, the plots and tables of
# docs/reranking.md. CANDIDATES, SWEEPS and THREADS can be set in the environment; with SWEEP=wsj-sample
# the candidates are counted there.
set -euo pipefail
data=$1 copse=${2:-build/copse} work=${3:-/tmp/rerank}
here=$(dirname "$0")

# Trains on TREEBANK with further options; what each half of dev reaches is in the JSON.
run() {
  local lists=$work/$1 trees=$data/$1 json=$work/$1/sweep-$2.json
  shift 2
  if [[ -s $json ]]; then return; fi
  "$copse" train reranker --json -q --threads "${THREADS:-1}" \
    --lists "$lists/train.nbl" --gold "$trees/train.mrg" --dev-lists "$lists/dev.nbl" \
    --dev-gold "$trees/dev.mrg" "$@" -o "$lists/sweep.copse" > "$json.part"
  mv "$json.part" "$json"
}

lists_of() { METHODS='' "$here/run.sh" "$data" "$1" "$copse" "$work/$1"; }

candidates() {
  local treebank=${SWEEP:-craft} smoothing=0.001
  if [[ $treebank == wsj-sample ]]; then smoothing=0.0025; fi
  lists_of "$treebank"
  for n in ${CANDIDATES:-2 5 10 20 27 40}; do
    run "$treebank" "candidates-$n" --rounds 5000 --smoothing "$smoothing" --max-candidates "$n"
  done
  "$here/plot_sweeps.py" candidates "$work/$treebank"/sweep-candidates-*.json --svg "$work/candidates.svg" \
    > "$work/candidates.md"
}

# Groups added one by one in the order of the table; the second pass over closed classes is the last.
groups() {
  lists_of wsj-sample
  local table=$here/../../copse/rerank/data/tree.features number=0 lines
  : > "$work/groups.features"
  for group in rule bigram rule-grandparent bigram-grandparent bigram-lexical rule-two-level \
    bigram-two-level trigram head-modifier pp distance closed; do
    case $group in
      pp) lines='pp|pp-bare' ;;
      closed) lines='[a-z-]+/closed' ;;
      *) lines=$group ;;
    esac
    grep -E "^($lines) " "$table" >> "$work/groups.features"
    number=$((number + 1))
    run wsj-sample "groups-$(printf %02d $number)-$group" --rounds 3000 --smoothing 0.0025 \
      --max-candidates 10 --tree-features "$work/groups.features"
  done
  "$here/plot_sweeps.py" groups "$work"/wsj-sample/sweep-groups-*.json --svg "$work/groups.svg" \
    > "$work/groups.md"
}

for sweep in ${SWEEPS:-candidates groups}; do
  "$sweep"
done
