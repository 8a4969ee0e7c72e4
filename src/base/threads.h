/* Threads of the operating system: POSIX's, or those of Windows. The only place that names either.
 */
#ifndef SCRI_THREADS_H
#define SCRI_THREADS_H

#if defined(_WIN32)

#include <process.h>
#include <stdint.h>
#include <windows.h>
#undef near /* words of 16-bit compilers, which it makes empty */
#undef far

typedef SRWLOCK scri_mutex;
typedef CONDITION_VARIABLE scri_condition;
typedef HANDLE scri_thread;
#define SCRI_MUTEX_INIT SRWLOCK_INIT

/* What a thread runs: scri_thread_end SCRI_THREAD_CALL name(void* argument) { ...; return 0; } */
typedef unsigned scri_thread_end;
#define SCRI_THREAD_CALL __stdcall
typedef scri_thread_end(SCRI_THREAD_CALL* scri_thread_main)(void* argument);

static inline void scri_mutex_lock(scri_mutex* m)
{
    AcquireSRWLockExclusive(m);
}

static inline void scri_mutex_unlock(scri_mutex* m)
{
    ReleaseSRWLockExclusive(m);
}

static inline void scri_condition_wait(scri_condition* c, scri_mutex* m)
{
    SleepConditionVariableSRW(c, m, INFINITE, 0);
}

static inline void scri_condition_wake(scri_condition* c)
{
    WakeAllConditionVariable(c);
}

/* Neither kind owns anything that would have to be given back. */
static inline void scri_mutex_init(scri_mutex* m)
{
    InitializeSRWLock(m);
}

static inline void scri_mutex_destroy(scri_mutex* m)
{
    (void)m;
}

static inline void scri_condition_init(scri_condition* c)
{
    InitializeConditionVariable(c);
}

static inline void scri_condition_destroy(scri_condition* c)
{
    (void)c;
}

/* 0 when there is no thread to be had. */
static inline int scri_thread_start(scri_thread* thread, scri_thread_main main, void* argument)
{
    *thread = (HANDLE)_beginthreadex(NULL, 0, main, argument, 0, NULL);
    return *thread != NULL;
}

static inline void scri_thread_join(scri_thread thread)
{
    WaitForSingleObject(thread, INFINITE);
    CloseHandle(thread);
}

/* Lets other threads run. */
static inline void scri_thread_yield(void)
{
    SwitchToThread();
}

#else

#include <pthread.h>
#include <sched.h>
#include <stddef.h>

typedef pthread_mutex_t scri_mutex;
typedef pthread_cond_t scri_condition;
typedef pthread_t scri_thread;
#define SCRI_MUTEX_INIT PTHREAD_MUTEX_INITIALIZER

typedef void* scri_thread_end;
#define SCRI_THREAD_CALL
typedef scri_thread_end (*scri_thread_main)(void* argument);

static inline void scri_mutex_lock(scri_mutex* m)
{
    pthread_mutex_lock(m);
}

static inline void scri_mutex_unlock(scri_mutex* m)
{
    pthread_mutex_unlock(m);
}

static inline void scri_condition_wait(scri_condition* c, scri_mutex* m)
{
    pthread_cond_wait(c, m);
}

static inline void scri_condition_wake(scri_condition* c)
{
    pthread_cond_broadcast(c);
}

static inline void scri_mutex_init(scri_mutex* m)
{
    pthread_mutex_init(m, NULL);
}

static inline void scri_mutex_destroy(scri_mutex* m)
{
    pthread_mutex_destroy(m);
}

static inline void scri_condition_init(scri_condition* c)
{
    pthread_cond_init(c, NULL);
}

static inline void scri_condition_destroy(scri_condition* c)
{
    pthread_cond_destroy(c);
}

static inline int scri_thread_start(scri_thread* thread, scri_thread_main main, void* argument)
{
    return pthread_create(thread, NULL, main, argument) == 0;
}

static inline void scri_thread_join(scri_thread thread)
{
    pthread_join(thread, NULL);
}

static inline void scri_thread_yield(void)
{
    sched_yield();
}

#endif

#endif
