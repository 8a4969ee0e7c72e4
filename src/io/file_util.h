/* Whole files: read at once, or written beside their target and moved into place when complete. */
#ifndef SCRI_FILE_UTIL_H
#define SCRI_FILE_UTIL_H

#include "scree/base.h"

#include <stdbool.h>
#include <stdio.h>

/* Whether the file begins with the signature of HDF5. */
scree_status scri_file_is_hdf5(const scree_env* env, const char* path, bool* is_hdf5);

/* Whether a file of this name is to be written as HDF5. */
bool scri_file_named_hdf5(const char* path);

/* All bytes of a file; give them back with scri_release(). */
scree_status scri_file_read(const scree_env* env, const char* path, char** bytes, size_t* size);

/* Passes `status` on, and logs "PATH: out of memory" if that is what it says: other functions here
 * and the readers and writers leave that one message to their caller. */
scree_status scri_file_status(const scree_env* env, const char* path, scree_status status);

/* A file under construction. */
typedef struct scri_output {
    const scree_env* env;
    const char* path;
    char* temporary; /* the name it has until it is complete */
    FILE* stream;
} scri_output;

/* Creates the temporary file. When this fails there is nothing to end. */
scree_status scri_output_begin(const scree_env* env, const char* path, scri_output* out);

/* Ends what was begun: if `status` is SCREE_OK and all was written, the file takes its place;
 * otherwise it is removed. Returns the first failure. */
scree_status scri_output_end(scri_output* out, scree_status status);

#endif
