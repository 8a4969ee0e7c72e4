#!/bin/sh
# Where there is no cmocka, as with musl and for Windows, tests are compiled against
# tests/support/plain/cmocka.h: every test of what needs no library must find there what it uses.
# Usage: plain.sh SOURCE_FOLDER COMPILER
set -eu
cd "$1"
failed=0
for test in tests/unit/*/test_*.c; do
    case $test in
    tests/unit/io/*) continue ;; # needs HDF5, and with it a machine that has cmocka
    esac
    if ! "$2" -std=c17 -Wall -Wextra -Werror -fsyntax-only -Iinclude -Isrc -Itests -Itests/support/plain \
        -DSCREE_FIXTURES='"fixtures"' -DSCREE_SHARED='"shared"' -DSCREE_TEST_SPARSE=0 -DSCREE_TEST_CCD=0 \
        "$test"; then
        echo "$test: does not compile without cmocka" >&2
        failed=1
    fi
done
exit $failed
