/* Recordings that HDF5 finds in order, but whose columns are of any shape, type and content.
 *
 * As for FCLIB files (fuzz_fclib.c) the bytes of a file are not fuzzed themselves, because libhdf5
 * trusts its own structures. The input steers how a small valid recording is written, column after
 * column, into a file in memory. */
#include "fuzz/scratch_file.h"
#include "io/recorder.h"
#include "io/recording.h"

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

/* The sound recording: frames, of as many bodies with one shape, and contacts. */
enum { N_FRAMES = 3, N_BODIES = 2, N_CONTACTS = 2, ROOM = 512 };

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

/* What to do with a column instead of writing it as it should be. */
enum {
    SOUND,
    LEAVE_OUT,
    OTHER_LENGTH,
    OTHER_WIDTH,
    OTHER_TYPE,
    NOT_WRITTEN,
    HUGE_NOT_WRITTEN,
    LARGE_CHUNKS,
    COMPRESSED,
    CONTIGUOUS,
    LINK,
    GROUP,
    N_FAULTS
};

static hid_t type_of(scri_cell cell)
{
    static const int size[] = {8, 4, 8, 4, 1, SCRI_RECORDING_NAME};
    hid_t type = -1;
    switch (cell) {
    case SCRI_CELL_REAL:
        return H5Tcopy(H5T_IEEE_F64LE);
    case SCRI_CELL_FLOAT:
        return H5Tcopy(H5T_IEEE_F32LE);
    case SCRI_CELL_LONG:
        return H5Tcopy(H5T_STD_I64LE);
    case SCRI_CELL_INTEGER:
        return H5Tcopy(H5T_STD_I32LE);
    case SCRI_CELL_BYTE:
        return H5Tcopy(H5T_STD_U8LE);
    case SCRI_CELL_NAME:
        type = H5Tcopy(H5T_C_S1);
        H5Tset_size(type, (size_t)size[cell]);
        return type;
    }
    return type;
}

static int64_t sound_rows(scri_table table)
{
    static const int64_t rows[] = {[SCRI_TABLE_FRAMES] = N_FRAMES,
                                   [SCRI_TABLE_STATES] = N_FRAMES * N_BODIES,
                                   [SCRI_TABLE_CONTACTS] = N_FRAMES * N_CONTACTS,
                                   [SCRI_TABLE_BODIES] = N_BODIES,
                                   [SCRI_TABLE_SHAPES] = N_BODIES,
                                   [SCRI_TABLE_JOINTS] = 1,
                                   [SCRI_TABLE_MOTIONS] = N_FRAMES,
                                   [SCRI_TABLE_SAVED] = 64};
    _Static_assert(sizeof rows / sizeof rows[0] == SCRI_TABLE_COUNT, "a number for each table");
    return rows[table];
}

/* The value of every cell of a row in a sound recording. */
static double sound_value(scri_column column, int64_t row)
{
    switch (column) {
    case SCRI_COLUMN_N_BODIES:
    case SCRI_COLUMN_N_SHAPES:
        return N_BODIES;
    case SCRI_COLUMN_N_CONTACTS:
        return N_CONTACTS;
    case SCRI_COLUMN_BODY_OFFSET:
        return (double)(row * N_BODIES);
    case SCRI_COLUMN_CONTACT_OFFSET:
        return (double)(row * N_CONTACTS);
    case SCRI_COLUMN_PAIR:
        return 0.0;
    case SCRI_COLUMN_N_JOINTS:
        return 1.0;
    default:
        return (double)row;
    }
}

/* What happens to the columns: few faults, so that short inputs reach far. */
typedef struct plan {
    uint8_t fault[SCRI_COLUMN_COUNT];
    uint8_t n_pokes[SCRI_COLUMN_COUNT]; /* bytes that are overwritten */
} plan;

static plan make_plan(source* s)
{
    plan p = {{0}, {0}};
    for (int n = take(s) % 3; n > 0; --n) p.fault[take(s) % SCRI_COLUMN_COUNT] = take(s) % N_FAULTS;
    for (int n = take(s) % 4; n > 0; --n) p.n_pokes[take(s) % SCRI_COLUMN_COUNT] = 1 + take(s) % 4;
    return p;
}

static void fill(scri_column column, unsigned char* bytes, int64_t rows)
{
    const scri_column_def* def = &scri_column_defs[column];
    for (int64_t row = 0; row < rows; ++row) {
        for (int k = 0; k < def->width; ++k) {
            int64_t at = row * def->width + k;
            double value = sound_value(column, row);
            if (def->cell == SCRI_CELL_REAL) ((double*)(void*)bytes)[at] = value;
            if (def->cell == SCRI_CELL_FLOAT) ((float*)(void*)bytes)[at] = (float)value;
            if (def->cell == SCRI_CELL_LONG) ((int64_t*)(void*)bytes)[at] = (int64_t)value;
            if (def->cell == SCRI_CELL_INTEGER) ((int32_t*)(void*)bytes)[at] = (int32_t)value;
            if (def->cell == SCRI_CELL_BYTE) bytes[at] = (uint8_t)value;
        }
    }
}

static void poke(scri_column column, unsigned char* bytes, int64_t rows, int n, source* s)
{
    size_t size = (size_t)rows * scri_column_row_size(column);
    for (; n > 0 && size > 0; --n) bytes[take(s) % size] = take(s);
}

static hid_t make_list(int fault, int rank, int width)
{
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    hsize_t chunk[2] = {4, (hsize_t)width};
    if (fault == LARGE_CHUNKS) chunk[0] = (hsize_t)1 << 26;
    if (fault != CONTIGUOUS) H5Pset_chunk(list, rank, chunk);
    if (fault == COMPRESSED) H5Pset_deflate(list, 9);
    return list;
}

static void put_dataset(hid_t file, scri_column column, const plan* p, source* s, hid_t links)
{
    int fault = p->fault[column];
    static unsigned char bytes[ROOM * SCRI_RECORDING_NAME];
    const scri_column_def* def = &scri_column_defs[column];
    int64_t rows = sound_rows(def->table);
    int width = fault == OTHER_WIDTH ? 1 + take(s) % 5 : def->width;
    if (fault == OTHER_LENGTH) rows = take(s);
    memset(bytes, 0, sizeof bytes);
    fill(column, bytes, rows);
    poke(column, bytes, rows, p->n_pokes[column], s);
    if (fault == HUGE_NOT_WRITTEN) rows = (int64_t)1 << (10 + take(s) % 52);
    int rank = width > 1 ? 2 : 1;
    hsize_t now[2] = {(hsize_t)rows, (hsize_t)width}, most[2] = {H5S_UNLIMITED, (hsize_t)width};
    hid_t type = type_of(fault == OTHER_TYPE ? (scri_cell)(take(s) % 6) : def->cell);
    hid_t memory = type_of(def->cell), list = make_list(fault, rank, width);
    hid_t space = H5Screate_simple(rank, now, fault == CONTIGUOUS ? NULL : most);
    hid_t id = H5Dcreate2(file, def->path, type, space, links, list, H5P_DEFAULT);
    bool write = fault != NOT_WRITTEN && fault != HUGE_NOT_WRITTEN && fault != LARGE_CHUNKS;
    if (id >= 0 && write) H5Dwrite(id, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes);
    if (id >= 0) H5Dclose(id);
    H5Sclose(space);
    H5Pclose(list);
    H5Tclose(memory);
    H5Tclose(type);
}

static void put_column(hid_t file, scri_column column, const plan* p, source* s)
{
    int fault = p->fault[column];
    hid_t links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    if (fault == LINK) {
        H5Lcreate_soft("/", file, scri_column_defs[column].path, links, H5P_DEFAULT);
    } else if (fault == GROUP) {
        H5Gclose(H5Gcreate2(file, scri_column_defs[column].path, links, H5P_DEFAULT, H5P_DEFAULT));
    } else if (fault != LEAVE_OUT) {
        put_dataset(file, column, p, s, links);
    }
    H5Pclose(links);
}

static void put_scene(const scri_hdf5* h, source* s)
{
    int32_t schema = take(s) == 255 ? take(s) - 2 : SCRI_RECORDING_SCHEMA, zero = 0;
    int32_t n = take(s) == 255 ? take(s) : 1, extra = take(s) == 255 ? take(s) : -1;
    double step = take(s) == 255 ? 0.0 : 1e-3;
    scree_status status = scri_hdf5_write_integers(h, "/scene/schema", 1, &schema);
    if (!status) status = scri_hdf5_write_integers(h, "/scene/n_settings", 1, &n);
    if (!status) status = scri_hdf5_write_integers(h, SCRI_RECORDING_CLOSED, 1, &zero);
    if (!status) status = scri_hdf5_write_integers(h, SCRI_RECORDING_EXTRA, 1, &extra);
    if (!status) status = scri_hdf5_write_reals(h, "/scene/step", 1, &step);
    if (!status) status = scri_hdf5_write_reals(h, "/scene/interval", 1, &step);
    if (!status) status = scri_hdf5_write_text(h, "/scene/path", "p");
    if (!status) status = scri_hdf5_write_text(h, "/scene/title", "");
    if (!status) status = scri_hdf5_write_text(h, "/scene/text", "title: t");
    if (!status) status = scri_hdf5_write_text(h, "/scene/settings/0", "a=b");
}

/* Heads of checkpoints with any content. */
static void put_heads(hid_t file, source* s)
{
    int64_t heads[10] = {1, 64, N_FRAMES};
    hsize_t extent[2] = {2, 5};
    for (int n = take(s) % 8; n > 0; --n) ((unsigned char*)heads)[take(s) % sizeof heads] = take(s);
    hid_t space = H5Screate_simple(2, extent, NULL);
    hid_t id = H5Dcreate2(file, SCRI_RECORDING_HEADS, H5T_STD_I64LE, space, H5P_DEFAULT,
                          H5P_DEFAULT, H5P_DEFAULT);
    if (id >= 0) {
        H5Dwrite(id, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, heads);
        H5Dclose(id);
    }
    H5Sclose(space);
}

/* The bytes of a file made as the input says; NULL if HDF5 would not. */
static void* make_image(source* s, size_t* size)
{
    scri_hdf5 h;
    if (scri_hdf5_create(NULL, "fuzz", &h)) return NULL;
    plan p = make_plan(s);
    for (int k = 0; k < SCRI_COLUMN_COUNT; ++k) put_column(h.file, (scri_column)k, &p, s);
    put_scene(&h, s);
    put_heads(h.file, s);
    H5Fflush(h.file, H5F_SCOPE_LOCAL);
    ssize_t need = H5Fget_file_image(h.file, NULL, 0);
    void* image = need > 0 ? malloc((size_t)need) : NULL;
    if (image) H5Fget_file_image(h.file, image, (size_t)need);
    *size = (size_t)need;
    if (scri_hdf5_close(&h, SCREE_OK)) abort();
    return image;
}

/* Every number that a reader is told to rely on. */
static void check(scree_recording* recording)
{
    scree_recording_info info = scree_recording_get_info(recording);
    double sum = 0.0;
    for (int64_t k = 0; k < info.n_frames; ++k) {
        scree_frame f;
        if (scree_recording_read(recording, k, &f)) continue;
        if (f.n_bodies > info.n_bodies) abort();
        for (int64_t i = 0; i < 3 * (int64_t)f.n_bodies; ++i) sum += f.position[i];
        for (int64_t i = 0; i < 2 * (int64_t)f.n_contacts; ++i) {
            if (f.pair[i] < -1 || f.pair[i] >= f.n_bodies) abort();
        }
        for (int64_t i = 0; i < f.n_contacts; ++i) sum += (double)f.gap[i];
        for (int64_t i = 0; i < 3 * (int64_t)f.n_joints; ++i) sum += f.joint_torque[i];
    }
    for (int32_t k = 0; k < info.n_bodies; ++k) sum += (double)strlen(info.name[k]) + info.mass[k];
    for (int32_t k = 0; k < info.n_shapes; ++k) {
        if (info.shape_body[k] < 0 || info.shape_body[k] >= info.n_bodies) abort();
        sum += info.shapes[k].half_size[0];
    }
    for (int32_t k = 0; k < info.n_joints; ++k) {
        const scree_recorded_joint* joint = &info.joints[k];
        if (joint->body[0] >= info.n_bodies || joint->body[1] >= info.n_bodies) abort();
        sum += (double)strlen(joint->name) + joint->rotation[1][3];
    }
    volatile double keep = sum;
    (void)keep;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    source s = {data, size};
    size_t image_size = 0;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    void* image = make_image(&s, &image_size);
    if (!image) return 0;
    scree_recording* recording = NULL;
    scratch_file file = scratch_file_create(image, image_size);
    scree_status status = scree_recording_open(NULL, file.path, &recording);
    if (size == 0 && status) abort(); /* the sound recording */
    if (!status) {
        scri_saved_head head;
        uint64_t hash = 0;
        check(recording);
        status = scree_recording_hash(recording, &hash);
        free(scri_recording_read_checkpoint(recording, &head));
    }
    scree_recording_close(recording);
    scratch_file_remove(file);
    free(image);
    return 0;
}
