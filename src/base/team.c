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

static SCRI_THREAD_MAIN(serve, argument)
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
        if (quit) return SCRI_THREAD_END;
        team->work(team->context, self->worker);
        scri_mutex_lock(&team->mutex);
        if (--team->busy == 0) scri_condition_wake(&team->done);
        scri_mutex_unlock(&team->mutex);
    }
}

scree_status scri_team_create(const scree_env* env, int32_t workers, scri_team** out)
{
    *out = NULL;
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

void scri_team_destroy(scri_team* team)
{
    if (!team) return;
    scri_mutex_lock(&team->mutex);
    team->quit = 1;
    scri_condition_wake(&team->wake);
    scri_mutex_unlock(&team->mutex);
    for (int32_t i = 1; i <= team->started; ++i) scri_thread_join(team->members[i].thread);
    scri_condition_destroy(&team->done);
    scri_condition_destroy(&team->wake);
    scri_mutex_destroy(&team->mutex);
    scree_env env = team->env;
    scri_release(&env, team->members);
    scri_release(&env, team);
}

int32_t scri_team_size(const scri_team* team)
{
    return team ? team->size : 1;
}

void scri_team_run(scri_team* team, void (*work)(void* context, int32_t worker), void* context)
{
    if (scri_team_size(team) == 1) {
        work(context, 0);
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
