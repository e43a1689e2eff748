#!/usr/bin/env bash
# One program's dependency parsers against another's: accuracy, speed of parsing, cost of training.
#   benchmarks/dependency/speed.sh DATA OLD [WORK [ROUNDS]]
# DATA holds ewt/; OLD is the program to compare build/copse with. Models of the first order and of
# Model 1 are trained by each program with its defaults and kept in WORK (a new folder if none is
# named), so that measuring can be repeated. Both parse EWT dev four times over, one core, in turns:
# user CPU time without starting and loading, the best of ROUNDS (5).
set -euo pipefail
data=$(realpath "${1:?usage: speed.sh DATA OLD [WORK [ROUNDS]]}")
old=$(realpath "${2:?usage: speed.sh DATA OLD [WORK [ROUNDS]]}")
new=${COPSE:-$(realpath "$(dirname "$0")/../../build/copse")}
work=${3:-$(mktemp -d)}
rounds=${4:-5}
orders=${ORDERS:-first model1}
mkdir -p "$work"
cd "$work"

seconds() { { TIMEFORMAT=%U; time "$@" > /dev/null 2>&1; } 2>&1; }
dev=$data/ewt/dev.conllu
for _ in 1 2 3 4; do cat "$dev"; done > four.conllu
words=$(grep -c -P '^[0-9]+\t' four.conllu)

for order in $orders; do
  for who in old new; do
    name=$order.$who
    [ -e "$name.copse" ] || /usr/bin/time -o "$name.time" -f "%U s of CPU, %M KB" \
      "${!who}" train dependency --threads 1 --train "$data/ewt/train.conllu" --dev "$dev" \
      --order "$order" -o "$name.copse" 2> "$name.log"
    "${!who}" parse -q -m "$name.copse" "$dev" -o "$name.conllu"
    echo "$name: training $(cat "$name.time"), model $(stat -c %s "$name.copse") bytes"
    grep -hE "^arcs kept|^the parser's threshold" "$name.log" | sed 's/^/  /'
    "$new" eval dependency --gold "$dev" --system "$name.conllu" | head -2 | sed 's/^/  /'
    : > "$name.seconds"
  done
  for _ in $(seq "$rounds"); do
    for who in old new; do
      idle=$(seconds "${!who}" parse -m "$order.$who.copse" -q --threads 1 --from conllu /dev/null)
      busy=$(seconds "${!who}" parse -m "$order.$who.copse" -q --threads 1 four.conllu)
      awk -v i="$idle" -v b="$busy" 'BEGIN { print b - i }' >> "$order.$who.seconds"
    done
  done
  awk -v n="$words" -v order="$order" '
    { if (!(FILENAME in best) || $1 < best[FILENAME]) best[FILENAME] = $1 }
    END {
      o = best[order ".old.seconds"]; w = best[order ".new.seconds"]
      printf "%s: %.0f tokens/s before, %.0f now, %.2f times\n", order, n / o, n / w, o / w
    }' "$order.old.seconds" "$order.new.seconds"
  "$new" eval compare --gold "$dev" --a "$order.old.conllu" --b "$order.new.conllu" --metric las \
    | sed 's/^/  /'
done
