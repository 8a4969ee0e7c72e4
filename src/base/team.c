#include "base/team.h"

#include "base/env.h"
#include "base/threads.h"

#include <stdatomic.h>

/* Turns that a meeting point spins before it lets other threads run: there may be fewer cores than
 * workers. */
enum { SPINS = 2000 };

typedef struct member {
    scri_team* team;
    int32_t worker;
    scri_thread thread;
} member;

struct scri_team {
    scree_env env;
    int32_t size;    /* workers, the caller included */
    int is_lent;     /* by the host: no threads, mutexes or meetings */
    int32_t started; /* threads that run */
    member* members; /* [size], the first unused */
    scri_mutex mutex;
    scri_condition wake, done;
    void (*work)(void* context, int32_t worker);
    void* context;
    uint64_t round; /* grows by one with every scri_team_run() */
    int32_t busy;   /* threads that have not finished this round */
    int quit;
    atomic_int arrived;
    atomic_uint meeting; /* grows by one when all have arrived */
};

static scri_thread_end SCRI_THREAD_CALL serve(void* argument)
{
    member* self = argument;
    scri_team* team = self->team;
    uint64_t seen = 0;
    for (;;) {
        scri_mutex_lock(&team->mutex);
        while (team->round == seen && !team->quit) scri_condition_wait(&team->wake, &team->mutex);
        int quit = team->quit;
        seen = team->round;
        scri_mutex_unlock(&team->mutex);
        if (quit) return 0;
        team->work(team->context, self->worker);
        scri_mutex_lock(&team->mutex);
        if (--team->busy == 0) scri_condition_wake(&team->done);
        scri_mutex_unlock(&team->mutex);
    }
}

static scree_status create_lent(const scree_env* env, int32_t workers, scri_team** out)
{
    scri_team* team = scri_alloc(env, sizeof *team);
    if (!team) return SCREE_ERROR_MEMORY;
    *team = (scri_team){.env = *env, .size = workers, .is_lent = 1};
    *out = team;
    return SCREE_OK;
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
    scri_mutex_init(&team->mutex);
    scri_condition_init(&team->wake);
    scri_condition_init(&team->done);
    for (int32_t i = 1; i < workers; ++i) {
        members[i] = (member){.team = team, .worker = i};
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
    scri_mutex_lock(&team->mutex);
    team->quit = 1;
    scri_condition_wake(&team->wake);
    scri_mutex_unlock(&team->mutex);
    for (int32_t i = 1; i <= team->started; ++i) scri_thread_join(team->members[i].thread);
    scri_condition_destroy(&team->done);
    scri_condition_destroy(&team->wake);
    scri_mutex_destroy(&team->mutex);
    release(team);
}

int32_t scri_team_size(const scri_team* team)
{
    return team ? team->size : 1;
}

int scri_team_is_lent(const scri_team* team)
{
    return team && team->is_lent;
}

/* Work for each worker as work on the numbers of workers, and the other way round. */
typedef struct shared_work {
    scri_team* team;
    void (*work)(void* context, int32_t worker);
    scree_range* range;
    int32_t n;
    void* context;
} shared_work;

static void play_workers(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const shared_work* shared = context;
    (void)worker;
    for (int32_t i = begin; i < end; ++i) shared->work(shared->context, i);
}

static void take_share(void* context, int32_t worker)
{
    const shared_work* shared = context;
    int64_t n = shared->n, size = scri_team_size(shared->team);
    int32_t begin = (int32_t)(n * worker / size), end = (int32_t)(n * (worker + 1) / size);
    if (begin < end) shared->range(shared->context, begin, end, worker);
}

void scri_team_for(scri_team* team, int32_t n, scree_range* range, void* context)
{
    shared_work shared = {.team = team, .range = range, .n = n, .context = context};
    if (n < 1) return;
    if (scri_team_is_lent(team)) {
        team->env.parallel_for(team->env.user, n, range, context);
    } else {
        scri_team_run(team, take_share, &shared);
    }
}

void scri_team_run(scri_team* team, void (*work)(void* context, int32_t worker), void* context)
{
    if (scri_team_size(team) == 1) {
        work(context, 0);
        return;
    }
    if (team->is_lent) {
        shared_work shared = {.work = work, .context = context};
        team->env.parallel_for(team->env.user, team->size, play_workers, &shared);
        return;
    }
    scri_mutex_lock(&team->mutex);
    team->work = work;
    team->context = context;
    team->busy = team->size - 1;
    team->round++;
    scri_condition_wake(&team->wake);
    scri_mutex_unlock(&team->mutex);
    work(context, 0);
    scri_mutex_lock(&team->mutex);
    while (team->busy > 0) scri_condition_wait(&team->done, &team->mutex);
    scri_mutex_unlock(&team->mutex);
}

void scri_team_meet(scri_team* team)
{
    if (scri_team_size(team) == 1) return;
    unsigned meeting = atomic_load(&team->meeting);
    if (atomic_fetch_add(&team->arrived, 1) + 1 == team->size) {
        atomic_store(&team->arrived, 0);
        atomic_fetch_add(&team->meeting, 1);
        return;
    }
    for (int spin = 0; atomic_load(&team->meeting) == meeting; ++spin) {
        if (spin >= SPINS) scri_thread_yield();
    }
}
