#!/usr/bin/env bash
# Reranking by kernels: accuracy, training time, time of use, kernel evaluations per second.
#   benchmarks/kernels/run.sh DATA LISTS [SET ...]
# DATA holds wsj-sample/, craft/, ner/; LISTS has {wsj,craft}-{train,dev}.nbl as 'copse train
# reranker-data' makes them. SET: speed wsj craft wnut17 ned esp (default: all). What is chosen is
# chosen on one half of the development lists and counted on the other, both ways ("each half of dev
# chosen by the other"). Times are of the processor.
set -euo pipefail
data=$(realpath "${1:?usage: run.sh DATA LISTS [SET ...]}")
lists=$(realpath "${2:?usage: run.sh DATA LISTS [SET ...]}")
shift 2
root=$(realpath "$(dirname "$0")/../..")
copse=$root/build/copse
threads=${THREADS:-1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
TIMEFORMAT='%U s of the processor'

trees() { # name, folder, options
  local name=$1 folder=$2; shift 2
  echo "== $name: tree kernel $*"
  time "$copse" train reranker --method tree-kernel --lists "$lists/$name-train.nbl" \
    --gold "$data/$folder/train.mrg" --dev-lists "$lists/$name-dev.nbl" \
    --dev-gold "$data/$folder/dev.mrg" --threads "$threads" "$@" -o "$name.copse"
  echo "-- use"
  time "$copse" rerank -m "$name.copse" "$lists/$name-dev.nbl" -q --threads 1 -o "$name.trees"
}

entities() { # name, options
  local name=$1; shift
  local tagger=(--from columns --learner maxent --encoding sco --boundaries --threads "$threads" -q)
  echo "== $name: tagging kernel $*"
  "$copse" train entities --train "$data/ner/$name.train" "${tagger[@]}" --jackknife 5 --nbest 20 \
    -o "$name.train.lists"
  "$copse" train entities --train "$data/ner/$name.train" "${tagger[@]}" -o "$name.tagger"
  "$copse" tag -m "$name.tagger" --from columns --nbest 20 --candidates --graded \
    "$data/ner/$name.dev" > "$name.dev.lists"
  time "$copse" train reranker --method tag-kernel --lists "$name.train.lists" \
    --dev-lists "$name.dev.lists" --threads "$threads" "$@" -o "$name.copse"
  time "$copse" rerank -m "$name.copse" "$name.dev.lists" -q --threads 1 -o "$name.tags"
  # The first and the chosen sequence of every sentence; what was chosen was chosen on them.
  awk -F '\t' '/^# words/ { first = 1; next } NF > 3 && first { print $4; first = 0 }' \
    "$name.dev.lists" > "$name.first"
  python3 - "$data/ner/$name.dev" "$name.first" "$name.tags" << 'END'
import sys

def sentences(path):
    rows = []
    for line in open(path, encoding="utf-8"):
        if line.strip():
            rows.append(line.split())
        elif rows:
            yield rows
            rows = []
    if rows:
        yield rows

def spans(labels):
    found, begin, kind = set(), None, ""
    for i, label in enumerate(labels + ["O"]):
        goes_on = label[0] in "IC" and begin is not None and label[1:] == kind
        if begin is not None and not goes_on:
            found.add((begin, i))
            begin = None
        if label[0] in "BSIC" and not goes_on:
            begin, kind = i, label[1:]
    return found

gold = [spans([row[-1] for row in rows]) for rows in sentences(sys.argv[1])]
for name, path in (("maximum entropy", sys.argv[2]), ("tagging kernel", sys.argv[3])):
    system = [spans(line.split()) for line in open(path, encoding="utf-8")]
    assert len(system) == len(gold), (len(system), len(gold))
    pairs = list(zip(gold, system))
    right = sum(len(g & s) for g, s in pairs)
    f1 = 200 * right / (sum(len(g) for g, _ in pairs) + sum(len(s) for _, s in pairs))
    print(f"{name}: boundaries F1 {f1:.2f} on {len(pairs)} sentences")
END
}

for set in ${*:-speed wsj craft wnut17 ned esp}; do
  case $set in
    speed)
      echo "== kernel evaluations"
      "$root/build/benchmarks/kernels/bench_tree_kernel" "$data/wsj-sample/train.mrg" 0.3 ;;
    wsj) trees wsj wsj-sample --lambda 0.2 --passive-aggressive --kernel-margin 1 --longest-step 0.01 ;;
    craft) trees craft craft --lambda 0.2 --passive-aggressive --kernel-margin 1 --longest-step 0.01 ;;
    wnut17) entities wnut17 --lambda 0.3 --beta 0.2 --chunks 4 ;;
    ned | esp) entities "$set" --lambda 0.3 --beta 0.2 --chunks 8 ;;
    *) echo "no set $set" >&2; exit 2 ;;
  esac
done
