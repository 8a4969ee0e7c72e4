"""Points that new users met: each was a fact once."""
import re

from _checks import Checks, write
from _scenes import CLOUD, TWO_SPHERES

t = Checks()
t.skip_leak_check()
write("two.yaml", TWO_SPHERES)
write("cloud.yaml", CLOUD)
write("tight.yaml", """materials: {m: {mu: 0.5}}
bodies: [{name: floor, kind: static, shape: {type: half-space}}]
generators:
  - type: rain
    count: 50
    rate: 1000
    box: {from: [-0.05, -0.05, 0.1], to: [0.05, 0.05, 0.2]}
    body: {name: grain, shape: {type: sphere, radius: 0.05}}
stop: {time: 0.1}
""")
BALL = "bodies: [{name: b, %s, shape: {type: sphere, radius: 0.1}}]\nstop: {time: 0.01}\n"

print("help")
usage = t.expect(0, "run", "--help").out
t.check(t.expect(0, "help", "run").out == usage, "scree help run is scree run --help")
t.check(t.expect(0, "help").out == t.expect(0, "--help").out, "scree help is scree --help")
t.check(t.expect(0, "-V").out == t.expect(0, "--version").out, "scree -V is scree --version")
t.expect_refusal("help for nothing", "help", "rnu", naming="did you mean 'run'?")
example = re.search(r"scree run (\w+) -o heap.h5", t.expect(0, "repose", "--help").out)
t.check(example and example[1] in t.expect(0, "scenes").out, "the example of repose exists")

print("scenes")
t.expect(0, "scenes", "columns", what="columns is explained without a file")
result = t.expect(0, "run", "columns", "--until", "0.01")
t.check(re.search(r"^bodies +1001$", result.out, re.M), "and runs without one", result.describe())
write("few.csv", "0, 0, 0.0225\n0, 0, 0.0676\n")
j = t.expect_json(0, "run", "columns", "--set", "csv=few.csv", "--until", "0.01")
t.check(j["final"]["n_bodies"] == 3, "or with one of one's own", j["final"])
t.expect(0, "run", "two.yaml", "-o", "two.h5", "--quiet")
t.expect_refusal("a recording as a scene", "run", "two.h5", naming="two.h5: is an HDF5 file")
write("fast.yaml", BALL % "velocity: [1e200, 0, 0]")
t.expect_refusal("a velocity beyond all bounds", "run", "fast.yaml", naming="in a step of")
write("odd.yaml", BALL % "mass: 1, inertia: [1, 1, 100]")
t.expect_refusal("an inertia that nothing has", "run", "odd.yaml", naming="odd.yaml:1:")
write("rod.yaml", BALL % "mass: 1, inertia: [1, 1, 2]")
t.expect(0, "run", "rod.yaml", what="a flat body, the limit of what there is")

print("run")
t.expect_refusal("--until below one step", "run", "two.yaml", "--until", "1e-5", naming="--until")
t.expect(0, "run", "two.yaml", "--until", "0", what="--until 0: the beginning alone")
j = t.expect_json(0, "run", "cloud.yaml")
t.check(len(j["final"]["bodies"]) == 1000 and j["final"]["bodies_left_out"] == 100,
        "bodies that are left out are counted")
result = t.expect(0, "run", "tight.yaml")
n = re.search(r"(\d+) more of the rain were not released", result.out)
t.check(n and f"warning: {n[1]} bodies of the rain" in result.err, "rain that found no room",
        result.describe())
j = t.expect_json(0, "run", "tight.yaml")
t.check(j["measure"]["bodies_awaited"] == int(n[1]) and
        j["final"]["n_bodies"] == 51 - int(n[1]) and "warnings" in j, "in JSON too", j["measure"])
for theta in ["0.5", "1"]:
    result = t.expect(0, "run", "pile", "--until", "0.3", "--set", f"world.theta={theta}")
    t.check(("theta is above 0.5" in result.out) == (theta != "0.5"),
            f"theta = {theta}: what is unexplained has the right reason", result.out)

t.finish()
