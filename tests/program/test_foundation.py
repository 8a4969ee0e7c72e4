"""scree foundation: force, bifurcation and noise; JSON, tables, figures, parameters, bad input."""
import csv
import math

from _checks import Checks

t = Checks()
SMALL = ["--set", "cylinders=40", "--set", "steps=4000", "--set", "discard=1e3"]
SOFT = ["--set", "k=1e6", "--set", "gamma=0.8e5", "--set", "B=0.65", "--set", "alpha=4.9"]


def read_table(path):
    with open(path, encoding="utf-8") as file:
        return list(csv.DictReader(file))


def is_figure(path, *texts):
    with open(path, encoding="utf-8") as file:
        content = file.read()
    return content.startswith(("<svg", "<?xml")) and all(text in content for text in texts)


def near(values, expected, tolerance):
    return len(values) == len(expected) and all(
        abs(a - b) <= tolerance for a, b in zip(values, expected))


print("force")
j = t.expect_json(0, "foundation", "force", "--csv", "force.csv", "--svg", "force.svg")
t.skip_leak_check()
t.check(j["parameters"]["k"] == 1e7 and j["parameters"]["M"] == 192.08
        and abs(j["parameters"]["alpha"] - 2) < 1e-12 and j["model"] == "consistent",
        "the reference set", j["parameters"])
t.check(abs(j["peak_F_R"] - 70.341165) < 1e-5 and abs(j["peak_v"] - 1.676) < 2e-3, "its maximum", j)
top = max(range(len(j["v"])), key=lambda i: j["F_R"][i])
t.check(j["F_R"][0] == 0 and all(a < b for a, b in zip(j["F_R"][:top], j["F_R"][1:top + 1]))
        and all(a > b for a, b in zip(j["F_R"][top:], j["F_R"][top + 1:])), "rise, maximum, fall")
t.check(j["error"][0] is None and max(map(abs, j["error"][10:])) < 0.05, "the approximation")
rows = read_table("force.csv")
t.check(len(rows) == len(j["v"]) == 151 and float(rows[10]["F_R"]) == j["F_R"][10], "a table")
t.check(is_figure("force.svg", "numerical", "large damping"), "a figure")
t.expect(0, "foundation", "force", "--svg", "total.svg", "--figure", "total")
t.check(is_figure("total.svg", "1.5 degrees", "2.5 degrees"), "another one")
printed = t.expect_json(0, "foundation", "force", "--model", "printed", "--points", "16")
t.check(0 < printed["F_R"][15] < j["F_R"][150], "eq. 9 as printed resists less", printed["F_R"])
text = t.expect(0, "foundation", "force").out
t.check("largest F_R" in text and "70.34" in text and "leaves the ground" in text, "in words", text)

print("bifurcation")
j = t.expect_json(0, "foundation", "bifurcation", "--csv", "curve.csv", "--svg", "curve.svg")
t.check(near(j["folds_deg"], [1.8333470507, 2.1567241698], 1e-8), "folds of figure 4", j["folds_deg"])
t.check(near(j["approximate_folds_deg"], [1.8299181679, 2.1621187230], 1e-8), "of the approximation",
        j["approximate_folds_deg"])
t.check(near([s["v"] for s in j["stationary"]], [1.00906419, 3.36535862, 10.28110785], 1e-7)
        and [s["stable"] for s in j["stationary"]] == [True, False, True], "three speeds inside",
        j["stationary"])
h = j["hysteresis"]
t.check(1.79 < h["down_deg"] < j["folds_deg"][0] and j["folds_deg"][1] < h["up_deg"] < 2.2,
        "a loop around the folds", h)
rows = read_table("curve.csv")
t.check({row["kind"] for row in rows} == {"stable", "unstable", "fold", "up", "down"}, "a table")
t.check(is_figure("curve.svg", "slope rising", "folds"), "a figure")
for alpha in ["1.5", "2.5"]:
    j = t.expect_json(0, "foundation", "bifurcation", "--ramp", "0", "--set", f"alpha={alpha}")
    t.check(len(j["stationary"]) == 1 and j["stationary"][0]["stable"]
            and j["hysteresis"]["up_deg"] is None, f"one speed at {alpha} degrees", j["stationary"])
j = t.expect_json(0, "foundation", "bifurcation", "--ramp", "0", *SOFT)
t.check(near(j["folds_deg"], [4.8891693450, 4.9144768112], 1e-8), "folds of figure 5", j["folds_deg"])
j = t.expect_json(0, "foundation", "bifurcation", "--ramp", "0", "--set", "A=100")
t.check(j["folds_deg"] == [], "no folds with much drag", j["folds_deg"])
j = t.expect_json(0, "foundation", "bifurcation", "--ramp", "0", "--from", "1", "--to", "3")
t.check(near([j["curve"]["alpha_deg"][0], j["curve"]["alpha_deg"][-1]], [1, 3], 1e-9), "a window")
text = t.expect(0, "foundation", "bifurcation", "--ramp", "1000").out
t.check("1.833347051 degrees" in text and "unstable" in text, "in words", text)

print("noise")
j = t.expect_json(0, "foundation", "noise", *SMALL, "--csv", "noise.csv", "--svg", "noise.svg",
                  "--jumps", "jumps.csv")
t.check(abs(j["exact"]["mean"] - 3.7497978914) < 1e-9 and abs(j["exact"]["low_share"] - 0.5245) < 1e-4,
        "the exact density", j["exact"])
s = j["simulated"]
t.check(s["cylinders"] == 40 and s["steps"] == 4000 and s["samples"] == 40 * 3000 / 5
        and not s["interrupted"] and 0 < s["kolmogorov_smirnov"] < 0.3, "the ensemble", s)
mean = j["mean_by_noise"]["mean_exact"]
t.check(all(a < b for a, b in zip(mean, mean[1:])), "mean over noise", mean)
trace = j["trace"]
t.check(len(trace["v"]) == len(trace["time_s"]) == 800 and 1 < min(trace["v"]) < max(trace["v"]) < 8,
        "the path of one cylinder", trace["v"][:5])
rows = read_table("noise.csv")
width = float(rows[1]["v"]) - float(rows[0]["v"])
for column in ["p_exact", "p_simulated"]:
    total = sum(float(row[column]) for row in rows) * width
    t.check(abs(total - 1) < 1e-4, f"{column} is a density", total)
t.check(is_figure("noise.svg", "simulated", "Fokker-Planck"), "a figure")
t.check(list(read_table("jumps.csv")) is not None, "a table of jumps")
again = t.expect_json(0, "foundation", "noise", *SMALL, "--workers", "3")
t.check(again["simulated"] == s, "the same with three workers", again["simulated"])
other = t.expect_json(0, "foundation", "noise", *SMALL, "--set", "seed=18446744073709551615")
t.check(other["simulated"]["mean"] != s["mean"], "another seed")
for figure, words in [("trace", "time, s"), ("mean", "mean speed")]:
    t.expect(0, "foundation", "noise", *SMALL, "--set", "alpha=4.93", "--figure", figure, "--svg",
             figure + ".svg")
    t.check(is_figure(figure + ".svg", words), f"figure {figure}")
text = t.expect(0, "foundation", "noise", *SMALL).out
t.check("Kolmogorov-Smirnov" in text and "steps per second" in text, "in words", text)

print("potential")
drift = []
for alpha, sign in [("4.87", 1), ("4.93", -1)]:
    j = t.expect_json(0, "foundation", "potential", "--set", f"alpha={alpha}", "--csv", "potential.csv",
                      "--svg", "potential.svg")
    s = j["stationary"]
    t.check(len(s) == 1 and s[0]["drift"] * sign > 0 and s[0]["U3"] * sign < 0, f"drift at {alpha}", s)
    rows = read_table("potential.csv")
    low = min(rows, key=lambda row: float(row["U"]))
    t.check(len(rows) == 401 and abs(float(low["v"]) - s[0]["v"]) < 0.03, "the well is its minimum", low)
    t.check(is_figure("potential.svg", "U(v)", "stable speed"), "a figure")
text = t.expect(0, "foundation", "potential").out
t.check("unstable" in text and "mu needed" in text and "faster" in text and "slower" in text, "in words",
        text)

print("map")
j = t.expect_json(0, "foundation", "map", "--over", "k", "--points", "21", "--csv", "map.csv", "--svg",
                  "map.svg")
c = j["cusps"]
t.check(len(c) == 1 and near([c[0]["value"] / 1e7, c[0]["alpha_deg"]], [2.30480819, 1.717934329], 1e-7),
        "the cusp over k", c)
inside = [x is not None for x in j["low_deg"]]
t.check([x < c[0]["value"] for x in j["value"]] == inside, "folds on its one side", inside)
t.check(len(read_table("map.csv")) == 21 and is_figure("map.svg", "lower fold", "cusp"), "table, figure")
j = t.expect_json(0, "foundation", "map", "--over", "k", "--against", "gamma", "--points", "2", "--from",
                  "1e7", "--to", "2e7", "--svg", "border.svg")
t.check(abs(j["border"][0][0] / 268915.307 - 1) < 1e-8 and j["border"][1][0] > 268915, "the border",
        j["border"])
t.check(is_figure("border.svg", "cusps"), "its figure")
text = t.expect(0, "foundation", "map", "--points", "5").out
t.check("cusp" in text and "268915" in text, "in words", text)
t.expect_refusal("no such parameter", "foundation", "map", "--over", "q", naming="'q'")
t.expect_refusal("a slope", "foundation", "map", "--over", "alpha", naming="'alpha'")

print("the circle")
j = t.expect_json(0, "foundation", "bifurcation", "--ramp", "0", "--model", "circle")
t.check(near(j["folds_deg"], [1.833977398, 2.158783532], 1e-8), "its folds", j["folds_deg"])
mu = j["curve"]["mu_needed"]
t.check(abs(max(mu) - 0.0374) < 2e-4 and min(mu) > 0, "the friction that rolling needs", max(mu))

print("help lists the parameters")
for verb, names in [("force", ["k", "gamma", "m", "M", "R", "I", "g", "A", "B", "alpha"]),
                    ("noise", ["sigma2", "cylinders", "steps", "seed"])]:
    text = t.expect(0, "foundation", verb, "--help").out
    for name in names:
        lines = [line for line in text.splitlines() if line.startswith(f"  {name} ")]
        t.check(len(lines) == 1 and "(default: " in lines[0], f"{verb}: {name}", text)

print("bad parameters name the condition")
for settings, naming in [
        (["gamma=-5e5"], "damping of the ground must be finite and positive"),
        (["k=0"], "k = 0"), (["R=-1"], "R = -1"), (["M=0"], "M = 0"), (["m=-1"], "m = -1"),
        (["m=7000"], "gamma^2 / (4 k)"), (["gamma=1e3"], "tear"), (["alpha=90"], "below 90"),
        (["alpha=120"], "past vertical"), (["alpha=-1"], "alpha = -1"), (["I=47"], "M R^2"),
        (["M=1e6"], "sinks in"), (["B=-1"], "B = -1"), (["sigma2=-1"], "sigma2 = -1")]:
    arguments = [word for setting in settings for word in ("--set", setting)]
    for verb in ["force", "bifurcation", "noise"]:
        t.expect_refusal(f"{verb} {' '.join(settings)}", "foundation", verb, *arguments,
                         naming=naming)
t.expect_refusal("too fast", "foundation", "force", "--to", "45", naming="(m v / gamma)^2 / (2 R)")
t.expect_refusal("no noise", "foundation", "noise", "--set", "sigma2=0", naming="sigma2 = 0")
t.expect_refusal("much noise", "foundation", "noise", "--set", "sigma2=1e7", naming="off the ground")
t.expect_refusal("no drag", "foundation", "noise", "--set", "B=0", naming="nothing holds")
t.expect_refusal("a long step", "foundation", "noise", "--set", "step=100", naming="relaxation")
t.expect_refusal("all discarded", "foundation", "noise", "--set", "steps=100", naming="below steps")
t.expect_refusal("no cylinders", "foundation", "noise", "--set", "cylinders=0", naming="cylinders")
t.expect_refusal("half a step", "foundation", "noise", "--set", "steps=0.5", naming="whole number")
t.expect_refusal("many cylinders", "foundation", "noise", "--set", "cylinders=1e10", naming="too large")
t.expect_refusal("a name", "foundation", "force", "--set", "gama=1", naming="'gamma'")
t.expect_refusal("an ensemble's name", "foundation", "force", "--set", "steps=1", naming="steps")
t.expect_refusal("a word", "foundation", "force", "--set", "gamma=much", naming="'much'")
t.expect_refusal("nothing", "foundation", "force", "--set", "gamma", naming="NAME=VALUE")
t.expect_refusal("a window", "foundation", "bifurcation", "--from", "3", "--to", "2", naming="rise")
t.expect_refusal("a study", "foundation", "forces", naming="'force'")
t.expect_refusal("a model", "foundation", "force", "--model", "exact", naming="--model")
t.expect_refusal("a table", "foundation", "force", "--csv", "no/such/f.csv", naming="f.csv")
t.expect_refusal("a figure", "foundation", "noise", "--svg", "no/such/f.svg", naming="f.svg")

t.check(all(math.isfinite(x) for x in mean), "all means are numbers")
t.finish()
