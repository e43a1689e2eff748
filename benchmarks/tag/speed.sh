#!/usr/bin/env bash
# All four columns of EWT by two programs, each with a model of its own (NEW --together), in turns.
#   benchmarks/tag/speed.sh DATA OLD [NEW]        DATA holds ewt/ gum/
# One core, reading and writing included, loading the model not: user CPU seconds of the fastest of
# ROUNDS runs (10) over dev of EWT ten times, and over the training data of GUM, texts that no model saw.
# OLD_MODEL and NEW_MODEL name models that are there already.
set -euo pipefail
data=$(realpath "${1:?usage: speed.sh DATA OLD [NEW]}")
old=$(realpath "${2:?usage: speed.sh DATA OLD [NEW]}")
new=$(realpath "${3:-$(dirname "$0")/../../build/copse}")
old_model=${OLD_MODEL:+$(realpath "$OLD_MODEL")}
new_model=${NEW_MODEL:+$(realpath "$NEW_MODEL")}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
TIMEFORMAT=%U
for program in old new; do
  model=${program}_model
  if [ -z "${!model}" ]; then
    options=()
    if [ $program = new ]; then options=(--together); fi
    "${!program}" train tagger -q --threads 1 "${options[@]}" --train "$data/ewt/train.conllu" \
      --dev "$data/ewt/dev.conllu" -o "$program.copse"
  else
    cp "${!model}" "$program.copse"
  fi
done
for _ in 1 2 3 4 5 6 7 8 9 10; do cat "$data/ewt/dev.conllu"; done > ewt.conllu
cp "$data/gum/train.conllu" gum.conllu
fastest() { awk -v t="$1" -v best="$2" 'BEGIN { print best == "" || t < best ? t : best }'; }
seconds() { { time "$@" > /dev/null 2>&1; } 2>&1; }
for text in ewt gum; do
  words=$(grep -c -P '^[0-9]+\t' $text.conllu)
  declare -A idle=() busy=()
  for _ in $(seq "${ROUNDS:-10}"); do
    for program in old new; do
      tag=("${!program}" tag -q --threads 1 -m "$program.copse")
      idle[$program]=$(fastest "$(seconds "${tag[@]}" --from conllu /dev/null)" "${idle[$program]:-}")
      busy[$program]=$(fastest "$(seconds "${tag[@]}" $text.conllu)" "${busy[$program]:-}")
    done
  done
  for program in old new; do
    awk -v i="${idle[$program]}" -v b="${busy[$program]}" -v n="$words" -v p="$program, $text" \
      'BEGIN { printf "%s: %.0f tokens/s\n", p, n / (b - i) }'
  done
done
