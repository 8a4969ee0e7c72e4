"""Where the program's words go: lost readers, full disks, terminals and Ctrl-C."""
import os
import pty
import re
import resource
import select
import signal
import subprocess
import sys
import time

from _checks import ONE_CONTACT, TIMEOUT_S, Checks, cases, tower, read_numbers, write
from _scenes import RAIN, TWO_SPHERES

t = Checks()
write("one.dat", ONE_CONTACT)
write("two.yaml", TWO_SPHERES)
write("rain.yaml", RAIN)
# Nobody meets a tolerance of zero: this runs until it is stopped.
write("endless.dat", tower(3000))
ENDLESS = [t.program, "solve", "endless.dat", "--solver", "nsgs", "--tol", "0", "--max-iter",
           "1000000000", "--max-time", str(TIMEOUT_S)]


def allow_interrupt():
    signal.signal(signal.SIGINT, signal.SIG_DFL)


print("standard output that takes nothing")
COMMANDS = [["solve", "one.dat"], ["solve", "one.dat", "--json"], ["info", "one.dat"], ["--help"],
            ["solve", "--help"], ["solvers"], ["run", "two.yaml"], ["run", "two.yaml", "--json"],
            ["run", "--print-defaults"], ["scenes"]]
t.skip_leak_check()
for arguments in COMMANDS:
    what = "scree " + " ".join(arguments)
    reader, writer = os.pipe()
    os.close(reader)
    result = t.run(*arguments, stdout=writer)
    os.close(writer)
    t.check(result.code == 1 and "standard output" in result.err and len(result.err.splitlines()) == 1,
            f"{what}: nobody reads", result.describe())
    if os.path.exists("/dev/full"):
        with open("/dev/full", "wb") as full:
            result = t.run(*arguments, stdout=full)
        t.check(result.code == 1 and "standard output" in result.err, f"{what}: no space",
                result.describe())

print("want of memory")
write("large.dat", tower(20000))
LARGE = ["solve", "large.dat", "--max-iter", "1", "-o", "large.txt"]


def run_within(megabytes, *arguments):
    limit = megabytes << 20
    return t.run(*arguments, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit,) * 2))


began = time.monotonic()
t.expect(0, "version")
PATIENCE_S = 3.0 + 20.0 * (time.monotonic() - began)


def starts_within(megabytes):
    """Whether the program starts at all; linear algebra libraries may wait for memory for ever."""
    limit = megabytes << 20
    try:
        return subprocess.run([t.program, "version"], stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, timeout=PATIENCE_S, check=False,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS,
                                                                    (limit,) * 2)).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def keeps_limits():
    """Whether a limit that was set is there afterwards: qemu-user takes one and forgets it."""
    code = "from resource import *; setrlimit(RLIMIT_AS, (1 << 30,) * 2); print(getrlimit(RLIMIT_AS)[0])"
    run = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, check=True)
    return int(run.stdout) == 1 << 30


def is_clean(result):
    """It worked, or it says in one line why not and has written nothing."""
    if result.out:
        return result.code == 1 and "iteration limit" in result.out
    return (result.code == 1 and len(result.err.splitlines()) == 1 and "memory" in result.err and
            not os.path.exists("large.txt"))


# Sanitizers reserve terabytes; they cannot be tried this way.
if not keeps_limits():
    print("        not checked: no limit of memory is kept here")
elif starts_within(1024):
    n_refused = 0
    least = 1024
    while least > 8 and starts_within(least * 7 // 8):
        least = least * 7 // 8
    for megabytes in range(least, least + 80, cases(8, 2)):
        if os.path.exists("large.txt"):
            os.remove("large.txt")
        result = run_within(megabytes, *LARGE)
        n_refused += not result.out
        if not is_clean(result):
            t.check(False, f"within {megabytes} MiB", result.describe())
    t.check(n_refused > 0, f"{n_refused} times there was too little, and the program said so")
else:
    print("        not checked: this program needs its address space")



def catches_interrupt(pid):
    """Whether the process has a handler for Ctrl-C."""
    try:
        with open(f"/proc/{pid}/status", encoding="utf-8") as file:
            caught = int(re.search(r"^SigCgt:\s*([0-9a-f]+)", file.read(), re.M)[1], 16)
    except OSError:
        return True
    return bool(caught >> (signal.SIGINT - 1) & 1)


print("Ctrl-C keeps what was reached")
child = subprocess.Popen(ENDLESS + ["--json", "-o", "stopped.txt"], stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, preexec_fn=allow_interrupt)
while child.poll() is None and not catches_interrupt(child.pid):
    time.sleep(0.01)
time.sleep(0.2)
if t.check(child.poll() is None, "the solve runs", child.poll()):
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=TIMEOUT_S)
    t.check(child.returncode == 1, "exit code 1", child.returncode)
    t.check(b'"status": "interrupted"' in out and not err, "status 'interrupted'", out + err)
    t.check(len(read_numbers("stopped.txt")) == 9000, "the best impulses were written")
else:
    print(child.communicate())


def run_on_terminal(arguments, last=None):
    """All the program writes when stdout and stderr are a terminal, and how long that took; Ctrl-C
    when `last` was written three times."""
    pid, terminal = pty.fork()
    if pid == 0:
        allow_interrupt()
        os.environ.update(TERM="xterm")
        os.environ.pop("NO_COLOR", None)
        os.execv(arguments[0], arguments)
    text, began, asked = b"", time.monotonic(), False
    while True:
        ready, _, _ = select.select([terminal], [], [], 0.1)
        try:
            piece = os.read(terminal, 65536) if ready else None
        except OSError:
            break
        if piece == b"":
            break
        text += piece or b""
        if last and not asked and len(re.findall(last, text.decode(errors="replace"))) >= 3:
            os.write(terminal, b"\x03")
            asked = True
    _, status = os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(status), text.decode(), time.monotonic() - began


def has_terminals():
    """Whether one can be had here: a container may come without."""
    try:
        for end in pty.openpty():
            os.close(end)
    except OSError:
        return False
    return True


def check_terminal():
    line = r"\rscree solve: \d+ iterations, residual [0-9.e+-]+, \d+ s\033\[K"
    code, text, _ = run_on_terminal(ENDLESS, line)
    lines = re.findall(line, text)
    t.check(code == 1 and lines, "a long solve shows a progress line", repr(text[:500]))
    t.check("\r\033[K" in text, "it is cleared at the end", repr(text[:500]))
    t.check("interrupted" in text, "Ctrl-C from the keyboard", repr(text[-500:]))
    code, text, _ = run_on_terminal([t.program, "solve", "one.dat"])
    t.check(code == 0 and "iterations, residual" not in text, "a short solve shows none", repr(text))
    t.check("\033[32mconverged\033[0m" in text, "the status is coloured", repr(text))
    line = (r"\rscree run: [0-9.]+ of 1000 s, \d+ contacts, \d+ sweeps, residual [0-9.e+-]+, "
            r"[0-9.e+-]+x real time, [0-9.]+ (?:s|min|h) left\033\[K")
    code, text, span = run_on_terminal([t.program, "run", "rain.yaml", "--until", "1000", "-o",
                                        "long.h5"], line)
    lines = re.findall(line, text)
    t.check(code == 1 and lines, "a long run shows a progress line", repr(text[:500]))
    t.check(len(lines) <= 5 + 6 * span, f"about five times a second: {len(lines)} in {span:.1f} s")
    t.check("\033[31minterrupted\033[0m" in text and "--resume -o long.h5" in text,
            "Ctrl-C from the keyboard ends it", repr(text[-500:]))


if has_terminals():
    print("on a terminal")
    check_terminal()
else:
    print("no terminal can be opened here: what a run shows on one is not looked at")

t.finish()
