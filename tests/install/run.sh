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

[ -f "$prefix/share/man/man1/scree.1" ] || {
    echo "no manual page was installed" >&2
    exit 1
}

echo "consumers by CMake"
cmake -G Ninja -S "$here" -B "$scratch/consumer" -DCMAKE_PREFIX_PATH="$prefix" \
    >"$scratch/cmake.log"
cmake --build "$scratch/consumer" >"$scratch/build.log" || { cat "$scratch/build.log"; exit 1; }
for consumer in engine_shared engine_static all_shared all_static; do
    expect_version "$scratch/consumer/$consumer"
done

# by_pkg_config SOURCE PACKAGES FLAGS: compiles, links and runs SOURCE with what pkg-config says.
# shellcheck disable=SC2046,SC2086 # lists of words
by_pkg_config() {
    cc -std=c17 $(pkg-config --cflags $2) "$here/$1" -o "$scratch/by_pkg_config" \
        $(pkg-config $3 --libs $2)
    expect_version env LD_LIBRARY_PATH="$libdir" "$scratch/by_pkg_config"
}

echo "consumers by pkg-config"
pc=$(find "$prefix" -name scree.pc)
PKG_CONFIG_PATH=$(dirname "$pc")
export PKG_CONFIG_PATH
libdir=$(pkg-config --variable=libdir scree)
by_pkg_config engine.c scree ""
by_pkg_config all.c "scree_sparse scree_study scree_io" ""
# The archive alone, so that what it needs has to be named.
mkdir "$scratch/archives"
cp "$libdir"/*.a "$scratch/archives"
# shellcheck disable=SC2046
cc -std=c17 $(pkg-config --cflags scree) "$here/engine.c" -o "$scratch/by_pkg_config" \
    -L"$scratch/archives" $(pkg-config --static --libs-only-l scree)
expect_version "$scratch/by_pkg_config"
for package in scree scree_sparse scree_study scree_io; do
    [ "$(pkg-config --modversion $package)" = "$expected" ] || {
        echo "$package.pc does not say version $expected" >&2
        exit 1
    }
done

echo "headers alone, as C and as C++"
for header in "$prefix"/include/scree*/*.h; do
    for language in "c -std=c17" "c++ -std=c++17"; do
        # shellcheck disable=SC2086 # language and standard are two words
        cc -x $language -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I"$prefix/include" \
            -include "$header" /dev/null
    done
done
