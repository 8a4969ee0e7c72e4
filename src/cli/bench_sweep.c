/* Contact updates per second: coloured Gauss-Seidel over a cubic lattice of spheres that rest on a
 * floor and touch their neighbours along the axes; the problem is that of one step of free fall. */
#include "cli/bench.h"
#include "cli/host.h"
#include "cli/json.h"
#include "cli/options.h"
#include "scree/world.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

typedef struct sweep_options {
    int64_t contacts; /* 0: the usual sizes */
    bool json;
} sweep_options;

static const cli_option options[] = {
    {.name = "contacts",
     .kind = CLI_INTEGER,
     .offset = offsetof(sweep_options, contacts),
     .value = "N",
     .text = "size: the smallest cube of spheres with N contacts or more",
     .usual = "3000, 30000 and 300000",
     .least = 1,
     .most = 1e8},
    CLI_JSON_OPTION(sweep_options),
};

static const cli_syntax syntax = {
    .verb = "bench sweep",
    .purpose =
        "Measures how many contacts per second one core relaxes in coloured Gauss-Seidel\n"
        "sweeps over a cube of touching spheres, and the memory that takes. One update\n"
        "solves one contact: sliding alone, or with rolling and spinning. Seconds are those\n"
        "of the processor, so that other programs disturb little.",
    .n_options = CLI_COUNT(options),
    .options = options,
    .example = "  scree bench sweep --contacts 100000",
};

typedef struct result {
    const char* solver;
    bool rolls;
    int32_t n_spheres, n_contacts;
    double updates; /* per second */
    double memory;  /* bytes per contact, of the solver */
} result;

static const double radius = 0.01; /* m */

/* Along each axis, so that the cube has n contacts; the bottom layer touches the floor. */
static int side_for(int64_t n)
{
    int64_t side = 1;
    while (3 * side * side * (side - 1) + side * side < n) ++side;
    return (int)side;
}

static scree_status add_floor(scree_world* world)
{
    scree_shape shape = scree_default_shape();
    scree_body_def body = scree_default_body_def();
    scree_body_id id;
    body.kind = SCREE_BODY_STATIC;
    shape.kind = SCREE_SHAPE_HALF_SPACE;
    return scree_world_add_body(world, &body, 1, &shape, &id);
}

static scree_status add_spheres(scree_world* world, int side)
{
    scree_shape shape = scree_default_shape();
    scree_body_def body = scree_default_body_def();
    scree_body_id id;
    scree_mass mass;
    shape.half_size[0] = radius;
    scree_status status = scree_shape_mass(NULL, 1, &shape, 2500.0, &mass);
    body.mass = mass.mass;
    for (int i = 0; i < 6; ++i) body.inertia[i] = mass.inertia[i];
    for (int i = 0; i < side * side * side && status == SCREE_OK; ++i) {
        int layer = i / (side * side);
        body.position[0] = 2.0 * radius * (i % side);
        body.position[1] = 2.0 * radius * (i / side % side);
        body.position[2] = radius * (1.0 + 2.0 * layer);
        body.velocity[0] = 1e-3 * (i % 7 - 3);
        body.velocity[1] = 1e-3 * (i % 5 - 2);
        status = scree_world_add_body(world, &body, 1, &shape, &id);
    }
    return status;
}

/* As many sweeps as are asked for and nothing else. Any impulses meet the tolerance, so that nobody
 * looks for the reason why they do not. */
static scree_solver_def few_sweeps(const char* solver, int n)
{
    scree_solver_def def = scree_default_solver_def();
    def.solver = solver;
    def.tol = 1e9;
    def.min_iter = def.max_iter = n;
    return def;
}

/* A world after one step, which has no other purpose than to make the problem. */
static scree_status make_world(const scree_env* env, int side, bool rolls, scree_world** out)
{
    scree_world_def def = scree_default_world_def();
    def.scheme = SCREE_SCHEME_GAP;
    def.margin = 1e-3 * radius;
    def.solver = few_sweeps("nsgs-bodies", 1);
    scree_status status = scree_world_create(env, &def, out);
    if (status != SCREE_OK) return status;
    double length = rolls ? 0.1 * radius : 0.0;
    scree_material material = {.mu = 0.5, .mu_r = length, .mu_s = length};
    int32_t index;
    scree_step_report report;
    status = scree_world_add_material(*out, &material, &index);
    if (status == SCREE_OK) status = add_floor(*out);
    if (status == SCREE_OK) status = add_spheres(*out, side);
    if (status == SCREE_OK) status = scree_world_step(*out, &report);
    return status;
}

static double processor_time(void* user)
{
    (void)user;
    return (double)clock() / CLOCKS_PER_SEC;
}

/* Seconds per update of a contact, from solves of two lengths: what is not sweeping cancels. On a
 * busy machine the shorter one may take longer: there are more rounds then, and if that does not
 * help, all that the longer one took counts. */
static scree_status time_sweeps(const scree_problem* problem, const char* solver, void* work,
                                double* p, double* seconds)
{
    const int sweeps[2] = {50, 95}; /* as many evaluations of the residual in both */
    enum { ROUNDS = 3, MOST_ROUNDS = 100 };
    const double longer = 1.2; /* at least; 1.9 if nothing but sweeps took time */
    const scree_env env = {.clock = processor_time};
    double best[2] = {HUGE_VAL, HUGE_VAL}, updates[2] = {0.0, 0.0};
    for (int i = 0; i < 2 * MOST_ROUNDS; ++i) {
        int is_clear = i % 2 == 0 && best[1] > longer * best[0];
        if (i >= 2 * ROUNDS && is_clear) break;
        scree_report report;
        scree_solver_def def = few_sweeps(solver, sweeps[i % 2]);
        for (int32_t k = 0; k < scree_problem_n_rows(problem); ++k) p[k] = 0.0;
        scree_status status = scree_solve(&env, problem, &def, work, p, &report);
        if (status != SCREE_OK) return status;
        best[i % 2] = fmin(best[i % 2], report.time_s);
        updates[i % 2] = (double)report.updates;
    }
    int is_clear = best[1] > longer * best[0];
    *seconds = is_clear ? (best[1] - best[0]) / (updates[1] - updates[0])
                        : fmax(best[1], 1.0 / CLOCKS_PER_SEC) / updates[1];
    return SCREE_OK;
}

static scree_status measure_problem(const scree_problem* problem, result* out)
{
    scree_solver_def def = few_sweeps(out->solver, 1);
    size_t size = scree_solve_work_size(NULL, problem, &def);
    void* work = malloc(size);
    double* p = malloc((size_t)scree_problem_n_rows(problem) * sizeof *p);
    double seconds = 0.0;
    scree_status status = SCREE_ERROR_MEMORY;
    if (work && p) status = time_sweeps(problem, out->solver, work, p, &seconds);
    free(work);
    free(p);
    out->n_contacts = problem->n_contacts;
    out->updates = 1.0 / seconds;
    out->memory = (double)size / problem->n_contacts;
    return status;
}

/* In double precision and in single. */
static const char* const solvers[] = {"nsgs-bodies", "nsgs-wide"};

static scree_status measure(cli_host* host, int64_t contacts, bool rolls,
                            result out[CLI_COUNT(solvers)])
{
    scree_env env = cli_env(host);
    env.sparse = NULL; /* nothing but sweeps */
    scree_world* world = NULL;
    int side = side_for(contacts);
    scree_status status = make_world(&env, side, rolls, &world);
    for (int i = 0; i < CLI_COUNT(solvers) && status == SCREE_OK; ++i) {
        out[i] = (result){.solver = solvers[i], .rolls = rolls, .n_spheres = side * side * side};
        status = measure_problem(scree_world_get_view(world).problem, &out[i]);
    }
    scree_world_destroy(world);
    return status;
}

static const char* channels(const result* r)
{
    return r->rolls ? "sliding, rolling, spinning" : "sliding";
}

static void print_row(const result* r)
{
    printf("%-12s %-28s %9d %9d %14.3g %14.0f\n", r->solver, channels(r), (int)r->n_spheres,
           (int)r->n_contacts, r->updates, r->memory);
    fflush(stdout);
}

static void print_object(cli_json* json, const result* r)
{
    cli_json_object(json, NULL);
    cli_json_text(json, "solver", r->solver);
    cli_json_text(json, "channels", channels(r));
    cli_json_integer(json, "spheres", r->n_spheres);
    cli_json_integer(json, "contacts", r->n_contacts);
    cli_json_real(json, "updates_per_s", r->updates);
    cli_json_real(json, "bytes_per_contact", r->memory);
    cli_json_end(json);
}

static int measure_all(const sweep_options* o, cli_json* json)
{
    const int64_t usual[] = {3000, 30000, 300000};
    cli_host host = {.verb = syntax.verb};
    int n = o->contacts > 0 ? 1 : CLI_COUNT(usual);
    for (int i = 0; i < 2 * n; ++i) {
        result r[CLI_COUNT(solvers)];
        int64_t contacts = o->contacts > 0 ? o->contacts : usual[i % n];
        scree_status status = measure(&host, contacts, i >= n, r);
        if (status != SCREE_OK) return cli_refuse(&host, status);
        for (int k = 0; k < CLI_COUNT(solvers); ++k) {
            if (json) {
                print_object(json, &r[k]);
            } else {
                print_row(&r[k]);
            }
        }
    }
    return CLI_DONE;
}

int cli_bench_sweep(int argc, char** argv)
{
    sweep_options o = {0};
    int code;
    if (!cli_parse(&syntax, argc, argv, &o, &code)) return code;
    if (!o.json) {
        printf("%-12s %-28s %9s %9s %14s %14s\n", "solver", "channels", "spheres", "contacts",
               "updates/s", "bytes/contact");
        return measure_all(&o, NULL);
    }
    cli_json json = {.out = stdout};
    cli_json_object(&json, NULL);
    cli_json_array(&json, "sweep");
    code = measure_all(&o, &json);
    cli_json_end(&json);
    cli_json_end(&json);
    return code;
}
