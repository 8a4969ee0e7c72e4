#!/usr/bin/env python3
"""A pile of gravel: figures 10 to 13 of Tasora and Anitescu (2013), section 6.3.

usage: ./dev figures gravel [--count N] [--quick] [--results FOLDER]

gravel_flat and gravel_steep: the pile without and with rolling friction of 0.01 m. gravel_profiles:
the surface around the axis for several rho, with the line that gives the angle of repose.
gravel_angle: that angle against rho, under the exact law and under the paper's convex one. Every
point is a run of 1,000 spheres, pictures and profiles are of 3,000 under the exact law; --count N
asks for more. What is in the table (gravel.csv) is not run again; --results FOLDER takes the runs
of heaps.sh.
"""

import sys

import numpy
from _figures import (COLOURS, Table, campaign, describe_heap, grains, is_there, make_heap,
                      parse_options, pyplot, report_misses, save, say)
from _spheres import picture

SCENE, RATE, SETTLE = "gravel", 800.0, 2.0  # spheres per second; s after the last one
PICTURED = 3000  # spheres
RHOS = [0.0, 0.001, 0.002, 0.003, 0.005, 0.01]
LAWS = ["exact", "convex"]
PROFILES = [0.0, 0.001, 0.002, 0.01]


def add_options(parser):
    parser.add_argument("--count", type=int, default=1000, metavar="N",
                        help="spheres (default: %(default)s)")
    parser.add_argument("--rhos", type=lambda text: [float(rho) for rho in text.split(",")],
                        metavar="R,R,...", help="values of rho, m (default: six from 0 to 0.01)")


def recording_of(options, rho, law="exact", count=PICTURED):
    return options.out / "gravel" / f"gravel_{count:g}_{rho:g}_{law}.h5"


def make_pile(options, case):
    law = LAWS[int(case["law"])]
    settings = {"rho": case["rho"], "count": case["count"], "world.law": law,
                "stop.time": case["count"] / RATE + SETTLE, "output.interval": 0.5}
    path = recording_of(options, case["rho"], law, case["count"])
    return make_heap(options, SCENE, settings, path)


def draw_picture(options, rho, name):
    path = recording_of(options, rho)
    if not is_there(options, path):
        return
    centres, radii = grains(options, path, describe_heap(options, path)["diameter"])
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
    shown = [rho for rho in PROFILES if is_there(options, recording_of(options, rho))]
    if not shown:
        return
    heaps = [describe_heap(options, recording_of(options, rho)) for rho in shown]
    top = 1.3 * max(heap["height"] for heap in heaps)
    figure, grid = pyplot.subplots(len(shown), 1, sharex=True, squeeze=False,
                                   figsize=(7.2, 0.5 + len(shown) * (0.25 + 3.2 * top)))
    for axes, rho, heap in zip(grid[:, 0], shown, heaps):
        centres, radii = grains(options, recording_of(options, rho), heap["diameter"])
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
    figure, axes = pyplot.subplots(figsize=(4.4, 3.1))
    for law, name in enumerate(LAWS):
        rows = table.select(count=options.count, law=law)
        axes.errorbar([row["rho"] for row in rows], [row["angle_degrees"] for row in rows],
                      [row["angle_error_degrees"] for row in rows], marker="os"[law], markersize=4,
                      capsize=2, label=f"{name} law")
    axes.set(xlabel=r"rolling and spinning friction $\rho$ = $\sigma$ (m)",
             ylabel=r"angle of repose $\psi$ (degrees)")
    axes.set_ylim(min(0.0, axes.get_ylim()[0]), None)
    axes.legend(loc="lower right")
    save(figure, options, "gravel_angle")


def main():
    options = parse_options(__doc__, add_options)
    if options.quick:
        options.count = min(options.count, 1000)
    (options.out / "gravel").mkdir(exist_ok=True)
    table = Table(options.out / "gravel.csv", ["count", "law", "rho"], options.fresh)
    rhos = options.rhos or (PROFILES if options.quick else RHOS)
    cases = [{"count": float(options.count), "law": float(law), "rho": rho}
             for law in range(len(LAWS)) for rho in rhos]
    cases += [{"count": float(PICTURED), "law": 0.0, "rho": rho} for rho in PROFILES
              if not options.quick]
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
