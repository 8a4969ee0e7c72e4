#include "solvers/solid_contacts.h"

#include "laws/law.h"
#include "problem/bodies_kernel.h"

#include <math.h>
#include <string.h>

/* Below this share of the product of its diagonal the determinant of a block is rounding. */
#define LEAST_DETERMINANT 1e-12

static int fits(const scree_problem* p, int32_t c)
{
    const scri_law* law = scri_law_of(p, c);
    const int32_t* pair = p->bodies.pair + 2 * (size_t)c;
    if (p->rows[c] != SCREE_ROWS_NTT || scri_bodies_general(&p->bodies, c)) return 0;
    if (!scri_law_is_coulomb(law) || scri_law_is(law, SCRI_LAW_JUDGED_BY_REACTION)) return 0;
    if (!(p->coef[3 * (size_t)c] > 0.0) || pair[0] < 0 || pair[1] < 0) return 0;
    for (int32_t i = p->first_row[c]; p->compliance && i < p->first_row[c + 1]; ++i) {
        if (p->compliance[i] != 0.0) return 0; /* yields by itself */
    }
    return pair[0] != pair[1];
}

/* The inverse of a symmetric block, NN NT1 NT2 T1T1 T1T2 T2T2; 0 where it has none. */
static int invert(const double* w, double* out)
{
    double nn = w[3] * w[5] - w[4] * w[4], n1 = w[2] * w[4] - w[1] * w[5];
    double n2 = w[1] * w[4] - w[2] * w[3], det = w[0] * nn + w[1] * n1 + w[2] * n2;
    if (!(det > LEAST_DETERMINANT * (w[0] * w[3] * w[5])) || !isfinite(1.0 / det)) return 0;
    out[0] = nn / det;
    out[1] = n1 / det;
    out[2] = n2 / det;
    out[3] = (w[0] * w[5] - w[2] * w[2]) / det;
    out[4] = (w[1] * w[2] - w[0] * w[4]) / det;
    out[5] = (w[0] * w[3] - w[1] * w[1]) / det;
    return 1;
}

static scri_round_vec vec_of(const double* x)
{
    return (scri_round_vec){x[0], x[1], x[2]};
}

int scri_solid_fill(const scri_operator* op, int32_t c, scri_round_solid* out)
{
    const scree_problem* p = op->problem;
    const scree_bodies* b = &p->bodies;
    if (!fits(p, c)) return 0;
    const double *frame = b->frame + 9 * (size_t)c, *arm = b->arm + 6 * (size_t)c;
    int32_t on_a = b->pair[2 * (size_t)c], on_b = b->pair[2 * (size_t)c + 1];
    double block[9];
    scri_operator_block(op, c, block);
    *out = (scri_round_solid){
        .a = {on_a},
        .b = {on_b},
        .n = vec_of(frame),
        .t1 = vec_of(frame + 3),
        .t2 = vec_of(frame + 6),
        .arm_a = vec_of(arm),
        .arm_b = vec_of(arm + 3),
        .w = {block[0], block[1], block[2], block[4], block[5], block[8]},
        .mu = p->coef[3 * (size_t)c],
    };
    if (b->inv_mass[on_a] > 0.0) {
        memcpy(out->turn_a, b->inv_inertia + 6 * (size_t)on_a, sizeof out->turn_a);
    }
    if (b->inv_mass[on_b] > 0.0) {
        memcpy(out->turn_b, b->inv_inertia + 6 * (size_t)on_b, sizeof out->turn_b);
    }
    memcpy(out->q, p->q + p->first_row[c], sizeof out->q);
    return invert(out->w, out->stick);
}
