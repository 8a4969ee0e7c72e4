#!/usr/bin/env python3
"""Odd shapes against rolling friction: section 6.3 of Tasora and Anitescu (2013).

usage: ./dev figures stones [--seeds N] [--quick] [--results FOLDER]

stones_angle: the angle of repose of spheres against rho, and that of cubes, bricks and octahedra of
the same volume without any rolling friction; where the two meet is the rho that stands for their
corners. Every point is the mean of up to N heaps of 300 stones, bars are standard deviations. What is
in the table (stones.csv) is not run again; --results FOLDER takes the runs of heaps.sh.
"""

import sys

import numpy
from _figures import (COLOURS, Table, campaign, make_heap, parse_options, pyplot, report_misses,
                      save, say)

SCENE = "stones"
RHOS = [0.0, 0.001, 0.002, 0.003, 0.005, 0.01]


def add_options(parser):
    parser.add_argument("--seeds", type=int, default=3, metavar="N",
                        help="heaps per point (default: %(default)s)")


def make_stones(options, case):
    what = "odd" if case["odd"] else f"{case['rho']:g}"
    settings = {**case, "count": 300, "rate": 300, "stop.time": 2.2, "output.interval": 0.2}
    if options.quick:
        settings.update({"count": 100, "stop.time": 1.5})
    path = options.out / "stones" / f"stones300_{what}_exact_{case['seed']:g}.h5"
    return make_heap(options, SCENE, settings, path)


def mean_angle(rows):
    angles = [row["angle_degrees"] for row in rows]
    angles = [angle for angle in angles if not numpy.isnan(angle)]  # too flat for one
    return numpy.mean(angles), numpy.std(angles, ddof=1) if len(angles) > 1 else 0.0


def draw_angle(options, table):
    shown = [rho for rho in RHOS if table.select(odd=0.0, rho=rho)]
    odd = table.select(odd=1.0)
    if not shown or not odd:
        return
    figure, axes = pyplot.subplots(figsize=(4.4, 3.1))
    found = numpy.array([mean_angle(table.select(odd=0.0, rho=rho)) for rho in shown])
    axes.errorbar(shown, found[:, 0], found[:, 1], marker="o", markersize=4, capsize=2,
                  label=r"spheres with $\rho$")
    angle, spread = mean_angle(odd)
    axes.axhspan(angle - spread, angle + spread, color=COLOURS[1], alpha=0.2, linewidth=0)
    axes.axhline(angle, color=COLOURS[1], label=r"odd shapes, $\rho$ = 0")
    axes.set(xlabel=r"rolling and spinning friction $\rho$ = $\sigma$ (m)",
             ylabel=r"angle of repose $\psi$ (degrees)", ylim=(0.0, None))
    axes.legend(loc="lower right")
    save(figure, options, "stones_angle")
    say(f"odd shapes: {angle:.1f} +- {spread:.1f} degrees")
    above = numpy.nonzero(found[:, 0] >= angle)[0]
    if len(above) and above[0] > 0:
        k = above[0]
        part = (angle - found[k - 1, 0]) / (found[k, 0] - found[k - 1, 0])
        rho = shown[k - 1] + part * (shown[k] - shown[k - 1])
        say(f"spheres lie as steep with rho = {rho:.2g} m")


def main():
    options = parse_options(__doc__, add_options)
    (options.out / "stones").mkdir(exist_ok=True)
    table = Table(options.out / "stones.csv", ["odd", "rho", "seed"], options.fresh)
    cases = [{"odd": odd, "rho": rho, "seed": float(seed)} for seed in range(1, options.seeds + 1)
             for odd, rho in [(1.0, 0.0)] + [(0.0, rho) for rho in RHOS]]
    n_failed = campaign(table, cases, lambda case: make_stones(options, case), options.jobs)
    draw_angle(options, table)
    report_misses(table)
    if n_failed:
        say(f"stones: {n_failed} runs failed; call it again to repeat them")
    return 1 if n_failed else 0


if __name__ == "__main__":
    sys.exit(main())
