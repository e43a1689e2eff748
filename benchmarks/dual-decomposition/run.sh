#!/usr/bin/env bash
# Accuracy, certificates and time of non-projective parsers of higher order beside the first-order
# spanning tree, the projective parser of the same order and lifted arcs; same features, one seed.
# Every other sentence of dev (the odd ones) chooses the pass, the rest is reported.
#   benchmarks/dual-decomposition/run.sh DATA WORK [LANGUAGE...]
# Models and parses stay in WORK; what is there is not made again.
set -euo pipefail
usage="usage: run.sh DATA WORK [LANGUAGE...]"
data=$(realpath "${1:?$usage}")
mkdir -p "${2:?$usage}"
work=$(realpath "$2")
shift 2
copse=$(realpath "$(dirname "$0")/../../build/copse")
[ $# -gt 0 ] || set -- slovene turkish dutch basque ewt
half() { # half FILE PARITY: every other sentence
  awk -v parity="$2" 'BEGIN { RS = ""; ORS = "\n\n" } NR % 2 == parity' "$1"
}
score() { # score GOLD SYSTEM
  "$copse" eval dependency --gold "$1" --system "$2" --json |
    python3 -c 'import json, sys; s = json.load(sys.stdin); print("UAS %.2f LAS %.2f" % (s["uas"], s["las"]))'
}
for language in "$@"; do
  half "$data/$language/dev.conllu" 1 > "$work/$language.choose.conllu"
  half "$data/$language/dev.conllu" 0 > "$work/$language.report.conllu"
  gold="$work/$language.report.conllu"
  for system in ${SYSTEMS:-nonprojective-first nonprojective-sibling nonprojective-grandsibling projective-sibling projective-grandsibling lifted-grandsibling}; do
    tree=${system%%-*}
    order=${system#*-}
    model="$work/$language-$system.copse"
    parsed="$work/$language-$system.conllu"
    if [ ! -s "$model" ]; then
      /usr/bin/time -f '%U s user, %M KB' "$copse" train dependency --train "$data/$language/train.conllu" \
        --dev "$work/$language.choose.conllu" --tree "$tree" --order "$order" --threads "${THREADS:-1}" \
        ${OPTIONS:-} -o "$model" 2> "$work/$language-$system.log"
    fi
    extra=()
    [ "$tree" != nonprojective ] || [ "$order" = first ] || extra=(--certificate)
    TIMEFORMAT=%U
    seconds=$({ time "$copse" parse -m "$model" --threads 1 "${extra[@]}" "$gold" -o "$parsed" 2> "$work/proofs"; } 2>&1)
    words=$(grep -c '^[0-9]*	' "$gold")
    echo "$language $system $(score "$gold" "$parsed")" \
      "$(awk "BEGIN { printf \"%.0f tokens/s\", $words / $seconds }")" \
      "training $(tail -1 "$work/$language-$system.log") $(cat "$work/proofs")"
    if [ ${#extra[@]} -gt 0 ]; then
      "$copse" parse -m "$model" --threads 1 --dd-iterations 250 "$gold" -o "$work/short.conllu"
      cut -f 7,8 "$parsed" | grep -v '^#' > "$work/a"
      cut -f 7,8 "$work/short.conllu" | grep -v '^#' > "$work/b"
      python3 - "$work/a" "$work/b" <<'P'
import sys
a, b = (open(f).read().split("\n\n") for f in sys.argv[1:])
print("  K=250 as K=5000: %.2f%%" % (100 * sum(x == y for x, y in zip(a, b)) / len(a)))
P
    fi
  done
  for pair in "nonprojective-grandsibling projective-grandsibling" "nonprojective-grandsibling lifted-grandsibling" "nonprojective-grandsibling nonprojective-first"; do
    set -- $pair "$@"
    a="$work/$language-$1.conllu"
    b="$work/$language-$2.conllu"
    shift 2
    [ -s "$a" ] && [ -s "$b" ] || continue
    echo "$language $pair:"
    for metric in uas las; do "$copse" eval compare --gold "$gold" --a "$a" --b "$b" --metric $metric | sed 's/^/  /'; done
  done
done
