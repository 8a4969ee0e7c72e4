#!/bin/sh
# Every C and C++ file is laid out as .clang-format says. "./dev format" mends what this finds.
# Usage: format.sh SOURCE_FOLDER [--fix]
set -eu
cd "$1"
mode=${2:-}

# Versions lay out code differently: this one is the project's.
clang_format=clang-format-14
if ! command -v $clang_format >/dev/null; then
    echo "skipped: $clang_format is not installed" >&2
    exit 77
fi

if [ "$mode" = --fix ]; then
    options=-i
else
    options="--dry-run -Werror"
fi
folders=
for folder in include src tests bench; do
    if [ -d $folder ]; then folders="$folders $folder"; fi
done
# shellcheck disable=SC2086 # both are lists of words
find $folders -type f \( -name '*.[ch]' -o -name '*.cpp' \) -print0 |
    xargs -0 -r $clang_format --style=file $options
