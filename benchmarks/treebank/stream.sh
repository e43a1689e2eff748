#!/usr/bin/env bash
# A large stream through `copse convert`: rate with one and two threads, peak memory at two sizes.
#   benchmarks/treebank/stream.sh [PROGRAM] [SENTENCES]
set -euo pipefail
copse=${1:-build/copse}
sentences=${2:-1150000}   # about a gigabyte
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$copse" sample -n "$sentences" --quiet -o "$scratch/large.conllu"
"$copse" sample -n "$((sentences / 10))" --quiet -o "$scratch/small.conllu"
run() {  # FILE THREADS -> "seconds kilobytes"
  /usr/bin/env bash -c 'TIMEFORMAT=%R; { time "$0" convert --quiet --threads "$1" "$2" > /dev/null; } 2>&1' \
    "$copse" "$2" "$1"
}
peak() {  # FILE THREADS: peak resident memory, read from the kernel while it runs
  "$copse" convert --quiet --threads "$2" "$1" > /dev/null &
  local id=$! most=0 now
  while kill -0 "$id" 2> /dev/null; do
    now=$(awk '/VmHWM/ {print $2}' "/proc/$id/status" 2> /dev/null || true)
    [ -n "$now" ] && [ "$now" -gt "$most" ] && most=$now
    sleep 0.02
  done
  wait "$id"
  echo "$most"
}
bytes=$(stat -c %s "$scratch/large.conllu")
echo "bytes: $bytes"
cat "$scratch/large.conllu" > /dev/null   # into the page cache
for round in 1 2 3; do
  one=$(run "$scratch/large.conllu" 1)
  two=$(run "$scratch/large.conllu" 2)
  awk -v b="$bytes" -v one="$one" -v two="$two" 'BEGIN {
    printf "1 thread %.0f MB/s, 2 threads %.0f MB/s, ratio %.2f\n", b/one/1e6, b/two/1e6, one/two }'
done
for threads in 1 2; do
  echo "peak memory with $threads threads: small file $(peak "$scratch/small.conllu" $threads) KB," \
       "ten times as large $(peak "$scratch/large.conllu" $threads) KB"
done
