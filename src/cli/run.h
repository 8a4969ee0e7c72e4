/* scree run: what its files share. */
#ifndef CLI_RUN_H
#define CLI_RUN_H

#include "cli/host.h"
#include "cli/json.h"
#include "cli/options.h"
#include "cli/watch.h"
#include "scree_io/recording.h"

typedef struct cli_run_options {
    const char* scene; /* NULL: the default one, or that of the recording to resume */
    const char* output;
    cli_list settings;
    int64_t workers;
    double until;      /* s; negative: as the scene says */
    double checkpoint; /* s of wall clock between two of them */
    bool resume, force, json, quiet, print_defaults;
    int64_t dump_step; /* 0: none */
    const char* dump_to;
} cli_run_options;

/* The end that the progress line foresees. */
typedef struct cli_run_pace {
    double wall, time; /* s, when it was looked at last */
    double speed;      /* simulated seconds per second, smoothed; 0 before the first look */
} cli_run_pace;

/* Everything one run holds; zeroed, then filled step by step. */
typedef struct cli_run {
    const cli_run_options* options;
    cli_host host;
    scree_scene* scene;
    scree_simulation* simulation;
    scree_recorder* recorder; /* NULL: nothing is recorded */
    cli_watch watch;
    cli_run_pace pace;
    bool resumed;        /* the simulation goes on from a recording */
    bool was_complete;   /* and there is nothing left to do */
    bool dumped;         /* the problem asked for has been met, if not written */
    scree_totals before; /* when this run began: not zero if resumed */
    double time_before;  /* s, simulated */
    int64_t n_frames;    /* of the recording */
    double checkpointed; /* s of wall clock, when the last checkpoint was written */
    double wall, cpu;    /* s that this run took: clock values until it has ended */
    double record;       /* s of it for frames and checkpoints */
} cli_run;

/* run_open.c: the simulation, from a scene or from a recording, and the recorder. */
int cli_run_open(cli_run* run);

/* How the run ended: "time", "rest" or "interrupted". */
const char* cli_run_status(const cli_run* run);

/* Steps of this run that missed the tolerance. */
int64_t cli_run_missed(const cli_run* run);

/* run_report.c: what is printed in the end. */
void cli_run_print_summary(const cli_run* run);
void cli_run_print_json(const cli_run* run);

/* run_results.c: measures and results of the scene. */
void cli_run_print_results(const cli_run* run);
void cli_run_write_results(cli_json* json, const cli_run* run);

#endif
