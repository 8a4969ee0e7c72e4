/* Hyperstatic test problems: spheres in piles, lattices and jammed packings, one step of their
 * fall.
 *
 *     scree_packing_def def = scree_default_packing_def();
 *     def.kind = SCREE_PACKING_RANDOM;
 *     def.contacts = 4000;
 *     scree_problem_store store;
 *     status = scree_packing_create(NULL, &def, &store);
 *     ...
 *     scree_problem_store_release(&store);
 *
 * All spheres touch in many places at once, so that the impulses are not determined by the
 * velocities. A problem depends on its def alone: the same def gives the same problem.
 */
#ifndef SCREE_STUDY_PACKING_H
#define SCREE_STUDY_PACKING_H

#include "scree/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How the spheres lie. The ground (-1) is the floor z = 0 and, of a box, its four side walls. */
typedef enum scree_packing_kind {
    SCREE_PACKING_PYRAMID, /* face-centred cubic, equal spheres: square layers of n, n - 1, ... 1 */
    SCREE_PACKING_LATTICE, /* simple cubic, equal spheres, in a box that they fill */
    SCREE_PACKING_RANDOM,  /* jammed in a box, radii 0.8 to 1.2 of the mean one */
    SCREE_PACKING_COUNT
} scree_packing_kind;

/* "pyramid", "lattice", "random"; NULL for a value outside the enumeration. */
SCREE_API const char* scree_packing_name(int kind);

/* X(type, name, default, meaning). One list makes the struct and the defaults. */
#define SCREE_PACKING_FIELDS(X)                                                            \
    X(scree_packing_kind, kind, SCREE_PACKING_PYRAMID, "how the spheres lie")              \
    X(int32_t, contacts, 400, "wanted; a packing has about as many")                       \
    X(scree_rows, rows, SCREE_ROWS_NTTRRS, "of every contact: NTT, NTTS, NTTRR or NTTRRS") \
    X(scree_law, law, SCREE_LAW_DEFAULT, "of every contact: exact, convex or coupled")     \
    X(double, mu, 0.3, "sliding friction")                                                 \
    X(double, mu_r_share, 0.1, "rolling friction, in units of `radius`")                   \
    X(double, mu_s_share, 0.1, "spinning friction, in units of `radius`")                  \
    X(double, noise, 0.0, "of the velocities before the step, in units of gravity * step") \
    X(uint64_t, seed, 1, "of the velocities and of a random packing")                      \
    X(double, radius, 0.1, "of the spheres, their mean in a random packing, m")            \
    X(double, density, 2500.0, "kg/m^3")                                                   \
    X(double, gravity, 9.81, "along -z, m/s^2")                                            \
    X(double, step, 1e-3, "s")

typedef struct scree_packing_def {
    uint32_t struct_size; /* written by scree_default_packing_def() */
#define SCREE_X(type, name, value, meaning) type name;
    SCREE_PACKING_FIELDS(SCREE_X)
#undef SCREE_X
} scree_packing_def;

SCREE_API void scree_packing_def_init(scree_packing_def* def); /* struct_size is set */
SCREE_DEFINE_DEFAULT(scree_packing_def, scree_default_packing_def, scree_packing_def_init)

/* Writes into `out` a valid problem in the bodies form; release it with
 * scree_problem_store_release(). q is the relative velocity after a step of free fall. Before the
 * step the spheres rest, or with noise move: each component of each velocity is uniform within
 * +- noise * gravity * step, angular ones within that over the sphere's own radius.
 *
 * Pyramids and lattices are those with the nearest number of contacts to the one wanted: 396 of a
 * pyramid of 6 layers for 400, 4225 of one of 13 for 4000. In a random packing spheres that touch
 * nothing are left out; the others overlap by about 1e-4 of the radius. Making one of 10,000
 * spheres takes seconds. On failure `out` is left zeroed. */
SCREE_API SCREE_MUST_USE scree_status scree_packing_create(const scree_env* env,
                                                           const scree_packing_def* def,
                                                           scree_problem_store* out);

#ifdef __cplusplus
}
#endif

#endif
