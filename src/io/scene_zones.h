/* Zones of the meshes of a scene. */
#ifndef SCRI_SCENE_ZONES_H
#define SCRI_SCENE_ZONES_H

#include "io/mesh_file.h"
#include "io/scene_reader.h"

/* What a file beside the scene holds, read with the wishes of `how`, in memory that is the caller's
 * to give back: scene_shape.c. */
scri_arena* scri_read_surface(scri_reader* r, const scri_yaml* file, const scri_mesh_source* how,
                              scri_mesh_data* out);

/* `zones` and `materials` of a mesh that was made of this data, and whose own material is known. */
void scri_read_zones(scri_reader* r, const scri_yaml* map, const scri_mesh_data* data,
                     scree_mesh* mesh, scree_shape* out);

#endif
