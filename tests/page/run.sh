#!/usr/bin/env bash
# run.sh PROGRAM BUILD: types of the page's modules, then the page in Debian's Chromium, against a server with
# models trained on the fixtures. SHOTS names a folder for pictures.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
program=$(realpath "$1")
work=$(mkdir -p "$2/page-test" && cd "$2/page-test" && pwd)
chromium=${CHROMIUM:-/usr/bin/chromium}

command -v npm > /dev/null || { echo "page-test: npm is missing; install nodejs and npm" >&2; exit 3; }
[ -x "$chromium" ] || { echo "page-test: $chromium is missing; install the package chromium" >&2; exit 3; }

cp "$here/package.json" "$work/"
(cd "$work" && npm install --no-audit --no-fund --loglevel=error)
"$work/node_modules/.bin/tsc" -p "$here/tsconfig.json"
echo "types: ok"

cd "$work"
fixtures=$here/../../fixtures
[ -s tagger.copse ] || "$program" train tagger --train "$fixtures/english.conllu" --passes 3 -q -o tagger.copse
[ -s parser.copse ] || "$program" train dependency --train "$fixtures/english.conllu" --tagger tagger.copse \
  --order first --passes 4 -q -o parser.copse
[ -s crossing.copse ] || "$program" train dependency --train "$fixtures/english.conllu" --tagger tagger.copse \
  --order sibling --tree nonprojective --passes 2 -q -o crossing.copse
[ -s phrases.copse ] || "$program" train constituency --model generative --train "$fixtures/english.mrg" -q -o phrases.copse
models=${MODELS:-en=tagger.copse,parser.copse,phrases.copse}
"$program" serve --port 0 -m "$models" -m crossing=tagger.copse,crossing.copse > server.out &
server=$!
trap 'kill "$server" 2> /dev/null; wait "$server" 2> /dev/null || true' EXIT
until grep -qs http server.out; do kill -0 "$server"; sleep 0.1; done
cp "$here"/*.test.mjs "$work/"
ADDRESS=$(grep -o 'http://[^ ]*' server.out) CHROMIUM=$chromium SHOTS=${SHOTS:-} node --test "$work"/*.test.mjs
