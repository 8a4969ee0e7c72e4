#!/usr/bin/env python3
"""Piles of spheres: figures 4 and 5 of Acary and Bourrier (2021), section 6.2.

usage: ./dev figures pile [--wide] [--seeds N] [--count N] [--quick] [--results FOLDER]

pile_states: final states for some coefficients. pile_measures: height and mean radius over the
diameter against mu_r, for mu = 0.3, 0.5 and 0.7; --wide adds 0.1 and 1. Every point is a run of up
to a minute, of ten where mu_r is larger than the radius; what is in the table (pile.csv) is not run
again. With --seeds N every point is the mean of up to N piles, and bars show their standard
deviation. --count 100 makes smaller piles, whose spheres fall three times as fast. --results FOLDER
takes the runs of tools/figures/heaps.sh instead.
"""

import sys

import numpy
from _figures import (COLOURS, Table, campaign, grains, is_there, make_heap, parse_options, pyplot,
                      report_misses, save, say)
from _spheres import picture

SCENE = "pile"
MUS, WIDE = [0.3, 0.5, 0.7], [0.1, 1.0]
SHOWN = [10.0 ** -3.5, 1e-3, 1e-2]  # mu_r of the pictures
WHOLE = 250  # spheres of the paper


def add_options(parser):
    parser.add_argument("--wide", action="store_true", help="mu = 0.1 and 1 too")
    parser.add_argument("--count", type=int, default=WHOLE, metavar="N",
                        help="spheres (default: %(default)s)")
    parser.add_argument("--seeds", type=int, default=1, metavar="N",
                        help="piles per point (default: %(default)s)")


def recording_of(options, case):
    head = "pile" if case["count"] == WHOLE else f"pile{case['count']:g}"
    name = f"{head}_{case['mu']:g}_{numpy.log10(case['mu_r']):g}_{case['seed']:g}.h5"
    return options.out / "pile" / name


def make_pile(options, case):
    settings = {**case, "output.interval": 1.0}
    if case["count"] != WHOLE:
        settings.update({"rate": 45, "stop.time": case["count"] / 45 + 1.28})
    if options.quick:
        settings.update({"count": 60, "rate": 40, "stop.time": 3.0})
    return make_heap(options, SCENE, settings, recording_of(options, case))


def draw_states(options, table, mus):
    """One picture per pair of coefficients, all to the same scale."""
    figure, grid = pyplot.subplots(len(SHOWN), len(mus), figsize=(2.4 * len(mus), 3.6))
    for row, mu_r in enumerate(SHOWN):
        for column, mu in enumerate(mus):
            axes = grid[row, column]
            axes.axis("off")
            case = {"count": options.count, "mu": mu, "mu_r": mu_r, "seed": 1.0}
            found = table.get(case)
            if found is None or not is_there(options, recording_of(options, case)):
                continue
            d = found["diameter"]
            centres, radii = grains(options, recording_of(options, case), d)
            kept = centres[:, 2] > 0.0
            window = numpy.array([-16.0, 16.0, -4.5, 9.0]) * d
            image = picture(centres[kept], radii[kept], window, 520)
            axes.imshow(image, interpolation="antialiased")
            power = numpy.log10(mu_r)
            axes.set_title(f"$\\mu$ = {mu:g}, $\\mu_r$ = $10^{{{power:g}}}$ m", fontsize=8, pad=2)
    save(figure, options, "pile_states")


def draw_curve(axes, rows, name, **style):
    mu_rs = sorted({row["mu_r"] for row in rows})
    groups = [[row[name] / row["diameter"] for row in rows if row["mu_r"] == mu_r] for mu_r in mu_rs]
    bars = [numpy.std(group, ddof=1) if len(group) > 1 else 0.0 for group in groups]
    axes.errorbar(mu_rs, [numpy.mean(group) for group in groups], bars, capsize=2, **style)


def draw_measures(options, table, mus):
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(7.2, 2.9))
    for mu, colour, mark in zip(mus, COLOURS, "osD^v"):
        for axes, name in ((left, "height"), (right, "mean_radius")):
            draw_curve(axes, table.select(count=options.count, mu=mu), name, color=colour,
                       marker=mark, markersize=4, label=f"$\\mu$ = {mu:g}")
    left.set_ylabel("height / diameter")
    right.set_ylabel("mean radius / diameter")
    left.legend(fontsize=8)
    for axes in (left, right):
        axes.set(xscale="log", xlabel=r"$\mu_r$ (m)", ylim=(0.0, None))
    save(figure, options, "pile_measures")


def main():
    options = parse_options(__doc__, add_options)
    (options.out / "pile").mkdir(exist_ok=True)
    mus = sorted(MUS + WIDE) if options.wide else MUS
    mu_rs = [1e-5, *SHOWN] if options.quick else [*numpy.logspace(-5, -2, 7), 0.1, 1.0]
    table = Table(options.out / "pile.csv", ["count", "mu", "mu_r", "seed"], options.fresh)
    cases = [{"count": float(options.count), "mu": mu, "mu_r": float(mu_r), "seed": float(seed)}
             for seed in range(1, options.seeds + 1) for mu in mus for mu_r in mu_rs]
    n_failed = campaign(table, cases, lambda case: make_pile(options, case), options.jobs)
    draw_states(options, table, mus)
    draw_measures(options, table, mus)
    report_misses(table)
    if n_failed:
        say(f"pile: {n_failed} runs failed; call it again to repeat them")
    return 1 if n_failed else 0


if __name__ == "__main__":
    sys.exit(main())
