"""Materials with sets: from a file beside the scene, through a recording, with faults in the file."""
import math
import os

from _checks import Checks, write

PLATE = """# as a measurement gives it
sliding: {superellipse: [0.5366, 0.457, 2.94]}
direction: {superellipse: [1.84, 1.19, 2.51]}
"""

SCENE = """title: Puck on a measured plate
world: {step: 1e-3}
materials:
  plate: {file: plate.yaml, lay: [1, 0.5, 0]}
  puck: {mu: 1}
bodies:
  - {name: floor, kind: static, shape: {type: half-space, material: plate}}
  - name: puck
    position: [0, 0, 0.01]
    velocity: [0.8, 0.3, 0]
    angular_velocity: [0, 0, 3]
    shape: {type: box, size: [0.1, 0.1, 0.02], material: puck}
stop: {time: 0.1}
output: {interval: 0.01}
"""

t = Checks()
os.mkdir("lab")
write("lab/plate.yaml", PLATE)
scene = write("lab/puck.yaml", SCENE)
whole = t.expect_json(0, "run", scene, "-o", "whole.h5")
t.skip_leak_check()


def place(run):
    return run["final"]["bodies"][0]["position"]


print("what it does")
round_ = t.expect_json(0, "run", scene, "--set", "materials.plate={mu: 0.5}")
turned = t.expect_json(0, "run", scene, "--set", "materials.plate.lay=[-0.5, 1, 0]")
t.check(place(whole) != place(round_) and place(whole) != place(turned), "sets and lay count",
        (place(whole), place(round_), place(turned)))

print("the iteration of the paper as the solver of a world")
proximal = t.expect_json(0, "run", scene, "--set", "world.solver=proximal")
t.check(all(abs(a - b) <= 5e-5 for a, b in zip(place(proximal), place(whole))),
        "it ends where others do", (place(proximal), place(whole)))

t.expect(0, "run", scene, "--dump-problem", "20", "--dump-to", "puck.hdf5", "--quiet")
for solver in ("proximal", "channels", "nsgs", "auto"):
    j = t.expect_json(0, "solve", "puck.hdf5", "--solver", solver, "--tol", "1e-9")
    t.check(j["status"] == "converged" and j["residual"] <= 1e-9 and j["rank"] is None,
            f"{solver} solves its contacts", j)
t.check("not counted, friction has sets" in t.expect(0, "solve", "puck.hdf5").out, "it says so")

print("one set over sliding and spinning")
JOINED = SCENE.replace("plate: {file: plate.yaml, lay: [1, 0.5, 0]}",
                       "plate: {mu_s: 0.02, sliding: {ellipse: [0.5, 0.3], spin_power: POWER}}")
for power, code in ((2, 0), (8, 0), (1, 2), ("-2", 2)):
    write("lab/joined.yaml", JOINED.replace("POWER", str(power)))
    done = t.expect(code, "run", "lab/joined.yaml", "--dump-problem", "20", "--dump-to",
                    f"joined{power}.hdf5", "--json", what=f"spin_power {power}")
    if code:
        t.check("spin_power" in done.err, "it names the key", done.err)
first = [t.expect_json(0, "solve", f"joined{power}.hdf5", "--tol", "1e-9", "--solver", "nsgs") for power in (2, 8)]
t.check(first[0]["status"] == first[1]["status"] == "converged" and
        first[0]["residual"] != first[1]["residual"], "problem files carry it", first)
t.expect(0, "convert", "joined2.hdf5", "again.hdf5")
again = t.expect_json(0, "solve", "again.hdf5", "--tol", "1e-9", "--solver", "nsgs")
t.check(again["residual"] == first[0]["residual"] and again["iterations"] == first[0]["iterations"],
        "and keep it", (again, first[0]))

print("recordings")
t.expect(0, "run", scene, "-o", "part.h5", "--until", "0.05", "--quiet")
t.expect(0, "run", "--resume", "-o", "part.h5", "--until", "0.1", "--quiet")
hashes = [t.expect_json(0, "info", name)["hash"] for name in ("whole.h5", "part.h5")]
t.check(hashes[0] == hashes[1], "a resumed run is the same, bit for bit", hashes)
four = t.expect_json(0, "run", scene, "--workers", "4")
t.check(four["final"] == whole["final"], "so is one with four workers")

print("wedges bring their own directions, tensors both sets")
STRAIGHT = ["--set", "phi=45", "--set", "v0=sqrt(2)", "--set", "step=1e-3"]
for material, expected in [
        ("{sliding: {asperity: [0.3, 30]}}", (0.1770, 0.2045)),
        ("{sliding: {asperity: [0.3, 30]}, direction: {ellipse: [1, cos(30*deg)]}}", (0.1770, 0.2045)),
        ("{sliding: {asperity: [0.3, 30]}, direction: {asperity: [0.3, 30]}}", (0.1740, 0.2073)),
        ("{tensor: {second: [[0.4, 0], [0, 0.4]]}}", (0.1802, 0.1802))]:
    found = place(t.expect_json(0, "run", "disc-on-grooves", *STRAIGHT, "--set",
                                f"materials.plate={material}"))
    t.check(math.dist(found[:2], expected) < 1e-3, f"{material} stops at {expected}", found)

print("from a measurement to a path")
t.expect(0, "identify", "--example", "lab/plate.csv")
for form in ("superellipse", "table"):
    t.expect(0, "identify", "lab/plate.csv", "-o", "lab/plate.yaml", "--form", form)
    found = place(t.expect_json(0, "run", scene, "--until", "0.4", "--set",
                                "materials.plate.lay=[1, 0, 0]", "--set",
                                "bodies.puck.velocity=[1.52*sin(58*deg), 1.52*cos(58*deg), 0]",
                                "--set", "bodies.puck.angular_velocity=[0, 0, 0]"))
    # Walker and Leine, Fig. 27
    t.check(math.hypot(found[0] - 0.165172, found[1] - 0.140955) <= 0.01 * 0.220645,
            f"{form}: the disc of the paper stops where it should", found)
write("lab/plate.yaml", PLATE)

print("faults")
t.expect_refusal("unknown key", "run", scene, "--set", "materials.plate.slyding={disc: 1}",
                 naming="did you mean 'sliding'")
t.expect_refusal("convex law", "run", scene, "--set", "world.law=convex",
                 naming="lab/plate.yaml:3:12: sliding: the law convex")
t.expect_refusal("convex law, direction in a setting", "run", scene, "--set", "world.law=convex",
                 "--set", "materials.plate.direction={disc: 1}",
                 naming="materials.plate.direction={disc: 1}: sliding: the law convex")
write("lab/plate.yaml", PLATE.replace("1.19", "-1.19"))
t.expect_refusal("in the file", "run", scene, naming="lab/plate.yaml:3:34: superellipse = -1.19")
os.remove("lab/plate.yaml")
t.expect_refusal("no file", "run", scene, naming="puck.yaml:4:17: file 'plate.yaml' cannot be read")

t.finish()
