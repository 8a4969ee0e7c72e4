/* The operator p -> y = W p + C p + q of an assembled or bodies problem, contact by contact.
 *
 * The bodies form keeps the velocity change of every body, v = M^-1 H^T p, in step with p: whoever
 * changes p tells the operator. The assembled form needs no state. */
#ifndef SCRI_OPERATOR_H
#define SCRI_OPERATOR_H

#include "base/shares.h"
#include "scree/problem.h"

typedef struct scri_operator {
    const scree_problem* problem;
    double* velocity;          /* bodies form: [SCRI_BODY_STRIDE n_bodies], see bodies_kernel.h */
    scri_team* team;           /* who helps with all contacts at once; NULL: nobody */
    const scri_shares* shares; /* bodies form: of the team; NULL: there is none */
    scri_shares* own;          /* room for them */
} scri_operator;

/* Contacts that are worth handing to another worker. */
enum { SCRI_CONTACTS_GRAIN = 32 };

/* Takes the state from `bump`; while bump only counts, nothing else is done. */
scri_operator scri_operator_create(const scree_problem* problem, scri_bump* bump);

/* Lets a team help from now on, where there is enough to do; the problem must not get other
 * contacts. */
void scri_operator_share(scri_operator* op, scri_team* team);

/* The same with shares of the same contacts, which must stay; NULL: nobody helps. */
void scri_operator_share_as(scri_operator* op, const scri_shares* shares);

/* The same for those contacts alone that counts[n_contacts] names; the others have p = 0. */
void scri_operator_share_some(scri_operator* op, const scri_shares* shares, const uint8_t* counts);

/* Brings the state in line with p[n_rows]. */
void scri_operator_reset(scri_operator* op, const double* p);

/* Adds to the state what p[n_rows] does; to what it was before, contact after contact. */
void scri_operator_add(scri_operator* op, const double* p);

/* y[width] of contact c at p[n_rows]. */
void scri_operator_velocity(const scri_operator* op, const double* p, int32_t c, double* y);

/* Tells that p of contact c has grown by change[width]. */
void scri_operator_change(scri_operator* op, int32_t c, const double* change);

/* The block W_cc + C_cc, row-major [width * width]. */
void scri_operator_block(const scri_operator* op, int32_t c, double* block);

/* Its diagonal alone. */
void scri_operator_diagonal(const scri_operator* op, int32_t c, double* diagonal);

/* y[n_rows] at p[n_rows]; independent of the state, which it overwrites with that of p. */
void scri_operator_apply(scri_operator* op, const double* p, double* y);

#endif
