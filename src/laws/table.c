#include "laws/law.h"

static const scri_law* const laws[] = {
#define ENTRY(LAW, entry) &scri_law_##entry,
    SCREE_WORLD_LAWS(ENTRY) SCREE_OTHER_LAWS(ENTRY)
#undef ENTRY
};

enum { N_LAWS = sizeof laws / sizeof laws[0] };

const scri_law* scri_law_get(int law)
{
    return law >= 0 && law < N_LAWS ? laws[law] : NULL;
}

static int has_sets(const scree_problem* problem, int32_t c)
{
    if (!problem->set) return 0;
    const int32_t* set = problem->set + 4 * (size_t)c;
    return (set[0] & set[1] & set[2] & set[3]) != -1; /* numbers are not negative */
}

const scri_law* scri_law_of(const scree_problem* problem, int32_t c)
{
    const scri_law* law = laws[problem->law[c]];
    const scri_law* other = has_sets(problem, c) ? law->with_sets : law->with_discs;
    return other ? other : law;
}

static int number_of(const scri_law* law)
{
    int i = N_LAWS - 1;
    while (i >= 0 && laws[i] != law) --i;
    return i;
}

int scri_law_relaxed(int law)
{
    return number_of(laws[law]->relaxed);
}

int scri_law_extended_by(int law)
{
    return number_of(laws[law]->extended);
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

uint32_t scree_law_traits(int law)
{
    const scri_law* entry = scri_law_get(law);
    return entry ? entry->traits & ~SCRI_LAW_JUDGED_BY_REACTION : 0;
}

const char* scree_law_coef_name(int law, int i)
{
    const scri_law* entry = scri_law_get(law);
    return entry && i >= 0 && i < 3 ? entry->coef[i] : NULL;
}

int scree_rows_width(int rows)
{
    return scri_layout_of(rows).width;
}
