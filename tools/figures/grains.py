#!/usr/bin/env python3
"""Grains beside what is published of them: docs/grains.md.

usage: ./dev figures grains [--quick]

grains_silo: the flow out of silos of several outlets, to the power 2/5, beside Beverloo's line.
grains_drum: the angle of a bed in a drum, from where it comes to rest to where it slides off, over the
speed. grains_collapse: how far columns spread, over their height, and for one height over the size of
grains. grains_packing: the share that is filled over friction. What is in the tables (grains_*.csv) is
not run again; all takes half an hour of one core.
"""

import sys

import numpy
from matplotlib.ticker import FixedLocator, NullLocator
from _figures import GRAVITY, Table, campaign, measure_run, parse_options, pyplot, run_scene, save

DIAMETER, DENSITY = 0.005, 2500.0
SILO = {"keys": ["outlet", "mu", "seed"], "results": ["flow", "bulk", "C"],
        "cases": [(5, 0.15, 1), (5, 0.15, 2), (6, 0.15, 1), (7, 0.15, 1)]}
DRUM = {"keys": ["ratio", "speed", "mu", "seed"], "results": ["angle", "rests", "slides"],
        "cases": [(10, 0.2, 0.15, 1), (10, 0.2, 0.15, 2), (10, 0.5, 0.15, 1), (10, 1, 0.15, 1),
                  (15, 0.2, 0.15, 1), (10, 0.2, 0.3, 1)]}
COLLAPSE = {"keys": ["a", "wide", "seed"], "results": ["column", "runout", "half_ring", "of_one"],
            "cases": [(0.5, 16, 1), (0.5, 16, 2), (0.5, 20, 1), (1, 6, 1), (1, 8, 1), (1, 8, 2), (1, 8, 3),
                      (1, 12, 1), (1, 16, 1), (1.5, 12, 1), (1.5, 16, 1), (3, 8, 1), (6, 6, 1)]}
PACKING = {"keys": ["mu", "seed"], "results": ["fraction"],
           "cases": [(0, 1), (0, 2), (0.1, 1), (0.3, 1), (0.5, 1)]}


def make_table(options, scene, plan):
    table = Table(options.out / f"grains_{scene}.csv", plan["keys"], options.fresh)
    cases = [dict(zip(plan["keys"], map(float, values))) for values in plan["cases"]]

    def work(case):
        done = run_scene(options, scene, case)
        found = {name: float(done["results"][name]["value"]) for name in plan["results"]}
        return {**found, **measure_run(done)}

    n_failed = campaign(table, cases[:2] if options.quick else cases, work, options.jobs)
    return table, n_failed


def draw_silo(options, table):
    """Both sides of W = C rho sqrt(g) (D - k d)^(5/2) to the power 2/5: a straight line over D/d, which
    meets zero at k."""
    figure, axes = pyplot.subplots(figsize=(4.4, 3.1))
    x = numpy.array([1.4, 8.0])
    axes.fill_between(x, 0.55**0.4 * (x - 1.4), 0.65**0.4 * (x - 1.4), color="0.88",
                      label="Beverloo: k = 1.4, C = 0.55 to 0.65")
    for mu in sorted({row["mu"] for row in table.rows.values()}):
        rows = table.select(mu=mu)
        outlet = numpy.array([row["outlet"] for row in rows])
        bulk = numpy.array([row["bulk"] for row in rows]) * DENSITY
        flow = numpy.array([row["flow"] for row in rows])
        scaled = (flow / (bulk * numpy.sqrt(GRAVITY * DIAMETER**5))) ** 0.4
        dots = axes.plot(outlet, scaled, "o", markersize=4, label=f"friction {mu:g}")
        if len(set(outlet)) > 2:
            slope, begin = numpy.polyfit(outlet, scaled, 1)
            text = f"C = {slope**2.5:.2f}, k = {-begin / slope:.2f}"
            axes.plot(x, slope * x + begin, ":", color=dots[0].get_color(), label=f"fit: {text}")
            print(f"silo, friction {mu:g}: {text} by a fit over D")
    axes.set(xlabel="outlet D/d", ylabel=r"$(W/\rho\,\sqrt{g d^5})^{2/5}$", xlim=(0, 8.0), ylim=(0, None))
    axes.legend(loc="upper left", fontsize=8)
    save(figure, options, "grains_silo")


def draw_drum(options, table):
    figure, axes = pyplot.subplots(figsize=(4.4, 3.1))
    axes.axhspan(22.0, 27.4, color="0.88", label="glass beads, from rest to sliding off")
    kinds = sorted({(row["ratio"], row["mu"]) for row in table.rows.values()})
    for place, (ratio, mu) in enumerate(kinds):
        rows = table.select(ratio=ratio, mu=mu)
        angle = numpy.array([[row["angle"], row["rests"], row["slides"]] for row in rows]).T
        speed = [row["speed"] + 0.025 * place + 0.01 * (row["seed"] - 1.0) for row in rows]
        axes.errorbar(speed, angle[0], yerr=[angle[0] - angle[1], angle[2] - angle[0]], fmt="o",
                      markersize=4, capsize=2, label=f"R = {ratio:g} d, friction {mu:g}")
    axes.set(xlabel="speed (rad/s)", ylabel="angle of the bed (degrees)", ylim=(15, 34),
             xlim=(0, None))
    axes.legend(loc="upper left", fontsize=8, ncols=1)
    save(figure, options, "grains_drum")


def published(a):
    """How much the radius of a column grows, over the radius."""
    return numpy.where(a < 1.7, 1.24 * a, 1.6 * numpy.sqrt(a))


def draw_collapse(options, table):
    a = numpy.geomspace(0.3, 8.0, 100)
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(7.2, 3.1))
    left.loglog(a, published(a), color="0.4", label="Lube et al.: 1.24 a, 1.6 $\\sqrt{a}$")
    for place, wide in enumerate(sorted({row["wide"] for row in table.rows.values()})):
        rows = table.select(wide=wide)
        left.plot([row["column"] for row in rows], [row["runout"] for row in rows], "o", markersize=4,
                  color=f"C{place % 7}", label=f"$r_0$ = {wide:g} d")
    for axis, ticks in ((left.xaxis, (0.5, 1, 2, 4, 8)), (left.yaxis, (0.5, 1, 2, 4))):
        axis.set_major_locator(FixedLocator(ticks))
        axis.set_major_formatter("{x:g}")
        axis.set_minor_locator(NullLocator())
    left.set(xlabel="height over radius of the column, a", ylabel=r"run-out $(r_\infty - r_0)/r_0$")
    left.legend(loc="lower right", fontsize=7)
    rows = table.select(a=1.0)
    x = numpy.array([1.0 / row["wide"] for row in rows])
    right.axhspan(1.2, 1.3, color="0.9", label="published: 1.2 to 1.3")
    for name, mark, text in (("runout", "o", "where the slope meets the ground"),
                             ("half_ring", "s", "where grains close half a ring")):
        over = numpy.array([row[name] / row["column"] for row in rows])
        dots = right.plot(x, over, mark, markersize=4, label=text)
        if len(set(x)) > 2:
            slope, limit = numpy.polyfit(x, over, 1)
            right.plot([0, x.max()], [limit, limit + slope * x.max()], ":", color=dots[0].get_color())
            print(f"collapse, {text}: {limit:.2f} a - {-slope:.1f} a d/r0 by a fit over the size of grains")
    for row in table.select(a=1.0, seed=1.0):
        right.annotate(f"{row['wide']:g} d", (1.0 / row["wide"], row["runout"] / row["column"]), fontsize=7,
                       textcoords="offset points", xytext=(5, 3))
    right.set(xlabel="grain over radius of the column, $d/r_0$", ylabel="run-out over a, a = 1",
              xlim=(0, 0.18), ylim=(0, 1.7))
    right.legend(loc="lower left", fontsize=7)
    save(figure, options, "grains_collapse")


def draw_packing(options, table):
    rows = table.select()
    figure, axes = pyplot.subplots(figsize=(4.4, 3.1))
    axes.axhspan(0.63, 0.64, color="#0072b2", alpha=0.25, label="random close packing")
    axes.axhspan(0.55, 0.60, color="0.88", label="random loose packing")
    axes.plot([row["mu"] for row in rows], [row["fraction"] for row in rows], "o", markersize=4,
              label="runs")
    axes.set(xlabel="friction", ylabel="share that is filled", ylim=(0.53, 0.68))
    axes.legend(loc="upper right", fontsize=8)
    save(figure, options, "grains_packing")


def main():
    options = parse_options(__doc__)
    n_failed = 0
    for scene, plan, draw in (("silo", SILO, draw_silo), ("drum", DRUM, draw_drum),
                              ("collapse", COLLAPSE, draw_collapse),
                              ("packing", PACKING, draw_packing)):
        table, n = make_table(options, scene, plan)
        n_failed += n
        if len(table.rows) >= 2:
            draw(options, table)
    return 1 if n_failed else 0


if __name__ == "__main__":
    sys.exit(main())
