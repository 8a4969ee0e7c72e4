/* One block on its way: a world of its own, with the terrain and nothing else in it. */
#include "base/env.h"
#include "math/vec.h"
#include "study/rockfall.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A block rests when it touches the ground and its kinetic energy stays below this share of the
 * weight times the diameter (some millimetres per second), for as many times sqrt(d / g). */
static const double calm_energy = 1e-6, calm_time = 3.0;

/* It rests, too, when it has not gone farther than this share of the diameter, whatever it does
 * there, for as many times sqrt(d / g): a ball that spins on the spot, a block that rattles. */
static const double home_size = 0.05, home_time = 30.0;

typedef struct follower {
    const scri_rockfall_study* study;
    scri_course* course;
    scri_block block;
    int keeps_line;
    scree_world* world;
    scree_body_id id;
    scree_rock_point now; /* in coordinates that count from the map's first point */
    double since_point;   /* m of its way since the last point of the line */
    double calm_since;    /* s; negative: it is not */
    scri_vec home;        /* a place that it has not left */
    double home_since;    /* s */
    double energy, least; /* mechanical; the least so far */
} follower;

/* ---- lists that grow ---- */

static scree_status make_room(const scree_env* env, int64_t n, size_t size, int64_t* room,
                              void** items)
{
    if (n < *room) return SCREE_OK;
    int64_t wanted = 2 * *room + 64;
    void* larger = scri_alloc(env, (size_t)wanted * size);
    if (!larger) return SCREE_ERROR_MEMORY;
    if (n > 0) memcpy(larger, *items, (size_t)n * size);
    scri_release(env, *items);
    *items = larger;
    *room = wanted;
    return SCREE_OK;
}

static scree_status keep_point(follower* f)
{
    scri_course* c = f->course;
    f->since_point = 0.0;
    if (!f->keeps_line) return SCREE_OK;
    void* items = c->points;
    scree_status status =
        make_room(&f->study->env, c->n_points, sizeof *c->points, &c->points_room, &items);
    c->points = items;
    if (!status) c->points[c->n_points++] = f->now;
    return status;
}

static scree_status keep_passage(follower* f)
{
    scri_course* c = f->course;
    const scree_rock_point* p = &f->now;
    int32_t cell = scri_rockfall_cell(&f->study->map, p->position[0], p->position[1]);
    if (c->n_passages == 0 || c->passages[c->n_passages - 1].cell != cell) {
        void* items = c->passages;
        scree_status status = make_room(&f->study->env, c->n_passages, sizeof *c->passages,
                                        &c->passages_room, &items);
        c->passages = items;
        if (status) return status;
        c->passages[c->n_passages++] = (scri_passage){.cell = cell};
    }
    double* most = c->passages[c->n_passages - 1].most;
    const double here[SCRI_PASSAGE_VALUES] = {p->speed, p->energy, p->jump};
    for (int k = 0; k < SCRI_PASSAGE_VALUES; ++k) most[k] = fmax(most[k], here[k]);
    return SCREE_OK;
}

static int compare_cells(const void* a, const void* b)
{
    int32_t x = ((const scri_passage*)a)->cell, y = ((const scri_passage*)b)->cell;
    return (x > y) - (x < y);
}

/* A block may come to a cell again: one passage each, with the largest of all. */
static void merge_passages(scri_course* c)
{
    int64_t n = 0;
    if (c->n_passages == 0) return;
    qsort(c->passages, (size_t)c->n_passages, sizeof *c->passages, compare_cells);
    for (int64_t i = 1; i < c->n_passages; ++i) {
        if (c->passages[i].cell != c->passages[n].cell) {
            c->passages[++n] = c->passages[i];
            continue;
        }
        for (int k = 0; k < SCRI_PASSAGE_VALUES; ++k) {
            c->passages[n].most[k] = fmax(c->passages[n].most[k], c->passages[i].most[k]);
        }
    }
    c->n_passages = n + 1;
}

/* ---- the world ---- */

static scree_status add_ground(follower* f)
{
    scree_body_def def = scree_default_body_def();
    scree_shape shape = scree_default_shape();
    scree_body_id id;
    def.kind = SCREE_BODY_STATIC;
    shape.kind = SCREE_SHAPE_MESH;
    shape.mesh = f->study->ground;
    shape.n_zones = f->study->n_grounds;
    shape.zone_material = f->study->materials;
    return scree_world_add_body(f->world, &def, 1, &shape, &id);
}

static scree_status add_block(follower* f)
{
    const scri_block* b = &f->block;
    scree_body_def def = scree_default_body_def();
    scree_shape shape = scree_default_shape();
    def.mass = b->mass;
    memcpy(def.inertia, b->inertia, sizeof def.inertia);
    memcpy(def.position, b->position, sizeof def.position);
    memcpy(def.rotation, b->rotation, sizeof def.rotation);
    memcpy(def.velocity, b->velocity, sizeof def.velocity);
    shape.kind = b->hull ? SCREE_SHAPE_HULL : SCREE_SHAPE_SPHERE;
    shape.hull = b->hull;
    shape.half_size[0] = b->hull ? b->diameter : 0.5 * b->diameter;
    shape.material = 0;
    return scree_world_add_body(f->world, &def, 1, &shape, &f->id);
}

/* A ground that gives so far that the pressure below a block can shift by mu_r bears it on a patch
 * of that radius at least, and sliding friction on a disc that presses evenly resists turning about
 * the normal by 2/3 mu times its radius. Without it a block that rolling friction holds on a corner
 * would spin there for ever. */
static const double disc_share = 2.0 / 3.0;

static scree_material pair_on(const scree_rockfall_ground* g, const scri_block* b)
{
    double patch = g->roll * 0.5 * b->diameter;
    return (scree_material){.mu = g->mu,
                            .mu_r = patch,
                            .mu_s = disc_share * g->mu * patch,
                            .restitution = g->restitution,
                            .slip = {{.viscous = g->viscous}}};
}

/* Material 0 is the block's; those of the grounds follow. */
static scree_status add_materials(follower* f)
{
    const scri_rockfall_study* s = f->study;
    scree_material plain = {0};
    int32_t number;
    scree_status status = scree_world_add_material(f->world, &plain, &number);
    for (int32_t i = 0; i < s->n_grounds && !status; ++i) {
        scree_rockfall_ground g =
            s->def->n_grounds ? s->def->grounds[i] : scree_default_rockfall_ground();
        scree_material pair = pair_on(&g, &f->block);
        status = scree_world_add_material(f->world, &plain, &number);
        if (!status) status = scree_world_set_pair(f->world, 0, s->materials[i], &pair);
    }
    return status;
}

static scree_status make_world(follower* f)
{
    const scree_rockfall_def* def = f->study->def;
    scree_world_def world = scree_default_world_def();
    world.step = def->step;
    world.gravity[2] = -def->gravity;
    scree_status status = scree_world_create(&f->study->env, &world, &f->world);
    if (!status) status = add_materials(f);
    if (!status) status = add_ground(f);
    return status ? status : add_block(f);
}

/* ---- the way ---- */

/* Takes up where the block is; `touches`: it had contacts in the step that led there. */
static void look(follower* f, const scree_body_state* body, double time, double kinetic,
                 int touches)
{
    const scri_rockfall_study* s = f->study;
    scree_rock* rock = &f->course->rock;
    scri_vec before = scri_vec_load(f->now.position), here = scri_vec_load(body->position);
    double way = scri_vec_length(scri_vec_sub(here, before));
    double jump =
        touches ? 0.0 : scri_block_clearance(&f->block, &s->map, body->position, body->rotation);
    f->now = (scree_rock_point){.time = time,
                                .speed = scri_vec_length(scri_vec_load(body->velocity)),
                                .energy = kinetic,
                                .jump = fmax(jump, 0.0)};
    scri_vec_store(here, f->now.position);
    f->since_point += way;
    f->energy = kinetic + f->block.mass * s->def->gravity * here.z;
    rock->length += way;
    rock->speed = fmax(rock->speed, f->now.speed);
    rock->energy = fmax(rock->energy, kinetic);
    rock->jump = fmax(rock->jump, f->now.jump);
    rock->gained = fmax(rock->gained, f->energy - f->least);
    f->least = fmin(f->least, f->energy);
}

static int is_calm(follower* f, int touches)
{
    double g = f->study->def->gravity, d = f->block.diameter;
    if (!(touches && f->now.energy <= calm_energy * f->block.mass * g * d)) {
        f->calm_since = -1.0;
        return 0;
    }
    if (f->calm_since < 0.0) f->calm_since = f->now.time;
    return f->now.time - f->calm_since >= calm_time * sqrt(d / g);
}

static int is_home(follower* f)
{
    double g = f->study->def->gravity, d = f->block.diameter;
    scri_vec here = scri_vec_load(f->now.position);
    if (!(scri_vec_length(scri_vec_sub(here, f->home)) <= home_size * d)) {
        f->home = here;
        f->home_since = f->now.time;
    }
    if (f->now.time - f->home_since < home_time * sqrt(d / g)) return 0;
    f->calm_since = f->home_since;
    return 1;
}

/* One step. *ended: rock.end is what became of the block. */
static scree_status advance(follower* f, int* ended)
{
    const scri_rockfall_study* s = f->study;
    scree_rock* rock = &f->course->rock;
    scree_step_report report;
    scree_body_state body;
    scree_status status = scree_world_step(f->world, &report);
    if (!status) status = scree_world_get_body(f->world, f->id, &body);
    if (status) return status;
    ++rock->steps;
    rock->n_loose += report.solve.outcome != SCREE_OUTCOME_CONVERGED;
    look(f, &body, scree_world_time(f->world), report.kinetic, report.n_contacts > 0);
    *ended = 1;
    if (!scri_rockfall_holds(&s->map, body.position[0], body.position[1], f->block.reach)) {
        rock->end = SCREE_ROCK_LEFT;
        return SCREE_OK;
    }
    if (is_calm(f, report.n_contacts > 0) || is_home(f)) {
        rock->end = SCREE_ROCK_RESTED;
    } else if (f->now.time >= s->def->time) {
        rock->end = SCREE_ROCK_LATE;
    } else {
        *ended = 0;
    }
    status = keep_passage(f);
    double spacing = s->def->way > 0.0 ? s->def->way : s->map.cell;
    if (!status && f->since_point >= spacing) status = keep_point(f);
    return status;
}

static scree_status begin(follower* f)
{
    const scri_block* b = &f->block;
    scree_rock* rock = &f->course->rock;
    double v = scri_vec_length(scri_vec_load(b->velocity));
    f->now = (scree_rock_point){.speed = v, .energy = 0.5 * b->mass * v * v};
    f->now.jump = f->study->def->drop;
    memcpy(f->now.position, b->position, sizeof f->now.position);
    f->energy = f->now.energy + b->mass * f->study->def->gravity * b->position[2];
    f->least = f->energy;
    f->home = scri_vec_load(b->position);
    *rock = (scree_rock){.form = b->form,
                         .diameter = b->diameter,
                         .mass = b->mass,
                         .speed = v,
                         .energy = f->now.energy,
                         .jump = f->now.jump};
    memcpy(rock->first, b->position, sizeof rock->first);
    scree_status status = keep_passage(f);
    return status ? status : keep_point(f);
}

/* Whether the study is to end; asked every so many steps, some milliseconds. */
static int is_stopped(const follower* f)
{
    enum { EVERY = 256 };
    const scree_rockfall_def* def = f->study->def;
    return def->stop && f->course->rock.steps % EVERY == 0 && def->stop(def->stop_user);
}

static scree_status follow(follower* f)
{
    scree_rock* rock = &f->course->rock;
    int ended = 0;
    scree_status status = make_world(f);
    if (!status) status = begin(f);
    double energy = f->energy;
    while (!status && !ended && !is_stopped(f)) status = advance(f, &ended);
    if (!status && f->since_point > 0.0) status = keep_point(f);
    if (status || !ended) return status;
    f->course->is_done = 1;
    memcpy(rock->last, f->now.position, sizeof rock->last);
    rock->time = rock->end == SCREE_ROCK_RESTED ? f->calm_since : f->now.time;
    rock->runout = scri_hypotenuse(rock->last[0] - rock->first[0], rock->last[1] - rock->first[1]);
    rock->lost = energy - f->energy;
    merge_passages(f->course);
    return SCREE_OK;
}

/* From the coordinates of the study to those of the map. */
static void put_on_map(const scree_rockfall_map* map, scri_course* c)
{
    for (int k = 0; k < 2; ++k) {
        c->rock.first[k] += map->origin[k];
        c->rock.last[k] += map->origin[k];
        for (int64_t i = 0; i < c->n_points; ++i) c->points[i].position[k] += map->origin[k];
    }
}

void scri_block_follow(const scri_rockfall_study* study, int32_t number)
{
    follower f = {.study = study,
                  .course = &study->courses[number],
                  .keeps_line = number < study->def->lines,
                  .calm_since = -1.0};
    scree_status status = scri_block_draw(&study->env, study->def, &study->map, number, &f.block);
    if (!status) status = follow(&f);
    if (!status) put_on_map(&study->def->map, f.course);
    f.course->status = status;
    scree_world_destroy(f.world);
    scri_block_release(&f.block);
}
