#!/usr/bin/env python3
"""Eight built-in scenes as their pages show them: docs/images/structures.png of docs/scenes.md.

usage: ./dev figures structures [--quick]

Runs each scene, makes its page (scree view), and has a browser without a window, chromium, draw it at
one time. Pages that are there are not made again; all takes five minutes, most of it the pyramid.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from _figures import parse_options, pyplot, run_scene, say

# Scene, settings, what the page is asked for.
SCENES = [
    ("arch", {"ratio": 0.107}, "t=1.3"),
    ("domino", {}, "t=0.5&color=speed"),
    ("pyramid", {}, "t=1&zoom=0.8"),
    ("kapla", {}, "t=1"),
    ("rocking-block", {}, "t=0.3"),
    ("sliding-cube", {}, "t=1.2&trails"),
    ("euler-disc", {}, "t=2"),
    ("rattleback", {}, "t=3&color=spin"),
]
QUICK = ("arch", "rocking-block", "sliding-cube", "rattleback")
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
WIDTH, HEIGHT, TOP, BOTTOM = 640, 520, 0, 136  # the page, and the controls that are cut off


def find_browser():
    for name in BROWSERS:
        if shutil.which(name):
            return name
    raise SystemExit(f"structures: there is no browser to draw pages with ({', '.join(BROWSERS)})")


def make_page(options, scene, settings):
    page = options.out / f"structures_{scene}.html"
    if page.exists() and not options.fresh:
        return page
    with tempfile.TemporaryDirectory(dir=options.out) as folder:
        recording = pathlib.Path(folder) / "run.h5"
        run_scene(options, scene, settings, recording=str(recording))
        subprocess.run([options.program, "view", recording, "-o", page], check=True)
    return page


def draw_page(browser, page, asked):
    """The page at the time asked for, as an array."""
    with tempfile.TemporaryDirectory() as folder:
        picture = pathlib.Path(folder) / "page.png"
        command = [browser, "--headless", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
                   "--hide-scrollbars", "--virtual-time-budget=3000", f"--screenshot={picture}",
                   f"--window-size={WIDTH},{HEIGHT}", f"--user-data-dir={folder}"]
        if os.geteuid() == 0:
            command.append("--no-sandbox")
        subprocess.run([*command, f"{page.resolve().as_uri()}#{asked}&pause&theme=light"],
                       capture_output=True, timeout=300, check=False)
        if not picture.exists():
            raise RuntimeError(f"{browser} has drawn nothing of {page}")
        return pyplot.imread(picture)[TOP:HEIGHT - BOTTOM]


def main():
    options = parse_options(__doc__)
    browser = find_browser()
    scenes = [entry for entry in SCENES if not options.quick or entry[0] in QUICK]
    figure, places = pyplot.subplots(len(scenes) // 4, 4, figsize=(16, 4.9 * len(scenes) / 8),
                                     squeeze=False)
    for axes, (scene, settings, asked) in zip(places.flat, scenes):
        say(f"structures: {scene}")
        axes.imshow(draw_page(browser, make_page(options, scene, settings), asked))
        name = " ".join([scene, *(f"{key}={value:g}" for key, value in settings.items())])
        axes.text(0.02, 0.97, name, transform=axes.transAxes, va="top", fontsize=12,
                  bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.8})
        axes.axis("off")
    figure.savefig(options.out / "structures.png", dpi=100)
    say(f"wrote {options.out / 'structures.png'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
