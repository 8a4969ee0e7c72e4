/* Items go to blocks of owners first, piece by piece, each to places that have been counted before;
 * then every block makes the lists of its owners. Both keep the order of the items, whoever does
 * which. */
#include "base/owner_lists.h"

#include <string.h>

/* Pieces of the items and blocks of the owners at most, and what each has at least, but for blocks
 * of one owner where these are few; so few items are left to the caller. */
enum { PIECES = 32, BLOCKS = SCRI_FEW_OWNERS, LEAST_PIECE = 2048, LEAST_BLOCK = 256 };
enum { FEW_ITEMS = 8192 };

typedef struct filling {
    const scri_owner_lists* lists;
    int32_t piece, n_pieces; /* items of one */
    int32_t block, n_blocks; /* owners of one */
    int32_t* at;             /* [n_pieces n_blocks] how many items, then where they go */
} filling;

static int32_t larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static int32_t end_of(int32_t begin, int32_t size, int32_t n)
{
    return n - begin < size ? n : begin + size;
}

static void count_pieces(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const filling* f = context;
    const int32_t* owner = f->lists->owner;
    (void)worker;
    for (int32_t k = begin; k < end; ++k) {
        int32_t *at = f->at + k * f->n_blocks, first = k * f->piece;
        memset(at, 0, (size_t)f->n_blocks * sizeof *at);
        for (int32_t i = first; i < end_of(first, f->piece, f->lists->n_items); ++i) {
            if (owner[i] >= 0) ++at[owner[i] / f->block];
        }
    }
}

/* From counts to places: block by block, in each piece by piece. */
static void add_up(const filling* f, int32_t* first)
{
    int32_t sum = 0;
    for (int32_t b = 0; b < f->n_blocks; ++b) {
        first[b] = sum;
        for (int32_t k = 0; k < f->n_pieces; ++k) {
            int32_t* at = f->at + k * f->n_blocks + b;
            int32_t count = *at;
            *at = sum;
            sum += count;
        }
    }
    first[f->n_blocks] = sum;
}

static void hand_out_pieces(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const filling* f = context;
    const int32_t* owner = f->lists->owner;
    (void)worker;
    for (int32_t k = begin; k < end; ++k) {
        int32_t *at = f->at + k * f->n_blocks, first = k * f->piece;
        for (int32_t i = first; i < end_of(first, f->piece, f->lists->n_items); ++i) {
            if (owner[i] < 0) continue;
            size_t place = (size_t)at[owner[i] / f->block]++;
            if (f->block == 1) { /* this is the list already */
                f->lists->item[place] = i;
                continue;
            }
            f->lists->scratch[2 * place] = owner[i];
            f->lists->scratch[2 * place + 1] = i;
        }
    }
}

/* Makes the lists of owners from `low` on out of their items, which come to places from `begin`. */
static void fill_block(const scri_owner_lists* lists, int32_t low, int32_t high, int32_t begin,
                       int32_t end)
{
    int32_t *start = lists->start, sum = begin;
    const int32_t* scratch = lists->scratch;
    for (int32_t i = low; i < high; ++i) start[i] = 0;
    for (int32_t k = begin; k < end; ++k) ++start[scratch[2 * (size_t)k]];
    for (int32_t i = low; i < high; ++i) {
        int32_t count = start[i];
        start[i] = sum;
        sum += count;
    }
    for (int32_t k = begin; k < end; ++k) {
        const int32_t* from = scratch + 2 * (size_t)k;
        lists->item[start[from[0]]++] = from[1];
    }
    for (int32_t i = high - 1; i > low; --i) start[i] = start[i - 1];
    if (high > low) start[low] = begin;
}

typedef struct block_work {
    const filling* f;
    const int32_t* first; /* [n_blocks + 1] */
} block_work;

static void fill_blocks(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const block_work* work = context;
    const filling* f = work->f;
    (void)worker;
    for (int32_t b = begin; b < end; ++b) {
        int32_t low = b * f->block;
        fill_block(f->lists, low, end_of(low, f->block, f->lists->n_owners), work->first[b],
                   work->first[b + 1]);
    }
}

/* Counted one place ahead, so that places move to their beginnings while lists are filled. */
static void fill_alone(const scri_owner_lists* lists)
{
    int32_t *start = lists->start, n = lists->n_owners, sum = 0;
    memset(start, 0, ((size_t)n + 1) * sizeof *start);
    for (int32_t i = 0; i < lists->n_items; ++i) {
        if (lists->owner[i] >= 0) ++start[lists->owner[i] + 1];
    }
    for (int32_t i = 0; i <= n; ++i) {
        int32_t count = start[i];
        start[i] = sum; /* of the owner before */
        sum += count;
    }
    for (int32_t i = 0; i < lists->n_items; ++i) {
        if (lists->owner[i] >= 0) lists->item[start[lists->owner[i] + 1]++] = i;
    }
}

void scri_owner_lists_fill(scri_team* team, const scri_owner_lists* lists)
{
    int32_t n = lists->n_items, at[PIECES * BLOCKS], first[BLOCKS + 1];
    if (scri_team_size(team) == 1 || n < FEW_ITEMS) {
        fill_alone(lists);
        return;
    }
    filling f = {.lists = lists, .at = at};
    f.piece = larger((n + PIECES - 1) / PIECES, LEAST_PIECE);
    f.n_pieces = (n + f.piece - 1) / f.piece;
    int32_t block = (lists->n_owners + BLOCKS - 1) / BLOCKS;
    f.block = lists->n_owners > BLOCKS ? larger(block, LEAST_BLOCK) : 1;
    f.n_blocks = (lists->n_owners + f.block - 1) / f.block;
    scri_team_for(team, f.n_pieces, 1, count_pieces, &f);
    add_up(&f, first);
    scri_team_for(team, f.n_pieces, 1, hand_out_pieces, &f);
    if (f.block > 1) {
        scri_team_for(team, f.n_blocks, 1, fill_blocks, &(block_work){&f, first});
        lists->start[lists->n_owners] = first[f.n_blocks];
    } else {
        memcpy(lists->start, first, ((size_t)f.n_blocks + 1) * sizeof *first);
    }
}
