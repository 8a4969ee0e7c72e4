"""What the figure scripts share: options, runs of the program, recordings, layout, saving."""

import argparse
import concurrent.futures
import csv
import json
import os
import pathlib
import subprocess
import sys
import time

import h5py
import matplotlib
import numpy

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402 (the backend comes first)

GRAVITY = 9.81

# Of the palette of Okabe and Ito, which all readers can tell apart.
COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"]

pyplot.rcParams.update({
    "axes.grid": True,
    "axes.prop_cycle": matplotlib.cycler(color=COLOURS),
    "axes.spines.right": False,
    "axes.spines.top": False,
    "figure.constrained_layout.use": True,
    "font.size": 9,
    "grid.alpha": 0.3,
    "legend.frameon": False,
    "lines.linewidth": 1.4,
    "svg.fonttype": "none",
    "svg.hashsalt": "scree",
})


def parse_options(description, extra=None):
    """The options of every script; `extra` adds its own to the parser."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="the program scree")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("build/figures"),
                        help="folder for figures, tables and recordings (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=int(os.environ.get("JOBS", "2")),
                        help="runs at the same time (default: JOBS of the environment, or 2)")
    parser.add_argument("--quick", action="store_true",
                        help="fewer and smaller runs, in a folder of their own; for a trial")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE",
                        help="one more setting for all runs, such as world.max_sweeps=2000; tables "
                             "do not record it, so use a folder of its own")
    parser.add_argument("--results", type=pathlib.Path, metavar="FOLDER",
                        help="draw what tools/figures/heaps.sh has left there, run nothing")
    parser.add_argument("--fresh", action="store_true",
                        help="run everything again instead of what is missing")
    if extra:
        extra(parser)
    options = parser.parse_args()
    options.program = str(pathlib.Path(options.program).resolve())
    if options.quick:
        options.out = options.out / "quick"
    options.out.mkdir(parents=True, exist_ok=True)
    return options


def say(text):
    print(text, file=sys.stderr, flush=True)


# ---- runs ----------------------------------------------------------------------------------------

def call(program, *arguments):
    """Runs the program and returns its JSON. Steps that missed the tolerance (status 1) are not
    fatal: the caller finds their number in the result."""
    done = subprocess.run([program, *map(str, arguments), "--json"], capture_output=True, text=True)
    if done.returncode not in (0, 1) or not done.stdout:
        raise RuntimeError(done.stderr.strip() or f"{program} ended with {done.returncode}")
    return json.loads(done.stdout)


def run_scene(options, scene, settings, recording=None, until=None):
    arguments = ["run", scene]
    for setting in options.set:
        arguments += ["--set", setting]
    for key, value in settings.items():
        text = value if isinstance(value, str) else f"{value:.17g}"
        arguments += ["--set", f"{key}={text}"]
    if until is not None:
        arguments += ["--until", f"{until:.17g}"]
    if recording:
        arguments += ["-o", recording]
    return call(options.program, *arguments)


class Table:
    """Results of many runs, kept as a CSV file so that a campaign can be continued."""

    def __init__(self, path, keys, fresh=False):
        self.path, self.keys, self.rows = path, keys, {}
        if path.exists() and not fresh:
            with path.open(newline="") as file:
                for row in csv.DictReader(file):
                    row = {name: float(value) for name, value in row.items()}
                    self.rows[self.key_of(row)] = row

    def key_of(self, row):
        return tuple(f"{row[key]:.6g}" for key in self.keys)

    def add(self, row):
        self.rows[self.key_of(row)] = row
        rows = sorted(self.rows.values(), key=lambda r: [r[key] for key in self.keys])
        unfinished = self.path.with_suffix(".part")
        with unfinished.open("w", newline="") as file:
            writer = csv.DictWriter(file, fieldnames=list(row))
            writer.writeheader()
            for known in rows:
                writer.writerow({name: f"{value:.9g}" for name, value in known.items()})
        unfinished.replace(self.path)

    def get(self, case):
        return self.rows.get(self.key_of(case))

    def select(self, **wanted):
        """The rows with these values, in the order of the keys."""
        found = [row for row in self.rows.values()
                 if all(f"{row[key]:.6g}" == f"{value:.6g}" for key, value in wanted.items())]
        return sorted(found, key=lambda r: [r[key] for key in self.keys])


def campaign(table, cases, work, jobs):
    """Adds work(case), a dictionary, to the table for every case that it lacks. Returns the number
    of cases that failed."""
    missing = [case for case in cases if table.get(case) is None]
    say(f"{table.path}: {len(cases) - len(missing)} of {len(cases)} runs are there")
    n_failed = 0
    begin = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(max(jobs, 1)) as pool:
        waiting = {pool.submit(work, case): case for case in missing}
        for n, future in enumerate(concurrent.futures.as_completed(waiting), 1):
            case = waiting[future]
            label = ", ".join(f"{key} {value:.4g}" for key, value in case.items())
            elapsed = time.monotonic() - begin
            try:
                table.add({**case, **future.result()})
                left = elapsed / n * (len(missing) - n)
                say(f"  [{n}/{len(missing)}] {label}: done after {elapsed:.0f} s, "
                    f"about {left:.0f} s left")
            except FileNotFoundError as fault:  # not among the results of another machine
                say(f"  [{n}/{len(missing)}] {label}: {fault.filename} is not there")
            except (RuntimeError, OSError, ValueError, KeyError) as fault:
                n_failed += 1
                say(f"  [{n}/{len(missing)}] {label}: FAILED: {fault}")
    return n_failed


RUN_KEYS = ["steps", "steps_not_converged", "residual_max", "penetration_max", "cpu_s"]


def measure_run(result):
    """How well and how fast a run went, from its JSON."""
    return {key: float(result["measure"][key]) for key in RUN_KEYS}


def report_misses(table):
    rows = list(table.rows.values())
    missed = [row for row in rows if row["steps_not_converged"] > 0]
    if missed:
        worst = max(missed, key=lambda row: row["steps_not_converged"] / row["steps"])
        print(f"{table.path}: in {len(missed)} of {len(rows)} runs steps missed the tolerance, at "
              f"worst {100 * worst['steps_not_converged'] / worst['steps']:.2g} % of them, worst "
              f"residual {max(row['residual_max'] for row in missed):.2g}")


HEAP_KEYS = ["height", "mean_radius", "diameter", "angle_degrees", "angle_error_degrees",
             "flank_height", "packing_fraction", "coordination", "gap_mean", "spheres", "lost",
             "base"]


def measure_heap(program, recording):
    """The numbers of scree repose; null becomes NaN."""
    return heap_row(call(program, "repose", recording))


def heap_row(found):
    return {key: float("nan") if found[key] is None else float(found[key]) for key in HEAP_KEYS}


def make_heap(options, scene, settings, path):
    """Runs a scene and measures its heap, or reads what heaps.sh has found under the same name."""
    if options.results:
        heap = read_result(options, path, "heap.json")
        return {**heap_row(heap), **measure_run(read_result(options, path, "run.json"))}
    result = run_scene(options, scene, settings, recording=path)
    return {**measure_heap(options.program, path), **measure_run(result)}


def read_result(options, path, ending):
    return json.loads((options.results / f"{path.stem}.{ending}").read_text())


def describe_heap(options, path):
    """All that scree repose says of a heap."""
    if options.results:
        return read_result(options, path, "heap.json")
    return call(options.program, "repose", path)


def is_there(options, path):
    if options.results:
        return (options.results / f"{path.stem}.csv").exists()
    return path.exists()


def grains(options, path, diameter):
    """Centres and radii of the grains at the end of a run."""
    if not options.results:
        return Recording(path).spheres()
    centres = numpy.loadtxt(options.results / f"{path.stem}.csv", delimiter=",", skiprows=1)
    return centres, numpy.full(len(centres), 0.5 * diameter)


# ---- recordings ----------------------------------------------------------------------------------

class Recording:
    """A recording as NumPy arrays; docs/recordings.md describes the file."""

    def __init__(self, path):
        with h5py.File(path, "r") as file:
            self.time = file["/frames/time"][:]
            n = len(self.time)
            self.frames = {name: column[:n] for name, column in file["/frames"].items()}
            self.states = {name: column[:] for name, column in file["/bodies_state"].items()}
            self.contacts = {name: column[:] for name, column in file["/contacts"].items()}
            self.name = [name.decode() for name in file["/bodies/name"][:]]
            kind, size = file["/shapes/kind"][:], file["/shapes/size"][:]
            body = file["/shapes/body"][:]
            self.radius = numpy.zeros(len(self.name))
            self.radius[body[kind == 0]] = size[kind == 0, 0]

    def state(self, frame, name):
        begin = self.frames["body_offset"][frame]
        return self.states[name][begin:begin + self.frames["n_bodies"][frame]]

    def contact(self, frame, name):
        begin = self.frames["contact_offset"][frame]
        return self.contacts[name][begin:begin + self.frames["n_contacts"][frame]]

    def spheres(self, frame=-1):
        """Centres and radii of the spheres in a frame."""
        frame %= len(self.time)
        position = self.state(frame, "position")
        radius = self.radius[:len(position)]
        return position[radius > 0], radius[radius > 0]


# ---- output --------------------------------------------------------------------------------------

def save(figure, options, name):
    for suffix in ("png", "svg"):
        path = options.out / f"{name}.{suffix}"
        # No date: the same data make the same file.
        metadata = {"Date": None} if suffix == "svg" else None
        figure.savefig(path, dpi=200, metadata=metadata)
        say(f"wrote {path}")
    pyplot.close(figure)
