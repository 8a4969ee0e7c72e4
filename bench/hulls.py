#!/usr/bin/env python3
"""Hulls of 32 points that pile up in a box: Scree beside Bullet, ODE and MuJoCo as Debian packages them.

usage: ./dev bench hulls [--hulls N] [--time T] [--step S] [--peers A,B,...] [--limit S]

Hulls of 64 forms, 5 cm in radius, fall from a grid of 16 x 16 into a box; friction 0.5, one thread, every engine with
the same step. Scree ends a step at a certificate of 1e-3; Bullet makes 10 iterations a step (bullet-fine: 50), ODE and
MuJoCo 20; MuJoCo's contacts are soft, and it sets aside memory for a full matrix: 5,120 hulls would need 30 GB.
Given are hulls times steps in a second of CPU time, with those of Scree over them, the mean height of the hulls at the
end, which is too low where they lie in each other, and how many have left the box. Compare times of one run only.
A peer that is not installed is left out: apt-get install --no-install-recommends libode-dev libbullet-dev libmujoco-dev
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

SOURCES = pathlib.Path(__file__).resolve().parent / "peers"
PEERS = {
    "bullet": ("hulls_bullet.cpp", "c++", "bullet", 10),
    "bullet-fine": ("hulls_bullet.cpp", "c++", "bullet", 50),
    "ode": ("hulls_ode.c", "cc", "ode", 20),
    "mujoco": ("hulls_mujoco.c", "cc", None, 20),
}


def build_peer(name, folder):
    """The program of a peer; None where its package is missing."""
    source, compiler, package, _ = PEERS[name]
    if package:
        asked = ["pkg-config", "--cflags", "--libs", package]
    else:  # no file for pkg-config: the linker alone knows whether it is there
        asked = [compiler, f"-l{name}", "-shared", "-o", folder / "empty.so"]
    flags = subprocess.run([str(word) for word in asked], capture_output=True, text=True)
    if flags.returncode:
        return None
    program = folder / name
    command = [compiler, "-O2", "-o", program, SOURCES / source, *(flags.stdout.split() or [f"-l{name}"]), "-lm"]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"bench hulls: {source}: {done.stderr}")
    return program


def run(command, limit):
    """What a program printed, or why it did not."""
    try:
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return None, f"not done after {limit:g} s"
    if done.returncode:
        return None, f"exit code {done.returncode}"
    return done.stdout.splitlines(), ""


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n")[0])
    parser.add_argument("scree", help=argparse.SUPPRESS)
    parser.add_argument("--hulls", type=int, default=640)
    parser.add_argument("--time", type=float, default=1.0)
    parser.add_argument("--step", type=float, default=0.005)
    parser.add_argument("--limit", type=float, default=600.0)
    parser.add_argument("--peers", default=",".join(PEERS))
    options = parser.parse_args()
    folder = pathlib.Path(options.scree).parent
    subprocess.run(["cmake", "--build", folder, "--target", "bench_hull_pile"], check=True, stdout=subprocess.DEVNULL)
    ours = folder / "bench" / "hull_pile"
    job = [options.hulls, options.time, options.step]
    first = None
    print(f"{options.hulls} hulls, {options.time:g} s in steps of {options.step:g} s")
    print(f"{'engine':12} {'hulls x steps / s':>18} {'ratio':>7} {'height m':>9} {'lost':>5}")
    with tempfile.TemporaryDirectory() as folder:
        for name in ["scree", *[name for name in options.peers.split(",") if name]]:
            program = ours if name == "scree" else build_peer(name, pathlib.Path(folder))
            if program is None:
                print(f"{name:12} not installed")
                continue
            lines, fault = run([program, *job, 1e-3 if name == "scree" else PEERS[name][3]], options.limit)
            if fault:
                print(f"{name:12} {fault}")
                continue
            seconds, steps, height, lost = lines[0].split()
            rate = options.hulls * int(steps) / float(seconds)
            first = first or rate
            print(f"{name:12} {rate:18.4g} {first / rate:7.3f} {float(height):9.4f} {lost:>5}", flush=True)
            for line in lines[1:]:
                print(f"             {line}")


if __name__ == "__main__":
    main()
