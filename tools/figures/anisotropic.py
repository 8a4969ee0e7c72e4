#!/usr/bin/env python3
"""Friction that depends on the direction: the pictures of docs/anisotropic.md.

usage: ./dev figures anisotropic

anisotropic_sets: the sets that a material can have, with the directions of sliding.
anisotropic_laws: which way a contact slides under a force, by the four laws of the paper.
anisotropic_axes: the axes of a surface at a contact.
anisotropic_mean: what two surfaces with ellipses make of each other.
anisotropic_tensors: C and D of three tensor laws, figure 12 of Walker and Leine (2019), as the program
    makes them.
anisotropic_spin: a spinning sphere on a slope that would hold it, under one set over sliding and
    spinning and under two channels; and the forces of the set.
anisotropic_gallery: how far the ratchet carries its blocks, and the curve of the ice skate.
"""

import sys

import h5py
import numpy
from _figures import COLOURS, Recording, call, parse_options, pyplot, save

TURN = numpy.linspace(0.0, 2.0 * numpy.pi, 721)


# ---- sets as radii over the angle ----------------------------------------------------------------

def ellipse(a, b):
    return lambda t: 1.0 / numpy.hypot(numpy.cos(t) / a, numpy.sin(t) / b)


def rectangle(a, b):
    return lambda t: 1.0 / numpy.maximum(abs(numpy.cos(t)) / a, abs(numpy.sin(t)) / b)


def superellipse(a, b, s):
    return lambda t: (abs(numpy.cos(t) / a) ** s + abs(numpy.sin(t) / b) ** s) ** (-1.0 / s)


def runner(a, b, s):
    def radius(t):
        x, y = abs(numpy.cos(t)), abs(numpy.sin(t))
        with numpy.errstate(divide="ignore"):
            side = b / y
        # (k x - s)^2 / a^2 + (k y)^2 / b^2 = 1, the larger root
        p, q, r = x * x / a ** 2 + y * y / b ** 2, x * s / a ** 2, s * s / a ** 2 - 1.0
        end = (q + numpy.sqrt(numpy.maximum(q * q - p * r, 0.0))) / p
        return numpy.where(side * x <= s, side, end)
    return radius


def polygon(points):
    points = numpy.array(points)
    following = numpy.roll(points, -1, axis=0)
    normal = numpy.stack([following[:, 1] - points[:, 1], points[:, 0] - following[:, 0]], axis=1)
    normal /= (normal * points).sum(axis=1)[:, None]
    return lambda t: 1.0 / numpy.max(
        normal @ numpy.stack([numpy.cos(numpy.ravel(t)), numpy.sin(numpy.ravel(t))]), axis=0)


def asperity(mu, beta):
    """Eq. (50), parallel wedges of the inclination beta."""
    c, s = numpy.cos(beta), numpy.sin(beta)
    w = c * c - mu * mu * s * s

    def radius(t):
        x, y = numpy.cos(t) ** 2, numpy.sin(t) ** 2
        return mu / c * numpy.sqrt(c * c * x + y) / (y + w * x)
    return radius


def measured(t):
    return 0.75 + 0.12 * numpy.cos(t - 0.3) + 0.09 * numpy.cos(2.0 * t) + 0.025 * numpy.sin(3.0 * t)


def curve(radius, t=TURN):
    r = radius(t)
    return r * numpy.cos(t), r * numpy.sin(t)


def normals(radius, t):
    """Unit normals of the boundary at the angles t."""
    step = 1e-6
    r, slope = radius(t), (radius(t + step) - radius(t - step)) / (2.0 * step)
    n = numpy.stack([r * numpy.cos(t) + slope * numpy.sin(t),
                     r * numpy.sin(t) - slope * numpy.cos(t)])
    return n / numpy.hypot(*n)


# ---- drawing -------------------------------------------------------------------------------------

def bare(axes, reach, title):
    axes.set_aspect("equal")
    axes.set_xlim(-reach, reach)
    axes.set_ylim(-reach, reach)
    axes.set_xticks([])
    axes.set_yticks([])
    for side in axes.spines.values():
        side.set_visible(False)
    axes.axhline(0.0, color="0.8", linewidth=0.7, zorder=0)
    axes.axvline(0.0, color="0.8", linewidth=0.7, zorder=0)
    axes.grid(False)
    axes.set_title(title, fontsize=9)


def draw_set(axes, radius, colour=COLOURS[0]):
    x, y = curve(radius)
    axes.fill(x, y, facecolor=colour, alpha=0.12)
    axes.plot(x, y, color=colour)


def draw_arrows(axes, x, y, directions, length, colour=COLOURS[1]):
    axes.quiver(x, y, length * directions[0], length * directions[1], color=colour, angles="xy",
                scale_units="xy", scale=1.0, width=0.009, headwidth=4.5, headlength=5.5, zorder=3)


def sets_figure(options):
    eye = 0.4  # how far sizes are taken back, for one scale
    entries = [
        ("disc: r", ellipse(0.75, 0.75), None),
        ("ellipse: [a, b]", ellipse(1.0, 0.5), None),
        ("rectangle: [a, b]", rectangle(0.9, 0.5), None),
        ("superellipse: [a, b, s]", superellipse(1.0, 0.7, 3.0), None),
        ("runner: [a, b, s]", runner(0.3, 0.55, 0.65), None),
        ("polygon: [[x, y], ...]",
         polygon([[0.4, -0.45], [0.4, 0.45], [-0.3, 0.75], [-1.0, 0.3], [-1.0, -0.3],
                  [-0.3, -0.75]]), None),
        ("asperity: [mu, angle]\nwith directions of a disc",
         lambda t: eye / 2.2 * asperity(1.2, numpy.radians(33.0))(t), ellipse(1.0, 1.0)),
        ("polar: [[angle, r], ...]", measured, None),
    ]
    figure, grid = pyplot.subplots(2, 4, figsize=(9.0, 4.9))
    angles = numpy.radians(numpy.arange(8.0, 368.0, 24.0))
    for axes, (title, radius, directions) in zip(grid.flat, entries):
        bare(axes, 1.5, title)
        draw_set(axes, radius)
        x, y = curve(radius, angles)
        draw_arrows(axes, x, y, normals(directions or radius, angles), 0.3)
    grid[0, 0].text(1.42, -0.16, "$t_1$", color="0.5", ha="right")
    grid[0, 0].text(0.07, 1.34, "$t_2$", color="0.5")
    save(figure, options, "anisotropic_sets")


def laws_figure(options):
    c, d = superellipse(4.99, 4.25, 2.94), superellipse(1.84, 1.19, 2.51)
    entries = [
        ("collinear: D a disc", c, ellipse(1.0, 1.0), False),
        ("associated: D = C, an ellipse", ellipse(5.0, 4.49), None, False),
        ("associated: D = C, a superellipse", c, None, False),
        ("extended: C and D measured", c, d, True),
    ]
    figure, grid = pyplot.subplots(1, 4, figsize=(10.0, 3.0))
    angles = numpy.radians(numpy.arange(7.5, 367.5, 15.0))
    for axes, (title, force, direction, shown) in zip(grid, entries):
        bare(axes, 7.0, title)
        draw_set(axes, force)
        if shown:
            x, y = curve(d)
            axes.plot(1.3 * x, 1.3 * y, color=COLOURS[2], linestyle="--")
            axes.text(0.25, 0.5, "D", color=COLOURS[2])
        axes.text(-3.4, 1.7, "C", color=COLOURS[0])
        x, y = curve(force, angles)
        draw_arrows(axes, x, y, normals(direction or force, angles), 1.5)
    save(figure, options, "anisotropic_laws")


# ---- tensor laws ---------------------------------------------------------------------------------

TENSORS = [
    ("a) orthotropic", "{second: [[0.5, 0], [0, 0.3]]}"),
    ("b) tensor that depends on the direction",
     "{second: [[0.3, 0], [0, 0.3]], fourth: [[0.15, 0, 0, 0], [0, 0.15, 0, 0]]}"),
    ("c) of fourth order",
     "{second: [[0.45, 0], [0, 0.3]], fourth: [[0.08, 0, -0.05, 0], [0, -0.05, 0, 0.06]]}"),
]

TENSOR_SCENE = """materials:
  plate: {tensor: %s}
  puck: {mu: 1}
bodies:
  - {name: floor, kind: static, shape: {type: half-space, material: plate}}
  - {name: ball, position: [0, 0, 0.1], velocity: [1, 0.3, 0],
     shape: {type: sphere, radius: 0.1, material: puck}}
stop: {time: 0.01}
"""


def tensor_sets(options, number, tensor):
    """Curves of C and D, from the problem of a step."""
    scene, dump = options.out / f"tensor{number}.yaml", options.out / f"tensor{number}.hdf5"
    scene.write_text(TENSOR_SCENE % tensor, encoding="utf-8")
    call(options.program, "run", scene, "--dump-problem", 5, "--dump-to", dump)
    curves = []
    with h5py.File(dump, "r") as file:
        group = next(file[name] for name in ("scree", "fclib_local/scree") if name in file)
        kinds = group["sets/kind"][:].reshape(-1, 4)
        sizes = group["sets/size"][:].reshape(-1, 5)
        table = group["sets/table"][:] if "sets/table" in group else None
        for which in group["set"][:2]:
            kind, _, n, first = kinds[which]
            a, b, _, cosine, sine = sizes[which]
            if n == 0:  # an ellipse
                x, y = a * numpy.cos(TURN), b * numpy.sin(TURN)
                x, y = cosine * x - sine * y, sine * x + cosine * y
            else:  # a polar curve
                points = table[first:first + 3 * n].reshape(-1, 3)
                turn = numpy.arctan2(sine, cosine) + numpy.append(points[:, 0], points[0, 0] + 2 * numpy.pi)
                radius = numpy.append(points[:, 1], points[0, 1])
                x, y = radius * numpy.cos(turn), radius * numpy.sin(turn)
            curves.append((x, y))
    return curves


def curve_normals(x, y, theta):
    """Unit normals of a closed curve, counter-clockwise, at the polar angles theta."""
    dx, dy = numpy.gradient(x), numpy.gradient(y)
    angle = numpy.unwrap(numpy.arctan2(y, x))
    at = angle[0] + (theta - angle[0]) % (2.0 * numpy.pi)
    n = numpy.stack([numpy.interp(at, angle, dy), -numpy.interp(at, angle, dx)])
    return n / numpy.hypot(*n)


def tensors_figure(options):
    figure, grid = pyplot.subplots(1, 3, figsize=(9.0, 3.4))
    theta = numpy.radians(numpy.arange(0.0, 360.0, 15.0))
    for number, (axes, (title, tensor)) in enumerate(zip(grid, TENSORS)):
        (x, y), (u, v) = tensor_sets(options, number, tensor)
        reach = numpy.hypot(x, y).max()
        bare(axes, 1.45 * reach, title)
        axes.fill(x, y, facecolor=COLOURS[0], alpha=0.12)
        axes.plot(x, y, color=COLOURS[0], label="force set $C$")
        # D has no size of its own: the largest inside C.
        of_c = numpy.interp(numpy.arctan2(v, u), *sorted_radius(x, y))
        size = (of_c / numpy.hypot(u, v)).min()
        axes.plot(size * u, size * v, color=COLOURS[2], linestyle="--", label="direction set $D$")
        radius = numpy.interp(numpy.arctan2(numpy.sin(theta), numpy.cos(theta)), *sorted_radius(x, y))
        draw_arrows(axes, radius * numpy.cos(theta), radius * numpy.sin(theta),
                    curve_normals(u, v, theta), 0.22 * reach)
        round_ = numpy.hypot(u, v)
        print(f"{title}: C from {numpy.hypot(x, y).min():.4f} to {reach:.4f}, D's radii "
              f"{round_.max() / round_.min():.6f} : 1")
    grid[0].legend(fontsize=7, loc="upper center", bbox_to_anchor=(0.5, 0.04))
    save(figure, options, "anisotropic_tensors")


def sorted_radius(x, y):
    """Polar angles from -pi to pi and the radii there, for numpy.interp()."""
    angle, radius = numpy.arctan2(y, x), numpy.hypot(x, y)
    order = numpy.argsort(angle)
    angle, radius = angle[order], radius[order]
    return (numpy.concatenate([angle - 2 * numpy.pi, angle, angle + 2 * numpy.pi]),
            numpy.tile(radius, 3))


# ---- sliding and spinning together ---------------------------------------------------------------

SPIN_SCENE = """world: {gravity: [1.924, 0, -9.62], step: 1e-3, tol: 1e-8}
materials: {plate: {mu: 0.5, mu_r: 0.05, mu_s: 0.01%s}}
bodies:
  - {name: floor, kind: static, shape: {type: half-space, material: plate}}
  - {name: ball, position: [0, 0, 0.1], angular_velocity: [0, 0, %g],
     shape: {type: sphere, radius: 0.1, material: plate}}
stop: {time: 8}
output: {interval: 0.02}
"""


def spin_figure(options):
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(8.4, 3.2))
    joined = ", sliding: {disc: 1, spin_power: %g}"
    cases = [("one set, $s$ = 2, 150 rad/s", joined % 2, 150.0),
             ("one set, $s$ = 2, 100 rad/s", joined % 2, 100.0),
             ("one set, $s$ = 4, 100 rad/s", joined % 4, 100.0),
             ("two channels, 100 rad/s", "", 100.0)]
    for number, (label, sliding, spin) in enumerate(cases):
        scene, path = options.out / f"spin{number}.yaml", options.out / f"spin{number}.h5"
        scene.write_text(SPIN_SCENE % (sliding, spin), encoding="utf-8")
        call(options.program, "run", scene, "-o", path, "--force")
        recording = Recording(path)
        frames = range(len(recording.time))
        speed = [recording.state(k, "velocity")[-1][0] for k in frames]
        left.plot(recording.time, 1e3 * numpy.array(speed), label=label)
        print(f"{label}: fastest {1e3 * max(speed):.2f} mm/s, at the end {1e3 * speed[-1]:.3g} mm/s after "
              f"{1e3 * recording.state(len(recording.time) - 1, 'position')[-1][0]:.2f} mm")
    left.set(xlabel="time (s)", ylabel="speed down the slope (mm/s)",
             title=r"slope 0.2, $\mu$ = 0.5: a sphere that cannot roll")
    left.legend(fontsize=7)
    v = numpy.linspace(0.0, 4.0, 401)
    for s, colour in ((2.0, COLOURS[0]), (4.0, COLOURS[2])):
        dual = s / (s - 1.0)
        force = v ** (dual - 1.0) * (v ** dual + 1.0) ** (1.0 / dual - 1.0)
        moment = (v ** dual + 1.0) ** (1.0 / dual - 1.0)
        right.plot(v, force, color=colour, label=f"force over $\\mu N$, $s$ = {s:g}")
        right.plot(v, moment, color=colour, linestyle="--", label=f"moment over $\\mu_s N$, $s$ = {s:g}")
    right.set(xlabel=r"$\mu v / \mu_s \omega$", title="force and moment of one set", ylim=(0.0, 1.05))
    right.legend(fontsize=7)
    save(figure, options, "anisotropic_spin")


# A surface seen from above at an angle.
ACROSS, ALONG, UP = numpy.array([1.0, -0.28]), numpy.array([0.62, 0.42]), numpy.array([0.0, 1.0])


def axes_figure(options):
    figure, axes = pyplot.subplots(figsize=(5.4, 3.0))
    corners = [-ACROSS - ALONG, ACROSS - ALONG, ACROSS + ALONG, -ACROSS + ALONG]
    axes.fill(*numpy.array(corners).T, facecolor="0.93", edgecolor="0.6")
    for k in numpy.linspace(-0.92, 0.92, 24):  # the lay, which runs across the grooves
        ends = numpy.array([k * ACROSS - ALONG, k * ACROSS + ALONG])
        axes.plot(*ends.T, color="0.82", linewidth=0.7)
    t = TURN
    r = superellipse(0.5366, 0.457, 2.94)(t)
    points = numpy.outer(r * numpy.cos(t), ACROSS) + numpy.outer(r * numpy.sin(t), ALONG)
    axes.fill(*points.T, facecolor=COLOURS[0], alpha=0.15)
    axes.plot(*points.T, color=COLOURS[0])
    axes.text(*(0.2 * ACROSS - 0.36 * ALONG), "C", color=COLOURS[0])
    for direction, label, colour, offset in [
            (0.95 * ACROSS, "$t_1$: the lay", COLOURS[1], (0.04, -0.10)),
            (0.95 * ALONG, "$t_2 = n \\times t_1$", COLOURS[1], (0.03, 0.04)),
            (0.75 * UP, "n: out of the surface with the lay (side B)", "0.2", (-0.05, 0.06))]:
        axes.annotate("", direction, (0.0, 0.0),
                      arrowprops={"arrowstyle": "-|>", "color": colour, "linewidth": 1.5,
                                  "shrinkA": 0, "shrinkB": 0})
        axes.text(*(direction + offset), label, color=colour)
    slide = -0.75 * ACROSS + 0.35 * ALONG
    axes.annotate("", slide, (0.0, 0.0),
                  arrowprops={"arrowstyle": "-|>", "color": COLOURS[2], "linewidth": 1.5,
                              "shrinkA": 0, "shrinkB": 0})
    axes.text(*(slide + [-0.6, 0.09]), "velocity of the other\nbody (side A)", color=COLOURS[2])
    axes.plot(0.0, 0.0, "o", color="0.2", markersize=4)
    axes.set_aspect("equal")
    axes.set_axis_off()
    save(figure, options, "anisotropic_axes")


def mean_figure(options):
    def matrix(a, b, angle):
        c, s = numpy.cos(angle), numpy.sin(angle)
        turn = numpy.array([[c, -s], [s, c]])
        return turn @ numpy.diag([a ** -2.0, b ** -2.0]) @ turn.T

    def radius_of(q):
        return lambda t: 1.0 / numpy.sqrt(q[0, 0] * numpy.cos(t) ** 2 + q[1, 1] * numpy.sin(t) ** 2
                                          + 2.0 * q[0, 1] * numpy.sin(t) * numpy.cos(t))

    figure, grid = pyplot.subplots(1, 4, figsize=(9.6, 2.7))
    for axes, degrees in zip(grid, [0, 30, 60, 90]):
        a = matrix(0.9, 0.35, 0.0)
        b = matrix(1.3, 0.6, numpy.radians(degrees))
        size_a, size_b = numpy.sqrt(numpy.linalg.det(a)), numpy.sqrt(numpy.linalg.det(b))
        mean = a / size_a + b / size_b
        mean *= numpy.sqrt(size_a * size_b / numpy.linalg.det(mean))
        bare(axes, 1.4, f"lays at {degrees} degrees")
        for q, colour, label in [(a, COLOURS[0], "A"), (b, COLOURS[2], "B")]:
            axes.plot(*curve(radius_of(q)), color=colour, label=label)
        draw_set(axes, radius_of(mean), COLOURS[1])
        axes.plot([], [], color=COLOURS[1], label="A # B")
    grid[0].legend(loc="lower left", fontsize=8)
    save(figure, options, "anisotropic_mean")


# ---- scenes --------------------------------------------------------------------------------------

def record(options, scene, name, settings):
    path = options.out / f"{name}.h5"
    if options.fresh or not path.exists():
        extra = [word for setting in settings for word in ("--set", setting)]
        call(options.program, "run", scene, "-o", path, *extra)
    return Recording(path)


def places(recording, body):
    k = recording.name.index(body)
    return numpy.array([recording.state(f, "position")[k] for f in range(len(recording.time))])


def gallery_figure(options):
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(9.0, 3.6))
    shaken = record(options, "ratchet", "ratchet", [])
    same = record(options, "ratchet", "ratchet_same", ["back=0.1"])
    for recording, body, label, colour in [
            (shaken, "carried", "scales: 0.1 forwards, 0.6 backwards", COLOURS[1]),
            (same, "carried", "scales: 0.1 both ways", COLOURS[2]),
            (shaken, "staying", "felt: 0.4 both ways", COLOURS[0])]:
        x = places(recording, body)[:, 0]
        left.plot(recording.time, 1000.0 * (x - x[0]), color=colour, label=label)
    left.set_xlabel("time, s")
    left.set_ylabel("travel of the block, mm")
    left.set_title("ratchet", fontsize=9)
    left.legend(loc="upper left", fontsize=8)
    for name, settings, label, colour in [
            ("skate", [], "across the blade 0.8, along it 0.005", COLOURS[1]),
            ("skate_round", ["grip=glide", "stop.time=1.2"], "0.005 in all directions",
             COLOURS[0])]:
        p = places(record(options, "ice-skate", name, settings), "skate")
        right.plot(p[:, 0], p[:, 1], color=colour, label=label)
        right.plot(p[-1, 0], p[-1, 1], "o", color=colour, markersize=4)
    angles = numpy.radians(numpy.arange(-90.0, 270.0, 45.0))
    right.plot(0.95 * numpy.cos(angles), 0.75 + 0.95 * numpy.sin(angles), "^", color="0.6",
               markersize=5, label="flags")
    right.set_aspect("equal")
    right.set_xlim(-1.4, 2.1)
    right.set_ylim(-0.45, 2.4)
    right.set_xlabel("x, m")
    right.set_ylabel("y, m")
    right.set_title("ice skate", fontsize=9)
    right.legend(loc="upper right", fontsize=8)
    save(figure, options, "anisotropic_gallery")


def main():
    options = parse_options(__doc__)
    for figure in (sets_figure, laws_figure, tensors_figure, spin_figure, axes_figure, mean_figure, gallery_figure):
        figure(options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
