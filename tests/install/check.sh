#!/usr/bin/env bash
# check.sh BUILD_DIR THIS_DIR FIXTURES COMPILER
set -euo pipefail
build=$1 here=$2 fixtures=$3 compiler=$4
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cmake --install "$build" --prefix "$scratch/usr" > "$scratch/install.log"
cp "$build/install_manifest.txt" "$scratch/installed"
libdir=$(dirname "$(dirname "$(find "$scratch/usr" -name copse.pc)")")
python3 -B "$here/../house/public_headers.py" "$here/../.." "$scratch/usr/include"

# The version is written down once, and everything has it from there.
version=$("$here/../../scripts/version")
[ "$("$scratch/usr/bin/copse" --version)" = "copse $version" ]
[ "$(PKG_CONFIG_PATH=$libdir/pkgconfig pkg-config --modversion copse)" = "$version" ]
(cd "$here/../.." && ! grep -rlwF "$version" copse cmake debian scripts setup.py pyproject.toml Containerfile)
test -s "$scratch/usr/share/man/man1/copse.1"

# A program of somebody else's, with find_package: its models are those of the commands.
examples=$here/../../examples
cmake -S "$here/external" -B "$scratch/cmake" -DCMAKE_PREFIX_PATH="$scratch/usr" \
  -DCMAKE_CXX_COMPILER="$compiler" -DCOPSE_EXAMPLES="$examples" > "$scratch/cmake.log"
cmake --build "$scratch/cmake" > "$scratch/cmake.log" || { cat "$scratch/cmake.log"; exit 1; }
mkdir "$scratch/models"
treebank=$fixtures/english.conllu
"$scratch/cmake/external" "$treebank" "$treebank" "$scratch/models" \
  "The shop opened early. Ben left." > "$scratch/parsed"
copse=$scratch/usr/bin/copse
"$copse" train tagger -q --train "$treebank" --dev "$treebank" --epochs 3 \
  -o "$scratch/models/tagger.command.copse"
"$copse" train dependency -q --train "$treebank" --dev "$treebank" --order sibling --passes 2 \
  --min-count 1 -o "$scratch/models/parser.command.copse"
cmp "$scratch/models/tagger.copse" "$scratch/models/tagger.command.copse"
cmp "$scratch/models/parser.copse" "$scratch/models/parser.command.copse"
[ "$(grep -c '^# text = ' "$scratch/parsed")" = 2 ]
[ "$(grep -c '^tree of probability [01]\.' "$scratch/parsed")" = 6 ]
grep -q ' <- root root [01]\.' "$scratch/parsed"

# Another one, with pkg-config.
export PKG_CONFIG_PATH=$libdir/pkgconfig
# The .pc file finds its own prefix, which is not the one configured at build time.
flags=$(pkg-config --cflags --libs copse)
# shellcheck disable=SC2086
"$compiler" "$examples/treebanks.cc" $flags -o "$scratch/treebanks"
"$scratch/treebanks" "$fixtures/english.mrg" | grep -q '^UAS [1-9]'

# What was installed goes away again, with the folders that only it filled.
# A module that was imported has left what Python made of it.
module=$scratch/usr/lib/python3/dist-packages/copse
mkdir -p "$module"
echo "x = 1" > "$module/__init__.py"
python3 -c 'import sys; sys.path.insert(0, sys.argv[1]); import copse' "$(dirname "$module")"
printf '\n%s\n' "$module/__init__.py" >> "$scratch/installed"
touch "$scratch/usr/other"
"$here/../../scripts/uninstall" "$scratch/installed" > /dev/null
[ "$(find "$scratch/usr" -mindepth 1)" = "$scratch/usr/other" ]
