"""Help texts, versions, and misspelt verbs and options."""
import re

from _checks import Checks

t = Checks()
t.expect(0, "solvers", "--json")
t.skip_leak_check()
VERBS = ["run", "scenes", "view", "export", "repose", "solve", "certify", "convert", "solvers", "info",
         "bench", "version", "stability", "identify", "foundation", "lcp", "rockfall"]

print("scree alone and scree --help list the verbs")
alone = t.expect(0)
asked = t.expect(0, "--help")
t.check(alone.out == asked.out and not alone.err, "both say the same")
for verb in VERBS:
    t.check(re.search(rf"^  {verb}\s+\w", asked.out, re.M), f"{verb} is listed with a summary")

print("every verb explains itself")
for verb in VERBS + ["bench packing", "bench problems", "bench sweep", "foundation force",
                     "foundation bifurcation", "foundation noise"]:
    result = t.expect(0, *verb.split(), "--help")
    t.check(result.out.startswith(f"usage: scree {verb}"), "it begins with the usage")
    t.check(re.search(rf"^example:\n  scree ({verb}|run|solve)\b", result.out, re.M),
            "it shows an example", result.out)
    t.check("exit code: 0 " in result.out, "it names the exit codes")
    t.check(all(len(line) <= 110 for line in result.out.splitlines()), "its lines are short",
            result.out)
    t.check("--json" in result.out, "it offers --json")
    t.check(not result.err, "it is silent on stderr")

print("options come with their defaults")
text = t.run("solve", "--help").out
for option in ["solver", "law", "tol", "measure", "max-iter", "max-time", "sweep", "seed", "guess",
               "output"]:
    t.check(re.search(rf"--{option} \w+ .*\(default: .+\)$", text, re.M), f"--{option}", text)
t.check("default: 1e-08" in text and "default: 100000" in text, "as the library has them")
t.check(t.run("solve", "--tol", "0.5", "--help").out == text, "whatever else was asked for")
text = t.run("run", "--help").out
t.check(text.startswith("usage: scree run [SCENE] [options]\n"), "arguments that may be left out", text)
for option in ["output", "workers", "until", "checkpoint", "dump-problem", "dump-to"]:
    t.check(re.search(rf"--{option} \S+ .*\(default: .+\)$", text, re.M), f"--{option}", text)
for option, unit in [("until", "seconds"), ("checkpoint", "seconds")]:
    t.check(re.search(rf"--{option} .*{unit}", text), f"--{option} names its unit")

print("misspelt words are met with a suggestion")
for arguments, suggestion in [
        (["sovle"], "'solve'"), (["rnu"], "'run'"), (["sol"], "'solve'"), (["versoin"], "'version'"),
        (["--hlep"], ""), (["frobnicate"], "scree --help"),
        (["solve", "x.dat", "--tlo", "1"], "'--tol'"), (["solve", "x.dat", "--tlo=1"], "'--tol'"),
        (["solve", "x.dat", "-tol", "1"], "'--tol'"), (["solve", "x.dat", "--sovler"], "'--solver'"),
        (["solve", "x.dat", "--frobnicate"], "--help"), (["solve", "x.dat", "-z"], "'-z'"),
        (["info", "x.dat", "--jsn"], "'--json'")]:
    t.expect_refusal(" ".join(arguments), *arguments, naming=suggestion)

print("version and solvers")
version = t.expect(0, "version")
t.check(re.fullmatch(r"scree \d+\.\d+\.\d+\n", version.out), "scree version: " + version.out.strip())
t.check(t.run("--version").out == version.out, "scree --version says the same")
as_json = t.expect_json(0, "version")
t.check(f"scree {as_json.get('version')}\n" == version.out, "and so does --json")
listed = t.expect(0, "solvers").out
solvers = t.expect_json(0, "solvers").get("solvers", [])
t.check(solvers, "there are solvers")
t.check(len(listed.splitlines()) == 2 * len(solvers), "two lines each")
for solver in solvers:
    t.check(solver["name"] in listed and solver["summary"] in listed, f"{solver['name']} is listed")

t.finish()
