/* Files and words of the verb rockfall. */
#include "cli/json.h"
#include "cli/options.h"
#include "cli/recorded.h"
#include "cli/report.h"
#include "cli/rockfall.h"
#include "scree_io/rockfall_file.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- files ---- */

/* Layers are in the format of the map. */
static const char* layer_ending(const cli_rockfall* r)
{
    const char* dot = r->options->map ? strrchr(r->options->map, '.') : NULL;
    return dot && (strcmp(dot, ".tif") == 0 || strcmp(dot, ".tiff") == 0) ? ".tif" : ".asc";
}

/* Calls `act` for every file, until one fails: layers, then the others; `layer` is -1 for these,
 * and for the map of the slope that is built in. */
typedef int file_act(cli_rockfall* r, const char* path, int layer, int file, void* user);

static int for_each_file(cli_rockfall* r, file_act* act, void* user)
{
    int code = CLI_DONE;
    for (int k = 0; code == CLI_DONE && k < SCREE_ROCKFALL_LAYER_COUNT; ++k) {
        char ending[64];
        snprintf(ending, sizeof ending, "_%s%s", scree_rockfall_describe(k).name, layer_ending(r));
        char* path = cli_join(&r->host, r->prefix, ending);
        code = path ? act(r, path, k, -1, user) : CLI_FAILED;
        free(path);
    }
    for (int k = 0; code == CLI_DONE && k < SCREE_ROCKFALL_FILE_COUNT; ++k) {
        char* path = cli_join(&r->host, r->prefix, scree_rockfall_ending(k));
        code = path ? act(r, path, -1, k, user) : CLI_FAILED;
        free(path);
    }
    if (code != CLI_DONE || r->options->map) return code;
    char* path = cli_join(&r->host, r->prefix, "_map.asc");
    code = path ? act(r, path, -1, -1, user) : CLI_FAILED;
    free(path);
    return code;
}

static int check_file(cli_rockfall* r, const char* path, int layer, int file, void* user)
{
    (void)layer, (void)file, (void)user;
    const char* inputs[] = {r->options->map, r->options->release, r->options->zones,
                            r->options->grounds};
    for (int k = 0; k < CLI_COUNT(inputs); ++k) {
        int code = cli_check_output(r->host.verb, path, inputs[k] ? inputs[k] : "");
        if (code != CLI_DONE) return code;
    }
    return CLI_DONE;
}

/* A folder's name ends in a slash; it is made where it is missing. */
int cli_rockfall_check_files(cli_rockfall* r)
{
    const char* prefix = r->options->prefix;
    size_t length = strlen(prefix);
    bool is_folder = length > 0 && prefix[length - 1] == '/';
    if (is_folder) (void)mkdir(prefix, 0777); /* what is wrong with it is said below */
    r->prefix = cli_join(&r->host, prefix, is_folder ? "rockfall" : "");
    return r->prefix ? for_each_file(r, check_file, NULL) : CLI_FAILED;
}

static int write_file(cli_rockfall* r, const char* path, int layer, int file, void* user)
{
    (void)user;
    scree_env env = cli_env(&r->host);
    cli_host_turn_to(&r->host, path);
    scree_status status;
    if (file >= 0) {
        status = scree_rockfall_write(&env, (scree_rockfall_file)file, path, &r->def, &r->result);
    } else {
        scree_raster raster = r->map;
        if (layer >= 0) raster.values = r->result.layer[layer];
        status = scree_raster_write(&env, path, &raster);
    }
    if (status == SCREE_OK) return CLI_DONE;
    int code = cli_refuse(&r->host, status);
    return status == SCREE_ERROR_FILE ? CLI_FAILED : code;
}

int cli_rockfall_write_files(cli_rockfall* r)
{
    return for_each_file(r, write_file, NULL);
}

/* ---- words ---- */

/* What a study is told by: sorted once. */
typedef struct figures {
    double runout[3];            /* median, 95 %, largest, m */
    double speed, energy, jump;  /* largest */
    double gained;               /* largest, over weight times diameter */
    double mass[2], diameter[2]; /* least and largest */
    double height[2];            /* of the map */
    int64_t holes;
} figures;

static int compare(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static void find_runout(const scree_rockfall* result, double out[3])
{
    double* sorted = malloc((size_t)result->n * sizeof *sorted);
    out[0] = out[1] = out[2] = (double)NAN;
    if (!sorted) return;
    for (int32_t k = 0; k < result->n; ++k) sorted[k] = result->rocks[k].runout;
    qsort(sorted, (size_t)result->n, sizeof *sorted, compare);
    out[0] = sorted[(result->n - 1) / 2];
    out[1] = sorted[(int32_t)ceil(0.95 * (result->n - 1))];
    out[2] = sorted[result->n - 1];
    free(sorted);
}

static void find_heights(const scree_rockfall_map* map, figures* f)
{
    f->height[0] = HUGE_VAL, f->height[1] = -HUGE_VAL;
    for (int64_t c = 0; c < (int64_t)map->columns * map->rows; ++c) {
        f->holes += isnan(map->heights[c]);
        f->height[0] = fmin(f->height[0], map->heights[c]);
        f->height[1] = fmax(f->height[1], map->heights[c]);
    }
}

static figures find_figures(const cli_rockfall* r)
{
    const scree_rockfall* result = &r->result;
    figures f = {.mass = {HUGE_VAL, 0.0}, .diameter = {HUGE_VAL, 0.0}};
    find_heights(&r->def.map, &f);
    find_runout(result, f.runout);
    for (int32_t k = 0; k < result->n; ++k) {
        const scree_rock* rock = &result->rocks[k];
        f.speed = fmax(f.speed, rock->speed);
        f.energy = fmax(f.energy, rock->energy);
        f.jump = fmax(f.jump, rock->jump);
        f.gained = fmax(f.gained, rock->gained / (rock->mass * r->def.gravity * rock->diameter));
        f.mass[0] = fmin(f.mass[0], rock->mass);
        f.mass[1] = fmax(f.mass[1], rock->mass);
        f.diameter[0] = fmin(f.diameter[0], rock->diameter);
        f.diameter[1] = fmax(f.diameter[1], rock->diameter);
    }
    return f;
}

void cli_rockfall_warn(const cli_rockfall* r)
{
    const scree_rockfall* result = &r->result;
    figures f = find_figures(r);
    const char* verb = r->host.verb;
    if (r->interrupted) {
        cli_warn(verb, "interrupted: %d of %d blocks", (int)result->n, (int)r->def.blocks);
    }
    if (result->n_ended[SCREE_ROCK_LATE] > 0) {
        cli_warn(verb, "%d blocks were still moving after %g s (--time)",
                 (int)result->n_ended[SCREE_ROCK_LATE], r->def.time);
    }
    if (result->n_loose > 0) {
        cli_warn(verb, "contacts of %" PRId64 " of %" PRId64 " steps missed their tolerance",
                 result->n_loose, result->steps);
    }
    if (f.gained > 0.01) {
        cli_warn(verb,
                 "a block gained %.2g times its weight times its diameter in energy, which is "
                 "wrong; a shorter --step may help",
                 f.gained);
    }
}

static int print_file(cli_rockfall* r, const char* path, int layer, int file, void* user)
{
    (void)r, (void)layer, (void)file;
    cli_json_text(user, NULL, path);
    return CLI_DONE;
}

void cli_rockfall_print(cli_rockfall* r)
{
    const scree_rockfall* result = &r->result;
    const scree_rockfall_map* map = &r->def.map;
    figures f = find_figures(r);
    const char* shape = scree_block_form_name((int)r->def.form);
    cli_row("map", "%s, %d x %d cells of %g m", r->options->map ? r->options->map : "built in",
            (int)map->columns, (int)map->rows, map->cell);
    cli_row("", "from x = %.10g m, y = %.10g m; heights %.6g to %.6g m", map->origin[0],
            map->origin[1], f.height[0], f.height[1]);
    if (f.holes > 0) cli_row("", "%" PRId64 " holes, where blocks leave", f.holes);
    if (r->map.n_filled > 0) cli_row("", "%" PRId64 " holes filled", r->map.n_filled);
    if (r->map.n_gridded > 0) {
        cli_row("", "of %" PRId64 " points, off the ground by %.3g m (mean square), %.3g m at most",
                r->map.n_gridded, r->map.off_mean, r->map.off_most);
    }
    cli_row("blocks", "%d %s, %.3g to %.3g m, %.3g to %.3g kg, seed %" PRIu64, (int)result->n,
            shape, f.diameter[0], f.diameter[1], f.mass[0], f.mass[1], r->def.seed);
    cli_row("ended", "%d at rest, %d left the map, %d still moving",
            (int)result->n_ended[SCREE_ROCK_RESTED], (int)result->n_ended[SCREE_ROCK_LEFT],
            (int)result->n_ended[SCREE_ROCK_LATE]);
    cli_row("run-out", "%.4g m half of them, %.4g m 95 %%, %.4g m the farthest", f.runout[0],
            f.runout[1], f.runout[2]);
    cli_row("largest", "%.3g m/s, %.4g kJ, %.3g m above the ground", f.speed, 1e-3 * f.energy,
            f.jump);
    cli_row("energy gained", "%.2g of weight times diameter, at most", f.gained);
    cli_row("time", "%.3g s; %.3g s of processors for %.4g s of fall: %.3g times real time",
            r->wall, r->cpu, result->simulated, result->simulated / r->cpu);
    cli_row("files", "%s.html shows it; maps %s_*%s", r->prefix, r->prefix, layer_ending(r));
    cli_row("", "%s_blocks.csv, %s_runout.csv, %s_lines.csv, .geojson, .vtp", r->prefix, r->prefix,
            r->prefix);
}

static void print_ends(cli_json* json, const scree_rockfall* result)
{
    for (int k = 0; k < SCREE_ROCK_END_COUNT; ++k) {
        cli_json_integer(json, scree_rock_end_name(k), result->n_ended[k]);
    }
}

void cli_rockfall_print_json(cli_rockfall* r)
{
    const scree_rockfall* result = &r->result;
    figures f = find_figures(r);
    cli_json json = {.out = stdout};
    cli_json_object(&json, NULL);
    cli_json_text(&json, "map", r->options->map);
    cli_json_integer(&json, "columns", r->def.map.columns);
    cli_json_integer(&json, "rows", r->def.map.rows);
    cli_json_real(&json, "cell", r->def.map.cell);
    cli_json_integer(&json, "holes", f.holes);
    cli_json_integer(&json, "holes_filled", r->map.n_filled);
    cli_json_integer(&json, "blocks", result->n);
    cli_json_text(&json, "shape", scree_block_form_name((int)r->def.form));
    cli_json_integer(&json, "releases", r->def.n_releases);
    cli_json_integer(&json, "grounds", r->def.n_grounds);
    cli_json_integer(&json, "seed", (int64_t)r->def.seed);
    print_ends(&json, result);
    cli_json_boolean(&json, "interrupted", r->interrupted);
    cli_json_real(&json, "runout_median", f.runout[0]);
    cli_json_real(&json, "runout_95", f.runout[1]);
    cli_json_real(&json, "runout_max", f.runout[2]);
    cli_json_real(&json, "speed_max", f.speed);
    cli_json_real(&json, "energy_max", f.energy);
    cli_json_real(&json, "jump_max", f.jump);
    cli_json_real(&json, "energy_gained", f.gained);
    cli_json_integer(&json, "steps", result->steps);
    cli_json_integer(&json, "loose_steps", result->n_loose);
    cli_json_real(&json, "simulated_s", result->simulated);
    cli_json_real(&json, "wall_s", r->wall);
    cli_json_real(&json, "cpu_s", r->cpu);
    cli_json_array(&json, "files");
    (void)for_each_file(r, print_file, &json);
    cli_json_end(&json);
    cli_json_end(&json);
}
