#include "io/hdf5_util.h"

#include "base/env.h"

#include <hdf5.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

_Static_assert(sizeof(hid_t) == sizeof(int64_t), "scri_hdf5.file must hold an HDF5 handle");

/* A deflated byte holds at most about this many; small datasets are not worth a quarrel. */
enum {
    MAX_COMPRESSION = 1100,
    SMALL_BYTES = 1 << 20,
    MAX_TEXT = 1 << 28,
    MEMORY_STEP = 1 << 20 /* by which a file in memory grows */
};

scree_status scri_hdf5_fail(const scri_hdf5* h, const char* path, scree_status status,
                            const char* format, ...)
{
    char what[SCRI_LOG_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return scri_fail(h->env, status, "%s:%s: %s", h->name, path, what);
}

void scri_hdf5_silence(scri_hdf5* h)
{
    H5Eget_auto2(H5E_DEFAULT, &h->print, &h->print_data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

void scri_hdf5_speak(const scri_hdf5* h)
{
    H5Eset_auto2(H5E_DEFAULT, h->print, h->print_data);
}

static scree_status finish_open(scri_hdf5* h)
{
    if (h->file >= 0) {
        hsize_t size = 0;
        H5Fget_filesize(h->file, &size);
        h->size = size;
        return SCREE_OK;
    }
    scri_hdf5_speak(h);
    return scri_fail(h->env, SCREE_ERROR_FORMAT, "%s: HDF5 cannot open the file", h->name);
}

scree_status scri_hdf5_open(const scree_env* env, const char* path, scri_hdf5* out)
{
    *out = (scri_hdf5){.env = env, .name = path};
    scri_hdf5_silence(out);
    out->file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    return finish_open(out);
}

/* Properties of a file that lies in memory, or -1. */
static hid_t memory_access(void)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (access >= 0 && H5Pset_fapl_core(access, MEMORY_STEP, false) >= 0) return access;
    if (access >= 0) H5Pclose(access);
    return -1;
}

scree_status scri_hdf5_create(const scree_env* env, const char* name, scri_hdf5* out)
{
    *out = (scri_hdf5){.env = env, .name = name, .file = -1};
    scri_hdf5_silence(out);
    hid_t access = memory_access();
    if (access >= 0) {
        out->file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, access);
        H5Pclose(access);
    }
    if (out->file >= 0) return SCREE_OK;
    scri_hdf5_speak(out);
    return scri_fail(env, SCREE_ERROR_FILE, "%s: HDF5 cannot create the file", name);
}

scree_status scri_hdf5_save(const scri_hdf5* h, FILE* stream)
{
    ssize_t size = -1;
    if (H5Fflush(h->file, H5F_SCOPE_LOCAL) >= 0) size = H5Fget_file_image(h->file, NULL, 0);
    void* image = size > 0 ? scri_alloc(h->env, (size_t)size) : NULL;
    if (size > 0 && !image) return SCREE_ERROR_MEMORY;
    bool fine = image && H5Fget_file_image(h->file, image, (size_t)size) == size;
    if (fine) fwrite(image, 1, (size_t)size, stream);
    scri_release(h->env, image);
    if (fine) return SCREE_OK;
    return scri_fail(h->env, SCREE_ERROR_FILE, "%s: HDF5 cannot finish the file", h->name);
}

scree_status scri_hdf5_close(scri_hdf5* h, scree_status status)
{
    bool failed = H5Fclose(h->file) < 0;
    scri_hdf5_speak(h);
    if (!status && failed) {
        status = scri_fail(h->env, SCREE_ERROR_FILE, "%s: HDF5 cannot finish the file", h->name);
    }
    return status;
}

bool scri_hdf5_has(const scri_hdf5* h, const char* path)
{
    char part[SCRI_HDF5_PATH];
    size_t length = strlen(path);
    if (length >= sizeof part) return false;
    for (size_t k = 1; k <= length; ++k) {
        if (path[k] != '/' && path[k] != '\0') continue;
        memcpy(part, path, k);
        part[k] = '\0';
        H5L_info_t info;
        if (H5Lexists(h->file, part, H5P_DEFAULT) <= 0) return false;
        if (H5Lget_info(h->file, part, &info, H5P_DEFAULT) < 0) return false;
        if (info.type != H5L_TYPE_HARD) return false;
    }
    return true;
}

bool scri_hdf5_has_data(const scri_hdf5* h, const char* path)
{
    if (!scri_hdf5_has(h, path)) return false;
    hid_t id = H5Dopen2(h->file, path, H5P_DEFAULT);
    if (id < 0) return true; /* whoever reads it will say what is wrong */
    bool stored = H5Dget_storage_size(id) > 0;
    H5Dclose(id);
    return stored;
}

scree_status scri_hdf5_count_links(const scri_hdf5* h, const char* path, int64_t* out)
{
    H5G_info_t info;
    if (!scri_hdf5_has(h, path) || H5Gget_info_by_name(h->file, path, &info, H5P_DEFAULT) < 0) {
        return scri_hdf5_fail(h, path, SCREE_ERROR_FORMAT, "is missing or not a group");
    }
    *out = info.nlinks > INT32_MAX ? INT32_MAX : (int64_t)info.nlinks;
    return SCREE_OK;
}

/* An open dataset and what was found out about it. */
typedef struct dataset {
    hid_t id, type, space;
    H5T_class_t class;
    int rank;
    int64_t count; /* of all elements */
} dataset;

static void close_dataset(dataset* d)
{
    if (d->space >= 0) H5Sclose(d->space);
    if (d->type >= 0) H5Tclose(d->type);
    if (d->id >= 0) H5Dclose(d->id);
}

static scree_status open_dataset(const scri_hdf5* h, const char* path, dataset* d)
{
    *d = (dataset){-1, -1, -1, H5T_NO_CLASS, 0, 0};
    if (!scri_hdf5_has(h, path)) return scri_hdf5_fail(h, path, SCREE_ERROR_FORMAT, "is missing");
    d->id = H5Dopen2(h->file, path, H5P_DEFAULT);
    if (d->id >= 0) d->type = H5Dget_type(d->id);
    if (d->type >= 0) d->space = H5Dget_space(d->id);
    if (d->space >= 0) {
        d->class = H5Tget_class(d->type);
        d->rank = H5Sget_simple_extent_ndims(d->space);
        d->count = (int64_t)H5Sget_simple_extent_npoints(d->space);
    }
    if (d->space >= 0 && d->rank >= 0 && d->count >= 0) return SCREE_OK;
    close_dataset(d);
    return scri_hdf5_fail(h, path, SCREE_ERROR_FORMAT, "is not a dataset that HDF5 can open");
}

/* Whether the data are stored in this file in a plain way, with chunks of a sensible size. */
static bool is_stored_here(hid_t id, hsize_t limit, size_t element)
{
    hid_t list = H5Dget_create_plist(id);
    if (list < 0) return false;
    H5D_layout_t layout = H5Pget_layout(list);
    bool fine = layout == H5D_COMPACT || layout == H5D_CONTIGUOUS || layout == H5D_CHUNKED;
    if (H5Pget_external_count(list) != 0) fine = false;
    if (layout == H5D_CHUNKED) {
        hsize_t chunk[1] = {0};
        int rank = H5Pget_chunk(list, 1, chunk);
        if (rank != 1 || chunk[0] > limit / element) fine = false;
    }
    H5Pclose(list);
    return fine;
}

/* The length that a file claims must be one that its bytes can hold. */
static scree_status check_storage(const scri_hdf5* h, const char* path, const dataset* d)
{
    size_t element = H5Tget_size(d->type);
    hsize_t stored = H5Dget_storage_size(d->id);
    if (element == 0 || stored > h->size) {
        return scri_hdf5_fail(h, path, SCREE_ERROR_FORMAT, "claims more data than the file holds");
    }
    hsize_t limit = stored * MAX_COMPRESSION;
    if ((hsize_t)d->count > limit / element) {
        return scri_hdf5_fail(h, path, SCREE_ERROR_FORMAT,
                              "claims %" PRId64 " elements, but too few are stored", d->count);
    }
    if (!is_stored_here(d->id, limit > SMALL_BYTES ? limit : SMALL_BYTES, element)) {
        return scri_hdf5_fail(h, path, SCREE_ERROR_UNSUPPORTED,
                              "is stored in a way that is not supported");
    }
    return SCREE_OK;
}

/* Opens a dataset of class `class` with `count` elements (-1: any) in at most one dimension. */
static scree_status open_vector(const scri_hdf5* h, const char* path, H5T_class_t class,
                                int64_t count, dataset* d)
{
    scree_status status = open_dataset(h, path, d);
    if (status) return status;
    if (d->class != class) {
        status = scri_hdf5_fail(h, path, SCREE_ERROR_FORMAT, "does not hold %s",
                                class == H5T_INTEGER ? "integers" : "reals");
    } else if (d->rank > 1) {
        status = scri_hdf5_fail(h, path, SCREE_ERROR_FORMAT, "has %d dimensions, not one", d->rank);
    } else if (count >= 0 && d->count != count) {
        status = scri_hdf5_fail(h, path, SCREE_ERROR_FORMAT,
                                "has %" PRId64 " elements where %" PRId64 " are expected", d->count,
                                count);
    } else {
        status = check_storage(h, path, d);
    }
    if (status) close_dataset(d);
    return status;
}

static scree_status read_vector(const scri_hdf5* h, const char* path, const dataset* d, hid_t type,
                                void* out)
{
    if (d->count == 0 || H5Dread(d->id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) >= 0) {
        return SCREE_OK;
    }
    return scri_hdf5_fail(h, path, SCREE_ERROR_FORMAT, "HDF5 cannot read it");
}

scree_status scri_hdf5_read_integer(const scri_hdf5* h, const char* path, int32_t low, int32_t high,
                                    int32_t* out)
{
    dataset d;
    scree_status status = open_vector(h, path, H5T_INTEGER, 1, &d);
    if (status) return status;
    status = read_vector(h, path, &d, H5T_NATIVE_INT32, out);
    close_dataset(&d);
    if (!status && (*out < low || *out > high)) {
        status = scri_hdf5_fail(h, path, SCREE_ERROR_FORMAT,
                                "is %" PRId32 ", outside %" PRId32 " to %" PRId32, *out, low, high);
    }
    return status;
}

scree_status scri_hdf5_read_integers(const scri_hdf5* h, const char* path, scri_arena* arena,
                                     int64_t* count, const int32_t** out)
{
    dataset d;
    scree_status status = open_vector(h, path, H5T_INTEGER, *count, &d);
    if (status) return status;
    *count = d.count;
    int32_t* value = scri_arena_take(arena, (size_t)d.count, sizeof *value);
    status = value ? read_vector(h, path, &d, H5T_NATIVE_INT32, value) : SCREE_ERROR_MEMORY;
    close_dataset(&d);
    *out = value;
    return status;
}

scree_status scri_hdf5_read_reals(const scri_hdf5* h, const char* path, scri_arena* arena,
                                  int64_t* count, const double** out)
{
    dataset d;
    scree_status status = open_vector(h, path, H5T_FLOAT, *count, &d);
    if (status) return status;
    *count = d.count;
    double* value = scri_arena_take(arena, (size_t)d.count, sizeof *value);
    status = value ? read_vector(h, path, &d, H5T_NATIVE_DOUBLE, value) : SCREE_ERROR_MEMORY;
    close_dataset(&d);
    for (int64_t k = 0; k < *count && !status; ++k) {
        if (!isfinite(value[k])) {
            status = scri_hdf5_fail(h, path, SCREE_ERROR_INPUT,
                                    "element %" PRId64 " is not a finite number", k);
        }
    }
    *out = value;
    return status;
}

scree_status scri_hdf5_read_text(const scri_hdf5* h, const char* path, scri_arena* arena,
                                 const char** out)
{
    *out = NULL;
    if (!scri_hdf5_has(h, path)) return SCREE_OK;
    dataset d;
    scree_status status = open_dataset(h, path, &d);
    if (status) return status;
    size_t size = H5Tget_size(d.type);
    /* Strings of variable length lie in a heap that HDF5 reads without checking: a damaged one
     * makes it ask for gigabytes or search for minutes. */
    if (d.class == H5T_STRING && !H5Tis_variable_str(d.type) && d.count == 1 && size <= MAX_TEXT) {
        status = check_storage(h, path, &d);
        char* text = status ? NULL : scri_arena_take(arena, size + 1, 1);
        if (!status) status = text ? read_vector(h, path, &d, d.type, text) : SCREE_ERROR_MEMORY;
        if (!status && text[0] != '\0') *out = text;
    }
    close_dataset(&d);
    return status;
}

static scree_status write_dataset(const scri_hdf5* h, const char* path, hid_t type, hid_t space,
                                  hid_t memory, const void* value)
{
    hid_t links = H5Pcreate(H5P_LINK_CREATE);
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    hid_t id = -1;
    /* Without time stamps the same problem gives the same bytes. */
    if (links >= 0 && list >= 0 && space >= 0 && H5Pset_create_intermediate_group(links, 1) >= 0 &&
        H5Pset_obj_track_times(list, false) >= 0) {
        id = H5Dcreate2(h->file, path, type, space, links, list, H5P_DEFAULT);
    }
    bool fine = id >= 0 && H5Dwrite(id, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) >= 0;
    if (id >= 0 && H5Dclose(id) < 0) fine = false;
    if (list >= 0) H5Pclose(list);
    if (links >= 0) H5Pclose(links);
    if (space >= 0) H5Sclose(space);
    return fine ? SCREE_OK : scri_hdf5_fail(h, path, SCREE_ERROR_FILE, "HDF5 cannot write it");
}

static hid_t vector_space(int64_t count)
{
    hsize_t extent = (hsize_t)count;
    return H5Screate_simple(1, &extent, NULL);
}

scree_status scri_hdf5_write_integers(const scri_hdf5* h, const char* path, int64_t count,
                                      const int32_t* value)
{
    return write_dataset(h, path, H5T_STD_I32LE, vector_space(count), H5T_NATIVE_INT32, value);
}

scree_status scri_hdf5_write_reals(const scri_hdf5* h, const char* path, int64_t count,
                                   const double* value)
{
    return write_dataset(h, path, H5T_IEEE_F64LE, vector_space(count), H5T_NATIVE_DOUBLE, value);
}

scree_status scri_hdf5_write_text(const scri_hdf5* h, const char* path, const char* text)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    if (type < 0 || H5Tset_size(type, strlen(text) + 1) < 0) {
        if (type >= 0) H5Tclose(type);
        return scri_hdf5_fail(h, path, SCREE_ERROR_FILE, "HDF5 cannot write it");
    }
    scree_status status = write_dataset(h, path, type, H5Screate(H5S_SCALAR), type, text);
    H5Tclose(type);
    return status;
}
