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
write("none.yaml", SCENE.replace("FILE", "none.stl"))
t.expect_refusal("no file", "run", "none.yaml", naming="none.stl")
t.finish()
