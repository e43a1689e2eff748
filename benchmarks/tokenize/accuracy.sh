#!/usr/bin/env bash
# Sentences and tokens of raw text.
#   benchmarks/tokenize/accuracy.sh DATA        DATA holds ewt/ slovene/ turkish/
# The first half of dev, up to the next paragraph, chooses the epoch; the rest is reported.
set -euo pipefail
data=$(realpath "${1:?usage: accuracy.sh DATA}")
copse=${COPSE:-$(realpath "$(dirname "$0")/../../build/copse")}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
for name in ewt slovene turkish; do
  dev=$data/$name/dev.conllu
  half=$(($(grep -c '^# text = ' "$dev") / 2))
  awk -v half="$half" 'BEGIN { RS = ""; ORS = "\n\n" }
    NR > half && /# new(doc|par)/ { rest = 1 }
    { print > (rest ? "rest.conllu" : "first.conllu") }' "$dev"
  awk '/^# new(doc|par)/ && begun { printf "\n\n"; begun = 0 }
       /^# text = / { if (begun) printf " "; printf "%s", substr($0, 10); begun = 1 }
       END { print "" }' rest.conllu > rest.txt
  "$copse" train tokenizer -q --train "$data/$name/train.conllu" --dev first.conllu -o tokenizer.copse
  "$copse" tokenize -q -m tokenizer.copse rest.txt -o out.conllu
  echo "$name, second half of dev:"
  "$copse" eval conll18 --gold rest.conllu --system out.conllu | grep -E "Tokens|Sentences|Words"
done
