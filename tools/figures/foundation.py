#!/usr/bin/env python3
"""Rolling on a viscous foundation: figures 2 to 6 of Poeschel, Schwager, Brilliantov and Zaikin.

usage: ./dev figures foundation [--quick]

foundation_force: rolling resistance and total force over the speed (2, 3).
foundation_bifurcation: stationary speeds over the slope with a simulated hysteresis loop (4).
foundation_noise: speed of one cylinder under noise and distribution of the speed at three slopes,
    1000 cylinders, with the Fokker-Planck density (5); the Kolmogorov-Smirnov distance is printed
    and must be below 0.02.
foundation_mean: mean speed over the intensity of the noise on either side of the folds (6).
"""

import sys

from _figures import COLOURS, call, parse_options, pyplot, save, say

SLOPES = [4.87, 4.90, 4.93]  # degrees, of figure 5
LEVELS = [1, 2, 5, 10, 20, 30, 50, 75, 100, 150, 200, 300, 500, 1000]  # kg^2/s^3
FARTHEST = 0.02  # Kolmogorov-Smirnov distance


def study(options, name, *arguments, **settings):
    words = []
    for setting in options.set:
        words += ["--set", setting]
    for key, value in settings.items():
        words += ["--set", f"{key}={value:.17g}"]
    return call(options.program, "foundation", name, *arguments, *words)


# ---- figures 2 and 3 -----------------------------------------------------------------------------

def force_figure(options):
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(7.2, 3.0))
    found = study(options, "force")
    left.plot(found["v"], found["F_R"], label="numerical")
    left.plot(found["v"], found["F_R_approximate"], "--", label="eqs. 11, 12")
    left.plot(found["peak_v"], found["peak_F_R"], ".", color=COLOURS[6])
    left.set_ylabel("rolling resistance $F_R$ (N/m)")
    left.legend()
    for colour, alpha in zip(COLOURS, (2.5, 2.0, 1.5)):
        for model, line in (("consistent", "-"), ("approximate", "--")):
            found = study(options, "force", "--model", model, alpha=alpha)
            right.plot(found["v"], found["F"], line, color=colour,
                       label=f"{alpha:g}\N{DEGREE SIGN}" if line == "-" else None)
    right.axhline(0.0, color="0.4", linewidth=0.6)
    right.set_ylabel("total force $F$ (N/m)")
    right.legend()
    for axes in (left, right):
        axes.set_xlabel("speed $v$ (m/s)")
    save(figure, options, "foundation_force")
    return 0


# ---- figure 4 ------------------------------------------------------------------------------------

def draw_curve(axes, curve, colour, label):
    """Stable parts full, the unstable one dashed."""
    begin = 0
    for i in range(1, len(curve["v"]) + 1):
        if i < len(curve["v"]) and curve["stable"][i] == curve["stable"][begin]:
            continue
        part = slice(max(begin - 1, 0), i)
        axes.plot(curve["alpha_deg"][part], curve["v"][part], "-" if curve["stable"][begin] else "--",
                  color=colour, label=label if begin == 0 else None)
        begin = i


def read_loop(path):
    loop = {"up": ([], []), "down": ([], [])}
    with path.open() as file:
        for line in file:
            kind, alpha, speed = line.strip().split(",")
            if kind in loop:
                loop[kind][0].append(float(alpha))
                loop[kind][1].append(float(speed))
    return loop


def bifurcation_figure(options):
    path = options.out / "foundation_bifurcation.csv"
    found = study(options, "bifurcation", "--csv", path)
    rough = study(options, "bifurcation", "--model", "approximate", "--ramp", "0")
    figure, axes = pyplot.subplots(figsize=(4.6, 3.4))
    for (kind, (alpha, speed)), colour in zip(read_loop(path).items(), COLOURS[1:]):
        axes.plot(alpha, speed, color=colour, label=f"simulated, slope {kind}", linewidth=1.0)
    draw_curve(axes, rough["curve"], COLOURS[4], "eqs. 11, 12")
    draw_curve(axes, found["curve"], COLOURS[0], "numerical")
    axes.plot(found["folds_deg"], found["folds_v"], ".", color=COLOURS[6], label="folds")
    axes.set_xlabel("slope (degrees)")
    axes.set_ylabel("stationary speed $v$ (m/s)")
    axes.legend(fontsize=8)
    save(figure, options, "foundation_bifurcation")
    print("folds at " + ", ".join(f"{fold:.9f}" for fold in found["folds_deg"]) + " degrees")
    return 0


# ---- figure 5 ------------------------------------------------------------------------------------

def noise_figure(options):
    steps = 200000 if options.quick else 1000000
    figure, grid = pyplot.subplots(2, 3, figsize=(7.2, 4.4), sharey="row")
    worst = 0.0
    for column, alpha in enumerate(SLOPES):
        found = study(options, "noise", "--workers", options.jobs, alpha=alpha, steps=steps,
                      discard=steps // 4)
        distance = found["simulated"]["kolmogorov_smirnov"]
        worst = max(worst, distance)
        print(f"{alpha:.2f} degrees: distance {distance:.4f}, mean {found['simulated']['mean']:.5f} "
              f"+- {found['simulated']['mean_error']:.5f}, exact {found['exact']['mean']:.5f} m/s")
        top, bottom = grid[:, column]
        top.plot([time / 1000.0 for time in found["trace"]["time_s"]], found["trace"]["v"],
                 linewidth=0.4)
        top.set_title(f"{alpha:.2f}\N{DEGREE SIGN}", fontsize=9)
        top.set_xlabel("time (1000 s)")
        of = found["distribution"]
        bottom.fill_between(of["v"], of["p_simulated"], color=COLOURS[0], alpha=0.3, linewidth=0,
                            label="simulated")
        bottom.plot(of["v"], of["p_exact"], color=COLOURS[1], linewidth=1.0, label="Fokker-Planck")
        bottom.set_xlabel("speed $v$ (m/s)")
        bottom.set_xlim(1.6, 6.8)
    grid[0, 0].set_ylabel("speed $v$ (m/s)")
    grid[1, 0].set_ylabel("density (s/m)")
    grid[1, 0].legend(fontsize=8)
    save(figure, options, "foundation_noise")
    return 0 if worst < FARTHEST else 1


# ---- figure 6 ------------------------------------------------------------------------------------

def mean_figure(options):
    figure, grid = pyplot.subplots(1, 2, figsize=(7.2, 2.8))
    for axes, alpha in zip(grid, (SLOPES[0], SLOPES[2])):
        mean, error = [], []
        for level in LEVELS:
            found = study(options, "noise", "--workers", options.jobs, alpha=alpha, sigma2=level,
                          cylinders=400, steps=40000 if options.quick else 200000, discard=20000)
            mean.append(found["simulated"]["mean"])
            error.append(found["simulated"]["mean_error"])
        exact = found["mean_by_noise"]
        axes.plot(exact["sigma2"], exact["mean_exact"], color=COLOURS[1], label="Fokker-Planck")
        axes.errorbar(LEVELS, mean, error, fmt=".", color=COLOURS[0], label="simulated")
        axes.set_xscale("log")
        axes.set_title(f"{alpha:.2f}\N{DEGREE SIGN}", fontsize=9)
        axes.set_xlabel(r"noise $\sigma^2$ (kg$^2$/s$^3$)")
    grid[0].set_ylabel("mean speed (m/s)")
    grid[0].legend()
    save(figure, options, "foundation_mean")
    return 0


def main():
    options = parse_options(__doc__)
    n_failed = (force_figure(options) + bifurcation_figure(options) + noise_figure(options) +
                mean_figure(options))
    if n_failed:
        say("foundation: not everything came out as it should")
    return 1 if n_failed else 0


if __name__ == "__main__":
    sys.exit(main())
