/* The phases of a step for standard scenes, sizes and numbers of workers, and what of it is done by
 * one worker alone, by Amdahl's law.
 *
 *     spheres   layers of spheres that settle on a floor; ten sweeps a step
 *     gravel    grains of two sizes that settle in a container, to a tolerance of 1e-2
 *     mixed     the same with a box for every twentieth grain
 *     boxes     a pyramid of boxes, each given a small push
 *
 * usage: ./dev bench step [SCENE ...] [--bodies N,...] [--workers N,...] [--steps N]
 *                         [--after N] [--tol T] [--sweeps N] [--against FILE] [--shuffled]
 *
 * Steps are measured after N others (default 5), to the tolerance of the scene or to T, with the
 * scene's sweeps or N at most. Residuals are the worst of the steps; "missed" ended above the
 * tolerance, as all with ten sweeps do. --shuffled numbers spheres and grains in random order.
 *
 * Every run of a scene must end in the same state, whatever the number of workers. FILE is what an
 * earlier run has printed: a row that takes NOISE times as long as there fails. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */

#include "scree/scree.h"
#include "shared.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 16, ROWS = 256 };

/* Two runs of one program on one machine differ by less. */
#define NOISE 1.25

typedef struct options {
    const char* scenes[MOST];
    int32_t bodies[MOST], workers[MOST];
    int n_scenes, n_bodies, n_workers;
    int steps;  /* 0: as many as a million bodies make in all, at least 10 */
    int after;  /* steps that are made before */
    int sweeps; /* 0: those of the scene */
    double tol; /* 0: that of the scene */
    const char* against;
    int is_shuffled;
} options;

/* One line of the table. */
typedef struct row {
    char scene[16];
    int bodies, workers, contacts;
    double step, part[4]; /* ms: all of it; contacts, solve, certify, move */
    double updates;       /* of contacts, millions per second of the solve */
    double sweeps;        /* updates over contacts, a step */
    double residual;      /* worst */
    int missed;           /* steps */
    unsigned hash;
} row;

static double seconds(void* user)
{
    struct timespec now;
    (void)user;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- scenes ---------------------------------------------------------------------------------- */

static scree_status add_solid(scree_world* world, scree_shape_kind kind, double size,
                              double density, scree_body_def* body)
{
    scree_shape shape = scree_default_shape();
    scree_mass mass;
    scree_body_id id;
    shape.kind = kind;
    for (int i = 0; i < 3; ++i) shape.half_size[i] = kind == SCREE_SHAPE_BOX || i == 0 ? size : 0.0;
    scree_status status = scree_shape_mass(NULL, 1, &shape, density, &mass);
    body->mass = mass.mass;
    memcpy(body->inertia, mass.inertia, sizeof body->inertia);
    return status ? status : scree_world_add_body(world, body, 1, &shape, &id);
}

/* A lattice of `layers` layers on the floor, out of place by `jitter` of its spacing. Every third
 * sphere has `small` of the radius, and one in `per_box` is a box; 0: none. */
typedef struct lattice {
    int32_t layers, per_box;
    double spacing, radius, jitter, small;
    int is_shuffled;
} lattice;

/* The places of a lattice in the order in which they are filled; NULL when memory is short. */
static int32_t* order_places(int32_t n, int is_shuffled)
{
    int32_t* order = malloc((size_t)n * sizeof *order);
    for (int32_t i = 0; order && i < n; ++i) {
        int32_t at = is_shuffled ? (int32_t)(0.5 * (draw(i) + 1.0) * i) : i;
        order[i] = order[at];
        order[at] = i;
    }
    return order;
}

static scree_status add_lattice(scree_world* world, int32_t n, const lattice* l)
{
    int32_t side = (int32_t)lround(sqrt((double)n / l->layers)), all = side * side * l->layers;
    int32_t* order = order_places(all, l->is_shuffled);
    scree_status status = order ? SCREE_OK : SCREE_ERROR_MEMORY;
    for (int32_t made = 0; made < all && !status; ++made) {
        int32_t i = order[made];
        scree_body_def body = scree_default_body_def();
        const int32_t at[3] = {i % side, i / side % side, i / side / side};
        for (int k = 0; k < 3; ++k) {
            body.position[k] = l->spacing * (at[k] + 0.5 + l->jitter * draw(3 * i + k));
        }
        int is_box = l->per_box > 0 && i % l->per_box == l->per_box / 2;
        double size = (i % 3 ? 1.0 : l->small) * l->radius;
        status = add_solid(world, is_box ? SCREE_SHAPE_BOX : SCREE_SHAPE_SPHERE,
                           is_box ? 0.8 * size : size, 2500.0, &body);
    }
    free(order);
    return status;
}

static scree_status build_spheres(scree_world* world, int32_t n, int is_shuffled)
{
    lattice spheres = {10, 0, 0.01001, 0.005, 4e-4, 1.0, is_shuffled};
    scree_status status = add_plane(world, 0.0, 0.0, 0.0, NULL);
    return status ? status : add_lattice(world, n, &spheres);
}

static scree_status fill_container(scree_world* world, int32_t n, int32_t per_box, int is_shuffled)
{
    int32_t layers = (int32_t)lround(cbrt((double)n));
    double half = sqrt(0.5), width = 0.0455 * round(sqrt((double)n / layers));
    const double turn[4][4] = {{half, 0.0, half, 0.0},
                               {half, 0.0, -half, 0.0},
                               {half, -half, 0.0, 0.0},
                               {half, half, 0.0, 0.0}};
    scree_status status = add_plane(world, 0.0, 0.0, 0.0, NULL);
    for (int k = 0; k < 4 && !status; ++k) {
        double x = k == 1 ? width : 0.0, y = k == 3 ? width : 0.0;
        status = add_plane(world, x, y, 0.0, turn[k]);
    }
    lattice grains = {layers, per_box, 0.0455, 0.0225, 0.005, 0.9, is_shuffled};
    return status ? status : add_lattice(world, n, &grains);
}

static scree_status build_gravel(scree_world* world, int32_t n, int is_shuffled)
{
    return fill_container(world, n, 0, is_shuffled);
}

static scree_status build_mixed(scree_world* world, int32_t n, int is_shuffled)
{
    return fill_container(world, n, 20, is_shuffled);
}

static scree_status build_boxes(scree_world* world, int32_t n, int is_shuffled)
{
    (void)is_shuffled; /* boxes keep their order */
    scree_status status = add_plane(world, 0.0, 0.0, 0.0, NULL);
    int32_t rows = (int32_t)floor(sqrt(2.0 * n + 0.25) - 0.5);
    for (int32_t i = 0; i < rows; ++i) {
        for (int32_t j = i; j < rows && !status; ++j) {
            scree_body_def body = scree_default_body_def();
            body.position[0] = 0.5 * (i + 1 + 2 * (j - i) - rows);
            body.position[2] = 0.5 * (2 * i + 1);
            body.velocity[0] = 1e-2 * draw(i * rows + j);
            status = add_solid(world, SCREE_SHAPE_BOX, 0.5, 100.0, &body);
        }
    }
    return status;
}

typedef struct scene {
    const char* name;
    scree_status (*build)(scree_world* world, int32_t n, int is_shuffled);
    int32_t usual[3]; /* bodies */
    double step, tol;
    int sweeps;
    scree_material material;
} scene;

static const scene scenes[] = {
    {"spheres",
     build_spheres,
     {1000, 10000, 100000},
     1e-3,
     1e-5,
     10,
     {.mu = 0.5, .mu_r = 1e-4, .mu_s = 1e-4}},
    {"gravel",
     build_gravel,
     {600, 2400, 10000},
     5e-3,
     1e-2,
     1000,
     {.mu = 0.6, .mu_r = 0.01, .mu_s = 0.01}},
    {"mixed",
     build_mixed,
     {600, 2400, 10000},
     5e-3,
     1e-2,
     1000,
     {.mu = 0.6, .mu_r = 0.01, .mu_s = 0.01}},
    {"boxes", build_boxes, {210, 1275, 5050}, 1.0 / 60.0, 1e-3, 20, {.mu = 0.6}},
};

enum { N_SCENES = sizeof scenes / sizeof *scenes };

/* ---- runs ------------------------------------------------------------------------------------ */

static scree_status make_world(const scene* s, int32_t bodies, int32_t workers, const options* o,
                               scree_world** out)
{
    scree_world_def def = scree_default_world_def();
    int32_t unused;
    def.scheme = SCREE_SCHEME_GAP;
    def.theta = 1.0;
    def.step = s->step;
    def.solver.tol = o->tol > 0.0 ? o->tol : s->tol;
    def.solver.max_iter = o->sweeps > 0 ? o->sweeps : s->sweeps;
    def.workers = workers;
    scree_env env = {.log = print_log, .clock = seconds};
    scree_status status = scree_world_create(&env, &def, out);
    if (!status) status = scree_world_add_material(*out, &s->material, &unused);
    if (!status) status = s->build(*out, bodies, o->is_shuffled);
    return status;
}

static scree_status measure(const scene* s, int32_t bodies, int32_t workers, const options* o,
                            int steps, row* out)
{
    scree_world* world = NULL;
    double updates = 0.0, contacts = 0.0;
    *out = (row){.bodies = bodies, .workers = workers};
    snprintf(out->scene, sizeof out->scene, "%s", s->name);
    scree_status status = make_world(s, bodies, workers, o, &world);
    for (int i = 0; i < o->after + steps && !status; ++i) {
        scree_step_report r = {.struct_size = sizeof r};
        status = scree_world_make_step(world, &r);
        if (i < o->after) continue;
        double part[4] = {r.time_contacts, r.time_solve, r.time_certify, r.time_move};
        for (int k = 0; k < 4; ++k) {
            out->part[k] += 1e3 * part[k] / steps;
            out->step += 1e3 * part[k] / steps;
        }
        updates += (double)r.solve.updates / steps;
        contacts += (double)r.n_contacts / steps;
        out->missed += r.solve.outcome != SCREE_OUTCOME_CONVERGED;
        out->residual = fmax(out->residual, r.certificate.local);
    }
    out->contacts = (int)contacts;
    out->sweeps = contacts > 0.0 ? updates / contacts : 0.0;
    out->updates = 1e-3 * updates / out->part[1];
    if (!status) out->hash = hash_of(world);
    scree_world_destroy(world);
    return status;
}

/* ---- what came of it ------------------------------------------------------------------------- */

#define HEAD                                                                                 \
    "scene    bodies contacts workers  ms/step     find    solve  certify     move  Mupd/s " \
    " sweeps residual missed  state     speed  serial"

/* Speed beside the first number of workers, and the share s of one worker alone by which
 * T_n = T_1 (s + (1 - s) / n). */
static void print_row(const row* r, const row* first)
{
    double speed = first->step / r->step, n = (double)r->workers / first->workers;
    printf("%-8s %6d %8d %7d %8.3f %8.3f %8.3f %8.3f %8.3f %7.2f %7.1f %8.1e %6d  %08x %6.2f",
           r->scene, r->bodies, r->contacts, r->workers, r->step, r->part[0], r->part[1],
           r->part[2], r->part[3], r->updates, r->sweeps, r->residual, r->missed, r->hash, speed);
    if (n > 1.0) printf(" %6.1f%%", 100.0 * (n / speed - 1.0) / (n - 1.0));
    printf("\n");
    fflush(stdout);
}

/* Rows that an earlier run has printed. */
static int read_rows(const char* path, row* rows)
{
    char line[512];
    int n = 0;
    FILE* file = fopen(path, "r");
    if (!file) return -1;
    while (n < ROWS && fgets(line, sizeof line, file)) {
        row* r = &rows[n];
        n += sscanf(line, "%15s %d %d %d %lf", r->scene, &r->bodies, &r->contacts, &r->workers,
                    &r->step) == 5;
    }
    fclose(file);
    return n;
}

/* Whether a row is no slower than in the earlier run. */
static int holds(const row* r, const row* before, int n)
{
    for (int i = 0; i < n; ++i) {
        const row* b = &before[i];
        if (strcmp(b->scene, r->scene) || b->bodies != r->bodies || b->workers != r->workers) {
            continue;
        }
        double ratio = r->step / b->step;
        if (ratio <= NOISE) continue;
        printf("%s of %d bodies, %d workers: %.2f times as long as before\n", r->scene, r->bodies,
               r->workers, ratio);
        return 0;
    }
    return 1;
}

static int measure_all(const options* o, const row* before, int n_before)
{
    int good = 1;
    printf("%s\n", HEAD);
    for (int k = 0; k < N_SCENES; ++k) {
        int asked = o->n_scenes == 0;
        for (int i = 0; i < o->n_scenes; ++i) asked |= !strcmp(o->scenes[i], scenes[k].name);
        const int32_t* sizes = o->n_bodies > 0 ? o->bodies : scenes[k].usual;
        for (int i = 0; asked && i < (o->n_bodies > 0 ? o->n_bodies : 3); ++i) {
            int steps = o->steps ? o->steps : 1000000 / sizes[i] > 200 ? 200 : 1000000 / sizes[i];
            row first = {.step = 0.0};
            for (int w = 0; w < o->n_workers; ++w) {
                row r;
                if (measure(&scenes[k], sizes[i], o->workers[w], o, steps, &r)) return 0;
                if (w == 0) first = r;
                print_row(&r, &first);
                good &= holds(&r, before, n_before);
                if (r.hash == first.hash) continue;
                printf("the number of workers changes the state\n");
                good = 0;
            }
        }
    }
    return good;
}

static int read_options(int argc, char** argv, options* o)
{
    *o = (options){.workers = {1, 2}, .n_workers = 2, .after = 5};
    for (int i = 1; i < argc; ++i) {
        const char* value = i + 1 < argc ? argv[i + 1] : "";
        if (argv[i][0] != '-') {
            if (o->n_scenes < MOST) o->scenes[o->n_scenes++] = argv[i];
            continue;
        }
        if (!strcmp(argv[i], "--shuffled")) {
            o->is_shuffled = 1;
            continue;
        }
        if (!strcmp(argv[i], "--bodies")) {
            if (!(o->n_bodies = read_list(value, MOST, o->bodies))) return 0;
        } else if (!strcmp(argv[i], "--workers")) {
            if (!(o->n_workers = read_list(value, MOST, o->workers))) return 0;
        } else if (!strcmp(argv[i], "--steps")) {
            if (!read_list(value, 1, &o->steps)) return 0;
        } else if (!strcmp(argv[i], "--after")) {
            if (!read_list(value, 1, &o->after)) return 0;
        } else if (!strcmp(argv[i], "--sweeps")) {
            if (!read_list(value, 1, &o->sweeps)) return 0;
        } else if (!strcmp(argv[i], "--tol")) {
            if (!((o->tol = strtod(value, NULL)) > 0.0)) return 0;
        } else if (!strcmp(argv[i], "--against")) {
            o->against = value;
        } else {
            return 0;
        }
        ++i;
    }
    return 1;
}

int main(int argc, char** argv)
{
    static row before[ROWS];
    options o;
    int n_before = 0;
    if (!read_options(argc, argv, &o)) {
        fprintf(stderr,
                "usage: step [spheres] [gravel] [mixed] [boxes] [--bodies N,...] [--workers N,...] "
                "[--steps N] [--after N] [--tol T] [--sweeps N] [--against FILE] [--shuffled]\n");
        return 2;
    }
    if (o.against && (n_before = read_rows(o.against, before)) < 0) {
        fprintf(stderr, "%s: cannot be read\n", o.against);
        return 2;
    }
    return measure_all(&o, before, n_before) ? 0 : 1;
}
