/* Makes a world, and prints the version of the library that it runs with. */
#include "scree/scree.h"

#include <stdio.h>

int main(void)
{
    scree_world_def def = scree_default_world_def();
    scree_world* world = NULL;
    scree_step_report report;
    if (scree_world_create(NULL, &def, &world) || scree_world_step(world, &report)) return 1;
    scree_world_destroy(world);
    scree_version version = scree_get_version();
    if (version.major != SCREE_VERSION_MAJOR || version.minor != SCREE_VERSION_MINOR) return 1;
    printf("%d.%d.%d\n", version.major, version.minor, version.patch);
    return 0;
}
