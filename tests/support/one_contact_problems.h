/* Random one-contact problems y = w p + q, for tests and for the benchmark.
 *
 * Contacts between two rigid bodies, or a body and the ground, with random masses (ratio up to
 * 1e6), inertias, arms and frames. A nearly singular w comes from arms far longer than the radius
 * of gyration, or is of low rank plus a small multiple of the identity: its smallest eigenvalue
 * goes down to 1e-12 of the largest. */
#ifndef SUPPORT_ONE_CONTACT_PROBLEMS_H
#define SUPPORT_ONE_CONTACT_PROBLEMS_H

#include "scree/problem.h"
#include "support/draw.h"

#include <string.h>

typedef enum one_contact_family {
    ONE_CONTACT_ORDINARY,
    ONE_CONTACT_NEARLY_SINGULAR
} one_contact_family;

typedef struct one_contact_problem {
    scree_rows rows;
    double coef[3];
    double w[36]; /* row-major */
    double q[6];
} one_contact_problem;

/* Which of the rows N, T1, T2, R1, R2, S a kind of contact has. Planar rolling turns about t2. */
static inline int one_contact_rows(scree_rows rows, int index[6])
{
    static const int lists[][7] = {
        [SCREE_ROWS_N] = {1, 0},
        [SCREE_ROWS_NT] = {2, 0, 1},
        [SCREE_ROWS_NTT] = {3, 0, 1, 2},
        [SCREE_ROWS_NTTS] = {4, 0, 1, 2, 5},
        [SCREE_ROWS_NTTRR] = {5, 0, 1, 2, 3, 4},
        [SCREE_ROWS_NTTRRS] = {6, 0, 1, 2, 3, 4, 5},
        [SCREE_ROWS_NTR] = {3, 0, 1, 4},
    };
    for (int i = 0; i < lists[rows][0]; ++i) index[i] = lists[rows][i + 1];
    return lists[rows][0];
}

/* w += h m^-1 h^T of one body whose centre lies at -arm from the contact; the frame of the contact
 * is that of the axes. inverse[9] is the inverse of its inertia. */
static inline void one_contact_add_body(double inverse_mass, const double inverse[9],
                                        const double arm[3], double w[36])
{
    double h[6][6]; /* rows N, T1, T2 push along x, y, z; R1, R2, S turn about y, z, x */
    memset(h, 0, sizeof h);
    for (int i = 0; i < 3; ++i) {
        double axis[3] = {i == 0, i == 1, i == 2};
        h[i][i] = 1.0;
        h[i][3] = arm[1] * axis[2] - arm[2] * axis[1];
        h[i][4] = arm[2] * axis[0] - arm[0] * axis[2];
        h[i][5] = arm[0] * axis[1] - arm[1] * axis[0];
        h[3 + i][3 + (i + 1) % 3] = 1.0;
    }
    for (int j = 0; j < 6; ++j) {
        double response[6];
        for (int a = 0; a < 3; ++a) {
            response[a] = inverse_mass * h[j][a];
            response[3 + a] = 0.0;
            for (int b = 0; b < 3; ++b) response[3 + a] += inverse[3 * a + b] * h[j][3 + b];
        }
        for (int i = 0; i < 6; ++i) {
            for (int a = 0; a < 6; ++a) w[6 * i + j] += h[i][a] * response[a];
        }
    }
}

/* `slimness` is the radius over the radius of gyration. */
static inline void one_contact_draw_body(scri_random* random, double mass, double radius,
                                         double slimness, double w[36])
{
    double turn[9], inverse[9] = {0.0}, arm[3], gyration = radius / slimness;
    int sphere = draw_chance(random, 20.0);
    draw_frame(random, turn);
    for (int a = 0; a < 3; ++a) {
        double length = sphere ? gyration : gyration * draw_power(random, -0.5, 0.5);
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) {
                inverse[3 * i + j] += turn[3 * a + i] * turn[3 * a + j] / (mass * length * length);
            }
        }
    }
    draw_direction(random, arm);
    if (sphere) memcpy(arm, (const double[3]){1.0, 0.0, 0.0}, sizeof arm);
    for (int i = 0; i < 3; ++i) arm[i] *= radius;
    one_contact_add_body(1.0 / mass, inverse, arm, w);
}

/* w of rank 1 to 6 plus a small multiple of the identity. */
static inline void one_contact_draw_thin(scri_random* random, double w[36])
{
    int rank = 1 + draw_below(random, 6);
    double least = draw_power(random, -12.0, 0.0);
    for (int k = 0; k < rank; ++k) {
        double x[6];
        for (int i = 0; i < 6; ++i) x[i] = draw_between(random, -1.0, 1.0);
        for (int i = 0; i < 36; ++i) w[i] += x[i / 6] * x[i % 6];
    }
    for (int i = 0; i < 6; ++i) w[7 * i] += least;
}

static inline double one_contact_draw_coefficient(scri_random* random)
{
    if (draw_chance(random, 10.0)) return 0.0;
    if (draw_chance(random, 10.0)) return draw_power(random, -6.0, 1.0);
    return draw_between(random, 0.0, draw_chance(random, 50.0) ? 1.0 : 10.0);
}

static inline void one_contact_draw(scri_random* random, one_contact_family family, scree_rows rows,
                                    one_contact_problem* out)
{
    double w[36] = {0.0}, radius = draw_power(random, -3.0, 1.0);
    int singular = family == ONE_CONTACT_NEARLY_SINGULAR;
    if (singular && draw_chance(random, 50.0)) {
        radius = 1.0;
        one_contact_draw_thin(random, w);
    } else {
        double mass = draw_power(random, -3.0, 3.0);
        double slimness = singular ? draw_power(random, 1.0, 6.0) : sqrt(2.5);
        one_contact_draw_body(random, mass, radius, slimness, w);
        if (draw_chance(random, 70.0)) {
            double other = radius * draw_power(random, -1.0, 1.0);
            mass *= draw_power(random, singular ? 3.0 : -6.0, 6.0);
            one_contact_draw_body(random, mass, other, slimness, w);
        }
    }
    int index[6], width = one_contact_rows(rows, index);
    double speed = draw_power(random, -6.0, 6.0);
    out->rows = rows;
    out->coef[0] = one_contact_draw_coefficient(random);
    out->coef[1] = one_contact_draw_coefficient(random) * radius;
    out->coef[2] = one_contact_draw_coefficient(random) * radius;
    for (int i = 0; i < width; ++i) {
        for (int j = 0; j < width; ++j) out->w[i * width + j] = w[6 * index[i] + index[j]];
        double magnitude = speed * draw_power(random, -2.0, 1.0) / (index[i] < 3 ? 1.0 : radius);
        out->q[i] = draw_chance(random, 4.0) ? 0.0 : draw_sign(random) * magnitude;
    }
    if (draw_chance(random, 85.0)) out->q[0] = -fabs(out->q[0]);
}

#endif
