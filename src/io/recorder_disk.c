#define _GNU_SOURCE /* locks that belong to an open file, not to a process */

#include "io/recorder_disk.h"

#include "base/env.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(F_OFD_SETLK)
enum { SET_LOCK = F_OFD_SETLK };
#else
enum { SET_LOCK = F_SETLK };
#endif

/* Two writers would ruin the file. Where a file system knows no locks there is no protection. */
static bool is_locked_elsewhere(int descriptor)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(descriptor, SET_LOCK, &lock) < 0 && (errno == EACCES || errno == EAGAIN);
}

static scree_status fail_errno(const scree_env* env, const char* path)
{
    return scri_fail(env, SCREE_ERROR_FILE, "%s: cannot write: %s", path, strerror(errno));
}

static scree_status fail_locked(const scree_env* env, const char* path)
{
    return scri_fail(env, SCREE_ERROR_FILE, "%s: another process is writing it", path);
}

/* ---- claims ---- */

/* Another process may have moved its own file there since this one was opened. */
static bool still_names(const char* path, const struct stat* found)
{
    struct stat now;
    return stat(path, &now) == 0 && now.st_dev == found->st_dev && now.st_ino == found->st_ino;
}

scree_status scri_disk_claim(const scree_env* env, const char* path, scri_claim* out)
{
    enum { ATTEMPTS = 100 };
    for (int k = 0; k < ATTEMPTS; ++k) {
        struct stat found;
        *out = (scri_claim){.descriptor = open(path, O_RDWR | O_CLOEXEC)};
        if (out->descriptor < 0 && errno == ENOENT) return SCREE_OK;
        if (out->descriptor < 0 || fstat(out->descriptor, &found) < 0) {
            scree_status status = fail_errno(env, path);
            scri_disk_unclaim(out);
            return status;
        }
        if (is_locked_elsewhere(out->descriptor)) break;
        out->size = (int64_t)found.st_size;
        if (still_names(path, &found)) return SCREE_OK;
        scri_disk_unclaim(out);
    }
    scri_disk_unclaim(out);
    return fail_locked(env, path);
}

void scri_disk_unclaim(scri_claim* claim)
{
    if (claim->descriptor >= 0) close(claim->descriptor);
    claim->descriptor = -1;
}

/* ---- disks ---- */

scree_status scri_disk_open(const scree_env* env, const char* path, scri_disk* out)
{
    struct stat found;
    *out = (scri_disk){.writes_left = -1};
    out->descriptor = open(path, O_RDWR | O_CLOEXEC);
    if (out->descriptor < 0 || fstat(out->descriptor, &found) < 0) {
        scree_status status = fail_errno(env, path);
        scri_disk_close(out);
        return status;
    }
    if (is_locked_elsewhere(out->descriptor)) {
        scri_disk_close(out);
        return fail_locked(env, path);
    }
    out->device = found.st_dev;
    out->inode = found.st_ino;
    out->size = (haddr_t)found.st_size;
    return SCREE_OK;
}

void scri_disk_close(scri_disk* disk)
{
    if (disk->descriptor >= 0 && close(disk->descriptor) < 0 && !disk->error) disk->error = errno;
    disk->descriptor = -1;
}

scree_status scri_disk_check(const scree_env* env, const char* path, const scri_disk* disk)
{
    if (!disk->error) return SCREE_OK;
    return scri_fail(env, SCREE_ERROR_FILE, "%s: cannot write: %s", path, strerror(disk->error));
}

/* ---- what HDF5 calls ---- */

typedef struct disk_info {
    scri_disk* disk;
} disk_info;

static H5FD_t* open_disk(const char* name, unsigned flags, hid_t access, haddr_t max_address)
{
    (void)name;
    (void)flags;
    (void)max_address;
    const disk_info* info = H5Pget_driver_info(access);
    return info ? &info->disk->driver : NULL;
}

/* HDF5 opens and closes a new file once before it opens it for good. */
static herr_t close_disk(H5FD_t* driver)
{
    (void)driver;
    return 0;
}

static int compare_disks(const H5FD_t* a, const H5FD_t* b)
{
    const scri_disk* x = (const scri_disk*)a;
    const scri_disk* y = (const scri_disk*)b;
    if (x->device != y->device) return x->device < y->device ? -1 : 1;
    if (x->inode != y->inode) return x->inode < y->inode ? -1 : 1;
    return 0;
}

/* Without aggregation, accumulation and sieving what HDF5 writes comes here at once. */
static herr_t query_disk(const H5FD_t* driver, unsigned long* flags)
{
    (void)driver;
    *flags = H5FD_FEAT_SUPPORTS_SWMR_IO | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
    return 0;
}

static haddr_t get_end(const H5FD_t* driver, H5FD_mem_t type)
{
    (void)type;
    return ((const scri_disk*)driver)->end;
}

/* Counts an operation that may be the one that a test wants to fail. */
static bool may_write(scri_disk* disk)
{
    if (disk->error) return false;
    if (disk->writes_left == 0) disk->error = ENOSPC;
    if (disk->writes_left > 0) --disk->writes_left;
    return !disk->error;
}

/* The file grows when space is allocated, so that what lies behind its end was never given away,
 * also when this process is killed. It never shrinks. */
static herr_t set_end(H5FD_t* driver, H5FD_mem_t type, haddr_t end)
{
    scri_disk* disk = (scri_disk*)driver;
    (void)type;
    disk->end = end;
    if (end <= disk->size) return 0;
    if (may_write(disk) && ftruncate(disk->descriptor, (off_t)end) < 0) disk->error = errno;
    disk->size = end;
    return 0;
}

static haddr_t get_size(const H5FD_t* driver, H5FD_mem_t type)
{
    (void)type;
    return ((const scri_disk*)driver)->size;
}

/* What lies behind the end of the file is zero. */
static herr_t read_disk(H5FD_t* driver, H5FD_mem_t type, hid_t transfer, haddr_t address,
                        size_t size, void* bytes)
{
    const scri_disk* disk = (const scri_disk*)driver;
    char* at = bytes;
    (void)type;
    (void)transfer;
    while (size > 0) {
        ssize_t n = pread(disk->descriptor, at, size, (off_t)address);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return -1;
        if (n == 0) {
            memset(at, 0, size);
            return 0;
        }
        at += n;
        address += (haddr_t)n;
        size -= (size_t)n;
    }
    return 0;
}

static void write_all(scri_disk* disk, const char* at, size_t size, haddr_t address)
{
    while (size > 0) {
        ssize_t n = pwrite(disk->descriptor, at, size, (off_t)address);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) {
            disk->error = n < 0 ? errno : ENOSPC;
            return;
        }
        at += n;
        address += (haddr_t)n;
        size -= (size_t)n;
    }
}

static herr_t write_disk(H5FD_t* driver, H5FD_mem_t type, hid_t transfer, haddr_t address,
                         size_t size, const void* bytes)
{
    scri_disk* disk = (scri_disk*)driver;
    (void)type;
    (void)transfer;
    if (may_write(disk)) write_all(disk, bytes, size, address);
    return 0;
}

hid_t scri_disk_use(scri_disk* disk, hid_t access)
{
    static const H5FD_class_t class = {
        .name = "scree recorder",
        .maxaddr = INT64_MAX,
        .fc_degree = H5F_CLOSE_STRONG,
        .fapl_size = sizeof(disk_info),
        .open = open_disk,
        .close = close_disk,
        .cmp = compare_disks,
        .query = query_disk,
        .get_eoa = get_end,
        .set_eoa = set_end,
        .get_eof = get_size,
        .read = read_disk,
        .write = write_disk,
        .fl_map = H5FD_FLMAP_DICHOTOMY,
    };
    disk_info info = {disk};
    hid_t id = H5FDregister(&class);
    if (id >= 0 && H5Pset_driver(access, id, &info) >= 0) return id;
    if (id >= 0) H5FDunregister(id);
    return -1;
}
