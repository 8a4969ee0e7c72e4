#!/usr/bin/env python3
"""What resists a carriage on recirculating balls: figure 8 of Tasora and Anitescu (2013), section 6.2.

usage: ./dev figures guideway [--quick]

guideway: the resisting force over the rolling friction of the balls, with and without the seal, for contact
lines at 45 degrees to the load and along it, and the lines F = zeta load/cos(angle) + seal: the maker's
formula zeta load + seal holds for contact lines along the load. The worst deviation is printed and must not be
above 1e-3 of the force. Below 0.003 the carriage, which has no preload, rolls to one side at once.
"""

import math
import sys

from _figures import COLOURS, Table, campaign, parse_options, pyplot, run_scene, save, say

LOAD, SEAL = 490.0, 5.3
WORST = 1e-3  # relative deviation that is asked for


def force_in_theory(zeta, angle, seal):
    return zeta * LOAD / math.cos(math.radians(angle)) + seal


def resist(options, case):
    # Without preload the carriage rolls to one side in time, the sooner the less the balls resist.
    run = run_scene(options, "guideway", case, until=0.03)["measure"]
    if run["steps_not_converged"]:
        raise RuntimeError(f"{run['steps_not_converged']} steps missed the tolerance")
    return {"force": run["resisting_force"]}


def draw(options, table, zetas):
    figure, axes = pyplot.subplots(figsize=(4.6, 3.4))
    for k, (angle, seal) in enumerate([(45.0, SEAL), (0.0, SEAL), (45.0, 0.0), (0.0, 0.0)]):
        lines = "45° to the load" if angle else "along the load"
        label = f"{lines}, {'with' if seal else 'without'} seal"
        ends = [0.0, max(zetas)]
        axes.plot([1000.0 * z for z in ends], [force_in_theory(z, angle, seal) for z in ends],
                  color=COLOURS[k], linewidth=0.9)
        rows = table.select(angle=angle, seal=seal)
        axes.plot([1000.0 * row["zeta"] for row in rows], [row["force"] for row in rows], "o",
                  color=COLOURS[k], markersize=4, label=label)
    axes.set_xlabel("rolling friction over the radius of a ball, 10⁻³")
    axes.set_ylabel("resisting force, N")
    axes.set_xlim(left=0.0)
    axes.set_ylim(0.0, 25.0)
    axes.legend(title="contact lines", loc="upper left")
    save(figure, options, "guideway")


def main():
    options = parse_options(__doc__)
    zetas = [0.003, 0.005] if options.quick else [0.003, 0.005, 0.007, 0.01, 0.015]
    cases = [{"zeta": zeta, "angle": angle, "seal": seal}
             for zeta in zetas for angle in (0.0, 45.0) for seal in (0.0, SEAL)]
    table = Table(options.out / "guideway.csv", ["zeta", "angle", "seal"], options.fresh)
    n_failed = campaign(table, cases, lambda case: resist(options, case), options.jobs)
    draw(options, table, zetas)
    worst = max(abs(row["force"] / force_in_theory(row["zeta"], row["angle"], row["seal"]) - 1.0)
                for row in table.rows.values())
    say(f"worst relative deviation from zeta load/cos(angle) + seal: {worst:.2e}")
    return 1 if n_failed or not worst <= WORST else 0


if __name__ == "__main__":
    sys.exit(main())
