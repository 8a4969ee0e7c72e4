#include "cli/report.h"
#include "cli/verbs.h"

#include <stdlib.h>

typedef struct certify_options {
    const char* file;
    const char* result;
    cli_judge judge;
    bool json;
} certify_options;

static const cli_argument arguments[] = {
    {"FILE", "problem: Siconos text or FCLIB HDF5", offsetof(certify_options, file)},
    {"RESULT", "impulses: text with one number per row, or HDF5 with /solution/r",
     offsetof(certify_options, result)},
};

static const cli_option options[] = {
    CLI_JUDGE_OPTIONS(certify_options),
    CLI_JSON_OPTION(certify_options),
};

static const cli_syntax syntax = {
    .verb = "certify",
    .purpose = "Measures how well the impulses in RESULT solve the problem in FILE, by code that\n"
               "knows no solver.",
    .n_arguments = CLI_COUNT(arguments),
    .n_options = CLI_COUNT(options),
    .arguments = arguments,
    .options = options,
    .exit_codes = "0 residual within --tol, 1 above it or failed, 2 bad input or usage",
    .example = "  scree solve problem.dat -o impulses.txt\n"
               "  scree certify problem.dat impulses.txt --tol 1e-6",
};

static void print_table(const cli_loaded* loaded, const certify_options* o,
                        const scree_certificate* certificate)
{
    bool good = cli_accepts(certificate, &o->judge);
    cli_print_problem(loaded);
    cli_row("result", "%s", o->result);
    cli_row("status", "%s%s%s", cli_paint(good ? CLI_GOOD : CLI_BAD),
            good ? "accepted" : "not accepted", cli_paint(CLI_PLAIN));
    cli_print_residuals(certificate, &o->judge);
    cli_print_physics(certificate);
}

static void print_json(const cli_loaded* loaded, const certify_options* o,
                       const scree_certificate* certificate)
{
    cli_json json = {.out = stdout};
    cli_json_object(&json, NULL);
    cli_json_problem(&json, loaded);
    cli_json_text(&json, "result", o->result);
    cli_json_boolean(&json, "accepted", cli_accepts(certificate, &o->judge));
    cli_json_certificate(&json, certificate, &o->judge);
    cli_json_end(&json);
}

/* p[n_rows] is room for the impulses. */
static int certify(cli_host* host, const cli_loaded* loaded, const certify_options* o, double* p)
{
    int code = cli_load_impulses(host, loaded, o->result, p);
    if (code != CLI_DONE) return code;
    scree_env env = cli_env(host);
    scree_certificate certificate;
    scree_status status = scree_certify(&env, &loaded->problem, p, &certificate);
    if (status != SCREE_OK) return cli_refuse(host, status);
    if (o->json) {
        print_json(loaded, o, &certificate);
    } else {
        print_table(loaded, o, &certificate);
    }
    return cli_accepts(&certificate, &o->judge) ? CLI_DONE : CLI_FAILED;
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
    if (code == CLI_DONE) {
        p = cli_new_rows(&host, &loaded);
        code = p ? certify(&host, &loaded, &o, p) : CLI_FAILED;
    }
    free(p);
    cli_unload(&loaded);
    return code;
}
