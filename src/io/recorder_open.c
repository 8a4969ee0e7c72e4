/* Opening, flushing and closing the file of a recorder. */
#include "base/env.h"
#include "io/recorder_state.h"

#include <errno.h>
#include <string.h>

/* What may be allocated but not yet written at the end of a file that was left by a kill: a chunk
 * of each column at most. HDF5's own note of the end is older than that. */
enum { SLACK = 1 << 24, PAGE = 4096 };

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

static void release(scree_recorder* r)
{
    scree_env env = r->env;
    if (r->driver >= 0) H5FDunregister(r->driver);
    scri_release(&env, r->scratch);
    scri_release(&env, r->path);
    scri_release(&env, r);
}

/* Returns the first failure. */
static scree_status close_hdf5(scree_recorder* r, scree_status status)
{
    scri_columns_close(&r->columns);
    if (r->h.file >= 0 && H5Fclose(r->h.file) < 0 && !status && !r->disk.error) {
        status = scri_fail(&r->env, SCREE_ERROR_FILE, "%s: HDF5 cannot finish the file", r->path);
    }
    scri_disk_close(&r->disk);
    return status ? status : scri_disk_check(&r->env, r->path, &r->disk);
}

/* A recorder without a file; NULL when memory is short. */
static scree_recorder* make(const scree_env* env, const char* path)
{
    size_t size = strlen(path) + 1;
    scree_recorder* r = scri_alloc(env, sizeof *r);
    char* name = scri_alloc(env, size);
    if (!r || !name) {
        scri_release(env, name);
        scri_release(env, r);
        return NULL;
    }
    *r = (scree_recorder){.path = name, .driver = -1, .disk = {.descriptor = -1}};
    if (env) r->env = *env;
    memcpy(name, path, size);
    r->h = (scri_hdf5){.env = &r->env, .name = name, .file = -1};
    for (int k = 0; k < SCRI_COLUMN_COUNT; ++k) r->columns.id[k] = -1;
    return r;
}

scree_status scri_recorder_open(const scree_env* env, const char* path, scree_recorder** out)
{
    *out = NULL;
    scree_recorder* r = make(env, path);
    if (!r) return scri_fail(env, SCREE_ERROR_MEMORY, "%s: out of memory", path);
    scri_hdf5_silence(&r->h);
    scree_status status = scri_disk_open(env, path, &r->disk);
    if (!status) status = open_hdf5(r);
    if (!status) status = skip_end(r);
    r->h.size = r->disk.size;
    if (!status) status = scri_columns_open(&r->h, &r->columns);
    if (!status) status = scri_recorder_flush(r);
    if (status) close_hdf5(r, status);
    scri_hdf5_speak(&r->h);
    if (status) {
        release(r);
    } else {
        *out = r;
    }
    return status;
}

scree_status scree_recorder_create(const scree_env* env, const char* path,
                                   const scree_simulation* simulation, scree_recorder** out)
{
    *out = NULL;
    scree_status status = scri_recorder_write_start(env, path, simulation);
    return status ? status : scri_recorder_open(env, path, out);
}

void* scri_recorder_scratch(scree_recorder* recorder, size_t size)
{
    if (size > recorder->scratch_size) {
        scri_release(&recorder->env, recorder->scratch);
        size_t larger = size + size / 2;
        recorder->scratch = scri_alloc(&recorder->env, larger);
        recorder->scratch_size = recorder->scratch ? larger : 0;
    }
    return recorder->scratch;
}

scree_status scri_recorder_flush(scree_recorder* recorder)
{
    scree_recorder* r = recorder;
    bool fine = H5Fflush(r->h.file, H5F_SCOPE_LOCAL) >= 0;
    scree_status status = scri_disk_check(&r->env, r->path, &r->disk);
    if (status || fine) return status;
    return scri_fail(&r->env, SCREE_ERROR_FILE, "%s: HDF5 cannot write", r->path);
}

scree_status scri_recorder_end_call(scree_recorder* recorder, scree_status status)
{
    scri_hdf5_speak(&recorder->h);
    if (status == SCREE_ERROR_MEMORY) {
        scri_fail(&recorder->env, status, "%s: out of memory", recorder->path);
    }
    if (status) recorder->failed = 1;
    return status;
}

int64_t scree_recorder_n_frames(const scree_recorder* recorder)
{
    return recorder->n_frames;
}

scree_status scri_recorder_mark_closed(scree_recorder* recorder, int32_t closed)
{
    scree_recorder* r = recorder;
    scri_hdf5_silence(&r->h);
    hid_t id = H5Dopen2(r->h.file, SCRI_RECORDING_CLOSED, H5P_DEFAULT);
    bool fine =
        id >= 0 && H5Dwrite(id, H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, &closed) >= 0;
    if (id >= 0) H5Dclose(id);
    scree_status status = fine ? scri_recorder_flush(r)
                               : scri_hdf5_fail(&r->h, SCRI_RECORDING_CLOSED, SCREE_ERROR_FILE,
                                                "HDF5 cannot write it");
    return scri_recorder_end_call(r, status);
}

static scree_status end(scree_recorder* r, scree_status status)
{
    scri_hdf5_silence(&r->h);
    status = close_hdf5(r, status);
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

scree_status scree_recorder_close(scree_recorder* recorder)
{
    if (!recorder) return SCREE_OK;
    scree_status status = SCREE_ERROR_FILE;
    if (!recorder->failed) status = scri_recorder_mark_closed(recorder, 1);
    if (!recorder->failed) return end(recorder, status);
    scri_recorder_abandon(recorder); /* what failed has been said */
    return status;
}
