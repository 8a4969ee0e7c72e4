#include "cli/load.h"

#include "scree/solver.h"

#include <stdlib.h>
#include <string.h>

const char* const cli_law_choices[] = {
#define NAME(LAW, entry) #entry,
    SCREE_WORLD_LAWS(NAME) NULL,
#undef NAME
};

const char* const cli_measure_choices[] = {
    [SCREE_MEASURE_SCREE] = "scree",
    [SCREE_MEASURE_SICONOS] = "siconos",
    [SCREE_MEASURE_LOCAL] = "local",
    [SCREE_MEASURE_COUNT] = NULL,
};

cli_judge cli_default_judge(void)
{
    scree_solver_def def = scree_default_solver_def();
    return (cli_judge){.law = -1, .tol = def.tol, .measure = (int)def.measure};
}

bool cli_has_friction(const scree_problem* problem)
{
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        if (scree_law_traits(problem->law[c]) & SCREE_LAW_HAS_FRICTION) return true;
    }
    return false;
}

static scree_status replace_law(const scree_env* env, cli_loaded* loaded, int law)
{
    scree_problem* problem = &loaded->problem;
    size_t n = (size_t)problem->n_contacts;
    loaded->law = malloc(n ? n : 1);
    if (!loaded->law) return SCREE_ERROR_MEMORY;
    for (size_t c = 0; c < n; ++c) {
        loaded->law[c] = problem->law[c] < SCREE_LAW_WORLD_COUNT ? (uint8_t)law : problem->law[c];
    }
    problem->law = loaded->law;
    return scree_problem_validate(env, problem);
}

int cli_load(cli_host* host, const char* path, int law, cli_loaded* out)
{
    *out = (cli_loaded){.path = path};
    scree_env env = cli_env(host);
    cli_host_turn_to(host, path);
    scree_status status = scree_problem_read(&env, path, &out->file);
    if (status != SCREE_OK) return cli_refuse(host, status);
    out->problem = out->file.store.problem;
    if (law >= 0) status = replace_law(&env, out, law);
    return status == SCREE_OK ? CLI_DONE : cli_refuse(host, status);
}

int cli_check_contacts(const cli_host* host, const cli_loaded* loaded)
{
    if (loaded->problem.n_contacts > 0) return CLI_DONE;
    cli_say(host->verb, "%s: the problem has no contacts", loaded->path);
    return CLI_BAD_INPUT;
}

void cli_unload(cli_loaded* loaded)
{
    free(loaded->law);
    scree_problem_file_release(&loaded->file);
    *loaded = (cli_loaded){0};
}

int cli_load_impulses(cli_host* host, const cli_loaded* loaded, const char* path, double* p)
{
    scree_env env = cli_env(host);
    cli_host_turn_to(host, path);
    scree_status status = scree_impulses_read(&env, path, &loaded->problem, p);
    return status == SCREE_OK ? CLI_DONE : cli_refuse(host, status);
}

double* cli_new_rows(cli_host* host, const cli_loaded* loaded)
{
    int32_t n_rows = scree_problem_n_rows(&loaded->problem);
    double* p = calloc(n_rows > 0 ? (size_t)n_rows : 1, sizeof *p);
    if (!p) cli_refuse(host, SCREE_ERROR_MEMORY);
    return p;
}
