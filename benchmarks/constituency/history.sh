#!/usr/bin/env bash
# Accuracy and speed of the history parser, and of rerankers with features derived from it:
#   history.sh DATA WORK [COPSE [SET]]
# DATA holds SET/{train,dev}.mrg, SET is wsj-sample or craft. Models, lists and logs are kept in WORK and
# not made again; a training that was broken off goes on. The pass of a training is chosen on every
# CHOOSE-th development tree (2: the odd half), so that the even half chose nothing. F1 by pass is drawn as
# WORK/history-passes.svg.
# PAPER=1: the network of the paper as well. KERNELS=1: Fisher, TOP and efficient TOP on lists of its 20
# best trees; FOLDS parts of the training trees are parsed by networks that have not seen them, 0: by
# the one that learnt from them. OPTIONS: more options of every training, GATED: of the gated one.
# EVENTS=1: instead of all that, TOP kernels of the generative parser's events over its own lists.
# MERGED=1: instead of all that, rerankers of whole trees (METHODS) on lists of the generative parser, and
# on those merged with lists of the gated network, both jackknifed (3 parts; PASSES of each network). RERANK: more options of rerankers.
set -euo pipefail
data=$1
work=$2
copse=${3:-build/copse}
set=${4:-wsj-sample}
train=${TRAIN:-$data/$set/train.mrg}
dev=${DEV:-$data/$set/dev.mrg}
folds=${FOLDS:-0}
read -r -a given <<< "${OPTIONS:-}"
here=$(dirname "$0")
paper=(--plain-cells --words-by-pairs --words-ahead 0 --few-features --optimiser sgd --dropout 0
  --descent-passes 40)
# shellcheck source=benchmarks/constituency/trees.sh
source "$(dirname "$0")/trees.sh"
every=${CHOOSE:-2}
read -r -a gated <<< "${GATED:-}"
awk -v n="$every" 'NR % n == 1' "$dev" > "$work/choose.mrg"

generative_lists() {
  [ -s "$work/generative.nbl" ] || "$copse" train reranker-data --train "$train" --dev "$dev" --folds 5 \
    -k 50 --within 1000 --threads 1 -o "$work/generative.nbl" --dev-output "$work/generative-dev.nbl"
}
learn() {  # name, then options
  local name=$1
  shift
  [ -s "$work/$name.copse" ] || timed "train $name" "$copse" train constituency --model history \
    --train "$train" --dev "$work/choose.mrg" --threads 1 --checkpoint "$work/$name.state" -o "$work/$name.copse" "$@" \
    "${given[@]}" >> "$work/$name.log" 2>&1
  grep -h 'epoch' "$work/$name.log" | sed "s/^/$name: /"
}
lists() {  # the 20 best trees of the paper's network
  [ -s "$work/dev.nbl" ] || "$copse" nbest -m "$work/paper.copse" -k 20 "$dev" -o "$work/dev.nbl"
  [ -s "$work/train.nbl" ] && return
  if [ "$folds" = 0 ]; then
    "$copse" nbest -m "$work/paper.copse" -k 20 "$train" -o "$work/train.nbl"
  else
    "$copse" train reranker-data --model history --train "$train" --folds "$folds" -k 20 \
      -o "$work/train.nbl" "${paper[@]}" "${given[@]}"
  fi
}

if [ -n "${EVENTS:-}" ]; then
  [ -s "$work/generative.copse" ] ||
    "$copse" train constituency --train "$train" --threads 1 -q -o "$work/generative.copse"
  generative_lists
  rerank() {  # title, then options
    echo "== $1"
    timed "train $1" "$copse" train reranker --method top-efficient --lists "$work/generative.nbl" \
      --gold "$train" --dev-lists "$work/generative-dev.nbl" --dev-gold "$dev" --threads 1 \
      -o "$work/$1.copse" "${@:2}"
  }
  rerank events --gradients "$work/generative.copse"
  rerank events-vote --gradients "$work/generative.copse" --vote
  rerank rules
  exit 0
fi
if [ -n "${MERGED:-}" ]; then
  passes=${PASSES:-12} parts=3
  generative_lists
  "$copse" nbest --lists "$work/generative.nbl" -o "$work/generative.txt"
  count=$(wc -l < "$train")
  network() {  # NAME TREES
    [ -s "$work/$1.copse" ] || timed "train $1" "$copse" train constituency --model history --train "$2" \
      --descent-passes "$passes" --threads 1 -q "${gated[@]}" "${given[@]}" -o "$work/$1.copse"
  }
  merge() {  # NAME TREES GENERATIVE-LISTS OUT
    [ -s "$4.history" ] || timed "lists of $1" "$copse" nbest -m "$work/$1.copse" -k 20 --derivations 15 \
      "$2" --to text --threads 1 -q -o "$4.history"
    timed "scores of $1" "$copse" nbest --lists "$3" --merge-lists "$4.history" \
      --score "$work/$1.copse" --threads 1 -o "$4"
  }
  for part in $(seq 0 $((parts - 1))); do
    mine="int((NR - 1) * $parts / $count) == $part"
    awk "!($mine)" "$train" > "$work/others-$part.mrg"
    awk "$mine" "$train" > "$work/part-$part.mrg"
    awk -v RS= -v ORS='\n\n' "$mine" "$work/generative.txt" > "$work/generative-$part.txt"
    network "history-$part" "$work/others-$part.mrg"
    merge "history-$part" "$work/part-$part.mrg" "$work/generative-$part.txt" "$work/merged-$part.txt"
  done
  cat "$work"/merged-[0-9].txt > "$work/merged.txt"
  network history-all "$train"
  merge history-all "$dev" "$work/generative-dev.nbl" "$work/merged-dev.txt"
  for method in ${METHODS:-boost loglinear}; do
    for lists in generative.nbl:generative-dev.nbl merged.txt:merged-dev.txt; do
      name=$method-${lists%%.*}
      echo "== $name"
      # shellcheck disable=SC2086
      timed "train $name" "$copse" train reranker --method "$method" --lists "$work/${lists%%:*}" \
        --gold "$train" --dev-lists "$work/${lists##*:}" --dev-gold "$dev" --threads 1 \
        ${RERANK:-} -o "$work/$name.copse" 2> "$work/$name.log"
      grep -h '^train\|^chosen\|^kept\|^each half' "$work/$name.log"
      "$copse" rerank -m "$work/$name.copse" "$work/${lists##*:}" -q -o "$work/$name.mrg"
      score "$name"
    done
  done
  exit 0
fi
learn gated "${gated[@]}"
judge gated
logs=("$work/gated.log")
if [ -n "${PAPER:-}${KERNELS:-}" ]; then
  learn paper "${paper[@]}"
  judge paper
  logs+=("$work/paper.log")
fi
"$here/plot_incremental.py" passes "${logs[@]}" > "$work/history-passes.svg"
if [ -n "${KERNELS:-}" ]; then
  lists
  for method in fisher top top-efficient; do
    echo "== $method"
    timed "train $method" "$copse" train reranker --method $method --threads 1 --gradients "$work/paper.copse" \
      --lists "$work/train.nbl" --gold "$train" --dev-lists "$work/dev.nbl" --dev-gold "$dev" \
      -o "$work/$method.copse"
  done
  echo "== rules"
  timed "train rules" "$copse" train reranker --method top-efficient --lists "$work/train.nbl" \
    --gold "$train" --dev-lists "$work/dev.nbl" --dev-gold "$dev" -o "$work/rules.copse"
fi
