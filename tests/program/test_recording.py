"""Recordings: what a run leaves, what a kill leaves, resuming, and the verbs that read them."""
import os
import random
import re
import resource
import signal
import subprocess
import time

from _checks import ONE_CONTACT, TIMEOUT_S, Checks, cases, sanitized, write
from _scenes import RAIN, TWO_SPHERES

t = Checks()
write("two.yaml", TWO_SPHERES)
write("rain.yaml", RAIN.replace("1e-3}\nmat", "2.5e-3}\nmat") if sanitized() else RAIN)
write("one.dat", ONE_CONTACT)


def facts(path):
    return t.expect_json(0, "info", path)


print("a recording and what is in it")
result = t.expect(0, "run", "two.yaml", "-o", "two.h5")
t.check(re.search(r"^  file +two\.h5$", result.out, re.M) and
        re.search(r"^  frames +11$", result.out, re.M), "the summary names it", result.out)
for arguments in [["info", "two.h5"], ["repose", "two.h5"], ["view", "two.h5"],
                  ["export", "two.h5", "--vtk", "--csv"], ["run", "--resume", "-o", "two.h5"]]:
    t.expect(0, *arguments)
t.skip_leak_check()
j = t.expect_json(0, "run", "two.yaml", "-o", "again.h5", "--set", "height=0.02")
t.check(j["recording"] == {"path": "again.h5", "frames": 11, "bytes": os.path.getsize("again.h5")},
        "JSON names it", j["recording"])
two, again = facts("two.h5"), facts("again.h5")
t.check(two["frames"] == 11 and two["begin"] == 0.0 and abs(two["end"] - 0.1) < 1e-12 and
        two["duration"] == 0.1 and two["step"] == 1e-3 and two["interval"] == 0.01, "frames", two)
t.check(two["closed"] is True and two["bodies"] == 3 and two["bodies_dynamic"] == 2 and
        two["shapes"] == 3 and two["scene"] == "two.yaml" and two["title"] == "Two spheres", "bodies")
t.check(0.0 <= two["residual_max"] <= 1e-4 and 0.0 <= two["penetration_max"] < 1e-3, "worst", two)
t.check(re.fullmatch("[0-9a-f]{16}", two["hash"]) and again["hash"] != two["hash"], "hash", two)
t.check(again["settings"] == ["height=0.02"], "settings", again)
t.expect(0, "run", "two.yaml", "-o", "again.h5", "--workers", "2", "--quiet")
t.check(facts("again.h5")["hash"] == two["hash"], "replaced, and the same with two workers")
t.expect(0, "run", "two.yaml", "-o", "odd.h5", "--quiet", "--set", "output.interval=0.0234")
odd = facts("odd.h5")
t.check(odd["frames"] == 6 and abs(odd["end"] - 0.1) < 1e-9,
        "an interval of 23.4 steps, and the last state", odd)
t.expect(0, "run", "two.yaml", "-o", "fine.h5", "--quiet", "--set", "output.interval=1e-4")
t.check(facts("fine.h5")["frames"] == 101, "an interval below the step: every step")
t.check(t.expect_json(0, "info", "one.dat").get("contacts") == 1, "info still reads problems")

print("resuming")
t.expect(0, "run", "two.yaml", "-o", "part.h5", "--until", "0.055", "--quiet")
part = facts("part.h5")
t.check(part["frames"] == 7 and abs(part["end"] - 0.055) < 1e-12,
        "the first half, with its last state", part)
result = t.expect(0, "run", "--resume", "-o", "part.h5")
t.check("resumed at 0.055 s" in result.out and not result.err, "it goes on", result.describe())
t.check(facts("part.h5")["hash"] == two["hash"], "and is the same as a run in one go")
result = t.expect(0, "run", "two.yaml", "--resume", "-o", "part.h5", "--quiet")
t.check("the run was complete" in result.err, "a complete run", result.describe())
t.check(facts("part.h5")["hash"] == two["hash"], "is left as it is")
t.expect(0, "run", "--resume", "-o", "part.h5", "--until", "0.15", "--quiet")
longer = facts("part.h5")
t.check(longer["frames"] == 16 and longer["closed"], "but --until may ask for more", longer)
result = t.expect(0, "run", "two.yaml", "--resume", "-o", "new.h5", "--quiet")
t.check("nothing to resume" in result.err and facts("new.h5")["hash"] == two["hash"],
        "nothing to resume: a run from the beginning", result.describe())
t.expect_refusal("another scene", "run", "rain.yaml", "--resume", "-o", "new.h5", naming="rain.yaml")
t.expect_refusal("no recording", "run", "--resume", "-o", "one.dat", naming="one.dat")

print("damaged recordings")
with open("two.h5", "rb") as file:
    content = file.read()
for what, bytes_left in [("cut short", content[:len(content) // 2]), ("cut to the signature", content[:8]),
                         ("overwritten", content[:len(content) // 2] + b"?" * (len(content) // 2))]:
    with open("damaged.h5", "wb") as file:
        file.write(bytes_left)
    for verb in [["info"], ["repose"], ["export", "--csv"], ["view"], ["run", "--resume", "-o"]]:
        result = t.run(*verb, "damaged.h5")
        codes = (0, 1, 2) if verb[0] == "run" else (0, 2)  # 1: it cannot be written
        t.check(result.code in codes and (result.code == 0) == bool(result.out) and
                (result.code == 0 or "damaged.h5" in result.err) and
                len(result.err.splitlines()) == (result.code != 0),
                f"{what}: {verb[0]}: {result.err.strip() or 'done'}", result.describe())

print("Ctrl-C and SIGTERM")
t.expect(0, "run", "rain.yaml", "-o", "whole.h5", "--quiet")
whole = facts("whole.h5")
for number, name in [(signal.SIGINT, "SIGINT"), (signal.SIGTERM, "SIGTERM")][sanitized():]:
    path = name + ".h5"
    for _ in range(20):  # on a busy machine a run may be done before the signal comes
        child = t.catch(path, 100000, "run", "rain.yaml", "-o", path, "--json")
        if not child:
            break
        child.send_signal(number)
        out, err = (text.decode() for text in child.communicate(timeout=TIMEOUT_S))
        if child.returncode != 0:
            break
    if not t.check(child, f"{name}: the run is under way"):
        continue
    t.check(child.returncode == 1 and '"status": "interrupted"' in out, "exit code 1", out + err)
    t.check(f"scree run --resume -o {path} goes on" in err, "it says how to go on", err)
    part = facts(path)
    t.check(part["closed"] is True and part["frames"] < whole["frames"], "closed properly", part)
    t.expect(0, "run", "--resume", "-o", path, "--quiet")
    t.check(facts(path)["hash"] == whole["hash"], "resumed, it is the same as a run in one go")

print("kills at random moments")
seed = random.randrange(1 << 32)
rng = random.Random(seed)
print(f"        seed {seed}")
n_kills = 0 if sanitized() else cases(2, 10)  # unit.io.recording_faults kills there
if n_kills:
    began = time.monotonic()
    t.expect(0, "run", "rain.yaml", "-o", "whole.h5", "--quiet", "--checkpoint", "0.02")
    span = time.monotonic() - began
for number in range(n_kills):
    if os.path.exists("killed.h5"):
        os.remove("killed.h5")
    for moment in [rng.uniform(0.0, span), rng.uniform(0.0, span)]:
        child = t.start("run", "rain.yaml", "--resume", "-o", "killed.h5", "--quiet", "--checkpoint",
                      "0.02")
        time.sleep(moment)
        child.kill()
        child.communicate(timeout=TIMEOUT_S)
        if os.path.exists("killed.h5"):
            facts("killed.h5")
    t.expect(0, "run", "rain.yaml", "--resume", "-o", "killed.h5", "--quiet")
    left = facts("killed.h5")
    t.check(left["hash"] == whole["hash"] and left["closed"], f"kill {number}: the same hash", left)
for _ in range(20):
    child = t.catch("killed.h5", 100000, "run", "rain.yaml", "-o", "killed.h5", "--quiet")
    if child:
        child.kill()
        child.communicate(timeout=TIMEOUT_S)
    if not child or child.returncode != 0:
        break
if t.check(child, "a run to be killed under way"):
    t.check(facts("killed.h5")["closed"] is False, "leaves a recording open")

print("a disk that is full")


def limit_size():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200000, 200000))


def fill_disk():
    result = t.run("run", "rain.yaml", "-o", "full.h5", preexec_fn=limit_size)
    t.check(result.code == 1 and "full.h5" in result.err and len(result.err.splitlines()) == 1,
            "exit code 1, one line: " + result.err.strip(), result.describe())
    if t.check(os.path.exists("full.h5"), "what was written before is there"):
        full = facts("full.h5")
        t.check(full["closed"] is False and full["frames"] >= 1, "and opens", full)
        t.expect(0, "run", "--resume", "-o", "full.h5", "--quiet")
        t.check(facts("full.h5")["hash"] == whole["hash"], "with room again it goes on")


# The thread sanitizer keeps memory of its own in files: nothing starts within the limit.
if not sanitized() or t.run("version", preexec_fn=limit_size).code == 0:
    fill_disk()

print("export")
result = t.expect(0, "export", "two.h5", "--vtk", "--csv")
for name in ["two.pvd", "two_contacts.pvd", "two_bodies.csv", "two_contacts.csv", "two_frames.csv"]:
    t.check(os.path.getsize(name) > 0 and name in result.out, f"{name} is written and named")
t.check(os.path.exists("two_000000.vtp") and "11 frames" in result.out, "a file for each frame",
        result.out)
j = t.expect_json(0, "export", "two.h5", "--csv", "-o", "few", "--every", "5")
t.check(j["frames"] == 3 and "few_frames.csv" in j["files"], "every fifth frame", j)
with open("few_frames.csv", encoding="utf-8") as file:
    t.check(len(file.readlines()) == 4, "a header and three frames")
j = t.expect_json(0, "export", "two.h5", "--vtk", "--shapes", "-o", "one", "--frame", "10")
t.check(j["frames"] == 1 and "one_shapes.pvd" in j["files"], "one frame with its shapes", j)
t.check(os.path.exists("one_shapes_000010.vtp") and not os.path.exists("one_000009.vtp"),
        "and no other")
with open("one_shapes_000010.vtp", "rb") as file:
    head = file.read(4000).decode("latin-1")
t.check('NumberOfVerts="0"' in head and 'NumberOfPolys="0"' not in head, "of polygons", head)
t.expect_refusal("--frame 11", "export", "two.h5", "--vtk", "--frame", "11", naming="--frame 11")
t.expect_refusal("--frame and --every", "export", "two.h5", "--vtk", "--frame", "1", "--every", "2",
                 naming="--frame")
t.expect_refusal("--shapes alone", "export", "two.h5", "--csv", "--shapes", naming="--shapes")
t.expect_refusal("no format", "export", "two.h5", naming="--vtk")
t.expect_refusal("no folder", "export", "two.h5", "--csv", "-o", "no/such/x", naming="no/such/x")
t.expect_refusal("--every 0", "export", "two.h5", "--csv", "--every", "0", naming="--every")
t.expect_refusal("--every for a page", "export", "two.h5", "--html", "--every", "2", naming="--every")
for verb in [["export", "one.dat", "--csv"], ["view", "one.dat"], ["repose", "one.dat"]]:
    t.expect_refusal(f"{verb[0]} of a problem", *verb, naming="one.dat")
    t.expect_refusal(f"{verb[0]} of nothing", verb[0], "missing.h5", *verb[2:], naming="missing.h5")

print("pages")
result = t.expect(0, "view", "two.h5")
t.check(result.out.startswith("two.html (") and os.path.getsize("two.html") > 1000, "scree view")
j = t.expect_json(0, "view", "two.h5", "-o", "page.html")
t.check(j == {"page": "page.html", "bytes": os.path.getsize("page.html")}, "its JSON", j)
t.expect(0, "export", "two.h5", "--html", "-o", "other.html")
t.check(os.path.getsize("other.html") == os.path.getsize("page.html"), "scree export --html")
t.expect_refusal("over the recording", "view", "two.h5", "-o", "two.h5", naming="two.h5")

print("heaps")
result = t.expect(0, "repose", "whole.h5")
t.check(re.search(r"^spheres +60, mean diameter", result.out, re.M) and
        re.search(r"^height +\S+ +m, \S+ diameters$", result.out, re.M), "a table", result.out)
j = t.expect_json(0, "repose", "whole.h5")
t.check(j["spheres"] == 60 and j["frame"] == 50 and 0.0 < j["height"] < 0.3 and
        j["coordination"] > 2.0 and len(j["profile_radius"]) == len(j["profile_height"]), "JSON", j)
t.expect(0, "repose", "two.h5", "--frame", "0")
early = t.expect_json(0, "repose", "whole.h5", "--frame", "10")
t.check(early["spheres"] < 60 and abs(early["time"] - 0.2) < 1e-9, "an earlier frame", early)
t.check(t.expect_json(0, "repose", "whole.h5", "--time", "0.219")["frame"] == 10, "the same by time")
t.check(t.expect_json(0, "repose", "whole.h5", "--floor", "-1")["height"] > 1.0, "another floor")
t.expect_refusal("no such frame", "repose", "whole.h5", "--frame", "51", naming="0 to 50")
t.expect_refusal("both", "repose", "whole.h5", "--frame", "1", "--time", "1", naming="not both")

t.finish()
