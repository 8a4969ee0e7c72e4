/* A BLAS with threads of its own would keep them spinning between the many small matrices of a
 * solve: they use a second core and gain nothing. Whether one is there is known only at run time.
 */
#define _GNU_SOURCE
#include "cli/blas.h"

#include <dlfcn.h>
#include <string.h>

void cli_use_one_blas_thread(void)
{
    void* symbol = dlsym(RTLD_DEFAULT, "openblas_set_num_threads");
    if (!symbol) return;
    void (*set_threads)(int) = NULL;
    memcpy(&set_threads, &symbol, sizeof symbol); /* ISO C has no cast from void* to function */
    set_threads(1);
}
