/* Keys are sorted digit by digit, the lowest first; with a team in pieces, each of which is
 * counted, and then written from where those before it end. */
#include "base/keys.h"

#include <string.h>

enum { DIGIT_BITS = 11, N_DIGITS = SCRI_KEYS_COUNTS };

_Static_assert(1 << DIGIT_BITS == SCRI_KEYS_COUNTS, "counts have room");

/* One pass; 0 when all have the same digit and nothing moves. */
static int sort_by_digit(const scri_key* from, scri_key* to, int32_t n, int shift)
{
    uint32_t start[N_DIGITS] = {0};
    for (int32_t i = 0; i < n; ++i) ++start[from[i].key >> shift & (N_DIGITS - 1)];
    if (start[from[0].key >> shift & (N_DIGITS - 1)] == (uint32_t)n) return 0;
    uint32_t sum = 0;
    for (int d = 0; d < N_DIGITS; ++d) {
        uint32_t count = start[d];
        start[d] = sum;
        sum += count;
    }
    for (int32_t i = 0; i < n; ++i) to[start[from[i].key >> shift & (N_DIGITS - 1)]++] = from[i];
    return 1;
}

/* ---- with a team ----------------------------------------------------------------------------- */

enum { LEAST_PIECES = 4, MOST_PIECES = 32 };

typedef struct digit_pass {
    const scri_key* from;
    scri_key* to;
    int32_t n, piece, n_pieces; /* keys, keys of a piece, pieces */
    int shift;
    uint32_t* start; /* [N_DIGITS n_pieces] of each digit in each piece: how many, then where */
} digit_pass;

static int digit_of(const digit_pass* pass, int32_t i)
{
    return (int)(pass->from[i].key >> pass->shift & (N_DIGITS - 1));
}

static int32_t end_of_piece(const digit_pass* pass, int32_t p)
{
    return pass->n - p * pass->piece < pass->piece ? pass->n : (p + 1) * pass->piece;
}

static void count_digits(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const digit_pass* pass = context;
    (void)worker;
    for (int32_t p = begin; p < end; ++p) {
        uint32_t* start = pass->start + (size_t)p * N_DIGITS;
        memset(start, 0, N_DIGITS * sizeof *start);
        for (int32_t i = p * pass->piece; i < end_of_piece(pass, p); ++i) {
            ++start[digit_of(pass, i)];
        }
    }
}

static void move_keys(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const digit_pass* pass = context;
    (void)worker;
    for (int32_t p = begin; p < end; ++p) {
        uint32_t* start = pass->start + (size_t)p * N_DIGITS;
        for (int32_t i = p * pass->piece; i < end_of_piece(pass, p); ++i) {
            pass->to[start[digit_of(pass, i)]++] = pass->from[i];
        }
    }
}

static int share_digit(digit_pass* pass, scri_team* team)
{
    uint32_t sum = 0, alike = 0;
    scri_team_for(team, pass->n_pieces, 1, count_digits, pass);
    for (int32_t p = 0; p < pass->n_pieces; ++p) {
        alike += pass->start[(size_t)p * N_DIGITS + (size_t)digit_of(pass, 0)];
    }
    if (alike == (uint32_t)pass->n) return 0;
    for (size_t d = 0; d < N_DIGITS; ++d) {
        for (size_t p = 0; p < (size_t)pass->n_pieces; ++p) {
            uint32_t count = pass->start[p * N_DIGITS + d];
            pass->start[p * N_DIGITS + d] = sum;
            sum += count;
        }
    }
    scri_team_for(team, pass->n_pieces, 1, move_keys, pass);
    return 1;
}

/* For a team, and keys that are many enough: NULL if not. */
static scri_team* sorting_team(scri_team* team, int32_t n)
{
    return scri_team_size(team) > 1 && n >= LEAST_PIECES * SCRI_KEYS_PIECE ? team : NULL;
}

/* ---- all ------------------------------------------------------------------------------------- */

static void sort_few(scri_key* keys, int32_t n)
{
    for (int32_t i = 1; i < n; ++i) {
        scri_key moved = keys[i];
        int32_t at = i;
        for (; at > 0 && keys[at - 1].key > moved.key; --at) keys[at] = keys[at - 1];
        keys[at] = moved;
    }
}

void scri_keys_sort(scri_key* keys, scri_key* spare, int32_t n, uint64_t largest, uint32_t* counts,
                    scri_team* team)
{
    enum { FEW = 64 };
    scri_key *from = keys, *to = spare;
    scri_team* shared = sorting_team(team, n);
    int32_t pieces = n / SCRI_KEYS_PIECE < MOST_PIECES ? n / SCRI_KEYS_PIECE : MOST_PIECES;
    if (n < FEW) {
        sort_few(keys, n);
        return;
    }
    for (int shift = 0; shift < 64 && largest >> shift; shift += DIGIT_BITS) {
        digit_pass pass = {from, to, n, 0, pieces, shift, NULL};
        pass.start = counts; /* in the braces clang-tidy would take it for const */
        if (shared) pass.piece = (n + pieces - 1) / pieces;
        int moved = shared ? share_digit(&pass, shared) : sort_by_digit(from, to, n, shift);
        if (!moved) continue;
        scri_key* kept = from;
        from = to;
        to = kept;
    }
    if (from != keys) scri_team_copy(team, keys, from, (size_t)n * sizeof *keys);
}
