/* Measurements from memory, for the reader of files and for its fuzz target. */
#ifndef SCRI_MEASUREMENT_H
#define SCRI_MEASUREMENT_H

#include "scree_io/measurement.h"

/* As scree_measurement_read(), from bytes[size] that messages call `name`. */
SCREE_MUST_USE scree_status scri_measurement_parse(const scree_env* env, const char* name,
                                                   const char* bytes, size_t size,
                                                   scree_measurement* out);

#endif
