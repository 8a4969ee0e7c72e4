#!/usr/bin/env python3
"""Grains beside what is published of them: docs/grains.md.

usage: ./dev figures grains [--quick]

grains_silo: the flow out of silos of several outlets, to the power 2/5, beside Beverloo's line.
grains_drum: the angle of a bed in a drum that turns, over the Froude number. grains_collapse: how far
columns spread, over their height, for columns of several grains. grains_packing: the share that is
filled over friction. What is in the tables (grains_*.csv) is not run again.
"""

import sys

import numpy
from _figures import GRAVITY, Table, campaign, measure_run, parse_options, pyplot, run_scene, save

DIAMETER, DENSITY = 0.005, 2500.0
SILO = {"keys": ["outlet", "mu", "seed"], "results": ["flow", "bulk", "C"],
        "cases": [(5, 0.15, 1), (5, 0.15, 2), (6, 0.15, 1), (7, 0.15, 1), (8, 0.15, 1),
                  (5, 0.3, 1), (5, 0.5, 1)]}
DRUM = {"keys": ["ratio", "speed", "mu", "seed"], "results": ["angle", "rests", "slides"],
        "cases": [(10, 0.2, 0.15, 1), (10, 0.2, 0.15, 2), (10, 0.5, 0.15, 1), (10, 1, 0.15, 1),
                  (15, 0.2, 0.15, 1), (10, 0.2, 0.3, 1)]}
COLLAPSE = {"keys": ["a", "wide", "seed"], "results": ["column", "runout", "of_one"],
            "cases": [(0.5, 9, 1), (0.5, 16, 1), (1, 6, 1), (1, 9, 1), (1, 9, 2), (1, 12, 1),
                      (1, 16, 1), (2, 10, 1), (4, 8, 1), (8, 6, 1)]}
PACKING = {"keys": ["mu", "seed"], "results": ["fraction"],
           "cases": [(0, 1), (0, 2), (0.1, 1), (0.3, 1), (0.5, 1), (1, 1), (1, 2)]}


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
    rows = table.select()
    outlet = numpy.array([row["outlet"] for row in rows])
    unit = numpy.array([row["bulk"] for row in rows]) * DENSITY * numpy.sqrt(GRAVITY * DIAMETER**5)
    scaled = (numpy.array([row["flow"] for row in rows]) / unit) ** 0.4
    slope, begin = numpy.polyfit(outlet, scaled, 1)
    ends = numpy.array([0.0, 1.05 * outlet.max()])
    line = numpy.clip(ends, 1.4, None) - 1.4
    x = numpy.array([1.4, ends[1]])
    figure, axes = pyplot.subplots(figsize=(4.4, 3.1))
    axes.fill_between(x, 0.55**0.4 * (x - 1.4), 0.65**0.4 * (x - 1.4), color="0.88",
                      label="Beverloo, C = 0.55 to 0.65, k = 1.4")
    axes.plot(ends, 0.58**0.4 * line, color="0.4", label="C = 0.58")
    axes.plot(outlet, scaled, "o", markersize=4, label="runs")
    axes.plot(x, slope * x + begin, ":", label=f"fit: C = {slope**2.5:.2f}, k = {-begin / slope:.2f}")
    axes.set(xlabel="outlet D/d", ylabel=r"$(W/\rho\,\sqrt{g d^5})^{2/5}$", xlim=(0, ends[1]),
             ylim=(0, None))
    axes.legend(loc="upper left", fontsize=8)
    save(figure, options, "grains_silo")
    print(f"silo: C = {slope**2.5:.3f}, k = {-begin / slope:.3f} by a fit over D; with k = 1.4 C from "
          f"{min(row['C'] for row in rows):.3f} to {max(row['C'] for row in rows):.3f}")


def draw_drum(options, table):
    figure, axes = pyplot.subplots(figsize=(4.4, 3.1))
    axes.axhspan(22.0, 27.4, color="0.88", label="glass beads, at rest to sliding off")
    for ratio in sorted({row["ratio"] for row in table.rows.values()}):
        rows = table.select(ratio=ratio)
        froude = [row["speed"] ** 2 * ratio * DIAMETER / GRAVITY for row in rows]
        axes.semilogx(froude, [row["angle"] for row in rows], "o", markersize=4,
                      label=f"R = {ratio:g} d")
    axes.set(xlabel=r"Froude number $\omega^2 R/g$", ylabel="angle of the bed (degrees)",
             ylim=(15, 35))
    axes.legend(loc="lower right", fontsize=8)
    save(figure, options, "grains_drum")


def draw_collapse(options, table):
    a = numpy.geomspace(0.3, 12.0, 100)
    figure, axes = pyplot.subplots(figsize=(4.4, 3.1))
    axes.loglog(a, numpy.where(a < 1.7, 1.24 * a, 1.6 * numpy.sqrt(a)), color="0.4",
                label="Lube et al. 2004: 1.24 a, 1.6 $\\sqrt{a}$")
    for wide in sorted({row["wide"] for row in table.rows.values()}):
        rows = table.select(wide=wide)
        axes.loglog([row["column"] for row in rows], [row["runout"] for row in rows], "o",
                    markersize=4, label=f"$r_0$ = {wide:g} d")
    axes.set(xlabel="height over radius of the column, a",
             ylabel=r"run-out $(r_\infty - r_0)/r_0$")
    axes.legend(loc="lower right", fontsize=8)
    save(figure, options, "grains_collapse")


def draw_packing(options, table):
    rows = table.select()
    figure, axes = pyplot.subplots(figsize=(4.4, 3.1))
    axes.axhspan(0.63, 0.64, color="#0072b2", alpha=0.25, label="random close packing")
    axes.axhspan(0.55, 0.60, color="0.88", label="random loose packing")
    axes.plot([row["mu"] for row in rows], [row["fraction"] for row in rows], "o", markersize=4,
              label="runs")
    axes.set(xlabel="friction", ylabel="share that is filled", ylim=(0.53, 0.67))
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
