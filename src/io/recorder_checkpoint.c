/* Checkpoints: the bytes of a simulation in one of two places, then a head that makes them count.
 */
#include "base/env.h"
#include "io/recorder_state.h"
#include "io/recording_state.h"

#include <inttypes.h>

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

scree_status scree_recorder_checkpoint(scree_recorder* recorder, const scree_simulation* simulation)
{
    scree_recorder* r = recorder;
    if (r->failed) {
        return scri_fail(&r->env, SCREE_ERROR_FILE, "%s: writing has failed before", r->path);
    }
    scri_hdf5_silence(&r->h);
    return scri_recorder_end_call(r, write_checkpoint(r, simulation));
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
