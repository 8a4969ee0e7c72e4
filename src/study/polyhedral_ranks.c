/* Ranks of the formulations that Peiret, Koevecses and Font-Llagunes compare with: all use more
 * directions than the tangent plane has dimensions, and all but theirs lose ranks by it.
 *
 * Discrete forces (Stewart and Trinkle; Anitescu and Potra), lambda_t = sum beta_j d_j with the
 * unit vectors d_j = +-e_j, unknowns (v', lambda_n, beta, gamma):
 *
 *     [ M   -J_n^T -D^T   0 ]
 *     [ J_n   0     0     0 ]
 *     [ D     0     0     e ]
 *     [ 0    mu   -e^T    0 ]
 *
 * The former ask for gaps at the end of a step, so that their second row has the factor h, the
 * latter for velocities: the ranks are the same. Discrete accelerations (Glocker) are equation (8)
 * with rho = 0.
 */
#include "base/env.h"
#include "study/polyhedral.h"

#include <string.h>

/* The closed contacts with the corners +-e_j. */
static scree_status list_corners(const scri_poly_system* s, scri_arena* arena,
                                 scri_corner_contact** out)
{
    scri_corner_contact* list = scri_arena_take(arena, (size_t)s->m, sizeof *list);
    double* corner = scri_arena_take(arena, 4 * (size_t)s->mk, sizeof *corner);
    if (!list || !corner) return SCREE_ERROR_MEMORY;
    for (int32_t i = 0; i < s->m; ++i) {
        const scri_closed* c = &s->closed[i];
        double* own = corner + 4 * (size_t)c->line;
        for (int32_t j = 0; j < 2 * c->k; ++j) {
            for (int d = 0; d < 2; ++d) own[2 * j + d] = (j % 2 ? -1.0 : 1.0) * c->e[j - j % 2 + d];
        }
        list[i] = (scri_corner_contact){.normal = i,
                                        .tangent = s->m + c->tangent,
                                        .dim = c->dim,
                                        .mu = c->mu,
                                        .n_corners = 2 * c->k,
                                        .corner = own};
    }
    *out = list;
    return SCREE_OK;
}

/* The matrix above from its reduced form, whose rows and columns are (lambda_n, beta, gamma): the
 * columns of D and J_n are read off by the same corners. */
static void lead_of_corners(const scri_poly_system* s, const scri_corner_contact* contact,
                            double factor, int32_t size, double* a)
{
    size_t n = (size_t)s->n, all = (size_t)size, at = n + (size_t)s->m, bound = at;
    memset(a, 0, all * all * sizeof *a);
    for (size_t i = 0; i < n; ++i) memcpy(a + i * all, s->mass + i * n, n * sizeof *a);
    for (int32_t i = 0; i < s->m; ++i) bound += (size_t)contact[i].n_corners;
    for (size_t i = 0; i < (size_t)s->m; ++i) {
        for (size_t k = 0; k < n; ++k) {
            a[(n + i) * all + k] = factor * s->j[i * n + k];
            a[k * all + n + i] = -s->push[i * n + k];
        }
    }
    for (int32_t i = 0; i < s->m; ++i) {
        const scri_corner_contact* c = &contact[i];
        if (c->n_corners == 0) continue;
        a[bound * all + n + (size_t)i] = c->mu;
        for (int32_t j = 0; j < c->n_corners; ++j, ++at) {
            for (size_t k = 0; k < n; ++k) {
                double along = 0.0;
                for (int32_t d = 0; d < c->dim; ++d) {
                    along += c->corner[2 * j + d] * s->j[((size_t)c->tangent + (size_t)d) * n + k];
                }
                a[at * all + k] = along;
                a[k * all + at] = -along;
            }
            a[at * all + bound] = 1.0;
            a[bound * all + at] = -1.0;
        }
        ++bound;
    }
}

static scree_status rank_corners(const scri_poly_system* s, scri_arena* arena, double factor,
                                 scree_spectrum out[2])
{
    scri_corner_contact* contact;
    scree_status status = list_corners(s, arena, &contact);
    if (status) return status;
    int32_t m = scri_corner_unknowns(s->m, contact), size = s->n + m;
    double* lead = scri_arena_take(arena, (size_t)size, (size_t)size * sizeof *lead);
    double* reduced = scri_arena_take(arena, (size_t)m, (size_t)m * sizeof *reduced);
    double* rhs = scri_arena_take(arena, (size_t)m, sizeof *rhs);
    if (!lead || !reduced || !rhs) return SCREE_ERROR_MEMORY;
    lead_of_corners(s, contact, factor, size, lead);
    scri_corner_assemble(s->m, contact, s->m + s->mt, s->g, s->b, reduced, rhs);
    for (size_t i = 0; i < (size_t)s->m * (size_t)m; ++i) reduced[i] *= factor;
    status = scri_poly_spectrum(arena, size, lead, &out[0]);
    return status ? status : scri_poly_spectrum(arena, m, reduced, &out[1]);
}

/* Equation (8) with the rho that the closed contacts have. */
static scree_status rank_lines(const scri_poly_system* s, scri_arena* arena, int regular,
                               scree_spectrum out[2])
{
    size_t size = (size_t)scri_poly_lead_size(s);
    double* lead = scri_arena_take(arena, size, size * sizeof *lead);
    double* rhs = scri_arena_take(arena, size, sizeof *rhs);
    scree_lcp reduced;
    if (!lead || !rhs) return SCREE_ERROR_MEMORY;
    scri_poly_lead(s, lead, rhs);
    scree_status status = scri_poly_spectrum(arena, (int32_t)size, lead, &out[0]);
    if (status || !regular) return status;
    status = scri_poly_reduce(s, arena, &reduced);
    return status ? status : scri_poly_spectrum(arena, reduced.n, reduced.a, &out[1]);
}

static scree_status find_ranks(scree_polyhedral* p, scri_arena* arena, double step,
                               scree_polyhedral_ranks* out)
{
    scri_poly_system s;
    scree_polyhedral_report report = {.solved = 0};
    scri_poly_coefficients(p);
    scree_status status = scri_poly_system_create(p, arena, p->t, p->q, p->u, &s);
    if (!status) status = scri_poly_inertia(p, arena, &s, &report);
    if (status) return status;
    int regular = report.tangent_rank == s.mt;
    status = rank_corners(&s, arena, step, out->stewart_trinkle);
    if (!status) status = rank_corners(&s, arena, 1.0, out->anitescu_potra);
    if (!status) status = rank_lines(&s, arena, regular, out->phantom);
    for (int32_t i = 0; i < s.m; ++i) s.closed[i].rho = 0.0;
    return status ? status : rank_lines(&s, arena, regular, out->glocker);
}

scree_status scree_polyhedral_find_ranks(scree_polyhedral* polyhedral, double step,
                                         scree_polyhedral_ranks* out)
{
    if (!polyhedral || !out || !(step > 0.0)) return SCREE_ERROR_ARGUMENT;
    const scree_env* env = &polyhedral->env;
    *out = (scree_polyhedral_ranks){.phantom = {{0}}};
    scri_arena* arena = scri_arena_create(env);
    scree_status status = arena ? find_ranks(polyhedral, arena, step, out) : SCREE_ERROR_MEMORY;
    scri_arena_destroy(arena);
    if (status != SCREE_ERROR_MEMORY) return status;
    return scri_fail(env, status, "out of memory for the ranks of a system");
}
