#!/usr/bin/env python3
"""Spheres with friction and rolling friction: Scree beside the peers that Debian packages.

usage: ./dev bench peers [--scene columns|gravel] [--spheres N] [--time T] [--peers A,B,...]
                         [--workers 1,2] [--interval S] [--limit S] [--csv FILE]

columns: columns of spheres in a box of 2 m by 2 m, 2 s. Truly rigid ones stand.
gravel: 10,000 spheres rain at 800 a second into the same box, 15 s.
Spheres of 45 mm, density 2028, sliding friction 0.6, rolling and spinning friction 0.01 m.

Scree runs the built-in scenes, with their own step (5 ms) and, as scree-2ms and scree-10ms, with
another; scree-loose: 16 ms, a tolerance of 0.25 and 1 mm of overlap in a step, still less than
that of any peer. Soft contacts (LIGGGHTS, LAMMPS, Yade): Hertz and Mindlin, E = 1e7 Pa, Poisson
0.3, restitution 0.2, step 0.2 ms; liggghts-stiff: E = 1e9 Pa, step 0.02 ms. ODE: 20 iterations a
step of 5 ms, ode-fine: 200 of 2 ms. Bullet: 10 of 5 ms, bullet-fine: 50 of 2 ms. Box3D: 4 substeps
of a step of 5 ms, box3d-fine: of 1 ms; Debian has no package of it: BOX3D=FOLDER in the environment
says where it is installed. How each is told the rolling friction is said in its file in
bench/peers/. Spheres rebound in the soft engines only.

Times are of whole processes, per simulated second, and count the writing of places every INTERVAL
(Yade: without the start of its Python). Compare times of one run only. With two workers or ranks
the CPU time holds their waiting for each other. Penetration is the largest seen at those instants
(for Scree, the largest of every step) and that of the last one. The top of gravel is that of the
spheres with three neighbours. Scree's residual is the worst certificate of all steps.
A peer that is not installed is left out:
apt-get install --no-install-recommends liggghts lammps libode-dev libbullet-dev yade
"""

import argparse
import csv
import dataclasses
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import time

try:
    import numpy

    import _spheres
except ImportError:
    sys.exit("bench peers: python3-numpy is not installed")

SOURCES = pathlib.Path(__file__).resolve().parent / "peers"
SHARED_SCENES = pathlib.Path(__file__).resolve().parents[2] / "shared" / "scenes"
# Of neighbour lists, m. 10 mm is slower; 30 mm gains 3 % in gravel and loses 5 % in columns.
SKIN = 0.02
FIELDS = ["scene", "spheres", "time_s", "engine", "workers", "step_s", "cpu_per_s", "wall_per_s",
          "cpu_ratio", "wall_ratio", "penetration_mm", "penetration_end_mm", "top_m", "center_m",
          "lost", "residual", "note"]


class Failure(Exception):
    """Why an engine gave no result."""


@dataclasses.dataclass
class Job:
    scene: str
    count: int
    duration: float
    interval: float
    limit: float
    folder: pathlib.Path
    rows: numpy.ndarray  # time, x, y, z of each release
    scree: str  # the program

    def steps(self, step, span=None):
        return round((self.duration if span is None else span) / step)


@dataclasses.dataclass
class Outcome:
    cpu: float
    wall: float
    penetration: float
    last: numpy.ndarray
    residual: float = None
    note: str = ""


# ---- processes ---------------------------------------------------------------------------------


def timed(command, job, accepted=(0,)):
    """Runs it to its end; returns what it printed, its user CPU seconds and wall seconds."""
    log = job.folder / "log"
    late = threading.Event()

    def stop(process):
        late.set()
        process.terminate()  # mpirun ends its ranks then

    with open(log, "wb") as out:
        begin = time.perf_counter()
        process = subprocess.Popen([str(word) for word in command], stdout=out,
                                   stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                                   cwd=job.folder)
        timer = threading.Timer(job.limit, stop, [process])
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)  # counts what its own children used, too
        timer.cancel()
        wall = time.perf_counter() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
    text = log.read_text(errors="replace")
    if late.is_set():
        raise Failure("not done after %g s" % job.limit)
    if process.returncode not in accepted:
        lines = [line for line in text.splitlines() if "error" in line.lower()] or [text[-200:]]
        raise Failure("exit code %d: %s" % (process.returncode, lines[0].strip()))
    return text, usage.ru_utime, wall


def require(program, package):
    if not shutil.which(program):
        raise Failure("not installed (Debian package %s)" % package)


def ranks(command, workers):
    """The command with several ranks; root is refused without being asked for."""
    if workers == 1:
        return command
    require("mpirun", "openmpi-bin")
    flags = ["--oversubscribe"] + (["--allow-run-as-root"] if os.geteuid() == 0 else [])
    return ["mpirun", "-np", workers, *flags, *command]


# ---- places written by the engines -------------------------------------------------------------


def read_dump(path):
    """Frames of a LAMMPS text dump with the columns x y z."""
    with open(path) as file:
        while True:
            header = [file.readline() for _ in range(9)]
            if not header[8]:
                return
            count = int(header[3])
            text = "".join(file.readline() for _ in range(count))
            yield numpy.array(text.split(), dtype=float).reshape(count, 3)


def read_frames(path):
    """Frames as bench/peers/spheres.h writes them."""
    data = numpy.fromfile(path)
    at = 0
    while at < len(data):
        count = int(data[at])
        yield data[at + 1:at + 1 + 3 * count].reshape(count, 3)
        at += 1 + 3 * count


def outcome(cpu, wall, frames, job):
    penetration, last = 0.0, None
    for last in frames:
        if not numpy.isfinite(last).all():
            raise Failure("wrote places that are not finite")
        if len(last):
            penetration = max(penetration, _spheres.deepest(last))
    if last is None or not len(last):
        raise Failure("wrote no places")
    if len(last) < job.count and job.scene == "columns":
        raise Failure("kept only %d of %d spheres" % (len(last), job.count))
    return Outcome(cpu, wall, penetration, last)


# ---- engines -----------------------------------------------------------------------------------


def last_recorded(job, frame):
    """Places in the last frame of Scree's recording; what it prints as JSON lists but some."""
    prefix = job.folder / "scree"
    subprocess.run([job.scree, "export", "%s.h5" % prefix, "--csv", "--every", str(frame), "-o",
                    prefix], check=True, capture_output=True)
    with open("%s_bodies.csv" % prefix, newline="") as file:
        return numpy.array([[float(body[axis]) for axis in ("x [m]", "y [m]", "z [m]")]
                            for body in csv.DictReader(file)
                            if int(body["frame"]) == frame and body["name"].startswith("stone")])


def run_scree(job, workers, step, *more):
    if job.scene == "columns":
        places = job.folder / "columns.csv"
        numpy.savetxt(places, job.rows[:, 1:], fmt="%.9f", delimiter=",")
        settings = ["--set", "csv=%s" % places]
    else:
        settings = ["--set", "count=%d" % job.count]
    for setting in ("step=%g" % step, "output.interval=%g" % job.interval, *more):
        settings += ["--set", setting]
    command = [job.scree, "run", job.scene, *settings, "--until", job.duration,
               "--workers", workers, "--json", "-o", job.folder / "scree.h5"]
    text, cpu, wall = timed(command, job, accepted=(0, 1))
    try:
        result = json.loads(text[text.index("{"):])  # behind warnings
    except ValueError:
        raise Failure("no result: " + text.strip()[-200:]) from None
    measure = result["measure"]
    last = last_recorded(job, result["recording"]["frames"] - 1)
    note = ""
    if measure["steps_not_converged"]:
        note = "%d of %d steps not converged" % (measure["steps_not_converged"], measure["steps"])
    return Outcome(cpu, wall, measure["penetration_max"], last, measure["residual_max"], note)


def run_input(job, workers, name, young, step):
    """LIGGGHTS or LAMMPS with its input file."""
    program = {"liggghts": "liggghts", "lammps": "lmp"}[name]
    require(program, name)
    data, dump = job.folder / "spheres.data", job.folder / "places.dump"
    with open(data, "w") as file:
        file.write("spheres\n\n%d atoms\n2 atom types\n\n-1.05 1.05 xlo xhi\n-1.05 1.05 ylo yhi\n"
                   "-0.05 3.0 zlo zhi\n\nAtoms\n\n" % job.count)
        for i, row in enumerate(job.rows):
            file.write("%d 1 %g 2028.0 %.9f %.9f %.9f\n" % (i + 1, 2 * _spheres.RADIUS, *row[1:]))
    variables = {"young": young, "step": step, "skin": SKIN, "data": data, "dump": dump,
                 "steps": job.steps(step), "every": job.steps(step, job.interval),
                 "release": job.steps(step, 5e-3), "count": job.count,
                 "rain": int(job.scene == "gravel"), "ranks": workers}
    command = [program, "-in", SOURCES / (name + ".in"), "-log", "none"]
    for key, value in variables.items():
        command += ["-var", key, value]
    _, cpu, wall = timed(ranks(command, workers), job)
    return outcome(cpu, wall, read_dump(dump), job)


def flags_of(library, package):
    """What its compiler is told of a library."""
    if library == "box3d":
        folder = os.environ.get("BOX3D")
        if not folder:
            raise Failure("not installed (BOX3D=FOLDER says where it is)")
        return ["-I" + folder + "/include", "-L" + folder + "/lib", "-lbox3d", "-pthread"]
    require("pkg-config", "pkg-config")
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", library], capture_output=True,
                           text=True)
    if flags.returncode:
        raise Failure("not installed (Debian package %s)" % package)
    return flags.stdout.split()


def build(source, compiler, library, package):
    """Compiles a peer of ours; Failure where the library is not installed."""
    require(compiler, "g++")
    program = pathlib.Path("build/bench/peer_" + source.stem).resolve()
    program.parent.mkdir(parents=True, exist_ok=True)
    flags = flags_of(library, package)
    done = subprocess.run([compiler, "-O3", "-o", program, source, *flags, "-lm"],
                          capture_output=True, text=True)
    if done.returncode:
        raise Failure("does not compile: " + done.stderr.strip().splitlines()[0])
    return program


def run_ours(job, source, compiler, library, package, step, iterations):
    """ODE, Bullet or Box3D with our program around it."""
    program = build(SOURCES / source, compiler, library, package)
    releases, places = job.folder / "releases", job.folder / "places"
    numpy.savetxt(releases, job.rows, fmt="%.9f")
    command = [program, releases, places, job.duration, step, job.interval, iterations]
    _, cpu, wall = timed(command, job)
    return outcome(cpu, wall, read_frames(places), job)


def run_yade(job, workers, young, step):
    require("yade", "yade")
    releases, places = job.folder / "releases", job.folder / "places"
    numpy.savetxt(releases, job.rows, fmt="%.9f")
    text, _, _ = timed(["yade", "-n", "-x", "-j%d" % workers, SOURCES / "yade_spheres.py", releases,
                        places, job.duration, step, job.interval, young], job)
    for line in text.splitlines():
        if line.startswith("RESULT "):
            cpu, wall = (float(word) for word in line.split()[1:])
            return outcome(cpu, wall, read_frames(places), job)
    raise Failure("did not finish: " + text.strip()[-200:])


ODE = ("ode.c", "cc", "ode", "libode-dev")
BULLET = ("bullet.cpp", "c++", "bullet", "libbullet-dev")
BOX3D = ("box3d.c", "cc", "box3d", None)
SCREE_STEP = {"columns": 5e-3, "gravel": 5e-3}  # what the built-in scenes say
LOOSE = ("world.tol=0.25", "world.overlap=1e-3")
# Name: step in seconds, whether several workers are possible, how to run it.
ENGINES = {
    "scree-2ms": (2e-3, True, lambda job, w: run_scree(job, w, 2e-3)),
    "scree-10ms": (1e-2, True, lambda job, w: run_scree(job, w, 1e-2)),
    "scree-loose": (1.6e-2, True, lambda job, w: run_scree(job, w, 1.6e-2, *LOOSE)),
    "liggghts": (2e-4, True, lambda job, w: run_input(job, w, "liggghts", 1e7, 2e-4)),
    "liggghts-stiff": (2e-5, True, lambda job, w: run_input(job, w, "liggghts", 1e9, 2e-5)),
    "lammps": (2e-4, True, lambda job, w: run_input(job, w, "lammps", 1e7, 2e-4)),
    "ode": (5e-3, False, lambda job, w: run_ours(job, *ODE, 5e-3, 20)),
    "ode-fine": (2e-3, False, lambda job, w: run_ours(job, *ODE, 2e-3, 200)),
    "bullet": (5e-3, False, lambda job, w: run_ours(job, *BULLET, 5e-3, 10)),
    "bullet-fine": (2e-3, False, lambda job, w: run_ours(job, *BULLET, 2e-3, 50)),
    "box3d": (5e-3, False, lambda job, w: run_ours(job, *BOX3D, 5e-3, 4)),
    "box3d-fine": (1e-3, False, lambda job, w: run_ours(job, *BOX3D, 1e-3, 4)),
    "yade": (2e-4, True, lambda job, w: run_yade(job, w, 1e7, 2e-4)),
}
DEFAULT_PEERS = {"columns": list(ENGINES), "gravel": ["scree-10ms", "liggghts", "lammps"]}

# ---- the run -----------------------------------------------------------------------------------


def releases_of(options):
    """Rows of time, x, y, z, and where they come from."""
    if options.scene == "gravel":
        return _spheres.rain(options.spheres), "places drawn by each program, or by this one"
    file = SHARED_SCENES / ("columns_%d.csv" % options.spheres)
    if file.exists():
        places, source = numpy.loadtxt(file, delimiter=","), file.name
    else:
        places, source = _spheres.columns(options.spheres), "drawn here, seed 1"
    return numpy.column_stack([numpy.zeros(len(places)), places]), source


def row_of(job, name, step, workers, result, reference):
    """A line of the table; reference is Scree's with as many workers."""
    last = result.last
    row = {
        "scene": job.scene, "spheres": len(last), "time_s": job.duration, "engine": name,
        "workers": workers, "step_s": step,
        "cpu_per_s": result.cpu / job.duration, "wall_per_s": result.wall / job.duration,
        "penetration_mm": 1e3 * result.penetration,
        "penetration_end_mm": 1e3 * _spheres.deepest(last),
        "top_m": float(last[:, 2].max()) + _spheres.RADIUS if job.scene == "columns"
        else _spheres.heap_top(last),
        "center_m": float(last[:, 2].mean()), "lost": _spheres.lost(last),
        "residual": result.residual, "note": result.note,
    }
    if name == "scree":
        reference = row
    for kind in ("cpu", "wall"):
        row[kind + "_ratio"] = row[kind + "_per_s"] / reference[kind + "_per_s"]
    return row


def show(row):
    residual = "-" if row["residual"] is None else "%.1e" % row["residual"]
    note = row["note"]
    if row["lost"]:
        note = ("%d spheres lost  " % row["lost"]) + note
    print("%-14s %2d %7.2f %8.3f %8.3f %6.2f %6.2f %8.4f %8.4f %8.5f %8.5f %8s  %s" %
          (row["engine"], row["workers"], 1e3 * row["step_s"], row["cpu_per_s"], row["wall_per_s"],
           row["cpu_ratio"], row["wall_ratio"], row["penetration_mm"], row["penetration_end_mm"],
           row["top_m"], row["center_m"], residual, note), flush=True)


def run_all(job, options):
    """Scree first, then each peer, with one worker and with more where it can."""
    own_step = SCREE_STEP[job.scene]
    engines = {"scree": (own_step, True, lambda job, w: run_scree(job, w, own_step))}
    engines.update((name, ENGINES[name]) for name in options.peers)
    rows, reference = [], {}
    for name, (step, several, run) in engines.items():
        for workers in options.workers:
            if workers > 1 and not several:
                continue
            try:
                result = run(job, workers)
            except Failure as failure:
                print("%-14s %2d %s" % (name, workers, failure), flush=True)
                if name == "scree":
                    return rows
                break
            row = row_of(job, name, step, workers, result, reference.get(workers))
            if name == "scree":
                reference[workers] = row
            rows.append(row)
            show(row)
    return rows


def parse():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("scree")
    parser.add_argument("--scene", choices=["columns", "gravel"], default="columns")
    parser.add_argument("--spheres", type=int)
    parser.add_argument("--time", type=float)
    parser.add_argument("--peers", help="names, with commas between them")
    parser.add_argument("--workers", default="1,2")
    parser.add_argument("--interval", type=float)
    parser.add_argument("--limit", type=float, default=1800.0)
    parser.add_argument("--csv")
    options = parser.parse_args()
    gravel = options.scene == "gravel"
    options.spheres = options.spheres or (10000 if gravel else 1000)
    options.time = options.time or (15.0 if gravel else 2.0)
    options.interval = options.interval or (0.1 if gravel else 0.05)
    options.workers = [int(word) for word in options.workers.split(",")]
    options.peers = options.peers.split(",") if options.peers else DEFAULT_PEERS[options.scene]
    for name in options.peers:
        if name not in ENGINES:
            parser.error("unknown peer '%s'; known: %s" % (name, ", ".join(ENGINES)))
    return options


def main():
    options = parse()
    try:
        rows, source = releases_of(options)
    except ValueError as error:
        print("bench peers: %s" % error, file=sys.stderr)
        return 2
    os.environ["OMP_NUM_THREADS"] = "1"
    print("%s, %d spheres (%s), %g s; times per simulated second, ratios to Scree's" %
          (options.scene, options.spheres, source, options.time))
    print("%-14s %2s %7s %8s %8s %6s %6s %8s %8s %8s %8s %8s" %
          ("engine", "w", "step ms", "CPU s", "wall s", "CPU x", "wall x", "pen. mm", "at end",
           "top m", "centre m", "residual"))
    with tempfile.TemporaryDirectory() as folder:
        job = Job(options.scene, options.spheres, options.time, options.interval, options.limit,
                  pathlib.Path(folder), rows, str(pathlib.Path(options.scree).resolve()))
        table = run_all(job, options)
    if not table:
        return 1
    path = pathlib.Path(options.csv or "build/bench/peers_%s_%d.csv" %
                        (options.scene, options.spheres))
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w", newline="") as out:
        writer = csv.DictWriter(out, FIELDS)
        writer.writeheader()
        writer.writerows(table)
    print("table: %s" % path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
