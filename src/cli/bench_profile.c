#include "cli/bench_profile.h"

#include <math.h>
#include <stdlib.h>

/* Layout in pixels. */
enum {
    WIDTH = 980,
    LEFT = 64,
    PLOT_WIDTH = 640,
    PLOT_TOP = 40,
    BOTTOM = 56,
    LEGEND_LEFT = LEFT + PLOT_WIDTH + 24,
    LEGEND_STEP = 17,
    LEAST_HEIGHT = 320
};

static const char* const palette[] = {"#1b1b1b", "#d62728", "#1f77b4", "#2ca02c", "#ff7f0e",
                                      "#9467bd", "#17becf", "#8c564b", "#e377c2", "#7f7f7f",
                                      "#bcbd22", "#3d5a80", "#b56576"};
enum { N_COLOURS = sizeof palette / sizeof *palette };

static const double most_decades = 4.0;

/* Less than a clock can tell, s. */
static const double tick = 1e-9;

/* A curve ready to be drawn. */
typedef struct profile {
    const cli_profile_curve* curve;
    const char* colour;
    const char* dashes; /* "" for none; another pattern when the colours are used up */
    double* ratio;      /* [n_solved] rising */
    int n_solved;
} profile;

/* One panel in the making. */
typedef struct drawing {
    FILE* out;
    const cli_profile_panel* panel;
    profile* profiles;
    double* best;   /* [n_problems] */
    double decades; /* width of the axis */
    int top, height;
} drawing;

static int compare_numbers(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

/* Those that solve more stand higher in the legend; among equals the faster ones. */
static int compare_profiles(const void* a, const void* b)
{
    const profile *x = a, *y = b;
    if (x->n_solved != y->n_solved) return y->n_solved - x->n_solved;
    if (x->n_solved == 0) return 0;
    double p = x->ratio[x->n_solved / 2], q = y->ratio[y->n_solved / 2];
    return (p > q) - (p < q);
}

static void write_text(FILE* out, const char* text)
{
    for (; *text; ++text) {
        if (*text == '<') {
            fputs("&lt;", out);
        } else if (*text == '&') {
            fputs("&amp;", out);
        } else {
            fputc(*text, out);
        }
    }
}

/* ---- numbers ----------------------------------------------------------------------------------
 */

static void find_best(drawing* d)
{
    for (int i = 0; i < d->panel->n_problems; ++i) {
        d->best[i] = HUGE_VAL;
        for (int k = 0; k < d->panel->n_curves; ++k) {
            double t = d->panel->curves[k].time[i];
            if (t < d->best[i]) d->best[i] = t;
        }
    }
}

static void find_ratios(drawing* d, profile* p)
{
    p->n_solved = 0;
    for (int i = 0; i < d->panel->n_problems; ++i) {
        double t = p->curve->time[i];
        if (!isnan(t)) p->ratio[p->n_solved++] = fmax(t, tick) / fmax(d->best[i], tick);
    }
    qsort(p->ratio, (size_t)p->n_solved, sizeof *p->ratio, compare_numbers);
    if (p->n_solved > 0) {
        double decades = ceil(log10(p->ratio[p->n_solved - 1]));
        d->decades = fmin(most_decades, fmax(d->decades, decades));
    }
}

static bool compute(drawing* d)
{
    const cli_profile_panel* panel = d->panel;
    size_t n = (size_t)panel->n_problems + 1, m = (size_t)panel->n_curves + 1;
    d->best = malloc(n * sizeof *d->best);
    d->profiles = calloc(m, sizeof *d->profiles);
    if (!d->best || !d->profiles) return false;
    find_best(d);
    d->decades = 1.0;
    for (int k = 0; k < panel->n_curves; ++k) {
        profile* p = &d->profiles[k];
        p->curve = &panel->curves[k];
        p->colour = palette[k % N_COLOURS];
        p->dashes = !p->curve->dashed ? "" : k / N_COLOURS % 2 ? "2 2" : "7 3";
        p->ratio = malloc(n * sizeof *p->ratio);
        if (!p->ratio) return false;
        find_ratios(d, p);
    }
    qsort(d->profiles, (size_t)panel->n_curves, sizeof *d->profiles, compare_profiles);
    return true;
}

static void release(drawing* d)
{
    for (int k = 0; d->profiles && k < d->panel->n_curves; ++k) free(d->profiles[k].ratio);
    free(d->profiles);
    free(d->best);
}

/* ---- drawing ----------------------------------------------------------------------------------
 */

static double across(const drawing* d, double ratio)
{
    return LEFT + PLOT_WIDTH * fmin(log10(ratio) / d->decades, 1.0);
}

static double down(const drawing* d, double fraction)
{
    return d->top + PLOT_TOP + d->height * (1.0 - fraction);
}

static void draw_axes(const drawing* d)
{
    FILE* out = d->out;
    double bottom = down(d, 0.0), top = down(d, 1.0);
    fprintf(out, "<text class='title' x='%d' y='%.1f'>", LEFT, top - 14.0);
    write_text(out, d->panel->title);
    fputs("</text>\n", out);
    for (int i = 0; i <= 5; ++i) {
        double y = down(d, 0.2 * i);
        fprintf(out, "<path class='grid' d='M%d %.1fh%d'/>", LEFT, y, PLOT_WIDTH);
        fprintf(out, "<text x='%d' y='%.1f' text-anchor='end'>%d %%</text>\n", LEFT - 8, y + 4.0,
                20 * i);
    }
    for (int k = 0; k <= (int)d->decades; ++k) {
        double x = across(d, pow(10.0, k));
        fprintf(out, "<path class='grid' d='M%.1f %.1fV%.1f'/>", x, bottom, top);
        fprintf(out, "<text x='%.1f' y='%.1f' text-anchor='middle'>%g</text>\n", x, bottom + 18.0,
                pow(10.0, k));
    }
    fprintf(out,
            "<text x='%.1f' y='%.1f' text-anchor='middle'>time over that of the fastest on the "
            "problem</text>\n",
            LEFT + 0.5 * PLOT_WIDTH, bottom + 38.0);
}

static void write_stroke(const drawing* d, const profile* p)
{
    double width = p->curve->strong ? 3.2 : p->curve->dashed ? 1.3 : 1.8;
    fprintf(d->out, "stroke='%s' stroke-width='%g'", p->colour, width);
    if (*p->dashes) fprintf(d->out, " stroke-dasharray='%s'", p->dashes);
    fputs("/>\n", d->out);
}

/* A staircase: it rises where another problem comes within the factor. */
static void draw_curve(const drawing* d, const profile* p)
{
    double n = d->panel->n_problems;
    if (p->n_solved == 0) return;
    fprintf(d->out, "<path d='M%d %.1f", LEFT, down(d, 0.0));
    for (int i = 0; i < p->n_solved; ++i) {
        if (log10(p->ratio[i]) > d->decades) break;
        fprintf(d->out, "H%.1fV%.1f", across(d, p->ratio[i]), down(d, (i + 1) / n));
    }
    fprintf(d->out, "H%d' ", LEFT + PLOT_WIDTH);
    write_stroke(d, p);
}

static void draw_legend(const drawing* d)
{
    for (int k = 0; k < d->panel->n_curves; ++k) {
        const profile* p = &d->profiles[k];
        double y = down(d, 1.0) + 6.0 + LEGEND_STEP * k;
        fprintf(d->out, "<path d='M%d %.1fh34' ", LEGEND_LEFT, y);
        write_stroke(d, p);
        fprintf(d->out, "<text x='%d' y='%.1f'>", LEGEND_LEFT + 42, y + 4.0);
        write_text(d->out, p->curve->label);
        fprintf(d->out, " (%d)</text>\n", p->n_solved);
    }
}

static int plot_height(const cli_profile_panel* panel)
{
    int legend = LEGEND_STEP * panel->n_curves;
    return legend > LEAST_HEIGHT ? legend : LEAST_HEIGHT;
}

static bool draw_panel(FILE* out, const cli_profile_panel* panel, int top)
{
    drawing d = {.out = out, .panel = panel, .top = top, .height = plot_height(panel)};
    bool good = compute(&d);
    if (good) {
        draw_axes(&d);
        /* The best ones last, on top of the others. */
        for (int k = panel->n_curves - 1; k >= 0; --k) draw_curve(&d, &d.profiles[k]);
        draw_legend(&d);
    }
    release(&d);
    return good;
}

bool cli_profile_write(FILE* out, const cli_profile_panel* panels, int n)
{
    int height = 0;
    for (int i = 0; i < n; ++i) height += PLOT_TOP + plot_height(&panels[i]) + BOTTOM;
    fprintf(out,
            "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' viewBox='0 0 %d %d' "
            "font-family='sans-serif' font-size='12' fill='#222'>\n"
            "<style>path{fill:none;stroke-linejoin:round} .grid{stroke:#ddd} "
            ".title{font-size:15px;font-weight:bold}</style>\n"
            "<rect width='100%%' height='100%%' fill='#fff'/>\n",
            WIDTH, height, WIDTH, height);
    bool good = true;
    int top = 0;
    for (int i = 0; i < n && good; ++i) {
        good = draw_panel(out, &panels[i], top);
        top += PLOT_TOP + plot_height(&panels[i]) + BOTTOM;
    }
    fputs("</svg>\n", out);
    return good;
}
