#!/usr/bin/env python3
"""The table of docs/solvers.md: what each method of the papers takes on contact problems of scenes.

usage: tools/solver_table.py PROGRAM [--folder DIR] [--tol T]

Problems are steps of built-in scenes, written by `scree run --dump-problem`. An entry is the number of
iterations to the tolerance, a residual where 20,000 iterations or a stall end above it, or "-" where
the method is not for the problem. The last column is the processor time of an iteration over that of
a sweep of nsgs, on the second problem.
"""

import argparse
import json
import pathlib
import resource
import subprocess

MOST = 20000  # iterations
TIMED = 1     # the problem that times are taken on

PROBLEMS = [  # name, scene, step, settings
    ("sphere", "rolling-sphere", 100, []),
    ("60 spheres", "pile", 4000, ["count=60"]),
    ("60 spheres, convex", "pile", 4000, ["count=60", "world.law=convex"]),
    ("arch", "arch", 20, []),
    ("dominoes", "domino", 100, []),
    ("grooves", "disc-on-grooves", 100, []),
]

METHODS = [  # options of scree solve
    ["nsgs"],
    ["nsgs", "--local", "projection"],
    ["nsgs", "--local", "projection", "--rho", "0.5"],
    ["fixed-point"],
    ["fixed-point", "--rho", "0.1"],
    ["extragradient"],
    ["extragradient", "--rho", "0.1"],
    ["channels"],
    ["channels", "--rho", "0.1"],
    ["proximal"],
    ["proximal", "--rho", "0.1"],
    ["projected"],
    ["projected", "--rho", "0.5", "--relaxation", "0.9"],
    ["apgd"],
    ["admm"],
    ["admm", "--rho", "1"],
    ["newton-dense"],
    ["newton-dense", "--map", "natural"],
    ["newton-dense", "--map", "fischer-burmeister"],
    ["newton-prox"],
    ["interior"],
]


def dump(program, folder, name, scene, step, settings):
    path = folder / f"{name.replace(' ', '-').replace(',', '')}.hdf5"
    command = [program, "run", scene, "--dump-problem", str(step), "--dump-to", str(path), "--json"]
    for setting in settings:
        command += ["--set", setting]
    subprocess.run(command + ["--until", "5"], check=False, capture_output=True)
    return path


def user_time():
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime


def solve(program, path, method, tol, law, most=MOST):
    """What the program says, with the processor time of the whole run; None where it refuses."""
    command = [program, "solve", str(path), "--solver", *method, "--tol", str(tol), "--max-iter",
               str(most), "--json", *law]
    before = user_time()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = json.loads(done.stdout) if done.stdout else {}
    found["user_s"] = user_time() - before
    return found if "iterations" in found else None


def pace(program, path, method, tol, law, found):
    """Processor time of an iteration: without that of reading the problem; None where it is too short
    to tell."""
    short = solve(program, path, method, tol, law, 1)
    spent = found["user_s"] - short["user_s"]
    return spent / found["iterations"] if spent > 0.1 else None


def entry(result):
    if result is None:
        return "-"
    return str(result["iterations"]) if result["status"] == "converged" else f"{result['residual']:.0e}"


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("build/solver-table"))
    parser.add_argument("--tol", type=float, default=1e-6)
    o = parser.parse_args()
    o.folder.mkdir(parents=True, exist_ok=True)
    paths = [dump(o.program, o.folder, *problem) for problem in PROBLEMS]
    laws = [["--law", "convex"] if "convex" in name else [] for name, *_ in PROBLEMS]
    counts = [solve(o.program, path, ["nsgs"], o.tol, law) for path, law in zip(paths, laws)]
    heads = [f"{name} ({one['contacts']})" for (name, *_), one in zip(PROBLEMS, counts)]
    print("| method | " + " | ".join(heads) + " | time |\n|" + "---|" * (len(heads) + 2))
    sweep = pace(o.program, paths[TIMED], ["nsgs"], 0.0, laws[TIMED],
                 solve(o.program, paths[TIMED], ["nsgs"], 0.0, laws[TIMED]))
    for method in METHODS:
        found = [solve(o.program, path, method, o.tol, law) for path, law in zip(paths, laws)]
        timed = solve(o.program, paths[TIMED], method, 0.0, laws[TIMED])
        own = timed and pace(o.program, paths[TIMED], method, 0.0, laws[TIMED], timed)
        ratio = f"{own / sweep:.2g}" if own and sweep else "-"
        print(f"| `{' '.join(method)}` | " + " | ".join(map(entry, found)) + f" | {ratio} |",
              flush=True)


main()
