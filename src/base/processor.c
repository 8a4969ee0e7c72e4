#include "base/processor.h"

/* Compilers for Windows do not align wider vectors on the stack. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(_WIN32)

int scri_processor_vector(void)
{
    int has_512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                  __builtin_cpu_supports("avx512vl");
    if (has_512) return 64;
    return __builtin_cpu_supports("avx2") ? 32 : 16;
}

int scri_processor_most_vector(void)
{
    return scri_processor_vector();
}

#else

int scri_processor_vector(void)
{
    return 16;
}

int scri_processor_most_vector(void)
{
#if defined(__x86_64__)
    return 16;
#else
    return 64;
#endif
}

#endif
