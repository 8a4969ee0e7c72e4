/* The contacts of a step and of the one before.
 *
 * Most of what is known of a contact is asked for in its step alone: that lies in one table, of the
 * list at hand. What the next list takes over, or is compared with, lies in a table of each list.
 * A part of a step that is solved apart from others has a table of what solvers ask for. All of
 * them are used through views: pointers to their arrays, NULL where there are none. */
#ifndef SCRI_CONTACT_TABLE_H
#define SCRI_CONTACT_TABLE_H

#include "world/table.h"

/* Rows of a contact begin at first_row[c] in the arrays by row, which are packed. */
#define SCRI_LASTING_BY_CONTACT_FIELDS(X)                                              \
    X(int32_t, shape, 2) /* a, b and `feature` identify a contact from step to step */ \
    X(uint32_t, feature, 1)                                                            \
    X(int32_t, pair, 2)    /* -1: the world, of a joint */                             \
    X(int32_t, general, 1) /* of a joint: first row in joint_rows; else -1 */          \
    X(double, frame, 9)                                                                \
    X(double, arm, 6)                                                                  \
    X(double, coef, 3)                                                                 \
    X(uint8_t, rows, 1)                                                                \
    X(uint8_t, law, 1)                                                                 \
    X(double, lag, 6)  /* what the law adds to the velocity after impulses: lag.c */   \
    X(double, slip, 3) /* how fast its channels slip after the step: slip.c */
#define SCRI_LASTING_BY_ROW_FIELDS(X)                                        \
    X(double, q, 6)                                                          \
    X(double, give, 6) /* added to q where contacts contradict each other */ \
    X(double, compliance, 6)                                                 \
    X(double, p, 6)

/* Those of the list at hand alone. */
#define SCRI_PASSING_BY_CONTACT_FIELDS(X)                                              \
    X(int32_t, zone, 1) /* of the mesh that is one of the shapes; else 0 */            \
    X(double, gap, 1)                                                                  \
    X(double, room, 1)     /* what the law leaves of the gap to close in the step */   \
    X(uint8_t, lasting, 1) /* it pressed in the last step too */                       \
    X(double, point, 3)                                                                \
    X(double, before, 6)   /* relative velocity before the impulses */                 \
    X(double, after, 6)    /* and after them; until these are judged, `relaxed` */     \
    X(double, rebound, 1)  /* what restitution has in the normal row of lag; else 0 */ \
    X(double, loss, 1)     /* of energy, where overlap is undone: overlap.c */         \
    X(int32_t, was, 1)     /* number in the last list; -1: it was not there */         \
    X(int32_t, part, 1)    /* of the step, see step/islands.h */                       \
    X(int32_t, by_part, 1) /* contacts by part and number */                           \
    X(int32_t, end, 2)     /* of world.shares */                                       \
    X(int32_t, home, 2)    /* the same */                                              \
    X(int32_t, colour, 1)  /* of all contacts, see world.is_coloured */                \
    X(int32_t, root, 2)    /* of islands, and to list parts; scratch */                \
    X(uint8_t, tried, 1)   /* the law by which rest is looked for */
#define SCRI_PASSING_BY_ROW_FIELDS(X) X(double, kept, 6) /* p while rest is looked for */

#define SCRI_LASTING_CONTACT_FIELDS(X) \
    SCRI_LASTING_BY_CONTACT_FIELDS(X)  \
    X(int32_t, first_row, 2) /* [n + 1] used */ SCRI_LASTING_BY_ROW_FIELDS(X)
SCRI_TABLE(scri_lasting_table, SCRI_LASTING_CONTACT_FIELDS)

#define SCRI_PASSING_CONTACT_FIELDS(X) \
    SCRI_PASSING_BY_CONTACT_FIELDS(X)  \
    SCRI_PASSING_BY_ROW_FIELDS(X)
SCRI_TABLE(scri_passing_table, SCRI_PASSING_CONTACT_FIELDS)

/* Contacts of one part: the numbers of their bodies within it, which are all that is needed where
 * there is one part only, */
#define SCRI_PART_PAIR_FIELDS(X) X(int32_t, pair, 2)
SCRI_TABLE(scri_part_pairs_table, SCRI_PART_PAIR_FIELDS)

/* and copies of the rest. */
#define SCRI_PART_CONTACT_FIELDS(X)                                         \
    X(int32_t, general, 1)                                                  \
    X(double, frame, 9)                                                     \
    X(double, arm, 6)                                                       \
    X(double, coef, 3)                                                      \
    X(uint8_t, rows, 1)                                                     \
    X(uint8_t, law, 1)                                                      \
    X(uint8_t, tried, 1)                                                    \
    X(int32_t, was, 1) /* where overlap is undone: overlap_exact.c */       \
    X(int32_t, set, 4) /* sets, where some material of the world has any */ \
    X(int32_t, first_row, 2)                                                \
    SCRI_LASTING_BY_ROW_FIELDS(X)                                           \
    X(double, relaxed, 6)                                                   \
    SCRI_PASSING_BY_ROW_FIELDS(X)
SCRI_TABLE(scri_part_contacts_table, SCRI_PART_CONTACT_FIELDS)

/* A view of n contacts. */
typedef struct scri_contacts_table {
    int32_t n;
    SCRI_LASTING_CONTACT_FIELDS(SCRI_TABLE_MEMBER)
    SCRI_PASSING_CONTACT_FIELDS(SCRI_TABLE_MEMBER)
    double* relaxed; /* q + give, by row */
    int32_t* set;    /* [4 n] of the contacts of one part alone */
} scri_contacts_table;

#endif
