/* Worlds for tests: a few words to build them with, steps that must converge, and the contacts of
 * the last step seen from the bodies' own velocities. Uses the public interface alone. */
#ifndef SUPPORT_WORLDS_H
#define SUPPORT_WORLDS_H

#include "scree/world.h"
#include "support/test.h"

#include <math.h>

static inline void world_log(void* user, scree_log_level level, const char* text)
{
    (void)user, (void)level;
    print_message("%s\n", text);
}

static inline void require_near(double value, double expected, double tolerance, const char* what)
{
    require(fabs(value - expected) <= tolerance, "%s: %.17g is not %.17g to %g (off by %g)", what,
            value, expected, tolerance, value - expected);
}

/* A world with one material, which is material 0. */
static inline scree_world* world_new_in(scree_env env, scree_world_def def, scree_material material)
{
    scree_world* world = NULL;
    int32_t unused;
    env.log = world_log;
    assert_int_equal(scree_world_create(&env, &def, &world), SCREE_OK);
    assert_int_equal(scree_world_add_material(world, &material, &unused), SCREE_OK);
    return world;
}

static inline scree_world* world_new(scree_world_def def, scree_material material)
{
    return world_new_in((scree_env){.sparse = test_sparse()}, def, material);
}

static inline scree_world_def world_def(double step, double tol)
{
    scree_world_def def = scree_default_world_def();
    def.step = step;
    def.solver.tol = tol;
    return def;
}

/* ---- bodies ---- */

static inline scree_shape sphere_of(double radius)
{
    scree_shape shape = scree_default_shape();
    shape.half_size[0] = radius;
    return shape;
}

static inline scree_shape box_of(double x, double y, double z)
{
    scree_shape shape = scree_default_shape();
    shape.kind = SCREE_SHAPE_BOX;
    shape.half_size[0] = x;
    shape.half_size[1] = y;
    shape.half_size[2] = z;
    return shape;
}

static inline void turn_about_y(double rotation[4], double angle)
{
    rotation[0] = cos(0.5 * angle);
    rotation[1] = rotation[3] = 0.0;
    rotation[2] = sin(0.5 * angle);
}

/* A dynamic body at rest at the origin with the mass properties of its shape. */
static inline scree_body_def body_of(const scree_shape* shape, double density)
{
    scree_body_def def = scree_default_body_def();
    scree_mass mass;
    assert_int_equal(scree_shape_mass(NULL, 1, shape, density, &mass), SCREE_OK);
    def.mass = mass.mass;
    for (int i = 0; i < 6; ++i) def.inertia[i] = mass.inertia[i];
    return def;
}

static inline void set3(double out[3], double x, double y, double z)
{
    out[0] = x;
    out[1] = y;
    out[2] = z;
}

/* Returns the index of the body. */
static inline int32_t add_body(scree_world* world, const scree_body_def* def,
                               const scree_shape* shape)
{
    scree_body_id id;
    assert_int_equal(scree_world_add_body(world, def, 1, shape, &id), SCREE_OK);
    return id.index1 - 1;
}

/* The plane through the origin with its normal turned from +z by `tilt` about y: what lies on it
 * slides towards +x. */
static inline int32_t add_plane(scree_world* world, scree_body_kind kind, double tilt,
                                const double velocity[3])
{
    scree_body_def def = scree_default_body_def();
    scree_shape shape = scree_default_shape();
    def.kind = kind;
    shape.kind = SCREE_SHAPE_HALF_SPACE;
    turn_about_y(def.rotation, tilt);
    if (velocity) set3(def.velocity, velocity[0], velocity[1], velocity[2]);
    return add_body(world, &def, &shape);
}

static inline int32_t add_floor(scree_world* world, double tilt)
{
    return add_plane(world, SCREE_BODY_STATIC, tilt, NULL);
}

/* ---- steps ---- */

static inline scree_step_report step_any(scree_world* world)
{
    scree_step_report report;
    assert_int_equal(scree_world_step(world, &report), SCREE_OK);
    return report;
}

static inline scree_step_report step_world(scree_world* world)
{
    scree_step_report report = step_any(world);
    require(report.solve.outcome == SCREE_OUTCOME_CONVERGED, "step %lld: %s at %g",
            (long long)scree_world_get_view(world).steps,
            scree_outcome_text((int)report.solve.outcome), report.solve.residual);
    return report;
}

/* ---- state and contacts ---- */

static inline double dot3(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* out += a x b */
static inline void add_cross(const double a[3], const double b[3], double out[3])
{
    out[0] += a[1] * b[2] - a[2] * b[1];
    out[1] += a[2] * b[0] - a[0] * b[2];
    out[2] += a[0] * b[1] - a[1] * b[0];
}

static inline void require_finite(const scree_world* world)
{
    scree_world_view view = scree_world_get_view(world);
    for (int i = 0; i < 3 * view.n_bodies; ++i) {
        require(isfinite(view.position[i]) && isfinite(view.velocity[i]) &&
                    isfinite(view.angular_velocity[i]),
                "body %d is not finite after %lld steps", i / 3, (long long)view.steps);
    }
    for (int i = 0; i < 4 * view.n_bodies; ++i) {
        require(isfinite(view.rotation[i]), "rotation of body %d is not finite", i / 4);
    }
}

/* Every velocity of the body is zero, not merely small. */
static inline int is_at_rest(const scree_world_view* view, int32_t body)
{
    int rest = 1;
    for (int j = 3 * body; j < 3 * body + 3; ++j) {
        rest &= view->velocity[j] == 0.0 && view->angular_velocity[j] == 0.0;
    }
    return rest;
}

/* Force and moment (per unit of the rows of p) that contact c of the last step puts on body A. */
static inline void contact_wrench(const scree_world_view* view, int32_t c, double force[3],
                                  double moment[3])
{
    const scree_problem* problem = view->problem;
    const double* p = view->impulse + problem->first_row[c];
    const double* frame = problem->bodies.frame + 9 * (size_t)c;
    int width = scree_rows_width(problem->rows[c]);
    int roll = problem->rows[c] == SCREE_ROWS_NTTRR || problem->rows[c] == SCREE_ROWS_NTTRRS;
    int spin = problem->rows[c] == SCREE_ROWS_NTTS || problem->rows[c] == SCREE_ROWS_NTTRRS;
    for (int j = 0; j < 3; ++j) {
        force[j] = frame[j] * p[0];
        if (width >= 3) force[j] += frame[3 + j] * p[1] + frame[6 + j] * p[2];
        moment[j] = 0.0;
        if (roll) moment[j] += frame[3 + j] * p[3] + frame[6 + j] * p[4];
        if (spin) moment[j] += frame[j] * p[width - 1];
    }
}

/* Velocity of A relative to B at contact c, and their relative angular velocity. */
static inline void contact_motion(const scree_world_view* view, const double* velocity,
                                  const double* angular, int32_t c, double u[3], double w[3])
{
    const scree_bodies* bodies = &view->problem->bodies;
    set3(u, 0.0, 0.0, 0.0);
    set3(w, 0.0, 0.0, 0.0);
    for (int side = 0; side < 2; ++side) {
        int32_t body = bodies->pair[2 * c + side];
        double sign = side ? -1.0 : 1.0, at[3] = {0.0, 0.0, 0.0};
        if (body < 0) continue;
        const double* turn = angular + 3 * (size_t)body;
        add_cross(turn, bodies->arm + 6 * (size_t)c + 3 * (size_t)side, at);
        for (int j = 0; j < 3; ++j) {
            u[j] += sign * (velocity[3 * (size_t)body + (size_t)j] + at[j]);
            w[j] += sign * turn[j];
        }
    }
}

#endif
