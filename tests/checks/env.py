#!/usr/bin/env python3
"""Checks that a scree_env is handed over in one way (decision 350).

Usage: env.py SOURCE_FOLDER

It is the first argument, as `const scree_env*`, of every function of the libraries that takes one. No definition
holds it; other public structs only as a copy, to give back memory by. Prints one line per fault and fails when there is any.
"""

import re
import sys
from pathlib import Path

COMMENT_OR_LITERAL = re.compile(r"""/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*\"""", re.DOTALL)
STRUCT = re.compile(r"typedef struct (\w+) \{(.*?)\n\} \1;", re.DOTALL)
MEMBER = re.compile(r"^\s*(?:const\s+)?scree_env\b([^;(]*);", re.MULTILINE)
FUNCTION = re.compile(r"\b(\w+)\(([^(){};]*\bscree_env\b[^(){};]*)\)")


def faults_of(path, text, public):
    for name, body in STRUCT.findall(text):
        members = MEMBER.findall(body)
        if members and re.search(r"_(?:def|options)$", name):
            yield f"{path}: {name} holds an env; make it the first argument of what takes the definition"
        elif public and any("*" in member for member in members):
            yield f"{path}: {name} borrows an env; copy it"
    for name, parameters in FUNCTION.findall(text):
        if name not in ("sizeof", "offsetof") and not re.match(r"\s*const scree_env\*", parameters):
            yield f"{path}: {name}() takes an env, but not first and as const scree_env*"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    root = Path(sys.argv[1])
    faults, functions = [], 0
    for path in sorted([*root.glob("include/*/*.h"), *root.glob("src/*/*.[ch]")]):
        name = path.relative_to(root)
        if name.parts[1] == "cli":
            continue
        text = COMMENT_OR_LITERAL.sub(" ", path.read_text(encoding="utf-8"))
        functions += len(FUNCTION.findall(text))
        faults += faults_of(name, text, name.parts[0] == "include")
    if functions < 300:
        faults.append(f"only {functions} functions take an env")
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
