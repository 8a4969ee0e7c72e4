#!/usr/bin/env python3
"""Adds up the results of several CTest runs.

Usage: test-summary.py FOLDER

Reads every FOLDER/*.xml (JUnit, as "ctest --output-junit" writes it), prints a line per run, every
failed entry, everything that was skipped with its reason, and last "N passed, N failed, N skipped".
A test function that skips itself counts as skipped although its program passes. FOLDER/failed has a
line "NAME: WHAT" for each thing beside the tests that failed; it counts as one failure, and the end of
FOLDER/NAME.log is shown. Fails when anything failed or nothing ran.
"""

import re
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

SKIPPED_FUNCTION = re.compile(r"^\[  SKIPPED \] (\w+)$", re.MULTILINE)
REASON = re.compile(r"skipped: (.+)")
SHOWN_LINES = 30  # of a log


def read(path):
    """(passed, failed names, skipped lines, seconds) of one run."""
    suite = ElementTree.parse(path).getroot()
    passed, failed, skipped = 0, [], []
    for case in suite.iter("testcase"):
        name, output = case.get("name"), case.findtext("system-out") or ""
        reasons = REASON.findall(output)
        if case.find("failure") is not None or case.get("status") == "fail":
            failed.append(name)
        elif case.find("skipped") is not None or case.get("status") in ("notrun", "disabled"):
            skipped.append(f"{name}: {reasons[-1] if reasons else 'did not run'}")
        else:
            passed += 1
            functions = dict.fromkeys(SKIPPED_FUNCTION.findall(output))
            skipped += [f"{name}, {function}: {reasons[-1] if reasons else 'no reason given'}"
                        for function in functions]
    return passed, failed, skipped, float(suite.get("time") or 0.0)


def tell_commands(folder):
    """Prints what failed beside the tests; returns how many did."""
    path = folder / "failed"
    lines = path.read_text().splitlines() if path.exists() else []
    for line in lines:
        print(f"  FAILED {line}")
        log = folder / (line.split(":")[0] + ".log")
        said = log.read_text(errors="replace").splitlines() if log.exists() else []
        print("".join(f"    {words}\n" for words in said[-SHOWN_LINES:]), end="")
    return len(lines)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = Path(sys.argv[1])
    totals = [0, 0, 0]
    for path in sorted(folder.glob("*.xml"), key=lambda path: int(path.stem.split("-")[0])):
        passed, failed, skipped, seconds = read(path)
        run = path.stem.split("-", 1)[-1]
        print(f"{run}: {passed} passed, {len(failed)} failed, {len(skipped)} skipped"
              f" in {seconds:.0f} s")
        for name in failed:
            print(f"  FAILED {run}: {name}")
        for line in skipped:
            print(f"  skipped {run}: {line}")
        totals = [a + b for a, b in zip(totals, (passed, len(failed), len(skipped)))]
    totals[1] += tell_commands(folder)
    print(f"{totals[0]} passed, {totals[1]} failed, {totals[2]} skipped")
    return 0 if totals[0] > 0 and totals[1] == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
