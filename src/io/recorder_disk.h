/* The file under a recorder, as a driver of HDF5.
 *
 * libhdf5 does not survive a write that fails: its caches keep what they could not write, and the
 * process crashes when it closes the file or exits. So this driver hides the failure. It keeps the
 * reason, writes nothing from then on, and tells HDF5 that all is well; whoever uses it asks
 * scri_disk.error after each flush. What lies on the disk is then the state after some write before
 * the failed one, as if the process had been killed there. */
#ifndef SCRI_RECORDER_DISK_H
#define SCRI_RECORDER_DISK_H

#include "scree/base.h"

#include <hdf5.h>
#include <sys/types.h>

typedef struct scri_disk {
    H5FD_t driver; /* what HDF5 knows of it; must come first */
    int descriptor;
    int error;           /* errno of the first failure, 0 for none */
    int64_t writes_left; /* fails with ENOSPC when none is left; -1: no such limit. For tests. */
    haddr_t end;         /* of what is allocated */
    haddr_t size;        /* of the file */
    dev_t device;
    ino_t inode;
} scri_disk;

/* A file that is to be replaced, locked against others who would write it. */
typedef struct scri_claim {
    int descriptor; /* -1: there is no such file */
    int64_t size;
} scri_claim;

/* Makes sure that no other process writes the file at `path`, if there is one. SCREE_ERROR_FILE
 * when one does, or when the file cannot be written. */
scree_status scri_disk_claim(const scree_env* env, const char* path, scri_claim* out);
void scri_disk_unclaim(scri_claim* claim);

/* Opens an existing file for writing and locks it against other processes that would do the same.
 * SCREE_ERROR_FILE when that fails, or when another process holds the lock. */
scree_status scri_disk_open(const scree_env* env, const char* path, scri_disk* out);

/* To be called when the HDF5 file is closed; a failure counts as one of writing. */
void scri_disk_close(scri_disk* disk);

/* SCREE_ERROR_FILE, with the reason, if something was not written. */
scree_status scri_disk_check(const scree_env* env, const char* path, const scri_disk* disk);

/* Lets an HDF5 file that is opened with `access` lie on `disk`, whose address must stay the same
 * while the file is open. Returns a handle to be given to H5FDunregister() when it is closed, or
 * -1.
 */
hid_t scri_disk_use(scri_disk* disk, hid_t access);

#endif
