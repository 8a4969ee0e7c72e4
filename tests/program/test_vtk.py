"""VTK itself reads what `scree export --vtk` writes of joints: places, axes, limits, reactions.

Exit code 77 (skipped) where the Python module of VTK (Debian: python3-vtk9) is missing.
"""
import os
import sys

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


def read(path):
    """Points and the arrays on them."""
    reader = vtkXMLPolyDataReader()
    reader.SetFileName(path)
    reader.Update()
    data = reader.GetOutput()
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

t.finish()
