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

"$scratch/usr/bin/copse" --version
test -s "$scratch/usr/share/man/man1/copse.1"

cmake -S "$here/external" -B "$scratch/cmake" -DCMAKE_PREFIX_PATH="$scratch/usr" \
  -DCMAKE_CXX_COMPILER="$compiler" > "$scratch/cmake.log"
cmake --build "$scratch/cmake" > "$scratch/cmake.log" || { cat "$scratch/cmake.log"; exit 1; }
first=$("$scratch/cmake/external" "$fixtures/english.mrg")

export PKG_CONFIG_PATH=$libdir/pkgconfig
# The .pc file finds its own prefix, which is not the one configured at build time.
flags=$(pkg-config --cflags --libs copse)
# shellcheck disable=SC2086
"$compiler" "$here/external/main.cc" $flags -o "$scratch/external"
second=$("$scratch/external" "$fixtures/english.mrg")

echo "$first"
[ "$first" = "$second" ]
[[ "$first" =~ ^copse\ [0-9.]+:\ [1-9][0-9]*\ words$ ]]

# What was installed goes away again, with the folders that only it filled.
touch "$scratch/usr/other"
"$here/../../scripts/uninstall" "$scratch/installed" > /dev/null
[ "$(find "$scratch/usr" -type f)" = "$scratch/usr/other" ]
test ! -e "$scratch/usr/include/copse"
