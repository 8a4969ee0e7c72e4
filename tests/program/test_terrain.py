"""Terrain from files: the example runs, is shown and exported; faults name file
and line."""
from pathlib import Path

from _checks import Checks, write

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
HILL = str(EXAMPLES / "hill.yaml")

t = Checks()

print("the example")
whole = t.expect_json(0, "run", HILL, "--until", "1.2", "-o", "whole.h5")
t.check(whole["measure"]["contacts_max"] > 0, "bodies have come down on the hill", whole)
t.expect(0, "view", "whole.h5")
page = Path("whole.html").read_text()
t.check('"columns":101,"rows":61' in page, "the page holds the heights")
t.expect(0, "export", "whole.h5", "--vtk")

print("faults")
SCENE = "bodies: [{name: a, kind: static, shape: {type: mesh, file: FILE}}]\nstop: {time: 0.1}\n"
write("hole.asc", "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\nNODATA_value -9\n1 2\n-9 4\n")
write("hole.yaml", SCENE.replace("FILE", "hole.asc"))
t.expect_refusal("a hole", "run", "hole.yaml", naming="row 2, column 1")
write("bad.obj", "v 0 0 0\nf 1 2 3\n")
write("bad.yaml", SCENE.replace("FILE", "bad.obj"))
t.expect_refusal("a point that is not there", "run", "bad.yaml", naming="bad.obj:2")
write("none.yaml", SCENE.replace("FILE", "none.stl"))
t.expect_refusal("no file", "run", "none.yaml", naming="none.stl")
t.finish()
