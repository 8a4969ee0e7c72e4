#!/bin/sh
# Installs a finished build into a temporary prefix and uses it from outside, by CMake and by
# pkg-config; then compiles every public header alone, as C and as C++.
# Usage: run.sh FOLDER_OF_THIS_FILE BUILD_FOLDER EXPECTED_VERSION
set -eu
here=$1
build=$2
expected=$3

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
prefix=$scratch/prefix

expect_version() {
    printed=$("$@")
    if [ "$printed" != "$expected" ]; then
        echo "$*: printed '$printed', expected '$expected'" >&2
        exit 1
    fi
}

echo "install"
cmake --install "$build" --prefix "$prefix" >"$scratch/install.log"

echo "consumer by CMake"
cmake -G Ninja -S "$here" -B "$scratch/consumer" -DCMAKE_PREFIX_PATH="$prefix" \
    >"$scratch/cmake.log"
cmake --build "$scratch/consumer" >"$scratch/build.log" || { cat "$scratch/build.log"; exit 1; }
expect_version "$scratch/consumer/consumer_shared"
expect_version "$scratch/consumer/consumer_static"

echo "consumer by pkg-config"
pc=$(find "$prefix" -name scree.pc)
PKG_CONFIG_PATH=$(dirname "$pc")
export PKG_CONFIG_PATH
libdir=$(pkg-config --variable=libdir scree)
# shellcheck disable=SC2046 # the flags are meant to be split
cc -std=c17 $(pkg-config --cflags scree) "$here/consumer.c" -o "$scratch/by_pkg_config" \
    $(pkg-config --libs scree)
expect_version env LD_LIBRARY_PATH="$libdir" "$scratch/by_pkg_config"
[ "$(pkg-config --modversion scree)" = "$expected" ] || {
    echo "scree.pc does not say version $expected" >&2
    exit 1
}

echo "headers alone, as C and as C++"
for header in "$prefix"/include/scree*/*.h; do
    for language in "c -std=c17" "c++ -std=c++17"; do
        # shellcheck disable=SC2086 # language and standard are two words
        cc -x $language -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I"$prefix/include" \
            -include "$header" /dev/null
    done
done
