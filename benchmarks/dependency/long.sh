#!/usr/bin/env bash
# Sentences of thousands of words: user time, memory and what the search gave up.
#   benchmarks/dependency/long.sh MODEL TREEBANK [WORDS...]
# The words of TREEBANK (CoNLL-U, tagged) are strung together to one sentence of each length.
set -euo pipefail
model=$(realpath "${1:?usage: long.sh MODEL TREEBANK [WORDS...]}")
treebank=$(realpath "${2:?usage: long.sh MODEL TREEBANK [WORDS...]}")
shift 2
[ $# -gt 0 ] || set -- 500 1900 5000 10000 20000
copse=${COPSE:-$(realpath "$(dirname "$0")/../../build/copse")}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for words in "$@"; do
  awk -F '\t' -v OFS='\t' -v n="$words" '$1 ~ /^[0-9]+$/ { print ++i, $2, $3, $4, $5, $6, "_", "_", "_", "_" } i == n { exit } END { print "" }' \
    "$treebank" > "$work/long.conllu"
  /usr/bin/time -o "$work/time" -f "%U s user, %M KB" "$copse" parse -m "$model" --threads 1 "$work/long.conllu" \
    -o "$work/out.conllu" 2> "$work/said"
  echo "$words words: $(cat "$work/time"); $(grep -c . "$work/out.conllu") rows; $(cat "$work/said")"
done
