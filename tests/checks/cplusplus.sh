#!/bin/sh
# Bindings and CUDA include the public headers and the kernels: each compiles alone as C++17, without a
# warning. A header that a kernel needs must therefore be C++ too.
# Usage: cplusplus.sh SOURCE_FOLDER COMPILER...
set -eu
root=$1
shift
cd "$root"
failed=0
for header in include/*/*.h src/*/*_kernel.h; do
    for compiler in "$@"; do
        command -v "$compiler" >/dev/null || continue
        if ! "$compiler" -x c++ -std=c++17 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror \
            -fsyntax-only -Iinclude -Isrc -include "${header#*/}" /dev/null; then
            echo "$header: is not C++17 ($compiler)" >&2
            failed=1
        fi
    done
done
exit $failed
