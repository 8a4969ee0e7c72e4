/* Contacts that yield: springs with dampers in the rows of a contact, as compliance of the problem.
 *
 * With s = theta h, the gap g and the velocity u- found in the middle of the step, k the stiffness
 * and c the damping along the normal,
 *
 *     p_N = -h (k (g + s u_N+) + c u_N+),   or   u_N+ + p_N / (h (s k + c)) + k g / (s k + c) = 0,
 *
 * the force where the step ends, so that with growing k the rigid contact returns, u_N+ = -g / s.
 * By Hertz the force is F = (4/3) E* sqrt(R) d^(3/2) at a depth d: its tangent at the depth that
 * the contact has, or is about to have, takes the place of k d, with k = 2 E* sqrt(R d) and F / k =
 * (2/3) d. Along the tangents the spring is as Mindlin has it before slip, with a fixed share of k,
 * and remembers its load as the impulse of the last step,
 *
 *     p_T = p_T,last - h k_T (s u_T+ + (h - s) u_T-).
 *
 * Rolling and spinning stay rigid. There is no restitution: what is lost is the damper's and, to
 * first order in the step, the scheme's. */
#include "math/vec.h"
#include "shapes/bounds.h"
#include "step/step.h"

#include <math.h>
#include <string.h>

/* A contact that is not closed counts as closed by this share of the radius, lest its stiffness
 * vanish. */
#define LEAST_DEPTH 1e-9

/* 1/R of the surface of a shape where its normal is n or -n; 0 for flat ones, and for rounded ones
 * of these. Of an ellipsoid with half axes S the geometric mean of the two, |S n|^2 / det S. */
static double curvature(const scri_shapes_table* s, int32_t shape, scri_vec n)
{
    scree_shape_kind kind = s->kind[shape];
    const double* size = s->size + 3 * (size_t)shape;
    if (kind == SCREE_SHAPE_SPHERE || kind == SCREE_SHAPE_CAPSULE) return 1.0 / size[0];
    if (kind != SCREE_SHAPE_ELLIPSOID) return 0.0;
    scri_mat axes = scri_mat_from_quat(scri_quat_load(s->rotation + 4 * (size_t)shape));
    scri_vec m = scri_mat_multiply_transposed(axes, n);
    double reach = scri_vec_length((scri_vec){size[0] * m.x, size[1] * m.y, size[2] * m.z});
    double own = reach / size[0] * (reach / size[1]) / size[2];
    return own / (1.0 + s->rounding[shape] * own);
}

/* R of a contact; between flat surfaces the size of the smaller shape stands for it. */
static double radius_of(const scree_world* world, int32_t c)
{
    const scri_shapes_table* s = &world->shapes;
    const int32_t* shape = world->contacts.shape + 2 * (size_t)c;
    scri_vec n = scri_vec_load(world->contacts.frame + 9 * (size_t)c);
    double sum = curvature(s, shape[0], n) + curvature(s, shape[1], n);
    if (sum > 0.0) return 1.0 / sum;
    return fmin(scri_shapes_radius(s, shape[0]), scri_shapes_radius(s, shape[1]));
}

/* The tangent of the force over the depth: k, and the gap at which it would vanish. */
typedef struct spring {
    double stiffness, rest;
} spring;

static spring spring_of(const scree_world* world, const scri_pair* pair, int32_t c)
{
    const scri_contacts_table* t = &world->contacts;
    if (pair->modulus == 0.0) return (spring){pair->material.stiffness, 0.0};
    double radius = radius_of(world, c);
    double ahead = t->gap[c] + world->def.theta * world->def.step * t->before[6 * (size_t)c];
    double depth = fmax(fmax(-t->gap[c], -ahead), LEAST_DEPTH * radius);
    return (spring){2.0 * pair->modulus * sqrt(radius * depth), -depth / 3.0};
}

void scri_step_soften(scree_world* world, int32_t c, const scri_pair* pair, int is_kept)
{
    scri_contacts_table* t = &world->contacts;
    double h = world->def.step, way = world->def.theta * h;
    double *yields = t->compliance + t->first_row[c], *lag = t->lag + 6 * (size_t)c;
    const double *p = t->p + t->first_row[c], *before = t->before + 6 * (size_t)c;
    int width = t->first_row[c + 1] - t->first_row[c];
    spring s = spring_of(world, pair, c);
    double along = way * s.stiffness + pair->material.damping;
    double across = way * pair->shear * s.stiffness;
    memset(yields, 0, (size_t)width * sizeof *yields);
    yields[0] = 1.0 / (h * along);
    for (int i = 1; i < width && i < 3; ++i) yields[i] = 1.0 / (h * across);
    if (is_kept) return; /* in the same step: p is no longer that of the last one */
    memset(lag, 0, 6 * sizeof *lag);
    lag[0] = s.stiffness * (t->gap[c] - s.rest) / along;
    for (int i = 1; i < width && i < 3 && t->was[c] >= 0; ++i) {
        lag[i] = (h - way) / way * before[i] - yields[i] * p[i];
    }
}

/* y of such a row is the way that the contact slips in the step over theta h, the springs' own
 * way not in it; force p / h along that way takes theta of the product that the certificate has. */
void scri_step_soft_sliding(const scree_world* world, double* sliding)
{
    const scri_contacts_table* t = &world->contacts;
    double more = 1.0 - world->def.theta;
    for (int32_t c = 0; c < world->n_touching && world->is_soft && more > 0.0; ++c) {
        const double *lag = t->lag + 6 * (size_t)c, *after = t->after + 6 * (size_t)c;
        for (int32_t i = 1; i < 3 && t->first_row[c] + i < t->first_row[c + 1]; ++i) {
            double p = t->p[t->first_row[c] + i], yields = t->compliance[t->first_row[c] + i];
            if (yields > 0.0) *sliding += more * p * (after[i] + yields * p + lag[i]);
        }
    }
}
