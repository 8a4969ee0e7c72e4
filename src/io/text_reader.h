/* A strict reader of white-space separated text that lies in memory. It knows the line it is on, so
 * that every complaint reads "FILE:LINE: what". */
#ifndef SCRI_TEXT_READER_H
#define SCRI_TEXT_READER_H

#include "base/compiler.h"
#include "scree/base.h"

#include <stdbool.h>

typedef struct scri_text {
    const scree_env* env;
    const char* name; /* of the file */
    const char* at;   /* not yet read */
    const char* end;
    int64_t line;       /* where `at` stands, from 1 */
    const char* token;  /* the last one read */
    size_t length;      /* of the token */
    int64_t token_line; /* where the token stands */
    bool comments;      /* skip from '#' to the end of the line */
} scri_text;

/* Reads bytes[size], which must outlive the reader. `name` is used in messages. */
scri_text scri_text_open(const scree_env* env, const char* name, const char* bytes, size_t size);

/* Logs "FILE:LINE: ..." for the line of the last token and returns `status`. */
scree_status scri_text_fail(const scri_text* text, scree_status status, const char* format, ...)
    SCRI_PRINTF(3, 4);

/* Moves on to the next token; false at the end of the file. */
bool scri_text_next(scri_text* text);

/* The next token must be an integer in [low, high]. `what` names it in messages. */
scree_status scri_text_integer(scri_text* text, const char* what, int64_t low, int64_t high,
                               int32_t* out);

/* The next `count` tokens must be finite numbers. */
scree_status scri_text_numbers(scri_text* text, const char* what, int64_t count, double* out);

/* The next token must be `word`. */
scree_status scri_text_word(scri_text* text, const char* word);

/* Whether the last token reads as this word, or as a decimal integer. */
bool scri_text_is(const scri_text* text, const char* word);
bool scri_text_is_integer(const scri_text* text, int64_t* value);

/* Fails when `count` more tokens cannot fit in the rest of the file. Comes before every allocation
 * whose size the file decides. */
scree_status scri_text_room(const scri_text* text, const char* what, int64_t count);

/* Drops the rest of the current line. */
void scri_text_skip_line(scri_text* text);

/* Number of tokens that follow. */
int64_t scri_text_tokens_left(const scri_text* text);

/* Fails unless the end of the file has been reached. */
scree_status scri_text_finish(scri_text* text);

#endif
