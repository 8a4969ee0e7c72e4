/* Problems in which contacts that lanes take stand beside those that they leave out. */
#ifndef TESTS_MIXTURES_H
#define TESTS_MIXTURES_H

#include "support/solving.h"

/* Coefficients of every kind, contacts of one pair of bodies, and free velocities that vanish. */
static inline void vary(scri_random* random, sample* s)
{
    for (int32_t c = 0; c < s->view.n_contacts; ++c) {
        int kind = (int)scri_random_below(random, 6);
        for (int i = 0; i < 3; ++i) {
            s->coef[3 * c + i] = kind == 0   ? 0.0
                                 : kind == 1 ? 1e9
                                             : draw_between(random, 0.0, i ? 0.1 : 1.0);
        }
        for (int32_t i = s->row[c]; kind == 2 && i < s->row[c + 1]; ++i) s->q[i] = 0.0;
        for (int32_t i = s->row[c] + 1; kind == 3 && i < s->row[c + 1]; ++i) s->q[i] = -0.0;
    }
}

enum { MIXED_CONTACTS = 240, MIXED_BODIES = 60 };

/* Runs of contacts of one kind with others among them, of bodies, walls that are none, and joints.
 */
static inline sample draw_mixture(scri_random* random, int32_t* general, double* jacobian)
{
    static const int kinds[] = {SCREE_ROWS_NTTRRS, SCREE_ROWS_NTT, SCREE_ROWS_NTTRR, SCREE_ROWS_N};
    int rows[MIXED_CONTACTS], law[MIXED_CONTACTS], n_general = 0;
    for (int c = 0, left = 0, kind = 0; c < MIXED_CONTACTS; ++c, --left) {
        if (left == 0) {
            kind = (int)scri_random_below(random, 3) / 2 + (int)scri_random_below(random, 2);
            left = 1 + (int)scri_random_below(random, 40);
        }
        int other = scri_random_below(random, 12) == 0;
        rows[c] = kinds[other ? scri_random_below(random, 4) : (uint32_t)kind];
        law[c] = other && c % 2 ? SCREE_LAW_CONVEX : SCREE_LAW_EXACT;
    }
    sample s = sample_begin(MIXED_CONTACTS, rows, law);
    draw_bodies(&s, random, MIXED_BODIES);
    for (int c = 0; c < MIXED_CONTACTS; ++c) {
        for (int i = 0; i < 2; ++i) {
            int32_t* body = &s.pair[2 * c + i];
            if (*body < 0 && scri_random_below(random, 8) > 0) *body = 1 + c % (MIXED_BODIES - 1);
        }
        general[c] = -1;
        if (scri_random_below(random, 40) > 0 || rows[c] == SCREE_ROWS_N) continue;
        general[c] = n_general;
        n_general += s.row[c + 1] - s.row[c];
    }
    for (int i = 0; i < 12 * n_general; ++i) jacobian[i] = draw_between(random, -1.0, 1.0);
    s.view.bodies.general = general;
    s.view.bodies.jacobian = jacobian;
    return s;
}

#endif
