/* A figure in the making: what was gathered, and where everything goes. */
#ifndef CLI_PLOT_STATE_H
#define CLI_PLOT_STATE_H

#include "cli/plot.h"
#include "cli/plot_axis.h"

#include <stdbool.h>
#include <stdio.h>

/* Pixels. */
enum {
    CLI_PLOT_EDGE = 16,       /* free at every side */
    CLI_PLOT_TICK_GAP = 8,    /* between the numbers and the axis */
    CLI_PLOT_SAMPLE = 26,     /* width of a sample in the legend */
    CLI_PLOT_LEGEND_STEP = 18 /* from line to line of the legend */
};

typedef struct cli_series {
    cli_plot_style style;
    bool arrows; /* instead of the style */
    int colour;
    char* label; /* NULL: not in the legend */
    size_t n;
    double *x, *y, *dx, *dy; /* [n] in one block that begins at x; dx, dy of arrows only */
} cli_series;

typedef struct cli_box {
    double left, top, width, height;
} cli_box;

struct cli_plot {
    char *title, *x_label, *y_label; /* or NULL */
    bool equal;
    int width, height; /* that were asked for */
    cli_series* list;
    size_t n, capacity;
    int n_colours;
    bool failed; /* memory was short somewhere */
    cli_axis x, y;
    cli_box legend;  /* without width: none */
    cli_box picture; /* all of it */
    FILE* out;
};

/* plot_layout.c: places axes, legend and picture. */
void cli_plot_lay_out(cli_plot* plot);

/* plot_draw.c: writes what has been placed. */
void cli_plot_draw(const cli_plot* plot);

#endif
