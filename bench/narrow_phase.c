/* The narrow phase alone: CPU time of a pair that touches or nearly does, for every two kinds of
 * shapes.
 *
 * usage: ./dev bench narrow_phase [PAIRS]      (default 20000)
 */
#include "base/random.h"
#include "collide/collide.h"
#include "shapes/bounds.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { POSES = 512, CORNERS = 32 };

static const scree_shape_kind kinds[] = {
    SCREE_SHAPE_SPHERE, SCREE_SHAPE_BOX,       SCREE_SHAPE_CAPSULE, SCREE_SHAPE_CYLINDER,
    SCREE_SHAPE_CONE,   SCREE_SHAPE_ELLIPSOID, SCREE_SHAPE_HULL};
enum { N_KINDS = sizeof kinds / sizeof kinds[0] };

/* Two shapes of radius 1 or so, at distances at which some overlap a little and some do not. */
typedef struct pose {
    scree_shape_kind kind[2];
    const scree_hull* hull[2];
    double size[6], position[6], rotation[8];
} pose;

static double draw(scri_random* random, double low, double high)
{
    return low + (high - low) * scri_random_uniform(random);
}

static void draw_unit(scri_random* random, int n, double* out)
{
    double square;
    do {
        square = 0.0;
        for (int k = 0; k < n; ++k) {
            out[k] = draw(random, -1.0, 1.0);
            square += out[k] * out[k];
        }
    } while (!(square > 0.01 && square <= 1.0));
    for (int k = 0; k < n; ++k) out[k] /= sqrt(square);
}

static int touch(const pose* p, scri_touch* out)
{
    const scri_placed placed = {.n = 2,
                                .kind = p->kind,
                                .size = p->size,
                                .hull = p->hull,
                                .position = p->position,
                                .rotation = p->rotation};
    return scri_collide_pair(&placed, 0, 1, 0.02, out);
}

/* Moved together until they are within the margin, by halves. */
static void draw_pose(scri_random* random, scree_shape_kind a, scree_shape_kind b,
                      const scree_hull* hull, pose* out)
{
    scri_touch found[SCRI_MAX_TOUCHES];
    double way[3], near = 0.0, far = 4.0;
    const scree_shape_kind kind[2] = {a, b};
    *out = (pose){.kind = {a, b}};
    for (int k = 0; k < 2; ++k) {
        for (int j = 0; j < 3; ++j) out->size[3 * k + j] = draw(random, 0.5, 1.0);
        draw_unit(random, 4, out->rotation + 4 * k);
        if (kind[k] != SCREE_SHAPE_HULL) continue;
        scree_shape shape = {.kind = SCREE_SHAPE_HULL, .half_size = {1.0}, .hull = hull};
        scri_shape_sizes(&shape, out->size + 3 * k);
        out->hull[k] = hull;
    }
    draw_unit(random, 3, way);
    for (int i = 0; i < 8; ++i) {
        double middle = 0.5 * (near + far);
        for (int k = 0; k < 3; ++k) out->position[k] = middle * way[k];
        if (touch(out, found) > 0) {
            near = middle;
        } else {
            far = middle;
        }
    }
    for (int k = 0; k < 3; ++k) out->position[k] = near * way[k];
}

int main(int n_arguments, char** arguments)
{
    long n = n_arguments > 1 ? atol(arguments[1]) : 20000;
    double points[3 * CORNERS];
    scri_random random = {7, 0, 0};
    scree_hull* hull = NULL;
    pose* poses = malloc(POSES * sizeof *poses);
    for (int i = 0; i < CORNERS; ++i) draw_unit(&random, 3, points + 3 * i);
    if (!poses || scree_hull_create(NULL, CORNERS, points, &hull)) return 1;
    printf("%-10s %-10s %12s %8s\n", "a", "b", "ns of a pair", "points");
    for (int a = 0; a < N_KINDS; ++a) {
        for (int b = a; b < N_KINDS; ++b) {
            scri_touch out[SCRI_MAX_TOUCHES];
            long found = 0;
            for (int i = 0; i < POSES; ++i) draw_pose(&random, kinds[a], kinds[b], hull, &poses[i]);
            clock_t begin = clock();
            for (long i = 0; i < n; ++i) found += touch(&poses[i % POSES], out);
            double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
            printf("%-10s %-10s %12.0f %8.2f\n", scree_shape_name((int)kinds[a]),
                   scree_shape_name((int)kinds[b]), 1e9 * seconds / (double)n,
                   (double)found / (double)n);
        }
    }
    free(poses);
    scree_hull_destroy(hull);
    return 0;
}
