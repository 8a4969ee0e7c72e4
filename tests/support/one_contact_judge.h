/* Solves random one-contact problems and judges every answer by the scaled natural map, evaluated
 * in extended precision by code that shares nothing with the library. */
#ifndef SUPPORT_ONE_CONTACT_JUDGE_H
#define SUPPORT_ONE_CONTACT_JUDGE_H

#include "scree/solver.h"
#include "support/one_contact_problems.h"
#include "support/reference.h"
#include "support/test.h"

#define ONE_CONTACT_TOLERANCE 1e-12

static const char* const row_names[] = {"", "N", "NT", "NTT", "NTTS", "NTTRR", "NTTRRS", "NTR"};

typedef struct tally {
    long n, fail_safe, none, bad;
    long misses_percent; /* how many may miss the tolerance; all must have an answer */
    real worst;
} tally;

static inline void print_one_contact(const one_contact_problem* c, const double* p)
{
    int n = shape_of((int)c->rows).width;
    print_message("  rows %s, coef %.17g %.17g %.17g\n  w", row_names[c->rows], c->coef[0],
                  c->coef[1], c->coef[2]);
    for (int i = 0; i < n * n; ++i) print_message(" %.17g", c->w[i]);
    print_message("\n  q");
    for (int i = 0; i < n; ++i) print_message(" %.17g", c->q[i]);
    print_message("\n  p");
    for (int i = 0; i < n; ++i) print_message(" %.17g", p[i]);
    print_message("\n");
}

/* What rounding the impulses alone may leave as residual: it enters the velocities through w, and
 * from there the normal row times the friction coefficients, which in scaled variables are huge for
 * bodies that resist turning far less than pushing. */
static inline real rounding_floor(const one_contact_problem* c, const double* p)
{
    row_shape s = shape_of((int)c->rows);
    real steep = 1, moved = 0, size = 0;
    for (int k = 0; k < 3; ++k) {
        if (!s.dim[k]) continue;
        int row = s.first[k];
        steep += (real)c->coef[k] * real_sqrt((real)c->w[row * s.width + row] / (real)c->w[0]);
    }
    for (int i = 0; i < s.width; ++i) {
        for (int j = 0; j < s.width; ++j) {
            moved += real_abs((real)c->w[i * s.width + j] * (real)p[j]) /
                     real_sqrt((real)c->w[i * s.width + i]);
        }
        size += real_abs((real)p[i]) * real_sqrt((real)c->w[i * s.width + i]);
    }
    return size > 0 ? 2.3e-16 * steep * moved / size : 0;
}

/* Solves from `guess` (zeros where NULL) and judges; prints the first few failures in full. */
static inline void judge(const one_contact_problem* c, scree_law law, const double* guess, tally* t)
{
    double p[6] = {0.0};
    if (guess) memcpy(p, guess, sizeof p);
    scree_one_contact_way how = scree_one_contact_solve(c->rows, law, c->coef, c->w, c->q, p);
    t->fail_safe += how == SCREE_ONE_CONTACT_FAIL_SAFE;
    t->none += how == SCREE_ONE_CONTACT_NONE;
    real residual = reference_residual((int)c->rows, (int)law, c->coef, c->w, c->q, p);
    if (!(residual <= t->worst)) t->worst = residual;
    if (how != SCREE_ONE_CONTACT_NONE &&
        residual <= real_max(ONE_CONTACT_TOLERANCE, rounding_floor(c, p))) {
        return;
    }
    if (t->bad++ < 2) {
        print_message("case %ld, law %s, %s, residual %.3g\n", t->n, scree_law_name((int)law),
                      how == SCREE_ONE_CONTACT_NEWTON      ? "Newton"
                      : how == SCREE_ONE_CONTACT_FAIL_SAFE ? "fail-safe"
                                                           : "no solution",
                      (double)residual);
        print_one_contact(c, p);
    }
}

static inline void report(const char* name, const tally* t)
{
    print_message("%s: %ld tried, %ld by the fail-safe, %ld missed, worst residual %.2g\n", name,
                  t->n, t->fail_safe, t->bad, (double)t->worst);
    require(t->bad * 100 <= t->n * t->misses_percent,
            "%s: %ld of %ld are not solved (%ld without an answer)", name, t->bad, t->n, t->none);
}

/* Case n is drawn from a stream of its own, so that it can be drawn alone. */
static inline void draw_case(scri_random* random, long n)
{
    random->stream = (uint64_t)n;
    random->counter = 0;
}

static inline void solve_many(one_contact_family family, scree_rows rows, scree_law law, long count)
{
    char name[64];
    snprintf(name, sizeof name, "%s %s", scree_law_name((int)law), row_names[rows]);
    scri_random random = test_seed(name, 1000 + 10 * (uint64_t)law + (uint64_t)rows);
    tally t = {.misses_percent = family == ONE_CONTACT_NEARLY_SINGULAR};
    for (; t.n < count; ++t.n) {
        one_contact_problem c;
        draw_case(&random, t.n);
        one_contact_draw(&random, family, rows, &c);
        judge(&c, law, NULL, &t);
    }
    report(name, &t);
}

#endif
