/* What is wrong with a scene before anything moves. */
#include "laws/foundation.h"
#include "laws/law.h"
#include "scene/simulation.h"
#include "shapes/bounds.h"

#include <math.h>

/* Overlap that is an error at the start and worth a warning later, as a share of the smaller
 * shape's radius. */
#define OVERLAP_LIMIT 0.01

enum { NAME_SIZE = 128 };

static scree_status refuse(const scree_simulation* s, const scri_touch* touch)
{
    const int32_t* body = s->world->shapes.body;
    char a[NAME_SIZE], b[NAME_SIZE];
    const int32_t of[2] = {body[touch->a], body[touch->b]};
    scri_scene_label(s->scene, s->origins.source[of[0]], s->origins.number[of[0]], a, sizeof a);
    scri_scene_label(s->scene, s->origins.source[of[1]], s->origins.number[of[1]], b, sizeof b);
    return scri_fail(&s->env, SCREE_ERROR_INPUT,
                     "bodies %s and %s overlap by %.3g m at the start, near (%.6g, %.6g, %.6g)", a,
                     b, -touch->gap, touch->point[0], touch->point[1], touch->point[2]);
}

static scree_status check_overlap(scree_simulation* s)
{
    scree_world* world = s->world;
    const scri_shapes_table* t = &world->shapes;
    scri_placed placed = scri_world_place_shapes(world);
    const scri_touch* touches;
    int32_t n;
    scree_status status = scri_collider_run(world->collider, &placed, 0.0, &touches, &n);
    if (status) return status;
    for (int32_t i = 0; i < n; ++i) {
        int32_t a = touches[i].a, b = touches[i].b;
        double size = fmin(scri_shapes_radius(t, a), scri_shapes_radius(t, b));
        if (-touches[i].gap > OVERLAP_LIMIT * size) return refuse(s, &touches[i]);
    }
    return SCREE_OK;
}

/* A number that does instead of the largest: its first digit. */
static double first_digit(double x)
{
    double unit = pow(10.0, floor(log10(x)));
    return floor(x / unit * (1.0 + 1e-9)) * unit;
}

/* Whether gravity moves a body at rest by more than its radius while a step has yet to see it. */
static scree_status check_fall(const scree_simulation* s, double radius, const char* name)
{
    double h = s->scene->world.step;
    double g = scri_vec_length(scri_vec_load(s->scene->world.gravity));
    if (!(radius > 0.0) || g * h * h <= radius) return SCREE_OK;
    return scri_fail(&s->env, SCREE_ERROR_INPUT,
                     "world.step = %g s is too large for this scene: gravity moves '%s' by %.3g m "
                     "in a step, and its radius is %.3g m; %g s would do",
                     h, name, g * h * h, radius, first_digit(sqrt(radius / g)));
}

/* Time is a number of steps, which a double holds exactly up to here. */
#define MOST_STEPS 9e15

/* Steps that no result could be trusted with. */
static scree_status check_step(const scree_simulation* s)
{
    const scree_scene* scene = s->scene;
    double h = scene->world.step;
    if (scene->duration < h * (1.0 - 1e-9)) {
        return scri_fail(&s->env, SCREE_ERROR_INPUT,
                         "stop.time = %g s is less than one step: world.step = %g s",
                         scene->duration, h);
    }
    if (isfinite(scene->duration) && !(scene->duration <= MOST_STEPS * h)) {
        return scri_fail(&s->env, SCREE_ERROR_INPUT,
                         "stop.time = %g s is more steps than can be counted: world.step = %g s",
                         scene->duration, h);
    }
    char name[NAME_SIZE];
    scree_status status = SCREE_OK;
    for (int32_t i = 0; i < s->origins.n && !status; ++i) {
        if (s->world->bodies.inv_mass[i] == 0.0) continue;
        scree_simulation_body_name(s, i, name, sizeof name);
        status = check_fall(s, s->origins.radius[i], name);
    }
    for (int32_t i = 0; i < scene->n_generators && !status; ++i) {
        const scree_generator* g = &scene->generators[i];
        status = check_fall(s, scri_generator_least_reach(g), g->model.name);
    }
    return status;
}

void scri_simulation_judge_overlap(scree_simulation* s, const scree_step_report* report)
{
    enum {
        LASTS = 2
    }; /* steps: a hit may press bodies into each other that did not touch before */
    scree_totals* t = &s->totals;
    s->overlap_steps = report->overlap_share > OVERLAP_LIMIT ? s->overlap_steps + 1 : 0;
    if (s->overlap_steps >= LASTS && !s->has_warned) {
        char a[NAME_SIZE], b[NAME_SIZE];
        scree_simulation_body_name(s, report->overlap_body[0], a, sizeof a);
        scree_simulation_body_name(s, report->overlap_body[1], b, sizeof b);
        scri_warn(&s->env,
                  "'%s' and '%s' overlap by %.2g of the smaller one's radius at %g s: a smaller "
                  "step or tolerance would do better",
                  a, b, report->overlap_share, scree_world_time(s->world));
        s->has_warned = 1;
    }
    if (!(report->overlap_share > t->overlap_share_max)) return;
    t->overlap_share_max = report->overlap_share;
    t->overlap_share_max_time = scree_world_time(s->world);
}

/* Whether the weight of a cylinder's body is more than the springs of a half-space are a model for;
 * then says so. */
static int warn_of_sinking(const scree_simulation* s, const scri_pair* pair, int32_t cylinder,
                           int32_t plane)
{
    const scri_shapes_table* t = &s->world->shapes;
    const double* size = t->size + 3 * (size_t)cylinder;
    const scri_ground ground = {.k = pair->ground.stiffness,
                                .radius = size[0] + t->rounding[cylinder]};
    scri_quat turn = scri_quat_load(t->rotation + 4 * (size_t)plane);
    scri_vec up = scri_quat_rotate(turn, (scri_vec){0.0, 0.0, 1.0});
    double pull = -scri_vec_dot(scri_vec_load(s->world->def.gravity), up);
    double load = s->world->bodies.mass[t->body[cylinder]] * pull / (2.0 * size[1]);
    char name[NAME_SIZE];
    if (!(load > scri_ground_most_load(&ground))) return 0;
    scree_simulation_body_name(s, t->body[cylinder], name, sizeof name);
    scri_warn(&s->env,
              "'%s' sinks into its viscous foundation: at rest the contact would reach %.3g m to "
              "either side, more than half of its radius; rolling friction is that of a load of "
              "%.3g N/m instead of %.3g",
              name, scri_ground_rest_length(&ground, load), scri_ground_most_load(&ground), load);
    return 1;
}

/* The first body that a viscous foundation is no model for. Shapes have been placed. */
static void warn_of_ground(const scree_simulation* s)
{
    const scri_shapes_table* t = &s->world->shapes;
    for (int32_t b = 0; b < t->n; ++b) {
        if (t->kind[b] != SCREE_SHAPE_HALF_SPACE) continue;
        for (int32_t a = 0; a < t->n; ++a) {
            const scri_pair* pair = scri_world_pair(s->world, t->material[a], t->material[b]);
            if (!pair->has_ground || !t->responds[a] || !(t->collides[a] & t->category[b]) ||
                !(t->collides[b] & t->category[a])) {
                continue;
            }
            if (t->kind[a] == SCREE_SHAPE_SPHERE || t->kind[a] == SCREE_SHAPE_CAPSULE ||
                t->kind[a] == SCREE_SHAPE_ELLIPSOID || t->kind[a] == SCREE_SHAPE_CONE) {
                scri_warn(&s->env,
                          "a %s rolls on a viscous foundation as on rigid ground: only cylinders "
                          "feel it",
                          scree_shape_name((int)t->kind[a]));
                return;
            }
            if (t->kind[a] == SCREE_SHAPE_CYLINDER && warn_of_sinking(s, pair, a, b)) return;
        }
    }
}

scree_status scri_simulation_check_start(scree_simulation* s)
{
    const scri_law* law = scri_law_get((int)s->scene->world.law);
    if (scri_law_is(law, SCREE_LAW_HAS_CHANNELS | SCREE_LAW_IS_ASSOCIATED)) {
        scri_warn(&s->env,
                  "law %s: bodies that slide, roll or spin lift off by h (mu |v| + mu_r "
                  "|w_T| + mu_s |w_N|), and hop when they begin to",
                  law->name);
    }
    scree_status status = check_step(s);
    if (!status) status = check_overlap(s);
    if (!status) warn_of_ground(s);
    return status;
}
