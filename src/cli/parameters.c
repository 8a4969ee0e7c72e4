#include "cli/parameters.h"

#include "cli/host.h"
#include "cli/suggest.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT_SIZE = 512, NAME_SIZE = 64 };

static double unit_of(const cli_parameter* p)
{
    return p->unit != 0.0 ? p->unit : 1.0;
}

/* "a, b, c" */
static void list_names(const cli_parameters* parameters, char* text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "%s has the parameters", parameters->of);
    for (int i = 0; i < parameters->n && used < size; ++i) {
        used += (size_t)snprintf(text + used, size - used, "%s %s", i == 0 ? "" : ",",
                                 parameters->item[i].name);
    }
}

static const cli_parameter* find(const char* verb, const cli_parameters* parameters,
                                 const char* name)
{
    cli_nearest nearest = cli_nearest_begin(name);
    for (int i = 0; i < parameters->n; ++i) {
        if (strcmp(parameters->item[i].name, name) == 0) return &parameters->item[i];
        cli_nearest_consider(&nearest, parameters->item[i].name);
    }
    char known[TEXT_SIZE];
    list_names(parameters, known, sizeof known);
    if (nearest.best) {
        cli_say(verb, "--set: unknown parameter '%s'; did you mean '%s'? (%s)", name, nearest.best,
                known);
    } else {
        cli_say(verb, "--set: unknown parameter '%s'; %s", name, known);
    }
    return NULL;
}

static int set_choice(const char* verb, const cli_parameter* p, const char* text, void* at)
{
    cli_nearest nearest = cli_nearest_begin(text);
    for (int32_t i = 0; p->choices[i]; ++i) {
        if (strcmp(text, p->choices[i]) == 0) {
            memcpy(at, &i, sizeof i);
            return CLI_DONE;
        }
        cli_nearest_consider(&nearest, p->choices[i]);
    }
    char known[NAME_SIZE], what[NAME_SIZE];
    cli_list_choices(&(cli_option){.choices = p->choices}, known, sizeof known);
    snprintf(what, sizeof what, "--set %s: unknown", p->name);
    cli_say_unknown(verb, what, "", &nearest, known);
    return CLI_BAD_INPUT;
}

static int set_one(const char* verb, const cli_parameter* p, const char* text, void* values)
{
    char* at = (char*)values + p->offset;
    double value;
    if (p->kind == CLI_PARAMETER_CHOICE) return set_choice(verb, p, text, at);
    if (!cli_read_number(text, &value)) {
        return cli_usage_error(verb, "--set %s: '%s' is not a number", p->name, text);
    }
    if (p->kind == CLI_PARAMETER_REAL) {
        value *= unit_of(p);
        memcpy(at, &value, sizeof value);
        return CLI_DONE;
    }
    int32_t whole = value >= 0.0 && value <= 1e9 ? (int32_t)value : -1;
    if ((double)whole != value) {
        return cli_usage_error(verb, "--set %s: '%s' is not a whole number from 0 to 1e9", p->name,
                               text);
    }
    memcpy(at, &whole, sizeof whole);
    return CLI_DONE;
}

int cli_set_parameters(const char* verb, const cli_parameters* parameters, const cli_list* settings,
                       void* values)
{
    for (int i = 0; i < settings->n; ++i) {
        const char *item = settings->item[i], *equals = strchr(item, '=');
        char name[NAME_SIZE];
        if (!equals) return cli_usage_error(verb, "--set: '%s' is not NAME=VALUE", item);
        snprintf(name, sizeof name, "%.*s", (int)(equals - item), item);
        const cli_parameter* p = find(verb, parameters, name);
        int code = p ? set_one(verb, p, equals + 1, values) : CLI_BAD_INPUT;
        if (code != CLI_DONE) return code;
    }
    return CLI_DONE;
}

/* A real in its unit; rounding of the unit's factor is not shown. */
static double read_real(const cli_parameter* p, const void* values)
{
    double value;
    char text[32];
    memcpy(&value, (const char*)values + p->offset, sizeof value);
    snprintf(text, sizeof text, "%.12g", value / unit_of(p));
    return strtod(text, NULL);
}

static int32_t read_whole(const cli_parameter* p, const void* values)
{
    int32_t value;
    memcpy(&value, (const char*)values + p->offset, sizeof value);
    return value;
}

void cli_parameter_text(const cli_parameter* p, const void* values, char* text, size_t size)
{
    switch (p->kind) {
    case CLI_PARAMETER_REAL:
        snprintf(text, size, "%g", read_real(p, values));
        break;
    case CLI_PARAMETER_WHOLE:
        snprintf(text, size, "%d", (int)read_whole(p, values));
        break;
    case CLI_PARAMETER_CHOICE:
        snprintf(text, size, "%s", p->choices[read_whole(p, values)]);
        break;
    }
}

void cli_print_parameters(const cli_parameters* parameters, const void* values)
{
    for (int i = 0; i < parameters->n; ++i) {
        char text[NAME_SIZE];
        cli_parameter_text(&parameters->item[i], values, text, sizeof text);
        printf("  %-16s  %-10s  %s\n", parameters->item[i].name, text, parameters->item[i].meaning);
    }
}

void cli_json_parameters(cli_json* json, const cli_parameters* parameters, const void* values)
{
    cli_json_object(json, "parameters");
    for (int i = 0; i < parameters->n; ++i) {
        const cli_parameter* p = &parameters->item[i];
        switch (p->kind) {
        case CLI_PARAMETER_REAL:
            cli_json_real(json, p->name, read_real(p, values));
            break;
        case CLI_PARAMETER_WHOLE:
            cli_json_integer(json, p->name, read_whole(p, values));
            break;
        case CLI_PARAMETER_CHOICE:
            cli_json_text(json, p->name, p->choices[read_whole(p, values)]);
            break;
        }
    }
    cli_json_end(json);
}
