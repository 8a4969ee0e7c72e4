"""scree solve and scree certify on problems whose answers are known."""
import json
import os

from _checks import (ONE_CONTACT, ONE_CONTACT_CONVEX, ONE_CONTACT_EXACT, ONE_CONTACT_GLOBAL, Checks,
                     close, many_contacts, read_numbers, sanitized, write)

PROBLEM_KEYS = {"file", "format", "contacts", "rows", "width", "law"}
CERTIFICATE_KEYS = {"tol", "measure", "residual", "residual_siconos", "absolute_siconos",
                    "normal_violation", "cone_violation", "complementarity", "dissipation",
                    "worst_contact"}
SOLVE_KEYS = PROBLEM_KEYS | CERTIFICATE_KEYS | {"solver", "status", "iterations", "time_s",
                                                "fail_safe", "stages", "reactions", "active_rows", "rank",
                                                "unknowns", "determined", "hyperstatic"}

t = Checks()
write("one.dat", ONE_CONTACT)
write("global.dat", ONE_CONTACT_GLOBAL)
write("many.dat", many_contacts(12))

print("one contact")
table = t.expect(0, "solve", "one.dat", "-o", "one.txt")
t.check(close(read_numbers("one.txt"), ONE_CONTACT_EXACT), "p = (1, -1/2, 0)",
        read_numbers("one.txt"))
for label in ["file", "format", "contacts", "rows per contact", "law", "solver", "status",
              "residual", "residual_siconos", "iterations", "time", "reactions", "worst violations",
              "  normal velocity", "  cone", "  complementarity", "  worst contact",
              "dissipated energy", "  sliding", "  rolling", "  spinning"]:
    t.check(any(line.startswith(label) for line in table.out.splitlines()),
            f"the table has '{label}'", table.out)
t.check("3 (N T1 T2)" in table.out and "converged" in table.out, "rows and status are there")
t.check("\033" not in table.out and not table.err, "no colours, no progress line in a pipe")

print("the same as JSON")
found = t.expect_json(0, "solve", "one.dat")
t.check(SOLVE_KEYS <= found.keys(), "all keys are there", SOLVE_KEYS - found.keys())
t.check(found.get("file") == "one.dat" and found.get("contacts") == 1 and found.get("rows") == 3 and
        found.get("width") == 3 and found.get("law") == "exact", "it describes the problem", found)
t.check(found.get("status") == "converged" and found.get("measure") == "scree" and
        found.get("tol") == 1e-8 and 0 <= found.get("residual", 1) <= 1e-8, "it converged", found)
t.check(set(found.get("dissipation", {})) == {"sliding", "rolling", "spinning"},
        "dissipation has its channels", found)
# |y_T| = 1/2 over a tangential impulse of 1/2.
t.check(abs(found.get("dissipation", {}).get("sliding", 0.0) - 0.25) <= 1e-7,
        "sliding dissipates 1/4 J", found)

t.check(found.get("reactions") == "any" and found.get("hyperstatic") is False and
        (found.get("rank"), found.get("active_rows")) == (3, 3) and
        (found.get("determined"), found.get("unknowns")) == (1, 1), "its reactions are unique", found)
found = t.expect_json(0, "solve", "one.dat", "--reactions", "least", "-o", "least.txt")
t.check(found.get("reactions") == "least" and close(read_numbers("least.txt"), ONE_CONTACT_EXACT),
        "and the least ones are the same", found)
table = t.expect(0, "solve", "one.dat", "--reactions", "least")
t.check("unique: rank 3 of 3 active rows, 1 of 1 unknowns determined" in table.out and
        "least norm" in table.out, "the table says so", table.out)

print("contact by contact")
found = t.expect_json(0, "solve", "one.dat", "--contacts", "modes.csv")
t.check(found.get("modes", {}).get("slide") == 1 and sum(found["modes"].values()) == 1,
        "the contact slides", found)
t.check(0 <= found.get("bipotential", -1) <= 1e-9 and found.get("bipotential_contact") == 0,
        "its bipotential is zero", found)
t.check(open("modes.csv").read().splitlines()[1].startswith("0,slide,"), "the table says so")
# p = (2, -1/2, 0) presses too hard: y = (1, 1/2, 0), so (u_N + mu |u_T|) r_N - |u_T| |r_T| = 9/4 J.
write("hard.txt", "2 -0.5 0\n")
found = t.expect_json(1, "certify", "one.dat", "hard.txt", "--contacts", "hard.csv")
t.check(abs(found.get("bipotential", 0) - 2.25) <= 1e-12, "a wrong impulse has one", found)
t.check(t.run("certify", "one.dat", "hard.txt", "--contacts", "one.dat").code == 2,
        "the table does not replace the problem")

print("a mass between two walls")
sides = [[1, 0, 0, -1, 0, 0], [0, 1, 0, 0, 1, 0], [0, 0, 1, 0, 0, -1]]
sides += [[row[3], row[4], row[5], row[0], row[1], row[2]] for row in sides]
write("walls.dat", "3\n2\n0\n6\n6\n6 6\n" + "\n".join(" ".join(map(str, row)) for row in sides) +
      "\n0 1 0 0 1 0\n0.5 0.5\n")
found = t.expect_json(0, "info", "walls.dat", "--pointed", "--stress", "stress.txt")
t.check(found.get("pointed") == "no", "its cone is not pointed", found)
stress = read_numbers("stress.txt")
t.check(close([stress[0], stress[3]], [1.0, 1.0]) and
        all(abs(stress[k] + sign * stress[k + 3]) <= 1e-9 for k, sign in ((0, -1), (1, 1), (2, -1))),
        "both walls press alike and friction cancels", stress)
t.check(t.expect_json(0, "info", "one.dat", "--pointed").get("pointed") == "yes",
        "one contact is pointed")
t.check("pointed" not in t.expect_json(0, "info", "one.dat"), "nobody asked, nobody says")

print("options of methods")
found = t.expect_json(0, "solve", "one.dat", "--law", "convex")
t.check(abs(found.get("objective", 0) + 0.9) <= 1e-7, "the objective is -0.9 J", found)
for options in (["fixed-point", "--rho", "0.3"], ["extragradient", "--rho", "0.3"],
                ["nsgs", "--local", "projection"], ["channels", "--rho", "0.5", "--rho-slide", "0.7"],
                ["projected", "--rho", "0.9", "--relaxation", "0.8"], ["admm", "--rho", "2"],
                ["newton-dense", "--map", "natural"], ["newton-dense", "--map", "fischer-burmeister"]):
    t.expect(0, "solve", "one.dat", "--solver", *options, "-o", "option.txt")
    t.check(close(read_numbers("option.txt"), ONE_CONTACT_EXACT), " ".join(options),
            read_numbers("option.txt"))
t.expect_refusal("rho of auto", "solve", "one.dat", "--rho", "0.1", naming="it has no fixed rho")
t.expect_refusal("map of nsgs", "solve", "one.dat", "--solver", "nsgs", "--map", "natural",
                 naming="it has no choice of a map")

rolls = ["run", "rolling-sphere", "--until", "0.01", "--set", "world.tol=1e-8"]
found = t.expect_json(0, *rolls, "--set", "world.solver=projected", "--set", "world.rho=0.5")
t.check(found.get("measure", {}).get("steps_not_converged") == 0, "a scene takes them too", found)
t.check("it has no fixed rho" in t.run(*rolls, "--set", "world.rho=0.5").err, "and auto refuses them")

print("one load on two equal contacts")
rows = "\n".join(" ".join("1" if i % 3 == j % 3 else "0" for j in range(6)) for i in range(6))
write("twice.dat", f"3\n2\n0\n6\n6\n6 6\n{rows}\n-1 0 0 -1 0 0\n0.5 0.5\n")
write("first.txt", "1 0 0 0 0 0\n")
found = t.expect_json(0, "solve", "twice.dat", "--guess", "first.txt", "-o", "any.txt")
t.check(found.get("hyperstatic") is True and found.get("rank") == 3 and
        found.get("active_rows") == 6, "is not unique", found)
t.expect(0, "solve", "twice.dat", "--guess", "first.txt", "--reactions", "least", "-o", "half.txt")
t.check(close(read_numbers("any.txt"), [1, 0, 0, 0, 0, 0]) and
        close(read_numbers("half.txt"), [0.5, 0, 0, 0.5, 0, 0]), "any or the least",
        read_numbers("half.txt"))
table = t.expect(0, "solve", "twice.dat")
t.check("not unique: rank 3 of 6 active rows" in table.out, "the table says so", table.out)

print("laws")
for law, expected in [("exact", ONE_CONTACT_EXACT), ("convex", ONE_CONTACT_CONVEX),
                      ("coupled", ONE_CONTACT_CONVEX)]:
    found = t.expect_json(0, "solve", "one.dat", "--law", law, "-o", f"{law}.txt")
    t.check(found.get("law") == law, f"{law} is reported", found)
    t.check(close(read_numbers(f"{law}.txt"), expected), f"p = {expected}", read_numbers(f"{law}.txt"))

print("global form: solved in reduced form, certified as it stands in the file")
for law, expected in [("exact", ONE_CONTACT_EXACT), ("convex", ONE_CONTACT_CONVEX)]:
    found = t.expect_json(0, "solve", "global.dat", "--law", law, "-o", "global.txt")
    t.check(close(read_numbers("global.txt"), expected), f"{law}: p = {expected}",
            read_numbers("global.txt"))

print("certify")
found = t.expect_json(0, "certify", "one.dat", "one.txt")
t.check(PROBLEM_KEYS | CERTIFICATE_KEYS <= found.keys(), "all keys are there", found)
t.check(found.get("accepted") is True, "the answer is accepted", found)
t.expect(0, "certify", "global.dat", "one.txt")
found = t.expect_json(1, "certify", "one.dat", "convex.txt")
t.check(found.get("accepted") is False and found.get("residual", 0) > 1e-3,
        "the convex answer is none of the exact problem", found)
t.expect(0, "certify", "one.dat", "convex.txt", "--law", "convex")
t.expect(0, "certify", "one.dat", "convex.txt", "--tol", "10")
write("wrong.txt", "# comment\n1 0 0\n")
table = t.expect(1, "certify", "one.dat", "wrong.txt")
t.check("not accepted" in table.out, "and the table says so", table.out)
t.expect(1, "certify", "one.dat", "wrong.txt", "--measure", "siconos")

print("HDF5 impulses")
t.expect(0, "solve", "one.dat", "-o", "one.hdf5")
t.expect(0, "certify", "one.dat", "one.hdf5")

t.skip_leak_check()
print("many contacts: options reach the solver, and what is not converged is still reported")
found = t.expect_json(0, "solve", "many.dat", "--tol", "1e-6", "-o", "many.txt")
t.expect(0, "certify", "many.dat", "many.txt", "--tol", "1e-6")
t.check(found.get("iterations", 0) > 1, "more than one iteration was needed", found)
first = found.get("iterations", 0)
found = t.expect_json(0, "solve", "many.dat", "--tol", "1e-6", "--guess", "many.txt")
t.check(found.get("iterations", 0) < first, "fewer iterations from a good guess", found)
found = t.expect_json(1, "solve", "many.dat", "--tol=1e-14", "--max-iter=1", "-o", "rough.txt")
t.check(found.get("status") == "iteration limit", "status 'iteration limit'", found)
t.check(len(read_numbers("rough.txt")) == 36, "the best impulses were written")
found = t.expect_json(1, "solve", "many.dat", "--tol", "0", "--max-time", "0")
t.check(found.get("status") == "time limit", "status 'time limit'", found)
for sweep in ["forward", "symmetric", "shuffled"]:
    t.expect(0, "solve", "many.dat", "--tol", "1e-6", "--sweep", sweep, "--seed", "7")
found = t.expect_json(0, "solve", "many.dat", "--tol", "1e-6", "--measure", "siconos")
t.check(found.get("measure") == "siconos" and found.get("residual_siconos", 1) <= 1e-6,
        "the Siconos measure is met", found)
for solver in [s["name"] for s in t.expect_json(0, "solvers").get("solvers", [])]:
    if solver in ["nsgs-bodies", "nsgs-wide", "nsgs-wide-aa", "newton-dense", "channels", "proximal"]: # one.dat has no bodies, and the law is convex
        t.expect_refusal(solver, "solve", "one.dat", "--law", "convex", "--solver", solver,
                         naming=f"one.dat: solver {solver} does not fit: ")
        continue
    found = t.expect_json(0, "solve", "one.dat", "--law", "convex", "--solver", solver)
    t.check(solver == "auto" or found.get("solver") == solver, f"{solver} solves one contact", found)

print("velocities and history")
t.expect(0, "solve", "many.dat", "--tol", "1e-10", "-o", "p.txt", "--velocities", "v.txt",
         "--history", "h.csv")
p, v = read_numbers("p.txt"), read_numbers("v.txt")
t.check(len(v) == len(p) == 36, "a velocity for every impulse", v)
t.check(all(v[i] >= -1e-9 and abs(p[i] * v[i]) <= 1e-9 for i in range(0, 36, 3)),
        "contacts press or part", (p, v))
history = [line.split(",") for line in open("h.csv", encoding="utf-8").read().splitlines()]
t.check(history[0] == ["solver", "iterations", "time_s", "residual", "best"], "columns", history)
checks = history[1:]
best = [float(c[4]) for c in checks]
t.check(len(checks) >= 2 and checks[0][:2] == ["guess", "0"] and best[-1] <= 1e-10 and
        best == sorted(best, reverse=True), "from the guess to the answer", checks)
t.check(all(float(c[3]) >= float(c[4]) for c in checks) and
        [int(c[1]) for c in checks] == sorted(int(c[1]) for c in checks), "the best is the least")
t.expect_refusal("a history over its problem", "solve", "many.dat", "--history", "many.dat",
                 naming="many.dat")
t.check("measure             siconos\n" in t.expect(0, "solve", "many.dat", "--tol", "1e-6",
                                                    "--measure", "siconos").out, "the measure is named")

print("no solution: walls close in on a ball, and huge impulses have a small relative residual")
write("walls.dat", "3\n2\n0\n6\n6\n6 6\n1 0 0 -1 0 0\n0 1 0 0 0 0\n0 0 1 0 0 0\n-1 0 0 1 0 0\n"
      "0 0 0 0 1 0\n0 0 0 0 0 1\n-1 0 0 -1 0 0\n0.3\n0.3\n")
write("huge.txt", "1e9 0 0 1e9 0 0\n")
found = t.expect_json(1, "solve", "walls.dat", "--max-iter", "2000")
t.check(found.get("status") != "converged", "impulses do not converge", found)
found = t.expect_json(1, "solve", "walls.dat", "--guess", "huge.txt", "--tol", "1e-6")
t.check(found.get("status") == "no solution: contacts contradict each other" and
        found.get("residual", 0) > 1e-6, "huge impulses do not deceive", found)

print("every fixture")
fixtures = os.path.join(t.source, "tests", "fixtures")
for name in sorted(os.listdir(fixtures)):
    if name == "long_path.hdf5" and sanitized():
        continue  # unit.solvers.interior_path takes shorter ones
    if name.endswith((".dat", ".hdf5")):
        path = os.path.join(fixtures, name)
        found = t.expect_json(0, "solve", path, "--tol", "1e-9", "-o", "fixture.txt")
        t.check(found.get("status") == "converged", f"{name}: {found.get('format')}", found)
        t.expect(0, "certify", path, "fixture.txt", "--tol", "1e-9")

print("odd names")
odd = os.fsencode('a "b"\\\n\t') + b"\xff.dat"
write(odd, ONE_CONTACT)
result = t.run("solve", odd, "--json")
t.check(json.loads(result.out)["file"] == 'a "b"\\\n\t\ufffd.dat', "are escaped in JSON",
        result.describe())
write("-dash.dat", ONE_CONTACT)
t.expect(0, "solve", "--json", "--", "-dash.dat")

t.finish()
