/* A world inside a program: bodies come, one is steered, one goes, and the world is asked what
 * touches and what is below. What is known of the outcome is checked at the end. */
#include "scree/scree.h"

#include <math.h>
#include <stdio.h>

static void print_line(void* user, scree_log_level level, const char* text)
{
    (void)user, (void)level;
    fprintf(stderr, "embed: %s\n", text);
}

/* A body of one shape: dynamic with the mass that its density (kg/m^3) gives, static if that is 0. */
static scree_body_id add(scree_world* world, scree_shape shape, double density, double x, double z)
{
    scree_body_def def = scree_default_body_def();
    scree_body_id id = {0, 0};
    scree_mass mass = {.mass = 0.0};
    if (density > 0.0 && scree_shape_mass(NULL, 1, &shape, density, &mass)) return id;
    def.kind = density > 0.0 ? SCREE_BODY_DYNAMIC : SCREE_BODY_STATIC;
    def.mass = mass.mass;
    for (int i = 0; i < 6; ++i) def.inertia[i] = mass.inertia[i];
    def.position[0] = x;
    def.position[2] = z;
    if (scree_world_add_body(world, &def, 1, &shape, &id)) id.index1 = 0;
    return id;
}

int main(void)
{
    const scree_env env = {.log = print_line};
    scree_world_def def = scree_default_world_def();
    def.step = 2e-3;
    scree_world* world = NULL;
    int32_t wood;
    if (scree_world_create(&env, &def, &world)) return 1;
    if (scree_world_add_material(world, &(scree_material){.mu = 0.5}, &wood)) return 1;
    scree_shape floor = scree_default_shape(), box = floor, ball = floor;
    floor.kind = SCREE_SHAPE_HALF_SPACE;
    box.kind = SCREE_SHAPE_BOX;
    box.half_size[0] = box.half_size[1] = box.half_size[2] = 0.1;
    ball.half_size[0] = 0.05;
    add(world, floor, 0.0, 0.0, 0.0);
    scree_body_id sled = add(world, box, 500.0, 0.0, 0.1), rider = add(world, box, 500.0, 0.0, 0.3);
    scree_body_id other = add(world, ball, 500.0, -1.0, 0.05);

    /* A pull that friction of the floor, mu (m + m) g = 39 N, just does not hold. */
    for (int step = 0; step < 500; ++step) {
        const double pull[3] = {60.0, 0.0, 0.0};
        if (step == 250 && scree_world_remove_body(world, rider)) return 1;
        if (scree_world_apply_force(world, sled, pull)) return 1;
        if (scree_world_step(world, NULL)) return 1;
    }
    scree_body_state now;
    scree_contact contact;
    scree_ray_hit below;
    double carried[3], down[3] = {0.0, 0.0, -10.0};
    if (scree_world_get_body(world, sled, &now)) return 1;
    if (scree_world_get_contact_force(world, sled, carried, NULL)) return 1;
    for (int32_t i = 0; i < scree_world_contact_count(world); ++i) {
        if (scree_world_get_contact(world, i, &contact)) return 1;
        printf("contact at (%.2f, %.2f): %.2f N, slip %.3f m/s\n", contact.point[0],
               contact.point[1], fabs(contact.force[2]), fabs(contact.slip[0]));
    }
    const double above[3] = {now.position[0], now.position[1], 5.0};
    if (scree_world_cast_ray(world, above, down, UINT32_MAX, &below)) return 1;
    printf("x = %.3f m, v = %.3f m/s, carried by %.2f N, top at z = %.3f m\n", now.position[0],
           now.velocity[0], carried[2], below.point[2]);
    /* a = F / m - mu g, with the mass of both boxes for half a second and of one for the other */
    double expected = 0.5 * (60.0 / 8.0 - 0.5 * 9.81) + 0.5 * (60.0 / 4.0 - 0.5 * 9.81);
    int good = fabs(now.velocity[0] - expected) <= 1e-2 && fabs(carried[2] - 4.0 * 9.81) <= 0.1 &&
               below.body.index1 == sled.index1 && fabs(below.point[2] - 0.2) <= 1e-3 &&
               !scree_world_body_is_valid(world, rider) && scree_world_body_is_valid(world, other);
    scree_world_destroy(world);
    return good ? 0 : 1;
}
