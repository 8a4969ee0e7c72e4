/* Calls something of every library, and prints the version of the one that it runs with. */
#include "scree/scree.h"
#include "scree_io/scree_io.h"
#include "scree_sparse/scree_sparse.h"
#include "scree_study/scree_study.h"

#include <stdio.h>

int main(void)
{
    scree_problem_file file = {0};
    scree_problem_file_release(&file);
    if (!scree_sparse_mumps()->name || !scree_foundation_model_name(0)) return 1;
    scree_version version = scree_get_version();
    printf("%d.%d.%d\n", version.major, version.minor, version.patch);
    return 0;
}
