/* scree stability: what its files share. */
#ifndef CLI_STABILITY_H
#define CLI_STABILITY_H

#include "cli/options.h"
#include "cli/study.h"

typedef struct cli_stability_options {
    const char* verb;
    const char* system;
    cli_list settings;
    int64_t simulate; /* values to simulate at; -1: as usual */
    double pair;      /* belt: s that two motions are followed for; 0: none */
    bool slips;       /* belt: decide what slip after slip comes to */
    const char* svg;  /* figure to draw, or NULL */
    bool json;
} cli_stability_options;

/* stability_belt.c, stability_mechanism.c: the exit code. */
int cli_stability_belt(const cli_stability_options* options);
int cli_stability_creep(const cli_stability_options* options);
int cli_stability_mechanism(const cli_stability_options* options, int index);

#endif
