/* Tables from memory, for the reader of files and for its fuzz target. */
#ifndef SCRI_TABLE_FILE_H
#define SCRI_TABLE_FILE_H

#include "scree_io/table_file.h"

/* As scree_table_read(), from bytes[size] that messages call `name`. */
SCREE_MUST_USE scree_status scri_table_parse(const scree_env* env, const char* name,
                                             const char* bytes, size_t size,
                                             const scree_table_def* def, scree_table* out);

#endif
