#!/usr/bin/env bash
# Every treebank below COPSE_DATA through the program and back: columns byte for byte, trees by
# way of JSON. Also one root per sentence for dependencies made from hand-annotated trees.
#   round_trip.sh PROGRAM
set -euo pipefail
copse=$1
[ -n "${COPSE_DATA:-}" ] || exit 77
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
count=0
while IFS= read -r file; do
  "$copse" convert --quiet --from conllu --to conllu "$file" | cmp - "$file"
  "$copse" convert --quiet --from conllu --to json "$file" |
    "$copse" convert --quiet --from json --to conllu | cmp - "$file"
  count=$((count + 1))
done < <(find "$COPSE_DATA" -name '*.conllu')
while IFS= read -r file; do
  cmp <(tr -d ' \n' < "$file") \
      <("$copse" convert --quiet --from ptb --to json "$file" |
        "$copse" convert --quiet --from json --to ptb | tr -d ' \n')
  for table in collins yamada-matsumoto; do
    "$copse" convert --quiet "$file" --to conllx --heads "$table" > "$scratch/heads"
    "$copse" convert --quiet --strict --from conllx --to conllx "$scratch/heads" | cmp - "$scratch/heads"
    "$copse" stats --quiet --json --from conllx "$scratch/heads" > "$scratch/stats"
    grep -q '"nonprojective_arcs": 0,' "$scratch/stats"
    grep -q '"multiroot_sentences": 0,' "$scratch/stats"
  done
  count=$((count + 1))
done < <(find "$COPSE_DATA" -name '*.mrg')
echo "$count files"
[ "$count" -gt 0 ]
