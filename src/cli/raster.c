#include "cli/raster.h"

#include "cli/options.h"
#include "cli/report.h"

#include <inttypes.h>
#include <math.h>

typedef struct range {
    double low, high;
    int64_t holes;
} range;

static range find_range(const scree_raster* r)
{
    range found = {HUGE_VAL, -HUGE_VAL, 0};
    int64_t cells = (int64_t)r->columns * r->rows;
    for (int64_t c = 0; c < cells; ++c) {
        double z = r->values[c];
        found.holes += isnan(z);
        if (z < found.low) found.low = z;
        if (z > found.high) found.high = z;
    }
    return found;
}

void cli_print_raster(const scree_raster* r)
{
    range found = find_range(r);
    cli_row("points", "%d columns, %d rows", (int)r->columns, (int)r->rows);
    cli_row("cell", "%.9g m", r->cell);
    cli_row("first point", "x = %.12g m, y = %.12g m (south-west, the middle of its cell)",
            r->origin[0], r->origin[1]);
    cli_row("last point", "x = %.12g m, y = %.12g m", r->origin[0] + r->cell * (r->columns - 1),
            r->origin[1] + r->cell * (r->rows - 1));
    cli_row("values", "%.9g to %.9g (m, if heights)", found.low, found.high);
    cli_row("holes", "%" PRId64 " cells without a value", found.holes);
    if (r->n_filled > 0) cli_row("filled", "%" PRId64 " cells", r->n_filled);
    if (r->n_gridded > 0) {
        cli_row("made of",
                "%" PRId64 " points, off the ground by %.3g m (mean square), %.3g m at most",
                r->n_gridded, r->off_mean, r->off_most);
    }
}

void cli_json_raster(cli_json* json, const scree_raster* r)
{
    range found = find_range(r);
    cli_json_integer(json, "columns", r->columns);
    cli_json_integer(json, "rows", r->rows);
    cli_json_real(json, "cell", r->cell);
    cli_json_array(json, "origin");
    cli_json_real(json, NULL, r->origin[0]);
    cli_json_real(json, NULL, r->origin[1]);
    cli_json_end(json);
    cli_json_real(json, "low", found.low);
    cli_json_real(json, "high", found.high);
    cli_json_integer(json, "holes", found.holes);
    cli_json_integer(json, "filled", r->n_filled);
    cli_json_integer(json, "points", r->n_gridded);
    cli_json_real(json, "off_mean", r->off_mean);
    cli_json_real(json, "off_most", r->off_most);
}

static int read_raster(cli_host* host, const char* path, const scree_raster_def* def,
                       scree_raster* out)
{
    scree_env env = cli_env(host);
    cli_host_turn_to(host, path);
    scree_status status = scree_raster_read(&env, path, def, out);
    return status == SCREE_OK ? CLI_DONE : cli_refuse(host, status);
}

int cli_info_raster(cli_host* host, const char* path, bool json)
{
    scree_raster raster;
    int code = read_raster(host, path, NULL, &raster);
    if (code != CLI_DONE) return code;
    if (json) {
        cli_json out = {.out = stdout};
        cli_json_object(&out, NULL);
        cli_json_text(&out, "file", path);
        cli_json_text(&out, "format", "raster");
        cli_json_raster(&out, &raster);
        cli_json_end(&out);
    } else {
        cli_row("file", "%s", path);
        cli_row("format", "raster");
        cli_print_raster(&raster);
    }
    scree_raster_release(&raster);
    return CLI_DONE;
}

static void tell(const scree_raster* raster, const char* in, const char* path, bool json)
{
    if (!json) {
        printf("%s -> %s\n", in, path);
        cli_print_raster(raster);
        return;
    }
    cli_json out = {.out = stdout};
    cli_json_object(&out, NULL);
    cli_json_text(&out, "in", in);
    cli_json_text(&out, "out", path);
    cli_json_text(&out, "out_format", "raster");
    cli_json_raster(&out, raster);
    cli_json_end(&out);
}

int cli_convert_raster(cli_host* host, const char* in, const char* path,
                       const scree_raster_def* def, bool json)
{
    scree_raster raster = {0};
    int code = cli_check_output(host->verb, path, in);
    if (code == CLI_DONE) code = read_raster(host, in, def, &raster);
    if (code != CLI_DONE) return code;
    scree_env env = cli_env(host);
    cli_host_turn_to(host, path);
    scree_status status = scree_raster_write(&env, path, &raster);
    if (status == SCREE_OK) {
        tell(&raster, in, path, json);
    } else {
        code = cli_refuse(host, status);
        if (status == SCREE_ERROR_FILE) code = CLI_FAILED;
    }
    scree_raster_release(&raster);
    return code;
}
