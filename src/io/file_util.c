#define _POSIX_C_SOURCE 200809L /* link */

#include "io/file_util.h"

#include "base/env.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { FIRST_CAPACITY = 1 << 16, MAX_ATTEMPTS = 1000, SUFFIX_SIZE = 24 };

static scree_status fail_errno(const scree_env* env, const char* path, const char* verb)
{
    return scri_fail(env, SCREE_ERROR_FILE, "%s: cannot %s: %s", path, verb,
                     errno ? strerror(errno) : "unknown reason");
}

static FILE* open_to_read(const char* path)
{
    errno = 0;
    return fopen(path, "rb");
}

enum { SIGNATURE_SIZE = 8 };

bool scri_is_hdf5(const char* bytes, size_t size)
{
    static const unsigned char signature[SIGNATURE_SIZE] = {0x89, 'H',  'D',  'F',
                                                            '\r', '\n', 0x1a, '\n'};
    return size >= sizeof signature && memcmp(bytes, signature, sizeof signature) == 0;
}

scree_status scri_file_is_hdf5(const scree_env* env, const char* path, bool* is_hdf5)
{
    char head[SIGNATURE_SIZE];
    FILE* file = open_to_read(path);
    if (!file) return fail_errno(env, path, "open");
    size_t n = fread(head, 1, sizeof head, file);
    bool failed = ferror(file) != 0;
    *is_hdf5 = scri_is_hdf5(head, n);
    scree_status status = failed ? fail_errno(env, path, "read") : SCREE_OK;
    fclose(file);
    return status;
}

static bool ends_with(const char* text, const char* ending)
{
    size_t n = strlen(text), m = strlen(ending);
    return n >= m && memcmp(text + n - m, ending, m) == 0;
}

bool scri_file_named_hdf5(const char* path)
{
    return ends_with(path, ".hdf5") || ends_with(path, ".h5");
}

/* Doubles the buffer; false when memory is short. */
static bool grow(const scree_env* env, char** bytes, size_t used, size_t* capacity)
{
    if (*capacity > SIZE_MAX / 2) return false;
    size_t larger = *capacity ? 2 * *capacity : FIRST_CAPACITY;
    char* moved = scri_alloc(env, larger);
    if (!moved) return false;
    if (used) memcpy(moved, *bytes, used);
    scri_release(env, *bytes);
    *bytes = moved;
    *capacity = larger;
    return true;
}

static scree_status read_all(const scree_env* env, const char* path, FILE* file, char** bytes,
                             size_t* size)
{
    size_t used = 0, capacity = 0;
    for (;;) {
        if (used == capacity && !grow(env, bytes, used, &capacity)) return SCREE_ERROR_MEMORY;
        size_t n = fread(*bytes + used, 1, capacity - used, file);
        used += n;
        if (n == 0) break;
    }
    *size = used;
    return ferror(file) ? fail_errno(env, path, "read") : SCREE_OK;
}

scree_status scri_file_read(const scree_env* env, const char* path, char** bytes, size_t* size)
{
    *bytes = NULL;
    *size = 0;
    FILE* file = open_to_read(path);
    if (!file) return fail_errno(env, path, "open");
    scree_status status = read_all(env, path, file, bytes, size);
    fclose(file);
    if (status) {
        scri_release(env, *bytes);
        *bytes = NULL;
    }
    return status;
}

static void* forward_alloc(void* user, size_t size)
{
    return scri_alloc(((const scri_file_env*)user)->host, size);
}

static void forward_release(void* user, void* memory)
{
    scri_release(((const scri_file_env*)user)->host, memory);
}

static void forward_log(void* user, scree_log_level level, const char* text)
{
    scri_file_env* f = user;
    char line[SCRI_LOG_SIZE];
    ++f->n_messages;
    if (!f->host || !f->host->log) return;
    bool named = strncmp(text, f->path, strlen(f->path)) == 0;
    snprintf(line, sizeof line, "%s%s%s", named ? "" : f->path, named ? "" : ": ", text);
    f->host->log(f->host->user, level, line);
}

void scri_file_env_begin(const scree_env* host, const char* path, scri_file_env* out)
{
    *out = (scri_file_env){.env = {.alloc = forward_alloc,
                                   .release = forward_release,
                                   .log = forward_log,
                                   .user = out},
                           .host = host,
                           .path = path};
}

scree_status scri_file_env_end(const scri_file_env* file_env, scree_status status)
{
    if (status != SCREE_ERROR_MEMORY || file_env->n_messages > 0) return status;
    return scri_fail(file_env->host, status, "%s: out of memory", file_env->path);
}

scree_status scri_output_begin(const scree_env* env, const char* path, scri_output* out)
{
    size_t size = strlen(path) + SUFFIX_SIZE;
    *out = (scri_output){.env = env, .path = path, .temporary = scri_alloc(env, size)};
    if (!out->temporary) return SCREE_ERROR_MEMORY;
    for (int k = 0; k < MAX_ATTEMPTS && !out->stream; ++k) {
        snprintf(out->temporary, size, "%s.part%d", path, k);
        errno = 0;
        out->stream = fopen(out->temporary, "wbx");
        if (!out->stream && errno != EEXIST) break;
    }
    if (out->stream) return SCREE_OK;
    scree_status status = fail_errno(env, path, "write");
    scri_release(env, out->temporary);
    return status;
}

/* Gives the file its name. A second link fails where the name is taken, as a move does not; file
 * systems without links have no better way than to move. */
static bool move_into_place(const scri_output* out)
{
    if (out->is_new) {
        if (link(out->temporary, out->path) == 0) return remove(out->temporary) == 0;
        if (errno == EEXIST) return false;
    }
    return rename(out->temporary, out->path) == 0;
}

scree_status scri_output_end(scri_output* out, scree_status status)
{
    bool failed = ferror(out->stream) != 0;
    if (!failed) errno = 0; /* otherwise it tells why */
    if (fclose(out->stream) != 0) failed = true;
    if (!status && failed) status = fail_errno(out->env, out->path, "write");
    if (!status && !move_into_place(out)) {
        status = fail_errno(out->env, out->path, "write");
    }
    if (status) remove(out->temporary);
    scri_release(out->env, out->temporary);
    return status;
}
