#!/usr/bin/env python3
"""Checks that public functions survive a call with nothing: NULL for pointers, zeros for the rest.

Usage: null.py SOURCE_FOLDER WORK_FOLDER COMPILER LIBRARY...

Makes a program of one call of every exported function of include/, and runs each call in a process of
its own: none may crash, and those that return a scree_status must not say that all is well, unless they
are listed below. Prints one line per fault and fails when there is any.
"""

import re
import subprocess
import sys
from pathlib import Path

COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
EXPORTED = re.compile(
    r"SCREE_API\s+(?:SCREE_MUST_USE\s+)?((?:const\s+)?\w+(?:\s*\*)*)\s+(\w+)\(([^;{]*?)\)\s*;", re.DOTALL)

# Nothing is a sound request for these.
SOUND = {"scree_recorder_close"}

MAIN = """
#include <stdio.h>
#include <stdlib.h>
{includes}
int main(int argc, char** argv)
{{
    int status = -1;
    switch (argc > 1 ? atoi(argv[1]) : -1) {{
{calls}    }}
    printf("%d\\n", status);
    return 0;
}}
"""


def argument(declared):
    """A zero of the type of a parameter."""
    declared = declared.strip()
    if "*" in declared or "[" in declared:
        return "NULL"
    words = declared.split()
    kind = " ".join(words[:-1]) if len(words) > 1 else words[0]
    return f"zero_of({kind})"


def main():
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    root, work, compiler, libraries = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], sys.argv[4:]
    headers = sorted(root.glob("include/*/*.h"))
    functions = []
    for header in headers:
        text = COMMENT.sub(" ", header.read_text(encoding="utf-8"))
        for kind, name, parameters in EXPORTED.findall(text):
            given = [] if parameters.strip() == "void" else parameters.split(",")
            call = f"{name}({', '.join(argument(p) for p in given)})"
            functions.append((name, kind, call))
    if len(functions) < 100:
        sys.exit(f"only {len(functions)} functions found")
    calls = ""
    for k, (name, kind, call) in enumerate(functions):
        keep = "status = (int)" if kind == "scree_status" else "(void)"
        calls += f"    case {k}: {keep}{call}; break;\n"
    includes = "".join(f'#include "{h.relative_to(root / "include")}"\n' for h in headers)
    includes += "#define zero_of(...) ((__VA_ARGS__){0})\n"
    work.mkdir(parents=True, exist_ok=True)
    source, program = work / "null_calls.c", work / "null_calls"
    source.write_text(MAIN.format(includes=includes, calls=calls), encoding="utf-8")
    subprocess.run([compiler, "-w", f"-I{root / 'include'}", str(source), *libraries, "-o",
                    str(program)], check=True)
    faults = []
    for k, (name, kind, call) in enumerate(functions):
        run = subprocess.run([str(program), str(k)], capture_output=True, text=True, check=False)
        if run.returncode != 0:
            faults.append(f"{call} crashes ({run.returncode})")
        elif kind == "scree_status" and run.stdout.strip() == "0" and name not in SOUND:
            faults.append(f"{call} says that all is well")
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
