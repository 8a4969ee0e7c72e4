/* What a recording holds besides its frames, and the rows that say where frames lie. */
#include "base/env.h"
#include "io/recording_state.h"

#include <inttypes.h>
#include <math.h>

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
    scree_status status = read_text(r, "/scene/path", &r->info.scene);
    if (!status) status = read_text(r, "/scene/title", &r->info.title);
    if (!status) status = read_text(r, "/scene/text", &r->info.text);
    if (!status) status = read_settings(r);
    if (!status) status = read_positive(r, "/scene/step", &r->info.step);
    if (!status) status = read_positive(r, "/scene/interval", &r->info.interval);
    if (!status) status = scri_hdf5_read_integer(&r->h, SCRI_RECORDING_CLOSED, 0, 1, &closed);
    r->info.closed = closed;
    return status;
}

/* ---- frames ---- */

/* Rows of a column that must be there, in the recording's own memory; NULL after a failure, which
 * goes to *status. Does nothing when *status is one already. */
static void* read_rows(scree_recording* r, scri_column column, int64_t n, scree_status* status)
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

static scree_status read_frame_rows(scree_recording* r)
{
    scri_frame_rows* f = &r->frames;
    int64_t n = r->columns.rows[SCRI_COLUMN_TIME];
    scree_status status = SCREE_OK;
    f->time = read_rows(r, SCRI_COLUMN_TIME, n, &status);
    f->step = read_rows(r, SCRI_COLUMN_STEP, n, &status);
    f->n_bodies = read_rows(r, SCRI_COLUMN_N_BODIES, n, &status);
    f->body_offset = read_rows(r, SCRI_COLUMN_BODY_OFFSET, n, &status);
    f->n_contacts = read_rows(r, SCRI_COLUMN_N_CONTACTS, n, &status);
    f->contact_offset = read_rows(r, SCRI_COLUMN_CONTACT_OFFSET, n, &status);
    f->n_shapes = read_rows(r, SCRI_COLUMN_N_SHAPES, n, &status);
    f->kinetic = read_rows(r, SCRI_COLUMN_KINETIC, n, &status);
    f->potential = read_rows(r, SCRI_COLUMN_POTENTIAL, n, &status);
    f->residual_max = read_rows(r, SCRI_COLUMN_RESIDUAL_MAX, n, &status);
    f->penetration_max = read_rows(r, SCRI_COLUMN_PENETRATION_MAX, n, &status);
    r->info.n_frames = n;
    return status;
}

/* Frames lie one behind the other, and bodies do not vanish. */
static scree_status check_frame_rows(scree_recording* r)
{
    const scri_frame_rows* f = &r->frames;
    int64_t n_states = 0, n_contacts = 0;
    int32_t n_bodies = 0, n_shapes = 0;
    for (int64_t k = 0; k < r->info.n_frames; ++k) {
        bool fine = isfinite(f->time[k]) && (k == 0 || f->time[k] >= f->time[k - 1]) &&
                    f->step[k] >= 0 && f->n_bodies[k] >= n_bodies && f->n_shapes[k] >= n_shapes &&
                    f->n_contacts[k] >= 0 && f->body_offset[k] == n_states &&
                    f->contact_offset[k] == n_contacts;
        if (!fine) {
            return scri_hdf5_fail(&r->h, "/frames", SCREE_ERROR_FORMAT,
                                  "row %" PRId64 " does not follow the one before", k);
        }
        n_bodies = f->n_bodies[k];
        n_shapes = f->n_shapes[k];
        n_states += n_bodies;
        n_contacts += f->n_contacts[k];
    }
    for (int k = 0; k < SCRI_COLUMN_COUNT; ++k) {
        scri_table table = scri_column_defs[k].table;
        int64_t need = table == SCRI_TABLE_STATES     ? n_states
                       : table == SCRI_TABLE_CONTACTS ? n_contacts
                                                      : 0;
        if (r->columns.rows[k] < need) {
            return scri_hdf5_fail(&r->h, scri_column_defs[k].path, SCREE_ERROR_FORMAT,
                                  "has %" PRId64 " rows where %" PRId64 " are needed",
                                  r->columns.rows[k], need);
        }
    }
    r->info.n_bodies = n_bodies;
    r->info.n_shapes = n_shapes;
    if (r->info.n_frames > 0) {
        r->info.begin = f->time[0];
        r->info.end = f->time[r->info.n_frames - 1];
    }
    return SCREE_OK;
}

/* ---- bodies and shapes ---- */

static scree_status read_bodies(scree_recording* r)
{
    int32_t n = r->info.n_bodies;
    scree_status status = SCREE_OK;
    char* text = read_rows(r, SCRI_COLUMN_BODY_NAME, n, &status);
    uint8_t* kind = read_rows(r, SCRI_COLUMN_BODY_KIND, n, &status);
    double* mass = read_rows(r, SCRI_COLUMN_BODY_MASS, n, &status);
    const char** name = scri_arena_take(r->arena, (size_t)n, sizeof *name);
    if (status) return status;
    if (!name) return SCREE_ERROR_MEMORY;
    for (int32_t k = 0; k < n; ++k) {
        text[(size_t)k * SCRI_RECORDING_NAME + SCRI_RECORDING_NAME - 1] = '\0';
        name[k] = text + (size_t)k * SCRI_RECORDING_NAME;
        if (kind[k] >= SCREE_BODY_KIND_COUNT) {
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
} shape_rows;

static scree_status read_shape_rows(scree_recording* r, int32_t n, shape_rows* out)
{
    scree_status status = SCREE_OK;
    out->kind = read_rows(r, SCRI_COLUMN_SHAPE_KIND, n, &status);
    out->size = read_rows(r, SCRI_COLUMN_SHAPE_SIZE, n, &status);
    out->position = read_rows(r, SCRI_COLUMN_SHAPE_POSITION, n, &status);
    out->rotation = read_rows(r, SCRI_COLUMN_SHAPE_ROTATION, n, &status);
    out->body = read_rows(r, SCRI_COLUMN_SHAPE_BODY, n, &status);
    out->material = read_rows(r, SCRI_COLUMN_SHAPE_MATERIAL, n, &status);
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
    if (rows->kind[k] >= SCREE_SHAPE_COUNT || rows->body[k] < before || rows->body[k] >= n_bodies) {
        return false;
    }
    out->kind = (scree_shape_kind)rows->kind[k];
    out->material = rows->material[k];
    for (int i = 0; i < 3; ++i) out->half_size[i] = rows->size[3 * (size_t)k + (size_t)i];
    for (int i = 0; i < 3; ++i) out->position[i] = rows->position[3 * (size_t)k + (size_t)i];
    for (int i = 0; i < 4; ++i) out->rotation[i] = rows->rotation[4 * (size_t)k + (size_t)i];
    return are_finite(out->half_size, 3) && are_finite(out->position, 3) &&
           are_finite(out->rotation, 4);
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
    return SCREE_OK;
}

scree_status scri_recording_read_info(scree_recording* recording)
{
    scree_recording* r = recording;
    scree_status status = check_schema(r);
    if (!status) status = read_scene(r);
    if (!status) status = scri_columns_open(&r->h, &r->columns);
    if (!status) status = read_frame_rows(r);
    if (!status) status = check_frame_rows(r);
    if (!status) status = read_bodies(r);
    if (!status) status = read_shapes(r);
    return status;
}

scree_recording_info scree_recording_get_info(const scree_recording* recording)
{
    return recording->info;
}
