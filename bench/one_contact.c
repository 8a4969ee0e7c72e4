/* Solves of one contact per second, by law and rows, and how many fall to the fail-safe; on the
 * random contacts between rigid bodies that the tests use. Run with "./dev bench one_contact [N]"
 * for N contacts of each kind, solved from p = 0. */
#include "base/clock.h"
#include "scree/solver.h"
#include "support/one_contact_problems.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* const row_names[] = {"", "N", "NT", "NTT", "NTTS", "NTTRR", "NTTRRS", "NTR"};

static void measure(int rows, int law, int n, one_contact_problem* problems)
{
    scri_random random = {.key = 1};
    for (int i = 0; i < n; ++i) {
        random.stream = (uint64_t)i;
        random.counter = 0;
        one_contact_draw(&random, ONE_CONTACT_ORDINARY, (scree_rows)rows, &problems[i]);
    }
    long fail_safe = 0, none = 0;
    double began = scri_clock_seconds(NULL);
    for (int i = 0; i < n; ++i) {
        double p[6] = {0.0};
        const one_contact_problem* c = &problems[i];
        scree_one_contact_way how =
            scree_one_contact_solve(c->rows, (scree_law)law, c->coef, c->w, c->q, p);
        fail_safe += how == SCREE_ONE_CONTACT_FAIL_SAFE;
        none += how == SCREE_ONE_CONTACT_NONE;
    }
    double seconds = scri_clock_seconds(NULL) - began;
    printf("%-10s %-7s %12.3g per s   %8.4f %% fail-safe   %ld without an answer\n",
           scree_law_name(law), row_names[rows], n / seconds, 100.0 * (double)fail_safe / n, none);
}

int main(int argc, char** argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 100000;
    if (argc > 2 || n < 1) {
        fprintf(stderr, "usage: one_contact [number of contacts]\n");
        return 2;
    }
    one_contact_problem* problems = malloc((size_t)n * sizeof *problems);
    if (!problems) {
        fprintf(stderr, "out of memory\n");
        return 1;
    }
    for (int law = SCREE_LAW_EXACT; law <= SCREE_LAW_BILATERAL; ++law) {
        for (int rows = SCREE_ROWS_N; rows < SCREE_ROWS_END; ++rows) {
            measure(rows, law, n, problems);
        }
    }
    free(problems);
    return 0;
}
