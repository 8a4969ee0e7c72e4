/* Numbers that stand for whole motions: every state, contact, joint and report of a world. */
#ifndef SUPPORT_MOTIONS_H
#define SUPPORT_MOTIONS_H

#include "support/bits.h"
#include "support/guard.h"
#include "support/insides.h"
#include "support/mechanisms.h"

/* Numbers to a share of 2^-30 of a unit, where the last digit belongs to the C library (angles of
 * joints, say): what differs by rounding alone is the same. */
static inline uint64_t mix_rounded(uint64_t hash, const double* x, size_t n)
{
    for (size_t i = 0; i < n; ++i) {
        double whole = floor(1073741824.0 * x[i] + 0.5) + 0.0; /* no negative zero */
        hash = mix_bits(hash, &whole, 1);
    }
    return hash;
}

static inline uint64_t mix_step(uint64_t hash, const scree_step_report* r, mixing* mix)
{
    const scree_certificate* judged = &r->certificate;
    const scree_report* solve = &r->solve;
    const scree_infeasibility* proof = &solve->infeasible; /* as it is documented */
    require(proof->n_contacts == 0 || proof->bound >= 1e9, "a bound of %g proves nothing",
            proof->bound);
    uint64_t method = BITS_BEGIN;
    for (const char* letter = solve->solver; *letter; ++letter) {
        method = (method ^ (uint64_t)*letter) * 0x100000001b3u;
    }
    const double all[] = {judged->residual,
                          judged->local,
                          (double)judged->worst_contact,
                          (double)judged->local_contact,
                          (double)method,
                          solve->residual,
                          (double)solve->fail_safe,
                          (double)solve->n_stages,
                          proof->approach,
                          r->certificate.normal_violation,
                          r->certificate.cone_violation,
                          r->certificate.complementarity,
                          r->certificate.dissipation[0],
                          r->certificate.dissipation[1],
                          r->certificate.dissipation[2],
                          (double)r->n_contacts,
                          (double)r->solve.outcome,
                          (double)r->solve.iterations,
                          (double)r->solve.updates,
                          (double)proof->n_contacts,
                          r->approach,
                          r->penetration,
                          r->overlap_share,
                          (double)r->n_stopped,
                          (double)r->overlap_body[0],
                          (double)r->overlap_body[1],
                          r->kinetic,
                          r->potential,
                          r->contact_work,
                          r->overlap_work,
                          r->force_work,
                          (double)r->n_parts,
                          (double)r->worst_body,
                          (double)r->n_joints,
                          (double)r->n_broken,
                          r->joint_gap,
                          r->joint_turn,
                          (double)r->n_in_trees};
    return mix(hash, all, sizeof all / sizeof *all);
}

/* What the solver was given. Points at joints are not used. */
static inline uint64_t mix_problem(uint64_t hash, const scree_problem* p, mixing* mix)
{
    const scree_bodies* b = &p->bodies;
    size_t n = (size_t)p->n_contacts, rows = (size_t)scree_problem_n_rows(p);
    const double has[] = {(double)p->n_contacts, (double)(p->set != NULL),
                          (double)(p->compliance != NULL), (double)(b->general != NULL)};
    hash = mix(hash, has, sizeof has / sizeof *has);
    hash = mix(hash, p->coef, 3 * n);
    hash = mix(hash, p->q, rows);
    if (p->compliance) hash = mix(hash, p->compliance, rows);
    for (size_t c = 0; c < n; ++c) {
        const double kind[] = {(double)p->rows[c], (double)p->law[c]};
        hash = mix(hash, kind, 2);
        if (b->general && b->general[c] >= 0) continue;
        hash = mix(hash, b->frame + 9 * c, 9);
        hash = mix(hash, b->arm + 6 * c, 6);
    }
    return hash;
}

static inline uint64_t mix_world(uint64_t hash, const scree_world* world, mixing* mix)
{
    scree_world_view v = scree_world_get_view(world);
    size_t n = (size_t)v.n_bodies, rows = v.problem ? (size_t)scree_problem_n_rows(v.problem) : 0;
    hash = mix(hash, v.position, 3 * n);
    hash = mix(hash, v.rotation, 4 * n);
    hash = mix(hash, v.velocity, 3 * n);
    hash = mix(hash, v.angular_velocity, 3 * n);
    if (v.problem) hash = mix_problem(hash, v.problem, mix);
    hash = mix(hash, v.impulse, rows);
    hash = mix(hash, v.give, rows);
    hash = mix(hash, v.gap, (size_t)v.n_contacts);
    hash = mix(hash, v.point, 3 * (size_t)v.n_contacts);
    for (int32_t c = 0; c < scree_world_contact_count(world); ++c) {
        scree_contact contact;
        assert_int_equal(scree_world_get_contact(world, c, &contact), SCREE_OK);
        hash = mix(hash, contact.slip, 3);
    }
    for (int32_t k = 0; k < scree_world_count_joints(world); ++k) {
        scree_joint_id id = scree_world_joint_at(world, k);
        if (id.index1 == 0) continue;
        scree_joint_state s = joint_now(world, id);
        hash = mix(hash, s.coordinate, 3);
        hash = mix(hash, s.rate, 3);
        hash = mix(hash, s.effort, 3);
        hash = mix(hash, s.force, 3);
        hash = mix(hash, s.torque, 3);
    }
    return hash;
}

static inline uint64_t mix_steps(uint64_t hash, scree_world* world, int steps, mixing* mix)
{
    for (int s = 0; s < steps; ++s) {
        scree_step_report report = step_any(world);
        hash = mix_world(mix_step(hash, &report, mix), world, mix);
        hash = mix_inside(hash, world, mix);
    }
    return hash;
}

/* Worlds for this, one at a time, in guarded memory. */
static guard motion_memory;

static inline scree_world* guarded_world(scree_world_def def, scree_material material)
{
    scree_world* world = NULL;
    int32_t unused;
    scree_env env = guard_env(&motion_memory);
    assert_int_equal(scree_world_create(&env, &def, &world), SCREE_OK);
    assert_int_equal(scree_world_add_material(world, &material, &unused), SCREE_OK);
    return world;
}

static inline int32_t add_material(scree_world* world, scree_material material)
{
    int32_t number;
    assert_int_equal(scree_world_add_material(world, &material, &number), SCREE_OK);
    return number;
}

static inline void end_world(scree_world* world)
{
    scree_world_destroy(world);
    require_guarded(&motion_memory);
}

/* A body of the shape and a density of 2000 kg/m^3. */
static inline scree_body_id put_body(scree_world* world, scree_body_kind kind, scree_shape shape,
                                     const double at[3], const double velocity[3])
{
    scree_body_def def = body_of(&shape, 2000.0);
    scree_body_id id;
    def.kind = kind;
    memcpy(def.position, at, sizeof def.position);
    if (velocity) memcpy(def.velocity, velocity, sizeof def.velocity);
    assert_int_equal(scree_world_add_body(world, &def, 1, &shape, &id), SCREE_OK);
    return id;
}

/* What a table of promises says, and what was found. */
typedef struct motion_promise {
    const char* what;
    uint64_t kept, promised;
} motion_promise;

static inline void require_kept(const motion_promise* promises, size_t n)
{
    int broken = 0;
    for (size_t i = 0; i < n; ++i) {
        print_message("%-28s 0x%016llx\n", promises[i].what, (unsigned long long)promises[i].kept);
        broken += promises[i].kept != promises[i].promised;
    }
    assert_int_equal(broken, 0);
}

#endif
