/* The modes of equation (21) of Acary & Bourrier.
 *
 * Impulses and velocities that a solver leaves obey no law to the last bit, and a sticking contact
 * creeps by the residual. But one application of the reaction map makes a pair that does obey it,
 * r = R(p - y) with velocities r - (p - y), and of that pair the mode is known: where p lies within
 * its disc, p - y does too, and the channel stands still exactly. */
#include "laws/mode.h"

#include "cones/norm_kernel.h"
#include "laws/equilibrate.h"

#include <string.h>

/* The impulse that obeys the law together with the velocity it differs by from z = p - y. */
static void react(const scri_law* law, scri_terms terms, const double* z, const double* y,
                  double* out)
{
    if (law->react) {
        law->react(terms, z, 0.0, out, NULL);
        return;
    }
    memcpy(out, z, (size_t)scri_layout_of(terms.rows).width * sizeof *z);
    out[0] -= law->shift(terms, y);
    law->project(terms, out);
}

scree_friction_mode scri_mode_of(const scri_law* law, scri_terms terms, const double* p,
                                 const double* y, double least)
{
    scri_layout layout = scri_layout_of(terms.rows);
    double z[SCRI_MAX_WIDTH] = {0.0}, r[SCRI_MAX_WIDTH] = {0.0};
    if (!scri_law_is(law, SCREE_LAW_HAS_FRICTION)) return SCREE_MODE_NONE;
    for (int i = 0; i < layout.width; ++i) {
        z[i] = p[i] - y[i];
        if (isnan(z[i])) return SCREE_MODE_NONE;
    }
    terms.near = p;
    react(law, terms, z, y, r);
    if (!(r[0] > least)) return SCREE_MODE_OPEN;
    unsigned mode = 0;
    for (int k = 0; k < SCRI_CHANNELS; ++k) {
        double velocity[2] = {0.0, 0.0};
        for (int i = 0; i < layout.dim[k]; ++i) {
            velocity[i] = r[layout.first[k] + i] - z[layout.first[k] + i];
        }
        if (scri_norm2(velocity[0], velocity[1]) > least) mode |= 1u << k;
    }
    return (scree_friction_mode)mode;
}

const char* scree_friction_mode_name(int mode)
{
    static const char* const names[SCREE_MODE_COUNT] = {
        "stick",     "slide",           "roll",     "slide+roll", "spin", "slide+spin",
        "roll+spin", "slide+roll+spin", "take-off", "none"};
    return mode >= 0 && mode < SCREE_MODE_COUNT ? names[mode] : NULL;
}

scree_friction_mode scree_one_contact_mode(scree_rows rows, scree_law law, const double coef[3],
                                           const double* w, const double* y, const double* p,
                                           double tol)
{
    const scri_law* entry = scri_law_get((int)law);
    int width = scri_layout_of((int)rows).width;
    double s[SCRI_MAX_WIDTH], press[SCRI_MAX_WIDTH], move[SCRI_MAX_WIDTH], scaled[3];
    if (!entry || !width || !(entry->rows >> (unsigned)rows & 1u)) return SCREE_MODE_NONE;
    scri_terms terms = {(int)rows, coef, NULL, NULL, NULL};
    scri_equilibrate_alone(entry, terms, w, s, press, scaled);
    terms.coef = scaled;
    for (int i = 0; i < width; ++i) {
        press[i] *= p[i];
        move[i] = y[i] / s[i];
    }
    double size = fmax(scri_norm(width, press), scri_norm(width, move));
    return scri_mode_of(entry, terms, press, move, tol * size);
}
