/* Time to find all contacts of n equal spheres that fill 60 % of a cube, on one core.
 *
 * Spheres stand on a jittered face-centred lattice, numbered along it or shuffled; one half-space
 * lies below. Prints a table; the figure that matters is the time per sphere, best of a few runs.
 */
#include "base/clock.h"
#include "base/random.h"
#include "collide/collide.h"

#include <stdio.h>
#include <stdlib.h>

#define RADIUS 0.5
#define MARGIN 0.02
#define FILLED 0.6
#define JITTER 0.05

typedef struct scene {
    scri_placed placed;
    scree_shape_kind* kind;
    double *size, *position, *rotation;
    int32_t* body;
    uint8_t* responds;
    uint32_t *category, *collides;
} scene;

static void* take(size_t count, size_t size)
{
    void* memory = calloc(count, size);
    if (!memory) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    return memory;
}

static scene make_scene(int32_t n)
{
    size_t m = (size_t)n + 1;
    scene s = {.kind = take(m, sizeof *s.kind),
               .size = take(3 * m, sizeof(double)),
               .position = take(3 * m, sizeof(double)),
               .rotation = take(4 * m, sizeof(double)),
               .body = take(m, sizeof *s.body),
               .responds = take(m, 1),
               .category = take(m, sizeof *s.category),
               .collides = take(m, sizeof *s.collides)};
    for (size_t i = 0; i < m; ++i) {
        s.kind[i] = i < (size_t)n ? SCREE_SHAPE_SPHERE : SCREE_SHAPE_HALF_SPACE;
        s.size[3 * i] = RADIUS;
        s.rotation[4 * i] = 1.0;
        s.body[i] = (int32_t)i;
        s.responds[i] = i < (size_t)n;
        s.category[i] = 1;
        s.collides[i] = UINT32_MAX;
    }
    s.placed = (scri_placed){.n = (int32_t)m,
                             .kind = s.kind,
                             .size = s.size,
                             .position = s.position,
                             .rotation = s.rotation,
                             .body = s.body,
                             .responds = s.responds,
                             .category = s.category,
                             .collides = s.collides};
    return s;
}

static void free_scene(scene* s)
{
    free(s->kind);
    free(s->size);
    free(s->position);
    free(s->rotation);
    free(s->body);
    free(s->responds);
    free(s->category);
    free(s->collides);
}

/* Four spheres in every cube of side `cube` fill the wanted share of it. */
static void place(scene* s, int32_t n, int shuffled)
{
    static const double corner[4][3] = {{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}};
    double cube = cbrt(4.0 * 4.0 / 3.0 * 3.14159265358979 * RADIUS * RADIUS * RADIUS / FILLED);
    int side = (int)ceil(cbrt(0.25 * n));
    scri_random random = {.key = 1};
    for (int32_t i = 0; i < n; ++i) {
        int cell = i / 4, index[3] = {cell % side, cell / side % side, cell / side / side};
        for (int k = 0; k < 3; ++k) {
            double jitter = JITTER * (2.0 * scri_random_uniform(&random) - 1.0);
            s->position[3 * i + k] = RADIUS + cube * (index[k] + corner[i % 4][k]) + jitter;
        }
    }
    for (int32_t i = n - 1; i > 0 && shuffled; --i) {
        int32_t j = (int32_t)scri_random_below(&random, (uint32_t)i + 1);
        for (int k = 0; k < 3; ++k) {
            double kept = s->position[3 * i + k];
            s->position[3 * i + k] = s->position[3 * j + k];
            s->position[3 * j + k] = kept;
        }
    }
}

static void measure(int32_t n, int shuffled)
{
    scene s = make_scene(n);
    place(&s, n, shuffled);
    scri_collider* collider = NULL;
    if (scri_collider_create(NULL, &collider)) exit(1);
    const scri_touch* touches;
    int32_t n_touches = 0;
    double best = 1e300;
    int runs = n >= 1000000 ? 5 : n >= 100000 ? 20 : 200;
    for (int run = 0; run < runs; ++run) {
        double start = scri_clock_seconds(NULL);
        if (scri_collider_run(collider, &s.placed, MARGIN, &touches, &n_touches)) exit(1);
        best = fmin(best, scri_clock_seconds(NULL) - start);
    }
    printf("%9d  %-8s  %9d  %10.3f  %8.1f\n", (int)n, shuffled ? "shuffled" : "lattice",
           (int)n_touches, 1e3 * best, 1e9 * best / n);
    scri_collider_destroy(collider);
    free_scene(&s);
}

int main(void)
{
    printf("  spheres  order      contacts          ms  ns/sphere\n");
    for (int32_t n = 1000; n <= 1000000; n *= 10) {
        measure(n, 0);
        measure(n, 1);
    }
    return 0;
}
