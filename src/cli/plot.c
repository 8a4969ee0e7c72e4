#include "cli/host.h"
#include "cli/plot_state.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { USUAL_WIDTH = 640, USUAL_HEIGHT = 480 };

static char* copy_text(cli_plot* plot, const char* text)
{
    if (!text) return NULL;
    size_t size = strlen(text) + 1;
    char* copy = malloc(size);
    if (!copy) {
        plot->failed = true;
        return NULL;
    }
    memcpy(copy, text, size);
    return copy;
}

cli_plot* cli_plot_begin(const cli_plot_def* def)
{
    cli_plot* plot = calloc(1, sizeof *plot);
    if (!plot) return NULL;
    plot->title = copy_text(plot, def->title);
    plot->x_label = copy_text(plot, def->x_label);
    plot->y_label = copy_text(plot, def->y_label);
    plot->equal = def->equal && !def->log_x && !def->log_y;
    plot->width = def->width > 0 ? def->width : USUAL_WIDTH;
    plot->height = def->height > 0 ? def->height : USUAL_HEIGHT;
    cli_axis_begin(&plot->x, def->log_x);
    cli_axis_begin(&plot->y, def->log_y);
    return plot;
}

/* Room for a series of n points; NULL when memory is short. */
static cli_series* next_series(cli_plot* plot, size_t n, size_t n_columns)
{
    if (plot->n == plot->capacity) {
        size_t capacity = plot->capacity ? 2 * plot->capacity : 8;
        cli_series* larger = realloc(plot->list, capacity * sizeof *larger);
        if (!larger) return NULL;
        plot->list = larger;
        plot->capacity = capacity;
    }
    cli_series* s = &plot->list[plot->n];
    *s = (cli_series){.n = n, .x = calloc(n ? n : 1, n_columns * sizeof(double))};
    if (!s->x) return NULL;
    s->y = s->x + n;
    ++plot->n;
    return s;
}

static cli_series* gather(cli_plot* plot, size_t n, const double* x, const double* y,
                          size_t n_columns)
{
    if (!plot || plot->failed) return NULL;
    cli_series* s = next_series(plot, n, n_columns);
    plot->failed = !s;
    if (!s) return NULL;
    for (size_t i = 0; i < n; ++i) {
        s->x[i] = x[i];
        s->y[i] = y[i];
        cli_axis_take(&plot->x, x[i]);
        cli_axis_take(&plot->y, y[i]);
    }
    s->colour = plot->n_colours > 0 ? plot->n_colours - 1 : 0;
    return s;
}

void cli_plot_again(cli_plot* plot, cli_plot_style style, size_t n, const double* x,
                    const double* y)
{
    cli_series* s = gather(plot, n, x, y, 2);
    if (s) s->style = style;
}

void cli_plot_add(cli_plot* plot, cli_plot_style style, const char* label, size_t n,
                  const double* x, const double* y)
{
    if (plot) ++plot->n_colours;
    cli_plot_again(plot, style, n, x, y);
    cli_plot_label(plot, label);
}

void cli_plot_arrows(cli_plot* plot, size_t n, const double* x, const double* y, const double* dx,
                     const double* dy)
{
    cli_series* s = gather(plot, n, x, y, 4);
    if (!s) return;
    s->arrows = true;
    s->dx = s->y + n;
    s->dy = s->dx + n;
    for (size_t i = 0; i < n; ++i) {
        s->dx[i] = dx[i];
        s->dy[i] = dy[i];
        cli_axis_take(&plot->x, x[i] + dx[i]);
        cli_axis_take(&plot->y, y[i] + dy[i]);
    }
}

void cli_plot_label(cli_plot* plot, const char* label)
{
    if (!plot || plot->failed || plot->n == 0) return;
    cli_series* s = &plot->list[plot->n - 1];
    free(s->label);
    s->label = copy_text(plot, label);
}

/* ---- the file -----------------------------------------------------------------------------------
 */

/* Writes beside the target and moves the complete file into place. */
static bool write_file(cli_plot* plot, const char* path)
{
    enum { MOST = 1000, SUFFIX = 24 };
    size_t size = strlen(path) + SUFFIX;
    char* temporary = malloc(size);
    if (!temporary) return false;
    for (int k = 0; k < MOST && !plot->out; ++k) {
        snprintf(temporary, size, "%s.part%d", path, k);
        errno = 0;
        plot->out = fopen(temporary, "wbx");
        if (!plot->out && errno != EEXIST) break;
    }
    bool good = plot->out != NULL;
    if (good) {
        cli_plot_lay_out(plot);
        cli_plot_draw(plot);
        good = !ferror(plot->out);
        good = fclose(plot->out) == 0 && good;
        good = good && rename(temporary, path) == 0;
        int why = errno;
        if (!good) remove(temporary);
        errno = why;
    }
    free(temporary);
    return good;
}

static void destroy(cli_plot* plot)
{
    for (size_t i = 0; i < plot->n; ++i) {
        free(plot->list[i].label);
        free(plot->list[i].x);
    }
    free(plot->list);
    free(plot->title);
    free(plot->x_label);
    free(plot->y_label);
    free(plot);
}

int cli_plot_end(cli_plot* plot, const char* path)
{
    bool complete = plot && !plot->failed;
    errno = ENOMEM;
    bool good = complete && write_file(plot, path);
    if (!good) cli_say(NULL, "%s: cannot be written: %s", path, strerror(errno));
    if (plot) destroy(plot);
    return good ? CLI_DONE : CLI_FAILED;
}
