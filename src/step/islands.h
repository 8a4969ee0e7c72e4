/* The parts of a scene: bodies connected by contacts, through bodies that respond.
 *
 * Impulses in one part do nothing to another. Each is a problem of its own: solved, judged and
 * brought to rest by itself, in the same way whatever else is in the world. */
#ifndef SCRI_STEP_ISLANDS_H
#define SCRI_STEP_ISLANDS_H

#include "solvers/known.h"
#include "world/world.h"

#include <stdatomic.h>

/* One part as a problem whose bodies are counted within it. */
typedef struct scri_part {
    int32_t number;
    scri_desk* desk;              /* where it is solved */
    scri_contacts_table contacts; /* a view of the world's where there is one part only */
    scri_members_table members;   /* a view */
    scree_problem problem;
    scri_known* known;  /* of the problem; NULL before scri_part_get_to_know() */
    scri_shares shares; /* of all contacts, where there is one part only, and there are some */
} scri_part;

/* The root of i in a forest of bodies that several workers join; shortens the way there. Parents
 * are never above their children, and only roots get others: whoever comes first, the root of a
 * tree is the least of it in the end. */
SCREE_FN int32_t scri_tree_root(_Atomic int32_t* tree, int32_t i)
{
    for (;;) {
        int32_t parent = atomic_load_explicit(&tree[i], memory_order_relaxed);
        if (parent == i) return i;
        int32_t next = atomic_load_explicit(&tree[parent], memory_order_relaxed);
        /* shortens the way; that another has done more of it does not matter */
        if (next != parent) atomic_store_explicit(&tree[i], next, memory_order_relaxed);
        i = next;
    }
}

SCREE_FN void scri_tree_join(_Atomic int32_t* tree, int32_t i, int32_t j)
{
    for (;;) {
        int32_t low = scri_tree_root(tree, i), high = scri_tree_root(tree, j);
        if (low == high) return;
        if (low > high) {
            int32_t kept = low;
            low = high;
            high = kept;
        }
        int32_t expected = high; /* still a root? */
        if (atomic_compare_exchange_strong_explicit(&tree[high], &expected, low,
                                                    memory_order_relaxed, memory_order_relaxed)) {
            return;
        }
    }
}

/* Finds the parts of the contacts at hand, numbered by their first contact, and compares them with
 * those of the last list: of the last step, or, `again`, of the same. */
scree_status scri_islands_find(scree_world* world, int again);

/* Whether a part poses the question that has been answered last, bit for bit, and there is nothing
 * to improve: its impulses are then there, and how it ended in parts.report. */
int scri_islands_is_kept(scree_world* world, int again, int32_t part);

/* The first of the bodies of a part. */
int32_t scri_islands_body(const scree_world* world, int32_t part);

/* One part, until the next call with this desk. */
scri_part scri_islands_part(scree_world* world, scri_desk* desk, int32_t number);

/* bodies.next of the bodies of a part, from the impulses of the world. */
void scri_islands_apply(scree_world* world, int32_t part);

/* Hands impulses and what has given way back to the world. */
void scri_islands_hand_back(scree_world* world, const scri_part* part);

#endif
