#!/usr/bin/env bash
# The tables of docs/dual-decomposition.md: non-projective parsers of higher order beside the
# first-order spanning tree, the projective parser of the same order and lifted arcs; same features,
# one seed. Of dev, the odd sentences choose the pass and the even ones are reported; certificates
# and speed are of all of dev.
#   benchmarks/dual-decomposition/run.sh DATA WORK                         all tables and the plot
#   benchmarks/dual-decomposition/run.sh DATA WORK LANGUAGE...             tables of these treebanks
#   benchmarks/dual-decomposition/run.sh --train DATA WORK [LANGUAGE...]   only train
#   benchmarks/dual-decomposition/run.sh --ilp DATA WORK [LANGUAGE]        beside the integer program
# Models, parses and figures stay in WORK; what is there is not made again. Environment:
#   SYSTEMS   which parsers; nonprojective-ORDER-z learns over head automata
#   THREADS   of training        OPTIONS   more options of training
#   COPSE     the program (build/copse)
#   MOST      sentences to learn from, at most (all)
# Times are user time of one thread; loading the model is taken off. The integer program is part of
# the benchmarks, which `make bench` builds.
set -euo pipefail
usage="usage: run.sh [--train|--ilp] DATA WORK [LANGUAGE...]"
here=$(realpath "$(dirname "$0")")
build=$here/../../build
bench=$build/benchmarks/dual-decomposition/bench_dual_decomposition
copse=$(realpath "${COPSE:-$build/copse}")
what=
[[ ${1:-} != --* ]] || { what=$1; shift; }
data=$(realpath "${1:?$usage}")
mkdir -p "${2:?$usage}"
work=$(realpath "$2")
shift 2
systems=${SYSTEMS:-nonprojective-first nonprojective-sibling nonprojective-grandsibling
  projective-sibling projective-grandsibling lifted-grandsibling}

half() { # half FILE PARITY: every other sentence
  awk -v parity="$2" 'BEGIN { RS = ""; ORS = "\n\n" } NR % 2 == parity' "$1"
}
first() { # first FILE COUNT: so many sentences
  awk -v most="$2" 'BEGIN { RS = ""; ORS = "\n\n" } NR <= most' "$1"
}
is_dual() { [[ $1 == nonprojective-* && $1 != *-first ]]; }

prepare() { # prepare LANGUAGE
  first "$data/$1/train.conllu" "${MOST:-1000000}" > "$work/$1.train.conllu"
  half "$data/$1/dev.conllu" 1 > "$work/$1.choose.conllu"
  half "$data/$1/dev.conllu" 0 > "$work/$1.report.conllu"
}

train() { # train LANGUAGE SYSTEM
  local name="$work/$1-$2"
  local order=${2#*-} options=${OPTIONS:-}
  [[ $order != *-z ]] || options+=" --over-automata"
  [ ! -s "$name.copse" ] || return 0
  /usr/bin/time -o "$name.time" -f '%U %e %M' "$copse" train dependency \
    --train "$work/$1.train.conllu" --dev "$work/$1.choose.conllu" --tree "${2%%-*}" \
    --order "${order%-z}" --threads "${THREADS:-1}" $options -o "$name.copse" 2> "$name.log"
}

measure() { # measure LANGUAGE SYSTEM: lines "key value"
  local name="$work/$1-$2" dev="$data/$1/dev.conllu" extra=() idle busy
  ! is_dual "$2" || extra=(--certificate)
  TIMEFORMAT=%U
  busy=$({ time "$copse" parse -m "$name.copse" --threads 1 "${extra[@]}" "$dev" \
    -o "$name.conllu" 2> "$name.proofs"; } 2>&1)
  idle=$({ time "$copse" parse -m "$name.copse" -q --threads 1 --from conllu /dev/null > "$name.none"; } 2>&1)
  half "$name.conllu" 0 > "$name.report.conllu"
  echo "language $1"
  echo "system $2"
  echo "sentences $(grep -c -P '^1\t' "$work/$1.train.conllu")"
  awk '{ print "train_user", $1; print "train_wall", $2; print "train_kb", $3 }' "$name.time"
  "$copse" eval dependency --gold "$work/$1.report.conllu" --system "$name.report.conllu" --json |
    python3 -c 'import json, sys; s = json.load(sys.stdin); print("uas", s["uas"]); print("las", s["las"])'
  echo "tokens $(grep -c -P '^[0-9]+\t' "$dev")"
  echo "dev_sentences $(grep -c -P '^1\t' "$dev")"
  awk -v i="$idle" -v b="$busy" 'BEGIN { print "parse_seconds", b - i }'
  is_dual "$2" || return 0
  proofs "" "$name.proofs"
  "$copse" parse -m "$name.copse" --threads 1 --certificate --dd-iterations 250 "$dev" \
    -o "$name.250.conllu" 2> "$name.250.proofs"
  proofs 250_ "$name.250.proofs"
  python3 "$here/same_trees.py" "$name.conllu" "$name.250.conllu" | sed 's/^/250_same /'
}
proofs() { # proofs PREFIX FILE: the last line of parse --certificate
  sed -nE "s/^.*\(([0-9.]+)%\) proved.*: ([0-9.]+) iterations, ([0-9.]+) ms.*; ([0-9.]+)% of.*$/\
$1certified \1\n$1iterations \2\n$1search_ms \3\n$1automata \4/p" "$2"
}

beside_ilp() { # beside_ilp LANGUAGE: the models of SYSTEMS must be there
  local order model
  for order in sibling grandsibling; do
    model="$work/$1-nonprojective-$order.copse"
    echo "== $1, $order, 10 sentences each of up to 10, 20, 30 words"
    python3 "$here/by_length.py" "$data/$1/dev.conllu" 10 30 10 > "$work/short.conllu"
    "$bench" "$model" "$work/short.conllu"
    echo "== random scores, 10 words, ${order/grandsibling/model1}"
    "$bench" random "${order/grandsibling/model1}" 20
  done
  echo "== $1, grandsibling, all of dev"
  "$bench" "$model" "$data/$1/dev.conllu" growth
  echo "== $1, grandsibling, growth"
  python3 "$here/by_length.py" "$data/$1/dev.conllu" 10 100 3 > "$work/growth.conllu"
  "$bench" "$model" "$work/growth.conllu" growth | tee "$work/growth.txt"
  python3 "$here/plot_growth.py" "$work/growth.txt" > "$work/growth.svg"
}

needs_bench() { # before hours of training, not after them
  [ -x "$bench" ] && return
  echo "run.sh: $bench is missing; 'make bench' builds it" >&2
  exit 2
}

if [ "$what" = --ilp ]; then
  needs_bench
  beside_ilp "${1:-dutch}"
  exit
fi
all=$([ $# -gt 0 ] || [ -n "$what" ] || echo yes)
[ -z "$all" ] || needs_bench
[ $# -gt 0 ] || set -- slovene turkish dutch basque ewt gum
for language in "$@"; do
  prepare "$language"
  for system in $systems; do
    train "$language" "$system"
    [ "$what" != --train ] || continue
    figures="$work/$language-$system.figures"
    [ -s "$figures" ] || { measure "$language" "$system" > "$figures.new" && mv "$figures.new" "$figures"; }
  done
done
[ "$what" != --train ] || exit 0
python3 "$here/tables.py" "$copse" "$work"
[ -z "$all" ] || beside_ilp dutch
