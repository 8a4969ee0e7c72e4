#!/bin/sh
# Bits are the same on every processor: no product in the engine is rounded together with the sum
# that it goes into. A compiler may do so behind its own back, where the target has the instructions.
# Usage: fused.sh SHARED_LIBRARY
set -eu
code=$(mktemp)
trap 'rm -f "$code"' EXIT
objdump --disassemble --no-show-raw-insn "$1" >"$code"
[ "$(wc -l <"$code")" -gt 10000 ] || {
    echo "$1: there is hardly any code in it" >&2
    exit 1
}
# By function: x86-64 vfmadd..., vfnmsub...; aarch64 fmadd, fmla and their kind.
fused=$(awk '/^[0-9a-f]+ <.*>:$/ { at = $2 }
    $2 ~ /^(vfn?m(add|sub)|fn?m(add|sub)$|fml[as]l?2?$)/ { n[at]++ }
    END { for (f in n) print "    " f " " n[f] }' "$code" | sort)
if [ -n "$fused" ]; then
    echo "$1: fused products:" >&2
    echo "$fused" >&2
    exit 1
fi
