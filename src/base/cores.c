#if defined(__linux__)
#define _GNU_SOURCE /* sched_getaffinity */
#endif

#include "base/team.h"

#if defined(_WIN32)
#include <windows.h>

int32_t scri_cores(void)
{
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    return info.dwNumberOfProcessors > 0 ? (int32_t)info.dwNumberOfProcessors : 1;
}

#elif defined(__linux__)
#include <sched.h>

int32_t scri_cores(void)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set)) return 1;
    int n = CPU_COUNT(&set);
    return n > 0 ? (int32_t)n : 1;
}

#else
#include <unistd.h>

int32_t scri_cores(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 && n < 1024 ? (int32_t)n : 1;
}

#endif
