#!/usr/bin/env python3
"""A disc that slides to rest on ground steel: figures 27 and 19 of Walker and Leine (2019).

usage: ./dev figures sliding_disc

sliding_disc_laws: the paths under four laws of friction, with the values of table 1; the stopping
    points must be those of the reference to 0.1 %.
sliding_disc_families: paths under the extended law for several first speeds, and for several
    directions; they bend towards the grooves.
"""

import sys

import numpy
from _figures import COLOURS, call, parse_options, pyplot, save, say

WORST = 1e-3  # relative deviation that is asked for

LAWS = [  # name, label, stop across and along (m), path (m), deflection (degrees)
    ("ellipse", "associated, ellipse", (0.185647, 0.128890), 0.226288, 2.771),
    ("superellipse", "associated, superellipse", (0.176564, 0.111456), 0.208804, 0.262),
    ("collinear", "collinear", (0.177076, 0.110649), 0.208804, 0.0),
    ("extended", "extended", (0.165172, 0.140955), 0.220645, 8.477),
]


def run_disc(options, name, **settings):
    path = options.out / f"{name}.csv"
    arguments = ["run", "sliding-disc", "-o", path]
    for key, value in settings.items():
        arguments += ["--set", f"{key}={value if isinstance(value, str) else format(value, '.17g')}"]
    for setting in options.set:
        arguments += ["--set", setting]
    found = call(options.program, *arguments)
    rows = numpy.genfromtxt(path, delimiter=",", names=True)
    start = numpy.zeros(1)
    return found, numpy.concatenate([start, rows["along"]]), numpy.concatenate(
        [start, rows["across"]])


def grooves(axes):
    """Along x."""
    low, high = axes.get_ylim()
    for y in numpy.linspace(low, high, 60):
        axes.axhline(y, color="0.85", linewidth=0.4, zorder=0)
    axes.set_ylim(low, high)
    axes.grid(False)


def laws_figure(options):
    figure, axes = pyplot.subplots(figsize=(4.8, 4.6))
    worst = 0.0
    for colour, (law, label, stop, length, deflection) in zip(
            [COLOURS[2], COLOURS[4], COLOURS[0], COLOURS[1]], LAWS):
        found, along, across = run_disc(options, f"disc_{law}", law=law)
        off = [abs(a / b - 1.0) for a, b in zip(found["stop"], stop)]
        off.append(abs(found["path_length"] / length - 1.0))
        off.append(abs(found["deflection_deg"] - deflection) / max(deflection, 1.0))
        worst = max(worst, *off)
        print(f"{law:13s} stops at {found['stop'][0]:.6f}, {found['stop'][1]:.6f} m after "
              f"{found['path_length']:.6f} m, deflected by {found['deflection_deg']:.4f} degrees; "
              f"off by {max(off):.1e}, residual {found['residual_max']:.1e}")
        axes.plot(1e3 * along, 1e3 * across, color=colour,
                  linestyle="--" if law == "collinear" else "-",
                  label=f"{label}: {abs(found['deflection_deg']):.2f}°")
        axes.plot(1e3 * along[-1], 1e3 * across[-1], "o", color=colour, markersize=4)
    axes.set(aspect="equal", xlabel="along the grooves (mm)", ylabel="across the grooves (mm)",
             title="PVC disc on ground steel, $v_0$ = 1.52 m/s, $\\varphi$ = 58°", xlim=(0, 200),
             ylim=(0, 200))
    grooves(axes)
    axes.legend(title="law: deflection", fontsize=8, title_fontsize=8, loc="lower right",
                frameon=True, facecolor="white", edgecolor="none", framealpha=0.9)
    save(figure, options, "sliding_disc_laws")
    print(f"sliding disc: worst relative deviation {worst:.2e} from the reference, asked {WORST:g}")
    return 0 if worst <= WORST else 1


def families_figure(options):
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(7.6, 3.6))
    speeds = [0.6, 0.8, 1.0, 1.2, 1.4, 1.6]
    shades = pyplot.get_cmap("viridis")(numpy.linspace(0.0, 0.85, len(speeds)))
    for speed, shade in zip(speeds, shades):
        _, along, across = run_disc(options, f"disc_v{speed:g}", law="extended", v=speed, phi=47.0)
        left.plot(1e3 * along, 1e3 * across, color=shade, label=f"{speed:g} m/s")
        left.plot(1e3 * along[-1], 1e3 * across[-1], "o", color=shade, markersize=3.5)
    left.set(aspect="equal", xlabel="along the grooves (mm)", ylabel="across the grooves (mm)",
             title=r"a) $\varphi$ = 47°, several first speeds", xlim=(0, 230), ylim=(0, 230))
    angles = [0.0, 15.0, 30.0, 45.0, 60.0, 75.0, 90.0]
    shades = pyplot.get_cmap("viridis")(numpy.linspace(0.0, 0.85, len(angles)))
    for angle, shade in zip(angles, shades):
        found, along, across = run_disc(options, f"disc_p{angle:g}", law="extended", v=1.49,
                                        phi=angle)
        right.plot(1e3 * along, 1e3 * across, color=shade, label=f"{angle:g}°")
        right.plot(1e3 * along[-1], 1e3 * across[-1], "o", color=shade, markersize=3.5)
        print(f"phi {angle:g}: path {found['path_length']:.4f} m, deflection "
              f"{found['deflection_deg']:.3f} degrees")
    right.set(aspect="equal", xlabel="along the grooves (mm)", ylabel="across the grooves (mm)",
              title=r"b) $v_0$ = 1.49 m/s, several directions $\varphi$", xlim=(-5, 255),
              ylim=(-5, 225))
    for axes in (left, right):
        grooves(axes)
        axes.legend(fontsize=7, loc="upper right" if axes is right else "upper left", frameon=True,
                    facecolor="white", edgecolor="none", framealpha=0.9)
    save(figure, options, "sliding_disc_families")
    return 0


def main():
    options = parse_options(__doc__)
    n_failed = laws_figure(options) + families_figure(options)
    if n_failed:
        say("sliding_disc: not everything came out as it should")
    return 1 if n_failed else 0


if __name__ == "__main__":
    sys.exit(main())
