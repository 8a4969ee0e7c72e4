/* Studies: systems in generalised coordinates that scree run knows by name beside its scenes. */
#ifndef CLI_STUDY_H
#define CLI_STUDY_H

#include "cli/parameters.h"
#include "scree_study/belt.h"
#include "scree_study/mechanism.h"
#include "scree_study/sliding_disc.h"

typedef struct cli_study {
    const char* name;
    const char* title;
} cli_study;

int cli_study_count(void);
cli_study cli_study_get(int index);

/* Whether scree run knows a study of that name. */
bool cli_is_study(const char* name);

/* What scree run was asked for. */
typedef struct cli_study_run {
    const char* verb;
    const char* name;
    const cli_list* settings;
    const char* output; /* table to write, or NULL */
    bool json, quiet;
} cli_study_run;

/* Simulates the study and prints what came out; the exit code. */
int cli_run_study(const cli_study_run* run);

/* The value, or 0 where it is nothing but rounding beside `size`. For people, not for JSON. */
double cli_without_rounding(double value, double size);

/* Title and parameters, as scree scenes shows them; the exit code. */
int cli_explain_study(const char* verb, const char* name, const cli_list* settings, bool json);

/* study_belt.c, study_disc.c, study_mechanism.c */
int cli_run_belt(const cli_study_run* run);
int cli_run_disc(const cli_study_run* run);
int cli_run_mechanism(const cli_study_run* run);

/* study_belt.c: the parameters of the belt, into a cli_belt. */
typedef struct cli_belt {
    scree_belt_def def;
    int32_t every; /* steps between two lines of the table */
} cli_belt;
extern const cli_parameters cli_belt_parameters;
cli_belt cli_default_belt(void);

/* "limit cycle", "steady", "undecided" or "interrupted". */
const char* cli_belt_outcome(scree_belt_outcome outcome);

/* study_disc.c: the same for the disc. */
typedef struct cli_disc {
    scree_disc_def def;
    int32_t law; /* in place of def.law */
    int32_t every;
} cli_disc;
extern const cli_parameters cli_disc_parameters;
int cli_read_disc(const char* verb, const cli_list* settings, cli_disc* out);

/* study_mechanism.c: the number of a mechanism, -1 where there is none of that name. */
int cli_find_mechanism(const char* name);

/* The parameters of a mechanism, in memory of the caller, into the struct itself. */
typedef struct cli_mechanism {
    scree_mechanism_info info;
    cli_parameter item[SCREE_MECHANISM_PARAMETERS + 4];
    cli_parameters parameters;
    double value[SCREE_MECHANISM_PARAMETERS];
    scree_mechanism_motion_def motion;
    int32_t every; /* steps between two lines of the table */
} cli_mechanism;
void cli_describe_mechanism(int index, cli_mechanism* out);

/* Adds those of its motion. */
void cli_describe_motion(cli_mechanism* out);

#endif
