/* Contact updates per second and core: coloured Gauss-Seidel over a cubic lattice of spheres that
 * slide, roll and spin (or only slide), from 1,000 to 300,000 spheres.
 *
 * Spheres rest on a floor and touch their neighbours along the axes; the step is one of free fall.
 * Prints a table; the residual check of each solve is included in the time.
 */
#include "scree/world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void fail(const char* what)
{
    fprintf(stderr, "sweep: %s\n", what);
    exit(1);
}

static scree_world* build(int side, int rolls)
{
    scree_world_def def = scree_default_world_def();
    scree_world* world = NULL;
    int32_t material;
    scree_body_id id;
    double radius = 0.01;
    def.scheme = SCREE_SCHEME_GAP;
    def.margin = 1e-3 * radius;
    def.max_sweeps = 1; /* the first step only builds the problem */
    if (scree_world_create(&def, &world)) fail("no world");
    scree_material m = {0.5, rolls ? 0.1 * radius : 0.0, rolls ? 0.1 * radius : 0.0, 0.0};
    if (scree_world_add_material(world, &m, &material)) fail("no material");
    scree_shape shape = scree_default_shape();
    scree_body_def body = scree_default_body_def();
    body.kind = SCREE_BODY_STATIC;
    shape.kind = SCREE_SHAPE_HALF_SPACE;
    if (scree_world_add_body(world, &body, 1, &shape, &id)) fail("no floor");
    shape.kind = SCREE_SHAPE_SPHERE;
    shape.size[0] = radius;
    scree_mass mass;
    if (scree_shape_mass(NULL, 1, &shape, 2500.0, &mass)) fail("no mass");
    body.kind = SCREE_BODY_DYNAMIC;
    body.mass = mass.mass;
    for (int i = 0; i < 6; ++i) body.inertia[i] = mass.inertia[i];
    for (int i = 0; i < side * side * side; ++i) {
        body.position[0] = 2.0 * radius * (i % side);
        body.position[1] = 2.0 * radius * (i / side % side);
        body.position[2] = radius * (1.0 + 2.0 * (i / side / side));
        body.velocity[0] = 1e-3 * (i % 7 - 3);
        body.velocity[1] = 1e-3 * (i % 5 - 2);
        if (scree_world_add_body(world, &body, 1, &shape, &id)) fail("no sphere");
    }
    scree_step_report report;
    if (scree_world_step(world, &report)) fail("no step");
    return world;
}

/* Seconds per sweep from two solves of different length: what is not sweeping cancels. */
static double seconds_per_sweep(const scree_problem* problem)
{
    scree_solver_def def = scree_default_solver_def();
    def.solver = "nsgs-bodies";
    def.tol = 0.0;
    void* work = malloc(scree_solve_work_size(problem, &def));
    double* p = calloc((size_t)scree_problem_n_rows(problem), sizeof *p);
    if (!work || !p) fail("out of memory");
    double time[2] = {INFINITY, INFINITY};
    int sweeps[2] = {10, 60};
    for (int run = 0; run < 6; ++run) {
        scree_report report;
        def.max_iter = sweeps[run % 2];
        for (int32_t i = 0; i < scree_problem_n_rows(problem); ++i) p[i] = 0.0;
        if (scree_solve(problem, &def, work, p, &report)) fail("no solution");
        time[run % 2] = fmin(time[run % 2], report.time_s);
    }
    free(work);
    free(p);
    return (time[1] - time[0]) / (sweeps[1] - sweeps[0]);
}

int main(void)
{
    printf("%-28s %9s %9s %14s\n", "channels", "spheres", "contacts", "updates/s");
    for (int rolls = 0; rolls < 2; ++rolls) {
        for (int side = 10; side <= 70; side = side * 19 / 10) {
            scree_world* world = build(side, rolls);
            scree_world_view view = scree_world_get_view(world);
            double seconds = seconds_per_sweep(view.problem);
            printf("%-28s %9d %9d %14.3g\n", rolls ? "sliding, rolling, spinning" : "sliding",
                   view.n_bodies - 1, view.n_contacts, view.n_contacts / seconds);
            fflush(stdout);
            scree_world_destroy(world);
        }
    }
    return 0;
}
