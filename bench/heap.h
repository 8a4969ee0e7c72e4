/* Heaps that benchmarks of growth are made of: grains that fall into a container as wide as the
 * heap is high in the end. */
#ifndef BENCH_HEAP_H
#define BENCH_HEAP_H

#include "scree_sparse/scree_sparse.h"
#include "shared.h"

#include <math.h>
#include <string.h>

enum { LAYERS_PER_SIDE = 3 };

#define RADIUS 0.0225
#define STEP 5e-3
#define GRAVITY 9.81

/* Between sheets that are poured: the time in which one falls out of the way of the next. */
#define SHEETS_APART 0.12

typedef struct heap {
    scree_world* world;
    double spacing, rise;       /* of grains in a sheet and of sheets, before they fall, m */
    double share;               /* of the spacing by which grains are out of place at most */
    int is_staggered;           /* every other sheet is shifted, its grains above gaps */
    int is_poured;              /* sheet by sheet onto what lies there; else all fall together */
    int32_t side, layers, made; /* grains along a side, sheets, sheets that are there */
} heap;

static inline int32_t heap_bodies(const heap* h)
{
    return h->side * h->side * h->layers;
}

static inline scree_status add_container(scree_world* world, double width)
{
    double half = sqrt(0.5);
    const double turn[5][4] = {{1.0, 0.0, 0.0, 0.0},
                               {half, 0.0, half, 0.0},
                               {half, 0.0, -half, 0.0},
                               {half, -half, 0.0, 0.0},
                               {half, half, 0.0, 0.0}};
    scree_status status = SCREE_OK;
    for (int k = 0; k < 5 && !status; ++k) {
        status = add_plane(world, k == 2 ? width : 0.0, k == 4 ? width : 0.0, 0.0, turn[k]);
    }
    return status;
}

/* A container for about so many bodies. Rolling and spinning resist by `rolling` of the radius. */
static inline scree_status heap_begin(heap* h, int32_t bodies, double rolling,
                                      const scree_solver_def* solver, int32_t workers)
{
    scree_world_def def = scree_default_world_def();
    scree_env env = {.log = print_log, .sparse = scree_sparse_mumps()};
    int32_t unused;
    h->side = (int32_t)lround(cbrt((double)bodies / LAYERS_PER_SIDE));
    if (h->side < 1) h->side = 1;
    h->layers = LAYERS_PER_SIDE * h->side;
    h->made = 0;
    def.scheme = SCREE_SCHEME_GAP;
    def.theta = 1.0;
    def.step = STEP;
    def.solver = *solver;
    def.workers = workers;
    scree_status status = scree_world_create(&env, &def, &h->world);
    scree_material grain = {.mu = 0.6, .mu_r_share = rolling, .mu_s_share = rolling};
    if (!status) status = scree_world_add_material(h->world, &grain, &unused);
    if (!status) status = add_container(h->world, h->spacing * h->side);
    return status;
}

/* Grains of 0.8 to 1 of the largest. */
static inline scree_status heap_add_sheet(heap* h, double height)
{
    scree_status status = SCREE_OK;
    double first = h->is_staggered ? 0.25 + 0.5 * (h->made % 2) : 0.5;
    for (int32_t i = 0; i < h->side * h->side && !status; ++i) {
        scree_shape shape = scree_default_shape();
        scree_body_def body = scree_default_body_def();
        scree_mass mass;
        scree_body_id id;
        int32_t number = h->made * h->side * h->side + i;
        const double at[3] = {h->spacing * (i % h->side + first),
                              h->spacing * (i / h->side + first), height};
        for (int k = 0; k < 3; ++k) {
            body.position[k] = at[k] + h->share * h->spacing * draw(4 * number + k);
        }
        shape.kind = SCREE_SHAPE_SPHERE;
        shape.half_size[0] = RADIUS * (0.9 + 0.1 * draw(4 * number + 3));
        status = scree_shape_mass(NULL, 1, &shape, 2500.0, &mass);
        body.mass = mass.mass;
        memcpy(body.inertia, mass.inertia, sizeof body.inertia);
        if (!status) status = scree_world_add_body(h->world, &body, 1, &shape, &id);
    }
    h->made++;
    return status;
}

/* Where sheet k begins: in its place above the floor, or above what lies there. */
static inline double heap_height(const heap* h, int32_t k)
{
    const double settled = 0.8 * RADIUS; /* height of a sheet in the heap, rounded up */
    return h->is_poured ? settled * k + 2.0 * h->rise : h->rise * (k + 0.5);
}

/* The sheets that are due. */
static inline scree_status heap_add_sheets(heap* h)
{
    scree_status status = SCREE_OK;
    double time = scree_world_time(h->world);
    while (h->made < h->layers && !status) {
        if (h->is_poured && time < SHEETS_APART * h->made) break;
        status = heap_add_sheet(h, heap_height(h, h->made));
    }
    return status;
}

#endif
