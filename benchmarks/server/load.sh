#!/usr/bin/env bash
# load.sh PROGRAM MODEL [SECONDS [WHAT]]: requests per second, latencies and memory of `copse serve` with 32
# connections on loopback, short sentences. MODEL as behind -m. WHAT: further members of the question, as
# '"output": "conllu"' or '"trees": ["dependency", "phrase"]'; or udpipe, which asks /process by forms. The processor time of the server is printed as well: on a
# machine that does other things the clock tells little.
set -euo pipefail
program=$1 model=$2 seconds=${3:-60} what=${4:-}
command -v wrk > /dev/null || { echo "wrk is missing: apt-get install wrk" >&2; exit 3; }
work=$(mktemp -d)
"$program" serve -m "$model" --port 0 --access-log "$work/log" > "$work/out" &
server=$!
trap 'kill "$server" 2> /dev/null; wait "$server" 2> /dev/null || true; rm -rf "$work"' EXIT
until grep -qs http "$work/out"; do kill -0 "$server"; sleep 0.1; done
address=$(grep -o 'http://[^ ]*' "$work/out")

{ printf 'local what = [==[%s]==]\n' "$what"; cat << 'LUA'; } > "$work/sentences.lua"
local texts = {"The cat sleeps on the mat.", "She saw the man with the telescope.", "Time flies like an arrow.",
               "We have never been there before.", "Could you send me the file?", "He reads a book about birds."}
local n = 0
wrk.method = "POST"
local udpipe = what == "udpipe"
if what ~= "" then what = ", " .. what end
wrk.headers["Content-Type"] = udpipe and "application/x-www-form-urlencoded" or "application/json"
request = function()
  n = n + 1
  local text = texts[n % #texts + 1]
  if udpipe then
    return wrk.format(nil, "/process", nil, "tokenizer=&tagger=&parser=&data=" .. text:gsub(" ", "+"))
  end
  return wrk.format(nil, "/v1/parse", nil, '{"text": "' .. text .. '"' .. what .. '}')
end
done = function(summary, latency, requests)
  io.write(string.format("p50 %.1f ms, p99 %.1f ms, max %.1f ms\n", latency:percentile(50) / 1000,
                         latency:percentile(99) / 1000, latency.max / 1000))
  io.write(string.format("%d requests, %.0f a second; errors: %d by status, %d of connections, %d too slow\n",
                         summary.requests, summary.requests / summary.duration * 1e6, summary.errors.status,
                         summary.errors.connect + summary.errors.read + summary.errors.write,
                         summary.errors.timeout))
end
LUA
cpu() { awk '{print ($14 + $15) / 100}' "/proc/$server/stat"; }
memory() { awk '/VmRSS/ {print $2}' "/proc/$server/status"; }
wrk -t1 -c32 -d3s -s "$work/sentences.lua" "$address" > /dev/null
before=$(cpu) first=$(memory)
( sleep "$((seconds / 2))"; echo "memory half-way: $(memory) kB" ) &
wrk -t1 -c32 -d"${seconds}s" -s "$work/sentences.lua" "$address" | tail -2
wait $!
echo "memory: $first kB after warming up, $(memory) kB at the end"
echo "processor time of the server: $(awk "BEGIN {print $(cpu) - $before}") s"
