"""scree bench packing: tables, JSON and CSV, what counts as solved, exit codes, bad input."""
import csv

from _checks import Checks

t = Checks()
FEW = ["bench", "packing", "--contacts", "30", "--count", "3"]

print("one setting")
j = t.expect_json(0, *FEW, "--kind", "pyramid", "--width", "6", "--law", "exact", "--noise", "0.3",
                  "--tol", "1e-6", "--csv", "lines.csv")
rows = j.get("packing", [])
t.check(len(rows) == 1, "one row", j)
t.check(all(r["kind"] == "pyramid" and r["width"] == 6 and r["law"] == "exact" and r["noise"] == 0.3
            and r["contacts"] == 45 for r in rows), "with what was asked for", j)
t.check(all(r["problems"] == r["solved"] == 3 and 0 <= r["worst_residual"] <= 1e-6
            and 0 < r["median_iterations"] <= r["worst_iterations"]
            and 0 <= r["median_time_s"] <= r["worst_time_s"] for r in rows), "all solved", j)
t.check(j.get("problems") == 3 and j.get("solved") == 3 and j.get("time_s", -1) >= 0, "the totals", j)
with open("lines.csv", encoding="utf-8") as file:
    lines = list(csv.DictReader(file))
t.check([line["seed"] for line in lines] == ["1", "2", "3"], "a line for each seed", lines)
t.check(len({line["residual"] for line in lines}) == 3, "the problems differ", lines)
t.check(all(line["solved"] == "1" and line["outcome"] == "converged" and line["contacts"] == "45"
            and line["bodies"] == "14" and float(line["residual"]) <= 1e-6 for line in lines),
        "with what came out", lines)
t.skip_leak_check()

print("all settings")
j = t.expect_json(0, *FEW, "--tol", "0.1")
rows = j.get("packing", [])
t.check(len({(r["kind"], r["width"], r["law"], r["noise"]) for r in rows}) == 36 == len(rows),
        "three kinds, widths 3, 5 and 6, two laws, at rest and with noise", j)
t.check(all(r["problems"] == (3 if r["noise"] or r["kind"] == "random" else 1) for r in rows),
        "where nothing is random one problem is enough", j)
table = t.expect(0, *FEW, "--tol", "0.1", "--width", "3", "--law", "convex").out
t.check(len(table.splitlines()) == 2 + 6 + 1 and "14 of 14 solved" in table.splitlines()[-1],
        "a table with a line for the totals", table)

print("what is not solved")
j = t.expect_json(1, *FEW, "--kind", "random", "--width", "5", "--law", "exact", "--noise", "0.3",
                  "--tol", "0", "--solver", "fixed-point", "--max-time", "0.01")
rows = j.get("packing", [])
t.check(len(rows) == 1 and rows[0]["solved"] == 0 and rows[0]["worst_residual"] > 0, "is counted", j)

print("bad input")
t.expect_refusal("a size", "bench", "packing", "--contacts", "0", naming="--contacts")
t.expect_refusal("a kind", "bench", "packing", "--kind", "pyrmid", naming="'pyramid'")
t.expect_refusal("a width", "bench", "packing", "--width", "4", naming="--width")
t.expect_refusal("a law", "bench", "packing", "--law", "bilateral", naming="--law")
t.expect_refusal("noise", "bench", "packing", "--noise", "-1", naming="--noise")
t.expect_refusal("a solver", "bench", "packing", "--solver", "nsg", naming="'nsgs'")
t.expect_refusal("a file", "bench", "packing", "--csv", "no/such/folder.csv", naming="folder.csv")

t.finish()
