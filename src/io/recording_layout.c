#include "io/recording_layout.h"

#include <inttypes.h>

const scri_column_def scri_column_defs[SCRI_COLUMN_COUNT] = {
#define COLUMN_DEF(name, table, cell, width, path) \
    {path, SCRI_TABLE_##table, SCRI_CELL_##cell, width},
    SCRI_RECORDING_COLUMNS(COLUMN_DEF)
#undef COLUMN_DEF
};

/* Limits of chunks, in rows and in bytes. A chunk is allocated whole, but only what has been
 * written of it takes part in reading and writing: HDF5 is kept from caching it. */
enum { MIN_CHUNK_ROWS = 128, MAX_CHUNK_ROWS = 1 << 15, FRAMES_CHUNK_ROWS = 512 };
enum { SURFACES_CHUNK_ROWS = 1 << 13 };
enum { SAVED_CHUNK = 1 << 16, MAX_CHUNK_BYTES = 1 << 24, CONTACTS_PER_BODY = 4 };

size_t scri_column_row_size(scri_column column)
{
    static const size_t size[] = {sizeof(double),  sizeof(float),   sizeof(int64_t),
                                  sizeof(int32_t), sizeof(uint8_t), SCRI_RECORDING_NAME};
    const scri_column_def* def = &scri_column_defs[column];
    return size[def->cell] * (size_t)def->width;
}

bool scri_column_is_in(scri_column column, int32_t schema)
{
    bool is_of_2 = column == SCRI_COLUMN_BODY_SLOT || column == SCRI_COLUMN_BODY_GENERATION;
    bool is_of_3 = column == SCRI_COLUMN_SHAPE_HULL || column == SCRI_COLUMN_HULL_CORNER;
    scri_table table = scri_column_defs[column].table;
    bool is_of_4 = column == SCRI_COLUMN_SHAPE_MESH || table == SCRI_TABLE_MESHES ||
                   table == SCRI_TABLE_SURFACES;
    if (column == SCRI_COLUMN_MESH_ZONES || column == SCRI_COLUMN_MESH_ZONE) return schema >= 8;
    if (column == SCRI_COLUMN_SHAPE_ROUNDING) return schema >= 7;
    if (column == SCRI_COLUMN_MODE) return schema >= 6;
    bool is_of_5 = column == SCRI_COLUMN_N_JOINTS || column == SCRI_COLUMN_JOINT_OFFSET ||
                   table == SCRI_TABLE_JOINTS || table == SCRI_TABLE_MOTIONS;
    if (is_of_5) return schema >= 5;
    return schema >= (is_of_4 ? 4 : is_of_3 ? 3 : is_of_2 ? 2 : 1);
}

/* A new handle of the type in the file or in memory, or -1. */
static hid_t cell_type(scri_cell cell, bool in_file)
{
    hid_t type = -1;
    switch (cell) {
    case SCRI_CELL_REAL:
        return H5Tcopy(in_file ? H5T_IEEE_F64LE : H5T_NATIVE_DOUBLE);
    case SCRI_CELL_FLOAT:
        return H5Tcopy(in_file ? H5T_IEEE_F32LE : H5T_NATIVE_FLOAT);
    case SCRI_CELL_LONG:
        return H5Tcopy(in_file ? H5T_STD_I64LE : H5T_NATIVE_INT64);
    case SCRI_CELL_INTEGER:
        return H5Tcopy(in_file ? H5T_STD_I32LE : H5T_NATIVE_INT32);
    case SCRI_CELL_BYTE:
        return H5Tcopy(in_file ? H5T_STD_U8LE : H5T_NATIVE_UINT8);
    case SCRI_CELL_NAME:
        type = H5Tcopy(H5T_C_S1);
        if (type >= 0) H5Tset_size(type, SCRI_RECORDING_NAME);
        return type;
    }
    return type;
}

static hsize_t chunk_rows(scri_table table, int64_t n_bodies)
{
    if (table == SCRI_TABLE_FRAMES) return FRAMES_CHUNK_ROWS;
    if (table == SCRI_TABLE_SAVED) return SAVED_CHUNK;
    if (table == SCRI_TABLE_SURFACES) return SURFACES_CHUNK_ROWS;
    if (table == SCRI_TABLE_CONTACTS && n_bodies < MAX_CHUNK_ROWS) n_bodies *= CONTACTS_PER_BODY;
    hsize_t rows = MIN_CHUNK_ROWS;
    while (rows < MAX_CHUNK_ROWS && (int64_t)rows < n_bodies) rows *= 2;
    return rows;
}

/* Properties that make HDF5 allocate a chunk without filling it, hence write rows alone. */
static hid_t chunked(int rank, const hsize_t* chunk)
{
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    if (list >= 0 && H5Pset_chunk(list, rank, chunk) >= 0 &&
        H5Pset_alloc_time(list, H5D_ALLOC_TIME_INCR) >= 0 &&
        H5Pset_fill_time(list, H5D_FILL_TIME_NEVER) >= 0 &&
        H5Pset_obj_track_times(list, false) >= 0) {
        return list;
    }
    if (list >= 0) H5Pclose(list);
    return -1;
}

static scree_status create_column(const scri_hdf5* h, scri_column column, int64_t n_bodies)
{
    const scri_column_def* def = &scri_column_defs[column];
    int rank = def->width > 1 ? 2 : 1;
    hsize_t width = (hsize_t)def->width;
    hsize_t now[2] = {0, width}, most[2] = {H5S_UNLIMITED, width};
    hsize_t chunk[2] = {chunk_rows(def->table, n_bodies), width};
    hid_t links = H5Pcreate(H5P_LINK_CREATE), list = chunked(rank, chunk);
    hid_t type = cell_type(def->cell, true), space = H5Screate_simple(rank, now, most);
    hid_t id = -1;
    if (links >= 0 && list >= 0 && type >= 0 && space >= 0 &&
        H5Pset_create_intermediate_group(links, 1) >= 0) {
        id = H5Dcreate2(h->file, def->path, type, space, links, list, H5P_DEFAULT);
    }
    bool fine = id >= 0 && H5Dclose(id) >= 0;
    if (space >= 0) H5Sclose(space);
    if (type >= 0) H5Tclose(type);
    if (list >= 0) H5Pclose(list);
    if (links >= 0) H5Pclose(links);
    if (fine) return SCREE_OK;
    return scri_hdf5_fail(h, def->path, SCREE_ERROR_FILE, "HDF5 cannot create it");
}

scree_status scri_columns_create(const scri_hdf5* h, int64_t n_bodies)
{
    scree_status status = SCREE_OK;
    for (int k = 0; k < SCRI_COLUMN_COUNT && !status; ++k) {
        status = create_column(h, (scri_column)k, n_bodies);
    }
    return status;
}

/* ---- opening ---- */

static bool has_type(hid_t id, scri_cell cell)
{
    hid_t type = H5Dget_type(id), want = cell_type(cell, true);
    bool same = type >= 0 && want >= 0 && H5Tequal(type, want) > 0;
    if (want >= 0) H5Tclose(want);
    if (type >= 0) H5Tclose(type);
    return same;
}

static bool has_extent(hid_t id, int width, int64_t* rows)
{
    hsize_t extent[2] = {0, 1};
    hid_t space = H5Dget_space(id);
    if (space < 0) return false;
    bool fine = H5Sis_simple(space) > 0 && H5Sget_simple_extent_type(space) == H5S_SIMPLE &&
                H5Sget_simple_extent_ndims(space) == (width > 1 ? 2 : 1) &&
                H5Sget_simple_extent_dims(space, extent, NULL) >= 0;
    H5Sclose(space);
    if (!fine || extent[1] != (hsize_t)width || extent[0] > INT64_MAX / 1024) return false;
    *rows = (int64_t)extent[0];
    return true;
}

/* Whether the rows lie in this file as they are, in chunks of a sensible size; how many do. */
static bool count_stored(const scri_hdf5* h, hid_t id, scri_column column, int64_t* rows)
{
    hsize_t chunk[2] = {0, 1}, row = scri_column_row_size(column);
    int width = scri_column_defs[column].width;
    hid_t list = H5Dget_create_plist(id);
    if (list < 0) return false;
    bool plain = H5Pget_layout(list) == H5D_CHUNKED && H5Pget_nfilters(list) == 0 &&
                 H5Pget_external_count(list) == 0 &&
                 H5Pget_chunk(list, 2, chunk) == (width > 1 ? 2 : 1);
    H5Pclose(list);
    if (!plain || chunk[1] != (hsize_t)width || chunk[0] < 1 || chunk[0] > MAX_CHUNK_BYTES / row) {
        return false;
    }
    if (*rows == 0) return true;
    hsize_t stored = H5Dget_storage_size(id);
    if (stored > h->size) return false;
    if ((hsize_t)*rows > stored / row) *rows = (int64_t)(stored / row);
    return true;
}

/* Chunks are not cached: a row goes to the file, and comes from it, by itself. */
static hid_t uncached(void)
{
    hid_t access = H5Pcreate(H5P_DATASET_ACCESS);
    if (access >= 0 && H5Pset_chunk_cache(access, 1, 0, 0.0) >= 0) return access;
    if (access >= 0) H5Pclose(access);
    return -1;
}

static scree_status open_column(const scri_hdf5* h, scri_column column, hid_t access,
                                scri_columns* out)
{
    const scri_column_def* def = &scri_column_defs[column];
    if (!scri_hdf5_has(h, def->path)) {
        return scri_hdf5_fail(h, def->path, SCREE_ERROR_FORMAT, "is missing");
    }
    hid_t id = H5Dopen2(h->file, def->path, access);
    if (id < 0) {
        return scri_hdf5_fail(h, def->path, SCREE_ERROR_FORMAT,
                              "is not a dataset that HDF5 can open");
    }
    out->id[column] = id;
    if (!has_type(id, def->cell)) {
        return scri_hdf5_fail(h, def->path, SCREE_ERROR_FORMAT, "has another type of data");
    }
    if (!has_extent(id, def->width, &out->extent[column])) {
        return scri_hdf5_fail(h, def->path, SCREE_ERROR_FORMAT, "is not a table of %d columns",
                              def->width);
    }
    out->rows[column] = out->extent[column];
    if (!count_stored(h, id, column, &out->rows[column])) {
        return scri_hdf5_fail(h, def->path, SCREE_ERROR_FORMAT,
                              "is not stored as a column of a recording");
    }
    return SCREE_OK;
}

scree_status scri_columns_open(const scri_hdf5* h, int32_t schema, scri_columns* out)
{
    *out = (scri_columns){0};
    for (int k = 0; k < SCRI_COLUMN_COUNT; ++k) out->id[k] = -1;
    hid_t access = uncached();
    if (access < 0) {
        return scri_hdf5_fail(h, "/", SCREE_ERROR_MEMORY, "HDF5 has no memory");
    }
    scree_status status = SCREE_OK;
    for (int k = 0; k < SCRI_COLUMN_COUNT && !status; ++k) {
        if (!scri_column_is_in((scri_column)k, schema)) continue;
        status = open_column(h, (scri_column)k, access, out);
    }
    H5Pclose(access);
    if (status) scri_columns_close(out);
    return status;
}

void scri_columns_close(scri_columns* columns)
{
    for (int k = 0; k < SCRI_COLUMN_COUNT; ++k) {
        if (columns->id[k] >= 0) H5Dclose(columns->id[k]);
        columns->id[k] = -1;
    }
}

/* ---- rows ---- */

typedef struct rows_selection {
    hid_t type, file, memory;
} rows_selection;

static void release_rows(rows_selection* s)
{
    if (s->memory >= 0) H5Sclose(s->memory);
    if (s->file >= 0) H5Sclose(s->file);
    if (s->type >= 0) H5Tclose(s->type);
}

static bool select_rows(hid_t id, const scri_column_def* def, int64_t first, int64_t n,
                        rows_selection* out)
{
    hsize_t from[2] = {(hsize_t)first, 0}, count[2] = {(hsize_t)n, (hsize_t)def->width};
    *out = (rows_selection){cell_type(def->cell, false), H5Dget_space(id),
                            H5Screate_simple(def->width > 1 ? 2 : 1, count, NULL)};
    return out->type >= 0 && out->file >= 0 && out->memory >= 0 &&
           H5Sselect_hyperslab(out->file, H5S_SELECT_SET, from, NULL, count, NULL) >= 0;
}

scree_status scri_column_read(const scri_hdf5* h, const scri_columns* columns, scri_column column,
                              int64_t first, int64_t n, void* out)
{
    const scri_column_def* def = &scri_column_defs[column];
    rows_selection s;
    if (n == 0) return SCREE_OK;
    bool fine = select_rows(columns->id[column], def, first, n, &s) &&
                H5Dread(columns->id[column], s.type, s.memory, s.file, H5P_DEFAULT, out) >= 0;
    release_rows(&s);
    if (fine) return SCREE_OK;
    return scri_hdf5_fail(h, def->path, SCREE_ERROR_FORMAT, "HDF5 cannot read row %" PRId64, first);
}

static bool extend(scri_columns* columns, scri_column column, int64_t rows)
{
    if (columns->extent[column] >= rows) return true;
    hsize_t extent[2] = {(hsize_t)rows, (hsize_t)scri_column_defs[column].width};
    columns->extent[column] = rows;
    return H5Dset_extent(columns->id[column], extent) >= 0;
}

scree_status scri_column_write(const scri_hdf5* h, scri_columns* columns, scri_column column,
                               int64_t first, int64_t n, const void* value)
{
    const scri_column_def* def = &scri_column_defs[column];
    rows_selection s;
    if (n == 0) return SCREE_OK;
    if (extend(columns, column, first + n)) {
        bool fine =
            select_rows(columns->id[column], def, first, n, &s) &&
            H5Dwrite(columns->id[column], s.type, s.memory, s.file, H5P_DEFAULT, value) >= 0;
        release_rows(&s);
        if (fine) return SCREE_OK;
    }
    return scri_hdf5_fail(h, def->path, SCREE_ERROR_FILE, "HDF5 cannot write row %" PRId64, first);
}
