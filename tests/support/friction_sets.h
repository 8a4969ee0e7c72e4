/* Sets for tests of friction, and a judge of impulses that is written from the laws alone: the
 * prox equation of Walker and Leine, eqs (69) and (70), for every channel. */
#ifndef SUPPORT_FRICTION_SETS_H
#define SUPPORT_FRICTION_SETS_H

#include "support/one_contact_problems.h"
#include "support/reference.h"
#include "support/set_pool.h"
#include "support/test.h"

#define FRICTION_DEGREE SCREE_DEGREE

static inline scree_set* make_set_of(const scree_set_def* def)
{
    scree_set* set = NULL;
    assert_int_equal(scree_set_create(NULL, def, &set), SCREE_OK);
    return set;
}

static inline scree_set* make_set(scree_set_kind kind, double a, double b, double s, double degrees)
{
    scree_set_def def = {.kind = kind, .a = a, .b = b, .s = s, .angle = degrees * FRICTION_DEGREE};
    return make_set_of(&def);
}

/* ---- one set of every kind, and more ---- */

enum { STOCK_SETS = 14, STOCK_CONVEX = 9, STOCK_CURVE = 48, STOCK_POINTS = 3 };

/* The first STOCK_CONVEX sets are convex, and of these the first STOCK_SMOOTH have one normal
 * everywhere and no straight side. */
enum { STOCK_SMOOTH = 5 };

typedef struct set_stock {
    scree_set_def def[STOCK_SETS]; /* with lasting points */
    double points[STOCK_POINTS][2 * STOCK_CURVE];
    scree_set* set[STOCK_SETS];
    double fit[STOCK_SETS][STOCK_SETS]; /* scree_set_fit(inner, outer); 0: not asked for yet */
} set_stock;

static inline void stock_write_points(set_stock* stock)
{
    static const double one_sided[] = {1.0, -0.4, 1.0, 0.4, -0.2, 0.5, -0.3, -0.5};
    static const double star[] = {1.0, 0.0, 0.3, 0.3, 0.0, 1.0, -0.3, 0.3, -1.0, 0.0, 0.0, -0.5};
    memcpy(stock->points[0], one_sided, sizeof one_sided);
    memcpy(stock->points[1], star, sizeof star);
    for (int i = 0; i < STOCK_CURVE; ++i) {
        double theta = 360.0 * FRICTION_DEGREE * i / STOCK_CURVE;
        stock->points[2][2 * i] = theta;
        stock->points[2][2 * i + 1] = 1.0 + 0.25 * cos(3.0 * theta) + 0.2 * sin(theta);
    }
}

static inline void stock_open(set_stock* stock)
{
    static const scree_set_def defs[STOCK_SETS] = {
        {.kind = SCREE_SET_DISC, .a = 0.7},
        {.kind = SCREE_SET_ELLIPSE, .a = 1.0, .b = 0.3},
        {.kind = SCREE_SET_ELLIPSE, .a = 0.4, .b = 1.3, .angle = 33.0 * FRICTION_DEGREE},
        {.kind = SCREE_SET_SUPERELLIPSE, .a = 1.1, .b = 0.6, .s = 2.94, .angle = 0.2},
        {.kind = SCREE_SET_SUPERELLIPSE, .a = 0.5, .b = 0.8, .s = 1.3, .angle = -1.2},
        {.kind = SCREE_SET_RECTANGLE, .a = 0.9, .b = 0.5, .angle = 20.0 * FRICTION_DEGREE},
        {.kind = SCREE_SET_RUNNER, .a = 0.2, .b = 0.5, .s = 0.6, .angle = 0.1},
        {.kind = SCREE_SET_POLYGON, .n = 4},
        {.kind = SCREE_SET_SUPERELLIPSE, .a = 0.6, .b = 0.9, .s = 1.0},
        {.kind = SCREE_SET_SUPERELLIPSE, .a = 1.0, .b = 0.7, .s = 0.6, .angle = 0.3},
        {.kind = SCREE_SET_ASPERITY, .a = 1.2, .s = 36.0 * FRICTION_DEGREE},
        {.kind = SCREE_SET_POLYGON, .n = 6},
        {.kind = SCREE_SET_POLAR, .n = STOCK_CURVE},
        {.kind = SCREE_SET_ASPERITY, .a = 1.5, .s = 0.5, .angle = 0.7},
    };
    *stock = (set_stock){.fit = {{0.0}}};
    stock_write_points(stock);
    for (int i = 0, used = 0; i < STOCK_SETS; ++i) {
        stock->def[i] = defs[i];
        if (defs[i].n) stock->def[i].points = stock->points[used++];
        stock->set[i] = make_set_of(&stock->def[i]);
        assert_int_equal(!scree_set_is_convex(stock->set[i]), i >= STOCK_CONVEX);
    }
}

static inline void stock_close(set_stock* stock)
{
    for (int i = 0; i < STOCK_SETS; ++i) scree_set_destroy(stock->set[i]);
}

static inline int stock_index(const set_stock* stock, const scree_set* set)
{
    int i = 0;
    while (i < STOCK_SETS && stock->set[i] != set) ++i;
    return i;
}

/* The largest k with k D inside C, remembered for sets of the stock. */
static inline double stock_fit(set_stock* stock, const scree_set* d, const scree_set* c)
{
    if (c == d) return 1.0;
    int i = stock_index(stock, d), j = stock_index(stock, c);
    if (i == STOCK_SETS || j == STOCK_SETS) return scree_set_fit(d, c);
    if (!(stock->fit[i][j] > 0.0)) stock->fit[i][j] = scree_set_fit(d, c);
    return stock->fit[i][j];
}

/* ---- the judge ---- */

/* How far the force f = -p of a channel, within size * C, is from eqs (69) and (70) at the velocity
 * y with the step r: |f - prox_D(alpha f + r y) / alpha|, D times k the largest inside C; or how
 * far outside of C it is, if that is more. */
static inline double prox_error(double k, const scree_set* c, const scree_set* d, double size,
                                double r, const double* p, const double* y)
{
    double f[2] = {-p[0], -p[1]}, z[2], back[2];
    if (!(size > 0.0)) return hypot(f[0], f[1]);
    double gauge_c = scree_set_gauge(c, f) / size, gauge_d = scree_set_gauge(d, f) / (k * size);
    double alpha = 1.0 / (gauge_d - gauge_c + 1.0);
    for (int i = 0; i < 2; ++i) z[i] = alpha * f[i] + r * y[i];
    scree_set_project(d, k * size, z, back);
    double error = hypot(alpha * f[0] - back[0], alpha * f[1] - back[1]) / alpha;
    double outside = gauge_c > 1.0 ? hypot(f[0], f[1]) * (1.0 - 1.0 / gauge_c) : 0.0;
    return error > outside || isnan(error) ? error : outside;
}

/* The same for a disc or an interval. */
static inline double disc_error(int dim, double radius, double r, const double* p, const double* y)
{
    double z[2] = {0.0, 0.0}, square = 0.0, length = 0.0;
    for (int i = 0; i < dim; ++i) {
        z[i] = p[i] - r * y[i];
        length += z[i] * z[i];
    }
    length = sqrt(length);
    for (int i = 0; i < dim; ++i) {
        double gap = p[i] - (length > radius ? z[i] * (radius / length) : z[i]);
        square += gap * gap;
    }
    return sqrt(square);
}

/* s[width]: the root of the mean of the diagonal over each channel, as the certificate scales. */
static inline void contact_scale(int rows, const double* w, double* s)
{
    real diagonal[MAX_WIDTH], scale[MAX_WIDTH];
    int width = shape_of(rows).width;
    for (int i = 0; i < width; ++i) diagonal[i] = (real)w[i * width + i];
    reference_scale(rows, SCREE_LAW_EXACT, diagonal, 1, scale);
    for (int i = 0; i < width; ++i) s[i] = (double)scale[i];
}

/* How far p and y are from the exact or extended law, in scaled impulses. sets[4] as in a problem,
 * s[width] the scales. */
static inline double friction_error(set_stock* stock, int rows, const double* coef,
                                    const scree_set* const* sets, const double* s, const double* p,
                                    const double* y)
{
    row_shape f = shape_of(rows);
    double n = fmax(p[0], 0.0), open = p[0] - y[0] / (s[0] * s[0]);
    double square = pow(s[0] * (p[0] - (open <= 0.0 ? 0.0 : open)), 2.0);
    for (int k = 0; k < CHANNELS; ++k) {
        if (!f.dim[k]) continue;
        int at = f.first[k];
        double r = 1.0 / (s[at] * s[at]), error;
        const scree_set* c = k < 2 && sets ? sets[2 * k] : NULL;
        const scree_set* d = k < 2 && sets && sets[2 * k + 1] ? sets[2 * k + 1] : c;
        if (c) {
            error = prox_error(stock_fit(stock, d, c), c, d, coef[k] * n, r, p + at, y + at);
        } else {
            error = disc_error(f.dim[k], coef[k] * n, r, p + at, y + at);
        }
        square += s[at] * error * s[at] * error;
    }
    return sqrt(square);
}

/* sum_k coef_k support_{C_k}(y_k) */
static inline double friction_shift(int rows, const double* coef, const scree_set* const* sets,
                                    const double* y)
{
    row_shape f = shape_of(rows);
    double sum = 0.0;
    for (int k = 0; k < CHANNELS; ++k) {
        if (!f.dim[k]) continue;
        const scree_set* c = k < 2 && sets ? sets[2 * k] : NULL;
        const double* at = y + f.first[k];
        double length = f.dim[k] == 2 ? hypot(at[0], at[1]) : fabs(at[0]);
        sum += coef[k] * (c ? scree_set_support(c, at, NULL) : length);
    }
    return sum;
}

/* How far p is from K and y from its dual, in scaled impulses, and the power p . y. */
static inline double convex_error(int rows, const double* coef, const scree_set* const* sets,
                                  const double* s, const double* p, const double* y, double* power)
{
    row_shape f = shape_of(rows);
    double n = fmax(p[0], 0.0), worst = s[0] * (n - p[0]);
    *power = 0.0;
    for (int i = 0; i < f.width; ++i) *power += p[i] * y[i];
    for (int k = 0; k < CHANNELS; ++k) {
        if (!f.dim[k]) continue;
        const scree_set* c = k < 2 && sets ? sets[2 * k] : NULL;
        const double* at = p + f.first[k];
        double force[2] = {-at[0], f.dim[k] == 2 ? -at[1] : 0.0};
        double length = hypot(force[0], force[1]), gauge = c ? scree_set_gauge(c, force) : length;
        double outside = gauge > coef[k] * n ? length * (1.0 - coef[k] * n / gauge) : 0.0;
        if (!(s[f.first[k]] * outside <= worst)) worst = s[f.first[k]] * outside;
    }
    double dual = (friction_shift(rows, coef, sets, y) - y[0]) / s[0];
    return dual <= worst ? worst : dual;
}

/* ---- one contact with sets ---- */

typedef struct set_contact {
    one_contact_problem c;
    const scree_set* set[4];
    double p[MAX_WIDTH], y[MAX_WIDTH], s[MAX_WIDTH];
    double size; /* of impulses and velocities, scaled */
} set_contact;

/* The velocities, scales and size that belong to p. */
static inline void set_contact_respond(set_contact* at)
{
    int width = shape_of((int)at->c.rows).width;
    double squares[3] = {0.0, 0.0, 0.0};
    contact_scale((int)at->c.rows, at->c.w, at->s);
    for (int i = 0; i < width; ++i) {
        at->y[i] = at->c.q[i];
        for (int j = 0; j < width; ++j) at->y[i] += at->c.w[i * width + j] * at->p[j];
        squares[0] += pow(at->p[i] * at->s[i], 2.0);
        squares[1] += pow(at->y[i] / at->s[i], 2.0);
        squares[2] += pow(at->c.q[i] / at->s[i], 2.0);
    }
    at->size = sqrt(fmax(squares[0], fmax(squares[1], squares[2]))) + 1e-300;
}

/* Distance of two impulses, scaled, over the size of the first. */
static inline double set_contact_distance(const set_contact* a, const double* p)
{
    double square = 0.0;
    for (int i = 0; i < shape_of((int)a->c.rows).width; ++i) {
        square += pow((a->p[i] - p[i]) * a->s[i], 2.0);
    }
    return sqrt(square) / a->size;
}

/* N no longer acts on the other rows, nor they on it: p_N follows from q_N alone, and an associated
 * law has one solution. */
static inline void decouple(one_contact_problem* c)
{
    int width = shape_of((int)c->rows).width;
    for (int i = 1; i < width; ++i) c->w[i] = c->w[i * width] = 0.0;
}

static inline scree_rows draw_spatial_rows(scri_random* random)
{
    static const scree_rows rows[] = {SCREE_ROWS_NTT, SCREE_ROWS_NTTS, SCREE_ROWS_NTTRR,
                                      SCREE_ROWS_NTTRRS};
    return rows[draw_below(random, 4)];
}

/* Solves from at->p. */
static inline scree_one_contact_way solve_contact(const scri_law* law, set_contact* at)
{
    scri_terms terms = terms_with((int)at->c.rows, at->c.coef, at->set);
    scree_one_contact_way how = scri_law_solve_alone(law, terms, at->c.w, at->c.q, at->p);
    set_contact_respond(at);
    return how;
}

static inline double contact_error(set_stock* stock, const set_contact* at)
{
    return friction_error(stock, (int)at->c.rows, at->c.coef, at->set, at->s, at->p, at->y) /
           at->size;
}

static inline double round_off(double x)
{
    return fabs(x) < 1e-15 ? 0.0 : x;
}

/* The force on the contact at a sliding direction: it is nearly immovable sideways. */
static inline void slide(const scri_law* law, const scree_set* c, const scree_set* d, double phi,
                         double force[2])
{
    const scree_set* set[4] = {c, d, NULL, NULL};
    double coef[3] = {1.0, 0.0, 0.0}, q[3] = {-1.0, round_off(cos(phi)), round_off(sin(phi))},
           p[3] = {0.0, 0.0, 0.0};
    double w[9] = {1.0, 0.0, 0.0, 0.0, 1e-13, 0.0, 0.0, 0.0, 1e-13};
    scri_terms terms = terms_with(SCREE_ROWS_NTT, coef, set);
    assert_int_not_equal(scri_law_solve_alone(law, terms, w, q, p), SCREE_ONE_CONTACT_NONE);
    require(fabs(p[0] - 1.0) <= 1e-12, "normal impulse %.17g", p[0]);
    force[0] = -p[1];
    force[1] = -p[2];
}

#endif
