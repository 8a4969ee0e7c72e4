#!/usr/bin/env python3
"""Sliding and spinning over a patch: force and moment against the closed forms of Contensou.

usage: ./dev figures patch

patch_friction: a rigid disc on a ring of feet, or on feet all over it (scene patch), its force over
mu N and moment over mu N R in the first steps against v / omega R; lines are the ring's elliptic
integrals, and their mean over rings for the disc. Dashed: one contact with mu and mu_s.
"""

import sys

import numpy
from _figures import COLOURS, call, parse_options, pyplot, save

SHARES = [0.05, 0.1, 0.2, 0.35, 0.5, 0.7, 0.9, 1.1, 1.4, 2.0, 3.5, 6.0, 10.0]


def elliptic(m):
    """K and E by the arithmetic-geometric mean."""
    a, g = numpy.ones_like(m), numpy.sqrt(1.0 - m)
    total, power = 0.5 * m, 0.5
    for _ in range(40):
        c = 0.5 * (a - g)
        a, g = 0.5 * (a + g), numpy.sqrt(a * g)
        power *= 2.0
        total = total + power * c * c
    first = 0.5 * numpy.pi / a
    return first, first * (1.0 - total)


def ring(v, b):
    first, second = elliptic(4.0 * v * b / (v + b) ** 2)
    force = ((v - b) * first + (v + b) * second) / (numpy.pi * v)
    return force, ((b - v) * first + (v + b) * second) / (numpy.pi * b)


def disc(v):
    s = (numpy.arange(4000) + 0.5) / 4000
    found = [ring(numpy.full_like(s, x), s) for x in v]
    return (numpy.array([numpy.mean(2.0 * s * force) for force, _ in found]),
            numpy.array([numpy.mean(2.0 * s * s * moment) for _, moment in found]))


def measure(options, filled, feet, share):
    settings = {"filled": filled, "feet": feet, "speed": share * 1.0, "spin": 10.0}
    arguments = [part for key, value in settings.items() for part in ("--set", f"{key}={value:g}")]
    results = call(options.program, "run", "patch", *arguments, "--until", "3e-4")["results"]
    return [results[name]["value"] for name in ("force", "moment")]


def main():
    options = parse_options(__doc__)
    figure, panels = pyplot.subplots(1, 2, figsize=(7.2, 3.0))
    v = numpy.logspace(-1.5, 1.2, 200)
    known = [ring(v, numpy.ones_like(v)), disc(v)]
    for filled, (name, feet) in enumerate((("ring", 32), ("disc", 256))):
        found = numpy.array([measure(options, filled, feet, share) for share in SHARES])
        for k, axes in enumerate(panels):
            axes.plot(v, known[filled][k], color=COLOURS[filled], label=f"{name}, closed form")
            axes.plot(SHARES, found[:, k], "os"[filled], color=COLOURS[filled], markersize=4,
                      label=f"{feet} feet")
    panels[0].axhline(1.0, color="0.4", linestyle="--", linewidth=1.0, label="one contact")
    panels[0].set(ylabel=r"force / $\mu N$")
    panels[1].set(ylabel=r"moment / $\mu N R$")
    for axes in panels:
        axes.set(xscale="log", xlabel=r"$v / \omega R$", ylim=(0.0, 1.08))
    panels[0].legend(fontsize=7, loc="lower right")
    save(figure, options, "patch_friction")


if __name__ == "__main__":
    sys.exit(main())
