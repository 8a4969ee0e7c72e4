/* A rockfall study: checks what is asked, has workers follow the blocks, gathers what they found in
 * the order of the blocks. */
#include "study/rockfall.h"

#include "base/env.h"
#include "base/fill.h"
#include "base/team.h"

#include <math.h>
#include <string.h>

enum {
    MOST_WORKERS = 1024,
    ROUND = 8 /* blocks for each worker between two calls of the progress function */
};

scree_rockfall_ground scree_default_rockfall_ground(void)
{
    return (scree_rockfall_ground){.mu = 0.6, .roll = 0.1, .restitution = 0.2};
}

void scree_rockfall_def_init(scree_rockfall_def* def)
{
    if (!def) return;
    scree_rockfall_def usual = {.struct_size = sizeof usual};
#define SCREE_X(type, name, value, meaning) usual.name = value;
    SCREE_ROCKFALL_FIELDS(SCREE_X)
#undef SCREE_X
    scri_fill(def, def->struct_size, &usual, sizeof usual);
}

/* ---- what is asked for ---- */

static scree_status check_numbers(const scree_env* env, const scree_rockfall_def* def)
{
    const struct {
        const char* name;
        double value;
        int positive;
    } numbers[] = {
        {"size_low", def->size_low, 1},
        {"size_high", def->size_high, 1},
        {"deviation", def->deviation, 0},
        {"density", def->density, 1},
        {"drop", def->drop, 0},
        {"speed", def->speed, 0},
        {"gravity", def->gravity, 1},
        {"step", def->step, 1},
        {"time", def->time, 1},
        {"way", def->way, 0},
        {"release_side", def->release_side, 0},
        {"the cell of the map", def->map.cell, 1},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
        double value = numbers[i].value;
        if (isfinite(value) && (numbers[i].positive ? value > 0.0 : value >= 0.0)) continue;
        return scri_fail(env, SCREE_ERROR_INPUT, "rockfall: %s = %g must be finite and %s",
                         numbers[i].name, value, numbers[i].positive ? "positive" : "not negative");
    }
    if (def->size_high >= def->size_low) return SCREE_OK;
    return scri_fail(env, SCREE_ERROR_INPUT, "rockfall: sizes from %g to %g are none",
                     def->size_low, def->size_high);
}

static scree_status check_grounds(const scree_env* env, const scree_rockfall_def* def)
{
    for (int32_t i = 0; i < def->n_grounds; ++i) {
        const scree_rockfall_ground* g = &def->grounds[i];
        int good = g->mu >= 0.0 && isfinite(g->mu) && g->roll >= 0.0 && isfinite(g->roll) &&
                   g->restitution >= 0.0 && g->restitution <= 1.0 && g->viscous >= 0.0 &&
                   isfinite(g->viscous);
        if (good) continue;
        return scri_fail(env, SCREE_ERROR_INPUT,
                         "rockfall: ground %d needs mu, roll and viscous of 0 and more, and "
                         "restitution from 0 to 1",
                         (int)i);
    }
    if (def->n_grounds > SCREE_ROCKFALL_GROUNDS) {
        return scri_fail(env, SCREE_ERROR_INPUT, "rockfall: %d grounds; %d at most",
                         (int)def->n_grounds, SCREE_ROCKFALL_GROUNDS);
    }
    const scree_rockfall_map* map = &def->map;
    int64_t cells = map->zone ? (int64_t)map->columns * map->rows : 0;
    int32_t most = def->n_grounds > 0 ? def->n_grounds : 1;
    for (int64_t c = 0; c < cells; ++c) {
        if (map->zone[c] >= 0 && map->zone[c] < most) continue;
        return scri_fail(env, SCREE_ERROR_INPUT,
                         "rockfall: cell %lld is in zone %d, and there are %d", (long long)c,
                         (int)map->zone[c], (int)most);
    }
    return SCREE_OK;
}

static scree_status check(const scree_env* env, const scree_rockfall_def* def)
{
    scree_status status =
        scri_check_size(env, def->struct_size, sizeof *def, "scree_default_rockfall_def");
    if (status) return status;
    const scree_rockfall_map* map = &def->map;
    if (!map->heights || (def->n_releases > 0 && !def->releases) ||
        (def->n_grounds > 0 && !def->grounds)) {
        return scri_fail(env, SCREE_ERROR_ARGUMENT, "rockfall: an array is NULL");
    }
    if (map->columns < 2 || map->rows < 2 || (int64_t)map->columns * map->rows > INT32_MAX) {
        return scri_fail(env, SCREE_ERROR_INPUT, "rockfall: a map of %d x %d points", map->columns,
                         map->rows);
    }
    if (def->blocks < 1 || def->n_releases < 1 || def->lines < 0 || def->n_grounds < 0 ||
        def->workers < 0 || def->workers > MOST_WORKERS) {
        return scri_fail(env, SCREE_ERROR_INPUT,
                         "rockfall: blocks and releases must be 1 or more, workers 0 to %d",
                         MOST_WORKERS);
    }
    if ((int)def->form < 0 || def->form >= SCREE_BLOCK_COUNT) {
        return scri_fail(env, SCREE_ERROR_ARGUMENT, "rockfall: form %d is none", (int)def->form);
    }
    status = check_numbers(env, def);
    return status ? status : check_grounds(env, def);
}

/* ---- the blocks ---- */

static void work(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const scri_rockfall_study* study = context;
    (void)worker;
    for (int32_t k = begin; k < end; ++k) scri_block_follow(study, study->first + k);
}

static scree_status fault_of(const scree_env* env, const scri_rockfall_study* study, int32_t k)
{
    scree_status status = study->courses[k].status;
    if (status == SCREE_OK || status == SCREE_ERROR_MEMORY) return status;
    const scree_rockfall_def* def = study->def;
    const double* at = def->releases + 2 * (size_t)scri_block_release_of(def, k);
    if (status == SCREE_ERROR_INPUT) {
        return scri_fail(env, status,
                         "rockfall: block %d, released at %.10g, %.10g, does not begin within the "
                         "map",
                         (int)k + 1, at[0], at[1]);
    }
    return scri_fail(env, status, "rockfall: block %d, released at %.10g, %.10g: %s", (int)k + 1,
                     at[0], at[1], scree_status_text(status));
}

/* One round of n blocks. out->n grows by those that are done, up to the first that is not. */
static scree_status follow_round(const scree_env* env, scri_rockfall_study* study, scri_team* team,
                                 int32_t n, scree_rockfall* out)
{
    int32_t end = out->n + n;
    study->first = out->n;
    scri_team_for(team, n, 1, work, study);
    for (int32_t k = out->n; k < end; ++k) {
        scree_status status = fault_of(env, study, k);
        if (status) return status;
    }
    while (out->n < end && study->courses[out->n].is_done) ++out->n;
    return SCREE_OK;
}

static scree_status follow_all(const scree_env* env, scri_rockfall_study* study,
                               scree_rockfall* out)
{
    const scree_rockfall_def* def = study->def;
    scri_team* team = NULL;
    int32_t workers = def->workers > 0 ? def->workers : scri_cores();
    scree_status status = scri_team_create(env, workers, &team);
    while (!status && out->n < def->blocks) {
        int32_t before = out->n, left = def->blocks - before;
        int32_t n = ROUND * workers < left ? ROUND * workers : left;
        status = follow_round(env, study, team, n, out);
        if (out->n < before + n) break;
        if (!status && def->progress && def->progress(def->progress_user, out->n)) break;
    }
    scri_team_destroy(team);
    return status;
}

/* ---- gathering ---- */

static scree_status gather_points(const scri_rockfall_study* study, scree_rockfall* out)
{
    for (int32_t k = 0; k < out->n; ++k) out->n_points += study->courses[k].n_points;
    out->points = scri_alloc(&out->env, ((size_t)out->n_points + 1) * sizeof *out->points);
    if (!out->points) return SCREE_ERROR_MEMORY;
    int64_t next = 0;
    for (int32_t k = 0; k < out->n; ++k) {
        const scri_course* c = &study->courses[k];
        out->rocks[k] = c->rock;
        out->rocks[k].first_point = next;
        out->rocks[k].n_points = c->n_points;
        if (c->n_points > 0) {
            memcpy(out->points + next, c->points, (size_t)c->n_points * sizeof *out->points);
        }
        next += c->n_points;
        ++out->n_ended[c->rock.end];
        out->steps += c->rock.steps;
        out->n_loose += c->rock.n_loose;
        out->simulated += study->def->step * (double)c->rock.steps;
    }
    return SCREE_OK;
}

static scree_status gather(const scri_rockfall_study* study, scree_rockfall* out)
{
    const scree_rockfall_map* map = &study->def->map;
    size_t cells = (size_t)map->columns * (size_t)map->rows;
    out->rocks = scri_alloc(&out->env, ((size_t)out->n + 1) * sizeof *out->rocks);
    if (!out->rocks) return SCREE_ERROR_MEMORY;
    for (int k = 0; k < SCREE_ROCKFALL_LAYER_COUNT; ++k) {
        out->layer[k] = scri_alloc(&out->env, cells * sizeof *out->layer[k]);
        if (!out->layer[k]) return SCREE_ERROR_MEMORY;
    }
    scree_status status = gather_points(study, out);
    if (status) return status;
    return scri_rockfall_layers(&out->env, map, out->n, study->courses, out->layer);
}

void scree_rockfall_release(scree_rockfall* result)
{
    if (!result) return;
    scree_env env = result->env;
    scri_release(&env, result->rocks);
    scri_release(&env, result->points);
    for (int k = 0; k < SCREE_ROCKFALL_LAYER_COUNT; ++k) scri_release(&env, result->layer[k]);
    *result = (scree_rockfall){.env = env};
}

static void release_courses(scri_rockfall_study* study)
{
    for (int32_t k = 0; study->courses && k < study->def->blocks; ++k) {
        scri_release(&study->env, study->courses[k].passages);
        scri_release(&study->env, study->courses[k].points);
    }
    scri_release(&study->env, study->courses);
}

/* The zones of the ground, and the materials of these, in the world of every block. */
static scree_status make_zones(scri_rockfall_study* study, scree_mesh* ground)
{
    const scree_rockfall_map* map = &study->def->map;
    study->n_grounds = study->def->n_grounds > 0 ? study->def->n_grounds : 1;
    study->materials = scri_alloc(&study->env, (size_t)study->n_grounds * sizeof(int32_t));
    if (!study->materials) return SCREE_ERROR_MEMORY;
    for (int32_t i = 0; i < study->n_grounds; ++i) study->materials[i] = i + 1;
    if (!map->zone) return SCREE_OK;
    return scree_mesh_set_zones(ground, map->columns * map->rows, map->zone);
}

/* The ground as a surface. Holes are as deep as the deepest valley: nobody gets to their bottom. */
static scree_status make_ground(const scree_env* env, const scree_rockfall_map* map,
                                scree_mesh** out)
{
    const double zero[2] = {0.0, 0.0}, spacing[2] = {map->cell, map->cell};
    int64_t cells = (int64_t)map->columns * map->rows, holes = 0;
    double lowest = HUGE_VAL;
    for (int64_t c = 0; c < cells; ++c) {
        holes += isnan(map->heights[c]);
        lowest = fmin(lowest, map->heights[c]);
    }
    if (holes == 0 || holes == cells) { /* all are refused by whom they are given to */
        return scree_mesh_create_heights(env, map->columns, map->rows, zero, spacing, map->heights,
                                         out);
    }
    double* heights = scri_alloc(env, (size_t)cells * sizeof *heights);
    if (!heights) return SCREE_ERROR_MEMORY;
    for (int64_t c = 0; c < cells; ++c) {
        heights[c] = isnan(map->heights[c]) ? lowest : map->heights[c];
    }
    scree_status status =
        scree_mesh_create_heights(env, map->columns, map->rows, zero, spacing, heights, out);
    scri_release(env, heights);
    return status;
}

scree_status scree_rockfall_run(const scree_env* env, const scree_rockfall_def* def,
                                scree_rockfall* out)
{
    if (!def || !out) return SCREE_ERROR_ARGUMENT;
    *out = (scree_rockfall){.env = env ? *env : (scree_env){0}};
    scree_status status = check(env, def);
    if (status) return status;
    scri_rockfall_study study = {.env = out->env, .def = def, .map = def->map};
    study.env.log = NULL;
    study.env.parallel_for = NULL;
    study.map.origin[0] = study.map.origin[1] = 0.0;
    scree_mesh* ground = NULL;
    status = make_ground(env, &def->map, &ground);
    if (status) return status;
    study.ground = ground;
    status = make_zones(&study, ground);
    size_t size = (size_t)def->blocks * sizeof *study.courses;
    if (!status) study.courses = scri_alloc(env, size);
    if (study.courses) {
        memset(study.courses, 0, size);
        status = follow_all(env, &study, out);
    } else if (!status) {
        status = SCREE_ERROR_MEMORY;
    }
    if (!status) status = gather(&study, out);
    if (status) scree_rockfall_release(out);
    release_courses(&study);
    scri_release(&study.env, study.materials);
    scree_mesh_destroy(ground);
    return status;
}
