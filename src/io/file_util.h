/* Whole files: read at once, or written beside their target and moved into place when complete. */
#ifndef SCRI_FILE_UTIL_H
#define SCRI_FILE_UTIL_H

#include "scree/base.h"

#include <stdbool.h>
#include <stdio.h>

/* Whether the bytes of a file begin with the signature of HDF5. */
bool scri_is_hdf5(const char* bytes, size_t size);

/* The same for a file. */
scree_status scri_file_is_hdf5(const scree_env* env, const char* path, bool* is_hdf5);

/* Whether a file of this name is to be written as HDF5. */
bool scri_file_named_hdf5(const char* path);

/* All bytes of a file; give them back with scri_release(). */
scree_status scri_file_read(const scree_env* env, const char* path, char** bytes, size_t* size);

/* The host's environment for the time of one call about one file: messages that do not begin with
 * its path get it in front, and a shortage of memory is reported once, whoever met it. */
typedef struct scri_file_env {
    scree_env env; /* to be handed on; its address must stay the same */
    const scree_env* host;
    const char* path;
    int n_messages;
} scri_file_env;

void scri_file_env_begin(const scree_env* host, const char* path, scri_file_env* out);

/* Returns `status`, after saying so if it is SCREE_ERROR_MEMORY and nothing has been said yet. */
scree_status scri_file_env_end(const scri_file_env* file_env, scree_status status);

/* A file under construction. */
typedef struct scri_output {
    const scree_env* env;
    const char* path;
    char* temporary; /* the name it has until it is complete */
    FILE* stream;
    bool is_new; /* there must be no file of that name yet when it takes its place */
} scri_output;

/* Creates the temporary file. When this fails there is nothing to end. */
scree_status scri_output_begin(const scree_env* env, const char* path, scri_output* out);

/* Ends what was begun: if `status` is SCREE_OK and all was written, the file takes its place;
 * otherwise it is removed. Returns the first failure. */
scree_status scri_output_end(scri_output* out, scree_status status);

#endif
