/* A slender block that rocks from edge to edge: Housner's loss at each impact. */
#include "support/worlds.h"

/* Half width and half height. Impacts turn the rate w about one edge into r w about the other, with
 * r = 1 - 1.5 sin^2(alpha), tan(alpha) = B / H: the angular momentum about the new edge stays. */
#define B 0.125
#define H 0.5

static double housner(void)
{
    return 1.0 - 1.5 * B * B / (B * B + H * H);
}

/* The rate that a block tilted by `angle` over its edge with the rate w has when it stands upright,
 * and what the rate falls by in a second close to that. */
static double upright_rate(double w, double angle)
{
    double lift = B * sin(angle) + H * cos(angle) - H;
    return sqrt(w * w + 1.5 * 9.81 * lift / (B * B + H * H));
}

static double slowing(void)
{
    return 0.75 * 9.81 * B / (B * B + H * H);
}

static scree_world* tilted_block(double angle, double h)
{
    scree_world* world = world_new(world_def(h, 1e-10), (scree_material){.mu = 2.0});
    scree_shape shape = box_of(B, 0.2, H);
    scree_body_def body = body_of(&shape, 1000.0);
    add_floor(world, 0.0);
    turn_about_y(body.rotation, angle);
    body.position[2] = B * sin(angle) + H * cos(angle);
    add_body(world, &body, &shape);
    return world;
}

typedef struct impact {
    double before, after; /* upright rates */
    double kept;          /* worst change of the first on the way to the impact */
} impact;

static impact first_impact(double start, double h)
{
    scree_world* world = tilted_block(start, h);
    double exact = upright_rate(0.0, start);
    impact out = {exact, 0.0, 0.0};
    for (int hit = 0, k = 0; hit < 5 && k < 5000; ++k) {
        int contacts = step_world(world).n_contacts;
        scree_world_view view = scree_world_get_view(world);
        double angle = 2.0 * asin(view.rotation[6]), rate = view.angular_velocity[4];
        hit += hit > 0 || contacts > 2;
        *(hit ? &out.after : &out.before) = upright_rate(rate, hit ? -angle : angle);
        out.kept = fmax(out.kept, fabs(out.before / exact - 1.0));
    }
    require_finite(world);
    scree_world_destroy(world);
    return out;
}

/* An impact lies anywhere within half a step of the impulses that stand for it, and gravity turns
 * the block the one way before it and the other after: by up to slowing (1 + r) h / 2. Over many
 * starts this cancels. */
static void impacts_lose_what_housner_says(void** state)
{
    (void)state;
    enum { STARTS = 24 };
    double h = 1e-3, mean = 0.0, worst = 0.0, kept = 0.0, r = housner();
    for (int i = 0; i < STARTS; ++i) {
        impact x = first_impact(0.08 + 0.005 * i, h);
        double off = x.after / x.before - r;
        double reach = 0.5 * slowing() * (1.0 + r) * h / x.before;
        require(fabs(off) <= 1.1 * reach, "start %d: off by %g of %g", i, off, reach);
        mean += off / STARTS;
        worst = fmax(worst, fabs(off));
        kept = fmax(kept, x.kept);
    }
    print_message("rocking block, 1 ms: rate after over before %.5f, Housner %.5f; each impact to "
                  "%.1e; between them the rate is right to %.1e\n",
                  r + mean, r, worst, kept);
    require(fabs(mean) <= 1e-3, "off by %g in the mean", mean);
    require(kept <= 1e-3, "the rate before an impact is off by %g", kept);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(impacts_lose_what_housner_says)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
