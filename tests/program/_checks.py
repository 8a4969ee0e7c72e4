"""What the tests of the program share: running it, counting checks, making problem files."""
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

TIMEOUT_S = 600  # only a hang reaches it, not a busy machine


def cases(usual, all_of_them):
    """How many random cases to run; SCREE_TEST_ALL asks for the large number."""
    return all_of_them if os.environ.get("SCREE_TEST_ALL", "0") not in ("", "0") else usual


def sanitized():
    """Whether the program is built with sanitizers, which take many times as long and look for other
    faults than wrong numbers: the shortest run that goes through the same code will do."""
    return os.environ.get("SCREE_TEST_SANITIZED", "0") not in ("", "0")


class Checks:
    """Called as `python3 test.py PROGRAM SOURCE_FOLDER`; works in a folder of its own."""

    def __init__(self):
        if len(sys.argv) != 3:
            sys.exit(f"usage: {sys.argv[0]} PROGRAM SOURCE_FOLDER")
        self.program = os.path.abspath(sys.argv[1])
        self.source = os.path.abspath(sys.argv[2])
        self.folder = tempfile.TemporaryDirectory(prefix="scree-test-")
        self.n_failed = 0
        self.environment = dict(os.environ)
        os.chdir(self.folder.name)

    def skip_leak_check(self):
        """In sanitized builds, from here on: with this check every run takes seconds on arm64, so
        it is left to the runs that allocate in a way of their own."""
        options = os.environ.get("ASAN_OPTIONS", "")
        self.environment["ASAN_OPTIONS"] = options + (":" if options else "") + "detect_leaks=0"

    def check(self, good, what, detail=""):
        print(("ok      " if good else "FAILED  ") + what)
        if not good:
            self.n_failed += 1
            if detail:
                print("        " + str(detail).rstrip().replace("\n", "\n        "))
        return good

    def run(self, *arguments, **options):
        """Runs the program; `code`, `out` and `err` of what came back."""
        options.setdefault("stdout", subprocess.PIPE)
        options.setdefault("env", self.environment)
        done = subprocess.run([self.program, *arguments], stdin=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, timeout=TIMEOUT_S, check=False, **options)
        return Result(done.returncode, (done.stdout or b"").decode(errors="replace"),
                      done.stderr.decode(errors="replace"))

    def start(self, *arguments, **options):
        """The program in the background, with Ctrl-C allowed."""
        options.setdefault("preexec_fn", allow_interrupt)
        return subprocess.Popen([self.program, *arguments], stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                env=self.environment, **options)

    def catch(self, path, least_bytes, *arguments):
        """A run that has written so much and still goes on; it may end before this script looks,
        then there is another one."""
        for _ in range(20):
            if os.path.exists(path):
                os.remove(path)
            child = self.start(*arguments)
            if wait_for(lambda: os.path.exists(path) and os.path.getsize(path) > least_bytes,
                        child):
                return child
            child.communicate(timeout=TIMEOUT_S)
        return None

    def expect(self, code, *arguments, what=None):
        """Runs the program and checks its exit code."""
        result = self.run(*arguments)
        self.check(result.code == code,
                   f"{what or 'scree ' + ' '.join(map(printable, arguments))}: exit code {code}",
                   result.describe())
        return result

    def expect_json(self, code, *arguments):
        """The same with --json: the one object that was printed ({} when it does not parse)."""
        result = self.expect(code, *arguments, "--json")
        try:
            value = json.loads(result.out, parse_constant=reject_constant)
        except ValueError as error:
            self.check(False, "it prints JSON", f"{error}\n{result.describe()}")
            return {}
        return value

    def expect_refusal(self, what, *arguments, naming=""):
        """Bad input: exit code 2, one line on stderr, nothing on stdout (--json: an object)."""
        result = self.run(*arguments)
        lines = result.err.splitlines()
        good = result.code == 2 and len(lines) == 1 and naming in result.err
        good = good and bool(result.out) == ("--json" in arguments)
        good = good and lines[0].startswith("scree")
        self.check(good, f"{what}: {printable(lines[0]) if lines else 'silent'}", result.describe())
        return result

    def finish(self):
        self.folder.cleanup()
        print(f"{self.n_failed} failed" if self.n_failed else "all passed")
        sys.exit(1 if self.n_failed else 0)


def allow_interrupt():
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def wait_for(condition, child):
    """Whether it came true while the child was running."""
    end = time.monotonic() + TIMEOUT_S
    while child.poll() is None and time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.005)
    return False


class Result:
    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err

    def describe(self):
        return f"exit code {self.code}\nstdout: {self.out[:1000]}\nstderr: {self.err[:2000]}"


def printable(text):
    return os.fsdecode(text).encode("unicode_escape").decode()


def reject_constant(name):
    raise ValueError(f"{name} is no JSON")


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


# One contact, W = identity, q = (-1, 1, 0), mu = 1/2. It slides: p = (1, -1/2, 0).
ONE_CONTACT = "3\n1\n0\n3\n3\n3 3\n1 0 0\n0 1 0\n0 0 1\n-1 1 0\n0.5\n"
ONE_CONTACT_EXACT = [1.0, -0.5, 0.0]
ONE_CONTACT_CONVEX = [1.2, -0.6, 0.0]

# The same in global form, with M = 2 and H = sqrt(2) times the identity.
ROOT = repr(2.0 ** 0.5)
ONE_CONTACT_GLOBAL = (f"3\n1\n0\n3\n3\n3 3\n2 0 0\n0 2 0\n0 0 2\n0\n3\n3\n3 3\n{ROOT} 0 0\n0 {ROOT} 0\n"
                      f"0 0 {ROOT}\n0 0 0\n-1 1 0\n0.5\n")


def many_contacts(n, seed=1, mu=0.6):
    """Siconos text of n contacts between few bodies: more rows than freedom, so that sweeps are
    slow to converge."""
    rng = random.Random(seed)
    rows, dof = 3 * n, 2 * n
    h = [[rng.gauss(0.0, 1.0) for _ in range(dof)] for _ in range(rows)]
    w = [[sum(a * b for a, b in zip(x, y)) for y in h] for x in h]
    v = [rng.gauss(0.0, 1.0) for _ in range(dof)]
    q = [sum(a * b for a, b in zip(x, v)) for x in h]
    numbers = "\n".join(" ".join(map(repr, column)) for column in w)
    return (f"3\n{n}\n0\n{rows}\n{rows}\n{rows} {rows}\n{numbers}\n" + " ".join(map(repr, q)) +
            "\n" + " ".join([repr(mu)] * n) + "\n")


def tower(n):
    """Siconos text of a tower of n bodies, block sparse: sweeps carry the load up one contact at a
    time, so that Gauss-Seidel needs some n^2 of them."""
    blocks = [(i, j) for i in range(n) for j in (i - 1, i, i + 1) if 0 <= j < n]
    starts = [0]
    for i in range(n):
        starts.append(starts[-1] + sum(0 <= j < n for j in (i - 1, i, i + 1)))
    ends = " ".join(str(3 * (i + 1)) for i in range(n))
    words = [f"3\n{n}\n1\n{3 * n}\n{3 * n}\n{len(blocks)}\n{n}\n{n}\n{ends}\n{ends}\n{n + 1}",
             f"{len(blocks)}", " ".join(map(str, starts)), " ".join(str(j) for _, j in blocks)]
    for number, (i, j) in enumerate(blocks):
        d = -1 if i != j else 1 if i == 0 else 2
        words.append(f"{number}\n{d} 0 0\n0 {d} 0\n0 0 {d}")
    words += ["-1 0.1 0", "0 0 0\n" * (n - 1), "0.5\n" * n]
    return "\n".join(words)


def read_numbers(path):
    with open(path, encoding="utf-8") as file:
        lines = [line.split("#")[0] for line in file]
    return [float(word) for line in lines for word in line.split()]


def close(values, expected, tolerance=1e-7):
    return len(values) == len(expected) and all(
        abs(a - b) <= tolerance for a, b in zip(values, expected))
