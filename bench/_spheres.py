"""Spheres of one size in a box of 2 m by 2 m: places to begin with, and what a state looks like."""

import math

import numpy

RADIUS = 0.0225  # m
HALF_WIDTH = 1.0  # m, of the box
GRAVITY = 9.81  # m/s^2
RAIN_LOW, RAIN_HIGH = (-0.3, -0.3, 1.0), (0.3, 0.3, 1.2)  # m
RAIN_RATE = 800.0  # spheres per second


def columns(count, seed=1):
    """Columns on a square grid of 54 mm, every sphere a little off its place: ten high, and twenty
    or so where there are many."""
    high = 10 if count <= 2500 else 21
    side = math.ceil(math.sqrt(count / high))
    if side * 0.054 > 2.0 * (HALF_WIDTH - RADIUS):
        raise ValueError("%d spheres in columns need more room than the box has" % count)
    layer, cell = numpy.divmod(numpy.arange(count), side * side)
    row, column = numpy.divmod(cell, side)
    middle = (side - 1) / 2.0
    places = 0.054 * numpy.stack([column - middle, row - middle, layer + 0.5], axis=1)
    places += numpy.random.default_rng(seed).uniform(-0.00225, 0.00225, places.shape)
    return places


def rain(count, seed=1):
    """Rows of time, x, y, z: spheres released at rest where those that fall leave room."""
    random = numpy.random.default_rng(seed)
    rows = numpy.empty((count, 4))
    for i in range(count):
        time = i / RAIN_RATE
        near = rows[max(0, i - 400):i]
        fallen = near[:, 1:].copy()
        fallen[:, 2] -= 0.5 * GRAVITY * (time - near[:, 0]) ** 2
        while True:
            place = random.uniform(RAIN_LOW, RAIN_HIGH)
            if not len(near) or ((fallen - place) ** 2).sum(axis=1).min() > (2.02 * RADIUS) ** 2:
                break
        rows[i] = time, *place
    return rows


def near_pairs(places, reach):
    """Indices of the pairs whose centres are closer than reach, and their distances."""
    cell = numpy.floor((places - places.min(axis=0)) / reach).astype(numpy.int64) + 1
    size = cell.max(axis=0) + 2
    strides = numpy.array([size[1] * size[2], size[2], 1])
    key = cell @ strides
    order = numpy.argsort(key, kind="stable")
    sorted_key = key[order]
    found = []
    for offset in numpy.ndindex(3, 3, 3):
        other = key + (numpy.array(offset) - 1) @ strides
        first = numpy.searchsorted(sorted_key, other, "left")
        last = numpy.searchsorted(sorted_key, other, "right")
        while True:
            i = numpy.nonzero(first < last)[0]
            if not len(i):
                break
            j = order[first[i]]
            found.append(numpy.stack([i, j])[:, i < j])
            first[i] += 1
    i, j = numpy.concatenate(found, axis=1)
    distance = numpy.sqrt(((places[i] - places[j]) ** 2).sum(axis=1))
    close = distance < reach
    return i[close], j[close], distance[close]


def wall_gaps(places):
    """Distances of the surfaces from the floor and the four walls, one column each."""
    x, y, z = places.T
    edge = HALF_WIDTH - RADIUS
    return numpy.stack([z - RADIUS, edge - x, edge + x, edge - y, edge + y], axis=1)


def deepest(places):
    """The largest overlap, m; 0 where nothing overlaps."""
    overlap = -wall_gaps(places).min()
    distance = near_pairs(places, 2.0 * RADIUS)[2]
    if len(distance):
        overlap = max(overlap, 2.0 * RADIUS - distance.min())
    return max(overlap, 0.0)


def lost(places):
    """How many are outside the box by more than their radius, or nowhere."""
    return int((~(wall_gaps(places) > -2.0 * RADIUS).all(axis=1)).sum())


def heap_top(places):
    """Highest point of the spheres that have three neighbours or more: those that fall have not."""
    gap = 0.01 * RADIUS
    i, j, _ = near_pairs(places, 2.0 * RADIUS + gap)
    neighbours = numpy.bincount(numpy.concatenate([i, j]), minlength=len(places))
    neighbours += 3 * (wall_gaps(places)[:, 0] < gap)
    inside = places[neighbours >= 3, 2]
    return float(inside.max()) + RADIUS if len(inside) else 0.0
