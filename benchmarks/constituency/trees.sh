# What the scripts of this folder share; they source it after setting `copse`, `dev` and `work`.
# Sourcing it makes WORK/gold.mrg, the development trees as they are scored, and its odd and even halves.
# shellcheck shell=bash disable=SC2154

timed() { # TITLE COMMAND...: only user time is told
  local title=$1
  shift
  local TIMEFORMAT="$title: %U s"
  time "$@"
}

halves() { # FILE.mrg: its odd and its even lines, in FILE-odd.mrg and FILE-even.mrg
  awk -v name="${1%.mrg}" '{ print > (name (NR % 2 == 1 ? "-odd" : "-even") ".mrg") }' "$1"
}

f1() { # SYSTEM [GOLD]: sentences that cannot be compared are left out, however many they are
  "$copse" eval constituency --gold "${2:-$work/gold.mrg}" --system "$1" --summary --max-errors 1000000 |
    grep -E -m 5 'Recall|Precision|FMeasure|Complete|Tagging' | tr -s ' ' | tr '\n' ';'
  echo
}

judge() { # NAME: of WORK/NAME.copse, on all development trees and on each half
  timed "parse $1" "$copse" parse -m "$work/$1.copse" "$dev" -o "$work/$1.mrg" --threads 1
  score "$1"
}

score() { # NAME: of WORK/NAME.mrg
  local half
  halves "$work/$1.mrg"
  echo "$1: $(f1 "$work/$1.mrg")"
  for half in odd even; do
    echo "$1, $half: $(f1 "$work/$1-$half.mrg" "$work/gold-$half.mrg")"
  done
}

mkdir -p "$work"
"$copse" convert "$dev" --to ptb --clean --outer TOP -o "$work/gold.mrg"
halves "$work/gold.mrg"
