/* One contact of a certificate. Everything is computed in scaled variables, in which lengths of
 * velocities and moments may be compared, and told in physical ones. */
#include "problem/contact_certificate.h"

#include "cones/norm_kernel.h"
#include "laws/mode.h"

#include <math.h>
#include <string.h>

/* Distance of p to its cone in N s: that of the certificate, in raw variables. */
static double cone_violation(const scri_law* law, scri_terms raw, const double* scaled, double unit,
                             const double* s)
{
    int width = scri_layout_of(raw.rows).width;
    double p[SCRI_MAX_WIDTH], closest[SCRI_MAX_WIDTH];
    for (int i = 0; i < width; ++i) closest[i] = p[i] = scaled[i] / (unit * s[i]);
    law->project(raw, closest);
    for (int i = 0; i < width; ++i) p[i] -= closest[i];
    return scri_norm(width, p);
}

/* P_K(p) . P_K*(yhat), where P_K*(yhat) = yhat + P_K(-yhat) by Moreau: equations (45) and (54) of
 * Acary & Bourrier on the sets where their indicators are zero. Both factors lie in a cone and its
 * dual, so the product is negative by rounding alone. *outside receives |P_K(-yhat)|, the distance
 * of yhat to K*. */
static double bipotential(const scri_law* law, scri_terms terms, const scri_contact_map* at,
                          double* outside)
{
    int width = scri_layout_of(terms.rows).width;
    double press[SCRI_MAX_WIDTH], move[SCRI_MAX_WIDTH], dual[SCRI_MAX_WIDTH], sum = 0.0;
    *outside = SCREE_NAN;
    if (!scri_law_is(law, SCREE_LAW_IS_INCLUSION | SCREE_LAW_IS_CONE)) return SCREE_NAN;
    memcpy(press, at->p, sizeof press);
    memcpy(move, at->y, sizeof move);
    law->project(terms, press);
    move[0] += law->shift(terms, at->y);
    for (int i = 0; i < width; ++i) dual[i] = -move[i];
    law->project(terms, dual);
    for (int i = 0; i < width; ++i) sum += press[i] * (move[i] + dual[i]);
    *outside = scri_norm(width, dual);
    return sum < 0.0 ? 0.0 : sum; /* NaN stays NaN */
}

void scri_certify_contact(const scree_problem* problem, const scri_scaling* scaling, int32_t c,
                          const scri_contact_map* map, double tol, scree_contact_certificate* out)
{
    const scri_law* law = scri_law_of(problem, c);
    scri_terms terms = scri_terms_of(problem, c, scaling->coef);
    const double* s = scaling->scale + problem->first_row[c];
    int width = problem->first_row[c + 1] - problem->first_row[c];
    double approach = scri_law_is(law, SCREE_LAW_HAS_NORMAL) ? -map->y[0] * s[0] : 0.0;
    double size = fmax(map->size, scri_norm(width, map->p)), outside;
    double gap = bipotential(law, terms, map, &outside);
    *out = (scree_contact_certificate){
        .mode = (int32_t)scri_mode_of(law, terms, map->p, map->y, tol * size),
        .residual = map->map == 0.0 ? 0.0 : map->map / map->size,
        .normal_violation = approach <= 0.0 ? 0.0 : approach,
        .cone_violation =
            cone_violation(law, scri_terms_of(problem, c, problem->coef), map->p, scaling->unit, s),
        .dual_violation = outside * s[0],
        .bipotential = gap / scaling->unit};
}
