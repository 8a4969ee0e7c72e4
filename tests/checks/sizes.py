#!/usr/bin/env python3
"""Checks that structs which pass between a program and the libraries can grow (decision 80).

Usage: sizes.py SOURCE_FOLDER

Definitions, views, reports and what else a library fills say how large they are: they begin with
struct_size or a cookie, end with reserved room, or are handed over together with their size. No exported function returns one
by value. What is neither is a plain value, and listed here: it stays as it is within a minor version.
Prints one line per fault and fails when there is any.
"""

import re
import sys
from pathlib import Path

COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
STRUCT = re.compile(r"typedef struct (\w+) \{(.*?)\n\} \1;", re.DOTALL)
EXPORTED = re.compile(
    r"SCREE_API\s+(?:SCREE_MUST_USE\s+)?((?:const\s+)?\w+(?:\s*\*)*)\s+(\w+)\(([^;{]*?)\)\s*;", re.DOTALL)
GROWS = re.compile(r"_(?:def|view|report|info|totals|certificate)$")

# What goes along with something that says its size: a def that is refused otherwise.
COVERED = {
    "scree_report": "the cookie of scree_solver_def",
    "scree_infeasibility": "part of scree_report",
    "scree_lcp_report": "struct_size of scree_lcp_def",
    "scree_polyhedral_report": "struct_size of scree_polyhedral_def",
    "scree_polyhedral_ranks": "struct_size of scree_polyhedral_def",
    "scree_polyhedral_difference": "struct_size of scree_polyhedral_def",
    "scree_rockfall": "struct_size of scree_rockfall_def",
    "scree_ensemble": "struct_size of scree_ensemble_def",
}

# Values: their members are what they are.
PLAIN = {
    "scree_version", "scree_problem_store", "scree_body_id", "scree_joint_id", "scree_freedom",
    "scree_mass", "scree_material", "scree_body_state", "scree_ray_hit", "scree_rank", "scree_least",
    "scree_set_value", "scree_tensor_law", "scree_solver_info", "scree_sink_tally", "scree_probe_tally",
    # of files
    "scree_problem_file", "scree_problem_extras", "scree_raster", "scree_table", "scree_table_def",
    "scree_builtin_scene",
    # of studies
    "scree_measurement", "scree_tribometer_def", "scree_identification", "scree_belt_pair_def",
    "scree_belt_equilibrium", "scree_belt_cycle", "scree_belt_pair", "scree_belt_slip", "scree_belt_slips",
    "scree_creep", "scree_lcp", "scree_lcp_store",
    "scree_lcp_certificate", "scree_sparse_lcp", "scree_sparse_lcp_store", "scree_scene_difference",
    "scree_foundation_contact", "scree_foundation_rest", "scree_foundation_fold", "scree_foundation_well",
    "scree_foundation_cusp", "scree_foundation_loop", "scree_foundation_density", "scree_mechanism_info",
    "scree_mode", "scree_mechanism_run", "scree_mechanism_sample", "scree_mechanism_motion",
    "scree_example_parameters", "scree_example_store", "scree_heap",
    "scree_path", "scree_path_found", "scree_repose", "scree_rockfall_ground", "scree_rockfall_map", "scree_disc_path",
    "scree_linear",
    "scree_sliding", "scree_sliding_report",
}


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    texts = {path: COMMENT.sub(" ", path.read_text(encoding="utf-8"))
             for path in sorted(Path(sys.argv[1]).glob("include/*/*.h"))}
    structs = {name: body.split(";")[0].split() for text in texts.values()
               for name, body in STRUCT.findall(text)}
    sized = {name for name, first in structs.items()
             if first in (["uint32_t", "struct_size"], ["uint32_t", "cookie"], ["size_t", "size"])}
    sized |= {name for text in texts.values() for name, body in STRUCT.findall(text)
              if body.rstrip().endswith("reserved[8];")}
    faults, met, along = [], set(), set()
    for path, text in texts.items():
        for kind, name, parameters in EXPORTED.findall(text):
            if kind in sized:
                faults.append(f"{path.name}: {name}() returns a {kind} by value; make it inline")
            with_size = any(p.split()[-2:] == ["size_t", "size"] for p in parameters.split(",") if p.strip())
            for used in {kind} | set(re.findall(r"\b\w+(?=\s*\*)", parameters)):
                if used in structs:
                    met.add(used)
                    if with_size:
                        along.add(used)
    for name in sorted(met | {name for name in structs if GROWS.search(name)}):
        if not (name in sized or name in along or name in COVERED or name in PLAIN):
            faults.append(f"{name}: begins without struct_size, and nothing else says how large it is")
    for name in sorted((PLAIN | set(COVERED)) - set(structs)):
        faults.append(f"{name}: listed in sizes.py, but there is no such struct")
    for name in sorted((PLAIN | set(COVERED)) & sized):
        faults.append(f"{name}: listed in sizes.py, but says its size")
    if len(sized) < 20:
        faults.append(f"only {len(sized)} structs say their size")
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
