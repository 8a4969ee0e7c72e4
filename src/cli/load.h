/* A problem file as the verbs use it, and the options that say how impulses are judged. */
#ifndef CLI_LOAD_H
#define CLI_LOAD_H

#include "cli/host.h"
#include "cli/options.h"
#include "scree_io/problem_file.h"

/* --law, --tol and --measure. */
typedef struct cli_judge {
    int law; /* a scree_law that friction contacts are to obey; -1: what the file says */
    double tol;
    int measure; /* a scree_measure */
} cli_judge;

/* What they are when nothing is asked for: the defaults of a solver. */
cli_judge cli_default_judge(void);

extern const char* const cli_law_choices[];
extern const char* const cli_measure_choices[];

/* Rows of an option table for a struct with a member `judge`. */
#define CLI_JUDGE_OPTIONS(type)                                                              \
    {.name = "law",                                                                          \
     .kind = CLI_CHOICE,                                                                     \
     .offset = offsetof(type, judge.law),                                                    \
     .value = "LAW",                                                                         \
     .text = "law of the friction contacts",                                                 \
     .usual = "as in FILE",                                                                  \
     .choices = cli_law_choices},                                                            \
        {.name = "tol",                                                                      \
         .kind = CLI_REAL,                                                                   \
         .offset = offsetof(type, judge.tol),                                                \
         .value = "T",                                                                       \
         .text = "accept a residual up to T, a number without unit",                         \
         .most = 1e30},                                                                      \
    {                                                                                        \
        .name = "measure", .kind = CLI_CHOICE, .offset = offsetof(type, judge.measure),      \
        .value = "M", .text = "residual that --tol is about", .choices = cli_measure_choices \
    }

typedef struct cli_loaded {
    const char* path;
    scree_problem_file file;
    scree_problem problem; /* as in the file, but for the law */
    uint8_t* law;          /* own array of laws; NULL when the file's are kept */
} cli_loaded;

/* Reads a problem; `law` as in cli_judge. CLI_DONE, or the exit code after a message.
 * cli_unload() is allowed after a failure and on a zeroed struct. */
int cli_load(cli_host* host, const char* path, int law, cli_loaded* out);
void cli_unload(cli_loaded* loaded);

/* Whether any contact has friction; an LCP has none. */
bool cli_has_friction(const scree_problem* problem);

/* For verbs that need at least one contact: CLI_DONE, or CLI_BAD_INPUT after a message. */
int cli_check_contacts(const cli_host* host, const cli_loaded* loaded);

/* Reads the impulses of a loaded problem into p[n_rows]. */
int cli_load_impulses(cli_host* host, const cli_loaded* loaded, const char* path, double* p);

/* Zeroed memory for one number per row; NULL after a message when memory is short. */
double* cli_new_rows(cli_host* host, const cli_loaded* loaded);

#endif
