/* All of it on one page: a world inside a program, a sled that is pulled, a rider who leaves it, and
 * a recording of both.
 *
 *     sled [RUN.h5]     scree view RUN.h5 shows it
 */
#include "scree/scree.h"
#include "scree_io/recording.h"

#include <math.h>
#include <stdio.h>

static const double side = 0.2, density = 500.0, mu = 0.5, pull = 60.0, g = 9.81; /* SI units */

static scree_status add_box(scree_world* world, double z, scree_body_id* id)
{
    scree_shape box = scree_default_shape();
    scree_body_def def = scree_default_body_def();
    box.kind = SCREE_SHAPE_BOX;
    for (int i = 0; i < 3; ++i) {
        box.half_size[i] = 0.5 * side;
        def.inertia[i] = density * pow(side, 5.0) / 6.0;
    }
    def.mass = density * pow(side, 3.0);
    def.position[2] = z;
    return scree_world_add_body(world, &def, 1, &box, id);
}

int main(int argc, char** argv)
{
    scree_world_def def = scree_default_world_def();
    scree_recorder_def recorder_def = scree_default_recorder_def();
    scree_body_def fixed = scree_default_body_def();
    scree_shape floor = scree_default_shape();
    scree_world* world = NULL;
    scree_recorder* recorder = NULL;
    scree_body_id ground, sled, rider;
    int32_t snow;
    fixed.kind = SCREE_BODY_STATIC;
    floor.kind = SCREE_SHAPE_HALF_SPACE;
    int failed = scree_world_create(NULL, &def, &world) ||
                 scree_world_add_material(world, &(scree_material){.mu = mu}, &snow) ||
                 scree_world_add_body(world, &fixed, 1, &floor, &ground) ||
                 add_box(world, 0.5 * side, &sled) || add_box(world, 1.5 * side, &rider) ||
                 scree_recorder_create(NULL, argc > 1 ? argv[1] : "sled.h5", world, &recorder_def,
                                       &recorder) ||
                 scree_recorder_step(recorder, NULL);
    for (int step = 0; step < 1000 && !failed; ++step) {
        scree_step_report report;
        failed = scree_world_apply_force(world, sled, (const double[3]){pull, 0.0, 0.0}) ||
                 (step == 500 && scree_world_remove_body(world, rider)) ||
                 scree_world_step(world, &report) || scree_recorder_step(recorder, &report);
    }
    scree_body_state end = {.velocity = {0.0}};
    failed = failed || scree_world_get_body(world, sled, &end) || scree_recorder_close(recorder, 1);
    scree_world_destroy(world);
    double mass = density * pow(side, 3.0); /* of two boxes for the first half second, then of one */
    double expected = 0.5 * (pull / (2.0 * mass) - mu * g) + 0.5 * (pull / mass - mu * g);
    printf("the sled goes at %.3f m/s, by hand %.3f\n", end.velocity[0], expected);
    return failed || fabs(end.velocity[0] - expected) > 1e-2;
}
