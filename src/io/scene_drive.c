/* Drives of kinematic bodies and forces on dynamic ones. */
#include "base/compiler.h"
#include "io/scene_reader.h"

#include <math.h>

static void read_times(scri_reader* r, const scri_yaml* map, scree_drive* out)
{
    out->end = SCREE_INFINITY;
    scri_read_number(r, map, "begin", SCRI_NOT_NEGATIVE, &out->begin);
    scri_read_number(r, map, "end", SCRI_PERHAPS_NEVER, &out->end);
    scri_read_number(r, map, "frequency", SCRI_NOT_NEGATIVE, &out->frequency);
    scri_read_number(r, map, "phase", SCRI_ANY, &out->phase);
    if (!r->status && !(out->end > out->begin)) {
        const scri_yaml* at = scri_get(map, scri_get(map, "end") ? "end" : "begin");
        scri_reader_fail(r, at->place, "end = %g s must be later than begin = %g s", out->end,
                         out->begin);
    }
}

static void read_drive(scri_reader* r, const scri_yaml* map, scree_drive* out)
{
    static const char* const keys[] = {
        "body", "velocity", "angular_velocity", "begin", "end", "frequency", "phase", NULL};
    if (!scri_is_map_of(r, map, "a drive", keys)) return;
    const scri_yaml* body = scri_need(r, map, "a drive", "body");
    if (!body) return;
    out->body = scri_names_find(r, body);
    if (!r->status && r->scene->bodies[out->body].def.kind != SCREE_BODY_KINEMATIC) {
        scri_reader_fail(r, body->place, "'%s' is not kinematic, and cannot be driven",
                         r->scene->bodies[out->body].name);
    }
    scri_read_vector(r, map, "velocity", out->linear);
    scri_read_vector(r, map, "angular_velocity", out->angular);
    read_times(r, map, out);
}

static void read_force(scri_reader* r, const scri_yaml* map, scree_drive* out)
{
    static const char* const keys[] = {"body",  "force", "torque",    "drag",  "drag_square",
                                       "begin", "end",   "frequency", "phase", NULL};
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
    read_times(r, map, out);
}

void scri_read_drives(scri_reader* r, const scri_yaml* root)
{
    int32_t n_drives, n_forces;
    scree_scene* scene = r->scene;
    const scri_yaml* drive = scri_get_list(r, root, "drives", &n_drives);
    const scri_yaml* force = scri_get_list(r, root, "forces", &n_forces);
    scene->drives = scri_reader_take(r, (size_t)n_drives + (size_t)n_forces, sizeof *scene->drives);
    for (; drive && !r->status; drive = drive->next) {
        read_drive(r, drive, &scene->drives[scene->n_drives++]);
    }
    for (; force && !r->status; force = force->next) {
        read_force(r, force, &scene->drives[scene->n_drives++]);
    }
}
