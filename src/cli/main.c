#define _POSIX_C_SOURCE 200809L
#include "cli/blas.h"
#include "cli/host.h"
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
    printf("\nscree VERB --help shows the options of a verb and an example.\n"
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

int main(int argc, char** argv)
{
    /* A reader that went away is reported like any other failed write. */
    signal(SIGPIPE, SIG_IGN);
    cli_use_one_blas_thread();
    if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        return cli_close_output(NULL, list_verbs());
    }
    const char* name = strcmp(argv[1], "--version") == 0 ? "version" : argv[1];
    const verb* v = find_verb(name);
    if (!v) return CLI_BAD_INPUT;
    return cli_close_output(v->name, v->run(argc - 1, argv + 1));
}
