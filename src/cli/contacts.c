#include "cli/contacts.h"

#include "cli/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

int cli_contacts_judge(cli_host* host, const cli_loaded* loaded, const double* p, cli_contacts* out)
{
    const scree_problem* problem = &loaded->problem;
    scree_env env = cli_env(host);
    out->n = problem->n_contacts;
    out->of = calloc((size_t)out->n, sizeof *out->of);
    scree_status status = SCREE_ERROR_MEMORY;
    if (out->of) status = scree_certify_contacts(&env, problem, p, SCREE_MODE_TOL, out->of);
    if (!status) status = scree_problem_objective(&env, problem, p, &out->objective);
    out->is_convex = true;
    for (int32_t c = 0; c < out->n; ++c) {
        bool associated = scree_law_traits(problem->law[c]) & SCREE_LAW_IS_ASSOCIATED;
        out->is_convex = out->is_convex && associated;
    }
    return status == SCREE_OK ? CLI_DONE : cli_refuse(host, status);
}

static void count(const cli_contacts* contacts, int64_t of_mode[SCREE_MODE_COUNT])
{
    for (int m = 0; m < SCREE_MODE_COUNT; ++m) of_mode[m] = 0;
    for (int32_t c = 0; c < contacts->n; ++c) ++of_mode[contacts->of[c].mode];
}

/* The contact with the largest bipotential; -1 where no law has one. */
static int32_t worst_of(const cli_contacts* contacts)
{
    int32_t worst = -1;
    for (int32_t c = 0; c < contacts->n; ++c) {
        double gap = contacts->of[c].bipotential;
        if (isnan(gap)) continue;
        if (worst < 0 || gap > contacts->of[worst].bipotential) worst = c;
    }
    return worst;
}

void cli_contacts_print(const cli_contacts* contacts)
{
    int64_t of_mode[SCREE_MODE_COUNT];
    const char* label = "modes";
    count(contacts, of_mode);
    for (int m = 0; m < SCREE_MODE_COUNT; ++m) {
        if (of_mode[m] == 0) continue;
        cli_row(label, "%-15s %" PRId64, scree_friction_mode_name(m), of_mode[m]);
        label = "";
    }
    int32_t worst = worst_of(contacts);
    if (contacts->is_convex) {
        cli_row("objective", "%-10.9g J, p W p / 2 + q p", contacts->objective);
    }
    if (worst < 0) return;
    cli_row("bipotential", "%-10.3g J at most, at contact %" PRId32,
            contacts->of[worst].bipotential, worst);
}

void cli_contacts_json(cli_json* json, const cli_contacts* contacts)
{
    int64_t of_mode[SCREE_MODE_COUNT];
    int32_t worst = worst_of(contacts);
    count(contacts, of_mode);
    if (contacts->is_convex) {
        cli_json_real(json, "objective", contacts->objective);
    } else {
        cli_json_null(json, "objective");
    }
    cli_json_object(json, "modes");
    for (int m = 0; m < SCREE_MODE_COUNT; ++m) {
        cli_json_integer(json, scree_friction_mode_name(m), of_mode[m]);
    }
    cli_json_end(json);
    if (worst < 0) {
        cli_json_null(json, "bipotential");
    } else {
        cli_json_real(json, "bipotential", contacts->of[worst].bipotential);
    }
    cli_json_count(json, "bipotential_contact", worst);
}

bool cli_contacts_write(const char* verb, const char* path, const cli_contacts* contacts)
{
    FILE* file = fopen(path, "w");
    bool good = file != NULL;
    if (good) {
        fprintf(file, "contact,mode,residual,normal violation [m/s],cone violation [N s],"
                      "dual violation [m/s],bipotential [J]\n");
        for (int32_t c = 0; c < contacts->n; ++c) {
            const scree_contact_certificate* of = &contacts->of[c];
            fprintf(file, "%" PRId32 ",%s,%.17g,%.17g,%.17g,%.17g,%.17g\n", c,
                    scree_friction_mode_name(of->mode), of->residual, of->normal_violation,
                    of->cone_violation, of->dual_violation, of->bipotential);
        }
        good = !ferror(file);
        good = fclose(file) == 0 && good;
    }
    if (!good) cli_say(verb, "%s: cannot be written", path);
    return good;
}
