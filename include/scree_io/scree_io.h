/* Files: problems, scenes, recordings. */
#ifndef SCREE_IO_SCREE_IO_H
#define SCREE_IO_SCREE_IO_H

#include "scree_io/mesh_file.h"
#include "scree_io/problem_file.h"
#include "scree_io/raster_file.h"
#include "scree_io/recording.h"
#include "scree_io/scene_file.h"
#include "scree_io/table_file.h"

#endif
