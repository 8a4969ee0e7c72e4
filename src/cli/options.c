#include "cli/options.h"

#include "cli/host.h"
#include "cli/suggest.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Longest word or list of choices in a message; what does not fit is cut. */
enum { WORD_SIZE = 64 };

typedef struct parser {
    const cli_syntax* syntax;
    char** argv;
    int argc, next; /* next: the first argument that has not been looked at */
    int n_arguments;
    char* values;
} parser;

static void store(parser* p, size_t offset, const void* value, size_t size)
{
    memcpy(p->values + offset, value, size);
}

static bool is_made_of(const char* text, const char* characters)
{
    return *text != '\0' && strspn(text, characters) == strlen(text);
}

/* strtod alone would take blanks, hexadecimal numbers, "inf" and "nan". */
bool cli_read_number(const char* text, double* value)
{
    char* end = NULL;
    if (!is_made_of(text, "0123456789+-.eE")) return false;
    *value = strtod(text, &end);
    return end != text && *end == '\0';
}

static bool read_real(parser* p, const cli_option* o, const char* text)
{
    double value = 0.0;
    if (!cli_read_number(text, &value)) {
        cli_say(p->syntax->verb, "--%s: '%s' is not a number", o->name, text);
        return false;
    }
    if (!(value >= o->least && value <= o->most)) {
        cli_say(p->syntax->verb, "--%s: %s is outside %g to %g", o->name, text, o->least, o->most);
        return false;
    }
    store(p, o->offset, &value, sizeof value);
    return true;
}

static bool read_whole(parser* p, const cli_option* o, const char* text)
{
    const char* digits = text[0] == '-' ? text + 1 : text;
    if (!is_made_of(digits, "0123456789")) {
        cli_say(p->syntax->verb, "--%s: '%s' is not a whole number", o->name, text);
        return false;
    }
    errno = 0;
    bool fits;
    if (o->kind == CLI_INTEGER) {
        int64_t value = strtoll(text, NULL, 10);
        fits = errno == 0 && value >= (int64_t)o->least;
        fits = fits && (o->most == 0.0 || value <= (int64_t)o->most);
        if (fits) store(p, o->offset, &value, sizeof value);
    } else {
        uint64_t value = strtoull(digits, NULL, 10);
        fits = errno == 0 && digits == text;
        if (fits) store(p, o->offset, &value, sizeof value);
    }
    if (!fits) cli_say(p->syntax->verb, "--%s: %s is out of range", o->name, text);
    return fits;
}

static bool read_choice(parser* p, const cli_option* o, const char* text)
{
    cli_nearest nearest = cli_nearest_begin(text);
    for (int i = 0; o->choices[i]; ++i) {
        if (strcmp(text, o->choices[i]) == 0) {
            store(p, o->offset, &i, sizeof i);
            return true;
        }
        cli_nearest_consider(&nearest, o->choices[i]);
    }
    char what[WORD_SIZE];
    snprintf(what, sizeof what, "--%s: unknown", o->name);
    char known[WORD_SIZE];
    cli_list_choices(o, known, sizeof known);
    cli_say_unknown(p->syntax->verb, what, "", &nearest, known);
    return false;
}

static bool read_item(parser* p, const cli_option* o, const char* text)
{
    cli_list list;
    memcpy(&list, p->values + o->offset, sizeof list);
    if (list.n >= CLI_LIST_MOST) {
        cli_say(p->syntax->verb, "--%s: given more than %d times", o->name, (int)CLI_LIST_MOST);
        return false;
    }
    list.item[list.n++] = text;
    store(p, o->offset, &list, sizeof list);
    return true;
}

static bool read_value(parser* p, const cli_option* o, const char* text)
{
    switch (o->kind) {
    case CLI_TEXT:
        store(p, o->offset, &text, sizeof text);
        return true;
    case CLI_REAL:
        return read_real(p, o, text);
    case CLI_INTEGER:
    case CLI_UNSIGNED:
        return read_whole(p, o, text);
    case CLI_CHOICE:
        return read_choice(p, o, text);
    case CLI_LIST:
        return read_item(p, o, text);
    case CLI_FLAG:
        break;
    }
    return false;
}

static bool unknown_option(const parser* p, const char* word, int n_word)
{
    const char* dashes = word[1] == '-' ? "--" : "-";
    int n_dashes = (int)strlen(dashes);
    char name[WORD_SIZE];
    snprintf(name, sizeof name, "%.*s", n_word - n_dashes, word + n_dashes);
    cli_nearest nearest = cli_nearest_begin(name);
    for (int i = 0; i < p->syntax->n_options; ++i) {
        cli_nearest_consider(&nearest, p->syntax->options[i].name);
    }
    cli_say_unknown(p->syntax->verb, "unknown option", dashes, &nearest,
                    "--help lists the options");
    return false;
}

/* word: "--name", "--name=value" or "-x"; n_word: its length without the value. */
static const cli_option* find_option(const cli_syntax* syntax, const char* word, int n_word)
{
    for (int i = 0; i < syntax->n_options; ++i) {
        const cli_option* o = &syntax->options[i];
        if (n_word == 2 && o->letter && word[1] == o->letter) return o;
        size_t n_name = strlen(o->name);
        if (word[1] == '-' && (size_t)n_word == n_name + 2 && !memcmp(word + 2, o->name, n_name)) {
            return o;
        }
    }
    return NULL;
}

static bool take_option(parser* p, const char* word)
{
    const char* equals = word[1] == '-' ? strchr(word, '=') : NULL;
    int n_word = (int)(equals ? (size_t)(equals - word) : strlen(word));
    const cli_option* o = find_option(p->syntax, word, n_word);
    if (!o) return unknown_option(p, word, n_word);
    if (o->kind == CLI_FLAG) {
        if (equals) {
            cli_say(p->syntax->verb, "%.*s takes no value", n_word, word);
            return false;
        }
        bool on = true;
        store(p, o->offset, &on, sizeof on);
        return true;
    }
    const char* value = equals ? equals + 1 : p->next < p->argc ? p->argv[p->next++] : NULL;
    /* What looks like an option is one, unless it is tied to this one by '='. */
    if (!value || *value == '\0' || (!equals && strncmp(value, "--", 2) == 0)) {
        cli_say(p->syntax->verb, "%.*s needs a value (%s)", n_word, word, o->value);
        return false;
    }
    return read_value(p, o, value);
}

static bool take_argument(parser* p, const char* word)
{
    if (p->n_arguments >= p->syntax->n_arguments) {
        cli_say(p->syntax->verb, "unexpected argument '%s' (scree %s --help shows the usage)", word,
                p->syntax->verb);
        return false;
    }
    const cli_argument* a = &p->syntax->arguments[p->n_arguments++];
    store(p, a->offset, &word, sizeof word);
    return true;
}

static bool wants_help(int argc, char** argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; ++i) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) return true;
    }
    return false;
}

static bool parse_all(parser* p)
{
    bool options_ended = false;
    while (p->next < p->argc) {
        const char* word = p->argv[p->next++];
        if (!options_ended && strcmp(word, "--") == 0) {
            options_ended = true;
        } else if (!options_ended && word[0] == '-' && word[1] != '\0') {
            if (!take_option(p, word)) return false;
        } else if (!take_argument(p, word)) {
            return false;
        }
    }
    if (p->n_arguments >= p->syntax->n_arguments - p->syntax->n_optional) return true;
    cli_say(p->syntax->verb, "%s is missing (scree %s --help shows the usage)",
            p->syntax->arguments[p->n_arguments].name, p->syntax->verb);
    return false;
}

bool cli_parse(const cli_syntax* syntax, int argc, char** argv, void* values, int* exit_code)
{
    if (wants_help(argc, argv)) {
        cli_print_help(syntax, values);
        *exit_code = CLI_DONE;
        return false;
    }
    parser p = {.syntax = syntax, .argv = argv, .argc = argc, .next = 1, .values = values};
    bool good = parse_all(&p);
    *exit_code = good ? CLI_DONE : CLI_BAD_INPUT;
    return good;
}
