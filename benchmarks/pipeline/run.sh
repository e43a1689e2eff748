#!/usr/bin/env bash
# The bundle from raw text on: accuracy on EWT dev, speed on one core, time to start.
#   benchmarks/pipeline/run.sh DATA [BUNDLE]      DATA holds ewt/ and craft/; BUNDLE: en if not given
# The first 1,000 sentences of dev chose among the passes of the bundled model: "rest" chose nothing.
# Speeds are user CPU time of one thread without starting and loading.
set -euo pipefail
data=$(realpath "${1:?usage: run.sh DATA [BUNDLE]}")
bundle=${2:-en}
copse=${COPSE:-$(realpath "$(dirname "$0")/../../build/copse")}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
seconds() { { TIMEFORMAT=%U; time "$@" > /dev/null 2>&1; } 2>&1; }
# The text of a treebank: sentences joined by a blank, documents and paragraphs by an empty line.
text_of() {
  awk '/^# new(doc|par)/ && begun { printf "\n\n"; begun = 0 }
       /^# text = / { if (begun) printf " "; printf "%s", substr($0, 10); begun = 1 }
       END { print "" }' "$1"
}
awk 'BEGIN { RS = ""; ORS = "\n\n" } NR > 1000' "$data/ewt/dev.conllu" > rest.conllu
cp "$data/ewt/dev.conllu" dev.conllu
for part in dev rest; do
  text_of $part.conllu > $part.txt
  "$copse" parse -q -m "$bundle" --threads 1 $part.txt -o $part.out.conllu
  echo "EWT $part, raw text:"
  "$copse" eval conll18 --gold $part.conllu --system $part.out.conllu
done
for _ in 1 2 3 4; do cat dev.txt; echo; done > four.txt
words=$(($(grep -c -P '^[0-9]+\t' dev.out.conllu) * 4))
idle=$(seconds "$copse" parse -q -m "$bundle" --threads 1 --to conllu "A word.")
busy=$(seconds "$copse" parse -q -m "$bundle" --threads 1 four.txt -o four.conllu)
awk -v i="$idle" -v b="$busy" -v n="$words" \
  'BEGIN { printf "tokenise, tag, lemmas, parse: %.0f words/s on one core\n", n / (b - i) }'
for format in conllu ascii; do
  "$copse" parse -q -m "$bundle" --to $format "She saw the man with the telescope." > /dev/null
  for _ in 1 2 3 4 5; do
    /usr/bin/time -f '%e %U %S' "$copse" parse -q -m "$bundle" --threads 1 --to $format \
      "She saw the man with the telescope." 2>&1 > /dev/null
  done | sort -n | head -1 | awk -v f=$format '{ printf "one sentence to %s, best of 5: %d ms by the clock, %d ms of CPU\n", f, 1000 * $1, 1000 * ($2 + $3) }'
done
if [ -e "$data/craft/dev.mrg" ] && "$copse" models show "$bundle" | grep -q constituency; then
  head -300 "$data/craft/dev.mrg" > craft.mrg
  "$copse" parse -q -m "$bundle" --from ptb --to ptb --threads 1 craft.mrg -o craft.out.mrg
  echo "CRAFT dev, the first 300 sentences, words given:"
  "$copse" eval constituency --max-errors 300 --gold craft.mrg --system craft.out.mrg 2> /dev/null | tail -30 | grep -iE "f-?measure|recall|precision" | head -3
fi
