/* What the verbs of scree foundation share: parameters that --set changes, tables, series. */
#ifndef CLI_FOUNDATION_H
#define CLI_FOUNDATION_H

#include "cli/host.h"
#include "cli/json.h"
#include "cli/options.h"
#include "scree_study/foundation.h"

#include <stdio.h>

int cli_foundation_force(int argc, char** argv);
int cli_foundation_bifurcation(int argc, char** argv);
int cli_foundation_noise(int argc, char** argv);
int cli_foundation_potential(int argc, char** argv);
int cli_foundation_map(int argc, char** argv);

/* Degrees of an angle in rad. */
double cli_degrees(double angle);

/* The names of the models, ended by NULL, for --model. */
extern const char* const cli_foundation_models[];

/* What --set can change. `ensemble` is NULL for verbs without one. */
typedef struct cli_foundation_set {
    scree_foundation_def* def;
    scree_ensemble_def* ensemble;
} cli_foundation_set;

/* What all verbs are asked for: stands first among the options of each. */
typedef struct cli_foundation_options {
    cli_list settings;
    int model;
    const char *csv, *svg;
    bool json;
} cli_foundation_options;

/* The options that these are, for the lists of the verbs. */
#define CLI_FOUNDATION_SETTINGS                                                                 \
    {.name = "set",                                                                             \
     .kind = CLI_LIST,                                                                          \
     .offset = offsetof(cli_foundation_options, settings),                                      \
     .value = "NAME=VALUE",                                                                     \
     .text = "change a parameter; may be given again and again"},                               \
    {                                                                                           \
        .name = "model", .kind = CLI_CHOICE, .offset = offsetof(cli_foundation_options, model), \
        .value = "MODEL", .text = "resistance by eq. 9", .choices = cli_foundation_models       \
    }
#define CLI_FOUNDATION_FILE(option, what)                                                      \
    {                                                                                          \
        .name = #option, .kind = CLI_TEXT, .offset = offsetof(cli_foundation_options, option), \
        .value = "FILE", .text = (what), .usual = "none"                                       \
    }

/* Reads the options of a verb and carries out its settings; its help also lists all parameters with
 * unit, meaning and default. False: the verb ends with *code. */
bool cli_foundation_begin(const cli_syntax* syntax, int argc, char** argv, void* options,
                          const cli_foundation_set* set, cli_host* host, int* code);

/* The parameters as an object with the paper's symbols. */
void cli_foundation_parameters(cli_json* json, const cli_foundation_set* set);

/* The stationary speeds as an array of objects, and as rows of a table. */
void cli_foundation_json_rest(cli_json* json, const scree_foundation_rest* rest, int32_t n);
void cli_foundation_print_rest(const scree_foundation_rest* rest, int32_t n);

/* A table in a file: *out is NULL for a NULL path. The latter hands back `code`, or CLI_FAILED
 * after a message when something did not arrive. */
int cli_open_table(const char* verb, const char* path, FILE** out);
int cli_close_table(const char* verb, const char* path, FILE* file, int code);

/* Before the work: CLI_DONE when all files that are asked for can be written. NULL paths are
 * allowed. */
int cli_check_outputs(const char* verb, const char* csv, const char* svg);

#endif
