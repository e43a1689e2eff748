#!/usr/bin/env bash
# What --tree auto chooses, and what the kinds of trees it chooses from reach.
#   benchmarks/dependency/trees.sh DATA ORDER [TREEBANK...]     six treebanks if none is named
# Of dev, the odd sentences choose trees and pass, the even ones are reported. KINDS: which are trained.
set -euo pipefail
data=$(realpath "${1:?usage: trees.sh DATA ORDER [TREEBANK...]}")
order=${2:?usage: trees.sh DATA ORDER [TREEBANK...]}
shift 2
copse=${COPSE:-$(realpath "$(dirname "$0")/../../build/copse")}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
for name in ${*:-ewt gum dutch basque slovene turkish}; do
  awk 'BEGIN { RS = ""; ORS = "\n\n" } NR % 2 == 1' "$data/$name/dev.conllu" > odd.conllu
  awk 'BEGIN { RS = ""; ORS = "\n\n" } NR % 2 == 0' "$data/$name/dev.conllu" > even.conllu
  for kind in ${KINDS:-auto projective lifted nonprojective}; do
    "$copse" train dependency --threads 1 --train "$data/$name/train.conllu" --dev odd.conllu --order "$order" \
      --tree "$kind" ${OPTIONS:-} -o parser.copse 2> log
    "$copse" parse -q --threads 1 -m parser.copse even.conllu -o out.conllu
    echo "$name $kind: $("$copse" eval dependency --gold even.conllu --system out.conllu | head -2 | tr -s ' \n' ' ')"
    grep -h "^non-projective" log
  done
done
