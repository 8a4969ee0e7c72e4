/* A file of some bytes, for readers that take a path. To be included first. HDF5 resolves links, so
 * that a file in memory with a path under /proc will not do. */
#ifndef SCREE_SCRATCH_FILE_H
#define SCREE_SCRATCH_FILE_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* mkstemp() */
#endif

#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct scratch_file {
    char path[40];
} scratch_file;

static inline scratch_file scratch_file_create(const void* bytes, size_t size)
{
    scratch_file f = {"/tmp/scree-fuzz-XXXXXX"};
    int descriptor = mkstemp(f.path);
    if (descriptor < 0 || write(descriptor, bytes, size) != (ssize_t)size) abort();
    close(descriptor);
    return f;
}

static inline void scratch_file_remove(scratch_file f)
{
    unlink(f.path);
}

#endif
