"""scree lcp: files, polygons against discs, examples, bad input."""
import os

from _checks import Checks, many_contacts, ONE_CONTACT, read_numbers

t = Checks()

with open("two.dat", "w", encoding="utf-8") as file:
    file.write("2\n0\n2\n2\n2 2\n2 1\n1 2\n-5 -6\n")
with open("none.dat", "w", encoding="utf-8") as file:
    file.write("2\n0\n2\n2\n2 2\n-1 0\n-1 1\n-1 0\n")
with open("one.dat", "w", encoding="utf-8") as file:
    file.write(ONE_CONTACT)
with open("many.dat", "w", encoding="utf-8") as file:
    file.write(many_contacts(4, mu=0.1))

print("a problem with a solution")
result = t.expect_json(0, "lcp", "two.dat", "-o", "z.txt")
t.check(result.get("status") == "solved" and result.get("residual", 1) <= 1e-10, "solved", result)
t.skip_leak_check()
z = read_numbers("z.txt")
t.check(len(z) == 2 and abs(z[0] - 4 / 3) < 1e-12 and abs(z[1] - 7 / 3) < 1e-12, "its z is written", z)
for solver in ["lemke", "pivot", "newton", "pgs"]:
    result = t.expect_json(0, "lcp", "two.dat", "--solver", solver)
    t.check(abs(result.get("z", [0])[0] - 4 / 3) < 1e-9, f"{solver} finds it", result)
table = t.expect(0, "lcp", "two.dat").out
t.check("solved" in table and "residual" in table, "a table is the default", table)

print("a problem without")
result = t.expect_json(1, "lcp", "none.dat")
t.check(result.get("status") == "infeasible" and result.get("proof", 0) < 0, "with a proof", result)

print("a time limit")
for solver in ["lemke", "pivot", "newton", "pgs"]:
    result = t.expect_json(1, "lcp", "two.dat", "--solver", solver, "--max-time", "0")
    t.check(result.get("status") == "time limit", f"ends {solver}", result)

print("planar contacts need no polygons")
planar = os.path.join(t.source, "tests", "fixtures", "friction2d_dense.dat")
table = t.expect(0, "lcp", planar).out
t.check("3, planar\n" in table and "sides" not in table, "and the table says so", table)
t.check("polygons with 16 sides" in t.expect(0, "lcp", "one.dat").out, "discs have them")

print("polygons for discs")
result = t.expect_json(0, "lcp", "one.dat", "--directions", "16")
t.check(result.get("unknowns") == 34, "unknowns of one contact", result)
result = t.expect_json(0, "lcp", "many.dat", "--compare", "--directions", "16", "-o", "errors.csv",
                       "--svg", "errors.svg")
rows = result.get("polygons", [])
t.check([row.get("directions") for row in rows] == [2, 4, 8, 16], "one row per polygon", rows)
t.check(all(row.get("status") == "solved" for row in rows), "all solved", rows)
t.check(rows and rows[-1]["velocity_error"] < 0.5 * rows[0]["velocity_error"], "errors fall", rows)
t.check(len(open("errors.csv", encoding="utf-8").readlines()) == 5, "a table")
t.check("</svg>" in open("errors.svg", encoding="utf-8").read(), "a figure")

table = t.expect(0, "lcp", "many.dat", "--compare", "--directions", "4").out
t.check("friction of sliding contacts" in table and "Nothing slips" not in table, "it slides", table)
with open("rest.dat", "w", encoding="utf-8") as file:
    file.write(many_contacts(4, mu=100.0))
result = t.expect_json(0, "lcp", "rest.dat", "--compare", "--directions", "8")
rows = result.get("polygons", [])
t.check(len(rows) == 3 and all(row["velocity_error"] < 1e-9 and row["force_error"] is None
                               for row in rows), "no errors where nothing slips", rows)
t.check("Nothing slips" in t.expect(0, "lcp", "rest.dat", "--compare").out, "and it is said")

print("examples")
result = t.expect_json(0, "lcp", "--example", "mass", "--directions", "4", "--set", "mass=2",
                       "--set", "mu=0.5", "--until", "0.1")
t.check(result.get("reduced", {}).get("rank") == 9, "full rank with phantom inertia", result)
t.check(result.get("reduced_without_rho", {}).get("rank") == 3, "less without", result)
t.check(abs(result.get("rho", 0) - 16) < 1e-9, "twice the singular value m k", result)
ranks = {name: [form["size"] - form["rank"] for form in (of["whole"], of["reduced"])]
         for name, of in result.get("ranks", {}).items()}
t.check(ranks == {"glocker": [6, 6], "stewart_trinkle": [5, 5], "anitescu_potra": [5, 5],
                  "phantom": [0, 0]}, "what the formulations lose", ranks)
text = t.expect(0, "lcp", "--example", "mass", "--until", "0", "--figure", "transition", "--svg",
                "transition.svg").out
t.check("Stewart, Trinkle" in text and "sigma+" in open("transition.svg", encoding="utf-8").read(),
        "figure 1", text)
result = t.expect_json(0, "lcp", "--example", "block", "--step", "0.01", "--until", "1", "-o",
                       "block.csv", "--svg", "block.svg")
t.check(result.get("rank") == 6 and result.get("rows") == 12, "redundant contacts", result)
t.check(result.get("acceleration_unique") is True, "unique accelerations", result)
t.check([c.get("to") for c in result.get("transitions", [])] == ["slides"] * 4, "it slides", result)
lines = open("block.csv", encoding="utf-8").readlines()
t.check(len(lines) == 102 and lines[0].startswith("t,drive,q0"), "the motion is written")
t.check(len({line.count(",") for line in lines}) == 1, "all lines have the same columns")
rows = [dict(zip(lines[0].strip().split(","), map(float, line.split(",")))) for line in lines[1:]]
both = [row[f"kappa_plus{c}_{j}"] * row[f"kappa_minus{c}_{j}"] for row in rows for c in range(4)
        for j in range(8)]
t.check(len(both) == 101 * 32 and max(both) == 0 and rows[0]["sigma_plus0_0"] > 0, "kappa and sigma")
result = t.expect_json(0, "lcp", "--example", "chain", "--until", "0.5", "--svg", "chain.svg")
t.check(result.get("error", 1) < 1e-9, "equation (8)", result)
t.check(os.path.getsize("chain.svg") > 1000, "a figure")
result = t.expect_json(1, "lcp", "--example", "block", "--redundancy", "refuse", "--until", "0")
t.check(result.get("solved") is False and result.get("error", 0) is None,
        "refused where forces are redundant", result)
text = t.expect(1, "lcp", "--example", "block", "--redundancy", "refuse", "--until", "0").out
t.check("the contacts are redundant" in text and "solved to" not in text, "it says why", text)
text = t.expect(0, "lcp", "--example", "chain", "--until", "0.1").out
t.check("contact 0 (first foot) slides" in text, "contacts have names", text)
t.check("contact 0 (first foot)" in open("chain.svg", encoding="utf-8").read(), "as in the figure")

print("bodies of a scene")
skew = "world.gravity=[g*sin(angle*deg)*cos(0.5), g*sin(angle*deg)*sin(0.5), -g*cos(angle*deg)]"
result = t.expect_json(0, "lcp", "--scene", "block-on-slope", "--set", skew, "--until", "0.02",
                       "--directions", "32", "-o", "scene.csv", "--svg", "scene.svg")
rows = result.get("polygons", [])
t.check([row["directions"] for row in rows] == [2, 4, 8, 16, 32], "lines are doubled", rows)
t.check(all(row["status"] == "solved" and row["contacts"] == 4 for row in rows), "four corners", rows)
t.check(rows and rows[0]["acceleration_error"] > 0.02 and rows[-1]["acceleration_error"] < 0.005,
        "nearer and nearer to the exact law", rows)
t.check(len(open("scene.csv", encoding="utf-8").readlines()) == 6
        and os.path.getsize("scene.svg") > 1000, "a table and a figure")
t.expect_refusal("rolling friction", "lcp", "--scene", "rolling-sphere", naming="rolling")
t.expect_refusal("example and scene", "lcp", "--scene", "pile", "--example", "mass", naming="not both")
t.expect_refusal("file and scene", "lcp", "two.dat", "--scene", "pile", naming="--scene")

print("bad input")
t.expect_refusal("a transition of the chain", "lcp", "--example", "chain", "--figure", "transition",
                 naming="mass or block")
t.expect_refusal("neither file nor example", "lcp", naming="--example")
t.expect_refusal("both", "lcp", "two.dat", "--example", "mass", naming="--example")
t.expect_refusal("no such file", "lcp", "nowhere.dat", naming="nowhere.dat")
t.expect_refusal("unknown parameter", "lcp", "--example", "mass", "--set", "mas=1", naming="'mass'")
t.expect_refusal("negative mass", "lcp", "--example", "mass", "--set", "mass=-1", naming="mass")
t.expect_refusal("kinetic above static", "lcp", "--example", "mass", "--set", "kinetic=2",
                 naming="kinetic")
t.expect_refusal("parameters of a file", "lcp", "two.dat", "--set", "mu=1", naming="--set")
t.expect_refusal("figure of a file", "lcp", "two.dat", "--svg", "x.svg", naming="--svg")
t.expect_refusal("polygons without contacts", "lcp", "two.dat", "--compare", naming="--compare")
t.expect_refusal("discs of an example", "lcp", "--example", "mass", "--compare", naming="--compare")
t.expect_refusal("one direction", "lcp", "one.dat", "--directions", "1", naming="--directions")

t.finish()
