/* scree bench problems: what its files share.
 *
 * Every solver of Scree and of its peer, Siconos, on every problem at every tolerance gives one row
 * of a table. Times are seconds of processor time for the solve alone; solved means that the
 * certificate of the impulses is within the tolerance, whoever found them.
 */
#ifndef CLI_BENCH_PROBLEMS_H
#define CLI_BENCH_PROBLEMS_H

#include "cli/load.h"
#include "cli/watch.h"
#include "scree/solver.h"

#include <stdio.h>

enum {
    CLI_PROBLEMS_TEXT = 32, /* room for the name of a solver, a kind or an outcome */
    CLI_PROBLEMS_TOLS = 8,
    CLI_PROBLEMS_SOLVERS = 64,
    CLI_PROBLEMS_REPEAT = 10 /* solves of which the least time counts, while they are short */
};

typedef struct cli_problems_options {
    const char* folder;
    const char* solvers; /* names separated by commas; NULL: all */
    const char* tols;    /* numbers separated by commas */
    int measure;         /* a scree_measure */
    double max_time;     /* s, of one solve */
    const char* csv;
    const char* svg;
    const char* peer_csv;
    const char* focus; /* the solver that is compared with the peer */
    int64_t least_contacts;
    bool no_peer, warm, json;
} cli_problems_options;

typedef struct cli_problems_case {
    char* name; /* path below the folder, own memory */
    int32_t contacts, rows;
    int width;                    /* of one contact; 0: mixed */
    char kind[CLI_PROBLEMS_TEXT]; /* "friction-3d", ... */
} cli_problems_case;

typedef struct cli_problems_row {
    int problem; /* index of a case */
    int tol;     /* index of a tolerance */
    bool peer, solved;
    char solver[CLI_PROBLEMS_TEXT];
    char outcome[CLI_PROBLEMS_TEXT];
    double residual;       /* in the measure asked for; NaN when there are no impulses */
    double time_s, wall_s; /* processor and wall clock; NaN when not known */
    int64_t iterations;    /* -1: not known */
} cli_problems_row;

/* Zeroed when empty. */
typedef struct cli_problems_table {
    int n_tols;
    double tol[CLI_PROBLEMS_TOLS]; /* loosest first */
    int measure;                   /* a scree_measure */
    int n_cases, n_rows;
    int room_cases, room_rows;
    cli_problems_case* cases;
    cli_problems_row* rows;
} cli_problems_table;

/* A solver that has rows in a table. */
typedef struct cli_problems_solver {
    bool peer;
    const char* name;
} cli_problems_solver;

/* Warm starts after a small change of the problem, against cold ones. */
typedef struct cli_problems_warm {
    double sum_log; /* of the time ratios */
    int n, n_unsolved;
} cli_problems_warm;

/* A problem that is read and ready to be solved. */
typedef struct cli_problems_open {
    cli_loaded loaded;
    scree_problem_store reduced; /* zero unless the file holds a factored problem */
    const scree_problem* problem;
    double* p;    /* [n_rows] */
    double* best; /* [n_rows] */
} cli_problems_open;

/* Everything one benchmark holds; zeroed, then filled step by step. */
typedef struct cli_problems {
    const cli_problems_options* options;
    cli_host host;
    cli_watch watch;
    int n_files, n_skipped;
    char** files; /* below the folder, sorted; own memory */
    int n_solvers;
    char solvers[CLI_PROBLEMS_SOLVERS][CLI_PROBLEMS_TEXT]; /* ours */
    cli_problems_table table;
    cli_problems_table known; /* results of the peer from an earlier run */
    int n_known;              /* of the table's rows come from there */
    FILE *csv, *peer_csv;     /* NULL: not wanted */
    bool has_peer;
    int n_peer_solvers;
    char peer_kinds[CLI_PROBLEMS_SOLVERS][CLI_PROBLEMS_TEXT];
    char peer_solvers[CLI_PROBLEMS_SOLVERS][CLI_PROBLEMS_TEXT];
    const char* now; /* the solver at work, for the progress line */
    int now_tol;
    cli_problems_warm warm;
} cli_problems;

/* bench_problems_table.c: the table, in memory and as CSV, and what is printed in the end.
 * Functions that return int give an exit code after a message. Reading keeps the rows whose
 * tolerance `table` has; its measure must be that of the file. */
int cli_problems_add_case(cli_problems* job, cli_problems_table* table,
                          const cli_problems_case* one);
const cli_problems_row* cli_problems_get(const cli_problems_table* table, int problem, int tol,
                                         cli_problems_solver solver);
void cli_problems_write_header(FILE* out);
void cli_problems_write_row(FILE* out, const cli_problems_table* table,
                            const cli_problems_row* row);
int cli_problems_read_csv(cli_problems* job, const char* path, cli_problems_table* table);
void cli_problems_release(cli_problems_table* table);
void cli_problems_print(const cli_problems* job);
void cli_problems_print_json(const cli_problems* job);
int cli_problems_draw(const cli_problems* job, const char* path);

/* A row goes into the table and the CSV file. */
int cli_problems_record(cli_problems* job, const cli_problems_row* row);

/* bench_problems_solve.c: our solvers on the problem of the last case, and warm starts; what
 * Siconos has, and its solvers on the same problem. */
int cli_problems_solve(cli_problems* job, cli_problems_open* open);
int cli_problems_warm_start(cli_problems* job, cli_problems_open* open);
void cli_problems_find_peer(cli_problems* job);
int cli_problems_ask_peer(cli_problems* job, cli_problems_open* open);

/* Whether Ctrl-C came; shows on the terminal where the work stands, when it is time. */
bool cli_problems_pause(cli_problems* job, double residual);

#endif
