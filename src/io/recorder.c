/* A recorder: the file it begins, when frames are due, and its end. */
#include "io/recorder.h"

#include "base/env.h"
#include "base/fill.h"
#include "io/file_util.h"
#include "world/world.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { MAX_SETTINGS = 100000, PAGE = 4096 };

void scree_recorder_def_init(scree_recorder_def* def)
{
    if (!def) return;
    const scree_recorder_def usual = {.struct_size = sizeof usual, .interval = 0.02};
    scri_fill(def, def->struct_size, &usual, sizeof usual);
}

static int name_of(void* user, scree_body_id body, char* text, size_t size)
{
    return scree_simulation_body_name(user, body.index1 - 1, text, size);
}

static int joint_name_of(void* user, scree_joint_id joint, char* text, size_t size)
{
    return scree_simulation_joint_name(user, joint.index1 - 1, text, size);
}

void scree_simulation_fill_recorder_def(scree_simulation* simulation, scree_recorder_def* out)
{
    if (!out) return;
    const scree_scene* scene = scree_simulation_scene(simulation);
    scree_recorder_def def = scree_default_recorder_def();
    if (!scene) {
        scri_fill(out, out->struct_size, &def, sizeof def);
        return;
    }
    def.title = scene->title;
    def.interval = scene->interval;
    def.n_bodies = scree_scene_count_bodies(scene);
    def.name = name_of;
    def.name_joint = joint_name_of;
    def.name_user = simulation;
    def.source = scene->source;
    scri_fill(out, out->struct_size, &def, sizeof def);
}

/* ---- the file it begins with ----------------------------------------------------------------- */

/* In HDF5's latest format, which alone lets others read while one writes. By pages, because a write
 * within one page of the system's cache is made whole or not at all, whatever signal arrives. */
static hid_t create_file(const char* name, hid_t access)
{
    hid_t file = -1, list = H5Pcreate(H5P_FILE_CREATE);
    if (list >= 0 && H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST) >= 0 &&
        H5Pset_file_space_strategy(list, H5F_FSPACE_STRATEGY_PAGE, false, 1) >= 0 &&
        H5Pset_file_space_page_size(list, PAGE) >= 0) {
        file = H5Fcreate(name, H5F_ACC_TRUNC, list, access);
    }
    if (list >= 0) H5Pclose(list);
    return file;
}

static scree_status write_settings(const scri_hdf5* h, const scree_scene_source* source)
{
    scree_status status = scri_hdf5_write_integers(h, "/scene/n_settings", 1, &source->n_settings);
    for (int32_t k = 0; k < source->n_settings && !status; ++k) {
        char path[SCRI_HDF5_PATH];
        snprintf(path, sizeof path, "/scene/settings/%" PRId32, k);
        status = scri_hdf5_write_text(h, path, source->settings[k]);
    }
    return status;
}

static const char* or_empty(const char* text)
{
    return text ? text : "";
}

static scree_status write_scene(const scree_recorder* r)
{
    static const scree_scene_source none = {0};
    const scri_hdf5* h = &r->h;
    const scree_world_def* world = &r->world->def;
    const scree_scene_source* source = r->def.source ? r->def.source : &none;
    int32_t schema = SCRI_RECORDING_SCHEMA, open = SCRI_RECORDING_OPEN, extra = -1;
    const char* law = scree_law_name((int)world->law);
    scree_status status = scri_hdf5_write_integers(h, "/scene/schema", 1, &schema);
    if (!status) status = scri_hdf5_write_text(h, "/scene/path", or_empty(source->path));
    if (!status) status = scri_hdf5_write_text(h, "/scene/title", or_empty(r->def.title));
    if (!status) status = scri_hdf5_write_text(h, "/scene/text", or_empty(source->text));
    if (!status) status = scri_hdf5_write_text(h, "/scene/law", or_empty(law));
    if (!status) status = write_settings(h, source);
    if (!status) status = scri_hdf5_write_reals(h, "/scene/step", 1, &world->step);
    if (!status) status = scri_hdf5_write_reals(h, "/scene/interval", 1, &r->def.interval);
    if (!status) status = scri_hdf5_write_reals(h, "/scene/gravity", 3, world->gravity);
    if (!status) status = scri_hdf5_write_integers(h, SCRI_RECORDING_CLOSED, 1, &open);
    if (!status) status = scri_hdf5_write_integers(h, SCRI_RECORDING_EXTRA, 1, &extra);
    return status;
}

/* Room for the heads of two checkpoints, all zero: not valid. */
static scree_status write_heads(const scri_hdf5* h)
{
    const int64_t heads[2 * sizeof(scri_saved_head) / sizeof(int64_t)] = {0};
    hsize_t extent[2] = {2, sizeof(scri_saved_head) / sizeof(int64_t)};
    hid_t space = H5Screate_simple(2, extent, NULL), id = -1;
    if (space >= 0) {
        id = H5Dcreate2(h->file, SCRI_RECORDING_HEADS, H5T_STD_I64LE, space, H5P_DEFAULT,
                        H5P_DEFAULT, H5P_DEFAULT);
    }
    bool fine =
        id >= 0 && H5Dwrite(id, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, heads) >= 0;
    if (id >= 0 && H5Dclose(id) < 0) fine = false;
    if (space >= 0) H5Sclose(space);
    if (fine) return SCREE_OK;
    return scri_hdf5_fail(h, SCRI_RECORDING_HEADS, SCREE_ERROR_FILE, "HDF5 cannot write it");
}

static scree_status write_parts(const scree_recorder* r)
{
    if (r->h.file < 0) {
        return scri_fail(&r->env, SCREE_ERROR_FILE, "%s: HDF5 cannot create the file", r->path);
    }
    int64_t now = scree_world_get_view(r->world).n_bodies;
    scree_status status = write_scene(r);
    if (!status) status = scri_columns_create(&r->h, r->def.n_bodies > 0 ? r->def.n_bodies : now);
    return status ? status : write_heads(&r->h);
}

/* A complete recording without frames, on the recorder's disk. Messages call the file by the name
 * that it does not have yet. */
static scree_status write_start(scree_recorder* r)
{
    scri_hdf5_silence(&r->h);
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    hid_t driver = access < 0 ? -1 : scri_disk_use(&r->disk, access);
    if (driver >= 0) r->h.file = create_file(r->path, access);
    if (access >= 0) H5Pclose(access);
    scree_status status = write_parts(r);
    if (r->h.file >= 0 && H5Fclose(r->h.file) < 0 && !status) {
        status = scri_fail(&r->env, SCREE_ERROR_FILE, "%s: HDF5 cannot finish the file", r->path);
    }
    r->h.file = -1;
    if (driver >= 0) H5FDunregister(driver);
    scri_hdf5_speak(&r->h);
    return status ? status : scri_disk_check(&r->env, r->path, &r->disk);
}

/* ---- opening --------------------------------------------------------------------------------- */

static scree_status fail_open(const scree_recorder* r)
{
    return scri_fail(&r->env, SCREE_ERROR_FORMAT, "%s: HDF5 cannot open the file for writing",
                     r->path);
}

/* Opens for a single writer with many readers, which makes HDF5 write a block before the one that
 * refers to it. With its status flags cleared HDF5 does not set them either, so that every program
 * opens a file that was left by a kill. */
static scree_status open_hdf5(scree_recorder* r)
{
    hbool_t yes = true;
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (access >= 0) r->driver = scri_disk_use(&r->disk, access);
    if (r->driver >= 0 && H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST) >= 0 &&
        H5Pset_metadata_read_attempts(access, 1) >= 0 &&
        H5Pset(access, "clear_status_flags", &yes) >= 0 &&
        H5Pset(access, "skip_eof_check", &yes) >= 0) {
        r->h.file = H5Fopen(r->path, H5F_ACC_RDWR | H5F_ACC_SWMR_WRITE, access);
    }
    if (access >= 0) H5Pclose(access);
    return r->h.file < 0 ? fail_open(r) : SCREE_OK;
}

/* Keeps clear of all that a killed writer has allocated, of which HDF5's own note may not tell. */
static scree_status skip_end(scree_recorder* r)
{
    haddr_t end = 0;
    if (H5Fget_eoa(r->h.file, &end) < 0) return fail_open(r);
    haddr_t from = end > r->disk.size ? end : r->disk.size;
    haddr_t padding = (PAGE - from % PAGE) % PAGE;
    return H5Fincrement_filesize(r->h.file, padding) < 0 ? fail_open(r) : SCREE_OK;
}

scree_status scri_recorder_open(scree_recorder* r)
{
    scri_hdf5_silence(&r->h);
    scree_status status = open_hdf5(r);
    if (!status) status = skip_end(r);
    r->h.size = r->disk.size;
    if (!status) status = scri_columns_open(&r->h, SCRI_RECORDING_SCHEMA, &r->columns);
    if (!status) status = scri_recorder_flush(r);
    scri_hdf5_speak(&r->h);
    return status;
}

scree_recorder* scri_recorder_make(const scree_env* env, const char* path)
{
    size_t size = strlen(path) + 1;
    scree_recorder* r = scri_alloc(env, sizeof *r);
    char* name = scri_alloc(env, size);
    if (!r || !name) {
        scri_release(env, name);
        scri_release(env, r);
        scri_fail(env, SCREE_ERROR_MEMORY, "%s: out of memory", path);
        return NULL;
    }
    *r = (scree_recorder){.path = name,
                          .def = scree_default_recorder_def(),
                          .driver = -1,
                          .last_step = -1,
                          .disk = {.descriptor = -1}};
    if (env) r->env = *env;
    memcpy(name, path, size);
    r->h = (scri_hdf5){.env = &r->env, .name = name, .file = -1};
    for (int k = 0; k < SCRI_COLUMN_COUNT; ++k) r->columns.id[k] = -1;
    return r;
}

/* ---- creation -------------------------------------------------------------------------------- */

/* What stands in the way of replacing the file at r->path, if anything does. */
static scree_status check_old(const scree_recorder* r)
{
    scree_env quiet = r->env;
    scree_recording* old = NULL;
    quiet.log = NULL;
    scree_status status = scree_recording_open(&quiet, r->path, &old);
    if (status == SCREE_ERROR_MEMORY) {
        return scri_fail(&r->env, status, "%s: out of memory", r->path);
    }
    if (status) {
        return scri_fail(&r->env, SCREE_ERROR_FILE,
                         "%s: is there and is not a recording; it is replaced only by force",
                         r->path);
    }
    scree_recording_info info = scree_recording_get_info(old);
    int64_t n = info.n_frames;
    int complete = info.complete;
    scree_recording_close(old);
    if (complete) return SCREE_OK;
    return scri_fail(&r->env, SCREE_ERROR_FILE,
                     "%s: holds %" PRId64 " frames of a run that was interrupted; it can be "
                     "resumed, and is replaced only by force",
                     r->path, n);
}

/* Writes the new file beside its place, locked from its first byte on, and moves it there. */
static scree_status write_and_move(scree_recorder* r, bool is_new)
{
    scri_output output;
    scree_status status = scri_output_begin(&r->env, r->path, &output);
    if (status == SCREE_ERROR_MEMORY) scri_fail(&r->env, status, "%s: out of memory", r->path);
    if (status) return status;
    output.is_new = is_new;
    status = scri_disk_open(&r->env, output.temporary, &r->disk);
    if (!status) status = write_start(r);
    return scri_output_end(&output, status);
}

/* The lock of the file that is replaced is held until the new one, locked as well, has its name,
 * and where there is none, none may have come: of two that begin at the same time one is refused.
 */
static scree_status replace(scree_recorder* r)
{
    scri_claim claim;
    scree_status status = scri_disk_claim(&r->env, r->path, &claim);
    if (status) return status;
    if (claim.size > 0 && !r->def.force) status = check_old(r);
    if (!status) status = write_and_move(r, claim.descriptor < 0);
    scri_disk_unclaim(&claim);
    return status;
}

static scree_status check_def(const scree_env* env, const scree_recorder_def* def, const char* path)
{
    scree_status status =
        scri_check_size(env, def->struct_size, sizeof *def, "scree_default_recorder_def");
    if (status) return status;
    if (!(def->interval > 0.0) || !isfinite(def->interval)) {
        return scri_fail(env, SCREE_ERROR_ARGUMENT,
                         "%s: the interval of a recording must be positive and finite, not %g s",
                         path, def->interval);
    }
    if (def->source && def->source->n_settings > MAX_SETTINGS) {
        return scri_fail(env, SCREE_ERROR_UNSUPPORTED, "%s: more than %d settings", path,
                         MAX_SETTINGS);
    }
    return SCREE_OK;
}

scree_status scree_recorder_create(const scree_env* env, const char* path, const scree_world* world,
                                   const scree_recorder_def* def, scree_recorder** out)
{
    if (out) *out = NULL;
    if (!path || !world || !def || !out) {
        return scri_fail(env, SCREE_ERROR_ARGUMENT, "scree_recorder_create: an argument is NULL");
    }
    scree_status status = check_def(env, def, path);
    if (status) return status;
    scree_recorder* r = scri_recorder_make(env, path);
    if (!r) return SCREE_ERROR_MEMORY;
    r->world = world;
    r->def = *def;
    r->first_step = scree_world_get_view(world).steps;
    status = replace(r);
    if (!status) status = scri_recorder_open(r);
    r->def.title = NULL;
    r->def.source = NULL;
    if (status) {
        scri_recorder_abandon(r);
    } else {
        *out = r;
    }
    return status;
}

/* ---- writing --------------------------------------------------------------------------------- */

void* scri_recorder_scratch(scree_recorder* r, size_t size)
{
    if (size > r->scratch_size) {
        scri_release(&r->env, r->scratch);
        size_t larger = size + size / 2;
        r->scratch = scri_alloc(&r->env, larger);
        r->scratch_size = r->scratch ? larger : 0;
    }
    return r->scratch;
}

scree_status scri_recorder_flush(scree_recorder* r)
{
    bool fine = H5Fflush(r->h.file, H5F_SCOPE_LOCAL) >= 0;
    scree_status status = scri_disk_check(&r->env, r->path, &r->disk);
    if (status || fine) return status;
    return scri_fail(&r->env, SCREE_ERROR_FILE, "%s: HDF5 cannot write", r->path);
}

scree_status scri_recorder_mark(scree_recorder* r, const char* path, int32_t value)
{
    hid_t id = H5Dopen2(r->h.file, path, H5P_DEFAULT);
    bool fine =
        id >= 0 && H5Dwrite(id, H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value) >= 0;
    if (id >= 0) H5Dclose(id);
    if (fine) return scri_recorder_flush(r);
    return scri_hdf5_fail(&r->h, path, SCREE_ERROR_FILE, "HDF5 cannot write it");
}

scree_status scri_recorder_begin_call(scree_recorder* r)
{
    if (r->failed) {
        return scri_fail(&r->env, SCREE_ERROR_FILE, "%s: writing has failed before", r->path);
    }
    scri_hdf5_silence(&r->h);
    return SCREE_OK;
}

scree_status scri_recorder_end_call(scree_recorder* r, scree_status status)
{
    scri_hdf5_speak(&r->h);
    if (status == SCREE_ERROR_MEMORY) scri_fail(&r->env, status, "%s: out of memory", r->path);
    if (status) r->failed = 1;
    return status;
}

scree_status scree_recorder_frame(scree_recorder* r)
{
    if (!r) return SCREE_ERROR_ARGUMENT;
    scree_status status = scri_recorder_begin_call(r);
    return status ? status : scri_recorder_end_call(r, scri_recorder_append(r));
}

/* Whether a whole number of intervals has passed with this step, and had not with the one before.
 * Counted in steps, so that it is the same in every run, and a function of the step alone, so that
 * it is the same after a resume. */
static int is_due(const scree_recorder* r, int64_t step)
{
    double steps = (double)(step - r->first_step);
    double interval = fmax(1.0, r->def.interval / r->world->def.step);
    double k = floor((steps + 1e-6) / interval);
    return ceil(k * interval - 1e-6) == steps;
}

scree_status scree_recorder_step(scree_recorder* r, const scree_step_report* report)
{
    if (!r) return SCREE_ERROR_ARGUMENT;
    int64_t step = scree_world_get_view(r->world).steps;
    if (report) {
        double residual = report->certificate.local;
        if (!(residual <= r->residual_max)) r->residual_max = residual; /* a NaN stays to be seen */
        if (report->penetration > r->penetration_max) r->penetration_max = report->penetration;
    }
    return step != r->last_step && is_due(r, step) ? scree_recorder_frame(r) : SCREE_OK;
}

/* A recorder that has not come to the end of what the file holds has no later state to add. The
 * mark comes first: a frame that is none of the regular ones must never stand there without it. */
static scree_status append_last(scree_recorder* r)
{
    int64_t step = scree_world_get_view(r->world).steps;
    if (step == r->last_step || r->n_frames < r->n_on_file) return SCREE_OK;
    scree_status status = scri_recorder_drop_extra(r);
    if (!status && !is_due(r, step)) {
        status = scri_recorder_mark(r, SCRI_RECORDING_EXTRA, (int32_t)r->n_frames);
    }
    return status ? status : scri_recorder_append(r);
}

scree_status scree_recorder_last_frame(scree_recorder* r)
{
    if (!r) return SCREE_ERROR_ARGUMENT;
    scree_status status = scri_recorder_begin_call(r);
    return status ? status : scri_recorder_end_call(r, append_last(r));
}

int64_t scree_recorder_n_frames(const scree_recorder* recorder)
{
    if (!recorder) return 0;
    return recorder->n_frames;
}

/* ---- the end --------------------------------------------------------------------------------- */

static void release(scree_recorder* r)
{
    scree_env env = r->env;
    if (r->driver >= 0) H5FDunregister(r->driver);
    scri_rows_table_release(&env, &r->rows);
    scri_slots_table_release(&env, &r->slots);
    scri_rows_table_release(&env, &r->joint_rows);
    scri_slots_table_release(&env, &r->joint_slots);
    scri_forms_table_release(&env, &r->forms);
    scri_grounds_table_release(&env, &r->grounds);
    scri_release(&env, r->scratch);
    scri_release(&env, r->path);
    scri_release(&env, r);
}

static scree_status end(scree_recorder* r, scree_status status)
{
    scri_hdf5_silence(&r->h);
    scri_columns_close(&r->columns);
    if (r->h.file >= 0 && H5Fclose(r->h.file) < 0 && !status && !r->disk.error) {
        status = scri_fail(&r->env, SCREE_ERROR_FILE, "%s: HDF5 cannot finish the file", r->path);
    }
    scri_disk_close(&r->disk);
    if (!status) status = scri_disk_check(&r->env, r->path, &r->disk);
    scri_hdf5_speak(&r->h);
    release(r);
    return status;
}

void scri_recorder_abandon(scree_recorder* recorder)
{
    if (!recorder) return;
    if (!recorder->disk.error) recorder->disk.error = ECANCELED; /* nothing is written any more */
    end(recorder, SCREE_ERROR_FILE);
}

scree_status scree_recorder_close(scree_recorder* r, int complete)
{
    if (!r) return SCREE_OK;
    if (r->failed) {
        scri_recorder_abandon(r); /* what failed has been said */
        return SCREE_ERROR_FILE;
    }
    int32_t closed = complete ? SCRI_RECORDING_COMPLETE : SCRI_RECORDING_INTERRUPTED;
    scri_hdf5_silence(&r->h);
    scree_status status = append_last(r);
    if (!status) status = scri_recorder_mark(r, SCRI_RECORDING_CLOSED, closed);
    status = scri_recorder_end_call(r, status);
    if (!status) return end(r, status);
    scri_recorder_abandon(r);
    return status;
}
