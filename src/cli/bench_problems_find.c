#define _POSIX_C_SOURCE 200809L
#include "cli/bench_problems.h"
#include "cli/load.h"
#include "cli/report.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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

static void release(list* l)
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

int cli_problems_find(cli_problems* job)
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
    release(&folders);
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

int cli_problems_open_case(cli_problems* job, const char* file, cli_problems_open* open,
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

void cli_problems_close_case(cli_problems_open* open)
{
    free(open->p);
    free(open->best);
    scree_problem_store_release(&open->reduced);
    cli_unload(&open->loaded);
}
