#include "scree_io/problem_file.h"

#include "base/arena.h"
#include "base/env.h"
#include "io/fclib.h"
#include "io/file_util.h"
#include "io/siconos.h"

static scree_status read_text(const scree_env* env, const char* path, scri_arena* keep,
                              scree_problem_file* out)
{
    char* bytes;
    size_t size;
    scree_status status = scri_file_read(env, path, &bytes, &size);
    if (status) return status;
    status = scri_siconos_read(env, path, bytes, size, keep, out);
    scri_release(env, bytes);
    return status;
}

static scree_status read_any(const scree_env* env, const char* path, scri_arena* keep,
                             scree_problem_file* out)
{
    bool hdf5;
    if (!keep) return SCREE_ERROR_MEMORY;
    scree_status status = scri_file_is_hdf5(env, path, &hdf5);
    if (status) return status;
    status = hdf5 ? scri_fclib_read(env, path, keep, out) : read_text(env, path, keep, out);
    return status ? status : scree_problem_validate(env, &out->store.problem);
}

scree_status scree_problem_read(const scree_env* env, const char* path, scree_problem_file* out)
{
    if (!out) return scri_fail(env, SCREE_ERROR_ARGUMENT, "scree_problem_read: out is NULL");
    *out = (scree_problem_file){0};
    if (!path) return scri_fail(env, SCREE_ERROR_ARGUMENT, "scree_problem_read: path is NULL");
    scri_file_env inner;
    scri_file_env_begin(env, path, &inner);
    scri_arena* keep = scri_arena_create(env); /* outlives `inner` */
    scree_status status = scri_file_env_end(&inner, read_any(&inner.env, path, keep, out));
    if (status) {
        scri_arena_destroy(keep);
        *out = (scree_problem_file){0};
    } else {
        out->store.memory = keep;
    }
    return status;
}

void scree_problem_file_release(scree_problem_file* file)
{
    if (!file) return;
    scree_problem_store_release(&file->store);
    *file = (scree_problem_file){0};
}

/* Writes into a file that takes the place of `path` only when complete. */
static scree_status write_writable(const scree_env* env, const char* path, bool hdf5,
                                   const scri_writable* writable,
                                   const scree_problem_extras* extras)
{
    scri_output output;
    scree_status status = scri_output_begin(env, path, &output);
    if (status) return status;
    status = hdf5 ? scri_fclib_write(env, path, writable, extras, output.stream)
                  : scri_siconos_write(env, writable, output.stream);
    return scri_output_end(&output, status);
}

scree_status scree_problem_write(const scree_env* env, const char* path,
                                 const scree_problem* problem, const scree_problem_extras* extras)
{
    if (!path || !problem) {
        return scri_fail(env, SCREE_ERROR_ARGUMENT, "scree_problem_write: path or problem is NULL");
    }
    bool hdf5 = scri_file_named_hdf5(path);
    scri_file_env inner;
    scri_file_env_begin(env, path, &inner);
    scri_writable writable;
    scree_status status = scri_writable_make(&inner.env, path, hdf5, problem, &writable);
    if (!status) {
        status = write_writable(&inner.env, path, hdf5, &writable, extras);
        scri_writable_release(&writable);
    }
    return scri_file_env_end(&inner, status);
}
