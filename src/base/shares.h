/* What contacts do to bodies, shared among a team: blocks of bodies, each with the ends of contacts
 * at them in the order of the contacts. Whoever takes a block gives its bodies the same sums as one
 * contact after the other gives. */
#ifndef SCRI_SHARES_H
#define SCRI_SHARES_H

#include "base/bump.h"
#include "base/compiler.h"
#include "base/team.h"

/* No more than base/owner_lists.h makes without scratch. */
enum { SCRI_MOST_BLOCKS = 128 };

typedef struct scri_shares {
    scri_team* team; /* NULL: nobody helps, and there are no lists */
    int32_t n_blocks;
    int32_t first[SCRI_MOST_BLOCKS + 1]; /* first body of each block */
    int32_t start[SCRI_MOST_BLOCKS + 1]; /* first of `ends` of each */
    int32_t* ends;                       /* [2 n_contacts] 2 c + side */
    int32_t* home; /* [2 n_contacts] block of an end; -1: listed with the other, or none */
} scri_shares;

/* Takes the lists from `bump`; while bump only counts, nothing else is done. */
scri_shares* scri_shares_create(int32_t n_contacts, scri_bump* bump);

/* Fills the lists of n contacts with bodies pair[2 n], -1 for none, for a team, which may be NULL;
 * where there is little to do, nobody helps. Bodies whose inv_mass[n_bodies] is 0 have no ends. */
void scri_shares_find(scri_shares* shares, int32_t n, const int32_t* pair, int32_t n_bodies,
                      const double* inv_mass, scri_team* team);

/* Those of the contacts alone that counts[n_contacts] names; with the homes of all. */
void scri_shares_some(scri_shares* shares, const scri_shares* of, const uint8_t* counts);

/* Whether both ends of contact c are listed where the first one is. */
SCREE_FN int scri_shares_both(const scri_shares* shares, int32_t c)
{
    return shares->home[2 * (size_t)c + 1] < 0;
}

#endif
