#!/usr/bin/env python3
"""Ways in which isotropic friction excites vibrations (Walker and Leine 2019, section 4.1).

usage: ./dev figures mechanisms

mechanisms: growth rate of a small displacement, by eigenvalue and in simulations of the system with
    its contact; the onsets must agree to 0.1 %.
mechanisms_motion: what the motions become beyond the onset, over time and as phase portraits of their
    first coordinate; where the contact sticks and where it is open in colour.
"""

import sys

import numpy
from _figures import COLOURS, call, parse_options, pyplot, save, say

WORST = 1e-3  # relative difference of the onsets that is asked for

SYSTEMS = [
    ("stribeck", "a) Stribeck", "speed of the belt (m/s)"),
    ("mode-coupling", "b) mode coupling", "coefficient of friction"),
    ("sprag-slip", "c) sprag-slip", "coefficient of friction"),
    ("impact-oscillator", "c) impact oscillator", "coefficient of friction"),
    ("follower", "d) follower force", "coefficient of friction"),
]

# Beyond the onset: settings, the first coordinate and its unit.
MOTIONS = [
    ("stribeck", ["v=0.3"], "a) Stribeck, $v$ = 0.3 m/s", "x", "x (mm)", 1e3),
    ("mode-coupling", ["mu=0.6"], r"b) mode coupling, $\mu$ = 0.6", "x", "x (mm)", 1e3),
    ("sprag-slip", ["mu=0.7"], r"c) sprag-slip, $\mu$ = 0.7", "x", "x (mm)", 1e3),
    ("impact-oscillator", ["mu=1", "v=5"], r"c) impact oscillator, $\mu$ = 1, $v$ = 5 m/s", "q",
     "q (degrees)", 180.0 / numpy.pi),
    ("follower", ["mu=0.5"], r"d) follower force, $\mu$ = 0.5", "q_1", "$q_1$ (degrees)",
     180.0 / numpy.pi),
]


def motion_figure(options):
    figure, grid = pyplot.subplots(len(MOTIONS), 3, figsize=(7.6, 9.6),
                                   width_ratios=[1.3, 1.0, 0.9])
    for (whole, late, phase), (name, settings, title, key, label, unit) in zip(grid, MOTIONS):
        path = options.out / f"motion_{name}.csv"
        arguments = [part for setting in settings for part in ("--set", setting)]
        found = call(options.program, "run", name, *arguments, "-o", path)
        rows = numpy.genfromtxt(path, delimiter=",", names=True)
        print(f"{name:18s} {key} from {unit * found['range'][0]:.4g} to {unit * found['range'][1]:.4g}, "
              f"period {found['period']:.4f} s, sticks {found['stick_fraction']:.3f}, open "
              f"{found['open_fraction']:.3f}; residual {found['residual_max']:.1e}")
        time, x, u = rows["time"], unit * rows[key], unit * rows[f"u_{key}"]
        whole.plot(time, x, color=COLOURS[0], linewidth=0.4)
        whole.set(title=title, xlabel="time (s)", ylabel=label)
        sticks, is_open = rows["sticks"] > 0.0, rows["normal"] == 0.0
        last = time >= time[-1] - 3.0 * found["period"]
        kinds = [(~sticks & ~is_open, COLOURS[0], "slides"), (sticks, COLOURS[1], "sticks"),
                 (is_open, COLOURS[2], "open")]
        for chosen, colour, what in kinds:
            shown = numpy.where(chosen & last, x, numpy.nan)
            late.plot(time, shown, color=colour, label=what)
            phase.plot(shown, numpy.where(chosen & last, u, numpy.nan), color=colour)
        late.set(title="last three periods", xlabel="time (s)",
                 xlim=(time[-1] - 3.0 * found["period"], time[-1]))
        phase.set(title="phase portrait", xlabel=label,
                  ylabel=f"rate {label[label.index('('):-1]}/s)")
    grid[0, 1].legend(fontsize=7, loc="upper right")
    save(figure, options, "mechanisms_motion")


def main():
    options = parse_options(__doc__)
    n = 3 if options.quick else 11
    motion_figure(options)
    figure, grid = pyplot.subplots(3, 2, figsize=(7.2, 7.6))
    grid[2, 1].axis("off")
    worst = 0.0
    for axes, (name, title, label) in zip(grid.flat, SYSTEMS):
        found = call(options.program, "stability", name, "--simulate", n)
        symbol = "$v$" if found["varied"] == "v" else r"$\mu$"
        values = [point[found["varied"]] for point in found["growth"]]
        off = abs(found["onset_simulated"] / found["onset"] - 1.0)
        worst = max(worst, off)
        print(f"{name:14s} onset at {found['varied']} = {found['onset']:.6f}, simulated "
              f"{found['onset_simulated']:.6f}, off by {off:.1e}; residual "
              f"{found['residual_max']:.1e}")
        axes.axhline(0.0, color="0.4", linewidth=0.8)
        axes.plot(values, [p["eigenvalue"] for p in found["growth"]], color=COLOURS[0],
                  label="eigenvalue")
        axes.plot(values, [p["simulated"] for p in found["growth"]], "o", color=COLOURS[1],
                  markersize=3.5, label="simulation")
        axes.axvline(found["onset"], color="0.4", linestyle="--", linewidth=0.8)
        axes.set(title=f"{title}: onset {symbol} = {found['onset']:.4f}", xlabel=label,
                 ylabel="growth rate (1/s)", xlim=numpy.array([0.895, 1.105]) * found["onset"])
    grid[0, 0].legend(fontsize=8)
    save(figure, options, "mechanisms")
    print(f"mechanisms: worst relative difference of the onsets {worst:.1e}, asked {WORST:g}")
    if not worst <= WORST:
        say("mechanisms: not everything came out as it should")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
