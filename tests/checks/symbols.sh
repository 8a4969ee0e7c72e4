#!/bin/sh
# Names are the library's border: the shared library exports scree_* and nothing else, the static
# one defines no global name but scree_* and scri_* (internal).
# Usage: symbols.sh SHARED_LIBRARY STATIC_LIBRARY
set -eu
shared=$1
static=$2

# Prints the names of nm's lines "VALUE TYPE NAME" that do not match the pattern.
strangers() {
    awk -v allowed="$1" 'NF == 3 && $3 !~ allowed { print $3 }' | sort -u
}

failed=0
report() {
    [ -z "$3" ] && return
    failed=1
    echo "$1: names that do not begin with $2:" >&2
    echo "$3" | sed 's/^/    /' >&2
}

exported=$(nm --dynamic --defined-only --extern-only "$shared")
case $exported in
*scree_*) ;;
*)
    echo "$shared: exports no scree_ symbol at all" >&2
    exit 1
    ;;
esac
report "$shared" "scree_" "$(echo "$exported" | strangers '^scree_')"
report "$static" "scree_ or scri_" \
    "$(nm --defined-only --extern-only "$static" | strangers '^(scree|scri)_')"
exit $failed
