#!/usr/bin/env python3
"""Writes the manual page of the program from what its verbs say themselves.

Usage: tools/man.py PROGRAM > docs/scree.1

The page is kept in the repository, so that it can be installed without Python; program.man fails when it
is no longer what the program says.
"""

import re
import subprocess
import sys

# Verbs that list names of their own, each with its help.
WITH_NAMES = ("bench", "foundation")


def help_of(program, *words):
    run = subprocess.run([program, *words, "--help"], capture_output=True, text=True, check=True)
    return run.stdout


def roff(text):
    """Text for the formatter: hyphens that are typed as such, no line taken for a request."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^(?=['.])", "\\\\&", text, flags=re.MULTILINE)


def blocks(text):
    """The parts of a help text: (title, lines); the first two, usage and what it does, have no title."""
    for block in text.rstrip("\n").split("\n\n"):
        lines = block.split("\n")
        title = re.fullmatch(r"([a-z][a-z ,-]*):", lines[0])
        yield (title.group(1), lines[1:]) if title else (None, lines)


def tagged(lines):
    """Lines "  what   meaning" as tagged paragraphs; what is indented further goes on with a meaning."""
    out = []
    for line in lines:
        what, _, meaning = line.strip().partition("  ")
        out += [".TP", ".B " + roff(what), roff(meaning.strip())]
    return out


def verb_section(program, *words):
    parts = list(blocks(help_of(program, *words)))
    usage = parts[0][1][0].removeprefix("usage: ")
    out = [".SS " + roff(" ".join(("scree", *words))), ".B " + roff(usage), ".PP"]
    for title, lines in parts[1:]:
        if lines[0].startswith("exit code: "):
            text = re.sub(r"\s+", " ", " ".join(lines))
            out += [".PP", roff("Exit code: " + text.removeprefix("exit code: "))]
        elif title == "example":
            out += [".PP", "Example:", ".PP", ".nf", ".RS", *(roff(line.strip()) for line in lines), ".RE", ".fi"]
        elif title:
            out += ([] if title in ("arguments", "options") else [".PP", roff(title.capitalize()) + ":"])
            out += tagged(lines)
        else:
            out += [".PP", *(roff(line) for line in lines)]
    return out


def page(program):
    version = subprocess.run([program, "version"], capture_output=True, text=True, check=True).stdout.split()[1]
    parts = list(blocks(help_of(program)))
    usage, about = parts[0][1][0].removeprefix("usage: "), " ".join(parts[1][1])
    out = [f'.TH SCREE 1 "" "Scree {version}" "User Commands"',
           '.\\" Written by tools/man.py from the help texts of the program: edit those.',
           ".SH NAME", roff("scree - " + about[0].lower() + about[1:].rstrip(".")),
           ".SH SYNOPSIS", ".B " + roff(usage), ".SH DESCRIPTION", roff(about)]
    verbs = []
    for title, lines in parts[2:]:
        if title and title != "example":
            out += [".PP", roff(title[0].upper() + title[1:]) + ":", *tagged(lines)]
            verbs += [line.split()[0] for line in lines]
    out += [".SH VERBS"]
    for verb in verbs:
        out += verb_section(program, verb)
        if verb in WITH_NAMES:
            names = next(lines for title, lines in blocks(help_of(program, verb)) if title in ("benchmarks", "studies"))
            for line in names:
                out += verb_section(program, verb, line.split()[0])
    out += [".SH EXIT STATUS", roff("0: done. 1: not converged or failed. 2: bad input or usage."),
            ".SH SEE ALSO", roff("The documents that are installed with Scree, README.md first."), ""]
    return "\n".join(out)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.stdout.write(page(sys.argv[1]))


if __name__ == "__main__":
    main()
