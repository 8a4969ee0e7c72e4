/* Files of an identification: measurements, matrices, materials. The types are those of the library
 * scree_study; a build without it has none of these functions. */
#ifndef SCREE_IO_MEASUREMENT_H
#define SCREE_IO_MEASUREMENT_H

#include "scree_study/identify.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reads a CSV file: one line of column names (angle_deg or angle_rad, f_radial, f_tangential,
 * perhaps f_normal and time; forces in N), then one line for each sample; '#' begins a comment.
 * Faults are logged as "FILE:LINE: what". On failure `out` is left zeroed. */
SCREE_API SCREE_MUST_USE scree_status scree_measurement_read(const scree_env* env, const char* path,
                                                             scree_measurement* out);

/* Writes such a file, with angle_deg. */
SCREE_API SCREE_MUST_USE scree_status scree_measurement_write(const scree_env* env,
                                                              const char* path,
                                                              const scree_measurement* measurement);

/* Reads the nine numbers of a matrix, row by row; '#' begins a comment. */
SCREE_API SCREE_MUST_USE scree_status scree_crosstalk_read(const scree_env* env, const char* path,
                                                           double matrix[9]);

/* Writes the material as a file that a scene can name (docs/scenes.md); `title` is put into a
 * comment. The normal force must be known. */
SCREE_API SCREE_MUST_USE scree_status
scree_material_write(const scree_env* env, const char* path,
                     const scree_identification* identification, const char* title);

#ifdef __cplusplus
}
#endif

#endif
