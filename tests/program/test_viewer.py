"""The page's own scripts, run by node on pages that the program writes: what the camera frames."""
import json
import os
import re
import shutil
import subprocess
import sys

from _checks import Checks, write

if not shutil.which("node"):
    print("skipped: node is not here")
    sys.exit(77)

# The scripts up to the camera, with as much of a document as they ask for.
RUN = r"""
const fs = require("fs"), vm = require("vm");
const page = fs.readFileSync(process.argv[2], "utf8"), blocks = new Map();
for (const [, id, text] of page.matchAll(/<script[^>]*id="([^"]+)"[^>]*>([^]*?)<\/script>/g)) {
  blocks.set(id, {textContent: text, remove() {}});
}
const code = page.match(/"use strict";([^]*?)\/\/ ---- meshes/)[1];
const context = {document: {getElementById: (id) => blocks.get(id) || null}, atob, console, Math};
vm.createContext(context);
vm.runInContext(code + ";globalThis.result = JSON.stringify(readRecording().focus);", context);
console.log(context.result);
"""

BALL = """  - {name: ball, position: [0, 0, 0.1], shape: {type: sphere, radius: 0.1}}
"""


def focus(t, bodies, until="0.2"):
    write("scene.yaml", "world: {step: 1.0e-2}\nstop: {time: 1}\noutput: {interval: 0.01}\nbodies:\n"
          "  - {name: floor, kind: static, shape: {type: half-space}}\n" + bodies)
    t.expect(0, "run", "scene.yaml", "--until", until, "-o", "run.h5", "--force", "--quiet")
    t.expect(0, "view", "run.h5", "-o", "page.html")
    write("run.js", RUN)
    done = subprocess.run(["node", "run.js", "page.html"], capture_output=True, text=True, check=False)
    t.check(done.returncode == 0, "its scripts run", done.stderr)
    return json.loads(done.stdout) if done.returncode == 0 else None


def near(x, y, most=2e-3):
    return all(abs(a - b) <= most for a, b in zip(x, y))


t = Checks()
print("a ball alone")
alone = focus(t, BALL)
t.check(near(alone["low"], [-0.1, -0.1, 0.0]) and near(alone["high"], [0.1, 0.1, 0.2]), "its box", alone)

print("a bar that is driven past it")
bar = "  - {name: bar, kind: kinematic, position: [-0.3, 0.3, 0.2], velocity: [3, 0, 0],\n" \
      "     shape: {type: box, size: [0.04, 0.2, 0.4]}}\n"
seen = focus(t, BALL + bar)
t.check(near(seen["low"], [-0.32, -0.1, 0.0]) and near(seen["high"], [0.32, 0.4, 0.4]),
        "the box holds all of its way, and no more", seen)
t.check(near(seen["heights"], alone["heights"]) and seen["typical"] == alone["typical"],
        "colours and widths are those of the ball", seen)

print("a drum that turns in its place")
drum = "  - {name: drum, kind: kinematic, position: [0, 0, 0.5], angular_velocity: [0, 2, 0],\n" \
       "     shape: {type: tube, radius: 0.5, inner: 0.45, height: 0.6, rotation: {axis: [1, 0, 0], degrees: 90}}}\n"
turning = focus(t, drum + BALL.replace("0, 0.1]", "0, 0.16]"), until="0.1")
t.check(near(turning["low"], [-0.5, -0.3, 0.0], 0.01) and near(turning["high"], [0.5, 0.3, 1.0], 0.01),
        "all of it, not the sphere about it", turning)

print("what does not count")
still = focus(t, BALL + bar.replace("velocity: [3, 0, 0]", "velocity: [0, 0, 0]"))
t.check(near(still["low"], alone["low"]) and near(still["high"], alone["high"]), "a driven body at rest", still)
gone = focus(t, BALL + bar.replace("[3, 0, 0]", "[0, 0, 40]"))
t.check(near(gone["low"], [-0.32, -0.1, 0.0]) and 0.4 <= gone["high"][2] <= 0.9,
        "one that is gone counts up to where it leaves", gone)

print("contact points")
with open("page.html", encoding="utf-8") as file:
    page = file.read()
t.check(re.search(r'<input id="points" type="checkbox">', page) and "#t=3.2&amp;pause" in page and
        "&amp;points&amp;" in page and os.path.getsize("page.html") > 50000, "the page offers them")
t.finish()
