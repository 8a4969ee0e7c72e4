#!/usr/bin/env python3
"""Mutation testing: breaks the library in many small places and tells which breaks no test sees.

One mutant is one change of one place of src/: a sign flipped, a constant or a comparison changed,
&& and || or min and max exchanged, a negation or a statement dropped. The unit tests that run the
changed line run on it, the quickest and those that killed others first, until one fails or hangs:
the mutant is killed. Who survives that meets the quickest of them with the sanitizers, as in
"./dev test". Mutants that do not compile, or that compile to the same library, are not counted.

The source tree is never touched: everything happens in a copy under build/mutate/. The first run
builds that copy three times, once to see which test runs which line; later runs build what has
changed.
"""

import argparse
import bisect
import fcntl
import filecmp
import hashlib
import itertools
import json
import math
import os
import random
import re
import resource
import select
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter, namedtuple
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

EXAMPLES = """examples:
  tools/mutate.py --rooms cones,laws --per-room 60      a sample of two rooms
  tools/mutate.py --rooms step --list                   what would be changed, without a run
  tools/mutate.py --at src/cones/cone.c:34              every mutant of one line (or of one file)
  tools/mutate.py --rooms step --json step.json         keeps the result as a file
  tools/mutate.py --again step.json                     the survivors of that run once more
"""

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "mutate"
SOURCE, PLAIN, COVERAGE = WORK / "source", WORK / "plain", WORK / "coverage"
SANITIZED = WORK / "sanitized"
UNCHANGED = SANITIZED / "unchanged"  # a copy of the library without any mutant
LIBRARY = "libscree.so"

# Given to CMake before the project's own lists: the tests take the shared library, and that library
# shows its private names, so that a mutant costs one compilation and one link.
CMAKE_HOOK = """
function(mutate_share)
    set_target_properties(scree_objects PROPERTIES C_VISIBILITY_PRESET default)
    get_property(targets DIRECTORY "${PROJECT_SOURCE_DIR}/tests" PROPERTY BUILDSYSTEM_TARGETS)
    foreach(target IN LISTS targets)
        get_target_property(type ${target} TYPE)
        if(NOT type STREQUAL EXECUTABLE)
            continue()
        endif()
        get_target_property(libraries ${target} LINK_LIBRARIES)
        list(TRANSFORM libraries REPLACE "^scree(::scree)?_static$" scree_shared)
        set_property(TARGET ${target} PROPERTY LINK_LIBRARIES ${libraries})
    endforeach()
endfunction()
cmake_language(DEFER DIRECTORY "${CMAKE_SOURCE_DIR}" CALL mutate_share)
"""

# ---- where a file can be changed -----------------------------------------------------------------

Mutant = namedtuple("Mutant", "file line start end text before after")

NOT_CODE = re.compile(
    r"""/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'"""
    r"""|^[ \t]*\#(?:[^\n]*\\\n)*[^\n]*""", re.DOTALL | re.MULTILINE)
# Calls whose arguments are texts for people, truths or hints for the compiler, or amounts of memory:
# too little of it is for the sanitizers to find, too much for nobody.
NOT_TESTED = re.compile(r"\b(?:static_assert|_Static_assert|assert|scri_log|snprintf"
                        r"|memset|SCRI_PREFETCH|scri_(?:\w+_)?(?:fail|error|take))\s*\(")
OTHERS = {"+": ["-"], "-": ["+"], "*": ["/"], "/": ["*"], "+=": ["-="], "-=": ["+="],
          "*=": ["/="], "/=": ["*="], "&&": ["||"], "||": ["&&"], "==": ["!="], "!=": ["=="],
          "fmin": ["fmax"], "fmax": ["fmin"],
          "<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"]}
BINARY = re.compile(r"(?<=[\w\])] )([-+*/]=?|&&|\|\||[<>=!]=|[<>])(?=\s)")
UNARY = re.compile(r"(?:(?<=[(\[!])|(?<=[=?:,(<>+*/-] )|(?<=return ))-(?=[\w(])")
NEGATION = re.compile(r"!(?=[\w(])")
NUMBER = re.compile(r"(?<![\w.])(?:\d+\.\d*(?:[eE][-+]?\d+)?|\d+[eE][-+]?\d+|\d+)(?![\w.])")
EXTREME = re.compile(r"\b(fmin|fmax)(?=\()")
DECLARED = re.compile(r"(?:(?:static|const|unsigned)\s+)*[A-Za-z_]\w*(?:\s+const)?[\s*]+[A-Za-z_]\w*"
                      r"\s*(?:[=;,\[]|$)")
STATEMENT = re.compile(r"^[ \t]+[A-Za-z_*+(-][^{};]*;[ \t]*$", re.MULTILINE)


def blank(text):
    """The text with spaces for everything that is not to be changed, places unmoved."""
    text = NOT_CODE.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)
    # Of what stands outside of every brace only the bodies of functions and of tables count.
    untested = {match.end() for match in NOT_TESTED.finditer(text)}
    result, braces, is_body, outside, parentheses = list(text), 0, False, 0, 0
    for place, letter in enumerate(text):
        if letter == "{":
            if braces == 0:
                is_body = text[outside:place].rstrip().endswith((")", "="))
            braces += 1
        elif letter == "}":
            braces -= 1
            outside = place + 1
        if parentheses or place in untested:
            parentheses += (place in untested) + (letter == "(") - (letter == ")")
        if (not (braces and is_body) or parentheses) and letter != "\n":
            result[place] = " "
    return "".join(result)


def changed_number(text):
    """As one more, as twice as much, or as a tolerance that is no longer small."""
    if text.isdigit():
        return [str(int(text) + 1)]
    value = float(text)
    return ["1.0" if value == 0.0 else "1e-3" if value < 1e-4 else repr(2.0 * value)]


CHANGES = [(BINARY, OTHERS.get), (EXTREME, OTHERS.get), (NUMBER, changed_number),
           (UNARY, lambda text: [""]), (NEGATION, lambda text: [""])]


def is_array_size(code, start):
    """Whether the number at `start` is the size in a declaration: `double a[3], b[3];`"""
    before = code[max(code.rfind(mark, 0, start) for mark in ";{}(") + 1:start].strip()
    if code[start - 1] != "[" or not DECLARED.match(before):
        return False
    return "=" not in before or bool(re.match(r"\d+\] = \{", code[start:]))


def mutants_of(file):
    """All mutants of a file given relative to the root."""
    text, found = (ROOT / file).read_text(), []
    code, starts = blank(text), [0] + [match.end() for match in re.finditer("\n", text)]

    def add(start, end, replacement):
        line = bisect.bisect_right(starts, start)
        first, last = starts[line - 1], text.find("\n", end)
        after = text[first:start] + replacement + text[end:last]
        found.append(Mutant(file, line, start, end, replacement,
                            " ".join(text[first:last].split()), " ".join(after.split())))

    for pattern, change in CHANGES:
        for match in pattern.finditer(code):
            if pattern is not NUMBER or not is_array_size(code, match.start()):
                for other in change(match.group()):
                    add(match.start(), match.end(), other)
    for match in STATEMENT.finditer(code):
        before, statement = code[:match.start()].rstrip(), match.group().strip()
        if before.endswith((";", "{", "}")) and not DECLARED.match(statement) and not re.match(
                r"(?:return|goto|else|case|default|for|while|struct|typedef|do|SCRI_PREFETCH)\b",
                statement):
            add(match.end() - len(match.group().lstrip()), match.end(), ";")
    return sorted(set(found))


def shown(mutant):
    return f"{mutant.file}:{mutant.line}: {mutant.before} -> {mutant.after}"


def choose(arguments):
    """The mutants of this run, in the order of files."""
    if arguments.at:
        file, _, line = arguments.at.partition(":")
        return [m for m in mutants_of(file) if not line or m.line == int(line)]
    if arguments.again:
        old = json.loads(Path(arguments.again).read_text())["mutants"]
        wanted = {(m["file"], m["before"], m["after"]) for m in old if m["fate"] == "survived"}
        files = sorted({file for file, _, _ in wanted})
        return [m for f in files for m in mutants_of(f) if (m.file, m.before, m.after) in wanted]
    chosen = []
    for room in arguments.rooms.split(","):
        files = [str(path.relative_to(ROOT)) for path in (ROOT / "src" / room).glob("*.[ch]")]
        everything = [m for file in sorted(files) for m in mutants_of(file)]
        if not everything:
            sys.exit(f"mutate: src/{room} holds nothing to change")
        draw = random.Random(f"{arguments.seed}:{room}")
        chosen += sorted(draw.sample(everything, min(arguments.per_room, len(everything))))
    return chosen


# ---- the copy and its builds -----------------------------------------------------------------------

def copy_source():
    """Makes SOURCE equal to the files that git knows or would add; leaves equal files alone."""
    listed = subprocess.run(["git", "ls-files", "-z", "-co", "--exclude-standard"], cwd=ROOT,
                            check=True, capture_output=True).stdout.decode().split("\0")
    names = {name for name in listed if name and (ROOT / name).is_file()}
    for name in names:
        there = SOURCE / name
        there.parent.mkdir(parents=True, exist_ok=True)
        if not there.exists() or not filecmp.cmp(ROOT / name, there, shallow=False):
            shutil.copy(ROOT / name, there)
    for path in SOURCE.rglob("*"):
        if path.is_file() and str(path.relative_to(SOURCE)) not in names:
            path.unlink()
    beside, there = ROOT.parent / "shared", WORK / "shared"  # reference values that tests read
    if beside.is_dir() and not there.exists():
        there.symlink_to(beside)


def configure(folder, flags):
    hook = WORK / "hook.cmake"
    hook.write_text(CMAKE_HOOK)
    quiet(["cmake", "-S", SOURCE, "-B", folder, "-G", "Ninja", f"-DCMAKE_C_FLAGS={flags}",
           "-DCMAKE_C_COMPILER=gcc", "-DCMAKE_BUILD_TYPE=", "-DCMAKE_SKIP_BUILD_RPATH=ON",
           "-DCMAKE_LINK_DEPENDS_NO_SHARED=ON", f"-DCMAKE_PROJECT_INCLUDE={hook}"])


def quiet(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        sys.exit(f"mutate: {' '.join(map(str, command))} failed:\n{done.stdout[-4000:]}")


def progress(text):
    """Shows where it is, in one line of a terminal; a file has the results alone."""
    if sys.stdout.isatty():
        print(f"\r\033[K{text}", end="", flush=True)


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def program(test):
    return test.replace(".", "_")


def source(test):
    return SOURCE / "tests" / re.sub(r"(\w+)$", r"test_\1.c", test.replace(".", "/"))


def is_sanitized(folder):
    return folder in (SANITIZED, UNCHANGED)


def surroundings(folder):
    """The environment of a test that takes the library of a build folder. The tests themselves are
    built without sanitizers: the runtime of an instrumented library must be there before it."""
    own = dict(LD_LIBRARY_PATH=str(folder), CMOCKA_TEST_ABORT="1")  # ends at the first failure
    if is_sanitized(folder):
        own["LD_PRELOAD"] = subprocess.run(["gcc", "-print-file-name=libasan.so"], check=True,
                                           capture_output=True, text=True).stdout.strip()
        own["SCREE_TEST_SANITIZED"] = "1"
    return dict(os.environ, **own)


def run_test(test, folder, limit, **own):
    """Runs a test on the library of a build folder: (passed, seconds of processor time)."""
    process = subprocess.Popen([PLAIN / "tests" / program(test)], cwd=WORK,
                               env=dict(surroundings(folder), **own),
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, start_new_session=True)
    ended = os.pidfd_open(process.pid)
    try:
        if not is_sanitized(folder):  # the address sanitizer reserves far more than it uses
            resource.prlimit(process.pid, resource.RLIMIT_AS, (8 << 30, 8 << 30))  # bytes
        resource.prlimit(process.pid, resource.RLIMIT_CORE, (0, 0))
        resource.prlimit(process.pid, resource.RLIMIT_CPU, (math.ceil(limit), math.ceil(limit) + 1))
        if not select.select([ended], [], [], 4.0 * limit + 20.0)[0]:  # wall clock
            os.killpg(process.pid, signal.SIGKILL)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    finally:
        os.close(ended)
    return process.returncode in (0, 77), used.ru_utime + used.ru_stime  # 77: skipped


def lines_run(test, limit):
    """The lines of src/ that a test runs and does not run, {file: [[line, ...], [line, ...]]}; None
    when it fails or takes long."""
    with tempfile.TemporaryDirectory(dir=WORK) as counted:
        if not run_test(test, COVERAGE, limit, GCOV_PREFIX=counted)[0]:
            return None
        counts = list(Path(counted).rglob("*.gcda"))  # none where a test is of headers alone
        for path in counts:  # gcov looks for the notes beside the counts
            notes = path.with_suffix(".gcno")
            notes.symlink_to("/" / notes.relative_to(counted))
        text = subprocess.run(["gcov", "--json-format", "--stdout", *counts], cwd=COVERAGE,
                              check=bool(counts), capture_output=True, text=True).stdout
    lines = {}
    for unit in map(json.loads, text.splitlines()):
        for entry in unit["files"]:
            file = os.path.relpath(os.path.join(COVERAGE, entry["file"]), SOURCE)
            if file.startswith("src/"):
                run = lines.setdefault(file, {})
                for line in entry["lines"]:
                    run.setdefault(line["line_number"], 0)
                    run[line["line_number"]] += line["count"]
    return {file: [[n for n in run if run[n]], [n for n in run if not run[n]]]
            for file, run in lines.items() if any(run.values())}


SANITIZED_SECONDS = 5.0  # of all tests of one mutant without sanitizers; with them ten times as long


def sanitized_limit(seconds):
    """The limit with sanitizers of a test that takes so long without."""
    return 20.0 * seconds + 10.0


def sources(names):
    """{file: digest} of files of the copy; None for one that is gone."""
    return {name: digest(SOURCE / name) if (SOURCE / name).exists() else None for name in names}


def is_measured(test, program_digest, cap):
    """Whether what is known of a test still holds: neither it nor a file that it ran has changed."""
    if not test or test["key"] != program_digest:
        return False
    if test["lines"] is None:
        return test["cap"] >= cap
    return test["sources"] == sources(test["sources"])


def measured(name, key, cap):
    """What is known of a test after two runs."""
    passed, seconds = run_test(name, PLAIN, cap)
    if not passed and seconds < 0.9 * cap:
        sys.exit(f"mutate: {name} fails without any mutant")
    lines = lines_run(name, 20.0 * cap) if passed else None
    return {"key": key, "cap": cap, "seconds": seconds, "lines": lines,
            "sources": sources(lines or [])}


def measure(cap, jobs, sanitizers):
    """Builds the copies and tells of each test how long it takes and which lines it runs."""
    copy_source()
    print("building the library and its tests", flush=True)
    # x86-64 traps integers that are divided by zero, aarch64 does not
    configure(PLAIN, "-O1 -fsanitize=integer-divide-by-zero -fsanitize-undefined-trap-on-error")
    configure(COVERAGE, "-O1 --coverage")
    configure(SANITIZED, "-O1 -fsanitize=address,undefined -fno-sanitize-recover=all")
    listed = subprocess.run(["ctest", "--show-only=json-v1", "-L", "^unit$"], cwd=PLAIN, check=True,
                            capture_output=True, text=True).stdout
    names = sorted(test["name"] for test in json.loads(listed)["tests"]
                   if source(test["name"]).exists())
    quiet(["ninja", "-C", PLAIN, "-j", str(jobs), *map(program, names)])
    for folder in [COVERAGE] + [SANITIZED] * sanitizers:
        quiet(["ninja", "-C", folder, "-j", str(jobs), "scree_shared"])
    if sanitizers:
        UNCHANGED.mkdir(exist_ok=True)
        for path in SANITIZED.glob("libscree*.so*"):
            shutil.copy(path, UNCHANGED)
    cache = WORK / "measured.json"
    old = json.loads(cache.read_text()) if cache.exists() else {}
    keys = {name: digest(PLAIN / "tests" / program(name)) for name in names}
    unknown = [name for name in names if not is_measured(old.get(name), keys[name], cap)]
    with ThreadPoolExecutor(jobs) as pool:
        runs = {pool.submit(measured, name, keys[name], cap): name for name in unknown}
        try:
            for n_done, run in enumerate(as_completed(runs), 1):
                old[runs[run]] = run.result()
                cache.write_text(json.dumps(old))
                progress(f"which lines does each test run? {n_done}/{len(unknown)}")
        finally:
            pool.shutdown(cancel_futures=True)
    tests = {name: old[name] for name in names}
    progress("")
    slow = [name for name in tests if tests[name]["lines"] is None or tests[name]["seconds"] > cap]
    if slow:
        print(f"not used, being longer than {cap:g} s (--cap): {', '.join(slow)}")
    return {name: test for name, test in tests.items() if name not in slow}


def includes(test, file):
    return f'#include "{file[4:]}"' in source(test).read_text()


def tests_of(mutant, tests, kills):
    """The tests that run the line of a mutant or include its header, first those that kill most in
    a second. A line without a counter belongs to the counted one before it; a file that has none to
    all tests."""
    touching = {name: test["lines"][mutant.file] for name, test in tests.items()
                if mutant.file in test["lines"]}
    counted = sorted({n for lines in touching.values() for n in lines[0] + lines[1]})
    above = bisect.bisect_right(counted, mutant.line) - 1
    line = counted[above] if above >= 0 else None
    chosen = [name for name, lines in touching.items() if line is None or line in lines[0]]
    chosen += [name for name in tests if name not in chosen and includes(name, mutant.file)]
    return sorted(chosen if touching else tests,
                  key=lambda name: (tests[name]["seconds"] + 0.01) / (1 + kills[name]))


def first_to_fail(chosen, folder, limits, jobs):
    """The first of the tests that does not pass on the library of a build folder, or None."""
    with ThreadPoolExecutor(jobs) as pool:
        runs = {pool.submit(run_test, name, folder, limits[name]): name for name in chosen}
        for run in as_completed(runs):
            if not run.result()[0]:
                pool.shutdown(wait=False, cancel_futures=True)
                return runs[run]
    return None


def quickest(chosen, tests, seconds):
    """Those that together take so long without sanitizers."""
    able = sorted((tests[name]["seconds"], name) for name in chosen)
    sums = itertools.accumulate(own for own, _ in able)
    return [name for (_, name), total in zip(able, sums) if total <= seconds]


def sanitizers_kill(chosen, tests):
    """The first of the tests that fails with sanitizers, and not without the mutant, or None."""
    for name in quickest(chosen, tests, SANITIZED_SECONDS):
        limit = sanitized_limit(tests[name]["seconds"])
        if not run_test(name, SANITIZED, limit)[0] and run_test(name, UNCHANGED, limit)[0]:
            return name
    return None


def try_mutant(mutant, tests, pristine, kills, jobs, sanitizers):
    """The fate of one mutant: (fate, test that killed it)."""
    chosen = tests_of(mutant, tests, kills)
    limits = {name: 5.0 * tests[name]["seconds"] + 2.0 for name in chosen}
    place = SOURCE / mutant.file
    text = place.read_text()
    build = ["ninja", "-j", str(jobs), "-C"]
    try:
        place.write_text(text[:mutant.start] + mutant.text + text[mutant.end:])
        # Tests of a header's kernels have them compiled in: quicker than a library where many do.
        near = [name for name in chosen if includes(name, mutant.file)]
        if near:
            if subprocess.run([*build, PLAIN, *map(program, near)],
                              capture_output=True).returncode:
                return "does not compile", None
            killer = first_to_fail(near, PLAIN, limits, jobs)
            if killer:
                return "killed", killer
        if subprocess.run([*build, PLAIN, "scree_shared", *map(program, chosen)],
                          capture_output=True).returncode:
            return "does not compile", None
        if digest(PLAIN / LIBRARY) == pristine:
            return "same code", None
        killer = first_to_fail(chosen, PLAIN, limits, jobs)
        if not killer and sanitizers:
            quiet([*build, SANITIZED, "scree_shared"])
            killer = sanitizers_kill(chosen, tests)
            return ("killed by a sanitizer" if killer else "survived"), killer
        return ("killed" if killer else "survived"), killer
    finally:
        place.write_text(text)


def print_table(results):
    rooms = {}
    for mutant, fate, _ in results:
        rooms.setdefault(mutant.file.split("/")[1], Counter())[fate] += 1
    print("\nroom        killed  by a sanitizer  survived     rate   same code  not compiled")
    for room, n in rooms.items():
        dead = n["killed"] + n["killed by a sanitizer"]
        rate = 100.0 * dead / max(1, dead + n["survived"])
        print(f"{room:<10} {dead:>7} {n['killed by a sanitizer']:>15} {n['survived']:>9}"
              f" {rate:>6.1f} % {n['same code']:>11} {n['does not compile']:>13}")


def write_json(arguments, results):
    Path(arguments.json).write_text(json.dumps({"seed": arguments.seed, "mutants": [
        dict(file=m.file, line=m.line, before=m.before, after=m.after, fate=fate,
             killed_by=killer) for m, fate, killer in results]}, indent=1))


def main():
    parser = argparse.ArgumentParser(description=__doc__, epilog=EXAMPLES,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rooms", default="cones,laws,problem,solvers,step", metavar="A,B,...",
                        help="folders of src/ to change (default %(default)s)")
    parser.add_argument("--per-room", type=int, default=60, metavar="N",
                        help="mutants drawn in each room (default %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the draw (default %(default)s)")
    parser.add_argument("--at", metavar="FILE[:LINE]", help="all mutants of this place instead")
    parser.add_argument("--again", metavar="FILE", help="the survivors of an earlier --json instead")
    parser.add_argument("--list", action="store_true", help="list the mutants and stop")
    parser.add_argument("--cap", type=float, default=10.0, metavar="S",
                        help="leave out tests that take longer (default %(default)g s)")
    parser.add_argument("--plain", action="store_true", help="without sanitizers, whose library takes"
                        " long to build; --again shows later what they find")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="compilers and tests at once")
    parser.add_argument("--json", metavar="FILE", help="write the fate of every mutant here")
    arguments = parser.parse_args()

    chosen = choose(arguments)
    print(f"seed {arguments.seed}: {len(chosen)} mutants")
    if arguments.list:
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        print(*map(shown, chosen), sep="\n")
        return 0
    WORK.mkdir(parents=True, exist_ok=True)
    lock = open(WORK / "lock", "w")
    fcntl.flock(lock, fcntl.LOCK_EX)
    tests = measure(arguments.cap, arguments.jobs, not arguments.plain)
    pristine, results, fates = digest(PLAIN / LIBRARY), [], Counter()
    known = WORK / "kills.json"  # of runs before: who kills first is tried first
    kills = Counter(json.loads(known.read_text()) if known.exists() else {})
    try:
        for mutant in chosen:
            n_killed = fates["killed"] + fates["killed by a sanitizer"]
            progress(f"{len(results) + 1}/{len(chosen)} killed {n_killed} survived "
                     f"{fates['survived']}: {mutant.file}:{mutant.line}")
            fate, killer = try_mutant(mutant, tests, pristine, kills, arguments.jobs,
                                      not arguments.plain)
            fates[fate] += 1
            if killer:
                kills[killer] += 1
                known.write_text(json.dumps(kills))
            results.append((mutant, fate, killer))
            if arguments.json:
                write_json(arguments, results)
            if fate == "survived":
                note = "" if tests_of(mutant, tests, kills) else "   [no test runs this line]"
                progress("")
                print(f"{shown(mutant)}{note}", flush=True)
    except KeyboardInterrupt:
        pass
    progress("")
    print_table(results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
