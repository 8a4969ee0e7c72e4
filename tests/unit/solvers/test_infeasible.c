/* Random problems in small integers, half of them without solution by construction and hidden in a
 * larger one that has some: whether there is a solution is known exactly.
 *
 * Point masses with whole inverse masses; every contact pushes one of them, or two apart, along an
 * axis of a frame of whole numbers, so that W = H M^-1 H^T and q are exact in double precision.
 *
 *     solvable:   q = s - H_N v with whole v and s >= 0, so that y_N = s can be reached (with
 *                 friction the exact law may still have no solution, and its hull none);
 *     impossible: in a loop of contacts the rows add up to zero with whole weights d > 0, and
 *                 q d < 0: no velocities make y_N >= 0 in all of them.
 *
 * SCREE_TEST_ALL in the environment: a thousand problems instead of a few. */
#include "solvers/give_way.h"
#include "solvers/run.h"
#include "support/solving.h"

enum { MOST_POINTS = 8, MOST_CONTACTS = 40, MOST_DOF = 3 * MOST_POINTS };

/* One contact: rows of H are +axis in point a and -axis in point b (-1: the ground). */
typedef struct touch {
    int a, b;
    int64_t frame[3][3]; /* N, T1, T2 */
    int64_t weight;      /* in the contradiction; 0: not in it */
    int64_t q[3];
} touch;

typedef struct plan {
    int n_points, n;
    int64_t inv_mass[MOST_POINTS], v[MOST_DOF];
    touch touches[MOST_CONTACTS];
} plan;

/* Orthogonal frames of whole numbers whose axes have equal lengths. */
static void draw_whole_frame(scri_random* random, int64_t frame[3][3])
{
    static const int64_t frames[3][3][3] = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                                            {{1, 2, 2}, {2, 1, -2}, {2, -2, 1}},
                                            {{2, 3, 6}, {3, -6, 2}, {6, 2, -3}}};
    int kind = draw_below(random, 3), turn = draw_below(random, 3);
    int64_t sign = draw_below(random, 2) ? 1 : -1;
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) frame[i][k] = sign * frames[kind][(i + turn) % 3][k];
    }
}

static void draw_touch(scri_random* random, int n_points, touch* t)
{
    *t = (touch){.a = draw_below(random, n_points), .b = draw_below(random, n_points + 1) - 1};
    if (t->b == t->a) t->b = -1;
    draw_whole_frame(random, t->frame);
}

/* Relative velocity of the plan's v in a row. */
static int64_t speed(const plan* p, const touch* t, int row)
{
    int64_t sum = 0;
    for (int k = 0; k < 3; ++k) {
        sum += t->frame[row][k] * p->v[3 * t->a + k];
        if (t->b >= 0) sum -= t->frame[row][k] * p->v[3 * t->b + k];
    }
    return sum;
}

/* Contacts that v keeps open, or closed without pressing. */
static void draw_solvable(scri_random* random, plan* p)
{
    p->n_points = 1 + draw_below(random, MOST_POINTS);
    p->n = 1 + draw_below(random, MOST_CONTACTS / 2);
    for (int i = 0; i < p->n_points; ++i) p->inv_mass[i] = 1 + draw_below(random, 4);
    for (int i = 0; i < MOST_DOF; ++i) p->v[i] = draw_below(random, 7) - 3;
    for (int c = 0; c < p->n; ++c) {
        touch* t = &p->touches[c];
        draw_touch(random, p->n_points, t);
        for (int row = 0; row < 3; ++row) t->q[row] = -speed(p, t, row);
        t->q[0] += draw_below(random, 3) ? 0 : draw_below(random, 5);
        for (int row = 1; row < 3; ++row) t->q[row] += draw_below(random, 5) - 2;
    }
}

/* A loop ground - point - point - ... - ground along one axis: each contact pushes a chain member
 * against the one before, the last one pushes it back. Rows times weights add up to zero. */
static void add_contradiction(scri_random* random, plan* p)
{
    int length = 1 + draw_below(random, p->n_points < 4 ? p->n_points : 4), first = p->n;
    int64_t frame[3][3], weight[2] = {1 + draw_below(random, 3), 0}, sum = 0;
    draw_whole_frame(random, frame);
    for (int i = 0; i <= length; ++i) {
        touch* t = &p->touches[p->n++];
        *t = (touch){.a = i < length ? i : length - 1, .b = i < length ? i - 1 : -1};
        int64_t sign = i < length ? 1 : -1;
        for (int row = 0; row < 3; ++row) {
            for (int k = 0; k < 3; ++k) t->frame[row][k] = sign * frame[row][k];
        }
        t->weight = weight[0];
        t->q[0] = draw_below(random, 9) - 4;
        sum += t->q[0];
    }
    p->touches[first].q[0] -= sum + 1 + draw_below(random, 3); /* q d < 0 */
}

/* Exactly: the weights times the rows, and times q. */
static int is_contradiction(const plan* p)
{
    int64_t momentum[MOST_DOF] = {0}, work = 0;
    for (int c = 0; c < p->n; ++c) {
        const touch* t = &p->touches[c];
        work += t->weight * t->q[0];
        for (int k = 0; k < 3; ++k) {
            momentum[3 * t->a + k] += t->weight * t->frame[0][k];
            if (t->b >= 0) momentum[3 * t->b + k] -= t->weight * t->frame[0][k];
        }
    }
    for (int i = 0; i < MOST_DOF; ++i) {
        if (momentum[i] != 0) return 0;
    }
    return work < 0;
}

/* W between rows i of contact c and j of contact d, exact. */
static int64_t coupling(const plan* p, int c, int i, int d, int j)
{
    const touch *x = &p->touches[c], *y = &p->touches[d];
    int64_t dot = 0, sum = 0;
    for (int k = 0; k < 3; ++k) dot += x->frame[i][k] * y->frame[j][k];
    for (int point = 0; point < p->n_points; ++point) {
        int own = (x->a == point) - (x->b == point), other = (y->a == point) - (y->b == point);
        sum += own * other * p->inv_mass[point];
    }
    return sum * dot;
}

static sample build(const plan* p, double mu, int law)
{
    int rows[MOST_CONTACTS], laws[MOST_CONTACTS];
    for (int c = 0; c < p->n; ++c) rows[c] = SCREE_ROWS_NTT, laws[c] = law;
    sample s = sample_begin(p->n, rows, laws);
    size_t n = (size_t)p->n;
    s.w_start = sample_take(&s, n + 1, sizeof *s.w_start);
    s.w_column = sample_take(&s, n * n, sizeof *s.w_column);
    s.w_offset = sample_take(&s, n * n + 1, sizeof *s.w_offset);
    s.w_value = sample_take(&s, 9 * n * n, sizeof *s.w_value);
    for (int c = 0; c < p->n; ++c) {
        s.coef[3 * c] = mu;
        s.w_start[c + 1] = (c + 1) * p->n;
        for (int i = 0; i < 3; ++i) s.q[3 * c + i] = (double)p->touches[c].q[i];
        for (int d = 0; d < p->n; ++d) {
            int block = c * p->n + d;
            s.w_column[block] = d;
            s.w_offset[block + 1] = 9 * (block + 1);
            for (int k = 0; k < 9; ++k) {
                s.w_value[9 * block + k] = (double)coupling(p, c, k / 3, d, k % 3);
            }
        }
    }
    s.view.form = SCREE_FORM_ASSEMBLED;
    s.view.w = (scree_bsr){s.w_start, s.w_column, s.w_offset, s.w_value};
    return s;
}

/* The proof that was handed out, in extended precision and from the plan alone: d = give / s^2 with
 * the scale s^2 = W_NN of its contact. Returns whether it needs friction: then it refutes the
 * convex hull of the law. */
static int check_proof(const plan* p, const double* give, double mu)
{
    real momentum[MOST_DOF] = {0}, size[MOST_DOF] = {0}, work = 0, most = 0;
    int slips = 0;
    for (int c = 0; c < p->n; ++c) {
        const touch* t = &p->touches[c];
        real d[3];
        for (int row = 0; row < 3; ++row) {
            d[row] = (real)give[3 * c + row] / (real)coupling(p, c, 0, c, 0);
            work += d[row] * (real)t->q[row];
            most += real_abs(d[row] * (real)t->q[row]);
        }
        real reach = (real)mu * d[0] * (1 + (real)1e-12);
        require(d[0] >= 0 && d[1] * d[1] + d[2] * d[2] <= reach * reach, "contact %d: %g %g %g", c,
                (double)d[0], (double)d[1], (double)d[2]);
        slips |= d[1] != 0 || d[2] != 0;
        for (int i = 0; i < 9; ++i) {
            int row = i / 3, k = i % 3;
            real push = d[row] * (real)t->frame[row][k];
            momentum[3 * t->a + k] += push;
            size[3 * t->a + k] += real_abs(push);
            if (t->b >= 0) momentum[3 * t->b + k] -= push;
            if (t->b >= 0) size[3 * t->b + k] += real_abs(push);
        }
    }
    for (int i = 0; i < MOST_DOF; ++i) {
        require(real_abs(momentum[i]) <= (real)1e-9 * (size[i] + most), "momentum %g of %g stays",
                (double)momentum[i], (double)size[i]);
    }
    require(work < (real)-1e-3 * most, "the proof does no work: %g of %g", (double)work,
            (double)most);
    return slips;
}

typedef struct tally {
    int solvable, impossible, converged, proved, jammed;
} tally;

/* As a problem file is solved, or as a world does it, which also takes a proof for the convex hull
 * of the law (decision 110). */
static void solve_at(const plan* p, const sample* s, double tol, tally* count)
{
    int impossible = is_contradiction(p);
    double give[3 * MOST_CONTACTS], x[3 * MOST_CONTACTS] = {0.0};
    scree_solver_def def = solver_def("auto", tol, 3000);
    def.give = give;
    def.measure = p->n % 2 ? SCREE_MEASURE_SCREE : SCREE_MEASURE_LOCAL;
    scree_report report = solved(&s->view, &def, x);
    int proved = report.outcome == SCREE_OUTCOME_INFEASIBLE;
    require(!(impossible && report.outcome == SCREE_OUTCOME_CONVERGED),
            "%d contacts: converged at %g for %g, but there is no solution", p->n, report.residual,
            tol);
    int jams = proved && check_proof(p, give, s->coef[0]);
    require(!jams || def.measure == SCREE_MEASURE_LOCAL, "%d contacts: the hull is refuted", p->n);
    require(!proved || impossible || jams, "%d contacts: no solution, but there is one", p->n);
    for (int i = 0; i < 3 * p->n && proved; ++i) {
        require(fabs(x[i]) <= 1e6, "%d contacts: an impulse of %g", p->n, x[i]);
    }
    count->solvable += !impossible;
    count->impossible += impossible;
    count->converged += !impossible && report.outcome == SCREE_OUTCOME_CONVERGED;
    count->proved += proved && impossible;
    count->jammed += jams && !impossible;
}

static void decide(const char* name, uint64_t seed, double mu, int law, int n)
{
    static const double tolerances[] = {1e-4, 1e-8, 1e-12};
    scri_random random = test_seed(name, seed);
    tally count = {.solvable = 0};
    for (int k = 0; k < n; ++k) {
        plan p = {.n = 0};
        draw_solvable(&random, &p);
        if (k % 2) add_contradiction(&random, &p);
        sample s = build(&p, mu, law);
        for (int i = 0; i < 3; ++i) solve_at(&p, &s, tolerances[i], &count);
        sample_end(&s);
    }
    print_message("%s: %d of %d solved, %d jam, %d of %d proved impossible\n", name,
                  count.converged, count.solvable, count.jammed, count.proved, count.impossible);
    require(count.proved == count.impossible, "not every contradiction was found");
    require(10 * count.converged >= 9 * count.solvable, "too few were solved");
}

static void without_friction(void** state)
{
    (void)state;
    decide("without friction", 401, 0.0, SCREE_LAW_EXACT, test_cases(20, 1000));
}

static void with_friction(void** state)
{
    (void)state;
    decide("with friction", 402, 0.25, SCREE_LAW_EXACT, test_cases(12, 1000));
}

/* Impulses that only grow are refused whatever their size, and so are those whose velocities drown
 * in rounding. */
static void growing_impulses(void** state)
{
    (void)state;
    plan p = {.n_points = 1, .n = 2, .inv_mass = {1}};
    for (int c = 0; c < 2; ++c) {
        p.touches[c] = (touch){.b = -1, .weight = 1, .q = {c ? -1 : 0, 0, 0}};
        for (int k = 0; k < 3; ++k) p.touches[c].frame[k][k] = c && k == 0 ? -1 : 1;
    }
    assert_true(is_contradiction(&p));
    sample s = build(&p, 0.5, SCREE_LAW_EXACT);
    for (double size = 1.0; size < 1e300; size *= 100.0) {
        double x[6] = {size, 0.0, 0.0, size, 0.0, 0.0};
        scree_certificate certificate;
        scree_infeasibility proof;
        assert_int_equal(scree_certify(NULL, &s.view, x, &certificate), SCREE_OK);
        require(certificate.residual > 1e-4 && (size > 1e15 || certificate.local > 0.1),
                "impulses of %g: residual %g, local %g", size, certificate.residual,
                certificate.local);
        assert_int_equal(scree_find_infeasible(NULL, &s.view, x, NULL, &proof), SCREE_OK);
        require(proof.n_contacts == 2 && proof.approach == 0.5 && proof.bound > 1e12,
                "impulses of %g: %d contacts, %g m/s, bound %g", size, (int)proof.n_contacts,
                proof.approach, proof.bound);
    }
    sample_end(&s);
}

/* Rows of joints, a motor without bound and a limit that contradict each other; with a bound, the
 * same motor is no contradiction. */
static void rows_without_a_cone(void** state)
{
    (void)state;
    const int rows[2] = {SCREE_ROWS_N, SCREE_ROWS_N};
    static const int32_t start[] = {0, 2, 4}, column[] = {0, 1, 0, 1};
    static const int64_t offset[] = {0, 1, 2, 3, 4};
    static const double same[] = {1, 1, 1, 1}, opposite[] = {1, -1, -1, 1};
    const struct {
        int law[2];
        const double* w;
        double q[2], hi;
        int impossible;
    } cases[] = {{{SCREE_LAW_BILATERAL, SCREE_LAW_BILATERAL}, same, {1, 2}, 0, 1},
                 {{SCREE_LAW_BILATERAL, SCREE_LAW_BILATERAL}, same, {2, 2}, 0, 0},
                 {{SCREE_LAW_HALF_LINE, SCREE_LAW_HALF_LINE}, opposite, {-1, -2}, 0, 1},
                 {{SCREE_LAW_HALF_LINE, SCREE_LAW_HALF_LINE}, same, {-1, -2}, 0, 0},
                 {{SCREE_LAW_INTERVAL, SCREE_LAW_HALF_LINE}, opposite, {-1, -2}, INFINITY, 1},
                 {{SCREE_LAW_INTERVAL, SCREE_LAW_HALF_LINE}, opposite, {-1, -2}, 5, 0}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; ++k) {
        sample s = sample_begin(2, rows, cases[k].law);
        s.view.form = SCREE_FORM_ASSEMBLED;
        s.view.w = (scree_bsr){start, column, offset, cases[k].w};
        s.q[0] = cases[k].q[0], s.q[1] = cases[k].q[1];
        if (cases[k].law[0] == SCREE_LAW_INTERVAL) s.coef[1] = cases[k].hi;
        double x[2] = {0.0, 0.0};
        scree_solver_def def = solver_def("auto", 1e-8, 10000);
        scree_report report = solved(&s.view, &def, x);
        require(report.outcome ==
                    (cases[k].impossible ? SCREE_OUTCOME_INFEASIBLE : SCREE_OUTCOME_CONVERGED),
                "case %d: %s", (int)k, scree_outcome_text((int)report.outcome));
        sample_end(&s);
    }
}

/* ---- many contacts --------------------------------------------------------------------------- */

/* 1,000 balls that fall on the ground, and one between two walls that come towards each other. */
static scree_problem_store make_crowd(void)
{
    enum { BALLS = 1000 };
    scree_problem_builder* builder = NULL;
    scree_problem_store store = {.memory = NULL};
    assert_int_equal(scree_problem_builder_create(NULL, &builder), SCREE_OK);
    for (int i = 0; i <= BALLS; ++i) {
        scree_builder_body ball = {.mass = 1.0, .inertia = {0.4, 0.4, 0.4}};
        ball.position[0] = 3.0 * i;
        ball.velocity[2] = i < BALLS ? -1.0 - 1e-3 * i : 0.0;
        int32_t a = scree_problem_builder_add_body(builder, &ball);
        scree_builder_contact contact = {.body = {a, -1}, .normal = {0.0, 0.0, 1.0}, .coef = {0.5}};
        contact.point[0] = ball.position[0];
        contact.point[2] = -1.0;
        if (i < BALLS) {
            scree_problem_builder_add_contact(builder, &contact);
            continue;
        }
        for (int side = -1; side <= 1; side += 2) {
            scree_builder_body wall = {.position = {3.0 * i + 2.0 * side, 0.0, 0.0},
                                       .velocity = {-0.25 * side, 0.0, 0.0}};
            contact.body[1] = scree_problem_builder_add_body(builder, &wall);
            contact.normal[0] = -side;
            contact.normal[2] = contact.point[2] = 0.0;
            contact.point[0] = 3.0 * i + side;
            scree_problem_builder_add_contact(builder, &contact);
        }
    }
    assert_int_equal(scree_problem_builder_finish(builder, &store), SCREE_OK);
    return store;
}

/* Where searches are brief because contacts are many, they still find what gives way: with few
 * iterations as with many, for every measure. */
static void few_are_found_among_many(void** state)
{
    (void)state;
    scree_problem_store store = make_crowd();
    const int64_t limits[] = {50, 200, 10000};
    for (int k = 0; k < 6; ++k) {
        scree_solver_def def = solver_def("auto", 1e-3, limits[k / 2]);
        double* x = zeros_of(&store.problem);
        if (k % 2) def.measure = SCREE_MEASURE_LOCAL;
        scree_report report = solved(&store.problem, &def, x);
        require(report.outcome == SCREE_OUTCOME_INFEASIBLE && report.infeasible.n_contacts == 2,
                "at most %d iterations: %s, %d contacts", (int)limits[k / 2],
                scree_outcome_text((int)report.outcome), (int)report.infeasible.n_contacts);
        require(fabs(report.infeasible.approach - 0.25) < 1e-6, "they approach by %g m/s",
                report.infeasible.approach);
        require(report.residual <= 1e-3, "the rest: %g", report.residual);
        free(x);
    }
    scree_problem_store_release(&store);
}

/* A long search is dear before 6,400 sweeps over 1,000 contacts and more. */
static void searches_know_their_price(void** state)
{
    (void)state;
    const struct {
        int32_t contacts;
        int64_t made;
        int is_dear;
    } cases[] = {{999, 0, 0}, {1000, 0, 1}, {1000, 6399, 1}, {1000, 6400, 0}, {1000000, 6399, 1}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        scree_problem problem = {.n_contacts = cases[k].contacts};
        scri_run run = {.problem = &problem, .budget = {.iterations = cases[k].made}};
        assert_int_equal(scri_give_way_is_dear(&run), cases[k].is_dear);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_friction),         cmocka_unit_test(with_friction),
        cmocka_unit_test(growing_impulses),         cmocka_unit_test(rows_without_a_cone),
        cmocka_unit_test(few_are_found_among_many), cmocka_unit_test(searches_know_their_price),
    };
    return cmocka_run_group_tests_name("infeasible", tests, NULL, NULL);
}
