#!/bin/sh
# The runs behind the figures of heaps, on a machine with many processors and nothing but the program:
# pile (Acary and Bourrier, section 6.2), gravel and stones (Tasora and Anitescu, section 6.3).
#
#     tools/figures/heaps.sh SCREE OUT [pile|small|stiff|gravel|stones|all [SECONDS [PROCESSES]]]
#
# leaves OUT/NAME.run.json, OUT/NAME.heap.json and OUT/NAME.csv (centres of the grains at the end) for
# every run that was finished after SECONDS (default 460), as many at once as there are processors.
# Runs are begun in order of value, long ones first. From them, wherever they were made,
#
#     ./dev figures pile --results OUT
#     ./dev figures pile --count 100 --results OUT
#     ./dev figures gravel --results OUT
#     ./dev figures stones --results OUT
#
# draw. What is in OUT already is not run again.
set -u
scree=$1
out=$2
what=${3:-all}
case $scree in
*/*) scree=$(cd "$(dirname "$scree")" && pwd)/$(basename "$scree") ;;
esac
mkdir -p "$out"
out=$(cd "$out" && pwd)
if [ "$what" = one ]; then
    end=$HEAPS_END
    room=$HEAPS_ROOM
else
    end=$(($(date +%s) + ${4:-460}))
    processes=${5:-$(getconf _NPROCESSORS_ONLN)}
    room=$(mktemp -d)
    trap 'rm -rf "$room"' EXIT
fi

# NAME SCENE KEY=VALUE...: one line for every run; times are those of one processor

# Four to seven minutes each, of a thousand some seconds.
list_gravel() {
    for rho in 0.0075 0.001 0.005 0.002 0 0.003 0.01; do
        for law in exact convex; do
            same="rho=$rho world.law=$law output.interval=0.5"
            echo "gravel_10000_${rho}_$law gravel count=10000 stop.time=15 $same"
            echo "gravel_1000_${rho}_$law gravel count=1000 stop.time=3.75 $same"
        done
    done
}

# Some seconds, odd shapes a minute.
list_stones() {
    same="count=300 rate=300 stop.time=2.2 output.interval=0.2"
    for seed in 1 2 3; do
        echo "stones300_odd_exact_$seed stones odd=1 rho=0 seed=$seed $same"
    done
    for rho in 0.01 0.005 0.003 0.002 0.001 0; do
        for seed in 1 2 3; do
            for law in convex exact; do
                echo "stones300_${rho}_${law}_$seed stones odd=0 rho=$rho seed=$seed world.law=$law $same"
            done
        done
    done
}

# Piles of 250 spheres take up to a minute, a hundred of them some seconds; a minute or two where
# rolling friction is larger than the radius.
list_pile() {
    list_piles pile "-2 -2.5 -3 -3.5 -4 -4.5 -5" "output.interval=1"
}

list_small() {
    list_piles pile100 "-2 -2.5 -3 -3.5 -4 -4.5 -5" "$hundred"
}

list_stiff() {
    for power in 0 1 2 -1; do
        for mu in 0.7 1 0.3 0.1 0.5; do
            echo "pile100_${mu}_${power}_1 pile mu=$mu mu_r=10^($power) seed=1 $hundred"
        done
    done
    for mu in 0.7 0.3; do
        echo "spin100_${mu}_0_1 pile mu=$mu mu_r=1 mu_s=1 seed=1 $hundred"
    done
}

hundred="count=100 rate=45 stop.time=3.5 output.interval=0.5"
list_piles() { # NAME POWERS SETTINGS
    for seed in 1 2 3; do
        for power in $2; do
            for mu in 0.1 0.3 0.5 0.7 1; do
                echo "$1_${mu}_${power}_$seed pile mu=$mu mu_r=10^($power) seed=$seed $3"
            done
        done
    done
}

# The last frame's centres (RECORDING FRAME), without bodies that the scene itself has.
write_centres() {
    "$scree" export "$1" --csv --frame "$2" -o "$1" >/dev/null &&
        awk -F, 'NR == 1 { print "x,y,z" } $4 ~ /-[0-9]+"$/ { printf "%.5g,%.5g,%.5g\n", $6, $7, $8 }' \
            "$1_bodies.csv"
}

run_one() { # NAME SCENE KEY=VALUE...
    name=$1
    scene=$2
    shift 2
    [ -s "$out/$name.heap.json" ] && return
    left=$((end - $(date +%s)))
    [ "$left" -lt 5 ] && return
    settings=
    for setting; do settings="$settings --set $setting"; done
    run=$room/$name.h5
    # shellcheck disable=SC2086 # settings are several words
    timeout "$left" "$scree" run "$scene" $settings --workers 1 -o "$run" --json >"$run.json" 2>"$run.said"
    case $? in
    0 | 1) ;; # 1: some step missed its tolerance, which the result says
    *) return ;;
    esac
    "$scree" repose "$run" --json >"$run.heap" || return
    frame=$(sed -n 's/.*"frame": *\([0-9]*\).*/\1/p' "$run.heap")
    write_centres "$run" "$frame" >"$out/$name.csv"
    cp "$run.json" "$out/$name.run.json"
    "$scree" repose "$run" --time 0.8 --json >"$out/$name.flow.json" # while it rains
    cp "$run.heap" "$out/$name.heap.json"
    rm -f "$run"*
}

if [ "$what" = one ]; then # one run of the list, as the last line below asks for it
    shift 3
    run_one "$@"
    exit 0
fi
case $what in
all) list_gravel && list_stiff && list_pile && list_stones && list_small ;;
gravel | stones | small | stiff | pile) "list_$what" ;;
*)
    echo "heaps.sh: pile, small, stiff, gravel, stones or all, not '$what'" >&2
    exit 2
    ;;
esac >"$room/queue"
HEAPS_END=$end HEAPS_ROOM=$room xargs -P "$processes" -L 1 sh "$0" "$scree" "$out" one <"$room/queue"
echo "$(find "$out" -name '*.heap.json' -size +0 | wc -l) results in $out, $(wc -l <"$room/queue") runs were asked for"
