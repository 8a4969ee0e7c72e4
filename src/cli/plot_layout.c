/* Where axes, legend and texts of a figure go. */
#include "cli/plot_state.h"

#include <math.h>

/* Pixels. */
enum {
    TITLE_HEIGHT = 26, /* of the title's line */
    TEXT_HEIGHT = 16,
    LEGEND_GAP = 12, /* between the legend and the axes */
    LEAST_AREA = 80,
    X_SPACING = 80, /* of the ticks */
    Y_SPACING = 50
};

static const double letter_width = 6.3;   /* mean, of a text of 12 pixels */
static const double title_letters = 1.25; /* as wide as those of other texts */
static const double most_elongated = 0.4;

static double text_width(const char* text)
{
    int n = 0;
    for (const char* c = text; *c; ++c) n += ((unsigned char)*c & 0xc0) != 0x80;
    return n * letter_width;
}

static double number_width(const cli_tick* tick)
{
    return text_width(tick->label) + 0.75 * text_width(tick->power);
}

static double widest_number(const cli_axis* axis)
{
    double widest = 0.0;
    for (int k = 0; k < axis->n_ticks; ++k) widest = fmax(widest, number_width(&axis->tick[k]));
    return widest;
}

/* Where the last number under the area ends. */
static double end_of_numbers(const cli_axis* axis)
{
    double end = 0.0;
    for (int k = 0; k < axis->n_ticks; ++k) {
        end = fmax(end, axis->tick[k].at + 0.5 * number_width(&axis->tick[k]));
    }
    return end;
}

/* Size of the legend; its place is not known yet. */
static cli_box legend_size(const cli_plot* plot)
{
    int n = 0;
    double widest = 0.0;
    for (size_t i = 0; i < plot->n; ++i) {
        if (!plot->list[i].label) continue;
        widest = fmax(widest, text_width(plot->list[i].label));
        ++n;
    }
    if (n == 0) return (cli_box){0};
    return (cli_box){.width = CLI_PLOT_SAMPLE + 22.0 + widest,
                     .height = CLI_PLOT_LEGEND_STEP * n + 8.0};
}

/* One unit is as long on both axes: the area shrinks, or the range grows where the area would
 * become a stripe. */
static void equalise(cli_plot* plot, double* width, double* height)
{
    cli_axis *x = &plot->x, *y = &plot->y;
    double range_x = x->high - x->low, range_y = y->high - y->low;
    double grow_x = fmax(0.0, most_elongated * range_y - range_x);
    double grow_y = fmax(0.0, most_elongated * range_x - range_y);
    x->low -= 0.5 * grow_x;
    x->high += 0.5 * grow_x;
    y->low -= 0.5 * grow_y;
    y->high += 0.5 * grow_y;
    double ratio = (range_x + grow_x) / (range_y + grow_y);
    if (*width > ratio * *height) {
        *width = ratio * *height;
    } else {
        *height = *width / ratio;
    }
}

/* Height of what stands under the area. */
static double below(const cli_plot* plot)
{
    return CLI_PLOT_EDGE + 22.0 + (plot->x_label ? TEXT_HEIGHT + 4 : 0);
}

/* Sets the pixels and ticks of both axes; `right` is kept free beside the area. */
static void place_axes(cli_plot* plot, double right)
{
    double top = CLI_PLOT_EDGE + (plot->title ? TITLE_HEIGHT : 0);
    double height = fmax(plot->height - top - below(plot), LEAST_AREA);
    plot->y.from = height;
    plot->y.to = 0.0;
    cli_axis_mark(&plot->y, Y_SPACING); /* only to see how wide the numbers are */
    double left = CLI_PLOT_EDGE + widest_number(&plot->y) + CLI_PLOT_TICK_GAP +
                  (plot->y_label ? TEXT_HEIGHT + 6 : 0);
    double width = fmax(plot->width - left - CLI_PLOT_EDGE - right, LEAST_AREA);
    if (plot->equal) equalise(plot, &width, &height);
    plot->x.from = left;
    plot->x.to = left + width;
    plot->y.from = top + height;
    plot->y.to = top;
    cli_axis_mark(&plot->x, X_SPACING);
    cli_axis_mark(&plot->y, Y_SPACING);
}

static bool is_inside(const cli_box* b, double x, double y)
{
    return x >= b->left && x <= b->left + b->width && y >= b->top && y <= b->top + b->height;
}

/* Whether the way from one point to another leads through the box; NaN leads nowhere. */
static bool is_crossed(const cli_box* b, double x0, double y0, double x1, double y1)
{
    double length = hypot(x1 - x0, y1 - y0);
    if (!(length < 1e6)) return false;
    int n = (int)(length / 3.0) + 1;
    for (int k = 0; k <= n; ++k) {
        double t = (double)k / n;
        if (is_inside(b, x0 + t * (x1 - x0), y0 + t * (y1 - y0))) return true;
    }
    return false;
}

static bool is_covered_by(const cli_plot* plot, const cli_box* b, const cli_series* s)
{
    double x0 = (double)NAN, y0 = (double)NAN;
    for (size_t i = 0; i < s->n; ++i) {
        double x = cli_axis_place(&plot->x, s->x[i]), y = cli_axis_place(&plot->y, s->y[i]);
        if (is_inside(b, x, y)) return true;
        if (s->arrows) {
            x0 = cli_axis_place(&plot->x, s->x[i] + s->dx[i]);
            y0 = cli_axis_place(&plot->y, s->y[i] + s->dy[i]);
        }
        if (s->style != CLI_PLOT_POINTS && is_crossed(b, x0, y0, x, y)) return true;
        x0 = x;
        y0 = y;
    }
    return false;
}

/* A corner of the area where the legend covers nothing. */
static bool find_corner(const cli_plot* plot, cli_box* legend)
{
    double left = plot->x.from + LEGEND_GAP, right = plot->x.to - LEGEND_GAP - legend->width;
    double top = plot->y.to + LEGEND_GAP, bottom = plot->y.from - LEGEND_GAP - legend->height;
    if (!(left <= right && top <= bottom)) return false;
    for (int corner = 0; corner < 4; ++corner) {
        legend->left = corner % 2 == 0 ? right : left;
        legend->top = corner < 2 ? top : bottom;
        bool is_free = true;
        for (size_t i = 0; i < plot->n && is_free; ++i) {
            is_free = !is_covered_by(plot, legend, &plot->list[i]);
        }
        if (is_free) return true;
    }
    return false;
}

void cli_plot_lay_out(cli_plot* plot)
{
    cli_box* legend = &plot->legend;
    cli_axis_close(&plot->x);
    cli_axis_close(&plot->y);
    *legend = legend_size(plot);
    place_axes(plot, 0.0);
    double width = plot->x.to + CLI_PLOT_EDGE;
    if (legend->width > 0.0 && !find_corner(plot, legend)) {
        place_axes(plot, legend->width + LEGEND_GAP);
        legend->left = plot->x.to + LEGEND_GAP;
        legend->top = plot->y.to;
        width = legend->left + legend->width + CLI_PLOT_EDGE;
    }
    width = fmax(width, end_of_numbers(&plot->x) + 0.5 * CLI_PLOT_EDGE);
    if (plot->title) width = fmax(width, plot->x.from + title_letters * text_width(plot->title));
    double height = plot->y.from + below(plot);
    height = fmax(height, legend->top + legend->height + CLI_PLOT_EDGE);
    plot->picture = (cli_box){.width = width, .height = height};
}
