#include "laws/proximal.h"

#include "laws/set_cone.h"

#include <string.h>

/* Whether a channel has a set of directions of its own. */
static int is_directed(scri_terms t, int channel)
{
    if (!t.set || channel == SCRI_SPIN || scri_layout_of(t.rows).dim[channel] != 2) return 0;
    if (scri_channel_sets_of(t, channel).with_spin) return 0;
    return t.set[2 * channel + 1] >= 0 && t.set[2 * channel + 1] != t.set[2 * channel];
}

int scri_proximal_is_known(scri_terms t)
{
    scri_channel_sets sets = scri_channel_sets_of(t, SCRI_SLIDE);
    return !sets.with_spin || sets.c.v == sets.d.v;
}

int scri_proximal_fit(scri_terms t, double fit[2])
{
    for (int k = 0; k < 2; ++k) {
        scri_channel_sets sets = scri_channel_sets_of(t, k);
        if (is_directed(t, k)) fit[k] = scri_set_fit(sets.d, sets.c);
    }
    return is_directed(t, 0) || is_directed(t, 1);
}

/* (69) and (70) for the normal impulse n. */
static void step_by_directions(scri_channel_sets sets, double fit, double n, const double x[2],
                               const double z[2], double p[2])
{
    double size = sets.coef * n, f[2] = {-x[0], -x[1]}, back[2];
    if (!(size > 0.0)) {
        p[0] = p[1] = 0.0;
        return;
    }
    double gauge_c = scri_set_gauge(sets.c, f, NULL, NULL) / size;
    double gauge_d = scri_set_gauge(sets.d, f, NULL, NULL) / (fit * size);
    double alpha = 1.0 / (fmax(gauge_d - gauge_c, 0.0) + 1.0); /* D lies in C but for rounding */
    double at[2] = {alpha * f[0] + (x[0] - z[0]), alpha * f[1] + (x[1] - z[1])};
    scri_set_project(sets.d, fit * size, at, back, NULL);
    p[0] = -back[0] / alpha;
    p[1] = -back[1] / alpha;
}

void scri_proximal_step(const scri_law* law, scri_terms t, const double fit[2], const double* z,
                        double* p)
{
    scri_layout layout = scri_layout_of(t.rows);
    scri_terms others = t; /* with discs for the channels that follow */
    int32_t set[4];
    for (int k = 0; k < 2; ++k) {
        for (int i = 2 * k; i < 2 * k + 2; ++i) {
            set[i] = is_directed(t, k) || !t.set ? -1 : t.set[i];
        }
    }
    if (t.set) others.set = set;
    law->react(others, z, 0.0, p, NULL);
    for (int k = 0; k < 2; ++k) {
        int first = layout.first[k];
        if (!is_directed(t, k)) continue;
        step_by_directions(scri_channel_sets_of(t, k), fit[k], p[0], t.near + first, z + first,
                           p + first);
    }
}
