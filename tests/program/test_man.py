"""The manual page is what the program says of itself."""
import difflib
import shutil
import subprocess
import sys
from pathlib import Path

from _checks import Checks

t = Checks()
t.skip_leak_check()

print("docs/scree.1 is what tools/man.py makes of the help texts")
made = subprocess.run([sys.executable, "-B", f"{t.source}/tools/man.py", t.program], env=t.environment,
                      capture_output=True, text=True, check=False)
t.check(made.returncode == 0, "it is made", made.stderr)
kept = Path(t.source, "docs/scree.1").read_text(encoding="utf-8")
changes = list(difflib.unified_diff(kept.splitlines(), made.stdout.splitlines(), "docs/scree.1", "tools/man.py",
                                    lineterm="", n=0))
t.check(not changes, "it is up to date", "\n".join(changes[:20]))

print("verbs are all there, and formatters have nothing to complain of")
for line in t.run("--help").out.splitlines():
    if line.startswith("  ") and not line.startswith("  scree"):
        verb = line.split()[0]
        t.check(f"\n.SS scree {verb}\n" in kept, verb)
t.check("\\-\\-json" in kept and ".SH EXIT STATUS" in kept, "options and exit codes")
if shutil.which("groff"):
    shown = subprocess.run(["groff", "-man", "-Tascii", "-ww"], input=kept, capture_output=True, text=True,
                           check=False)
    t.check(shown.returncode == 0 and not shown.stderr, "groff takes it", shown.stderr)
t.finish()
