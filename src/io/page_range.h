/* The part of space that a page shows: its places are rounded to 1/65535 of it.
 *
 * What falls off the edge of the world falls for as long as the recording lasts, and would make the
 * range so large that nothing is left of the rest. Where the scene has bodies that are driven or
 * fixed, and none of them is a half-space, bodies are therefore lost from sight when they are
 * farther from home than home is wide; home is the box of those bodies and of all places where
 * bodies were released.
 */
#ifndef SCRI_PAGE_RANGE_H
#define SCRI_PAGE_RANGE_H

#include "scree_io/recording.h"

#include <stdbool.h>

typedef struct scri_page_range {
    bool endless;                     /* nothing gets lost */
    double home_low[3], home_high[3]; /* so far */
    int32_t n_released;               /* bodies that home knows */
    double low[3], high[3];           /* of the places that are not lost; low > high: none */
} scri_page_range;

void scri_page_range_begin(const scree_recording_info* info, scri_page_range* out);

/* Takes in a frame; frames come in the order of time. */
void scri_page_range_add(const scree_recording_info* info, const scree_frame* frame,
                         scri_page_range* range);

/* Whether a place is out of sight as far as the frames taken in tell; so is one without numbers. */
bool scri_page_range_lost(const scri_page_range* range, const double x[3]);

#endif
