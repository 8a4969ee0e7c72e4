/* Polyhedral friction in time, and at velocity level against the exact law. */
#include "scree/certificate.h"
#include "scree/solver.h"
#include "scree_study/polyhedral.h"
#include "support/draw.h"
#include "support/test.h"

#include <math.h>

static void require_near(double value, double expected, double tolerance, const char* what)
{
    require(fabs(value - expected) <= tolerance, "%s: %.12g, not %.12g", what, value, expected);
}

/* ---- motion ---- */

typedef struct motion {
    scree_example_parameters parameters;
    scree_example_store store;
    scree_polyhedral* p;
    scree_polyhedral_report report;
} motion;

static motion begin(int example, scree_redundancy redundancy, double mu, double kinetic)
{
    motion m = {.parameters = scree_default_example_parameters(example)};
    m.parameters.mu = mu;
    m.parameters.kinetic = kinetic;
    m.parameters.angle = 0.0;
    assert_int_equal(scree_polyhedral_example_make(NULL, example, &m.parameters, &m.store),
                     SCREE_OK);
    m.store.def.redundancy = redundancy;
    m.store.def.directions = 4;
    assert_int_equal(scree_polyhedral_create(NULL, &m.store.def, 0.0, m.store.q, m.store.u, &m.p),
                     SCREE_OK);
    return m;
}

static void end(motion* m)
{
    scree_polyhedral_destroy(m->p);
    scree_example_store_release(&m->store);
}

static scree_polyhedral_view advance(motion* m, double h)
{
    assert_int_equal(scree_polyhedral_advance(m->p, h, &m->report), SCREE_OK);
    require(m->report.solved, "at %g s: %s", scree_polyhedral_get_view(m->p).time,
            scree_lcp_outcome_text((int)m->report.lcp.outcome));
    require(m->report.error <= 1e-8, "equation (8) is off by %g", m->report.error);
    return scree_polyhedral_get_view(m->p);
}

/* ---- velocities that are not the rates of the coordinates ---- */

/* A mass on a plane whose velocity is counted along axes that turn with the rate w:
 * q' = R(t) v, so that M (v' + w x v) = R^T f. */
typedef struct turning {
    double rate, mass;
} turning;

static void turning_mass(void* user, double t, const double* q, double* m)
{
    (void)t, (void)q;
    for (int i = 0; i < 3; ++i) m[4 * i] = ((const turning*)user)->mass;
}

static void turning_force(void* user, double t, const double* q, const double* v, double* h)
{
    const turning* x = user;
    (void)t, (void)q;
    h[0] = x->mass * x->rate * v[1];
    h[1] = -x->mass * x->rate * v[0];
    h[2] = -9.81 * x->mass;
}

static void turning_gap(void* user, double t, const double* q, double* g)
{
    (void)user, (void)t;
    g[0] = q[2];
}

static void turning_directions(void* user, double t, const double* q, double* w, double* chi)
{
    double c = cos(((const turning*)user)->rate * t), s = sin(((const turning*)user)->rate * t);
    const double rows[9] = {0.0, 0.0, 1.0, c, -s, 0.0, s, c, 0.0};
    (void)q, (void)chi;
    memcpy(w, rows, sizeof rows);
}

static void turning_rates(void* user, double t, const double* q, const double* v, double* rate)
{
    double w = ((const turning*)user)->rate, c = cos(w * t), s = sin(w * t);
    (void)q;
    rate[1] = w * (-s * v[0] - c * v[1]);
    rate[2] = w * (c * v[0] - s * v[1]);
}

static void turning_kinematics(void* user, double t, const double* q, const double* v, double* rate)
{
    double c = cos(((const turning*)user)->rate * t), s = sin(((const turning*)user)->rate * t);
    (void)q;
    rate[0] = c * v[0] - s * v[1];
    rate[1] = s * v[0] + c * v[1];
    rate[2] = v[2];
}

/* However the axes turn, the mass slides straight on for v^2 / (2 mu g); halving the step quarters
 * the error at acceleration level, and halves it in the steps of the engine, whose forces are those
 * of the velocity at the beginning. */
static void test_kinematics(void** state)
{
    (void)state;
    turning x = {.rate = 2.0, .mass = 3.0};
    static const uint8_t rows[] = {SCREE_ROWS_NTT};
    static const double coef[] = {0.3, 0.0, 0.0}, q[3] = {0.1, 0.2, 0.0}, v[3] = {0.6, 0.8, 0.0};
    const scree_system_model model = {&x,          turning_mass,       turning_force,
                                      turning_gap, turning_directions, turning_rates,
                                      NULL,        turning_kinematics};
    double way = 1.0 / (2.0 * 0.3 * 9.81), error[2][2];
    for (int fine = 0; fine < 2; ++fine) {
        double h = fine ? 5e-3 : 1e-2;
        scree_polyhedral_def def = scree_default_polyhedral_def();
        scree_polyhedral_report report;
        scree_polyhedral* p = NULL;
        def.system.model = model;
        def.system.n = 3;
        def.system.n_contacts = 1;
        def.system.rows = rows;
        def.system.coef = coef;
        def.system.step = h;
        assert_int_equal(scree_polyhedral_create(NULL, &def, 0.0, q, v, &p), SCREE_OK);
        for (double t = 0.0; t < 0.5; t += h) {
            assert_int_equal(scree_polyhedral_advance(p, h, &report), SCREE_OK);
            require(report.solved, "not solved");
        }
        scree_polyhedral_view view = scree_polyhedral_get_view(p);
        assert_int_equal(view.mode[0], SCREE_CONTACT_STICK);
        error[0][fine] = hypot(view.q[0] - 0.1 - 0.6 * way, view.q[1] - 0.2 - 0.8 * way);
        scree_polyhedral_destroy(p);

        scree_system_def engine = scree_default_system_def();
        scree_system* system = NULL;
        scree_system_report step;
        engine.model = model;
        engine.n = 3;
        engine.n_contacts = 1;
        engine.rows = rows;
        engine.coef = coef;
        engine.step = h;
        assert_int_equal(scree_system_create(NULL, &engine, 0.0, q, v, &system), SCREE_OK);
        for (double t = 0.0; t < 0.2; t += h) {
            assert_int_equal(scree_system_step(system, &step), SCREE_OK);
        }
        double t = scree_system_get_view(system).time, gone = t - 0.5 * 0.3 * 9.81 * t * t;
        const double* at = scree_system_get_view(system).q;
        error[1][fine] = hypot(at[0] - 0.1 - 0.6 * gone, at[1] - 0.2 - 0.8 * gone);
        scree_system_destroy(system);
    }
    for (int i = 0; i < 2; ++i) {
        print_message("off by %.2e and %.2e m\n", error[i][0], error[i][1]);
        double most = i ? 5e-4 : 3e-5, order = i ? 1.9 : 3.9;
        require(error[i][1] <= most && error[i][0] >= order * error[i][1], "%g, %g", error[i][0],
                error[i][1]);
    }
}

/* d/dt(W) u, and the gap's own derivative, against differences. */
static void test_models_of_the_examples(void** state)
{
    (void)state;
    scri_random random = test_seed("models", 3);
    for (int k = 0; k < 30; ++k) {
        motion m = begin(k % SCREE_EXAMPLE_COUNT, SCREE_REDUNDANCY_LEAST, 0.5, 0.4);
        const scree_system_def* s = &m.store.def.system;
        const double d = 1e-5;
        double q[6], u[6], w[3][12 * 6] = {{0.0}}, chi[12] = {0.0}, rate[12] = {0.0};
        double gap[2][5] = {{0.0}};
        int rows = s->n_contacts * s->rows[0];
        for (int i = 0; i < s->n; ++i) {
            q[i] = m.store.q[i] + draw_between(&random, -0.3, 0.3);
            u[i] = draw_between(&random, -2.0, 2.0);
        }
        if (k % SCREE_EXAMPLE_COUNT == SCREE_EXAMPLE_BLOCK) q[3] = q[4] = 0.0; /* it stays flat */
        s->model.rates(s->model.user, 0.0, q, u, rate);
        for (int side = 0; side < 3; ++side) {
            double moved[6];
            for (int i = 0; i < s->n; ++i) moved[i] = q[i] + (side - 1) * d * u[i];
            s->model.directions(s->model.user, 0.0, moved, w[side], chi);
            if (side != 1) s->model.gap(s->model.user, 0.0, moved, gap[side / 2]);
        }
        for (int r = 0; r < rows; ++r) {
            double slope = 0.0, speed = 0.0;
            for (int i = 0; i < s->n; ++i) {
                slope += (w[2][r * s->n + i] - w[0][r * s->n + i]) / (2.0 * d) * u[i];
                speed += w[1][r * s->n + i] * u[i];
            }
            require_near(rate[r], slope, 1e-6, "rate");
            if (r % s->rows[0]) continue;
            int c = r / s->rows[0];
            require_near((gap[1][c] - gap[0][c]) / (2.0 * d), speed, 1e-6, "normal velocity");
        }
        end(&m);
    }
}

/* A chain in free fall, its joints at rest: energy and momentum are kept, which holds only if mass
 * matrix and velocity terms fit together. */
static void test_chain_keeps_its_energy(void** state)
{
    (void)state;
    scree_example_parameters p = scree_default_example_parameters(SCREE_EXAMPLE_CHAIN);
    scree_example_store store = {.memory = NULL};
    p.force = 0.0;
    assert_int_equal(scree_polyhedral_example_make(NULL, SCREE_EXAMPLE_CHAIN, &p, &store),
                     SCREE_OK);
    /* All links turn as one about the middle of the chain, high above the ground. */
    double q[6], u[6], first = 0.0;
    for (int i = 0; i < 6; ++i) {
        q[i] = store.q[i] + (i == 1 ? 10.0 : 0.0);
        u[i] = i > 1 ? 3.0 : 0.0;
    }
    scree_polyhedral* chain = NULL;
    scree_polyhedral_report report;
    assert_int_equal(scree_polyhedral_create(NULL, &store.def, 0.0, q, u, &chain), SCREE_OK);
    const scree_system_model* model = &store.def.system.model;
    for (int step = 0; step <= 100; ++step) {
        scree_polyhedral_view v = scree_polyhedral_get_view(chain);
        double mass[36] = {0.0}, energy = 0.0, height = 0.0, z = v.q[1];
        model->mass(model->user, 0.0, v.q, mass);
        for (int i = 0; i < 36; ++i) energy += 0.5 * v.u[i / 6] * mass[i] * v.u[i % 6];
        for (int link = 0; link < 4; ++link) {
            height += z + 0.25 * sin(v.q[2 + link]);
            z += 0.5 * sin(v.q[2 + link]);
        }
        energy += p.mass * p.gravity * height;
        for (int i = 0; i < 3; ++i) { /* springs: the shape hardly changes, but it does */
            double bend = (v.q[3 + i] - v.q[2 + i]) - (store.q[3 + i] - store.q[2 + i]);
            energy += 0.5 * 30.0 * bend * bend;
        }
        if (step == 0) first = energy;
        require_near(energy, first, 0.01, "energy");
        assert_int_equal(scree_polyhedral_advance(chain, 1e-3, &report), SCREE_OK);
    }
    scree_polyhedral_destroy(chain);
    scree_example_store_release(&store);
}

/* Push f (1 - cos wt) / 2 along a line: it begins to slide where that reaches mu m g, at t1, and
 * has the speed f (t - t1) / 2m - f (sin wt - sin wt1) / 2mw - kinetic g (t - t1) from then on. */
static void test_block_slides_and_stops(void** state)
{
    (void)state;
    for (int k = 0; k < 3; ++k) {
        int example = k == 0 ? SCREE_EXAMPLE_MASS : SCREE_EXAMPLE_BLOCK;
        motion m =
            begin(example, k == 1 ? SCREE_REDUNDANCY_LEAST : SCREE_REDUNDANCY_RELAX, 0.5, 0.4);
        const scree_example_parameters* p = &m.parameters;
        double w = 2.0 * SCREE_PI / p->period, h = 5e-3;
        double first = acos(1.0 - 2.0 * p->mu * p->mass * p->gravity / p->force) / w;
        double stopped = 0.0, began = 0.0;
        for (int i = 1; i <= 400; ++i) {
            scree_polyhedral_view v = advance(&m, h);
            double t = v.time, speed = 0.0;
            require_near(t, i * h, 1e-10, "time");
            if (v.mode[0] == SCREE_CONTACT_SLIP && began == 0.0) began = t;
            if (v.mode[0] == SCREE_CONTACT_STICK && began > 0.0 && stopped == 0.0) stopped = t;
            if (began > 0.0 && stopped == 0.0) {
                speed = 0.5 * p->force / p->mass * (t - first) -
                        0.5 * p->force / (p->mass * w) * (sin(w * t) - sin(w * first)) -
                        p->kinetic * p->gravity * (t - first);
            }
            require_near(v.u[0], speed, 5e-3, "speed");
            require_near(v.u[1], 0.0, 1e-6, "sideways");
            require_near(v.q[2], example == SCREE_EXAMPLE_BLOCK ? 0.1 : 0.0, 1e-6, "height");
        }
        require_near(began, first, 2.0 * h, "begin");
        require(stopped > 1.9 && stopped < 2.0, "stopped at %g s", stopped);
        end(&m);
    }
}

/* Energy: drive, gravity, springs and dampers aside, feet only take it. Here: a chain let go with
 * its drive off must come to rest, with feet that neither sink nor slide while they stick. */
static void test_chain_settles(void** state)
{
    (void)state;
    motion m = begin(SCREE_EXAMPLE_CHAIN, SCREE_REDUNDANCY_REFUSE, 0.5, 0.4);
    end(&m);
    scree_example_parameters p = scree_default_example_parameters(SCREE_EXAMPLE_CHAIN);
    p.force = 0.0;
    scree_example_store store = {.memory = NULL};
    assert_int_equal(scree_polyhedral_example_make(NULL, SCREE_EXAMPLE_CHAIN, &p, &store),
                     SCREE_OK);
    scree_polyhedral* chain = NULL;
    scree_polyhedral_report report;
    assert_int_equal(scree_polyhedral_create(NULL, &store.def, 0.0, store.q, store.u, &chain),
                     SCREE_OK);
    double speed = 0.0, weight = 0.0;
    for (int i = 0; i < 1500; ++i) {
        assert_int_equal(scree_polyhedral_advance(chain, 2e-3, &report), SCREE_OK);
        require(report.solved && report.error <= 1e-9, "step %d: error %g", i, report.error);
    }
    scree_polyhedral_view v = scree_polyhedral_get_view(chain);
    for (int i = 0; i < v.n; ++i) speed = fmax(speed, fabs(v.u[i]));
    for (int c = 0; c < v.n_contacts; ++c) weight += v.force[v.row[c]];
    require(speed <= 1e-4, "still moves at %g", speed);
    require_near(weight, 4.0 * p.mass * p.gravity, 1e-3, "weight");
    require_near(v.q[1], 0.0, 1e-6, "foot on the ground");
    scree_polyhedral_destroy(chain);
    scree_example_store_release(&store);
}

static void test_chain_sticks_and_slides(void** state)
{
    (void)state;
    motion m = begin(SCREE_EXAMPLE_CHAIN, SCREE_REDUNDANCY_REFUSE, 0.5, 0.4);
    int changes[5] = {0};
    uint8_t before[5] = {0};
    for (int i = 0; i < 800; ++i) {
        scree_polyhedral_view v = advance(&m, 2e-3);
        for (int c = 0; c < v.n_contacts; ++c) {
            const double *force = v.force + v.row[c], *speed = v.velocity + v.row[c];
            double limit = 0.5 * force[0] * (1.0 + 1e-9) + 1e-9;
            changes[c] += before[c] != v.mode[c];
            before[c] = v.mode[c];
            require(force[0] >= -1e-9 && fabs(force[1]) <= limit, "contact %d pulls", c);
            if (v.mode[c] == SCREE_CONTACT_STICK) {
                require(hypot(speed[0], speed[1]) <= 1e-8, "contact %d creeps at %g", c, speed[1]);
            }
            if (v.mode[c] == SCREE_CONTACT_SLIP) {
                require(force[1] * speed[1] <= 1e-12, "contact %d is driven by friction", c);
                require_near(fabs(force[1]), 0.4 * force[0], 1e-9, "kinetic friction");
            }
        }
    }
    require(changes[0] >= 4 && changes[4] >= 4, "feet changed %d and %d times", changes[0],
            changes[4]);
    end(&m);
}

/* ---- velocity level ---- */

/* One contact of unit mass: q = (-1, v), W = 1. Sliding, the impulse of a disc is mu against v. */
static void test_one_step_by_hand(void** state)
{
    (void)state;
    const int32_t row[] = {0, 3}, start[] = {0, 1}, column[] = {0};
    const int64_t offset[] = {0, 9};
    const uint8_t rows[] = {SCREE_ROWS_NTT}, law[] = {SCREE_LAW_EXACT};
    const double coef[] = {0.5, 0.0, 0.0}, w[] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    double q[3] = {-1.0, 0.0, 0.0};
    scree_problem problem = {.n_contacts = 1,
                             .form = SCREE_FORM_ASSEMBLED,
                             .first_row = row,
                             .rows = rows,
                             .law = law,
                             .coef = coef,
                             .q = q,
                             .w = {start, column, offset, w}};
    scree_lcp_def def = scree_default_lcp_def();
    for (int polygon = 0; polygon < SCREE_POLYGON_COUNT; ++polygon) {
        for (int k = 2; k <= 64; k *= 2) {
            double worst = 0.0, bound = cos(0.5 * SCREE_PI / k);
            bound = polygon == SCREE_POLYGON_INSCRIBED ? 1.0 - bound : 1.0 / bound - 1.0;
            for (int i = 0; i < 37; ++i) {
                double angle = i * SCREE_PI / 18.0,
                       p[3] = {1.0, -0.5 * cos(angle), -0.5 * sin(angle)};
                scree_polyhedral_difference d;
                q[1] = 2.0 * cos(angle);
                q[2] = 2.0 * sin(angle);
                assert_int_equal(scree_polyhedral_compare(NULL, &problem, p, k,
                                                          (scree_polygon)polygon, &def, &d),
                                 SCREE_OK);
                assert_int_equal(d.lcp.outcome, SCREE_LCP_SOLVED);
                worst = fmax(worst, d.force);
                require(d.velocity <= 1.1 * tan(0.5 * SCREE_PI / k), "velocity off by %g",
                        d.velocity);
            }
            require(worst <= bound * (1.0 + 1e-9), "k = %d: %g above %g", k, worst, bound);
            if (polygon == SCREE_POLYGON_INSCRIBED) continue; /* there most forces are corners */
            require(worst >= 0.9 * bound, "k = %d: %g far below %g", k, worst, bound);
        }
    }
}

/* Random problems with W of any rank: solved, and the nearer to the disc the more sides. */
static void test_polygons_approach_the_exact_law(void** state)
{
    (void)state;
    scri_random random = test_seed("polygons", 11);
    enum { N = 4, ROWS = 3 * N, DOF = 20 };
    double sum[2] = {0.0, 0.0};
    for (int t = 0; t < test_cases(15, 60); ++t) {
        double h[ROWS][DOF], w[N * N * 9], q[ROWS], coef[3 * N], p[ROWS] = {0.0};
        int32_t row[N + 1], start[N + 1], column[N * N];
        int64_t offset[N * N + 1];
        uint8_t rows[N], law[N];
        for (int i = 0; i < ROWS; ++i) {
            for (int k = 0; k < DOF; ++k) h[i][k] = draw_between(&random, -1.0, 1.0);
            q[i] = draw_between(&random, -1.0, i % 3 ? 1.0 : 0.2);
        }
        for (int c = 0; c <= N; ++c) {
            row[c] = 3 * c;
            start[c] = N * c;
        }
        for (int b = 0; b < N * N; ++b) {
            column[b] = b % N;
            offset[b] = 9 * b;
            for (int i = 0; i < 9; ++i) {
                double x = 0.0;
                for (int k = 0; k < DOF; ++k)
                    x += h[3 * (b / N) + i / 3][k] * h[3 * (b % N) + i % 3][k];
                w[9 * b + i] = x;
            }
        }
        offset[N * N] = 9 * N * N;
        for (int c = 0; c < N; ++c) {
            rows[c] = SCREE_ROWS_NTT;
            law[c] = SCREE_LAW_EXACT;
            coef[3 * c] = draw_between(&random, 0.1, 0.8);
            coef[3 * c + 1] = coef[3 * c + 2] = 0.0;
        }
        scree_problem problem = {.n_contacts = N,
                                 .form = SCREE_FORM_ASSEMBLED,
                                 .first_row = row,
                                 .rows = rows,
                                 .law = law,
                                 .coef = coef,
                                 .q = q,
                                 .w = {start, column, offset, w}};
        scree_solver_def solver = scree_default_solver_def();
        scree_lcp_def def = scree_default_lcp_def();
        scree_report report;
        solver.tol = 1e-10;
        void* work = test_take(scree_solve_work_size(NULL, &problem, &solver), 1);
        assert_int_equal(scree_solve(NULL, &problem, &solver, work, p, &report), SCREE_OK);
        free(work);
        if (report.outcome != SCREE_OUTCOME_CONVERGED) continue;
        for (int i = 0; i < 2; ++i) {
            scree_polyhedral_difference d;
            assert_int_equal(scree_polyhedral_compare(NULL, &problem, p, i ? 32 : 4,
                                                      SCREE_POLYGON_CIRCUMSCRIBED, &def, &d),
                             SCREE_OK);
            require(d.lcp.outcome == SCREE_LCP_SOLVED && d.lcp.residual <= 1e-10, "%s, %g",
                    scree_lcp_outcome_text((int)d.lcp.outcome), d.lcp.residual);
            sum[i] += d.velocity;
        }
    }
    print_message("velocities: %.3g with 4 lines, %.3g with 32\n", sum[0], sum[1]);
    require(sum[1] <= 0.25 * sum[0], "%g with 4 lines, %g with 32", sum[0], sum[1]);
}

static void test_refuses_other_laws(void** state)
{
    (void)state;
    test_host host;
    scree_env env = test_env(&host);
    const int32_t row[] = {0, 3}, start[] = {0, 1}, column[] = {0};
    const int64_t offset[] = {0, 9};
    const uint8_t rows[] = {SCREE_ROWS_NTT}, law[] = {SCREE_LAW_CONVEX};
    const double coef[] = {0.5, 0.0, 0.0}, w[] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[3] = {-1, 0, 0};
    scree_problem problem = {.n_contacts = 1,
                             .form = SCREE_FORM_ASSEMBLED,
                             .first_row = row,
                             .rows = rows,
                             .law = law,
                             .coef = coef,
                             .q = q,
                             .w = {start, column, offset, w}};
    scree_lcp_store store;
    assert_int_equal(scree_polyhedral_build(&env, &problem, 4, SCREE_POLYGON_INSCRIBED, &store),
                     SCREE_ERROR_UNSUPPORTED);
    assert_non_null(strstr(host.text, "contact 0"));
    assert_int_equal(scree_polyhedral_build(&env, &problem, 1, SCREE_POLYGON_INSCRIBED, &store),
                     SCREE_ERROR_INPUT);
    assert_int_equal(host.n_held, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinematics),
        cmocka_unit_test(test_models_of_the_examples),
        cmocka_unit_test(test_chain_keeps_its_energy),
        cmocka_unit_test(test_block_slides_and_stops),
        cmocka_unit_test(test_chain_settles),
        cmocka_unit_test(test_chain_sticks_and_slides),
        cmocka_unit_test(test_one_step_by_hand),
        cmocka_unit_test(test_polygons_approach_the_exact_law),
        cmocka_unit_test(test_refuses_other_laws),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
