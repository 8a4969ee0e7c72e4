/* Tables from memory: any bytes must give a status, and rows of finite numbers where columns are
 * needed. The first byte chooses which columns are wanted. */
#include "fuzz/limited_memory.h"
#include "io/table_file.h"

#include <math.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    static const char* const columns[] = {"x", "y", "mu"};
    if (size == 0) return 0;
    limit l = {(1 << 20) + 200 * size};
    scree_env env = {.alloc = limited_alloc, .release = limited_release, .user = &l};
    const scree_table_def def = {
        .n_columns = 1 + data[0] % 3, .columns = columns, .n_needed = 1, .others = data[0] >> 7};
    scree_table table;
    scree_status status =
        scri_table_parse(&env, "f.csv", (const char*)data + 1, size - 1, &def, &table);
    if (status && (table.values || table.line)) abort();
    for (int64_t i = 0; i < table.n; ++i) {
        if (!isfinite(table.values[i * table.n_columns]) || table.line[i] < 1) abort();
    }
    scree_table_release(&table);
    return 0;
}
