#include "solvers/newton_maps.h"

#include "cones/norm_kernel.h"
#include "laws/reaction.h"

#include <string.h>

/* Cones of Fischer and Burmeister: N and a channel of two rows at most. */
enum { LORENTZ = 3 };

const char* scri_newton_map_unfit(const scree_problem* problem, scree_newton_map map)
{
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        const scri_law* law = scri_law_of(problem, c);
        scri_layout layout = scri_layout_of(problem->rows[c]);
        if (!law->react) return "the law of a contact is the coupled one";
        if (!scri_law_is(law, SCREE_LAW_HAS_FRICTION)) continue;
        if (!scri_law_is(law, SCREE_LAW_IS_INCLUSION) || law->with_discs) {
            return "friction of a contact has other sets than discs";
        }
        if (map == SCREE_MAP_FISCHER_BURMEISTER && layout.width > 1 + layout.dim[SCRI_SLIDE]) {
            return "a contact rolls or spins: its cone has no Jordan algebra";
        }
    }
    return NULL;
}

/* d(shift)/dy: mu_k y_k / |y_k| of every channel; 0 for the associated laws, and, as one of the
 * choices, where a channel is at rest. */
static void differentiate_shift(const scri_law* law, scri_terms terms, const double* y, double* g)
{
    scri_layout layout = scri_layout_of(terms.rows);
    memset(g, 0, SCRI_MAX_WIDTH * sizeof *g);
    if (scri_law_is(law, SCREE_LAW_IS_ASSOCIATED)) return;
    for (int k = 0; k < SCRI_CHANNELS; ++k) {
        double length = scri_norm_channel(layout.dim[k], y + layout.first[k]);
        for (int i = layout.first[k]; length > 0.0 && i < layout.first[k] + layout.dim[k]; ++i) {
            g[i] = terms.coef[k] * y[i] / length;
        }
    }
}

/* p - R(p - y) of joints and limits, by their reaction map. */
static void evaluate_rows(const scri_law* law, scri_terms terms, const double* p, const double* y,
                          scri_newton_map* out)
{
    int width = scri_layout_of(terms.rows).width;
    double z[SCRI_MAX_WIDTH] = {0.0}, r[SCRI_MAX_WIDTH];
    for (int i = 0; i < width; ++i) z[i] = p[i] - y[i];
    law->react(terms, z, 0.0, r, out->by_y);
    for (int i = 0; i < width; ++i) out->f[i] = p[i] - r[i];
    for (int i = 0; i < width * width; ++i) {
        out->by_p[i] = (i % (width + 1) == 0 ? 1.0 : 0.0) - out->by_y[i];
    }
}

/* p - P_K(p - y - shift e_N): with P' the derivative of the projection, I - P' by p and
 * P' (I + e_N g) by y, g that of the shift. */
static void evaluate_natural(const scri_law* law, scri_terms terms, const double* p,
                             const double* y, scri_newton_map* out)
{
    int width = scri_layout_of(terms.rows).width;
    double z[SCRI_MAX_WIDTH] = {0.0}, r[SCRI_MAX_WIDTH], d[SCRI_MAX_WIDTH * SCRI_MAX_WIDTH];
    double g[SCRI_MAX_WIDTH];
    for (int i = 0; i < width; ++i) z[i] = p[i] - y[i];
    z[0] -= law->shift(terms, y);
    scri_reaction_convex(terms, z, 0.0, r, d);
    differentiate_shift(law, terms, y, g);
    for (int i = 0; i < width; ++i) {
        out->f[i] = p[i] - r[i];
        for (int j = 0; j < width; ++j) {
            out->by_p[i * width + j] = (i == j ? 1.0 : 0.0) - d[i * width + j];
            out->by_y[i * width + j] = d[i * width + j] + d[i * width] * g[j];
        }
    }
}

/* ---- Fischer and Burmeister ---- */

/* In the Jordan algebra of the Lorentz cone x o u = (x . u, x_0 u_k + u_0 x_k). */

/* w = (x^2 + u^2)^(1/2): roots of the eigenvalues v_0 -+ |v_k| of v = x^2 + u^2. */
static void root_of_squares(int n, const double* x, const double* u, double* w)
{
    double v[LORENTZ] = {0.0}, along[LORENTZ] = {0.0}, length = 0.0;
    for (int i = 0; i < n; ++i) v[0] += x[i] * x[i] + u[i] * u[i];
    for (int i = 1; i < n; ++i) v[i] = 2.0 * (x[0] * x[i] + u[0] * u[i]);
    length = scri_norm(n - 1, v + 1);
    along[1] = 1.0; /* any direction where there is none */
    for (int i = 1; length > 0.0 && i < n; ++i) along[i] = v[i] / length;
    double low = sqrt(fmax(v[0] - length, 0.0)), high = sqrt(v[0] + length);
    w[0] = 0.5 * (low + high);
    for (int i = 1; i < n; ++i) w[i] = 0.5 * (high - low) * along[i];
}

/* out[n n] = L_w^-1 L_a, L_a the matrix of the product with a. Where w lies on the edge of its cone
 * L_w is singular; it is taken a little inside. */
static void divide(int n, const double* w, const double* a, double* out)
{
    double inside = w[0] * (1.0 + 1e-10) + 1e-150, square = 0.0;
    for (int i = 1; i < n; ++i) square += w[i] * w[i];
    double det = inside * inside - square;
    for (int j = 0; j < n; ++j) {
        double column[LORENTZ] = {0.0}, along = 0.0; /* of L_a */
        column[0] = a[j];
        for (int i = 1; i < n; ++i) column[i] = j == 0 ? a[i] : i == j ? a[0] : 0.0;
        for (int i = 1; i < n; ++i) along += w[i] * column[i];
        double first = (inside * column[0] - along) / det;
        out[j] = first;
        for (int i = 1; i < n; ++i) out[i * n + j] = (column[i] - first * w[i]) / inside;
    }
}

/* x = (mu p_N, p_T) and u = (y_N + shift, mu y_T) lie in the Lorentz cone with x o u = 0 exactly
 * where the law holds; x + u - w vanishes exactly there. Without friction or without rows for it,
 * scalars p_N and y_N, and p_T = 0. */
static void evaluate_fischer(const scri_law* law, scri_terms terms, const double* p,
                             const double* y, scri_newton_map* out)
{
    int width = scri_layout_of(terms.rows).width;
    double mu = width > 1 ? terms.coef[SCRI_SLIDE] : 0.0, g[SCRI_MAX_WIDTH];
    int n = mu > 0.0 ? width : 1;
    double x[LORENTZ], u[LORENTZ], w[LORENTZ], dx[LORENTZ * LORENTZ], du[LORENTZ * LORENTZ];
    for (int i = 0; i < n; ++i) {
        x[i] = i == 0 && n > 1 ? mu * p[0] : p[i];
        u[i] = i == 0 ? y[0] + law->shift(terms, y) : mu * y[i];
    }
    root_of_squares(n, x, u, w);
    divide(n, w, x, dx);
    divide(n, w, u, du);
    differentiate_shift(law, terms, y, g);
    memset(out->by_p, 0, sizeof out->by_p);
    memset(out->by_y, 0, sizeof out->by_y);
    for (int i = 0; i < width; ++i) {
        out->f[i] = i < n ? x[i] + u[i] - w[i] : p[i];
        if (i >= n) out->by_p[i * width + i] = 1.0;
        for (int j = 0; i < n && j < n; ++j) {
            double by_x = (i == j ? 1.0 : 0.0) - dx[i * n + j];
            double by_u = (i == j ? 1.0 : 0.0) - du[i * n + j];
            double first = (i == 0 ? 1.0 : 0.0) - du[i * n]; /* of y_N + shift */
            out->by_p[i * width + j] = by_x * (j == 0 && n > 1 ? mu : 1.0);
            out->by_y[i * width + j] = by_u * (j == 0 ? 1.0 : mu) + first * g[j];
        }
    }
}

void scri_newton_map_evaluate(scree_newton_map kind, const scri_law* law, scri_terms terms,
                              const double* p, const double* y, scri_newton_map* out)
{
    terms.near = p;
    if (!scri_law_is(law, SCREE_LAW_HAS_FRICTION)) {
        evaluate_rows(law, terms, p, y, out);
    } else if (kind == SCREE_MAP_NATURAL) {
        evaluate_natural(law, terms, p, y, out);
    } else {
        evaluate_fischer(law, terms, p, y, out);
    }
}
