/* Siconos text from memory: any bytes must give a status, and a problem that validates or none. */
#include "base/arena.h"
#include "fuzz/limited_memory.h"
#include "io/siconos.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    limit l = {(1 << 20) + 500 * size};
    scree_env env = {.alloc = limited_alloc, .release = limited_release, .user = &l};
    scree_problem_file file = {0};
    scri_arena* keep = scri_arena_create(&env);
    if (!keep) return 0;
    if (scri_siconos_read(&env, "fuzz", (const char*)data, size, keep, &file) == SCREE_OK) {
        /* Only sums of finite entries can be wrong here, by overflow. */
        scree_status status = scree_problem_validate(&env, &file.store.problem);
        if (status != SCREE_OK && status != SCREE_ERROR_INPUT) abort();
        if (!file.format || file.store.problem.n_contacts < 0) abort();
    }
    scri_arena_destroy(keep);
    return 0;
}
