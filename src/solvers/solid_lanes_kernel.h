/* The contacts of bodies of any inertia, SCRI_DOUBLES of one colour at once: as lanes_kernel.h has
 * those of round ones. */
#ifndef SCRI_SOLID_LANES_KERNEL_H
#define SCRI_SOLID_LANES_KERNEL_H

#include "solvers/lanes_kernel.h"

/* What lanes without a contact work on: zeros between bodies that do not move. */
typedef struct scri_lanes_no_solid {
    scri_round_solid contact;
    double body[SCRI_LANES_LINE];
} scri_lanes_no_solid;

/* Contacts which[0 .. n - 1], as many as there are lanes or fewer. */
SCREE_FN void scri_lanes_find_solids(const scri_solid_list* list, const int32_t* which, int n,
                                     scri_lanes_no_solid* nobody, scri_lanes_place* at)
{
    if (n < SCRI_DOUBLES) memset(nobody, 0, sizeof *nobody);
    for (int i = 0; i < SCRI_DOUBLES; ++i) {
        int is_there = i < n;
        scri_round_solid* c = is_there ? list->contacts + which[i] : &nobody->contact;
        at->contact[i] = &c->n.x;
        at->a[i] = is_there ? (double*)(list->bodies + c->a[0]) : nobody->body;
        at->b[i] = is_there ? (double*)(list->bodies + c->b[0]) : nobody->body;
    }
}

/* As scri_round_update_solid(). Of a contact p and lambda are written back. */
SCREE_FN void scri_lanes_work_solid(const scri_lanes_place* at, double tolerance,
                                    scri_doubles* change, scri_doubles* impulse)
{
    scri_lanes_solid c;
    scri_lanes_side a = scri_lanes_gather(at->a), b = scri_lanes_gather(at->b);
    scri_lanes_read(at->contact, SCRI_SOLID_REALS, &c.n.x);
    scri_lanes_solve_solid(&c, scri_doubles_all(tolerance), &a, &b, change, impulse);
    scri_lanes_write_end(&c.n.x, SCRI_SOLID_REALS, 4, at->contact);
    scri_lanes_scatter(a, at->a);
    scri_lanes_scatter(b, at->b);
}

/* The bodies of the contacts that are next, before they are needed. */
SCREE_FN void scri_lanes_fetch_solids(const scri_solid_list* list, int32_t first)
{
    SCRI_UNROLL
    for (int i = 0; i < SCRI_DOUBLES; ++i) {
        int32_t k = first + i < list->n ? first + i : list->n - 1;
        const scri_round_solid* c = list->contacts + list->which[k];
        SCRI_PREFETCH(list->bodies + c->a[0]);
        SCRI_PREFETCH(list->bodies + c->b[0]);
    }
}

/* A scri_solid_lanes; one that is left over does without lanes. */
SCREE_FN void scri_lanes_update_solids(const scri_solid_list* list, double* change, double* impulse)
{
    scri_lanes_no_solid nobody;
    scri_lanes_place at;
    int i = 0;
    for (; i + 1 < list->n; i += SCRI_DOUBLES) {
        scri_doubles changed, pressed;
        int n = list->n - i < SCRI_DOUBLES ? list->n - i : SCRI_DOUBLES;
        scri_lanes_find_solids(list, list->which + i, n, &nobody, &at);
        scri_lanes_fetch_solids(list, i + SCRI_DOUBLES);
        scri_lanes_work_solid(&at, list->tolerance, &changed, &pressed);
        scri_lanes_put(changed, n, change + i);
        scri_lanes_put(pressed, n, impulse + i);
    }
    if (i + 1 == list->n) scri_solid_one(list, i, change, impulse);
}

#endif
