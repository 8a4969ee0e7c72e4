#include "cli/plot_axis.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Room beyond the data, in parts of their range. */
static const double margin = 0.04;

/* Up to this many decades a log axis has its numbers at 1, 2 and 5, from there on at powers. */
static const double few_decades = 2.2;

void cli_axis_begin(cli_axis* axis, bool log)
{
    *axis = (cli_axis){.log = log, .low = HUGE_VAL, .high = -HUGE_VAL};
}

/* The value as the axis measures it. Differences of larger ones could overflow. */
static double scaled(const cli_axis* axis, double value)
{
    if (!(fabs(value) < 1e300) || (axis->log && !(value > 0.0))) return (double)NAN;
    return axis->log ? log10(value) : value;
}

void cli_axis_take(cli_axis* axis, double value)
{
    double x = scaled(axis, value);
    if (x < axis->low) axis->low = x;
    if (x > axis->high) axis->high = x;
}

void cli_axis_close(cli_axis* axis)
{
    if (!(axis->low <= axis->high)) axis->low = axis->high = 0.0; /* no data at all */
    double range = axis->high - axis->low;
    double size = fmax(fabs(axis->low), fabs(axis->high));
    if (!(range > 1e-12 * size)) {
        range = axis->log || !(size > 0.0) ? 1.0 : size;
        axis->low -= 0.5 * range;
        axis->high += 0.5 * range;
        return;
    }
    axis->low -= margin * range;
    axis->high += margin * range;
}

double cli_axis_place(const cli_axis* axis, double value)
{
    double t = (scaled(axis, value) - axis->low) / (axis->high - axis->low);
    return axis->from + t * (axis->to - axis->from);
}

/* "1e+06" becomes "1e6", "1e-05" "1e-5", and a minus before digits one of full width. */
static void tidy(char label[CLI_AXIS_LABEL])
{
    char out[2 * CLI_AXIS_LABEL];
    size_t n = 0;
    bool leading = false; /* in an exponent that has shown no digit but 0 */
    for (const char* c = label; *c; ++c) {
        if (leading && (*c == '+' || *c == '0')) continue;
        leading = *c == 'e' || (leading && *c == '-');
        if (*c == '-') {
            memcpy(out + n, "\xe2\x88\x92", 3);
            n += 3;
        } else {
            out[n++] = *c;
        }
    }
    out[n] = '\0';
    snprintf(label, CLI_AXIS_LABEL, "%.*s", CLI_AXIS_LABEL - 1, out);
}

static cli_tick* add_tick(cli_axis* axis, double x)
{
    if (axis->n_ticks == CLI_AXIS_TICKS) --axis->n_ticks;
    cli_tick* tick = &axis->tick[axis->n_ticks++];
    double t = (x - axis->low) / (axis->high - axis->low);
    *tick = (cli_tick){.at = axis->from + t * (axis->to - axis->from)};
    return tick;
}

/* The least of 1, 2, 5, 10, ... that is not below x > 0, as a digit and a power of ten. */
static double round_up(double x, int* exponent)
{
    static const double digits[] = {1.0, 2.0, 5.0};
    *exponent = (int)floor(log10(x));
    double power = pow(10.0, *exponent);
    for (int k = 0; k < 3; ++k) {
        if (x <= digits[k] * power * (1.0 + 1e-9)) return digits[k] * power;
    }
    ++*exponent;
    return 10.0 * power;
}

static void mark_linear(cli_axis* axis, double n_steps)
{
    int exponent;
    double step = round_up((axis->high - axis->low) / n_steps, &exponent);
    double size = fmax(fabs(axis->low), fabs(axis->high));
    bool plain = size < 1e6 && exponent >= -4;
    int digits = (int)floor(log10(fmax(size, step))) - exponent + 1;
    double first = ceil(axis->low / step - 1e-9), last = floor(axis->high / step + 1e-9);
    for (int k = 0; k <= (int)fmin(last - first, CLI_AXIS_TICKS); ++k) {
        double x = first + k == 0.0 ? 0.0 : (first + k) * step; /* no -0 */
        cli_tick* tick = add_tick(axis, x);
        if (plain) {
            snprintf(tick->label, sizeof tick->label, "%.*f", exponent < 0 ? -exponent : 0, x);
        } else {
            snprintf(tick->label, sizeof tick->label, "%.*g", digits < 15 ? digits : 15, x);
        }
        tidy(tick->label);
    }
}

/* 1, 2, 5, 10, 20, ... with plain numbers. */
static void mark_few_decades(cli_axis* axis)
{
    static const double digits[] = {1.0, 2.0, 5.0};
    for (int e = (int)floor(axis->low); e <= (int)ceil(axis->high); ++e) {
        for (int k = 0; k < 3; ++k) {
            double value = digits[k] * pow(10.0, e), x = log10(value);
            if (!(x >= axis->low - 1e-9 && x <= axis->high + 1e-9)) continue;
            cli_tick* tick = add_tick(axis, x);
            snprintf(tick->label, sizeof tick->label, "%.6g", value);
            tidy(tick->label);
        }
    }
}

/* Powers of ten; lines at 2 to 9 between them while there is room. */
static void mark_decades(cli_axis* axis, double n_steps)
{
    int exponent;
    double decades = axis->high - axis->low;
    int every = (int)round_up(fmax(decades / n_steps, 1.0), &exponent);
    bool fine = every == 1 && decades <= 6.0;
    for (int e = (int)floor(axis->low); e <= (int)ceil(axis->high); ++e) {
        if (e >= axis->low - 1e-9 && e <= axis->high + 1e-9 && e % every == 0) {
            cli_tick* tick = add_tick(axis, e);
            snprintf(tick->label, sizeof tick->label, "10");
            snprintf(tick->power, sizeof tick->power, "%d", e);
            tidy(tick->power);
        }
        for (int k = 2; fine && k <= 9; ++k) {
            double x = e + log10(k);
            if (x >= axis->low && x <= axis->high) add_tick(axis, x);
        }
    }
}

void cli_axis_mark(cli_axis* axis, double spacing)
{
    double n_steps = fmax(2.0, fabs(axis->to - axis->from) / spacing);
    axis->n_ticks = 0;
    if (!axis->log) {
        mark_linear(axis, n_steps);
    } else if (axis->high - axis->low < 0.7) {
        /* Less than from 1 to 5: equal steps of the value have to do. */
        cli_axis values = *axis;
        values.low = pow(10.0, axis->low);
        values.high = pow(10.0, axis->high);
        mark_linear(&values, n_steps);
        for (int k = 0; k < values.n_ticks; ++k) {
            double t = (values.tick[k].at - axis->from) / (axis->to - axis->from);
            double value = values.low + t * (values.high - values.low);
            values.tick[k].at = cli_axis_place(axis, value);
        }
        memcpy(axis->tick, values.tick, sizeof axis->tick);
        axis->n_ticks = values.n_ticks;
    } else if (axis->high - axis->low < few_decades) {
        mark_few_decades(axis);
    } else {
        mark_decades(axis, n_steps);
    }
}
