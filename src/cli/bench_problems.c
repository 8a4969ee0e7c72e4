#define _POSIX_C_SOURCE 200809L
#include "cli/bench_problems.h"

#include "cli/bench.h"
#include "cli/report.h"
#include "cli/suggest.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const cli_argument arguments[] = {
    {"DIR", "folder with problem files (.dat, .hdf5, .h5), searched to the bottom, or one file",
     offsetof(cli_problems_options, folder)},
};

static const cli_option options[] = {
    {.name = "solver",
     .kind = CLI_TEXT,
     .offset = offsetof(cli_problems_options, solvers),
     .value = "A,B",
     .text = "methods to run, of those that scree solvers lists",
     .usual = "all"},
    {.name = "tol",
     .kind = CLI_TEXT,
     .offset = offsetof(cli_problems_options, tols),
     .value = "T,U",
     .text = "tolerances"},
    {.name = "measure",
     .kind = CLI_CHOICE,
     .offset = offsetof(cli_problems_options, measure),
     .value = "M",
     .text = "residual that the tolerances are about",
     .choices = cli_measure_choices},
    {.name = "max-time",
     .kind = CLI_REAL,
     .offset = offsetof(cli_problems_options, max_time),
     .value = "S",
     .text = "give up a solve after S seconds",
     .least = 1e-3,
     .most = 1e6},
    {.name = "csv",
     .kind = CLI_TEXT,
     .offset = offsetof(cli_problems_options, csv),
     .value = "FILE",
     .text = "write every result, as it comes",
     .usual = "none"},
    {.name = "svg",
     .kind = CLI_TEXT,
     .offset = offsetof(cli_problems_options, svg),
     .value = "FILE",
     .text = "draw performance profiles, one for each tolerance",
     .usual = "none"},
    {.name = "focus",
     .kind = CLI_TEXT,
     .offset = offsetof(cli_problems_options, focus),
     .value = "NAME",
     .text = "method to compare with the fastest of Siconos"},
    {.name = "least-contacts",
     .kind = CLI_INTEGER,
     .offset = offsetof(cli_problems_options, least_contacts),
     .value = "N",
     .text = "compare on problems with N contacts or more",
     .least = 1},
    {.name = "no-peer",
     .kind = CLI_FLAG,
     .offset = offsetof(cli_problems_options, no_peer),
     .text = "do not run Siconos"},
    {.name = "peer-csv",
     .kind = CLI_TEXT,
     .offset = offsetof(cli_problems_options, peer_csv),
     .value = "FILE",
     .text = "results of Siconos, taken from FILE and added to it",
     .usual = "none"},
    {.name = "warm",
     .kind = CLI_FLAG,
     .offset = offsetof(cli_problems_options, warm),
     .text = "measure warm starts of the focus too: q changed by 1 %, to 1e-08"},
    CLI_JSON_OPTION(cli_problems_options),
};

static const cli_syntax syntax = {
    .verb = "bench problems",
    .purpose =
        "Runs all methods on all problem files of a folder at several tolerances, one thread,\n"
        "beside the solvers of Siconos where python3-siconos is installed. The impulses of both\n"
        "are judged by the same certificate. Prints how many problems each method solves and how\n"
        "the one in focus compares with the fastest of Siconos on each problem.",
    .n_arguments = CLI_COUNT(arguments),
    .n_options = CLI_COUNT(options),
    .arguments = arguments,
    .options = options,
    .example = "  scree bench problems fclib --tol 1e-8 --csv results.csv --svg profile.svg",
};

/* The next item of a list with commas, in memory that the caller has; NULL at its end. */
static const char* next_item(const char** list, char item[CLI_PROBLEMS_TEXT])
{
    if (!*list) return NULL;
    size_t length = strcspn(*list, ",");
    snprintf(item, CLI_PROBLEMS_TEXT, "%.*s", (int)length, *list);
    *list = (*list)[length] == ',' ? *list + length + 1 : NULL;
    return item;
}

static int add_solver(cli_problems* job, const char* name)
{
    for (int i = 0; i < job->n_solvers; ++i) {
        if (strcmp(job->solvers[i], name) == 0) return CLI_DONE;
    }
    if (job->n_solvers == CLI_PROBLEMS_SOLVERS / 2) {
        return cli_usage_error(syntax.verb, "--solver: more than %d methods", job->n_solvers);
    }
    snprintf(job->solvers[job->n_solvers++], CLI_PROBLEMS_TEXT, "%s", name);
    return CLI_DONE;
}

/* The focus is always among them. */
static int choose_solvers(cli_problems* job)
{
    char item[CLI_PROBLEMS_TEXT];
    int code = cli_check_solver(syntax.verb, job->options->focus);
    if (code == CLI_DONE) code = add_solver(job, job->options->focus);
    if (!job->options->solvers) {
        for (int i = 0; i < scree_solver_count() && code == CLI_DONE; ++i) {
            code = add_solver(job, scree_solver_get(i).name);
        }
        return code;
    }
    const char* rest = job->options->solvers;
    while (code == CLI_DONE && next_item(&rest, item)) {
        code = cli_check_solver(syntax.verb, item);
        if (code == CLI_DONE) code = add_solver(job, item);
    }
    return code;
}

static int looser_first(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (y > x) - (y < x);
}

static int choose_tols(cli_problems* job)
{
    char item[CLI_PROBLEMS_TEXT];
    cli_problems_table* table = &job->table;
    const char* rest = job->options->tols;
    while (next_item(&rest, item)) {
        double tol;
        if (!cli_read_number(item, &tol) || !(tol > 0.0 && tol < 1.0)) {
            return cli_usage_error(syntax.verb, "--tol: '%s' is no number between 0 and 1", item);
        }
        if (table->n_tols == CLI_PROBLEMS_TOLS) {
            return cli_usage_error(syntax.verb, "--tol: more than %d", CLI_PROBLEMS_TOLS);
        }
        table->tol[table->n_tols++] = tol;
    }
    qsort(table->tol, (size_t)table->n_tols, sizeof *table->tol, looser_first);
    table->measure = job->options->measure;
    job->known.measure = table->measure;
    job->known.n_tols = table->n_tols;
    memcpy(job->known.tol, table->tol, sizeof table->tol);
    return CLI_DONE;
}

static int open_output(const char* path, const char* mode, FILE** out)
{
    int code = cli_check_output(syntax.verb, path, "");
    if (code != CLI_DONE) return code;
    *out = fopen(path, mode);
    if (*out) return CLI_DONE;
    return cli_usage_error(syntax.verb, "%s: cannot be written: %s", path, strerror(errno));
}

static bool exists(const char* path)
{
    FILE* file = fopen(path, "r");
    if (file) fclose(file);
    return file != NULL;
}

/* Files are opened before the work, so that nothing can go wrong after it. */
static int open_files(cli_problems* job)
{
    const cli_problems_options* o = job->options;
    int code = CLI_DONE;
    if (o->csv) code = open_output(o->csv, "w", &job->csv);
    if (job->csv) cli_problems_write_header(job->csv);
    if (code == CLI_DONE && o->svg) code = cli_check_output(syntax.verb, o->svg, "");
    if (code == CLI_DONE && !o->no_peer) cli_problems_find_peer(job);
    if (code != CLI_DONE || !o->peer_csv) return code;
    bool there = exists(o->peer_csv);
    if (there || o->no_peer) code = cli_problems_read_csv(job, o->peer_csv, &job->known);
    if (code != CLI_DONE || !job->has_peer) return code;
    code = open_output(o->peer_csv, "a", &job->peer_csv);
    if (job->peer_csv && !there) cli_problems_write_header(job->peer_csv);
    return code;
}

/* ---- files -------------------------------------------------------------------------------------
 */

static const char* const endings[] = {".dat", ".hdf5", ".h5"};

/* A growing list of strings, each in memory of its own. */
typedef struct list {
    char** item;
    int n, room;
} list;

static bool append(list* l, char* text)
{
    if (!text) return false;
    if (l->n == l->room) {
        int room = l->room ? 2 * l->room : 64;
        char** item = realloc(l->item, (size_t)room * sizeof *item);
        if (!item) {
            free(text);
            return false;
        }
        l->item = item;
        l->room = room;
    }
    l->item[l->n++] = text;
    return true;
}

static void release_list(list* l)
{
    for (int i = 0; i < l->n; ++i) free(l->item[i]);
    free(l->item);
}

static char* join(const char* folder, const char* name)
{
    size_t size = strlen(folder) + strlen(name) + 2;
    char* path = malloc(size);
    if (path) snprintf(path, size, "%s%s%s", folder, *folder ? "/" : "", name);
    return path;
}

static bool is_problem_name(const char* name)
{
    size_t length = strlen(name);
    for (int i = 0; i < CLI_COUNT(endings); ++i) {
        size_t n = strlen(endings[i]);
        if (length > n && strcmp(name + length - n, endings[i]) == 0) return true;
    }
    return false;
}

/* Sorts an entry into the folders still to be read or the files found; `inner` lies below root. */
static bool sort_entry(const char* root, char* inner, list* folders, list* files)
{
    struct stat link, info;
    char* path = inner ? join(root, inner) : NULL;
    bool known = path && lstat(path, &link) == 0 && stat(path, &info) == 0;
    free(path);
    if (!inner) return false;
    /* Links to folders are not followed: they may lead in a circle. */
    if (known && S_ISDIR(link.st_mode)) return append(folders, inner);
    if (known && S_ISREG(info.st_mode) && is_problem_name(inner)) return append(files, inner);
    free(inner);
    return true;
}

static bool read_folder(const char* root, const char* inner, list* folders, list* files)
{
    char* path = *inner ? join(root, inner) : join("", root);
    DIR* stream = path ? opendir(path) : NULL;
    bool good = path != NULL;
    free(path);
    if (!stream) return good; /* a folder that cannot be read holds nothing for us */
    for (const struct dirent* e = readdir(stream); e && good; e = readdir(stream)) {
        if (e->d_name[0] == '.') continue;
        good = sort_entry(root, join(inner, e->d_name), folders, files);
    }
    closedir(stream);
    return good;
}

static int compare_text(const void* a, const void* b)
{
    return strcmp(*(char* const*)a, *(char* const*)b);
}

static int find_files(cli_problems* job)
{
    const char* root = job->options->folder;
    struct stat info;
    if (stat(root, &info) != 0) {
        return cli_usage_error(job->host.verb, "%s: %s", root, strerror(errno));
    }
    list folders = {0}, files = {0};
    bool good =
        S_ISDIR(info.st_mode) ? append(&folders, join("", "")) : append(&files, join("", ""));
    for (int i = 0; i < folders.n && good; ++i) {
        good = read_folder(root, folders.item[i], &folders, &files);
    }
    release_list(&folders);
    if (files.n > 1) qsort(files.item, (size_t)files.n, sizeof *files.item, compare_text);
    job->files = files.item;
    job->n_files = files.n;
    if (!good) return cli_refuse(&job->host, SCREE_ERROR_MEMORY);
    if (files.n > 0) return CLI_DONE;
    return cli_usage_error(job->host.verb, "%s: holds no files named .dat, .hdf5 or .h5", root);
}

static const char* kind_of(const scree_problem* problem)
{
    switch (cli_common_rows(problem)) {
    case SCREE_ROWS_NT:
        return "friction-2d";
    case SCREE_ROWS_NTT:
        return "friction-3d";
    case SCREE_ROWS_NTTS:
        return "spinning-3d";
    case SCREE_ROWS_NTTRR:
        return "rolling-3d";
    case SCREE_ROWS_NTTRRS:
        return "rolling-spinning-3d";
    case SCREE_ROWS_NTR:
        return "rolling-2d";
    default:
        return "mixed";
    }
}

/* What the table calls the problem: a name without what CSV gives a meaning to. */
static char* label_of(const char* file, const char* path)
{
    const char* slash = strrchr(path, '/');
    char* label = join("", *file ? file : slash ? slash + 1 : path);
    for (char* c = label; c && *c; ++c) {
        if (*c == ',' || *c == '"' || (unsigned char)*c < 0x20) *c = '_';
    }
    return label;
}

static int pass_over(cli_problems* job, const char* path, const char* why)
{
    ++job->n_skipped;
    if (why) cli_say(job->host.verb, "%s: left out, %s", path, why);
    return CLI_DONE;
}

static int prepare(cli_problems* job, const char* file, cli_problems_open* open,
                   cli_problems_case* out)
{
    scree_env env = cli_env(&job->host);
    const scree_problem* problem = &open->loaded.problem;
    if (problem->form == SCREE_FORM_FACTORED) {
        scree_status status = scree_problem_reduce(&env, problem, &open->reduced);
        if (status != SCREE_OK) return cli_refuse(&job->host, status);
        problem = &open->reduced.problem;
    }
    open->p = cli_new_rows(&job->host, &open->loaded);
    open->best = cli_new_rows(&job->host, &open->loaded);
    if (!open->p || !open->best) return CLI_FAILED;
    open->problem = problem;
    int rows = cli_common_rows(problem);
    *out = (cli_problems_case){.name = label_of(file, open->loaded.path),
                               .contacts = problem->n_contacts,
                               .rows = scree_problem_n_rows(problem),
                               .width = rows ? scree_rows_width(rows) : 0};
    snprintf(out->kind, sizeof out->kind, "%s", kind_of(problem));
    return out->name ? CLI_DONE : cli_refuse(&job->host, SCREE_ERROR_MEMORY);
}

static int open_case(cli_problems* job, const char* file, cli_problems_open* open,
                     cli_problems_case* out)
{
    *open = (cli_problems_open){0};
    const char* root = job->options->folder;
    char* path = *file ? join(root, file) : join("", root);
    if (!path) return cli_refuse(&job->host, SCREE_ERROR_MEMORY);
    /* A file that cannot be read has been reported; it does not end the others' turn. */
    int code = cli_load(&job->host, path, -1, &open->loaded);
    const scree_problem* problem = &open->loaded.problem;
    bool empty = code == CLI_DONE && problem->n_contacts == 0;
    bool lcp = code == CLI_DONE && !empty && !cli_has_friction(problem);
    if (code == CLI_BAD_INPUT || empty || lcp) {
        code = pass_over(job, path, empty ? "it has no contacts" : NULL);
    } else if (code == CLI_DONE) {
        code = prepare(job, file, open, out);
    }
    free(path);
    open->loaded.path = NULL;
    return code;
}

static void close_case(cli_problems_open* open)
{
    free(open->p);
    free(open->best);
    scree_problem_store_release(&open->reduced);
    cli_unload(&open->loaded);
}

/* ---- the work ----------------------------------------------------------------------------------
 */

bool cli_problems_pause(cli_problems* job, double residual)
{
    if (cli_watch_due(&job->watch)) {
        const cli_problems_table* table = &job->table;
        char text[48] = "";
        if (!isnan(residual)) snprintf(text, sizeof text, ", residual %.1e", residual);
        cli_watch_show(&job->watch, "%d of %d: %s, %s at %.0e%s", table->n_cases + job->n_skipped,
                       job->n_files, table->cases[table->n_cases - 1].name, job->now,
                       table->tol[job->now_tol], text);
    }
    return cli_watch_interrupted();
}

static int measure_case(cli_problems* job, const char* file)
{
    cli_problems_open open;
    cli_problems_case one = {0};
    int code = open_case(job, file, &open, &one);
    if (code == CLI_DONE && open.problem) {
        code = cli_problems_add_case(job, &job->table, &one);
        if (code == CLI_DONE) code = cli_problems_solve(job, &open);
        bool go_on = code == CLI_DONE && !cli_watch_interrupted();
        if (go_on && job->options->warm) code = cli_problems_warm_start(job, &open);
        if (go_on && code == CLI_DONE) code = cli_problems_ask_peer(job, &open);
    }
    close_case(&open);
    return code;
}

static int measure_all(cli_problems* job)
{
    int code = CLI_DONE;
    cli_watch_begin(&job->watch, syntax.verb);
    for (int i = 0; i < job->n_files && code == CLI_DONE && !cli_watch_interrupted(); ++i) {
        code = measure_case(job, job->files[i]);
    }
    cli_watch_end(&job->watch);
    return code;
}

static int report(cli_problems* job)
{
    int code = CLI_DONE;
    if (job->table.n_cases == 0) {
        return cli_usage_error(syntax.verb, "%s: holds no friction problem", job->options->folder);
    }
    if (job->options->json) {
        cli_problems_print_json(job);
    } else {
        cli_problems_print(job);
    }
    if (job->options->svg) code = cli_problems_draw(job, job->options->svg);
    if (!cli_watch_interrupted()) return code;
    cli_say(syntax.verb, "interrupted; the results so far are reported");
    return CLI_FAILED;
}

static int close_file(FILE* file, const char* path, int code)
{
    if (!file || fclose(file) == 0) return code;
    cli_say(syntax.verb, "%s: cannot be written: %s", path, strerror(errno));
    return CLI_FAILED;
}

int cli_bench_problems(int argc, char** argv)
{
    cli_problems_options o = {.tols = "1e-4,1e-8,1e-12",
                              .measure = SCREE_MEASURE_SICONOS,
                              .max_time = 20.0,
                              .focus = "auto",
                              .least_contacts = 20};
    int code;
    if (!cli_parse(&syntax, argc, argv, &o, &code)) return code;
    cli_problems job = {.options = &o, .host = {.verb = syntax.verb}};
    code = choose_solvers(&job);
    if (code == CLI_DONE) code = choose_tols(&job);
    if (code == CLI_DONE) code = find_files(&job);
    if (code == CLI_DONE) code = open_files(&job);
    if (code == CLI_DONE) code = measure_all(&job);
    if (code == CLI_DONE) code = report(&job);
    code = close_file(job.csv, o.csv, code);
    code = close_file(job.peer_csv, o.peer_csv, code);
    for (int i = 0; i < job.n_files; ++i) free(job.files[i]);
    free(job.files);
    cli_problems_release(&job.table);
    cli_problems_release(&job.known);
    return code;
}
