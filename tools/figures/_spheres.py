"""Pictures of spheres on a plane: parallel projection, depth buffer, light from one side with
shadows. Plain NumPy; ten thousand spheres take some seconds."""

import numpy

SAND = numpy.array([0.80, 0.66, 0.47])
FLOOR = numpy.ones(3)
SAMPLES = 3  # per pixel and direction


def frame_towards(direction):
    """Rows: right, up, and the direction from the scene to the eye."""
    back = numpy.asarray(direction, float) / numpy.linalg.norm(direction)
    right = numpy.cross([0.0, 0.0, 1.0], back)
    right /= numpy.linalg.norm(right)
    return numpy.array([right, numpy.cross(back, right), back])


def splat(centres, radii, low, scale, shape):
    """Depth (the greatest is nearest) and number of the sphere seen at each sample; centres are
    in the frame of the view, `low` is the corner of the picture."""
    depth = numpy.full(shape, -numpy.inf)
    which = numpy.full(shape, -1)
    for i, ((u, v, w), r) in enumerate(zip(centres, radii)):
        column, row, reach = (u - low[0]) * scale, (v - low[1]) * scale, r * scale
        c0, c1 = max(int(column - reach), 0), min(int(column + reach) + 2, shape[1])
        r0, r1 = max(int(row - reach), 0), min(int(row + reach) + 2, shape[0])
        if c0 >= c1 or r0 >= r1:
            continue
        du = (numpy.arange(c0, c1) + 0.5 - column) / reach
        dv = (numpy.arange(r0, r1) + 0.5 - row) / reach
        square = 1.0 - du[None, :] ** 2 - dv[:, None] ** 2
        height = numpy.where(square > 0.0, w + r * numpy.sqrt(numpy.maximum(square, 0.0)),
                             -numpy.inf)
        nearer = height > depth[r0:r1, c0:c1]
        depth[r0:r1, c0:c1][nearer] = height[nearer]
        which[r0:r1, c0:c1][nearer] = i
    return depth, which


class Light:
    """Depth as the light sees it, to tell what lies in shadow."""

    def __init__(self, direction, centres, radii):
        self.frame = frame_towards(direction)
        seen = centres @ self.frame.T
        size = 2.0 * radii.max()
        self.low = seen[:, :2].min(axis=0) - size
        extent = seen[:, :2].max(axis=0) + size - self.low
        self.scale = min(40.0 / size, 3000.0 / extent.max())
        shape = tuple(numpy.ceil(extent[::-1] * self.scale).astype(int))
        self.depth, _ = splat(seen, radii, self.low, self.scale, shape)
        self.bias = 0.15 * size

    def reaches(self, points):
        """1 where light comes, 0 in shadow, softened over neighbouring rays."""
        seen = points @ self.frame.T
        place = (seen[:, :2] - self.low) * self.scale
        total = numpy.zeros(len(points))
        offsets = [(i, j) for i in (-2, -1, 0, 1, 2) for j in (-2, -1, 0, 1, 2)]
        for offset in offsets:
            column, row = (place + offset).astype(int).T
            inside = ((column >= 0) & (row >= 0) & (column < self.depth.shape[1])
                      & (row < self.depth.shape[0]))
            lit = numpy.ones(len(points))
            lit[inside] = self.depth[row[inside], column[inside]] <= seen[inside, 2] + self.bias
            total += lit / len(offsets)
        return total


def picture(centres, radii, window, width, elevation=15.0):
    """An RGB image, `width` pixels wide, of spheres on the plane z = 0 in `window`: (left, right,
    bottom, top) in the plane of the view, in m. `elevation` is the angle of the view above the
    floor in degrees."""
    left, right, bottom, top = window
    shape = (round(width * (top - bottom) / (right - left)) * SAMPLES, width * SAMPLES)
    scale = shape[1] / (right - left)
    tilt = numpy.radians(elevation)
    view = frame_towards([0.0, -numpy.cos(tilt), numpy.sin(tilt)])
    light = Light([-0.6, -0.55, 1.2], centres, radii)
    depth, which = splat(centres @ view.T, radii, (left, bottom), scale, shape)

    u = left + (numpy.arange(shape[1]) + 0.5) / scale
    v = bottom + (numpy.arange(shape[0]) + 0.5) / scale
    u, v = numpy.meshgrid(u, v)
    # where the ray through (u, v) meets the floor
    ground = -v * view[1, 2] / view[2, 2]
    depth = numpy.where(which >= 0, depth, ground)
    points = (numpy.stack([u, v, depth], axis=-1).reshape(-1, 3)) @ view
    which = which.ravel()
    ball = which >= 0

    normal = numpy.tile([0.0, 0.0, 1.0], (len(points), 1))
    normal[ball] = (points[ball] - centres[which[ball]]) / radii[which[ball], None]
    # every grain a little different, always the same way
    tint = 0.88 + 0.24 * ((numpy.arange(len(radii)) * 0.6180339887) % 1.0)
    colour = numpy.where(ball[:, None], SAND * tint[which][:, None], FLOOR)
    diffuse = numpy.maximum(normal @ light.frame[2], 0.0) * light.reaches(points)
    sky = 0.5 + 0.5 * normal[:, 2]
    # the floor is white where it is lit, so that the picture has no border
    strength = numpy.where(ball, 0.18 + 0.30 * sky + 0.68 * diffuse,
                           0.68 + 0.32 * diffuse / light.frame[2, 2])
    image = numpy.clip(colour * strength[:, None], 0.0, 1.0)
    image = image.reshape(shape[0] // SAMPLES, SAMPLES, shape[1] // SAMPLES, SAMPLES, 3)
    return image.mean(axis=(1, 3))[::-1]
