#!/usr/bin/env bash
# Two programs' taggers on four treebanks: columns, whole triples, unknown words.
#   benchmarks/tag/together.sh DATA OLD [NEW]     DATA holds ewt/ slovene/ turkish/ basque/
# OLD is an earlier program with its defaults, NEW this one, --together. The first half of dev chooses the pass, the second is tagged.
# PASSES=n for another number of passes.
set -euo pipefail
data=$(realpath "${1:?usage: together.sh DATA OLD [NEW]}")
old=$(realpath "${2:?usage: together.sh DATA OLD [NEW]}")
here=$(realpath "$(dirname "$0")")
new=$(realpath "${3:-$here/../../build/copse}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
options_old=() options_new=(--together)
for name in ${TREEBANKS:-slovene turkish basque ewt}; do
  half=$(($(grep -c '^$' "$data/$name/dev.conllu") / 2))
  awk -v half="$half" 'BEGIN { RS = ""; ORS = "\n\n" }
    { print > (NR > half ? "second.conllu" : "first.conllu") }' "$data/$name/dev.conllu"
  for program in old new; do
    declare -n options=options_$program
    "${!program}" train tagger -q --threads 1 "${options[@]}" --passes "${PASSES:-10}" \
      --train "$data/$name/train.conllu" --dev first.conllu -o "$program.copse"
    "${!program}" tag -q --threads 1 -m "$program.copse" second.conllu -o "$program.conllu"
    echo "$name, $program: $("$here/score.py" "$data/$name/train.conllu" second.conllu "$program.conllu")"
  done
done
