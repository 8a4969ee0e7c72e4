/* The shape of heaps: known cones, lattices, flat layers, next to nothing, wrong input. */
#include "scree_study/repose.h"
#include "support/draw.h"
#include "support/test.h"

#define DEGREE (SCREE_PI / 180.0)

/* ---- heaps ---- */

typedef struct heap {
    int32_t n, capacity;
    double *position, *radius, floor;
} heap;

static void add_sphere(heap* h, double x, double y, double z, double radius)
{
    if (h->n == h->capacity) {
        h->capacity = 2 * h->capacity + 64;
        h->position = realloc(h->position, 3 * (size_t)h->capacity * sizeof(double));
        h->radius = realloc(h->radius, (size_t)h->capacity * sizeof(double));
        assert_true(h->position && h->radius);
    }
    double* p = h->position + 3 * (size_t)h->n;
    p[0] = x, p[1] = y, p[2] = z;
    h->radius[h->n++] = radius;
}

static void release(heap* h)
{
    free(h->position);
    free(h->radius);
    *h = (heap){0};
}

static scree_heap view(const heap* h)
{
    return (scree_heap){.n = h->n, .position = h->position, .radius = h->radius, .floor = h->floor};
}

static scree_repose measure(const scree_heap* h)
{
    test_host host;
    scree_env env = test_env(&host);
    scree_repose r;
    assert_int_equal(scree_repose_measure(&env, h, &r), SCREE_OK);
    assert_int_equal(host.n_held, 0);
    assert_int_equal(host.n_logged, 0);
    return r;
}

static scree_repose measure_spheres(const heap* h)
{
    scree_heap v = view(h);
    return measure(&v);
}

typedef enum packing { CUBIC, FCC, SHAKEN, POINTS, N_PACKINGS } packing;

/* Height of the highest centre allowed at a distance from the axis. */
typedef struct roof {
    double height, slope, base; /* at the axis; tangent; at the least, up to `extent` */
    double extent;
} roof;

static roof cone(double height, double angle)
{
    return (roof){height, tan(angle), 0.0, height / tan(angle)};
}

static int is_under(const roof* r, double x, double y, double z)
{
    double distance = hypot(x, y);
    return distance <= r->extent && z <= fmax(r->height - r->slope * distance, r->base);
}

/* Spheres of diameter 1 in cubes, with others in the middle of their faces or without. `frame`
 * turns the lattice, `shake` moves every sphere at random in each direction. */
typedef struct lattice {
    int per_cube;
    double edge, frame[9], shake;
} lattice;

static heap pack_lattice(scri_random* random, const lattice* l, roof top)
{
    static const double place[4][3] = {{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}};
    heap h = {0};
    roof near = {top.height + 1.0, top.slope, top.base + 1.0, top.extent + 1.0};
    int side = (int)ceil(hypot(top.extent, top.height) / l->edge) + 2;
    for (int i = -side; i <= side; ++i) {
        for (int j = -side; j <= side; ++j) {
            for (int k = -side * l->per_cube; k <= side * l->per_cube; ++k) {
                int which = (k + side * l->per_cube) % l->per_cube;
                double cube[3] = {i, j, floor((double)k / l->per_cube)};
                double x[3] = {0.21, 0.13, 0.5 + l->shake}; /* no sphere is on the axis */
                for (int m = 0; m < 9; ++m) {
                    x[m % 3] += l->frame[m] * l->edge * (cube[m / 3] + place[which][m / 3]);
                }
                if (!is_under(&near, x[0], x[1], x[2]) || x[2] < 0.0) continue;
                for (int m = 0; m < 3; ++m) x[m] += draw_between(random, -l->shake, l->shake);
                if (x[2] >= 0.5 && is_under(&top, x[0], x[1], x[2])) {
                    add_sphere(&h, x[0], x[1], x[2], 0.5);
                }
            }
        }
    }
    return h;
}

/* Spheres anywhere, overlaps allowed: rougher than any packing, with the density of a loose one.
 * Radii of 0.5 (1 - spread) to 0.5 (1 + spread). */
static heap pack_points(scri_random* random, roof top, double spread)
{
    heap h = {0};
    double side = top.extent;
    int n = (int)(1.15 * 4.0 * side * side * top.height);
    for (int i = 0; i < n; ++i) {
        double x = draw_between(random, -side, side), y = draw_between(random, -side, side);
        double radius = 0.5 * draw_between(random, 1.0 - spread, 1.0 + spread);
        double z = draw_between(random, 0.0, top.height);
        if (z >= radius && is_under(&top, x, y, z)) add_sphere(&h, x, y, z, radius);
    }
    return h;
}

static heap pack(scri_random* random, packing kind, roof top)
{
    lattice l = {.per_cube = 1, .edge = 1.0, .frame = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    if (kind == POINTS) return pack_points(random, top, 0.0);
    if (kind != CUBIC) {
        l.per_cube = 4;
        l.edge = sqrt(2.0);
    }
    if (kind == SHAKEN) { /* of the density of a random packing */
        draw_frame(random, l.frame);
        l.edge *= 1.07;
        l.shake = 0.15;
    }
    return pack_lattice(random, &l, top);
}

/* The spheres below a height. */
static heap cut_off(heap whole, double height)
{
    heap h = {0};
    for (int32_t i = 0; i < whole.n; ++i) {
        const double* p = whole.position + 3 * (size_t)i;
        if (p[2] < height) add_sphere(&h, p[0], p[1], p[2], whole.radius[i]);
    }
    release(&whole);
    return h;
}

/* ---- slope ---- */

static void check_angle(const scree_repose* r, double angle, double bound, const char* what)
{
    double degrees = r->angle / DEGREE;
    require(fabs(r->angle - angle) <= bound * DEGREE, "%s of %g degrees: found %g", what,
            angle / DEGREE, degrees);
    require(r->angle_error >= 0.0 && r->angle_error <= bound * DEGREE, "%s: error %g degrees", what,
            r->angle_error / DEGREE);
    assert_true(r->flank_begin >= 0 && r->flank_end >= r->flank_begin + 3 &&
                r->flank_end <= SCREE_REPOSE_BINS);
    for (int k = r->flank_begin; k < r->flank_end; ++k) {
        if (isnan(r->profile_height[k])) continue; /* a ring with gaps */
        double line = r->flank_height - r->profile_radius[k] * tan(r->angle);
        require(fabs(line - r->profile_height[k]) <= 1.5, "%s: ring %d at %g m, line at %g m", what,
                k, r->profile_height[k], line);
    }
}

static void known_cones(void** state)
{
    (void)state;
    static const char* const name[] = {"cubic cone", "FCC cone", "shaken cone", "cone of points"};
    scri_random random = test_seed("known_cones", 5);
    double worst[N_PACKINGS] = {0.0};
    for (int degrees = test_few(5, 25); degrees <= 45; degrees += test_size(10, 5)) {
        for (packing kind = CUBIC; kind < N_PACKINGS; ++kind) {
            double angle = degrees * DEGREE, extent = degrees <= 10 ? 60.0 : 25.0;
            heap h = pack(&random, kind, cone(extent * tan(angle), angle));
            scree_repose r = measure_spheres(&h);
            check_angle(&r, angle, 1.5, name[kind]);
            require(hypot(r.axis[0], r.axis[1]) < 0.6, "axis %g %g", r.axis[0], r.axis[1]);
            require(fabs(r.height - extent * tan(angle)) < 1.5, "height %g", r.height);
            worst[kind] = fmax(worst[kind], fabs(r.angle - angle) / DEGREE);
            release(&h);
        }
    }
    for (packing kind = CUBIC; kind < N_PACKINGS; ++kind) {
        print_message("%s: worst error %.2f degrees\n", name[kind], worst[kind]);
    }
}

static void small_and_mixed_cones(void** state)
{
    (void)state;
    scri_random random = test_seed("small_and_mixed_cones", 6);
    double worst[2] = {0.0};
    for (int trial = 0; trial < test_cases(10, 50); ++trial) {
        double angle = draw_between(&random, 20.0, 40.0) * DEGREE;
        heap mixed = pack_points(&random, cone(25.0 * tan(angle), angle), 0.5);
        scree_repose r = measure_spheres(&mixed);
        check_angle(&r, angle, 1.5, "mixed cone");
        worst[0] = fmax(worst[0], fabs(r.angle - angle) / DEGREE);
        release(&mixed);
        heap small = pack(&random, SHAKEN, cone(10.0 * tan(angle), angle));
        r = measure_spheres(&small);
        check_angle(&r, angle, 6.0, "small cone");
        worst[1] = fmax(worst[1], fabs(r.angle - angle) / DEGREE);
        release(&small);
    }
    print_message("worst errors: mixed %.2f, small %.2f degrees\n", worst[0], worst[1]);
}

/* The standard error is the scatter over equal heaps. */
static void errors_of_cones(void** state)
{
    (void)state;
    scri_random random = test_seed("errors_of_cones", 12);
    const int n = test_cases(25, 100);
    double scatter = 0.0, said = 0.0;
    for (int trial = 0; trial < n; ++trial) {
        heap h = pack(&random, SHAKEN, cone(12.0, SCREE_PI / 4.0));
        scree_repose r = measure_spheres(&h);
        scatter += (r.angle - SCREE_PI / 4.0) * (r.angle - SCREE_PI / 4.0) / n;
        said += r.angle_error * r.angle_error / n;
        release(&h);
    }
    require(sqrt(scatter / said) > 0.6 && sqrt(scatter / said) < 1.6,
            "scatter %g, standard error %g degrees", sqrt(scatter) / DEGREE, sqrt(said) / DEGREE);
}

/* A blunt tip, what rolled away, and what slid down to the walls of a container. */
static void cones_with_surroundings(void** state)
{
    (void)state;
    scri_random random = test_seed("cones_with_surroundings", 7);
    double angle = 25.0 * DEGREE;
    heap h = pack_points(&random, cone(25.0 * tan(angle), angle), 0.0);
    int n = h.n / 20;
    for (int i = 0; i < n; ++i) {
        double turn = draw_between(&random, -1.0, 1.0), far = draw_between(&random, 25.0, 100.0);
        add_sphere(&h, far * cos(turn), far * sin(turn), 0.5, 0.5);
    }
    scree_repose r = measure_spheres(&h);
    check_angle(&r, angle, 1.5, "cone and runaways");
    require(hypot(r.axis[0], r.axis[1]) < 1.0, "axis %g %g", r.axis[0], r.axis[1]);
    release(&h);

    roof top = {4.0 + 20.0 * tan(angle), tan(angle), 4.0, 30.0};
    h = pack_points(&random, top, 0.0);
    r = measure_spheres(&h);
    check_angle(&r, angle, 1.5, "cone on a layer");
    release(&h);

    h = cut_off(pack_points(&random, cone(30.0 * tan(angle), angle), 0.0), 20.0 * tan(angle));
    r = measure_spheres(&h);
    check_angle(&r, angle, 1.5, "blunt cone");
    release(&h);

    /* fewer than three rings between tip and toe: their neighbours help, not the whole plateau */
    h = cut_off(pack(&random, SHAKEN, cone(12.0, SCREE_PI / 4.0)), 4.5);
    r = measure_spheres(&h);
    check_angle(&r, SCREE_PI / 4.0, 9.0, "small blunt cone");
    assert_int_equal(r.flank_end - r.flank_begin, 3);
    release(&h);
}

static void flat_layers(void** state)
{
    (void)state;
    scri_random random = test_seed("flat_layers", 8);
    heap h = pack(&random, CUBIC, (roof){0.6, 0.0, 0.6, 20.0});
    scree_repose r = measure_spheres(&h);
    require(fabs(r.angle) <= 1e-12 && fabs(r.angle_error) <= 1e-12, "one layer: %g", r.angle);
    require(r.height == 1.0, "one layer: height %g", r.height);
    require(isnan(r.packing_fraction), "one layer has no core");
    assert_int_equal(r.n_base, h.n);
    /* of a disc, the mean distance to the centre is two thirds of the radius */
    require(fabs(r.mean_radius / 20.0 - 2.0 / 3.0) < 0.01, "one layer: radius %g", r.mean_radius);
    release(&h);
    h = pack(&random, CUBIC, (roof){2.6, 0.0, 2.6, 20.0});
    r = measure_spheres(&h);
    require(r.height == 3.0 && fabs(r.angle) <= 1e-12, "three layers: %g", r.angle);
    require(isnan(r.packing_fraction), "three layers are floor, surface and one between");
    release(&h);
    for (int depth = 2; depth <= 6; depth += 2) {
        h = pack_points(&random, (roof){depth, 0.0, depth, 30.0}, 0.2);
        r = measure_spheres(&h);
        require(fabs(r.angle) <= 0.5 * DEGREE, "depth %d: %g degrees", depth, r.angle / DEGREE);
        release(&h);
    }
    for (int depth = 2; depth <= 12; depth += 5) { /* in a square container */
        heap square = {0};
        h = pack_points(&random, (roof){depth, 0.0, depth, 30.0}, 0.2);
        for (int32_t i = 0; i < h.n; ++i) {
            const double* p = h.position + 3 * (size_t)i;
            if (fmax(fabs(p[0]), fabs(p[1])) > 20.0) continue;
            add_sphere(&square, p[0], p[1], p[2], h.radius[i]);
        }
        r = measure_spheres(&square);
        require(fabs(r.angle) <= 0.7 * DEGREE, "square, depth %d: %g degrees", depth,
                r.angle / DEGREE);
        release(&square);
        release(&h);
    }
}

/* ---- properties ---- */

static void compare(double a, double b, double scale, const char* what)
{
    require((isnan(a) && isnan(b)) || fabs(a - b) <= 1e-9 * scale, "%s: %.17g, then %.17g", what, a,
            b);
}

/* Heights and distances of b are `scale` times those of a. */
static void compare_shapes(const scree_repose* a, const scree_repose* b, double scale)
{
    compare(scale * a->height, b->height, scale * a->height, "height");
    compare(scale * a->mean_radius, b->mean_radius, scale * a->height, "mean radius");
    compare(a->angle, b->angle, 1.0, "angle");
    compare(a->angle_error, b->angle_error, 1.0, "error of the angle");
    compare(a->packing_fraction, b->packing_fraction, 1.0, "packing fraction");
    assert_int_equal(a->n_base, b->n_base);
    assert_int_equal(a->flank_begin, b->flank_begin);
    assert_int_equal(a->flank_end, b->flank_end);
    for (int k = 0; k < SCREE_REPOSE_BINS; ++k) {
        double size = scale * a->height;
        compare(scale * a->profile_height[k], b->profile_height[k], size, "profile");
        compare(scale * a->profile_radius[k], b->profile_radius[k], size, "profile");
    }
}

static void moved_heaps(void** state)
{
    (void)state;
    scri_random random = test_seed("moved_heaps", 9);
    for (int trial = 0; trial < test_cases(20, 100); ++trial) {
        double angle = draw_between(&random, 3.0, 45.0) * DEGREE;
        heap a = pack_points(&random, cone(15.0 * tan(angle), angle), 0.3), b = {0};
        double scale = draw_power(&random, -5.0, 5.0),
               turn = draw_between(&random, -SCREE_PI, SCREE_PI);
        double shift[3];
        for (int k = 0; k < 3; ++k) shift[k] = scale * draw_between(&random, -100.0, 100.0);
        for (int32_t i = a.n; i-- > 0;) { /* and in another order */
            const double* p = a.position + 3 * (size_t)i;
            add_sphere(&b, shift[0] + scale * (cos(turn) * p[0] - sin(turn) * p[1]),
                       shift[1] + scale * (sin(turn) * p[0] + cos(turn) * p[1]),
                       shift[2] + scale * p[2], scale * a.radius[i]);
        }
        b.floor = shift[2];
        scree_repose ra = measure_spheres(&a), rb = measure_spheres(&b);
        compare_shapes(&ra, &rb, scale);
        double x = shift[0] + scale * (cos(turn) * ra.axis[0] - sin(turn) * ra.axis[1]);
        compare(x, rb.axis[0], 100.0 * scale, "axis");
        release(&a);
        release(&b);
    }
}

static void next_to_nothing(void** state)
{
    (void)state;
    heap h = {.floor = 2.0};
    scree_repose r = measure_spheres(&h);
    assert_true(isnan(r.height) && isnan(r.mean_radius) && isnan(r.angle) && isnan(r.axis[0]));
    assert_true(isnan(r.packing_fraction) && isnan(r.coordination) && isnan(r.force_mean));
    assert_true(r.n_base == 0 && r.n_lost == 0 && r.n_rattlers == -1 && r.flank_end == 0);

    add_sphere(&h, 3.0, 4.0, 2.5, 0.5);
    r = measure_spheres(&h);
    require(r.height == 1.0 && r.mean_radius == 0.0, "one: %g %g", r.height, r.mean_radius);
    assert_true(r.n_base == 1 && r.axis[0] == 3.0 && r.axis[1] == 4.0);
    assert_true(isnan(r.angle) && isnan(r.angle_error) && isnan(r.packing_fraction));

    add_sphere(&h, 4.0, 4.0, 2.5, 0.5);
    add_sphere(&h, 3.5, 4.0 + sqrt(0.75), 2.5, 0.5);
    r = measure_spheres(&h);
    require(fabs(r.mean_radius - 1.0 / sqrt(3.0)) < 1e-15, "three: %g", r.mean_radius);
    add_sphere(&h, 3.5, 4.0 + sqrt(1.0 / 12.0), 2.5 + sqrt(2.0 / 3.0), 0.5);
    r = measure_spheres(&h);
    require(fabs(r.height - 1.0 - sqrt(2.0 / 3.0)) < 1e-15, "four: %g", r.height);
    require(fabs(r.axis[0] - 3.5) < 1e-15 && isnan(r.angle), "four: %g", r.axis[0]);
    assert_int_equal(r.n_base, 3);

    /* fallen off the edge of the floor */
    add_sphere(&h, 1e3, 0.0, 1.9, 0.5);
    scree_repose without = r, with = measure_spheres(&h);
    assert_int_equal(with.n_lost, 1);
    with.n_lost = 0;
    compare_shapes(&without, &with, 1.0);
    release(&h);

    /* all centres on the floor: nothing to weigh with */
    add_sphere(&h, 0.0, 0.0, 0.0, 0.5);
    add_sphere(&h, 1.0, 0.0, 0.0, 0.5);
    r = measure_spheres(&h);
    assert_true(isnan(r.angle) && isfinite(r.axis[0]) && r.height == 0.5);
    release(&h);
}

/* ---- core ---- */

static void lattice_cores(void** state)
{
    (void)state;
    scri_random random = {.key = 0};
    static const double fraction[] = {SCREE_PI / 6.0, 0.74048048969306};
    double worst = 0.0;
    for (packing kind = CUBIC; kind <= FCC; ++kind) {
        for (int degrees = 15; degrees <= 45; degrees += 10) {
            double angle = degrees * DEGREE;
            heap h = pack(&random, kind, cone(fmax(11.0, 25.0 * tan(angle)), angle));
            scree_repose r = measure_spheres(&h);
            double error = fabs(r.packing_fraction / fraction[kind] - 1.0);
            require(error < 0.01, "cone of %d degrees: %g for %g", degrees, r.packing_fraction,
                    fraction[kind]);
            worst = fmax(worst, error);
            release(&h);
        }
        heap h = pack(&random, kind, (roof){9.0, 0.0, 9.0, 30.0});
        scree_repose r = measure_spheres(&h);
        double error = fabs(r.packing_fraction / fraction[kind] - 1.0);
        require(error < 0.01, "layer: %g for %g", r.packing_fraction, fraction[kind]);
        release(&h);
    }
    print_message("worst relative error in cones %.5f\n", worst);
}

/* The density that pack_points() draws from, spheres of two sizes. */
static void random_cores(void** state)
{
    (void)state;
    scri_random random = test_seed("random_cores", 10);
    double sum = 0.0;
    const int n = test_cases(10, 40);
    for (int trial = 0; trial < n; ++trial) {
        heap h = pack_points(&random, cone(15.0, SCREE_PI / 4.0), 0.0);
        for (int32_t i = 0; i < h.n; i += 2) h.radius[i] = 0.25;
        scree_repose r = measure_spheres(&h);
        sum += r.packing_fraction / n;
        release(&h);
    }
    double expected = 1.15 * (1.0 + 0.125) / 2.0 * SCREE_PI / 6.0;
    require(fabs(sum / expected - 1.0) < (test_all() ? 0.03 : 0.06), "%g for %g", sum, expected);
}

/* ---- contacts ---- */

static void counted_contacts(void** state)
{
    (void)state;
    heap h = {0};
    add_sphere(&h, 0.0, 0.0, 0.5, 0.5);   /* on the floor */
    add_sphere(&h, 1.0, 0.0, 0.5, 0.5);   /* on the floor */
    add_sphere(&h, 0.5, 0.0, 1.366, 0.5); /* on both, and at a wall */
    add_sphere(&h, 0.5, 0.0, 9.0, 0.5);   /* in the air */
    add_sphere(&h, 9.0, 0.0, 0.51, 0.5);  /* just above the floor, no contact */
    add_sphere(&h, 9.0, 9.0, -1.0, 0.5);  /* lost */
    static const int32_t pair[] = {0, -1, -1, 1, 2, 0, 1, 2, 2, -1, 0, 1, 5, -1, 5, 0, -1, -1};
    static const float force[] = {3.0F, 3.0F, 1.0F, 1.0F, 2.0F, 0.0F, 100.0F, 100.0F, 100.0F};
    scree_heap v = view(&h);
    v.n_contacts = 9;
    v.pair = pair;
    v.normal_force = force;
    scree_repose r = measure(&v);
    assert_int_equal(r.n_base, 2);
    assert_int_equal(r.n_lost, 1);
    assert_int_equal(r.n_rattlers, 2);
    require(r.mean_radius == 0.5, "radius %g", r.mean_radius);
    require(fabs(r.height - 1.866) < 1e-15, "what is in the air does not count: %g", r.height);
    require(fabs(r.axis[0] - 0.5) < 1e-15 && r.axis[1] == 0.0, "axis %g", r.axis[0]);
    require(fabs(r.coordination - 7.0 / 3.0) < 1e-15, "coordination %g", r.coordination);
    require(fabs(r.force_mean - 2.0) < 1e-15, "mean force %g", r.force_mean);
    /* sorted over the mean: 0.5 0.5 1 1.5 1.5 */
    static const double quantile[5] = {0.5, 0.5, 1.0, 1.5, 1.5};
    for (int k = 0; k < 5; ++k) {
        require(fabs(r.force_quantile[k] - quantile[k]) < 1e-15, "%d: %g", k, r.force_quantile[k]);
    }
    require(fabs(r.force_density[2] - 1.6) < 1e-12 && fabs(r.force_density[4] - 0.8) < 1e-12 &&
                fabs(r.force_density[6] - 1.6) < 1e-12 && r.force_density[3] == 0.0,
            "density %g %g %g", r.force_density[2], r.force_density[4], r.force_density[6]);

    v.normal_force = NULL; /* then all contacts carry */
    r = measure(&v);
    require(fabs(r.coordination - 9.0 / 3.0) < 1e-15, "coordination %g", r.coordination);
    assert_true(isnan(r.force_mean) && isnan(r.force_quantile[0]) && isnan(r.force_density[0]));

    v.n_contacts = 0; /* known to be none */
    r = measure(&v);
    assert_true(r.n_base == 0 && r.n_rattlers == 5 && isnan(r.coordination));
    assert_true(isnan(r.mean_radius) && isnan(r.height) && isnan(r.angle)); /* all in the air */

    v.pair = NULL; /* not known: whatever is near the floor touches it */
    r = measure(&v);
    assert_true(r.n_base == 3 && r.n_rattlers == -1 && isnan(r.coordination));
    require(r.height == 9.5, "height %g", r.height);
    release(&h);
}

/* Spheres that still fall change nothing but the number of rattlers. */
static void falling_spheres(void** state)
{
    (void)state;
    scri_random random = test_seed("falling_spheres", 13);
    heap h = pack(&random, SHAKEN, cone(12.0, SCREE_PI / 6.0));
    int32_t n = h.n, *pair = test_take((size_t)n, 2 * sizeof *pair);
    for (int32_t i = 0; i < n; ++i) pair[2 * i] = i, pair[2 * i + 1] = -1;
    scree_heap v = view(&h);
    v.n_contacts = n;
    v.pair = pair;
    scree_repose before = measure(&v);
    for (int i = 0; i < 50; ++i) {
        double x = draw_between(&random, 1.0, 40.0), y = draw_between(&random, 1.0, 9.0);
        add_sphere(&h, x, y, draw_between(&random, 20.0, 50.0), 0.5);
    }
    v.n = h.n;
    v.position = h.position;
    v.radius = h.radius;
    scree_repose after = measure(&v);
    compare_shapes(&before, &after, 1.0);
    assert_true(before.n_rattlers == 0 && after.n_rattlers == 50);
    free(pair);
    release(&h);
}

/* An exponential distribution, as forces in a packing nearly have. */
static void distributed_forces(void** state)
{
    (void)state;
    scri_random random = test_seed("distributed_forces", 11);
    enum { N = 200000 };
    int32_t* pair = test_take(2 * N, sizeof *pair);
    float* force = test_take(N, sizeof *force);
    for (int c = 0; c < N; ++c) {
        pair[2 * c] = 0;
        pair[2 * c + 1] = -1;
        force[c] = (float)(-7.0 * log(1.0 - scri_random_uniform(&random)));
    }
    heap h = {0};
    add_sphere(&h, 0.0, 0.0, 0.5, 0.5);
    scree_heap v = view(&h);
    v.n_contacts = N;
    v.pair = pair;
    v.normal_force = force;
    scree_repose r = measure(&v);
    require(fabs(r.force_mean / 7.0 - 1.0) < 0.02, "mean %g", r.force_mean);
    static const double part[5] = {0.05, 0.25, 0.5, 0.75, 0.95};
    for (int k = 0; k < 5; ++k) {
        double expected = -log(1.0 - part[k]);
        require(fabs(r.force_quantile[k] / expected - 1.0) < 0.05, "quantile %g: %g for %g",
                part[k], r.force_quantile[k], expected);
    }
    double sum = 0.0;
    for (int k = 0; k < SCREE_REPOSE_BINS; ++k) {
        double expected = (exp(-0.25 * k) - exp(-0.25 * (k + 1))) / 0.25;
        require(fabs(r.force_density[k] - expected) < 0.02, "bin %d: %g for %g", k,
                r.force_density[k], expected);
        sum += 0.25 * r.force_density[k];
    }
    require(sum > 0.998 && sum <= 1.0 + 1e-9, "sum %g", sum);
    release(&h);
    free(pair);
    free(force);
}

/* ---- faults ---- */

static void expect(const scree_heap* h, scree_status status, const char* message)
{
    test_host host;
    scree_env env = test_env(&host);
    scree_repose r;
    assert_int_equal(scree_repose_measure(&env, h, &r), status);
    assert_int_equal(host.n_held, 0);
    assert_non_null(strstr(host.text, message));
}

static void wrong_input(void** state)
{
    (void)state;
    scree_repose r;
    heap h = {0};
    add_sphere(&h, 0.0, 0.0, 0.5, 0.5);
    add_sphere(&h, 1.0, 0.0, 0.5, 0.5);
    scree_heap good = view(&h), bad = good;
    assert_int_equal(scree_repose_measure(NULL, NULL, &r), SCREE_ERROR_ARGUMENT);
    assert_int_equal(scree_repose_measure(NULL, &good, NULL), SCREE_ERROR_ARGUMENT);
    assert_int_equal(scree_repose_measure(NULL, &good, &r), SCREE_OK);
    bad.n = -1;
    expect(&bad, SCREE_ERROR_ARGUMENT, "-1 spheres");
    bad = good, bad.radius = NULL;
    expect(&bad, SCREE_ERROR_ARGUMENT, "2 spheres without");
    bad = good, bad.floor = INFINITY;
    expect(&bad, SCREE_ERROR_INPUT, "floor");
    for (int k = 0; k < 4; ++k) {
        double* value = k < 3 ? h.position + 3 + k : h.radius + 1;
        double was = *value;
        *value = (double)NAN;
        expect(&good, SCREE_ERROR_INPUT, "sphere 1");
        *value = was;
    }
    h.radius[1] = 0.0;
    expect(&good, SCREE_ERROR_INPUT, "sphere 1");
    h.radius[1] = 0.5;

    int32_t pair[4] = {0, 1, -1, 0};
    float force[2] = {1.0F, 1.0F};
    good.n_contacts = 2, good.normal_force = force;
    expect(&good, SCREE_ERROR_ARGUMENT, "2 contacts without pairs");
    good.pair = pair;
    assert_int_equal(scree_repose_measure(NULL, &good, &r), SCREE_OK);
    static const int32_t wrong[] = {2, -2, 0};
    for (int k = 0; k < 3; ++k) {
        pair[2] = wrong[k];
        expect(&good, SCREE_ERROR_INPUT, "contact 1");
    }
    pair[2] = -1;
    force[1] = NAN;
    expect(&good, SCREE_ERROR_INPUT, "contact 1");
    release(&h);
}

static void out_of_memory(void** state)
{
    (void)state;
    scri_random random = {.key = 0};
    heap h = pack(&random, CUBIC, cone(15.0, SCREE_PI / 4.0));
    int32_t* pair = test_take((size_t)h.n, 2 * sizeof *pair);
    for (int32_t i = 0; i < h.n; ++i) pair[2 * i] = i, pair[2 * i + 1] = -1;
    scree_heap v = view(&h);
    v.n_contacts = h.n;
    v.pair = pair;
    scree_status status = SCREE_ERROR_MEMORY;
    for (long k = 0; status; ++k) {
        test_host host;
        scree_env env = test_env(&host);
        scree_repose r;
        host.fail_at = k;
        status = scree_repose_measure(&env, &v, &r);
        assert_int_equal(host.n_held, 0);
        if (!status) {
            assert_true(k >= 5);
            continue;
        }
        assert_int_equal(status, SCREE_ERROR_MEMORY);
        assert_non_null(strstr(host.text, "out of memory for a heap"));
    }
    free(pair);
    release(&h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_cones),     cmocka_unit_test(small_and_mixed_cones),
        cmocka_unit_test(errors_of_cones), cmocka_unit_test(cones_with_surroundings),
        cmocka_unit_test(flat_layers),     cmocka_unit_test(moved_heaps),
        cmocka_unit_test(next_to_nothing), cmocka_unit_test(lattice_cores),
        cmocka_unit_test(random_cores),    cmocka_unit_test(counted_contacts),
        cmocka_unit_test(falling_spheres), cmocka_unit_test(distributed_forces),
        cmocka_unit_test(wrong_input),     cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
