/* Systems in minimal coordinates to try polyhedral friction on. */
#include "base/env.h"
#include "study/polyhedral.h"

#include <math.h>
#include <string.h>

typedef scree_example_parameters parameters;

static const char* const names[SCREE_EXAMPLE_COUNT] = {
    [SCREE_EXAMPLE_MASS] = "mass",
    [SCREE_EXAMPLE_BLOCK] = "block",
    [SCREE_EXAMPLE_CHAIN] = "chain",
};

const char* scree_polyhedral_example_name(int example)
{
    return example >= 0 && example < SCREE_EXAMPLE_COUNT ? names[example] : NULL;
}

scree_example_parameters scree_default_example_parameters(int example)
{
    parameters p = {
#define SCREE_X(name, value, meaning) .name = (value),
        SCREE_EXAMPLE_FIELDS(SCREE_X)
#undef SCREE_X
    };
    if (example == SCREE_EXAMPLE_CHAIN) {
        p.mass = 1.0;
        p.force = 3.0;
        p.period = 0.8;
    }
    return p;
}

/* A push that rises and falls once per period; a torque that swings. */
double scree_polyhedral_example_drive(int example, const scree_example_parameters* p, double t)
{
    if (!p) return SCREE_NAN;
    double phase = 2.0 * SCREE_PI * t / p->period;
    if (example == SCREE_EXAMPLE_CHAIN) return p->force * sin(phase);
    return 0.5 * p->force * (1.0 - cos(phase));
}

/* The push of mass and block on the coordinates x, y, z. */
static void push(const parameters* p, int example, double t, double* h)
{
    double force = scree_polyhedral_example_drive(example, p, t),
           angle = p->angle * SCREE_PI / 180.0;
    h[0] = force * cos(angle);
    h[1] = force * sin(angle);
    h[2] = -p->mass * p->gravity;
}

/* ---- a point mass: x, y, z ---- */

static void mass_mass(void* user, double t, const double* q, double* m)
{
    const parameters* p = user;
    (void)t, (void)q;
    for (int i = 0; i < 3; ++i) m[4 * i] = p->mass;
}

static void mass_force(void* user, double t, const double* q, const double* u, double* h)
{
    (void)q, (void)u;
    push(user, SCREE_EXAMPLE_MASS, t, h);
}

static void mass_gap(void* user, double t, const double* q, double* g)
{
    (void)user, (void)t;
    g[0] = q[2];
}

static void mass_directions(void* user, double t, const double* q, double* w, double* chi)
{
    (void)user, (void)t, (void)q;
    chi[0] = 0.0; /* the ground rests */
    w[2] = w[3] = w[7] = 1.0;
}

static void no_rates(void* user, double t, const double* q, const double* u, double* rate)
{
    (void)user, (void)t, (void)q, (void)u;
    rate[0] = 0.0; /* like all others */
}

/* ---- a block that stays flat: x, y, z, small angles about x and y, any angle about z ---- */

static const double half_side[3] = {0.2, 0.15, 0.1}; /* m */
enum { CORNERS = 4, BLOCK_N = 6 };

/* Corner c from the centre, turned about z. */
static void corner_at(int c, double turn, double r[3])
{
    double x = c == 0 || c == 3 ? half_side[0] : -half_side[0];
    double y = c < 2 ? half_side[1] : -half_side[1];
    r[0] = x * cos(turn) - y * sin(turn);
    r[1] = x * sin(turn) + y * cos(turn);
    r[2] = -half_side[2];
}

static void block_mass(void* user, double t, const double* q, double* m)
{
    const parameters* p = user;
    const double* a = half_side;
    double third = p->mass / 3.0, c = cos(q[5]), s = sin(q[5]);
    double ix = third * (a[1] * a[1] + a[2] * a[2]), iy = third * (a[0] * a[0] + a[2] * a[2]);
    (void)t;
    for (int i = 0; i < 3; ++i) m[7 * i] = p->mass;
    m[21] = ix * c * c + iy * s * s;
    m[28] = ix * s * s + iy * c * c;
    m[22] = m[27] = (ix - iy) * s * c;
    m[35] = third * (a[0] * a[0] + a[1] * a[1]);
}

static void block_force(void* user, double t, const double* q, const double* u, double* h)
{
    (void)q, (void)u;
    push(user, SCREE_EXAMPLE_BLOCK, t, h);
}

static void block_gap(void* user, double t, const double* q, double* g)
{
    (void)user, (void)t;
    for (int c = 0; c < CORNERS; ++c) {
        double r[3];
        corner_at(c, q[5], r);
        g[c] = q[2] + r[2] + q[3] * r[1] - q[4] * r[0];
    }
}

/* v + omega x r, in rows N = z, T1 = x, T2 = y. */
static void block_directions(void* user, double t, const double* q, double* w, double* chi)
{
    (void)user, (void)t;
    chi[0] = 0.0; /* the ground rests */
    for (int c = 0; c < CORNERS; ++c) {
        double r[3], *n = w + 3 * BLOCK_N * c, *t1 = n + BLOCK_N, *t2 = t1 + BLOCK_N;
        corner_at(c, q[5], r);
        n[2] = t1[0] = t2[1] = 1.0;
        n[3] = r[1];
        n[4] = -r[0];
        t1[4] = r[2];
        t1[5] = -r[1];
        t2[3] = -r[2];
        t2[5] = r[0];
    }
}

static void block_rates(void* user, double t, const double* q, const double* u, double* rate)
{
    (void)user, (void)t;
    for (int c = 0; c < CORNERS; ++c) {
        double r[3];
        corner_at(c, q[5], r);
        double dx = -u[5] * r[1], dy = u[5] * r[0];
        rate[3 * c] = u[3] * dy - u[4] * dx;
        rate[3 * c + 1] = -u[5] * dy;
        rate[3 * c + 2] = u[5] * dx;
    }
}

/* ---- a planar chain: x and z of node 0, angles of the links from the horizontal ---- */

enum { LINKS = 4, NODES = LINKS + 1, CHAIN_N = LINKS + 2 };
static const double link_length = 0.5; /* m */
static const double lean = 1.25;       /* of the links at the beginning */
static const double stiffness = 30.0;  /* of a joint, N m */
static const double damping = 1.0;     /* of a joint, N m s */

static double first_angle(int link)
{
    return link % 2 ? -lean : lean;
}

/* Rows x and z of d(point)/dq for the point at `part` of the links before it: node i has part 1 of
 * the links below i, the middle of link i has part 1/2 of link i too. */
static void point_rows(const double* q, int whole, double part, double x[CHAIN_N],
                       double z[CHAIN_N])
{
    memset(x, 0, CHAIN_N * sizeof *x);
    memset(z, 0, CHAIN_N * sizeof *z);
    x[0] = z[1] = 1.0;
    for (int i = 0; i <= whole && i < LINKS; ++i) {
        double length = link_length * (i < whole ? 1.0 : part);
        x[2 + i] = -length * sin(q[2 + i]);
        z[2 + i] = length * cos(q[2 + i]);
    }
}

/* Its acceleration when all second derivatives of q vanish. */
static void point_rates(const double* q, const double* u, int whole, double part, double rate[2])
{
    rate[0] = rate[1] = 0.0;
    for (int i = 0; i <= whole && i < LINKS; ++i) {
        double length = link_length * (i < whole ? 1.0 : part), square = u[2 + i] * u[2 + i];
        rate[0] -= length * square * cos(q[2 + i]);
        rate[1] -= length * square * sin(q[2 + i]);
    }
}

static void chain_mass(void* user, double t, const double* q, double* m)
{
    const parameters* p = user;
    (void)t;
    for (int link = 0; link < LINKS; ++link) {
        double x[CHAIN_N], z[CHAIN_N];
        point_rows(q, link, 0.5, x, z);
        for (int i = 0; i < CHAIN_N; ++i) {
            for (int k = 0; k < CHAIN_N; ++k) {
                m[i * CHAIN_N + k] += p->mass * (x[i] * x[k] + z[i] * z[k]);
            }
        }
        m[(2 + link) * (CHAIN_N + 1)] += p->mass * link_length * link_length / 12.0;
    }
}

/* Torque between link i and the one after it: spring, damper, and the drive at the two knees, the
 * second a quarter of a period late. */
static double joint_torque(const parameters* p, double t, const double* q, const double* u, int i)
{
    double bend = (q[3 + i] - q[2 + i]) - (first_angle(i + 1) - first_angle(i));
    double late = i == LINKS - 2 ? 0.25 * p->period : 0.0;
    double drive = i % 2 ? 0.0 : scree_polyhedral_example_drive(SCREE_EXAMPLE_CHAIN, p, t - late);
    return -stiffness * bend - damping * (u[3 + i] - u[2 + i]) + drive;
}

static void chain_force(void* user, double t, const double* q, const double* u, double* h)
{
    const parameters* p = user;
    for (int link = 0; link < LINKS; ++link) {
        double x[CHAIN_N], z[CHAIN_N], rate[2];
        point_rows(q, link, 0.5, x, z);
        point_rates(q, u, link, 0.5, rate);
        for (int i = 0; i < CHAIN_N; ++i) {
            h[i] -= p->mass * (x[i] * rate[0] + z[i] * (rate[1] + p->gravity));
        }
    }
    for (int i = 0; i + 1 < LINKS; ++i) {
        double torque = joint_torque(p, t, q, u, i);
        h[3 + i] += torque;
        h[2 + i] -= torque;
    }
}

static void chain_gap(void* user, double t, const double* q, double* g)
{
    (void)user, (void)t;
    g[0] = q[1];
    for (int i = 0; i < LINKS; ++i) g[i + 1] = g[i] + link_length * sin(q[2 + i]);
}

static void chain_directions(void* user, double t, const double* q, double* w, double* chi)
{
    (void)user, (void)t;
    chi[0] = 0.0; /* the ground rests */
    for (int node = 0; node < NODES; ++node) {
        double* rows = w + (size_t)(2 * node) * CHAIN_N;
        point_rows(q, node, 0.0, rows + CHAIN_N, rows);
    }
}

static void chain_rates(void* user, double t, const double* q, const double* u, double* rate)
{
    (void)user, (void)t;
    for (int node = 0; node < NODES; ++node) {
        double xz[2];
        point_rates(q, u, node, 0.0, xz);
        rate[2 * node] = xz[1];
        rate[2 * node + 1] = xz[0];
    }
}

/* ---- the systems ---- */

typedef struct kind {
    int n, n_contacts;
    scree_rows rows;
    scree_redundancy redundancy;
    scree_system_model model;
} kind;

static const kind kinds[SCREE_EXAMPLE_COUNT] = {
    [SCREE_EXAMPLE_MASS] = {3,
                            1,
                            SCREE_ROWS_NTT,
                            SCREE_REDUNDANCY_REFUSE,
                            {.mass = mass_mass,
                             .force = mass_force,
                             .gap = mass_gap,
                             .directions = mass_directions,
                             .rates = no_rates}},
    [SCREE_EXAMPLE_BLOCK] = {BLOCK_N,
                             CORNERS,
                             SCREE_ROWS_NTT,
                             SCREE_REDUNDANCY_LEAST,
                             {.mass = block_mass,
                              .force = block_force,
                              .gap = block_gap,
                              .directions = block_directions,
                              .rates = block_rates}},
    [SCREE_EXAMPLE_CHAIN] = {CHAIN_N,
                             NODES,
                             SCREE_ROWS_NT,
                             SCREE_REDUNDANCY_REFUSE,
                             {.mass = chain_mass,
                              .force = chain_force,
                              .gap = chain_gap,
                              .directions = chain_directions,
                              .rates = chain_rates}},
};

static scree_status check(const scree_env* env, const parameters* p)
{
    if (!(p->mu >= 0.0) || !isfinite(p->mu) || !(p->kinetic >= 0.0) || !(p->kinetic <= p->mu)) {
        return scri_fail(env, SCREE_ERROR_INPUT,
                         "mu = %g and kinetic = %g: 0 <= kinetic <= mu is needed", p->mu,
                         p->kinetic);
    }
    if (!(p->mass > 0.0) || !isfinite(p->mass) || !(p->period > 0.0) || !isfinite(p->period)) {
        return scri_fail(env, SCREE_ERROR_INPUT, "mass = %g and period = %g must be positive",
                         p->mass, p->period);
    }
    if (!isfinite(p->force) || !isfinite(p->angle) || !isfinite(p->gravity)) {
        return scri_fail(env, SCREE_ERROR_INPUT, "force, angle and gravity must be finite");
    }
    return SCREE_OK;
}

static scree_status make(scri_arena* arena, int example, const parameters* asked,
                         scree_example_store* out)
{
    const kind* k = &kinds[example];
    size_t n = (size_t)k->n, m = (size_t)k->n_contacts;
    parameters* p = scri_arena_take(arena, 1, sizeof *p);
    uint8_t* rows = scri_arena_take(arena, m, 1);
    double* coef = scri_arena_take(arena, 3 * m, sizeof *coef);
    double* kinetic = scri_arena_take(arena, m, sizeof *kinetic);
    double* q = scri_arena_take(arena, n, sizeof *q);
    double* u = scri_arena_take(arena, n, sizeof *u);
    if (!p || !rows || !coef || !kinetic || !q || !u) return SCREE_ERROR_MEMORY;
    *p = *asked;
    for (size_t c = 0; c < m; ++c) {
        rows[c] = (uint8_t)k->rows;
        coef[3 * c] = p->mu;
        kinetic[c] = p->kinetic;
    }
    if (example == SCREE_EXAMPLE_BLOCK) q[2] = half_side[2];
    for (int i = 0; example == SCREE_EXAMPLE_CHAIN && i < LINKS; ++i) q[2 + i] = first_angle(i);
    out->def = scree_default_polyhedral_def();
    out->def.system.model = k->model;
    out->def.system.model.user = p;
    out->def.system.n = k->n;
    out->def.system.n_contacts = k->n_contacts;
    out->def.system.rows = rows;
    out->def.system.coef = coef;
    out->def.kinetic = kinetic;
    out->def.redundancy = k->redundancy;
    out->q = q;
    out->u = u;
    return SCREE_OK;
}

scree_status scree_polyhedral_example_make(const scree_env* env, int example,
                                           const scree_example_parameters* asked,
                                           scree_example_store* out)
{
    if (!out || !asked || !scree_polyhedral_example_name(example)) return SCREE_ERROR_ARGUMENT;
    *out = (scree_example_store){.memory = NULL};
    scree_status status = check(env, asked);
    if (status) return status;
    scri_arena* arena = scri_arena_create(env);
    status = arena ? make(arena, example, asked, out) : SCREE_ERROR_MEMORY;
    if (!status) {
        out->memory = arena;
        return SCREE_OK;
    }
    scri_arena_destroy(arena);
    *out = (scree_example_store){.memory = NULL};
    return scri_fail(env, status, "out of memory for an example");
}

void scree_example_store_release(scree_example_store* store)
{
    if (!store) return;
    scri_arena_destroy(store->memory);
    *store = (scree_example_store){.memory = NULL};
}
