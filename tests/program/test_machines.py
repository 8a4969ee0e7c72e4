"""Machines: the guideway against its formula, models that run and convert, what is refused."""
from math import cos, sin, sqrt
from pathlib import Path

from _checks import Checks, sanitized, write

t = Checks()
t.skip_leak_check()
MODELS = Path(__file__).resolve().parents[2] / "examples" / "models"

print("guideway")
ROOT_HALF = 0.5 ** 0.5
for settings, expected in [
        ([], 0.005 * 490 / ROOT_HALF),
        (["seal=5.3"], 0.005 * 490 / ROOT_HALF + 5.3),
        (["angle=0"], 0.005 * 490),
        (["zeta=0.002", "load=980"], 0.002 * 980 / ROOT_HALF)][:1 if sanitized() else 4]:
    run = t.expect_json(0, "run", "guideway", "--until", "0.02",
                        *[word for s in settings for word in ("--set", s)])
    force = run["measure"]["resisting_force"]
    t.check(abs(force / expected - 1) <= 1e-3, f"{settings}: {force} N, formula {expected} N")

print("it sticks below the threshold and moves above it")
threshold = 0.005 * 490 / ROOT_HALF + 5.3
for share in () if sanitized() else (0.999, 1.001):
    run = t.expect_json(0, "run", "guideway", "--until", "0.05", "--set", "seal=5.3", "--set", "speed=0",
                        "--set", "joints.drive.freedom.motor=effort",
                        "--set", f"joints.drive.freedom.target={share * threshold}",
                        "--set", "measures={way: {joint: drive, coordinate: 0}}")
    way = run["measure"]["way"] - 1
    # The surplus moves the carriage of 1.5 kg alone: 0.5 a t^2. What the tolerance of 1e-6 lets it
    # move before it sticks is small beside that.
    free = 0.5 * (share - 1) * threshold / 1.5 * 0.05 ** 2
    t.check(abs(way) <= 1e-5 * abs(free) if share < 1 else 0.5 * free <= way <= 1.5 * free,
            f"at {share} of it: {way} m, free {free} m")

print("slider-crank")
CRANK, ROD, SPEED, MASS = 0.2, 0.5, 10.0, 2.0
for time in (0.05, 0.1, 0.37)[:1 if sanitized() else 3]:
    run = t.expect_json(0, "run", "slider-crank", "--until", str(time))["measure"]
    # x = r cos a + sqrt(l^2 - r^2 sin^2 a); the torque is m x' x'' speed^2 in derivatives by a, which
    # counts from the middle of the step. The rod weighs a thousandth of the slider and its crank is balanced.
    a = run["angle"] - 0.5 * 2e-4 * SPEED
    side = sqrt(ROD ** 2 - (CRANK * sin(a)) ** 2)
    first = -CRANK * sin(a) - CRANK ** 2 * sin(a) * cos(a) / side
    second = (-CRANK * cos(a) - CRANK ** 2 * cos(2 * a) / side
              - CRANK ** 4 * sin(a) ** 2 * cos(a) ** 2 / side ** 3)
    torque = MASS * first * second * SPEED ** 2
    t.check(abs(run["torque"] - torque) <= 0.03, f"at {time} s: {run['torque']} N m, formula {torque}")
    a = run["angle"]
    way = CRANK * cos(a) + sqrt(ROD ** 2 - (CRANK * sin(a)) ** 2) - CRANK - ROD
    t.check(abs(run["way"] - way) <= 1e-10, f"the loop is closed: {run['way']} m, {way} m")

print("disc")
PLANE = "joints=[{name: plane, type: planar, body: disc, position: [0, 0, 0], axis: [0, 1, 0]}]"
free, held_flat = (t.expect_json(0, "run", "rolling-disc", *settings)["final"]["bodies"][0]["position"][0]
                   for settings in ([], ["--set", PLANE]))
t.check(abs(free - held_flat) <= 1e-12 and abs(free + 0.005 - 3.571429) <= 1e-5,
        f"with a joint that holds it flat the disc of paper 2 stops at the same place: {free}, {held_flat} m")

print("a ball that spins")
# With the spinning friction mu_s it slows down by mu_s g/(2/5 R^2), whether a joint holds its axis or not.
SPINS = """world: {tol: 1e-6}
materials: {m: {mu: 0.3, mu_s: 0.001}}
bodies:
  - {name: floor, kind: static, shape: {type: half-space}}
  - {name: ball, position: [0, 0, 0.1], angular_velocity: [0, 0, 10], shape: {type: sphere, radius: 0.1}}
measures: {spin: {body: ball, angular_velocity: 2}}
stop: {time: 1}
"""
AXIS = "joints=[{name: axis, type: cylindrical, body: ball, position: [0, 0, 0], axis: [0, 0, 1]}]"
for settings in ([], ["--set", AXIS]):
    spin = t.expect_json(0, "run", write("spins.yaml", SPINS), *settings)["measure"]["spin"]
    t.check(abs(spin - (10 - 0.001 * 9.81 / 0.004)) <= 1e-6, f"{spin} rad/s after 1 s {settings}")

if not sanitized():
    print("crawler")
    ways = [t.expect_json(0, "run", "crawler", "--set", f"step={step}")["results"]["way"]["value"]
            for step in (2e-3, 1e-3)]
    t.expect(0, "lcp", "--example", "chain", "--step", "1e-3", "-o", "chain-of-machines.csv")
    study = float(open("chain-of-machines.csv").read().splitlines()[-1].split(",")[2])
    errors = [abs(way / study - 1) for way in ways]
    t.check(errors[0] <= 0.02 and errors[1] <= 0.7 * errors[0],
            f"it crawls as the study of paper 4 does: {ways} m, {study} m")

print("gripper")


def held(time, *settings):
    run = t.expect_json(0, "run", "gripper", "--until", str(time), *settings)
    bodies = {body["name"]: body["position"][2] for body in run["final"]["bodies"]}
    return bodies["block"], bodies["left"], run["measure"]["grip"]


if not sanitized():
    block, finger, grip = held(3)
    t.check(abs(grip - 20) <= 1e-9, f"the fingers press with their force, {grip} N")
    t.check(abs(block - finger + 0.05) <= 1e-14 and block > 0.2,
            f"the block has not crept: {block}, {finger} m")
    block, finger, grip = held(1, "--set", "force=9")
    t.check(abs(block - 0.05) <= 1e-9, f"2 mu force is less than its weight, and it stays behind: {block} m")

print("recordings of joints and contacts together")
for name, until in (("gripper", "0.1"), ("crawler", "0.05")):
    t.expect(0, "run", name, "--until", until, "-o", name + ".h5", "--quiet")
    facts = t.expect_json(0, "info", name + ".h5")
    t.check(facts.get("closed") is True, f"{name}: every contact names bodies that there are", facts)
    t.expect(0, "view", name + ".h5")

print("pendulum")
measure = t.expect_json(0, "run", "pendulum", "--until", "1" if sanitized() else "5")["measure"]
budget = measure["energy_budget"]
t.check(0 < measure["joint_gap_max"] <= 1e-14 and measure["joint_turn_max"] <= 1e-14 and
        measure["joints_broken"] == 0, "its joints hold", measure)
t.check(abs(budget["kinetic"] + budget["potential"] - budget["begin"]) <= 1e-4 and budget["kinetic"] > 1,
        "energy is kept", budget)

print("joints that break, and joints that cannot hold")
ROPE = """materials: {m: {}}
bodies: [{name: ball, position: [0, 0, -1], mass: 1, shape: {type: sphere, radius: 0.1}}]
joints: [{name: thread, type: rope, body: ball, points: [[0, 0, -1], [0, 0, 0]], break_force: 5}]
stop: {time: 0.1}
"""
t.check(t.expect_json(0, "run", write("rope.yaml", ROPE))["measure"]["joints_broken"] == 1, "one breaks")
APART = """materials: {m: {}}
bodies:
  - {name: left, kind: kinematic, position: [-1, 0, 0], shape: {type: sphere, radius: 0.1, collides: 0}}
  - {name: right, kind: kinematic, position: [1, 0, 0], shape: {type: sphere, radius: 0.1, collides: 0}}
  - {name: block, mass: 1, inertia: [1, 1, 1], shape: {type: sphere, radius: 0.1, collides: 0}}
joints:
  - {name: l, type: fixed, bodies: [block, left], position: [-0.5, 0, 0]}
  - {name: r, type: fixed, bodies: [block, right], position: [0.5, 0, 0]}
drives: [{body: right, way: [0.1, 0, 0], formula: t}]
stop: {time: 0.02}
"""
measure = t.expect_json(1, "run", write("apart.yaml", APART))["measure"]
t.check(measure["steps_not_converged"] + measure["steps_no_solution"] == 20 and
        5e-4 <= measure["joint_gap_max"] <= 2.1e-3, "two welds that are drawn apart are told", measure)

print("models")
for name in ("arm.urdf", "toy.urdf", "gripper.xml", "walker.xml", "fourbar.xml"):
    by_model = t.expect_json(0, "run", str(MODELS / name), "--until", "0.1")
    hand = str(MODELS / (name.split(".")[0] + ".yaml"))
    by_hand = t.expect_json(0, "run", hand, "--until", "0.1")
    t.check(by_model["final"] == by_hand["final"], f"{name} and the scene by hand end alike")
    written = t.expect_json(0, "convert", str(MODELS / name), "written.yaml", "--set", "world.step=1e-3")
    t.check(written["out_format"] == "scene" and written["bodies"] > 1, "converted", written)
    by_written = t.expect_json(0, "run", "written.yaml", "--until", "0.1")
    t.check(by_model["final"] == by_written["final"], f"{name} and what is written of it end alike")

print("a recording of a model goes on")
whole = t.expect_json(0, "run", str(MODELS / "arm.urdf"), "--until", "0.2")
t.expect_json(0, "run", str(MODELS / "arm.urdf"), "--until", "0.1", "-o", "arm.h5")
resumed = t.expect_json(0, "run", str(MODELS / "arm.urdf"), "--until", "0.2", "-o", "arm.h5", "--resume")
t.check(whole["final"] == resumed["final"], "bit for bit")

print("faults")
bomb = "<!DOCTYPE r [<!ENTITY a 'aaaa'>" + "".join(
    f"<!ENTITY {chr(98 + k)} '{f'&{chr(97 + k)};' * 10}'>" for k in range(20)) + "]><robot name='&t;'/>"
t.expect_refusal("bomb", "run", write("bomb.urdf", bomb), naming="entities")
t.expect_refusal("no model", "run", write("page.xml", "<html/>"), naming="neither <robot>")
t.expect_refusal("keyframe", "run", str(MODELS / "gripper.xml"), "--set", "keyframe=shut",
                 naming="keyframe 'shut'")
OPEN = """bodies:
  - {name: a, mass: 1, inertia: [1, 1, 1], shape: {type: sphere, radius: 0.1}}
  - {name: b, position: [1, 0, 0], mass: 1, inertia: [1, 1, 1], shape: {type: sphere, radius: 0.1}}
joints:
  - {name: loop, type: ball, bodies: [a, b], frames: [{position: [0.2, 0, 0]}, {position: [-0.2, 0, 0]}]}
"""
t.expect_refusal("a loop that is open", "run", write("open.yaml", OPEN), naming="'loop' does not close")
t.expect_refusal("--set", "convert", "a.dat", "b.dat", "--set", "x=1", naming="--set is for scenes")

t.finish()
