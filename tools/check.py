#!/usr/bin/env python3
"""Builds and tests what an edit touches: "./dev check". Minutes after an edit, not an hour.

Usage: check.py [--since REVISION] [--jobs N]

Looks at the files that differ from REVISION (default HEAD; the last commit when nothing differs) and
are not ignored: the tests of their rooms (src/ROOM) and of the rooms directly above, the program's
tests when the program or what it reads changed, layout, layers, and clang-tidy with its analyzer on
the changed files. What this leaves out is what "./dev test" is for.
"""

import argparse
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = "build/release"
sys.path.insert(0, str(ROOT / "tests/checks"))
sys.dont_write_bytecode = True
from layers import LAYERS  # noqa: E402  the table of rooms


def lines(*command):
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return [line for line in run.stdout.splitlines() if line]


def changed_files(since):
    files = lines("git", "diff", "--name-only", since)
    files += lines("git", "ls-files", "--others", "--exclude-standard")
    if not files and since == "HEAD":
        files = lines("git", "diff", "--name-only", "HEAD~1")
    return sorted(set(files))


def rooms_of(files):
    """Rooms with a changed file, and those directly above; all of them for what everybody sees."""
    rooms = set()
    for name in files:
        parts = Path(name).parts
        if name.startswith(("include/", "tests/support/", "tests/fixtures/", "cmake/")) or \
                parts[-1] in ("CMakeLists.txt", "CMakePresets.json"):
            return set(LAYERS) - {"cli"}
        if parts[0] == "src":
            rooms.add(parts[1])
            rooms |= {room for room, below in LAYERS.items() if parts[1] in below}
        elif name.startswith("tests/unit/"):
            rooms.add(parts[2])
    return rooms & set(LAYERS)


def steps(files, jobs):
    """The commands to run, each with what it is for."""
    rooms = rooms_of(files)
    tested = sorted(room for room in rooms if list(ROOT.glob(f"tests/unit/{room}/test_*.c")))
    program = bool(rooms & {"cli", "io", "scene"}) or \
        any(name.startswith(("tests/program/", "viewer/")) for name in files)
    targets = [f"tests_{room}" for room in tested] + (["scree_program"] if program else [])
    if targets:
        yield "build", ["cmake", "--build", BUILD, "--parallel", jobs, "--target", *targets]
    patterns = [rf"unit\.({'|'.join(tested)})\."] if tested else []
    patterns += [r"program\."] if program else []
    patterns += [r"check\.(format|layers|used|sizes|env)$"]
    yield "tests", ["ctest", "--test-dir", BUILD, "--parallel", jobs, "--output-on-failure",
                    "--tests-regex", f"^({'|'.join(patterns)})"]
    sources = [name for name in files if name.startswith("src/") and name.endswith(".c")
               and (ROOT / name).exists()]
    if sources:
        yield "clang-tidy", [sys.executable, "-B", "tests/checks/tidy.py", ".", BUILD, "--deep",
                             *sources]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--since", default="HEAD", metavar="REVISION")
    parser.add_argument("--jobs", default="2", metavar="N")
    arguments = parser.parse_args()
    files = changed_files(arguments.since)
    print(f"{len(files)} changed files; rooms: {' '.join(sorted(rooms_of(files))) or 'none'}",
          flush=True)
    for name, command in steps(files, arguments.jobs):
        if subprocess.run(command, cwd=ROOT).returncode != 0:
            print(f"check: {name} failed", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
