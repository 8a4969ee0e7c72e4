"""scree bench problems: what it finds, its table, CSV, JSON and picture, and Siconos beside it."""
import csv
import math
import os
import re
import shutil
import subprocess
import xml.etree.ElementTree

from _checks import ONE_CONTACT, ONE_CONTACT_GLOBAL, Checks, many_contacts, sanitized, tower, write

COLUMNS = ["problem", "contacts", "rows", "width", "kind", "code", "solver", "tol", "measure",
           "solved", "residual", "time_s", "wall_s", "iterations", "outcome"]
SVG = "{http://www.w3.org/2000/svg}"


def has_siconos():
    try:
        return subprocess.run(["/usr/bin/python3", "-c", "import siconos.numerics"], check=False,
                              capture_output=True).returncode == 0
    except OSError:
        return False


def read_rows(path):
    with open(path, encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        return list(reader), reader.fieldnames


t = Checks()
os.makedirs("set/deep/er")
write("set/one.dat", ONE_CONTACT)
write("set/deep/global.dat", ONE_CONTACT_GLOBAL)
write("set/deep/er/many, 12.dat", many_contacts(12))
shutil.copy(os.path.join(t.source, "tests/fixtures/lcp_dense.dat"), "set/lcp.dat")
write("set/broken.dat", "3\n1\n0\n3\n")
write("set/notes.txt", "no problem")
os.symlink("..", "set/deep/up")
os.makedirs("one")
write("one/one.dat", ONE_CONTACT)
ALONE = ["bench", "problems", "set", "--no-peer"]

print("all of ours on what the folder holds")
table = t.expect(0, *ALONE, "--csv", "a.csv", "--svg", "a.svg", "--tol", "1e-8,1e-4")
rows, names = read_rows("a.csv")
t.check(names == COLUMNS, "the columns", names)
t.check({r["problem"] for r in rows} == {"one.dat", "deep/global.dat", "deep/er/many_ 12.dat"},
        "three problems; names without commas", rows)
t.check("3 problems, 2 files left out;" in table.out, "an LCP and a faulty file are left out",
        table.out)
t.check(len(table.err.splitlines()) == 1 and "broken.dat" in table.err, "the fault is named",
        table.err)
solvers = {r["solver"] for r in rows}
t.check({"auto", "nsgs"} <= solvers and "nsgs-bodies" not in solvers, "all methods", solvers)
t.check(len(rows) == 3 * 2 * len(solvers), "a row for each method and tolerance", len(rows))
t.check([r["tol"] for r in rows[:2]] == ["0.0001", "1e-08"], "the looser tolerance first")
t.check(all(r["code"] == "scree" and r["kind"] == "friction-3d" and r["measure"] == "siconos" and
            r["width"] == "3" and int(r["rows"]) == 3 * int(r["contacts"]) for r in rows),
        "what the problems are")
t.check(all((float(r["residual"]) <= float(r["tol"])) == (r["solved"] == "1") and
            (r["outcome"] == "converged") == (r["solved"] == "1") for r in rows
            if r["outcome"] != "not taken"), "solved means a residual within the tolerance")
t.check(all(r["solved"] == "1" and 0.0 < float(r["time_s"]) < 20.0 and float(r["wall_s"]) > 0.0 and
            int(r["iterations"]) >= 0 for r in rows if r["solver"] == "auto"), "auto solves all")
t.check(re.search(r"^auto +3 of +3 +3 of +3$", table.out, re.M), "which the table says", table.out)

print("the picture")
root = xml.etree.ElementTree.parse("a.svg").getroot()
texts = [e.text for e in root.iter(f"{SVG}text")]
t.check(root.tag == f"{SVG}svg" and "Fraction of 3 problems solved to 1e-04" in texts and
        "Fraction of 3 problems solved to 1e-08" in texts, "a panel for each tolerance", texts)
t.check(texts.count("auto (3)") == 2, "a legend with the problems solved", texts)
curves = [e for e in root.iter(f"{SVG}path") if "H" in e.get("d")]
t.check(2 <= len(curves) <= 2 * len(solvers), "a curve for each method", len(curves))
t.check(not re.search(r"nan|inf", xml.etree.ElementTree.tostring(root, "unicode")), "all finite")

print("as JSON, one method, warm starts")
j = t.expect_json(0, *ALONE, "--solver", "nsgs", "--focus", "nsgs", "--tol", "1e-6", "--warm",
                  "--least-contacts", "1", "--measure", "scree")
t.check(j.get("problems") == 3 and j.get("left_out") == 2 and j.get("measure") == "scree",
        "totals", j)
t.check(j.get("solved") == [{"code": "scree", "solver": "nsgs", "tol": 1e-6, "solved": 3,
                             "tried": 3}], "one method at one tolerance", j)
t.check(j.get("siconos_results") == 0 and j.get("against_siconos") == [], "no peer", j)
warm = j.get("warm_start", {})
t.check(warm.get("problems", 0) + warm.get("unsolved", 0) == 3 and warm.get("problems", 0) > 0 and
        0.0 < warm.get("time_ratio", 0) < 100.0, "warm starts", j)
t.check(j.get("not_certified") == 0 and j.get("overruns") == 0, "no false claim", j)

print("one file instead of a folder")
j = t.expect_json(0, "bench", "problems", "one/one.dat", "--no-peer", "--csv", "b.csv", "--tol",
                  "1e-4")
t.check({r["problem"] for r in read_rows("b.csv")[0]} == {"one.dat"}, "is named by its last part")

print("a time limit")
write("slow.dat", tower(300))
j = t.expect_json(0, "bench", "problems", "slow.dat", "--no-peer", "--solver", "nsgs", "--focus",
                  "nsgs", "--tol", "1e-12", "--max-time", "0.2", "--csv", "c.csv")
rows, _ = read_rows("c.csv")
t.check(len(rows) == 1 and rows[0]["solved"] == "0" and rows[0]["outcome"] == "time limit" and
        0.15 <= float(rows[0]["wall_s"]), "ends what does not converge", rows)

print("bad input")
t.expect_refusal("no folder", "bench", "problems", naming="DIR")
t.expect_refusal("a folder that is not there", "bench", "problems", "nowhere", naming="nowhere")
os.makedirs("empty")
t.expect_refusal("an empty folder", "bench", "problems", "empty", naming="no files")
t.expect_refusal("an unknown method", *ALONE, "--solver", "nsgs,ngs", naming="ngs")
t.expect_refusal("an unknown focus", *ALONE, "--focus", "ngs", naming="ngs")
t.expect_refusal("a tolerance that is none", *ALONE, "--tol", "1e-4,x", naming="'x'")
t.expect_refusal("a tolerance of zero", *ALONE, "--tol", "0", naming="'0'")
t.expect_refusal("a CSV that cannot be written", *ALONE, "--csv", "nowhere/a.csv", naming="nowhere")
write("bad.csv", "a,b\n1,2\n")
t.expect_refusal("a CSV that is none of ours", "bench", "problems", "one", "--peer-csv", "bad.csv",
                 naming="bad.csv:1")
write("other.csv", ",".join(COLUMNS) + "\none.dat,1,3,3,friction-3d,siconos,NSGS,1e-4,scree,1,0,1,"
      "1,1,converged\n")
t.expect_refusal("a CSV in another measure", "bench", "problems", "one", "--peer-csv", "other.csv",
                 naming="measure scree")

print("known results of Siconos")


def known(time_s, solved):
    """A file of results in which one solver of Siconos took that long."""
    return (",".join(COLUMNS) + f"\none.dat,1,3,3,friction-3d,siconos,KNOWN,1e-4,siconos,{solved},"
            f"1e-5,{time_s},nan,1,converged\n")


DUEL = ["bench", "problems", "one", "--solver", "nsgs", "--focus", "nsgs", "--tol", "1e-4",
        "--least-contacts", "1", "--no-peer", "--peer-csv"]
write("fast.csv", known("1e-9", 1))
j = t.expect_json(0, *DUEL, "fast.csv", "--svg", "fast.svg")
duel = (j.get("against_siconos") or [{}])[0]
t.check(j.get("siconos_not_measured_now") == 1, "are taken from the file", j)
t.check(duel.get("both") == 1 and duel.get("faster") == 0 and duel.get("time_ratio", 0) > 1.0 and
        abs(duel.get("worst_ratio", 0) / duel["time_ratio"] - 1.0) < 1e-9 and
        duel.get("worst_problem") == "one.dat",
        "a peer that is faster", j)
t.check(j.get("siconos_results") == 1, "and nothing else is measured", j)
root = xml.etree.ElementTree.parse("fast.svg").getroot()
rises = {bool(e.get("stroke-dasharray")): re.search(r"M(\S+) \S+?H([^V]+)V([^H]+)", e.get("d"))
         for e in root.iter(f"{SVG}path") if "H" in e.get("d")}
t.check(rises[True][2] == rises[True][1] + ".0" and rises[True][3] == "40.0",
        "the fastest is at one from the beginning", rises)
if duel["time_ratio"] > 1e4:  # a machine this slow draws it beyond the axis
    t.check(rises[False] is None, "the other does not rise within the axis", (rises, duel))
else:
    ratio = 10.0 ** ((float(rises[False][2]) - float(rises[False][1])) / 640.0 *
                     math.ceil(math.log10(duel["time_ratio"])))
    t.check(0.98 < ratio / duel["time_ratio"] < 1.02, "the other at its time ratio", (ratio, duel))
table = t.expect(0, *DUEL, "fast.csv")
t.check("not measured in this run" in table.out, "the table says so", table.out)
write("slow.csv", known("1e3", 1))
duel = (t.expect_json(0, *DUEL, "slow.csv").get("against_siconos") or [{}])[0]
t.check(duel.get("both") == 1 and duel.get("faster") == 1 and 0 < duel.get("time_ratio", 1) < 1e-3,
        "a peer that is slower", duel)
write("failed.csv", known("1e-9", 0))
duel = (t.expect_json(0, *DUEL, "failed.csv").get("against_siconos") or [{}])[0]
t.check(duel.get("both") == 0 and duel.get("ours_alone") == 1 and duel.get("faster") == 1 and
        duel.get("time_ratio", 1) is None, "a peer that does not solve the problem", duel)
t.expect_refusal("results that are not there", *DUEL, "nothing.csv", naming="nothing.csv")
write("deeper.csv", known("1e-9", 1).replace("one.dat", "folder/one.dat"))
j = t.expect_json(0, *DUEL, "deeper.csv")
t.check(j.get("siconos_not_measured_now") == 1, "the same file below another folder", j)
write("longer.csv", known("1e-9", 1).replace("one.dat", "another-one.dat"))
j = t.expect_json(0, *DUEL, "longer.csv")
t.check(j.get("siconos_not_measured_now") == 0, "another file", j)
far = t.expect_json(0, *DUEL, "fast.csv", "--least-contacts", "2")
t.check((far.get("against_siconos") or [{}])[0].get("both") == 0, "small problems do not count",
        far)

print("Siconos itself")
if sanitized():
    print("what Siconos does is not looked at with sanitizers")
elif has_siconos():
    os.makedirs("pair")
    write("pair/one.dat", ONE_CONTACT)
    write("pair/global.dat", ONE_CONTACT_GLOBAL)
    j = t.expect_json(0, "bench", "problems", "pair", "--solver", "nsgs", "--focus", "nsgs",
                      "--tol", "1e-4", "--max-time", "0.3", "--peer-csv", "peer.csv", "--csv",
                      "d.csv", "--svg", "d.svg", "--least-contacts", "1")
    rows, _ = read_rows("d.csv")
    theirs, _ = read_rows("peer.csv")
    t.check(theirs == [r for r in rows if r["code"] == "siconos"], "its rows go to both files")
    t.check(j.get("siconos_results") == len(theirs) and j.get("siconos_not_measured_now") == 0,
            "all measured", j)
    t.check(len({r["solver"] for r in theirs}) >= 10, "ten solvers or more", theirs)
    gauss = [r for r in theirs if r["solver"] in ("NSGS", "NSGS-full") and r["contacts"] == "1"]
    t.check(len(gauss) == 4 and all(r["solved"] == "1" and 0 < float(r["time_s"])
                                    for r in gauss), "its Gauss-Seidel solves one contact", gauss)
    t.check(all(not float(r["residual"]) > float(r["tol"]) for r in theirs if r["solved"] == "1"),
            "solved by our measure")
    t.check(all(d["both"] >= 2 and math.isfinite(d["time_ratio"]) and d["time_ratio"] > 0.0
                for d in j["against_siconos"]), "compared", j)
    again = t.expect_json(0, "bench", "problems", "pair", "--solver", "nsgs", "--focus", "nsgs",
                          "--tol", "1e-4", "--peer-csv", "peer.csv")
    t.check(again.get("siconos_not_measured_now") == len(theirs) == again.get("siconos_results"),
            "not measured again", again)
    t.check(read_rows("peer.csv")[0] == theirs, "the file stays as it was")
else:
    print("skipped: python3-siconos is not installed")
t.finish()
