/* How to split shapes of many sizes into grids.
 *
 * Within a grid every shape meets those in the cells around it, so a few large shapes among many
 * small ones make it slow; between grids every shape of the coarser one must be looked up. The
 * sizes are counted in bins of a quarter octave, and the split of the bins with the least expected
 * work is found by dynamic programming. */
#include "base/groups.h"
#include "collide/grid.h"

#include <math.h>

/* Sizes this much apart are one class without further thought. */
#define SAME_SIZE 1.25

/* Work of one lookup, in tests of a pair of balls. */
#define LOOKUP 600.0

enum { N_BINS = SCRI_MAX_GRIDS }; /* quarter octaves below the largest; the last takes the rest */

/* Tests within one class of n shapes: half of 27 cells, with the shapes of this class and the
 * smaller ones packed side by side in `volume`. */
static double work_within(double n, double extent, double volume)
{
    return n * n * 108.0 * extent * extent * extent / volume;
}

/* count[] and extent[] from small to large; begins[j] is set to the first bin of the class that
 * ends with bin j in the best split of the bins up to j. */
static void best_splits(const double* count, const double* extent, int* begins)
{
    double best[N_BINS + 1] = {0.0}, volume = 0.0;
    for (int j = 0; j < N_BINS; ++j) {
        double side = 2.0 * extent[j], n = 0.0, smaller = 0.0;
        volume += count[j] * side * side * side;
        best[j + 1] = SCREE_INFINITY;
        begins[j] = j;
        for (int i = 0; i < j; ++i) smaller += count[i];
        for (int i = j; i >= 0; --i) {
            n += count[i];
            if (i < j) smaller -= count[i];
            double work = best[i] + (smaller > 0.0 ? LOOKUP * n : 0.0);
            if (n > 0.0) work += work_within(n, extent[j], volume);
            if (!(work < best[j + 1])) continue;
            best[j + 1] = work;
            begins[j] = i;
        }
    }
}

static int bin_of(double extent, double largest)
{
    double t = 4.0 * log2(largest / extent);
    return t < N_BINS - 1 ? N_BINS - 1 - (int)t : 0;
}

/* Half lengths, and their classes, or bins first. */
typedef struct sizes {
    const double* extent;
    uint8_t* class_of;
    double largest;
} sizes;

static double largest_of(const void* context, int32_t begin, int32_t end)
{
    const sizes* all = context;
    double largest = 0.0;
    for (int32_t i = begin; i < end; ++i) {
        if (all->extent[i] > largest) largest = all->extent[i];
    }
    return largest;
}

/* 1 where one of a range is too small for the class of the largest, in which all are put. */
static double are_small(const void* context, int32_t begin, int32_t end)
{
    const sizes* all = context;
    double least = SCREE_INFINITY;
    for (int32_t i = begin; i < end; ++i) {
        least = all->extent[i] < least ? all->extent[i] : least;
        all->class_of[i] = 0;
    }
    return all->largest <= SAME_SIZE * least ? 0.0 : 1.0;
}

static void find_bins(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const sizes* all = context;
    (void)worker;
    for (int32_t i = begin; i < end; ++i) {
        all->class_of[i] = (uint8_t)bin_of(all->extent[i], all->largest);
    }
}

int scri_size_classes(const double* extent, int32_t n, uint8_t* class_of, scri_team* team)
{
    /* sizes that are worth handing to another worker */
    enum { LOOK_GRAIN = 2048, BIN_GRAIN = 128 };
    sizes all = {extent, class_of, 0.0};
    all.largest = scri_groups_most(team, n, LOOK_GRAIN, largest_of, &all);
    if (scri_groups_most(team, n, LOOK_GRAIN, are_small, &all) == 0.0) return 1;

    double count[N_BINS] = {0.0}, top[N_BINS];
    scri_team_for(team, n, BIN_GRAIN, find_bins, &all);
    for (int32_t i = 0; i < n; ++i) count[class_of[i]] += 1.0;
    /* relative to the largest, so that cubes neither overflow nor vanish */
    for (int j = 0; j < N_BINS; ++j) top[j] = exp2(0.25 * (j + 1 - N_BINS));
    int begins[N_BINS], class_of_bin[N_BINS] = {0}, n_classes = 0;
    best_splits(count, top, begins);
    for (int j = N_BINS - 1; j >= 0; j = begins[j] - 1) {
        double shapes = 0.0;
        for (int i = begins[j]; i <= j; ++i) {
            class_of_bin[i] = n_classes;
            shapes += count[i];
        }
        n_classes += shapes > 0.0;
    }
    for (int32_t i = 0; i < n; ++i) {
        class_of[i] = (uint8_t)(n_classes - 1 - class_of_bin[class_of[i]]);
    }
    return n_classes;
}
