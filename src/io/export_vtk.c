/* Recordings for ParaView: a VTK XML file for each frame, and the list of them with their times. */
#include "base/env.h"
#include "io/file_util.h"
#include "io/number_text.h"
#include "io/recording.h"
#include "io/surface.h"
#include "io/vtk_file.h"
#include "math/vec.h"
#include "scene/scene.h"
#include "shapes/mesh.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { NAME_EXTRA = 64 };

/* Of the joints of one frame: [n] of what scree_frame has, those that are gone left out. */
typedef struct joint_arrays {
    int32_t *number, *bodies;
    uint8_t* kind;
    double *point, *axis, *second, *coordinate, *rate, *effort, *force, *torque, *limits;
} joint_arrays;

/* What does not change from frame to frame. */
typedef struct exporter {
    const scree_env* env;
    scree_recording* recording;
    scree_recording_info info;
    const char* prefix;
    scree_export_def def;
    scri_arena* arena;
    int32_t* id;                 /* [n_bodies] 0, 1, 2, ... */
    double* radius;              /* [n_bodies] m */
    int64_t* count;              /* [n_count] 0, 1, 2, ... */
    int64_t n_count;             /* grows with the frames */
    char* left[SCRI_VTK_FIELDS]; /* fields of the bodies that are left, where some are gone */
    scri_surface* surface;       /* [n_shapes] */
    scri_vtk_data shapes;        /* of one frame: all that the arrays below have room for */
    double *place, *motion;      /* [3 n_points] of all surfaces */
    int32_t* owner;              /* [n_points] */
    int64_t *corner, *end;
    int32_t* zone; /* of polygons; NULL: no mesh has zones */
    joint_arrays joints;
} exporter;

/* ---- one file ---- */

/* Begins the file PREFIX + ending; *name is to be given back with scri_release(). */
static scree_status begin_file(const exporter* e, const char* ending, char** name, scri_output* out)
{
    size_t size = strlen(e->prefix) + strlen(ending) + 1;
    *name = scri_alloc(e->env, size);
    if (*name) snprintf(*name, size, "%s%s", e->prefix, ending);
    scree_status status = *name ? scri_output_begin(e->env, *name, out) : SCREE_ERROR_MEMORY;
    if (status == SCREE_ERROR_MEMORY) scri_fail(e->env, status, "%s: out of memory", e->prefix);
    if (status) scri_release(e->env, *name);
    return status;
}

static scree_status write_file(const exporter* e, const char* kind, int64_t frame,
                               const scri_vtk_data* data)
{
    char ending[NAME_EXTRA];
    char* name = NULL;
    scri_output output;
    snprintf(ending, sizeof ending, "%s_%06" PRId64 ".vtp", kind, frame);
    scree_status status = begin_file(e, ending, &name, &output);
    if (status) return status;
    scri_vtk_write(output.stream, data);
    status = scri_output_end(&output, SCREE_OK);
    scri_release(e->env, name);
    return status;
}

/* ---- frames ---- */

static scree_status make_count(exporter* e, int64_t n)
{
    if (n + 1 <= e->n_count) return SCREE_OK;
    int64_t larger = n + n / 2 + 1;
    scri_release(e->env, e->count);
    e->count = scri_alloc(e->env, (size_t)larger * sizeof *e->count);
    e->n_count = e->count ? larger : 0;
    for (int64_t k = 0; k < e->n_count; ++k) e->count[k] = k;
    if (e->count) return SCREE_OK;
    return scri_fail(e->env, SCREE_ERROR_MEMORY, "%s: out of memory", e->prefix);
}

/* Every point is a cell; `count` is 0, 1, 2, ... */
static void set_points(scri_vtk_data* data, int32_t n, const int64_t* count)
{
    data->n_points = n;
    data->n_cells = data->n_corners = n;
    data->corner = count;
    data->end = count + 1;
}

/* Leaves the bodies out that are not there. */
static scree_status leave_out(exporter* e, const scree_frame* f, scri_vtk_data* points)
{
    int32_t n = 0;
    for (int32_t b = 0; b < f->n_bodies; ++b) n += scree_frame_holds(f, b);
    if (n == f->n_bodies) return SCREE_OK;
    set_points(points, n, e->count);
    for (int k = 0; k < points->n_fields; ++k) {
        scri_vtk_field* field = &points->fields[k];
        size_t size = (size_t)field->components * scri_vtk_type_size(field->type);
        char *out = e->left[k], *at = out;
        if (!out) {
            out = at = e->left[k] = scri_arena_take(e->arena, (size_t)e->info.n_bodies, size);
        }
        if (!out) return scri_fail(e->env, SCREE_ERROR_MEMORY, "%s: out of memory", e->prefix);
        for (int32_t b = 0; b < f->n_bodies; ++b) {
            if (!scree_frame_holds(f, b)) continue;
            memcpy(at, (const char*)field->data + (size_t)b * size, size);
            at += size;
        }
        field->data = out;
    }
    return SCREE_OK;
}

static scree_status write_bodies(exporter* e, int64_t k, const scree_frame* f)
{
    scri_vtk_data points = {
        .time = f->time,
        .n_fields = 8,
        .fields = {{"position", SCRI_VTK_FLOAT64, 3, f->position},
                   {"body", SCRI_VTK_INT32, 1, e->id},
                   {"kind", SCRI_VTK_UINT8, 1, e->info.kind},
                   {"radius", SCRI_VTK_FLOAT64, 1, e->radius},
                   {"mass", SCRI_VTK_FLOAT64, 1, e->info.mass},
                   {"rotation", SCRI_VTK_FLOAT64, 4, f->rotation},
                   {"velocity", SCRI_VTK_FLOAT64, 3, f->velocity},
                   {"angular_velocity", SCRI_VTK_FLOAT64, 3, f->angular_velocity}}};
    set_points(&points, f->n_bodies, e->count);
    scree_status status = leave_out(e, f, &points);
    return status ? status : write_file(e, "", k, &points);
}

/* In all frames of a series or in none: a frame without contacts has no modes either. */
static bool knows_modes(const exporter* e)
{
    return scri_column_is_in(SCRI_COLUMN_MODE, e->info.schema);
}

static scree_status write_contacts(const exporter* e, int64_t k, const scree_frame* f)
{
    scri_vtk_data points = {.time = f->time,
                            .n_fields = knows_modes(e) ? 7 : 6,
                            .fields = {{"point", SCRI_VTK_FLOAT32, 3, f->point},
                                       {"bodies", SCRI_VTK_INT32, 2, f->pair},
                                       {"normal", SCRI_VTK_FLOAT32, 3, f->normal},
                                       {"force", SCRI_VTK_FLOAT32, 3, f->force},
                                       {"moment", SCRI_VTK_FLOAT32, 3, f->moment},
                                       {"gap", SCRI_VTK_FLOAT32, 1, f->gap},
                                       {"mode", SCRI_VTK_UINT8, 1, f->mode}}};
    set_points(&points, f->n_contacts, e->count);
    return write_file(e, "_contacts", k, &points);
}

/* The zone of a polygon of a shape, in its middle. */
static int32_t zone_of(const scree_shape* shape, int32_t polygon)
{
    if (shape->kind != SCREE_SHAPE_MESH) return 0;
    int32_t corner[3];
    scri_vec middle = {0.0, 0.0, 0.0};
    scree_mesh_triangle(shape->mesh, polygon, corner);
    for (int k = 0; k < 3; ++k) {
        double x[3];
        scree_mesh_point(shape->mesh, corner[k], x);
        middle = scri_vec_add_scaled(middle, 1.0 / 3.0, scri_vec_load(x));
    }
    return scri_mesh_zone(shape->mesh, polygon, middle);
}

/* Adds the surface of shape i where its body is now. */
static void add_shape(exporter* e, const scree_frame* f, int32_t i)
{
    const scri_surface* s = &e->surface[i];
    const scree_shape* shape = &e->info.shapes[i];
    scri_vtk_data* to = &e->shapes;
    int32_t body = e->info.shape_body[i];
    size_t b = (size_t)body;
    scri_quat turn = scri_quat_load(f->rotation + 4 * b), own = scri_quat_load(shape->rotation);
    scri_vec centre = scri_vec_load(f->position + 3 * b), v = scri_vec_load(f->velocity + 3 * b);
    scri_vec omega = scri_vec_load(f->angular_velocity + 3 * b);
    for (int32_t k = 0; k < s->n_corners; ++k) {
        e->corner[to->n_corners + k] = to->n_points + s->corner[k];
    }
    for (int32_t k = 0; k < s->n_polygons; ++k) {
        e->end[to->n_cells + k] = to->n_corners + s->end[k];
        if (e->zone) e->zone[to->n_cells + k] = zone_of(shape, k);
    }
    for (size_t k = 0; k < (size_t)s->n_points; ++k) {
        size_t at = (size_t)to->n_points + k;
        scri_vec arm = scri_quat_rotate(own, scri_vec_load(s->point + 3 * k));
        arm = scri_quat_rotate(turn, scri_vec_add(arm, scri_vec_load(shape->position)));
        scri_vec_store(scri_vec_add(centre, arm), e->place + 3 * at);
        scri_vec_store(scri_vec_add(v, scri_vec_cross(omega, arm)), e->motion + 3 * at);
        e->owner[at] = body;
    }
    to->n_points += s->n_points;
    to->n_cells += s->n_polygons;
    to->n_corners += s->n_corners;
}

static scree_status write_shapes(exporter* e, int64_t k, const scree_frame* f)
{
    e->shapes = (scri_vtk_data){.time = f->time,
                                .n_fields = 3,
                                .fields = {{"position", SCRI_VTK_FLOAT64, 3, e->place},
                                           {"body", SCRI_VTK_INT32, 1, e->owner},
                                           {"velocity", SCRI_VTK_FLOAT64, 3, e->motion}},
                                .cells = SCRI_VTK_POLYGONS,
                                .corner = e->corner,
                                .end = e->end,
                                .zone = e->zone};
    for (int32_t i = 0; i < e->info.n_shapes; ++i) {
        if (scree_frame_holds(f, e->info.shape_body[i])) add_shape(e, f, i);
    }
    return write_file(e, "_shapes", k, &e->shapes);
}

/* Joint j of a frame as number n: its frame on B in the world, and what it carries in these axes.
 */
static void add_joint(exporter* e, const scree_frame* f, size_t j, size_t n)
{
    const scree_recorded_joint* joint = &e->info.joints[j];
    const joint_arrays* a = &e->joints;
    scri_vec point = scri_vec_load(joint->position[1]);
    scri_quat turn = scri_quat_load(joint->rotation[1]);
    if (joint->body[1] >= 0) {
        size_t b = (size_t)joint->body[1];
        scri_quat q = scri_quat_load(f->rotation + 4 * b);
        point = scri_vec_add(scri_vec_load(f->position + 3 * b), scri_quat_rotate(q, point));
        turn = scri_quat_multiply(q, turn);
    }
    const struct {
        double* to;
        scri_vec value;
    } vectors[] = {{a->point, point},
                   {a->axis, scri_quat_rotate(turn, (scri_vec){1.0, 0.0, 0.0})},
                   {a->second, scri_quat_rotate(turn, (scri_vec){0.0, 1.0, 0.0})},
                   {a->coordinate, scri_vec_load(f->joint_coordinate + 3 * j)},
                   {a->rate, scri_vec_load(f->joint_rate + 3 * j)},
                   {a->effort, scri_vec_load(f->joint_effort + 3 * j)},
                   {a->force, scri_quat_rotate(turn, scri_vec_load(f->joint_force + 3 * j))},
                   {a->torque, scri_quat_rotate(turn, scri_vec_load(f->joint_torque + 3 * j))}};
    for (size_t k = 0; k < sizeof vectors / sizeof vectors[0]; ++k) {
        scri_vec_store(vectors[k].value, vectors[k].to + 3 * n);
    }
    memcpy(a->limits + 6 * n, joint->limits, sizeof joint->limits);
    memcpy(a->bodies + 2 * n, joint->body, sizeof joint->body);
    a->number[n] = (int32_t)j;
    a->kind[n] = (uint8_t)joint->kind;
}

static scree_status write_joints(exporter* e, int64_t k, const scree_frame* f)
{
    const joint_arrays* a = &e->joints;
    size_t n = 0;
    for (size_t j = 0; j < (size_t)f->n_joints; ++j) {
        if (!isnan(f->joint_force[3 * j])) add_joint(e, f, j, n++);
    }
    scri_vtk_data points = {.time = f->time,
                            .n_fields = 12,
                            .fields = {{"point", SCRI_VTK_FLOAT64, 3, a->point},
                                       {"joint", SCRI_VTK_INT32, 1, a->number},
                                       {"kind", SCRI_VTK_UINT8, 1, a->kind},
                                       {"bodies", SCRI_VTK_INT32, 2, a->bodies},
                                       {"axis", SCRI_VTK_FLOAT64, 3, a->axis},
                                       {"second_axis", SCRI_VTK_FLOAT64, 3, a->second},
                                       {"coordinate", SCRI_VTK_FLOAT64, 3, a->coordinate},
                                       {"rate", SCRI_VTK_FLOAT64, 3, a->rate},
                                       {"effort", SCRI_VTK_FLOAT64, 3, a->effort},
                                       {"force", SCRI_VTK_FLOAT64, 3, a->force},
                                       {"torque", SCRI_VTK_FLOAT64, 3, a->torque},
                                       {"limits", SCRI_VTK_FLOAT64, 6, a->limits}}};
    set_points(&points, (int32_t)n, e->count);
    return write_file(e, "_joints", k, &points);
}

static scree_status write_frame(exporter* e, int64_t k)
{
    scree_frame frame;
    scree_status status = scree_recording_read(e->recording, k, &frame);
    int64_t most = frame.n_bodies > frame.n_contacts ? frame.n_bodies : frame.n_contacts;
    if (!status) status = make_count(e, most > frame.n_joints ? most : frame.n_joints);
    if (!status) status = write_bodies(e, k, &frame);
    if (!status) status = write_contacts(e, k, &frame);
    if (!status && e->info.n_joints > 0) status = write_joints(e, k, &frame);
    if (!status && e->def.shapes) status = write_shapes(e, k, &frame);
    return status;
}

/* ---- series ---- */

static void write_escaped(FILE* file, const char* text)
{
    for (; *text; ++text) {
        switch (*text) {
        case '&':
            fputs("&amp;", file);
            break;
        case '<':
            fputs("&lt;", file);
            break;
        case '"':
            fputs("&quot;", file);
            break;
        default:
            fputc(*text, file);
        }
    }
}

static void write_list(const exporter* e, const char* kind, FILE* file)
{
    const char* slash = strrchr(e->prefix, '/');
    const char* base = slash ? slash + 1 : e->prefix; /* the files stand beside the list */
    fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n",
          file);
    for (int64_t k = e->def.first; k < e->def.end; k += e->def.stride) {
        char time[SCRI_NUMBER_SIZE];
        scri_number_print(e->recording->frames.time[k], time);
        fprintf(file, "<DataSet timestep=\"%s\" file=\"", time);
        write_escaped(file, base);
        fprintf(file, "%s_%06" PRId64 ".vtp\"/>\n", kind, k);
    }
    fputs("</Collection>\n</VTKFile>\n", file);
}

static scree_status write_series(const exporter* e, const char* kind)
{
    char ending[NAME_EXTRA];
    char* name = NULL;
    scri_output output;
    snprintf(ending, sizeof ending, "%s.pvd", kind);
    scree_status status = begin_file(e, ending, &name, &output);
    if (status) return status;
    write_list(e, kind, output.stream);
    status = scri_output_end(&output, SCREE_OK);
    scri_release(e->env, name);
    return status;
}

/* ---- all ---- */

/* Bodies have rising shapes, each those from `first` on that name it. */
static scree_status make_bodies(exporter* e)
{
    size_t n = (size_t)e->info.n_bodies;
    e->arena = scri_arena_create(e->env);
    e->id = e->arena ? scri_arena_take(e->arena, n, sizeof *e->id) : NULL;
    e->radius = e->arena ? scri_arena_take(e->arena, n, sizeof *e->radius) : NULL;
    if (!e->id || !e->radius) {
        scri_fail(e->env, SCREE_ERROR_MEMORY, "%s: out of memory", e->prefix);
        return SCREE_ERROR_MEMORY;
    }
    int32_t first = 0;
    for (int32_t k = 0; k < e->info.n_bodies; ++k) {
        int32_t end = first;
        while (end < e->info.n_shapes && e->info.shape_body[end] == k) ++end;
        e->id[k] = k;
        e->radius[k] = scri_shapes_reach(end - first, e->info.shapes + first);
        first = end;
    }
    return SCREE_OK;
}

static scree_status make_joints(exporter* e)
{
    size_t n = (size_t)e->info.n_joints;
    joint_arrays* a = &e->joints;
    double** vectors[] = {&a->point, &a->axis,   &a->second, &a->coordinate,
                          &a->rate,  &a->effort, &a->force,  &a->torque};
    bool is_short = false;
    for (size_t k = 0; k < sizeof vectors / sizeof vectors[0]; ++k) {
        *vectors[k] = scri_arena_take(e->arena, 3 * n, sizeof(double));
        is_short |= !*vectors[k];
    }
    a->limits = scri_arena_take(e->arena, 6 * n, sizeof *a->limits);
    a->number = scri_arena_take(e->arena, n, sizeof *a->number);
    a->bodies = scri_arena_take(e->arena, 2 * n, sizeof *a->bodies);
    a->kind = scri_arena_take(e->arena, n, sizeof *a->kind);
    if (!is_short && a->limits && a->number && a->bodies && a->kind) return SCREE_OK;
    return scri_fail(e->env, SCREE_ERROR_MEMORY, "%s: out of memory", e->prefix);
}

/* Half the side of the square that shows a half-space: what reaches over all bodies of the last
 * frame, from wherever among them. */
static scree_status find_reach(exporter* e, double* out)
{
    scree_frame f;
    scree_status status = scree_recording_read(e->recording, e->def.end - 1, &f);
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    double radius = 0.0;
    *out = 1.0;
    for (int32_t b = 0; !status && b < f.n_bodies; ++b) {
        if (!scree_frame_holds(&f, b)) continue;
        radius = fmax(radius, e->radius[b]);
        for (int j = 0; j < 3; ++j) {
            low[j] = fmin(low[j], f.position[3 * (size_t)b + (size_t)j]);
            high[j] = fmax(high[j], f.position[3 * (size_t)b + (size_t)j]);
        }
    }
    double size = hypot(hypot(high[0] - low[0], high[1] - low[1]), high[2] - low[2]);
    if (size + radius > 0.0 && isfinite(size)) *out = size + 2.0 * radius;
    return status;
}

static scree_status make_surfaces(exporter* e)
{
    size_t n = (size_t)e->info.n_shapes, points = 0, corners = 0, polygons = 0;
    double reach = 1.0;
    scree_status status = find_reach(e, &reach);
    if (status) return status;
    e->surface = scri_arena_take(e->arena, n, sizeof *e->surface);
    int is_short = !e->surface, has_zones = 0;
    for (size_t i = 0; i < n && !is_short; ++i) {
        is_short = !scri_surface_make(e->arena, &e->info.shapes[i], reach, &e->surface[i]);
        const scree_mesh* mesh = e->info.shapes[i].mesh;
        has_zones |= mesh && scree_mesh_get_view(mesh).zones;
        points += (size_t)e->surface[i].n_points;
        polygons += (size_t)e->surface[i].n_polygons;
        corners += (size_t)e->surface[i].n_corners;
    }
    if (!is_short && points <= INT32_MAX) {
        e->place = scri_arena_take(e->arena, 3 * points, sizeof *e->place);
        e->motion = scri_arena_take(e->arena, 3 * points, sizeof *e->motion);
        e->owner = scri_arena_take(e->arena, points, sizeof *e->owner);
        e->corner = scri_arena_take(e->arena, corners, sizeof *e->corner);
        e->end = scri_arena_take(e->arena, polygons, sizeof *e->end);
        if (has_zones) e->zone = scri_arena_take(e->arena, polygons, sizeof *e->zone);
    }
    is_short |= has_zones && !e->zone;
    if (!is_short && e->place && e->motion && e->owner && e->corner && e->end) return SCREE_OK;
    return scri_fail(e->env, SCREE_ERROR_MEMORY, "%s: out of memory for %zu shapes", e->prefix, n);
}

scree_status scree_export_vtk(const scree_env* env, scree_recording* recording, const char* prefix,
                              const scree_export_def* def)
{
    scree_export_def frames;
    scree_status status = scri_export_frames(env, recording, prefix, def, &frames);
    if (status) return status;
    exporter e = {.env = env,
                  .recording = recording,
                  .info = scree_recording_get_info(recording),
                  .prefix = prefix,
                  .def = frames};
    status = make_bodies(&e);
    if (!status && e.info.n_joints > 0) status = make_joints(&e);
    if (!status && frames.shapes && frames.end > 0) status = make_surfaces(&e);
    for (int64_t k = frames.first; k < frames.end && !status; k += frames.stride) {
        status = write_frame(&e, k);
    }
    if (!status) status = write_series(&e, "");
    if (!status) status = write_series(&e, "_contacts");
    if (!status && e.info.n_joints > 0) status = write_series(&e, "_joints");
    if (!status && frames.shapes) status = write_series(&e, "_shapes");
    scri_release(env, e.count);
    scri_arena_destroy(e.arena);
    return status;
}
