#include "base/env.h"
#include "io/file_util.h"
#include "io/recorder_state.h"

#include <inttypes.h>
#include <string.h>

enum { PAGE = 4096, MAX_SETTINGS = 100000 };

/* In HDF5's latest format, which alone lets others read while one writes. By pages, because a write
 * within one page of the system's cache is made whole or not at all, whatever signal arrives. */
static hid_t create_file(const char* name, hid_t access)
{
    hid_t file = -1, list = H5Pcreate(H5P_FILE_CREATE);
    if (list >= 0 && H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST) >= 0 &&
        H5Pset_file_space_strategy(list, H5F_FSPACE_STRATEGY_PAGE, false, 1) >= 0 &&
        H5Pset_file_space_page_size(list, PAGE) >= 0) {
        file = H5Fcreate(name, H5F_ACC_TRUNC, list, access);
    }
    if (list >= 0) H5Pclose(list);
    return file;
}

static scree_status write_settings(const scri_hdf5* h, const scree_scene_source* info)
{
    scree_status status = scri_hdf5_write_integers(h, "/scene/n_settings", 1, &info->n_settings);
    for (int32_t k = 0; k < info->n_settings && !status; ++k) {
        char path[SCRI_HDF5_PATH];
        snprintf(path, sizeof path, "/scene/settings/%" PRId32, k);
        status = scri_hdf5_write_text(h, path, info->settings[k]);
    }
    return status;
}

static scree_status write_scene(const scri_hdf5* h, const scree_scene* scene)
{
    const scree_scene_source* info = scene->source;
    int32_t schema = SCRI_RECORDING_SCHEMA, open = 0;
    const char* law = scree_law_name((int)scene->world.law);
    scree_status status = scri_hdf5_write_integers(h, "/scene/schema", 1, &schema);
    if (!status) status = scri_hdf5_write_text(h, "/scene/path", info->path ? info->path : "");
    if (!status) status = scri_hdf5_write_text(h, "/scene/title", scene->title ? scene->title : "");
    if (!status) status = scri_hdf5_write_text(h, "/scene/text", info->text ? info->text : "");
    if (!status) status = scri_hdf5_write_text(h, "/scene/law", law ? law : "");
    if (!status) status = write_settings(h, info);
    if (!status) status = scri_hdf5_write_reals(h, "/scene/step", 1, &scene->world.step);
    if (!status) status = scri_hdf5_write_reals(h, "/scene/interval", 1, &scene->interval);
    if (!status) status = scri_hdf5_write_reals(h, "/scene/gravity", 3, scene->world.gravity);
    if (!status) status = scri_hdf5_write_integers(h, SCRI_RECORDING_CLOSED, 1, &open);
    return status;
}

/* Room for the heads of two checkpoints, all zero: not valid. */
static scree_status write_heads(const scri_hdf5* h)
{
    const int64_t heads[2 * sizeof(scri_saved_head) / sizeof(int64_t)] = {0};
    hsize_t extent[2] = {2, sizeof(scri_saved_head) / sizeof(int64_t)};
    hid_t space = H5Screate_simple(2, extent, NULL), id = -1;
    if (space >= 0) {
        id = H5Dcreate2(h->file, SCRI_RECORDING_HEADS, H5T_STD_I64LE, space, H5P_DEFAULT,
                        H5P_DEFAULT, H5P_DEFAULT);
    }
    bool fine =
        id >= 0 && H5Dwrite(id, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, heads) >= 0;
    if (id >= 0 && H5Dclose(id) < 0) fine = false;
    if (space >= 0) H5Sclose(space);
    if (fine) return SCREE_OK;
    return scri_hdf5_fail(h, SCRI_RECORDING_HEADS, SCREE_ERROR_FILE, "HDF5 cannot write it");
}

static scree_status write_file(const scri_hdf5* h, const scree_scene* scene)
{
    if (h->file < 0) {
        return scri_fail(h->env, SCREE_ERROR_FILE, "%s: HDF5 cannot create the file", h->name);
    }
    scree_status status = write_scene(h, scene);
    if (!status) status = scri_columns_create(h, scree_scene_count_bodies(scene));
    if (!status) status = write_heads(h);
    return status;
}

/* Messages call the file `path`, though it does not have that name yet. */
static scree_status write_start(const scree_env* env, const char* path, const scree_scene* scene,
                                scri_disk* disk)
{
    scri_hdf5 h = {.env = env, .name = path, .file = -1};
    scri_hdf5_silence(&h);
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    hid_t driver = access < 0 ? -1 : scri_disk_use(disk, access);
    if (driver >= 0) h.file = create_file(path, access);
    if (access >= 0) H5Pclose(access);
    scree_status status = write_file(&h, scene);
    if (h.file >= 0 && H5Fclose(h.file) < 0 && !status) {
        status = scri_fail(env, SCREE_ERROR_FILE, "%s: HDF5 cannot finish the file", path);
    }
    if (driver >= 0) H5FDunregister(driver);
    scri_hdf5_speak(&h);
    return status;
}

scree_status scri_recorder_write_start(const scree_env* env, const char* path,
                                       const scree_simulation* simulation)
{
    scri_output output;
    scri_disk disk;
    const scree_scene* scene = scree_simulation_scene(simulation);
    if (scene->source->n_settings > MAX_SETTINGS) {
        return scri_fail(env, SCREE_ERROR_UNSUPPORTED, "%s: more than %d settings", path,
                         MAX_SETTINGS);
    }
    scree_status status = scri_output_begin(env, path, &output);
    if (status == SCREE_ERROR_MEMORY) scri_fail(env, status, "%s: out of memory", path);
    if (status) return status;
    status = scri_disk_open(env, output.temporary, &disk);
    if (!status) {
        status = write_start(env, path, scene, &disk);
        scri_disk_close(&disk);
        if (!status) status = scri_disk_check(env, path, &disk);
    }
    return scri_output_end(&output, status);
}
