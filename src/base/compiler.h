/* The only place for compiler extensions and for what host and device code must share. */
#ifndef SCRI_COMPILER_H
#define SCRI_COMPILER_H

/* Kernels (`*_kernel.h`) are written once and compiled for the host and, under nvcc, the device. */
#if defined(__CUDACC__)
#define SCREE_FN static inline __host__ __device__
#elif defined(__GNUC__)
#define SCREE_FN static inline __attribute__((always_inline, unused))
#else
#define SCREE_FN static inline
#endif

/* Kernels that are too long to be copied into every caller. */
#if defined(__CUDACC__)
#define SCRI_KERNEL static __host__ __device__
#elif defined(__GNUC__)
#define SCRI_KERNEL static __attribute__((noinline, unused))
#else
#define SCRI_KERNEL static inline
#endif

#if defined(__MINGW32__) /* formats are those of C there too, not Microsoft's */
#define SCRI_PRINTF(format_index, first_argument) \
    __attribute__((format(gnu_printf, format_index, first_argument)))
#elif defined(__GNUC__)
#define SCRI_PRINTF(format_index, first_argument) \
    __attribute__((format(printf, format_index, first_argument)))
#else
#define SCRI_PRINTF(format_index, first_argument)
#endif

/* Before a short loop over vectors: they stay in registers when nothing is left of the loop. */
#if defined(__clang__)
#define SCRI_UNROLL _Pragma("unroll")
#elif defined(__GNUC__)
#define SCRI_UNROLL _Pragma("GCC unroll 64")
#else
#define SCRI_UNROLL
#endif

#if defined(__GNUC__)
#define SCRI_PREFETCH(address) __builtin_prefetch(address)
#else
#define SCRI_PREFETCH(address) ((void)0)
#endif

/* Lets the other half of a processor's core work while this one waits in a loop. */
#if defined(__x86_64__) || defined(__i386__)
#define SCRI_RELAX() __builtin_ia32_pause()
#elif defined(__aarch64__)
#define SCRI_RELAX() __asm__ volatile("isb" ::: "memory")
#else
#define SCRI_RELAX() ((void)0)
#endif

/* A value of a struct or vector type from its members, in C and in C++: kernels, and what they
 * include, are both. */
#if defined(__cplusplus)
#define SCRI_OF(type, ...) (type{__VA_ARGS__})
#else
#define SCRI_OF(type, ...) ((type){__VA_ARGS__})
#endif

/* Private functions that the libraries standing on this one call, those of the same release alone.
 */
#if defined(__GNUC__) && !defined(_WIN32)
#define SCRI_SISTERS __attribute__((visibility("default")))
#else
#define SCRI_SISTERS
#endif

/* NAN and INFINITY of <math.h> are floats. */
#define SCREE_NAN ((double)NAN)
#define SCREE_INFINITY ((double)INFINITY)

#endif
