/* Maps, grounds and places of release for the verb rockfall. */
#include "cli/options.h"
#include "cli/rockfall.h"
#include "scree_io/table_file.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool ends_with(const char* text, const char* ending)
{
    size_t length = strlen(text), wanted = strlen(ending);
    return length >= wanted && strcmp(text + length - wanted, ending) == 0;
}

static int read_raster(cli_rockfall* r, const char* path, const scree_raster_def* def,
                       scree_raster* out)
{
    scree_env env = cli_env(&r->host);
    cli_host_turn_to(&r->host, path);
    scree_status status = scree_raster_read(&env, path, def, out);
    return status == SCREE_OK ? CLI_DONE : cli_refuse(&r->host, status);
}

/* x and y of the middle of a cell. */
static void place_of(const scree_raster* raster, int64_t cell, double out[2])
{
    int64_t row = cell / raster->columns, column = cell % raster->columns;
    out[0] = raster->origin[0] + raster->cell * (double)column;
    out[1] = raster->origin[1] + raster->cell * (double)row;
}

static int out_of_memory(cli_rockfall* r)
{
    return cli_refuse(&r->host, SCREE_ERROR_MEMORY);
}

/* ---- the map ---- */

static int make_slope(cli_rockfall* r)
{
    enum { RELEASES = 80 };
    r->map = (scree_raster){
        .columns = SCREE_SLOPE_COLUMNS, .rows = SCREE_SLOPE_ROWS, .cell = SCREE_SLOPE_CELL};
    r->map.values = malloc((size_t)r->map.columns * (size_t)r->map.rows * sizeof *r->map.values);
    r->releases = malloc((size_t)2 * RELEASES * sizeof *r->releases);
    if (!r->map.values || !r->releases) return out_of_memory(r);
    scree_rockfall_slope(r->map.values, RELEASES, r->releases);
    r->def.n_releases = RELEASES;
    return CLI_DONE;
}

static int read_map(cli_rockfall* r)
{
    int code = CLI_DONE;
    if (r->options->map) {
        scree_raster_def wanted = scree_default_raster_def();
        wanted.cell = r->options->cell;
        wanted.holes = (scree_holes)(r->options->holes + 1);
        code = read_raster(r, r->options->map, &wanted, &r->map);
    } else {
        code = make_slope(r);
    }
    if (code != CLI_DONE) return code;
    r->def.map = (scree_rockfall_map){.columns = r->map.columns,
                                      .rows = r->map.rows,
                                      .origin = {r->map.origin[0], r->map.origin[1]},
                                      .cell = r->map.cell,
                                      .heights = r->map.values};
    return CLI_DONE;
}

/* ---- grounds ---- */

static double or_usual(double value, double usual)
{
    return isnan(value) ? usual : value;
}

/* Ground 0 is that of the options, the others are the rows of the table. */
static int take_grounds(cli_rockfall* r, const scree_table* table)
{
    const cli_rockfall_options* o = r->options;
    int64_t n = table ? table->n : 0;
    scree_rockfall_ground usual = {o->mu, o->roll, o->restitution, o->viscous};
    if (n >= SCREE_ROCKFALL_GROUNDS) {
        return cli_usage_error(r->host.verb, "%s: %" PRId64 " zones; there may be %d", o->grounds,
                               n, SCREE_ROCKFALL_GROUNDS - 1);
    }
    r->grounds = malloc(((size_t)n + 1) * sizeof *r->grounds);
    if (!r->grounds) return out_of_memory(r);
    r->grounds[0] = usual;
    for (int64_t i = 0; i < n; ++i) {
        const double* row = table->values + 5 * i;
        scree_rockfall_ground g = {or_usual(row[1], usual.mu), or_usual(row[2], usual.roll),
                                   or_usual(row[3], usual.restitution),
                                   or_usual(row[4], usual.viscous)};
        bool good = g.mu >= 0.0 && g.roll >= 0.0 && g.viscous >= 0.0 && g.restitution >= 0.0 &&
                    g.restitution <= 1.0;
        if (!good) {
            return cli_usage_error(r->host.verb,
                                   "%s:%" PRId64 ": mu, roll and viscous are not negative, "
                                   "restitution is from 0 to 1",
                                   o->grounds, table->line[i]);
        }
        r->grounds[i + 1] = g;
    }
    r->def.n_grounds = (int32_t)n + 1;
    r->def.grounds = r->grounds;
    return CLI_DONE;
}

/* The ground of a zone; -1: the table has none. */
static int32_t find_zone(const scree_table* table, double zone)
{
    for (int64_t i = 0; i < table->n; ++i) {
        if (table->values[5 * i] == zone) return (int32_t)i + 1;
    }
    return -1;
}

static int take_zones(cli_rockfall* r, const scree_raster* zones, const scree_table* table)
{
    const scree_raster* map = &r->map;
    int64_t cells = (int64_t)map->columns * map->rows;
    r->zone = malloc((size_t)cells * sizeof *r->zone);
    if (!r->zone) return out_of_memory(r);
    for (int64_t c = 0; c < cells; ++c) {
        double at[2];
        place_of(map, c, at);
        double zone = scree_raster_at(zones, at[0], at[1]);
        r->zone[c] = isnan(zone) ? 0 : find_zone(table, zone);
        if (r->zone[c] >= 0) continue;
        return cli_usage_error(r->host.verb,
                               "%s: zone %g at x = %.10g, y = %.10g has no line in %s",
                               r->options->zones, zone, at[0], at[1], r->options->grounds);
    }
    r->def.map.zone = r->zone;
    return CLI_DONE;
}

static int read_grounds(cli_rockfall* r)
{
    static const char* const columns[] = {"zone", "mu", "roll", "restitution", "viscous"};
    const scree_table_def wanted = {.n_columns = 5, .columns = columns, .n_needed = 2};
    if (!r->options->grounds) return take_grounds(r, NULL);
    scree_table table;
    scree_raster zones = {0};
    scree_env env = cli_env(&r->host);
    cli_host_turn_to(&r->host, r->options->grounds);
    scree_status status = scree_table_read(&env, r->options->grounds, &wanted, &table);
    if (status) return cli_refuse(&r->host, status);
    int code = take_grounds(r, &table);
    if (code == CLI_DONE) code = read_raster(r, r->options->zones, NULL, &zones);
    if (code == CLI_DONE) code = take_zones(r, &zones, &table);
    scree_raster_release(&zones);
    scree_table_release(&table);
    return code;
}

/* ---- releases ---- */

static int take_point(cli_rockfall* r, const char* text)
{
    char x[64];
    const char* comma = strchr(text, ',');
    size_t length = comma ? (size_t)(comma - text) : sizeof x;
    r->releases = malloc(2 * sizeof *r->releases);
    if (!r->releases) return out_of_memory(r);
    if (length < sizeof x) {
        memcpy(x, text, length);
        x[length] = '\0';
        if (cli_read_number(x, &r->releases[0]) && cli_read_number(comma + 1, &r->releases[1])) {
            r->def.n_releases = 1;
            return CLI_DONE;
        }
    }
    return cli_usage_error(r->host.verb,
                           "--release: '%s' is no X,Y, no .csv and no raster (.asc, .tif, "
                           ".xyz)",
                           text);
}

static int take_points(cli_rockfall* r, const char* path)
{
    static const char* const columns[] = {"x", "y"};
    const scree_table_def wanted = {.n_columns = 2, .columns = columns, .n_needed = 2, .others = 1};
    scree_table table;
    scree_env env = cli_env(&r->host);
    cli_host_turn_to(&r->host, path);
    scree_status status = scree_table_read(&env, path, &wanted, &table);
    if (status) return cli_refuse(&r->host, status);
    int code = CLI_DONE;
    size_t n = (size_t)table.n;
    r->releases = table.n <= INT32_MAX ? malloc(2 * n * sizeof *r->releases) : NULL;
    if (r->releases) {
        memcpy(r->releases, table.values, 2 * n * sizeof *r->releases);
        r->def.n_releases = (int32_t)n;
    } else {
        code = out_of_memory(r);
    }
    scree_table_release(&table);
    return code;
}

/* Blocks begin anywhere in cells above 0. */
static int take_cells(cli_rockfall* r, const char* path)
{
    scree_raster raster;
    int code = read_raster(r, path, NULL, &raster);
    if (code != CLI_DONE) return code;
    int64_t cells = (int64_t)raster.columns * raster.rows;
    size_t n = 0;
    for (int64_t c = 0; c < cells; ++c) n += raster.values[c] > 0.0;
    if (n == 0) code = cli_usage_error(r->host.verb, "%s: no cell is above 0", path);
    r->releases = malloc((2 * n + 1) * sizeof *r->releases);
    if (!r->releases) code = out_of_memory(r);
    double* next = r->releases;
    for (int64_t c = 0; c < cells && code == CLI_DONE; ++c) {
        if (!(raster.values[c] > 0.0)) continue;
        place_of(&raster, c, next);
        next += 2;
    }
    r->def.n_releases = (int32_t)n;
    r->def.release_side = raster.cell;
    scree_raster_release(&raster);
    return code;
}

static int take_steep(cli_rockfall* r)
{
    double angle = r->options->steeper * SCREE_DEGREE;
    double margin = 2.0 * r->def.size_high * exp(3.0 * r->def.deviation) + r->map.cell;
    int32_t n = scree_rockfall_steep_cells(&r->def.map, angle, margin, NULL);
    if (n == 0) {
        return cli_usage_error(r->host.verb, "no cell away from the rim is steeper than %g degrees",
                               r->options->steeper);
    }
    r->releases = malloc((size_t)2 * (size_t)n * sizeof *r->releases);
    if (!r->releases) return out_of_memory(r);
    r->def.n_releases = scree_rockfall_steep_cells(&r->def.map, angle, margin, r->releases);
    r->def.release_side = r->map.cell;
    return CLI_DONE;
}

static int read_releases(cli_rockfall* r)
{
    const char* where = r->options->release;
    if (!where && !(r->options->steeper > 0.0)) return CLI_DONE; /* the slope's own */
    free(r->releases);
    r->releases = NULL;
    if (!where) return take_steep(r);
    if (ends_with(where, ".csv")) return take_points(r, where);
    if (scree_raster_is_name(where)) return take_cells(r, where);
    return take_point(r, where);
}

int cli_rockfall_read(cli_rockfall* r)
{
    int code = read_map(r);
    if (code == CLI_DONE) code = read_grounds(r);
    if (code == CLI_DONE) code = read_releases(r);
    r->def.releases = r->releases;
    return code;
}
