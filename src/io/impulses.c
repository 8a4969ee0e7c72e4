#include "base/env.h"
#include "io/fclib.h"
#include "io/file_util.h"
#include "io/number_text.h"
#include "io/text_reader.h"
#include "scree_io/problem_file.h"

#include <inttypes.h>
#include <math.h>

static scree_status read_text(const scree_env* env, const char* path, int32_t n_rows, double* p)
{
    char* bytes;
    size_t size;
    scree_status status = scri_file_read(env, path, &bytes, &size);
    if (status) return status;
    scri_text text = scri_text_open(env, path, bytes, size);
    text.comments = true;
    int64_t count = scri_text_tokens_left(&text);
    if (count != n_rows) {
        status = scri_fail(env, SCREE_ERROR_INPUT,
                           "%s: holds %" PRId64 " impulses, but the problem has %" PRId32 " rows",
                           path, count, n_rows);
    }
    if (!status) status = scri_text_numbers(&text, "an impulse", n_rows, p);
    scri_release(env, bytes);
    return status;
}

static scree_status read_any(const scree_env* env, const char* path, int32_t n_rows, double* p)
{
    bool hdf5;
    scree_status status = scri_file_is_hdf5(env, path, &hdf5);
    if (status) return status;
    return hdf5 ? scri_fclib_read_impulses(env, path, n_rows, p) : read_text(env, path, n_rows, p);
}

scree_status scree_impulses_read(const scree_env* env, const char* path,
                                 const scree_problem* problem, double* p)
{
    if (!path || !problem || !p) {
        return scri_fail(env, SCREE_ERROR_ARGUMENT, "scree_impulses_read: an argument is NULL");
    }
    scri_file_env inner;
    scri_file_env_begin(env, path, &inner);
    int32_t n_rows = scree_problem_n_rows(problem);
    return scri_file_env_end(&inner, read_any(&inner.env, path, n_rows, p));
}

/* One contact to a line. */
static void write_text(const scree_problem* problem, const double* p, FILE* file)
{
    fprintf(file, "# impulses, one contact to a line\n");
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        for (int32_t r = problem->first_row[c]; r < problem->first_row[c + 1]; ++r) {
            char text[SCRI_NUMBER_SIZE];
            scri_number_print(p[r], text);
            fprintf(file, "%s%c", text, r + 1 < problem->first_row[c + 1] ? ' ' : '\n');
        }
    }
}

static scree_status write_any(const scree_env* env, const char* path, const scree_problem* problem,
                              const double* p)
{
    int32_t n_rows = scree_problem_n_rows(problem);
    for (int32_t r = 0; r < n_rows; ++r) {
        if (!isfinite(p[r])) {
            return scri_fail(env, SCREE_ERROR_INPUT, "%s: impulse %" PRId32 " is not finite", path,
                             r);
        }
    }
    scri_output output;
    scree_status status = scri_output_begin(env, path, &output);
    if (status) return status;
    if (scri_file_named_hdf5(path)) {
        status = scri_fclib_write_impulses(env, path, n_rows, p, output.stream);
    } else {
        write_text(problem, p, output.stream);
    }
    return scri_output_end(&output, status);
}

scree_status scree_impulses_write(const scree_env* env, const char* path,
                                  const scree_problem* problem, const double* p)
{
    if (!path || !problem || !p) {
        return scri_fail(env, SCREE_ERROR_ARGUMENT, "scree_impulses_write: an argument is NULL");
    }
    scri_file_env inner;
    scri_file_env_begin(env, path, &inner);
    return scri_file_env_end(&inner, write_any(&inner.env, path, problem, p));
}
