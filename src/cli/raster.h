/* Rasters in the verbs info and convert. */
#ifndef CLI_RASTER_H
#define CLI_RASTER_H

#include "cli/host.h"
#include "cli/json.h"
#include "scree_io/raster_file.h"

/* Exit codes. */
int cli_info_raster(cli_host* host, const char* path, bool json);
int cli_convert_raster(cli_host* host, const char* in, const char* out, const scree_raster_def* def,
                       bool json);

/* Lines and members that say what a raster is: points, cell, origin, range of values, holes. */
void cli_print_raster(const scree_raster* raster);
void cli_json_raster(cli_json* json, const scree_raster* raster);

#endif
