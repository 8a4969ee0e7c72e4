"""VTK itself reads everything that is written for it: bodies, contacts, surfaces of all shapes, joints with their
places, axes, limits and reactions, and the lines of a rockfall study.

Exit code 77 (skipped) where the Python module of VTK (Debian: python3-vtk9) is missing.
"""
import os
import sys
from pathlib import Path
from xml.etree import ElementTree

SYSTEM_PYTHON = "/usr/bin/python3"
SKIPPED = 77

try:
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkIOXML import vtkXMLPolyDataReader
except ImportError:
    if os.environ.get("SCREE_VTK_TRIED") or not os.path.exists(SYSTEM_PYTHON):
        print("skipped: the Python module vtkmodules is not installed")
        sys.exit(SKIPPED)
    os.environ["SCREE_VTK_TRIED"] = "1"
    os.execv(SYSTEM_PYTHON, [SYSTEM_PYTHON, "-B"] + sys.argv)

from _checks import Checks, write  # noqa: E402  (after the interpreter has been settled)

t = Checks()
t.skip_leak_check()


def load(path):
    reader = vtkXMLPolyDataReader()
    reader.SetFileName(path)
    reader.Update()
    return reader.GetOutput()


def series(path):
    """The files that a .pvd lists, with their times."""
    return [(float(f.get("timestep")), f.get("file")) for f in ElementTree.parse(path).iter("DataSet")]


def read(path):
    """Points and the arrays on them."""
    data = load(path)
    arrays = {data.GetPointData().GetArrayName(k): vtk_to_numpy(data.GetPointData().GetArray(k)).tolist()
              for k in range(data.GetPointData().GetNumberOfArrays())}
    n = data.GetNumberOfPoints()
    arrays["point"] = [list(data.GetPoint(k)) for k in range(n)]
    t.check(data.GetNumberOfVerts() == n and all(len(a) == n for a in arrays.values()),
            f"{path}: {n} points, {len(arrays)} arrays")
    return arrays


def near(value, expected, tolerance=1e-6):
    return all(abs(a - b) <= tolerance for a, b in zip(value, expected, strict=True))


print("a body that moves carries the joint of another along")
t.expect(0, "run", "pendulum", "--until", "0.5", "-o", "swing.h5", "--quiet")
j = t.expect_json(0, "export", "swing.h5", "--vtk", "--csv")
t.check("swing_joints.pvd" in j["files"] and "swing_joints.csv" in j["files"], "the series is named", j)
for k in (0, 10, j["frames"] - 1):
    bodies, joints = read(f"swing_{k:06}.vtp"), read(f"swing_joints_{k:06}.vtp")
    upper = bodies["point"][0]  # the middle of a rod that hangs at the origin
    t.check(near(joints["point"][0], [0, 0, 0]) and near(joints["point"][1], [2 * x for x in upper]),
            f"the elbow is at the end of the upper rod: {joints['point'][1]}")
    t.check(near(joints["axis"][0], [0, -1, 0]) and near(joints["axis"][1], [0, -1, 0]), "axes")

print("reactions are in axes of the world, what broke is gone")
HANGS = """world: {step: 1e-3, tol: 1e-6}
materials: {m: {}}
bodies:
  - {name: base, kind: static, rotation: {axis: [0, 1, 0], degrees: 30}, shape: {type: sphere, radius: 0.1, collides: 0}}
  - {name: arm, position: [0.5, 0, 0], mass: 2, inertia: [0.1, 0.1, 0.1], shape: {type: sphere, radius: 0.1, collides: 0}}
  - {name: bob, position: [0, 3, -1], mass: 3, inertia: [0.1, 0.1, 0.1], shape: {type: sphere, radius: 0.1, collides: 0}}
  - {name: lost, position: [0, 6, -1], mass: 1, shape: {type: sphere, radius: 0.1, collides: 0}}
joints:
  - {name: weld, type: fixed, bodies: [arm, base], position: [0.1, 0, 0], axis: [1, 0, 1]}
  - {name: pin, type: hinge, body: bob, position: [0, 3, 0], axis: [0, 2, 0], freedom: {lower: -0.5, upper: 1}}
  - {name: thread, type: rope, body: lost, points: [[0, 6, -1], [0, 6, 0]], break_force: 1}
stop: {time: 0.1}
output: {interval: 0.05}
"""
t.expect(0, "run", write("hangs.yaml", HANGS), "-o", "hangs.h5", "--quiet")
t.expect(0, "export", "hangs.h5", "--vtk")
first, last = read("hangs_joints_000000.vtp"), read("hangs_joints_000002.vtp")
t.check(first["joint"] == [0, 1, 2] and last["joint"] == [0, 1], "the thread is gone", last["joint"])
t.check(last["kind"] == [0, 2] and last["bodies"] == [[1, 0], [2, -1]], "kinds and bodies", last)
t.check(near(last["force"][0], [0, 0, 2 * 9.81], 1e-6) and near(last["force"][1], [0, 0, 3 * 9.81], 1e-6),
        f"weights: {last['force']}")
t.check(near(last["torque"][0], [0, -2 * 9.81 * 0.4, 0], 1e-6), f"moment: {last['torque'][0]}")
t.check(near(last["axis"][0], [0.5 ** 0.5, 0, 0.5 ** 0.5]) and near(last["axis"][1], [0, 1, 0]), "axes")
t.check(near(last["limits"][1][:2], [-0.5, 1]) and last["limits"][0][0] == float("-inf"), "limits",
        last["limits"])

print("surfaces: every shape is closed, and as large as it says; terrain has its heights, and its holes")
write("steps.asc", "ncols 4\nnrows 3\nxllcenter 10\nyllcenter 0\ncellsize 2\nnodata_value -9\n"
      "-1 -2 -3 -4\n-1 -1 -1 -1\n-5 -1 -1 -9\n")
SHAPES = """materials: {m: {}}
bodies:
  - {name: ground, kind: static, shape: {type: mesh, file: steps.asc, holes: HOW}}
  - {name: floor, kind: static, position: [0, 0, -1], shape: {type: half-space}}
  - {name: ball, density: 1, position: [0, 0, 2], shape: {type: sphere, radius: 0.5}}
  - {name: box, density: 1, position: [2, 0, 2], shape: {type: box, size: [1, 2, 0.5]}}
  - {name: pill, density: 1, position: [4, 0, 2], shape: {type: capsule, radius: 0.25, length: 1}}
  - {name: drum, density: 1, position: [6, 0, 2], shape: {type: cylinder, radius: 0.5, height: 1}}
  - {name: egg, density: 1, position: [8, 0, 2], shape: {type: ellipsoid, size: [1, 2, 0.5]}}
  - {name: top, density: 1, position: [0, 4, 2], shape: {type: cone, radius: 0.5, height: 1}}
  - {name: rock, density: 1, position: [2, 4, 2], shape: {type: hull, points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}}
  - {name: ring, kind: static, position: [4, 4, 2], shape: {type: tube, radius: 0.5, inner: 0.4, height: 1, collides: 0}}
stop: {time: 0.002}
output: {interval: 0.002}
"""
VOLUMES = {2: 4 / 3 * 3.14159 * 0.125, 3: 1.0, 4: 3.14159 * 0.0625 * (1 + 1 / 3), 5: 3.14159 * 0.25,
           6: 4 / 3 * 3.14159 * 0.125, 7: 3.14159 * 0.25 / 3, 8: 1 / 6, 9: 3.14159 * 0.09}


def volumes(data):
    """By body, of polygons as fans about their first corner: positive where they look out."""
    body = vtk_to_numpy(data.GetPointData().GetArray("body"))
    sums = {}
    for k in range(data.GetNumberOfCells()):
        corners = [data.GetCell(k).GetPointId(i) for i in range(data.GetCell(k).GetNumberOfPoints())]
        a, *rest = [data.GetPoint(i) for i in corners]
        for b, c in zip(rest, rest[1:]):
            cross = [b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0]]
            sums[int(body[corners[0]])] = sums.get(int(body[corners[0]]), 0) + sum(x * y for x, y in zip(a, cross)) / 6
    return sums


for how, n_triangles in (("fill", 12), ("open", 11)):
    t.expect(0, "run", write("shapes.yaml", SHAPES.replace("HOW", how)), "-o", f"{how}.h5", "--quiet")
    t.expect(0, "export", f"{how}.h5", "--vtk", "--shapes")
    files = series(f"{how}_shapes.pvd")
    t.check(len(files) == 2 and abs(files[1][0] - 0.002) < 1e-12, "the series has two times", files)
    data = load(files[0][1])
    body = vtk_to_numpy(data.GetPointData().GetArray("body"))
    ground = [k for k in range(data.GetNumberOfCells()) if body[data.GetCell(k).GetPointId(0)] == 0]
    t.check(len(ground) == n_triangles, f"{how}: {len(ground)} triangles of terrain")
    points = {data.GetCell(k).GetPoints().GetPoint(i) for k in ground for i in range(3)}
    t.check((10, 0, -5) in points and (16, 4, -4) in points and ((16, 0, -9) not in points), "heights", points)
    found = volumes(data)
    for number in VOLUMES:
        volume = found.get(number, 0)
        t.check(0.9 * VOLUMES[number] < volume < 1.001 * VOLUMES[number], f"volume of body {number}: {volume}")

print("zones: those of the triangles")
t.expect(0, "run", "lanes", "--until", "0.002", "-o", "lanes.h5", "--quiet")
t.expect(0, "export", "lanes.h5", "--vtk", "--shapes")
data = load(series("lanes_shapes.pvd")[0][1])
zones = [int(x) for x in vtk_to_numpy(data.GetCellData().GetArray("zone"))]
t.check(zones[:6] == [0, 0, 1, 1, 2, 2] and set(zones[6:]) == {0}, "zones of the floor", zones)

print("contacts: weights of what lies there")
LIES = """materials: {m: {mu: 0.5}}
bodies:
  - {name: floor, kind: static, shape: {type: half-space}}
  - {name: ball, mass: 2, position: [3, 0, 0.5], shape: {type: sphere, radius: 0.5}}
stop: {time: 0.05}
output: {interval: 0.05}
"""
t.expect(0, "run", write("lies.yaml", LIES), "-o", "lies.h5", "--quiet")
t.expect(0, "export", "lies.h5", "--vtk")
last = read(series("lies_contacts.pvd")[-1][1])
t.check(len(last["point"]) == 1 and near(last["point"][0], [3, 0, 0]), "one contact", last)
t.check(any(abs(max(map(abs, value)) - 2 * 9.81) < 1e-6 for value in
            (v[0] if isinstance(v[0], list) else v for k, v in last.items() if k != "point")),
        "with the weight", last)

print("lines of a rockfall study")
t.expect(0, "rockfall", "-n", "3", "--lines", "2", "--time", "3", "--step", "0.004", "-o", "fall")
data = load("fall_lines.vtp")
rows = [line.split(",") for line in Path("fall_lines.csv").read_text().split("\n")[1:] if line]
t.check(data.GetNumberOfLines() == 2 and data.GetNumberOfPoints() == len(rows) > 10, f"{len(rows)} points")
t.check(all(near(data.GetPoint(k), map(float, row[2:5]), 1e-3) for k, row in enumerate(rows)), "as in the table")
arrays = {data.GetPointData().GetArrayName(k) for k in range(data.GetPointData().GetNumberOfArrays())}
t.check({"time", "speed", "energy", "jump"} <= arrays, "with what they did", arrays)

t.finish()
