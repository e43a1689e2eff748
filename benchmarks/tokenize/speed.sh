#!/usr/bin/env bash
# Bytes of text per second of user time through `copse tokenize`, one thread and two, output thrown
# away: by a model and by rule. The smallest of five runs counts.
#   benchmarks/tokenize/speed.sh MODEL TEXT [PROGRAM]
# TEXT should be raw text of some megabytes.
set -euo pipefail
model=$1
text=$2
copse=${3:-build/copse}
bytes=$(stat -c %s "$text")
cat "$text" > /dev/null   # into the page cache

run() {  # user|real, then the arguments of `copse tokenize`
  local format=$1
  shift
  [ "$format" = user ] && TIMEFORMAT=%U || TIMEFORMAT=%R
  for _ in 1 2 3 4 5; do
    { time "$copse" tokenize --quiet "$@" "$text" -o /dev/null; } 2>&1
  done | sort -n | head -1
}
report() {  # title seconds
  awk -v t="$1" -v b="$bytes" -v s="$2" 'BEGIN { printf "%-34s %7.2f s  %6.1f MB/s\n", t, s, b/s/1e6 }'
}
echo "$bytes bytes"
report "model, 1 thread, user time" "$(run user -m "$model" --threads 1)"
report "model, 1 thread, elapsed" "$(run real -m "$model" --threads 1)"
report "model, 2 threads, elapsed" "$(run real -m "$model" --threads 2)"
report "rules, 1 thread, user time" "$(run user --rules english-ptb --threads 1)"
