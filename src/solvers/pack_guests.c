#include "solvers/pack_guests.h"

#include "laws/law.h"
#include "problem/bodies_kernel.h"
#include "solvers/round_contacts.h"
#include "solvers/solid_contacts.h"

#include <math.h>
#include <string.h>

int scri_pack_guests_fit(const scree_problem* problem, int32_t c)
{
    int rubs = scri_law_is(scri_law_of(problem, c), SCREE_LAW_HAS_FRICTION);
    return rubs && !scri_bodies_general(&problem->bodies, c);
}

scri_pack_guests scri_pack_guests_create(const scree_problem* problem, int32_t n, scri_bump* bump)
{
    scri_pack_guests guests = {.n = n};
    if (guests.n == 0) return guests;
    guests.number = scri_bump_take(bump, (size_t)problem->n_contacts, sizeof *guests.number);
    guests.solid = scri_bump_take_lines(bump, (size_t)guests.n * sizeof *guests.solid);
    guests.is_solid = scri_bump_take(bump, (size_t)guests.n, sizeof *guests.is_solid);
    guests.relax = scri_relax_create(problem, bump);
    return guests;
}

void scri_pack_guests_begin(scri_run* run, scri_pack_guests* guests)
{
    const scree_problem* problem = run->problem;
    int by_newton = run->def->local != SCREE_LOCAL_PROJECTION;
    int32_t n = 0;
    if (guests->n == 0) return;
    scri_relax_begin(run, &guests->relax);
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        guests->number[c] = -1;
        if (scri_round_fits(problem, c)) continue;
        guests->is_solid[n] = by_newton && scri_solid_fill(&run->op, c, &guests->solid[n]);
        if (!guests->is_solid[n]) scri_relax_fill(run, &guests->relax, c);
        guests->number[c] = n++;
    }
}

void scri_pack_guests_fill(const scri_run* run, int32_t c, scri_round_contact* out)
{
    const scree_problem* problem = run->problem;
    int32_t nobody = problem->bodies.n_bodies;
    scri_layout layout = scri_layout_of(problem->rows[c]);
    const double *s = run->scaling.scale + problem->first_row[c], unit = run->scaling.unit;
    *out = (scri_round_contact){.a = {nobody}, .b = {nobody}};
    out->inv_w[0] = 1.0 / (unit * (s[0] * s[0]));
    for (int k = 0; k < SCRI_CHANNELS; ++k) { /* spinning has the weight of rolling, if both are */
        double* inv_w = &out->inv_w[k == SCRI_SLIDE ? 1 : 2];
        if (layout.dim[k] == 0 || *inv_w > 0.0) continue;
        double of = s[layout.first[k]];
        *inv_w = 1.0 / (unit * (of * of));
    }
}

/* The bodies of contact c between single and double precision. Others share those that do not
 * respond: they are not written, and have no velocity. */
static void exchange(const scri_run* run, int32_t c, scri_pack_units u, scri_pack_body* bodies,
                     int to_packs)
{
    const scree_bodies* b = &run->problem->bodies;
    for (size_t side = 0; side < 2; ++side) {
        int32_t body = b->pair[2 * (size_t)c + side];
        if (body < 0 || b->inv_mass[body] == 0.0) continue;
        double* line = run->op.velocity + SCRI_BODY_STRIDE * (size_t)body;
        for (size_t j = 0; j < 6; ++j) {
            double unit = j < 3 ? u.speed : u.speed / u.length;
            if (to_packs) {
                bodies[body].line[j] = (float)(line[j] / unit);
            } else {
                line[j] = (double)bodies[body].line[j] * unit;
            }
        }
    }
}

/* By the kernel of solid contacts; 0 where it found no impulse. */
static int update_solid(scri_run* run, scri_round_solid* solid, int32_t c, double tolerance,
                        scri_sweep_size* size)
{
    double *p = run->at.p + run->problem->first_row[c], unit = run->scaling.unit;
    double change, impulse;
    memcpy(solid->p, p, sizeof solid->p);
    scri_round_update_solid(solid, tolerance, (scri_round_body*)run->op.velocity, &change,
                            &impulse);
    if (change < 0.0) return 0;
    memcpy(p, solid->p, sizeof solid->p);
    size->change += unit * change;
    size->impulse += unit * impulse;
    size->most = fmax(size->most, unit * change / run->size[c]);
    return 1;
}

void scri_pack_guests_update(scri_run* run, scri_pack_guests* guests, int32_t c,
                             scri_pack_units units, scri_pack_body* bodies, double tolerance,
                             scri_sweep_size* size)
{
    int32_t i = guests->number[c];
    exchange(run, c, units, bodies, 0);
    int found = guests->is_solid[i] && update_solid(run, &guests->solid[i], c, tolerance, size);
    if (!found) {
        if (guests->is_solid[i]) scri_relax_fill(run, &guests->relax, c);
        scri_relax_contact(run, &guests->relax, c, tolerance, size);
    }
    size->updates++;
    exchange(run, c, units, bodies, 1);
}
