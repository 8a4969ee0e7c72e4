#include "cli/identify.h"

#include "cli/host.h"
#include "cli/json.h"
#include "cli/options.h"
#include "cli/verbs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct identify_options {
    const char* measurement;
    const char* example;
    double normal_force; /* N; 0: not given */
    const char* crosstalk;
    double cutoff, gap;
    bool fit_angle;
    int form;
    const char *output, *svg, *name;
    int figure, surface;
    bool is_path;
    cli_list settings;
    const char* fit;
    bool json;
} identify_options;

static const char* const forms[] = {"ellipse", "superellipse", "table", "auto", NULL};

static const char* const figures[] = {"sets", "forces", NULL};

static const char* const surfaces[] = {"pvc", "steel", NULL};

static const cli_argument arguments[] = {
    {"MEASUREMENT.csv", "columns angle_deg or angle_rad, f_radial, f_tangential, f_normal (N)",
     offsetof(identify_options, measurement)},
};

static const cli_option options[] = {
    {.name = "example",
     .kind = CLI_TEXT,
     .offset = offsetof(identify_options, example),
     .value = "FILE",
     .text = "write a made-up measurement to try this on, and nothing else",
     .usual = "none"},
    {.name = "normal-force",
     .kind = CLI_REAL,
     .offset = offsetof(identify_options, normal_force),
     .value = "N",
     .text = "normal force in newtons",
     .usual = "the column f_normal",
     .most = 1e12},
    {.name = "crosstalk",
     .kind = CLI_TEXT,
     .offset = offsetof(identify_options, crosstalk),
     .value = "T",
     .text = "matrix of forces = T * readings, a file or 9 numbers with commas",
     .usual = "identity"},
    {.name = "cutoff",
     .kind = CLI_REAL,
     .offset = offsetof(identify_options, cutoff),
     .value = "K",
     .text = "cut-off of the low-pass filter, cycles per turn",
     .least = 1.0,
     .most = 720.0},
    {.name = "gap",
     .kind = CLI_REAL,
     .offset = offsetof(identify_options, gap),
     .value = "A",
     .text = "degrees that may be missing between samples",
     .least = 1e-3,
     .most = 90.0},
    {.name = "fit-angle",
     .kind = CLI_FLAG,
     .offset = offsetof(identify_options, fit_angle),
     .text = "let the axes of the fitted sets turn against those of the surface"},
    {.name = "form",
     .kind = CLI_CHOICE,
     .offset = offsetof(identify_options, form),
     .value = "F",
     .text = "of the sets in the material",
     .choices = forms},
    {.name = "output",
     .letter = 'o',
     .kind = CLI_TEXT,
     .offset = offsetof(identify_options, output),
     .value = "FILE",
     .text = "write the material, for a scene",
     .usual = "none"},
    {.name = "svg",
     .kind = CLI_TEXT,
     .offset = offsetof(identify_options, svg),
     .value = "FILE",
     .text = "draw a figure",
     .usual = "none"},
    {.name = "figure",
     .kind = CLI_CHOICE,
     .offset = offsetof(identify_options, figure),
     .value = "NAME",
     .text = "both sets, or the forces over the angle",
     .choices = figures},
    {.name = "name",
     .kind = CLI_TEXT,
     .offset = offsetof(identify_options, name),
     .value = "NAME",
     .text = "of the surface, for the figure and the material",
     .usual = "the file's name"},
    {.name = "surface",
     .kind = CLI_CHOICE,
     .offset = offsetof(identify_options, surface),
     .value = "NAME",
     .text = "of the example: a pin of PVC or of steel on ground steel",
     .choices = surfaces},
    {.name = "path",
     .kind = CLI_FLAG,
     .offset = offsetof(identify_options, is_path),
     .text = "the file has paths of a disc: columns x, y (m), perhaps time (s), path"},
    {.name = "set",
     .kind = CLI_LIST,
     .offset = offsetof(identify_options, settings),
     .value = "NAME=VALUE",
     .text = "with --path: law and values to begin with, as of scree run sliding-disc"},
    {.name = "fit",
     .kind = CLI_TEXT,
     .offset = offsetof(identify_options, fit),
     .value = "NAMES",
     .text = "with --path: of a, b, s, d_ratio, d_s, v, phi, x, y",
     .usual = "all that the law has"},
    CLI_JSON_OPTION(identify_options),
};

static const cli_syntax syntax = {
    .verb = "identify",
    .purpose =
        "Finds the friction sets of a surface from the forces on a pin that slides over it in\n"
        "all directions: the force set C and the direction set D, with ellipses and\n"
        "superellipses fitted to them. With --path, from the paths of a disc that slides to rest.",
    .n_arguments = CLI_COUNT(arguments),
    .n_optional = 1,
    .n_options = CLI_COUNT(options),
    .arguments = arguments,
    .options = options,
    .example = "  scree identify --example plate.csv\n"
               "  scree identify plate.csv -o plate.yaml --svg plate.svg\n"
               "  scree identify --path --example paths.csv\n"
               "  scree identify --path paths.csv --set law=extended --svg paths.svg",
};

/* A few turns at 1 kHz or so, t1 across the grooves. PVC has the sets of Table 1 of Walker and
 * Leine (2019). Of the steel pin of their figure 25 the text says the normal force, that the force
 * along the sliding is largest along the grooves, and that C and D differ much: these numbers are
 * made up to be so. */
static const struct {
    const char* what;
    scree_set_def c, d;
    double normal_force, noise;
} made_up[] = {
    {"PVC",
     {.kind = SCREE_SET_SUPERELLIPSE, .a = 4.99 / 9.3, .b = 4.25 / 9.3, .s = 2.94},
     {.kind = SCREE_SET_SUPERELLIPSE, .a = 1.84, .b = 1.19, .s = 2.51},
     9.3,
     0.05},
    {"a steel pin",
     {.kind = SCREE_SET_SUPERELLIPSE, .a = 2.6 / 18.5, .b = 3.3 / 18.5, .s = 1.7},
     {.kind = SCREE_SET_SUPERELLIPSE, .a = 1.5, .b = 1.0, .s = 2.6},
     18.5,
     0.03},
};

static int write_example(const identify_options* o, cli_host* host)
{
    scree_env env = cli_env(host);
    scree_set *sliding = NULL, *direction = NULL;
    scree_measurement measurement = {0};
    cli_host_turn_to(host, o->example);
    scree_status status = scree_set_create(&env, &made_up[o->surface].c, &sliding);
    if (!status) status = scree_set_create(&env, &made_up[o->surface].d, &direction);
    scree_tribometer_def def = {.sliding = sliding,
                                .direction = direction,
                                .normal_force = made_up[o->surface].normal_force,
                                .noise = made_up[o->surface].noise,
                                .samples = 1800,
                                .turns = 3,
                                .seed = 1};
    if (!status) status = scree_measurement_simulate(&env, &def, &measurement);
    if (!status) status = scree_measurement_write(&env, o->example, &measurement);
    if (!status && !o->json) {
        printf("%s: three turns of %s on ground steel, with noise; now try\n"
               "  scree identify %s\n",
               o->example, made_up[o->surface].what, o->example);
    }
    scree_measurement_release(&measurement);
    scree_set_destroy(sliding);
    scree_set_destroy(direction);
    if (status) return cli_refuse(host, status);
    if (o->json) {
        cli_json json = {.out = stdout};
        cli_json_object(&json, NULL);
        cli_json_text(&json, "example", o->example);
        cli_json_end(&json);
    }
    return CLI_DONE;
}

/* How many finite numbers with commas between them a text is; 0: it is something else. The first
 * nine go into the matrix. */
static int parse_matrix(const char* text, double matrix[9])
{
    for (int n = 0;; ++text) {
        char item[64];
        double value;
        size_t length = strcspn(text, ",");
        snprintf(item, sizeof item, "%.*s", (int)length, text);
        if (length >= sizeof item || !cli_read_number(item, &value) || !isfinite(value)) return 0;
        if (n < 9) matrix[n] = value;
        ++n;
        text += length;
        if (*text == '\0') return n;
    }
}

static int check(const identify_options* o)
{
    const char* verb = syntax.verb;
    int code = CLI_DONE;
    if (!o->is_path && (o->settings.n > 0 || o->fit)) {
        return cli_usage_error(verb, "--set and --fit are for --path");
    }
    if (o->is_path && o->output) {
        return cli_usage_error(verb, "--path writes no material; leave out -o");
    }
    if (o->example && o->measurement) {
        return cli_usage_error(verb, "--example or a measurement, not both");
    }
    if (o->example) return cli_check_output(verb, o->example, "");
    if (!o->measurement) {
        return cli_usage_error(verb, "MEASUREMENT.csv is missing; scree identify --example FILE "
                                     "writes one to try");
    }
    if (o->output) code = cli_check_output(verb, o->output, o->measurement);
    if (code == CLI_DONE && o->svg) code = cli_check_output(verb, o->svg, o->measurement);
    return code;
}

/* The last part of a path, without its ending. */
static void base_name(const char* path, char* out, size_t size)
{
    const char* slash = strrchr(path, '/');
    const char* begin = slash ? slash + 1 : path;
    const char* dot = strrchr(begin, '.');
    size_t length = dot && dot > begin ? (size_t)(dot - begin) : strlen(begin);
    snprintf(out, size, "%.*s", (int)(length < size ? length : size - 1), begin);
}

static int show(const identify_options* o, cli_host* host, const scree_measurement* measurement,
                const scree_identification* found)
{
    char name[128];
    base_name(o->measurement, name, sizeof name);
    cli_identified it = {.path = o->measurement,
                         .name = o->name ? o->name : name,
                         .material = o->output,
                         .cutoff = o->cutoff,
                         .n_samples = measurement->n,
                         .found = found};
    scree_env env = cli_env(host);
    int code = CLI_DONE;
    if (o->output) {
        cli_host_turn_to(host, o->output);
        scree_status status = scree_material_write(&env, o->output, found, it.name);
        if (status) code = cli_refuse(host, status);
    }
    if (code == CLI_DONE && o->svg) {
        code = (o->figure == 1 ? cli_identified_draw_forces : cli_identified_draw)(&it, o->svg);
    }
    if (code == CLI_DONE && o->json) cli_identified_json(&it);
    if (code == CLI_DONE && !o->json) cli_identified_print(&it);
    return code;
}

static int identify(const identify_options* o, cli_host* host)
{
    scree_env env = cli_env(host);
    scree_identify_def def = scree_default_identify_def();
    scree_measurement measurement = {0};
    scree_identification* found = NULL;
    double matrix[9];
    scree_status status = SCREE_OK;
    int n_given = o->crosstalk ? parse_matrix(o->crosstalk, matrix) : 9;
    if (n_given > 1 && n_given != 9) {
        return cli_usage_error(syntax.verb, "--crosstalk %s: %d numbers, 9 are needed",
                               o->crosstalk, n_given);
    }
    if (n_given != 9) { /* then it is a file */
        cli_host_turn_to(host, o->crosstalk);
        status = scree_crosstalk_read(&env, o->crosstalk, matrix);
        if (status) return cli_refuse(host, status);
    }
    def.normal_force = o->normal_force;
    def.crosstalk = o->crosstalk ? matrix : NULL;
    def.cutoff = o->cutoff;
    def.most_gap = o->gap;
    def.fit_angle = o->fit_angle;
    def.form = (scree_fit_form)o->form;
    cli_host_turn_to(host, o->measurement);
    status = scree_measurement_read(&env, o->measurement, &measurement);
    if (!status) status = scree_identify(&env, &measurement, &def, &found);
    int code = status ? cli_refuse(host, status) : show(o, host, &measurement, found);
    scree_identification_destroy(found);
    scree_measurement_release(&measurement);
    return code;
}

int cli_identify(int argc, char** argv)
{
    scree_identify_def usual = scree_default_identify_def();
    identify_options o = {.cutoff = usual.cutoff, .gap = usual.most_gap, .form = (int)usual.form};
    int code;
    if (!cli_parse(&syntax, argc, argv, &o, &code)) return code;
    code = check(&o);
    if (code != CLI_DONE) return code;
    if (o.is_path) {
        cli_path_options path = {.verb = syntax.verb,
                                 .file = o.measurement,
                                 .example = o.example,
                                 .settings = o.settings,
                                 .fit = o.fit,
                                 .svg = o.svg,
                                 .json = o.json};
        return o.example ? cli_identify_path_example(&path) : cli_identify_path(&path);
    }
    cli_host host = {.verb = syntax.verb};
    return o.example ? write_example(&o, &host) : identify(&o, &host);
}
