#!/bin/sh
# clang-tidy over the sources of the library and the program, with the rules of .clang-tidy.
# Usage: tidy.sh SOURCE_FOLDER BUILD_FOLDER    (which holds compile_commands.json)
set -eu
cd "$1"
build=$2

clang_tidy=clang-tidy-14
if ! command -v $clang_tidy >/dev/null; then
    echo "skipped: $clang_tidy is not installed" >&2
    exit 77
fi
if [ ! -f "$build/compile_commands.json" ]; then
    echo "$build/compile_commands.json is missing: configure with a preset" >&2
    exit 1
fi

# One file per process, two at a time; xargs fails when one of them does. What clang-tidy prints
# about the warnings it does not show is left out.
status=0
found=$(find src -type f -name '*.c' -print0 |
    xargs -0 -r -n 1 -P 2 $clang_tidy -p "$build" --quiet 2>&1) || status=1
echo "$found" | grep -v -E '^[0-9]+ warnings? (generated|treated as)' || true
exit $status
