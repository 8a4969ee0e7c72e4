/* Hulls of 32 points that pile up, the pile of bench/hulls.py: CPU time of all steps and of finding
 * contacts, the worst certificate and overlap.
 *
 * usage: ./dev bench hull_pile [HULLS [DURATION [STEP [TOLERANCE]]]]      (default 640 1 0.005
 * 1e-3)
 */
#include "peers/hulls.h"
#include "scree/world.h"
#include "scree_sparse/scree_sparse.h"

static scree_status add_walls(scree_world* world)
{
    const double h = sqrt(0.5),
                 turn[5][4] = {
                     {1, 0, 0, 0}, {h, 0, h, 0}, {h, 0, -h, 0}, {h, -h, 0, 0}, {h, h, 0, 0}};
    const double place[5][3] = {{0, 0, 0}, {-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}};
    scree_status status = SCREE_OK;
    for (int i = 0; i < 5 && !status; ++i) {
        scree_body_def def = scree_default_body_def();
        scree_shape shape = scree_default_shape();
        scree_body_id id;
        def.kind = SCREE_BODY_STATIC;
        shape.kind = SCREE_SHAPE_HALF_SPACE;
        for (int k = 0; k < 4; ++k) def.rotation[k] = turn[i][k];
        for (int k = 0; k < 3; ++k) def.position[k] = room() * place[i][k];
        status = scree_world_add_body(world, &def, 1, &shape, &id);
    }
    return status;
}

static scree_status add_hulls(scree_world* world, int count, scree_hull* forms[FORMS])
{
    scree_status status = SCREE_OK;
    for (int f = 0; f < FORMS && !status; ++f) {
        double points[3 * POINTS];
        form_points(f, points);
        status = scree_hull_create(NULL, POINTS, points, &forms[f]);
    }
    for (int i = 0; i < count && !status; ++i) {
        scree_body_def def = scree_default_body_def();
        scree_shape shape = scree_default_shape();
        scree_mass mass;
        scree_body_id id;
        shape.kind = SCREE_SHAPE_HULL;
        shape.hull = forms[i % FORMS];
        shape.half_size[0] = 1.0;
        status = scree_shape_mass(NULL, 1, &shape, DENSITY, &mass);
        def.mass = mass.mass;
        for (int k = 0; k < 6; ++k) def.inertia[k] = mass.inertia[k];
        start_place(i, def.position);
        if (!status) status = scree_world_add_body(world, &def, 1, &shape, &id);
    }
    return status;
}

/* What the steps were, in all. */
typedef struct {
    double contacts, solve, residual, overlap;
    long touches, unsolved;
    int64_t updates;
} sums;

static scree_status make_steps(scree_world* world, long n, sums* out)
{
    scree_status status = SCREE_OK;
    for (long k = 0; k < n && !status; ++k) {
        scree_step_report r;
        status = scree_world_step(world, &r);
        out->contacts += r.time_contacts;
        out->solve += r.time_solve;
        out->residual = fmax(out->residual, r.solve.residual);
        out->overlap = fmax(out->overlap, r.overlap_share);
        out->touches += r.n_contacts;
        out->updates += r.solve.updates;
        out->unsolved += r.solve.outcome != SCREE_OUTCOME_CONVERGED;
    }
    return status;
}

int main(int n_arguments, char** arguments)
{
    int count = n_arguments > 1 ? atoi(arguments[1]) : 640;
    double duration = n_arguments > 2 ? atof(arguments[2]) : 1.0;
    scree_world_def def = scree_default_world_def();
    def.step = n_arguments > 3 ? atof(arguments[3]) : 0.005;
    def.solver.tol = n_arguments > 4 ? atof(arguments[4]) : 1e-3;
    def.scheme = SCREE_SCHEME_GAP;
    const scree_env env = {.sparse = scree_sparse_mumps()};
    scree_world* world = NULL;
    scree_hull* forms[FORMS] = {NULL};
    scree_material material = {.mu = FRICTION};
    int32_t unused;
    sums all = {0};
    scree_status status = scree_world_create(&env, &def, &world);
    if (!status) status = scree_world_add_material(world, &material, &unused);
    if (!status) status = add_walls(world);
    if (!status) status = add_hulls(world, count, forms);
    long n = lround(duration / def.step);
    double begin = processor_seconds();
    if (!status) status = make_steps(world, n, &all);
    double seconds = processor_seconds() - begin, height = 0.0;
    int lost = 0;
    if (!status) {
        scree_world_view view = scree_world_get_view(world);
        for (int i = 5; i < view.n_bodies; ++i) {
            const double* x = view.position + 3 * i;
            height += x[2] / count;
            lost += !(x[2] > 0.0 && fabs(x[0]) < room() && fabs(x[1]) < room());
        }
        print_result(seconds, n, height, lost);
        printf("contacts %.3g a step, worst certificate %.3g, steps that miss it %ld, worst "
               "overlap %.3g of the radius\n",
               (double)all.touches / (double)n, all.residual, all.unsolved, all.overlap);
        printf("finding contacts %.3g s, solving %.3g s (wall clock), %.4g updates\n", all.contacts,
               all.solve, (double)all.updates);
    }
    scree_world_destroy(world);
    for (int f = 0; f < FORMS; ++f) scree_hull_destroy(forms[f]);
    if (status) fprintf(stderr, "hull_pile: %s\n", scree_status_text((int)status));
    return status ? 1 : 0;
}
