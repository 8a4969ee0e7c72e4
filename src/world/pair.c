/* What two materials do to each other: coefficients, whose sets count, and in whose axes. */
#include "laws/law.h"
#include "math/vec.h"
#include "sets/set.h"
#include "world/materials.h"

#include <math.h>
#include <string.h>

static double at_rest(const scree_material* m, int k)
{
    const double in_motion[3] = {m->mu, m->mu_r, m->mu_s};
    return fmax(m->slip[k].at_rest, in_motion[k]);
}

/* Of two springs; 0 is rigid. */
static double in_series(double a, double b)
{
    if (!(a > 0.0 && b > 0.0)) return fmax(a, b);
    return 1.0 / (1.0 / a + 1.0 / b);
}

/* Hertz and Mindlin: E* of two materials, and the stiffness along the tangents over that along the
 * normal, 4 times G* over E*. Their inverses are sums over the two sides of (1 - nu^2) / E and
 * (2 - nu) / G with G = E / (2 (1 + nu)); a side without a modulus is rigid. */
static double modulus_of(const scree_material* a, const scree_material* b, double* shear)
{
    const scree_material* sides[2] = {a, b};
    double along = 0.0, across = 0.0;
    for (int i = 0; i < 2; ++i) {
        double nu = sides[i]->poisson, young = sides[i]->young;
        if (!(young > 0.0)) continue;
        along += (1.0 - nu * nu) / young;
        across += (2.0 - nu) * 2.0 * (1.0 + nu) / young;
    }
    *shear = along > 0.0 ? 4.0 * along / across : 0.0;
    return along > 0.0 ? 1.0 / along : 0.0;
}

/* The material that has against itself the E* of two; Poisson's ratio is their mean. */
static void combine_softness(const scree_material* a, const scree_material* b, scree_material* both)
{
    double shear, modulus = modulus_of(a, b, &shear);
    double nu = a->young > 0.0 && b->young > 0.0 ? 0.5 * (a->poisson + b->poisson)
                : a->young > 0.0                 ? a->poisson
                                                 : b->poisson;
    both->stiffness = in_series(a->stiffness, b->stiffness);
    both->damping = fmax(a->damping, b->damping);
    both->poisson = nu;
    if (!(both->stiffness > 0.0)) both->young = 2.0 * (1.0 - nu * nu) * modulus;
}

scree_material scri_material_combine(const scree_material* a, const scree_material* b)
{
    scree_material both = {
        .mu = sqrt(a->mu * b->mu),
        .mu_r = fmax(a->mu_r, b->mu_r),
        .mu_s = fmax(a->mu_s, b->mu_s),
        .restitution = fmin(a->restitution, b->restitution),
        .mu_r_share = fmax(a->mu_r_share, b->mu_r_share),
        .mu_s_share = fmax(a->mu_s_share, b->mu_s_share),
    };
    combine_softness(a, b, &both);
    for (int k = 0; k < SCRI_CHANNELS; ++k) {
        double of_a = at_rest(a, k), of_b = at_rest(b, k);
        int differs = a->slip[k].at_rest > 0.0 || b->slip[k].at_rest > 0.0;
        double mean = k == SCRI_SLIDE ? sqrt(of_a * of_b) : fmax(of_a, of_b);
        both.slip[k].at_rest = differs ? mean : 0.0;
        both.slip[k].rate = fmax(a->slip[k].rate, b->slip[k].rate);
        both.slip[k].viscous = fmax(a->slip[k].viscous, b->slip[k].viscous);
    }
    return both;
}

int scri_has_slip(const scree_material* m, int k)
{
    const double in_motion[3] = {m->mu, m->mu_r, m->mu_s};
    return m->slip[k].at_rest > in_motion[k] || m->slip[k].viscous > 0.0;
}

/* `most` is above zero where a channel has friction; with shares it is no length. */
static void place_slip(scri_pair* pair)
{
    const double share[3] = {0.0, pair->material.mu_r_share, pair->material.mu_s_share};
    for (int k = 0; k < SCRI_CHANNELS; ++k) {
        pair->has_slip |= (uint8_t)scri_has_slip(&pair->material, k);
        pair->most[k] = at_rest(&pair->material, k) + pair->material.slip[k].viscous + share[k];
    }
}

static void place_softness(scri_pair* pair, const scree_material* const m[2],
                           const scree_material* given)
{
    double nu = pair->material.poisson;
    pair->shear = 2.0 * (1.0 - nu) / (2.0 - nu);
    pair->is_soft = pair->material.stiffness > 0.0;
    if (pair->is_soft) return;
    pair->modulus = modulus_of(given ? given : m[0], given ? given : m[1], &pair->shear);
    pair->is_soft = pair->modulus > 0.0;
}

/* Pusz and Woronowicz's mean in closed form: with determinants scaled to 1 the mean of two 2 x 2
 * matrices is their sum scaled to determinant 1. */
void scri_ellipse_mean(const double a[3], const double b[3], double out[3])
{
    double size_a = sqrt(a[0] * a[2] - a[1] * a[1]), size_b = sqrt(b[0] * b[2] - b[1] * b[1]);
    for (int i = 0; i < 3; ++i) out[i] = a[i] / size_a + b[i] / size_b;
    double scale = sqrt(size_a * size_b / (out[0] * out[2] - out[1] * out[1]));
    for (int i = 0; i < 3; ++i) out[i] *= scale;
}

/* The ellipse that stands for a set: its radii along its own axes, the mean of both ways. */
static void ellipse_of(const scree_set* set, double q[3])
{
    static const double disc[3] = {1.0, 0.0, 1.0};
    if (!set) {
        memcpy(q, disc, sizeof disc);
        return;
    }
    if (scri_set_as_ellipse(scri_set_of(set), q)) return;
    double c = set->value.turn[0], s = set->value.turn[1], angle = atan2(s, c), axis[2];
    for (int i = 0; i < 2; ++i) {
        double ahead = angle + 0.5 * SCREE_PI * i;
        axis[i] = 1.0 / (scree_set_radius(set, ahead) * scree_set_radius(set, ahead + SCREE_PI));
    }
    q[0] = c * c * axis[0] + s * s * axis[1];
    q[1] = c * s * (axis[0] - axis[1]);
    q[2] = s * s * axis[0] + c * c * axis[1];
}

static void lay_of(const scree_material* m, double out[3])
{
    static const double x_axis[3] = {1.0, 0.0, 0.0};
    double largest = fmax(fabs(m->lay[0]), fmax(fabs(m->lay[1]), fabs(m->lay[2])));
    memcpy(out, x_axis, sizeof x_axis);
    if (!(largest > 0.0)) return;
    scri_vec lay = scri_vec_scale(1.0 / largest, scri_vec_load(m->lay));
    scri_vec_store(scri_vec_scale(1.0 / scri_vec_length(lay), lay), out);
}

int scri_has_ground(const scree_material* m)
{
    return m->ground.stiffness != 0.0 || m->ground.damping != 0.0 || m->ground.mass != 0.0;
}

/* The ground that a cylinder of side 0 has on a half-space of side 1. */
static void place_ground(scri_pair* pair, const scree_material* half_space,
                         const scree_material* given)
{
    const scree_material* m = given && scri_has_ground(given) ? given : half_space;
    if (given && (given->rolling || given->rolling_direction)) return;
    pair->has_ground = (uint8_t)scri_has_ground(m);
    pair->ground = m->ground;
}

/* C and D of one channel as the two sides have them. */
typedef struct channel {
    const scree_set* set[2][2]; /* side; C, D */
    int sides;                  /* bits of the sides whose sets count */
} channel;

static int has(const scree_set* const set[2])
{
    return set[0] || set[1];
}

static channel channel_of(const scree_material* const m[2], const scree_material* given,
                          int given_side, int rolls)
{
    channel c = {.sides = 0};
    for (int side = 0; side < 2; ++side) {
        c.set[side][0] = rolls ? m[side]->rolling : m[side]->sliding;
        c.set[side][1] = rolls ? m[side]->rolling_direction : m[side]->direction;
        if (has(c.set[side])) c.sides |= 1 << side;
    }
    if (rolls && c.sides == 1 && m[0]->mu_r < m[1]->mu_r) c.sides = 0;
    if (rolls && c.sides == 2 && m[1]->mu_r < m[0]->mu_r) c.sides = 0;
    if (!given) return c;
    const scree_set* set[2] = {rolls ? given->rolling : given->sliding,
                               rolls ? given->rolling_direction : given->direction};
    if (!has(set)) return c;
    memcpy(c.set[given_side], set, sizeof set);
    c.sides = 1 << given_side;
    return c;
}

static int8_t side_of(int sides)
{
    return (int8_t)(sides == 0 ? -1 : sides == 1 ? 0 : 1);
}

/* Ellipses that stand for sets with one spin power have it too; with two powers, or one that is not
 * convex, ellipsoids stand for them. */
static void join_power(scri_pair* pair, const scree_set* force)
{
    double power = force ? force->value.spin_power : 0.0;
    if (!(power > 0.0)) return;
    if (power < 1.0 || (pair->spin_power > 0.0 && pair->spin_power != power)) power = 2.0;
    pair->spin_power = power;
}

/* The channel whose C is set `first` of the pair. */
static void place_channel(scri_pair* pair, const channel* c, int first)
{
    int has_direction = 0, as_it_is = c->sides == 1 << pair->laid;
    for (int side = 0; side < 2; ++side) {
        if (c->sides >> side & 1) has_direction |= c->set[side][1] != NULL;
    }
    for (int k = 0; k < 1 + has_direction; ++k) {
        if (as_it_is) {
            pair->set[first + k] = c->set[pair->laid][k];
            continue;
        }
        pair->from[first + k] = (uint8_t)c->sides;
        for (int side = 0; side < 2; ++side) {
            const scree_set* const* set = c->set[side];
            if (c->sides >> side & 1) join_power(pair, set[0]);
            ellipse_of(k && set[1] ? set[1] : set[0], pair->ellipse[side][first + k]);
        }
    }
}

/* Only the extended law tells D from C, or takes a C that is not convex. */
static int is_extended(const scri_pair* pair)
{
    for (int k = 0; k < SCRI_SETS; k += 2) {
        if (pair->set[k + 1] || pair->from[k + 1]) return 1;
        if (pair->set[k] && !scree_set_is_convex(pair->set[k])) return 1;
    }
    return 0;
}

scri_pair scri_pair_make(scree_law law, const scree_material* const material[2],
                         const scree_material* given, int given_side)
{
    scri_pair pair = {.law = (uint8_t)law, .is_given = given != NULL};
    pair.material = given                        ? *given
                    : material[0] == material[1] ? *material[0]
                                                 : scri_material_combine(material[0], material[1]);
    for (int side = 0; side < 2; ++side) lay_of(material[side], pair.lay[side]);
    channel sliding = channel_of(material, given, given_side, 0);
    channel rolling = channel_of(material, given, given_side, 1);
    place_slip(&pair);
    place_softness(&pair, material, given);
    pair.has_share = pair.material.mu_r_share > 0.0 || pair.material.mu_s_share > 0.0;
    if (!(pair.most[SCRI_SLIDE] > 0.0)) sliding.sides = 0;
    pair.contour = (uint8_t)((material[0]->contour != 0) + 2 * (material[1]->contour != 0));
    place_ground(&pair, material[1], given);
    if (!(pair.most[SCRI_ROLL] > 0.0) || pair.has_ground) rolling.sides = 0;
    pair.laid = side_of(sliding.sides ? sliding.sides : rolling.sides);
    pair.has_sets = pair.laid >= 0;
    if (sliding.sides) place_channel(&pair, &sliding, SCRI_SLIDING);
    if (rolling.sides) place_channel(&pair, &rolling, SCRI_ROLLING);
    int extended = scri_law_extended_by((int)law);
    if (extended >= 0 && is_extended(&pair)) pair.law = (uint8_t)extended;
    return pair;
}
