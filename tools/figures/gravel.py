#!/usr/bin/env python3
"""A pile of gravel: figures 10 to 13 of Tasora and Anitescu (2013), section 6.3.

usage: ./dev figures gravel [--count N] [--quick] [--results FOLDER]

gravel_flat and gravel_steep: the pile without and with rolling friction. gravel_profiles: the
surface around the axis for several rho, with the line that gives the angle of repose. gravel_angle:
that angle against rho under the exact law and the paper's convex one; of 1,000 spheres under both; and
of 300 on a plane (scene stones): means of three heaps, with standard deviations. What is in the table
(gravel.csv) is not run again; piles of the paper's size take four minutes each, --results FOLDER takes
the runs of heaps.sh.
"""

import sys

import numpy
from _figures import (COLOURS, Table, campaign, describe_heap, grains, is_there, make_heap,
                      parse_options, pyplot, report_misses, save, say)
from _spheres import picture

RATE, SETTLE = 800.0, 2.5  # spheres per second; s after the last one
SMALL, SEEDS = 300.0, (1.0, 2.0, 3.0)  # spheres on a plane
FEWER = 1000.0  # spheres in the same container
RHOS = [0.0, 0.001, 0.002, 0.003, 0.005, 0.0075, 0.01]
LAWS = ["exact", "convex"]
PROFILES = [0.0, 0.001, 0.003, 0.0075]
FLAT, STEEP = 0.001, 0.0075


def add_options(parser):
    parser.add_argument("--count", type=int, default=10000, metavar="N",
                        help="spheres (default: %(default)s)")
    parser.add_argument("--rhos", type=lambda text: [float(rho) for rho in text.split(",")],
                        metavar="R,R,...", help="values of rho, m (default: seven from 0 to 0.01)")


def recording_of(options, rho, count=None, law="exact"):
    return options.out / "gravel" / f"gravel_{count or options.count:g}_{rho:g}_{law}.h5"


def make_pile(options, case):
    law = LAWS[int(case["law"])]
    settings = {"rho": case["rho"], "count": case["count"], "seed": case["seed"], "world.law": law}
    if case["count"] == SMALL:
        path = options.out / "gravel" / f"stones300_{case['rho']:g}_{law}_{case['seed']:g}.h5"
        settings.update({"odd": 0.0, "rate": 300.0, "stop.time": 2.2, "output.interval": 0.2})
        return make_heap(options, "stones", settings, path)
    settings.update({"stop.time": case["count"] / RATE + SETTLE, "output.interval": 0.5})
    path = recording_of(options, case["rho"], case["count"], law)
    return make_heap(options, "gravel", settings, path)


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


def mean_angles(rows):
    """rho, mean angle, and its deviation over seeds, or the error of the fit of one heap."""
    for rho in sorted({row["rho"] for row in rows}):
        same = [row for row in rows if row["rho"] == rho
                and not numpy.isnan(row["angle_degrees"])]
        if not same:
            continue  # too flat for an angle
        angles = [row["angle_degrees"] for row in same]
        spread = numpy.std(angles, ddof=1) if len(angles) > 1 else same[0]["angle_error_degrees"]
        yield rho, numpy.mean(angles), spread


def draw_angle(options, table):
    curves = [(options.count, 0, "o-", f"{options.count:,} spheres, exact law"),
              (options.count, 1, "s-", f"{options.count:,}, convex"),
              (FEWER, 0, "o--", "1,000, exact"), (FEWER, 1, "s--", "1,000, convex"),
              (SMALL, 0, "o:", "300 on a plane, exact"), (SMALL, 1, "s:", "300, convex")]
    figure, axes = pyplot.subplots(figsize=(6.0, 3.6))
    for count, law, style, label in curves:
        found = list(mean_angles(table.select(count=count, law=law)))
        if found:
            axes.errorbar(*zip(*found), fmt=style, markersize=4, capsize=2, label=label)
            say(f"{label}: " + ", ".join(f"{rho:g} m {angle:.1f} +- {spread:.1f}"
                                         for rho, angle, spread in found))
    axes.set(xlabel=r"rolling and spinning friction $\rho$ = $\sigma$ (m)",
             ylabel=r"angle of repose $\psi$ (degrees)")
    axes.set_ylim(min(0.0, axes.get_ylim()[0]), None)
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), fontsize=8)
    save(figure, options, "gravel_angle")


def main():
    options = parse_options(__doc__, add_options)
    if options.quick:
        options.count = min(options.count, 1000)
    (options.out / "gravel").mkdir(exist_ok=True)
    table = Table(options.out / "gravel.csv", ["count", "law", "rho", "seed"], options.fresh)
    rhos = options.rhos or (PROFILES if options.quick else RHOS)
    cases = [{"count": count, "law": float(law), "rho": rho, "seed": 1.0}
             for count in sorted({float(options.count), FEWER}) for law in range(len(LAWS))
             for rho in rhos]
    cases += [{"count": SMALL, "law": float(law), "rho": rho, "seed": seed}
              for seed in SEEDS for law in range(len(LAWS)) for rho in rhos]
    n_failed = campaign(table, cases, lambda case: make_pile(options, case), options.jobs)
    draw_picture(options, FLAT, "gravel_flat")
    draw_picture(options, STEEP, "gravel_steep")
    draw_profiles(options)
    draw_angle(options, table)
    report_misses(table)
    if n_failed:
        say(f"gravel: {n_failed} runs failed; call it again to repeat them")
    return 1 if n_failed else 0


if __name__ == "__main__":
    sys.exit(main())
