/* Which scalar rows of a contact belong to which channel (sliding, rolling, spinning). */
#ifndef SCRI_LAYOUT_KERNEL_H
#define SCRI_LAYOUT_KERNEL_H

#include "base/compiler.h"
#include "scree/problem.h"

enum { SCRI_SLIDE, SCRI_ROLL, SCRI_SPIN, SCRI_CHANNELS, SCRI_MAX_WIDTH = 6 };

/* Row 0 is N; channel k has dim[k] rows (0, 1 or 2) beginning at first[k]. */
typedef struct scri_layout {
    int width;
    int first[SCRI_CHANNELS];
    int dim[SCRI_CHANNELS];
} scri_layout;

/* Layout of a scree_rows; width 0 for any other value. Folds away when `rows` is a constant. */
SCREE_FN scri_layout scri_layout_of(int rows)
{
    int slide = rows == SCREE_ROWS_NT || rows == SCREE_ROWS_NTR ? 1 : 2;
    int roll = rows == SCREE_ROWS_NTR ? 1 : 2;
    scri_layout layout = {0, {1, 1 + slide, 1}, {0, 0, 0}};
    if (rows < SCREE_ROWS_N || rows >= SCREE_ROWS_END) return layout;
    layout.dim[SCRI_SLIDE] = rows == SCREE_ROWS_N ? 0 : slide;
    if (rows >= SCREE_ROWS_NTTRR) layout.dim[SCRI_ROLL] = roll;
    if (rows == SCREE_ROWS_NTTS || rows == SCREE_ROWS_NTTRRS) layout.dim[SCRI_SPIN] = 1;
    layout.first[SCRI_SPIN] = 1 + layout.dim[SCRI_SLIDE] + layout.dim[SCRI_ROLL];
    layout.width = layout.first[SCRI_SPIN] + layout.dim[SCRI_SPIN];
    return layout;
}

/* Layout of a spatial width 1 to 6. */
SCREE_FN scri_layout scri_layout_of_width(int width)
{
    return scri_layout_of(width <= SCRI_MAX_WIDTH ? width : 0);
}

#endif
