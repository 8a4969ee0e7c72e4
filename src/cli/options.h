/* The command line of a verb: a table of arguments and options, read into a struct of values.
 *
 * Options are --name VALUE or --name=VALUE, flags are --name, -x stands for the option with that
 * letter, and "--" ends the options. The struct holds the defaults before and what was asked for
 * after; the help text shows the defaults as they stand there, so that they are written once.
 */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a value is and what type it has in the struct. */
typedef enum cli_kind {
    CLI_FLAG,     /* bool, no value */
    CLI_TEXT,     /* const char*, borrowed from argv */
    CLI_REAL,     /* double */
    CLI_INTEGER,  /* int64_t */
    CLI_UNSIGNED, /* uint64_t */
    CLI_CHOICE,   /* int, index into `choices`; a default of -1 means none of them */
    CLI_LIST      /* cli_list: the option may be given again and again */
} cli_kind;

enum { CLI_LIST_MOST = 64 };

typedef struct cli_list {
    int n;
    const char* item[CLI_LIST_MOST]; /* borrowed from argv */
} cli_list;

typedef struct cli_option {
    const char* name; /* without dashes */
    char letter;      /* 0 for none */
    cli_kind kind;
    size_t offset;              /* of the value in the struct */
    const char* value;          /* how the help names the value */
    const char* text;           /* what it means, and its unit */
    const char* usual;          /* the default in words, where its value does not say it */
    const char* const* choices; /* ended by NULL; CLI_CHOICE only */
    double least,
        most; /* range of a CLI_REAL or CLI_INTEGER; for the latter, a `most` of 0 is no limit */
} cli_option;

/* An argument without dashes. The value is a const char*. */
typedef struct cli_argument {
    const char* name;
    const char* text;
    size_t offset;
} cli_argument;

typedef struct cli_syntax {
    const char* verb;
    const char* purpose; /* one or more lines */
    int n_arguments, n_options;
    int n_optional; /* of the arguments, the last ones: they may be left out */
    const cli_argument* arguments;
    const cli_option* options;
    const char* exit_codes; /* one line, or NULL for the plain ones */
    const char* example;    /* lines, each a command */
} cli_syntax;

/* Most verbs end their table with this one. */
#define CLI_JSON_OPTION(type)                                             \
    {                                                                     \
        .name = "json", .kind = CLI_FLAG, .offset = offsetof(type, json), \
        .text = "print one JSON object"                                   \
    }

#define CLI_COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

/* Reads argv[1] to argv[argc - 1] into `values`. False when the verb is to end at once with
 * *exit_code: the help has been shown, or a fault has been reported on stderr. */
bool cli_parse(const cli_syntax* syntax, int argc, char** argv, void* values, int* exit_code);

/* In help.c: the help of a verb on standard output, and "a, b or c" for the choices of an option.
 */
void cli_print_help(const cli_syntax* syntax, const void* defaults);
void cli_list_choices(const cli_option* option, char* text, size_t size);

/* Whether the whole text is a number in decimal digits; then *value is it. */
bool cli_read_number(const char* text, double* value);

#endif
