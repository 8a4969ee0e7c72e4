/* Scree: conventions, status codes, environment, version.
 *
 * Conventions, stated once and used everywhere:
 *  - SI units. mu is a number; mu_r and mu_s (rolling, spinning) are lengths in metres.
 *  - A contact frame (n, t1, t2) is right-handed and orthonormal, n points from body B to body A.
 *  - y is the velocity of A relative to B, p the impulse on A. Rows of a contact stand in the order
 *    N, T1, T2, R1, R2, S: normal, sliding, rolling (angular, tangent plane), spinning (about n).
 *  - Precision is double in every build. Arrays are documented with their length in brackets.
 *
 * The library never prints, never ends the process, reads no environment variable and keeps no
 * global state. What can fail returns a scree_status; the detail, one line of text that names the
 * place, goes to scree_env.log. It depends on libc, libm and threads alone: what else it can use,
 * the host lends it through scree_env.
 */
#ifndef SCREE_BASE_H
#define SCREE_BASE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32) && defined(SCREE_BUILDING)
#define SCREE_API __declspec(dllexport)
#elif defined(__GNUC__) && !defined(_WIN32)
#define SCREE_API __attribute__((visibility("default")))
#else
#define SCREE_API
#endif

#if defined(__GNUC__)
#define SCREE_MUST_USE __attribute__((warn_unused_result))
#else
#define SCREE_MUST_USE
#endif

/* What a call came to. "Not converged" is no error: a solver reports it as an outcome. */
typedef enum scree_status {
    SCREE_OK = 0,
    SCREE_ERROR_MEMORY,      /* the allocator returned NULL */
    SCREE_ERROR_ARGUMENT,    /* a call was made wrongly: NULL pointer, unknown name, stale def */
    SCREE_ERROR_INPUT,       /* the data are well formed but not a valid problem */
    SCREE_ERROR_FILE,        /* a file cannot be opened, read or written */
    SCREE_ERROR_FORMAT,      /* a file was read but does not follow its format */
    SCREE_ERROR_UNSUPPORTED, /* valid, but this build or this format cannot represent it */
    SCREE_STATUS_COUNT
} scree_status;

/* A short English text for a status, never NULL. */
SCREE_API const char* scree_status_text(scree_status status);

typedef enum scree_log_level { SCREE_LOG_ERROR, SCREE_LOG_WARNING, SCREE_LOG_INFO } scree_log_level;

/* A part of some work: the numbers begin .. end - 1 of it. `worker` tells parts apart that run at
 * the same time: no two of these have the same. */
typedef void scree_range(void* context, int32_t begin, int32_t end, int32_t worker);

/* What the host lends to the library. All zero means: malloc and free, silent, no sparse factors.
 * `alloc` returns memory aligned for any type (as malloc does) or NULL; `release` takes it back.
 * `text` handed to `log` is one line without a newline and lives only during the call. `clock`
 * gives seconds that never go back, for time limits and the times in reports; NULL: the system's.
 * `sparse` factors the large matrices of Newton and interior-point methods and of the ranks in
 * scree/reactions.h: scree_sparse_mumps() of the library scree_sparse, or a table of your own,
 * which outlives what is made with it. Without it these methods take small problems only; `auto`
 * and worlds do without them. A world of several workers may call `alloc`, `release`, `log` and
 * `clock` from threads of its team, but never two of them at the same time.
 *
 * `parallel_for` lends threads to what has several workers, such as a world: it calls
 * range(context, begin, end, worker) so that the ranges together are 0 .. n - 1, each number once,
 * and returns when all calls have. It may call from any thread, in any order, at once or one after
 * the other, with as many numbers at a time as it likes; `worker` is from 0 to the number of
 * workers asked for minus 1. Results do not depend on any of this. A call is some microseconds of
 * work per number, and n may be below the number of workers. NULL: the library starts threads of
 * its own where more than one worker is asked for.
 *
 * It is handed over in one way: as the first argument, NULL for all zero, of every function that
 * makes something or needs memory, a clock, sparse factors or a log. What is made keeps a copy (a
 * scree_sparse of the host's is lent one until its factors are destroyed); only what `user` and
 * `sparse` point to must live on. No definition holds one. */
struct scree_sparse;
typedef struct scree_env {
    void* (*alloc)(void* user, size_t size);
    void (*release)(void* user, void* memory);
    void (*log)(void* user, scree_log_level level, const char* text);
    void* user;
    double (*clock)(void* user);
    const struct scree_sparse* sparse;
    void (*parallel_for)(void* user, int32_t n, scree_range* range, void* context);
    const void* reserved[8]; /* zero: room for what later versions ask for */
} scree_env;

/* ---- structs that can grow ---- */

/* Definitions, views and reports begin with struct_size, the size that they have in the headers a
 * program was built with. Inline functions write it; whoever calls the library without these
 * headers writes it and calls what they call. Structs grow at their end: a library fills what the
 * program knows of a view or a report, and refuses a definition of another size with
 * SCREE_ERROR_ARGUMENT. What is only handed over in one call has no such member: the size goes
 * along as an argument, by an inline function again. Where all zero is what is usual, as in
 * scree_env and scree_problem, members to come have their room: it must be zero, and a library that
 * finds something there which it does not know refuses it. docs/decisions/0080-struct-sizes.md */
#define SCREE_DEFINE_DEFAULT(type, name, init)    \
    static inline type name(void)                 \
    {                                             \
        type made;                                \
        made.struct_size = (uint32_t)sizeof made; \
        init(&made);                              \
        return made;                              \
    }

/* The same of a view of an object. */
#define SCREE_DEFINE_VIEW(type, name, fill, object) \
    static inline type name(const object* from)     \
    {                                               \
        type made;                                  \
        made.struct_size = (uint32_t)sizeof made;   \
        fill(from, &made);                          \
        return made;                                \
    }

/* ---- sparse factorisation ---- */

typedef enum scree_sparse_kind {
    SCREE_SPARSE_GENERAL,  /* values of any kind */
    SCREE_SPARSE_POSITIVE, /* symmetric positive definite; only entries with row >= column are read
                            */
    SCREE_SPARSE_SYMMETRIC /* symmetric, any inertia; the same */
} scree_sparse_kind;

/* A library that factors sparse matrices. The pattern is analysed once; numbers may then be
 * factored any number of times. Row and column patterns are symmetric (entry (i, j) is stored
 * whenever (j, i) is), values need not be. Different factors may be used by different threads at
 * the same time. */
typedef struct scree_sparse {
    size_t size;      /* sizeof(scree_sparse) where the table was made */
    const char* name; /* of the library */

    /* Compressed columns start[n + 1], row[start[n]] of the whole pattern, rows increasing,
     * diagonal present; both, and env, are borrowed until destroy. SCREE_ERROR_MEMORY is the only
     * failure. */
    scree_status (*create)(const scree_env* env, int32_t n, const int32_t* start,
                           const int32_t* row, scree_sparse_kind kind, void** factors);
    void (*destroy)(void* factors);

    /* Factors value[start[n]], all finite. SCREE_ERROR_INPUT when a pivot is zero, or a matrix is
     * not positive definite that should be; a bad condition is no failure. SCREE_ERROR_MEMORY when
     * memory is short. After either one may factor again, but not solve. */
    scree_status (*factor)(void* factors, const double* value);

    /* x[n]: right-hand side in, solution out; NaN when memory is short. */
    void (*solve)(void* factors, double* x);

    /* How many eigenvalues of a SCREE_SPARSE_SYMMETRIC matrix are negative. */
    int32_t (*negative)(const void* factors);
} scree_sparse;

/* ---- spelling ---- */

/* How many keystrokes a word is away from a name: letters put in, left out, replaced or swapped
 * with their neighbour. 1 for the beginning of a name, if it has two letters; 1000 for words of
 * more than
 * 40. For messages that ask whether something else was meant. */
SCREE_API int scree_spelling_distance(const char* word, const char* name);

/* ---- numbers ---- */

/* C17 has no name for it. */
#define SCREE_PI 3.14159265358979323846
#define SCREE_DEGREE (SCREE_PI / 180.0) /* rad */

/* ---- version ---- */

/* The version that these headers belong to: the one place where it is written. */
#define SCREE_VERSION_MAJOR 0
#define SCREE_VERSION_MINOR 1
#define SCREE_VERSION_PATCH 0

/* The version of the library that is running. */
typedef struct scree_version {
    int major, minor, patch;
} scree_version;
SCREE_API scree_version scree_get_version(void);

#ifdef __cplusplus
}
#endif

#endif
