"""scree run: summary, JSON, settings, dumped problems, faults and what Ctrl-C leaves behind."""
import math
import os
import re

from _checks import Checks, close, write
from _scenes import CLOUD, RAIN, TWO_SPHERES, leaning

t = Checks()
write("two.yaml", TWO_SPHERES)
write("rain.yaml", RAIN)

print("a run without a recording")
result = t.expect(0, "run", "two.yaml")
t.skip_leak_check()
for pattern in [r"^scene +two\.yaml$", r"^title +Two spheres$", r"^status +done: the time is over$",
                r"^time +0\.1 s in 100 steps of 0\.001 s$", r"^bodies +3$", r"^contacts +2 at most$",
                r"^not converged +none$", r"^worst residual +\S+ +at \S+ s$",
                r"^worst penetration +\S+ +m at \S+ s$", r"^    sliding +\S+ +J$",
                r"^  unexplained +\S+ +J$", r"^  solving +\S+ +s +\d+ %$",
                r"^  peak memory +\S+ +MB$", r"^nothing was recorded"]:
    t.check(re.search(pattern, result.out, re.M), pattern, result.describe())
t.check(sorted(os.listdir(".")) == ["rain.yaml", "two.yaml"], "nothing was written")
t.check(t.expect(0, "run", "two.yaml", "--quiet").out == "", "--quiet prints nothing")

print("the JSON object")
j = t.expect_json(0, "run", "two.yaml")
t.check(set(j) == {"scene", "title", "settings", "status", "measure", "results", "probes",
                   "sinks", "no_solution", "recording", "final"},
        "its members", sorted(j))
r = t.expect_json(0, "run", "sliding-cube")["results"]["distance"]
t.check(abs(r["value"] - r["expected"]) < 1e-4 * r["expected"] and r["meaning"] == "m",
        "results beside what is expected", r)
t.check(re.search(r"^  distance +3\.6697\d +expected 3\.6697\d +m$", t.expect(0, "run", "sliding-cube").out,
                  re.M), "and in the summary")
r = t.expect_json(0, "run", "domino", "--until", "0.01")["results"]["G"]
t.check(r["value"] is None and r["expected"] > 1.8, "null where something was not reached", r)
t.check(j["scene"] == "two.yaml" and j["status"] == "time" and j["recording"] is None, "scene, status")
final, measure = j["final"], j["measure"]
t.check(final["n_bodies"] == 3 and [b["name"] for b in final["bodies"]] == ["lower", "upper"],
        "bodies that may move, by name", final)
t.check(abs(final["time"] - 0.1) < 1e-12, "final time", final["time"])
for body in final["bodies"]:
    t.check(len(body["position"]) == 3 and len(body["velocity"]) == 3 and
            len(body["angular_velocity"]) == 3 and abs(math.hypot(*body["rotation"]) - 1.0) < 1e-9,
            f"{body['name']}: position, unit rotation, velocities", body)
top = max(b["position"][2] for b in final["bodies"]) + 0.01
t.check(abs(measure["top"] - top) < 1e-12, "top: the upper sphere's highest point", measure["top"])
mean = [sum(b["position"][i] for b in final["bodies"]) / 2 for i in range(3)]
t.check(close(measure["center_of_mass_xyz"], mean, 1e-12) and
        measure["center_of_mass"] == measure["center_of_mass_xyz"][2], "centre of mass", measure)
t.check(measure["steps"] == 100 and measure["steps_not_converged"] == 0 and
        measure["contacts_max"] == 2 and measure["sweeps"] >= 1 and
        measure["contact_updates"] >= measure["sweeps"], "counts", measure)
t.check(0.0 <= measure["residual_max"] <= 1e-4, "residual_max within the default tolerance",
        measure["residual_max"])
t.check(0.0 <= measure["penetration_max"] < 1e-3, "penetration_max", measure["penetration_max"])
budget = measure["energy_budget"]
balance = budget["begin"] + budget["added"] + budget["force_work"] + budget["contact_work"]
t.check(abs(measure["energy"] - balance) <= 1e-9 * abs(budget["begin"]) and
        abs(budget["defect"]) <= 1e-9 * abs(budget["begin"]), "the energy budget closes", budget)
t.check(set(measure["dissipation"]) == {"slide", "roll", "spin", "rest"} and
        all(measure["dissipation"][k] >= -1e-8 for k in ["slide", "roll", "spin"]), "dissipation",
        measure["dissipation"])
for key in ["cpu_s", "wall_s", "speed", "updates_per_s", "peak_memory_bytes"]:
    t.check(measure[key] > 0.0, f"{key} is positive", measure[key])
COS, SIN = 0.5, math.sqrt(0.75)
for shapes, above in [
        ("{type: sphere, radius: 0.1}", 0.1),
        ("{type: box, size: [0.2, 0.4, 0.6]}", 0.2 * SIN + 0.3 * COS),
        ("{type: capsule, radius: 0.1, length: 0.4}", 0.1 + 0.2 * COS),
        ("{type: cylinder, radius: 0.1, height: 0.4}", 0.1 * SIN + 0.2 * COS),
        ("{type: sphere, radius: 0.1, position: [0, 0, 0.3]}, "
         "{type: sphere, radius: 0.1, position: [0, 0, -0.3]}", 0.1 + 0.3 * COS),
        ("{type: box, size: [0.2, 0.2, 0.8], rotation: {axis: [1, 0, 0], angle: -60*deg}}", 0.4)]:
    top = t.expect_json(0, "run", write("leaning.yaml", leaning(shapes)))["measure"]["top"]
    t.check(abs(top - 1.0 - above) < 1e-9, f"top of {shapes}", top)
final = t.expect_json(0, "run", write("cloud.yaml", CLOUD))["final"]
t.check(final["n_bodies"] == 1100 and len(final["bodies"]) == 1000, "at most 1000 bodies are listed")

print("probes, sinks and tables")
write("drop.yaml", """world: {step: 1e-2}
bodies: [{name: ball, shape: {type: sphere, radius: 0.1}}]
probes: [{name: gate, position: [0, 0, -1], normal: [0, 0, -1]}]
sinks: [{name: pit, box: {from: [-1, -1, -9], to: [1, 1, -2]}}]
measures: {z: {body: ball, position: 2}}
stop: {time: 1}
output: {interval: 0.1}
""")
j = t.expect_json(0, "run", "drop.yaml", "--series", "s.csv", "--passages", "p.csv")
t.check(j["probes"]["gate"]["forward"]["bodies"] == 1 and j["sinks"]["pit"]["bodies"] == 1 and
        abs(j["probes"]["gate"]["first"] - (2 / 9.81)**0.5) < 1e-3, "counted", j)
t.check(abs(j["measure"]["energy_budget"]["defect"]) < 1e-9, "the budget closes", j["measure"])
lines = open("p.csv").read().splitlines()
t.check(lines[0] == "time,probe,body,direction,mass,speed" and len(lines) == 2 and
        lines[1].split(",")[1:4] == ["gate", "ball", "1"], "passages", lines)
lines = open("s.csv").read().splitlines()
t.check(lines[0] == "time,z" and len(lines) == 11 and lines[-1].endswith(",") and
        abs(float(lines[1].split(",")[1]) + 0.5 * 9.81 * 0.01) < 1e-9, "series", lines)
t.expect_refusal("nowhere", "run", "drop.yaml", "--series", "no/such/s.csv", naming="no/such/s.csv")

print("settings")
j = t.expect_json(0, "run", "two.yaml", "--set", "height=0.5", "--set", "world.step=2e-3")
t.check(j["measure"]["steps"] == 50 and j["measure"]["top"] > 0.4 and
        j["settings"] == ["height=0.5", "world.step=2e-3"], "both count", j["measure"])
j = t.expect_json(0, "run", "two.yaml", "--until", "0.02")
t.check(j["measure"]["steps"] == 20 and j["status"] == "time", "--until ends earlier")
one, two = (t.expect_json(0, "run", "rain.yaml", "--until", "0.3", "--workers", n)["final"]
            for n in "12")
t.check(one == two, "the number of workers changes nothing")
t.check(one["n_bodies"] > 20, "bodies came in the course of time", one["n_bodies"])
j = t.expect_json(0, "run", "two.yaml", "--set", "height=0", "--set", "stop.time=5",
                  "--set", "stop.rest.speed=1e-3", "--set", "bodies.upper.position.0=0")
t.check(j["status"] == "rest" and j["final"]["time"] < 5.0, "a scene that ends at rest", j["status"])
text = t.expect(0, "run", "--print-defaults").out
t.check("world:" in text and "step:" in text and "interval:" in text, "--print-defaults", text)
t.expect(0, "scenes", write("defaults.yaml", text))

print("steps that miss the tolerance")
result = t.expect(1, "run", "rain.yaml", "--until", "0.6", "--set", "world.max_sweeps=1",
                  "--set", "world.tol=1e-12")
t.check(re.search(r"^scree run: \d+ of 600 steps missed the tolerance \(worst residual \S+ at "
                  r"\S+ s\)$", result.err, re.M), "it says so", result.describe())
t.check(re.search(r"^not converged +\d+ of 600 steps", result.out, re.M), "in the summary too")
j = t.expect_json(1, "run", "rain.yaml", "--until", "0.6", "--set", "world.max_sweeps=1",
                  "--set", "world.tol=1e-12")
t.check(j["measure"]["steps_not_converged"] > 0 and j["status"] == "time", "and in JSON")

print("problems of single steps")
t.expect(0, "run", "two.yaml", "--dump-problem", "90", "--quiet")
info = t.expect_json(0, "info", "problem-90.hdf5")
t.check(info.get("contacts") == 2 and info.get("solution") and info.get("width") == 6,
        "step 90, with its impulses", info)
t.expect(0, "run", "two.yaml", "--dump-problem", "90", "--dump-to", "p.hdf5", "--quiet")
t.expect(0, "certify", "p.hdf5", "p.hdf5", "--tol", "1e-4")
t.expect(0, "solve", "p.hdf5", "--tol", "1e-10")
result = t.expect(1, "run", "two.yaml", "--dump-problem", "101", "--quiet")
t.check("the run has steps 1 to 100, not 101" in result.err, "a step beyond the end",
        result.describe())
result = t.expect(1, "run", "cloud.yaml", "--dump-problem", "1", "--quiet")
t.check("step 1 has no contacts" in result.err, "a step without contacts", result.describe())
mixed = TWO_SPHERES.replace("materials:", "materials:\n  ice: {mu: 0.1}").replace(
    "type: half-space", "type: half-space, material: ice").replace(
    "radius: 0.01", "radius: 0.01, material: grain")
mixed += "pairs: [{materials: [ice, grain], mu: 0.1, mu_r: 0, mu_s: 0}]\n"
result = t.expect(1, "run", write("mixed.yaml", mixed), "--dump-problem", "90", "--quiet")
t.check("problem-90.hdf5" in result.err and len(result.err.splitlines()) == 1,
        "contacts of different widths: " + result.err.strip(), result.describe())

print("faults of the command line")
for arguments, naming in [
        (["piel"], "did you mean 'pile'? (scree scenes lists them)"),
        (["frobnicate"], "scree scenes lists"), (["missing.yaml"], "missing.yaml: cannot open"),
        (["two.yaml", "extra"], "extra"), (["two.yaml", "--set"], "--set"),
        (["two.yaml", "--set", "heigth=1"], "did you mean 'height'"),
        (["two.yaml", "--set", "world.stpe=1"], "did you mean 'step'"),
        (["two.yaml", "--set", "height"], "height: KEY=VALUE"),
        (["two.yaml", "--set", "height=tall"], "height=tall"),
        (["two.yaml", "--set", "world.step=-1"], "world.step=-1"),
        (["two.yaml", "--set", "world.step=.nan"], "world.step=.nan"),
        (["two.yaml", "--workers", "0"], "--workers"), (["two.yaml", "--until", "-1"], "--until"),
        (["two.yaml", "--dump-problem", "0"], "--dump-problem"),
        (["two.yaml", "--dump-to", "x.hdf5"], "--dump-problem"),
        (["two.yaml", "--dump-problem", "1", "--dump-to", "x.h5", "-o", "x.h5"], "same file"),
        (["two.yaml", "--resume"], "-o"), (["two.yaml", "-o", "no/such/folder/x.h5"], "no/such/folder"),
        (["two.yaml", "-o", "two.yaml"], "two.yaml"), (["two.yaml", "-o", "/dev/full"], "/dev/full"),
        (["two.yaml", "--dump-problem", "1", "--dump-to", "no/x.hdf5"], "no/x.hdf5"),
        (["--resume", "-o", "x.h5", "--set", "height=1"], "--set"),
        (["--resume", "-o", "two.yaml"], "two.yaml")]:
    t.expect_refusal("run " + " ".join(arguments), "run", *arguments, naming=naming)

print("faults of the scene: file, line and column")
CSV = ("bodies:\n  - {kind: static, shape: {type: half-space}}\ngenerators:\n  - {type: csv, file: "
       "places.csv, body: {name: grain, shape: {type: sphere, radius: 0.01}}}\n")
FAULTY = {
    "empty": ("", "empty.yaml"),
    "zero mass": (TWO_SPHERES.replace("name: lower,", "name: lower, mass: 0,"), "mass = 0"),
    "unknown key": (TWO_SPHERES.replace("position:", "positoin:", 1), "did you mean 'position'"),
    "unknown top key": (TWO_SPHERES.replace("world:", "wrold:"), "did you mean 'world'"),
    "no yaml": (TWO_SPHERES + "stop: [1, 2\n", ":"),
    "coincident bodies": (TWO_SPHERES.replace("0.03 + height", "0.01"),
                          "'lower' (line 9) and 'upper' (line 10) overlap"),
    "missing csv": (CSV, "places.csv"),
    "infinite": (TWO_SPHERES.replace("step: 1e-3", "step: .inf"), "step"),
}
for what, (text, naming) in FAULTY.items():
    path = write(what.replace(" ", "-") + ".yaml", text)
    result = t.expect_refusal(what, "run", path, "-o", "never.h5", naming=naming)
    t.check(path in result.err, "it names the file", result.err)
    if what not in ("empty", "coincident bodies"):
        t.check(re.search(re.escape(path) + r":\d+:\d+: ", result.err), "and the place", result.err)
write("places.csv", "x,y,z\n0,0,1\n0,nan,2\n")
t.expect_refusal("NaN in CSV", "run", "missing-csv.yaml", naming="places.csv")
write("places.csv", "x,y,z\n0,0,1\n0.5,0,2\n")
t.check(t.expect_json(0, "run", "missing-csv.yaml", "--until", "0.01")["final"]["n_bodies"] == 3,
        "with the CSV file in its place")
t.check(not os.path.exists("never.h5"), "nothing was written")

t.finish()
