#!/usr/bin/env python3
"""A sphere that rolls to rest: figures 2 and 3 of Acary and Bourrier (2021), section 6.1.

usage: ./dev figures sphere [--quick]

sphere_distance: the distance that the sphere covers, over mu and mu_r, and how far it is from
    X = (U0^2 / 2g) max(1/mu, 7 R / (5 mu_r));
the worst relative deviation is printed and must not be above 1e-3.
sphere_motion: position, velocities, force and moment in time for the three cases of the paper,
with the exact solution of the equations of motion.
"""

import sys

import numpy
from _figures import (COLOURS, GRAVITY, Recording, Table, campaign, parse_options, pyplot,
                      run_scene, save, say)
from matplotlib.colors import LogNorm
from matplotlib.ticker import NullFormatter

RADIUS, U0, DENSITY = 0.5, 2.5, 2500.0
MASS = DENSITY * 4.0 / 3.0 * numpy.pi * RADIUS ** 3
WORST = 1e-3  # relative deviation that is asked for

CASES = [  # as the caption of figure 3 has them
    ("a) rolling from the start", {"mu": 0.2, "mu_r": 0.04, "omega0": 5.0}),
    ("b) sliding at first", {"mu": 0.2, "mu_r": 0.04, "omega0": 2.5}),
    ("c) small mu", {"mu": 0.05, "mu_r": 0.04, "omega0": 5.0}),
]


def distance_in_theory(mu, mu_r):
    return U0 ** 2 / (2.0 * GRAVITY) * numpy.maximum(1.0 / mu, 7.0 * RADIUS / (5.0 * mu_r))


def time_in_theory(mu, mu_r):
    return U0 / GRAVITY * max(1.0 / mu, 7.0 * RADIUS / (5.0 * mu_r))


def motion_in_theory(mu, mu_r, omega0, times):
    """X, U and Omega at the given times, and r_T and m_T just before them: phases of constant
    acceleration that end when the slip or a velocity vanishes."""
    x, u, w, now = 0.0, U0, omega0, 0.0
    phases = []
    while u > 1e-12:
        slip = u - RADIUS * w
        rolling = abs(slip) < 1e-12 and mu >= 5.0 / 7.0 * mu_r / RADIUS
        if rolling:
            moment = -mu_r * MASS * GRAVITY
            force = 5.0 / 7.0 * moment / RADIUS
        else:  # slips, or begins to: rolling friction brakes the rotation more than sliding does
            force = -numpy.sign(slip if abs(slip) > 1e-12 else 1.0) * mu * MASS * GRAVITY
            moment = -mu_r * MASS * GRAVITY if w > 1e-12 else RADIUS * force
        a = force / MASS
        b = (moment - RADIUS * force) / (0.4 * MASS * RADIUS ** 2)
        ends = [-u / a if a < 0.0 else numpy.inf, -w / b if b < -1e-12 else numpy.inf]
        closing = slip * (a - RADIUS * b)
        if not rolling and abs(slip) > 1e-12 and closing < 0.0:
            ends.append(-slip / (a - RADIUS * b))
        length = min(end for end in ends if end > 1e-12)
        phases.append((now, now + length, x, u, w, a, b, force, moment))
        x, u, w = x + u * length + a * length ** 2 / 2.0, u + a * length, w + b * length
        now += length
        if abs(w) < 1e-9:
            w = 0.0
    out = numpy.array([[x, 0.0, 0.0, 0.0, 0.0]] * len(times))
    for begin, end, x0, u0, w0, a, b, force, moment in phases:
        inside = (times >= begin) & (times <= end)
        t = times[inside] - begin
        out[inside, :3] = numpy.stack([x0 + u0 * t + a * t * t / 2.0, u0 + a * t, w0 + b * t], 1)
        out[(times > begin) & (times <= end), 3:] = force, moment
    out[times == 0.0, 3:] = numpy.nan
    return out


# ---- figure 2 ------------------------------------------------------------------------------------

def distance_figure(options):
    n = 5 if options.quick else 13
    mus = numpy.geomspace(0.01, 0.3, n)
    mu_rs = numpy.geomspace(0.005 if options.quick else 0.002, 0.05, n)
    table = Table(options.out / "sphere_distance.csv", ["mu", "mu_r"], options.fresh)

    def work(case):
        until = 1.02 * time_in_theory(**case) + 0.01
        result = run_scene(options, "rolling-sphere",
                           {**case, "output.interval": until}, until=until)
        ball = next(b for b in result["final"]["bodies"] if b["name"] == "sphere")
        if any(abs(value) > 1e-9 for value in ball["velocity"]):
            raise RuntimeError("the sphere is not at rest")
        return {"distance": ball["position"][0]}

    cases = [{"mu": mu, "mu_r": mu_r} for mu in mus for mu_r in mu_rs]
    n_failed = campaign(table, cases, work, options.jobs)
    if n_failed:
        return n_failed
    found = numpy.array([[table.get({"mu": mu, "mu_r": mu_r})["distance"] for mu in mus]
                         for mu_r in mu_rs])
    theory = distance_in_theory(mus[None, :], mu_rs[:, None])
    deviation = numpy.abs(found / theory - 1.0)
    worst = deviation.max()
    print(f"distance of the sphere: worst relative deviation {worst:.2e} "
          f"from theory in {found.size} runs, asked {WORST:g}")

    draw_distance(options, mus, mu_rs, found, deviation)
    return 0 if worst <= WORST else 1


def draw_distance(options, mus, mu_rs, found, deviation):
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(7.2, 3.1), sharey=True)
    for axes in (left, right):
        axes.grid(False)
    fine = numpy.geomspace(mus[0], mus[-1], 200), numpy.geomspace(mu_rs[0], mu_rs[-1], 200)
    mesh = left.pcolormesh(mus, mu_rs, found, norm=LogNorm(found.min(), found.max()),
                           cmap="viridis", shading="gouraud")
    lines = left.contour(*fine, distance_in_theory(fine[0][None, :], fine[1][:, None]),
                         levels=[1, 2, 3, 5, 8, 12, 20, 30, 50, 80], colors="white",
                         linewidths=0.8)
    left.clabel(lines, fmt="%g", fontsize=7)
    left.set_title("distance $X_{max}$ (m); white: theory", fontsize=9)
    ticks = [2, 5, 10, 20, 50, 100]
    figure.colorbar(mesh, ax=left, ticks=ticks, format="%g").minorticks_off()
    deviation = numpy.maximum(deviation, 1e-14)
    decades = numpy.floor(numpy.log10(deviation.min())), numpy.ceil(numpy.log10(deviation.max()))
    mesh = right.pcolormesh(mus, mu_rs, deviation, cmap="magma_r", shading="nearest",
                            norm=LogNorm(10.0 ** decades[0], 10.0 ** decades[1]))
    right.set_title("relative deviation from theory", fontsize=9)
    figure.colorbar(mesh, ax=right)
    for axes, colour in ((left, "white"), (right, "0.2")):
        # below the line the sphere rolls, above it slides
        axes.plot(fine[0], 7.0 / 5.0 * RADIUS * fine[0], "--", color=colour, linewidth=1.0)
        axes.set(xscale="log", yscale="log", xlabel=r"$\mu$", xlim=fine[0][[0, -1]],
                 ylim=fine[1][[0, -1]])
        axes.set_xticks([0.01, 0.02, 0.05, 0.1, 0.2, 0.3])
        axes.set_yticks([0.002, 0.005, 0.01, 0.02, 0.05])
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_formatter("{x:g}")
            axis.set_minor_formatter(NullFormatter())
        axes.set(xlim=fine[0][[0, -1]], ylim=fine[1][[0, -1]])
    left.set_ylabel(r"$\mu_r$ (m)")
    save(figure, options, "sphere_distance")


# ---- figure 3 ------------------------------------------------------------------------------------

def read_motion(path):
    """Times, and X, U, Omega, r_T, m_T of the sphere."""
    recording = Recording(path)
    ball = recording.name.index("sphere")
    rows = []
    for frame in range(len(recording.time)):
        force = moment = numpy.nan
        for k, pair in enumerate(recording.contact(frame, "pair")):
            sign = 1.0 if pair[0] == ball else -1.0
            force = sign * recording.contact(frame, "force")[k][0]
            moment = sign * recording.contact(frame, "moment")[k][1]
        rows.append([recording.state(frame, "position")[ball][0],
                     recording.state(frame, "velocity")[ball][0],
                     recording.state(frame, "angular_velocity")[ball][1], force, moment])
    return recording.time, numpy.array(rows)


def motion_figure(options):
    labels = [r"$X$ (m)", r"$U_X$ (m/s)", r"$\Omega_Y$ (rad/s)", r"$r_T$ (kN)", r"$m_T$ (kN m)"]
    units = numpy.array([1.0, 1.0, 1.0, 1e3, 1e3])
    figure, grid = pyplot.subplots(5, 3, figsize=(7.2, 7.6), sharex="col", sharey="row")
    for column, (title, case) in enumerate(CASES):
        end = 1.15 * time_in_theory(case["mu"], case["mu_r"])
        path = options.out / f"sphere_{title[0]}.h5"
        run_scene(options, "rolling-sphere", {**case, "output.interval": end / 300},
                  recording=path, until=end)
        times, found = read_motion(path)
        theory = motion_in_theory(case["mu"], case["mu_r"], case["omega0"], times)
        off = numpy.abs(found - theory)[:, :3].max(axis=0)
        print(f"{title}: off theory by {off[0]:.1e} m, {off[1]:.1e} m/s, {off[2]:.1e} rad/s")
        for row in range(5):
            axes = grid[row, column]
            axes.plot(times, found[:, row] / units[row], color=COLOURS[0])
            axes.plot(times, theory[:, row] / units[row], "--", color=COLOURS[1], linewidth=1.0)
            axes.axhline(0.0, color="0.4", linewidth=0.5)
        grid[0, column].set_title(
            f"{title}\n$\\mu$ = {case['mu']:g}, $\\mu_r$ = {case['mu_r']:g} m\n"
            f"$\\Omega_Y(0)$ = {case['omega0']:g} rad/s", fontsize=8)
        grid[4, column].set_xlabel("time (s)")
    for row in range(5):
        grid[row, 0].set_ylabel(labels[row])
    figure.align_ylabels()
    grid[0, 0].legend(["Scree", "exact"], fontsize=8, loc="lower right")
    save(figure, options, "sphere_motion")
    return 0


def main():
    options = parse_options(__doc__)
    n_failed = motion_figure(options) + distance_figure(options)
    if n_failed:
        say("sphere: not everything came out as it should")
    return 1 if n_failed else 0


if __name__ == "__main__":
    sys.exit(main())
