/* Spheres of radius 1 in crystals: the sizes that come nearest to the contacts wanted, the places.
 */
#include "study/packing.h"

#include <math.h>
#include <stdlib.h>

static scree_status take(scri_arena* arena, int64_t n, scri_spheres* out)
{
    *out = (scri_spheres){.n = (int32_t)n};
    out->centre = scri_arena_take(arena, 3 * (size_t)n, sizeof(double));
    out->radius = scri_arena_take(arena, (size_t)n, sizeof(double));
    return out->centre && out->radius ? SCREE_OK : SCREE_ERROR_MEMORY;
}

static void put(scri_spheres* s, int32_t i, double x, double y, double z)
{
    double* centre = s->centre + 3 * (size_t)i;
    centre[0] = x;
    centre[1] = y;
    centre[2] = z;
    s->radius[i] = 1.0;
}

/* Whether `next` contacts are as near to those wanted as `now`. */
static int is_nearer(int64_t next, int64_t now, const scree_packing_def* def)
{
    return llabs(next - def->contacts) <= llabs(now - def->contacts);
}

/* ---- pyramids ---- */

/* Spheres in a pyramid of n layers, 1 + 4 + 9 + ... */
static int64_t squares(int64_t n)
{
    return n * (n + 1) * (2 * n + 1) / 6;
}

/* Neighbours in a layer of k x k are 2 k (k - 1), a sphere rests on four, the last layer on the
 * floor. */
static int64_t pyramid_contacts(int64_t n)
{
    return 2 * (squares(n) - n * (n + 1) / 2) + 4 * squares(n - 1) + n * n;
}

scree_status scri_packing_pyramid(scri_arena* arena, const scree_packing_def* def,
                                  scri_spheres* out)
{
    int32_t side = 1, next = 0;
    while (is_nearer(pyramid_contacts(side + 1), pyramid_contacts(side), def)) ++side;
    scree_status status = take(arena, squares(side), out);
    if (status) return status;
    out->walls = SCRI_FLOOR;
    for (int32_t layer = 0; layer < side; ++layer) {
        for (int32_t j = 0; j < side - layer; ++j) {
            for (int32_t i = 0; i < side - layer; ++i) {
                put(out, next++, 2.0 * i + layer, 2.0 * j + layer, 1.0 + sqrt(2.0) * layer);
            }
        }
    }
    return SCREE_OK;
}

/* ---- lattices ---- */

/* Of `layers` layers of side x side spheres: neighbours in a layer and its walls, neighbours one
 * above the other, and the floor. */
static int64_t lattice_contacts(int64_t side, int64_t layers)
{
    int64_t per_layer = 2 * side * (side - 1) + 4 * side;
    return layers * per_layer + (layers - 1) * side * side + side * side;
}

/* A cube, with layers more or less as the contacts wanted need. */
scree_status scri_packing_lattice(scri_arena* arena, const scree_packing_def* def,
                                  scri_spheres* out)
{
    int32_t side = 1, layers = 1, next = 0;
    while (is_nearer(lattice_contacts(side + 1, side + 1), lattice_contacts(side, side), def)) {
        ++side;
    }
    while (is_nearer(lattice_contacts(side, layers + 1), lattice_contacts(side, layers), def)) {
        ++layers;
    }
    scree_status status = take(arena, (int64_t)side * side * layers, out);
    if (status) return status;
    out->walls = SCRI_OPEN_BOX;
    out->box[0] = out->box[1] = 2.0 * side;
    for (int32_t layer = 0; layer < layers; ++layer) {
        for (int32_t j = 0; j < side; ++j) {
            for (int32_t i = 0; i < side; ++i) {
                put(out, next++, 1.0 + 2.0 * i, 1.0 + 2.0 * j, 1.0 + 2.0 * layer);
            }
        }
    }
    return SCREE_OK;
}
