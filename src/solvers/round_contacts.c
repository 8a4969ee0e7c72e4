#include "solvers/round_contacts.h"

#include "laws/set_cone.h"
#include "problem/bodies_kernel.h"

#include <math.h>
#include <string.h>

/* The ellipses of sliding and rolling; 0 where there are other sets. */
static int find_ellipses(const scree_problem* p, int32_t c, scri_ellipses sets[2])
{
    static const scri_ellipses disc = {{1.0, 0.0, 1.0}, {1.0, 0.0, 1.0}};
    scri_terms terms = scri_terms_of(p, c, p->coef);
    for (int k = 0; k < 2; ++k) {
        scri_channel_sets own = scri_channel_sets_of(terms, k);
        sets[k] = disc;
        if (!own.c.v) continue;
        if (own.with_spin) return 0;
        if (!scri_set_as_ellipse(own.c, sets[k].c)) return 0;
        memcpy(sets[k].d, sets[k].c, sizeof sets[k].d);
        if (own.d.v == own.c.v) continue;
        if (!scri_set_as_ellipse(own.d, sets[k].d)) return 0;
        if (!scri_ellipses_share_axes(&sets[k])) return 0;
    }
    return 1;
}

/* Friction by channels, with discs or ellipses; a law that lifts off with discs alone. */
static int has_ellipses(const scree_problem* p, int32_t c)
{
    scri_ellipses sets[2];
    const scri_law* law = scri_law_of(p, c);
    if (!scri_law_is(law, SCREE_LAW_HAS_CHANNELS)) return 0;
    if (!scri_law_is(law, SCRI_LAW_JUDGED_BY_REACTION)) return 1;
    if (scri_law_is(law, SCREE_LAW_IS_ASSOCIATED)) return 0;
    if (scri_law_is(law, SCREE_LAW_MAY_HAVE_DIRECTIONS)) return find_ellipses(p, c, sets);
    const int32_t* set = p->set + 4 * (size_t)c; /* D is C: a look at its kind will do */
    if (scri_channel_sets_of(scri_terms_of(p, c, p->coef), SCRI_SLIDE).with_spin) return 0;
    return (set[0] < 0 || scri_set_is_ellipse(scri_set_at(&p->sets, set[0]))) &&
           (set[2] < 0 || scri_set_is_ellipse(scri_set_at(&p->sets, set[2])));
}

int scri_round_lifts(const scree_problem* p, int32_t c)
{
    return scri_law_is(scri_law_of(p, c), SCREE_LAW_IS_ASSOCIATED);
}

/* Whether no row of contact c yields by itself. */
static int is_rigid(const scree_problem* p, int32_t c)
{
    for (int32_t i = p->first_row[c]; p->compliance && i < p->first_row[c + 1]; ++i) {
        if (p->compliance[i] != 0.0) return 0;
    }
    return 1;
}

int scri_round_fits(const scree_problem* p, int32_t c)
{
    const scree_bodies* b = &p->bodies;
    const double* n = b->frame + 9 * (size_t)c;
    if (!has_ellipses(p, c) || scri_bodies_general(b, c) || !is_rigid(p, c)) return 0;
    for (size_t side = 0; side < 2; ++side) {
        int32_t body = b->pair[2 * (size_t)c + side];
        const double* arm = b->arm + 6 * (size_t)c + 3 * side;
        if (body < 0 || !scri_bodies_is_round(b, body)) return 0;
        if (b->inv_mass[body] == 0.0) continue; /* the arm of an immovable body has no effect */
        if (!(b->inv_inertia[6 * (size_t)body] > 0.0)) return 0; /* moves but cannot turn */
        double out[3];
        scri_cross(arm, n, out);
        double limit = 1e-14 * fabs(scri_dot3(arm, n));
        if (!(fabs(out[0]) <= limit && fabs(out[1]) <= limit && fabs(out[2]) <= limit)) return 0;
    }
    return b->pair[2 * (size_t)c] != b->pair[2 * (size_t)c + 1];
}

/* Into room[2]; discs have zeros. */
static void fill_sets(const scree_problem* p, int32_t c, scri_round_ellipses* room)
{
    scri_ellipses found[2];
    memset(room, 0, 2 * sizeof *room);
    if (!scri_law_is(scri_law_of(p, c), SCRI_LAW_JUDGED_BY_REACTION)) return;
    if (!find_ellipses(p, c, found)) return;
    for (int k = 0; k < 2; ++k) {
        memcpy(room[k].c, found[k].c, sizeof room[k].c);
        memcpy(room[k].d, found[k].d, sizeof room[k].d);
    }
}

void scri_round_fill(const scree_problem* p, int32_t c, scri_round_contact* out,
                     scri_round_ellipses* room)
{
    const scree_bodies* b = &p->bodies;
    scri_layout layout = scri_layout_of(p->rows[c]);
    const double *frame = b->frame + 9 * (size_t)c, *q = p->q + p->first_row[c];
    const double* arm = b->arm + 6 * (size_t)c;
    int32_t on_a = b->pair[2 * (size_t)c], on_b = b->pair[2 * (size_t)c + 1];
    *out = (scri_round_contact){.a = {on_a},
                                .b = {on_b},
                                .n = {frame[0], frame[1], frame[2]},
                                .t1 = {frame[3], frame[4], frame[5]}};
    for (int i = 0; i < 3; ++i) {
        out->mu[i] = layout.dim[i] ? p->coef[3 * (size_t)c + (size_t)i] : 0.0;
    }
    if (room) fill_sets(p, c, room);
    out->arm_a = scri_dot3(arm, frame);
    out->arm_b = scri_dot3(arm + 3, frame);
    scri_round_side side_a = {.inv_mass = b->inv_mass[on_a],
                              .inv_inertia = b->inv_inertia[6 * (size_t)on_a]};
    scri_round_side side_b = {.inv_mass = b->inv_mass[on_b],
                              .inv_inertia = b->inv_inertia[6 * (size_t)on_b]};
    scri_round_invert(&side_a, &side_b, out);
    out->q[0] = q[0];
    for (int k = 0, slot = 1; k < SCRI_CHANNELS; slot += 2, ++k) {
        for (int i = 0; i < layout.dim[k]; ++i) out->q[slot + i] = q[layout.first[k] + i];
    }
}

/* The kernel's first row of each channel. */
static const int slot[SCRI_CHANNELS] = {1, 3, 5};

void scri_round_load(int rows, const double* p, double round[6])
{
    scri_layout layout = scri_layout_of(rows);
    round[0] = p[0];
    for (int k = 0; k < SCRI_CHANNELS; ++k) {
        for (int i = 0; i < layout.dim[k]; ++i) round[slot[k] + i] = p[layout.first[k] + i];
    }
}

void scri_round_store(int rows, const double round[6], double* p)
{
    scri_layout layout = scri_layout_of(rows);
    p[0] = round[0];
    for (int k = 0; k < SCRI_CHANNELS; ++k) {
        for (int i = 0; i < layout.dim[k]; ++i) p[layout.first[k] + i] = round[slot[k] + i];
    }
}
