/* A block on a slope under the regularised law, and under the set-valued one. */
#include "scree_study/creep.h"

#include "base/env.h"
#include "base/fill.h"
#include "scree/system.h"

#include <math.h>

enum { MOST_STEPS = 100000000 };

void scree_creep_def_init(scree_creep_def* def)
{
    if (!def) return;
    scree_creep_def usual = {.struct_size = sizeof usual};
#define SCREE_X(name, value, meaning) usual.name = (value);
    SCREE_CREEP_FIELDS(SCREE_X)
#undef SCREE_X
    scri_fill(def, def->struct_size, &usual, sizeof usual);
}

static scree_status check(const scree_env* env, const scree_creep_def* def)
{
    scree_status status =
        scri_check_size(env, def->struct_size, sizeof *def, "scree_default_creep_def");
    if (status) return status;
    int good = def->mu > 0.0 && def->gravity > 0.0 && def->width > 0.0 && def->duration > 0.0 &&
               def->step > 0.0 && isfinite(def->mu + def->gravity + def->width);
    if (!good || !(def->slope >= 0.0 && def->slope < 90.0)) {
        return scri_fail(env, SCREE_ERROR_INPUT,
                         "creep: mu, gravity, width, duration and step must be positive and "
                         "finite, the slope from 0 to below 90 degrees");
    }
    if (def->duration / def->step <= MOST_STEPS) return SCREE_OK;
    return scri_fail(env, SCREE_ERROR_INPUT, "creep: %g steps are too many",
                     def->duration / def->step);
}

/* The speed after a step h: v = before + h (pull - hold arctan(v / width)), whose right side falls
 * with v. Newton's method, kept between the bounds of the root. */
static double next_speed(const scree_creep_def* def, double before, double pull, double hold)
{
    enum { MOST = 100 };
    double h = def->step, low = fmin(before + h * (pull - 0.5 * SCREE_PI * hold), 0.0);
    double high = before + h * pull, v = before;
    for (int i = 0; i < MOST; ++i) {
        double x = v / def->width, off = v - before - h * (pull - hold * atan(x));
        if (off > 0.0) {
            high = v;
        } else {
            low = v;
        }
        double next = v - off / (1.0 + h * hold / (def->width * (1.0 + x * x)));
        if (!(next >= low && next <= high)) next = 0.5 * (low + high);
        double moved = fabs(next - v);
        v = next;
        if (moved <= 1e-15 * (fabs(v) + def->width)) break;
    }
    return v;
}

static void run_smooth(const scree_creep_def* def, int64_t steps, scree_creep* out)
{
    double angle = def->slope * SCREE_PI / 180.0, pull = def->gravity * sin(angle);
    double hold = 2.0 / SCREE_PI * def->mu * def->gravity * cos(angle);
    for (int64_t i = 0; i < steps; ++i) {
        out->speed = next_speed(def, out->speed, pull, hold);
        out->distance += def->step * out->speed;
    }
    double share = pull / (def->mu * def->gravity * cos(angle));
    out->steady = share < 1.0 ? def->width * tan(0.5 * SCREE_PI * share) : SCREE_INFINITY;
}

/* ---- the set-valued law: a mass of 1 kg, x along the slope, z above it ---- */

static void mass(void* user, double t, const double* q, double* m)
{
    (void)user, (void)t, (void)q;
    m[0] = m[3] = 1.0;
}

static void force(void* user, double t, const double* q, const double* u, double* h)
{
    const scree_creep_def* def = user;
    double angle = def->slope * SCREE_PI / 180.0;
    (void)t, (void)q, (void)u;
    h[0] = def->gravity * sin(angle);
    h[1] = -def->gravity * cos(angle);
}

static void directions(void* user, double t, const double* q, double* w, double* chi)
{
    (void)user, (void)t, (void)q;
    w[1] = 1.0; /* N */
    w[2] = 1.0; /* T */
    chi[0] = chi[1] = 0.0;
}

static scree_status run_set_valued(const scree_env* env, const scree_creep_def* def, int64_t steps,
                                   scree_creep* out)
{
    const uint8_t rows = SCREE_ROWS_NT;
    const double coef[3] = {def->mu, 0.0, 0.0};
    scree_creep_def copy = *def;
    scree_system_def system = scree_default_system_def();
    scree_system* block = NULL;
    system.model =
        (scree_system_model){.user = &copy, .mass = mass, .force = force, .directions = directions};
    system.n = 2;
    system.n_contacts = 1;
    system.rows = &rows;
    system.coef = coef;
    system.step = def->step;
    scree_status status = scree_system_create(env, &system, 0.0, NULL, NULL, &block);
    for (int64_t i = 0; i < steps && !status; ++i) {
        scree_system_report report;
        status = scree_system_step(block, &report);
    }
    if (!status) {
        scree_system_view view = scree_system_get_view(block);
        out->set_speed = view.u[0];
        out->set_distance = view.q[0];
    }
    scree_system_destroy(block);
    return status;
}

scree_status scree_creep_run(const scree_env* env, const scree_creep_def* def, scree_creep* out)
{
    if (!def || !out) return SCREE_ERROR_ARGUMENT;
    *out = (scree_creep){.speed = 0.0};
    scree_status status = check(env, def);
    if (status) return status;
    int64_t steps = (int64_t)ceil(def->duration / def->step - 1e-9);
    run_smooth(def, steps, out);
    return run_set_valued(env, def, steps, out);
}
