#include "base/env.h"
#include "io/file_util.h"
#include "io/recording_state.h"

#include <string.h>

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

/* Takes over the file that `r->h` holds. */
static scree_status finish(scree_recording* r, scree_recording** out)
{
    scri_hdf5_silence(&r->h);
    scree_status status = scri_recording_read_info(r);
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

scree_status scree_recording_open(const scree_env* env, const char* path, scree_recording** out)
{
    *out = NULL;
    scree_recording* r = make(env, path);
    if (!r) return scri_fail(env, SCREE_ERROR_MEMORY, "%s: out of memory", path);
    scri_hdf5_silence(&r->h);
    scree_status status = open_file(&r->h);
    scri_hdf5_speak(&r->h);
    if (!status) return finish(r, out);
    scree_recording_close(r);
    return status;
}

scree_status scri_recording_open_image(const scree_env* env, const char* name, const void* bytes,
                                       size_t size, scree_recording** out)
{
    *out = NULL;
    scree_recording* r = make(env, name);
    if (!r) return scri_fail(env, SCREE_ERROR_MEMORY, "%s: out of memory", name);
    const char* copy = r->h.name;
    scree_status status = scri_hdf5_open_image(&r->env, copy, bytes, size, &r->h);
    if (!status) {
        scri_hdf5_speak(&r->h);
        return finish(r, out);
    }
    r->h.file = -1;
    scree_recording_close(r);
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
