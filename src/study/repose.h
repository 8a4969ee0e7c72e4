/* The parts of the measurement of a heap, one file each. */
#ifndef SCRI_REPOSE_H
#define SCRI_REPOSE_H

#include "base/arena.h"
#include "scree_study/repose.h"

/* The spheres that are on the floor's side, with the floor at z = 0. */
typedef struct scri_heap {
    int32_t n;
    double* centre;   /* [3 n] */
    double* radius;   /* [n] */
    double* volume;   /* [n] over that of the largest sphere */
    double diameter;  /* mean, weighted with volume: the grain that sets the scale of rings */
    int32_t* index;   /* [spheres asked about] in these arrays, -1 for the lost */
    uint8_t* held;    /* [n] has a contact, or contacts are not known: not in the air */
    uint8_t* floored; /* [n] has a contact with something else than a sphere, or as above */
} scri_heap;

/* repose_contacts.c: coordination, rattlers and forces into *out, and the marks of the heap. */
scree_status scri_repose_contacts(scri_arena* arena, const scree_heap* asked, scri_heap* heap,
                                  scree_repose* out);

/* repose_profile.c: axis, profile and flank. */
scree_status scri_repose_profile(scri_arena* arena, const scri_heap* heap, scree_repose* out);

/* repose_core.c: packing fraction under the profile that stands in *out. */
void scri_repose_core(const scri_heap* heap, scree_repose* out);

#endif
