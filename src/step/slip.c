/* Friction that depends on how fast a contact slips: static and kinetic, Stribeck's curve.
 *
 * Each step stays a problem with given coefficients: those of the slip at its beginning,
 *
 *     mu(w) = mu + (mu_static - mu) / (1 + (w / stribeck)^2) + viscous w
 *
 * (Hess and Soom's form, which needs no function but division), and mu_static where the contact
 * sticks. With stribeck = 0 that is a jump: a contact that stuck in the last step may carry
 * mu_static, and from the first step after it has slipped it carries mu until it sticks again.
 *
 * Whether it stuck is read from its impulse, not from its velocity, which an iteration leaves
 * nearly zero at best: inside the set of its channel it sticks, on the edge it slips. */
#include "cones/layout_kernel.h"
#include "math/vec.h"
#include "step/step.h"

#include <math.h>

/* Impulses are on the edge of their set to this share. Bodies that one of their contacts holds may
 * have others on the edge: velocities are zero to this share of what gravity gives in a step, and
 * to these multiples of the residual that the step was solved to. */
#define EDGE 1e-11
#define STILL 1e-10
#define RESIDUALS 8.0

/* How much of what channel k may carry it does carry, in units of its coefficient times p_N. */
static double gauge_of(const scree_world* world, int32_t c, int k, int dim, const double* p)
{
    const scree_problem* problem = &world->problem;
    int32_t set = problem->set && k != SCRI_SPIN ? problem->set[4 * (size_t)c + 2 * (size_t)k] : -1;
    if (dim == 1) return fabs(p[0]);
    if (set < 0) return sqrt(p[0] * p[0] + p[1] * p[1]);
    double opposite[2] = {-p[0], -p[1]};
    return scri_set_gauge(scri_set_at(&problem->sets, set), opposite, NULL, NULL);
}

static int is_inside(const scree_world* world, int32_t c, int k)
{
    const scri_contacts_table* t = &world->contacts;
    scri_layout layout = scri_layout_of(t->rows[c]);
    const double* p = t->p + t->first_row[c];
    double most = t->coef[3 * (size_t)c + (size_t)k] * p[0];
    return gauge_of(world, c, k, layout.dim[k], p + layout.first[k]) < (1.0 - EDGE) * most;
}

/* The rate of channel k of contact c with relative velocities y: m/s or rad/s; 0 up to a share
 * `still` of what gravity gives in a step. */
static double rate_of(const scree_world* world, int32_t c, int k, const double* y, double still)
{
    const scri_contacts_table* t = &world->contacts;
    scri_layout layout = scri_layout_of(t->rows[c]);
    double square = 0.0;
    for (int i = 0; i < layout.dim[k]; ++i) {
        square += y[layout.first[k] + i] * y[layout.first[k] + i];
    }
    double rate = sqrt(square);
    const double* arm = t->arm + 6 * (size_t)c;
    double length = k == SCRI_SLIDE ? 1.0
                                    : fmax(scri_vec_length(scri_vec_load(arm)),
                                           scri_vec_length(scri_vec_load(arm + 3)));
    return rate * length <= still * scri_step_gravity_speed(world) ? 0.0 : rate;
}

void scri_step_note_slip(scree_world* world)
{
    const scri_contacts_table* t = &world->contacts;
    if (!world->has_slip) return;
    for (int32_t c = 0; c < world->n_touching; ++c) {
        double still = fmax(STILL, RESIDUALS * world->parts.report[t->part[c]].residual);
        for (int k = 0; k < SCRI_CHANNELS; ++k) {
            const double* after = t->after + 6 * (size_t)c;
            t->slip[3 * (size_t)c + (size_t)k] =
                is_inside(world, c, k) ? 0.0 : rate_of(world, c, k, after, still);
        }
    }
}

static double coefficient(const scree_slip* law, double in_motion, double rate)
{
    double extra = fmax(law->at_rest - in_motion, 0.0);
    if (rate == 0.0) return in_motion + extra;
    double share = law->rate > 0.0 ? rate / law->rate : HUGE_VAL;
    return in_motion + extra / (1.0 + share * share) + law->viscous * rate;
}

void scri_step_slip(scree_world* world, int32_t c, int again)
{
    scri_contacts_table *t = &world->contacts, *last = &world->last;
    const scri_pair* pair = scri_contact_pair(world, c);
    const double coef[3] = {pair->material.mu, pair->material.mu_r, pair->material.mu_s};
    int32_t j = t->was[c];
    if (!pair->has_slip) return;
    for (int k = 0; k < SCRI_CHANNELS; ++k) {
        if (k == SCRI_ROLL && pair->has_ground) continue; /* rolling.c */
        size_t at = 3 * (size_t)c + (size_t)k, then = 3 * (size_t)j + (size_t)k;
        if (again && j >= 0) {
            t->coef[at] = last->coef[then];
            continue;
        }
        double rate =
            j >= 0 ? last->slip[then] : rate_of(world, c, k, t->before + 6 * (size_t)c, STILL);
        t->coef[at] = coefficient(&pair->material.slip[k], coef[k], rate);
    }
}
