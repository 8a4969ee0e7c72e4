#include "cli/lcp.h"

#include "cli/report.h"
#include "cli/verbs.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

const char cli_lcp_verb[] = "lcp";

enum { SPARSE_ABOVE = 192 }; /* unknowns; smaller matrices are dense */

static const char* const solver_choices[] = {
    [SCREE_LCP_LEMKE] = "lemke", [SCREE_LCP_PIVOT] = "pivot",     [SCREE_LCP_NEWTON] = "newton",
    [SCREE_LCP_PGS] = "pgs",     [SCREE_LCP_METHOD_COUNT] = NULL,
};

static const char* const polygon_choices[] = {
    [SCREE_POLYGON_CIRCUMSCRIBED] = "circumscribed",
    [SCREE_POLYGON_INSCRIBED] = "inscribed",
    [SCREE_POLYGON_COUNT] = NULL,
};

static const char* const example_choices[] = {
    [SCREE_EXAMPLE_MASS] = "mass",
    [SCREE_EXAMPLE_BLOCK] = "block",
    [SCREE_EXAMPLE_CHAIN] = "chain",
    [SCREE_EXAMPLE_COUNT] = NULL,
};

static const char* const redundancy_choices[] = {
    [SCREE_REDUNDANCY_REFUSE] = "refuse",
    [SCREE_REDUNDANCY_RELAX] = "relax",
    [SCREE_REDUNDANCY_LEAST] = "least",
    [SCREE_REDUNDANCY_COUNT] = NULL,
};

static const char* const figure_choices[] = {"usual", "transition", NULL};

static const cli_argument arguments[] = {
    {"FILE", "LCP or contact problem: Siconos text or FCLIB HDF5", offsetof(cli_lcp_options, file)},
};

static const cli_option options[] = {
    {.name = "solver",
     .kind = CLI_CHOICE,
     .offset = offsetof(cli_lcp_options, solver),
     .value = "NAME",
     .text = "method",
     .choices = solver_choices},
    {.name = "tol",
     .kind = CLI_REAL,
     .offset = offsetof(cli_lcp_options, tol),
     .value = "T",
     .text = "accept a residual up to T, a number without unit",
     .most = 1e30},
    {.name = "max-iter",
     .kind = CLI_INTEGER,
     .offset = offsetof(cli_lcp_options, max_iter),
     .value = "N",
     .text = "stop after N pivots, steps or sweeps",
     .usual = "by size"},
    {.name = "max-time",
     .kind = CLI_REAL,
     .offset = offsetof(cli_lcp_options, max_time),
     .value = "S",
     .text = "stop an LCP after S seconds",
     .usual = "no limit",
     .most = 1e30},
    {.name = "directions",
     .kind = CLI_INTEGER,
     .offset = offsetof(cli_lcp_options, directions),
     .value = "K",
     .text = "lines in the tangent plane: friction polygons with 2K sides",
     .least = 2,
     .most = 1024},
    {.name = "polygon",
     .kind = CLI_CHOICE,
     .offset = offsetof(cli_lcp_options, polygon),
     .value = "KIND",
     .text = "for the friction discs of FILE",
     .choices = polygon_choices},
    {.name = "compare",
     .kind = CLI_FLAG,
     .offset = offsetof(cli_lcp_options, compare),
     .text = "solve FILE under the exact law too; errors of polygons up to 2K sides"},
    {.name = "example",
     .kind = CLI_CHOICE,
     .offset = offsetof(cli_lcp_options, example),
     .value = "NAME",
     .text = "instead of FILE, a system in motion",
     .usual = "none",
     .choices = example_choices},
    {.name = "scene",
     .kind = CLI_TEXT,
     .offset = offsetof(cli_lcp_options, scene),
     .value = "SCENE",
     .text = "instead of FILE, bodies beside the exact law, for 2 to K lines",
     .usual = "none"},
    {.name = "set",
     .kind = CLI_LIST,
     .offset = offsetof(cli_lcp_options, settings),
     .value = "NAME=VALUE",
     .text = "parameter of the example or scene; may be given again and again"},
    {.name = "redundancy",
     .kind = CLI_CHOICE,
     .offset = offsetof(cli_lcp_options, redundancy),
     .value = "HOW",
     .text = "of an example's forces",
     .usual = "least for the block",
     .choices = redundancy_choices},
    {.name = "compliance",
     .kind = CLI_REAL,
     .offset = offsetof(cli_lcp_options, compliance),
     .value = "C",
     .text = "of a relaxed contact row, in 1/kg",
     .least = 1e-300,
     .most = 1e30},
    {.name = "rho",
     .kind = CLI_REAL,
     .offset = offsetof(cli_lcp_options, rho),
     .value = "R",
     .text = "phantom inertia of an example's contacts, in kg",
     .usual = "chosen",
     .most = 1e30},
    {.name = "step",
     .kind = CLI_REAL,
     .offset = offsetof(cli_lcp_options, step),
     .value = "H",
     .text = "time step of an example, in s",
     .least = 1e-9,
     .most = 1e9},
    {.name = "until",
     .kind = CLI_REAL,
     .offset = offsetof(cli_lcp_options, until),
     .value = "T",
     .text = "end of the motion, in s",
     .usual = "4, or that of the scene",
     .most = 1e9},
    {.name = "output",
     .letter = 'o',
     .kind = CLI_TEXT,
     .offset = offsetof(cli_lcp_options, output),
     .value = "OUT",
     .text = "z, a number per line; --compare, --example: a table with commas",
     .usual = "none"},
    {.name = "svg",
     .kind = CLI_TEXT,
     .offset = offsetof(cli_lcp_options, svg),
     .value = "FILE",
     .text = "draw errors, singular values or motion",
     .usual = "none"},
    {.name = "figure",
     .kind = CLI_CHOICE,
     .offset = offsetof(cli_lcp_options, figure),
     .value = "NAME",
     .text = "of mass or block; transition: figure 1 of the paper",
     .choices = figure_choices},
    CLI_JSON_OPTION(cli_lcp_options),
};

static const cli_syntax syntax = {
    .verb = cli_lcp_verb,
    .purpose =
        "Solves linear complementarity problems: 0 <= z complementary to A z + b >= 0. A contact\n"
        "problem becomes one when polygons stand for its friction discs. Examples show friction\n"
        "at acceleration level, with phantom inertia (docs/lcp.md): a point mass, a block on four\n"
        "corners, a chain of links on three feet. Parameters that --set changes: mu, kinetic,\n"
        "mass, force, angle, period, gravity. The z of a contact problem: the normal impulse of\n"
        "every contact, then for every contact with friction the shares of its polygon's corners,\n"
        "then for every such contact a bound of its sliding velocity.",
    .n_arguments = CLI_COUNT(arguments),
    .n_options = CLI_COUNT(options),
    .n_optional = 1,
    .arguments = arguments,
    .options = options,
    .exit_codes = "0 solved, 1 not solved or failed, 2 bad input or usage",
    .example = "  scree lcp problem.dat\n"
               "  scree lcp contacts.hdf5 --compare --directions 32 --svg errors.svg\n"
               "  scree lcp --example block -o block.csv --svg block.svg\n"
               "  scree lcp --scene block-on-slope --until 0.5 --directions 64",
};

scree_lcp_def cli_lcp_def(const cli_lcp_options* o)
{
    scree_lcp_def def = scree_default_lcp_def();
    def.method = (scree_lcp_method)o->solver;
    def.tol = o->tol;
    def.max_iter = o->max_iter;
    def.max_time = o->max_time;
    return def;
}

static int on_pivots(void* user, int64_t iterations)
{
    cli_lcp_watch* w = user;
    if (cli_watch_due(&w->watch)) {
        cli_watch_show(&w->watch, "%" PRId64 " pivots for %d unknowns", iterations,
                       (int)w->unknowns);
    }
    return cli_watch_interrupted();
}

void cli_lcp_watch_begin(cli_lcp_watch* watch, int32_t unknowns, scree_lcp_def* def)
{
    watch->unknowns = unknowns;
    cli_watch_begin(&watch->watch, cli_lcp_verb);
    def->progress = on_pivots;
    def->progress_user = watch;
}

/* ---- one file ---- */

typedef struct job {
    const cli_lcp_options* options;
    cli_host host;
    cli_loaded loaded;
    scree_lcp_store store;         /* up to SPARSE_ABOVE unknowns, and for other methods */
    scree_sparse_lcp_store sparse; /* else */
    int32_t unknowns;
    double *z, *p;
    scree_lcp_report report;
    scree_lcp_certificate certificate;
    bool friction;
    scree_certificate exact; /* of the impulses under the exact law; with friction only */
} job;

static scree_status build(job* j, const scree_env* env)
{
    const cli_lcp_options* o = j->options;
    const scree_problem* problem = &j->loaded.problem;
    scree_status status = SCREE_OK;
    int32_t k = (int32_t)o->directions;
    if (o->solver == SCREE_LCP_LEMKE) {
        status =
            scree_polyhedral_build_sparse(env, problem, k, (scree_polygon)o->polygon, &j->sparse);
        j->unknowns = j->sparse.lcp.n;
        if (status != SCREE_OK || j->unknowns > SPARSE_ABOVE) return status;
        scree_sparse_lcp_store_release(&j->sparse);
    }
    status = scree_polyhedral_build(env, problem, k, (scree_polygon)o->polygon, &j->store);
    j->unknowns = j->store.lcp.n;
    return status;
}

static scree_status solve_lcp(job* j, const scree_env* env, const scree_lcp_def* def)
{
    scree_status status;
    if (j->sparse.memory) {
        status = scree_sparse_lcp_solve(env, &j->sparse.lcp, def, j->z, &j->report);
        if (status != SCREE_OK) return status;
        return scree_sparse_lcp_certify(env, &j->sparse.lcp, j->z, &j->certificate);
    }
    status = scree_lcp_solve(env, &j->store.lcp, def, j->z, &j->report);
    if (status != SCREE_OK) return status;
    return scree_lcp_certify(env, &j->store.lcp, j->z, &j->certificate);
}

static int solve(job* j)
{
    const cli_lcp_options* o = j->options;
    const scree_problem* problem = &j->loaded.problem;
    scree_polygon polygon = (scree_polygon)o->polygon;
    scree_env env = cli_env(&j->host);
    scree_lcp_def def = cli_lcp_def(o);
    scree_status status = build(j, &env);
    if (status != SCREE_OK) return cli_refuse(&j->host, status);
    j->z = calloc((size_t)j->unknowns + 1, sizeof *j->z);
    j->p = cli_new_rows(&j->host, &j->loaded);
    if (!j->z || !j->p) return cli_refuse(&j->host, SCREE_ERROR_MEMORY);
    cli_lcp_watch watch;
    cli_lcp_watch_begin(&watch, j->unknowns, &def);
    status = solve_lcp(j, &env, &def);
    cli_watch_end(&watch.watch);
    j->friction = cli_has_friction(problem);
    if (status == SCREE_OK && j->friction) {
        status =
            scree_polyhedral_impulses(&env, problem, (int32_t)o->directions, polygon, j->z, j->p);
        if (status == SCREE_OK) status = scree_certify(&env, problem, j->p, &j->exact);
    }
    return status == SCREE_OK ? CLI_DONE : cli_refuse(&j->host, status);
}

/* Polygons stand for discs; planar contacts slide on a line, which needs none. */
static void print_contacts(const job* j)
{
    const scree_problem* problem = &j->loaded.problem;
    int32_t discs = 0;
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        discs += problem->first_row[c + 1] - problem->first_row[c] > 2;
    }
    if (discs == 0) {
        cli_row("contacts", "%d, planar", (int)problem->n_contacts);
    } else {
        cli_row("contacts", "%d, %s polygons with %d sides", (int)problem->n_contacts,
                polygon_choices[j->options->polygon], (int)(2 * j->options->directions));
    }
}

static void print_table(const job* j)
{
    bool good = j->report.outcome == SCREE_LCP_SOLVED;
    const scree_lcp_certificate* c = &j->certificate;
    cli_row("file", "%s", j->options->file);
    cli_row("unknowns", "%d, %s", (int)j->unknowns, j->sparse.memory ? "sparse" : "dense");
    if (j->friction) print_contacts(j);
    cli_row("solver", "%s", solver_choices[j->options->solver]);
    cli_row("status", "%s%s%s", cli_paint(good ? CLI_GOOD : CLI_BAD),
            scree_lcp_outcome_text((int)j->report.outcome), cli_paint(CLI_PLAIN));
    if (j->report.outcome == SCREE_LCP_INFEASIBLE) {
        cli_row("proof", "y >= 0 with A^T y <= 0 and b . y = %.3g", j->report.proof);
    }
    cli_row("residual", "%-10.2e of at most %g", c->residual, j->options->tol);
    cli_row("  siconos", "%-10.2e", c->residual_siconos);
    cli_row("worst -z", "%-10.2e", c->z_violation);
    cli_row("worst -w", "%-10.2e", c->w_violation);
    cli_row("worst z w", "%-10.2e", c->complementarity);
    cli_row("iterations", "%" PRId64 "%s", j->report.iterations,
            j->report.attempts > 1 ? ", after a second attempt" : "");
    cli_row("time", "%-10.3g s", j->report.time_s);
    if (j->friction) cli_row("as exact law", "%-10.2e residual of the impulses", j->exact.residual);
}

static void print_json(const job* j)
{
    cli_json json = {.out = stdout};
    const scree_lcp_certificate* c = &j->certificate;
    cli_json_object(&json, NULL);
    cli_json_text(&json, "file", j->options->file);
    cli_json_integer(&json, "unknowns", j->unknowns);
    cli_json_text(&json, "solver", solver_choices[j->options->solver]);
    cli_json_text(&json, "status", scree_lcp_outcome_text((int)j->report.outcome));
    cli_json_real(&json, "residual", c->residual);
    cli_json_real(&json, "residual_siconos", c->residual_siconos);
    cli_json_real(&json, "z_violation", c->z_violation);
    cli_json_real(&json, "w_violation", c->w_violation);
    cli_json_real(&json, "complementarity", c->complementarity);
    cli_json_real(&json, "proof", j->report.proof);
    cli_json_integer(&json, "iterations", j->report.iterations);
    cli_json_integer(&json, "attempts", j->report.attempts);
    cli_json_real(&json, "time_s", j->report.time_s);
    cli_json_real(&json, "residual_exact", j->friction ? j->exact.residual : (double)NAN);
    cli_json_reals(&json, "z", j->z, j->unknowns);
    cli_json_end(&json);
}

static int write_solution(const job* j)
{
    FILE* file = fopen(j->options->output, "w");
    bool good = file != NULL;
    for (int32_t i = 0; good && i < j->unknowns; ++i) {
        good = fprintf(file, "%.17g\n", j->z[i]) > 0;
    }
    if (file) good = fclose(file) == 0 && good;
    if (good) return CLI_DONE;
    cli_say(cli_lcp_verb, "%s: cannot be written", j->options->output);
    return CLI_FAILED;
}

static int solve_file(const cli_lcp_options* o)
{
    job j = {.options = o, .host = {.verb = cli_lcp_verb}};
    int code = cli_load(&j.host, o->file, -1, &j.loaded);
    if (code == CLI_DONE) code = cli_check_contacts(&j.host, &j.loaded);
    if (code == CLI_DONE && o->output) code = cli_check_output(cli_lcp_verb, o->output, o->file);
    if (code == CLI_DONE && o->compare && !cli_has_friction(&j.loaded.problem)) {
        code = cli_usage_error(cli_lcp_verb,
                               "%s: has no contact with friction: leave out --compare", o->file);
    } else if (code == CLI_DONE && o->compare) {
        code = cli_lcp_compare(o, &j.host, &j.loaded);
    } else if (code == CLI_DONE) {
        code = solve(&j);
        if (code == CLI_DONE && o->json) print_json(&j);
        if (code == CLI_DONE && !o->json) print_table(&j);
        if (code == CLI_DONE && o->output) code = write_solution(&j);
        if (code == CLI_DONE && j.report.outcome != SCREE_LCP_SOLVED) code = CLI_FAILED;
    }
    free(j.z);
    free(j.p);
    scree_lcp_store_release(&j.store);
    scree_sparse_lcp_store_release(&j.sparse);
    cli_unload(&j.loaded);
    return code;
}

int cli_lcp(int argc, char** argv)
{
    scree_lcp_def lcp = scree_default_lcp_def();
    scree_polyhedral_def def = scree_default_polyhedral_def();
    cli_lcp_options o = {.example = -1,
                         .redundancy = -1,
                         .solver = (int)lcp.method,
                         .tol = lcp.tol,
                         .max_time = lcp.max_time,
                         .directions = def.directions,
                         .compliance = def.compliance,
                         .rho = (double)NAN,
                         .step = 2e-3,
                         .until = (double)NAN};
    int code;
    if (!cli_parse(&syntax, argc, argv, &o, &code)) return code;
    if (!o.file && o.example < 0 && !o.scene) {
        return cli_usage_error(cli_lcp_verb, "a FILE, --example or --scene is needed");
    }
    if ((o.example >= 0 || o.scene) && (o.file || o.compare)) {
        return cli_usage_error(cli_lcp_verb, "%s takes no %s", o.scene ? "--scene" : "--example",
                               o.file ? "FILE" : "--compare");
    }
    if (o.scene && o.example >= 0) {
        return cli_usage_error(cli_lcp_verb, "--example or --scene, not both");
    }
    if (o.figure == 1 && o.example != SCREE_EXAMPLE_MASS && o.example != SCREE_EXAMPLE_BLOCK) {
        return cli_usage_error(cli_lcp_verb, "--figure transition needs --example mass or block");
    }
    if (o.scene) return cli_lcp_scene(&o);
    if (isnan(o.until)) o.until = 4.0;
    if (o.example >= 0) return cli_lcp_example(&o);
    if (o.settings.n > 0) return cli_usage_error(cli_lcp_verb, "--set needs --example or --scene");
    if (o.svg && !o.compare) {
        return cli_usage_error(cli_lcp_verb, "--svg needs --compare, --example or --scene");
    }
    return solve_file(&o);
}
