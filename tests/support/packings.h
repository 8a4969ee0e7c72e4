/* Packings of spheres as problems. A test that includes this includes scree_study/packing.h too, by
 * which the build sees what to link. */
#ifndef SUPPORT_PACKINGS_H
#define SUPPORT_PACKINGS_H

#include "scree_study/packing.h"
#include "support/solving.h"

static inline scree_packing_def packing(int kind, int32_t contacts, int rows, int law, double noise)
{
    scree_packing_def def = scree_default_packing_def();
    def.kind = (scree_packing_kind)kind;
    def.contacts = contacts;
    def.rows = (scree_rows)rows;
    def.law = (scree_law)law;
    def.noise = noise;
    return def;
}

static inline scree_problem_store packed(const scree_packing_def* def)
{
    scree_problem_store store;
    assert_int_equal(scree_packing_create(NULL, def, &store), SCREE_OK);
    return store;
}

#endif
