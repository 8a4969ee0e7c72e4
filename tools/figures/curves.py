#!/usr/bin/env python3
"""The residual of one step against the time that is spent on it, for heaps of several sizes.

usage: ./dev bench curves --bodies 1000,10000,100000 >build/figures/curves.txt
       ./dev figures curves

Draws heap_curves from the table that the benchmark has printed: all that has been solved so far, by
seconds and by sweeps. --results names another folder than that of the figures.
"""

import sys

from _figures import COLOURS, parse_options, pyplot, save


def read_curves(path):
    """By bodies, contacts and workers: sweeps, seconds and the smallest residual at every look."""
    curves = {}
    for line in path.read_text().splitlines():
        words = line.split()
        if len(words) != 7 or not words[0].isdigit():
            continue
        bodies, contacts, workers = map(int, words[:3])
        look = (int(words[4]), float(words[5]), float(words[6]))
        curves.setdefault((bodies, contacts, workers), []).append(look)
    return curves


def draw(curves, options):
    figure, axes = pyplot.subplots(1, 2, figsize=(7.2, 3.2), sharey=True)
    teams = sorted({workers for _, _, workers in curves})
    for colour, ((bodies, contacts, workers), looks) in zip(COLOURS, sorted(curves.items())):
        begun = [look for look in looks if look[0] > 0]
        residuals = [look[2] for look in begun]
        label = f"{bodies:,} grains, {contacts:,} contacts"
        if len(teams) > 1:
            label += f", {workers} workers"
        axes[0].step([look[1] for look in begun], residuals, where="post", color=colour)
        axes[1].step([look[0] for look in begun], residuals, where="post", color=colour,
                     label=label)
    seconds = f"seconds, {teams[0]} workers" if len(teams) == 1 else "seconds"
    for ax, label in zip(axes, (seconds, "sweeps")):
        ax.set(xscale="log", yscale="log", xlabel=label)
    axes[0].set_ylabel("residual of the worst contact")
    axes[1].legend(fontsize=6, loc="lower left")
    save(figure, options, "heap_curves")


def main():
    options = parse_options(__doc__)
    path = (options.results or options.out) / "curves.txt"
    if not path.exists():
        print(f"{path} is not there: ./dev bench curves >{path}", file=sys.stderr)
        return 1
    draw(read_curves(path), options)
    return 0


sys.exit(main())
