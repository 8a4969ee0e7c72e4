#!/usr/bin/env python3
"""clang-tidy over the sources of the library and the program, with the rules of .clang-tidy.

Usage: tidy.py SOURCE_FOLDER BUILD_FOLDER [--deep] [FILE ...]

Without --deep the analyzer, which takes thirty times as long as all other rules together, is left
out. With it, a file is looked at only when its text, after the preprocessor, or the rules have
changed since it was last found clean: stamps lie in BUILD_FOLDER/tidy. FILEs, relative to the source
folder, limit the check. BUILD_FOLDER holds compile_commands.json.
"""

import concurrent.futures
import hashlib
import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

CLANG_TIDY = "clang-tidy-14"  # versions find different things: this one is the project's
AT_ONCE = 12  # files
NOISE = ("warnings generated", "warning generated", "warnings treated as", "warning treated as")


def sources(root, build, chosen):
    """(file, compile command) of every file of src/ that the build compiles."""
    commands = json.loads((build / "compile_commands.json").read_text())
    seen = {}
    for entry in commands:
        path = Path(entry["directory"], entry["file"]).resolve()
        if path.is_relative_to(root / "src"):
            seen[path] = (shlex.split(entry["command"]), entry["directory"])
    if chosen:
        wanted = {(root / name).resolve() for name in chosen}
        seen = {path: command for path, command in seen.items() if path in wanted}
    return sorted(seen.items())


def fingerprint(root, command, folder):
    """Of what clang-tidy would see."""
    arguments = [word for word in command if word not in ("-c", "-g")]
    if "-o" in arguments:
        at = arguments.index("-o")
        del arguments[at:at + 2]
    text = subprocess.run(arguments + ["-E"], cwd=folder, capture_output=True, check=True).stdout
    return hashlib.sha256((root / ".clang-tidy").read_bytes() + text).hexdigest()


def run_tidy(root, build, paths, options):
    """What clang-tidy finds in files; "" when they are clean."""
    run = subprocess.run([CLANG_TIDY, "-p", str(build), "--quiet", *options, *map(str, paths)],
                         cwd=root, capture_output=True, text=True)
    if run.returncode == 0:
        return ""
    lines = (run.stdout + run.stderr).splitlines()
    return "\n".join(line for line in lines
                     if not any(noise in line for noise in NOISE)) or f"{paths}: clang-tidy failed"


def look_deep(root, build, path, command):
    stamp = build / "tidy" / fingerprint(root, *command)
    if stamp.exists():
        return ""
    found = run_tidy(root, build, [path], [])
    if not found:
        stamp.parent.mkdir(exist_ok=True)
        stamp.touch()
    return found


def main():
    arguments = [word for word in sys.argv[1:] if word != "--deep"]
    root, build = (Path(word).resolve() for word in arguments[:2])
    deep = "--deep" in sys.argv
    if not shutil.which(CLANG_TIDY):
        print(f"skipped: {CLANG_TIDY} is not installed", file=sys.stderr)
        return 77
    files = sources(root, build, arguments[2:])
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        if deep:
            found = pool.map(lambda f: look_deep(root, build, f[0], f[1]), files)
        else:  # several at once: starting takes as long as a third of looking
            groups = [[path for path, _ in files[i:i + AT_ONCE]]
                      for i in range(0, len(files), AT_ONCE)]
            found = pool.map(lambda g: run_tidy(root, build, g, ["--checks=-clang-analyzer-*"]),
                             groups)
        faults = [text for text in found if text]
    print("\n".join(faults + [f"{len(files)} files, " + ("faults" if faults else "clean")]))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
