/* What the parts of scree lcp share. */
#ifndef CLI_LCP_H
#define CLI_LCP_H

#include "cli/load.h"
#include "cli/watch.h"
#include "scree_study/polyhedral.h"

typedef struct cli_lcp_options {
    const char* file;
    int example; /* a scree_polyhedral_example, -1: none */
    const char* scene;
    int solver; /* a scree_lcp_method */
    double tol;
    int64_t max_iter;
    double max_time; /* s, of one LCP */
    int64_t directions;
    int polygon; /* a scree_polygon */
    bool compare;
    cli_list settings;
    int redundancy; /* a scree_redundancy, -1: what the example has */
    double compliance, rho, step;
    double until; /* s; NaN: not asked for */
    int figure;   /* of an example: 0 its own, 1 the transition of figure 1 */
    const char *output, *svg;
    bool json;
} cli_lcp_options;

/* The verb's name, for messages. */
extern const char cli_lcp_verb[];

scree_lcp_def cli_lcp_def(const cli_lcp_options* options);

/* A watch over the pivots of one LCP: a line on a terminal, and Ctrl-C ends the work. */
typedef struct cli_lcp_watch {
    cli_watch watch;
    int32_t unknowns;
} cli_lcp_watch;

/* Begins it and asks `def` to tell it; cli_watch_end(&watch->watch) ends it. */
void cli_lcp_watch_begin(cli_lcp_watch* watch, int32_t unknowns, scree_lcp_def* def);

/* lcp_compare.c: polygons against discs on the problem of a file. */
int cli_lcp_compare(const cli_lcp_options* options, cli_host* host, const cli_loaded* loaded);

/* lcp_example.c: accelerations, ranks and motion of an example. */
int cli_lcp_example(const cli_lcp_options* options);

/* lcp_scene.c: the bodies of a scene at acceleration level and under the exact law. */
int cli_lcp_scene(const cli_lcp_options* options);

#endif
