/* Writes JSON, indented, with names in the order of the calls. `key` is NULL inside an array. */
#ifndef CLI_JSON_H
#define CLI_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { CLI_JSON_DEPTH = 8 };

/* Zero but for `out`. */
typedef struct cli_json {
    FILE* out;
    int depth;
    char closing[CLI_JSON_DEPTH]; /* '}' or ']' of every open level */
    bool filled[CLI_JSON_DEPTH];  /* the level holds something already */
} cli_json;

void cli_json_object(cli_json* json, const char* key);
void cli_json_array(cli_json* json, const char* key);

/* Ends the innermost object or array. The outermost object takes up "errors" and "warnings" before
 * that, the messages so far, where there are any; after it comes a newline. */
void cli_json_end(cli_json* json);

/* Whether an outermost object has been ended. */
bool cli_json_was_printed(void);

/* The object of a verb that failed before it had one of its own. */
void cli_json_print_failure(int exit_code);

void cli_json_text(cli_json* json, const char* key, const char* value); /* NULL becomes null */
void cli_json_real(cli_json* json, const char* key, double value); /* 17 digits; NaN becomes null */
void cli_json_reals(cli_json* json, const char* key, const double* values, int n); /* one line */
void cli_json_integer(cli_json* json, const char* key, int64_t value);
void cli_json_count(cli_json* json, const char* key, int64_t value); /* null when negative */
void cli_json_boolean(cli_json* json, const char* key, bool value);
void cli_json_null(cli_json* json, const char* key);

/* Length of the valid UTF-8 sequence at the beginning of a text that is not empty; 0 when there is
 * none. Rejects surrogates, overlong forms and what lies beyond U+10FFFF. */
int cli_utf8_length(const char* text);

#endif
