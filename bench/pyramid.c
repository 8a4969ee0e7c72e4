/* Pyramids of boxes that stand from the first step, as in the benchmark `large_pyramid` of Box3D:
 * boxes of 1 m and 100 kg that touch their neighbours, steps of 1/60 s. Nothing should move, and a
 * step should cost little once the first has been solved.
 *
 * usage: ./dev bench pyramid [ROWS ...]      (default 20 40 100)
 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */

#include "scree/world.h"
#include "scree_sparse/scree_sparse.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { STEPS = 200, FIRST = 3 };

#define HALF 0.5      /* m, of an edge */
#define DENSITY 100.0 /* kg/m^3 */
#define MU 0.6        /* Box3D's */

static double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static scree_status add(scree_world* world, const scree_body_def* def, scree_shape_kind kind)
{
    scree_shape shape = scree_default_shape();
    scree_body_id id;
    shape.kind = kind;
    for (int i = 0; i < 3; ++i) shape.half_size[i] = kind == SCREE_SHAPE_BOX ? HALF : 0.0;
    return scree_world_add_body(world, def, 1, &shape, &id);
}

static scree_status build(scree_world* world, int rows)
{
    scree_material material = {.mu = MU};
    scree_body_def floor = scree_default_body_def(), box = floor;
    int32_t unused;
    double edge = 2.0 * HALF;
    scree_status status = scree_world_add_material(world, &material, &unused);
    floor.kind = SCREE_BODY_STATIC;
    if (!status) status = add(world, &floor, SCREE_SHAPE_HALF_SPACE);
    box.mass = DENSITY * edge * edge * edge;
    for (int i = 0; i < 3; ++i) box.inertia[i] = box.mass * edge * edge / 6.0;
    for (int i = 0; i < rows; ++i) {
        for (int j = i; j < rows && !status; ++j) {
            box.position[0] = ((double)i + 1.0 + 2.0 * (double)(j - i) - rows) * HALF;
            box.position[2] = (2.0 * (double)i + 1.0) * HALF;
            status = add(world, &box, SCREE_SHAPE_BOX);
        }
    }
    return status;
}

typedef struct result {
    double seconds, first; /* of processor time: all steps, the first FIRST */
    double part[4];        /* wall clock of the others: contacts, solve, certify, move */
    double motion;         /* farthest that a box is ever from its place, m */
    double added;          /* most that contacts and overlap had added to the energy, J */
    double residual;       /* worst of all steps */
    int32_t contacts;
    int64_t moving; /* boxes that still move at the end */
} result;

static double farthest(const scree_world* world, const double* from)
{
    scree_world_view view = scree_world_get_view(world);
    double most = 0.0;
    for (int32_t i = 0; i < view.n_bodies; ++i) {
        const double *x = view.position + 3 * i, *y = from + 3 * i;
        most = fmax(most, hypot(hypot(x[0] - y[0], x[1] - y[1]), x[2] - y[2]));
    }
    return most;
}

static int64_t count_moving(const scree_world* world)
{
    scree_world_view view = scree_world_get_view(world);
    int64_t moving = 0;
    for (int32_t i = 0; i < view.n_bodies; ++i) {
        const double *v = view.velocity + 3 * i, *w = view.angular_velocity + 3 * i;
        moving += v[0] != 0.0 || v[1] != 0.0 || v[2] != 0.0;
        moving += w[0] != 0.0 || w[1] != 0.0 || w[2] != 0.0;
    }
    return moving;
}

static scree_status run(scree_world* world, double* from, result* out)
{
    scree_world_view view = scree_world_get_view(world);
    double work = 0.0, began = processor_seconds();
    scree_status status = SCREE_OK;
    memcpy(from, view.position, 3 * (size_t)view.n_bodies * sizeof *from);
    for (int i = 0; i < STEPS && !status; ++i) {
        scree_step_report r;
        status = scree_world_step(world, &r);
        if (status) break;
        if (i + 1 == FIRST) out->first = processor_seconds() - began;
        double part[4] = {r.time_contacts, r.time_solve, r.time_certify, r.time_move};
        for (int k = 0; k < 4 && i >= FIRST; ++k) out->part[k] += part[k];
        work += r.contact_work;
        out->added = fmax(out->added, work);
        out->residual = fmax(out->residual, r.certificate.local);
        out->motion = fmax(out->motion, farthest(world, from));
        out->contacts = r.n_contacts;
    }
    out->seconds = processor_seconds() - began;
    out->moving = count_moving(world);
    return status;
}

static scree_status measure(int rows, result* out)
{
    scree_world* world = NULL;
    scree_world_def def = scree_default_world_def();
    double* from = malloc(3 * (size_t)(rows * (rows + 1) / 2 + 1) * sizeof *from);
    def.step = 1.0 / 60.0;
    def.solver.tol = 1e-3;
    const scree_env env = {.sparse = scree_sparse_mumps()};
    *out = (result){.seconds = 0.0};
    scree_status status = from ? scree_world_create(&env, &def, &world) : SCREE_ERROR_MEMORY;
    if (!status) status = build(world, rows);
    if (!status) status = run(world, from, out);
    scree_world_destroy(world);
    free(from);
    return status;
}

int main(int argc, char** argv)
{
    static const int usual[] = {20, 40, 100};
    int n = argc > 1 ? argc - 1 : (int)(sizeof usual / sizeof usual[0]);
    printf("%6s %9s | CPU s: %8s %8s | ms a step: %8s %8s %8s %8s | %9s %9s %9s %7s\n", "boxes",
           "contacts", "all", "first 3", "find", "solve", "certify", "move", "motion m", "added J",
           "residual", "moving");
    for (int i = 0; i < n; ++i) {
        int rows = argc > 1 ? atoi(argv[i + 1]) : usual[i];
        result r;
        if (rows < 1 || measure(rows, &r)) return 1;
        double ms = 1e3 / (STEPS - FIRST);
        printf(
            "%6d %9d | %6s %8.3f %8.3f | %10s %8.3f %8.3f %8.3f %8.3f | %9.1e %9.1e %9.1e %7lld\n",
            rows * (rows + 1) / 2, (int)r.contacts, "", r.seconds, r.first, "", ms * r.part[0],
            ms * r.part[1], ms * r.part[2], ms * r.part[3], r.motion, r.added, r.residual,
            (long long)r.moving);
        fflush(stdout);
    }
    return 0;
}
