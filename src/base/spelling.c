/* How far words are from names. */
#include "scree/base.h"

#include <string.h>

/* Longer words are no misspelling of any name here. */
enum { LONGEST = 40, FAR = 1000 };

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Insertions, deletions, replacements and swaps of neighbours that turn a into b. */
static int edit_distance(const char* a, int n_a, const char* b, int n_b)
{
    int row[3][LONGEST + 1];
    int *before = row[0], *above = row[1], *here = row[2];
    for (int j = 0; j <= n_b; ++j) above[j] = j;
    for (int i = 1; i <= n_a; ++i) {
        here[0] = i;
        for (int j = 1; j <= n_b; ++j) {
            int d = least(above[j], here[j - 1]) + 1;
            d = least(d, above[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                d = least(d, before[j - 2] + 1);
            }
            here[j] = d;
        }
        int* spare = before;
        before = above;
        above = here;
        here = spare;
    }
    return above[n_b];
}

int scree_spelling_distance(const char* word, const char* name)
{
    if (!word || !name) return FAR;
    size_t n_word = strlen(word), n_name = strlen(name);
    if (n_word > LONGEST || n_name > LONGEST) return FAR;
    int d = edit_distance(word, (int)n_word, name, (int)n_name);
    /* The beginning of a name is a good hint at it, however much is missing. */
    return d > 1 && n_word >= 2 && strncmp(word, name, n_word) == 0 ? 1 : d;
}
