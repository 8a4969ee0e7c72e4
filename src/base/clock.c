#define _POSIX_C_SOURCE 200809L
#include "base/clock.h"

#if defined(_WIN32)

#include <windows.h>

static double system_seconds(void)
{
    LARGE_INTEGER now, per_second;
    QueryPerformanceCounter(&now);
    QueryPerformanceFrequency(&per_second);
    return (double)now.QuadPart / (double)per_second.QuadPart;
}

#else

#include <time.h>

static double system_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif

double scri_clock_seconds(const scree_env* env)
{
    return env && env->clock ? env->clock(env->user) : system_seconds();
}
