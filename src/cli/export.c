#include "cli/json.h"
#include "cli/options.h"
#include "cli/recorded.h"
#include "cli/verbs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct export_options {
    const char* run;
    const char* prefix;
    bool vtk, csv, html, shapes;
    int64_t every, frame;
    bool json;
} export_options;

static const cli_argument arguments[] = {
    {"RUN.h5", "recording that scree run has written", offsetof(export_options, run)},
};

static const cli_option options[] = {
    {.name = "vtk",
     .kind = CLI_FLAG,
     .offset = offsetof(export_options, vtk),
     .text = "bodies, contacts, joints for ParaView: PREFIX.pvd, PREFIX_contacts.pvd, ..."},
    {.name = "shapes",
     .kind = CLI_FLAG,
     .offset = offsetof(export_options, shapes),
     .text = "with --vtk: the surfaces of all shapes too: PREFIX_shapes.pvd"},
    {.name = "csv",
     .kind = CLI_FLAG,
     .offset = offsetof(export_options, csv),
     .text = "tables: PREFIX_bodies.csv, PREFIX_contacts.csv, PREFIX_frames.csv, ..."},
    {.name = "html",
     .kind = CLI_FLAG,
     .offset = offsetof(export_options, html),
     .text = "a page that plays the recording: PREFIX.html"},
    {.name = "output",
     .letter = 'o',
     .kind = CLI_TEXT,
     .offset = offsetof(export_options, prefix),
     .value = "PREFIX",
     .text = "how the names of the files begin",
     .usual = "the name of RUN.h5 without .h5"},
    {.name = "every",
     .kind = CLI_INTEGER,
     .offset = offsetof(export_options, every),
     .value = "N",
     .text = "take every N-th frame; --vtk and --csv",
     .least = 1},
    {.name = "frame",
     .kind = CLI_INTEGER,
     .offset = offsetof(export_options, frame),
     .value = "K",
     .text = "take frame K alone, from 0; --vtk and --csv",
     .usual = "all",
     .least = 0},
    CLI_JSON_OPTION(export_options),
};

static const cli_syntax syntax = {
    .verb = "export",
    .purpose = "Writes a recording in formats that other programs read. SI units throughout.",
    .n_arguments = CLI_COUNT(arguments),
    .n_options = CLI_COUNT(options),
    .arguments = arguments,
    .options = options,
    .example = "  scree export run.h5 --vtk --shapes --every 10\n"
               "  scree export run.h5 --vtk --frame 100\n"
               "  scree export run.h5 --csv -o table",
};

/* One way to write a recording. `endings` are what PREFIX is followed by in the files that a user
 * opens; vtk has a file per frame besides. */
typedef struct target {
    size_t chosen; /* offset of its flag in the options */
    const char* endings[4];
    const char* of_joints; /* where there are any */
    scree_status (*write)(const scree_env* env, scree_recording* recording, const char* prefix,
                          const scree_export_def* def);
} target;

static scree_status write_page(const scree_env* env, scree_recording* recording, const char* prefix,
                               const scree_export_def* def)
{
    (void)def;
    size_t size = strlen(prefix) + sizeof ".html";
    char* page = malloc(size);
    if (!page) return SCREE_ERROR_MEMORY;
    snprintf(page, size, "%s.html", prefix);
    scree_status status = scree_export_page(env, recording, page);
    free(page);
    return status;
}

static const target targets[] = {
    {offsetof(export_options, vtk), {".pvd", "_contacts.pvd"}, "_joints.pvd", scree_export_vtk},
    {offsetof(export_options, shapes), {"_shapes.pvd"}, NULL, NULL}, /* written with those of vtk */
    {offsetof(export_options, csv),
     {"_bodies.csv", "_contacts.csv", "_frames.csv"},
     "_joints.csv",
     scree_export_csv},
    {offsetof(export_options, html), {".html"}, NULL, write_page},
};

typedef struct job {
    const export_options* options;
    cli_host host;
    cli_recorded recorded;
    char* prefix;
} job;

static bool is_chosen(const export_options* o, const target* t)
{
    bool chosen;
    memcpy(&chosen, (const char*)o + t->chosen, sizeof chosen);
    return chosen;
}

/* What PREFIX is followed by in the k-th file of a target; NULL beyond the last. */
static const char* ending_of(const job* j, const target* t, int k)
{
    int n = 0;
    while (t->endings[n]) ++n;
    if (k < n) return t->endings[k];
    return k == n && j->recorded.info.n_joints > 0 ? t->of_joints : NULL;
}

/* Calls `act` for every file that the chosen targets write, until one fails. */
static int for_each_file(job* j, int (*act)(job* j, const char* path, void* user), void* user)
{
    int code = CLI_DONE;
    for (int i = 0; i < CLI_COUNT(targets); ++i) {
        if (!is_chosen(j->options, &targets[i])) continue;
        for (int k = 0; code == CLI_DONE && ending_of(j, &targets[i], k); ++k) {
            char* path = cli_join(&j->host, j->prefix, ending_of(j, &targets[i], k));
            code = path ? act(j, path, user) : CLI_FAILED;
            free(path);
        }
    }
    return code;
}

static int check_file(job* j, const char* path, void* user)
{
    (void)user;
    return cli_check_output(syntax.verb, path, j->options->run);
}

static int print_file(job* j, const char* path, void* user)
{
    (void)j;
    cli_json* json = user;
    if (json) {
        cli_json_text(json, NULL, path);
    } else {
        printf("%s (%.3g MB)\n", path, 1e-6 * (double)cli_file_size(path));
    }
    return CLI_DONE;
}

static scree_export_def frames_of(const job* j)
{
    const export_options* o = j->options;
    scree_export_def def = scree_default_export_def();
    def.stride = o->every;
    def.shapes = o->shapes;
    def.end = j->recorded.info.n_frames;
    if (o->frame >= 0) def.first = o->frame, def.end = o->frame + 1;
    return def;
}

static int print_files(job* j)
{
    const export_options* o = j->options;
    scree_export_def def = frames_of(j);
    int64_t n = (def.end - def.first + def.stride - 1) / def.stride;
    if (!o->json) {
        int code = for_each_file(j, print_file, NULL);
        if (code == CLI_DONE && o->vtk) {
            printf("%s_*.vtp (%" PRId64 " frames)\n", j->prefix, n);
        }
        return code;
    }
    cli_json json = {.out = stdout};
    cli_json_object(&json, NULL);
    cli_json_array(&json, "files");
    int code = for_each_file(j, print_file, &json);
    cli_json_end(&json);
    cli_json_integer(&json, "frames", n);
    cli_json_end(&json);
    return code;
}

static int write_files(job* j)
{
    const export_options* o = j->options;
    scree_env env = cli_env(&j->host);
    scree_export_def def = frames_of(j);
    for (int i = 0; i < CLI_COUNT(targets); ++i) {
        if (!is_chosen(o, &targets[i]) || !targets[i].write) continue;
        cli_host_turn_to(&j->host, j->prefix);
        scree_status status = targets[i].write(&env, j->recorded.recording, j->prefix, &def);
        if (status == SCREE_OK) continue;
        int code = cli_refuse(&j->host, status);
        return status == SCREE_ERROR_FILE ? CLI_FAILED : code;
    }
    return CLI_DONE;
}

/* A prefix that ends in .html names the page itself. */
static char* make_prefix(job* j)
{
    const export_options* o = j->options;
    if (!o->prefix) return cli_name_beside(&j->host, o->run, "");
    const char* dot = strrchr(o->prefix, '.');
    bool page = o->html && dot && strcmp(dot, ".html") == 0;
    return page ? cli_name_beside(&j->host, o->prefix, "") : cli_join(&j->host, o->prefix, "");
}

static int check_usage(const export_options* o)
{
    if (!o->vtk && !o->csv && !o->html) {
        return cli_usage_error(syntax.verb, "say which format: --vtk, --csv or --html");
    }
    if ((o->every > 1 || o->frame >= 0) && !o->vtk && !o->csv) {
        return cli_usage_error(syntax.verb, "%s is for --vtk and --csv; a page has all frames",
                               o->every > 1 ? "--every" : "--frame");
    }
    if (o->every > 1 && o->frame >= 0) {
        return cli_usage_error(syntax.verb, "--frame and --every exclude each other");
    }
    if (o->shapes && !o->vtk) return cli_usage_error(syntax.verb, "--shapes goes with --vtk");
    return CLI_DONE;
}

static int check_frame(const job* j)
{
    int64_t frame = j->options->frame, n = j->recorded.info.n_frames;
    if (frame < n) return CLI_DONE;
    return cli_usage_error(syntax.verb, "--frame %" PRId64 ": there are %" PRId64 ", from 0", frame,
                           n);
}

int cli_export(int argc, char** argv)
{
    export_options o = {.every = 1, .frame = -1};
    int code;
    if (!cli_parse(&syntax, argc, argv, &o, &code)) return code;
    code = check_usage(&o);
    if (code != CLI_DONE) return code;
    job j = {.options = &o, .host = {.verb = syntax.verb}};
    code = cli_open_recording(&j.host, o.run, &j.recorded);
    if (code == CLI_DONE) code = check_frame(&j);
    if (code == CLI_DONE) {
        j.prefix = make_prefix(&j);
        code = j.prefix ? for_each_file(&j, check_file, NULL) : CLI_FAILED;
    }
    if (code == CLI_DONE) code = write_files(&j);
    if (code == CLI_DONE) code = print_files(&j);
    free(j.prefix);
    cli_close_recording(&j.recorded);
    return code;
}
