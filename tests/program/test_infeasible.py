"""No solution is an outcome: the same from scree run, solve and certify, with the bodies' names."""
import json
import os

from _checks import Checks, read_numbers, write

t = Checks()


def scene(name):
    return os.path.join(t.source, "tests", "fixtures", "scenes", name)


def run(code, *arguments):
    """The object that scree run prints, and what it says beside it."""
    result = t.expect(code, "run", *arguments, "--json")
    try:
        return json.loads(result.out), result.err
    except ValueError:
        t.check(False, "JSON parses", result.describe())
        return {"measure": {}, "no_solution": [], "final": {"bodies": []}}, result.err


def places(found):
    return {body["name"]: body["position"] for body in found["final"]["bodies"]}


# Contacts 0 and 1 hold a mass from both sides and approach; contact 2, of another mass, is solvable:
# p = (1/2, 0, 0), since W = 2 and q_N = -1.
def squeezed(approach):
    rows = [[0] * 9 for _ in range(9)]
    for c in range(2):
        for d in range(2):
            for i in range(3):
                rows[3 * c + i][3 * d + i] = -1 if i == 0 and c != d else 1
    for i in range(3):
        rows[6 + i][6 + i] = 2
    text = "\n".join(" ".join(map(str, row)) for row in rows)
    return f"3\n3\n0\n9\n9\n9 9\n{text}\n-{approach} 0 0 -{approach} 0 0 -1 0 0\n0.3 0.3 0.3\n"


print("problem files")
for approach in ("1", "0.001"):
    write("squeezed.dat", squeezed(approach))
    for tol in ("1e-4", "1e-8", "1e-12"):
        for measure in ("scree", "siconos", "local"):
            found = t.expect_json(1, "solve", "squeezed.dat", "--tol", tol, "--measure", measure,
                                  "-o", "p.txt")
            proof = found.get("infeasible") or {}
            p = read_numbers("p.txt")
            t.check(found.get("status", "").startswith("no solution") and
                    proof.get("contacts") == 2 and proof.get("bound", 0) > 1e9 and
                    abs(proof.get("approach", 0) - float(approach)) <= 1e-12 and
                    found.get("residual_of_rest", 1) <= float(tol), "no solution, with a proof", found)
            t.check(len(p) == 9 and abs(p[6] - 0.5) <= float(tol) and max(map(abs, p)) <= 100,
                    "the rest is solved, impulses are bounded", p)
    for size in ("1e4", "1e8", "1e16", "1e100"):
        write("grown.txt", f"{size} 0 0 {size} 0 0 0.5 0 0\n")
        found = t.expect_json(1, "certify", "squeezed.dat", "grown.txt", "--tol", "1e-4")
        t.check(found.get("accepted") is False and (found.get("infeasible") or {}).get("contacts") == 2,
                f"impulses of {size} are refused", found)
table = t.expect(1, "solve", "squeezed.dat")
t.check("no solution" in table.out and "2 contacts press on each other in vain" in table.out,
        "the table says so", table.out)
write("fixed.dat", "3\n1\n0\n3\n3\n3 3\n0 0 0\n0 0 0\n0 0 0\n-1 0 0\n0.5\n")
found = t.expect_json(1, "solve", "fixed.dat")
t.check((found.get("infeasible") or {}).get("approach") == 1, "nor where nothing can move", found)

print("a gate in a wall")
found, said = run(0, scene("gate.yaml"))
t.check(not found["no_solution"] and not said, "two bodies that cannot respond make no contact", said)
t.check(found["measure"].get("steps_not_converged") == 0, "no step is missed", found["measure"])
lowest = min([z for name, (_, _, z) in places(found).items() if name.startswith("grain")] or [0])
t.check(lowest >= 0.0199, "grains stay on the floor", lowest)

print("jaws that close too far")
for scheme in ("impulse", "gap"):
    found, said = run(1, scene("jaws.yaml"), "--set", f"world.scheme={scheme}")
    names = [set(conflict["bodies"]) for conflict in found["no_solution"]]
    t.check({"ball", "left"} in names and {"ball", "right"} in names and len(names) == 2,
            f"{scheme}: the three are named", names)
    ball, free = (places(found).get(name, [9, 9, 9]) for name in ("ball", "free"))
    t.check(abs(ball[0]) <= 1e-3 and abs(ball[2] - 0.07) <= 1e-3, f"{scheme}: the ball is lifted", ball)
    t.check(abs(free[1] - 1) <= 1e-9 and abs(free[2] - 0.05) <= 1e-4, f"{scheme}: the other rolls",
            free)

print("heavy on light")
for ratio in ("1e4", "1e6", "1e8"):
    found, said = run(0, scene("heavy.yaml"), "--set", f"ratio={ratio}")
    light, heavy = (places(found).get(name, [9, 9, 9]) for name in ("light", "heavy"))
    off = max(abs(x - x0) for x, x0 in zip(light + heavy, [0, 0, 0.1, 0.01, -0.02, 0.3]))
    t.check(off <= 1e-6, f"ratio {ratio}: both stay where they are", (light, heavy))

t.finish()
