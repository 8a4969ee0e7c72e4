#include "cli/rockfall.h"

#include "cli/options.h"
#include "cli/recorded.h"
#include "cli/verbs.h"
#include "cli/watch.h"

#include <stdlib.h>
#include <string.h>

static const char* const forms[] = {"equant", "flat",  "long", "blade",
                                    "sphere", "mixed", NULL}; /* as scree_block_form */

static const char* const holes[] = {"leave", "fill", NULL};

static const cli_argument arguments[] = {
    {"MAP", "heights in m: .asc (ESRI), .tif (GeoTIFF), .xyz (points); none: a slope built in",
     offsetof(cli_rockfall_options, map)},
};

#define REAL(n, member, unit, meaning, low, high)                                        \
    {                                                                                    \
        .name = (n), .kind = CLI_REAL, .offset = offsetof(cli_rockfall_options, member), \
        .value = (unit), .text = (meaning), .least = (low), .most = (high)               \
    }

static const cli_option options[] = {
    {.name = "release",
     .kind = CLI_TEXT,
     .offset = offsetof(cli_rockfall_options, release),
     .value = "WHERE",
     .text = "X,Y in m; a .csv with columns x, y; or a raster: cells above 0",
     .usual = "none"},
    {.name = "steeper",
     .kind = CLI_REAL,
     .offset = offsetof(cli_rockfall_options, steeper),
     .value = "A",
     .text = "release from all cells steeper than A degrees",
     .usual = "none",
     .least = 0,
     .most = 89},
    {.name = "cell",
     .kind = CLI_REAL,
     .offset = offsetof(cli_rockfall_options, cell),
     .value = "D",
     .text = "of MAP in m: means over larger cells; for points anywhere",
     .usual = "as they are",
     .least = 0,
     .most = 1e6},
    {.name = "holes",
     .kind = CLI_CHOICE,
     .offset = offsetof(cli_rockfall_options, holes),
     .value = "H",
     .text = "cells without a height",
     .choices = holes},
    {.name = "blocks",
     .letter = 'n',
     .kind = CLI_INTEGER,
     .offset = offsetof(cli_rockfall_options, blocks),
     .value = "N",
     .text = "how many",
     .least = 1,
     .most = 10000000},
    {.name = "shape",
     .kind = CLI_CHOICE,
     .offset = offsetof(cli_rockfall_options, form),
     .value = "S",
     .text = "of blocks",
     .choices = forms},
    {.name = "size",
     .kind = CLI_TEXT,
     .offset = offsetof(cli_rockfall_options, size),
     .value = "D",
     .text = "diameter of the sphere of equal volume, m; LOW:HIGH for a range"},
    REAL("deviation", deviation, "S", "log-normal sizes about D: deviation of the logarithm", 0, 3),
    REAL("density", density, "RHO", "kg/m^3", 1, 30000),
    REAL("drop", drop, "H", "lowest corner above the ground at the start, m", 0, 1e4),
    REAL("speed", speed, "V", "at the start, level and down the slope, m/s", 0, 300),
    REAL("mu", mu, "MU", "sliding friction of the ground", 0, 10),
    REAL("roll", roll, "R", "rolling friction: mu_r over the radius of the sphere", 0, 10),
    REAL("restitution", restitution, "E", "Newton's e", 0, 1),
    REAL("viscous", viscous, "C", "what 1 m/s of sliding adds to mu, s/m", 0, 10),
    {.name = "zones",
     .kind = CLI_TEXT,
     .offset = offsetof(cli_rockfall_options, zones),
     .value = "RASTER",
     .text = "numbers of zones, on any raster; holes are the ground above",
     .usual = "none"},
    {.name = "grounds",
     .kind = CLI_TEXT,
     .offset = offsetof(cli_rockfall_options, grounds),
     .value = "TABLE",
     .text = "of the zones: .csv with zone, mu, roll, restitution, viscous",
     .usual = "none"},
    {.name = "seed",
     .kind = CLI_UNSIGNED,
     .offset = offsetof(cli_rockfall_options, seed),
     .value = "K",
     .text = "of all that is drawn"},
    REAL("step", step, "H", "time step, s", 1e-6, 0.1),
    REAL("time", time, "T", "longest that a block is followed, s", 1e-3, 1e5),
    {.name = "lines",
     .kind = CLI_INTEGER,
     .offset = offsetof(cli_rockfall_options, lines),
     .value = "N",
     .text = "of the first N blocks the lines are kept",
     .least = 0,
     .most = 1000000},
    {.name = "workers",
     .kind = CLI_INTEGER,
     .offset = offsetof(cli_rockfall_options, workers),
     .value = "N",
     .text = "threads; results do not depend on them",
     .usual = "one for each processor",
     .least = 1,
     .most = 1024},
    {.name = "output",
     .letter = 'o',
     .kind = CLI_TEXT,
     .offset = offsetof(cli_rockfall_options, prefix),
     .value = "PREFIX",
     .text = "how the names of the files begin; a folder if it ends in /"},
    CLI_JSON_OPTION(cli_rockfall_options),
};

static const cli_syntax syntax = {
    .verb = "rockfall",
    .purpose =
        "Lets blocks fall over a map, each alone, and writes maps on the same cells: passages,\n"
        "deposits, and quantiles of speed (m/s), kinetic energy (J) and jump height (m);\n"
        "tables of blocks and run-out; lines as CSV, GeoJSON and VTK; and a page that shows\n"
        "them on the relief. docs/rockfall.md explains the numbers.",
    .n_arguments = CLI_COUNT(arguments),
    .n_options = CLI_COUNT(options),
    .n_optional = 1,
    .arguments = arguments,
    .options = options,
    .exit_codes = "0 done, 1 failed or interrupted, 2 bad input or usage",
    .example = "  scree rockfall                      # a slope to try it on: rockfall.html\n"
               "  scree rockfall slope.asc --release 120,45 -n 500 --shape mixed --size 0.5:1.5\n"
               "  scree rockfall alp.asc --steeper 55 --zones soil.asc --grounds soil.csv -o alp/",
};

/* ---- the blocks ---- */

typedef struct watched {
    cli_watch watch;
    int32_t blocks;
} watched;

static int show_progress(void* user, int32_t done)
{
    watched* w = user;
    if (cli_watch_due(&w->watch)) {
        double passed = cli_wall_time() - w->watch.began;
        cli_watch_show(&w->watch, "%d of %d blocks, %.0f s, about %.0f s to go", (int)done,
                       (int)w->blocks, passed, passed * (w->blocks - done) / done);
    }
    return cli_watch_interrupted();
}

static int is_interrupted(void* user)
{
    (void)user;
    return cli_watch_interrupted();
}

static int follow_blocks(cli_rockfall* r)
{
    watched w = {.blocks = r->def.blocks};
    scree_env env = cli_env(&r->host);
    double wall = cli_wall_time(), cpu = cli_cpu_time();
    cli_watch_begin(&w.watch, syntax.verb);
    r->def.progress = show_progress;
    r->def.progress_user = &w;
    r->def.stop = is_interrupted;
    cli_host_turn_to(&r->host, NULL);
    scree_status status = scree_rockfall_run(&env, &r->def, &r->result);
    r->interrupted = cli_watch_interrupted();
    cli_watch_end(&w.watch);
    r->wall = cli_wall_time() - wall;
    r->cpu = cli_cpu_time() - cpu;
    if (status != SCREE_OK) return cli_refuse(&r->host, status);
    if (r->result.n > 0) return CLI_DONE;
    cli_say(syntax.verb, "interrupted before the first block was done");
    return CLI_FAILED;
}

/* ---- options ---- */

/* "D" or "LOW:HIGH" */
static int read_size(cli_rockfall* r)
{
    char low[64];
    const char *text = r->options->size, *colon = strchr(text, ':');
    size_t length = colon ? (size_t)(colon - text) : strlen(text);
    if (length < sizeof low) {
        memcpy(low, text, length);
        low[length] = '\0';
        bool good = cli_read_number(low, &r->def.size_low);
        r->def.size_high = r->def.size_low;
        if (colon) good = good && cli_read_number(colon + 1, &r->def.size_high);
        if (good && r->def.size_low > 0.0 && r->def.size_high >= r->def.size_low) return CLI_DONE;
    }
    return cli_usage_error(syntax.verb, "--size: '%s' is no diameter in m, nor LOW:HIGH", text);
}

static int take_options(cli_rockfall* r)
{
    const cli_rockfall_options* o = r->options;
    r->def = scree_default_rockfall_def();
    r->def.blocks = (int32_t)o->blocks;
    r->def.seed = o->seed;
    r->def.form = (scree_block_form)o->form;
    r->def.deviation = o->deviation;
    r->def.density = o->density;
    r->def.drop = o->drop;
    r->def.speed = o->speed;
    r->def.step = o->step;
    r->def.time = o->time;
    r->def.lines = (int32_t)o->lines;
    r->def.workers = (int32_t)o->workers;
    if (!o->grounds != !o->zones) {
        return cli_usage_error(syntax.verb, "--zones and --grounds go together");
    }
    if (o->map && !o->release && !(o->steeper > 0.0)) {
        return cli_usage_error(syntax.verb, "say where blocks come from: --release or --steeper");
    }
    if (o->release && o->steeper > 0.0) {
        return cli_usage_error(syntax.verb, "--release or --steeper, not both");
    }
    return read_size(r);
}

static void release(cli_rockfall* r)
{
    scree_rockfall_release(&r->result);
    scree_raster_release(&r->map);
    free(r->releases);
    free(r->zone);
    free(r->grounds);
    free(r->prefix);
}

static cli_rockfall_options usual_options(void)
{
    scree_rockfall_def def = scree_default_rockfall_def();
    scree_rockfall_ground ground = scree_default_rockfall_ground();
    return (cli_rockfall_options){.prefix = "rockfall",
                                  .size = "1",
                                  .blocks = def.blocks,
                                  .lines = def.lines,
                                  .seed = def.seed,
                                  .form = (int)def.form,
                                  .density = def.density,
                                  .drop = def.drop,
                                  .step = def.step,
                                  .time = def.time,
                                  .mu = ground.mu,
                                  .roll = ground.roll,
                                  .restitution = ground.restitution};
}

int cli_rockfall_verb(int argc, char** argv)
{
    cli_rockfall_options o = usual_options();
    int code;
    if (!cli_parse(&syntax, argc, argv, &o, &code)) return code;
    cli_rockfall r = {.options = &o, .host = {.verb = syntax.verb}};
    code = take_options(&r);
    if (code == CLI_DONE) code = cli_rockfall_check_files(&r);
    if (code == CLI_DONE) code = cli_rockfall_read(&r);
    if (code == CLI_DONE) code = follow_blocks(&r);
    if (code == CLI_DONE) code = cli_rockfall_write_files(&r);
    if (code == CLI_DONE) {
        cli_rockfall_warn(&r);
        (o.json ? cli_rockfall_print_json : cli_rockfall_print)(&r);
    }
    release(&r);
    return code == CLI_DONE && r.interrupted ? CLI_FAILED : code;
}
