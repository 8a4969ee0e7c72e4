/* What scree identify shows of what it has found. */
#ifndef CLI_IDENTIFY_H
#define CLI_IDENTIFY_H

#include "cli/options.h"
#include "scree_io/measurement.h"

typedef struct cli_identified {
    const char* path;     /* of the measurement */
    const char* name;     /* of the surface */
    const char* material; /* file that was written, or NULL */
    double cutoff;        /* cycles per turn */
    int64_t n_samples;
    const scree_identification* found;
} cli_identified;

void cli_identified_print(const cli_identified* it);
void cli_identified_json(const cli_identified* it);

/* Both sets with the measured points and the directions of sliding; an exit code. */
int cli_identified_draw(const cli_identified* it, const char* path);

/* The forces along and across the sliding over its angle, measured and by the sets found. */
int cli_identified_draw_forces(const cli_identified* it, const char* path);

/* What --path asks for. */
typedef struct cli_path_options {
    const char* verb;
    const char* file;    /* columns x, y and perhaps time, path */
    const char* example; /* or a file to write */
    cli_list settings;   /* those of sliding-disc */
    const char* fit;     /* names with commas; NULL: all that the law has */
    const char* svg;     /* figure to write, or NULL */
    bool json;
} cli_path_options;

/* Exit codes. */
int cli_identify_path(const cli_path_options* options);
int cli_identify_path_example(const cli_path_options* options);

#endif
