#!/usr/bin/env python3
"""Gauss-Seidel on contact problem files: Scree beside Siconos, in one run, one thread each.

usage: ./dev bench problems [DIR] [--tol T] [--limit SECONDS] [--repeat N] [--csv FILE]

DIR is searched for problem files (default: ../shared/problems). Both solvers stop on Siconos's own
error. Times are of the solve alone, without reading, the least of several repetitions; what counts
are the ratios. Where python3-siconos is not installed, Scree runs alone.
"""

import argparse
import csv
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

DEBIAN_PYTHON = "/usr/bin/python3"  # the interpreter that Debian's packages belong to
LEAST_CONTACTS = 20  # smaller problems are shown but do not enter the mean


def siconos_worker(path, width, rolling, tol, repeat):
    """Runs in a process of its own, so that a time limit can end it."""
    import time

    import numpy
    import siconos.numerics as sn

    if rolling:
        read, driver = sn.rollingFrictionContact_new_from_filename, sn.rolling_fc3d_driver
        solver = sn.SICONOS_ROLLING_FRICTION_3D_NSGS
    elif width == 2:
        read, driver = sn.frictionContact_new_from_filename, sn.fc2d_driver
        solver = sn.SICONOS_FRICTION_2D_NSGS
    else:
        read, driver = sn.frictionContact_new_from_filename, sn.fc3d_driver
        solver = sn.SICONOS_FRICTION_3D_NSGS
    problem = read(path)
    size = problem.dimension * problem.numberOfContacts
    best = None
    for _ in range(repeat):
        options = sn.SolverOptions(solver)
        options.dparam[sn.SICONOS_DPARAM_TOL] = tol
        options.iparam[sn.SICONOS_IPARAM_MAX_ITER] = 1000000
        reaction, velocity = numpy.zeros(size), numpy.zeros(size)
        begin = time.perf_counter()
        status = driver(problem, reaction, velocity, options)
        elapsed = time.perf_counter() - begin
        if best is None or elapsed < best["time_s"]:
            best = {
                "solved": status == 0,
                "time_s": elapsed,
                "iterations": int(options.iparam[sn.SICONOS_IPARAM_ITER_DONE]),
                "residual": float(options.dparam[sn.SICONOS_DPARAM_RESIDU]),
            }
        if elapsed > 1.0:
            break
    print("RESULT " + json.dumps(best))


def run_siconos(path, info, tol, limit, repeat):
    """None where Siconos has no solver for the problem or does not end in time."""
    command = [DEBIAN_PYTHON, __file__, "--worker", str(path), str(info["width"]),
               str(int(info["width"] == 5)), repr(tol), str(repeat)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return {"solved": False, "time_s": math.inf}
    for line in done.stdout.splitlines():
        if line.startswith("RESULT "):
            return json.loads(line[len("RESULT "):])
    return None


def run_scree(scree, path, tol, limit, repeat):
    command = [scree, "solve", str(path), "--solver", "nsgs", "--measure", "siconos", "--tol",
               repr(tol), "--max-iter", "1000000", "--max-time", str(limit), "--json"]
    best = None
    for _ in range(repeat):
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode == 2:
            return None
        result = json.loads(done.stdout)
        if best is None or result["time_s"] < best["time_s"]:
            best = result
        if result["time_s"] > 1.0:
            break
    return best


def has_siconos():
    if not os.path.exists(DEBIAN_PYTHON):
        return False
    check = [DEBIAN_PYTHON, "-c", "import siconos.numerics"]
    return subprocess.run(check, capture_output=True).returncode == 0


def text_copy(scree, path, folder):
    """Siconos's Python module reads text only, and not every solver takes every storage."""
    copy = pathlib.Path(folder) / (path.name + ".dat")
    subprocess.run([scree, "convert", str(path), str(copy)], check=True, capture_output=True)
    return copy


def compare(scree, path, peer, options, folder):
    ours = run_scree(scree, path, options.tol, options.limit, options.repeat)
    if ours is None or ours["width"] == 1:  # unreadable or empty; an LCP is not a friction problem
        return None
    theirs = None
    if peer and "lobal" not in ours["format"]:
        if path.suffix == ".dat":
            theirs = run_siconos(path, ours, options.tol, options.limit, options.repeat)
        if theirs is None:
            theirs = run_siconos(text_copy(scree, path, folder), ours, options.tol, options.limit,
                                 options.repeat)
    row = {
        "problem": path.name,
        "contacts": ours["contacts"],
        "width": ours["width"],
        "scree": ours["status"],
        "scree_s": ours["time_s"],
        "scree_sweeps": ours["iterations"],
        "residual": ours["residual_siconos"],
    }
    if theirs:
        row["siconos"] = "converged" if theirs["solved"] else "not converged"
        row["siconos_s"] = theirs["time_s"]
        row["siconos_sweeps"] = theirs.get("iterations")
        if theirs["solved"] and ours["status"] == "converged":
            row["ratio"] = ours["time_s"] / max(theirs["time_s"], 1e-9)
    return row


def show(row):
    text = "%-46s %6d %2d  %-13s %9.5f %7d %8.1e" % (
        row["problem"][:46], row["contacts"], row["width"], row["scree"], row["scree_s"],
        row["scree_sweeps"], row["residual"])
    if "siconos" in row:
        text += "  %-13s %9.5f" % (row["siconos"], row["siconos_s"])
    if "ratio" in row:
        text += " %7.3f" % row["ratio"]
    print(text, flush=True)


def summary(rows, tol):
    solved = sum(row["scree"] == "converged" for row in rows)
    print("\nscree nsgs solved %d of %d problems at %g" % (solved, len(rows), tol))
    missed = [row["problem"] for row in rows
              if row.get("siconos") == "converged" and row["scree"] != "converged"]
    both = [row for row in rows if "ratio" in row and row["contacts"] >= LEAST_CONTACTS]
    if not any("siconos" in row for row in rows):
        print("python3-siconos is not installed: no comparison")
        return
    print("solved by Siconos's NSGS but not by ours: %s" % (", ".join(missed) or "none"))
    if both:
        mean = math.exp(sum(math.log(row["ratio"]) for row in both) / len(both))
        faster = sum(row["ratio"] < 1.0 for row in both)
        print("time ratio scree / siconos over %d problems with %d contacts or more: "
              "geometric mean %.3f, ours the faster on %d" %
              (len(both), LEAST_CONTACTS, mean, faster))


def main():
    if len(sys.argv) > 1 and sys.argv[1] == "--worker":
        path, width, rolling, tol, repeat = sys.argv[2:]
        siconos_worker(path, int(width), rolling == "1", float(tol), int(repeat))
        return 0
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("scree")
    parser.add_argument("folder", nargs="?", default="../shared/problems")
    parser.add_argument("--tol", type=float, default=1e-4)
    parser.add_argument("--limit", type=float, default=60.0)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--csv")
    options = parser.parse_args()
    files = sorted(p for p in pathlib.Path(options.folder).rglob("*")
                   if p.suffix in (".dat", ".hdf5", ".h5"))
    if not files:
        print("no problem files in %s" % options.folder, file=sys.stderr)
        return 2
    os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"
    peer = has_siconos()
    print("%-46s %6s %2s  %-13s %9s %7s %8s  %-13s %9s %7s" %
          ("problem", "cont.", "w", "scree", "s", "sweeps", "error", "siconos", "s", "ratio"))
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for path in files:
            row = compare(options.scree, path, peer, options, folder)
            if row:
                rows.append(row)
                show(row)
    summary(rows, options.tol)
    if options.csv:
        fields = ["problem", "contacts", "width", "scree", "scree_s", "scree_sweeps", "residual",
                  "siconos", "siconos_s", "siconos_sweeps", "ratio"]
        with open(options.csv, "w", newline="") as out:
            writer = csv.DictWriter(out, fields)
            writer.writeheader()
            writer.writerows(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
