/* Numbers of a scene: constants, or expressions in the scene's parameters.
 *
 *     g*sin(angle*deg)      -2^2 = -4      2^3^2 = 2^9      max(a, b, 0.1)
 *
 * Operators + - * / ^, parentheses; sqrt sin cos tan atan abs exp log min max; pi, deg (pi/180);
 * decimal numbers, 0x... and .inf. */
#ifndef SCRI_SCENE_EXPRESSION_H
#define SCRI_SCENE_EXPRESSION_H

#include "scree_io/scene_file.h"

#include <stdbool.h>

/* More values, or operations that wait for their operands, than this are a fault. */
enum { SCRI_EXPRESSION_DEPTH = 64 };

typedef struct scri_expression_fault {
    size_t at; /* of the character in the text */
    char text[400];
} scri_expression_fault;

/* The value of text[length] with these parameters; it may be infinite or NaN. False with a fault
 * otherwise; a division by zero is one. */
bool scri_expression_evaluate(const char* text, size_t length, int32_t n_parameters,
                              const scree_parameter* parameters, double* out,
                              scri_expression_fault* fault);

/* Whether a name means something in every expression: a function or a constant. */
bool scri_expression_reserves(const char* name);

#endif
