#!/usr/bin/env bash
# Accuracy and speed of the generative parser: run.sh DATA [COPSE [SET]]
# DATA holds SET/{train,dev}.mrg, SET is wsj-sample or craft. Times are user seconds of one thread.
# The odd and the even sentences are also scored apart, so that what is chosen on one half can be
# reported on the other.
set -euo pipefail
data=$1
copse=${2:-build/copse}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
set=${3:-wsj-sample}
train=$data/$set/train.mrg
dev=$data/$set/dev.mrg

# shellcheck source=benchmarks/constituency/trees.sh
source "$(dirname "$0")/trees.sh"

timed "train" "$copse" train constituency --train "$train" -o "$work/m.copse" --threads 1
timed "1 best" "$copse" parse -m "$work/m.copse" "$dev" -o "$work/one.mrg" --threads 1
timed "1 best, --mbr" "$copse" parse -m "$work/m.copse" --mbr "$dev" -o "$work/mbr.mrg" --threads 1
timed "50 best" "$copse" nbest -m "$work/m.copse" -k 50 "$dev" -o "$work/dev.nbl" --threads 1
"$copse" nbest --lists "$work/dev.nbl" -o "$work/dev.txt"
score one
score mbr
