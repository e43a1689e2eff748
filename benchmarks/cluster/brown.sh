#!/usr/bin/env bash
# Brown clustering of a text: processor time, wall time, peak memory and mutual information; one
# thread against two, which must write the same bytes.
#   benchmarks/cluster/brown.sh TEXT [PROGRAM]
# TEXT: one sentence a line, may be compressed. Every fifth line with 200 clusters, then all of it
# with 1000. Another program is compared by running it on the same fifth and timing it likewise; it
# probably takes a text for one long line, as --across-lines does.
set -euo pipefail
text=$1
copse=${2:-build/copse}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
case $text in
  *.gz) zcat "$text" ;;
  *.zst) zstdcat "$text" ;;
  *) cat "$text" ;;
esac > "$scratch/all.txt"
awk 'NR % 5 == 1' "$scratch/all.txt" > "$scratch/fifth.txt"
run() {  # TITLE OUTPUT ARGUMENTS...
  local title=$1 output=$2
  shift 2
  /usr/bin/time -f '%U %S %e %M' -o "$scratch/time" \
    "$copse" cluster "$@" -o "$scratch/$output" 2> "$scratch/log"
  read -r user system wall memory < "$scratch/time"
  echo "$title: user $user s, system $system s, wall $wall s, peak $((memory / 1024)) MB"
  sed 's/^copse: /  /' "$scratch/log"
}
run "fifth, 200 clusters" fifth.paths --threads 1 -c 200 "$scratch/fifth.txt"
run "fifth, 200 clusters, across lines" across.paths --threads 1 -c 200 --across-lines "$scratch/fifth.txt"
run "all, 1000 clusters, 1 thread" one.paths --threads 1 -c 1000 "$scratch/all.txt"
run "all, 1000 clusters, 2 threads" two.paths --threads 2 -c 1000 "$scratch/all.txt"
cmp "$scratch/one.paths" "$scratch/two.paths"
echo "one and two threads wrote the same bytes"
