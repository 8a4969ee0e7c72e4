#include "study/planar_block.h"

#include "laws/law.h"

static void mass(void* user, double t, const double* q, double* m)
{
    const scri_planar_block* block = user;
    (void)t;
    (void)q;
    m[0] = m[4] = m[8] = block->mass;
}

static void force(void* user, double t, const double* q, const double* u, double* h)
{
    const scri_planar_block* block = user;
    (void)t;
    (void)u;
    h[0] = -block->stiffness * q[0];
    h[1] = -block->stiffness * q[1];
    h[2] = -block->mass * block->gravity;
}

static void gap(void* user, double t, const double* q, double* g)
{
    (void)user;
    (void)t;
    g[0] = q[2];
}

/* Rows N, T1, T2 are z, x, y. */
static void directions(void* user, double t, const double* q, double* w, double* chi)
{
    const scri_planar_block* block = user;
    (void)t;
    (void)q;
    w[2] = w[3] = w[7] = 1.0;
    chi[1] = -block->belt[0];
    chi[2] = -block->belt[1];
}

scree_status scri_planar_block_create(const scree_env* env, scri_planar_block* block,
                                      const double q[2], const double u[2], scree_system** out)
{
    int number = block->flow ? scri_law_extended_by(SCREE_LAW_DEFAULT) : SCREE_LAW_DEFAULT;
    const uint8_t rows = SCREE_ROWS_NTT, law = (uint8_t)number;
    const double coef[3] = {1.0, 0.0, 0.0};
    const scree_set* sets[4] = {block->forces, block->flow, NULL, NULL};
    scree_system_def def = scree_default_system_def();
    def.model = (scree_system_model){
        .user = block, .mass = mass, .force = force, .gap = gap, .directions = directions};
    def.n = 3;
    def.n_contacts = 1;
    def.rows = &rows;
    def.law = &law;
    def.coef = coef;
    def.set = sets;
    def.step = block->step;
    def.tol = block->tol;
    return scree_system_create(env, &def, 0.0, (double[]){q[0], q[1], 0.0},
                               (double[]){u[0], u[1], 0.0}, out);
}

scree_set_def scri_planar_shape(const double axes[2], double roundness, double angle)
{
    return (scree_set_def){.kind = roundness == 2.0 ? SCREE_SET_ELLIPSE : SCREE_SET_SUPERELLIPSE,
                           .a = axes[0],
                           .b = axes[1],
                           .s = roundness,
                           .angle = angle,
                           .scale = 1.0};
}

scree_status scri_planar_fit(const scree_env* env, scree_set_def def, const scree_set* outer,
                             scree_set** out)
{
    scree_set* trial = NULL;
    scree_status status = scree_set_create(env, &def, &trial);
    if (status) return status;
    def.scale *= scree_set_fit(trial, outer);
    scree_set_destroy(trial);
    return scree_set_create(env, &def, out);
}
