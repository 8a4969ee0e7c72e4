#!/bin/sh
# Bindings and CUDA include the public headers and the kernels: each compiles alone as C++17, without a
# warning. A header that a kernel needs must therefore be C++ too.
# Usage: cplusplus.sh SOURCE_FOLDER COMPILER...
set -eu
root=$1
shift
cd "$root"
failed=0

# is_clean COMPILER OPTION...: whether these are C++17
is_clean() {
    "$@" -x c++ -std=c++17 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -fsyntax-only -Iinclude \
        -Isrc /dev/null
}

one_by_one=1 # by the first compiler; the others see all at once
for compiler in "$@"; do
    command -v "$compiler" >/dev/null || continue
    all=
    for header in include/*/*.h src/*/*_kernel.h; do
        all="$all -include ${header#*/}"
        if [ $one_by_one = 1 ] && ! is_clean "$compiler" -include "${header#*/}"; then
            echo "$header: is not C++17 ($compiler)" >&2
            failed=1
        fi
    done
    # shellcheck disable=SC2086 # a list of words
    if [ $one_by_one = 0 ] && ! is_clean "$compiler" $all; then
        echo "the headers are not C++17 ($compiler)" >&2
        failed=1
    fi
    one_by_one=0
done
exit $failed
