/* Problems built piece by piece: the arrays are those that one would write by hand, faults are
 * said once and end in a failure, and the solve that brings its own memory finds what the other
 * finds. */
#include "support/friction_sets.h"
#include "support/solving.h"

static scree_problem_builder* begin(const scree_env* env)
{
    scree_problem_builder* builder = NULL;
    assert_int_equal(scree_problem_builder_create(env, &builder), SCREE_OK);
    return builder;
}

static void draw_body(scri_random* random, scree_builder_body* out)
{
    *out = (scree_builder_body){.mass = draw_power(random, -1.0, 1.0)};
    draw_inertia(random, 0.1 * out->mass, out->inertia);
    for (int i = 0; i < 3; ++i) {
        out->position[i] = draw_between(random, -1.0, 1.0);
        out->velocity[i] = draw_between(random, -1.0, 1.0);
        out->angular_velocity[i] = draw_between(random, -1.0, 1.0);
    }
}

static double row_velocity(const scree_builder_body* a, const scree_builder_body* b,
                           const double point[3], const double axis[3], int turns)
{
    const scree_builder_body* body[2] = {a, b};
    double sum = 0.0;
    for (int side = 0; side < 2; ++side) {
        const scree_builder_body* at = body[side];
        for (int i = 0; i < 3 && at; ++i) {
            int j = (i + 1) % 3, k = (i + 2) % 3;
            double swept = at->angular_velocity[j] * (point[k] - at->position[k]) -
                           at->angular_velocity[k] * (point[j] - at->position[j]);
            double own = turns ? at->angular_velocity[i] : at->velocity[i] + swept;
            sum += (side ? -1.0 : 1.0) * own * axis[i];
        }
    }
    return sum;
}

/* Both are symmetric, xx yy zz xy xz yz. */
static void require_inverse(const double inverse[6], const double m[6])
{
    static const int place[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            double sum = i == j ? -1.0 : 0.0;
            for (int k = 0; k < 3; ++k) sum += inverse[place[i][k]] * m[place[k][j]];
            require(fabs(sum) <= 1e-12, "the inverse inertia is %g off at (%d, %d)", sum, i, j);
        }
    }
}

/* Masses, frames, arms and free velocities of random bodies, by hand. */
static void arrays_are_those_by_hand(void** state)
{
    (void)state;
    scri_random random = test_seed("built problems", 7120);
    for (int n = 0; n < 200; ++n) {
        scree_problem_builder* builder = begin(NULL);
        scree_builder_body body[2];
        scree_builder_contact contact = {.coef = {0.5, 0.1, 0.05}, .law = SCREE_LAW_CONVEX};
        for (int i = 0; i < 2; ++i) {
            draw_body(&random, &body[i]);
            assert_int_equal(scree_problem_builder_add_body(builder, &body[i]), i);
        }
        contact.body[0] = 1;
        contact.body[1] = n % 2 ? 0 : -1;
        draw_direction(&random, contact.normal);
        for (int i = 0; i < 3; ++i) {
            contact.normal[i] *= 7.0;
            contact.point[i] = draw_between(&random, -1.0, 1.0);
            if (n % 3) contact.tangent[i] = draw_between(&random, -1.0, 1.0);
        }
        assert_int_equal(scree_problem_builder_add_contact(builder, &contact), 0);
        scree_problem_store store;
        assert_int_equal(scree_problem_builder_finish(builder, &store), SCREE_OK);
        const scree_problem* p = &store.problem;
        const double* frame = p->bodies.frame;
        assert_int_equal(p->rows[0], SCREE_ROWS_NTTRRS);
        assert_int_equal(p->law[0], SCREE_LAW_CONVEX);
        assert_null(p->set);
        double along = 0.0, across = 0.0;
        for (int i = 0; i < 3; ++i) {
            require(fabs(7.0 * frame[i] - contact.normal[i]) <= 1e-14, "the normal");
            along += contact.tangent[i] * frame[3 + i];
            across += contact.tangent[i] * frame[6 + i];
        }
        for (int i = 0; i < 2; ++i) {
            require(fabs(p->bodies.inv_mass[i] * body[i].mass - 1.0) <= 1e-15, "the inverse mass");
            require_inverse(p->bodies.inv_inertia + 6 * i, body[i].inertia);
        }
        require(n % 3 == 0 || (along > 0.0 && fabs(across) <= 1e-14),
                "t1 is not along the tangent");
        static const int axis[6] = {0, 1, 2, 1, 2, 0};
        for (int i = 0; i < 6; ++i) {
            double q = row_velocity(&body[1], n % 2 ? &body[0] : NULL, contact.point,
                                    frame + 3 * axis[i], i >= 3);
            require(fabs(p->q[i] - q) <= 1e-14, "q[%d] is %.17g, not %.17g", i, p->q[i], q);
        }
        scree_problem_store_release(&store);
    }
}

/* A body without mass does not give way, whatever its inertia says, and moves as it was told. */
static void require_belt(double inertia)
{
    scree_problem_builder* builder = begin(NULL);
    const scree_builder_body ball = {.mass = 2.0, .inertia = {1.0, 1.0, 1.0}};
    const scree_builder_body belt = {.inertia = {inertia, inertia, inertia},
                                     .position = {0.0, 0.0, -1.0},
                                     .velocity = {0.0, 5.0, 1.0},
                                     .angular_velocity = {0.0, 0.0, 2.0}};
    const scree_builder_contact contact = {.body = {0, 1},
                                           .point = {4.0, 0.0, 0.0},
                                           .normal = {0.0, 0.0, 3.0},
                                           .tangent = {1.0, 0.0, 1.0},
                                           .coef = {0.5}};
    assert_int_equal(scree_problem_builder_add_body(builder, &ball), 0);
    assert_int_equal(scree_problem_builder_add_body(builder, &belt), 1);
    assert_int_equal(scree_problem_builder_add_contact(builder, &contact), 0);
    scree_problem_store store;
    assert_int_equal(scree_problem_builder_finish(builder, &store), SCREE_OK);
    const scree_bodies* b = &store.problem.bodies;
    static const double frame[9] = {0, 0, 1, 1, 0, 0, 0, 1, 0}, arm[6] = {4, 0, 0, 4, 0, 1},
                        q[3] = {-1.0, 0.0, -13.0}; /* 5 and 2 x 4 of its turning */
    assert_true(b->inv_mass[0] == 0.5 && b->inv_mass[1] == 0.0);
    for (int i = 0; i < 6; ++i) {
        assert_true(b->inv_inertia[i] == (i < 3 ? 1.0 : 0.0) && b->inv_inertia[6 + i] == 0.0);
        assert_true(b->arm[i] == arm[i]);
    }
    for (int i = 0; i < 9; ++i) require(fabs(b->frame[i] - frame[i]) <= 1e-15, "frame %d", i);
    for (int i = 0; i < 3; ++i) require(fabs(store.problem.q[i] - q[i]) <= 1e-14, "q %d", i);
    scree_problem_store_release(&store);
}

static void bodies_without_mass_move_as_told(void** state)
{
    (void)state;
    require_belt(3.0);
    require_belt(0.0);
    assert_int_equal(scree_problem_builder_add_body(NULL, &(scree_builder_body){.mass = 0.0}), -1);
}

/* A tangent that is hardly one is left aside, and so is one that is none. */
static void tangents_need_a_direction_across(void** state)
{
    (void)state;
    static const double slant[] = {0.0, 1e-7, 1e-5, 1.0};
    double first[9] = {0.0};
    for (size_t k = 0; k < sizeof slant / sizeof slant[0]; ++k) {
        scree_problem_builder* builder = begin(NULL);
        const scree_builder_body ball = {.mass = 1.0, .inertia = {1.0, 1.0, 1.0}};
        const scree_builder_contact c = {.body = {0, -1},
                                         .normal = {0.0, 2.0, 0.0},
                                         .tangent = {0.0, 3.0, -3.0 * slant[k]},
                                         .coef = {0.5}};
        scree_problem_builder_add_body(builder, &ball);
        scree_problem_builder_add_contact(builder, &c);
        scree_problem_store store;
        assert_int_equal(scree_problem_builder_finish(builder, &store), SCREE_OK);
        const double* frame = store.problem.bodies.frame;
        if (k == 0) memcpy(first, frame, sizeof first);
        if (k == 1) assert_memory_equal(frame, first, sizeof first);
        if (k >= 2) assert_true(frame[5] == -1.0 && frame[6] == -1.0);
        scree_problem_store_release(&store);
    }
}

static void rows_follow_from_coefficients(void** state)
{
    (void)state;
    static const struct {
        double coef[3];
        int32_t asked;
        int rows;
    } cases[] = {
        {{0.0, 0.0, 0.0}, 0, SCREE_ROWS_N},      {{0.5, 0.0, 0.0}, 0, SCREE_ROWS_NTT},
        {{0.5, 0.0, 0.1}, 0, SCREE_ROWS_NTTS},   {{0.0, 0.1, 0.0}, 0, SCREE_ROWS_NTTRR},
        {{0.0, 0.0, 0.1}, 0, SCREE_ROWS_NTTS},   {{0.0, 0.1, 0.1}, 0, SCREE_ROWS_NTTRRS},
        {{0.5, 0.1, 0.1}, 0, SCREE_ROWS_NTTRRS}, {{0.0, 0.0, 0.0}, SCREE_ROWS_NTT, SCREE_ROWS_NTT},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; ++k) {
        scree_problem_builder* builder = begin(NULL);
        scree_builder_body ball = {.mass = 1.0, .inertia = {1.0, 1.0, 1.0}};
        scree_builder_contact c = {.body = {0, -1}, .normal = {0.0, 1.0}, .rows = cases[k].asked};
        memcpy(c.coef, cases[k].coef, sizeof c.coef);
        scree_problem_builder_add_body(builder, &ball);
        scree_problem_builder_add_contact(builder, &c);
        scree_problem_store store;
        assert_int_equal(scree_problem_builder_finish(builder, &store), SCREE_OK);
        assert_int_equal(store.problem.rows[0], cases[k].rows);
        scree_problem_store_release(&store);
    }
}

/* One number per object, copied: the objects may go. */
static void sets_become_numbers(void** state)
{
    (void)state;
    set_stock stock;
    stock_open(&stock);
    scree_problem_builder* builder = begin(NULL);
    scree_builder_body ball = {
        .mass = 1.0, .inertia = {1.0, 1.0, 1.0}, .velocity = {1.0, 1.0, -1.0}};
    scree_problem_builder_add_body(builder, &ball);
    for (int k = 0; k < 6; ++k) {
        scree_builder_contact c = {.body = {0, -1},
                                   .normal = {0.1 * k, 0.0, 1.0},
                                   .coef = {0.5, 0.1},
                                   .law = SCREE_LAW_EXTENDED,
                                   .set = {stock.set[k % 2], stock.set[2], NULL, NULL}};
        if (k == 5) c.set[2] = stock.set[2];
        assert_int_equal(scree_problem_builder_add_contact(builder, &c), k);
    }
    scree_problem_store store;
    assert_int_equal(scree_problem_builder_finish(builder, &store), SCREE_OK);
    stock_close(&stock);
    assert_int_equal(store.problem.sets.n, 3);
    for (int k = 0; k < 6; ++k) {
        const int32_t* set = store.problem.set + 4 * k;
        assert_int_equal(set[0], k == 0 ? 0 : store.problem.set[4 * (k % 2)]);
        assert_int_equal(set[1], store.problem.set[1]);
        assert_int_equal(set[2], k == 5 ? set[1] : -1);
        assert_int_equal(set[3], -1);
    }
    scree_solution s;
    assert_int_equal(scree_solve_alloc(NULL, &store.problem, NULL, &s), SCREE_OK);
    assert_int_equal(s.report.outcome, SCREE_OUTCOME_CONVERGED);
    scree_solution_release(&s);
    scree_problem_store_release(&store);
}

static void faults_are_said_and_end_in_failure(void** state)
{
    (void)state;
    const double nan = (double)NAN, inf = (double)INFINITY;
    const scree_builder_body good = {.mass = 1.0, .inertia = {1.0, 1.0, 1.0}};
    const scree_builder_contact sound = {.body = {0, -1}, .normal = {0.0, 0.0, 1.0}};
    for (int k = 0; k < 19; ++k) {
        test_host host;
        scree_env env = test_env(&host);
        scree_problem_builder* builder = begin(&env);
        scree_builder_body body = good;
        scree_builder_contact contact = sound;
        const char* said = "";
        scree_problem_builder_add_body(builder, &good);
        if (k == 0) body.mass = -1.0, said = "body 1: its mass must not be negative";
        if (k == 1) body.mass = nan, said = "body 1: its mass must not be negative";
        if (k == 2) body.inertia[3] = 1.0, said = "body 1: its inertia is not positive definite";
        if (k == 3) body.inertia[0] = nan, said = "body 1: its inertia is not positive definite";
        if (k == 4) body.velocity[1] = nan, said = "body 1: its state is not finite";
        if (k == 5) contact.body[1] = 2, said = "contact 0: no body has this number";
        if (k == 6) contact.normal[2] = 0.0, said = "contact 0: its normal has no direction";
        if (k == 7) contact.point[0] = nan, said = "contact 0: its place is not finite";
        if (k == 8) contact.rows = SCREE_ROWS_END, said = "contact 0: its rows or its law";
        if (k == 9) contact.coef[0] = -1.0, said = "contact 0: mu = -1 must be finite";
        if (k == 10) contact.law = SCREE_LAW_COUNT, said = "contact 0: unknown law";
        if (k == 11)
            contact.rows = SCREE_ROWS_NT, said = "contact 0: the bodies form has no planar";
        if (k == 12) body.mass = inf, said = "body 1: its mass must not be negative";
        if (k == 13) body.inertia[0] = -1.0, said = "body 1: its inertia is not positive definite";
        if (k == 14) body.inertia[3] = 0x1.fffffffffffffp-1, said = "body 1: its inertia is not";
        if (k == 15) body.position[2] = inf, said = "body 1: its state is not finite";
        if (k == 16) body.angular_velocity[0] = nan, said = "body 1: its state is not finite";
        if (k == 17) body.inertia[5] = 1.5, said = "body 1: its inertia is not positive definite";
        if (k == 18) body.inertia[4] = -1.5, said = "body 1: its inertia is not positive definite";
        int is_body = k < 5 || k >= 12;
        int32_t b = scree_problem_builder_add_body(builder, &body);
        require((b < 0) == is_body, "fault %d: body %d", k, (int)b);
        int32_t c = scree_problem_builder_add_contact(builder, &contact);
        require((c < 0) == (k >= 5 && k < 9), "fault %d: contact %d", k, (int)c);
        scree_problem_store store;
        assert_int_equal(scree_problem_builder_finish(builder, &store), SCREE_ERROR_INPUT);
        require(strstr(host.text, said), "fault %d: \"%s\"", k, host.text);
        assert_int_equal(host.n_logged, 1);
        assert_null(store.memory);
        assert_int_equal(store.problem.n_contacts, 0);
        assert_int_equal(host.n_held, 0);
    }
    scree_problem_store store;
    assert_int_equal(scree_problem_builder_finish(NULL, &store), SCREE_ERROR_ARGUMENT);
}

/* A stack of balls; every allocation fails once. */
static scree_status build_and_solve(const scree_env* env, scree_solution* s)
{
    scree_problem_builder* builder = NULL;
    scree_problem_store store;
    scree_status status = scree_problem_builder_create(env, &builder);
    if (status) return status;
    for (int i = 0; i < 10; ++i) {
        scree_builder_body ball = {.mass = 1.0,
                                   .inertia = {0.4, 0.4, 0.4},
                                   .position = {0.0, 0.0, 1.0 + 2.0 * i},
                                   .velocity = {0.0, 0.0, -0.1}};
        scree_builder_contact below = {
            .body = {i, i - 1}, .point = {0.0, 0.0, 2.0 * i}, .normal = {0.0, 0.0, 1.0}};
        below.coef[0] = 0.5;
        scree_problem_builder_add_body(builder, &ball);
        scree_problem_builder_add_contact(builder, &below);
    }
    status = scree_problem_builder_finish(builder, &store);
    if (!status) status = scree_solve_alloc(env, &store.problem, NULL, s);
    scree_problem_store_release(&store);
    return status;
}

static void short_memory_leaves_nothing(void** state)
{
    (void)state;
    for (int k = 0;; ++k) {
        test_host host;
        scree_env env = test_env(&host);
        host.fail_at = k;
        scree_solution s = {.p = NULL};
        scree_status status = build_and_solve(&env, &s);
        if (!status) {
            require(fabs(s.p[0] - 1.0) <= 1e-6, "the lowest contact carries %g", s.p[0]);
            require(fabs(s.y[0]) <= 1e-6 && s.certificate.residual <= 1e-8, "it moves");
            scree_solution_release(&s);
        } else {
            assert_int_equal(status, SCREE_ERROR_MEMORY);
            assert_null(s.p);
        }
        require(host.n_held == 0, "allocation %d: %ld blocks are left", k, host.n_held);
        if (!status && host.n_asked <= k) break;
    }
}

/* The same impulses as by the call with a workspace, in every form. */
static void both_ways_to_solve_agree(void** state)
{
    (void)state;
    scri_random random = test_seed("two ways to solve", 7121);
    int rows[4] = {SCREE_ROWS_NTT, SCREE_ROWS_NTT, SCREE_ROWS_N, SCREE_ROWS_NTTRRS};
    int law[4] = {SCREE_LAW_EXACT, SCREE_LAW_EXACT, SCREE_LAW_EXACT, SCREE_LAW_EXACT};
    sample s = sample_begin(4, rows, law);
    draw_bodies(&s, &random, 5);
    for (int i = 0; i < 12; ++i) s.coef[i] = 0.3;
    for (int i = 0; i < s.row[4]; ++i) s.q[i] = draw_between(&random, -1.0, 1.0);
    scree_solver_def def = solver_def("nsgs", 1e-9, 10000);
    double* p = zeros_of(&s.view);
    scree_report report = solved(&s.view, &def, p);
    scree_solution own;
    assert_int_equal(scree_solve_alloc(NULL, &s.view, &def, &own), SCREE_OK);
    assert_memory_equal(own.p, p, (size_t)s.row[4] * sizeof *p);
    assert_true(own.report.iterations == report.iterations);
    scree_solution_release(&own);
    assert_null(own.p);
    def.solver = "no such method";
    assert_int_not_equal(scree_solve_alloc(NULL, &s.view, &def, &own), SCREE_OK);
    assert_null(own.p);
    s.view.n_contacts = 0;
    assert_int_equal(scree_solve_alloc(NULL, &s.view, NULL, &own), SCREE_ERROR_ARGUMENT);
    free(p);
    sample_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_are_those_by_hand),
        cmocka_unit_test(bodies_without_mass_move_as_told),
        cmocka_unit_test(tangents_need_a_direction_across),
        cmocka_unit_test(rows_follow_from_coefficients),
        cmocka_unit_test(sets_become_numbers),
        cmocka_unit_test(faults_are_said_and_end_in_failure),
        cmocka_unit_test(short_memory_leaves_nothing),
        cmocka_unit_test(both_ways_to_solve_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
