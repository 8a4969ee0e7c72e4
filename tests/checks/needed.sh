#!/bin/sh
# The engine depends on the C library alone: libc and libm (threads are in libc, or in libpthread of an
# older one), and the loader.
# Usage: needed.sh SHARED_LIBRARY
set -eu
needed=$(readelf --dynamic --wide "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
[ -n "$needed" ] || {
    echo "$1: not even libc is needed" >&2
    exit 1
}
strangers=$(echo "$needed" | grep -vE '^(libc|libm|libpthread|ld-linux.*)\.so(\.[0-9]+)*$' || true)
[ -z "$strangers" ] || {
    echo "$1: needs" $strangers >&2
    exit 1
}
