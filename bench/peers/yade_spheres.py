"""The spheres of bench/peers.py in Yade: Hertz and Mindlin with its law for moments.

Run by yade -n -x -jN; arguments: list, places, duration, step, interval, Young's modulus. The last
line printed holds the CPU and wall seconds of the run without the start of the program.
"""

import math
import os
import struct
import sys
import time

from yade import O, utils
from yade import (Bo1_Sphere_Aabb, Bo1_Wall_Aabb, ForceResetter, FrictMat,
                  Ig2_Sphere_Sphere_ScGeom, Ig2_Wall_Sphere_ScGeom, InsertionSortCollider,
                  InteractionLoop, Ip2_FrictMat_FrictMat_MindlinPhys,
                  Law2_ScGeom_MindlinPhys_Mindlin, NewtonIntegrator, PyRunner)

RADIUS = 0.0225
RELEASE = 5e-3  # s between releases of spheres

list_path, places_path = sys.argv[1:3]
duration, step, interval, young = (float(x) for x in sys.argv[3:7])
with open(list_path) as file:
    waiting = [tuple(float(x) for x in line.split()) for line in file]
waiting.reverse()
material = O.materials.append(
    FrictMat(young=young, poisson=0.3, frictionAngle=math.atan(0.6), density=2028.0))
for place, axis, sense in ((0, 2, 1), (-1, 0, 1), (1, 0, -1), (-1, 1, 1), (1, 1, -1)):
    O.bodies.append(utils.wall(place, axis=axis, sense=sense, material=material))
# The limit of the rolling moment is eta * R * F_n for spheres and walls alike: 4/9 makes it 0.01 m.
# Yade's law limits no twisting moment. The stiffness is what LIGGGHTS's epsd2 takes, k_t R*^2, at
# 0.1 mm of overlap.
physics = Ip2_FrictMat_FrictMat_MindlinPhys(en=0.2, es=0.2, eta=4.0 / 9.0, krot=1.27, ktwist=1.27)


def release():
    while waiting and waiting[-1][0] <= O.time + 1e-9:
        O.bodies.append(utils.sphere(waiting.pop()[1:], RADIUS, material=material))


def record():
    spheres = [b.state.pos for b in O.bodies if b.id >= 5]
    places.write(struct.pack("d", len(spheres)))
    for x in spheres:
        places.write(struct.pack("3d", *x))


n_steps, per_frame = round(duration / step), round(interval / step)
O.engines = [
    PyRunner(command="release()", iterPeriod=round(RELEASE / step), initRun=True),
    ForceResetter(),
    InsertionSortCollider([Bo1_Sphere_Aabb(), Bo1_Wall_Aabb()], verletDist=0.1 * RADIUS),
    InteractionLoop([Ig2_Sphere_Sphere_ScGeom(), Ig2_Wall_Sphere_ScGeom()], [physics],
                    [Law2_ScGeom_MindlinPhys_Mindlin(includeMoment=True)]),
    NewtonIntegrator(damping=0.0, gravity=(0, 0, -9.81)),
    PyRunner(command="record()", iterPeriod=per_frame),
]
O.dt = step
begin, wall = os.times(), time.perf_counter()
with open(places_path, "wb") as places:
    O.run(n_steps + 1, True)  # a step more: the first record is made in step per_frame + 1
end = os.times()
print("RESULT %.6f %.6f" % (end.user - begin.user, time.perf_counter() - wall), flush=True)
