#include "cli/options.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_SIZE = 64 };

void cli_list_choices(const cli_option* option, char* text, size_t size)
{
    const char* const* choices = option->choices;
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; choices[i] && used < size; ++i) {
        const char* before = i == 0 ? "" : choices[i + 1] ? ", " : " or ";
        used += (size_t)snprintf(text + used, size - used, "%s%s", before, choices[i]);
    }
}

/* The value that the struct of defaults holds, as text; "" for a flag or when there is none. */
static void default_text(const cli_option* o, const void* defaults, char* text, size_t size)
{
    const char* at = (const char*)defaults + o->offset;
    union {
        const char* text;
        double real;
        int64_t integer;
        uint64_t whole;
        int choice;
    } v;
    text[0] = '\0';
    switch (o->kind) {
    case CLI_FLAG:
    case CLI_LIST:
        break;
    case CLI_TEXT:
        memcpy(&v.text, at, sizeof v.text);
        if (v.text) snprintf(text, size, "%s", v.text);
        break;
    case CLI_REAL:
        memcpy(&v.real, at, sizeof v.real);
        snprintf(text, size, "%g", v.real);
        break;
    case CLI_INTEGER:
        memcpy(&v.integer, at, sizeof v.integer);
        snprintf(text, size, "%" PRId64, v.integer);
        break;
    case CLI_UNSIGNED:
        memcpy(&v.whole, at, sizeof v.whole);
        snprintf(text, size, "%" PRIu64, v.whole);
        break;
    case CLI_CHOICE:
        memcpy(&v.choice, at, sizeof v.choice);
        if (v.choice >= 0) snprintf(text, size, "%s", o->choices[v.choice]);
        break;
    }
}

/* "-o, --output OUT" */
static int left_of(const cli_option* o, char left[TEXT_SIZE])
{
    char letter[8] = "";
    if (o->letter) snprintf(letter, sizeof letter, "-%c, ", o->letter);
    return snprintf(left, TEXT_SIZE, "%s--%s%s%s", letter, o->name, o->value ? " " : "",
                    o->value ? o->value : "");
}

static int left_width(const cli_syntax* syntax)
{
    char left[TEXT_SIZE];
    int width = (int)strlen("--help");
    for (int i = 0; i < syntax->n_options; ++i) {
        int n = left_of(&syntax->options[i], left);
        if (n > width) width = n;
    }
    for (int i = 0; i < syntax->n_arguments; ++i) {
        int n = (int)strlen(syntax->arguments[i].name);
        if (n > width) width = n;
    }
    return width;
}

static void print_option(const cli_option* o, int width, const void* defaults)
{
    char left[TEXT_SIZE];
    left_of(o, left);
    printf("  %-*s  %s", width, left, o->text);
    char choices[TEXT_SIZE];
    if (o->kind == CLI_CHOICE) {
        cli_list_choices(o, choices, sizeof choices);
        printf(": %s", choices);
    }
    char usual[TEXT_SIZE];
    default_text(o, defaults, usual, sizeof usual);
    const char* shown = o->usual ? o->usual : usual;
    if (shown[0]) printf(" (default: %s)", shown);
    printf("\n");
}

void cli_print_help(const cli_syntax* syntax, const void* defaults)
{
    int width = left_width(syntax);
    printf("usage: scree %s", syntax->verb);
    for (int i = 0; i < syntax->n_arguments; ++i) {
        bool optional = i >= syntax->n_arguments - syntax->n_optional;
        printf(optional ? " [%s]" : " %s", syntax->arguments[i].name);
    }
    printf("%s\n\n%s\n", syntax->n_options > 0 ? " [options]" : "", syntax->purpose);

    if (syntax->n_arguments > 0) printf("\narguments:\n");
    for (int i = 0; i < syntax->n_arguments; ++i) {
        printf("  %-*s  %s\n", width, syntax->arguments[i].name, syntax->arguments[i].text);
    }

    printf("\noptions:\n");
    for (int i = 0; i < syntax->n_options; ++i) {
        print_option(&syntax->options[i], width, defaults);
    }
    printf("  %-*s  show this text\n", width, "--help");

    const char* codes = syntax->exit_codes;
    printf("\nexit code: %s\n", codes ? codes : "0 done, 1 failed, 2 bad input or usage");
    printf("\nexample:\n%s\n", syntax->example);
}
