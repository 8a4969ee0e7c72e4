/* One axis of a figure: the range of its data, where a value lies in pixels, and round ticks. */
#ifndef CLI_PLOT_AXIS_H
#define CLI_PLOT_AXIS_H

#include <stdbool.h>

enum { CLI_AXIS_TICKS = 128, CLI_AXIS_LABEL = 24 };

typedef struct cli_tick {
    double at;                  /* pixels */
    char label[CLI_AXIS_LABEL]; /* "" for a line without a number */
    char power[CLI_AXIS_LABEL]; /* exponent that stands behind the label, or "" */
} cli_tick;

typedef struct cli_axis {
    bool log;
    double low, high; /* of the data, then of the axis; their logarithms (base 10) where `log` */
    double from, to;  /* pixels of low and high */
    int n_ticks;
    cli_tick tick[CLI_AXIS_TICKS];
} cli_axis;

/* An axis without data. */
void cli_axis_begin(cli_axis* axis, bool log);

/* Makes the axis reach a value; one that has no place on it is left out. */
void cli_axis_take(cli_axis* axis, double value);

/* After the last value: leaves some room at both ends, more where all values are the same. */
void cli_axis_close(cli_axis* axis);

/* Pixel of a value; NaN where it has no place: not finite, or not positive on a log axis. */
double cli_axis_place(const cli_axis* axis, double value);

/* Fills in ticks about `spacing` pixels apart, for the range and pixels as they stand. */
void cli_axis_mark(cli_axis* axis, double spacing);

#endif
