#!/usr/bin/env python3
"""The mass on a belt with anisotropic friction: figures 16 and 17 of Walker and Leine (2019).

usage: ./dev figures belt [--quick]

belt_bifurcation: equilibria and simulated limit cycles over the direction of the belt, with the
    range that eigenvalues call unstable; and the friction law: force set C, direction set D, the
    directions of sliding, those of the unstable range in colour.
belt_cycle: the limit cycle at phi = 50 degrees, in the plane and as forces within C.
belt_convergence: deviation of the cycle's period, extrema and stick fraction from the reference
    values over the time step; at the finest step none may be above 0.1 %.
"""

import sys

import numpy
from _figures import COLOURS, Table, call, campaign, parse_options, pyplot, save, say

A, B, ZETA, RATIO, PHI = 30.0, 10.0, numpy.radians(30.0), 3.0, 50.0
WORST = 1e-3  # relative deviation that is asked for

REFERENCE = {"period": 28.703449338885928, "x_min": 13.093227883188996,
             "x_max": 26.917897114400198, "y_min": -4.147689191767063,
             "y_max": 15.564291050697005, "stick_fraction": 0.6889183755655044}
LABELS = {"period": "period", "x_min": "smallest $x$", "x_max": "largest $x$",
          "y_min": "smallest $y$", "y_max": "largest $y$", "stick_fraction": "stick fraction"}


def run_belt(options, output=None, **settings):
    arguments = ["run", "belt"]
    for name, value in settings.items():
        arguments += ["--set", f"{name}={value:.17g}"]
    for setting in options.set:
        arguments += ["--set", setting]
    if output:
        arguments += ["-o", output]
    return call(options.program, *arguments)


def measures(found):
    """The numbers of a run; no period where cycles differ or there are none."""
    return {"moves": float(found["outcome"] != "steady"),
            "period": found["period"] or float("nan"),
            "x_min": found["x"][0], "x_max": found["x"][1],
            "y_min": found["y"][0], "y_max": found["y"][1],
            "stick_fraction": found["stick_fraction"], "residual": found["residual_max"],
            "not_converged": float(found["steps_not_converged"])}


# ---- the law -------------------------------------------------------------------------------------

def force_set():
    t = numpy.linspace(0.0, 2.0 * numpy.pi, 721)
    x, y = A * numpy.cos(t), B * numpy.sin(t)
    return x * numpy.cos(ZETA) - y * numpy.sin(ZETA), x * numpy.sin(ZETA) + y * numpy.cos(ZETA)


def gauge(x, y):
    """Of the force set."""
    u = x * numpy.cos(ZETA) + y * numpy.sin(ZETA)
    v = y * numpy.cos(ZETA) - x * numpy.sin(ZETA)
    return numpy.hypot(u / A, v / B)


def sliding_force(phi):
    """Minus the friction force when the mass slides in the direction phi, eq. (84)."""
    x, y = RATIO ** 2 * numpy.cos(phi), numpy.sin(phi)
    k = gauge(x, y)
    return x / k, y / k


def direction_set():
    """The largest ellipse of that ratio inside the force set."""
    t = numpy.linspace(0.0, 2.0 * numpy.pi, 721)
    x, y = RATIO * numpy.cos(t), numpy.sin(t)
    size = 1.0 / gauge(x, y).max()
    return size * x, size * y


def draw_law(axes, unstable):
    axes.fill(*force_set(), color=COLOURS[0], alpha=0.12, linewidth=0)
    axes.plot(*force_set(), color=COLOURS[0], label="force set $C$")
    axes.plot(*direction_set(), color=COLOURS[2], linestyle="--", label="direction set $D$")
    for theta in numpy.radians(numpy.arange(0.0, 360.0, 5.0)):  # of the force
        phi = numpy.arctan2(RATIO ** 2 * numpy.sin(theta), numpy.cos(theta))
        x, y = sliding_force(phi)
        inside = any(low < numpy.degrees(phi) % 180.0 < high for low, high in unstable)
        axes.annotate("", (x + 6.0 * numpy.cos(phi), y + 6.0 * numpy.sin(phi)), (x, y),
                      arrowprops={"arrowstyle": "->", "linewidth": 1.0, "shrinkA": 0, "shrinkB": 0,
                                  "color": COLOURS[1] if inside else "0.55"})
    axes.plot([], [], color="0.55", label="direction of sliding")
    axes.plot([], [], color=COLOURS[1], label="the same, unstable range")
    axes.set(aspect="equal", xlabel=r"$-\lambda_{T1}$ (N)", ylabel=r"$-\lambda_{T2}$ (N)",
             title="b) friction law", xlim=(-37, 37), ylim=(-27, 45))
    axes.legend(fontsize=7, loc="upper left")


# ---- figure 16 -----------------------------------------------------------------------------------

def bifurcation_figure(options, unstable):
    table = Table(options.out / "belt_bifurcation.csv", ["phi"], options.fresh)
    n = 15 if options.quick else 61
    phis = numpy.linspace(30.0, 90.0, n)
    low, high = unstable[0]
    if not options.quick:  # and some more beside the limits
        near = numpy.array([-0.6, -0.25, 0.25, 0.6])
        phis = numpy.concatenate([phis, low + near, high + near])
    cases = [{"phi": float(phi)} for phi in sorted(phis)]
    n_failed = campaign(table, cases,
                        lambda case: measures(run_belt(options, step=2e-3, discard=6, end=2500,
                                                          **case)),
                        options.jobs)
    if n_failed:
        return n_failed
    rows = table.select()
    wrong = [row["phi"] for row in rows
             if (row["moves"] > 0.0) != (low < row["phi"] < high)]
    print(f"bifurcation: {len(rows)} directions simulated, {len(wrong)} against the eigenvalues "
          f"{wrong}; worst residual {max(row['residual'] for row in rows):.1e}")

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(7.6, 3.5), width_ratios=[1.15, 1.0])
    left.axvspan(low, high, color=COLOURS[1], alpha=0.10, linewidth=0,
                 label="unstable by eigenvalue")
    grid = numpy.linspace(30.0, 90.0, 601)
    force = sliding_force(numpy.radians(grid))
    for row, (x, colour) in enumerate(zip(force, (COLOURS[0], COLOURS[2]))):
        name = "xy"[row]
        inside = (grid > low) & (grid < high)
        left.plot(grid, numpy.where(inside, numpy.nan, x), color=colour,
                  label=f"equilibrium, ${name}$")
        left.plot(grid, numpy.where(inside, x, numpy.nan), color=colour, linestyle=":")
        for end in ("min", "max"):
            cycles = [(r["phi"], r[f"{name}_{end}"]) for r in rows if r["moves"] > 0.0]
            left.plot(*zip(*cycles), ".", color=colour, markersize=3.5,
                      label=f"limit cycle, extrema of ${name}$" if end == "min" else None)
    left.set(xlabel=r"direction of the belt $\varphi$ (degrees)", ylabel="position (m)",
             title="a) bifurcation diagram", xlim=(30, 90))
    left.legend(fontsize=7, loc="upper right")
    left.set_ylim(top=left.get_ylim()[1] + 14.0)
    draw_law(right, unstable)
    save(figure, options, "belt_bifurcation")
    return len(wrong)


# ---- figure 17 -----------------------------------------------------------------------------------

def cycle_figure(options):
    path = options.out / "belt_cycle.csv"
    step = 1e-3
    found = run_belt(options, path, phi=PHI, step=step, discard=10, measure=1, every=10)
    rows = numpy.genfromtxt(path, delimiter=",", names=True)
    rows = rows[rows["measured"] > 0.0]
    sticks = rows["sticks"] > 0.0
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(7.6, 3.5), width_ratios=[1.0, 1.35])
    for chosen, colour, label in ((~sticks, COLOURS[0], "slides"), (sticks, COLOURS[1], "sticks")):
        left.plot(numpy.where(chosen, rows["x"], numpy.nan),
                  numpy.where(chosen, rows["y"], numpy.nan), color=colour, linewidth=2.4,
                  label=label)
    marks = rows[::40]  # every 0.4 s
    left.plot(marks["x"], marks["y"], ".", color="0.15", markersize=1.6, zorder=3,
              label="every 0.4 s")
    left.plot(*found["equilibrium"], "o", color=COLOURS[2], markersize=4.5,
              label="unstable equilibrium")
    left.set(aspect="equal", xlabel="$x$ (m)", ylabel="$y$ (m)", xlim=(8, 31), ylim=(-6, 21),
             title=f"a) limit cycle, period {found['period']:.3f} s")
    left.legend(fontsize=7, loc="upper left")

    right.fill(*force_set(), color=COLOURS[0], alpha=0.10, linewidth=0)
    right.plot(*force_set(), color="0.5", linewidth=0.8, label="force set $C$")
    force = -rows["force_x"], -rows["force_y"]
    for chosen, colour, label in ((~sticks, COLOURS[0], "force while it slides"),
                                  (sticks, COLOURS[1], "force while it sticks")):
        right.plot(*(numpy.where(chosen, f, numpy.nan) for f in force), color=colour, label=label)
    arrows = rows[~sticks][::30]
    right.quiver(-arrows["force_x"], -arrows["force_y"], arrows["slip_x"], arrows["slip_y"],
                 angles="xy", scale_units="xy", scale=1.5, width=0.004, color=COLOURS[2], zorder=3)
    right.plot([], [], color=COLOURS[2], label="sliding velocity (1.5 m/s per N)")
    right.set(aspect="equal", xlabel=r"$-\lambda_{T1}$ (N)", ylabel=r"$-\lambda_{T2}$ (N)",
              title="b) force and sliding velocity", xlim=(-35, 7), ylim=(-21, 13))
    right.legend(fontsize=7, loc="lower right")
    save(figure, options, "belt_cycle")
    return 0


# ---- convergence ---------------------------------------------------------------------------------

def convergence_figure(options):
    table = Table(options.out / "belt_convergence.csv", ["step"], options.fresh)
    steps = [8e-3, 4e-3, 2e-3, 1e-3, 5e-4] if not options.quick else [8e-3, 4e-3, 2e-3]
    n_failed = campaign(
        table, [{"step": step} for step in steps],
        lambda case: measures(run_belt(options, phi=PHI, discard=16, measure=4, **case)),
        options.jobs)
    if n_failed:
        return n_failed
    rows = table.select()
    figure, axes = pyplot.subplots(figsize=(5.6, 3.4))
    worst = 0.0
    for colour, (name, reference) in zip(COLOURS, REFERENCE.items()):
        off = [abs(row[name] / reference - 1.0) for row in rows]
        axes.loglog([row["step"] for row in rows], off, "o-", color=colour, markersize=3.5,
                    label=LABELS[name])
        worst = max(worst, off[0])
        print(f"{name:15s}" + "".join(f"  h {row['step']:g}: {row[name]:.6f} ({100 * d:.4f} %)"
                                      for row, d in zip(rows, off)))
    axes.axhline(WORST, color="0.4", linestyle="--", linewidth=0.8)
    axes.set(xlabel="time step (s)", ylabel="relative deviation from the reference",
             title="limit cycle of the mass on the belt")
    axes.legend(fontsize=8, loc="center left", bbox_to_anchor=(1.0, 0.5))
    save(figure, options, "belt_convergence")
    print(f"limit cycle: worst relative deviation {worst:.2e} at the finest step, asked {WORST:g}")
    return 0 if worst <= WORST or options.quick else 1


def main():
    options = parse_options(__doc__)
    found = call(options.program, "stability", "belt")
    unstable, critical = found["unstable_phi_deg"], found["critical_zeta_deg"]
    print(f"unstable directions {unstable} degrees, critical rotations {critical} degrees")
    n_failed = cycle_figure(options) + convergence_figure(options)
    n_failed += bifurcation_figure(options, unstable)
    if n_failed:
        say("belt: not everything came out as it should")
    return 1 if n_failed else 0


if __name__ == "__main__":
    sys.exit(main())
