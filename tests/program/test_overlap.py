"""Overlap is judged by size, and steps that are far too large are refused with a number that does."""
import re

from _checks import Checks, write

t = Checks()
DROP = """
world: {{step: {step}}}
stop: {{time: {time}}}
bodies:
  - {{name: floor, kind: static, shape: {{type: half-space}}}}
  - {{name: ball, position: [0, 0, 0.5], shape: {{type: sphere, radius: 0.1}}}}
"""

print("a step that gravity outruns")
write("coarse.yaml", DROP.format(step=0.15, time=3))
result = t.expect(2, "run", "coarse.yaml")
t.check(re.search(r"world\.step = 0\.15 s is too large.*'ball'.*; 0\.1 s would do", result.err),
        "the error names the body and a step that does", result.describe())

print("a time below one step")
write("short.yaml", DROP.format(step=10, time=0.2))
result = t.expect(2, "run", "short.yaml")
t.check("stop.time = 0.2 s is less than one step: world.step = 10 s" in result.err,
        "the error names both", result.describe())

print("steps beyond counting")
write("endless.yaml", DROP.format(step=1e-300, time=3))
result = t.expect(2, "run", "endless.yaml")
t.check("stop.time = 3 s is more steps than can be counted: world.step = 1e-300 s" in result.err,
        "the error names both", result.describe())

print("the step that was said to do")
write("does.yaml", DROP.format(step=0.1, time=3))
j = t.expect_json(0, "run", "does.yaml")
t.check(0.0 < j["measure"]["overlap_share_max"] < 1e-5, "share of the radius", j["measure"])
result = t.expect(0, "run", "does.yaml")
t.check(re.search(r"^worst overlap +\S+ +of the radius at \S+ s$", result.out, re.M), "the summary",
        result.describe())
t.check("overlap" not in result.err, "no warning", result.err)

print("overlap worth a warning")
write("driven.yaml", """
world: {step: 1e-3, gravity: [0, 0, 0]}
stop: {time: 0.05}
bodies:
  - {name: wall, kind: static, shape: {type: half-space}}
  - {name: press, kind: kinematic, position: [0, 0, 0.25], velocity: [0, 0, -1],
     shape: {type: box, size: [0.2, 0.2, 0.1]}}
  - {name: ball, position: [0, 0, 0.1], shape: {type: sphere, radius: 0.1}}
""")
result = t.run("run", "driven.yaml", "--quiet")
warnings = re.findall(r"overlap by \S+ of the smaller one's radius", result.err)
t.check(len(warnings) == 1 and "'ball'" in result.err, "one warning that names it", result.err)

t.finish()
