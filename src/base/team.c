#include "base/team.h"

#include "base/env.h"
#include "base/threads.h"

#include <stdatomic.h>
#include <string.h>

/* Every piece of work belongs to one worker's share, and anyone who has nothing left takes pieces
 * of others. A share is one word: the round that it belongs to, the next piece, the one behind its
 * last. Whoever can move it on has a piece of that round; the round then cannot end before the
 * piece is done, so that what there is to do may be read only now.
 *
 * All wait for one word, the call: a round, its pieces, how many shares they make. That says what
 * is in each share at first, so that the caller writes none: who comes to a share first begins it.
 * docs/decisions/0500-a-step-asks-once.md has what this costs. */
enum { PIECE_BITS = 16, MOST_PIECES = (1 << PIECE_BITS) - 1 };

/* Looks at the call before a worker goes to sleep, and before it begins to let other threads run:
 * some 100 microseconds, and some 10. Sleepers are woken for work of so many pieces. */
enum { LOOKS = 4000, LOOKS_BEFORE_YIELD = 400, WORTH_WAKING = 16 };

/* And before it helps others, half a microsecond: mostly they need no help, and to look at their
 * shares makes them slow. */
enum { LOOKS_BEFORE_HELP = 12 };

/* A share of fewer pieces does not pay for the worker who takes it. */
enum { PIECES_EACH = 2 };

/* Rounds are counted in 32 bits. They begin near the end, so that every long run comes past it. */
#define FIRST_ROUND (UINT32_MAX - 1000)

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
    int32_t size;         /* workers, the caller included */
    _Atomic int32_t most; /* of them that take part */
    int is_lent;          /* by the host: no threads */
    int32_t started;      /* threads that run */
    member* members;      /* [size] */
    _Atomic int quit;
    char before[APART];
    _Atomic uint64_t call; /* round, pieces, shares */
    task task;
    _Atomic int wakes; /* the task is worth waking who sleeps */
    char behind[APART];
};

/* A call or a share. */
static uint64_t word_of(uint32_t round, int32_t high, int32_t low)
{
    return (uint64_t)round << 32 | (uint64_t)high << PIECE_BITS | (uint64_t)low;
}

static uint32_t round_of(uint64_t word)
{
    return (uint32_t)(word >> 32);
}

static int32_t high_of(uint64_t word)
{
    return (int32_t)(word >> PIECE_BITS & MOST_PIECES);
}

static int32_t low_of(uint64_t word)
{
    return (int32_t)(word & MOST_PIECES);
}

static int is_called(const scri_team* team, uint64_t call)
{
    return atomic_load_explicit(&team->call, memory_order_relaxed) == call;
}

/* Share k of a call before anybody takes of it. */
static uint64_t first_share(uint64_t call, int32_t k)
{
    int64_t pieces = high_of(call), shares = low_of(call);
    int32_t begin = k < shares ? (int32_t)(pieces * k / shares) : 0;
    int32_t end = k < shares ? (int32_t)(pieces * (k + 1) / shares) : 0;
    return word_of(round_of(call), begin, end);
}

/* The next piece of share k; -1 when there is none, or the round is over.
 *
 * A share of another round has not been begun, if this one is still called. It may end after that
 * look, but not before somebody has begun this share, and then it cannot be moved from what it was.
 */
static int32_t claim(scri_team* team, int32_t k, uint64_t call)
{
    member* m = &team->members[k];
    uint64_t at = atomic_load_explicit(&m->share, memory_order_acquire);
    for (;;) {
        uint64_t share = at;
        if (round_of(at) != round_of(call)) {
            if (!is_called(team, call)) return -1;
            share = first_share(call, k);
        }
        int32_t next = high_of(share);
        if (next >= low_of(share)) return -1;
        uint64_t moved = word_of(round_of(call), next + 1, low_of(share));
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

static int32_t most_of(const scri_team* team)
{
    return atomic_load_explicit(&team->most, memory_order_relaxed);
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
    for (int32_t k = 2 * worker + 1; k <= 2 * worker + 2 && k < most_of(team); ++k) {
        wake(&team->members[k]);
    }
}

static void tell_done(member* self, uint32_t round, int32_t done)
{
    atomic_store_explicit(&self->done, (uint64_t)round << 32 | (uint64_t)done,
                          memory_order_release);
}

/* Pieces of a round that are done. */
static int32_t pieces_done(const scri_team* team, uint32_t round)
{
    int32_t sum = 0;
    for (int32_t k = 0; k < team->size; ++k) {
        uint64_t done = atomic_load_explicit(&team->members[k].done, memory_order_acquire);
        if (round_of(done) == round) sum += (int32_t)(uint32_t)done;
    }
    return sum;
}

/* Takes all of share k that is left; `done` pieces were before. What is done is told before one
 * looks at the next share: the round may be over by then. */
static int32_t take_share(scri_team* team, int32_t worker, int32_t k, uint64_t call, int32_t done)
{
    int32_t before = done;
    for (int32_t piece; (piece = claim(team, k, call)) >= 0; ++done) {
        do_piece(&team->task, piece, worker);
    }
    if (done > before) tell_done(&team->members[worker], round_of(call), done);
    return done;
}

/* Whether the round still goes on after a while; the caller waits for its end and no other. */
static int is_late(const scri_team* team, int32_t worker, uint64_t call)
{
    for (int looks = 0; looks < LOOKS_BEFORE_HELP; ++looks) {
        if (!is_called(team, call)) return 0;
        if (worker == 0 && pieces_done(team, round_of(call)) >= high_of(call)) return 0;
        SCRI_RELAX();
    }
    return 1;
}

/* One's own share first, then those of the others. */
static void take_part(scri_team* team, int32_t worker, uint64_t call)
{
    if (atomic_load_explicit(&team->wakes, memory_order_relaxed)) wake_next(team, worker);
    int32_t done = take_share(team, worker, worker, call, 0);
    if (!is_late(team, worker, call)) return;
    for (int32_t k = 1; k < team->size && is_called(team, call); ++k) {
        done = take_share(team, worker, (worker + k) % team->size, call, done);
    }
}

static int may_take_part(const member* self)
{
    return self->worker < most_of(self->team);
}

/* Until there is another call: awake for a while, then asleep. Returns that call. */
static uint64_t await_call(member* self, uint64_t seen)
{
    scri_team* team = self->team;
    uint64_t call;
    for (int looks = 0; looks < LOOKS && may_take_part(self); ++looks) {
        call = atomic_load_explicit(&team->call, memory_order_acquire);
        if (call != seen) return call;
        if (atomic_load_explicit(&team->quit, memory_order_relaxed)) return seen;
        SCRI_RELAX();
        if (looks > LOOKS_BEFORE_YIELD) scri_thread_yield();
    }
    scri_mutex_lock(&self->mutex);
    atomic_store_explicit(&self->is_asleep, 1, memory_order_seq_cst);
    for (;;) {
        call = atomic_load(&team->call);
        if (atomic_load(&team->quit) || (call != seen && may_take_part(self))) break;
        scri_condition_wait(&self->wake, &self->mutex);
    }
    atomic_store_explicit(&self->is_asleep, 0, memory_order_seq_cst);
    scri_mutex_unlock(&self->mutex);
    return call;
}

static scri_thread_end SCRI_THREAD_CALL serve(void* argument)
{
    member* self = argument;
    uint64_t seen = word_of(FIRST_ROUND, 0, 0);
    for (;;) {
        uint64_t call = await_call(self, seen);
        if (atomic_load_explicit(&self->team->quit, memory_order_relaxed)) return 0;
        seen = call;
        take_part(self->team, self->worker, call);
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
    atomic_init(&team->call, word_of(FIRST_ROUND, 0, 0));
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
    atomic_store_explicit(&team->most, workers < all ? workers : all, memory_order_relaxed);
}

/* The host's workers take pieces by number. */
static void do_pieces(void* context, int32_t begin, int32_t end, int32_t worker)
{
    for (int32_t k = begin; k < end; ++k) do_piece(context, k, worker);
}

/* After the last round: words of one long ago must not be taken for those of one to come. Nobody is
 * at work, but who is late may still look at a share, and then at the call; or move one on that was
 * never begun when he looked: what stands there now is another word. */
static void forget_rounds(scri_team* team)
{
    atomic_store_explicit(&team->call, word_of(0, 0, 0), memory_order_relaxed);
    for (int32_t k = 0; k < team->size; ++k) {
        atomic_store_explicit(&team->members[k].share, word_of(0, 1, 1), memory_order_release);
        atomic_store_explicit(&team->members[k].done, word_of(0, 0, 0), memory_order_release);
    }
}

/* The call of a task in so many shares. One who goes to sleep at this moment may miss it, and
 * sleeps until a later task: others do its share. */
static uint64_t call_for(scri_team* team, const task* t, int32_t shares)
{
    uint32_t round = round_of(atomic_load_explicit(&team->call, memory_order_relaxed));
    if (round == UINT32_MAX) {
        forget_rounds(team);
        round = 0;
    }
    uint64_t call = word_of(round + 1, t->pieces, shares);
    team->task = *t;
    atomic_store_explicit(&team->call, call, memory_order_release);
    return call;
}

static void do_task(scri_team* team, const task* t, int32_t shares, int wakes)
{
    atomic_store_explicit(&team->wakes, wakes, memory_order_relaxed);
    uint64_t call = call_for(team, t, shares);
    take_part(team, 0, call);
    for (int looks = 0; pieces_done(team, round_of(call)) < t->pieces; ++looks) {
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
    int32_t shares = (t.pieces + 1) / PIECES_EACH, most = team ? most_of(team) : 1;
    if (most < shares) shares = most;
    if (shares < 2) {
        range(context, 0, n, 0);
    } else if (team->is_lent) {
        team->env.parallel_for(team->env.user, t.pieces, do_pieces, &t);
    } else {
        do_task(team, &t, shares, t.pieces >= WORTH_WAKING);
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
    int32_t most = team ? most_of(team) : 1;
    if (most < 2 || team->is_lent) return;
    task t = {do_nothing, NULL, most, 1, most};
    do_task(team, &t, most, 1);
}
