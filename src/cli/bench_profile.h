/* Performance profiles after Dolan and Moré (Mathematical Programming 91, 2002) as an SVG picture:
 * for every solver the fraction of problems that it solves within a factor tau of the time of the
 * fastest solver on that problem, over the logarithm of tau. */
#ifndef CLI_BENCH_PROFILE_H
#define CLI_BENCH_PROFILE_H

#include <stdbool.h>
#include <stdio.h>

typedef struct cli_profile_curve {
    const char* label;
    const double* time; /* [n_problems] s; NaN where the problem is not solved */
    bool dashed;        /* a peer's */
    bool strong;        /* drawn thicker */
} cli_profile_curve;

typedef struct cli_profile_panel {
    const char* title;
    int n_problems, n_curves;
    const cli_profile_curve* curves;
} cli_profile_panel;

/* Writes the panels one below the other. False when memory is short; faults of the file are left in
 * its error flag. */
bool cli_profile_write(FILE* out, const cli_profile_panel* panels, int n);

#endif
