#include "solvers/iterate.h"

#include "base/compiler.h"

#include <math.h>

static size_t bytes_of(const scri_iterate* at)
{
    return (size_t)at->n_rows * sizeof *at->p;
}

scri_iterate scri_iterate_create(int32_t n_rows, scri_team* team, double* p, double* best,
                                 double* y)
{
    return (scri_iterate){
        .n_rows = n_rows, .team = team, .p = p, .best = best, .y = y, .residual = SCREE_NAN};
}

void scri_iterate_keep(scri_iterate* at, double residual, const char* by)
{
    scri_team_copy(at->team, at->best, at->p, bytes_of(at));
    at->residual = residual;
    at->by = by;
}

void scri_iterate_return(scri_iterate* at)
{
    scri_team_copy(at->team, at->p, at->best, bytes_of(at));
}

void scri_iterate_clear(scri_iterate* at)
{
    scri_team_clear(at->team, at->p, bytes_of(at));
}

void scri_iterate_forget(scri_iterate* at)
{
    at->residual = SCREE_NAN;
}
