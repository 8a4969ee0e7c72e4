/* Opening a recording: what it holds besides its frames, and the rows that say where frames lie. */
#include "base/env.h"
#include "base/fill.h"
#include "io/file_util.h"
#include "io/recording.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { MAX_SETTINGS = 100000 };

/* ---- scene ---- */

static scree_status check_schema(scree_recording* r)
{
    if (!scri_hdf5_has(&r->h, "/scene/schema")) {
        return scri_fail(&r->env, SCREE_ERROR_FORMAT, "%s: is not a recording", r->h.name);
    }
    scree_status status =
        scri_hdf5_read_integer(&r->h, "/scene/schema", 1, INT32_MAX, &r->info.schema);
    if (!status && r->info.schema > SCRI_RECORDING_SCHEMA) {
        status = scri_fail(&r->env, SCREE_ERROR_UNSUPPORTED,
                           "%s: has schema %" PRId32 "; this version reads up to %d", r->h.name,
                           r->info.schema, SCRI_RECORDING_SCHEMA);
    }
    return status;
}

/* A text that may be empty but not missing. */
static scree_status read_text(scree_recording* r, const char* path, const char** out)
{
    if (!scri_hdf5_has(&r->h, path)) {
        return scri_hdf5_fail(&r->h, path, SCREE_ERROR_FORMAT, "is missing");
    }
    scree_status status = scri_hdf5_read_text(&r->h, path, r->arena, out);
    if (!*out) *out = "";
    return status;
}

static scree_status read_settings(scree_recording* r)
{
    int32_t n = 0;
    scree_status status = scri_hdf5_read_integer(&r->h, "/scene/n_settings", 0, MAX_SETTINGS, &n);
    if (status) return status;
    const char** settings = scri_arena_take(r->arena, (size_t)n, sizeof *settings);
    if (!settings) return SCREE_ERROR_MEMORY;
    for (int32_t k = 0; k < n && !status; ++k) {
        char path[SCRI_HDF5_PATH];
        snprintf(path, sizeof path, "/scene/settings/%" PRId32, k);
        status = read_text(r, path, &settings[k]);
    }
    r->info.n_settings = n;
    r->info.settings = settings;
    return status;
}

static scree_status read_positive(scree_recording* r, const char* path, double* out)
{
    int64_t count = 1;
    const double* value = NULL;
    scree_status status = scri_hdf5_read_reals(&r->h, path, r->arena, &count, &value);
    if (status) return status;
    *out = value[0];
    if (*out > 0.0) return SCREE_OK;
    return scri_hdf5_fail(&r->h, path, SCREE_ERROR_FORMAT, "is not positive");
}

static scree_status read_scene(scree_recording* r)
{
    int32_t closed = 0;
    r->extra = -1;
    scree_status status = read_text(r, "/scene/path", &r->info.scene);
    if (!status) status = read_text(r, "/scene/title", &r->info.title);
    if (!status) status = read_text(r, "/scene/text", &r->info.text);
    if (!status) status = read_settings(r);
    if (!status) status = read_positive(r, "/scene/step", &r->info.step);
    if (!status) status = read_positive(r, "/scene/interval", &r->info.interval);
    if (!status) {
        status = scri_hdf5_read_integer(&r->h, SCRI_RECORDING_CLOSED, 0, SCRI_RECORDING_INTERRUPTED,
                                        &closed);
    }
    if (!status && r->info.schema > 1) {
        status = scri_hdf5_read_integer(&r->h, SCRI_RECORDING_EXTRA, -1, INT32_MAX, &r->extra);
    }
    r->info.closed = closed != SCRI_RECORDING_OPEN;
    r->info.complete = closed == SCRI_RECORDING_COMPLETE;
    return status;
}

/* ---- frames ---- */

void* scri_recording_rows(scree_recording* r, scri_column column, int64_t n, scree_status* status)
{
    if (*status) return NULL;
    if (r->columns.rows[column] < n) {
        scri_hdf5_fail(&r->h, scri_column_defs[column].path, SCREE_ERROR_FORMAT,
                       "has %" PRId64 " rows where %" PRId64 " are needed", r->columns.rows[column],
                       n);
        *status = SCREE_ERROR_FORMAT;
        return NULL;
    }
    void* memory = scri_arena_take(r->arena, (size_t)n, scri_column_row_size(column));
    *status =
        memory ? scri_column_read(&r->h, &r->columns, column, 0, n, memory) : SCREE_ERROR_MEMORY;
    return memory;
}

/* The same; zeros where the file is of a schema without the column. */
static void* rows_or_zero(scree_recording* r, scri_column column, int64_t n, scree_status* status)
{
    if (scri_column_is_in(column, r->info.schema)) {
        return scri_recording_rows(r, column, n, status);
    }
    void* memory = scri_arena_take(r->arena, (size_t)n, scri_column_row_size(column));
    if (!memory && !*status) *status = SCREE_ERROR_MEMORY;
    return memory;
}

static scree_status read_frame_rows(scree_recording* r)
{
    scri_frame_rows* f = &r->frames;
    int64_t n = r->columns.rows[SCRI_COLUMN_TIME];
    scree_status status = SCREE_OK;
    f->time = scri_recording_rows(r, SCRI_COLUMN_TIME, n, &status);
    f->step = scri_recording_rows(r, SCRI_COLUMN_STEP, n, &status);
    f->n_bodies = scri_recording_rows(r, SCRI_COLUMN_N_BODIES, n, &status);
    f->body_offset = scri_recording_rows(r, SCRI_COLUMN_BODY_OFFSET, n, &status);
    f->n_contacts = scri_recording_rows(r, SCRI_COLUMN_N_CONTACTS, n, &status);
    f->contact_offset = scri_recording_rows(r, SCRI_COLUMN_CONTACT_OFFSET, n, &status);
    f->n_shapes = scri_recording_rows(r, SCRI_COLUMN_N_SHAPES, n, &status);
    f->n_joints = rows_or_zero(r, SCRI_COLUMN_N_JOINTS, n, &status);
    f->joint_offset = rows_or_zero(r, SCRI_COLUMN_JOINT_OFFSET, n, &status);
    f->kinetic = scri_recording_rows(r, SCRI_COLUMN_KINETIC, n, &status);
    f->potential = scri_recording_rows(r, SCRI_COLUMN_POTENTIAL, n, &status);
    f->residual_max = scri_recording_rows(r, SCRI_COLUMN_RESIDUAL_MAX, n, &status);
    f->penetration_max = scri_recording_rows(r, SCRI_COLUMN_PENETRATION_MAX, n, &status);
    while (!status && n > 0 && isnan(f->time[n - 1])) --n; /* one that was given up */
    r->info.n_frames = n;
    return status;
}

/* Frames lie one behind the other, and rows of bodies do not vanish. */
static scree_status check_frame_rows(scree_recording* r)
{
    const scri_frame_rows* f = &r->frames;
    int64_t n_states = 0, n_contacts = 0, n_motions = 0;
    int32_t n_bodies = 0, n_shapes = 0, n_joints = 0;
    for (int64_t k = 0; k < r->info.n_frames; ++k) {
        bool fine = isfinite(f->time[k]) && (k == 0 || f->time[k] >= f->time[k - 1]) &&
                    f->step[k] >= 0 && f->n_bodies[k] >= n_bodies && f->n_shapes[k] >= n_shapes &&
                    f->n_contacts[k] >= 0 && f->body_offset[k] == n_states &&
                    f->contact_offset[k] == n_contacts && f->n_joints[k] >= n_joints &&
                    f->joint_offset[k] == n_motions;
        if (!fine) {
            return scri_hdf5_fail(&r->h, "/frames", SCREE_ERROR_FORMAT,
                                  "row %" PRId64 " does not follow the one before", k);
        }
        n_bodies = f->n_bodies[k];
        n_shapes = f->n_shapes[k];
        n_states += n_bodies;
        n_contacts += f->n_contacts[k];
        n_joints = f->n_joints[k];
        n_motions += n_joints;
    }
    for (int k = 0; k < SCRI_COLUMN_COUNT; ++k) {
        scri_table table = scri_column_defs[k].table;
        int64_t need = table == SCRI_TABLE_STATES     ? n_states
                       : table == SCRI_TABLE_CONTACTS ? n_contacts
                       : table == SCRI_TABLE_MOTIONS  ? n_motions
                                                      : 0;
        if (scri_column_is_in((scri_column)k, r->info.schema) && r->columns.rows[k] < need) {
            return scri_hdf5_fail(&r->h, scri_column_defs[k].path, SCREE_ERROR_FORMAT,
                                  "has %" PRId64 " rows where %" PRId64 " are needed",
                                  r->columns.rows[k], need);
        }
    }
    r->info.n_bodies = n_bodies;
    r->info.n_shapes = n_shapes;
    r->info.n_joints = n_joints;
    if (r->info.n_frames > 0) {
        r->info.begin = f->time[0];
        r->info.end = f->time[r->info.n_frames - 1];
    }
    return SCREE_OK;
}

/* ---- bodies and shapes ---- */

/* In which slot of the world bodies were; in files of schema 1 all in that of their number. */
static scree_status read_slots(scree_recording* r)
{
    int32_t n = r->info.n_bodies;
    scree_status status = SCREE_OK;
    int32_t* slot = NULL;
    uint32_t* generation = NULL;
    if (r->info.schema > 1) {
        slot = scri_recording_rows(r, SCRI_COLUMN_BODY_SLOT, n, &status);
        generation = scri_recording_rows(r, SCRI_COLUMN_BODY_GENERATION, n, &status);
        if (status) return status;
    } else {
        slot = scri_arena_take(r->arena, (size_t)n, sizeof *slot);
        generation = scri_arena_take(r->arena, (size_t)n, sizeof *generation);
        if (!slot || !generation) return SCREE_ERROR_MEMORY;
        for (int32_t k = 0; k < n; ++k) slot[k] = k;
    }
    for (int32_t k = 0; k < n; ++k) {
        if (slot[k] < 0) {
            return scri_hdf5_fail(&r->h, "/bodies/slot", SCREE_ERROR_FORMAT,
                                  "body %" PRId32 " cannot have slot %" PRId32, k, slot[k]);
        }
    }
    r->info.slot = slot;
    r->info.generation = generation;
    return SCREE_OK;
}

static scree_status read_bodies(scree_recording* r)
{
    int32_t n = r->info.n_bodies;
    scree_status status = read_slots(r);
    char* text = scri_recording_rows(r, SCRI_COLUMN_BODY_NAME, n, &status);
    uint8_t* kind = scri_recording_rows(r, SCRI_COLUMN_BODY_KIND, n, &status);
    double* mass = scri_recording_rows(r, SCRI_COLUMN_BODY_MASS, n, &status);
    const char** name = scri_arena_take(r->arena, (size_t)n, sizeof *name);
    if (status) return status;
    if (!name) return SCREE_ERROR_MEMORY;
    for (int32_t k = 0; k < n; ++k) {
        text[(size_t)k * SCRI_RECORDING_NAME + SCRI_RECORDING_NAME - 1] = '\0';
        name[k] = text + (size_t)k * SCRI_RECORDING_NAME;
        if (kind[k] > SCREE_BODY_STATIC) {
            return scri_hdf5_fail(&r->h, "/bodies/kind", SCREE_ERROR_FORMAT,
                                  "body %" PRId32 " has the unknown kind %d", k, kind[k]);
        }
    }
    r->info.name = name;
    r->info.kind = kind;
    r->info.mass = mass;
    return SCREE_OK;
}

/* Columns of shapes as they are in the file. */
typedef struct shape_rows {
    uint8_t* kind;
    double *size, *position, *rotation;
    int32_t *body, *material;
    int32_t *hull, *mesh; /* NULL in files of schemas that had none */
    double* rounding;     /* the same */
} shape_rows;

static scree_status read_shape_rows(scree_recording* r, int32_t n, shape_rows* out)
{
    scree_status status = SCREE_OK;
    out->kind = scri_recording_rows(r, SCRI_COLUMN_SHAPE_KIND, n, &status);
    out->size = scri_recording_rows(r, SCRI_COLUMN_SHAPE_SIZE, n, &status);
    out->position = scri_recording_rows(r, SCRI_COLUMN_SHAPE_POSITION, n, &status);
    out->rotation = scri_recording_rows(r, SCRI_COLUMN_SHAPE_ROTATION, n, &status);
    out->body = scri_recording_rows(r, SCRI_COLUMN_SHAPE_BODY, n, &status);
    out->material = scri_recording_rows(r, SCRI_COLUMN_SHAPE_MATERIAL, n, &status);
    if (scri_column_is_in(SCRI_COLUMN_SHAPE_HULL, r->info.schema)) {
        out->hull = scri_recording_rows(r, SCRI_COLUMN_SHAPE_HULL, n, &status);
    }
    if (scri_column_is_in(SCRI_COLUMN_SHAPE_MESH, r->info.schema)) {
        out->mesh = scri_recording_rows(r, SCRI_COLUMN_SHAPE_MESH, n, &status);
    }
    if (scri_column_is_in(SCRI_COLUMN_SHAPE_ROUNDING, r->info.schema)) {
        out->rounding = scri_recording_rows(r, SCRI_COLUMN_SHAPE_ROUNDING, n, &status);
    }
    return status;
}

static bool are_finite(const double* value, int n)
{
    for (int k = 0; k < n; ++k) {
        if (!isfinite(value[k])) return false;
    }
    return true;
}

static bool make_shape(const shape_rows* rows, int32_t k, int32_t n_bodies, scree_shape* out)
{
    int32_t before = k > 0 ? rows->body[k - 1] : 0;
    *out = scree_default_shape();
    int n_kinds = rows->mesh ? SCREE_SHAPE_COUNT : rows->hull ? SCREE_SHAPE_MESH : SCREE_SHAPE_HULL;
    if (rows->kind[k] >= n_kinds || rows->body[k] < before || rows->body[k] >= n_bodies) {
        return false;
    }
    out->kind = (scree_shape_kind)rows->kind[k];
    out->material = rows->material[k];
    for (int i = 0; i < 3; ++i) out->half_size[i] = rows->size[3 * (size_t)k + (size_t)i];
    for (int i = 0; i < 3; ++i) out->position[i] = rows->position[3 * (size_t)k + (size_t)i];
    for (int i = 0; i < 4; ++i) out->rotation[i] = rows->rotation[4 * (size_t)k + (size_t)i];
    if (rows->rounding) out->rounding = rows->rounding[k];
    return are_finite(out->half_size, 3) && are_finite(out->position, 3) &&
           are_finite(out->rotation, 4) && out->rounding >= 0.0 && isfinite(out->rounding);
}

static void* take(void* user, size_t size)
{
    return scri_arena_take(user, 1, size);
}

static void leave(void* user, void* memory)
{
    (void)user, (void)memory; /* the recording gives everything back at once */
}

/* The hull of a shape, one for all that name the same corners. */
static scree_status read_hull(scree_recording* r, const int32_t at[2], int32_t* corner_of,
                              const scree_hull** hulls, scree_shape* out)
{
    int32_t n = r->info.n_hulls;
    for (int32_t i = n - 1; i >= 0 && !out->hull; --i) {
        if (corner_of[i] == at[0]) out->hull = hulls[i];
    }
    if (out->hull) return SCREE_OK;
    if (at[0] < 0 || at[1] < 4 || at[1] > SCREE_HULL_CORNERS ||
        at[0] > r->columns.rows[SCRI_COLUMN_HULL_CORNER] - at[1]) {
        return scri_hdf5_fail(&r->h, "/shapes/hull", SCREE_ERROR_FORMAT,
                              "names %" PRId32 " corners from %" PRId32 " on", at[1], at[0]);
    }
    const scree_env env = {.alloc = take, .release = leave, .user = r->arena};
    double* corners = scri_arena_take(r->arena, 3 * (size_t)at[1], sizeof *corners);
    if (!corners) return SCREE_ERROR_MEMORY;
    scree_status status =
        scri_column_read(&r->h, &r->columns, SCRI_COLUMN_HULL_CORNER, at[0], at[1], corners);
    scree_hull* hull = NULL;
    if (!status) status = scree_hull_create(&env, at[1], corners, &hull);
    if (status == SCREE_ERROR_INPUT) {
        return scri_hdf5_fail(&r->h, "/hulls/corner", SCREE_ERROR_FORMAT,
                              "rows from %" PRId32 " on are no corners of a hull", at[0]);
    }
    if (status) return status;
    out->hull = hulls[n] = hull;
    corner_of[n] = at[0];
    ++r->info.n_hulls;
    return SCREE_OK;
}

static scree_status read_hulls(scree_recording* r, const shape_rows* rows, scree_shape* shapes)
{
    size_t n = (size_t)r->info.n_shapes;
    int32_t* corner_of = scri_arena_take(r->arena, n, sizeof *corner_of);
    const scree_hull** hulls = scri_arena_take(r->arena, n, sizeof(void*));
    scree_status status = corner_of && hulls ? SCREE_OK : SCREE_ERROR_MEMORY;
    for (size_t k = 0; k < n && !status; ++k) {
        if (shapes[k].kind != SCREE_SHAPE_HULL) continue;
        status = read_hull(r, rows->hull + 2 * k, corner_of, hulls, &shapes[k]);
    }
    r->info.hulls = hulls;
    return status;
}

/* The zones of a mesh, where it has some. */
static scree_status read_zones(scree_recording* r, int32_t row, scree_mesh* mesh)
{
    int64_t first = -1;
    scree_mesh_view view = scree_mesh_get_view(mesh);
    int32_t n = view.columns > 0 ? view.n_points : view.n_triangles;
    if (!scri_column_is_in(SCRI_COLUMN_MESH_ZONES, r->info.schema)) return SCREE_OK;
    if (row < r->columns.rows[SCRI_COLUMN_MESH_ZONES]) {
        scree_status status =
            scri_column_read(&r->h, &r->columns, SCRI_COLUMN_MESH_ZONES, row, 1, &first);
        if (status) return status;
    }
    if (first < 0) return SCREE_OK;
    int32_t* zones = scri_arena_take(r->arena, (size_t)n, sizeof *zones);
    if (!zones) return SCREE_ERROR_MEMORY;
    scree_status status = SCREE_ERROR_INPUT;
    if (first <= r->columns.rows[SCRI_COLUMN_MESH_ZONE] - n) {
        status = scri_column_read(&r->h, &r->columns, SCRI_COLUMN_MESH_ZONE, first, n, zones);
        if (!status) status = scree_mesh_set_zones(mesh, n, zones);
    }
    if (status != SCREE_ERROR_INPUT) return status;
    return scri_hdf5_fail(&r->h, "/meshes/zones", SCREE_ERROR_FORMAT,
                          "row %" PRId32 " has no zones of a mesh", row);
}

/* The mesh of a row of "/meshes". */
static scree_status read_mesh(scree_recording* r, int32_t row, const scree_mesh** out)
{
    const scree_env env = {.alloc = take, .release = leave, .user = r->arena};
    const int64_t* rows = r->columns.rows;
    int64_t size[6];
    double frame[4];
    scree_status status = scri_column_read(&r->h, &r->columns, SCRI_COLUMN_MESH_SIZE, row, 1, size);
    if (!status) {
        status = scri_column_read(&r->h, &r->columns, SCRI_COLUMN_MESH_FRAME, row, 1, frame);
    }
    if (status) return status;
    bool fine = true;
    for (int k = 0; k < 4; ++k) fine &= size[k] >= 0 && size[k] <= INT32_MAX;
    bool is_raster = size[2] > 0;
    int64_t n_numbers = fine ? is_raster ? size[2] * size[3] : 3 * size[0] : 0;
    int64_t n_corners = fine && !is_raster ? size[1] : 0;
    if (!fine || size[4] < 0 || size[5] < 0 || n_numbers < 1 ||
        size[4] > rows[SCRI_COLUMN_MESH_NUMBER] - n_numbers ||
        size[5] > rows[SCRI_COLUMN_MESH_CORNER] - n_corners) {
        return scri_hdf5_fail(&r->h, "/meshes/size", SCREE_ERROR_FORMAT,
                              "row %" PRId32 " is not of a mesh", row);
    }
    double* numbers = scri_arena_take(r->arena, (size_t)n_numbers, sizeof *numbers);
    int32_t* corners = scri_arena_take(r->arena, 3 * (size_t)n_corners, sizeof *corners);
    if (!numbers || !corners) return SCREE_ERROR_MEMORY;
    status =
        scri_column_read(&r->h, &r->columns, SCRI_COLUMN_MESH_NUMBER, size[4], n_numbers, numbers);
    if (!status && n_corners > 0) {
        status = scri_column_read(&r->h, &r->columns, SCRI_COLUMN_MESH_CORNER, size[5], n_corners,
                                  corners);
    }
    if (status) return status;
    scree_mesh* mesh = NULL;
    status = is_raster ? scree_mesh_create_heights(&env, (int32_t)size[2], (int32_t)size[3], frame,
                                                   frame + 2, numbers, &mesh)
                       : scree_mesh_create(&env, (int32_t)size[0], numbers, (int32_t)n_corners,
                                           corners, &mesh);
    *out = mesh;
    if (!status) return read_zones(r, row, mesh);
    if (status != SCREE_ERROR_INPUT) return status;
    return scri_hdf5_fail(&r->h, "/meshes", SCREE_ERROR_FORMAT, "row %" PRId32 " is not a mesh",
                          row);
}

static scree_status read_meshes(scree_recording* r, const int32_t* mesh, scree_shape* shapes)
{
    int64_t rows = r->columns.rows[SCRI_COLUMN_MESH_SIZE];
    if (rows > r->columns.rows[SCRI_COLUMN_MESH_FRAME]) {
        rows = r->columns.rows[SCRI_COLUMN_MESH_FRAME];
    }
    const scree_mesh** meshes = scri_arena_take(r->arena, (size_t)rows, sizeof(void*));
    if (!meshes) return SCREE_ERROR_MEMORY;
    r->info.meshes = meshes;
    for (int32_t k = 0; k < r->info.n_shapes; ++k) {
        if (shapes[k].kind != SCREE_SHAPE_MESH) continue;
        if (mesh[k] < 0 || mesh[k] >= rows) {
            return scri_hdf5_fail(&r->h, "/shapes/mesh", SCREE_ERROR_FORMAT,
                                  "row %" PRId32 " names mesh %" PRId32, k, mesh[k]);
        }
        if (!meshes[mesh[k]]) {
            scree_status status = read_mesh(r, mesh[k], &meshes[mesh[k]]);
            if (status) return status;
        }
        shapes[k].mesh = meshes[mesh[k]];
        if (mesh[k] >= r->info.n_meshes) r->info.n_meshes = mesh[k] + 1;
    }
    return SCREE_OK;
}

static scree_status read_shapes(scree_recording* r)
{
    int32_t n = r->info.n_shapes;
    shape_rows rows = {0};
    scree_status status = read_shape_rows(r, n, &rows);
    if (status) return status;
    scree_shape* shapes = scri_arena_take(r->arena, (size_t)n, sizeof *shapes);
    if (!shapes) return SCREE_ERROR_MEMORY;
    for (int32_t k = 0; k < n; ++k) {
        if (!make_shape(&rows, k, r->info.n_bodies, &shapes[k])) {
            return scri_hdf5_fail(&r->h, "/shapes", SCREE_ERROR_FORMAT,
                                  "row %" PRId32 " is not a shape of a body", k);
        }
    }
    r->info.shapes = shapes;
    r->info.shape_body = rows.body;
    if (rows.hull) status = read_hulls(r, &rows, shapes);
    if (rows.mesh && !status) status = read_meshes(r, rows.mesh, shapes);
    return status;
}

/* Reads and checks all that is not part of a frame. */
static scree_status read_info(scree_recording* r)
{
    scree_status status = check_schema(r);
    if (!status) status = read_scene(r);
    if (!status) status = scri_columns_open(&r->h, r->info.schema, &r->columns);
    if (!status) status = read_frame_rows(r);
    if (!status) status = check_frame_rows(r);
    if (!status) status = read_bodies(r);
    if (!status) status = read_shapes(r);
    if (!status) status = scri_recording_read_joints(r);
    return status;
}

void scree_recording_fill_info(const scree_recording* recording, scree_recording_info* info)
{
    if (!info) return;
    static const scree_recording_info none;
    scri_fill(info, info->struct_size, recording ? &recording->info : &none, sizeof none);
}

/* ---- files ---- */

/* A reader that meets a block while it is being written tries again; in a damaged file that is in
 * vain, and HDF5 waits twice as long each time. */
enum { READ_ATTEMPTS = 20 };

/* Without locks, which some file systems lack and which a reader does not need, and without a sieve
 * buffer, which relies on HDF5's note of the end of the file; a kill may have left an old one. */
static hid_t open_with(const char* path, unsigned flags)
{
    hid_t file = -1, access = H5Pcreate(H5P_FILE_ACCESS);
    if (access >= 0 && H5Pset_file_locking(access, false, true) >= 0 &&
        H5Pset_sieve_buf_size(access, 0) >= 0 &&
        H5Pset_metadata_read_attempts(access, READ_ATTEMPTS) >= 0) {
        file = H5Fopen(path, flags, access);
    }
    if (access >= 0) H5Pclose(access);
    return file;
}

/* As one that is being written, so that HDF5 does not rely on its note of the end of the file here
 * either; the second way is for a copy in an older format (h5repack). */
static hid_t open_any(const char* path)
{
    hid_t file = open_with(path, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ);
    return file >= 0 ? file : open_with(path, H5F_ACC_RDONLY);
}

static scree_status open_file(scri_hdf5* h)
{
    bool is_hdf5 = false;
    scree_status status = scri_file_is_hdf5(h->env, h->name, &is_hdf5);
    if (status) return status;
    if (!is_hdf5) {
        return scri_fail(h->env, SCREE_ERROR_FORMAT, "%s: is not a recording (not an HDF5 file)",
                         h->name);
    }
    h->file = open_any(h->name);
    if (h->file < 0) {
        return scri_fail(h->env, SCREE_ERROR_FORMAT, "%s: HDF5 cannot open the file; it is damaged",
                         h->name);
    }
    hsize_t size = 0;
    H5Fget_filesize(h->file, &size);
    h->size = size;
    return SCREE_OK;
}

/* A recording without a file; NULL when memory is short. */
static scree_recording* make(const scree_env* env, const char* name)
{
    scri_arena* arena = scri_arena_create(env);
    scree_recording* r = arena ? scri_arena_take(arena, 1, sizeof *r) : NULL;
    char* copy = r ? scri_arena_take(arena, strlen(name) + 1, 1) : NULL;
    if (!copy) {
        scri_arena_destroy(arena);
        return NULL;
    }
    memcpy(copy, name, strlen(name) + 1);
    if (env) r->env = *env;
    r->arena = arena;
    r->h = (scri_hdf5){.env = &r->env, .name = copy, .file = -1};
    for (int k = 0; k < SCRI_COLUMN_COUNT; ++k) r->columns.id[k] = -1;
    return r;
}

scree_status scree_recording_open(const scree_env* env, const char* path, scree_recording** out)
{
    if (!path || !out) return scri_fail(env, SCREE_ERROR_ARGUMENT, "no path, or no place");
    *out = NULL;
    scree_recording* r = make(env, path);
    if (!r) return scri_fail(env, SCREE_ERROR_MEMORY, "%s: out of memory", path);
    scri_hdf5_silence(&r->h);
    scree_status status = open_file(&r->h);
    if (!status) status = read_info(r);
    scri_hdf5_speak(&r->h);
    if (status == SCREE_ERROR_MEMORY) {
        scri_fail(&r->env, status, "%s: out of memory", r->h.name);
    }
    if (status) {
        scree_recording_close(r);
    } else {
        *out = r;
    }
    return status;
}

void scree_recording_close(scree_recording* recording)
{
    scree_recording* r = recording;
    if (!r) return;
    scri_hdf5_silence(&r->h);
    scri_columns_close(&r->columns);
    if (r->h.file >= 0) H5Fclose(r->h.file);
    scri_hdf5_speak(&r->h);
    scri_release(&r->env, r->contacts);
    scri_arena_destroy(r->arena); /* holds the recording too */
}
