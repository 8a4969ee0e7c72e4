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

#include "heap.h"

#include <time.h>

enum { MOST = 8, TRACED = 20 };

/* In radii; and by how much of that grains are out of place. */
#define SPACING 3.0
#define OUT_OF_PLACE (1.0 / 6.0)

typedef struct options {
    int32_t bodies[MOST], workers;
    int n_bodies, is_dropped, is_poured, is_traced;
    double tol, rolling, rest;
} options;

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

/* When most has settled. */
static double settled_after(const heap* h)
{
    double fall = heap_height(h, h->is_poured ? 0 : h->layers);
    double poured = h->is_poured ? SHEETS_APART * h->layers : 0.0;
    return poured + 1.2 * sqrt(2.0 * fall / GRAVITY) + 0.4;
}

static scree_status make_heap(const options* o, int32_t bodies, int is_poured, heap* h)
{
    scree_solver_def solver = scree_default_world_def().solver;
    *h = (heap){.spacing = SPACING * RADIUS,
                .rise = SPACING * RADIUS,
                .share = OUT_OF_PLACE,
                .is_poured = is_poured};
    solver.tol = o->tol;
    return heap_begin(h, bodies, o->rolling, &solver, o->workers);
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
           h->is_poured ? "poured" : "dropped", (int)heap_bodies(h), name,
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
        status = heap_add_sheets(h);
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
