/* The def of a foundation, the conditions that it must meet, and the resistance for callers. */
#include "study/foundation.h"

#include "base/env.h"
#include "base/fill.h"

#include <math.h>

void scree_foundation_def_init(scree_foundation_def* def)
{
    if (!def) return;
    scree_foundation_def usual = {.struct_size = sizeof usual};
#define SCREE_X(symbol, name, value, si, unit, meaning) usual.name = (value) * (si);
    SCREE_FOUNDATION_FIELDS(SCREE_X)
#undef SCREE_X
    scri_fill(def, def->struct_size, &usual, sizeof usual);
}

void scree_noisy_foundation_def_init(scree_foundation_def* out)
{
    if (!out) return;
    scree_foundation_def def = scree_default_foundation_def();
    def.stiffness = 1e6;
    def.damping = 0.8e5;
    def.drag_square = 0.65;
    def.slope = 4.9 * SCREE_DEGREE;
    scri_fill(out, out->struct_size, &def, sizeof def);
}

_Static_assert((int)SCREE_FOUNDATION_CONSISTENT == SCRI_GROUND_CONSISTENT &&
                   (int)SCREE_FOUNDATION_PRINTED == SCRI_GROUND_PRINTED &&
                   (int)SCREE_FOUNDATION_APPROXIMATE == SCRI_GROUND_APPROXIMATE &&
                   (int)SCREE_FOUNDATION_CIRCLE == SCRI_GROUND_CIRCLE,
               "models are those of the law");

scri_ground scri_ground_of(const scree_foundation_def* def)
{
    return (scri_ground){.k = def->stiffness,
                         .gamma = def->damping,
                         .m = def->ground_mass,
                         .radius = def->radius,
                         .model = (scri_ground_model)def->model};
}

const char* scree_foundation_model_name(int model)
{
    static const char* const name[SCREE_FOUNDATION_MODEL_COUNT] = {
        [SCREE_FOUNDATION_CONSISTENT] = "consistent",
        [SCREE_FOUNDATION_PRINTED] = "printed",
        [SCREE_FOUNDATION_APPROXIMATE] = "approximate",
        [SCREE_FOUNDATION_CIRCLE] = "circle",
    };
    return model >= 0 && model < SCREE_FOUNDATION_MODEL_COUNT ? name[model] : NULL;
}

/* ---- conditions ---- */

/* What the resistance itself needs. */
static scree_status check_ground(const scree_env* env, const scree_foundation_def* def)
{
    scree_status status =
        scri_check_size(env, def->struct_size, sizeof *def, "scree_default_foundation_def");
    if (status) return status;
    if (!scree_foundation_model_name((int)def->model)) {
        return scri_fail(env, SCREE_ERROR_INPUT, "foundation: unknown model %d", (int)def->model);
    }
    const scri_ground_number radius = {"R", "radius", "m", def->radius, 1};
    scri_ground ground = scri_ground_of(def);
    status = scri_ground_check_numbers(env, &radius, 1);
    return status ? status : scri_ground_check(env, &ground);
}

static scree_status check_cylinder(const scree_env* env, const scree_foundation_def* def)
{
    const scri_ground_number numbers[] = {
        {"M", "mass of the cylinder", "kg/m", def->mass, 1},
        {"g", "gravity", "m/s^2", def->gravity, 1},
        {"I", "moment of inertia", "M R^2", def->inertia, 0},
        {"A", "linear drag", "kg/m/s", def->drag_linear, 0},
        {"B", "square drag", "kg/m^2", def->drag_square, 0},
        {"sigma2", "intensity of the noise", "kg^2/s^3", def->noise, 0},
    };
    scree_status status = scri_ground_check_numbers(env, numbers, sizeof numbers / sizeof *numbers);
    if (status) return status;
    if (def->inertia > 1.0) {
        return scri_fail(env, SCREE_ERROR_INPUT,
                         "foundation: moment of inertia I = %g must not exceed 1: it is in units "
                         "of M R^2",
                         def->inertia);
    }
    return SCREE_OK;
}

scree_status scree_foundation_validate(const scree_env* env, const scree_foundation_def* def)
{
    if (!def) return SCREE_ERROR_ARGUMENT;
    scree_status status = check_ground(env, def);
    if (!status) status = check_cylinder(env, def);
    if (status) return status;
    if (!(def->slope >= 0.0 && def->slope < 0.5 * SCREE_PI)) {
        return scri_fail(env, SCREE_ERROR_INPUT,
                         "foundation: slope alpha = %g degrees must be from 0 to below 90 (past "
                         "vertical nothing presses the cylinder on the plane)",
                         def->slope / SCREE_DEGREE);
    }
    scri_ground ground = scri_ground_of(def);
    double length = scri_ground_rest_length(&ground, def->mass * def->gravity);
    if (length <= 0.5 * def->radius) return SCREE_OK;
    return scri_fail(env, SCREE_ERROR_INPUT,
                     "foundation: the cylinder sinks in: at rest the contact reaches %g m to "
                     "either side, which must not exceed R / 2 = %g m",
                     length, 0.5 * def->radius);
}

/* ---- resistance ---- */

static double load_of(const scree_foundation_def* def)
{
    return def->mass * def->gravity * cos(def->slope);
}

double scree_foundation_lift_speed(const scree_foundation_def* def)
{
    if (!def) return SCREE_NAN;
    scri_ground ground = scri_ground_of(def);
    return scri_ground_lift_speed(&ground, load_of(def));
}

scree_status scree_foundation_resist(const scree_env* env, const scree_foundation_def* def,
                                     double speed, scree_foundation_contact* out)
{
    if (!def || !out) return SCREE_ERROR_ARGUMENT;
    *out = (scree_foundation_contact){.depth = SCREE_NAN};
    scree_status status = scree_foundation_validate(env, def);
    if (status) return status;
    scri_ground ground = scri_ground_of(def);
    scri_ground_state found;
    if (!scri_ground_contact(&ground, load_of(def), fabs(speed), &found)) {
        return scri_fail(env, SCREE_ERROR_INPUT,
                         "foundation: no contact at v = %g m/s: from %g m/s on the ground cannot "
                         "follow and h would be below (m v / gamma)^2 / (2 R)",
                         speed, scree_foundation_lift_speed(def));
    }
    double sign = speed < 0.0 ? -1.0 : 1.0;
    *out = (scree_foundation_contact){.depth = found.depth,
                                      .xi_minus = found.xi_minus,
                                      .xi_plus = found.xi_plus,
                                      .resistance = sign * found.resistance,
                                      .resistance_by_speed = found.resistance_by_speed,
                                      .resistance_by_load = sign * found.resistance_by_load};
    return SCREE_OK;
}

typedef struct loaded {
    scri_ground ground;
    double load;
} loaded;

static double resistance_slope(const void* context, double speed)
{
    const loaded* c = context;
    scri_ground_state contact;
    int good = scri_ground_contact(&c->ground, c->load, speed, &contact);
    return good ? contact.resistance_by_speed : SCREE_NAN;
}

/* Looks for it in equal ratios of the speed around that at which the ground's delay matters. */
scree_status scree_foundation_peak(const scree_env* env, const scree_foundation_def* def,
                                   double* speed)
{
    if (!def || !speed) return SCREE_ERROR_ARGUMENT;
    enum { STEPS = 220 };
    const double ratio = 1.1;
    *speed = SCREE_NAN;
    scree_status status = scree_foundation_validate(env, def);
    if (status) return status;
    loaded c = {.ground = scri_ground_of(def), .load = load_of(def)};
    double lag = c.ground.k * scri_ground_rest_length(&c.ground, c.load) / c.ground.gamma;
    double v = 1e-3 * lag, here = resistance_slope(&c, v);
    for (int i = 0; i < STEPS; ++i) {
        double next = resistance_slope(&c, v * ratio);
        if (isnan(next)) break;
        if (here > 0.0 && next <= 0.0) {
            *speed = scri_find_root(resistance_slope, &c, v, v * ratio);
            break;
        }
        v *= ratio;
        here = next;
    }
    return SCREE_OK;
}

scree_status scree_foundation_rolling(const scree_env* env, const scree_foundation_def* def,
                                      double load, double speed, double* out)
{
    if (!def || !out) return SCREE_ERROR_ARGUMENT;
    *out = 0.0;
    scree_status status = check_ground(env, def);
    if (status) return status;
    if (!isfinite(speed) || !isfinite(load)) {
        return scri_fail(env, SCREE_ERROR_INPUT,
                         "foundation: load %g N/m and speed %g m/s must be finite", load, speed);
    }
    scri_ground ground = scri_ground_of(def);
    *out = scri_ground_rolling(&ground, load, speed);
    return SCREE_OK;
}
