/* Prints the version of the library that it runs with. */
#include "scree/scree.h"

#include <stdio.h>

int main(void)
{
    scree_version version = scree_get_version();
    printf("%d.%d.%d\n", version.major, version.minor, version.patch);
    return 0;
}
