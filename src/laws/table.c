#include "laws/law.h"

const scri_law* scri_law_get(int law)
{
    static const scri_law* const laws[SCREE_LAW_COUNT] = {
        [SCREE_LAW_EXACT] = &scri_law_exact,       [SCREE_LAW_CONVEX] = &scri_law_convex,
        [SCREE_LAW_COUPLED] = &scri_law_coupled,   [SCREE_LAW_BILATERAL] = &scri_law_bilateral,
        [SCREE_LAW_INTERVAL] = &scri_law_interval, [SCREE_LAW_HALF_LINE] = &scri_law_half_line,
    };
    return law >= 0 && law < SCREE_LAW_COUNT ? laws[law] : NULL;
}

double scri_law_no_shift(int rows, const double* coef, const double* y)
{
    (void)rows, (void)coef, (void)y;
    return 0.0;
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
