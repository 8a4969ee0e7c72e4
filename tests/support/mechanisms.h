/* Bodies and joints for tests, in a few words. */
#ifndef SUPPORT_MECHANISMS_H
#define SUPPORT_MECHANISMS_H

#include "scree/joint.h"
#include "support/worlds.h"

static const scree_body_id the_world = {0, 0};

/* A body without shapes. */
static inline scree_body_id add_mass(scree_world* world, double mass, const double inertia[3],
                                     const double position[3])
{
    scree_body_def def = scree_default_body_def();
    scree_body_id id;
    def.mass = mass;
    for (int i = 0; i < 6; ++i) def.inertia[i] = i < 3 ? inertia[i] : 0.0;
    memcpy(def.position, position, sizeof def.position);
    assert_int_equal(scree_world_add_body(world, &def, 0, NULL, &id), SCREE_OK);
    return id;
}

/* A slender rod of this length from a point along a direction. */
static inline scree_body_id add_rod(scree_world* world, double mass, const double from[3],
                                    const double to[3])
{
    double d[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
    double square = dot3(d, d), thin = 1e-2 * square, middle[3];
    scree_body_def def = scree_default_body_def();
    scree_body_id id;
    for (int i = 0; i < 3; ++i) {
        middle[i] = 0.5 * (from[i] + to[i]);
        def.inertia[i] = mass / 12.0 * (square - d[i] * d[i] + thin);
    }
    def.inertia[3] = -mass / 12.0 * d[0] * d[1];
    def.inertia[4] = -mass / 12.0 * d[0] * d[2];
    def.inertia[5] = -mass / 12.0 * d[1] * d[2];
    def.mass = mass;
    memcpy(def.position, middle, sizeof middle);
    assert_int_equal(scree_world_add_body(world, &def, 0, NULL, &id), SCREE_OK);
    return id;
}

static inline scree_joint_def joint_of(const scree_world* world, scree_joint_kind kind,
                                       scree_body_id a, scree_body_id b, const double point[3],
                                       const double axis[3])
{
    scree_joint_def def = scree_default_joint_def();
    def.kind = kind;
    def.body[0] = a;
    def.body[1] = b;
    assert_int_equal(scree_joint_place(world, &def, point, axis), SCREE_OK);
    return def;
}

static inline scree_joint_id add_joint(scree_world* world, const scree_joint_def* def)
{
    scree_joint_id id;
    assert_int_equal(scree_world_add_joint(world, def, &id), SCREE_OK);
    return id;
}

static inline scree_joint_id join(scree_world* world, scree_joint_kind kind, scree_body_id a,
                                  scree_body_id b, const double point[3], const double axis[3])
{
    scree_joint_def def = joint_of(world, kind, a, b, point, axis);
    return add_joint(world, &def);
}

static inline scree_joint_state joint_now(const scree_world* world, scree_joint_id joint)
{
    scree_joint_state state;
    assert_int_equal(scree_world_get_joint(world, joint, &state), SCREE_OK);
    return state;
}

/* One step that converges and leaves joints as they should be. */
static inline scree_step_report step_joined(scree_world* world)
{
    scree_step_report report = step_world(world);
    require(report.joint_gap <= 1e-10 && report.joint_turn <= 1e-10, "joints are off by %g m, %g",
            report.joint_gap, report.joint_turn);
    return report;
}

/* How the worlds made next solve their joints: a group of tests may run once for each. */
static scree_joints joints_solved_as = SCREE_JOINTS_ROWS;

static inline scree_world* world_of_joints(double step, double gravity)
{
    scree_world_def def = world_def(step, 1e-6);
    def.gravity[2] = -gravity;
    def.joints = joints_solved_as;
    return world_new(def, (scree_material){.mu = 0.5});
}

#endif
