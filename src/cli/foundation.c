#include "cli/foundation.h"

#include "cli/report.h"
#include "cli/suggest.h"
#include "cli/verbs.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

double cli_degrees(double angle)
{
    return angle / SCREE_DEGREE;
}

const char* const cli_foundation_models[] = {"consistent", "printed", "approximate", "circle",
                                             NULL};

/* ---- parameters ---- */

/* What a member of the defs is. */
typedef enum kind { REAL, INT32, INT64, UINT64 } kind;

typedef struct parameter {
    const char* symbol;
    kind kind;
    size_t offset; /* in its def */
    double si;     /* per unit */
    const char *unit, *meaning;
} parameter;

#define SCREE_X(symbol, name, value, si, unit, meaning) \
    {#symbol, REAL, offsetof(scree_foundation_def, name), si, unit, meaning},
static const parameter foundation[] = {SCREE_FOUNDATION_FIELDS(SCREE_X)};
#undef SCREE_X

#define KIND_double REAL
#define KIND_int32_t INT32
#define KIND_int64_t INT64
#define KIND_uint64_t UINT64
#define SCREE_X(type, name, value, meaning) \
    {#name, KIND_##type, offsetof(scree_ensemble_def, name), 1.0, NULL, meaning},
static const parameter ensemble[] = {SCREE_ENSEMBLE_FIELDS(SCREE_X)};
#undef SCREE_X

/* Parameter number i and where it is; NULL after the last. */
static const parameter* get_parameter(const cli_foundation_set* set, int i, char** at)
{
    if (i < CLI_COUNT(foundation)) {
        *at = (char*)set->def + foundation[i].offset;
        return &foundation[i];
    }
    i -= CLI_COUNT(foundation);
    if (!set->ensemble || i >= CLI_COUNT(ensemble)) return NULL;
    *at = (char*)set->ensemble + ensemble[i].offset;
    return &ensemble[i];
}

static void write_value(const parameter* p, const char* at, char* text, size_t size)
{
    union {
        double real;
        int32_t int32;
        int64_t int64;
        uint64_t uint64;
    } v;
    switch (p->kind) {
    case REAL:
        memcpy(&v.real, at, sizeof v.real);
        snprintf(text, size, "%g", v.real / p->si);
        break;
    case INT32:
        memcpy(&v.int32, at, sizeof v.int32);
        snprintf(text, size, "%" PRId32, v.int32);
        break;
    case INT64:
        memcpy(&v.int64, at, sizeof v.int64);
        snprintf(text, size, "%" PRId64, v.int64);
        break;
    case UINT64:
        memcpy(&v.uint64, at, sizeof v.uint64);
        snprintf(text, size, "%" PRIu64, v.uint64);
        break;
    }
}

/* The purpose of a verb and below it all parameters with unit, meaning and default. */
static void describe(const cli_foundation_set* set, const char* purpose, char* text, size_t size)
{
    char *at, value[32];
    size_t used = (size_t)snprintf(text, size, "%s\n\nparameters, for --set:", purpose);
    const parameter* p;
    for (int i = 0; (p = get_parameter(set, i, &at)) && used < size; ++i) {
        write_value(p, at, value, sizeof value);
        used +=
            (size_t)snprintf(text + used, size - used, "\n  %-9s  %s%s%s (default: %s)", p->symbol,
                             p->meaning, p->unit ? ", in " : "", p->unit ? p->unit : "", value);
    }
}

/* Whole numbers may be written like 1e6. Digits beyond 2^53 are read exactly. */
static int read_value(const char* verb, const parameter* p, const char* text, char* at)
{
    double real = 0.0;
    if (!cli_read_number(text, &real)) {
        return cli_usage_error(verb, "--set %s: '%s' is not a number", p->symbol, text);
    }
    if (p->kind == REAL) {
        real *= p->si;
        memcpy(at, &real, sizeof real);
        return CLI_DONE;
    }
    bool digits = strspn(text, "0123456789") == strlen(text);
    errno = 0;
    uint64_t whole = digits                       ? strtoull(text, NULL, 10)
                     : real >= 0.0 && real < 1e18 ? (uint64_t)real
                                                  : 0;
    if (errno || (!digits && (double)whole != real)) {
        return cli_usage_error(verb, "--set %s: %s is no whole number in range", p->symbol, text);
    }
    if (p->kind == UINT64) {
        memcpy(at, &whole, sizeof whole);
    } else if (p->kind == INT64 && whole <= INT64_MAX) {
        memcpy(at, &(int64_t){(int64_t)whole}, sizeof(int64_t));
    } else if (p->kind == INT32 && whole <= INT32_MAX) {
        memcpy(at, &(int32_t){(int32_t)whole}, sizeof(int32_t));
    } else {
        return cli_usage_error(verb, "--set %s: %s is too large", p->symbol, text);
    }
    return CLI_DONE;
}

static int apply_one(const char* verb, const char* setting, const cli_foundation_set* set)
{
    char *at, name[32];
    const char* equals = strchr(setting, '=');
    if (!equals || equals == setting) {
        return cli_usage_error(verb, "--set %s: write NAME=VALUE", setting);
    }
    snprintf(name, sizeof name, "%.*s", (int)(equals - setting), setting);
    cli_nearest nearest = cli_nearest_begin(name);
    const parameter* p;
    for (int i = 0; (p = get_parameter(set, i, &at)); ++i) {
        if (strcmp(p->symbol, name) == 0) return read_value(verb, p, equals + 1, at);
        cli_nearest_consider(&nearest, p->symbol);
    }
    cli_say_unknown(verb, "--set: unknown parameter", "", &nearest, "--help lists them");
    return CLI_BAD_INPUT;
}

/* Carries out NAME=VALUE settings; CLI_DONE, or CLI_BAD_INPUT after a message. */
static int apply(const char* verb, const cli_list* settings, const cli_foundation_set* set)
{
    int code = CLI_DONE;
    for (int i = 0; i < settings->n && code == CLI_DONE; ++i) {
        code = apply_one(verb, settings->item[i], set);
    }
    return code;
}

void cli_foundation_parameters(cli_json* json, const cli_foundation_set* set)
{
    char* at;
    const parameter* p;
    cli_json_object(json, "parameters");
    for (int i = 0; i < CLI_COUNT(foundation) && (p = get_parameter(set, i, &at)); ++i) {
        double value;
        memcpy(&value, at, sizeof value);
        cli_json_real(json, p->symbol, value / p->si);
    }
    cli_json_end(json);
    cli_json_text(json, "model", scree_foundation_model_name((int)set->def->model));
}

/* ---- output ---- */

void cli_foundation_json_rest(cli_json* json, const scree_foundation_rest* rest, int32_t n)
{
    cli_json_array(json, "stationary");
    for (int32_t i = 0; i < n; ++i) {
        cli_json_object(json, NULL);
        cli_json_real(json, "v", rest[i].speed);
        cli_json_boolean(json, "stable", rest[i].stable);
        cli_json_end(json);
    }
    cli_json_end(json);
}

void cli_foundation_print_rest(const scree_foundation_rest* rest, int32_t n)
{
    if (n == 0) cli_row("stationary speed", "none: nothing holds the cylinder");
    for (int32_t i = 0; i < n; ++i) {
        cli_row(i == 0 ? "stationary speed" : "", "%-10.6g m/s, %s", rest[i].speed,
                rest[i].stable ? "stable" : "unstable");
    }
}

int cli_check_outputs(const char* verb, const char* csv, const char* svg)
{
    int code = csv ? cli_check_output(verb, csv, "") : CLI_DONE;
    if (code == CLI_DONE && svg) code = cli_check_output(verb, svg, "");
    return code;
}

bool cli_foundation_begin(const cli_syntax* syntax, int argc, char** argv, void* options,
                          const cli_foundation_set* set, cli_host* host, int* code)
{
    char text[4096];
    const cli_foundation_options* common = options;
    cli_syntax whole = *syntax;
    describe(set, syntax->purpose, text, sizeof text);
    whole.purpose = text;
    if (!cli_parse(&whole, argc, argv, options, code)) return false;
    host->verb = syntax->verb;
    set->def->model = (scree_foundation_model)common->model;
    *code = cli_check_outputs(syntax->verb, common->csv, common->svg);
    if (*code == CLI_DONE) *code = apply(syntax->verb, &common->settings, set);
    return *code == CLI_DONE;
}

int cli_open_table(const char* verb, const char* path, FILE** out)
{
    *out = NULL;
    if (!path) return CLI_DONE;
    *out = fopen(path, "w");
    return *out ? CLI_DONE : cli_usage_error(verb, "%s: %s", path, strerror(errno));
}

int cli_close_table(const char* verb, const char* path, FILE* file, int code)
{
    if (!file) return code;
    bool failed = ferror(file) != 0;
    if (fclose(file) == 0 && !failed) return code;
    cli_say(verb, "%s: cannot be written", path);
    return CLI_FAILED;
}

/* ---- the verb ---- */

typedef struct study {
    const char* name;
    const char* summary;
    int (*run)(int argc, char** argv);
} study;

static const study studies[] = {
    {"force", "rolling resistance and total force over the speed", cli_foundation_force},
    {"bifurcation", "stationary speeds over the slope, folds, hysteresis",
     cli_foundation_bifurcation},
    {"potential", "potential of the speed, its wells, the friction that rolling needs",
     cli_foundation_potential},
    {"map", "folds over a parameter, and the cusps at which they meet", cli_foundation_map},
    {"noise", "speeds under random forces: density, ensemble, jumps", cli_foundation_noise},
};

static int list_studies(void)
{
    printf("usage: scree foundation NAME [options]\n\n"
           "A rigid cylinder that rolls down a plane of damped springs. The rolling resistance\n"
           "rises with the speed and falls again, so that together with the drag of the air there\n"
           "can be two stable speeds, between which noise makes the cylinder jump.\n\nstudies:\n");
    for (int i = 0; i < CLI_COUNT(studies); ++i) {
        printf("  %-11s  %s\n", studies[i].name, studies[i].summary);
    }
    printf("\nscree foundation NAME --help shows its parameters and options, --json among them.\n"
           "\nexit code: 0 done, 1 failed, 2 bad input or usage\n"
           "\nexample:\n  scree foundation bifurcation --svg bifurcation.svg\n");
    return CLI_DONE;
}

int cli_foundation(int argc, char** argv)
{
    if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        return list_studies();
    }
    cli_nearest nearest = cli_nearest_begin(argv[1]);
    for (int i = 0; i < CLI_COUNT(studies); ++i) {
        if (strcmp(argv[1], studies[i].name) == 0) return studies[i].run(argc - 1, argv + 1);
        cli_nearest_consider(&nearest, studies[i].name);
    }
    cli_say_unknown("foundation", "unknown study", "", &nearest, "scree foundation lists them");
    return CLI_BAD_INPUT;
}
