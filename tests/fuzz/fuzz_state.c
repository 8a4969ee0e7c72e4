/* States of a world with bytes changed: loading must give a status, and a world that took one steps
 * on. The input is a list of places, two bytes each, and of what is written there. */
#include "scree/scree.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void need(int good)
{
    if (!good) abort();
}

static scree_body_id add(scree_world* world, scree_body_kind kind, scree_shape_kind shape_kind,
                         double height)
{
    scree_body_def body = scree_default_body_def();
    scree_shape shape = scree_default_shape();
    scree_mass mass;
    scree_body_id id;
    shape.kind = shape_kind;
    for (int i = 0; i < 3; ++i) shape.half_size[i] = 0.1;
    body.kind = kind;
    body.position[2] = height;
    if (kind == SCREE_BODY_DYNAMIC) {
        need(!scree_shape_mass(NULL, 1, &shape, 1000.0, &mass));
        body.mass = mass.mass;
        memcpy(body.inertia, mass.inertia, sizeof body.inertia);
    }
    need(!scree_world_add_body(world, &body, 1, &shape, &id));
    return id;
}

/* A ball on a box on the ground, and a ball that hangs. */
static scree_world* build(void)
{
    scree_world_def def = scree_default_world_def();
    scree_material material = {.mu = 0.5, .mu_r = 1e-3};
    scree_joint_def joint = scree_default_joint_def();
    scree_joint_id id;
    const double point[3] = {0.3, 0.0, 1.0}, axis[3] = {0.0, 1.0, 0.0};
    int32_t number;
    scree_world* world = NULL;
    def.step = 1e-2;
    def.workers = 1;
    def.solver.max_iter = 50;
    need(!scree_world_create(NULL, &def, &world));
    need(!scree_world_add_material(world, &material, &number));
    add(world, SCREE_BODY_STATIC, SCREE_SHAPE_HALF_SPACE, 0.0);
    add(world, SCREE_BODY_DYNAMIC, SCREE_SHAPE_BOX, 0.1);
    add(world, SCREE_BODY_DYNAMIC, SCREE_SHAPE_SPHERE, 0.3);
    joint.kind = SCREE_JOINT_BALL;
    joint.body[0] = add(world, SCREE_BODY_DYNAMIC, SCREE_SHAPE_SPHERE, 1.0);
    need(!scree_joint_place(world, &joint, point, axis));
    need(!scree_world_add_joint(world, &joint, &id));
    return world;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    scree_world* world = build();
    scree_step_report report;
    for (int k = 0; k < 2; ++k) need(!scree_world_step(world, &report));
    size_t length = scree_world_state_size(world);
    uint8_t* state = malloc(length);
    need(state != NULL);
    scree_world_save(world, state);
    for (size_t i = 0; i + 3 <= size && i < 48; i += 3) {
        state[(data[i] + 256u * data[i + 1]) % length] = data[i + 2];
    }
    if (size % 3 == 1 && length > data[size - 1]) length -= data[size - 1]; /* cut short */
    int steps = scree_world_load(world, state, length) ? 0 : 2;
    while (steps-- > 0 && !scree_world_step(world, &report)) continue;
    free(state);
    scree_world_destroy(world);
    return 0;
}
