/* What a contact costs as heaps grow: grains that fall into a container together, or sheet by sheet
 * onto what lies there, each step solved to one tolerance; then the heap at rest.
 *
 * usage: ./dev bench growth [dropped] [poured] [--bodies N,...] [--workers N] [--tol T]
 *                           [--rolling F] [--rest SECONDS] [--trace]
 *
 * The container is as wide as the heap is high in the end. CPU is that of the process, in ms for a
 * contact and a second of simulated time; updates are those of a contact and step, on average and
 * in the worst step; "missed" steps ended above the tolerance. --rolling is the coefficient of
 * rolling and spinning as a share of the radius. --trace prints a line every 20 steps: at the usual
 * tolerance of 1e-3 3,000 grains that are dropped take many minutes. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */

#include "scree/scree.h"
#include "scree_sparse/scree_sparse.h"
#include "shared.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 8, LAYERS_PER_SIDE = 3, TRACED = 20 };

#define RADIUS 0.0225
#define SPACING (1.5 * 2.0 * RADIUS)
#define STEP 5e-3
#define GRAVITY 9.81

/* Between sheets that are poured: the time in which one falls out of the way of the next. */
#define SHEETS_APART 0.12

typedef struct options {
    int32_t bodies[MOST], workers;
    int n_bodies, is_dropped, is_poured, is_traced;
    double tol, rolling, rest;
} options;

typedef struct heap {
    scree_world* world;
    int32_t side, layers, made; /* sheets that are there */
    int is_poured;
} heap;

/* Sums over the steps of a part of the motion. */
typedef struct part {
    double cpu, contact_time, updates, contacts, most_updates, residual;
    int steps, missed;
} part;

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- scenes ---------------------------------------------------------------------------------- */

static scree_status add_container(scree_world* world, double width)
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

/* Grains of 0.8 to 1 of the largest, each out of its place by up to a sixth of the spacing. */
static scree_status add_sheet(heap* h, double height)
{
    scree_status status = SCREE_OK;
    for (int32_t i = 0; i < h->side * h->side && !status; ++i) {
        scree_shape shape = scree_default_shape();
        scree_body_def body = scree_default_body_def();
        scree_mass mass;
        scree_body_id id;
        int32_t number = h->made * h->side * h->side + i;
        const double at[3] = {SPACING * (i % h->side + 0.5), SPACING * (i / h->side + 0.5), height};
        for (int k = 0; k < 3; ++k) {
            body.position[k] = at[k] + SPACING / 6.0 * draw(4 * number + k);
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
static double height_of(const heap* h, int32_t k)
{
    const double settled = 0.8 * RADIUS; /* height of a sheet in the heap, rounded up */
    return h->is_poured ? settled * k + 2.0 * SPACING : SPACING * (k + 0.5);
}

/* The sheets that are due. */
static scree_status add_sheets(heap* h)
{
    scree_status status = SCREE_OK;
    double time = scree_world_time(h->world);
    while (h->made < h->layers && !status) {
        if (h->is_poured && time < SHEETS_APART * h->made) break;
        status = add_sheet(h, height_of(h, h->made));
    }
    return status;
}

/* When most has settled. */
static double settled_after(const heap* h)
{
    double fall = height_of(h, h->is_poured ? 0 : h->layers);
    double poured = h->is_poured ? SHEETS_APART * h->layers : 0.0;
    return poured + 1.2 * sqrt(2.0 * fall / GRAVITY) + 0.4;
}

static scree_status make_heap(const options* o, int32_t bodies, int is_poured, heap* h)
{
    scree_world_def def = scree_default_world_def();
    scree_env env = {.log = print_log, .sparse = scree_sparse_mumps()};
    int32_t unused;
    *h = (heap){.side = (int32_t)lround(cbrt((double)bodies / LAYERS_PER_SIDE))};
    if (h->side < 1) h->side = 1;
    h->layers = LAYERS_PER_SIDE * h->side;
    h->is_poured = is_poured;
    def.scheme = SCREE_SCHEME_GAP;
    def.theta = 1.0;
    def.step = STEP;
    def.solver.tol = o->tol;
    def.workers = o->workers;
    scree_status status = scree_world_create(&env, &def, &h->world);
    scree_material grain = {.mu = 0.6, .mu_r_share = o->rolling, .mu_s_share = o->rolling};
    if (!status) status = scree_world_add_material(h->world, &grain, &unused);
    if (!status) status = add_container(h->world, SPACING * h->side);
    return status;
}

/* ---- runs ------------------------------------------------------------------------------------ */

static void add_step(part* p, const scree_step_report* r, double cpu)
{
    double n = r->n_contacts, updates = n > 0.0 ? (double)r->solve.updates / n : 0.0;
    p->cpu += cpu;
    p->contact_time += n * STEP;
    p->updates += (double)r->solve.updates;
    p->contacts += n;
    p->most_updates = fmax(p->most_updates, updates);
    p->residual = fmax(p->residual, r->certificate.local);
    p->missed += r->solve.outcome != SCREE_OUTCOME_CONVERGED;
    p->steps++;
}

static void add_part(part* sum, const part* p)
{
    sum->cpu += p->cpu;
    sum->contact_time += p->contact_time;
    sum->updates += p->updates;
    sum->contacts += p->contacts;
    sum->most_updates = fmax(sum->most_updates, p->most_updates);
    sum->residual = fmax(sum->residual, p->residual);
    sum->missed += p->missed;
    sum->steps += p->steps;
}

static void print_part(const heap* h, const char* name, const part* p)
{
    if (p->steps == 0) return;
    double per_step = p->contacts / p->steps;
    printf("%-8s %7d %-9s %7.2f %8.0f %8.2f %8.3f %8.1f %8.1f %9.1e %6d\n",
           h->is_poured ? "poured" : "dropped", h->side * h->side * h->layers, name,
           scree_world_time(h->world), per_step, p->cpu, 1e3 * p->cpu / p->contact_time,
           p->updates / p->contacts, p->most_updates, p->residual, p->missed);
    fflush(stdout);
}

static scree_status run_until(heap* h, double end, const options* o, part* sum)
{
    scree_status status = SCREE_OK;
    part traced = {.cpu = 0.0};
    *sum = traced;
    while (!status && scree_world_time(h->world) < end - 0.5 * STEP) {
        scree_step_report r = {.struct_size = sizeof r};
        status = add_sheets(h);
        double before = cpu_seconds();
        if (!status) status = scree_world_make_step(h->world, &r);
        add_step(&traced, &r, cpu_seconds() - before);
        int is_last = scree_world_time(h->world) >= end - 0.5 * STEP;
        if (traced.steps < TRACED && !is_last) continue;
        if (o->is_traced) print_part(h, "", &traced);
        add_part(sum, &traced);
        traced = (part){.cpu = 0.0};
    }
    return status;
}

static scree_status measure(const options* o, int32_t bodies, int is_poured)
{
    heap h;
    part settling, resting;
    scree_status status = make_heap(o, bodies, is_poured, &h);
    double settled = settled_after(&h);
    if (!status) status = run_until(&h, settled, o, &settling);
    if (!status) print_part(&h, "settling", &settling);
    if (!status) status = run_until(&h, settled + o->rest, o, &resting);
    if (!status) print_part(&h, "resting", &resting);
    if (!status) printf("state %08x\n", hash_of(h.world));
    scree_world_destroy(h.world);
    return status;
}

static int read_options(int argc, char** argv, options* o)
{
    *o = (options){{400, 1000}, 1, .n_bodies = 2, .tol = 1e-3, .rolling = 0.1, .rest = 0.25};
    for (int i = 1; i < argc; ++i) {
        const char* value = i + 1 < argc ? argv[i + 1] : "";
        if (!strcmp(argv[i], "dropped")) {
            o->is_dropped = 1;
        } else if (!strcmp(argv[i], "poured")) {
            o->is_poured = 1;
        } else if (!strcmp(argv[i], "--trace")) {
            o->is_traced = 1;
        } else if (!strcmp(argv[i], "--bodies")) {
            if (!(o->n_bodies = read_list(value, MOST, o->bodies))) return 0;
            ++i;
        } else if (!strcmp(argv[i], "--workers")) {
            if (!read_list(value, 1, &o->workers)) return 0;
            ++i;
        } else if (!strcmp(argv[i], "--tol")) {
            if (!((o->tol = strtod(value, NULL)) > 0.0)) return 0;
            ++i;
        } else if (!strcmp(argv[i], "--rolling")) {
            if (!((o->rolling = strtod(value, NULL)) >= 0.0)) return 0;
            ++i;
        } else if (!strcmp(argv[i], "--rest")) {
            if (!((o->rest = strtod(value, NULL)) >= 0.0)) return 0;
            ++i;
        } else {
            return 0;
        }
    }
    if (!o->is_dropped && !o->is_poured) o->is_dropped = o->is_poured = 1;
    return 1;
}

int main(int argc, char** argv)
{
    options o;
    if (!read_options(argc, argv, &o)) {
        fprintf(stderr, "usage: growth [dropped] [poured] [--bodies N,...] [--workers N] [--tol T] "
                        "[--rolling F] [--rest SECONDS] [--trace]\n");
        return 2;
    }
    printf("scene     bodies part         time contacts    cpu_s  ms/con/s  updates     most  "
           "residual missed\n");
    for (int way = 0; way < 2; ++way) {
        for (int i = 0; (way ? o.is_poured : o.is_dropped) && i < o.n_bodies; ++i) {
            if (measure(&o, o.bodies[i], way)) return 1;
        }
    }
    return 0;
}
