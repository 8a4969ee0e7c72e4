/* The bodies of a scene as a system for polyhedral friction at acceleration level.
 *
 * What touches are balls: a sphere, the ends of a capsule, the corners of boxes and hulls with the
 * radius 0. They touch planes and, spheres, each other. Their gaps, rows and rates have closed
 * forms, curvature included, which acceleration level needs: n' where spheres roll on each other.
 *
 * A body has seven coordinates, position and quaternion, and seven velocities, v, omega (world
 * axes) and one that stays 0: q' = Gamma(q) u then has no place where it is singular. */
#include "base/env.h"
#include "math/vec.h"
#include "scree/scene.h"
#include "study/polyhedral.h"

#include <math.h>
#include <string.h>

enum { EACH = 7, FREE = 6, BOX_CORNERS = 8, ROWS = 3 };

/* Friction of a pair of materials as acceleration level knows it. */
typedef struct friction {
    double rest, motion;
} friction;

/* Ball A on a plane or on ball B. */
typedef struct touch {
    int32_t a, b; /* moving bodies; b is -1 where B does not move */
    int on_plane;
    scri_vec at_a, at_b; /* middle of the ball in the body's frame, of B in the world's if it does
                            not move; of a plane one of its points */
    double radius_a, radius_b;
    scri_vec normal; /* of a plane */
} touch;

typedef struct bodies {
    const scree_scene* scene;
    int32_t n;      /* that move */
    int32_t* body;  /* [n] in scene->bodies */
    int32_t* index; /* [scene bodies] of those that move, else -1 */
    int32_t n_touch;
    touch* touch;
    double *coef, *kinetic; /* [3 n_touch], [n_touch] */
    uint8_t* rows;
} bodies;

/* ---- the model's functions ---- */

static scri_vec place_of(const double* q, int32_t i)
{
    return scri_vec_load(q + (size_t)EACH * (size_t)i);
}

static scri_mat turn_of(const double* q, int32_t i)
{
    return scri_mat_from_quat(
        scri_quat_normalize(scri_quat_load(q + (size_t)EACH * (size_t)i + 3)));
}

/* R I R^T in the axes of the world. */
static void world_inertia(const scree_body_def* def, scri_mat turn, double out[9])
{
    const double* j = def->inertia;
    const double body[9] = {j[0], j[3], j[4], j[3], j[1], j[5], j[4], j[5], j[2]};
    for (int c = 0; c < 3; ++c) {
        scri_vec axis = {c == 0 ? 1.0 : 0.0, c == 1 ? 1.0 : 0.0, c == 2 ? 1.0 : 0.0};
        scri_vec x = scri_mat_multiply_transposed(turn, axis);
        scri_vec y = {body[0] * x.x + body[1] * x.y + body[2] * x.z,
                      body[3] * x.x + body[4] * x.y + body[5] * x.z,
                      body[6] * x.x + body[7] * x.y + body[8] * x.z};
        scri_vec_store(scri_mat_multiply(turn, y), out + 3 * c);
    }
}

static void find_mass(void* user, double t, const double* q, double* m)
{
    const bodies* x = user;
    size_t n = (size_t)EACH * (size_t)x->n;
    (void)t;
    for (int32_t i = 0; i < x->n; ++i) {
        const scree_body_def* def = &x->scene->bodies[x->body[i]].def;
        double* block = m + (size_t)EACH * (size_t)i * (n + 1);
        double inertia[9];
        world_inertia(def, turn_of(q, i), inertia);
        for (size_t k = 0; k < 3; ++k) block[k * (n + 1)] = def->mass;
        for (size_t k = 0; k < 9; ++k) block[(3 + k / 3) * n + 3 + k % 3] = inertia[k];
        block[FREE * (n + 1)] = 1.0;
    }
}

static double drive_now(const scree_drive* d, double t)
{
    if (t < d->begin || t >= d->end) return 0.0;
    return cos(2.0 * SCREE_PI * d->frequency * (t - d->begin) + d->phase);
}

static void add_drives(const bodies* x, double t, const double* u, double* h)
{
    for (int32_t i = 0; i < x->scene->n_drives; ++i) {
        const scree_drive* d = &x->scene->drives[i];
        int32_t body = x->index[d->body];
        const double* v = u + (size_t)EACH * (size_t)body;
        double* to = h + (size_t)EACH * (size_t)body;
        double part = drive_now(d, t), is_on = t >= d->begin && t < d->end;
        double drag = is_on * (d->drag[0] + d->drag[1] * scri_vec_length(scri_vec_load(v)));
        for (int k = 0; k < 3; ++k) {
            to[k] += part * d->linear[k] - drag * v[k];
            to[3 + k] += part * d->angular[k];
        }
    }
}

/* Gravity, the scene's forces, and -omega x (I omega). */
static void find_force(void* user, double t, const double* q, const double* u, double* h)
{
    const bodies* x = user;
    for (int32_t i = 0; i < x->n; ++i) {
        const scree_body_def* def = &x->scene->bodies[x->body[i]].def;
        double inertia[9], *to = h + (size_t)EACH * (size_t)i;
        scri_vec w = scri_vec_load(u + (size_t)EACH * (size_t)i + 3), spin;
        world_inertia(def, turn_of(q, i), inertia);
        spin = (scri_vec){inertia[0] * w.x + inertia[1] * w.y + inertia[2] * w.z,
                          inertia[3] * w.x + inertia[4] * w.y + inertia[5] * w.z,
                          inertia[6] * w.x + inertia[7] * w.y + inertia[8] * w.z};
        for (int k = 0; k < 3; ++k) to[k] = def->mass * x->scene->world.gravity[k];
        scri_vec_store(scri_vec_cross(spin, w), to + 3);
    }
    add_drives(x, t, u, h);
}

/* q' = v, and half of (0, omega) times the quaternion. */
static void find_kinematics(void* user, double t, const double* q, const double* u, double* rate)
{
    const bodies* x = user;
    (void)t;
    for (int32_t i = 0; i < x->n; ++i) {
        size_t first = (size_t)EACH * (size_t)i;
        const double* w = u + first + 3;
        scri_quat half = {0.0, 0.5 * w[0], 0.5 * w[1], 0.5 * w[2]};
        memcpy(rate + first, u + first, 3 * sizeof *rate);
        scri_quat_store(scri_quat_multiply(half, scri_quat_load(q + first + 3)), rate + first + 3);
    }
}

/* A contact at one moment. */
typedef struct moment {
    double gap;
    scri_vec axis[ROWS];     /* n, t1, t2 */
    scri_vec arm_a, arm_b;   /* from the centres of mass to the contact */
    scri_vec ball_a, ball_b; /* to the middles of the balls */
    double distance;         /* of these middles */
} moment;

static moment look(const touch* c, const double* q)
{
    moment m = {.ball_a = scri_mat_multiply(turn_of(q, c->a), c->at_a)};
    scri_vec b = c->at_b;
    if (c->b >= 0) {
        m.ball_b = scri_mat_multiply(turn_of(q, c->b), c->at_b);
        b = scri_vec_add(place_of(q, c->b), m.ball_b);
    }
    scri_vec way = scri_vec_sub(scri_vec_add(place_of(q, c->a), m.ball_a), b);
    m.distance = scri_vec_length(way);
    m.axis[0] = c->on_plane ? c->normal : scri_vec_scale(1.0 / m.distance, way);
    m.gap = (c->on_plane ? scri_vec_dot(way, c->normal) : m.distance) - c->radius_a - c->radius_b;
    scri_vec_tangents(m.axis[0], &m.axis[1], &m.axis[2]);
    m.arm_a = scri_vec_add_scaled(m.ball_a, -c->radius_a, m.axis[0]);
    m.arm_b = scri_vec_add_scaled(m.ball_b, c->radius_b, m.axis[0]);
    return m;
}

static void find_gap(void* user, double t, const double* q, double* g)
{
    const bodies* x = user;
    (void)t;
    for (int32_t c = 0; c < x->n_touch; ++c) g[c] = look(&x->touch[c], q).gap;
}

/* u = v_A + omega_A x arm_A - (v_B + omega_B x arm_B), along the axes. */
static void find_directions(void* user, double t, const double* q, double* w, double* chi)
{
    const bodies* x = user;
    size_t n = (size_t)EACH * (size_t)x->n;
    (void)t;
    if (x->n_touch > 0) chi[0] = 0.0; /* planes rest, like all that does not move */
    for (int32_t c = 0; c < x->n_touch; ++c) {
        const touch* at = &x->touch[c];
        moment m = look(at, q);
        for (size_t r = 0; r < ROWS; ++r) {
            double* row = w + ((size_t)ROWS * (size_t)c + r) * n;
            double* a = row + (size_t)EACH * (size_t)at->a;
            scri_vec_store(m.axis[r], a);
            scri_vec_store(scri_vec_cross(m.arm_a, m.axis[r]), a + 3);
            if (at->b < 0) continue;
            double* b = row + (size_t)EACH * (size_t)at->b;
            scri_vec_store(scri_vec_scale(-1.0, m.axis[r]), b);
            scri_vec_store(scri_vec_cross(m.axis[r], m.arm_b), b + 3);
        }
    }
}

/* d/dt of the axes, from that of n. t1 is the unit vector of T = e - (e . n) n. */
static void turn_axes(const moment* m, scri_vec rate, scri_vec out[ROWS])
{
    const scri_vec* axis = m->axis;
    double x = fabs(axis[0].x), y = fabs(axis[0].y), z = fabs(axis[0].z);
    scri_vec e = x <= y && x <= z ? (scri_vec){1.0, 0.0, 0.0}
                 : y <= z         ? (scri_vec){0.0, 1.0, 0.0}
                                  : (scri_vec){0.0, 0.0, 1.0};
    double along = scri_vec_dot(e, axis[0]), length = sqrt(1.0 - along * along);
    scri_vec lean =
        scri_vec_add_scaled(scri_vec_scale(-along, rate), -scri_vec_dot(e, rate), axis[0]);
    out[0] = rate;
    out[1] = scri_vec_scale(1.0 / length,
                            scri_vec_add_scaled(lean, -scri_vec_dot(lean, axis[1]), axis[1]));
    out[2] = scri_vec_add(scri_vec_cross(rate, axis[1]), scri_vec_cross(axis[0], out[1]));
}

typedef struct motion {
    scri_vec v, w;
} motion;

static motion motion_of(const double* u, int32_t i)
{
    if (i < 0) return (motion){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    const double* from = u + (size_t)EACH * (size_t)i;
    return (motion){scri_vec_load(from), scri_vec_load(from + 3)};
}

static scri_vec velocity_at(motion x, scri_vec arm)
{
    return scri_vec_add(x.v, scri_vec_cross(x.w, arm));
}

static void find_rates(void* user, double t, const double* q, const double* u, double* rate)
{
    const bodies* x = user;
    (void)t;
    for (int32_t c = 0; c < x->n_touch; ++c) {
        const touch* at = &x->touch[c];
        moment m = look(at, q);
        motion a = motion_of(u, at->a), b = motion_of(u, at->b);
        scri_vec n_rate = {0.0, 0.0, 0.0}, turn[ROWS];
        if (!at->on_plane) { /* of the line of centres */
            scri_vec way = scri_vec_sub(velocity_at(a, m.ball_a), velocity_at(b, m.ball_b));
            way = scri_vec_add_scaled(way, -scri_vec_dot(way, m.axis[0]), m.axis[0]);
            n_rate = scri_vec_scale(1.0 / m.distance, way);
        }
        turn_axes(&m, n_rate, turn);
        scri_vec arm_a = scri_vec_add_scaled(scri_vec_cross(a.w, m.ball_a), -at->radius_a, n_rate);
        scri_vec arm_b = scri_vec_add_scaled(scri_vec_cross(b.w, m.ball_b), at->radius_b, n_rate);
        scri_vec slip = scri_vec_sub(velocity_at(a, m.arm_a), velocity_at(b, m.arm_b));
        scri_vec pull = scri_vec_sub(scri_vec_cross(a.w, arm_a), scri_vec_cross(b.w, arm_b));
        for (int r = 0; r < ROWS; ++r) {
            rate[ROWS * c + r] = scri_vec_dot(turn[r], slip) + scri_vec_dot(m.axis[r], pull);
        }
    }
}

/* ---- what touches what ---- */

static const scree_shape_kind round_kinds[] = {SCREE_SHAPE_SPHERE, SCREE_SHAPE_CAPSULE};

static int32_t count_balls(const scree_shape* s)
{
    switch (s->kind) {
    case SCREE_SHAPE_SPHERE:
        return 1;
    case SCREE_SHAPE_CAPSULE:
        return 2;
    case SCREE_SHAPE_BOX:
        return BOX_CORNERS;
    case SCREE_SHAPE_HULL:
        return scree_hull_get_view(s->hull).n_corners;
    default:
        return 0;
    }
}

/* Middle of ball k in the frame of the body. */
static scri_vec ball_at(const scree_shape* s, int32_t k)
{
    const double* h = s->half_size;
    scri_vec at = {0.0, 0.0, 0.0};
    if (s->kind == SCREE_SHAPE_CAPSULE) at.z = k ? h[1] : -h[1];
    if (s->kind == SCREE_SHAPE_BOX) {
        at = (scri_vec){k & 1 ? h[0] : -h[0], k & 2 ? h[1] : -h[1], k & 4 ? h[2] : -h[2]};
    }
    if (s->kind == SCREE_SHAPE_HULL) {
        at = scri_vec_scale(h[0],
                            scri_vec_load(scree_hull_get_view(s->hull).corners + 3 * (size_t)k));
    }
    return scri_vec_add(scri_vec_load(s->position),
                        scri_quat_rotate(scri_quat_load(s->rotation), at));
}

static double ball_radius(const scree_shape* s)
{
    for (size_t i = 0; i < sizeof round_kinds / sizeof *round_kinds; ++i) {
        if (s->kind == round_kinds[i]) return s->half_size[0];
    }
    return s->rounding;
}

/* A point of a body's frame in the world at the beginning. */
static scri_vec in_world(const scree_body_def* def, scri_vec at)
{
    return scri_vec_add(scri_vec_load(def->position),
                        scri_quat_rotate(scri_quat_load(def->rotation), at));
}

static int meet(const scree_shape* a, const scree_shape* b)
{
    return (a->collides & b->category) != 0 && (b->collides & a->category) != 0;
}

/* Of the pair if it has been set, else the geometric mean. */
static friction friction_of(const scree_scene* scene, int32_t a, int32_t b)
{
    const scree_material *x = &scene->materials[a], *y = &scene->materials[b];
    for (int32_t i = 0; i < scene->n_pairs; ++i) {
        const scree_scene_pair* p = &scene->pairs[i];
        if ((p->a == a && p->b == b) || (p->a == b && p->b == a)) x = y = &p->material;
    }
    double rest_x = fmax(x->mu, x->slip[0].at_rest), rest_y = fmax(y->mu, y->slip[0].at_rest);
    return (friction){.rest = sqrt(rest_x * rest_y), .motion = sqrt(x->mu * y->mu)};
}

static scree_status add_touches(const scree_env* env, bodies* x, int32_t body_a,
                                const scree_shape* a, int32_t body_b, const scree_shape* b,
                                int count_only)
{
    const scree_scene* scene = x->scene;
    int on_plane = b->kind == SCREE_SHAPE_HALF_SPACE;
    if (!on_plane && !(a->kind == SCREE_SHAPE_SPHERE && b->kind == SCREE_SHAPE_SPHERE)) {
        return scri_fail(env, SCREE_ERROR_UNSUPPORTED,
                         "a %s and a %s: at acceleration level spheres touch spheres, and spheres, "
                         "capsules, boxes and hulls touch half-spaces",
                         scree_shape_name((int)a->kind), scree_shape_name((int)b->kind));
    }
    const scree_body_def* def = &scene->bodies[body_b].def;
    friction mu = friction_of(scene, a->material, b->material);
    scri_vec up = scri_quat_rotate(scri_quat_load(b->rotation), (scri_vec){0.0, 0.0, 1.0});
    for (int32_t k = 0; k < count_balls(a); ++k) {
        int32_t c = x->n_touch++;
        if (count_only) continue;
        scri_vec at_b = ball_at(b, 0);
        x->touch[c] = (touch){.a = x->index[body_a],
                              .b = x->index[body_b],
                              .on_plane = on_plane,
                              .at_a = ball_at(a, k),
                              .at_b = x->index[body_b] < 0 ? in_world(def, at_b) : at_b,
                              .radius_a = ball_radius(a),
                              .radius_b = ball_radius(b),
                              .normal = scri_quat_rotate(scri_quat_load(def->rotation), up)};
        x->coef[3 * c] = mu.rest;
        x->kinetic[c] = mu.motion;
        x->rows[c] = SCREE_ROWS_NTT;
    }
    return SCREE_OK;
}

/* All pairs of shapes, that of a moving body first. */
static scree_status list_touches(const scree_env* env, bodies* x, int count_only)
{
    const scree_scene* scene = x->scene;
    x->n_touch = 0;
    for (int32_t i = 0; i < scene->n_bodies; ++i) {
        for (int32_t k = i + 1; k < scene->n_bodies; ++k) {
            int32_t a = x->index[i] >= 0 ? i : k, b = x->index[i] >= 0 ? k : i;
            if (x->index[a] < 0) continue;
            const scree_scene_body *first = &scene->bodies[a], *second = &scene->bodies[b];
            for (int32_t p = 0; p < first->n_shapes * second->n_shapes; ++p) {
                const scree_shape* s = &first->shapes[p / second->n_shapes];
                const scree_shape* o = &second->shapes[p % second->n_shapes];
                scree_status status = SCREE_OK;
                if (meet(s, o)) status = add_touches(env, x, a, s, b, o, count_only);
                if (status) return status;
            }
        }
    }
    return SCREE_OK;
}

/* ---- what is asked ---- */

static int is_plain(const scree_material* m)
{
    return m->mu_r == 0.0 && m->mu_s == 0.0 && m->mu_r_share == 0.0 && m->mu_s_share == 0.0 &&
           m->restitution == 0.0 && m->stiffness == 0.0 && m->young == 0.0 && !m->sliding &&
           !m->rolling && m->slip[0].rate == 0.0 && m->slip[0].viscous == 0.0;
}

static scree_status check(const scree_env* env, const scree_scene* scene)
{
    int plain = scene->n_generators == 0 && scene->n_joints == 0;
    for (int32_t i = 0; i < scene->n_bodies && plain; ++i) {
        plain = scene->bodies[i].def.kind != SCREE_BODY_KINEMATIC;
    }
    if (!plain) {
        return scri_fail(env, SCREE_ERROR_UNSUPPORTED,
                         "acceleration level takes dynamic and static bodies alone: no joints, "
                         "generators or kinematic bodies");
    }
    for (int32_t i = 0; i < scene->n_materials + scene->n_pairs; ++i) {
        plain = i < scene->n_materials ? is_plain(&scene->materials[i])
                                       : is_plain(&scene->pairs[i - scene->n_materials].material);
        if (!plain) {
            return scri_fail(env, SCREE_ERROR_UNSUPPORTED,
                             "acceleration level takes rigid contacts with mu and mu_static alone: "
                             "no rolling or spinning friction, restitution or sets");
        }
    }
    for (int32_t i = 0; i < scene->n_drives; ++i) {
        const scree_drive* d = &scene->drives[i];
        if (d->is_force && d->noise[0] == 0.0 && d->noise[1] == 0.0 && d->noise[2] == 0.0) continue;
        return scri_fail(env, SCREE_ERROR_UNSUPPORTED, "forces must be smooth: no noise");
    }
    return SCREE_OK;
}

static scree_status gather(const scree_env* env, bodies* x, scri_arena* arena)
{
    size_t n = (size_t)x->scene->n_bodies;
    x->body = scri_arena_take(arena, n, sizeof *x->body);
    x->index = scri_arena_take(arena, n, sizeof *x->index);
    if (!x->body || !x->index) return SCREE_ERROR_MEMORY;
    for (int32_t i = 0; i < x->scene->n_bodies; ++i) {
        int moves = x->scene->bodies[i].def.kind == SCREE_BODY_DYNAMIC;
        x->index[i] = moves ? x->n : -1;
        if (moves) x->body[x->n++] = i;
    }
    if (x->n == 0) return scri_fail(env, SCREE_ERROR_INPUT, "the scene has no body that moves");
    scree_status status = list_touches(env, x, 1);
    if (status) return status;
    size_t m = (size_t)x->n_touch;
    x->touch = scri_arena_take(arena, m, sizeof *x->touch);
    x->coef = scri_arena_take(arena, 3 * m, sizeof *x->coef);
    x->kinetic = scri_arena_take(arena, m, sizeof *x->kinetic);
    x->rows = scri_arena_take(arena, m, 1);
    if (!x->touch || !x->coef || !x->kinetic || !x->rows) return SCREE_ERROR_MEMORY;
    return list_touches(env, x, 0);
}

static scree_status make(const scree_env* env, scri_arena* arena, const scree_scene* scene,
                         scree_example_store* out)
{
    bodies* x = scri_arena_take(arena, 1, sizeof *x);
    if (!x) return SCREE_ERROR_MEMORY;
    *x = (bodies){.scene = scene};
    out->def = scree_default_polyhedral_def();
    scree_status status = gather(env, x, arena);
    if (status) return status;
    size_t n = (size_t)EACH * (size_t)x->n;
    double* q = scri_arena_take(arena, n, sizeof *q);
    double* u = scri_arena_take(arena, n, sizeof *u);
    if (!q || !u) return SCREE_ERROR_MEMORY;
    for (int32_t i = 0; i < x->n; ++i) {
        const scree_body_def* def = &scene->bodies[x->body[i]].def;
        size_t first = (size_t)EACH * (size_t)i;
        memcpy(q + first, def->position, 3 * sizeof *q);
        memcpy(q + first + 3, def->rotation, 4 * sizeof *q);
        memcpy(u + first, def->velocity, 3 * sizeof *u);
        memcpy(u + first + 3, def->angular_velocity, 3 * sizeof *u);
    }
    scree_system_def* system = &out->def.system;
    system->model = (scree_system_model){.user = x,
                                         .mass = find_mass,
                                         .force = find_force,
                                         .gap = find_gap,
                                         .directions = find_directions,
                                         .rates = find_rates,
                                         .kinematics = find_kinematics};
    system->n = (int32_t)n;
    system->n_contacts = x->n_touch;
    system->rows = x->rows;
    system->coef = x->coef;
    out->def.kinetic = x->kinetic;
    out->def.redundancy = SCREE_REDUNDANCY_LEAST;
    out->q = q;
    out->u = u;
    return SCREE_OK;
}

scree_status scree_polyhedral_scene_make(const scree_env* env, const scree_scene* scene,
                                         scree_example_store* out)
{
    if (!out || !scene || scene->cookie != SCREE_SCENE_COOKIE) return SCREE_ERROR_ARGUMENT;
    *out = (scree_example_store){.memory = NULL};
    scree_status status = check(env, scene);
    if (status) return status;
    scri_arena* arena = scri_arena_create(env);
    status = arena ? make(env, arena, scene, out) : SCREE_ERROR_MEMORY;
    if (!status) {
        out->memory = arena;
        return SCREE_OK;
    }
    scri_arena_destroy(arena);
    *out = (scree_example_store){.memory = NULL};
    if (status == SCREE_ERROR_MEMORY) return scri_fail(env, status, "out of memory for a scene");
    return status;
}
