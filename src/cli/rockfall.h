/* The verb rockfall: what is asked for, what it is read into, and how it is told. */
#ifndef CLI_ROCKFALL_H
#define CLI_ROCKFALL_H

#include "cli/host.h"
#include "scree_io/raster_file.h"
#include "scree_study/rockfall.h"

#include <stdint.h>

typedef struct cli_rockfall_options {
    const char *map, *release, *size, *zones, *grounds, *prefix;
    double steeper; /* degrees; 0: not asked for */
    double cell;    /* m; 0: that of the map */
    int holes;      /* scree_holes less 1 */
    int64_t blocks, lines, workers;
    uint64_t seed;
    int form;
    double deviation, density, drop, speed, step, time;
    double mu, roll, restitution, viscous;
    bool json;
} cli_rockfall_options;

/* A study in the making; zero but for the first two. */
typedef struct cli_rockfall {
    const cli_rockfall_options* options;
    cli_host host;
    scree_raster map;
    scree_rockfall_def def;
    double* releases;
    int32_t* zone;
    scree_rockfall_ground* grounds;
    scree_rockfall result;
    char* prefix;
    bool interrupted;
    double wall, cpu; /* s that the blocks took */
} cli_rockfall;

/* In rockfall_input.c: map, grounds and releases into the def. Exit codes. */
int cli_rockfall_read(cli_rockfall* r);

/* In rockfall_report.c. */
int cli_rockfall_check_files(cli_rockfall* r);
int cli_rockfall_write_files(cli_rockfall* r);
void cli_rockfall_warn(const cli_rockfall* r);
void cli_rockfall_print(cli_rockfall* r);
void cli_rockfall_print_json(cli_rockfall* r);

#endif
