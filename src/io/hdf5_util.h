/* HDF5 with checks: every object is named by its full path, and every complaint reads
 * "FILE:/group/dataset: what". Nothing in a file is trusted before it has been looked at. */
#ifndef SCRI_HDF5_UTIL_H
#define SCRI_HDF5_UTIL_H

#include "base/arena.h"
#include "base/compiler.h"
#include "scree/base.h"

#include <stdbool.h>
#include <stdio.h>

/* Longest path of an object that these functions are asked for. */
enum { SCRI_HDF5_PATH = 128 };

/* An open file. While it is open HDF5 prints no errors of its own. The types are those of HDF5,
 * spelled out so that one source file alone needs its header. */
typedef struct scri_hdf5 {
    const scree_env* env;
    const char* name;
    int64_t file;
    uint64_t size; /* bytes, when opened for reading */
    int (*print)(int64_t stack, void* data);
    void* print_data;
} scri_hdf5;

/* Opens a file for reading. */
scree_status scri_hdf5_open(const scree_env* env, const char* path, scri_hdf5* out);

/* Begins a file in memory; messages call it `name`. It never touches a disk itself, because libhdf5
 * does not survive a full one. */
scree_status scri_hdf5_create(const scree_env* env, const char* name, scri_hdf5* out);

/* The bytes of such a file go to `stream`, whose errors are left for the caller to find. */
scree_status scri_hdf5_save(const scri_hdf5* h, FILE* stream);

/* Closes the file. If `status` is SCREE_OK, returns whether that worked; else `status`. */
scree_status scri_hdf5_close(scri_hdf5* h, scree_status status);

/* Keeps HDF5 from printing errors, and lets it print them again as before. */
void scri_hdf5_silence(scri_hdf5* h);
void scri_hdf5_speak(const scri_hdf5* h);

scree_status scri_hdf5_fail(const scri_hdf5* h, const char* path, scree_status status,
                            const char* format, ...) SCRI_PRINTF(4, 5);

/* Whether `path` exists. Only hard links count: others could lead out of the file. */
bool scri_hdf5_has(const scri_hdf5* h, const char* path);

/* Whether anything was written to the dataset `path`; FCLIB leaves some that were never filled. */
bool scri_hdf5_has_data(const scri_hdf5* h, const char* path);

/* Number of links in a group. */
scree_status scri_hdf5_count_links(const scri_hdf5* h, const char* path, int64_t* out);

/* A dataset with one integer in [low, high]. */
scree_status scri_hdf5_read_integer(const scri_hdf5* h, const char* path, int32_t low, int32_t high,
                                    int32_t* out);

/* Datasets with one dimension. `count` of -1 stands for any length; what was found goes to *count.
 * Reals must be finite. */
scree_status scri_hdf5_read_integers(const scri_hdf5* h, const char* path, scri_arena* arena,
                                     int64_t* count, const int32_t** out);
scree_status scri_hdf5_read_reals(const scri_hdf5* h, const char* path, scri_arena* arena,
                                  int64_t* count, const double** out);

/* A string of fixed length; NULL if there is none, it is empty, or its length is variable. */
scree_status scri_hdf5_read_text(const scri_hdf5* h, const char* path, scri_arena* arena,
                                 const char** out);

/* Writers make the groups on the way. */
scree_status scri_hdf5_write_integers(const scri_hdf5* h, const char* path, int64_t count,
                                      const int32_t* value);
scree_status scri_hdf5_write_reals(const scri_hdf5* h, const char* path, int64_t count,
                                   const double* value);
scree_status scri_hdf5_write_text(const scri_hdf5* h, const char* path, const char* text);

#endif
