/* What moves bodies and joints in the course of time: drives of kinematic bodies, forces on dynamic
 * ones, drives of joints that have a motor. */
#include "io/scene_reader.h"
#include "scene/scene.h"

#include <math.h>
#include <string.h>

/* ---- times, tables, formulas ----------------------------------------------------------------- */

/* More numbers than this from one formula: it is then straight over several steps. */
enum { MOST_SAMPLES = 1000000 };

/* Where in a step a drive is asked for. */
typedef enum moment { AT_ENDS, IN_THE_MIDDLE } moment;

static void read_times(scri_reader* r, const scri_yaml* map, scri_course* out)
{
    out->end = SCREE_INFINITY;
    scri_read_number(r, map, "begin", SCRI_NOT_NEGATIVE, &out->begin);
    scri_read_number(r, map, "end", SCRI_PERHAPS_NEVER, &out->end);
    if (!r->status && !(out->end > out->begin)) {
        const scri_yaml* at = scri_get(map, scri_get(map, "end") ? "end" : "begin");
        scri_reader_fail(r, at->place, "end = %g s must be later than begin = %g s", out->end,
                         out->begin);
    }
}

static void read_table(scri_reader* r, const scri_yaml* map, scri_course* out)
{
    const scri_yaml* item = scri_get_list(r, map, "table", &out->n_table);
    if (!r->status && out->n_table == 0) {
        scri_reader_fail(r, scri_get(map, "table")->place, "table: a list of pairs is expected");
    }
    double* table = scri_reader_take(r, 2 * (size_t)out->n_table, sizeof *table);
    for (int32_t k = 0; item && !r->status; item = item->next, ++k) {
        double* row = table + 2 * (size_t)k;
        scri_read_numbers(r, item, "table", 2, row);
        if (r->status || k == 0 || row[0] > row[-2]) continue;
        scri_reader_fail(r, item->place, "table: the time %g s is not after %g s", row[0], row[-2]);
    }
    out->table = table;
}

/* The value of the key `formula` at a time that counts from the beginning of the drive. */
static double evaluate(scri_reader* r, const scri_yaml* map, double time)
{
    double value = 0.0;
    r->parameters[r->info->n_parameters++] =
        (scree_parameter){.name = "t", .value = time, .meaning = ""};
    scri_read_number(r, map, "formula", SCRI_ANY, &value);
    --r->info->n_parameters;
    return value;
}

/* When a formula ends, its own end or that of the scene. */
static double end_of_formula(scri_reader* r, const scri_yaml* formula, const scri_course* course)
{
    double last = fmin(course->end, r->scene->duration + 2.0 * r->scene->world.step);
    for (int32_t k = 0; k < r->info->n_parameters; ++k) {
        if (strcmp(r->parameters[k].name, "t") != 0) continue;
        scri_reader_fail(r, formula->place, "formula: t is the time and cannot be a parameter");
    }
    if (!isfinite(last)) {
        scri_reader_fail(r, formula->place, "formula: needs an end, its own or that of 'stop'");
    }
    return last;
}

/* As a table of the moments of steps in which it is asked for. */
static void read_formula(scri_reader* r, const scri_yaml* map, moment when, scri_course* out)
{
    double h = r->scene->world.step, last = end_of_formula(r, scri_get(map, "formula"), out);
    if (r->status) return;
    double span = fmax(last - out->begin, 0.0), steps = ceil(span / h) + 2.0;
    double stride = ceil(steps / MOST_SAMPLES), share = when == AT_ENDS ? 0.0 : 0.5;
    double first = floor(out->begin / h - share) + 1.0 + share; /* moment, in steps */
    size_t room = (size_t)(steps / stride) + 2, n = 0;
    double* table = scri_reader_take(r, 2 * (room + 1), sizeof *table);
    for (size_t k = 0; k <= room && !r->status; ++k) {
        double time = k == 0 ? 0.0 : (first + stride * (double)(k - 1)) * h - out->begin;
        bool is_last = k == room || time >= span;
        if (is_last) time = span;
        if (n > 0 && !(time > table[2 * n - 2])) continue;
        if (is_last && when == IN_THE_MIDDLE && n > 0) break;
        table[2 * n] = time;
        table[2 * n + 1] = evaluate(r, map, time);
        ++n;
        if (is_last) break;
    }
    out->n_table = (int32_t)n;
    out->table = table;
}

/* `begin`, `end`, and `frequency` with `phase`, or `table`, or `formula`. */
static scri_course read_course(scri_reader* r, const scri_yaml* map, moment when)
{
    static const char* const of_cosine[] = {"frequency", "phase"};
    scri_course course = {.begin = 0.0};
    const scri_yaml *table = scri_get(map, "table"), *formula = scri_get(map, "formula");
    if (table && formula) {
        scri_reader_fail(r, formula->place, "a drive has either 'table' or 'formula'");
    }
    for (int k = 0; k < 2 && (table || formula); ++k) {
        const scri_yaml* other = scri_get(map, of_cosine[k]);
        if (!other) continue;
        scri_reader_fail(r, other->place, "a drive has either '%s' or '%s'",
                         table ? "table" : "formula", of_cosine[k]);
    }
    read_times(r, map, &course);
    scri_read_number(r, map, "frequency", SCRI_NOT_NEGATIVE, &course.frequency);
    scri_read_number(r, map, "phase", SCRI_ANY, &course.phase);
    if (table && !r->status) read_table(r, map, &course);
    if (formula && !r->status) read_formula(r, map, when, &course);
    return course;
}

/* ---- bodies ---------------------------------------------------------------------------------- */

static void store_course(const scri_course* course, scree_drive* out)
{
    out->begin = course->begin;
    out->end = course->end;
    out->frequency = course->frequency;
    out->phase = course->phase;
    out->n_table = course->n_table;
    out->table = course->table;
}

/* `velocity` and `angular_velocity`, or `way` and `turn`. */
static void read_motion(scri_reader* r, const scri_yaml* map, scree_drive* out)
{
    static const char* const rates[] = {"velocity", "angular_velocity"};
    const scri_yaml *way = scri_get(map, "way"), *turn = scri_get(map, "turn");
    out->is_way = way || turn;
    for (int k = 0; k < 2 && out->is_way; ++k) {
        const scri_yaml* rate = scri_get(map, rates[k]);
        if (!rate) continue;
        scri_reader_fail(r, rate->place, "a drive has either '%s' or '%s'", way ? "way" : "turn",
                         rates[k]);
    }
    bool is_course = scri_get(map, "table") || scri_get(map, "formula");
    if (is_course && !out->is_way && !scri_get(map, rates[0]) && !scri_get(map, rates[1])) {
        scri_reader_fail(r, map->place,
                         "a drive needs 'way', 'turn', 'velocity' or 'angular_velocity', which its "
                         "%s multiplies",
                         scri_get(map, "table") ? "table" : "formula");
    }
    scri_read_vector(r, map, out->is_way ? "way" : rates[0], out->linear);
    scri_read_vector(r, map, out->is_way ? "turn" : rates[1], out->angular);
}

static void read_drive(scri_reader* r, const scri_yaml* map, scree_drive* out)
{
    static const char* const keys[] = {
        "body", "velocity", "angular_velocity", "way",       "turn",  "begin",
        "end",  "table",    "formula",          "frequency", "phase", NULL};
    if (!scri_is_map_of(r, map, "a drive", keys)) return;
    const scri_yaml* body = scri_need(r, map, "a drive", "body");
    if (!body) return;
    out->body = scri_names_find(r, body);
    if (!r->status && r->scene->bodies[out->body].def.kind != SCREE_BODY_KINEMATIC) {
        scri_reader_fail(r, body->place, "'%s' is not kinematic, and cannot be driven",
                         r->scene->bodies[out->body].name);
    }
    read_motion(r, map, out);
    scri_course course = read_course(r, map, out->is_way ? AT_ENDS : IN_THE_MIDDLE);
    store_course(&course, out);
}

static void read_noise(scri_reader* r, const scri_yaml* map, scree_drive* out)
{
    int64_t seed = 0;
    const scri_yaml* noise = scri_get(map, "noise");
    scri_read_integer(r, map, "seed", 0, SCRI_MAX_SEED, &seed);
    out->seed = (uint64_t)seed;
    scri_read_vector(r, map, "noise", out->noise);
    for (int j = 0; j < 3 && !r->status; ++j) {
        if (out->noise[j] >= 0.0) continue;
        scri_reader_fail(r, noise->place, "noise: an intensity must not be negative: %g",
                         out->noise[j]);
    }
}

static void read_force(scri_reader* r, const scri_yaml* map, scree_drive* out)
{
    static const char* const keys[] = {"body",    "force",     "torque", "drag", "drag_square",
                                       "noise",   "seed",      "begin",  "end",  "table",
                                       "formula", "frequency", "phase",  NULL};
    if (!scri_is_map_of(r, map, "a force", keys)) return;
    const scri_yaml* body = scri_need(r, map, "a force", "body");
    if (!body) return;
    out->is_force = 1;
    out->body = scri_names_find(r, body);
    if (!r->status && r->scene->bodies[out->body].def.kind != SCREE_BODY_DYNAMIC) {
        scri_reader_fail(r, body->place, "'%s' is not dynamic, and no force moves it",
                         r->scene->bodies[out->body].name);
    }
    scri_read_vector(r, map, "force", out->linear);
    scri_read_vector(r, map, "torque", out->angular);
    scri_read_number(r, map, "drag", SCRI_NOT_NEGATIVE, &out->drag[0]);
    scri_read_number(r, map, "drag_square", SCRI_NOT_NEGATIVE, &out->drag[1]);
    read_noise(r, map, out);
    scri_course course = read_course(r, map, IN_THE_MIDDLE);
    store_course(&course, out);
}

/* ---- joints ---------------------------------------------------------------------------------- */

/* The joint and the freedom that are driven. */
static void read_freedom(scri_reader* r, const scri_yaml* map, scree_joint_drive* out)
{
    int64_t which = 0;
    const scri_yaml* joint = scri_need(r, map, "a drive", "joint");
    if (!joint) return;
    out->joint = scri_names_find_joint(r, joint);
    if (r->status) return;
    const scree_joint_def* def = &r->scene->joints[out->joint].def;
    int32_t n = scri_joint_n_freedoms(def->kind);
    if (n > 0) scri_read_integer(r, map, "freedom", 0, n - 1, &which);
    out->freedom = (int32_t)which;
    if (!r->status && (n == 0 || def->freedom[which].motor == SCREE_MOTOR_NONE)) {
        scri_reader_fail(r, joint->place, "'%s' has no motor, and cannot be driven",
                         r->scene->joints[out->joint].name);
    }
}

static void read_joint_drive(scri_reader* r, const scri_yaml* map, scree_joint_drive* out)
{
    static const char* const keys[] = {"joint", "freedom", "target",    "table", "formula",
                                       "begin", "end",     "frequency", "phase", NULL};
    if (!scri_is_map_of(r, map, "a drive of a joint", keys)) return;
    read_freedom(r, map, out);
    if (!!scri_get(map, "target") + !!scri_get(map, "table") + !!scri_get(map, "formula") != 1) {
        scri_reader_fail(r, map->place,
                         "a drive of a joint has one of 'target', 'table' and 'formula'");
    }
    scri_read_number(r, map, "target", SCRI_ANY, &out->value);
    scri_course course = read_course(r, map, IN_THE_MIDDLE);
    out->begin = course.begin;
    out->end = course.end;
    out->frequency = course.frequency;
    out->phase = course.phase;
    out->n_table = course.n_table;
    out->table = course.table;
}

void scri_read_drives(scri_reader* r, const scri_yaml* root)
{
    int32_t n_drives, n_forces;
    scree_scene* scene = r->scene;
    const scri_yaml* drive = scri_get_list(r, root, "drives", &n_drives);
    const scri_yaml* force = scri_get_list(r, root, "forces", &n_forces);
    scene->drives = scri_reader_take(r, (size_t)n_drives + (size_t)n_forces, sizeof *scene->drives);
    scene->joint_drives = scri_reader_take(r, (size_t)n_drives, sizeof *scene->joint_drives);
    for (; drive && !r->status; drive = drive->next) {
        if (scri_get(drive, "joint")) {
            read_joint_drive(r, drive, &scene->joint_drives[scene->n_joint_drives++]);
        } else {
            read_drive(r, drive, &scene->drives[scene->n_drives++]);
        }
    }
    for (; force && !r->status; force = force->next) {
        read_force(r, force, &scene->drives[scene->n_drives++]);
    }
}
