#!/usr/bin/env bash
# Three learners, projective and not: the table of Koo, Globerson, Carreras & Collins 2007 on other
# treebanks. First order, unlabelled, no pruner; the better of two C for the max-margin learner.
#   benchmarks/dependency/languages.sh DATA [LANGUAGE...]
set -euo pipefail
data=$(realpath "${1:?usage: languages.sh DATA [LANGUAGE...]}")
shift
copse=$(realpath "$(dirname "$0")/../../build/copse")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ $# -gt 0 ] || set -- slovene turkish basque dutch
for language in "$@"; do
  for learner in perceptron eg-maxmargin loglinear; do
    for tree in projective nonprojective; do
      constants=(0.1)
      [ "$learner" != eg-maxmargin ] || constants=(0.01 0.03)
      for c in "${constants[@]}"; do
        "$copse" train dependency --train "$data/$language/train.conllu" --dev "$data/$language/dev.conllu" \
          --order first --tree "$tree" --learner "$learner" -C "$c" --unlabeled --prune 0 -o "$work/model.copse"
      done 2> "$work/log"
      echo "$language $learner $tree $(grep -o 'UAS .*' "$work/log" | cut -c5- | sort -n | tail -1)"
    done
  done
done
