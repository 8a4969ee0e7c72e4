/* What the summary of a run and its JSON object both tell about its end. */
#ifndef CLI_RUN_MEASURE_H
#define CLI_RUN_MEASURE_H

#include "cli/run.h"

typedef struct cli_run_measure {
    double top;       /* m, highest point of any dynamic body; NaN without one */
    double centre[3]; /* m, centre of mass of all dynamic bodies; NaN without one */
    double energy;    /* J, kinetic and potential */
    double impacts;   /* J, what contacts took out besides sliding, rolling and spinning */
    double defect;    /* J, energy that the budget does not explain */
    double speed;     /* simulated seconds per second */
    double updates;   /* contact updates per second of solving */
    /* Of this run alone, s. */
    double time_contacts, time_solve, time_certify, time_move, time_other;
} cli_run_measure;

cli_run_measure cli_run_measured(const cli_run* run, const scree_totals* totals);

#endif
