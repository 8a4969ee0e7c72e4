"""Terrain from files: the example runs, is shown and exported; faults name file
and line."""
from pathlib import Path

from _checks import Checks, write

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
SCENE = "bodies: [{name: a, kind: static, shape: {type: mesh, file: FILE}}]\nstop: {time: 0.1}\n"
HILL = str(EXAMPLES / "hill.yaml")

t = Checks()

print("the example")
whole = t.expect_json(0, "run", HILL, "--until", "1.2", "-o", "whole.h5")
t.check(whole["measure"]["contacts_max"] > 0, "bodies have come down on the hill", whole)
t.expect(0, "view", "whole.h5")
page = Path("whole.html").read_text()
t.check('"columns":101,"rows":61' in page, "the page holds the heights")
t.expect(0, "export", "whole.h5", "--vtk")

print("holes")
GRID = "ncols 12\nnrows 12\nxllcenter 0\nyllcenter 0\ncellsize 1\nNODATA_value -9\n"
ROWS = [["-9" if 3 <= c <= 8 and 3 <= r <= 8 else "0" for c in range(12)] for r in range(12)]
write("pit.asc", GRID + "\n".join(" ".join(row) for row in ROWS))
PIT = """materials: {m: {mu: 0.5}}
bodies:
  - {name: ground, kind: static, shape: {type: mesh, file: pit.asc, holes: HOW}}
  - {name: over, density: 1, position: [5.5, 5.5, 1], shape: {type: sphere, radius: 0.5}}
  - {name: beside, density: 1, position: [1, 1, 1], shape: {type: box, size: [0.5, 0.5, 0.5]}}
measures:
  over_z: {body: over, position: 2, over: last}
  beside_z: {body: beside, position: 2, over: last}
results:
  over: {value: over_z}
  beside: {value: beside_z}
stop: {time: 2}
"""
for how, falls in (("open", True), ("fill", False)):
    write("pit.yaml", PIT.replace("HOW", how))
    j = t.expect_json(0, "run", "pit.yaml", "-o", f"{how}.h5")
    over, beside = (j["results"][name]["value"] for name in ("over", "beside"))
    t.check((over < -10) == falls and abs(beside - 0.25) < 1e-6 and (falls or abs(over - 0.5) < 1e-6),
            f"{how}: one ends at {over}, the other at {beside}")
    t.expect(0, "view", f"{how}.h5")
    t.expect(0, "export", f"{how}.h5", "--vtk")
t.expect_refusal("refused", "run", write("pit.yaml", PIT.replace("HOW", "refuse")), naming="36 cells have no height")
t.expect_refusal("no such way", "run", write("pit.yaml", PIT.replace("HOW", "opne")), naming="'open'")

print("coarser, and from points")
write("coarse.yaml", SCENE.replace("FILE", "pit.asc, holes: fill, cell: 3"))
t.expect(0, "run", "coarse.yaml", "--quiet")
j = t.expect_json(0, "convert", "pit.asc", "coarse.asc", "--cell", "3")
t.check(j["columns"] == 4 and j["cell"] == 3 and j["holes"] == 4 and j["origin"] == [1, 1], "coarser", j)
write("cloud.xyz", "\n".join(f"{x + 0.3 * ((7 * x + y) % 3)} {y + 0.2 * ((x + 5 * y) % 4)} {0.1 * x}"
                             for x in range(20) for y in range(15)))
t.expect_refusal("a cloud without a cell", "convert", "cloud.xyz", "cloud.asc", naming="is on no raster")
j = t.expect_json(0, "convert", "cloud.xyz", "cloud.asc", "--cell", "1.5")
t.check(j["points"] == 300 and 0 < j["off_most"] < 0.2 and j["holes"] == 0, "a cloud", j)

print("faults")
write("hole.asc", "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\nNODATA_value -9\n1 2\n-9 4\n")
write("hole.yaml", SCENE.replace("FILE", "hole.asc"))
t.expect_refusal("a hole", "run", "hole.yaml", naming="row 2, column 1")
write("bad.obj", "v 0 0 0\nf 1 2 3\n")
write("bad.yaml", SCENE.replace("FILE", "bad.obj"))
t.expect_refusal("a point that is not there", "run", "bad.yaml", naming="bad.obj:2")
PLY = "ply\nformat ascii 1.0\nelement vertex {n}\nproperty float x\nproperty float y\nproperty float z\n" \
      "element face 1\nproperty list uchar int vertex_indices\nend_header\n{rest}"
HEAD = "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize {cell}\n"
TRIANGLE = "v 0 0 0\nv 1 0 0\nv 0 1 0\n"
HULL = "bodies: [{name: a, density: 1, shape: {type: hull, file: FILE}}]\nstop: {time: 0.1}\n"
for what, scene, name, text, naming in (
        ("no triangle", SCENE, "none.obj", "v 0 0 0\n", "1 points and 0 triangles"),
        ("no area", SCENE, "line.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n", "triangle 0 has no area"),
        ("one point thrice", SCENE, "point.obj", "v 1 1 1\nf 1 1 1\n", "triangle 0 has no area"),
        ("turned over", SCENE, "over.obj", TRIANGLE + "v 1 1 0\nf 1 2 3\nf 2 3 4\n", "in the same direction"),
        ("double", SCENE, "double.obj", TRIANGLE + "f 1 2 3\nf 1 2 3\n", "in the same direction"),
        ("not a number", SCENE, "nan.obj", TRIANGLE.replace("1 0 0", "nan 0 0") + "f 1 2 3\n", "nan.obj:2"),
        ("infinite", SCENE, "inf.ply", PLY.format(n=3, rest="0 0 0\n1e999 0 0\n0 1 0\n3 0 1 2\n"), "inf.ply:11"),
        ("a billion", SCENE, "many.ply", PLY.format(n=1000000000, rest="0 0 0\n"), "many.ply"),
        ("too few", SCENE, "few.ply", PLY.format(n=4, rest="0 0 0\n"), "few.ply"),
        ("cut", SCENE, "cut.stl", "solid a\nvertex 0 0\n", "cut.stl:"),
        ("no cell", SCENE, "cell.asc", HEAD.format(cell=0) + "1 2 3 4\n", "positive cellsize"),
        ("a height too many", SCENE, "more.asc", HEAD.format(cell=1) + "1 2 3 4 5\n", "more.asc:6"),
        ("a height too few", SCENE, "less.asc", HEAD.format(cell=1) + "1 2 3\n", "less.asc:"),
        ("a word", SCENE, "word.asc", HEAD.format(cell=1) + "1 2 x 4\n", "word.asc:6"),
        ("a flat hull", HULL, "flat.obj", TRIANGLE + "v 1 1 0\nf 1 2 3\n", "flat.yaml:1"),
        ("a hull of one point", HULL, "one.obj", TRIANGLE.replace("1", "0") + "f 1 2 3\n", "one.yaml:1")):
    write(name, text)
    write(name[:-4] + ".yaml", scene.replace("FILE", name))
    t.expect_refusal(what, "run", name[:-4] + ".yaml", naming=naming)
write("none.yaml", SCENE.replace("FILE", "none.stl"))
t.expect_refusal("no file", "run", "none.yaml", naming="none.stl")
t.finish()
