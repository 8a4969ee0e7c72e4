/* Rounded shapes: mass properties against closed forms and integration, limits of small rounding.
 */
#include "math/vec.h"
#include "shapes/bounds.h"
#include "shapes/rounded.h"
#include "support/draw.h"
#include "support/test.h"

static scree_mass mass_of(const scree_shape* shape)
{
    scree_mass out;
    assert_int_equal(scree_shape_mass(NULL, 1, shape, 1.0, &out), SCREE_OK);
    return out;
}

static scree_shape make(scree_shape_kind kind, double x, double y, double z, double rounding)
{
    scree_shape shape = scree_default_shape();
    shape.kind = kind;
    shape.half_size[0] = x;
    shape.half_size[1] = y;
    shape.half_size[2] = z;
    shape.rounding = rounding;
    return shape;
}

static scree_hull* hull_of(int n, const double* points)
{
    scree_hull* hull = NULL;
    assert_int_equal(scree_hull_create(NULL, n, points, &hull), SCREE_OK);
    return hull;
}

static void expect_same(const scree_mass* a, const scree_mass* b, double error, const char* what)
{
    double size = sqrt(a->inertia[0] / a->mass) + 1e-300, largest = a->inertia[0] + a->inertia[1];
    require(fabs(a->mass / b->mass - 1.0) <= error, "%s: mass %.17g, not %.17g", what, a->mass,
            b->mass);
    for (int k = 0; k < 3; ++k) {
        require(fabs(a->centre[k] - b->centre[k]) <= error * size, "%s: centre %g, not %g", what,
                a->centre[k], b->centre[k]);
    }
    for (int k = 0; k < 6; ++k) {
        require(fabs(a->inertia[k] - b->inertia[k]) <= error * largest,
                "%s: inertia[%d] %.17g, not %.17g", what, k, a->inertia[k], b->inertia[k]);
    }
}

/* A rounded point is a ball, a rounded needle a capsule, a rounded ball a larger one. */
static void become_others(void** state)
{
    (void)state;
    const double tiny = 1e-9;
    scree_shape ball = make(SCREE_SHAPE_SPHERE, 0.3, 0.0, 0.0, 0.0);
    scree_shape capsule = make(SCREE_SHAPE_CAPSULE, 0.3, 0.5, 0.0, 0.0);
    scree_mass of_ball = mass_of(&ball), of_capsule = mass_of(&capsule);
    static const scree_shape_kind kinds[] = {SCREE_SHAPE_BOX, SCREE_SHAPE_CYLINDER,
                                             SCREE_SHAPE_ELLIPSOID, SCREE_SHAPE_CONE};
    for (int i = 0; i < 4; ++i) {
        scree_shape point = make(kinds[i], tiny, tiny, tiny, 0.3);
        scree_mass mass = mass_of(&point);
        expect_same(&mass, &of_ball, 1e-7, scree_shape_name((int)kinds[i]));
    }
    scree_shape needle = make(SCREE_SHAPE_BOX, tiny, tiny, 0.5, 0.3);
    scree_mass mass = mass_of(&needle);
    expect_same(&mass, &of_capsule, 1e-7, "box as a capsule");
    needle = make(SCREE_SHAPE_CYLINDER, tiny, 0.5, 0.0, 0.3);
    mass = mass_of(&needle);
    expect_same(&mass, &of_capsule, 1e-7, "cylinder as a capsule");
    double points[12];
    for (int i = 0; i < 12; ++i) points[i] = (i == 0) + (i == 4) + (i == 8);
    scree_hull* hull = hull_of(4, points);
    scree_shape corner = make(SCREE_SHAPE_HULL, tiny, 0.0, 0.0, 0.3);
    corner.hull = hull;
    mass = mass_of(&corner);
    expect_same(&mass, &of_ball, 1e-7, "hull as a ball");
    scree_hull_destroy(hull);
    scree_shape round = make(SCREE_SHAPE_ELLIPSOID, 0.2, 0.2, 0.2, 0.1);
    mass = mass_of(&round);
    expect_same(&mass, &of_ball, 1e-12, "ellipsoid as a ball");
}

/* The hull of a box, prisms with many sides and a cylinder: other ways to the same. */
static void hulls_and_boxes(void** state)
{
    (void)state;
    double points[24];
    const double half[3] = {0.3, 0.5, 0.7};
    for (int i = 0; i < 24; ++i) points[i] = (i / 3 >> i % 3 & 1 ? 1.0 : -1.0) * half[i % 3];
    scree_hull* hull = hull_of(8, points);
    for (double r = 1e-3; r < 2.0; r *= 3.0) {
        scree_shape box = make(SCREE_SHAPE_BOX, 2.0 * half[0], 2.0 * half[1], 2.0 * half[2], r);
        scree_shape same = make(SCREE_SHAPE_HULL, 2.0, 0.0, 0.0, r);
        same.hull = hull;
        scree_mass one = mass_of(&box), two = mass_of(&same);
        expect_same(&one, &two, 1e-13, "hull of a box");
        double a = 0.6, b = 1.0, c = 1.4; /* Steiner */
        double steiner = 8.0 * a * b * c + 8.0 * (a * b + b * c + c * a) * r +
                         2.0 * SCREE_PI * (a + b + c) * r * r + 4.0 / 3.0 * SCREE_PI * r * r * r;
        require(fabs(one.mass / steiner - 1.0) <= 1e-14, "box: %g, not %g", one.mass, steiner);
    }
    scree_hull_destroy(hull);
    enum { SIDES = 400 };
    static double rims[6 * SIDES];
    for (int i = 0; i < 2 * SIDES; ++i) {
        double angle = 2.0 * SCREE_PI * (i / 2) / SIDES;
        rims[3 * i] = 0.4 * cos(angle);
        rims[3 * i + 1] = 0.4 * sin(angle);
        rims[3 * i + 2] = i % 2 ? 0.25 : -0.25;
    }
    hull = hull_of(2 * SIDES, rims);
    scree_shape prism = make(SCREE_SHAPE_HULL, 1.0, 0.0, 0.0, 0.2);
    scree_shape cylinder = make(SCREE_SHAPE_CYLINDER, 0.4, 0.25, 0.0, 0.2);
    prism.hull = hull;
    scree_mass one = mass_of(&prism), two = mass_of(&cylinder);
    expect_same(&one, &two, 2e-4, "prism as a cylinder"); /* 2/3 (pi / 400)^2 and a little */
    scree_hull_destroy(hull);
}

/* Distance of a point from the core of a shape, by other formulas than the library's. */
static double distance_of(const scree_shape* s, scri_vec x)
{
    double rho = hypot(x.x, x.y), h = s->half_size[1];
    if (s->kind == SCREE_SHAPE_CYLINDER) {
        return hypot(fmax(rho - s->half_size[0], 0.0), fmax(fabs(x.z) - h, 0.0));
    }
    if (s->kind == SCREE_SHAPE_BOX) {
        return hypot(fmax(fabs(x.x) - s->half_size[0], 0.0),
                     hypot(fmax(fabs(x.y) - h, 0.0), fmax(fabs(x.z) - s->half_size[2], 0.0)));
    }
    /* cone: from the triangle (0, base), (r, base), (0, apex) in (rho, z) */
    double r = s->half_size[0], base = -0.5 * h, apex = 1.5 * h, slant = hypot(r, 2.0 * h);
    double beyond = (2.0 * h * rho + r * (x.z - apex)) / slant;
    if (beyond <= 0.0 && x.z >= base) return 0.0;
    double along = ((r - rho) * r + (x.z - base) * 2.0 * h) / slant; /* from the rim */
    along = fmin(fmax(along, 0.0), slant);
    double side = hypot(rho - (r - along / slant * r), x.z - (base + along / slant * 2.0 * h));
    double below = hypot(fmax(rho - r, 0.0), x.z - base);
    return fmin(side, below);
}

/* Random points in the bounds: volume, centre and second moments to a few standard errors. */
static void against_random_points(void** state)
{
    (void)state;
    scri_random random = test_seed("against_random_points", 71);
    const scree_shape shapes[] = {make(SCREE_SHAPE_CYLINDER, 0.4, 0.2, 0.0, 0.25),
                                  make(SCREE_SHAPE_BOX, 0.4, 0.2, 0.3, 0.25),
                                  make(SCREE_SHAPE_CONE, 0.4, 0.5, 0.0, 0.25)};
    for (int i = 0; i < 3; ++i) {
        const scree_shape* s = &shapes[i];
        double sum[5] = {0.0}, side = scri_shape_radius(s->kind, s->half_size) + s->rounding;
        int n = test_size(100000, 4000000);
        for (int k = 0; k < n; ++k) {
            scri_vec x = {draw_between(&random, -side, side), 0.0, 0.0};
            x.y = draw_between(&random, -side, side);
            x.z = draw_between(&random, -side, side);
            if (distance_of(s, x) > s->rounding) continue;
            const double part[] = {1.0, x.z, x.x * x.x, x.y * x.y, x.z * x.z};
            for (int e = 0; e < 5; ++e) sum[e] += part[e];
        }
        scri_moments m;
        scri_rounded_moments(s, &m);
        const double want[] = {m.volume, m.first[2], m.second[0], m.second[1], m.second[2]};
        for (int e = 0; e < 5; ++e) {
            double found = sum[e] * 8.0 * side * side * side / n;
            double scale = m.volume * (e == 0 ? 1.0 : e == 1 ? side : side * side);
            require(fabs(found - want[e]) <= 6.0 * scale / sqrt((double)n),
                    "%s, moment %d: %g, not %g", scree_shape_name((int)s->kind), e, want[e], found);
        }
    }
}

/* Ellipsoids of revolution, whose surface and mean width are known: V + S r + M r^2 + 4/3 pi r^3.
 */
static void ellipsoids(void** state)
{
    (void)state;
    for (double flat = 0.03125; flat < 1.0; flat *= 2.0) {
        double a = 0.5, c = flat * a, r = 0.2, e = sqrt((1.0 - flat) * (1.0 + flat));
        double surface = 2.0 * SCREE_PI * a * a * (1.0 + (1.0 - e * e) / e * atanh(e));
        double width = 2.0 * SCREE_PI * (c + a / e * asin(e)); /* integral of the mean curvature */
        double volume = 4.0 / 3.0 * SCREE_PI * a * a * c;
        double want = volume + surface * r + width * r * r + 4.0 / 3.0 * SCREE_PI * r * r * r;
        scree_shape shape = make(SCREE_SHAPE_ELLIPSOID, a, a, c, r);
        scree_mass mass = mass_of(&shape);
        print_message("1 to %g: %.3g of the volume missing\n", 1.0 / flat, mass.mass / want - 1.0);
        double error = flat < 0.1 ? 1e-8 : 1e-12;
        require(fabs(mass.mass / want - 1.0) <= error, "%.17g, not %.17g", mass.mass, want);
        scree_shape turned = make(SCREE_SHAPE_ELLIPSOID, c, a, a, r);
        scree_mass other = mass_of(&turned);
        require(fabs(other.inertia[0] / mass.inertia[2] - 1.0) <= error &&
                    fabs(other.inertia[1] / mass.inertia[0] - 1.0) <= error,
                "inertia depends on the axis: %g %g", other.inertia[0] / mass.inertia[2] - 1.0,
                other.inertia[1] / mass.inertia[0] - 1.0);
    }
}

/* A small rounding adds the surface times the rounding. */
static void small_rounding(void** state)
{
    (void)state;
    const double r = 1e-9;
    scree_shape box = make(SCREE_SHAPE_BOX, 0.3, 0.4, 0.5, r);
    scree_shape cylinder = make(SCREE_SHAPE_CYLINDER, 0.3, 0.4, 0.0, r);
    scree_shape cone = make(SCREE_SHAPE_CONE, 0.3, 0.2, 0.0, r);
    scree_shape* all[] = {&box, &cylinder, &cone};
    for (int i = 0; i < 3; ++i) {
        scree_mass with = mass_of(all[i]);
        all[i]->rounding = 0.0;
        scree_mass without = mass_of(all[i]);
        expect_same(&with, &without, 1e-7, "small rounding");
    }
}

static void refused(void** state)
{
    (void)state;
    scree_mass out;
    scree_shape shape = make(SCREE_SHAPE_SPHERE, 0.3, 0.0, 0.0, 0.1);
    assert_int_equal(scree_shape_mass(NULL, 1, &shape, 1.0, &out), SCREE_ERROR_INPUT);
    shape = make(SCREE_SHAPE_CAPSULE, 0.3, 0.2, 0.0, 0.1);
    assert_int_equal(scree_shape_mass(NULL, 1, &shape, 1.0, &out), SCREE_ERROR_INPUT);
    shape = make(SCREE_SHAPE_BOX, 0.3, 0.2, 0.1, -0.1);
    assert_int_equal(scree_shape_mass(NULL, 1, &shape, 1.0, &out), SCREE_ERROR_INPUT);
    shape.rounding = SCREE_NAN;
    assert_int_equal(scree_shape_mass(NULL, 1, &shape, 1.0, &out), SCREE_ERROR_INPUT);
    shape.rounding = SCREE_INFINITY;
    assert_int_equal(scree_shape_mass(NULL, 1, &shape, 1.0, &out), SCREE_ERROR_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(become_others),         cmocka_unit_test(hulls_and_boxes),
        cmocka_unit_test(against_random_points), cmocka_unit_test(ellipsoids),
        cmocka_unit_test(small_rounding),        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
