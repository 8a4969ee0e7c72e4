#!/usr/bin/env python3
"""Four ways in which isotropic friction excites vibrations (Walker and Leine 2019, section 4.1).

usage: ./dev figures mechanisms

mechanisms: growth rate of a small displacement, by eigenvalue and in simulations of the system with
    its contact; the onsets must agree to 0.1 %.
"""

import sys

import numpy
from _figures import COLOURS, call, parse_options, pyplot, save, say

WORST = 1e-3  # relative difference of the onsets that is asked for

SYSTEMS = [
    ("stribeck", "a) Stribeck", "speed of the belt (m/s)"),
    ("mode-coupling", "b) mode coupling", "coefficient of friction"),
    ("sprag-slip", "c) sprag-slip", "coefficient of friction"),
    ("follower", "d) follower force", "coefficient of friction"),
]


def main():
    options = parse_options(__doc__)
    n = 3 if options.quick else 11
    figure, grid = pyplot.subplots(2, 2, figsize=(7.2, 5.2))
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
