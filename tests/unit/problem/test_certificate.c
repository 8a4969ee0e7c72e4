/* The certificate: by hand, against an independent evaluation, and unchanged by units, labels and
 * tangent frames. */
#include "support/problems.h"

#define NOT_A_NUMBER ((double)NAN)

static scree_certificate certify(const scree_problem* p, const double* impulses)
{
    scree_certificate certificate;
    memset(&certificate, 0xff, sizeof certificate);
    assert_int_equal(scree_certify(NULL, p, impulses, &certificate), SCREE_OK);
    return certificate;
}

static void near(double found, double expected, const char* what)
{
    require(fabs(found - expected) <= 4e-16 * fabs(expected), "%s is %.17g, not %.17g", what, found,
            expected);
}

/* ---- by hand ---- */

/* Contact 0: N, T with mu = 1/2. Contact 1: N. W = [4 0 1; 0 1 0; 1 0 1]. */
static sample two_contacts(int law)
{
    const int rows[2] = {SCREE_ROWS_NT, SCREE_ROWS_N}, laws[2] = {law, law};
    static const int32_t start[] = {0, 2, 4}, column[] = {0, 1, 0, 1};
    static const int64_t offset[] = {0, 4, 6, 8, 9};
    static const double value[] = {4, 0, 0, 1, 1, 0, 1, 0, 1}, q[] = {-1, 2, -3};
    sample s = sample_begin(2, rows, laws);
    s.coef[0] = 0.5;
    memcpy(s.q, q, sizeof q);
    s.view.w = (scree_bsr){start, column, offset, value};
    return s;
}

/* p = (1, -1/4; 2) gives y = (5, 7/4; 0). Scales 2, 1; 1: p' = (2, -1/4; 2), y' = (5/2, 7/4; 0),
 * q' = (-1/2, 2; -3), mu' = 1/4. Exact: p' - yhat' = (-15/16, -2) lies in the polar cone, so the
 * map is (2, -1/4; 0). */
static void two_contacts_by_hand(void** state)
{
    (void)state;
    sample s = two_contacts(SCREE_LAW_EXACT);
    const double p[] = {1.0, -0.25, 2.0};
    scree_certificate c = certify(&s.view, p);
    near(c.residual, sqrt(4.0625 / 13.25), "residual");
    near(c.absolute_siconos, sqrt(1.0625),
         "absolute error of Siconos"); /* the raw map is (1, -1/4) */
    near(c.residual_siconos, sqrt(1.0625 / 28.0625), "relative error of Siconos"); /* over |y| */
    near(c.complementarity, 5.4375, "complementarity"); /* 5 - 7/16 + 7/8 */
    near(c.dissipation[0], 0.4375, "dissipation");
    assert_true(c.dissipation[1] == 0.0 && c.dissipation[2] == 0.0);
    assert_true(c.normal_violation == 0.0 && c.cone_violation == 0.0);
    assert_int_equal(c.worst_contact, 0);
    sample_end(&s);

    /* convex: p' - y' = (-1/2, -2) is on the boundary of the polar cone */
    s = two_contacts(SCREE_LAW_CONVEX);
    c = certify(&s.view, p);
    near(c.residual, sqrt(4.0625 / 13.25), "convex residual");
    near(c.complementarity, 4.5625, "convex complementarity");
    sample_end(&s);
}

/* p = (-1, 3; 0): y = (-5, 5; -4). Raw distance of (-1, 3) to the cone of slope 1/2: the projection
 * has normal (-1 + 3/2) / (5/4) = 2/5, so it is (2/5, 1/5) at distance 7/5 sqrt 5. */
static void violations_by_hand(void** state)
{
    (void)state;
    sample s = two_contacts(SCREE_LAW_EXACT);
    const double p[] = {-1.0, 3.0, 0.0};
    scree_certificate c = certify(&s.view, p);
    near(c.cone_violation, 1.4 * sqrt(5.0), "distance to the cone");
    near(c.normal_violation, 5.0, "normal velocity");
    near(c.complementarity, 17.5, "complementarity"); /* |5 + 15 - 5/2| */
    near(c.dissipation[0], -15.0, "dissipation");
    sample_end(&s);
}

static void nothing_at_all_is_a_solution_of_nothing(void** state)
{
    (void)state;
    sample s = two_contacts(SCREE_LAW_EXACT);
    memset(s.q, 0, 3 * sizeof *s.q);
    const double p[3] = {0.0};
    scree_certificate c = certify(&s.view, p);
    assert_true(c.residual == 0.0 && c.residual_siconos == 0.0 && c.absolute_siconos == 0.0);
    sample_end(&s);
}

/* ---- independent evaluation ---- */

enum { MOST_ROWS = 200 };

typedef struct evaluation {
    real residual, siconos, absolute, cone, normal, complementarity, dissipation[3];
    int32_t worst;
} evaluation;

static evaluation evaluate(const scree_problem* p, const double* impulses)
{
    scri_arena* arena = scri_arena_create(NULL);
    int32_t n = p->first_row[p->n_contacts];
    assert_true(n <= MOST_ROWS);
    real q[MOST_ROWS], r[MOST_ROWS], y[MOST_ROWS], diagonal[MOST_ROWS];
    dense w = dense_w(arena, p, q);
    reference_widen(n, impulses, r);
    for (int32_t i = 0; i < n; ++i) {
        real compliance = p->compliance ? (real)p->compliance[i] : 0;
        y[i] = q[i] + compliance * r[i];
        for (int32_t j = 0; j < n; ++j) y[i] += *dense_at(&w, i, j) * r[j];
        diagonal[i] = *dense_at(&w, i, i) + compliance;
    }
    double mobility = 0.0; /* the power of two not above the largest of a normal row */
    for (int32_t c = 0; c < p->n_contacts; ++c) {
        mobility = fmax(mobility, (double)diagonal[p->first_row[c]]);
    }
    real idle = mobility > 0.0 ? real_sqrt((real)ldexp(1.0, ilogb(mobility))) : 1;
    evaluation e = {.worst = -1};
    real sums[3] = {0}, raw_sums[3] = {0}, square = 0, raw = 0, most = -1;
    for (int32_t c = 0; c < p->n_contacts; ++c) {
        int32_t at = p->first_row[c];
        int rows = p->rows[c], law = p->law[c];
        const double* coef = p->coef + 3 * c;
        row_shape f = shape_of(rows);
        real s[MAX_WIDTH], closest[MAX_WIDTH], gap[MAX_WIDTH];
        reference_scale(rows, law, diagonal + at, idle, s);
        real own = reference_map(rows, law, coef, s, r + at, y + at, q + at, sums);
        raw += reference_map(rows, law, coef, NULL, r + at, y + at, q + at, raw_sums);
        square += own;
        if (own > most) most = own, e.worst = c;
        memcpy(closest, r + at, sizeof(real) * (size_t)f.width);
        reference_admit(rows, law, coef, closest);
        for (int i = 0; i < f.width; ++i) gap[i] = r[at + i] - closest[i];
        e.cone = real_max(e.cone, reference_norm(f.width, gap));
        real work = reference_dot(f.width, r + at, y + at);
        if (reference_is_exact(law)) work += r[at] * reference_shift(f, coef, y + at);
        if (law != SCREE_LAW_INTERVAL)
            e.complementarity = real_max(e.complementarity, real_abs(work));
        if (law > SCREE_LAW_COUPLED && !reference_is_exact(law)) continue;
        e.normal = real_max(e.normal, -y[at]);
        for (int k = 0; k < CHANNELS; ++k) {
            e.dissipation[k] -= reference_dot(f.dim[k], r + at + f.first[k], y + at + f.first[k]);
        }
    }
    e.residual = real_sqrt(square / real_max(sums[0], real_max(sums[1], sums[2])));
    e.absolute = real_sqrt(raw);
    /* Siconos divides the error of a local problem by max(|q|, |r|, |u|), of an LCP and of planar
     * rolling by |q|, of a global problem by max(|u|, |r|); to the last it adds the error in the
     * equation of motion, which vanishes for v = M^-1 (f + H r). */
    int by_q = p->form != SCREE_FORM_FACTORED;
    for (int32_t c = 0; c < p->n_contacts; ++c) {
        by_q &= p->law[c] == SCREE_LAW_HALF_LINE || p->rows[c] == SCREE_ROWS_NTR;
    }
    real size = real_max(raw_sums[0], raw_sums[1]);
    if (p->form != SCREE_FORM_FACTORED) size = real_max(size, raw_sums[2]);
    if (by_q) size = raw_sums[2];
    e.siconos = e.absolute / real_sqrt(size);
    scri_arena_destroy(arena);
    return e;
}

static void agrees(double found, real expected, real size, const char* what, int i)
{
    require(real_abs((real)found - expected) <= 1e-12 * size, "case %d: %s is %.17g, not %.17g", i,
            what, found, (double)expected);
}

/* All laws and rows, spatial only for bodies. */
static sample draw_contacts(scri_random* random, int32_t n, int spatial)
{
    static const int kinds[] = {SCREE_ROWS_N,     SCREE_ROWS_NTT,    SCREE_ROWS_NTTS,
                                SCREE_ROWS_NTTRR, SCREE_ROWS_NTTRRS, SCREE_ROWS_NT,
                                SCREE_ROWS_NTR};
    int rows[40] = {0}, law[40] = {0};
    for (int32_t c = 0; c < n; ++c) {
        law[c] = draw_below(random, SCREE_LAW_COUNT);
        int one_row = law[c] == SCREE_LAW_INTERVAL || law[c] == SCREE_LAW_HALF_LINE;
        rows[c] = one_row ? SCREE_ROWS_N : kinds[draw_below(random, spatial ? 5 : 7)];
    }
    sample s = sample_begin(n, rows, law);
    for (int32_t c = 0; c < n; ++c) {
        for (int k = 0; k < 3; ++k) s.coef[3 * c + k] = draw_between(random, 0.0, 1.0);
        if (draw_chance(random, 20.0)) s.coef[3 * c + draw_below(random, 3)] = 0.0;
        if (law[c] == SCREE_LAW_INTERVAL) s.coef[3 * c] -= 1.0;
    }
    for (int32_t i = 0; i < s.row[n]; ++i) s.q[i] = draw_between(random, -1.0, 1.0);
    return s;
}

static void draw_impulses(scri_random* random, const scree_problem* p, double* out)
{
    for (int32_t i = 0; i < p->first_row[p->n_contacts]; ++i) {
        out[i] = draw_chance(random, 10.0) ? 0.0 : draw_between(random, -1.0, 2.0);
    }
}

static void against_an_independent_evaluation(void** state)
{
    (void)state;
    scri_random random = test_seed("certificates", 81);
    for (int i = 0; i < 150; ++i) {
        int form = i % 3;
        sample s = draw_contacts(&random, 1 + draw_below(&random, 12), form != 1);
        scree_problem_store store = {.memory = NULL};
        if (form == 1)
            draw_factors(&s, &random, 6 + draw_below(&random, 20), 6);
        else
            draw_bodies(&s, &random, 4);
        if (draw_chance(&random, 50.0)) sample_add_compliance(&s, &random, 0.1);
        if (form == 2) assert_int_equal(scree_problem_reduce(NULL, &s.view, &store), SCREE_OK);
        const scree_problem* p = form == 2 ? &store.problem : &s.view;
        double impulses[MOST_ROWS];
        draw_impulses(&random, p, impulses);
        evaluation e = evaluate(p, impulses);
        scree_certificate c = certify(p, impulses);
        agrees(c.residual, e.residual, e.residual, "residual", i);
        agrees(c.absolute_siconos, e.absolute, e.absolute, "absolute_siconos", i);
        agrees(c.residual_siconos, e.siconos, e.siconos, "residual_siconos", i);
        agrees(c.cone_violation, e.cone, 1 + e.cone, "cone_violation", i);
        agrees(c.normal_violation, e.normal, 1 + e.normal, "normal_violation", i);
        agrees(c.complementarity, e.complementarity, 1 + e.complementarity, "complementarity", i);
        for (int k = 0; k < 3; ++k) {
            agrees(c.dissipation[k], e.dissipation[k], 10, "dissipation", i);
        }
        require(c.worst_contact == e.worst, "case %d: contact %d, not %d", i, (int)c.worst_contact,
                (int)e.worst);
        scree_problem_store_release(&store);
        sample_end(&s);
    }
}

/* ---- what must not matter ---- */

/* A problem in dense storage: one full block row per contact. */
static sample dense_problem(scri_random* random, int32_t n)
{
    sample from = draw_contacts(random, n, 1);
    draw_bodies(&from, random, 4);
    for (int32_t b = 0; b < 4; ++b) { /* all move, so that every diagonal entry is positive */
        from.inv_mass[b] = draw_power(random, -1.0, 1.0);
        draw_inertia(random, 5.0 * from.inv_mass[b], from.inv_inertia + 6 * b);
    }
    for (int32_t c = 0; c < n; ++c) from.pair[2 * c] = c % 4, from.pair[2 * c + 1] = (c + 1) % 4;
    dense w = dense_w(from.arena, &from.view, NULL);
    size_t blocks = (size_t)n * (size_t)n;
    from.w_start = sample_take(&from, (size_t)n + 1, sizeof(int32_t));
    from.w_column = sample_take(&from, blocks, sizeof(int32_t));
    from.w_offset = sample_take(&from, blocks + 1, sizeof(int64_t));
    from.w_value = sample_take(&from, (size_t)w.n * (size_t)w.n, sizeof(double));
    int32_t k = 0;
    int64_t e = 0;
    for (int32_t c = 0; c < n; ++c) {
        for (int32_t d = 0; d < n; ++d) {
            from.w_column[k++] = d;
            for (int32_t i = from.row[c]; i < from.row[c + 1]; ++i) {
                for (int32_t j = from.row[d]; j < from.row[d + 1]; ++j) {
                    from.w_value[e++] = (double)*dense_at(&w, i, j);
                }
            }
            from.w_offset[k] = e;
        }
        from.w_start[c + 1] = k;
    }
    from.view.form = SCREE_FORM_ASSEMBLED;
    from.view.w = (scree_bsr){from.w_start, from.w_column, from.w_offset, from.w_value};
    return from;
}

/* value of row i, column j of block (c, d) */
static double* entry(const sample* s, int32_t c, int32_t d, int i, int j)
{
    int32_t k = s->w_start[c] + d;
    return s->w_value + s->w_offset[k] + (int64_t)i * (s->row[d + 1] - s->row[d]) + j;
}

/* Whether row i of a kind of rows turns instead of pushing. */
static int turns(int rows, int i)
{
    return i >= 3 || (rows == SCREE_ROWS_NTR && i == 2);
}

/* Other units of length, mass and time change every number, but not the residual. */
static void units_do_not_matter(void** state)
{
    (void)state;
    scri_random random = test_seed("units", 82);
    double worst = 0.0;
    for (int i = 0; i < 100; ++i) {
        int32_t n = 1 + draw_below(&random, 8);
        sample s = dense_problem(&random, n);
        if (i % 2) sample_add_compliance(&s, &random, 0.1);
        double p[MOST_ROWS];
        draw_impulses(&random, &s.view, p);
        double before = certify(&s.view, p).residual;
        double length = draw_power(&random, -6.0, 6.0), mass = draw_power(&random, -6.0, 6.0);
        double time = draw_power(&random, -6.0, 6.0);
        for (int32_t c = 0; c < n; ++c) {
            for (int32_t a = s.row[c]; a < s.row[c + 1]; ++a) {
                double arm = turns(s.rows[c], a - s.row[c]) ? length : 1.0;
                p[a] *= mass * length / time * arm;
                s.q[a] *= length / time / arm;
                if (s.compliance) s.compliance[a] /= mass * arm * arm;
            }
            for (int32_t d = 0; d < n; ++d) {
                for (int a = 0; a < s.row[c + 1] - s.row[c]; ++a) {
                    for (int b = 0; b < s.row[d + 1] - s.row[d]; ++b) {
                        *entry(&s, c, d, a, b) /= mass * (turns(s.rows[c], a) ? length : 1.0) *
                                                  (turns(s.rows[d], b) ? length : 1.0);
                    }
                }
            }
            double* coef = s.coef + 3 * c;
            if (s.law[c] == SCREE_LAW_INTERVAL) {
                coef[0] *= mass * length / time;
                coef[1] *= mass * length / time;
            } else {
                coef[1] *= length;
                coef[2] *= length;
            }
        }
        double after = certify(&s.view, p).residual, gap = fabs(after - before) / before;
        require(gap <= 1e-12, "case %d: residual %.17g, then %.17g", i, before, after);
        worst = fmax(worst, gap);
        sample_end(&s);
    }
    print_message("100 problems, largest change %.2g\n", worst);
}

static void labels_do_not_matter(void** state)
{
    (void)state;
    scri_random random = test_seed("labels", 83);
    for (int i = 0; i < 100; ++i) {
        int32_t n = 2 + draw_below(&random, 8), order[10];
        sample s = dense_problem(&random, n);
        double p[MOST_ROWS], moved[MOST_ROWS];
        draw_impulses(&random, &s.view, p);
        for (int32_t c = 0; c < n; ++c) {
            int32_t other = draw_below(&random, c + 1);
            order[c] = order[other];
            order[other] = c;
        }
        int rows[10], law[10];
        for (int32_t c = 0; c < n; ++c) rows[c] = s.rows[order[c]], law[c] = s.law[order[c]];
        sample t = sample_begin(n, rows, law);
        t.w_start = s.w_start, t.w_column = s.w_column;
        t.w_offset = sample_take(&t, (size_t)(n * n) + 1, sizeof(int64_t));
        t.w_value = sample_take(&t, (size_t)s.w_offset[n * n], sizeof(double));
        for (int32_t c = 0; c < n; ++c) {
            for (int k = 0; k < 3; ++k) t.coef[3 * c + k] = s.coef[3 * order[c] + k];
            for (int32_t a = 0; a < t.row[c + 1] - t.row[c]; ++a) {
                t.q[t.row[c] + a] = s.q[s.row[order[c]] + a];
                moved[t.row[c] + a] = p[s.row[order[c]] + a];
            }
            for (int32_t d = 0; d < n; ++d) {
                int32_t k = c * n + d, height = t.row[c + 1] - t.row[c];
                t.w_offset[k + 1] = t.w_offset[k] + height * (t.row[d + 1] - t.row[d]);
                for (int a = 0; a < height; ++a) {
                    for (int b = 0; b < t.row[d + 1] - t.row[d]; ++b) {
                        *entry(&t, c, d, a, b) = *entry(&s, order[c], order[d], a, b);
                    }
                }
            }
        }
        t.view.w = (scree_bsr){t.w_start, t.w_column, t.w_offset, t.w_value};
        assert_int_equal(scree_problem_validate(NULL, &t.view), SCREE_OK);
        scree_certificate before = certify(&s.view, p), after = certify(&t.view, moved);
        double gap = fabs(before.residual - after.residual);
        require(gap <= 1e-13 * before.residual, "case %d: residual %.17g, then %.17g", i,
                before.residual, after.residual);
        gap = fabs(before.residual_siconos - after.residual_siconos);
        require(gap <= 1e-13 * before.residual_siconos, "case %d: siconos", i);
        assert_int_equal(order[after.worst_contact], before.worst_contact);
        sample_end(&t);
        sample_end(&s);
    }
}

/* Turning t1, t2 about n in every contact with a cone changes no length and no scale. */
static void tangent_frames_do_not_matter(void** state)
{
    (void)state;
    scri_random random = test_seed("tangent frames", 84);
    for (int i = 0; i < 100; ++i) {
        int32_t n = 1 + draw_below(&random, 8);
        sample s = draw_contacts(&random, n, 1);
        draw_bodies(&s, &random, 4);
        double p[MOST_ROWS];
        draw_impulses(&random, &s.view, p);
        scree_certificate before = certify(&s.view, p);
        for (int32_t c = 0; c < n; ++c) {
            if (s.law[c] > SCREE_LAW_COUPLED) continue; /* rows of equal rank are not turned */
            double angle = draw_between(&random, 0.0, 6.28), x = cos(angle), y = sin(angle);
            double *t1 = s.frame + 9 * c + 3, *t2 = t1 + 3;
            for (int k = 0; k < 3; ++k) {
                double old = t1[k];
                t1[k] = x * old + y * t2[k];
                t2[k] = x * t2[k] - y * old;
            }
            row_shape f = shape_of(s.rows[c]);
            for (int k = 0; k < CHANNELS; ++k) {
                if (f.dim[k] != 2) continue;
                double* vectors[2] = {p + s.row[c] + f.first[k], s.q + s.row[c] + f.first[k]};
                for (int v = 0; v < 2; ++v) {
                    double old = vectors[v][0];
                    vectors[v][0] = x * old + y * vectors[v][1];
                    vectors[v][1] = x * vectors[v][1] - y * old;
                }
            }
        }
        scree_certificate after = certify(&s.view, p);
        require(fabs(before.residual - after.residual) <= 1e-12 * before.residual,
                "case %d: residual %.17g, then %.17g", i, before.residual, after.residual);
        assert_int_equal(after.worst_contact, before.worst_contact);
        for (int k = 0; k < 3; ++k) {
            require(fabs(before.dissipation[k] - after.dissipation[k]) <= 1e-12 * (1.0 + n),
                    "case %d: dissipation %d", i, k);
        }
        sample_end(&s);
    }
}

/* ---- NaN ---- */

static void not_a_number_makes_the_residual_one(void** state)
{
    (void)state;
    scri_random random = test_seed("NaN", 85);
    int n_slots = 0;
    for (int i = 0; i < 60; ++i) {
        int form = i % 3;
        sample s = draw_contacts(&random, 1 + draw_below(&random, 6), form != 1);
        if (form == 1)
            draw_factors(&s, &random, 10, 4);
        else
            draw_bodies(&s, &random, 3);
        scree_problem_store store = {.memory = NULL};
        if (form == 2) assert_int_equal(scree_problem_reduce(NULL, &s.view, &store), SCREE_OK);
        const scree_problem* problem = form == 2 ? &store.problem : &s.view;
        for (int32_t slot = 0; slot < s.row[s.view.n_contacts]; ++slot) {
            double p[MOST_ROWS];
            draw_impulses(&random, &s.view, p);
            p[slot] = NOT_A_NUMBER;
            scree_certificate c = certify(problem, p);
            require(isnan(c.residual), "case %d, slot %d: residual %g", i, (int)slot, c.residual);
            require(isnan(c.residual_siconos), "case %d, slot %d: siconos %g", i, (int)slot,
                    c.residual_siconos);
            assert_true(c.worst_contact >= 0);
            p[slot] = (double)INFINITY;
            c = certify(problem, p);
            require(!(c.residual < 1.0), "case %d, slot %d: residual %g of infinity", i, (int)slot,
                    c.residual);
            ++n_slots;
        }
        scree_problem_store_release(&store);
        sample_end(&s);
    }
    print_message("%d slots\n", n_slots);
}

/* ---- solved contacts ---- */

/* Contacts that do not touch each other, each solved alone: the residual vanishes, and each channel
 * dissipates mu_k |y_k| r_N. */
static void sliding_contacts_dissipate_by_channel(void** state)
{
    (void)state;
    scri_random random = test_seed("dissipation", 86);
    real expected[3] = {0, 0, 0};
    enum { COUNT = 6 };
    int rows[COUNT], law[COUNT];
    for (int c = 0; c < COUNT; ++c) rows[c] = 1 + c, law[c] = SCREE_LAW_EXACT;
    sample s = sample_begin(COUNT, rows, law);
    int32_t start[COUNT + 1], column[COUNT];
    int64_t offset[COUNT + 1] = {0};
    double value[91] = {0.0}, p[21] = {0.0}; /* 1 + 4 + ... + 36 and 1 + 2 + ... + 6 */
    start[0] = 0;
    for (int c = 0; c < COUNT; ++c) {
        int n = rows[c];
        start[c + 1] = c + 1, column[c] = c, offset[c + 1] = offset[c] + n * n;
        double *w = value + offset[c], *q = s.q + s.row[c], *r = p + s.row[c];
        for (int k = 0; k < 3; ++k) s.coef[3 * c + k] = draw_between(&random, 0.1, 0.5);
        for (int i = 0; i < n; ++i) {
            for (int j = 0; j < n; ++j) w[i * n + j] = i == j ? 1.0 + i : 0.1;
            q[i] = i == 0 ? -1.0 : 5.0 * draw_sign(&random); /* everything slips */
        }
        assert_int_equal(
            scree_one_contact_solve((scree_rows)n, SCREE_LAW_EXACT, s.coef + 3 * c, w, q, r),
            SCREE_ONE_CONTACT_NEWTON);
        row_shape f = shape_of(n);
        for (int k = 0; k < CHANNELS; ++k) {
            real y[2] = {0, 0};
            for (int i = 0; i < f.dim[k]; ++i) {
                y[i] = (real)q[f.first[k] + i];
                for (int j = 0; j < n; ++j) y[i] += (real)w[(f.first[k] + i) * n + j] * (real)r[j];
            }
            real slip = reference_norm(f.dim[k], y);
            if (f.dim[k]) require(slip > 0.5, "contact %d, channel %d does not slip", c, k);
            expected[k] += (real)s.coef[3 * c + k] * slip * (real)r[0];
        }
    }
    s.view.w = (scree_bsr){start, column, offset, value};
    scree_certificate c = certify(&s.view, p);
    require(c.residual <= 1e-14, "residual %g", c.residual);
    for (int k = 0; k < 3; ++k) {
        require(real_abs((real)c.dissipation[k] - expected[k]) <= 1e-13 * expected[k],
                "channel %d: %.17g, not %.17g", k, c.dissipation[k], (double)expected[k]);
    }
    require(c.normal_violation <= 1e-14 && c.cone_violation <= 1e-15 && c.complementarity <= 1e-13,
            "violations %g %g %g", c.normal_violation, c.cone_violation, c.complementarity);

    /* the worst contact is the one that is disturbed */
    for (int32_t b = 0; b < COUNT; ++b) {
        double disturbed[21];
        memcpy(disturbed, p, sizeof p);
        disturbed[s.row[b]] *= 1.001;
        assert_int_equal(certify(&s.view, disturbed).worst_contact, b);
        disturbed[s.row[(b + 1) % COUNT]] *= 1.5;
        assert_int_equal(certify(&s.view, disturbed).worst_contact, (b + 1) % COUNT);
        disturbed[s.row[(b + 2) % COUNT]] = NOT_A_NUMBER;
        assert_int_equal(certify(&s.view, disturbed).worst_contact, (b + 2) % COUNT);
    }
    sample_end(&s);
}

/* Compliance is part of the operator: 0.5 more on a diagonal of 2 makes the stop need less. */
static void compliance_counts(void** state)
{
    (void)state;
    const int rows[1] = {SCREE_ROWS_N}, law[1] = {SCREE_LAW_EXACT};
    static const int32_t start[2] = {0, 1}, column[1] = {0};
    static const int64_t offset[2] = {0, 1};
    static const double value[1] = {2.0};
    sample s = sample_begin(1, rows, law);
    double compliance[1] = {0.5}, stiff[1] = {1.5}, soft[1] = {1.2}, y[1];
    s.q[0] = -3.0;
    s.view.w = (scree_bsr){start, column, offset, value};
    assert_true(certify(&s.view, stiff).residual == 0.0);
    s.view.compliance = compliance;
    assert_true(certify(&s.view, soft).residual <= 1e-16);
    assert_int_equal(scree_problem_velocity(NULL, &s.view, stiff, y), SCREE_OK);
    assert_true(y[0] == 0.75);
    /* scale sqrt(2.5): |y'| / max(|q'|, |p'|, |y'|) with p' = 1.5 sqrt(2.5) */
    double scale = sqrt(2.5), size = fmax(3.0 / scale, 1.5 * scale);
    near(certify(&s.view, stiff).residual, 0.75 / scale / size, "residual with compliance");
    sample_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_contacts_by_hand),
        cmocka_unit_test(violations_by_hand),
        cmocka_unit_test(nothing_at_all_is_a_solution_of_nothing),
        cmocka_unit_test(against_an_independent_evaluation),
        cmocka_unit_test(units_do_not_matter),
        cmocka_unit_test(labels_do_not_matter),
        cmocka_unit_test(tangent_frames_do_not_matter),
        cmocka_unit_test(not_a_number_makes_the_residual_one),
        cmocka_unit_test(sliding_contacts_dissipate_by_channel),
        cmocka_unit_test(compliance_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
