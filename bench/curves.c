/* The residual of one step against the time that is spent on it, as heaps grow.
 *
 * usage: ./dev bench curves [--bodies N,...] [--workers N] [--tol T] [--rolling F]
 *                           [--sweeps N] [--fall SHARE] [--limit SECONDS]
 *
 * Grains in staggered sheets fall together into a container, with N sweeps a step at most (50), for
 * a share (all) of the time that a tenth of their height takes to fall. The next step is solved
 * from the impulses of the one before, to the tolerance T (1e-3) or for so many seconds (60), and
 * every look that finds a smaller residual is a line, and the last one. --rolling is the
 * coefficient of rolling and spinning as a share of the radius (0.1). 100,000 grains take 16
 * workers two minutes and 3 GB, a million with 10 sweeps and half of the fall three minutes and
 * 18 GB. tools/figures/curves.py draws the table. */
#include "heap.h"

enum { MOST = 8, LOOKS = 4096, TOLD = 10 };

/* Sheets like those of a face-centred packing, in radii: the largest grains would just fit. */
#define SPACING 2.1
#define RISE 1.4
#define OUT_OF_PLACE 0.02

/* Tolerance of the steps before. */
#define LOOSE 0.1

/* Share of the height by which the uppermost grains come down. */
#define SETTLES 0.1

typedef struct options {
    int32_t bodies[MOST], workers, sweeps;
    int n_bodies;
    double tol, rolling, fall, limit;
} options;

/* The looks at one solve; those of the longest are kept. */
typedef struct curve {
    int n;
    scree_check look[LOOKS];
} curve;

typedef struct curves {
    curve at_hand, longest;
} curves;

static int is_longer(const curve* a, const curve* b)
{
    return a->n > 0 && (b->n == 0 || a->look[a->n - 1].time_s > b->look[b->n - 1].time_s);
}

static void watch(void* user, const scree_check* check)
{
    curves* all = user;
    curve* c = &all->at_hand;
    if (check->iterations == 0) { /* a solve begins: of another part, or anew */
        if (is_longer(c, &all->longest)) all->longest = *c;
        c->n = 0;
    }
    if (c->n < LOOKS) c->look[c->n++] = *check;
}

static void print_curve(const heap* h, const options* o, const curve* c)
{
    int32_t contacts = scree_world_get_view(h->world).n_contacts;
    double last = HUGE_VAL;
    for (int i = 0; i < c->n; ++i) {
        const scree_check* look = &c->look[i];
        int is_last = i + 1 == c->n;
        if (!(look->best < last) && !is_last) continue;
        printf("%8d %8d %8d %-13s %8lld %10.4f %9.2e\n", (int)heap_bodies(h), (int)contacts,
               (int)o->workers, look->solver, (long long)look->iterations, look->time_s,
               look->best);
        last = look->best;
    }
    fflush(stdout);
}

static scree_status make_heap(const options* o, int32_t bodies, const scree_solver_def* solver,
                              heap* h)
{
    *h = (heap){.spacing = SPACING * RADIUS,
                .rise = RISE * RADIUS,
                .share = OUT_OF_PLACE,
                .is_staggered = 1};
    scree_status status = heap_begin(h, bodies, o->rolling, solver, o->workers);
    return status ? status : heap_add_sheets(h);
}

/* Lets the heap fall, loosely solved, and says how far it is: large heaps take minutes. */
static scree_status fall(const options* o, heap* h)
{
    double until = o->fall * sqrt(2.0 * SETTLES * heap_height(h, h->layers) / GRAVITY);
    scree_status status = SCREE_OK;
    for (int step = 1; !status && scree_world_time(h->world) < until; ++step) {
        scree_step_report r = {.struct_size = sizeof r};
        status = scree_world_make_step(h->world, &r);
        if (step % TOLD) continue;
        fprintf(stderr, "%d grains fall: %.3f of %.3f s, %d contacts, a step takes %.3g s\n",
                (int)heap_bodies(h), scree_world_time(h->world), until, (int)r.n_contacts,
                r.time_contacts + r.time_solve + r.time_certify + r.time_move);
    }
    return status;
}

/* A world solves all steps alike: another one takes the next from where the first has come to,
 * which is gone by then. */
static scree_status hand_over(const options* o, int32_t bodies, const scree_solver_def* solver,
                              heap* h)
{
    size_t size = scree_world_state_size(h->world);
    void* state = malloc(size);
    scree_status status = SCREE_ERROR_MEMORY;
    if (!state) return status;
    scree_world_save(h->world, state);
    scree_world_destroy(h->world);
    status = make_heap(o, bodies, solver, h);
    if (!status) status = scree_world_load(h->world, state, size);
    free(state);
    return status;
}

static scree_status draw_curve(const options* o, int32_t bodies, curves* found)
{
    scree_solver_def loose = scree_default_world_def().solver, strict = loose;
    heap h = {0};
    scree_step_report report = {.struct_size = sizeof report};
    found->at_hand.n = found->longest.n = 0;
    loose.max_iter = o->sweeps;
    loose.tol = LOOSE;
    strict.tol = o->tol;
    strict.max_time = o->limit;
    strict.watch = watch;
    strict.watch_user = found;
    scree_status status = make_heap(o, bodies, &loose, &h);
    if (!status) status = fall(o, &h);
    if (!status) status = hand_over(o, bodies, &strict, &h);
    if (!status) status = scree_world_make_step(h.world, &report);
    if (is_longer(&found->at_hand, &found->longest)) found->longest = found->at_hand;
    if (!status) print_curve(&h, o, &found->longest);
    scree_world_destroy(h.world);
    return status;
}

static int read_number(const char* text, double least, double* out)
{
    char* end;
    *out = strtod(text, &end);
    return end != text && *end == '\0' && *out >= least;
}

static int read_options(int argc, char** argv, options* o)
{
    *o = (options){{1000, 10000}, 1, 50, 2, 1e-3, 0.1, 1.0, 60.0};
    for (int i = 1; i + 1 < argc; i += 2) {
        const char *name = argv[i], *value = argv[i + 1];
        int is_read = 0;
        if (!strcmp(name, "--bodies")) {
            is_read = (o->n_bodies = read_list(value, MOST, o->bodies)) > 0;
        } else if (!strcmp(name, "--workers")) {
            is_read = read_list(value, 1, &o->workers);
        } else if (!strcmp(name, "--sweeps")) {
            is_read = read_list(value, 1, &o->sweeps);
        } else if (!strcmp(name, "--tol")) {
            is_read = read_number(value, 1e-15, &o->tol);
        } else if (!strcmp(name, "--rolling")) {
            is_read = read_number(value, 0.0, &o->rolling);
        } else if (!strcmp(name, "--fall")) {
            is_read = read_number(value, 0.0, &o->fall);
        } else if (!strcmp(name, "--limit")) {
            is_read = read_number(value, 1e-3, &o->limit);
        }
        if (!is_read) return 0;
    }
    return argc % 2 == 1;
}

int main(int argc, char** argv)
{
    static curves found;
    options o;
    if (!read_options(argc, argv, &o)) {
        fprintf(stderr, "usage: curves [--bodies N,...] [--workers N] [--tol T] [--rolling F] "
                        "[--sweeps N] [--fall SHARE] [--limit SECONDS]\n");
        return 2;
    }
    printf("  bodies contacts  workers solver          sweeps    seconds  residual\n");
    for (int i = 0; i < o.n_bodies; ++i) {
        if (draw_curve(&o, o.bodies[i], &found)) return 1;
    }
    return 0;
}
