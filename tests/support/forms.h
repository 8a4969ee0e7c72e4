/* A pile of spheres in both forms that methods take. */
#ifndef SUPPORT_FORMS_H
#define SUPPORT_FORMS_H

#include "support/fits.h"

typedef struct pair_of_forms {
    sample bodies;
    scree_problem_store assembled;
} pair_of_forms;

/* Takes `bodies` over, which must be valid. */
static inline pair_of_forms forms_of(sample bodies)
{
    pair_of_forms pair = {.bodies = bodies};
    test_host host;
    scree_env env = test_env(&host);
    scree_status status = scree_problem_validate(&env, &pair.bodies.view);
    require(status == SCREE_OK, "%s", host.text);
    assert_int_equal(scree_problem_reduce(NULL, &pair.bodies.view, &pair.assembled), SCREE_OK);
    return pair;
}

static inline const scree_problem* form_of(const pair_of_forms* pair, int assembled)
{
    return assembled ? &pair->assembled.problem : &pair->bodies.view;
}

static inline void forms_end(pair_of_forms* pair)
{
    scree_problem_store_release(&pair->assembled);
    sample_end(&pair->bodies);
}

#endif
