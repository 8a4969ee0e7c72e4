/* What is promised to the last bit on every processor that follows IEEE 754: motions of standard
 * worlds, with their certificates. The numbers are the same in this file for all of them; a change
 * of numerics changes them here and is named in CHANGELOG.md. Worlds are built without sines and
 * cosines, whose last digit belongs to the C library, and have no more than 32 bodies that touch:
 * larger ones may be solved by matrices whose rounding belongs to a BLAS. */
#include "support/worlds.h"

/* FNV-1a over the bits of numbers. */
static uint64_t mix(uint64_t hash, const double* x, size_t n)
{
    for (size_t i = 0; i < n; ++i) {
        uint64_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        for (int k = 0; k < 8; ++k) hash = (hash ^ (bits >> (8 * k) & 0xff)) * 0x100000001b3u;
    }
    return hash;
}

/* Steps the world and gives it back; the state and the certificate of every step count. */
static uint64_t run(scree_world* world, int steps)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (int s = 0; s < steps; ++s) {
        scree_step_report r = step_any(world);
        scree_world_view v = scree_world_get_view(world);
        size_t n = (size_t)v.n_bodies;
        double judged[] = {r.certificate.residual,
                           r.certificate.normal_violation,
                           r.certificate.cone_violation,
                           r.certificate.complementarity,
                           r.solve.residual,
                           (double)r.n_contacts};
        hash = mix(hash, v.position, 3 * n);
        hash = mix(hash, v.rotation, 4 * n);
        hash = mix(hash, v.velocity, 3 * n);
        hash = mix(hash, v.angular_velocity, 3 * n);
        hash = mix(hash, judged, sizeof judged / sizeof *judged);
    }
    scree_world_destroy(world);
    return hash;
}

/* Spheres of two sizes that fall on each other and on a floor. */
static uint64_t spheres(scree_scheme scheme, scree_law law, int32_t workers)
{
    scree_world_def def = world_def(2e-3, 1e-4);
    def.scheme = scheme;
    def.theta = scheme == SCREE_SCHEME_GAP ? 1.0 : 0.5;
    def.law = law;
    def.workers = workers;
    scree_world* world = world_new(def, (scree_material){.mu = 0.5, .mu_r = 1e-3, .mu_s = 5e-4});
    add_floor(world, 0.0);
    for (int i = 0; i < 27; ++i) {
        scree_shape shape = sphere_of(i % 3 ? 0.010 : 0.009);
        scree_body_def body = body_of(&shape, 2500.0);
        set3(body.position, 0.0201 * (i % 3) + 1e-4 * (i % 7),
             0.0201 * (i / 3 % 3) + 1e-4 * (i % 5), 0.012 + 0.0202 * (i / 9));
        add_body(world, &body, &shape);
    }
    return run(world, 60);
}

/* Boxes that lean, slide and tumble: one on a floor, one on it, one that falls on both. */
static uint64_t boxes(scree_scheme scheme)
{
    scree_world_def def = world_def(2e-3, 1e-6);
    def.scheme = scheme;
    def.theta = scheme == SCREE_SCHEME_GAP ? 1.0 : 0.5;
    scree_world* world = world_new(def, (scree_material){.mu = 0.4});
    add_floor(world, 0.0);
    for (int i = 0; i < 3; ++i) {
        scree_shape shape = box_of(0.1, 0.08 - 0.01 * i, 0.05);
        scree_body_def body = body_of(&shape, 1000.0);
        set3(body.position, 0.02 * i, -0.01 * i, 0.05 + 0.1 * i + (i == 2 ? 0.05 : 0.0));
        set3(body.velocity, i == 1 ? 0.5 : 0.0, 0.0, 0.0);
        set3(body.angular_velocity, 0.0, i == 2 ? 1.0 : 0.0, i == 1 ? 0.5 : 0.0);
        add_body(world, &body, &shape);
    }
    return run(world, 100);
}

/* A cylinder that falls on its rim, a capsule on its side. */
static uint64_t round_bodies(void)
{
    scree_world* world =
        world_new(world_def(1e-3, 1e-6), (scree_material){.mu = 0.3, .mu_r = 1e-4});
    add_floor(world, 0.0);
    for (int i = 0; i < 2; ++i) {
        scree_shape shape = sphere_of(0.05);
        shape.kind = i ? SCREE_SHAPE_CAPSULE : SCREE_SHAPE_CYLINDER;
        shape.half_size[1] = 0.1;
        shape.category = 2; /* the two do not collide */
        shape.collides = ~shape.category;
        scree_body_def body = body_of(&shape, 1000.0);
        set3(body.position, 0.5 * i, 0.0, 0.2);
        body.rotation[0] = 0.8;
        body.rotation[1] = 0.6;
        set3(body.angular_velocity, 1.0, 2.0, 3.0);
        add_body(world, &body, &shape);
    }
    return run(world, 400);
}

/* Bodies that turn far in a step do so by a sine of the C library. Those of glibc and musl agree;
 * that of Windows has other last digits. */
#if defined(_WIN32)
enum { SINES_AGREE = 0 };
#else
enum { SINES_AGREE = 1 };
#endif

typedef struct promise {
    const char* what;
    uint64_t kept, promised;
    int turns; /* far in a step */
} promise;

static void bits_are_kept(void** state)
{
    (void)state;
    const promise promises[] = {
        {"spheres, impulse", spheres(SCREE_SCHEME_IMPULSE, SCREE_LAW_EXACT, 1), 0x50680b3ffbcaa716,
         1},
        {"spheres, gap", spheres(SCREE_SCHEME_GAP, SCREE_LAW_EXACT, 1), 0x81f9385c149806ee, 1},
        {"spheres, gap, two workers", spheres(SCREE_SCHEME_GAP, SCREE_LAW_EXACT, 2),
         0x81f9385c149806ee, 1},
        {"spheres, convex", spheres(SCREE_SCHEME_GAP, SCREE_LAW_CONVEX, 1), 0xce4c077c6c593859, 1},
        {"boxes, impulse", boxes(SCREE_SCHEME_IMPULSE), 0x10511af6b5d3b63b, 0},
        {"boxes, gap", boxes(SCREE_SCHEME_GAP), 0xfeddbdfd0c8f0f29, 0},
        {"cylinder and capsule", round_bodies(), 0xd92576e3e220ea85, 1},
    };
    int broken = 0;
    for (size_t i = 0; i < sizeof promises / sizeof *promises; ++i) {
        const promise* p = &promises[i];
        print_message("%-26s 0x%016llx\n", p->what, (unsigned long long)p->kept);
        broken += p->kept != p->promised && (SINES_AGREE || !p->turns);
    }
    assert_int_equal(broken, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
