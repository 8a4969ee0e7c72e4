"""scree identify: a measurement to try, the table, JSON, the material, the figure, and refusals."""
import os
import re
import xml.etree.ElementTree

from _checks import Checks, write

SVG = "{http://www.w3.org/2000/svg}"
# Walker and Leine 2019, Table 1: what the example is made of.
C = {"a": 4.99 / 9.3, "b": 4.25 / 9.3, "s": 2.94}
D = {"ratio": 1.19 / 1.84, "s": 2.51}

t = Checks()
print("a measurement to try")
made = t.expect(0, "identify", "--example", "plate.csv")
t.check("scree identify plate.csv" in made.out, "it says what to do next", made.out)
t.skip_leak_check()
again = t.expect_json(0, "identify", "--example", "again.csv")
t.check(again == {"example": "again.csv"}, "the same as JSON", again)
with open("plate.csv", encoding="utf-8") as one, open("again.csv", encoding="utf-8") as two:
    lines = one.read().splitlines()
    t.check(lines == two.read().splitlines(), "the same numbers each time")
t.check(lines[0] == "angle_deg,f_radial,f_tangential,f_normal" and len(lines) == 5401,
        "a line for each sample", lines[:2])

print("what is found")
j = t.expect_json(0, "identify", "plate.csv", "-o", "plate.yaml", "--svg", "plate.svg", "--name",
                  "PVC & <steel>")
c, d = (j.get(key, {}).get("superellipse", {}) for key in ("sliding", "direction"))
for name, limit in (("a", 0.005), ("b", 0.005), ("s", 0.02)):
    low, high = c[name]["interval"]
    t.check(abs(c[name]["value"] / C[name] - 1.0) <= limit and low < c[name]["value"] < high and
            0.0 < c[name]["error"] < high - low, f"{name} of C", c)
t.check(abs(d["b"]["value"] / d["a"]["value"] / D["ratio"] - 1.0) <= 0.005 and
        d["a"]["error"] == 0.0 and d["b"]["error"] > 0.0, "the ratio of D", d)
t.check(abs(d["s"]["value"] / D["s"] - 1.0) <= 0.02, "s of D", d)
t.check(j["samples"] == 5400 and abs(j["turns"] - 3.0) < 1e-3, "samples and turns", j["turns"])
t.check(abs(j["normal_force"] - 9.3) < 0.01 and 0.0 <= j["closure"] < 0.01 and
        j["dent"] < 1e-3, "normal force, closure, dents", j)
t.check(j["name"] == "PVC & <steel>" and j["material"] == "plate.yaml", "names")
t.check(j["sliding"]["form"] == j["direction"]["form"] == "superellipse", "forms")
table = t.expect(0, "identify", "plate.csv", "--cutoff", "50").out
t.check(re.search(r"^  s +2\.9\d+ +\+- 0\.00\d+ +2\.9\d+ to 2\.9\d+$", table, re.M) and
        "50 cycles per turn" in table, "the table", table)

print("the material")
with open("plate.yaml", encoding="utf-8") as file:
    text = file.read()
keys = [line for line in text.splitlines() if not line.startswith("#")]
number = r"-?[0-9.]+(?:e-?\d+)?"
t.check(keys[0] == "mu: 1" and len(keys) == 3, "three keys", text)
for line, key in zip(keys[1:], ("sliding", "direction")):
    t.check(re.fullmatch(rf"{key}: {{superellipse: \[{number}, {number}, {number}\], degrees: 0}}",
                         line), key, line)
t.check("# Friction of PVC & <steel>," in text, "its title", text)
t.check("{file: plate.yaml," in text, "it names itself", text)
t.check(re.search(r"^# sliding: standard errors a 0\.\d+, b ", text, re.M) and
        "# direction: standard errors a (given), b 7" in text, "its errors", text)
os.mkdir("lab")
t.expect(0, "identify", "plate.csv", "-o", "lab/table.yaml", "--form", "table")
with open("lab/table.yaml", encoding="utf-8") as file:
    text = file.read()
t.check("{file: table.yaml," in text, "another name", text)
t.check(text.count("polar: [[") == 2 and text.count("],") > 200, "or the curves themselves", text)
for name in ("plate.yaml", "lab/table.yaml"):
    write("scene.yaml", "materials:\n  plate: {file: %s, lay: [1, 0, 0]}\nbodies:\n"
          "  - {name: ground, kind: static, shape: {type: half-space, material: plate}}\n"
          "  - {name: ball, position: [0, 0, 0.1], velocity: [1, 1, 0],\n"
          "     shape: {type: sphere, radius: 0.1, material: plate}}\n" % name)
    t.expect(0, "run", "scene.yaml", "--until", "0.01", what=f"a scene with {name}")

print("the figure")
root = xml.etree.ElementTree.parse("plate.svg").getroot()
texts = [element.text for element in root.iter(f"{SVG}text")]
t.check(root.tag == f"{SVG}svg" and "Friction of PVC & <steel>" in texts, "well-formed", texts)
for label in ("force set C, superellipse", "C, measured", "direction of sliding",
              "direction set D, superellipse", "D, measured", "direction of sliding, normal to D",
              "force along t1 / normal force",
              "0.2", "0.4", "\u22120.4"):
    t.check(label in texts, f"it says {label}", texts)
paths = [element.get("d") for element in root.iter(f"{SVG}path")]
t.check(all(re.fullmatch(r"[-MLHVZhv0-9. ]+", d) for d in paths), "numbers are finite")
corners = [[float(x) for x in re.findall(r"[\d.]+", d)] for d in paths if d.endswith("Z")]
outline = max(corners, key=len)
x, y = outline[0::2], outline[1::2]
t.check(abs((max(x) - min(x)) / (max(y) - min(y)) / (C["a"] / C["b"]) - 1.0) < 0.01,
        "both axes have the same scale")
t.check(not any(".part" in name for name in os.listdir(".")), "nothing is left beside it")

print("another normal force, crosstalk, unknown force")
twice = t.expect_json(0, "identify", "plate.csv", "--normal-force", "18.6")
t.check(abs(twice["sliding"]["superellipse"]["a"]["value"] / c["a"]["value"] - 0.5) < 1e-3,
        "half the coefficient")
identity = t.expect_json(0, "identify", "plate.csv", "--crosstalk", "1,0,0,0,1,0,0,0,1")
t.check(identity["sliding"]["superellipse"] == c, "no crosstalk")
write("t.txt", "1.1 0 0 # radial\n0 1.1 0\n0 0 1\n")
larger = t.expect_json(0, "identify", "plate.csv", "--crosstalk", "t.txt")
t.check(abs(larger["sliding"]["superellipse"]["a"]["value"] / c["a"]["value"] - 1.1) < 1e-6,
        "a matrix from a file")
turned = t.expect_json(0, "identify", "plate.csv", "--fit-angle")
angle = turned["sliding"]["superellipse"]["angle_degrees"]
t.check(angle["interval"][0] < angle["value"] < angle["interval"][1] and abs(angle["value"]) < 0.5,
        "an angle", angle)
write("bare.csv", "\n".join(line.rsplit(",", 1)[0] for line in lines) + "\n")
bare = t.expect_json(0, "identify", "bare.csv")
t.check(bare["normal_force"] is None and
        abs(bare["sliding"]["superellipse"]["a"]["value"] / 4.99 - 1.0) < 0.005, "in newtons")
small = t.expect_json(0, "identify", os.path.join(t.source, "tests/fixtures/measurement.csv"))
t.check(small.get("samples") == 72, "a small file with all columns", small)

spreadsheet = ",".join(f'"{name}"' for name in lines[0].split(","))
write("quoted.csv", "\ufeff" + "\r\n".join([spreadsheet] + lines[1:]) + "\r\n")
quoted = t.expect_json(0, "identify", "quoted.csv")
t.check(quoted["sliding"] == j["sliding"], "as a spreadsheet writes it", quoted)

print("bad input")
t.expect_refusal("no measurement", "identify", naming="--example")
t.expect_refusal("both", "identify", "plate.csv", "--example", "x.csv", naming="not both")
t.expect_refusal("no such file", "identify", "nowhere.csv", naming="nowhere.csv")
t.expect_refusal("no material without a normal force", "identify", "bare.csv", "-o", "b.yaml",
                 naming="normal force")
t.check(not os.path.exists("b.yaml"), "nothing is written")
t.expect_refusal("the measurement as output", "identify", "plate.csv", "-o", "plate.csv",
                 naming="is the input file")
t.expect_refusal("a figure in no folder", "identify", "plate.csv", "--svg", "no/x.svg",
                 naming="no/x.svg")
t.expect_refusal("a matrix of eight numbers", "identify", "plate.csv", "--crosstalk",
                 "1,0,0,0,1,0,0,0", naming="1,0,0,0,1,0,0,0: 8 numbers, 9 are needed")
t.expect_refusal("hexadecimal numbers", "identify", "plate.csv", "--crosstalk", "0x1,0,0,0,1,0,0,0,1",
                 naming="0x1,0,0,0,1,0,0,0,1")
t.expect_refusal("a cut-off of nothing", "identify", "plate.csv", "--cutoff", "0", naming="cutoff")


def with_line(number, text):
    """The example with another line `number`, counted from 1."""
    return write("bad.csv", "\n".join(lines[:number - 1] + [text] + lines[number:]) + "\n")


for what, number, text, naming in (
        ("an unknown column", 1, "angle_deg,fx,fy,f_normal", "bad.csv:1: unknown column 'fx'"),
        ("text in a number", 7, "1,zero,5,9.3", "bad.csv:7: f_radial is 'zero'"),
        ("NaN", 8, "1.2,nan,5,9.3", "bad.csv:8: f_radial is 'nan'"),
        ("a field too few", 9, "1.4,0,5", "bad.csv:9: 3 fields"),
        ("semicolons", 1, lines[0].replace(",", ";"), "bad.csv:1: columns are separated by commas"),
        ("semicolons in a sample", 9, "1.4;0;5;9.3", "separated by commas, not by semicolons"),
        ("decimal commas", 9, "1,4,0,0,5,0,9,3", "bad.csv:9: 8 fields, where the first line names "
         "4 columns; a comma separates columns, and is no decimal point"),
        ("a negative tangential force", 10, "1.6,0,-5,9.3", "bad.csv:10: the tangential force"),
        ("a normal force of zero", 11, "1.8,0,5,0", "bad.csv:11: the normal force is 0 N"),
        ("a jump", 12, "55,0,5,9.3", "bad.csv:12: the angle jumps from 1.8 to 55 degrees; "
         "at most 10 may be missing (--gap)")):
    with_line(number, text)
    t.expect_refusal(what, "identify", "bad.csv", naming=naming)
write("half.csv", "\n".join(lines[:1000]) + "\n")
t.expect_refusal("missing angles", "identify", "half.csv", naming="half.csv: no sample has an angle")
write("open.csv", "\n".join(lines[:1500]) + "\n")
t.expect_refusal("missing to the end of the turn", "identify", "open.csv",
                 naming="no sample has an angle between 299.6 and 360 degrees")
print("what is likely wrong")
t.check("warnings" not in j and j["outliers"] == 0 and "warnings" not in small,
        "a sound measurement has no warning", j.get("warnings"))
with_line(1234, "{0},{1},500,{3}".format(*lines[1233].split(",")))
wrong = t.expect_json(0, "identify", "bad.csv")
t.check(wrong["outliers"] == 1 and
        wrong["warnings"][0].startswith("bad.csv:1234: the tangential force is 500 N"), "an outlier",
        wrong.get("warnings"))
result = t.expect(0, "identify", "bad.csv")
t.check("warning: bad.csv:1234: the tangential force is 500 N" in result.err and
        re.search(r"^outliers +1 sample,", result.out, re.M), "as text", result.describe())
rows = [[float(x) for x in line.split(",")] for line in lines[1:]]
write("mn.csv", "\n".join([lines[0]] + [f"{a},{1e3 * r},{1e3 * f},{n}" for a, r, f, n in rows]) + "\n")
wrong = t.expect_json(0, "identify", "mn.csv")
t.check(len(wrong["warnings"]) == 1 and wrong["warnings"][0].startswith("mn.csv:2: ") and
        "5400 of 5400 samples up to line 5401" in wrong["warnings"][0] and
        "f_radial in mN" in wrong["warnings"][0], "forces in mN", wrong["warnings"])

print("forces over the angle")
t.expect(0, "identify", "--example", "angle.csv")
t.expect(0, "identify", "angle.csv", "--svg", "forces.svg", "--figure", "forces")
drawn = open("forces.svg", encoding="utf-8").read()
t.check("tangential, by the sets" in drawn and "direction of sliding" in drawn, "figure 24a")

print("a steel pin: C and D differ, figure 25")
t.expect(0, "identify", "--example", "steel.csv", "--surface", "steel")
j = t.expect_json(0, "identify", "steel.csv", "--svg", "steel.svg")
c, d = (j[key]["superellipse"] for key in ("sliding", "direction"))
t.check(c["b"]["value"] > 1.2 * c["a"]["value"] and d["b"]["value"] < 0.8 * d["a"]["value"],
        "C is long along the grooves, D across", (c, d))
for found, made in ((c["a"]["value"], 2.6 / 18.5), (c["b"]["value"], 3.3 / 18.5), (c["s"]["value"], 1.7),
                    (d["b"]["value"] / d["a"]["value"], 1.0 / 1.5), (d["s"]["value"], 2.6)):
    t.check(abs(found / made - 1.0) <= 0.02, f"{made:.4g} comes back", found)

print("paths of a disc, figure 27")
t.expect(0, "identify", "--path", "--example", "paths.csv")
j = t.expect_json(0, "identify", "--path", "paths.csv", "--fit", "a,b,d_ratio,v,phi,x,y", "--svg",
                  "paths.svg", "--set", "a=4.5", "--set", "d_b=1.5", "--set", "step=2e-3")
for name, made in (("a", 4.99), ("b", 4.25), ("d_ratio", 1.19 / 1.84)):
    found = j["surface"][name]
    t.check(abs(found["value"] - made) <= 4.0 * found["error"] <= 0.04 * made, f"{name} comes back", found)
t.check(j["converged"] and 1.5e-4 < j["rms"] < 2.5e-4 < 1e-3 < j["rms_first"], "its noise is left", j)
t.check(not j["surface"]["s"]["fitted"] and j["surface"]["s"]["error"] == 0.0, "s stays")
t.check("before the fit" in open("paths.svg", encoding="utf-8").read(), "all in one figure")
write("points.csv", "x,y\n0,0\n0.1,0.06\n0.05,0.03\n")
t.expect(2, "identify", "--path", "points.csv", what="too few points")
t.expect(2, "identify", "--path", "paths.csv", "--fit", "a,q", what="an unknown name")
t.expect(2, "identify", "paths.csv", "--fit", "a", what="--fit without --path")

t.finish()
