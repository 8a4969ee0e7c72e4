#include "cli/bench.h"

#include "cli/host.h"
#include "cli/options.h"
#include "cli/suggest.h"
#include "cli/verbs.h"

#include <stdio.h>
#include <string.h>

typedef struct benchmark {
    const char* name;
    const char* summary;
    int (*run)(int argc, char** argv);
} benchmark;

static const benchmark benchmarks[] = {
    {"packing", "accuracy and time of a solver on hyperstatic packings of spheres",
     cli_bench_packing},
    {"problems", "all solvers on problem files, beside those of Siconos", cli_bench_problems},
    {"sweep", "contact updates per second of coloured Gauss-Seidel on one core", cli_bench_sweep},
};

static int list_benchmarks(void)
{
    printf("usage: scree bench NAME [options]\n\n"
           "Measures how fast this machine is at one part of the work.\n\nbenchmarks:\n");
    for (int i = 0; i < CLI_COUNT(benchmarks); ++i) {
        printf("  %-8s  %s\n", benchmarks[i].name, benchmarks[i].summary);
    }
    printf("\nscree bench NAME --help shows its options, --json among them.\n"
           "\nexit code: 0 done, 1 failed, 2 bad input or usage\n"
           "\nexample:\n  scree bench sweep\n");
    return CLI_DONE;
}

int cli_bench(int argc, char** argv)
{
    if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        return list_benchmarks();
    }
    cli_nearest nearest = cli_nearest_begin(argv[1]);
    for (int i = 0; i < CLI_COUNT(benchmarks); ++i) {
        if (strcmp(argv[1], benchmarks[i].name) == 0) return benchmarks[i].run(argc - 1, argv + 1);
        cli_nearest_consider(&nearest, benchmarks[i].name);
    }
    cli_say_unknown("bench", "unknown benchmark", "", &nearest, "scree bench lists them");
    return CLI_BAD_INPUT;
}
