/* Joints: y = 0, any impulse. */
#include "laws/friction_law.h"
#include "laws/reaction.h"

#include <string.h>

/* Of the largest diagonal entry, added to all: rows whose impulse moves nothing, as in a joint of a
 * body with itself, keep the impulse they have. A second pass takes away what the others feel. */
#define SHIFT 1e-10

/* NOLINTNEXTLINE(readability-non-const-parameter): the table of laws fixes the type */
static void project(int rows, const double* coef, double* p)
{
    (void)rows, (void)coef, (void)p;
}

static void scale(int rows, const double* s, const double* coef, double* out)
{
    (void)rows, (void)s, (void)coef;
    scri_fill(SCRI_CHANNELS, out, 0.0);
}

/* NOLINTBEGIN(readability-non-const-parameter): the table of laws fixes the type */
static scree_one_contact solve(int rows, const double* coef, const double* w, const double* q,
                               double* p, double* lambda, double tolerance)
{
    (void)coef, (void)lambda, (void)tolerance;
    int width = scri_layout_of(rows).width;
    double lu[SCRI_MAX_WIDTH * SCRI_MAX_WIDTH], largest = 0.0;
    memcpy(lu, w, (size_t)(width * width) * sizeof *w);
    for (int i = 0; i < width; ++i) largest = fmax(largest, w[i * width + i]);
    for (int i = 0; i < width; ++i) lu[i * width + i] += SHIFT * largest;
    scri_lu_factor(width, lu, SCRI_PIVOT_FLOOR);
    for (int pass = 0; largest > 0.0 && pass < 2; ++pass) {
        double rest[SCRI_MAX_WIDTH];
        for (int i = 0; i < width; ++i) {
            rest[i] = q[i] + scri_dot(width, w + (size_t)(i * width), p);
        }
        scri_lu_solve(width, lu, rest);
        for (int i = 0; i < width; ++i) p[i] -= rest[i];
    }
    return SCREE_ONE_CONTACT_NEWTON;
}

/* NOLINTEND(readability-non-const-parameter) */

const scri_law scri_law_bilateral = {
    "bilateral",       SCRI_ALL_ROWS, 0,     project,
    scri_law_no_shift, scale,         solve, scri_reaction_bilateral,
};
