#include "cli/info_recording.h"
#include "cli/raster.h"
#include "cli/report.h"
#include "cli/verbs.h"
#include "scree/reactions.h"

#include <math.h>
#include <stdlib.h>

typedef struct info_options {
    const char* file;
    bool pointed;
    const char* stress;
    bool json;
} info_options;

static const cli_argument arguments[] = {
    {"FILE", "recording; problem: Siconos text or FCLIB HDF5; raster: .asc, .tif, .xyz",
     offsetof(info_options, file)},
};

static const cli_option options[] = {
    {.name = "pointed",
     .kind = CLI_FLAG,
     .offset = offsetof(info_options, pointed),
     .text = "of a problem: whether impulses can press and move nothing"},
    {.name = "stress",
     .kind = CLI_TEXT,
     .offset = offsetof(info_options, stress),
     .value = "OUT",
     .text = "with --pointed: write such impulses",
     .usual = "none"},
    CLI_JSON_OPTION(info_options),
};

static const cli_syntax syntax = {
    .verb = "info",
    .purpose = "Says what a file holds. A recording: scene, frames, bodies, worst residual and\n"
               "penetration, a hash of all motion. A problem: sizes, form, friction coefficients,\n"
               "and what comes with it. A raster: points, cell, origin, range of values, holes.",
    .n_arguments = CLI_COUNT(arguments),
    .n_options = CLI_COUNT(options),
    .arguments = arguments,
    .options = options,
    .example = "  scree info run.h5\n  scree info problem.dat\n  scree info alp.tif",
};

/* Channels in the order of scree_problem.coef. */
enum { N_CHANNELS = 3 };
static const char* const coefficient_names[N_CHANNELS] = {"mu", "mu_r", "mu_s"};
static const char* const coefficient_units[N_CHANNELS] = {"", " m", " m"};

/* Bit k set: contacts with these rows have channel k. */
static const unsigned char channels_of[SCREE_ROWS_END] = {
    [SCREE_ROWS_NT] = 1,    [SCREE_ROWS_NTT] = 1,    [SCREE_ROWS_NTTS] = 5,
    [SCREE_ROWS_NTTRR] = 3, [SCREE_ROWS_NTTRRS] = 7, [SCREE_ROWS_NTR] = 3,
};

typedef struct range {
    double least, most; /* least > most: no contact has this channel */
} range;

static range coefficient_range(const scree_problem* problem, int channel)
{
    range r = {HUGE_VAL, -HUGE_VAL};
    for (int32_t c = 0; c < problem->n_contacts; ++c) {
        bool friction = scree_law_traits(problem->law[c]) & SCREE_LAW_HAS_FRICTION;
        if (!friction || !(channels_of[problem->rows[c]] >> channel & 1)) continue;
        double value = problem->coef[N_CHANNELS * (size_t)c + (size_t)channel];
        if (value < r.least) r.least = value;
        if (value > r.most) r.most = value;
    }
    return r;
}

static const char* const form_names[] = {
    [SCREE_FORM_ASSEMBLED] = "assembled",
    [SCREE_FORM_FACTORED] = "factored",
    [SCREE_FORM_BODIES] = "bodies",
};

/* Sizes that not every form has: -1 where it has none. */
static int32_t count_blocks(const scree_problem* problem)
{
    return problem->form == SCREE_FORM_ASSEMBLED ? problem->w.start[problem->n_contacts] : -1;
}

static int32_t count_dof(const scree_problem* problem)
{
    return problem->form == SCREE_FORM_FACTORED ? problem->factored.mass.n_rows : -1;
}

/* By scree_pointed; the last is for who did not ask. */
static const char* const pointed_texts[] = {
    [SCREE_POINTED] = "yes: self-stress is impossible, the convex law has one motion",
    [SCREE_NOT_POINTED] = "no: impulses can press on each other and move nothing",
    [SCREE_POINTED_UNKNOWN] = "not decided",
};
static const char* const pointed_words[] = {"yes", "no", NULL};

static void print_table(const cli_loaded* loaded, const scree_pointed* pointed)
{
    const scree_problem* problem = &loaded->problem;
    const scree_problem_file* file = &loaded->file;
    cli_print_problem(loaded);
    cli_row("rows", "%d", (int)scree_problem_n_rows(problem));
    cli_row("form", "%s", form_names[problem->form]);
    if (count_blocks(problem) >= 0) cli_row("blocks", "%d in W", (int)count_blocks(problem));
    if (count_dof(problem) >= 0) cli_row("degrees of freedom", "%d", (int)count_dof(problem));
    for (int k = 0; k < N_CHANNELS; ++k) {
        range r = coefficient_range(problem, k);
        if (r.least < r.most) {
            cli_row(coefficient_names[k], "%g to %g%s", r.least, r.most, coefficient_units[k]);
        } else if (r.least <= r.most) {
            cli_row(coefficient_names[k], "%g%s", r.least, coefficient_units[k]);
        }
    }
    if (pointed) cli_row("pointed", "%s", pointed_texts[*pointed]);
    cli_row("title", "%s", file->title ? file->title : "none");
    cli_row("guesses", "%d", (int)file->n_guesses);
    cli_row("solution", "%s", file->solution ? "yes" : "no");
}

static void print_json(const cli_loaded* loaded, const scree_pointed* pointed)
{
    const scree_problem* problem = &loaded->problem;
    const scree_problem_file* file = &loaded->file;
    cli_json json = {.out = stdout};
    cli_json_object(&json, NULL);
    cli_json_problem(&json, loaded);
    cli_json_text(&json, "form", form_names[problem->form]);
    cli_json_count(&json, "blocks", count_blocks(problem));
    cli_json_count(&json, "dof", count_dof(problem));
    cli_json_object(&json, "coefficients");
    for (int k = 0; k < N_CHANNELS; ++k) {
        range r = coefficient_range(problem, k);
        if (!(r.least <= r.most)) continue;
        cli_json_array(&json, coefficient_names[k]);
        cli_json_real(&json, NULL, r.least);
        cli_json_real(&json, NULL, r.most);
        cli_json_end(&json);
    }
    cli_json_end(&json);
    if (pointed) cli_json_text(&json, "pointed", pointed_words[*pointed]);
    cli_json_text(&json, "title", file->title);
    cli_json_integer(&json, "guesses", file->n_guesses);
    cli_json_boolean(&json, "solution", file->solution != NULL);
    cli_json_end(&json);
}

/* Asks for pointedness and writes the self-stress where there is one. */
static int examine(cli_host* host, const info_options* o, const cli_loaded* loaded,
                   scree_pointed* pointed)
{
    scree_env env = cli_env(host);
    const scree_problem* problem = &loaded->problem;
    scree_problem_store reduced = {.memory = NULL};
    scree_status status = SCREE_OK;
    double* stress = cli_new_rows(host, loaded);
    if (!stress) return CLI_FAILED;
    if (problem->form == SCREE_FORM_FACTORED) {
        status = scree_problem_reduce(&env, problem, &reduced);
        problem = &reduced.problem;
    }
    if (!status) status = scree_reactions_pointed(&env, problem, stress, pointed);
    if (!status && o->stress && *pointed == SCREE_NOT_POINTED) {
        cli_host_turn_to(host, o->stress);
        status = scree_impulses_write(&env, o->stress, problem, stress);
    }
    scree_problem_store_release(&reduced);
    free(stress);
    return status ? cli_refuse(host, status) : CLI_DONE;
}

static int explain_problem(cli_host* host, const info_options* o)
{
    cli_loaded loaded;
    scree_pointed pointed = SCREE_POINTED_UNKNOWN;
    int code = cli_load(host, o->file, -1, &loaded);
    if (code == CLI_DONE && o->pointed) code = cli_check_contacts(host, &loaded);
    if (code == CLI_DONE && o->stress) code = cli_check_output(syntax.verb, o->stress, o->file);
    if (code == CLI_DONE && o->pointed) code = examine(host, o, &loaded, &pointed);
    if (code == CLI_DONE && o->json) print_json(&loaded, o->pointed ? &pointed : NULL);
    if (code == CLI_DONE && !o->json) print_table(&loaded, o->pointed ? &pointed : NULL);
    cli_unload(&loaded);
    return code;
}

int cli_info(int argc, char** argv)
{
    info_options o = {0};
    int code;
    if (!cli_parse(&syntax, argc, argv, &o, &code)) return code;
    cli_host host = {.verb = syntax.verb};
    if (cli_is_recording(o.file)) return cli_info_recording(&host, o.file, o.json);
    if (scree_raster_is_name(o.file)) return cli_info_raster(&host, o.file, o.json);
    return explain_problem(&host, &o);
}
