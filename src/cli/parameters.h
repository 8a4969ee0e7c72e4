/* Parameters of a study that --set NAME=VALUE changes: a table, read into a struct of values. */
#ifndef CLI_PARAMETERS_H
#define CLI_PARAMETERS_H

#include "cli/json.h"
#include "cli/options.h"

/* What a value is and what type it has in the struct. */
typedef enum cli_parameter_kind {
    CLI_PARAMETER_REAL,  /* double */
    CLI_PARAMETER_WHOLE, /* int32_t, not negative */
    CLI_PARAMETER_CHOICE /* int32_t, number of a word in `choices` */
} cli_parameter_kind;

typedef struct cli_parameter {
    const char* name;
    const char* meaning; /* with its unit */
    size_t offset;       /* of the value in the struct */
    cli_parameter_kind kind;
    double unit;                /* the struct holds a real times this; 0 counts as 1 */
    const char* const* choices; /* ended by NULL */
} cli_parameter;

typedef struct cli_parameters {
    const char* of; /* whose they are, for messages */
    int n;
    const cli_parameter* item;
} cli_parameters;

/* Reads the settings "NAME=VALUE" in their order; CLI_DONE, or CLI_BAD_INPUT after a message. */
int cli_set_parameters(const char* verb, const cli_parameters* parameters, const cli_list* settings,
                       void* values);

/* The value as it is set, in the parameter's unit. */
void cli_parameter_text(const cli_parameter* parameter, const void* values, char* text,
                        size_t size);

/* A line for each, and the members of an object "parameters". */
void cli_print_parameters(const cli_parameters* parameters, const void* values);
void cli_json_parameters(cli_json* json, const cli_parameters* parameters, const void* values);

#endif
