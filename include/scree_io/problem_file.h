/* Problem files: Siconos text and FCLIB HDF5, both ways.
 *
 * The format is recognised from the content when reading and from the name when writing
 * (.hdf5 and .h5: FCLIB HDF5; anything else: Siconos text). Text: friction (2 or 3 rows), rolling
 * (5 rows, planar 3), their global forms, LCP (half-line rows). HDF5: fclib_local, fclib_global,
 * fclib_global_rolling, and the extension fclib_local_rolling (fclib_local plus mu_r, and mu_s when
 * contacts spin: 3 planar, 4, 5 or 6 rows); laws and sets in a folder of their own.
 *
 * A faulty file gives a status and one logged line "FILE:LINE: what" (text) or
 * "FILE:/group/dataset: what" (HDF5). Nothing is left allocated or half written: files are written
 * beside their target and moved into place when complete.
 *
 * Most builds of HDF5 are not safe in threads: then no two calls below may run at the same time
 * when one of them is about an HDF5 file.
 */
#ifndef SCREE_IO_PROBLEM_FILE_H
#define SCREE_IO_PROBLEM_FILE_H

#include "scree/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scree_problem_file {
    scree_problem_store store;    /* store.problem has been validated */
    const char* format;           /* e.g. "Siconos text, rolling friction"; static text */
    const char* title;            /* HDF5 info/title if of fixed length, or NULL */
    const double* solution;       /* [n_rows] impulses stored as /solution/r, or NULL */
    int32_t n_guesses;            /* /guesses */
    const double* const* guesses; /* [n_guesses][n_rows] impulses */
} scree_problem_file;

/* Reads a problem. Laws are SCREE_LAW_EXACT (LCP: SCREE_LAW_HALF_LINE) unless an HDF5 file has the
 * extension for laws and sets (docs/problem-files.md).
 * Release with scree_problem_file_release(); on failure `out` is left zeroed. */
SCREE_API SCREE_MUST_USE scree_status scree_problem_read(const scree_env* env, const char* path,
                                                         scree_problem_file* out);
SCREE_API void scree_problem_file_release(scree_problem_file* file);

/* What may go with a problem into an HDF5 file; a text file holds none of it. */
typedef struct scree_problem_extras {
    const char* title;      /* or NULL */
    const double* solution; /* [n_rows] impulses, or NULL; y is computed and stored too */
    int32_t n_guesses;
    const double* const* guesses; /* [n_guesses][n_rows] */
} scree_problem_extras;

/* Writes a valid problem whose contacts all have the same rows and a friction law (or all obey the
 * half line: an LCP, text only). HDF5 holds laws and sets in the extension; text names no law and
 * holds no sets. A factored problem stays factored; the
 * bodies form is reduced. Compliance has no place in a file and is added to the diagonal of W, for
 * which a factored problem is reduced too. `extras` may be NULL. */
SCREE_API SCREE_MUST_USE scree_status scree_problem_write(const scree_env* env, const char* path,
                                                          const scree_problem* problem,
                                                          const scree_problem_extras* extras);

/* Impulses alone: reads p[n_rows] for `problem` from `path`: an HDF5 file with /solution/r (else
 * its first guess), or a text file with n_rows numbers separated by white space, '#' comments
 * allowed. Writes text with 17 digits, or HDF5 with /solution/r for the names above. */
SCREE_API SCREE_MUST_USE scree_status scree_impulses_read(const scree_env* env, const char* path,
                                                          const scree_problem* problem, double* p);
SCREE_API SCREE_MUST_USE scree_status scree_impulses_write(const scree_env* env, const char* path,
                                                           const scree_problem* problem,
                                                           const double* p);

#ifdef __cplusplus
}
#endif

#endif
