/* Rebounds that would add energy are taken back.
 *
 * Newton's law says u_N+ = -e u_N- of each contact, whatever friction and other contacts do
 * meanwhile. Where sliding turns round in an impact, friction pushes along the way that the point
 * had before, and the impulses may do more work than the impact takes (Kane and Levinson):
 *
 *     W = 1/2 sum p . (y+ + y-)  >  0.
 *
 * All contacts count: an impact may turn a body back into one that has just let go, which works
 * then as well. Without rebound W is never above 0: p . y+ <= 0 by the law, so W <= -1/2 p . W p
 * where forces are left aside, as they are where they turn a lasting contact round within the step.
 * The rebounds of a part are therefore scaled by one share from 0 to 1, the largest that a few
 * solves find with W <= 0: all of e where it does no harm, which is nearly always. */
#include "base/groups.h"
#include "problem/bodies_kernel.h"
#include "step/islands.h"
#include "step/step.h"

#include <math.h>
#include <string.h>

/* Solves of one part; W over the sum of its terms, without their signs, that is rounding; and W
 * over what is lost without rebound that is near enough to 0. */
enum { MOST_TRIES = 8 };
#define ROUNDING 1e-9
#define NEAR 0.02

/* W of the contacts of a part, and the sum of its terms without their signs. */
static double work_of(scree_world* world, int32_t number, double* size)
{
    const scri_contacts_table* t = &world->contacts;
    const scri_parts_table* parts = &world->parts;
    double work = 0.0;
    *size = 0.0;
    scri_islands_apply(world, number);
    for (int32_t k = parts->contact[number]; k < parts->contact[number + 1]; ++k) {
        int32_t c = t->by_part[k], width = t->first_row[c + 1] - t->first_row[c];
        if (t->general[c] >= 0) continue;
        int lasts = t->lasting[c] && t->rebound[c] == 0.0;
        double y[6] = {0.0}, free[6] = {0.0};
        const double *p = t->p + t->first_row[c], *before = t->before + 6 * (size_t)c;
        scri_bodies_add_relative(&world->problem.bodies, world->bodies.next, c, width, y);
        scri_bodies_add_relative(&world->problem.bodies, world->bodies.free, c, width, free);
        for (int i = 0; i < width; ++i) {
            int is_turned = lasts && !(before[i] * free[i] > 0.0);
            work += 0.5 * p[i] * (y[i] + (is_turned ? 0.0 : before[i]));
            *size += 0.5 * fabs(p[i]) * (fabs(y[i]) + fabs(before[i]));
        }
    }
    return work;
}

/* Some contacts of the world, by their numbers. */
typedef struct contact_list {
    const scri_contacts_table* contacts;
    const int32_t* number;
} contact_list;

/* 1 where one of a range has a rebound. */
static double have_rebound(const void* context, int32_t begin, int32_t end)
{
    const contact_list* list = context;
    for (int32_t k = begin; k < end; ++k) {
        if (list->contacts->rebound[list->number[k]] != 0.0) return 1.0;
    }
    return 0.0;
}

static int has_rebound(const scree_world* world, scri_team* team, int32_t number)
{
    enum { GRAIN = 2048 }; /* contacts that are worth handing to another worker */
    const int32_t* first = world->parts.contact + number;
    contact_list list = {&world->contacts, world->contacts.by_part + first[0]};
    if (!team) return have_rebound(&list, 0, first[1] - first[0]) > 0.0;
    return scri_groups_most(team, first[1] - first[0], GRAIN, have_rebound, &list) > 0.0;
}

/* Rebounds of a part become this share of what they are in full. */
static void take(scree_world* world, int32_t number, scri_rebound* r, double share)
{
    scri_contacts_table* t = &world->contacts;
    for (int32_t k = world->parts.contact[number]; k < world->parts.contact[number + 1]; ++k) {
        int32_t c = t->by_part[k];
        t->q[t->first_row[c]] += (share - r->share) * t->rebound[c];
    }
    r->share = share;
}

int scri_rebound_again(scree_world* world, scri_team* team, int32_t number, scri_rebound* r)
{
    double size;
    if (r->tries == 0 && !has_rebound(world, team, number)) return 0;
    if (r->tries > MOST_TRIES) return 0; /* what is at hand does no harm */
    double work = work_of(world, number, &size);
    int harms = work > ROUNDING * size;
    if (r->tries++ == 0) {
        *r = (scri_rebound){.tries = 1, .share = 1.0, .high = 1.0, .gain = work};
        if (harms) take(world, number, r, 0.0);
        return harms;
    }
    if (harms) {
        r->high = r->share;
        r->gain = work;
    } else {
        if (r->tries == 2) r->most_lost = -work;
        r->low = r->share;
        r->lost = -work;
    }
    if (r->share == 0.0 && harms) return 0; /* not the rebounds' doing */
    if (!harms && r->lost <= NEAR * r->most_lost) return 0;
    if (r->tries <= MOST_TRIES) {
        double part = r->lost / (r->lost + r->gain);
        take(world, number, r, r->low + fmin(fmax(part, 0.05), 0.95) * (r->high - r->low));
        return 1;
    }
    if (!harms) return 0;
    take(world, number, r, r->low);
    return 1;
}
