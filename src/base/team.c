#include "base/team.h"

#include "base/env.h"
#include "base/threads.h"

#include <stdatomic.h>
#include <string.h>

/* Every piece of work belongs to one worker's share, and anyone who has nothing left takes pieces
 * of others. A share is one word: the round that it belongs to, the next piece, the one behind its
 * last. Whoever can move it on has a piece of that round; the round then cannot end before the
 * piece is done, so that what there is to do may be read only now. */
enum { PIECE_BITS = 16, MOST_PIECES = (1 << PIECE_BITS) - 1 };

/* Looks at a share before a worker goes to sleep, and before it begins to let other threads run:
 * some 100 microseconds, and some 10. Sleepers are woken for work of so many pieces. */
enum { LOOKS = 4000, LOOKS_BEFORE_YIELD = 400, WORTH_WAKING = 16 };

/* A worker more than this pays for costs more to tell than it does. */
enum { PIECES_EACH = 2 };

/* Words that different workers write are on lines of their own, two of which are fetched at once.
 */
enum { APART = 128 };

typedef struct member {
    char before[APART];
    _Atomic uint64_t share;
    char between[APART];
    _Atomic uint64_t done; /* round, and how many pieces of it this worker has done */
    _Atomic int is_asleep; /* written under the mutex */
    scri_mutex mutex;
    scri_condition wake;
    scri_team* team;
    int32_t worker;
    scri_thread thread;
    char behind[APART];
} member;

/* What there is to do; it stands while any piece of it is not done. */
typedef struct task {
    scree_range* range;
    void* context;
    int32_t n, grain, pieces;
} task;

struct scri_team {
    scree_env env;
    int32_t size;    /* workers, the caller included */
    int32_t most;    /* of them that take part */
    int is_lent;     /* by the host: no threads */
    int32_t started; /* threads that run */
    member* members; /* [size] */
    uint32_t round;  /* grows by one with every task */
    task task;
    _Atomic int wakes; /* the task is worth waking who sleeps */
    _Atomic int quit;
};

static uint64_t share_of(uint32_t round, int32_t next, int32_t end)
{
    return (uint64_t)round << 32 | (uint64_t)next << PIECE_BITS | (uint64_t)end;
}

static uint32_t round_of(uint64_t word)
{
    return (uint32_t)(word >> 32);
}

/* The next piece of a share of `round`; -1 when there is none, or the round is over. */
static int32_t claim(member* m, uint32_t round)
{
    uint64_t at = atomic_load_explicit(&m->share, memory_order_acquire);
    for (;;) {
        int32_t next = (int32_t)(at >> PIECE_BITS & MOST_PIECES);
        int32_t end = (int32_t)(at & MOST_PIECES);
        if (round_of(at) != round || next >= end) return -1;
        uint64_t moved = share_of(round, next + 1, end);
        if (atomic_compare_exchange_weak_explicit(&m->share, &at, moved, memory_order_acq_rel,
                                                  memory_order_acquire)) {
            return next;
        }
    }
}

static void do_piece(const task* t, int32_t piece, int32_t worker)
{
    int32_t begin = piece * t->grain;
    int32_t end = piece + 1 == t->pieces ? t->n : begin + t->grain;
    t->range(t->context, begin, end, worker);
}

static void wake(member* m)
{
    if (!atomic_load_explicit(&m->is_asleep, memory_order_seq_cst)) return;
    scri_mutex_lock(&m->mutex);
    scri_condition_wake(&m->wake);
    scri_mutex_unlock(&m->mutex);
}

/* Each wakes at most two: the caller alone would need long for many. */
static void wake_next(scri_team* team, int32_t worker)
{
    for (int32_t k = 2 * worker + 1; k <= 2 * worker + 2 && k < team->most; ++k) {
        wake(&team->members[k]);
    }
}

static void tell_done(member* self, uint32_t round, int32_t done)
{
    atomic_store_explicit(&self->done, (uint64_t)round << 32 | (uint64_t)done,
                          memory_order_release);
}

/* One's own share first, then those of the others. What is done is told before one looks at theirs:
 * that takes as long as a piece where there are many, and the round may be over by then. */
static void take_part(scri_team* team, int32_t worker, uint32_t round)
{
    member* self = &team->members[worker];
    int32_t done = 0;
    if (atomic_load_explicit(&team->wakes, memory_order_relaxed)) wake_next(team, worker);
    for (int32_t k = 0; k < team->size; ++k) {
        member* m = &team->members[(worker + k) % team->size];
        int32_t before = done;
        for (int32_t piece; (piece = claim(m, round)) >= 0; ++done) {
            do_piece(&team->task, piece, worker);
        }
        if (done > before) tell_done(self, round, done);
    }
}

/* Until the share is of another round: awake for a while, then asleep. Returns that round. */
static uint32_t await_round(member* self, uint32_t seen)
{
    for (int looks = 0; looks < LOOKS; ++looks) {
        uint32_t round = round_of(atomic_load_explicit(&self->share, memory_order_acquire));
        if (round != seen) return round;
        if (atomic_load_explicit(&self->team->quit, memory_order_relaxed)) return seen;
        SCRI_RELAX();
        if (looks > LOOKS_BEFORE_YIELD) scri_thread_yield();
    }
    scri_mutex_lock(&self->mutex);
    atomic_store_explicit(&self->is_asleep, 1, memory_order_seq_cst);
    uint32_t round;
    while ((round = round_of(atomic_load(&self->share))) == seen &&
           !atomic_load(&self->team->quit)) {
        scri_condition_wait(&self->wake, &self->mutex);
    }
    atomic_store_explicit(&self->is_asleep, 0, memory_order_seq_cst);
    scri_mutex_unlock(&self->mutex);
    return round;
}

static scri_thread_end SCRI_THREAD_CALL serve(void* argument)
{
    member* self = argument;
    uint32_t seen = 0;
    for (;;) {
        uint32_t round = await_round(self, seen);
        if (round == seen) return 0;
        seen = round;
        take_part(self->team, self->worker, round);
    }
}

/* ---- the caller's side ----------------------------------------------------------------------- */

static scree_status create_lent(const scree_env* env, int32_t workers, scri_team** out)
{
    scri_team* team = scri_alloc(env, sizeof *team);
    if (!team) return SCREE_ERROR_MEMORY;
    *team = (scri_team){.env = *env, .size = workers, .most = workers, .is_lent = 1};
    *out = team;
    return SCREE_OK;
}

static void prepare(scri_team* team, int32_t worker)
{
    member* m = &team->members[worker];
    atomic_init(&m->share, 0);
    atomic_init(&m->done, 0);
    atomic_init(&m->is_asleep, 0);
    scri_mutex_init(&m->mutex);
    scri_condition_init(&m->wake);
    m->team = team;
    m->worker = worker;
}

scree_status scri_team_create(const scree_env* env, int32_t workers, scri_team** out)
{
    *out = NULL;
    if (env && env->parallel_for) return create_lent(env, workers, out);
    scri_team* team = scri_alloc(env, sizeof *team);
    member* members = scri_alloc(env, (size_t)workers * sizeof *members);
    if (!team || !members) {
        scri_release(env, team);
        scri_release(env, members);
        return SCREE_ERROR_MEMORY;
    }
    *team = (scri_team){.env = env ? *env : (scree_env){0}, .size = workers, .members = members};
    scri_team_spread(team, scri_cores());
    for (int32_t i = 0; i < workers; ++i) prepare(team, i);
    for (int32_t i = 1; i < workers; ++i) {
        if (!scri_thread_start(&members[i].thread, serve, &members[i])) {
            scri_team_destroy(team);
            return SCREE_ERROR_MEMORY;
        }
        team->started = i;
    }
    *out = team;
    return SCREE_OK;
}

static void release(scri_team* team)
{
    scree_env env = team->env;
    scri_release(&env, team->members);
    scri_release(&env, team);
}

void scri_team_destroy(scri_team* team)
{
    if (!team) return;
    if (team->is_lent) {
        release(team);
        return;
    }
    atomic_store(&team->quit, 1);
    for (int32_t i = 1; i <= team->started; ++i) {
        member* m = &team->members[i];
        scri_mutex_lock(&m->mutex); /* it may be about to sleep */
        scri_condition_wake(&m->wake);
        scri_mutex_unlock(&m->mutex);
        scri_thread_join(m->thread);
    }
    for (int32_t i = 0; i < team->size; ++i) {
        scri_condition_destroy(&team->members[i].wake);
        scri_mutex_destroy(&team->members[i].mutex);
    }
    release(team);
}

int32_t scri_team_size(const scri_team* team)
{
    return team ? team->size : 1;
}

void scri_team_spread(scri_team* team, int32_t workers)
{
    int32_t all = scri_team_size(team);
    team->most = workers < all ? workers : all;
}

/* The host's workers take pieces by number. */
static void do_pieces(void* context, int32_t begin, int32_t end, int32_t worker)
{
    for (int32_t k = begin; k < end; ++k) do_piece(context, k, worker);
}

/* Hands out shares of a task to `active` workers, the caller among them. One who goes to sleep at
 * this moment may miss it, and sleeps until a later task: others do its share. */
static void hand_out(scri_team* team, const task* t, int32_t active)
{
    uint32_t round = ++team->round;
    team->task = *t;
    for (int32_t k = active - 1; k >= 0; --k) {
        int32_t begin = (int32_t)((int64_t)t->pieces * k / active);
        int32_t end = (int32_t)((int64_t)t->pieces * (k + 1) / active);
        atomic_store_explicit(&team->members[k].share, share_of(round, begin, end),
                              memory_order_release);
    }
}

/* Pieces of this round that are done. */
static int32_t pieces_done(const scri_team* team)
{
    int32_t sum = 0;
    for (int32_t k = 0; k < team->size; ++k) {
        uint64_t done = atomic_load_explicit(&team->members[k].done, memory_order_acquire);
        if (round_of(done) == team->round) sum += (int32_t)(uint32_t)done;
    }
    return sum;
}

static void do_task(scri_team* team, const task* t, int32_t active, int wakes)
{
    atomic_store_explicit(&team->wakes, wakes, memory_order_relaxed);
    hand_out(team, t, active);
    take_part(team, 0, team->round);
    for (int looks = 0; pieces_done(team) < t->pieces; ++looks) {
        SCRI_RELAX();
        if (looks > LOOKS_BEFORE_YIELD) scri_thread_yield();
    }
}

void scri_team_for(scri_team* team, int32_t n, int32_t grain, scree_range* range, void* context)
{
    if (n < 1) return;
    int32_t least = n / MOST_PIECES + 1; /* pieces are numbered in few bits */
    if (grain < least) grain = (least + grain - 1) / grain * grain;
    task t = {range, context, n, grain, (n - 1) / grain + 1};
    int32_t active = (t.pieces + 1) / PIECES_EACH;
    if (team && team->most < active) active = team->most;
    if (!team || active < 2) {
        range(context, 0, n, 0);
    } else if (team->is_lent) {
        team->env.parallel_for(team->env.user, t.pieces, do_pieces, &t);
    } else {
        do_task(team, &t, active, t.pieces >= WORTH_WAKING);
    }
}

/* Bytes of one piece: it takes about as long to bring them. */
enum { COPIED_AT_ONCE = 1 << 15 };

typedef struct copying {
    unsigned char* to;
    const unsigned char* from; /* NULL: zeros */
    size_t bytes;
} copying;

static void copy_pieces(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const copying* all = context;
    (void)worker;
    size_t first = (size_t)begin * COPIED_AT_ONCE, last = (size_t)end * COPIED_AT_ONCE;
    if (last > all->bytes) last = all->bytes;
    if (all->from) {
        memcpy(all->to + first, all->from + first, last - first);
    } else {
        memset(all->to + first, 0, last - first);
    }
}

void scri_team_copy(scri_team* team, void* to, const void* from, size_t bytes)
{
    copying all = {to, from, bytes};
    size_t pieces = (bytes + COPIED_AT_ONCE - 1) / COPIED_AT_ONCE;
    scri_team_for(team, (int32_t)pieces, 1, copy_pieces, &all);
}

void scri_team_clear(scri_team* team, void* to, size_t bytes)
{
    scri_team_copy(team, to, NULL, bytes);
}

static void do_nothing(void* context, int32_t begin, int32_t end, int32_t worker)
{
    (void)context;
    (void)begin;
    (void)end;
    (void)worker;
}

void scri_team_rouse(scri_team* team)
{
    if (!team || team->is_lent || team->most < 2) return;
    task t = {do_nothing, NULL, team->most, 1, team->most};
    do_task(team, &t, team->most, 1);
}
