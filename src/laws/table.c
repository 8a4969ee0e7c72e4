#include "laws/law.h"

const scri_law* scri_law_get(int law)
{
    static const scri_law* const laws[SCREE_LAW_COUNT] = {
        [SCREE_LAW_EXACT] = &scri_law_exact,       [SCREE_LAW_CONVEX] = &scri_law_convex,
        [SCREE_LAW_COUPLED] = &scri_law_coupled,   [SCREE_LAW_BILATERAL] = &scri_law_bilateral,
        [SCREE_LAW_INTERVAL] = &scri_law_interval, [SCREE_LAW_HALF_LINE] = &scri_law_half_line,
        [SCREE_LAW_EXTENDED] = &scri_law_extended,
    };
    return law >= 0 && law < SCREE_LAW_COUNT ? laws[law] : NULL;
}

static int has_sets(const scree_problem* problem, int32_t c)
{
    if (!problem->set) return 0;
    const scree_set* const* set = problem->set + 4 * (size_t)c;
    return set[0] || set[1] || set[2] || set[3];
}

const scri_law* scri_law_of(const scree_problem* problem, int32_t c)
{
    int law = problem->law[c];
    if (!has_sets(problem, c)) { /* the extended law with discs is the exact one */
        return scri_law_get(law == SCREE_LAW_EXTENDED ? SCREE_LAW_EXACT : law);
    }
    if (law == SCREE_LAW_EXACT) return &scri_law_exact_sets;
    if (law == SCREE_LAW_CONVEX) return &scri_law_convex_sets;
    return scri_law_get(law);
}

double scri_law_no_shift(scri_terms t, const double* y)
{
    (void)t, (void)y;
    return 0.0;
}

void scri_law_recede_normal(scri_terms t, double* d)
{
    int width = scri_layout_of(t.rows).width;
    d[0] = d[0] < 0.0 ? 0.0 : d[0]; /* NaN stays NaN */
    for (int i = 1; i < width; ++i) d[i] = 0.0;
}

const char* scree_law_name(int law)
{
    const scri_law* entry = scri_law_get(law);
    return entry ? entry->name : NULL;
}

int scree_rows_width(int rows)
{
    return scri_layout_of(rows).width;
}
