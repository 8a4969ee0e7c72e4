/* Checkpoints, and how a recording goes on from one: the bytes of a simulation in one of two
 * places, then a head that makes them count. */
#include "base/env.h"
#include "io/recorder.h"
#include "io/recording.h"

#include <inttypes.h>
#include <string.h>

enum { HEAD_LONGS = sizeof(scri_saved_head) / sizeof(int64_t) };
_Static_assert(sizeof(scri_saved_head) == HEAD_LONGS * sizeof(int64_t), "no padding");

uint64_t scri_saved_check(const scri_saved_head* head, const void* bytes)
{
    const int64_t fields[] = {head->sequence, head->size, head->n_frames, head->reserved};
    uint64_t hash = scri_recording_mix(UINT64_C(0xc4ec4), fields, sizeof fields);
    return scri_recording_mix(hash, bytes, (size_t)head->size);
}

/* ---- writing ---- */

static scree_status write_head(scree_recorder* r, int slot, const scri_saved_head* head)
{
    hsize_t from[2] = {(hsize_t)slot, 0}, count[2] = {1, HEAD_LONGS};
    hid_t id = H5Dopen2(r->h.file, SCRI_RECORDING_HEADS, H5P_DEFAULT);
    hid_t file = id < 0 ? -1 : H5Dget_space(id), memory = H5Screate_simple(2, count, NULL);
    bool fine = file >= 0 && memory >= 0 &&
                H5Sselect_hyperslab(file, H5S_SELECT_SET, from, NULL, count, NULL) >= 0 &&
                H5Dwrite(id, H5T_NATIVE_INT64, memory, file, H5P_DEFAULT, head) >= 0;
    if (memory >= 0) H5Sclose(memory);
    if (file >= 0) H5Sclose(file);
    if (id >= 0) H5Dclose(id);
    if (fine) return SCREE_OK;
    return scri_hdf5_fail(&r->h, SCRI_RECORDING_HEADS, SCREE_ERROR_FILE, "HDF5 cannot write it");
}

static scree_status write_checkpoint(scree_recorder* r, const scree_simulation* simulation)
{
    scri_saved_head head = {.sequence = r->n_saved + 1,
                            .size = (int64_t)scree_simulation_state_size(simulation),
                            .n_frames = r->n_frames};
    int slot = (int)(head.sequence % 2);
    void* bytes = scri_recorder_scratch(r, (size_t)head.size);
    if (!bytes) return SCREE_ERROR_MEMORY;
    scree_simulation_save(simulation, bytes);
    head.check = scri_saved_check(&head, bytes);
    scri_column column = slot ? SCRI_COLUMN_SAVED_B : SCRI_COLUMN_SAVED_A;
    scree_status status = scri_column_write(&r->h, &r->columns, column, 0, head.size, bytes);
    if (!status) status = scri_recorder_flush(r);
    if (!status) status = write_head(r, slot, &head);
    if (!status) status = scri_recorder_flush(r);
    if (!status) r->n_saved = head.sequence;
    return status;
}

scree_status scree_recorder_checkpoint(scree_recorder* r, const scree_simulation* simulation)
{
    if (!r || !simulation) return SCREE_ERROR_ARGUMENT;
    scree_status status = scri_recorder_begin_call(r);
    return status ? status : scri_recorder_end_call(r, write_checkpoint(r, simulation));
}

/* ---- reading ---- */

static bool read_heads(const scree_recording* r, scri_saved_head heads[2])
{
    hsize_t extent[2] = {0, 0};
    if (!scri_hdf5_has(&r->h, SCRI_RECORDING_HEADS)) return false;
    hid_t id = H5Dopen2(r->h.file, SCRI_RECORDING_HEADS, H5P_DEFAULT);
    hid_t space = id < 0 ? -1 : H5Dget_space(id), type = id < 0 ? -1 : H5Dget_type(id);
    bool fine = space >= 0 && type >= 0 && H5Tget_class(type) == H5T_INTEGER &&
                H5Dget_storage_size(id) <= r->h.size && H5Sget_simple_extent_ndims(space) == 2 &&
                H5Sget_simple_extent_dims(space, extent, NULL) == 2 && extent[0] == 2 &&
                extent[1] == HEAD_LONGS &&
                H5Dread(id, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, heads) >= 0;
    if (type >= 0) H5Tclose(type);
    if (space >= 0) H5Sclose(space);
    if (id >= 0) H5Dclose(id);
    return fine;
}

/* The bytes of a checkpoint if it is one, else NULL. */
static void* read_saved(const scree_recording* r, int slot, const scri_saved_head* head)
{
    scri_column column = slot ? SCRI_COLUMN_SAVED_B : SCRI_COLUMN_SAVED_A;
    if (head->sequence < 1 || head->size < 1 || head->size > r->columns.rows[column] ||
        head->n_frames < 0 || head->n_frames > r->info.n_frames) {
        return NULL;
    }
    void* bytes = scri_alloc(&r->env, (size_t)head->size);
    if (!bytes) return NULL;
    if (scri_column_read(&r->h, &r->columns, column, 0, head->size, bytes) == SCREE_OK &&
        head->check == scri_saved_check(head, bytes)) {
        return bytes;
    }
    scri_release(&r->env, bytes);
    return NULL;
}

void* scri_recording_read_checkpoint(scree_recording* recording, scri_saved_head* out)
{
    scri_saved_head heads[2];
    void* best = NULL;
    *out = (scri_saved_head){0};
    scri_hdf5_silence(&recording->h);
    bool fine = read_heads(recording, heads);
    for (int slot = 0; slot < 2 && fine; ++slot) {
        if (heads[slot].sequence <= out->sequence) continue;
        void* bytes = read_saved(recording, slot, &heads[slot]);
        if (!bytes) continue;
        scri_release(&recording->env, best);
        best = bytes;
        *out = heads[slot];
    }
    scri_hdf5_speak(&recording->h);
    return best;
}

/* ---- resuming ---- */

/* What a resume has made so far. */
typedef struct resumed {
    scree_scene* scene;
    scree_simulation* simulation;
    scree_recorder* recorder;
} resumed;

static scree_status fail_state(const scree_recording* old, scree_status status)
{
    return scri_fail(&old->env, status, "%s: the checkpoint does not fit the scene", old->h.name);
}

/* The simulation at the last checkpoint, or at its beginning if there is none. */
static scree_status make_simulation(const scree_env* env, scree_recording* old, int32_t workers,
                                    scri_saved_head* head, resumed* out)
{
    const scree_recording_info* info = &old->info;
    scree_status status = scree_scene_parse(env, info->scene, info->text, strlen(info->text),
                                            info->n_settings, info->settings, &out->scene);
    if (!status) out->scene->world.workers = workers;
    if (!status) status = scree_simulation_create(env, out->scene, &out->simulation);
    if (status) return status;
    void* bytes = scri_recording_read_checkpoint(old, head);
    if (!bytes) return SCREE_OK;
    status = scree_simulation_load(out->simulation, bytes, (size_t)head->size);
    scri_release(&old->env, bytes);
    return status ? fail_state(old, status) : SCREE_OK;
}

/* Which row of the file slot[row] of the world had when row n was the last. */
static scree_status load_rows(scree_recorder* r, int32_t n, const int32_t* slot,
                              const uint32_t* generation, scri_rows_table* rows,
                              scri_slots_table* slots)
{
    int32_t n_slots = 0;
    for (int32_t k = 0; k < n; ++k) {
        if (slot[k] >= n_slots) n_slots = slot[k] + 1;
    }
    if (!scri_rows_table_reserve(&r->env, rows, n) ||
        !scri_slots_table_reserve(&r->env, slots, n_slots)) {
        return scri_fail(&r->env, SCREE_ERROR_MEMORY, "%s: out of memory", r->path);
    }
    for (; slots->n < n_slots; ++slots->n) slots->row[slots->n] = -1;
    for (; rows->n < n; ++rows->n) {
        int32_t k = rows->n;
        rows->slot[k] = slot[k];
        rows->generation[k] = generation[k];
        slots->row[slot[k]] = k; /* of several the last */
    }
    return SCREE_OK;
}

static scree_status load_all_rows(const scree_recording* old, int64_t frame, scree_recorder* r)
{
    scree_status status = load_rows(r, old->frames.n_bodies[frame], old->info.slot,
                                    old->info.generation, &r->rows, &r->slots);
    if (status) return status;
    return load_rows(r, old->frames.n_joints[frame], old->joint_slot, old->joint_generation,
                     &r->joint_rows, &r->joint_slots);
}

/* Counters of all that the file holds, but for an extra frame. */
static scree_status load_counters(const scree_recording* old, const scri_saved_head* head,
                                  const scree_simulation* simulation, scree_recorder* r)
{
    const scri_frame_rows* f = &old->frames;
    scree_totals totals = scree_simulation_totals(simulation);
    int64_t n = old->info.n_frames;
    r->residual_max = totals.residual_max;
    r->penetration_max = totals.penetration_max;
    r->has_extra = n > 0 && old->extra == n - 1;
    n -= r->has_extra;
    r->n_on_file = n;
    r->n_frames = head->n_frames < n ? head->n_frames : n;
    r->n_saved = head->sequence;
    r->last_step = r->n_frames > 0 ? f->step[r->n_frames - 1] : -1;
    if (r->has_extra && r->n_frames == n) r->last_step = f->step[n];
    r->first_step = old->info.n_frames > 0 ? f->step[0] : 0;
    r->n_corners = (int32_t)old->columns.rows[SCRI_COLUMN_HULL_CORNER];
    r->first_mesh = (int32_t)old->columns.rows[SCRI_COLUMN_MESH_FRAME];
    r->n_numbers = old->columns.rows[SCRI_COLUMN_MESH_NUMBER];
    r->n_mesh_corners = old->columns.rows[SCRI_COLUMN_MESH_CORNER];
    r->n_zones = old->columns.rows[SCRI_COLUMN_MESH_ZONE];
    if (n == 0) return SCREE_OK;
    r->n_shapes = f->n_shapes[n - 1];
    r->n_states = f->body_offset[n - 1] + f->n_bodies[n - 1];
    r->n_contacts = f->contact_offset[n - 1] + f->n_contacts[n - 1];
    r->n_motions = f->joint_offset[n - 1] + f->n_joints[n - 1];
    return load_all_rows(old, n - 1, r);
}

static scree_status make_recorder(const scree_env* env, const scree_recording* old,
                                  const scri_saved_head* head, resumed* out)
{
    scree_recorder* r = out->recorder = scri_recorder_make(env, old->h.name);
    if (!r) return SCREE_ERROR_MEMORY;
    r->world = scree_simulation_world(out->simulation);
    r->def = scree_simulation_recorder_def(out->simulation);
    scree_status status = scri_disk_open(env, r->path, &r->disk);
    if (!status) status = scri_recorder_open(r);
    if (status) return status;
    if (r->columns.rows[SCRI_COLUMN_TIME] != old->columns.rows[SCRI_COLUMN_TIME]) {
        return scri_fail(env, SCREE_ERROR_FILE, "%s: is being written by another process",
                         old->h.name);
    }
    return load_counters(old, head, out->simulation, r);
}

static scree_status check_old(const scree_recording* old)
{
    if (old->info.schema < SCRI_RECORDING_SCHEMA) {
        return scri_fail(&old->env, SCREE_ERROR_UNSUPPORTED,
                         "%s: was begun by an earlier version, and can be read but not resumed",
                         old->h.name);
    }
    if (old->info.text[0] == '\0') {
        return scri_fail(&old->env, SCREE_ERROR_UNSUPPORTED,
                         "%s: has no scene file to go on with; it was recorded by another program",
                         old->h.name);
    }
    return SCREE_OK;
}

static scree_status resume(const scree_env* env, scree_recording* old, int32_t workers,
                           resumed* out)
{
    scri_saved_head head;
    scree_status status = check_old(old);
    if (!status) status = make_simulation(env, old, workers, &head, out);
    if (!status) status = make_recorder(env, old, &head, out);
    if (status) return status;
    scri_hdf5_silence(&out->recorder->h);
    status = scri_recorder_mark(out->recorder, SCRI_RECORDING_CLOSED, SCRI_RECORDING_OPEN);
    return scri_recorder_end_call(out->recorder, status);
}

scree_status scree_recorder_resume(const scree_env* env, const char* path, int32_t workers,
                                   scree_scene** scene, scree_simulation** simulation,
                                   scree_recorder** out)
{
    resumed made = {0};
    scree_recording* old = NULL;
    if (!path || !scene || !simulation || !out) {
        return scri_fail(env, SCREE_ERROR_ARGUMENT, "scree_recorder_resume: an argument is NULL");
    }
    *scene = NULL;
    *simulation = NULL;
    *out = NULL;
    scree_status status = scree_recording_open(env, path, &old);
    if (status) return status;
    status = resume(env, old, workers, &made);
    scree_recording_close(old);
    if (status) {
        scri_recorder_abandon(made.recorder);
        scree_simulation_destroy(made.simulation);
        scree_scene_destroy(made.scene);
        return status;
    }
    *scene = made.scene;
    *simulation = made.simulation;
    *out = made.recorder;
    return SCREE_OK;
}
