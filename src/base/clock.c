#define _POSIX_C_SOURCE 200809L
#include "base/clock.h"

#include <time.h>

double scri_clock_seconds(const scree_env* env)
{
    if (env && env->clock) return env->clock(env->user);
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
