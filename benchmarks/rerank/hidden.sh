#!/usr/bin/env bash
# Hidden-variable rerankers and mixtures: hidden.sh DATA TREEBANK [COPSE [WORK]]
# DATA holds TREEBANK/{train,dev}.mrg (wsj-sample, craft); WORK the lists that run.sh with METHODS= makes.
# Members learn without the development lists, a fixed number of passes, so that mixtures are weighed on
# lists by which nothing of them was chosen: "each half of dev chosen by the other" is of such weights.
# MODELS ("domain:graph ..."), WHOLE (the same, with the features of whole trees), SEEDS (more of the
# first of MODELS), PASSES, BOOST (options of boosting), OPTIONS (of hidden models) and THREADS can be
# set in the environment; models that WORK holds already are not learnt again. Ends with the time of
# learning with and without sharing (SHARING= leaves that out).
set -euo pipefail
here=$(dirname "$0") data=$1/$2 copse=${3:-build/copse} work=${4:-/tmp/rerank-$2}
threads=${THREADS:-1}
train=(--lists "$work/train.nbl" --gold "$data/train.mrg" --threads "$threads")
dev=(--lists "$work/dev.nbl" --gold "$data/dev.mrg" --threads "$threads")
TIMEFORMAT='%U s of the processor'
[[ -s $work/dev.nbl ]] || METHODS='' "$here/run.sh" "$1" "$2" "$copse" "$work"

hidden() { # NAME DOMAIN:GRAPH OPTION...
  local name=$1 pair=$2
  shift 2
  echo "== $name"
  if [[ ! -s $work/$name.copse ]]; then
    # shellcheck disable=SC2086
    time "$copse" train reranker --method hidden --domain "${pair%:*}" --graph "${pair#*:}" \
      "${train[@]}" --passes "${PASSES:-5}" ${OPTIONS:-} "$@" -o "$work/$name.copse" \
      2> "$work/$name.log"
  fi
  grep -h '^train\|^warning\|^rate\|epoch' "$work/$name.log"
}

weigh() { # NAME BY MEMBER...
  local name=$1 by=$2 members=()
  shift 2
  for model in "$@"; do members+=(--member "$work/$model.copse"); done
  echo "== $name, weighed by $by"
  "$copse" train reranker --method mix --weigh "$by" "${members[@]}" "${dev[@]}" \
    -o "$work/$name.copse" 2>&1
}

mix() { # NAME MEMBER...
  weigh "$1-f1" f1 "${@:2}"
  weigh "$1" graded "${@:2}"
}

models=() whole=()
for pair in ${MODELS-supersense:sibling lexical:sibling highest-nt:dependency}; do
  models+=("hidden-${pair/:/-}")
  hidden "${models[-1]}" "$pair"
  mix "${models[-1]}-alone" "${models[-1]}"
done
for pair in ${WHOLE-lexical:sibling highest-nt:dependency}; do
  whole+=("whole-${pair/:/-}")
  hidden "${whole[-1]}" "$pair" --whole
  mix "${whole[-1]}-alone" "${whole[-1]}"
done
mix mix "${models[@]}"
if [[ ! -s $work/boost-alone.copse ]]; then
  # shellcheck disable=SC2086
  "$copse" train reranker --method boost "${train[@]}" ${BOOST:---rounds 10000 --smoothing 0.0025} -q \
    -o "$work/boost-alone.copse"
fi
mix boosting boost-alone
mix mix-and-boosting "${models[@]}" boost-alone
mix mix-plus "${models[@]}" boost-alone "${whole[@]}"
for seed in ${SEEDS-}; do
  first=${MODELS:-supersense:sibling}
  hidden "seed-$seed" "${first%% *}" --seed "$seed"
  mix "seed-$seed-alone" "seed-$seed"
done
time "$copse" rerank -m "$work/mix.copse" "$work/dev.nbl" -q -o "$work/mix.mrg"

[[ -n ${SHARING-yes} ]] || exit 0
for sharing in '' --no-sharing; do
  echo "== one pass, pos, sharing: ${sharing:-yes}"
  # shellcheck disable=SC2086
  time "$copse" train reranker --method hidden "${train[@]}" --rates 0.01 --passes 1 $sharing \
    -o "$work/sharing.copse" 2>&1 | grep lists/s
done
