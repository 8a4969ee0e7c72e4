#!/bin/sh
# Names are a library's border. A shared library exports scree_* to everybody, scri_* only to the
# libraries of the very same version (symbol version SCREE_PRIVATE_...), and nothing else; a static
# one defines no global name but scree_* and scri_*.
# Usage: symbols.sh SHARED_LIBRARY STATIC_LIBRARY [SHARED_LIBRARY STATIC_LIBRARY]...
set -eu

# Prints the names of nm's lines "VALUE TYPE NAME" that do not match the pattern.
strangers() {
    awk -v allowed="$1" 'NF == 3 && $3 !~ allowed && $2 != "A" { print $3 }' | sort -u
}

failed=0
report() {
    [ -z "$3" ] && return
    failed=1
    echo "$1: names that are not $2:" >&2
    echo "$3" | sed 's/^/    /' >&2
}

[ $# -ge 2 ]
while [ $# -ge 2 ]; do
    shared=$1
    static=$2
    shift 2
    exported=$(nm --dynamic --defined-only --extern-only --with-symbol-versions "$shared")
    case $exported in
    *scree_*) ;;
    *)
        echo "$shared: exports no scree_ symbol at all" >&2
        exit 1
        ;;
    esac
    report "$shared" "scree_*@SCREE_* or scri_*@SCREE_PRIVATE_*" "$(echo "$exported" |
        strangers '^(scree_[^@]*@@SCREE_[0-9.]+|scri_[^@]*@@SCREE_PRIVATE_[0-9.]+)$')"
    report "$static" "scree_* or scri_*" \
        "$(nm --defined-only --extern-only "$static" | strangers '^(scree|scri)_')"
done
exit $failed
