/* Plain figures in SVG: curves and points over axes with round ticks, a legend, a title. */
#ifndef CLI_PLOT_H
#define CLI_PLOT_H

#include <stddef.h>

typedef struct cli_plot cli_plot;

typedef enum cli_plot_style {
    CLI_PLOT_LINE,
    CLI_PLOT_DASHED,
    CLI_PLOT_POINTS,
    CLI_PLOT_FILLED /* a closed line with a pale inside */
} cli_plot_style;

typedef struct cli_plot_def {
    const char *title, *x_label, *y_label; /* labels with units */
    int equal;                             /* one unit is as long on both axes */
    int log_x, log_y;
    int width, height; /* pixels; 0: 640 by 480 */
} cli_plot_def;

/* NULL when memory is short; every other call takes NULL and does nothing. Texts are copied. */
cli_plot* cli_plot_begin(const cli_plot_def* def);

/* A series in the next colour; not finite values break the line. A NULL label is not listed. */
void cli_plot_add(cli_plot* plot, cli_plot_style style, const char* label, size_t n,
                  const double* x, const double* y);

/* Like the one before, in the colour of the series added last. */
void cli_plot_again(cli_plot* plot, cli_plot_style style, size_t n, const double* x,
                    const double* y);

/* n arrows from (x, y) by (dx, dy) in axis units, in the colour of the series added last. */
void cli_plot_arrows(cli_plot* plot, size_t n, const double* x, const double* y, const double* dx,
                     const double* dy);

/* Lists the series or arrows added last in the legend; NULL takes them out of it. */
void cli_plot_label(cli_plot* plot, const char* label);

/* Writes the figure (through a temporary file) and frees it; an exit code of cli/host.h, with a
 * message on failure. */
int cli_plot_end(cli_plot* plot, const char* path);

#endif
