"""Stability of sliding: scree stability, and the studies that scree run knows."""
import csv
import os
import re

from _checks import Checks, sanitized

t = Checks()


def near(found, expected, relative):
    return found is not None and abs(found - expected) <= relative * abs(expected)


print("the belt, by eigenvalues")
j = t.expect_json(0, "stability", "belt", "--set", "zeta=30")
t.skip_leak_check()
(ranges, critical) = j["unstable_phi_deg"], j["critical_zeta_deg"]
t.check(len(ranges) == 1 and abs(ranges[0][0] - 44.105835) < 1e-4
        and abs(ranges[0][1] - 75.894165) < 1e-4, "unstable directions", ranges)
t.check(len(critical) == 2 and abs(critical[0] - 17.114433) < 1e-4
        and abs(critical[1] - 72.885567) < 1e-4, "critical rotations", critical)
e = j["equilibrium"]
t.check(e["unstable"] and e["proposition_10"] and e["proposition_11"] and e["theorem_2"]
        and e["growth"] > 0.0, "unstable at 50 degrees, by every condition", e)
text = t.expect(0, "stability", "belt", "--set", "zeta=10").out
t.check("unstable phi        none" in text and "Theorem 2           does not hold" in text,
        "none for a small rotation", text)

print("the belt, in time")
j = t.expect_json(0, "run", "belt", "--set", "phi=50", "--set", "step=5e-3", "--set", "x0=4",
                  "--set", "discard=4", "--set", "measure=2", "-o", "belt.csv")
t.check(near(j["period"], 28.70345, 2e-3) and near(j["stick_fraction"], 0.68892, 2e-3)
        and near(j["x"][0], 13.0932, 2e-3) and near(j["x"][1], 26.9179, 2e-3)
        and near(j["y"][0], -4.1477, 6e-3) and near(j["y"][1], 15.5643, 2e-3), "limit cycle", j)
t.check(j["outcome"] == "limit cycle" and j["residual_max"] <= 1e-10
        and j["steps_not_converged"] == 0, "certified", j)
with open("belt.csv", encoding="utf-8") as file:
    rows = [{k: float(v) for k, v in row.items()} for row in csv.DictReader(file)]
t.check(len(rows) == j["steps"] // 20 and near(max(r["x"] for r in rows), j["x"][1], 0.02)
        and {r["sticks"] for r in rows} == {0.0, 1.0}, "a table of the motion", rows[:2])
if not sanitized():
    j = t.expect_json(0, "stability", "belt", "--simulate", "2", "--set", "step=0.02", "--set", "x0=4",
                      "--set", "discard=1", "--set", "measure=1", "--svg", "belt.svg")
    t.check([p["equilibrium_unstable"] for p in j["simulated"]] == [False, True]
            and [p["outcome"] for p in j["simulated"]] == ["steady", "limit cycle"], "beside it simulations", j)
    (points,) = [re.findall(r"M[0-9. ]+h0", line) for line in open("belt.svg", encoding="utf-8")
                 if line.count("h0") == 2][:1]
    t.check(len(points) == 2, "and a figure with every simulation", points)

print("the disc")
for law, stop, deflection in [("extended", (0.165172, 0.140955), 8.477),
                              ("collinear", (0.177076, 0.110649), 0.0)][:1 if sanitized() else 2]:
    j = t.expect_json(0, "run", "sliding-disc", "--set", f"law={law}", "--set", "step=1e-4",
                      "-o", "disc.csv")
    t.check(near(j["stop"][0], stop[0], 1e-3) and near(j["stop"][1], stop[1], 1e-3)
            and abs(j["deflection_deg"] - deflection) <= 1e-3 * deflection + 1e-6
            and j["residual_max"] <= 1e-10, f"{law}: stops at {j['stop']}", j)
    with open("disc.csv", encoding="utf-8") as file:
        last = [float(v) for v in file.read().split()[-1].split(",")]
    t.check(last[1:3] == [float(f"{v:.12g}") for v in j["stop"]] and last[3:] == [0.0, 0.0],
            "so says the table", last)

print("the mechanisms")
names = ["stribeck", "mode-coupling", "sprag-slip", "impact-oscillator", "follower"]
if not sanitized():
    j = t.expect_json(0, "stability", "stribeck", "--simulate", "2", "--svg", "stribeck.svg")
    t.check(near(j["onset_simulated"], j["onset"], 1e-3) and j["varied"] == "v"
            and j["growth"][0]["simulated"] > 0.0 > j["growth"][1]["simulated"]
            and j["steps_not_converged"] == 0, "stribeck: onset by eigenvalue and in simulations", j)
    t.check(os.path.getsize("stribeck.svg") > 1000, "a figure")
j = t.expect_json(0, "stability", "follower", "--simulate", "0", "--set", "c=0")
t.check(j["onset"] > 0.0 and j["onset_simulated"] is None and j["steps"] == 0, "eigenvalues only", j)
t.check("undamped" in t.expect(0, "stability", "follower", "--simulate", "0", "--set", "c=0").out
        and "undamped" not in t.expect(0, "stability", "follower", "--simulate", "0").out,
        "without damping simulations cannot confirm the onset")
t.check("none for v" in t.expect(0, "stability", "stribeck", "--set", "c=100").out, "no onset")
if not sanitized():
    j = t.expect_json(0, "run", "sprag-slip", "--set", "mu=0.7", "--set", "step=1e-3")
    t.check(near(j["growth_simulated"], j["growth"], 0.02) and j["growth"] > 0.0, "sprag-slip runs", j)
j = t.expect_json(0, "run", "impact-oscillator", "--set", "mu=1", "--set", "v=5", "-o", "motion.csv")
with open("motion.csv", encoding="utf-8") as file:
    lines = file.read().splitlines()
t.check(lines[0] == "time,q,z,u_q,u_z,normal,friction,slip,sticks" and len(lines) > 10000,
        "its motion as a table", lines[:2])
t.check(0.0 < j["open_fraction"] < 0.5 and j["range"][1] - j["range"][0] > 0.2, "it lifts off", j)

print("they are listed and explained")
studies = t.expect_json(0, "scenes")["studies"]
listed = t.expect(0, "scenes").out
t.check([s["name"] for s in studies] == ["belt", "sliding-disc", *names], "by scree scenes", studies)
for study in studies:
    t.check(f"{study['name']} " in listed and study["title"] in listed, study["name"], listed)
    about = t.expect_json(0, "scenes", study["name"])
    text = t.expect(0, "scenes", study["name"]).out
    t.check(about["study"] == study["name"] and about["title"] == study["title"]
            and all(f"  {name} " in text for name in about["parameters"]), "with parameters", text)
t.check(t.expect_json(0, "scenes", "belt", "--set", "phi=12.3")["parameters"]["phi"] == 12.3,
        "angles are degrees")

print("faults")
t.expect_refusal("misspelt parameter", "run", "belt", "--set", "zta=3", naming="'zeta'")
t.expect_refusal("unknown parameter", "stability", "belt", "--set", "frobnicate=1",
                 naming="m, k, g, v, phi, a, b, zeta")
t.expect_refusal("no number", "run", "belt", "--set", "phi=x", naming="'x' is not a number")
t.expect_refusal("no value", "run", "belt", "--set", "phi", naming="NAME=VALUE")
t.expect_refusal("negative mass", "run", "belt", "--set", "m=-1", naming="mass = -1")
t.expect_refusal("no whole number", "run", "belt", "--set", "measure=1.5", naming="whole")
t.expect_refusal("every step", "run", "belt", "--set", "every=0", naming="every")
t.expect_refusal("misspelt law", "run", "sliding-disc", "--set", "law=colinear", naming="collinear")
t.expect_refusal("no study", "run", "blt", naming="'belt'")
t.expect_refusal("until", "run", "belt", "--until", "3", naming="--until")
t.expect_refusal("no recording", "run", "stribeck", "-o", "x.h5", naming=".csv")
t.expect_refusal("no recording", "run", "belt", "-o", "x.h5", naming=".csv")
t.expect_refusal("no folder", "run", "belt", "-o", "nowhere/x.csv", naming="nowhere")
t.expect_refusal("no file", "scenes", "belt", "--yaml", naming="study")
t.expect_refusal("misspelt system", "stability", "folower", naming="'follower'")
t.expect_refusal("unknown system", "stability", "frobnicate", naming="stribeck")

print("creep")
j = t.expect_json(0, "stability", "creep", "--set", "duration=2")
t.check(abs(j["speed"] / j["creep_speed"] - 1) < 1e-6 and j["distance"] > 4e-3
        and j["set_valued_distance"] == 0, "the arctangent creeps, the set holds", j)
t.expect_refusal("a figure of it", "stability", "creep", "--svg", "creep.svg", naming="nothing to draw")

print("two motions")
j = t.expect_json(0, "stability", "belt", "--pair", "20", "--set", "step=4e-3", "--set", "x0=1", "--svg",
                  "pair.svg")
rises = [pair["rise"] for pair in j["pairs"]]
t.check(rises[0] > 0.1 and rises[1] < 1e-4, "they come apart, and closer under the associated law", rises)
e = j["equilibrium"]
t.check(e["proposition_8"] is False and e["tangency"] < 0
        and abs(sum(e["damping"]) - e["eigenvalue"]) < 1e-9, "the split of B", e)
t.expect_refusal("a pair of mechanisms", "stability", "stribeck", "--pair", "1", naming="--pair")

print("slip after slip")
slips = t.expect_json(0, "stability", "belt", "--slips")["slips"]
t.check(slips["verdict"] == "repeat" and slips["rounds"] == 1 and abs(slips["period"] - 28.7034) < 1e-3
        and abs(slips["multiplier"] + 0.615) < 1e-3, "one slip makes the paper's cycle", slips)
t.expect_refusal("slips of mechanisms", "stability", "stribeck", "--slips", naming="--slips")

t.finish()
