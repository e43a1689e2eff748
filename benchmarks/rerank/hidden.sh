#!/usr/bin/env bash
# Hidden-variable rerankers and mixtures: hidden.sh DATA TREEBANK [COPSE [WORK]]
# DATA holds TREEBANK/{train,dev}.mrg (wsj-sample, craft); WORK the lists that run.sh with METHODS= makes.
# Members learn without the development lists, a fixed number of passes, so that mixtures are weighed on
# lists by which nothing of them was chosen: "each half of dev chosen by the other" is of such weights.
# MODELS ("domain:graph ..."), PASSES, BOOST (options of boosting), OPTIONS (of hidden models) and THREADS
# can be set in the environment. Ends with the time of learning with and without sharing.
set -euo pipefail
here=$(dirname "$0") data=$1/$2 copse=${3:-build/copse} work=${4:-/tmp/rerank-$2}
threads=${THREADS:-1}
train=(--lists "$work/train.nbl" --gold "$data/train.mrg" --threads "$threads")
dev=(--lists "$work/dev.nbl" --gold "$data/dev.mrg" --threads "$threads")
TIMEFORMAT='%U s of the processor'
[[ -s $work/dev.nbl ]] || METHODS='' "$here/run.sh" "$1" "$2" "$copse" "$work"

mix() { # NAME MEMBER...
  local name=$1 members=()
  shift
  for model in "$@"; do members+=(--member "$model"); done
  echo "== $name"
  "$copse" train reranker --method mix "${members[@]}" "${dev[@]}" -o "$work/$name.copse" 2>&1
}

models=()
for pair in ${MODELS-supersense:sibling lexical:sibling highest-nt:dependency}; do
  name=hidden-${pair/:/-}
  echo "== $name"
  # shellcheck disable=SC2086
  time "$copse" train reranker --method hidden --domain "${pair%:*}" --graph "${pair#*:}" "${train[@]}" \
    --passes "${PASSES:-5}" ${OPTIONS:-} -o "$work/$name.copse" 2> "$work/$name.log"
  grep -h '^train\|^warning\|epoch' "$work/$name.log"
  models+=("$work/$name.copse")
  mix "$name-alone" "$work/$name.copse"
done
mix mix "${models[@]}"
# shellcheck disable=SC2086
"$copse" train reranker --method boost "${train[@]}" ${BOOST:---rounds 10000 --smoothing 0.0025} -q \
  -o "$work/boost-alone.copse"
mix boosting "$work/boost-alone.copse"
mix mix-plus "${models[@]}" "$work/boost-alone.copse"
time "$copse" rerank -m "$work/mix.copse" "$work/dev.nbl" -q -o "$work/mix.mrg"

for sharing in '' --no-sharing; do
  echo "== one pass, pos, sharing: ${sharing:-yes}"
  # shellcheck disable=SC2086
  time "$copse" train reranker --method hidden "${train[@]}" --passes 1 $sharing \
    -o "$work/sharing.copse" 2>&1 | grep lists/s
done
