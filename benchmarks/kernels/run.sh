#!/usr/bin/env bash
# Reranking by kernels: accuracy, training time, time of use, kernel evaluations per second.
#   benchmarks/kernels/run.sh DATA WORK [SET ...]
# DATA holds {wsj-sample,craft}/{train,dev}.mrg and ner/*.{train,dev}. Lists are made once, as
# benchmarks/rerank/run.sh makes them, and kept in WORK/TREEBANK/{train,dev}.nbl; models and what was
# printed stay in WORK. SET: speed wsj craft plain wnut17 ned esp (default: all). What is chosen is
# chosen on one half of the development lists and counted on the other, both ways ("each half of dev
# chosen by the other"). Times are of the processor. TREES and TAGS (options of train reranker) and
# THREADS can be set in the environment.
set -euo pipefail
data=$(realpath "${1:?usage: run.sh DATA WORK [SET ...]}")
work=${2:?usage: run.sh DATA WORK [SET ...]}
shift 2
root=$(realpath "$(dirname "$0")/../..")
copse=${COPSE:-$root/build/copse}
bench=$root/build/benchmarks/kernels
threads=${THREADS:-1}
mkdir -p "$work"
work=$(realpath "$work")
read -ra tree_options <<< "${TREES:---views heads,spans --lambda 0.5 --loss-scaled --epochs 3}"
read -ra tag_options <<< "${TAGS:---chunks 4}"
clock=(/usr/bin/time -f '%U s of the processor, %M kB')

lists_of() { METHODS='' THREADS=$threads "$root/benchmarks/rerank/run.sh" "$data" "$1" "$copse" "$work/$1"; }

trees() { # treebank
  local lists=$work/$1 gold=$data/$1
  lists_of "$1"
  echo "== $1: tree kernel ${tree_options[*]}"
  "${clock[@]}" "$copse" train reranker --method tree-kernel --lists "$lists/train.nbl" \
    --gold "$gold/train.mrg" --dev-lists "$lists/dev.nbl" --dev-gold "$gold/dev.mrg" \
    --max-candidates 27 --threads "$threads" "${tree_options[@]}" -o "$lists/kernel.copse"
  echo "-- use: up to 50 candidates of each development sentence, then making these lists"
  "${clock[@]}" "$copse" rerank -m "$lists/kernel.copse" "$lists/dev.nbl" -q --threads 1 -o "$lists/kernel.mrg"
  if [[ ! -s $lists/parser.copse ]]; then
    "$copse" train constituency --model generative --train "$gold/train.mrg" -q --threads "$threads" \
      -o "$lists/parser.copse"
  fi
  "${clock[@]}" "$copse" nbest -m "$lists/parser.copse" -k 50 --within 1000 --from ptb -q --threads 1 \
    "$gold/dev.mrg" -o /dev/null
}

# One pass, with all mistakes in one table and as a plain sum of kernels.
plain() {
  lists_of craft
  echo "== training against the plain sum of kernels, a tenth of craft"
  "$bench/bench_kernel_training" "$work/craft/train.nbl" "$data/craft/train.mrg" 1895 0.3
}

entities() { # name
  local lists=$work/ner tagger=(--from columns --learner maxent --encoding sco --boundaries --threads "$threads" -q)
  mkdir -p "$lists"
  if [[ ! -s $lists/$1.dev.lists ]]; then
    "$copse" train entities --train "$data/ner/$1.train" "${tagger[@]}" --jackknife 5 --nbest 20 \
      -o "$lists/$1.train.lists"
    "$copse" train entities --train "$data/ner/$1.train" "${tagger[@]}" -o "$lists/$1.tagger"
    "$copse" tag -m "$lists/$1.tagger" --from columns --nbest 20 --candidates --graded \
      "$data/ner/$1.dev" > "$lists/$1.part"
    mv "$lists/$1.part" "$lists/$1.dev.lists"
  fi
  echo "== $1: tagging kernel ${tag_options[*]}"
  "${clock[@]}" "$copse" train reranker --method tag-kernel --lists "$lists/$1.train.lists" \
    --dev-lists "$lists/$1.dev.lists" --threads "$threads" "${tag_options[@]}" -o "$lists/$1.copse"
  "${clock[@]}" "$copse" rerank -m "$lists/$1.copse" "$lists/$1.dev.lists" -q --threads 1 \
    -o "$lists/$1.tags"
}

for set in ${*:-speed wsj craft plain wnut17 ned esp}; do
  case $set in
    speed)
      echo "== kernel evaluations"
      "$bench/bench_tree_kernel" "$data/wsj-sample/train.mrg" 0.3 ;;
    wsj) trees wsj-sample ;;
    craft) trees craft ;;
    plain) plain ;;
    wnut17 | ned | esp) entities "$set" ;;
    *) echo "no set $set" >&2; exit 2 ;;
  esac
done
