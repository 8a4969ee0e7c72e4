/* The surface of a tube as triangles, which follow from its sizes: see shapes/mesh.h. */
#include "shapes/mesh.h"

enum { SIDES = SCRI_TUBE_SIDES, QUARTER = SIDES / 4 };

/* Of a quarter of the way round. */
static const double cosines[QUARTER + 1] = {
    1.00000000000000000000, 0.99518472667219688624, 0.98078528040323044913, 0.95694033573220886494,
    0.92387953251128675613, 0.88192126434835502971, 0.83146961230254523708, 0.77301045336273696081,
    0.70710678118654752440, 0.63439328416364549822, 0.55557023301960222474, 0.47139673682599764856,
    0.38268343236508977173, 0.29028467725446236764, 0.19509032201612826785, 0.09801714032956060199,
    0.00000000000000000000};
static const double half_cosine = 0.99879545620517239271; /* of half a side */

static double cosine(int32_t k)
{
    k %= SIDES;
    if (k > SIDES / 2) k = SIDES - k;
    return k <= QUARTER ? cosines[k] : -cosines[SIDES / 2 - k];
}

/* Rings are the inner rim below, the outer one, that above, and the inner one. The polygons lie
 * within the true rims, so that nothing is met before these: outer corners on the circle, inner
 * sides across it. */
scri_vec scri_tube_point(const double size[3], int32_t i)
{
    int32_t ring = i / SIDES, k = i % SIDES;
    double inner = fmin(size[2] / half_cosine, 0.5 * (size[0] + size[2]));
    double r = ring == 1 || ring == 2 ? size[0] : inner;
    return (scri_vec){r * cosine(k), r * cosine(k + 3 * QUARTER), ring < 2 ? -size[1] : size[1]};
}

void scri_tube_corners(int32_t t, int32_t corner[3])
{
    int32_t cell = t / 2, strip = cell / SIDES, k = cell % SIDES, next = (k + 1) % SIDES;
    int32_t below = SIDES * strip, above = SIDES * ((strip + 1) % SCRI_TUBE_STRIPS);
    corner[0] = below + k;
    corner[1] = t % 2 ? above + next : below + next;
    corner[2] = t % 2 ? above + k : above + next;
}

int32_t scri_tube_twin(int32_t side)
{
    int32_t cell = side / 6, strip = cell / SIDES, k = cell % SIDES;
    int32_t below = (strip + SCRI_TUBE_STRIPS - 1) % SCRI_TUBE_STRIPS;
    int32_t above = (strip + 1) % SCRI_TUBE_STRIPS;
    switch (side % 6) { /* as in a height field, closed both ways */
    case 0:
        return 6 * (SIDES * below + k) + 4;
    case 1:
        return 6 * (SIDES * strip + (k + 1) % SIDES) + 5;
    case 2:
        return side + 1;
    case 3:
        return side - 1;
    case 4:
        return 6 * (SIDES * above + k);
    default:
        return 6 * (SIDES * strip + (k + SIDES - 1) % SIDES) + 1;
    }
}

static int meets(const double size[3], int32_t cell, const double lower[3], const double upper[3])
{
    double low[3] = {SCREE_INFINITY, SCREE_INFINITY, SCREE_INFINITY};
    double high[3] = {-SCREE_INFINITY, -SCREE_INFINITY, -SCREE_INFINITY};
    for (int32_t half = 0; half < 2; ++half) {
        int32_t corner[3];
        scri_tube_corners(2 * cell + half, corner);
        for (int k = 0; k < 3; ++k) {
            double x[3];
            scri_vec_store(scri_tube_point(size, corner[k]), x);
            for (int j = 0; j < 3; ++j) {
                low[j] = fmin(low[j], x[j]);
                high[j] = fmax(high[j], x[j]);
            }
        }
    }
    int outside = 0;
    for (int j = 0; j < 3; ++j) outside |= low[j] > upper[j] || high[j] < lower[j];
    return !outside;
}

void scri_tube_search(const double size[3], const double lower[3], const double upper[3],
                      scri_mesh_visit* visit, void* user)
{
    for (int32_t strip = 0; strip < SCRI_TUBE_STRIPS; strip += 2) {
        double z = strip ? size[1] : -size[1];
        if (z < lower[2] || z > upper[2]) continue;
        for (int32_t k = 0; k < SIDES; ++k) {
            int32_t cell = SIDES * strip + k;
            if (!meets(size, cell, lower, upper)) continue;
            if (visit(user, 2 * cell) || visit(user, 2 * cell + 1)) return;
        }
    }
}
