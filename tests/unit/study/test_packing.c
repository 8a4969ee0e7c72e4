/* Packings: how many spheres and contacts, every touch found by looking at all pairs, frames, arms,
 * masses, velocities, momentum, jamming, seeds, wrong defs, failing memory. */
#include "problem/bodies_kernel.h"
#include "study/packing.h"
#include "support/draw.h"
#include "support/test.h"

static scree_packing_def make_def(scree_packing_kind kind, int32_t contacts)
{
    scree_packing_def def = scree_default_packing_def();
    def.kind = kind;
    def.contacts = contacts;
    return def;
}

static scree_problem_store create(const scree_packing_def* def)
{
    test_host host;
    scree_env env = test_env(&host);
    scree_problem_store store;
    memset(&store, 0xff, sizeof store);
    scree_status status = scree_packing_create(&env, def, &store);
    require(status == SCREE_OK, "not made: %s", host.text);
    status = scree_problem_validate(&env, &store.problem);
    require(status == SCREE_OK, "not valid: %s", host.text);
    scree_problem_store_release(&store);
    require(host.n_held == 0, "%ld pieces of memory were kept", host.n_held);
    assert_int_equal(scree_packing_create(NULL, def, &store), SCREE_OK);
    return store;
}

/* ---- sizes ---- */

static void test_sizes(void** state)
{
    static const struct {
        scree_packing_kind kind;
        int32_t wanted, spheres, contacts;
    } sizes[] = {
        {SCREE_PACKING_PYRAMID, 1, 1, 1},         {SCREE_PACKING_PYRAMID, 12, 5, 12},
        {SCREE_PACKING_PYRAMID, 396, 91, 396},    {SCREE_PACKING_PYRAMID, 400, 91, 396},
        {SCREE_PACKING_PYRAMID, 4000, 819, 4225}, {SCREE_PACKING_LATTICE, 1, 1, 5},
        {SCREE_PACKING_LATTICE, 100, 27, 99},     {SCREE_PACKING_LATTICE, 425, 125, 425},
        {SCREE_PACKING_LATTICE, 340, 100, 340},
    };
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        scree_packing_def def = make_def(sizes[i].kind, sizes[i].wanted);
        scree_problem_store store = create(&def);
        assert_int_equal(store.problem.bodies.n_bodies, sizes[i].spheres);
        assert_int_equal(store.problem.n_contacts, sizes[i].contacts);
        scree_problem_store_release(&store);
    }
}

/* About as many contacts as wanted, in random packings too. */
static void test_random_sizes(void** state)
{
    (void)state;
    int32_t most = test_size(500, 8000);
    for (int32_t wanted = 100; wanted <= most; wanted *= 2) {
        scree_packing_def def = make_def(SCREE_PACKING_RANDOM, wanted);
        scree_problem_store store = create(&def);
        double ratio = (double)store.problem.n_contacts / wanted;
        double bound = wanted < 300 ? 1.35 : 1.12;
        require(ratio < bound && ratio > 1.0 / bound, "%d contacts for %d wanted",
                (int)store.problem.n_contacts, (int)wanted);
        scree_problem_store_release(&store);
    }
}

/* ---- geometry ---- */

/* Spheres of a packing with their numbers as bodies. */
typedef struct layout {
    scri_arena* arena;
    scri_spheres spheres;
    int32_t* body;
} layout;

static layout lay_out(const scree_packing_def* def)
{
    layout l = {.arena = scri_arena_create(NULL)};
    assert_non_null(l.arena);
    scree_status status =
        def->kind == SCREE_PACKING_PYRAMID   ? scri_packing_pyramid(l.arena, def, &l.spheres)
        : def->kind == SCREE_PACKING_LATTICE ? scri_packing_lattice(l.arena, def, &l.spheres)
                                             : scri_packing_random(NULL, l.arena, def, &l.spheres);
    assert_int_equal(status, SCREE_OK);
    l.body = scri_arena_take(l.arena, (size_t)l.spheres.n, sizeof *l.body);
    assert_non_null(l.body);
    return l;
}

static double pair_gap(const scri_spheres* s, int32_t a, int32_t b)
{
    const double *x = s->centre + 3 * a, *y = s->centre + 3 * b;
    double square = 0.0;
    for (int k = 0; k < 3; ++k) square += (x[k] - y[k]) * (x[k] - y[k]);
    return sqrt(square) - s->radius[a] - s->radius[b];
}

typedef struct touch {
    int32_t a, b; /* b < 0: wall -1 - b */
    double gap;   /* radii */
} touch;

/* All touches, by looking at every pair and every wall. */
static int32_t find_touches(const scri_spheres* s, touch* out, int32_t room)
{
    int32_t n = 0;
    for (int32_t a = 0; a < s->n; ++a) {
        for (int32_t b = -SCRI_N_WALLS; b < s->n; b = b == -1 ? a + 1 : b + 1) {
            if (b < 0 && !(s->walls >> (-1 - b) & 1u)) continue;
            double gap = b < 0 ? scri_wall_gap(s, -1 - b, a) : pair_gap(s, a, b);
            require(!isnan(gap), "a place is not a number");
            if (gap >= 1e-5) continue;
            assert_true(n < room);
            out[n++] = (touch){a, b, gap};
        }
    }
    return n;
}

/* Numbers the spheres that touch something in their order. */
static int32_t number_bodies(layout* l, const touch* touches, int32_t n)
{
    int32_t next = 0;
    for (int32_t i = 0; i < l->spheres.n; ++i) l->body[i] = -1;
    for (int32_t c = 0; c < n; ++c) {
        l->body[touches[c].a] = 0;
        if (touches[c].b >= 0) l->body[touches[c].b] = 0;
    }
    for (int32_t i = 0; i < l->spheres.n; ++i) {
        if (l->body[i] == 0) l->body[i] = next++;
    }
    return next;
}

/* The contact of two bodies, or of one with a wall: the one with that normal. */
static int32_t find_contact(const scree_problem* p, int32_t a, int32_t b, const double normal[3])
{
    for (int32_t c = 0; c < p->n_contacts; ++c) {
        if (p->bodies.pair[2 * c] != a || p->bodies.pair[2 * c + 1] != b) continue;
        const double* n = p->bodies.frame + 9 * c;
        double error = 0.0;
        for (int k = 0; k < 3; ++k) error = fmax(error, fabs(n[k] - normal[k]));
        if (error <= 1e-12) return c;
    }
    fail_msg("bodies %d and %d touch, but there is no contact with that normal", (int)a, (int)b);
    return -1;
}

static void check_contact(const layout* l, const scree_packing_def* def, const scree_problem* p,
                          const touch* t)
{
    const scri_spheres* s = &l->spheres;
    double normal[3] = {0.0, 0.0, 0.0};
    require(t->b != -SCRI_N_WALLS, "the lid is gone");
    if (t->b < 0) {
        normal[(-1 - t->b) / 2] = (-1 - t->b) % 2 ? -1.0 : 1.0;
    } else {
        double distance = pair_gap(s, t->a, t->b) + s->radius[t->a] + s->radius[t->b];
        for (int k = 0; k < 3; ++k) {
            normal[k] = (s->centre[3 * t->a + k] - s->centre[3 * t->b + k]) / distance;
        }
    }
    int32_t c = find_contact(p, l->body[t->a], t->b < 0 ? -1 : l->body[t->b], normal);
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            double dot =
                scri_dot3(p->bodies.frame + 9 * c + 3 * i, p->bodies.frame + 9 * c + 3 * j);
            require(fabs(dot - (i == j)) <= 1e-14, "contact %d: frame not orthonormal", (int)c);
        }
        double a = -def->radius * s->radius[t->a] * normal[i];
        double b = t->b < 0 ? 0.0 : def->radius * s->radius[t->b] * normal[i];
        require(fabs(p->bodies.arm[6 * c + i] - a) <= 1e-12 &&
                    fabs(p->bodies.arm[6 * c + 3 + i] - b) <= 1e-12,
                "contact %d: wrong arm", (int)c);
    }
    require(p->coef[3 * c] == def->mu && p->coef[3 * c + 1] == def->mu_r_share * def->radius &&
                p->coef[3 * c + 2] == def->mu_s_share * def->radius,
            "contact %d: wrong coefficients", (int)c);
    assert_int_equal(p->rows[c], def->rows);
    assert_int_equal(p->law[c], def->law);
}

static void check_masses(const layout* l, const scree_packing_def* def, const scree_problem* p)
{
    for (int32_t i = 0; i < l->spheres.n; ++i) {
        int32_t b = l->body[i];
        if (b < 0) continue;
        double r = def->radius * l->spheres.radius[i],
               mass = def->density * 4.0 / 3.0 * SCREE_PI * r * r * r;
        require(fabs(p->bodies.inv_mass[b] * mass - 1.0) <= 1e-14, "body %d: mass", (int)b);
        for (int k = 0; k < 6; ++k) {
            double product = p->bodies.inv_inertia[6 * b + k] * 0.4 * mass * r * r;
            require(fabs(product - (k < 3)) <= 1e-14, "body %d: inertia", (int)b);
        }
    }
}

/* Everything in a packing against its spheres. */
static void check_geometry(const scree_packing_def* def, double least_gap, double most_gap)
{
    layout l = lay_out(def);
    scree_problem_store store = create(def);
    const scree_problem* p = &store.problem;
    int32_t room = 12 * l.spheres.n;
    touch* touches = scri_arena_take(l.arena, (size_t)room, sizeof *touches);
    assert_non_null(touches);
    int32_t n = find_touches(&l.spheres, touches, room);
    assert_int_equal(p->n_contacts, n);
    assert_int_equal(p->bodies.n_bodies, number_bodies(&l, touches, n));
    assert_int_equal(p->form, SCREE_FORM_BODIES);
    for (int32_t c = 0; c < n; ++c) {
        require(touches[c].gap >= least_gap && touches[c].gap <= most_gap, "gap of %g radii",
                touches[c].gap);
        check_contact(&l, def, p, &touches[c]);
    }
    check_masses(&l, def, p);
    scree_problem_store_release(&store);
    scri_arena_destroy(l.arena);
}

static void test_geometry(void** state)
{
    (void)state;
    scree_packing_def pyramid = make_def(SCREE_PACKING_PYRAMID, 400);
    scree_packing_def lattice = make_def(SCREE_PACKING_LATTICE, 400);
    scree_packing_def random = make_def(SCREE_PACKING_RANDOM, 400);
    pyramid.rows = SCREE_ROWS_NTT;
    lattice.rows = SCREE_ROWS_NTTS;
    lattice.law = SCREE_LAW_COUPLED;
    random.rows = SCREE_ROWS_NTTRR;
    random.law = SCREE_LAW_CONVEX;
    random.mu_r_share = 0.02;
    random.mu_s_share = 0.05;
    random.radius = 0.01;
    check_geometry(&pyramid, -1e-13, 1e-13);
    check_geometry(&lattice, -1e-13, 1e-13);
    check_geometry(&random, -5e-3, 1e-5);
}

/* Impulses of a contact leave momentum and angular momentum as they were. */
static void test_momentum(void** state)
{
    (void)state;
    scri_random random = test_seed("momentum", 7);
    scree_packing_def def = make_def(SCREE_PACKING_PYRAMID, 400);
    layout l = lay_out(&def); /* all touch something: spheres are bodies of the same number */
    scree_problem_store store = create(&def);
    const scree_problem* p = &store.problem;
    double* v = test_take(SCRI_BODY_STRIDE * (size_t)p->bodies.n_bodies, sizeof *v);
    double mass = 1.0 / p->bodies.inv_mass[0], inertia = 1.0 / p->bodies.inv_inertia[0];
    for (int32_t c = 0; c < p->n_contacts; ++c) {
        const int32_t* pair = p->bodies.pair + 2 * c;
        double impulse[6], linear[3] = {0.0, 0.0, 0.0}, angular[3] = {0.0, 0.0, 0.0};
        if (pair[1] < 0) continue;
        for (int k = 0; k < 6; ++k) impulse[k] = draw_between(&random, -1.0, 1.0);
        scri_bodies_add_impulse(&p->bodies, c, 6, impulse, v);
        for (int side = 0; side < 2; ++side) {
            double *u = v + SCRI_BODY_STRIDE * pair[side], x[3], moment[3];
            for (int k = 0; k < 3; ++k) x[k] = def.radius * l.spheres.centre[3 * pair[side] + k];
            scri_cross(x, u, moment);
            for (int k = 0; k < 3; ++k) linear[k] += mass * u[k];
            for (int k = 0; k < 3; ++k) angular[k] += mass * moment[k] + inertia * u[3 + k];
            require(scri_dot3(u, u) > 0.0, "a body does not move");
            memset(u, 0, SCRI_BODY_STRIDE * sizeof *u);
        }
        for (int k = 0; k < 3; ++k) {
            require(fabs(linear[k]) <= 1e-13 && fabs(angular[k]) <= 1e-13,
                    "contact %d: momentum %g, angular momentum %g", (int)c, linear[k], angular[k]);
        }
    }
    free(v);
    scree_problem_store_release(&store);
    scri_arena_destroy(l.arena);
}

/* ---- velocities ---- */

/* At rest all fall alike: only the ground is approached. */
static void test_fall(void** state)
{
    (void)state;
    scree_packing_def def = make_def(SCREE_PACKING_LATTICE, 400);
    def.gravity = 9.0;
    def.step = 0.01;
    scree_problem_store store = create(&def);
    const scree_problem* p = &store.problem;
    for (int32_t c = 0; c < p->n_contacts; ++c) {
        int ground = p->bodies.pair[2 * c + 1] < 0;
        for (int i = 0; i < 3; ++i) {
            double expected = ground ? -0.09 * p->bodies.frame[9 * c + 3 * i + 2] : 0.0;
            require(fabs(p->q[p->first_row[c] + i] - expected) <= 1e-16, "contact %d: q", (int)c);
        }
        for (int i = 3; i < 6; ++i)
            require(p->q[p->first_row[c] + i] == 0.0, "contact %d spins", (int)c);
    }
    scree_problem_store_release(&store);
}

/* Noise of one sphere on the floor, over many seeds: v_z, v_x + R w_y or alike, w_x, w_y, w_z. */
static void test_noise(void** state)
{
    (void)state;
    enum { MANY = 4000 };
    scree_packing_def def = make_def(SCREE_PACKING_PYRAMID, 1);
    def.noise = 0.3;
    double size = 0.3 * def.gravity * def.step, most[6] = {0.0}, mean[6] = {0.0}, square[6] = {0.0};
    for (int i = 0; i < MANY; ++i) {
        scree_problem_store store;
        def.seed = (uint64_t)i;
        assert_int_equal(scree_packing_create(NULL, &def, &store), SCREE_OK);
        for (int k = 0; k < 6; ++k) {
            double fall = k == 0 ? def.gravity * def.step : 0.0;
            double v = (store.problem.q[k] + fall) / size * (k < 3 ? 1.0 : def.radius);
            most[k] = fmax(most[k], fabs(v));
            mean[k] += v / MANY;
            square[k] += v * v / MANY;
        }
        scree_problem_store_release(&store);
    }
    for (int k = 0; k < 6; ++k) {
        /* sliding has two parts: of the centre and of the turn */
        double parts = k == 1 || k == 2 ? 2.0 : 1.0;
        require(most[k] <= parts && most[k] > 0.9 * parts, "row %d reaches %g", k, most[k]);
        require(fabs(mean[k]) < 0.05, "row %d: mean %g", k, mean[k]);
        require(fabs(square[k] - parts / 3.0) < 0.03, "row %d: variance %g", k, square[k]);
    }
}

/* The relative velocities of all contacts come from one velocity per body. */
static void test_noise_of_many(void** state)
{
    (void)state;
    for (int kind = 0; kind < SCREE_PACKING_COUNT; ++kind) {
        scree_packing_def def = make_def((scree_packing_kind)kind, 100);
        def.noise = 0.3;
        scree_problem_store store = create(&def);
        const scree_problem* p = &store.problem;
        double size = def.noise * def.gravity * def.step, least_radius = 0.8 * def.radius;
        int moving = 0;
        for (int32_t c = 0; c < p->n_contacts; ++c) {
            int bodies = p->bodies.pair[2 * c + 1] < 0 ? 1 : 2;
            for (int k = 3; k < 6; ++k) {
                double turn = fabs(p->q[p->first_row[c] + k]);
                /* along one direction three components add up to sqrt(3) times the largest */
                require(turn <= bodies * sqrt(3.0) * size / least_radius, "contact %d turns by %g",
                        (int)c, turn);
                moving += turn > 0.0;
            }
        }
        assert_int_equal(moving, 3 * p->n_contacts);
        scree_problem_store_release(&store);
    }
}

/* ---- seeds ---- */

static int same_problem(const scree_packing_def* a, const scree_packing_def* b)
{
    scree_problem_store x = create(a), y = create(b);
    const scree_problem *p = &x.problem, *q = &y.problem;
    int same = p->n_contacts == q->n_contacts && p->bodies.n_bodies == q->bodies.n_bodies;
    size_t n = (size_t)p->n_contacts;
    if (same) {
        same = !memcmp(p->q, q->q, (size_t)scree_problem_n_rows(p) * sizeof(double)) &&
               !memcmp(p->bodies.frame, q->bodies.frame, 9 * n * sizeof(double)) &&
               !memcmp(p->bodies.arm, q->bodies.arm, 6 * n * sizeof(double)) &&
               !memcmp(p->bodies.pair, q->bodies.pair, 2 * n * sizeof(int32_t));
    }
    scree_problem_store_release(&x);
    scree_problem_store_release(&y);
    return same;
}

static void test_seeds(void** state)
{
    (void)state;
    for (int kind = 0; kind < SCREE_PACKING_COUNT; ++kind) {
        scree_packing_def a = make_def((scree_packing_kind)kind, 200), b;
        for (int noise = 0; noise < 2; ++noise) {
            a.noise = 0.3 * noise;
            b = a;
            assert_true(same_problem(&a, &b));
            b.seed = 2;
            assert_int_equal(same_problem(&a, &b), kind != SCREE_PACKING_RANDOM && !noise);
        }
    }
    /* the packing does not depend on the noise, nor on what contacts obey */
    scree_packing_def a = make_def(SCREE_PACKING_RANDOM, 200), b = a;
    b.noise = 0.3;
    b.law = SCREE_LAW_CONVEX;
    scree_problem_store x = create(&a), y = create(&b);
    assert_int_equal(x.problem.n_contacts, y.problem.n_contacts);
    assert_memory_equal(x.problem.bodies.frame, y.problem.bodies.frame,
                        9 * (size_t)x.problem.n_contacts * sizeof(double));
    scree_problem_store_release(&x);
    scree_problem_store_release(&y);
}

/* ---- jamming ---- */

/* Contacts among spheres that are held: those with three or fewer are taken away until none is
 * left. */
static void keep_held(const touch* touches, int32_t n, int32_t n_spheres, int32_t* held,
                      int32_t* contacts)
{
    int32_t* count = test_take((size_t)n_spheres, sizeof *count);
    char* gone = test_take((size_t)n_spheres, 1);
    int32_t left = n_spheres + 1;
    *held = n_spheres;
    *contacts = 0;
    while (*held < left) {
        left = *held;
        *contacts = 0;
        memset(count, 0, (size_t)n_spheres * sizeof *count);
        for (int32_t c = 0; c < n; ++c) {
            int32_t a = touches[c].a, b = touches[c].b;
            if (gone[a] || (b >= 0 && gone[b])) continue;
            ++*contacts;
            ++count[a];
            if (b >= 0) ++count[b];
        }
        for (int32_t i = 0; i < n_spheres; ++i) {
            if (gone[i] || count[i] > 3) continue;
            gone[i] = 1;
            --*held;
        }
    }
    free(count);
    free(gone);
}

/* In the closed box in which they were jammed, spheres have just the contacts that hold them, three
 * for each, and overlap by next to nothing. */
static void test_jammed(void** state)
{
    (void)state;
    int seeds = test_cases(2, 10);
    for (int seed = 1; seed <= seeds; ++seed) {
        scree_packing_def def = make_def(SCREE_PACKING_RANDOM, 2000);
        def.seed = (uint64_t)seed;
        layout l = lay_out(&def);
        l.spheres.walls = SCRI_CLOSED_BOX;
        int32_t room = 12 * l.spheres.n, held = 0, contacts = 0;
        touch* touches = scri_arena_take(l.arena, (size_t)room, sizeof *touches);
        assert_non_null(touches);
        int32_t n = find_touches(&l.spheres, touches, room);
        keep_held(touches, n, l.spheres.n, &held, &contacts);
        double per_sphere = (double)contacts / held, sum = 0.0, volume = 0.0, smallest = 1.0,
               largest = 1.0;
        for (int32_t c = 0; c < n; ++c) {
            sum -= fmin(touches[c].gap, 0.0);
            require(touches[c].gap > -5e-3, "seed %d: an overlap of %g radii", seed,
                    -touches[c].gap);
        }
        for (int32_t i = 0; i < l.spheres.n; ++i) {
            volume += 4.0 / 3.0 * SCREE_PI * pow(l.spheres.radius[i], 3.0);
            smallest = fmin(smallest, l.spheres.radius[i]);
            largest = fmax(largest, l.spheres.radius[i]);
        }
        volume /= l.spheres.box[0] * l.spheres.box[1] * l.spheres.box[2];
        require(sum / n < 2e-4 && sum / n > 2e-5, "seed %d: mean overlap %g", seed, sum / n);
        require(held > 0.85 * l.spheres.n, "seed %d: only %d of %d spheres are held", seed,
                (int)held, (int)l.spheres.n);
        require(per_sphere > 2.8 && per_sphere < 3.15, "seed %d: %g contacts per sphere", seed,
                per_sphere);
        require(volume > 0.55 && volume < 0.66, "seed %d: filled to %g", seed, volume);
        require(smallest >= 0.8 && smallest < 0.81 && largest <= 1.2 && largest > 1.19,
                "seed %d: radii from %g to %g", seed, smallest, largest);
        scri_arena_destroy(l.arena);
    }
}

/* ---- faults ---- */

static void check_refused(const scree_packing_def* def, scree_status expected, const char* naming)
{
    test_host host;
    scree_env env = test_env(&host);
    scree_problem_store store;
    memset(&store, 0xff, sizeof store);
    scree_status status = scree_packing_create(&env, def, &store);
    require(status == expected, "%s: status %d", naming, (int)status);
    require(strstr(host.text, naming) && host.n_logged == 1, "'%s' does not name %s", host.text,
            naming);
    assert_int_equal(host.n_held, 0);
    assert_null(store.memory);
    assert_int_equal(store.problem.n_contacts, 0);
}

static void test_bad_defs(void** state)
{
    (void)state;
    const scree_packing_def good = make_def(SCREE_PACKING_PYRAMID, 100);
    scree_packing_def def = {.contacts = 100};
    check_refused(&def, SCREE_ERROR_ARGUMENT, "scree_default_packing_def");
#define REFUSED(field, value)                           \
    do {                                                \
        def = good;                                     \
        def.field = value;                              \
        check_refused(&def, SCREE_ERROR_INPUT, #field); \
    } while (0)
    REFUSED(kind, SCREE_PACKING_COUNT);
    REFUSED(kind, (scree_packing_kind)-1);
    REFUSED(contacts, 0);
    REFUSED(contacts, INT32_MAX);
    REFUSED(rows, SCREE_ROWS_N);
    REFUSED(rows, SCREE_ROWS_NTR);
    REFUSED(law, SCREE_LAW_BILATERAL);
    REFUSED(law, (scree_law)77);
    REFUSED(mu, -0.1);
    REFUSED(mu_r_share, HUGE_VAL);
    REFUSED(mu_s_share, nan(""));
    REFUSED(noise, -1.0);
    REFUSED(radius, 0.0);
    REFUSED(density, nan(""));
    REFUSED(gravity, -9.81);
    REFUSED(step, 0.0);
#undef REFUSED
    scree_problem_store store;
    assert_int_equal(scree_packing_create(NULL, NULL, &store), SCREE_ERROR_ARGUMENT);
    assert_int_equal(scree_packing_create(NULL, &good, NULL), SCREE_ERROR_ARGUMENT);
    assert_null(scree_packing_name(-1));
    assert_null(scree_packing_name(SCREE_PACKING_COUNT));
    assert_string_equal(scree_packing_name(SCREE_PACKING_RANDOM), "random");
}

/* Every allocation fails once. */
static void test_out_of_memory(void** state)
{
    (void)state;
    for (int kind = 0; kind < SCREE_PACKING_COUNT; ++kind) {
        scree_packing_def def = make_def((scree_packing_kind)kind, 200);
        scree_status status = SCREE_ERROR_MEMORY;
        for (long k = 0; status; ++k) {
            test_host host;
            scree_env env = test_env(&host);
            scree_problem_store store;
            host.fail_at = k;
            status = scree_packing_create(&env, &def, &store);
            require(status == SCREE_OK || (status == SCREE_ERROR_MEMORY && host.n_logged == 1),
                    "allocation %ld: status %d, %d messages", k, (int)status, host.n_logged);
            require(!status || (host.n_held == 0 && !store.memory), "allocation %ld: kept", k);
            scree_problem_store_release(&store);
            assert_int_equal(host.n_held, 0);
            require(k < 200, "it asks for memory without end");
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),         cmocka_unit_test(test_random_sizes),
        cmocka_unit_test(test_geometry),      cmocka_unit_test(test_momentum),
        cmocka_unit_test(test_fall),          cmocka_unit_test(test_noise),
        cmocka_unit_test(test_noise_of_many), cmocka_unit_test(test_seeds),
        cmocka_unit_test(test_jammed),        cmocka_unit_test(test_bad_defs),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
