#include "io/scene_suggest.h"

#include <stdio.h>
#include <string.h>

/* Longer words are no misspelling of any name here. */
enum { LONGEST = 40 };

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Insertions, deletions and replacements that turn a into b; a swap of neighbours counts one. */
static int edit_distance(const char* a, int n_a, const char* b, int n_b)
{
    int d[LONGEST + 1][LONGEST + 1];
    for (int i = 0; i <= n_a; ++i) d[i][0] = i;
    for (int j = 0; j <= n_b; ++j) d[0][j] = j;
    for (int i = 1; i <= n_a; ++i) {
        for (int j = 1; j <= n_b; ++j) {
            d[i][j] = least(d[i - 1][j], d[i][j - 1]) + 1;
            d[i][j] = least(d[i][j], d[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
            }
        }
    }
    return d[n_a][n_b];
}

scri_nearest scri_nearest_begin(const char* word)
{
    size_t length = strlen(word);
    int allowed = length <= 3 ? 1 : length <= 7 ? 2 : 3;
    return (scri_nearest){.word = word, .distance = allowed + 1};
}

static void add_to_list(scri_nearest* nearest, const char* name)
{
    size_t room = sizeof nearest->names - nearest->used;
    int n = snprintf(nearest->names + nearest->used, room, "%s%s", nearest->used ? ", " : "", name);
    if (n >= 0 && (size_t)n < room) {
        nearest->used += (size_t)n;
    } else {
        nearest->names[nearest->used] = '\0'; /* a list cut short ends with a whole name */
    }
}

void scri_nearest_consider(scri_nearest* nearest, const char* name)
{
    size_t n_word = strlen(nearest->word), n_name = strlen(name);
    add_to_list(nearest, name);
    if (n_word > LONGEST || n_name > LONGEST) return;
    int d = edit_distance(nearest->word, (int)n_word, name, (int)n_name);
    /* The beginning of a name is a good hint at it, however much is missing. */
    if (n_word >= 2 && strncmp(nearest->word, name, n_word) == 0) d = 1;
    /* A word of which nothing would be left is no misspelling. */
    if (d >= nearest->distance || d >= (int)n_word) return;
    nearest->distance = d;
    nearest->best = name;
}

scri_hint scri_nearest_hint(const scri_nearest* nearest, const char* known, const char* none)
{
    scri_hint hint;
    if (nearest->best) {
        snprintf(hint.text, sizeof hint.text, "did you mean '%s'?", nearest->best);
    } else if (nearest->used) {
        snprintf(hint.text, sizeof hint.text, "%s %s", known, nearest->names);
    } else {
        snprintf(hint.text, sizeof hint.text, "%s", none);
    }
    return hint;
}
