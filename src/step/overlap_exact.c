/* The pushes of sets of touches where sweeps do not end: stacks bend in ways that they hardly see,
 * and a corner that is left open by a ten-thousandth of the size sets the stack rocking.
 *
 * With P = nu - least, 0 <= gap + trigger / 2  _|_  P >= 0 is the problem of contacts without
 * friction whose free velocity is the gap without pushes, and the methods for such problems solve
 * it.
 *
 * Small sets are solved side by side, each by one worker in memory that the caller has asked for;
 * large ones one after the other. Which way a set goes depends on its size alone. */
#include "base/bump.h"
#include "laws/law.h"
#include "solvers/solve.h"
#include "step/overlap.h"
#include "step/step.h"

#include <string.h>

enum { ITERATIONS = 60 };

/* Sets of so many touches have at most one body more, and their systems are factored as dense ones,
 * which needs nobody's memory. */
enum { SMALL = SCRI_SMALL_SET, SMALL_ROWS = 6 * (SMALL + 1) };

/* Larger ones are left as sweeps leave them: factors cost more than a step may. */
enum { MOST_TOUCHES = 400 };

/* Bytes that each worker has for a small set: two dense matrices, and what lists and vectors take.
 */
enum { ROOM = 2 * 8 * SMALL_ROWS * SMALL_ROWS + (1 << 19) };

/* Of the gaps that are there: a hundredth of the trigger where they are a hundredth of the size. */
#define TOLERANCE 1e-8

/* What a worker has for one small set. */
typedef struct small_set {
    int32_t was[SMALL], first_row[SMALL + 1], general[SMALL], pair[2 * SMALL], body[2 * SMALL];
    uint8_t rows[SMALL], law[SMALL];
    double frame[9 * SMALL], arm[6 * SMALL], coef[3 * SMALL], q[SMALL], p[SMALL];
    double inv_mass[2 * SMALL], inv_inertia[12 * SMALL];
    size_t used;         /* of `room` */
    unsigned char* room; /* [ROOM] of the methods: their workspace and what they ask for */
} small_set;

/* A set as a problem: in the tables of the world, or in those of a small set. */
typedef struct exact_set {
    scree_world* world;
    const scri_touch* touches;
    scri_contacts_table* contacts;
    scri_members_table* members;
    const scree_solver_def* def; /* of the world */
    small_set* small;            /* NULL: it is large */
} exact_set;

/* Adds a push to the shift of the bodies that respond. */
static void move(scree_world* world, const scri_push* push, double by)
{
    const scri_bodies_table* b = &world->bodies;
    for (int side = 0; side < 2; ++side) {
        size_t body = (size_t)push->body[side];
        for (size_t j = 0; j < 6 && b->inv_mass[body] > 0.0; ++j) {
            b->shift[6 * body + j] += by * push->answer[6 * (size_t)side + j];
        }
    }
}

/* The number of a body among the members, of which it becomes one if it is none yet. Those that do
 * not respond may be in several sets: nothing is noted at them. */
static int32_t member_of(const exact_set* set, int32_t body)
{
    const scri_bodies_table* b = &set->world->bodies;
    scri_members_table* m = set->members;
    int responds = b->inv_mass[body] > 0.0;
    int32_t place = responds ? b->place[body] : -1;
    for (int32_t i = 0; i < m->n && !responds && place < 0; ++i) {
        if (m->body[i] == body) place = i;
    }
    if (place >= 0) return place;
    place = m->n++;
    if (responds) b->place[body] = place;
    m->body[place] = body;
    m->inv_mass[place] = b->inv_mass[body];
    memcpy(m->inv_inertia + 6 * (size_t)place, b->inv_inertia_world + 6 * (size_t)body,
           6 * sizeof *m->inv_inertia);
    return place;
}

/* The listed touches of the set, in order, as contacts; their number in the list of pushed ones in
 * `was`. */
static void list_set(const exact_set* set, int32_t root)
{
    scree_world* world = set->world;
    const scri_pushes_table* s = &world->pushes;
    scri_contacts_table* t = set->contacts;
    const int32_t* first = world->bodies.first_pushed + root;
    t->n = 0;
    set->members->n = 0;
    for (int32_t j = first[0]; j < first[1]; ++j) {
        int32_t k = s->by_root[j];
        const scri_touch* touch = &set->touches[s->touch[k]];
        size_t c = (size_t)t->n;
        t->was[c] = k;
        t->first_row[c] = t->n++;
        t->rows[c] = SCREE_ROWS_N;
        t->law[c] = SCRI_LAW_THAT_RUBS; /* without friction */
        t->general[c] = -1;
        memset(t->coef + 3 * c, 0, 3 * sizeof *t->coef);
        memset(t->frame + 9 * c, 0, 9 * sizeof *t->frame);
        memcpy(t->frame + 9 * c, touch->normal, 3 * sizeof *t->frame);
        for (int side = 0; side < 2; ++side) {
            size_t at = 2 * c + (size_t)side;
            t->pair[at] = member_of(set, scri_touch_body(world, touch, side));
            scri_vec_store(scri_touch_arm(world, touch, side), t->arm + 3 * at);
        }
    }
    t->first_row[t->n] = t->n;
    for (int32_t i = 0; i < set->members->n; ++i) {
        int32_t body = set->members->body[i];
        if (world->bodies.inv_mass[body] > 0.0) world->bodies.place[body] = -1;
    }
}

/* Sets the shift to that of the least pushes, and with them q; the guess is what sweeps have. */
static void write_problem(const exact_set* set)
{
    scree_world* world = set->world;
    const scri_pushes_table* s = &world->pushes;
    const scri_contacts_table* t = set->contacts;
    scri_motion shift = scri_motion_of(world->bodies.shift, 6);
    for (int32_t c = 0; c < t->n; ++c) {
        const scri_push* push = &s->push[t->was[c]];
        t->p[c] = push->push - push->least;
        move(world, push, -t->p[c]);
    }
    for (int32_t c = 0; c < t->n; ++c) {
        int32_t k = t->was[c];
        const scri_touch* touch = &set->touches[s->touch[k]];
        double rest = 0.5 * s->push[k].limit;
        t->q[c] = s->push[k].gap + rest + scri_touch_normal(world, touch, shift);
    }
}

/* ---- memory of small sets -------------------------------------------------------------------- */

static void* take_room(void* user, size_t size)
{
    small_set* small = user;
    size_t at = small->used;
    size = (size + 63) / 64 * 64;
    if (size > ROOM - at) return NULL;
    small->used += size;
    return small->room + at;
}

static void keep_room(void* user, void* memory)
{
    (void)user; /* all of it is taken back when the next method begins */
    (void)memory;
}

/* Nobody asks how long a small set takes. */
static double no_time(void* user)
{
    (void)user;
    return 0.0;
}

/* The workspace of a method; NULL where there is none. */
static void* workspace(const exact_set* set, size_t size)
{
    if (!set->small) {
        return scri_desk_reserve(&set->world->desk, size) ? NULL : set->world->desk.work;
    }
    set->small->used = 0;
    return take_room(set->small, size);
}

/* ---- solving --------------------------------------------------------------------------------- */

static int is_solved(const exact_set* set)
{
    const scri_members_table* m = set->members;
    scree_problem problem = scri_step_problem(set->contacts, m->n, m->inv_mass, m->inv_inertia);
    static const char* const methods[] = {"newton-prox", "interior", "newton-prox"};
    const scree_env own = {
        .alloc = take_room, .release = keep_room, .user = set->small, .clock = no_time};
    const scree_env* env = set->small ? &own : scri_pool_env(set->world->pool);
    scri_team* team = set->small ? NULL : set->world->team;
    scree_report report = {.outcome = SCREE_OUTCOME_STALLED};
    for (int i = 0; i < 3 && report.outcome != SCREE_OUTCOME_CONVERGED; ++i) {
        scree_solver_def def = *set->def;
        scri_solver_def_turn_to(&def, methods[i]);
        def.measure = SCREE_MEASURE_SCREE;
        def.tol = TOLERANCE;
        def.normal_tol = scree_default_solver_def().normal_tol;
        def.max_iter = ITERATIONS;
        if (scree_solver_unfit(env, &problem, &def)) return 0;
        void* work = workspace(set, scree_solve_work_size(env, &problem, &def));
        if (!work) return 0;
        if (scri_solve(env, &problem, &def, team, work, set->contacts->p, &report)) return 0;
    }
    return report.outcome == SCREE_OUTCOME_CONVERGED;
}

static void solve_set(const exact_set* set, int32_t root)
{
    const scri_contacts_table* t = set->contacts;
    scri_pushes_table* s = &set->world->pushes;
    list_set(set, root);
    write_problem(set);
    int solved = is_solved(set);
    for (int32_t c = 0; c < t->n; ++c) {
        scri_push* push = &s->push[t->was[c]];
        if (solved) push->push = t->p[c] + push->least;
        move(set->world, push, push->push - push->least);
    }
}

static void solve_large(scree_world* world, const scri_touch* touches, int32_t root, int32_t n)
{
    const scree_env* env = &world->env;
    if (n > MOST_TOUCHES || !scri_desk_reserve_contacts(&world->desk, n) ||
        !scri_members_table_reserve(env, &world->desk.members, world->bodies.n)) {
        return;
    }
    scree_solver_def def = scri_step_solver(world);
    solve_set(&(exact_set){world, touches, &world->desk.contacts, &world->desk.members, &def, NULL},
              root);
}

/* Small sets with these roots; the memory of each worker. */
typedef struct small_sets {
    scree_world* world;
    const scri_touch* touches;
    const int32_t* root;
    scree_solver_def def;
    small_set* small;
} small_sets;

static void solve_small(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const small_sets* all = context;
    small_set* small = all->small + worker;
    scri_contacts_table contacts = {.was = small->was,
                                    .first_row = small->first_row,
                                    .general = small->general,
                                    .pair = small->pair,
                                    .rows = small->rows,
                                    .law = small->law,
                                    .frame = small->frame,
                                    .arm = small->arm,
                                    .coef = small->coef,
                                    .q = small->q,
                                    .p = small->p};
    scri_members_table members = {
        .body = small->body, .inv_mass = small->inv_mass, .inv_inertia = small->inv_inertia};
    exact_set set = {all->world, all->touches, &contacts, &members, &all->def, small};
    for (int32_t i = begin; i < end; ++i) solve_set(&set, all->root[i]);
}

/* The memory of all workers; the first of them, or NULL while only counting. */
static small_set* lay_out(scri_bump* bump, size_t workers)
{
    small_set* small = scri_bump_take(bump, workers, sizeof *small);
    for (size_t i = 0; i < workers; ++i) {
        unsigned char* room = scri_bump_take_lines(bump, ROOM);
        if (small) small[i].room = room;
    }
    return small;
}

static void solve_all_small(scree_world* world, const scri_touch* touches, const int32_t* root,
                            int32_t n)
{
    enum { GRAIN = 1 };
    size_t workers = (size_t)scri_team_size(world->team);
    scri_bump size = {NULL, 0};
    lay_out(&size, workers);
    if (scri_desk_reserve(&world->desk, size.used)) return;
    scri_bump bump = {world->desk.work, 0};
    small_set* small = lay_out(&bump, workers);
    small_sets all = {world, touches, root, scri_step_solver(world), small};
    all.def.progress = NULL; /* workers call nothing of the host's */
    all.def.watch = NULL;
    scri_team_for(world->team, n, GRAIN, solve_small, &all);
    scri_moat_fill(world->desk.work, size.used);
}

void scri_overlap_solve(scree_world* world, const scri_touch* touches, const int32_t* root,
                        int32_t n)
{
    const int32_t* first = world->bodies.first_pushed;
    int32_t* small = world->pushes.root_work;
    int32_t n_small = 0;
    for (int32_t i = 0; i < n; ++i) {
        int32_t size = first[root[i] + 1] - first[root[i]];
        if (size <= SMALL) {
            small[n_small++] = root[i];
        } else {
            solve_large(world, touches, root[i], size);
        }
    }
    if (n_small > 0) solve_all_small(world, touches, small, n_small);
}
