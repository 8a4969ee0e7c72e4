"""Numbers of docs/papers: commands of the pages print what stands beside them."""
import os
import re

from _checks import Checks, sanitized

t = Checks()
pages = {}
for n in range(1, 6):
    with open(os.path.join(t.source, "docs", "papers", f"paper{n}.md"), encoding="utf-8") as file:
        pages[n] = file.read()
P = os.path.join(t.source, "tests", "fixtures", "pile.hdf5")

print("what the pages name is there")
for n, page in pages.items():
    paths = [f"tests/unit/{room}/test_{name}.c"
             for room, name in re.findall(r"unit\.(\w+)\.(\w+)", page)]
    paths += [f"tests/program/test_{name}.py" for name in re.findall(r"program\.(\w+)", page)]
    paths += [f"docs/papers/{link}" for link in re.findall(r"\]\(([^)#]+)", page)]
    lost = sorted({path for path in paths if not os.path.exists(os.path.join(t.source, path))})
    t.check(paths and not lost, f"paper{n}.md: {len(paths)} tests, pictures and pages", lost)


def says(page, text):
    """Whether a page has the words, so that numbers here and there cannot go apart."""
    t.check(text in pages[page], f"paper{page}.md says '{text}'")


def expect_iterations(page, text, numbers, *runs):
    """Each of the runs on P takes as many iterations as the page says; a method that comes to its
    tolerance by another path of rounding may take one step more or less."""
    says(page, text)
    for number, arguments in zip(numbers, runs):
        found = t.expect_json(0, "solve", P, *arguments)
        t.check(abs(found.get("iterations", -1) - number) <= max(1, number // 50),
                f"{number} iterations", found.get("iterations"))


print("paper 1: the problem P")
found = t.expect_json(0, "solve", P, "--tol", "1e-12")
says(1, "33 contacts")
says(1, "4.54e-7 J by sliding, 3.80e-6 J by rolling")
t.check(found.get("contacts") == 33, "33 contacts", found.get("contacts"))
t.check(abs(found["dissipation"]["sliding"] - 4.54e-7) < 0.5e-9 and
        abs(found["dissipation"]["rolling"] - 3.80e-6) < 0.5e-8, "dissipation", found["dissipation"])
t.check(found["normal_violation"] <= 2e-13, "normal velocities to rounding", found)
expect_iterations(1, "P: 12 sweeps and steps of `auto`", [12], [])
expect_iterations(1, "P: 26 sweeps", [26], ["--solver", "nsgs"])
expect_iterations(1, "P: 27 sweeps", [27], ["--solver", "nsgs", "--local", "projection"])
expect_iterations(1, "P: 140 and 300 iterations (620 and 640 with `--rho 0.2`)",
                  [140, 300, 620, 640], ["--solver", "fixed-point"], ["--solver", "extragradient"],
                  ["--solver", "fixed-point", "--rho", "0.2"],
                  ["--solver", "extragradient", "--rho", "0.2"])
expect_iterations(1, "P: 13, 60 and 24 steps", [13, 60, 24], ["--solver", "interior"],
                  ["--solver", "apgd"], ["--solver", "newton-prox"])
expect_iterations(1, "P: 140 iterations", [140], ["--solver", "admm"])

print("paper 2: the same under its law, and the disc")
expect_iterations(2, "P: 17 sweeps and steps", [17], ["--law", "convex"])
says(2, "objective -1.60979383e-5 J by `auto` and by (46)")
for method in ["auto", "projected"]:
    found = t.expect_json(0, "solve", P, "--law", "convex", "--solver", method)
    t.check(abs(found["objective"] + 1.60979383e-5) < 1e-13, method, found["objective"])


def number_in(tree, key):
    """The first number with this key, at whatever depth."""
    if isinstance(tree, dict):
        if isinstance(tree.get(key), (int, float)):
            return tree[key]
        tree = list(tree.values())
    for part in tree if isinstance(tree, list) else []:
        inside = number_in(part, key)
        if inside is not None:
            return inside
    return None


def expect_measure(page, text, key, value, *arguments):
    says(page, text)
    found = number_in(t.expect_json(0, "run", *arguments, "--workers", "1"), key)
    t.check(found is not None and abs(found - value) <= 0.5e-6, f"{key} {value}", found)


expect_measure(2, "exact law 3.566430 m", "distance", 3.566430, "rolling-disc")
expect_measure(2, "convex 3.566667 m", "distance", 3.566667, "rolling-disc", "--set",
               "world.law=convex", "--set", "world.scheme=gap")

print("papers 3 and 5: studies")


def expect_text(page, text, pattern, *arguments):
    """The page says `text`, and the command prints a line that matches."""
    says(page, text)
    out = t.expect(0, *arguments).out
    t.check(re.search(pattern, out, re.MULTILINE) is not None, f"it prints {pattern}", out)


expect_text(3, "44.105835 to 75.894165 degrees", r"^unstable phi +44\.105835 to 75\.894165 degrees",
            "stability", "belt")
expect_text(3, "17.114433 to 72.885567 degrees", r"17\.114433 degrees\n +72\.885567 degrees",
            "stability", "belt", "--set", "zeta=30")
expect_text(3, "at 50 degrees D has -4.805 and 4.041, G 4.407 N s/m",
            r"eigenvalues -4\.805 and 4\.041", "stability", "belt")
expect_text(3, "2.196 mm/s for ever", r"creeps with 0\.002195\d* m/s for ever", "stability", "creep")
expect_text(5, "folds 1.833347 and 2.156724 degrees", r"1\.833347\d* degrees[^\n]*\n +2\.156724",
            "foundation", "bifurcation")
expect_text(5, "lower fold 1.726757 degrees", r"^folds +1\.726756\d*", "foundation", "bifurcation",
            "--model", "printed")
expect_text(5, "barrier of 0.362 N/s", r"unstable +0\.3617", "foundation", "potential")
if not sanitized():
    expect_text(3, "onset v = 0.683556 m/s", r"v = 0\.683556 by eigenvalue", "stability", "stribeck")
    expect_text(3, "(0.165172, 0.140953) m", r"0\.165172 m across, 0\.140953 m along", "run",
                "sliding-disc", "--set", "law=extended")

t.finish()
