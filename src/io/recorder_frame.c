/* From a world to the rows of a frame. */
#include "base/compiler.h"
#include "base/env.h"
#include "io/recorder.h"
#include "step/step.h"

#include <inttypes.h>
#include <string.h>

/* ---- contacts ---- */

/* Columns of contacts within one block of memory. */
typedef struct contact_rows {
    int32_t* pair;
    float *point, *normal, *force, *moment, *gap;
    uint8_t* mode;
} contact_rows;

enum { CONTACT_BYTES = 2 * sizeof(int32_t) + 13 * sizeof(float) + 1 };

static contact_rows lay_out(void* memory, size_t n)
{
    contact_rows rows = {.pair = memory};
    rows.point = (float*)(rows.pair + 2 * n);
    rows.normal = rows.point + 3 * n;
    rows.force = rows.normal + 3 * n;
    rows.moment = rows.force + 3 * n;
    rows.gap = rows.moment + 3 * n;
    rows.mode = (uint8_t*)(rows.gap + n);
    return rows;
}

static void store(const double a[3], float* out)
{
    for (int i = 0; i < 3; ++i) out[i] = (float)a[i];
}

/* By the world's own list, which outlasts the removal of bodies, as by sinks after a step. */
static scree_status convert_contacts(const scree_recorder* r, const scree_world_view* view,
                                     contact_rows* out)
{
    for (int32_t c = 0; c < view->n_contacts; ++c) {
        size_t at = (size_t)c;
        scree_contact contact;
        scree_status status = scree_world_get_contact(r->world, c, &contact);
        if (status) return status;
        for (size_t k = 0; k < 2; ++k) {
            out->pair[2 * at + k] = r->slots.row[contact.body[k].index1 - 1];
        }
        store(contact.point, out->point + 3 * at);
        store(contact.normal, out->normal + 3 * at);
        store(contact.force, out->force + 3 * at);
        store(contact.torque, out->moment + 3 * at);
        out->gap[at] = (float)contact.gap;
    }
    return SCREE_OK;
}

/* What contacts do; those that gave way are judged by what they were asked for. Nobody knows where
 * the problem is gone, together with a body. */
static scree_status judge_contacts(const scree_recorder* r, const scree_world_view* view,
                                   scree_contact_certificate* of, uint8_t* mode)
{
    if (!view->problem) {
        memset(mode, SCREE_MODE_NONE, (size_t)view->n_contacts);
        return SCREE_OK;
    }
    scree_status status =
        scree_certify_contacts(&r->env, view->problem, view->impulse, SCREE_MODE_TOL, of);
    for (int32_t c = 0; c < view->n_contacts && !status; ++c) mode[c] = (uint8_t)of[c].mode;
    return status;
}

scree_status scri_recorder_write(scree_recorder* r, scri_column column, int64_t first, int64_t n,
                                 const void* value)
{
    return scri_column_write(&r->h, &r->columns, column, first, n, value);
}

static scree_status write_contacts(scree_recorder* r, const scree_world_view* view)
{
    int64_t first = r->n_contacts, n = view->n_contacts;
    if (n == 0) return SCREE_OK;
    /* Those of joints stand behind the others. */
    size_t n_judged = view->problem ? (size_t)view->problem->n_contacts : 0;
    scree_contact_certificate* of;
    of = scri_recorder_scratch(r, n_judged * sizeof *of + (size_t)n * CONTACT_BYTES);
    if (!of) return SCREE_ERROR_MEMORY;
    contact_rows rows = lay_out(of + n_judged, (size_t)n);
    scree_status status = convert_contacts(r, view, &rows);
    if (!status) status = judge_contacts(r, view, of, rows.mode);
    if (!status) status = scri_recorder_write(r, SCRI_COLUMN_PAIR, first, n, rows.pair);
    if (!status) status = scri_recorder_write(r, SCRI_COLUMN_POINT, first, n, rows.point);
    if (!status) status = scri_recorder_write(r, SCRI_COLUMN_NORMAL, first, n, rows.normal);
    if (!status) status = scri_recorder_write(r, SCRI_COLUMN_FORCE, first, n, rows.force);
    if (!status) status = scri_recorder_write(r, SCRI_COLUMN_MOMENT, first, n, rows.moment);
    if (!status) status = scri_recorder_write(r, SCRI_COLUMN_GAP, first, n, rows.gap);
    if (!status) status = scri_recorder_write(r, SCRI_COLUMN_MODE, first, n, rows.mode);
    return status;
}

/* ---- bodies and shapes that are new ---- */

void scri_recorder_assign(scri_rows_table* rows, scri_slots_table* slots, int32_t slot,
                          uint32_t generation)
{
    int32_t row = slots->row[slot];
    if (row >= 0 && rows->generation[row] == generation) return;
    row = rows->n++;
    slots->row[slot] = row;
    rows->slot[row] = slot;
    rows->generation[row] = generation;
}

/* Finds the row of every body, new rows for those that the file does not have. Bodies of a frame
 * come in the order of their slots, and so do their shapes. */
static scree_status assign_rows(scree_recorder* r, const scree_world_view* view)
{
    int32_t n = view->n_bodies;
    if (!scri_slots_table_reserve(&r->env, &r->slots, n) ||
        !scri_rows_table_reserve(&r->env, &r->rows, r->rows.n + n)) {
        return SCREE_ERROR_MEMORY;
    }
    while (r->slots.n < n) r->slots.row[r->slots.n++] = -1;
    for (int32_t i = 0; i < n; ++i) {
        if (view->kind[i] == SCREE_BODY_NONE) {
            r->slots.row[i] = -1;
        } else {
            scri_recorder_assign(&r->rows, &r->slots, i, view->generation[i]);
        }
    }
    return SCREE_OK;
}

static void name_body(const scree_recorder* r, int32_t row, char text[SCRI_RECORDING_NAME])
{
    scree_body_id body = {r->rows.slot[row] + 1, r->rows.generation[row]};
    if (r->def.name) {
        r->def.name(r->def.name_user, body, text, SCRI_RECORDING_NAME);
    } else {
        snprintf(text, SCRI_RECORDING_NAME, "body-%" PRId32, r->rows.slot[row]);
    }
}

/* Rows of bodies from `first` on. */
static scree_status write_bodies(scree_recorder* r, const scree_world_view* view, int32_t first)
{
    size_t n = (size_t)(r->rows.n - first);
    if (n == 0) return SCREE_OK;
    double* mass = scri_recorder_scratch(r, n * (sizeof *mass + 1 + SCRI_RECORDING_NAME));
    if (!mass) return SCREE_ERROR_MEMORY;
    uint8_t* kind = (uint8_t*)(mass + n);
    char* name = (char*)(kind + n);
    memset(name, 0, n * SCRI_RECORDING_NAME);
    for (size_t k = 0; k < n; ++k) {
        int32_t slot = r->rows.slot[(size_t)first + k];
        mass[k] = view->mass[slot];
        kind[k] = view->kind[slot];
        name_body(r, first + (int32_t)k, name + k * SCRI_RECORDING_NAME);
    }
    const struct {
        scri_column column;
        const void* value;
    } columns[] = {{SCRI_COLUMN_BODY_NAME, name},
                   {SCRI_COLUMN_BODY_KIND, kind},
                   {SCRI_COLUMN_BODY_MASS, mass},
                   {SCRI_COLUMN_BODY_SLOT, r->rows.slot + first},
                   {SCRI_COLUMN_BODY_GENERATION, r->rows.generation + first}};
    scree_status status = SCREE_OK;
    for (size_t k = 0; k < sizeof columns / sizeof columns[0] && !status; ++k) {
        status = scri_recorder_write(r, columns[k].column, first, (int64_t)n, columns[k].value);
    }
    return status;
}

/* Columns of shapes within one block of memory. */
typedef struct shape_rows {
    double *size, *position, *rotation, *rounding;
    int32_t *body, *material, *hull, *mesh;
    uint8_t* kind;
} shape_rows;

enum { SHAPE_BYTES = 11 * sizeof(double) + 5 * sizeof(int32_t) + 1 };

static shape_rows lay_out_shapes(double* memory, size_t n)
{
    shape_rows rows = {.size = memory, .position = memory + 3 * n, .rotation = memory + 6 * n};
    rows.rounding = memory + 10 * n;
    rows.body = (int32_t*)(memory + 11 * n);
    rows.material = rows.body + n;
    rows.hull = rows.material + n;
    rows.mesh = rows.hull + 2 * n;
    rows.kind = (uint8_t*)(rows.mesh + n);
    return rows;
}

/* The number of a hull among those of the file; -1 for one that is not there. */
static int32_t find_form(const scree_recorder* r, const scree_hull* hull)
{
    for (int32_t i = r->forms.n - 1; i >= 0; --i) {
        if (r->forms.hull[i] == hull) return i;
    }
    return -1;
}

/* Writes the corners of hulls that are new. */
static scree_status write_hulls(scree_recorder* r, const scree_world_view* view, int32_t first)
{
    scree_status status = SCREE_OK;
    for (size_t s = 0; s < (size_t)view->n_shapes && !status; ++s) {
        const scree_hull* hull = view->shape_hull[s];
        if (!hull || r->slots.row[view->shape_body[s]] < first || find_form(r, hull) >= 0) continue;
        scree_hull_view form = scree_hull_get_view(hull);
        if (!scri_forms_table_reserve(&r->env, &r->forms, r->forms.n + 1)) {
            return scri_fail(&r->env, SCREE_ERROR_MEMORY, "no memory for another hull");
        }
        status = scri_recorder_write(r, SCRI_COLUMN_HULL_CORNER, r->n_corners, form.n_corners,
                                     form.corners);
        if (status) return status;
        r->forms.hull[r->forms.n] = hull;
        r->forms.corner[r->forms.n++] = r->n_corners;
        r->n_corners += form.n_corners;
    }
    return status;
}

/* The row of a mesh in the file; -1 for one that is not there. */
static int32_t find_mesh(const scree_recorder* r, const scree_mesh* mesh)
{
    for (int32_t i = 0; i < r->grounds.n; ++i) {
        if (r->grounds.mesh[i] == mesh) return r->first_mesh + i;
    }
    return -1;
}

/* The zones of a mesh, and in its row where they begin. */
static scree_status write_zones(scree_recorder* r, const scree_mesh_view* v, int64_t row)
{
    int64_t first = v->zones ? r->n_zones : -1;
    int64_t n = !v->zones ? 0 : v->columns > 0 ? v->n_points : v->n_triangles;
    scree_status status = scri_recorder_write(r, SCRI_COLUMN_MESH_ZONES, row, 1, &first);
    if (status || n == 0) return status;
    status = scri_recorder_write(r, SCRI_COLUMN_MESH_ZONE, first, n, v->zones);
    r->n_zones += n;
    return status;
}

static scree_status write_mesh(scree_recorder* r, const scree_mesh* mesh)
{
    scree_mesh_view v = scree_mesh_get_view(mesh);
    bool is_raster = v.columns > 0;
    int64_t n_numbers = is_raster ? v.n_points : 3 * (int64_t)v.n_points;
    int64_t n_corners = is_raster ? 0 : v.n_triangles, row = r->first_mesh + r->grounds.n;
    const int64_t size[6] = {v.n_points, v.n_triangles, v.columns,
                             v.rows,     r->n_numbers,  r->n_mesh_corners};
    const double frame[4] = {v.origin[0], v.origin[1], v.spacing[0], v.spacing[1]};
    if (!scri_grounds_table_reserve(&r->env, &r->grounds, r->grounds.n + 1)) {
        return scri_fail(&r->env, SCREE_ERROR_MEMORY, "no memory for another mesh");
    }
    scree_status status = scri_recorder_write(r, SCRI_COLUMN_MESH_NUMBER, r->n_numbers, n_numbers,
                                              is_raster ? v.heights : v.points);
    if (!status && n_corners > 0) {
        status = scri_recorder_write(r, SCRI_COLUMN_MESH_CORNER, r->n_mesh_corners, n_corners,
                                     v.corners);
    }
    if (!status) status = write_zones(r, &v, row);
    if (!status) status = scri_recorder_write(r, SCRI_COLUMN_MESH_SIZE, row, 1, size);
    if (!status) status = scri_recorder_write(r, SCRI_COLUMN_MESH_FRAME, row, 1, frame);
    if (status) return status;
    r->grounds.mesh[r->grounds.n++] = mesh;
    r->n_numbers += n_numbers;
    r->n_mesh_corners += n_corners;
    return SCREE_OK;
}

/* Writes the meshes that are new. */
static scree_status write_meshes(scree_recorder* r, const scree_world_view* view, int32_t first)
{
    scree_status status = SCREE_OK;
    for (size_t s = 0; s < (size_t)view->n_shapes && !status; ++s) {
        const scree_mesh* mesh = view->shape_mesh[s];
        if (!mesh || r->slots.row[view->shape_body[s]] < first || find_mesh(r, mesh) >= 0) continue;
        status = write_mesh(r, mesh);
    }
    return status;
}

/* The shapes of bodies from the row `first` on; their number. */
static int64_t gather_shapes(const scree_recorder* r, const scree_world_view* view, int32_t first,
                             shape_rows* out)
{
    int64_t n = 0;
    for (size_t s = 0; s < (size_t)view->n_shapes; ++s) {
        int32_t row = r->slots.row[view->shape_body[s]];
        if (row < first) continue;
        if (out) {
            memcpy(out->size + 3 * n, view->shape_half_size + 3 * s, 3 * sizeof(double));
            memcpy(out->position + 3 * n, view->shape_offset + 3 * s, 3 * sizeof(double));
            memcpy(out->rotation + 4 * n, view->shape_turn + 4 * s, 4 * sizeof(double));
            out->rounding[n] = view->shape_rounding[s];
            out->body[n] = row;
            out->material[n] = view->shape_material[s];
            out->kind[n] = (uint8_t)view->shape_kind[s];
            const scree_hull* hull = view->shape_hull[s];
            out->hull[2 * n] = hull ? r->forms.corner[find_form(r, hull)] : 0;
            out->hull[2 * n + 1] = hull ? scree_hull_get_view(hull).n_corners : 0;
            out->mesh[n] = view->shape_mesh[s] ? find_mesh(r, view->shape_mesh[s]) : -1;
        }
        ++n;
    }
    return n;
}

/* *n becomes their number. */
static scree_status write_shapes(scree_recorder* r, const scree_world_view* view, int32_t first,
                                 int32_t* n)
{
    *n = 0;
    if (r->rows.n == first) return SCREE_OK;
    scree_status status = write_hulls(r, view, first);
    if (!status) status = write_meshes(r, view, first);
    if (status) return status;
    *n = (int32_t)gather_shapes(r, view, first, NULL);
    double* memory = scri_recorder_scratch(r, (size_t)*n * SHAPE_BYTES);
    if (!memory) return SCREE_ERROR_MEMORY;
    shape_rows rows = lay_out_shapes(memory, (size_t)*n);
    gather_shapes(r, view, first, &rows);
    const struct {
        scri_column column;
        const void* value;
    } columns[] = {
        {SCRI_COLUMN_SHAPE_KIND, rows.kind},         {SCRI_COLUMN_SHAPE_SIZE, rows.size},
        {SCRI_COLUMN_SHAPE_POSITION, rows.position}, {SCRI_COLUMN_SHAPE_ROTATION, rows.rotation},
        {SCRI_COLUMN_SHAPE_BODY, rows.body},         {SCRI_COLUMN_SHAPE_MATERIAL, rows.material},
        {SCRI_COLUMN_SHAPE_HULL, rows.hull},         {SCRI_COLUMN_SHAPE_MESH, rows.mesh},
        {SCRI_COLUMN_SHAPE_ROUNDING, rows.rounding}};
    for (size_t k = 0; k < sizeof columns / sizeof columns[0] && !status; ++k) {
        status = scri_recorder_write(r, columns[k].column, r->n_shapes, *n, columns[k].value);
    }
    return status;
}

/* ---- the frame ---- */

/* Values of the slots in the order of rows; NaN for bodies that are gone. */
static void gather_states(const scree_recorder* r, const double* value, size_t width, double* out)
{
    for (size_t row = 0; row < (size_t)r->rows.n; ++row) {
        size_t slot = (size_t)r->rows.slot[row];
        bool is_there = r->slots.row[slot] == (int32_t)row;
        for (size_t j = 0; j < width; ++j) {
            out[width * row + j] = is_there ? value[width * slot + j] : SCREE_NAN;
        }
    }
}

static bool rows_are_slots(const scree_recorder* r, const scree_world_view* view)
{
    if (r->rows.n != view->n_bodies) return false;
    for (int32_t i = 0; i < view->n_bodies; ++i) {
        if (r->slots.row[i] != i) return false;
    }
    return true;
}

static scree_status write_state(scree_recorder* r, const scree_world_view* view)
{
    const struct {
        scri_column column;
        size_t width;
        const double* value;
    } columns[] = {{SCRI_COLUMN_POSITION, 3, view->position},
                   {SCRI_COLUMN_ROTATION, 4, view->rotation},
                   {SCRI_COLUMN_VELOCITY, 3, view->velocity},
                   {SCRI_COLUMN_ANGULAR_VELOCITY, 3, view->angular_velocity}};
    bool as_it_is = rows_are_slots(r, view);
    double* gathered =
        as_it_is ? NULL : scri_recorder_scratch(r, (size_t)r->rows.n * 4 * sizeof *gathered);
    if (!as_it_is && !gathered) return SCREE_ERROR_MEMORY;
    scree_status status = SCREE_OK;
    for (size_t k = 0; k < sizeof columns / sizeof columns[0] && !status; ++k) {
        if (!as_it_is) gather_states(r, columns[k].value, columns[k].width, gathered);
        status = scri_recorder_write(r, columns[k].column, r->n_states, r->rows.n,
                                     as_it_is ? columns[k].value : gathered);
    }
    return status;
}

static scree_status write_head(scree_recorder* r, const scree_world_view* view, int32_t n_shapes)
{
    double kinetic, potential;
    scri_step_energy(r->world, &kinetic, &potential);
    const struct {
        scri_column column;
        const void* value;
    } columns[] = {{SCRI_COLUMN_STEP, &view->steps},
                   {SCRI_COLUMN_N_BODIES, &r->rows.n},
                   {SCRI_COLUMN_BODY_OFFSET, &r->n_states},
                   {SCRI_COLUMN_N_CONTACTS, &view->n_contacts},
                   {SCRI_COLUMN_CONTACT_OFFSET, &r->n_contacts},
                   {SCRI_COLUMN_N_SHAPES, &n_shapes},
                   {SCRI_COLUMN_N_JOINTS, &r->joint_rows.n},
                   {SCRI_COLUMN_JOINT_OFFSET, &r->n_motions},
                   {SCRI_COLUMN_KINETIC, &kinetic},
                   {SCRI_COLUMN_POTENTIAL, &potential},
                   {SCRI_COLUMN_RESIDUAL_MAX, &r->residual_max},
                   {SCRI_COLUMN_PENETRATION_MAX, &r->penetration_max}};
    scree_status status = SCREE_OK;
    for (size_t k = 0; k < sizeof columns / sizeof columns[0] && !status; ++k) {
        status = scri_recorder_write(r, columns[k].column, r->n_frames, 1, columns[k].value);
    }
    return status;
}

/* A frame whose time is NaN does not count. */
scree_status scri_recorder_drop_extra(scree_recorder* r)
{
    const double none = SCREE_NAN;
    if (!r->has_extra) return SCREE_OK;
    scree_status status = scri_recorder_write(r, SCRI_COLUMN_TIME, r->n_on_file, 1, &none);
    if (!status) status = scri_recorder_flush(r);
    if (!status) status = scri_recorder_mark(r, SCRI_RECORDING_EXTRA, -1);
    if (!status) r->has_extra = 0;
    return status;
}

/* Everything but the time reaches the file first: the time makes the frame count. */
static scree_status append_frame(scree_recorder* r, const scree_world_view* view)
{
    int32_t first = r->rows.n, n_shapes = 0;
    scree_status status = scri_recorder_drop_extra(r);
    if (!status) status = assign_rows(r, view);
    if (!status) status = write_bodies(r, view, first);
    if (!status) status = write_shapes(r, view, first, &n_shapes);
    if (!status) status = write_state(r, view);
    if (!status) status = write_contacts(r, view);
    if (!status) status = scri_recorder_write_joints(r);
    if (!status) status = write_head(r, view, r->n_shapes + n_shapes);
    if (!status) status = scri_recorder_flush(r);
    if (!status) status = scri_recorder_write(r, SCRI_COLUMN_TIME, r->n_frames, 1, &view->time);
    if (!status) status = scri_recorder_flush(r);
    if (status) return status;
    r->n_states += r->rows.n;
    r->n_contacts += view->n_contacts;
    r->n_shapes += n_shapes;
    r->n_motions += r->joint_rows.n;
    ++r->n_frames;
    r->n_on_file = r->n_frames;
    return SCREE_OK;
}

static bool same_bits(double a, double b)
{
    uint64_t x = 0, y = 0;
    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    return x == y;
}

/* A frame that the file has must be the one that the world has come to again. */
static scree_status count_frame(scree_recorder* r, const scree_world_view* view)
{
    double time = 0.0, kinetic = 0.0, kinetic_now, potential;
    int64_t k = r->n_frames;
    scree_status status = scri_column_read(&r->h, &r->columns, SCRI_COLUMN_TIME, k, 1, &time);
    if (!status) {
        status = scri_column_read(&r->h, &r->columns, SCRI_COLUMN_KINETIC, k, 1, &kinetic);
    }
    if (status) return status;
    scri_step_energy(r->world, &kinetic_now, &potential);
    if (!same_bits(time, view->time) || !same_bits(kinetic, kinetic_now)) {
        return scri_fail(&r->env, SCREE_ERROR_INPUT,
                         "%s: frame %" PRId64 " does not come out as it was recorded; the "
                         "recording was made by another program or on another kind of machine",
                         r->path, k);
    }
    ++r->n_frames;
    return SCREE_OK;
}

scree_status scri_recorder_append(scree_recorder* r)
{
    scree_world_view view = scree_world_get_view(r->world);
    view.n_contacts = scree_world_contact_count(r->world);
    scree_status status =
        r->n_frames < r->n_on_file ? count_frame(r, &view) : append_frame(r, &view);
    if (!status) r->last_step = view.steps;
    return status;
}
