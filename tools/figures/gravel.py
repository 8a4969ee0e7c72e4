#!/usr/bin/env python3
"""A pile of gravel: figures 10 to 13 of Tasora and Anitescu (2013), section 6.3.

usage: ./dev figures gravel [--count N] [--quick]

gravel_flat and gravel_steep: the pile without and with rolling friction of 0.01 m. gravel_profiles:
the surface around the axis for several rho, with the line that gives the angle of repose.
gravel_angle: that angle against rho. Every rho is a run of 10,000 spheres and takes long; what is
in the table (gravel.csv) is not run again. --count N makes a smaller pile of N spheres.
"""

import sys

import numpy
from _figures import (COLOURS, Recording, Table, call, campaign, measure_heap, measure_run,
                      parse_options, pyplot, report_misses, run_scene, save, say)
from _spheres import picture

SCENE, RATE, SETTLE = "gravel", 800.0, 2.5  # spheres per second; s after the last one
RHOS = [0.0, 0.0005, 0.001, 0.002, 0.003, 0.004, 0.005, 0.006, 0.008, 0.01]
PROFILES = [0.0, 0.001, 0.003, 0.01]


def add_options(parser):
    parser.add_argument("--count", type=int, default=10000, metavar="N",
                        help="spheres (default: %(default)s)")
    parser.add_argument("--rhos", type=lambda text: [float(rho) for rho in text.split(",")],
                        metavar="R,R,...", help="values of rho, m (default: ten from 0 to 0.01)")


def recording_of(options, rho):
    return options.out / "gravel" / f"gravel_{options.count}_{rho:g}.h5"


def make_pile(options, case):
    duration = case["count"] / RATE + SETTLE
    settings = {"rho": case["rho"], "count": case["count"], "stop.time": duration,
                "output.interval": 0.5}
    path = recording_of(options, case["rho"])
    result = run_scene(options, SCENE, settings, recording=path)
    return {**measure_heap(options.program, path), **measure_run(result)}


def draw_picture(options, rho, name):
    if not recording_of(options, rho).exists():
        return
    centres, radii = Recording(recording_of(options, rho)).spheres()
    reach = 1.05 * numpy.abs(centres[:, 0]).max() + 0.1
    top = centres[:, 2].max() + 0.05
    window = -reach, reach, -0.32 * reach, 0.95 * top + 0.3 * reach
    image = picture(centres, radii, window, 1400, elevation=18.0)
    figure = pyplot.figure(figsize=(7.2, 7.2 * image.shape[0] / image.shape[1]))
    figure.set_layout_engine("none")
    axes = figure.add_axes([0.0, 0.0, 1.0, 1.0])
    axes.axis("off")
    axes.imshow(image, interpolation="antialiased")
    axes.text(0.02, 0.95, f"$\\rho$ = $\\sigma$ = {rho:g} m", transform=axes.transAxes, va="top")
    save(figure, options, name)


def draw_profiles(options):
    shown = [rho for rho in PROFILES if recording_of(options, rho).exists()]
    if not shown:
        return
    heaps = [call(options.program, "repose", recording_of(options, rho)) for rho in shown]
    top = 1.3 * max(heap["height"] for heap in heaps)
    figure, grid = pyplot.subplots(len(shown), 1, sharex=True, squeeze=False,
                                   figsize=(7.2, 0.5 + len(shown) * (0.25 + 3.2 * top)))
    for axes, rho, heap in zip(grid[:, 0], shown, heaps):
        centres, radii = Recording(recording_of(options, rho)).spheres()
        # a slice of one diameter through the axis
        offset = centres[:, :2] - heap["axis"]
        cut = numpy.abs(offset[:, 1]) < radii
        for (x, _), z, r, y in zip(offset[cut], centres[cut, 2], radii[cut], offset[cut, 1]):
            axes.add_patch(pyplot.Circle((x, z), numpy.sqrt(r * r - y * y), facecolor="0.85",
                                         edgecolor="0.6", linewidth=0.3))
        draw_flank(axes, heap)
        axes.set_ylabel("height (m)")
        angle = heap["angle_degrees"]
        text = "no angle" if angle is None else f"$\\psi$ = {angle:.1f}°"
        axes.text(0.01, 0.97, f"$\\rho$ = {rho:g} m, {text}", transform=axes.transAxes, va="top")
        axes.set(aspect="equal", xlim=(-1.05, 1.05), ylim=(0.0, top))
    axes.set_xlabel("distance to the axis (m)")
    save(figure, options, "gravel_profiles")


def draw_flank(axes, heap):
    """The mean surface on both sides, and the line that was fitted to its flank."""
    radius = numpy.array(heap["profile_radius"], float)
    height = numpy.array(heap["profile_height"], float)
    for side in (-1.0, 1.0):
        axes.plot(side * radius, height, ".", color=COLOURS[0], markersize=4)
    if heap["angle_degrees"] is None:
        return
    flank = radius[heap["flank_begin"]:heap["flank_end"]]
    ends = numpy.array([numpy.nanmin(flank), numpy.nanmax(flank)])
    line = heap["flank_height"] - numpy.tan(numpy.radians(heap["angle_degrees"])) * ends
    for side in (-1.0, 1.0):
        axes.plot(side * ends, line, color=COLOURS[1], linewidth=1.6)


def draw_angle(options, table):
    rows = table.select(count=options.count)
    if not rows:
        return
    figure, axes = pyplot.subplots(figsize=(4.4, 3.1))
    axes.errorbar([row["rho"] for row in rows], [row["angle_degrees"] for row in rows],
                  [row["angle_error_degrees"] for row in rows], marker="o", markersize=4,
                  capsize=2)
    axes.set(xlabel=r"rolling and spinning friction $\rho$ = $\sigma$ (m)",
             ylabel=r"angle of repose $\psi$ (degrees)")
    axes.set_ylim(min(0.0, axes.get_ylim()[0]), None)
    save(figure, options, "gravel_angle")


def main():
    options = parse_options(__doc__, add_options)
    if options.quick:
        options.count = min(options.count, 1000)
    (options.out / "gravel").mkdir(exist_ok=True)
    table = Table(options.out / "gravel.csv", ["count", "rho"], options.fresh)
    rhos = options.rhos or (PROFILES if options.quick else RHOS)
    cases = [{"count": float(options.count), "rho": rho} for rho in rhos]
    n_failed = campaign(table, cases, lambda case: make_pile(options, case), options.jobs)
    draw_picture(options, 0.0, "gravel_flat")
    draw_picture(options, 0.01, "gravel_steep")
    draw_profiles(options)
    draw_angle(options, table)
    report_misses(table)
    if n_failed:
        say(f"gravel: {n_failed} runs failed; call it again to repeat them")
    return 1 if n_failed else 0


if __name__ == "__main__":
    sys.exit(main())
