/* The extension of FCLIB for other laws than its own and for friction with sets: the folder `scree`
 * of the problem's group, see docs/problem-files.md. Who does not know it sees isotropic friction.
 */
#include "io/fclib.h"
#include "io/problem_build.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { SIZES = 5 /* a, b, s, cosine and sine of the angle */, MOST_NAMES = 256 };

typedef struct object {
    char path[SCRI_HDF5_PATH];
} object;

static object below(const char* group, const char* name)
{
    object o;
    snprintf(o.path, sizeof o.path, "%s/scree/%s", group, name);
    return o;
}

/* ---- writing ---- */

static bool is_plain(const scree_problem* p)
{
    bool plain = !p->set;
    for (int32_t c = 0; c < p->n_contacts; ++c) plain &= p->law[c] == SCRI_LAW_THAT_RUBS;
    return plain;
}

/* The names of all laws, so that the numbers of contacts have a meaning of their own. */
static scree_status write_laws(const scri_hdf5* h, const char* group, scri_arena* scratch,
                               const scree_problem* p)
{
    char names[MOST_NAMES] = "";
    size_t used = 0, n = (size_t)p->n_contacts;
    for (int i = 0; scree_law_name(i) && used < sizeof names; ++i) {
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i ? " " : "",
                                 scree_law_name(i));
    }
    int32_t* law = scri_arena_take(scratch, n, sizeof *law);
    if (!law || used >= sizeof names) return SCREE_ERROR_MEMORY;
    for (size_t c = 0; c < n; ++c) law[c] = p->law[c];
    scree_status status = scri_hdf5_write_text(h, below(group, "law_names").path, names);
    if (status) return status;
    return scri_hdf5_write_integers(h, below(group, "law").path, p->n_contacts, law);
}

static scree_status write_sets(const scri_hdf5* h, const char* group, scri_arena* scratch,
                               const scree_problem* p)
{
    const scree_sets* sets = &p->sets;
    size_t n = (size_t)sets->n;
    int32_t* integers = scri_arena_take(scratch, 4 * n, sizeof *integers);
    double* sizes = scri_arena_take(scratch, SIZES * n, sizeof *sizes);
    double* powers = scri_arena_take(scratch, n, sizeof *powers);
    int with_spin = 0;
    if (!integers || !sizes || !powers) return SCREE_ERROR_MEMORY;
    for (size_t i = 0; i < n; ++i) {
        const scree_set_value* v = sets->value + i;
        const int32_t own[4] = {v->kind, v->is_convex, v->n, v->table};
        const double size[SIZES] = {v->a, v->b, v->s, v->turn[0], v->turn[1]};
        memcpy(integers + 4 * i, own, sizeof own);
        memcpy(sizes + SIZES * i, size, sizeof size);
        powers[i] = v->spin_power;
        with_spin |= v->spin_power > 0.0;
    }
    scree_status status =
        scri_hdf5_write_integers(h, below(group, "set").path, 4 * (int64_t)p->n_contacts, p->set);
    if (!status && n > 0) {
        status = scri_hdf5_write_integers(h, below(group, "sets/kind").path, 4 * (int64_t)sets->n,
                                          integers);
    }
    if (!status && n > 0) {
        status = scri_hdf5_write_reals(h, below(group, "sets/size").path, SIZES * (int64_t)sets->n,
                                       sizes);
    }
    if (!status && with_spin) {
        status = scri_hdf5_write_reals(h, below(group, "sets/spin_power").path, sets->n, powers);
    }
    if (!status && sets->n_table > 0) {
        status =
            scri_hdf5_write_reals(h, below(group, "sets/table").path, sets->n_table, sets->table);
    }
    return status;
}

scree_status scri_fclib_write_laws(const scri_hdf5* h, const char* group, scri_arena* scratch,
                                   const scree_problem* problem)
{
    if (is_plain(problem)) return SCREE_OK;
    scree_status status = write_laws(h, group, scratch, problem);
    if (!status && problem->set) status = write_sets(h, group, scratch, problem);
    return status;
}

/* ---- reading ---- */

/* The number of the law whose name begins at `name` and ends at a blank or the end; -1: none. */
static int find_law(const char* name)
{
    size_t length = strcspn(name, " ");
    int law = 0;
    for (const char* own; (own = scree_law_name(law)); ++law) {
        if (strlen(own) == length && strncmp(own, name, length) == 0) return law;
    }
    return -1;
}

/* The k-th name of a list with blanks between; NULL: it has no so many. */
static const char* name_at(const char* names, int32_t k)
{
    while (names && k-- > 0) {
        names = strchr(names, ' ');
        if (names) ++names;
    }
    return names;
}

static scree_status read_laws(const scri_hdf5* h, const char* group, scri_arena* keep,
                              scree_problem* p)
{
    object o = below(group, "law");
    const char* names = NULL;
    const int32_t* number = NULL;
    int64_t n = p->n_contacts;
    uint8_t* law = scri_arena_take(keep, (size_t)n, sizeof *law);
    if (!law) return SCREE_ERROR_MEMORY;
    scree_status status = scri_hdf5_read_text(h, below(group, "law_names").path, keep, &names);
    if (!status) status = scri_hdf5_read_integers(h, o.path, keep, &n, &number);
    for (int32_t c = 0; !status && c < p->n_contacts; ++c) {
        const char* name = number[c] >= 0 ? name_at(names, number[c]) : NULL;
        int found = name ? find_law(name) : -1;
        if (found < 0 || !scri_fclib_holds_law(found)) {
            return scri_hdf5_fail(h, o.path, SCREE_ERROR_UNSUPPORTED,
                                  "element %" PRId32 " is %" PRId32
                                  ", which names no law of friction that is known",
                                  c, number[c]);
        }
        law[c] = (uint8_t)found;
    }
    p->law = law;
    return status;
}

static scree_status read_sets(const scri_hdf5* h, const char* group, scri_arena* keep,
                              scree_problem* p)
{
    const int32_t* integers = NULL;
    const double *sizes = NULL, *table = NULL, *powers = NULL;
    int64_t n_numbers = 4 * (int64_t)p->n_contacts, n_integers = 0, n_sizes = -1, n_table = 0;
    object kind = below(group, "sets/kind"), tables = below(group, "sets/table");
    object spin = below(group, "sets/spin_power");
    scree_status status =
        scri_hdf5_read_integers(h, below(group, "set").path, keep, &n_numbers, &p->set);
    if (!status && scri_hdf5_has(h, kind.path)) {
        n_integers = -1;
        status = scri_hdf5_read_integers(h, kind.path, keep, &n_integers, &integers);
        n_sizes = n_integers / 4 * SIZES;
        if (!status) {
            status =
                scri_hdf5_read_reals(h, below(group, "sets/size").path, keep, &n_sizes, &sizes);
        }
    }
    if (!status && scri_hdf5_has(h, spin.path)) {
        int64_t n_powers = n_integers / 4;
        status = scri_hdf5_read_reals(h, spin.path, keep, &n_powers, &powers);
    }
    if (!status && scri_hdf5_has(h, tables.path)) {
        n_table = -1;
        status = scri_hdf5_read_reals(h, tables.path, keep, &n_table, &table);
    }
    if (status) return status;
    if (n_integers % 4 || n_integers / 4 > INT32_MAX || n_table > INT32_MAX) {
        return scri_hdf5_fail(h, kind.path, SCREE_ERROR_FORMAT,
                              "has %" PRId64 " elements, not four for each set", n_integers);
    }
    size_t n = (size_t)n_integers / 4;
    scree_set_value* value = scri_arena_take(keep, n, sizeof *value);
    if (!value) return SCREE_ERROR_MEMORY;
    for (size_t i = 0; i < n; ++i) {
        const int32_t* own = integers + 4 * i;
        const double* size = sizes + SIZES * i;
        value[i] = (scree_set_value){.kind = own[0],
                                     .is_convex = own[1],
                                     .a = size[0],
                                     .b = size[1],
                                     .s = size[2],
                                     .turn = {size[3], size[4]},
                                     .spin_power = powers ? powers[i] : 0.0,
                                     .n = own[2],
                                     .table = own[3]};
    }
    p->sets = (scree_sets){(int32_t)n, (int32_t)n_table, value, table};
    return SCREE_OK;
}

bool scri_fclib_holds_law(int law)
{
    const scri_law* entry = scri_law_get(law);
    return scri_law_is(entry, SCREE_LAW_HAS_FRICTION) && entry->impulses == 0;
}

scree_status scri_fclib_read_laws(const scri_hdf5* h, const char* group, scri_arena* keep,
                                  scree_problem* problem)
{
    scree_status status = SCREE_OK;
    if (scri_hdf5_has(h, below(group, "law").path)) status = read_laws(h, group, keep, problem);
    if (!status && scri_hdf5_has(h, below(group, "set").path)) {
        status = read_sets(h, group, keep, problem);
    }
    return status;
}
