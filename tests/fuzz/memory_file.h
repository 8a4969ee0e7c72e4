/* A file that lies in memory and has a path, for readers that take one. To be included first. */
#ifndef SCREE_MEMORY_FILE_H
#define SCREE_MEMORY_FILE_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create() */
#endif

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct memory_file {
    int descriptor;
    char path[64];
} memory_file;

static inline memory_file memory_file_create(const void* bytes, size_t size)
{
    memory_file f = {.descriptor = memfd_create("fuzz", 0)};
    if (f.descriptor < 0 || write(f.descriptor, bytes, size) != (ssize_t)size) abort();
    snprintf(f.path, sizeof f.path, "/proc/self/fd/%d", f.descriptor);
    return f;
}

static inline void memory_file_close(memory_file f)
{
    close(f.descriptor);
}

#endif
