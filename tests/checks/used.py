#!/usr/bin/env python3
"""Checks that functions are used: private ones by the library or the program, public ones by anyone.

Usage: used.py SOURCE_FOLDER

A private function that only tests call is not part of what they test. A public one that neither a test
nor an example nor the program calls has never run. Prints one line per fault and fails when there is
any.
"""

import re
import sys
from collections import Counter
from pathlib import Path

COMMENT_OR_LITERAL = re.compile(
    r"""/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'""", re.DOTALL)
NAME = re.compile(r"\b(?:scri|scree|cli)_[a-z0-9_]+\b")
# Declarations and definitions begin in the first column; what stands further right uses a name.
DECLARED = re.compile(
    r"^(?![#\s}]|typedef)[^=;{]*?\b((?:scri|scree|cli)_[a-z0-9_]+)\(", re.MULTILINE)
# A macro that puts a prefix before a name.
PREFIX = re.compile(r"^#define (\w+)\(name\) (\w+_)##name$", re.MULTILINE)


def read(root, *patterns):
    paths = sorted(path for pattern in patterns for path in root.glob(pattern))
    return {path.relative_to(root): COMMENT_OR_LITERAL.sub(" ", path.read_text(encoding="utf-8"))
            for path in paths}


def uses(texts):
    """How often names stand in the bodies of functions, in macros and in tables."""
    found = Counter()
    prefixes = [made for text in texts.values() for made in PREFIX.findall(text)]
    for text in texts.values():
        in_macro = False
        for line in text.splitlines():
            if in_macro or line[:1] in ("#", " ", "\t") or line.startswith("SCREE_DEFINE_"):
                found.update(NAME.findall(line))
                for macro, prefix in prefixes:
                    found.update(prefix + name for name in re.findall(rf"\b{macro}\((\w+)\)", line))
            in_macro = line.endswith("\\") and (in_macro or line.startswith("#"))
    return found


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    root = Path(sys.argv[1])
    code = read(root, "src/**/*.[ch]", "include/**/*.h")
    by_us = uses(code)
    by_anyone = by_us + uses(read(root, "tests/**/*.[ch]", "examples/**/*.[ch]", "bench/**/*.[ch]"))
    declared = {}
    for path, text in code.items():
        if path.suffix == ".h":
            declared.update((name, path) for name in DECLARED.findall(text))
    if len(declared) < 100:
        sys.exit(f"{root}: only {len(declared)} functions found")
    faults = []
    for name, path in sorted(declared.items()):
        is_public = path.parts[0] == "include"
        if not (by_anyone if is_public else by_us)[name]:
            who = "nobody calls" if not by_anyone[name] else "only tests call"
            faults.append(f"{path}: {who} {name}()")
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
