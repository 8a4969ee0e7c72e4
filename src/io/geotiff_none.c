/* In place of GeoTIFF where libtiff was left out. */
#include "base/env.h"
#include "io/geotiff.h"

static scree_status refuse(const scree_env* env)
{
    return scri_fail(env, SCREE_ERROR_UNSUPPORTED,
                     "GeoTIFF is left out of this build (SCREE_TIFF=OFF); gdal_translate -of "
                     "AAIGrid makes an .asc of it");
}

scree_status scri_mesh_parse_tiff(const scri_mesh_source* from, scri_mesh_data* out)
{
    (void)out;
    return refuse(from->env);
}

scree_status scri_geotiff_write(const scree_env* env, const scree_raster* raster, FILE* stream)
{
    (void)raster, (void)stream;
    return refuse(env);
}
