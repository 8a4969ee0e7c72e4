"""Machines: the guideway against its formula, models that run and convert, what is refused."""
from pathlib import Path

from _checks import Checks, write

t = Checks()
t.skip_leak_check()
MODELS = Path(__file__).resolve().parents[2] / "examples" / "models"

print("guideway")
ROOT_HALF = 0.5 ** 0.5
for settings, expected in [
        ([], 0.005 * 490 / ROOT_HALF),
        (["seal=5.3"], 0.005 * 490 / ROOT_HALF + 5.3),
        (["angle=0"], 0.005 * 490),
        (["zeta=0.002", "load=980"], 0.002 * 980 / ROOT_HALF)]:
    run = t.expect_json(0, "run", "guideway", "--until", "0.02",
                        *[word for s in settings for word in ("--set", s)])
    force = run["measure"]["resisting_force"]
    t.check(abs(force / expected - 1) <= 1e-3, f"{settings}: {force} N, formula {expected} N")

print("it sticks below the threshold and moves above it")
threshold = 0.005 * 490 / ROOT_HALF + 5.3
for share in (0.999, 1.001):
    run = t.expect_json(0, "run", "guideway", "--until", "0.05", "--set", "seal=5.3", "--set", "speed=0",
                        "--set", "joints.drive.freedom.motor=effort",
                        "--set", f"joints.drive.freedom.target={share * threshold}",
                        "--set", "measures={way: {joint: drive, coordinate: 0}}")
    way = run["measure"]["way"] - 1
    # The surplus moves the carriage of 1.5 kg alone: 0.5 a t^2.
    free = 0.5 * (share - 1) * threshold / 1.5 * 0.05 ** 2
    t.check(abs(way) <= 1e-12 if share < 1 else 0.5 * free <= way <= 1.5 * free,
            f"at {share} of it: {way} m, free {free} m")

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
