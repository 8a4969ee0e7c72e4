#include "cli/contacts.h"
#include "cli/report.h"
#include "cli/verbs.h"

#include <stdlib.h>

typedef struct certify_options {
    const char* file;
    const char* result;
    cli_judge judge;
    const char* contacts;
    bool json;
} certify_options;

static const cli_argument arguments[] = {
    {"FILE", "problem: Siconos text or FCLIB HDF5", offsetof(certify_options, file)},
    {"RESULT", "impulses: text with one number per row, or HDF5 with /solution/r",
     offsetof(certify_options, result)},
};

static const cli_option options[] = {
    CLI_JUDGE_OPTIONS(certify_options),
    CLI_CONTACTS_OPTION(certify_options),
    CLI_JSON_OPTION(certify_options),
};

static const cli_syntax syntax = {
    .verb = "certify",
    .purpose = "Measures how well the impulses in RESULT solve the problem in FILE, by code that\n"
               "knows no solver, and looks for a proof that nothing solves it.",
    .n_arguments = CLI_COUNT(arguments),
    .n_options = CLI_COUNT(options),
    .arguments = arguments,
    .options = options,
    .exit_codes = "0 residual within --tol, 1 above it, no solution exists, or failed,\n"
                  "           2 bad input or usage",
    .example = "  scree solve problem.dat -o impulses.txt\n"
               "  scree certify problem.dat impulses.txt --tol 1e-6",
};

/* What is printed, and whether the impulses solve the problem: a small residual is not enough where
 * there is no solution. */
typedef struct verdict {
    scree_certificate certificate;
    scree_infeasibility proof;
    cli_contacts contacts;
    bool good;
} verdict;

static void print_table(const cli_loaded* loaded, const certify_options* o, const verdict* v)
{
    cli_print_problem(loaded);
    cli_row("result", "%s", o->result);
    cli_row("status", "%s%s%s%s", cli_paint(v->good ? CLI_GOOD : CLI_BAD),
            v->good ? "accepted" : "not accepted",
            v->proof.n_contacts > 0 ? ": the problem has no solution" : "", cli_paint(CLI_PLAIN));
    cli_print_infeasible(&v->proof);
    cli_print_residuals(&v->certificate, &o->judge);
    cli_contacts_print(&v->contacts);
    cli_print_physics(&v->certificate);
}

static void print_json(const cli_loaded* loaded, const certify_options* o, const verdict* v)
{
    cli_json json = {.out = stdout};
    cli_json_object(&json, NULL);
    cli_json_problem(&json, loaded);
    cli_json_text(&json, "result", o->result);
    cli_json_boolean(&json, "accepted", v->good);
    cli_json_infeasible(&json, &v->proof);
    cli_json_certificate(&json, &v->certificate, &o->judge);
    cli_contacts_json(&json, &v->contacts);
    cli_json_end(&json);
}

/* p[n_rows] is room for the impulses. */
static int certify(cli_host* host, const cli_loaded* loaded, const certify_options* o, double* p)
{
    int code = cli_load_impulses(host, loaded, o->result, p);
    if (code != CLI_DONE) return code;
    scree_env env = cli_env(host);
    verdict v = {.good = false};
    scree_status status = scree_certify(&env, &loaded->problem, p, &v.certificate);
    if (!status) status = scree_find_infeasible(&env, &loaded->problem, p, NULL, &v.proof);
    if (status != SCREE_OK) return cli_refuse(host, status);
    code = cli_contacts_judge(host, loaded, p, &v.contacts);
    if (code != CLI_DONE) return code;
    v.good = cli_accepts(&v.certificate, &o->judge) && v.proof.n_contacts == 0;
    if (o->json) {
        print_json(loaded, o, &v);
    } else {
        print_table(loaded, o, &v);
    }
    bool wrote = !o->contacts || cli_contacts_write(syntax.verb, o->contacts, &v.contacts);
    free(v.contacts.of);
    return v.good && wrote ? CLI_DONE : CLI_FAILED;
}

int cli_certify(int argc, char** argv)
{
    certify_options o = {.judge = cli_default_judge()};
    int code;
    if (!cli_parse(&syntax, argc, argv, &o, &code)) return code;
    cli_host host = {.verb = syntax.verb};
    cli_loaded loaded;
    double* p = NULL;
    code = cli_load(&host, o.file, o.judge.law, &loaded);
    if (code == CLI_DONE) code = cli_check_contacts(&host, &loaded);
    if (code == CLI_DONE && o.contacts) code = cli_check_output(syntax.verb, o.contacts, o.file);
    if (code == CLI_DONE) {
        p = cli_new_rows(&host, &loaded);
        code = p ? certify(&host, &loaded, &o, p) : CLI_FAILED;
    }
    free(p);
    cli_unload(&loaded);
    return code;
}
