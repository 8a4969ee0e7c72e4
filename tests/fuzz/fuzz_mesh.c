/* Surfaces from memory: any bytes must give a status, and what is made of them must be finite. The
 * first byte chooses the format, and what becomes of rasters. */
#include "fuzz/limited_memory.h"
#include "io/mesh_file.h"

#include <math.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    static const char* const names[] = {"f.obj", "f.stl", "f.ply", "f.asc", "f.xyz", "f.tif"};
    if (size == 0) return 0;
    int kind = data[0] % 6;
    size_t room = kind == 5 ? 300000 : 2000; /* a byte of TIFF may stand for 4096 heights */
    limit l = {(1 << 21) + room * size};
    scree_env env = {.alloc = limited_alloc, .release = limited_release, .user = &l};
    scri_arena* arena = scri_arena_create(&env);
    scri_mesh_source from = {&env,
                             arena,
                             names[kind],
                             (const char*)data + 1,
                             size - 1,
                             (scree_holes)(data[0] / 6 % SCREE_HOLES_COUNT),
                             data[0] >= 128 ? 0.75 * (data[0] - 120) : 0.0};
    scri_mesh_data found;
    scree_mesh* mesh = NULL;
    scree_status status = scri_mesh_parse(&from, &found);
    if (!status) status = scri_mesh_make(&env, &found, &mesh);
    if ((status == SCREE_OK) != (mesh != NULL)) abort();
    if (mesh) {
        scree_mesh_view v = scree_mesh_get_view(mesh);
        for (int32_t t = 0; t < v.n_triangles; ++t) {
            int32_t corner[3];
            double x[3];
            scree_mesh_triangle(mesh, t, corner);
            for (int k = 0; k < 3; ++k) {
                if (corner[k] < 0 || corner[k] >= v.n_points) abort();
                scree_mesh_point(mesh, corner[k], x);
                if (!isfinite(x[0]) || !isfinite(x[1]) || !isfinite(x[2])) abort();
            }
        }
    }
    scree_mesh_destroy(mesh);
    scri_arena_destroy(arena);
    return 0;
}
