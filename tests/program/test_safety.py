"""What must not be lost: recordings that others write, files of other people, the report of a run that
is ended, the object of a program that fails."""
import json
import os
import random
import signal
import subprocess
import time

from _checks import ONE_CONTACT, TIMEOUT_S, Checks, cases, write
from _scenes import RAIN, TWO_SPHERES

t = Checks()
t.skip_leak_check()
write("two.yaml", TWO_SPHERES)
write("rain.yaml", RAIN)
write("one.dat", ONE_CONTACT)
ENDLESS = ["run", "rain.yaml", "--set", "stop.time=100000"]


def facts(path):
    return t.expect_json(0, "info", path)


def end(child, *numbers):
    """What is left of a run that gets these signals at once."""
    for number in numbers:
        child.send_signal(number)
    out, err = (text.decode() for text in child.communicate(timeout=TIMEOUT_S))
    return child.returncode, out, err


print("a second writer")
child = t.catch("live.h5", 100000, *ENDLESS, "-o", "live.h5")
if t.check(child, "a run is under way"):
    before = os.stat("live.h5").st_ino
    for what, arguments in [("a new run", ["two.yaml"]), ("by force", ["two.yaml", "--force"]),
                            ("resumed", ["--resume"])]:
        result = t.run("run", *arguments, "-o", "live.h5")
        t.check(result.code in (1, 2) and "another process is writing it" in result.err and
                len(result.err.splitlines()) == 1, f"{what}: {result.err.strip()}",
                result.describe())
    t.check(os.stat("live.h5").st_ino == before, "the file is the same")
    n = facts("live.h5")["frames"]
    code, out, err = end(child, signal.SIGTERM)
    live = facts("live.h5")
    t.check(code == 1 and live["frames"] >= n and live["scene"] == "rain.yaml" and live["closed"],
            "the first run keeps its recording", live)
    t.check(live["complete"] is False, "which is not complete")

print("files that are not replaced")
write("thesis.txt", "years of work")
result = t.run("run", "two.yaml", "-o", "thesis.txt")
t.check(result.code == 1 and "not a recording" in result.err and "force" in result.err and
        open("thesis.txt", encoding="utf-8").read() == "years of work", result.err.strip(),
        result.describe())
result = t.run("run", "two.yaml", "-o", "live.h5")
t.check(result.code == 1 and "interrupted" in result.err and "resume" in result.err,
        "an interrupted recording: " + result.err.strip(), result.describe())
t.check(facts("live.h5") == live, "both are as they were")
t.expect(0, "run", "two.yaml", "-o", "thesis.txt", "--force", "--quiet")
t.check(facts("thesis.txt")["complete"] is True, "--force replaces")
t.expect(0, "run", "two.yaml", "-o", "thesis.txt", "--quiet")
t.check(True, "a complete recording is replaced without it")
write("empty.h5", "")
t.expect(0, "run", "two.yaml", "-o", "empty.h5", "--quiet")
t.expect_refusal("both", "run", "--resume", "--force", "-o", "live.h5", naming="--force")

print("many that begin at once")
children = [t.start(*ENDLESS, "-o", "race.h5", "--quiet") for _ in range(4)]
time.sleep(1.0)
results = [end(child, signal.SIGTERM) if child.poll() is None else
           (child.returncode, "", child.communicate()[1].decode()) for child in children]
refused = [err for code, _, err in results if "writing it" in err or "File exists" in err]
t.check(len(refused) >= 3 and facts("race.h5")["scene"] == "rain.yaml", "one goes on", results)

print("the last state")
t.expect(0, "run", "two.yaml", "-o", "last.h5", "--quiet", "--until", "0.0347")
t.check(abs(facts("last.h5")["end"] - 0.035) < 1e-12, "is recorded")

print("signals")
seed = random.randrange(1 << 32)
rng = random.Random(seed)
print(f"        seed {seed}")
pairs = [(signal.SIGTERM, signal.SIGTERM), (signal.SIGINT, signal.SIGTERM),
         (signal.SIGINT, signal.SIGINT, signal.SIGTERM)]
for number in range(cases(6, 60)):
    child = t.catch("signal.h5", 30000, *ENDLESS, "-o", "signal.h5", "--json")
    if not t.check(child, "a run is under way"):
        continue
    time.sleep(rng.uniform(0.0, 0.05))
    first, *others = pairs[number % len(pairs)]
    child.send_signal(first)
    time.sleep(rng.choice([0.0, 1e-4, 1e-3, 5e-3]))
    code, out, err = end(child, *others)
    try:
        status = json.loads(out)["status"]
    except ValueError:
        status = None
    t.check(code == 1 and status == "interrupted", f"{1 + len(others)} signals: the object is there",
            f"exit code {code}\n{out[:300]}\n{err}")
    t.check(facts("signal.h5")["closed"] is True, "and the recording closed")
program = [t.program, *ENDLESS]
done = subprocess.run(["timeout", "2", *program], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                      stdin=subprocess.DEVNULL, env=t.environment, timeout=TIMEOUT_S, check=False)
t.check(b"interrupted" in done.stdout and b"energy" in done.stdout, "timeout leaves the summary",
        done.stdout + done.stderr)

print("an object, whatever happens")
for what, code, arguments in [
        ("no such scene", 2, ["run", "nothing"]), ("a scene with a fault", 2, ["run", "one.dat"]),
        ("no such option", 2, ["run", "--bogus"]), ("no such verb", 2, ["rnu"]),
        ("no such file", 2, ["view", "missing.h5"]), ("no recording", 2, ["export", "one.dat", "--csv"]),
        ("no problem", 2, ["solve", "two.yaml"]), ("nothing to certify", 2, ["certify", "one.dat", "two.yaml"]),
        ("info of nothing", 2, ["info", "missing.h5"]), ("repose", 2, ["repose", "one.dat"]),
        ("a foreign file", 1, ["run", "two.yaml", "-o", "one.dat"])]:
    result = t.run(*arguments, "--json")
    try:
        value = json.loads(result.out)
    except ValueError:
        value = {}
    line = result.err.split(": ", 1)[-1].strip()
    t.check(result.code == code and value.get("status") == "failed" and
            value.get("exit_code") == code and line in value.get("errors", []), f"{what}: {line}",
            result.describe())
j = t.expect_json(0, "run", "two.yaml", "--set", "world.law=convex")
t.check(any("law convex" in text for text in j["warnings"]) and "errors" not in j,
        "warnings are in it", j.get("warnings"))
j = t.expect_json(1, "run", "two.yaml", "--set", "world.tol=1e-15", "--set", "world.max_sweeps=1",
                  "--set", "height=0")
t.check(j["status"] == "time" and any("missed" in text for text in j["errors"]),
        "and what went wrong", j.get("errors"))

t.finish()
