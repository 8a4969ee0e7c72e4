#include "solvers/pack_places.h"

#include "base/owner_lists.h"

/* Guests become the last of their colours. */
static void set_guests_apart(const scri_run* run, scri_nsgs_wide* m)
{
    enum { LISTS = 2 * (SCRI_COLOURS + 1) };
    scri_colouring* k = &m->colouring;
    int32_t n = run->problem->n_contacts, start[LISTS + 1];
    for (int i = 0; i <= SCRI_COLOURS; ++i) m->others[i] = k->start[i + 1];
    if (m->guests.n == 0) return;
    for (int32_t c = 0; c < n; ++c) m->list_of[c] = 2 * k->colour[c] + (m->guests.number[c] >= 0);
    scri_owner_lists lists = {n, LISTS, m->list_of, start, k->contact, NULL};
    scri_owner_lists_fill(run->team, &lists);
    for (int i = 0; i <= SCRI_COLOURS; ++i) m->others[i] = start[2 * i + 1];
}

/* Contacts in the packs of a colour; those of the serial group have packs of their own. */
static int lanes_of(int colour)
{
    return colour == SCRI_COLOURS ? 1 : SCRI_LANES;
}

/* Packs of the round contacts of a colour. */
static int32_t round_packs(const scri_nsgs_wide* m, int colour)
{
    int32_t n = m->others[colour] - m->colouring.start[colour];
    return (n + lanes_of(colour) - 1) / lanes_of(colour);
}

void scri_pack_places_begin(const scri_run* run, scri_nsgs_wide* m)
{
    enum { UNIT = SCRI_MOST_TOGETHER };
    int32_t packs = 0;
    set_guests_apart(run, m);
    for (int colour = 0; colour <= SCRI_COLOURS; ++colour) {
        m->start[colour] = packs;
        packs += round_packs(m, colour) + m->colouring.start[colour + 1] - m->others[colour];
        packs = (packs + UNIT - 1) / UNIT * UNIT;
    }
    m->start[SCRI_COLOURS + 1] = packs;
}

int scri_pack_places_colour(const scri_nsgs_wide* m, int32_t i)
{
    int colour = 0;
    while (m->start[colour + 1] <= i) ++colour;
    return colour;
}

void scri_pack_places_of(const scri_nsgs_wide* m, int colour, int32_t i, int32_t* place)
{
    int lanes = lanes_of(colour);
    int32_t number = i - m->start[colour], rest = number - round_packs(m, colour);
    int32_t first = m->colouring.start[colour] + lanes * number, end = m->others[colour];
    if (rest >= 0) {
        int is_guest = m->others[colour] + rest < m->colouring.start[colour + 1];
        first = m->others[colour] + rest;
        end = first + is_guest;
    }
    for (int lane = 0; lane < SCRI_LANES; ++lane) {
        place[lane] = lane < lanes && first + lane < end ? first + lane : -1;
    }
}
