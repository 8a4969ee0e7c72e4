/* The materials of a world: checked, kept with copies of their sets, and paired. */
#include "world/materials.h"

#include "laws/foundation.h"
#include "laws/law.h"
#include "world/world.h"

#include <math.h>

/* ---- checks ---- */

static scree_status check_sets(const scree_env* env, scree_law law, const char* name,
                               const scree_set* force, const scree_set* direction)
{
    if (!force && !direction) return SCREE_OK;
    const char* law_name = scree_law_name((int)law);
    if (!(scree_law_traits((int)law) & SCREE_LAW_MAY_HAVE_SETS)) {
        return scri_fail(env, SCREE_ERROR_INPUT, "%s: the law %s has no sets", name, law_name);
    }
    int is_convex = !force || scree_set_is_convex(force);
    if (direction && !scree_set_is_convex(direction)) {
        return scri_fail(env, SCREE_ERROR_INPUT, "%s: the set of directions is not convex", name);
    }
    double of_force = force ? force->value.spin_power : 0.0;
    if (direction && (of_force > 0.0) != (direction->value.spin_power > 0.0)) {
        return scri_fail(env, SCREE_ERROR_INPUT,
                         "%s: the sets of forces and of directions both have a spin power, or none",
                         name);
    }
    if (of_force > 0.0 && strcmp(name, "rolling") == 0) {
        return scri_fail(env, SCREE_ERROR_INPUT, "%s: has no spin power", name);
    }
    int has_flow = force && !direction && scri_set_has_flow(force);
    if (scri_law_extended_by((int)law) < 0 && (direction || has_flow || !is_convex)) {
        return scri_fail(env, SCREE_ERROR_INPUT,
                         "%s: the law %s takes a convex set and no directions; the law %s takes "
                         "both",
                         name, law_name, scree_law_name(SCREE_LAW_DEFAULT));
    }
    if (!is_convex && !direction && !has_flow) {
        return scri_fail(env, SCREE_ERROR_INPUT,
                         "%s: the set is not convex, so that it needs a set of directions", name);
    }
    return SCREE_OK;
}

static scree_status check_ground(const scree_env* env, scree_law law, const scree_material* m)
{
    if (!scri_has_ground(m)) return SCREE_OK;
    if (m->rolling || m->rolling_direction) {
        return scri_fail(env, SCREE_ERROR_INPUT,
                         "rolling: a viscous foundation takes the place of sets of rolling");
    }
    if (!(scree_law_traits((int)law) & SCREE_LAW_HAS_CHANNELS)) {
        return scri_fail(env, SCREE_ERROR_INPUT, "rolling: the law %s has no viscous foundation",
                         scree_law_name((int)law));
    }
    scri_ground ground = {
        .k = m->ground.stiffness, .gamma = m->ground.damping, .m = m->ground.mass};
    return scri_ground_check(env, &ground);
}

static scree_status check_slip(const scree_env* env, scree_law law, const scree_material* m)
{
    static const char* const name[3] = {"mu", "mu_r", "mu_s"};
    const double in_motion[3] = {m->mu, m->mu_r, m->mu_s};
    int has_slip = 0;
    for (int k = 0; k < SCRI_CHANNELS; ++k) {
        const scree_slip* slip = m->slip + k;
        has_slip |= scri_has_slip(m, k);
        if (!(slip->at_rest >= 0.0 && slip->rate >= 0.0 && slip->viscous >= 0.0 &&
              isfinite(slip->at_rest + slip->rate + slip->viscous))) {
            return scri_fail(env, SCREE_ERROR_INPUT,
                             "%s at rest = %g, its rate %g and its viscous part %g must be finite "
                             "and not negative",
                             name[k], slip->at_rest, slip->rate, slip->viscous);
        }
        if (slip->at_rest != 0.0 && slip->at_rest < in_motion[k]) {
            return scri_fail(env, SCREE_ERROR_INPUT, "%s = %g at rest is below the %g of motion",
                             name[k], slip->at_rest, in_motion[k]);
        }
    }
    if (has_slip && !(scree_law_traits((int)law) & SCREE_LAW_HAS_CHANNELS)) {
        return scri_fail(env, SCREE_ERROR_INPUT, "the law %s has no friction that depends on slip",
                         scree_law_name((int)law));
    }
    if (scri_has_ground(m) && scri_has_slip(m, SCRI_ROLL)) {
        return scri_fail(env, SCREE_ERROR_INPUT,
                         "rolling: a viscous foundation takes the place of friction that depends "
                         "on the rate of rolling");
    }
    return SCREE_OK;
}

static scree_status check_friction(const scree_env* env, scree_law law, const scree_material* m)
{
    if (!(m->mu >= 0.0 && m->mu_r >= 0.0 && m->mu_s >= 0.0 &&
          isfinite(m->mu + m->mu_r + m->mu_s))) {
        return scri_fail(env, SCREE_ERROR_INPUT,
                         "mu = %g, mu_r = %g m, mu_s = %g m must be finite and not negative", m->mu,
                         m->mu_r, m->mu_s);
    }
    if (m->contour && (scri_has_slip(m, SCRI_ROLL) || scri_has_ground(m) ||
                       (m->lay[0] == 0.0 && m->lay[1] == 0.0 && m->lay[2] == 0.0))) {
        return scri_fail(env, SCREE_ERROR_INPUT,
                         "contour: friction along a contour needs a lay, the axis of the disc, and "
                         "neither ground nor rolling friction that depends on slip");
    }
    if (!(m->mu_r_share >= 0.0 && m->mu_s_share >= 0.0 &&
          isfinite(m->mu_r_share + m->mu_s_share))) {
        return scri_fail(env, SCREE_ERROR_INPUT,
                         "mu_r_share = %g, mu_s_share = %g must be finite and not negative",
                         m->mu_r_share, m->mu_s_share);
    }
    if ((m->mu_r_share > 0.0 && scri_has_slip(m, SCRI_ROLL)) ||
        (m->mu_s_share > 0.0 && scri_has_slip(m, SCRI_SPIN))) {
        return scri_fail(env, SCREE_ERROR_INPUT,
                         "a share of the radius goes with no friction that depends on slip");
    }
    if (!(m->restitution >= 0.0 && m->restitution <= 1.0)) {
        return scri_fail(env, SCREE_ERROR_INPUT, "restitution = %g must be from 0 to 1",
                         m->restitution);
    }
    if (!isfinite(m->lay[0]) || !isfinite(m->lay[1]) || !isfinite(m->lay[2])) {
        return scri_fail(env, SCREE_ERROR_INPUT, "the lay is not finite");
    }
    scree_status status = check_sets(env, law, "sliding", m->sliding, m->direction);
    if (!status) status = check_sets(env, law, "rolling", m->rolling, m->rolling_direction);
    if (!status) status = check_slip(env, law, m);
    return status ? status : check_ground(env, law, m);
}

static scree_status check_softness(const scree_env* env, const scree_material* m)
{
    if (!(m->stiffness >= 0.0 && m->damping >= 0.0 && m->young >= 0.0 &&
          isfinite(m->stiffness + m->damping + m->young))) {
        return scri_fail(env, SCREE_ERROR_INPUT,
                         "stiffness = %g, damping = %g and young = %g must be finite and not "
                         "negative",
                         m->stiffness, m->damping, m->young);
    }
    if (!(m->poisson >= 0.0 && m->poisson <= 0.5)) {
        return scri_fail(env, SCREE_ERROR_INPUT, "poisson = %g must be from 0 to 0.5", m->poisson);
    }
    if (m->stiffness > 0.0 && m->young > 0.0) {
        return scri_fail(env, SCREE_ERROR_INPUT,
                         "a stiffness of %g N/m and a modulus of %g Pa exclude each other",
                         m->stiffness, m->young);
    }
    if (m->damping > 0.0 && m->stiffness == 0.0 && m->young == 0.0) {
        return scri_fail(env, SCREE_ERROR_INPUT, "damping goes with stiffness or young");
    }
    if ((m->stiffness > 0.0 || m->young > 0.0) && m->restitution > 0.0) {
        return scri_fail(env, SCREE_ERROR_INPUT,
                         "contacts that yield have damping in place of restitution");
    }
    return SCREE_OK;
}

scree_status scri_material_check(const scree_env* env, scree_law law, const scree_material* m)
{
    scree_status status = check_friction(env, law, m);
    return status ? status : check_softness(env, m);
}

/* ---- copies ---- */

/* The places of a material's sets, in the order of scri_pair.set. */
static const scree_set** set_of(scree_material* m, int k)
{
    const scree_set** place[SCRI_SETS] = {&m->sliding, &m->direction, &m->rolling,
                                          &m->rolling_direction};
    return place[k];
}

/* Sets are never changed, but given back by their owner. */
static void release_sets(scree_material* m)
{
    for (int k = 0; k < SCRI_SETS; ++k) {
        const scree_set* set = *set_of(m, k);
        scree_env env = set ? set->env : (scree_env){0};
        if (set) scri_release(&env, set->memory);
    }
}

static scree_status copy_material(const scree_env* env, const scree_material* from,
                                  scree_material* out)
{
    scree_material source = *from;
    scree_status status = SCREE_OK;
    *out = source;
    for (int k = 0; k < SCRI_SETS; ++k) *set_of(out, k) = NULL;
    for (int k = 0; !status && k < SCRI_SETS; ++k) {
        const scree_set* set = *set_of(&source, k);
        scree_set* copy = NULL;
        if (set) status = scri_set_clone(env, set, &copy);
        /* C stands before its D, and may bring it with it */
        if (!set && k % 2 && *set_of(&source, k - 1)) {
            status = scree_set_flow(env, *set_of(&source, k - 1), &copy);
        }
        *set_of(out, k) = copy;
    }
    if (status) release_sets(out);
    return status;
}

/* ---- the pool ---- */

/* Adds the sets of a material to the pool where there is room for them; how many more would need
 * room is counted in any case. */
typedef struct pooling {
    scri_set_pool* pool; /* NULL: only count */
    int32_t n;
    int64_t n_table;
} pooling;

static void pool_material(pooling* p, const scree_material* m)
{
    scree_material source = *m;
    for (int k = 0; k < SCRI_SETS; ++k) {
        const scree_set* set = *set_of(&source, k);
        if (!set) continue;
        p->n += 1;
        p->n_table += scree_set_table_size(set);
        scree_set* own = set->memory;
        if (p->pool) own->place = scri_set_pool_add(p->pool, set);
    }
}

static void pool_all(const scree_world* world, pooling* p)
{
    for (int32_t a = 0; a < world->n_materials; ++a) {
        pool_material(p, world->materials + a);
        for (int32_t b = 0; b <= a; ++b) {
            const scri_pair* pair = scri_world_pair(world, a, b);
            if (pair->is_given) pool_material(p, &pair->material);
        }
    }
}

/* Room for all sets there are and those of one more material. */
static int reserve_pool(scree_world* world, const scree_material* more)
{
    pooling p = {.pool = NULL};
    pool_material(&p, more);
    if (p.n == 0 && world->n_own_sets == 0) return 1;
    pool_all(world, &p);
    return scri_set_pool_reserve(&world->env, &world->sets, p.n, p.n_table);
}

/* Sets may have come, with a new material, or gone: the problem of the last step, which has numbers
 * of theirs, is void. */
static void fill_pool(scree_world* world, const scree_material* new)
{
    pooling p = {.pool = NULL};
    int had_sets = world->n_own_sets > 0;
    pool_material(&p, new);
    if (p.n == 0 && !had_sets) return;
    p = (pooling){.pool = &world->sets};
    world->sets.n = world->sets.n_table = 0;
    pool_all(world, &p);
    world->n_own_sets = p.n;
    world->problem_is_current = 0;
}

/* ---- pairs ---- */

static scri_pair* pair_at(const scree_world* world, int32_t a, int32_t b)
{
    return world->pairs + (size_t)a * (size_t)world->materials_room + (size_t)b;
}

/* Writes the pair in both orders. The sets of what was given lie in the axes of `laid`. */
static void write_pair(scree_world* world, int32_t a, int32_t b, const scree_material* given,
                       int32_t laid)
{
    const scree_material *m[2] = {world->materials + a, world->materials + b}, *n[2] = {m[1], m[0]};
    *pair_at(world, a, b) = scri_pair_make(world->def.law, m, given, laid == a ? 0 : 1);
    if (a != b) *pair_at(world, b, a) = scri_pair_make(world->def.law, n, given, laid == b ? 0 : 1);
    world->has_sets |= pair_at(world, a, b)->has_sets;
    world->has_slip |= pair_at(world, a, b)->has_slip;
    world->is_soft |= pair_at(world, a, b)->is_soft;
}

/* The material against itself has its own coefficients, and its sets by the rule for two surfaces.
 */
static void write_pairs_of(scree_world* world, int32_t a)
{
    for (int32_t b = 0; b <= a; ++b) write_pair(world, a, b, NULL, a);
}

static void release_given(scri_pair* pair)
{
    if (pair->is_given) release_sets(&pair->material);
}

void scri_world_release_materials(scree_world* world)
{
    for (int32_t a = 0; a < world->n_materials; ++a) {
        release_sets(&world->materials[a]);
        for (int32_t b = 0; b <= a; ++b) release_given(pair_at(world, a, b));
    }
    scri_set_pool_release(&world->env, &world->sets);
    scri_release(&world->env, world->materials);
    scri_release(&world->env, world->pairs);
}

/* Room for one more. */
static scree_status grow(scree_world* world)
{
    const scree_env* env = &world->env;
    int32_t old = world->n_materials, n = 2 * old + 2;
    if (old < world->materials_room) {
        world->n_materials = old + 1;
        return SCREE_OK;
    }
    scree_material* materials = scri_alloc(env, (size_t)n * sizeof *materials);
    scri_pair* pairs = scri_alloc(env, (size_t)n * (size_t)n * sizeof *pairs);
    if (!materials || !pairs) {
        scri_release(env, materials);
        scri_release(env, pairs);
        return scri_fail(env, SCREE_ERROR_MEMORY, "out of memory for materials");
    }
    for (int32_t a = 0; a < old; ++a) {
        materials[a] = world->materials[a];
        for (int32_t b = 0; b < old; ++b) {
            pairs[(size_t)a * (size_t)n + (size_t)b] = *scri_world_pair(world, a, b);
        }
    }
    scri_release(env, world->materials);
    scri_release(env, world->pairs);
    world->materials = materials;
    world->pairs = pairs;
    world->materials_room = n;
    world->n_materials = old + 1;
    return SCREE_OK;
}

scree_status scree_world_add_material(scree_world* world, const scree_material* material,
                                      int32_t* out)
{
    if (!world) return SCREE_ERROR_ARGUMENT;
    const scree_env* env = &world->env;
    scree_material copy;
    if (!material || !out) {
        return scri_fail(env, SCREE_ERROR_ARGUMENT, "scree_world_add_material: a NULL pointer");
    }
    scree_status status = scri_material_check(env, world->def.law, material);
    if (!status) status = copy_material(env, material, &copy);
    if (status) return status;
    status = reserve_pool(world, &copy)
                 ? grow(world)
                 : scri_fail(env, SCREE_ERROR_MEMORY, "out of memory for the sets of materials");
    if (status) {
        release_sets(&copy);
        return status;
    }
    *out = world->n_materials - 1;
    world->materials[*out] = copy;
    write_pairs_of(world, *out);
    fill_pool(world, &copy);
    return SCREE_OK;
}

static int has_lay(const scree_material* m)
{
    return m->lay[0] != 0.0 || m->lay[1] != 0.0 || m->lay[2] != 0.0;
}

scree_status scree_world_set_pair(scree_world* world, int32_t a, int32_t b,
                                  const scree_material* pair)
{
    if (!world) return SCREE_ERROR_ARGUMENT;
    const scree_env* env = &world->env;
    scree_material copy;
    if (!pair) return scri_fail(env, SCREE_ERROR_ARGUMENT, "scree_world_set_pair: no pair");
    if (a < 0 || b < 0 || a >= world->n_materials || b >= world->n_materials) {
        return scri_fail(env, SCREE_ERROR_ARGUMENT, "no material has this number");
    }
    scree_status status = scri_material_check(env, world->def.law, pair);
    if (!status) status = copy_material(env, pair, &copy);
    if (status) return status;
    if (!reserve_pool(world, &copy)) {
        release_sets(&copy);
        return scri_fail(env, SCREE_ERROR_MEMORY, "out of memory for the sets of materials");
    }
    const scree_material* m = world->materials;
    release_given(pair_at(world, a, b));
    write_pair(world, a, b, &copy, !has_lay(&m[a]) && has_lay(&m[b]) ? b : a);
    fill_pool(world, &copy);
    return SCREE_OK;
}
