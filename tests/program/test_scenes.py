"""Built-in scenes: listed, explained, and every one of them runs."""
from _checks import Checks, sanitized, write
from _scenes import TWO_SPHERES

# What makes the largest of them small.
SMALL = {"pyramid": ["--set", "rows=12"], "kapla": ["--set", "layers=30"]}

t = Checks()
scenes = t.expect_json(0, "scenes").get("scenes", [])
listed = t.expect(0, "scenes").out
t.skip_leak_check()

t.check("pile" in [s["name"] for s in scenes], "pile, the default, is among them", scenes)
t.check(len(listed.split("\n\n")[0].splitlines()) == len(scenes), "one line each", listed)
for scene in scenes:
    name, title = scene["name"], scene["title"]
    print(name)
    t.check(title and f"{name} " in listed and title in listed, f"it has a title: {title}")
    text = t.expect(0, "scenes", name).out
    about = t.expect_json(0, "scenes", name)
    t.check(about["scene"] == name and about["title"] == title and about["step"] > 0.0, "explained")
    for parameter in about["parameters"]:
        t.check(parameter["name"] in text and parameter["meaning"] and parameter["meaning"] in text,
                f"{parameter['name']}: {parameter['meaning']}", text)
    yaml = t.expect(0, "scenes", name, "--yaml").out
    t.check(yaml == about["yaml"], "--yaml prints its file")
    short = ["--until", "0.01", *SMALL.get(name, [])]
    by_name = t.expect_json(0, "run", name, *short, "-o", name + ".h5")
    t.check(t.expect_json(0, "info", name + ".h5").get("closed") is True, "and is recorded")
    t.check(by_name["scene"] == name, "by its name")
    if not sanitized():
        by_file = t.expect_json(0, "run", write(name + ".yaml", yaml), *short)
        t.check(by_name["final"] == by_file["final"], "both run alike")

print("faults")
write("two.yaml", TWO_SPHERES)
t.check(t.expect_json(0, "scenes", "two.yaml")["parameters"] ==
        [{"name": "height", "value": 0.01, "meaning": "gap below the upper sphere, m"}],
        "a file is explained like a built-in scene")
t.expect_refusal("misspelt", "scenes", "piel", naming="'pile'")
t.expect_refusal("unknown", "scenes", "frobnicate", naming="frobnicate")
t.expect_refusal("both", "scenes", "pile", "--yaml", "--json", naming="not both")
t.expect_refusal("--yaml alone", "scenes", "--yaml", naming="SCENE")

print("benchmarks")
N_CONTACTS = 50 if sanitized() else 200
j = t.expect_json(0, "bench", "sweep", "--contacts", str(N_CONTACTS))
t.check(len(j["sweep"]) == 4 and all(
    b["contacts"] >= N_CONTACTS and b["updates_per_s"] > 0 and b["bytes_per_contact"] > 0
    for b in j["sweep"]), "two methods, sliding, and with rolling and spinning", j)
table = t.expect(0, "bench", "sweep", "--contacts", str(N_CONTACTS)).out
t.check(len(table.splitlines()) == 5 and "updates/s" in table, "a table", table)
t.check("sweep" in t.expect(0, "bench").out, "scree bench lists them")
t.expect_refusal("misspelt", "bench", "swep", naming="'sweep'")
t.expect_refusal("too few", "bench", "sweep", "--contacts", "0", naming="--contacts")

t.finish()
