/* FCLIB files that HDF5 finds in order, but whose datasets are of any shape, type and content.
 *
 * The bytes of a file are not fuzzed themselves: libhdf5 trusts its own structures, and damage in
 * those crashes inside it (1.10.8: the heap of a group, H5HL_protect) before this project's code
 * sees anything. So the input steers how a small valid problem is written, dataset after dataset,
 * into a file in memory. */
#include "fuzz/scratch_file.h"
#include "scree_io/problem_file.h"

#include <hdf5.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

enum { MAX_COUNT = 512 };

typedef struct source {
    const uint8_t* at;
    size_t left;
} source;

static uint8_t take(source* s)
{
    if (s->left == 0) return 0;
    --s->left;
    return *s->at++;
}

static int32_t take_int32(source* s)
{
    uint32_t value = 0;
    for (int k = 0; k < 4; ++k) value = value << 8 | take(s);
    return (int32_t)value;
}

static double take_double(source* s)
{
    uint64_t bits = 0;
    for (int k = 0; k < 8; ++k) bits = bits << 8 | take(s);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* What to do with a dataset instead of writing it as it should be. */
enum {
    LEAVE_OUT = 1,
    OTHER_LENGTH,
    TWO_DIMENSIONS,
    SCALAR,
    OTHER_TYPE,
    NOT_WRITTEN,
    HUGE_NOT_WRITTEN,
    CHUNKED,
    COMPRESSED,
    LINK,
    GROUP,
    N_FAULTS
};

static hid_t other_type(source* s, bool real)
{
    switch (take(s) % 6) {
    case 0:
        return real ? H5T_NATIVE_INT32 : H5T_NATIVE_DOUBLE;
    case 1:
        return real ? H5T_NATIVE_FLOAT : H5T_NATIVE_INT64;
    case 2:
        return real ? H5T_NATIVE_LDOUBLE : H5T_NATIVE_UINT8;
    case 3:
        return H5T_C_S1;
    case 4:
        return H5T_STD_REF_OBJ;
    default:
        return real ? H5T_IEEE_F64BE : H5T_STD_U64BE;
    }
}

static hid_t make_space(int fault, source* s, hsize_t count)
{
    hsize_t extent[2] = {count, 1 + take(s) % 3};
    if (fault == SCALAR) return H5Screate(H5S_SCALAR);
    if (fault == OTHER_LENGTH) extent[0] = take(s);
    if (fault == HUGE_NOT_WRITTEN) extent[0] = (hsize_t)1 << (10 + take(s) % 40);
    return H5Screate_simple(fault == TWO_DIMENSIONS ? 2 : 1, extent, NULL);
}

static hid_t make_list(int fault, source* s, hsize_t count)
{
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    hsize_t chunk = 1 + take(s) % (count > 0 ? count : 1);
    if (fault == CHUNKED || fault == COMPRESSED) H5Pset_chunk(list, 1, &chunk);
    if (fault == COMPRESSED) H5Pset_deflate(list, 9);
    return list;
}

/* Writes one dataset, `value` holding room for MAX_COUNT elements more than `count` needs. */
static void put(hid_t file, source* s, const char* path, bool real, hsize_t count, void* value)
{
    uint8_t choice = take(s);
    int fault = choice >= 256 - N_FAULTS ? choice - (256 - N_FAULTS) : 0;
    hid_t links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    hid_t native = real ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT32;
    if (choice >= 128 && !fault && count > 0) {
        hsize_t where = take(s) % count;
        if (real) {
            ((double*)value)[where] = take_double(s);
        } else {
            ((int32_t*)value)[where] = choice & 1 ? take_int32(s) : (int8_t)take(s);
        }
    }
    if (fault == LINK) {
        H5Lcreate_soft("/", file, path, links, H5P_DEFAULT);
    } else if (fault == GROUP) {
        H5Gclose(H5Gcreate2(file, path, links, H5P_DEFAULT, H5P_DEFAULT));
    } else if (fault != LEAVE_OUT) {
        hid_t type = fault == OTHER_TYPE ? other_type(s, real) : native;
        hid_t space = make_space(fault, s, count), list = make_list(fault, s, count);
        hid_t id = H5Dcreate2(file, path, type, space, links, list, H5P_DEFAULT);
        bool convertible = H5Tget_class(type) == H5T_INTEGER || H5Tget_class(type) == H5T_FLOAT;
        if (id >= 0 && convertible && fault != NOT_WRITTEN && fault != HUGE_NOT_WRITTEN)
            H5Dwrite(id, native, H5S_ALL, H5S_ALL, H5P_DEFAULT, value);
        if (id >= 0) H5Dclose(id);
        H5Pclose(list);
        H5Sclose(space);
    }
    H5Pclose(links);
}

static void put_int(hid_t file, source* s, const char* path, int32_t value)
{
    int32_t room[3 * (MAX_COUNT + 256)] = {value};
    put(file, s, path, false, 1, room);
}

static void put_reals(hid_t file, source* s, const char* path, int32_t count)
{
    double room[3 * (MAX_COUNT + 256)];
    for (size_t k = 0; k < sizeof room / sizeof room[0]; ++k) room[k] = 0.5 + (double)(k % 7);
    put(file, s, path, true, (hsize_t)count, room);
}

/* A full matrix in one of the three storages. */
static void put_matrix(hid_t file, source* s, const char* folder, int32_t m, int32_t n)
{
    static int32_t p[3 * (MAX_COUNT + 256)], i[3 * (MAX_COUNT + 256)];
    char path[128];
    int storage = take(s) % 3;
    int32_t count = m * n, n_p = storage == 0 ? count : (storage == 1 ? n : m) + 1;
    memset(p, 0, sizeof p);
    memset(i, 0, sizeof i);
    for (int32_t k = 0; k < count; ++k) i[k] = storage == 2 ? k % n : k % m;
    for (int32_t k = 0; k < n_p; ++k) p[k] = storage == 0 ? k / m : k * (storage == 1 ? m : n);
    const struct {
        const char* name;
        int32_t value;
    } scalars[] = {{"nzmax", count}, {"m", m}, {"n", n}, {"nz", storage == 0 ? count : -storage}};
    for (size_t k = 0; k < 4; ++k) {
        snprintf(path, sizeof path, "%s/%s", folder, scalars[k].name);
        put_int(file, s, path, scalars[k].value);
    }
    snprintf(path, sizeof path, "%s/p", folder);
    put(file, s, path, false, (hsize_t)n_p, p);
    snprintf(path, sizeof path, "%s/i", folder);
    put(file, s, path, false, (hsize_t)count, i);
    snprintf(path, sizeof path, "%s/x", folder);
    put_reals(file, s, path, count);
}

static void put_vector(hid_t file, source* s, const char* group, const char* name, int32_t count)
{
    char path[128];
    snprintf(path, sizeof path, "%s/vectors/%s", group, name);
    put_reals(file, s, path, count);
}

static void put_text(hid_t file, source* s, const char* path)
{
    static const char* const names[] = {
        "exact convex coupled extended", "extended", "", " ", "exact  bilateral", "none at all"};
    const char* text = names[take(s) % 6];
    hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    hid_t links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    H5Tset_size(type, strlen(text) + 1);
    hid_t id = H5Dcreate2(file, path, type, space, links, H5P_DEFAULT, H5P_DEFAULT);
    if (id >= 0) {
        H5Dwrite(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text);
        H5Dclose(id);
    }
    H5Pclose(links);
    H5Sclose(space);
    H5Tclose(type);
}

/* The extension: laws by name, and a square and a disc as sets of n contacts. */
static void put_laws(hid_t file, source* s, const char* group, int32_t n)
{
    int32_t law[3 * (MAX_COUNT + 256)] = {0}, set[3 * (MAX_COUNT + 256)];
    int32_t kind[3 * (MAX_COUNT + 256)] = {SCREE_SET_POLYGON, 1, 4, 0, SCREE_SET_DISC, 1, 0, 0};
    double size[3 * (MAX_COUNT + 256)] = {0.0, 0.0, 0.0, 1.0, 0.0, 2.0, 2.0, 0.0, 1.0, 0.0};
    double table[3 * (MAX_COUNT + 256)] = {1.0,  0.0, 1.0,  1.0,  0.0, 1.0,  -1.0, 1.0,
                                           -1.0, 0.0, -1.0, -1.0, 0.0, -1.0, 1.0,  -1.0};
    char path[128];
    for (size_t k = 0; k < sizeof set / sizeof set[0]; ++k) set[k] = (int32_t)(k % 3) - 1;
    snprintf(path, sizeof path, "%s/scree/law_names", group);
    put_text(file, s, path);
    snprintf(path, sizeof path, "%s/scree/law", group);
    put(file, s, path, false, (hsize_t)n, law);
    snprintf(path, sizeof path, "%s/scree/set", group);
    put(file, s, path, false, 4 * (hsize_t)n, set);
    snprintf(path, sizeof path, "%s/scree/sets/kind", group);
    put(file, s, path, false, 8, kind);
    snprintf(path, sizeof path, "%s/scree/sets/size", group);
    put(file, s, path, true, 10, size);
    snprintf(path, sizeof path, "%s/scree/sets/table", group);
    put(file, s, path, true, 16, table);
}

static void put_problem(hid_t file, source* s)
{
    static const char* const groups[] = {"/fclib_local", "/fclib_local_rolling", "/fclib_global",
                                         "/fclib_global_rolling"};
    int which = take(s) % 4, rolls = which % 2, global = which / 2;
    int32_t width = rolls ? 3 + take(s) % 4 : 2 + take(s) % 2, n = 1 + take(s) % 3;
    int32_t n_dof = 1 + take(s) % 6, n_rows = width * n;
    const char* group = groups[which];
    char path[128];
    snprintf(path, sizeof path, "%s/spacedim", group);
    put_int(file, s, path, width);
    snprintf(path, sizeof path, "%s/%s", group, global ? "M" : "W");
    put_matrix(file, s, path, global ? n_dof : n_rows, global ? n_dof : n_rows);
    if (global) {
        snprintf(path, sizeof path, "%s/H", group);
        put_matrix(file, s, path, n_dof, n_rows);
        put_vector(file, s, group, "f", n_dof);
    }
    put_vector(file, s, group, global ? "w" : "q", n_rows);
    put_vector(file, s, group, "mu", n);
    if (rolls) put_vector(file, s, group, "mu_r", n);
    if (width == 4 || width == 6) put_vector(file, s, group, "mu_s", n);
    if (take(s) % 4 == 3) {
        static const char* const extra[] = {"V", "R", "G"};
        snprintf(path, sizeof path, "%s/%s", group, extra[take(s) % 3]);
        put_matrix(file, s, path, n_rows, take(s) % 2);
    }
    if (take(s) % 2) put_laws(file, s, group, n);
    if (take(s) % 2) put_reals(file, s, "/solution/r", n_rows);
    if (take(s) % 2) {
        put_int(file, s, "/guesses/number_of_guesses", 1);
        put_reals(file, s, "/guesses/1/r", n_rows);
    }
}

/* The bytes of a file made as the input says; NULL if HDF5 would not. */
static void* make_image(source* s, size_t* size)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_core(access, 1 << 16, false);
    hid_t file = H5Fcreate("fuzz", H5F_ACC_TRUNC, H5P_DEFAULT, access);
    H5Pclose(access);
    if (file < 0) return NULL;
    put_problem(file, s);
    H5Fflush(file, H5F_SCOPE_LOCAL);
    ssize_t need = H5Fget_file_image(file, NULL, 0);
    void* image = need > 0 ? malloc((size_t)need) : NULL;
    if (image) H5Fget_file_image(file, image, (size_t)need);
    H5Fclose(file);
    *size = (size_t)need;
    return image;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    source s = {data, size};
    size_t image_size = 0;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    void* image = make_image(&s, &image_size);
    if (!image) return 0;
    scree_problem_file file = {0};
    scratch_file source_file = scratch_file_create(image, image_size);
    if (scree_problem_read(NULL, source_file.path, &file) == SCREE_OK) {
        if (scree_problem_validate(NULL, &file.store.problem)) abort();
        if (!file.format || file.store.problem.n_contacts < 1) abort();
    }
    scree_problem_file_release(&file);
    scratch_file_remove(source_file);
    free(image);
    return 0;
}
