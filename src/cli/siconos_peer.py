"""One solver of Siconos on one problem file, as a server for scree bench problems.

usage: python3 -c SCRIPT KIND SOLVER FILE; without arguments it lists "KIND SOLVER" lines.

A request is a line "TOL LIMIT REPEAT" on standard input: solve from zero to the tolerance TOL, with
LIMIT seconds of processor time for each solve, REPEAT times as long as that stays short. The answer
on standard output is a line "SECONDS WALL ITERATIONS STATUS", for the call to the driver that took
the least processor time, and the impulses as raw doubles. A solve past the limit, and whatever goes
wrong inside Siconos, ends the process; whoever asks sees the answer missing.
"""

import os
import resource
import signal
import sys
import time

import numpy
import siconos.numerics as sn

ENOUGH = 0.3  # s; a solve is repeated until all took this
READING = 300.0  # s, for a file
SLEEP = 10.0  # times the limit, of wall clock, ends a solve that waits for something

# The iterations allowed are meant never to be reached: the time limit ends what does not converge.
MANY = 10000000
ADMM = 20000  # its default; often it goes on to the end and passes the test only there
SOME = 100000  # outer iterations, each of which solves a whole problem


def error_evaluation(value):
    def change(options):
        options.iparam[sn.SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION] = value
    return change


def admm_symmetry(value):
    def change(options):
        options.iparam[sn.SICONOS_FRICTION_3D_ADMM_IPARAM_SYMMETRY] = value
    return change


def unchanged(_options):
    pass


# kind: reader, driver, {name: (identifier, iterations, change to the default options)}
KINDS = {
    "friction-3d": ("frictionContact_new_from_filename", "fc3d_driver", {
        "NSGS": ("SICONOS_FRICTION_3D_NSGS", MANY, unchanged),
        "NSGS-full": ("SICONOS_FRICTION_3D_NSGS", MANY, error_evaluation(
            sn.SICONOS_FRICTION_3D_NSGS_ERROR_EVALUATION_FULL)),
        "NSN-AC": ("SICONOS_FRICTION_3D_NSN_AC", SOME, unchanged),
        "NSN-FB": ("SICONOS_FRICTION_3D_NSN_FB", SOME, unchanged),
        "PROX": ("SICONOS_FRICTION_3D_PROX", SOME, unchanged),
        "ADMM": ("SICONOS_FRICTION_3D_ADMM", ADMM, unchanged),
        "ADMM-check": ("SICONOS_FRICTION_3D_ADMM", ADMM, admm_symmetry(
            sn.SICONOS_FRICTION_3D_ADMM_CHECK_SYMMETRY)),
        "EG": ("SICONOS_FRICTION_3D_EG", MANY, unchanged),
        "FPP": ("SICONOS_FRICTION_3D_FPP", MANY, unchanged),
        "VI-FPP": ("SICONOS_FRICTION_3D_VI_FPP", MANY, unchanged),
        "VI-EG": ("SICONOS_FRICTION_3D_VI_EG", MANY, unchanged),
        "TFP": ("SICONOS_FRICTION_3D_TFP", SOME, unchanged),
        "ACLMFP": ("SICONOS_FRICTION_3D_ACLMFP", SOME, unchanged),
    }),
    "friction-2d": ("frictionContact_new_from_filename", "fc2d_driver", {
        "NSGS": ("SICONOS_FRICTION_2D_NSGS", MANY, unchanged),
        "CPG": ("SICONOS_FRICTION_2D_CPG", MANY, unchanged),
        "LEMKE": ("SICONOS_FRICTION_2D_LEMKE", MANY, unchanged),
        "ENUM": ("SICONOS_FRICTION_2D_ENUM", MANY, unchanged),
    }),
    "rolling-3d": ("rollingFrictionContact_new_from_filename", "rolling_fc3d_driver", {
        "NSGS": ("SICONOS_ROLLING_FRICTION_3D_NSGS", MANY, unchanged),
        "NSGS-full": ("SICONOS_ROLLING_FRICTION_3D_NSGS", MANY, error_evaluation(
            sn.SICONOS_FRICTION_3D_NSGS_ERROR_EVALUATION_FULL)),
        "ADMM": ("SICONOS_ROLLING_FRICTION_3D_ADMM", ADMM, unchanged),
    }),
    "rolling-2d": ("rollingFrictionContact_new_from_filename", "rolling_fc2d_driver", {
        "NSGS": ("SICONOS_ROLLING_FRICTION_2D_NSGS", MANY, unchanged),
    }),
}


def limit_time(seconds):
    """The signal of a processor-time limit ends the process, inside compiled code too."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    end = int(used.ru_utime + used.ru_stime + seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (end, resource.RLIM_INFINITY))
    signal.alarm(int(SLEEP * seconds) + 1)


def solve(kind, name, path, tol, limit):
    """The problem is read anew each time: solvers keep converted matrices in it."""
    read, driver, solvers = KINDS[kind]
    identifier, iterations, change = solvers[name]
    limit_time(READING)
    problem = getattr(sn, read)(path)
    size = problem.dimension * problem.numberOfContacts
    options = sn.SolverOptions(getattr(sn, identifier))
    options.iparam[sn.SICONOS_IPARAM_MAX_ITER] = iterations
    options.dparam[sn.SICONOS_DPARAM_TOL] = tol
    change(options)
    reaction, velocity = numpy.zeros(size), numpy.zeros(size)
    limit_time(limit)
    # The clock of the whole process is coarse under a limit on some systems.
    wall, seconds = time.perf_counter(), time.thread_time()
    status = getattr(sn, driver)(problem, reaction, velocity, options)
    seconds, wall = time.thread_time() - seconds, time.perf_counter() - wall
    done = int(options.iparam[sn.SICONOS_IPARAM_ITER_DONE])
    return seconds, wall, done, int(status), reaction


def serve(kind, name, path, answers):
    for line in sys.stdin:
        tol, limit, repeat = line.split()
        best, spent = None, 0.0
        for _ in range(int(repeat)):
            answer = solve(kind, name, path, float(tol), float(limit))
            if best is None or answer[0] < best[0]:
                best = answer
            spent += answer[0]
            if spent > ENOUGH:
                break
        answers.write(b"%.9e %.9e %d %d\n" % best[:4] + best[4].tobytes())
        answers.flush()


def main():
    if len(sys.argv) == 1:
        for kind, (_, _, solvers) in KINDS.items():
            for name, (identifier, _, _) in solvers.items():
                if hasattr(sn, identifier):
                    print(kind, name)
        return
    # Siconos prints as it likes; the answers have a stream of their own.
    answers = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for number in (signal.SIGXCPU, signal.SIGALRM, signal.SIGINT):
        signal.signal(number, signal.SIG_DFL)  # Python's own handlers wait for compiled code
    serve(*sys.argv[1:4], answers)


main()
