#define _POSIX_C_SOURCE 200809L
#include "cli/blas.h"
#include "cli/host.h"
#include "cli/json.h"
#include "cli/options.h"
#include "cli/suggest.h"
#include "cli/verbs.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

typedef struct verb {
    const char* name;
    const char* summary;
    int (*run)(int argc, char** argv);
} verb;

/* A verb without a function is a heading. */
static const verb verbs[] = {
    {"simulate", NULL, NULL},
    {"run", "simulate a scene and certify every step", cli_run_scene},
    {"scenes", "list the built-in scenes, or explain one", cli_scenes},
    {"view", "make a page that plays a recording", cli_view},
    {"export", "write a recording for ParaView or as tables", cli_export},
    {"repose", "measure the heap in a recording", cli_repose},
    {"problems of one step", NULL, NULL},
    {"solve", "solve a problem file and certify the answer", cli_solve},
    {"certify", "measure how well given impulses solve a problem", cli_certify},
    {"convert", "rewrite a problem file in another format", cli_convert},
    {"solvers", "list the methods that solve can use", cli_solvers},
    {"studies", NULL, NULL},
    {"lcp", "solve linear complementarity problems, polyhedral friction", cli_lcp},
    {"stability", "say when steady sliding is unstable", cli_stability},
    {"identify", "find the friction sets of a measured surface", cli_identify},
    {"foundation", "roll a cylinder on a viscous foundation", cli_foundation},
    {"rockfall", "let blocks fall over a map, and map what they do", cli_rockfall_verb},
    {"other", NULL, NULL},
    {"info", "say what a recording or a problem file holds", cli_info},
    {"bench", "measure how fast this machine is", cli_bench},
    {"version", "print the version", cli_version},
};

static int list_verbs(void)
{
    printf("usage: scree VERB [arguments] [options]\n\n"
           "Rigid-body contact with sliding, rolling and spinning friction.\n");
    for (int i = 0; i < CLI_COUNT(verbs); ++i) {
        if (verbs[i].run) {
            printf("  %-10s  %s\n", verbs[i].name, verbs[i].summary);
        } else {
            printf("\n%s:\n", verbs[i].name);
        }
    }
    printf("\nscree help VERB shows the options of a verb and an example.\n"
           "\nexit code: 0 done, 1 not converged or failed, 2 bad input or usage\n"
           "\nexample:\n  scree run pile -o pile.h5\n");
    return CLI_DONE;
}

static const verb* find_verb(const char* name)
{
    cli_nearest nearest = cli_nearest_begin(name);
    for (int i = 0; i < CLI_COUNT(verbs); ++i) {
        if (!verbs[i].run) continue;
        if (strcmp(name, verbs[i].name) == 0) return &verbs[i];
        cli_nearest_consider(&nearest, verbs[i].name);
    }
    const char* what = name[0] == '-' ? "unknown option" : "unknown verb";
    cli_say_unknown(NULL, what, "", &nearest, "scree --help lists the verbs");
    return NULL;
}

static bool wants_json(int argc, char** argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; ++i) {
        if (strcmp(argv[i], "--json") == 0) return true;
    }
    return false;
}

static bool is_one_of(const char* word, const char* a, const char* b)
{
    return strcmp(word, a) == 0 || strcmp(word, b) == 0;
}

/* What `scree help VERB` and the options that stand without a verb mean; NULL after a message. */
static const verb* choose(char** argv)
{
    static char help[] = "--help";
    if (is_one_of(argv[1], "--version", "-V")) return find_verb("version");
    if (strcmp(argv[1], "help") != 0) return find_verb(argv[1]);
    const verb* v = find_verb(argv[2]);
    argv[1] = argv[2];
    argv[2] = help;
    return v;
}

int main(int argc, char** argv)
{
    /* A reader that went away is reported like any other failed write. */
    signal(SIGPIPE, SIG_IGN);
    cli_use_one_blas_thread();
    if (argc < 2 || is_one_of(argv[1], "--help", "-h") ||
        (strcmp(argv[1], "help") == 0 && argc == 2)) {
        return cli_close_output(NULL, list_verbs());
    }
    bool json = wants_json(argc, argv);
    if (json) cli_keep_messages();
    const verb* v = choose(argv);
    int code = v ? v->run(argc - 1, argv + 1) : CLI_BAD_INPUT;
    if (json && code != CLI_DONE && !cli_json_was_printed()) cli_json_print_failure(code);
    return cli_close_output(v ? v->name : NULL, code);
}
