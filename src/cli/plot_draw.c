/* A figure as SVG. */
#include "cli/json.h"
#include "cli/plot_state.h"

#include <math.h>

/* Told apart by people with any of the usual kinds of colour blindness (Okabe and Ito, 2008). */
static const char* const palette[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                      "#e69f00", "#56b4e9", "#333333"};
enum { N_COLOURS = sizeof palette / sizeof *palette };

/* Escaped; what no XML file may hold becomes a question mark. */
static void write_text(FILE* out, const char* text)
{
    while (*text) {
        int length = cli_utf8_length(text);
        if (*text == '<') {
            fputs("&lt;", out);
        } else if (*text == '>') {
            fputs("&gt;", out);
        } else if (*text == '&') {
            fputs("&amp;", out);
        } else if (length == 0 || (unsigned char)*text < 0x20) {
            fputc('?', out);
        } else {
            fwrite(text, 1, (size_t)length, out);
        }
        text += length ? length : 1;
    }
}

static void write_tick_text(FILE* out, const cli_tick* tick)
{
    write_text(out, tick->label);
    if (tick->power[0]) fprintf(out, "<tspan dy='-5' font-size='9'>%s</tspan>", tick->power);
    fputs("</text>\n", out);
}

static void draw_axes(const cli_plot* plot)
{
    FILE* out = plot->out;
    const cli_axis *x = &plot->x, *y = &plot->y;
    for (int k = 0; k < x->n_ticks; ++k) {
        const cli_tick* tick = &x->tick[k];
        fprintf(out, "<path class='%s' d='M%.1f %.1fV%.1f'/>", tick->label[0] ? "grid" : "fine",
                tick->at, y->from, y->to);
        fprintf(out, "<text x='%.1f' y='%.1f' text-anchor='middle'>", tick->at, y->from + 18.0);
        write_tick_text(out, tick);
    }
    for (int k = 0; k < y->n_ticks; ++k) {
        const cli_tick* tick = &y->tick[k];
        fprintf(out, "<path class='%s' d='M%.1f %.1fH%.1f'/>", tick->label[0] ? "grid" : "fine",
                x->from, tick->at, x->to);
        fprintf(out, "<text x='%.1f' y='%.1f' text-anchor='end'>", x->from - CLI_PLOT_TICK_GAP,
                tick->at + 4.0);
        write_tick_text(out, tick);
    }
    fprintf(out, "<rect class='frame' x='%.1f' y='%.1f' width='%.1f' height='%.1f'/>\n", x->from,
            y->to, x->to - x->from, y->from - y->to);
    double middle_x = 0.5 * (x->from + x->to), middle_y = 0.5 * (y->from + y->to);
    if (plot->title) {
        fprintf(out, "<text class='title' x='%.1f' y='%.1f'>", x->from, y->to - 12.0);
        write_text(out, plot->title);
        fputs("</text>\n", out);
    }
    if (plot->x_label) {
        fprintf(out, "<text x='%.1f' y='%.1f' text-anchor='middle'>", middle_x, y->from + 38.0);
        write_text(out, plot->x_label);
        fputs("</text>\n", out);
    }
    if (plot->y_label) {
        fprintf(out, "<text transform='translate(%d %.1f) rotate(-90)' text-anchor='middle'>",
                CLI_PLOT_EDGE + 8, middle_y);
        write_text(out, plot->y_label);
        fputs("</text>\n", out);
    }
}

/* The look of a series, and the end of the element that carries it. */
static void write_look(FILE* out, const cli_series* s, double dot)
{
    const char* colour = palette[s->colour % N_COLOURS];
    bool worn = s->colour / N_COLOURS % 2; /* the second round of colours */
    if (s->style == CLI_PLOT_POINTS && !s->arrows) {
        fprintf(out, " stroke='%s' stroke-width='%g' stroke-linecap='round'/>\n", colour, dot);
        return;
    }
    if (s->style == CLI_PLOT_FILLED) fprintf(out, " style='fill:%s;fill-opacity:.12'", colour);
    if (s->style == CLI_PLOT_DASHED) fputs(" stroke-dasharray='6 4'", out);
    if (s->style == CLI_PLOT_LINE && worn && !s->arrows) fputs(" stroke-dasharray='2 3'", out);
    fprintf(out, " stroke='%s' stroke-width='%s'/>\n", colour, s->arrows ? "1.2" : "1.8");
}

static double dot_size(const cli_series* s)
{
    return s->n > 400 ? 2.2 : s->n > 100 ? 3.2 : s->n > 20 ? 5.0 : 7.5;
}

/* Points as strokes without length, which round ends make into dots. */
static void draw_points(const cli_plot* plot, const cli_series* s)
{
    fputs("<path d='", plot->out);
    for (size_t i = 0; i < s->n; ++i) {
        double x = cli_axis_place(&plot->x, s->x[i]), y = cli_axis_place(&plot->y, s->y[i]);
        if (isfinite(x + y)) fprintf(plot->out, "M%.2f %.2fh0", x, y);
    }
    fputs("'", plot->out);
    write_look(plot->out, s, dot_size(s));
}

/* Points closer to the last one than an eye can tell are left out. */
static void draw_line(const cli_plot* plot, const cli_series* s)
{
    static const double least = 0.2;
    bool closed = s->style == CLI_PLOT_FILLED;
    double x0 = 0.0, y0 = 0.0;
    bool drawing = false;
    fputs("<path d='", plot->out);
    for (size_t i = 0; i < s->n; ++i) {
        double x = cli_axis_place(&plot->x, s->x[i]), y = cli_axis_place(&plot->y, s->y[i]);
        if (!isfinite(x + y)) {
            if (drawing && closed) fputs("Z", plot->out);
            drawing = false;
            continue;
        }
        bool last = i + 1 == s->n;
        if (drawing && !last && hypot(x - x0, y - y0) < least) continue;
        fprintf(plot->out, "%c%.2f %.2f", drawing ? 'L' : 'M', x, y);
        x0 = x;
        y0 = y;
        drawing = true;
    }
    if (drawing && closed) fputs("Z", plot->out);
    fputs("'", plot->out);
    write_look(plot->out, s, 0.0);
}

/* A shaft and a head of two strokes. */
static void write_arrow(FILE* out, double x0, double y0, double x1, double y1)
{
    double dx = x1 - x0, dy = y1 - y0, length = hypot(dx, dy);
    if (!(length > 0.0)) return;
    double head = fmin(6.0, 0.5 * length) / length;
    double ax = head * dx, ay = head * dy, bx = -0.45 * ay, by = 0.45 * ax;
    fprintf(out, "M%.2f %.2fL%.2f %.2fM%.2f %.2fL%.2f %.2fL%.2f %.2f", x0, y0, x1, y1, x1 - ax + bx,
            y1 - ay + by, x1, y1, x1 - ax - bx, y1 - ay - by);
}

static void draw_arrows(const cli_plot* plot, const cli_series* s)
{
    fputs("<path d='", plot->out);
    for (size_t i = 0; i < s->n; ++i) {
        double x0 = cli_axis_place(&plot->x, s->x[i]), y0 = cli_axis_place(&plot->y, s->y[i]);
        double x1 = cli_axis_place(&plot->x, s->x[i] + s->dx[i]);
        double y1 = cli_axis_place(&plot->y, s->y[i] + s->dy[i]);
        write_arrow(plot->out, x0, y0, x1, y1);
    }
    fputs("'", plot->out);
    write_look(plot->out, s, 0.0);
}

static void draw_sample(FILE* out, const cli_series* s, double x, double y)
{
    double right = x + CLI_PLOT_SAMPLE;
    fputs("<path d='", out);
    if (s->arrows) {
        write_arrow(out, x, y, right, y);
    } else if (s->style == CLI_PLOT_POINTS) {
        fprintf(out, "M%.1f %.1fh0M%.1f %.1fh0M%.1f %.1fh0", x + 4.0, y, 0.5 * (x + right), y,
                right - 4.0, y);
    } else if (s->style == CLI_PLOT_FILLED) {
        fprintf(out, "M%.1f %.1fH%.1fv10H%.1fZ", x, y - 5.0, right, x);
    } else {
        fprintf(out, "M%.1f %.1fH%.1f", x, y, right);
    }
    fputs("'", out);
    write_look(out, s, fmax(3.2, dot_size(s)));
}

static void draw_legend(const cli_plot* plot)
{
    const cli_box* legend = &plot->legend;
    FILE* out = plot->out;
    double x = legend->left + 7.0, y = legend->top + 13.0;
    if (!(legend->width > 0.0)) return;
    fprintf(out, "<rect class='legend' x='%.1f' y='%.1f' width='%.1f' height='%.1f' rx='3'/>\n",
            legend->left, legend->top, legend->width, legend->height);
    for (size_t i = 0; i < plot->n; ++i) {
        const cli_series* s = &plot->list[i];
        if (!s->label) continue;
        draw_sample(out, s, x, y);
        fprintf(out, "<text x='%.1f' y='%.1f'>", x + CLI_PLOT_SAMPLE + 8.0, y + 4.0);
        write_text(out, s->label);
        fputs("</text>\n", out);
        y += CLI_PLOT_LEGEND_STEP;
    }
}

void cli_plot_draw(const cli_plot* plot)
{
    double width = plot->picture.width, height = plot->picture.height;
    fprintf(plot->out,
            "<svg xmlns='http://www.w3.org/2000/svg' width='%.0f' height='%.0f' "
            "viewBox='0 0 %.0f %.0f' font-family='sans-serif' font-size='12' fill='#222'>\n"
            "<style>path{fill:none;stroke-linejoin:round} .grid{stroke:#ddd} .fine{stroke:#f0f0f0} "
            ".frame{fill:none;stroke:#777} .legend{fill:#fff;fill-opacity:.85;stroke:#ccc} "
            ".title{font-size:15px;font-weight:bold}</style>\n"
            "<rect width='100%%' height='100%%' fill='#fff'/>\n",
            width, height, width, height);
    draw_axes(plot);
    for (size_t i = 0; i < plot->n; ++i) {
        const cli_series* s = &plot->list[i];
        if (s->arrows) {
            draw_arrows(plot, s);
        } else if (s->style == CLI_PLOT_POINTS) {
            draw_points(plot, s);
        } else {
            draw_line(plot, s);
        }
    }
    draw_legend(plot);
    fputs("</svg>\n", plot->out);
}
