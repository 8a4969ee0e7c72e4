/* What joints cost, solved as rows and along trees: CPU time of a step and of each of its rows.
 *
 *     chain     1,000 links on hinges whose axes cross, hung up at one end and let go level
 *     robots    100 robots of 12 hinges with position motors and limits, on four legs on a floor
 *
 * usage: ./dev bench joints [chain] [robots] [--size N] [--steps N] [--tol T] [--only rows|trees]
 *
 * Both ways solve the same scene to the same certificate; one that misses the tolerance fails. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */

#include "scree/joint.h"
#include "scree/scree.h"
#include "shared.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WARM_UP = 5 };

typedef struct options {
    int chain, robots;
    int size, steps; /* 0: as usual */
    double tol;
    const char* only; /* NULL: both ways */
} options;

static double cpu_seconds(void* user)
{
    struct timespec now;
    (void)user;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- scenes ---------------------------------------------------------------------------------- */

static scree_status add_box(scree_world* world, const double at[3], const double half[3],
                            scree_body_id* out)
{
    scree_shape shape = scree_default_shape();
    scree_body_def body = scree_default_body_def();
    scree_mass mass;
    shape.kind = SCREE_SHAPE_BOX;
    shape.category = 2; /* robots touch the floor, not each other nor themselves */
    shape.collides = ~shape.category;
    memcpy(shape.half_size, half, sizeof shape.half_size);
    scree_status status = scree_shape_mass(NULL, 1, &shape, 1000.0, &mass);
    body.mass = mass.mass;
    memcpy(body.inertia, mass.inertia, sizeof body.inertia);
    memcpy(body.position, at, sizeof body.position);
    return status ? status : scree_world_add_body(world, &body, 1, &shape, out);
}

static scree_status add_hinge(scree_world* world, scree_body_id a, scree_body_id b,
                              const double point[3], const double axis[3],
                              const scree_freedom* freedom)
{
    scree_joint_def def = scree_default_joint_def();
    scree_joint_id unused;
    def.kind = SCREE_JOINT_HINGE;
    def.body[0] = a;
    def.body[1] = b;
    if (freedom) def.freedom[0] = *freedom;
    scree_status status = scree_joint_place(world, &def, point, axis);
    return status ? status : scree_world_add_joint(world, &def, &unused);
}

/* Links of 20 mm, laid out level; hinges turn about y and z by turns. */
static scree_status build_chain(scree_world* world, int n)
{
    static const double axis[2][3] = {{0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    const double half[3] = {0.009, 0.004, 0.004};
    scree_body_id last = {0, 0};
    scree_status status = SCREE_OK;
    for (int i = 0; i < n && !status; ++i) {
        double at[3] = {0.02 * (i + 0.5), 0.0, 0.0}, point[3] = {0.02 * i, 0.0, 0.0};
        scree_body_id link;
        status = add_box(world, at, half, &link);
        if (!status) status = add_hinge(world, link, last, point, axis[i % 2], NULL);
        last = link;
    }
    return status;
}

/* A trunk on four legs of three hinges each: hip to the side, hip and knee forward. */
static scree_status build_robot(scree_world* world, double x, double y, int number)
{
    static const double forward[3] = {1.0, 0.0, 0.0}, side[3] = {0.0, 1.0, 0.0};
    const double trunk[3] = {0.25, 0.12, 0.05}, hip[3] = {0.03, 0.03, 0.03};
    const double thigh[3] = {0.02, 0.02, 0.1}, shank[3] = {0.015, 0.015, 0.1};
    double at[3] = {x, y, 0.43};
    scree_freedom freedom = scree_default_joint_def().freedom[0];
    scree_body_id body;
    freedom.motor = SCREE_MOTOR_POSITION;
    freedom.max_effort = 40.0;
    freedom.time = 0.05;
    freedom.lower = -1.0;
    freedom.upper = 1.0;
    scree_status status = add_box(world, at, trunk, &body);
    for (int leg = 0; leg < 4 && !status; ++leg) {
        double lx = x + (leg & 1 ? 0.2 : -0.2), ly = y + (leg & 2 ? 0.16 : -0.16);
        double from[3] = {lx, ly, 0.40}, low[3] = {lx, ly, 0.40}, knee[3] = {lx, ly, 0.20};
        double middle[3] = {lx, ly, 0.30}, foot[3] = {lx, ly, 0.10};
        scree_body_id a, b, c;
        double swing = 0.2 * sin(0.7 * number + 1.6 * leg);
        status = add_box(world, from, hip, &a);
        if (!status) status = add_box(world, middle, thigh, &b);
        if (!status) status = add_box(world, foot, shank, &c);
        freedom.target = 0.05 * swing;
        if (!status) status = add_hinge(world, a, body, from, forward, &freedom);
        freedom.target = swing;
        if (!status) status = add_hinge(world, b, a, low, side, &freedom);
        freedom.target = -swing;
        if (!status) status = add_hinge(world, c, b, knee, side, &freedom);
    }
    return status;
}

static scree_status build_robots(scree_world* world, int n)
{
    scree_shape shape = scree_default_shape();
    scree_body_def ground = scree_default_body_def();
    scree_body_id unused;
    ground.kind = SCREE_BODY_STATIC;
    shape.kind = SCREE_SHAPE_HALF_SPACE;
    scree_status status = scree_world_add_body(world, &ground, 1, &shape, &unused);
    for (int i = 0; i < n && !status; ++i) {
        status = build_robot(world, 1.5 * (i % 10), 1.5 * floor(0.1 * i), i);
    }
    return status;
}

typedef struct scene {
    const char* name;
    scree_status (*build)(scree_world* world, int n);
    int size, steps;
} scene;

static const scene scenes[] = {{"chain", build_chain, 1000, 200},
                               {"robots", build_robots, 100, 200}};

/* ---- runs ------------------------------------------------------------------------------------ */

typedef struct cost {
    double step, part[4]; /* ms */
    double rows, contacts;
    double residual, gap; /* the worst */
    int missed;           /* steps that did not converge */
    int trees;
    double centre[3]; /* of all bodies in the end */
} cost;

static scree_status measure(const scene* s, const options* o, scree_joints joints, cost* out)
{
    scree_world_def def = scree_default_world_def();
    scree_material material = {.mu = 0.7};
    scree_world* world = NULL;
    int32_t unused;
    int steps = o->steps > 0 ? o->steps : s->steps;
    *out = (cost){.rows = 0.0};
    def.step = 1e-3;
    def.solver.tol = o->tol;
    def.joints = joints;
    scree_env env = {.log = print_log, .clock = cpu_seconds};
    scree_status status = scree_world_create(&env, &def, &world);
    if (!status) status = scree_world_add_material(world, &material, &unused);
    if (!status) status = s->build(world, o->size > 0 ? o->size : s->size);
    for (int i = 0; i < WARM_UP + steps && !status; ++i) {
        scree_step_report r = {.struct_size = sizeof r};
        status = scree_world_make_step(world, &r);
        if (i < WARM_UP || status) continue;
        scree_world_view view = scree_world_get_view(world);
        double part[4] = {r.time_contacts, r.time_solve, r.time_certify, r.time_move};
        for (int k = 0; k < 4; ++k) {
            out->part[k] += 1e3 * part[k] / steps;
            out->step += 1e3 * part[k] / steps;
        }
        out->rows += (double)scree_problem_n_rows(view.problem) / steps;
        out->contacts += (double)r.n_contacts / steps;
        out->residual = fmax(out->residual, r.certificate.local);
        out->gap = fmax(out->gap, r.joint_gap);
        out->missed += r.solve.outcome != SCREE_OUTCOME_CONVERGED;
    }
    for (int32_t i = 0; !status && i < scree_world_get_view(world).n_bodies; ++i) {
        scree_world_view view = scree_world_get_view(world);
        for (int k = 0; k < 3; ++k) out->centre[k] += view.position[3 * i + k] / view.n_bodies;
    }
    scree_world_destroy(world);
    return status;
}

static int compare(const scene* s, const options* o)
{
    static const char* const names[] = {"rows", "trees"};
    cost c[2] = {{.step = 0.0}, {.step = 0.0}};
    for (int k = 0; k < 2; ++k) {
        if (o->only && strcmp(o->only, names[k]) != 0) continue;
        if (measure(s, o, k ? SCREE_JOINTS_TREES : SCREE_JOINTS_ROWS, &c[k])) return 0;
        printf("%-7s %-6s %7.0f %8.0f %8.3f %8.3f %8.3f %8.3f %8.3f %7.3f  %8.1e %8.1e %6.2f\n",
               s->name, names[k], c[k].contacts, c[k].rows, c[k].step, c[k].part[0], c[k].part[1],
               c[k].part[2], c[k].part[3], 1e3 * c[k].step / c[k].rows, c[k].residual, c[k].gap,
               c[0].step / c[k].step);
        fflush(stdout);
    }
    double off = 0.0;
    if (o->only) return c[0].missed + c[1].missed == 0;
    for (int k = 0; k < 3; ++k) off = fmax(off, fabs(c[0].centre[k] - c[1].centre[k]));
    printf("%-7s the mean positions differ by %.1e m in the end\n", s->name, off);
    if (c[0].missed + c[1].missed == 0) return 1;
    printf("%-7s %d and %d steps miss the tolerance\n", s->name, c[0].missed, c[1].missed);
    return 0;
}

static int read_options(int argc, char** argv, options* o)
{
    *o = (options){.tol = 1e-6};
    for (int i = 1; i < argc; ++i) {
        const char* value = i + 1 < argc ? argv[i + 1] : "0";
        if (!strcmp(argv[i], "chain")) {
            o->chain = 1;
        } else if (!strcmp(argv[i], "robots")) {
            o->robots = 1;
        } else if (!strcmp(argv[i], "--size")) {
            o->size = atoi(value), ++i;
        } else if (!strcmp(argv[i], "--steps")) {
            o->steps = atoi(value), ++i;
        } else if (!strcmp(argv[i], "--tol")) {
            o->tol = atof(value), ++i;
        } else if (!strcmp(argv[i], "--only")) {
            o->only = value, ++i;
        } else {
            return 0;
        }
    }
    if (!o->chain && !o->robots) o->chain = o->robots = 1;
    return o->tol > 0.0 && o->size >= 0 && o->steps >= 0;
}

int main(int argc, char** argv)
{
    options o;
    int good = 1;
    if (!read_options(argc, argv, &o)) {
        fprintf(stderr, "usage: joints [chain] [robots] [--size N] [--steps N] [--tol T] "
                        "[--only rows|trees]\n");
        return 2;
    }
    printf("scene   joints contacts     rows  ms/step     find    solve  certify     move  us/row  "
           "residual    gap m  speed\n");
    if (o.chain) good &= compare(&scenes[0], &o);
    if (o.robots) good &= compare(&scenes[1], &o);
    return good ? 0 : 1;
}
