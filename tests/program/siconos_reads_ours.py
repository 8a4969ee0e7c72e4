"""Siconos 4.4 reads what `scree convert` writes, and agrees with `scree certify` on its own residual.

Called as `python3 siconos_reads_ours.py PROGRAM SOURCE_FOLDER`. Exit code 77 (skipped) where Siconos
or the collection of problems is missing.
"""
import ctypes
import json
import math
import os
import pathlib
import random
import sys

SYSTEM_PYTHON = "/usr/bin/python3"
SKIPPED = 77


def skip(reason):
    print("skipped: " + reason)
    sys.exit(SKIPPED)


def import_siconos():
    """The module, from this interpreter or else from the system's, which sees system packages."""
    try:
        import siconos.numerics
        return siconos.numerics
    except ImportError:
        if os.environ.get("SCREE_SICONOS_TRIED") or not os.path.exists(SYSTEM_PYTHON):
            skip("the Python module siconos.numerics is not installed")
        os.environ["SCREE_SICONOS_TRIED"] = "1"
        os.execv(SYSTEM_PYTHON, [SYSTEM_PYTHON, "-B"] + sys.argv)


numerics = import_siconos()

from _checks import Checks, cases  # noqa: E402  (after the interpreter has been settled)

# ---- Siconos's C library: its Python face cannot show sparse matrices without SciPy -------------

REALS = ctypes.POINTER(ctypes.c_double)
MATRIX = ctypes.c_void_p


def structure(name, *fields):
    return type(name, (ctypes.Structure,), {"_fields_": list(fields)})


SIZES = (("dimension", ctypes.c_int), ("contacts", ctypes.c_int))
Friction = structure("Friction", *SIZES, ("M", MATRIX), ("q", REALS), ("mu", REALS))
Rolling = structure("Rolling", *SIZES, ("M", MATRIX), ("q", REALS), ("mu", REALS), ("mu_r", REALS))
GlobalFriction = structure("GlobalFriction", *SIZES, ("M", MATRIX), ("H", MATRIX), ("q", REALS),
                           ("norm_q", ctypes.c_double), ("b", REALS), ("norm_b", ctypes.c_double),
                           ("mu", REALS), ("env", ctypes.c_void_p))
GlobalRolling = structure("GlobalRolling", *SIZES, ("M", MATRIX), ("H", MATRIX), ("q", REALS),
                          ("b", REALS), ("mu", REALS), ("mu_r", REALS))
Lcp = structure("Lcp", ("contacts", ctypes.c_int), ("M", MATRIX), ("q", REALS))
MatrixHead = structure("MatrixHead", ("storage", ctypes.c_int), ("rows", ctypes.c_int),
                       ("columns", ctypes.c_int))


def load_library():
    """The library that the Python module has just brought into this process."""
    with open("/proc/self/maps", encoding="utf-8") as maps:
        paths = {line.split()[-1] for line in maps if "libsiconos_numerics.so" in line}
    if not paths:
        skip("libsiconos_numerics is not to be found in this process")
    library = ctypes.CDLL(paths.pop())
    library.NM_get_value.restype = ctypes.c_double
    library.NM_get_value.argtypes = [MATRIX, ctypes.c_int, ctypes.c_int]
    library.solver_options_create.restype = ctypes.c_void_p
    for name in ("fc3d_compute_error", "rolling_fc3d_compute_error", "rolling_fc2d_compute_error"):
        getattr(library, name).argtypes = [ctypes.c_void_p, REALS, REALS, ctypes.c_double,
                                           ctypes.c_void_p, ctypes.c_double, REALS]
    library.fc2d_compute_error.argtypes = [ctypes.c_void_p, REALS, REALS, ctypes.c_double,
                                           ctypes.c_double, REALS]
    library.gfc3d_compute_error.argtypes = [ctypes.c_void_p, REALS, REALS, REALS, ctypes.c_double,
                                            ctypes.c_void_p, ctypes.c_double, ctypes.c_double,
                                            REALS]
    library.lcp_compute_error.argtypes = [ctypes.c_void_p, REALS, REALS, ctypes.c_double, REALS]
    return library


LIBRARY = load_library()
TOLERANCE = 1e-8  # Siconos compares with it, which changes nothing here


def norm(values):
    return math.sqrt(sum(v * v for v in values))


class Problem:
    """A problem as Siconos has read it. `kind` is a key of KINDS."""

    def __init__(self, kind, path):
        self.kind = kind
        structure_of, reader, self.measure, self.solver = KINDS[kind]
        function = getattr(LIBRARY, reader)
        name = str(path).encode()
        if structure_of is Lcp:
            self.c = Lcp()
            function(ctypes.byref(self.c), name)
        else:
            function.restype = ctypes.POINTER(structure_of)
            self.c = function(name).contents
        self.width = getattr(self.c, "dimension", 1)
        self.rows = self.width * self.c.contacts
        self.dofs = self.size("M")[0]

    def has(self, name):
        return hasattr(self.c, name)

    def size(self, matrix):
        head = ctypes.cast(getattr(self.c, matrix), ctypes.POINTER(MatrixHead)).contents
        return head.rows, head.columns

    def entry(self, matrix, i, j):
        return LIBRARY.NM_get_value(getattr(self.c, matrix), i, j)

    def vector(self, name):
        length = {"mu": self.c.contacts, "mu_r": self.c.contacts, "b": self.rows,
                  "q": self.dofs if self.has("H") else self.rows}[name]
        return getattr(self.c, name)[:length]

    def residual(self, impulses):
        """Siconos's own error, or None where 4.4 exports none for this kind."""
        if not self.measure:
            return None
        r, u = (ctypes.c_double * self.rows)(*impulses), (ctypes.c_double * self.rows)()
        error = ctypes.c_double(math.nan)
        options = LIBRARY.solver_options_create(getattr(numerics, self.solver)) if self.solver else None
        function = getattr(LIBRARY, self.measure)
        problem, norm_q = ctypes.byref(self.c), norm(self.vector("q"))
        if self.kind == "lcp":
            function(problem, r, u, TOLERANCE, ctypes.byref(error))
        elif self.kind == "friction 2d":
            function(problem, r, u, TOLERANCE, norm_q, ctypes.byref(error))
        elif self.kind == "global friction 3d":
            v = (ctypes.c_double * self.dofs)()
            LIBRARY.globalFrictionContact_computeGlobalVelocity(problem, r, v)
            function(problem, r, u, v, TOLERANCE, options, norm_q, norm(self.vector("b")),
                     ctypes.byref(error))
        else:
            function(problem, r, u, TOLERANCE, options, norm_q, ctypes.byref(error))
        return error.value


# kind: structure, reader, error function, solver whose options it wants
KINDS = {
    "friction 2d": (Friction, "frictionContact_new_from_filename", "fc2d_compute_error", None),
    "friction 3d": (Friction, "frictionContact_new_from_filename", "fc3d_compute_error",
                    "SICONOS_FRICTION_3D_NSGS"),
    "rolling 2d": (Rolling, "rollingFrictionContact_new_from_filename",
                   "rolling_fc2d_compute_error", "SICONOS_ROLLING_FRICTION_2D_NSGS"),
    "rolling 3d": (Rolling, "rollingFrictionContact_new_from_filename",
                   "rolling_fc3d_compute_error", "SICONOS_ROLLING_FRICTION_3D_NSGS"),
    "global friction 2d": (GlobalFriction, "globalFrictionContact_new_from_filename", None, None),
    "global friction 3d": (GlobalFriction, "globalFrictionContact_new_from_filename",
                           "gfc3d_compute_error", "SICONOS_GLOBAL_FRICTION_3D_NSGS_WR"),
    "global rolling 2d": (GlobalRolling, "globalRollingFrictionContact_new_from_filename", None,
                          None),
    "global rolling 3d": (GlobalRolling, "globalRollingFrictionContact_new_from_filename", None,
                          None),
    "lcp": (Lcp, "linearComplementarity_newFromFilename", "lcp_compute_error", None),
}

# ---- what to look at ----------------------------------------------------------------------------

# Siconos looks entries up one by one, and tests should not take minutes.
MAX_BYTES = 2_000_000
MAX_ENTRIES = 40_000

FOLDERS = {"fc3d": "friction 3d", "rfc3d": "rolling 3d", "gfc3d": "global friction 3d",
           "grfc3d": "global rolling 3d", "lcp": "lcp"}
FIXTURES = {"friction2d": "friction 2d", "friction3d": "friction 3d", "rolling": "rolling 3d",
            "planar_rolling": "rolling 2d", "global2d": "global friction 2d",
            "global3d": "global friction 3d", "global_planar": "global rolling 2d",
            "global_rolling": "global rolling 3d", "lcp": "lcp"}


def kind_of_hdf5(path):
    bytes_of_file = path.read_bytes()
    for group, kind in ((b"fclib_global_rolling\0", "global rolling 3d"),
                        (b"fclib_global\0", "global friction 3d"),
                        (b"fclib_local_rolling\0", "rolling 3d"),
                        (b"fclib_local\0", "friction 3d")):
        if group in bytes_of_file:
            return kind
    return None


def kind_of(path):
    if path.suffix == ".hdf5":
        return kind_of_hdf5(path)
    if path.parent.name == "fc2d":
        return "global friction 2d" if path.name.startswith("gfc2d") else "friction 2d"
    if path.parent.name == "fixtures":
        matches = [key for key in FIXTURES if path.name.startswith(key)]
        return FIXTURES[max(matches, key=len)] if matches else None
    return FOLDERS.get(path.parent.name)


def find_problems(source):
    fixtures = pathlib.Path(source, "tests", "fixtures")
    shared = pathlib.Path(source).parent / "shared" / "problems"
    if not shared.is_dir():
        skip(f"no problems in {shared}")
    paths = sorted(fixtures.glob("*.dat")) + sorted(p for p in shared.rglob("*") if p.is_file())
    return [(path, kind_of(path)) for path in paths
            if kind_of(path) and path.stat().st_size <= MAX_BYTES and has_contacts(path)]


def has_contacts(path):
    """Siconos has files of problems without contacts, which this project refuses."""
    return path.suffix == ".hdf5" or path.read_text(errors="replace").split()[1] != "0" or \
        path.parent.name == "lcp" or path.name.startswith("lcp")


def siconos_reads(path):
    """Siconos 4.4 does not know compressed rows in text files."""
    return path.suffix != ".hdf5" and "csr:" not in path.read_text(errors="replace")


# ---- the checks ---------------------------------------------------------------------------------


def same(a, b):
    return abs(a - b) <= 1e-15 * abs(a)


def places(size, rng):
    """All entries of a matrix, or a sample that holds its diagonal."""
    rows, columns = size
    if rows * columns <= MAX_ENTRIES:
        return [(i, j) for i in range(rows) for j in range(columns)]
    diagonal = [(k, k) for k in range(min(rows, columns))]
    return diagonal + [(rng.randrange(rows), rng.randrange(columns)) for _ in range(MAX_ENTRIES)]


def differences(original, ours, rng):
    """Names of what differs between two readings of the same problem."""
    found = []
    for name in ("q", "b", "mu", "mu_r"):
        if original.has(name):
            pairs = zip(original.vector(name), ours.vector(name))
            found += [name] if not all(same(a, b) for a, b in pairs) else []
    for name in ("M", "H"):
        if not original.has(name):
            continue
        if original.size(name) != ours.size(name):
            found.append("size of " + name)
        elif not all(same(original.entry(name, i, j), ours.entry(name, i, j))
                     for i, j in places(original.size(name), rng)):
            found.append(name)
    return found


def random_impulses(problem, inside, rng):
    """Impulses inside their cones, or anywhere."""
    mu = problem.vector("mu") if problem.has("mu") else []
    mu_r = problem.vector("mu_r") if problem.has("mu_r") else []
    size = 10.0 ** rng.uniform(-2, 2)
    out = []
    for c in range(problem.c.contacts):
        p = [size * rng.gauss(0.0, 1.0) for _ in range(problem.width)]
        if inside:
            p[0] = abs(p[0])
            n_slide = 1 if "2d" in problem.kind else 2
            ends = [(1, 1 + n_slide, mu), (1 + n_slide, problem.width, mu_r)]
            for begin, end, limits in ends:
                length = norm(p[begin:end])
                scale = rng.random() * limits[c] * p[0] / length if limits and length > 0 else 1.0
                p[begin:end] = [scale * v for v in p[begin:end]]
        out += p
    return out


def our_residual(certificate, problem):
    """For these two kinds Siconos divides by |q| alone, not by the largest of |q|, |r| and |u|."""
    if problem.kind in ("lcp", "rolling 2d"):
        return certificate["absolute_siconos"] / (norm(problem.vector("q")) or 1.0)
    return certificate["residual_siconos"]


def check_residuals(checks, path, problem, rng):
    if not problem.measure:
        return
    for inside in (True, False, True, False):
        impulses = random_impulses(problem, inside, rng)
        pathlib.Path("impulses.txt").write_text("\n".join(map(repr, impulses)) + "\n")
        result = checks.run("certify", str(path), "impulses.txt", "--json")
        theirs = problem.residual(impulses)
        try:
            ours = our_residual(json.loads(result.out), problem)
        except (ValueError, KeyError):
            checks.check(False, f"{path.name}: certify prints residual_siconos", result.describe())
            return
        # Residuals are over the largest of |q|, |r| and |u|, whose rounding is in them; in global form
        # Siconos adds how well its own v fulfils M v = q + H r.
        if not abs(ours - theirs) <= 1e-12 * abs(theirs) + 1e-15:
            where = "inside" if inside else "outside"
            checks.check(False, f"{path.name}: residual of impulses {where} the cone",
                         f"ours {ours!r}\ntheirs {theirs!r}")
            return
    checks.check(True, f"{path.name}: residuals agree ({problem.kind})")


def main():
    checks = Checks()
    checks.skip_leak_check()
    drawn = cases(415724102, random.SystemRandom().randrange(10 ** 9))
    seed = int(os.environ.get("SCREE_TEST_SEED", drawn))
    print(f"seed {seed} (repeat with SCREE_TEST_SEED={seed})")
    rng = random.Random(seed)
    for path, kind in find_problems(checks.source):
        result = checks.run("convert", str(path), "ours.dat")
        if not checks.check(result.code == 0, f"{path.name}: converted", result.describe()):
            continue
        ours = Problem(kind, "ours.dat")
        if siconos_reads(path):
            found = differences(Problem(kind, path), ours, rng)
            checks.check(not found, f"{path.name}: Siconos reads the same from ours",
                         "differs in " + ", ".join(found))
        check_residuals(checks, path, ours, rng)
    checks.finish()


if __name__ == "__main__":
    main()
