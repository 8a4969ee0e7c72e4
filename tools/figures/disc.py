#!/usr/bin/env python3
"""A disc that rolls to rest: figures 2 and 3 of Tasora and Anitescu (2013), section 6.1.

usage: ./dev figures disc [--quick]

disc_motion: position and speed in time by the exact law and by the convex one of the paper, and
classical theory: deceleration g rho M R / (M R^2 + J). The exact law must end where implicit Euler
does, v0 h / 2 before theory; the convex law, which floats by h rho w and so rolls on a radius that
is larger by half of that, within 1 % of it.
"""

import sys

import numpy
from _figures import COLOURS, Recording, parse_options, pyplot, run_scene, save

GRAVITY, RHO, MASS, INERTIA, RADIUS, V0 = 9.8, 0.02, 10.0, 4.0, 1.0, 1.0
DECELERATION = GRAVITY * RHO * MASS * RADIUS / (MASS * RADIUS ** 2 + INERTIA)
END, STEP = 10.0, 0.01


def theory(times):
    t = numpy.minimum(times, V0 / DECELERATION)
    return V0 * t - DECELERATION * t * t / 2.0, V0 - DECELERATION * t


def motion(options, law):
    path = options.out / f"disc_{law}.h5"
    setting = [f"world.law={law}"]
    options.set += setting
    run_scene(options, "rolling-disc", {"step": STEP, "output.interval": 0.05}, recording=path,
              until=END)
    options.set.remove(setting[0])
    recording = Recording(path)
    disc = recording.name.index("disc")
    frames = range(len(recording.time))
    return (recording.time, numpy.array([recording.state(k, "position")[disc][0] for k in frames]),
            numpy.array([recording.state(k, "velocity")[disc][0] for k in frames]))


def main():
    options = parse_options(__doc__)
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(7.2, 2.8), sharex=True)
    times = numpy.linspace(0.0, END, 400)
    x, v = theory(times)
    left.plot(times, x, color="0.6", linewidth=4.0, label="classical theory")
    right.plot(times, v, color="0.6", linewidth=4.0, label="classical theory")
    bad = 0
    asked = {"exact": V0 * STEP / 2.0, "convex": 0.01 * x[-1]}
    for law, style, colour in (("exact", "-", COLOURS[0]), ("convex", "--", COLOURS[1])):
        t, position, speed = motion(options, law)
        left.plot(t, position, style, color=colour, label=f"{law} law")
        right.plot(t, speed, style, color=colour, label=f"{law} law")
        off = abs(position[-1] - x[-1])
        print(f"{law}: stops at {position[-1]:.6f} m, theory {x[-1]:.6f} m, off by {off:.1e}, "
              f"asked {1.01 * asked[law]:.1e}")
        bad += not off <= 1.01 * asked[law]
    left.set(xlabel="time (s)", ylabel="position (m)", title="Fig. 2")
    right.set(xlabel="time (s)", ylabel="speed (m/s)", title="Fig. 3")
    right.legend()
    save(figure, options, "disc_motion")
    return 1 if bad else 0


sys.exit(main())
