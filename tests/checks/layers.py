#!/usr/bin/env python3
"""Checks which folder includes and calls what, and that pi is written once.

Usage: layers.py SOURCE_FOLDER

Prints one line "FILE:LINE: fault; what is allowed" per fault and fails when there is any.
"""

import re
import sys
from pathlib import Path

# The rooms of src/ that each library is made of, and whose public headers, include/<library>, it may
# include beside its own.
LIBRARIES = {
    "scree": (["base", "math", "cones", "sets", "laws", "problem", "solvers", "shapes", "collide",
               "joints", "world", "system", "step", "scene"], []),
    "scree_sparse": (["sparse"], ["scree"]),
    "scree_study": (["lapack", "lcp", "study"], ["scree"]),
    "scree_io": (["io"], ["scree"]),
    "the program": (["cli"], ["scree", "scree_sparse", "scree_study", "scree_io"]),
}

# Files of types of a study belong to scree_io: types alone, no functions, so that neither library
# needs the other when it is linked.
TYPES_OF_STUDIES = {"include/scree_io/measurement.h", "include/scree_io/rockfall_file.h"}

# The table. A room may include itself, the rooms named here and all that those may include.
LAYERS = {
    "base": [],
    "math": ["base"],
    "sparse": ["base"],
    "lapack": ["base"],
    "lcp": ["math", "lapack"],
    "cones": ["math"],
    "sets": ["math"],
    "laws": ["cones", "sets"],
    "problem": ["laws"],
    "solvers": ["problem"],
    "shapes": ["math"],
    "collide": ["shapes"],
    "joints": ["math"],
    "world": ["collide", "laws", "joints"],
    "system": ["laws"],
    "step": ["world", "system", "solvers"],
    "study": ["step", "lcp"],
    "scene": ["step"],
    "io": ["scene"],
    "cli": [],  # the program: public headers only
}

C17_HEADERS = {
    "assert.h", "complex.h", "ctype.h", "errno.h", "fenv.h", "float.h", "inttypes.h", "iso646.h",
    "limits.h", "locale.h", "math.h", "setjmp.h", "signal.h", "stdalign.h", "stdarg.h",
    "stdatomic.h", "stdbool.h", "stddef.h", "stdint.h", "stdio.h", "stdlib.h", "stdnoreturn.h",
    "string.h", "tgmath.h", "uchar.h", "wchar.h", "wctype.h",
}
FILE_HEADERS = {"dirent.h", "fcntl.h", "sys/stat.h", "sys/types.h", "unistd.h"}
CLOCK_AND_THREAD_HEADERS = {"pthread.h", "sched.h", "time.h", "process.h", "windows.h"}

# System headers beyond C17 without clocks and threads, by folder.
EXTRA_HEADERS = {
    "math": {"arm_neon.h", "immintrin.h"},
    "sparse": {"dmumps_c.h"},
    "base": FILE_HEADERS | CLOCK_AND_THREAD_HEADERS | {"sanitizer/asan_interface.h", "sys/mman.h"},
    "io": FILE_HEADERS | {"hdf5.h", "hdf5_hl.h", "yaml.h", "expat.h", "tiffio.h"},
    "cli": FILE_HEADERS | {"sys/ioctl.h", "sys/resource.h", "sys/wait.h", "dlfcn.h", "time.h"},
}

# (pattern, folders that may use it, what to do instead)
CALL = r"(?<![\w.])(?<!->)(?:%s)\s*\("
NAME = r"(?<![\w.])(?<!->)(?:%s)\b"
CALL_RULES = [
    (CALL % "free|time|clock|clock_gettime|gettimeofday|timespec_get|nanosleep",
     {"base", "cli"}, "memory and time belong to src/base"),
    (NAME % r"malloc|calloc|realloc|aligned_alloc|posix_memalign|strdup|strndup",
     {"base", "cli"}, "memory comes from src/base"),
    (NAME % r"pthread_\w+|thrd_\w+|mtx_\w+|cnd_\w+",
     {"base"}, "threads belong to src/base"),
    (NAME % "stdout|stderr|stdin",
     {"cli"}, "the library is silent: report through scree_env.log"),
    (CALL % "printf|vprintf|puts|putchar|perror",
     {"cli"}, "the library is silent: report through scree_env.log"),
    (CALL % "exit|_exit|_Exit|quick_exit|atexit|abort|raise",
     {"cli"}, "the library never ends the process: return a scree_status"),
    (CALL % "getenv|secure_getenv|setenv|putenv",
     {"cli"}, "the library reads no environment variable: take an option"),
    (CALL % "hypot",
     {"sets", "laws", "lcp", "study", "io", "cli"},
     "the last digit of hypot() is the machine's: scri_hypotenuse()"),
]
CALL_RULES = [(re.compile(pattern), folders, advice) for pattern, folders, advice in CALL_RULES]

# The list of laws: nobody else but src/laws knows one by its name.
LAWS_LISTED = "include/scree/problem.h"
LAW = re.compile(r"\bX\(([A-Z_]+), ([a-z_]+)\)")

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">]+)[">]', re.MULTILINE)
COMMENT_OR_LITERAL = re.compile(
    r"""/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'""", re.DOTALL)


def closure(folder):
    """All folders that `folder` may include, itself among them."""
    seen, waiting = set(), [folder]
    while waiting:
        current = waiting.pop()
        if current not in seen:
            seen.add(current)
            waiting += LAYERS[current]
    return seen


def blank(text, literals_too):
    """`text` with its comments, perhaps its literals too, as spaces; lines keep their numbers."""
    def replace(match):
        found = match.group(0)
        if found[0] != "/" and not literals_too:
            return found
        return re.sub(r"[^\n]", " ", found)
    return COMMENT_OR_LITERAL.sub(replace, text)


def library_of(shown):
    """The library that a file belongs to."""
    if shown.parts[0] == "include":
        return shown.parts[1]
    return next(name for name, (rooms, _) in LIBRARIES.items() if shown.parts[1] in rooms)


def public_fault(shown, name):
    """What is wrong with an include of a public header."""
    library, other = library_of(shown), name.split("/")[0]
    if other == library or other in LIBRARIES[library][1]:
        return None
    if other == "scree_study" and str(shown) in TYPES_OF_STUDIES:
        return None
    allowed = ", ".join(sorted({library, *LIBRARIES[library][1]} & set(LIBRARIES)))
    return f'includes "{name}"; {library} may include the public headers of {allowed}'


def include_fault(shown, folder, bracket, name):
    """What is wrong with an include in src/<folder>, or in include/ when folder is None."""
    if bracket == '"' and name.split("/")[0] in LIBRARIES:
        return public_fault(shown, name)
    if bracket == "<":
        allowed = C17_HEADERS | EXTRA_HEADERS.get(folder, set())
        if name in allowed:
            return None
        extra = ", ".join(sorted(EXTRA_HEADERS.get(folder, set())))
        return f"includes <{name}>; allowed: C17 headers without time and threads" + (
            f", {extra}" if extra else "")
    if folder is None:
        return f'includes "{name}"; a public header may include C17 and public headers only'
    if "/" not in name:
        return f'includes "{name}"; write it with its folder, as "{folder}/{name}"'
    if name.split("/")[0] in closure(folder):
        return None
    allowed = ", ".join(sorted(closure(folder)))
    return f'includes "{name}"; src/{folder} may include {allowed}'


# A turn, its parts and degrees, spelled in digits. They are written once.
PI_DIGITS = re.compile(r"\b(?:3\.14159|6\.28318|1\.57079|0\.78539|0\.01745329|57\.29577)\d*")
PI_WRITTEN = "include/scree/base.h"
# Another name for it, as a macro or a constant.
PI_RENAMED = re.compile(r"(?:#\s*define\s+\w+|\bconst\s+double\s+\w+\s*=)\s+\(?SCREE_(?:PI|DEGREE)\)?\s*(?:;|$)", re.MULTILINE)


def names_of_laws(root):
    """A pattern of what stands for a single law in C."""
    laws = LAW.findall((root / LAWS_LISTED).read_text(encoding="utf-8"))
    if not laws:
        sys.exit(f"{LAWS_LISTED} lists no laws")
    constants, entries = ("|".join(names) for names in zip(*laws))
    return re.compile(rf"\b(?:SCREE_LAW_(?:{constants})|scri_law_(?:{entries})(?:_sets)?)\b")


def check_file(path, shown, folder, law):
    text = path.read_text(encoding="utf-8")
    faults = []

    def add(position, fault):
        faults.append(f"{shown}:{text.count(chr(10), 0, position) + 1}: {fault}")

    for match in INCLUDE.finditer(blank(text, literals_too=False)):
        fault = include_fault(shown, folder, match.group(1), match.group(2))
        if fault:
            add(match.start(2), fault)
    code = blank(text, literals_too=True)
    for pattern, folders, advice in CALL_RULES:
        if folder in folders:
            continue
        for match in pattern.finditer(code):
            name = match.group(0).rstrip("( \t\n")
            add(match.start(), f"uses {name}; {advice}")
    for match in PI_DIGITS.finditer(code) if str(shown) != PI_WRITTEN else ():
        add(match.start(), f"spells {match.group(0)}; SCREE_PI and SCREE_DEGREE are in {PI_WRITTEN}")
    for match in PI_RENAMED.finditer(code):
        add(match.start(), f"names {match.group(0).split()[-1].strip('();')} again; use it under its own name")
    if folder != "laws" and str(shown) != LAWS_LISTED:
        for match in law.finditer(code):
            add(match.start(), f"knows the law {match.group(0)} by name; ask for what it can do, or "
                "for a scri_law_that")
    return faults


def check_tree(root):
    faults, n_files, law = [], 0, names_of_laws(root)
    for path in sorted([*root.glob("include/**/*"), *root.glob("src/**/*")]):
        if path.suffix not in {".c", ".h", ".cu", ".cuh"}:
            continue
        n_files += 1
        shown = path.relative_to(root)
        folder = shown.parts[1] if shown.parts[0] == "src" else None
        if folder is not None and folder not in LAYERS:
            faults.append(f"{shown}:1: src/{folder} has no row in the table of {sys.argv[0]}")
            continue
        if folder is None and shown.parts[1] not in LIBRARIES:
            faults.append(f"{shown}:1: {shown.parts[1]} is no library of {sys.argv[0]}")
            continue
        faults += check_file(path, shown, folder, law)
    if n_files == 0:
        faults.append(f"{root}: no source file found")
    return faults


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    faults = check_tree(Path(sys.argv[1]))
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
