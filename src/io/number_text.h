/* Doubles as text, the same whatever locale the host has chosen. */
#ifndef SCRI_NUMBER_TEXT_H
#define SCRI_NUMBER_TEXT_H

#include <stddef.h>

typedef enum scri_number_kind {
    SCRI_NUMBER_OK,
    SCRI_NUMBER_NOT_FINITE, /* nan, inf, or too large for a double */
    SCRI_NUMBER_MALFORMED
} scri_number_kind;

/* Longest number that is read, and room for any that is printed with its final zero. */
enum { SCRI_NUMBER_LENGTH = 200, SCRI_NUMBER_SIZE = 32 };

/* Reads text[length] as a decimal number: sign, digits with at most one point, exponent. */
scri_number_kind scri_number_parse(const char* text, size_t length, double* out);

/* Prints 17 significant digits, which give back the same double when read. Returns the length. */
int scri_number_print(double value, char out[SCRI_NUMBER_SIZE]);

/* Prints at most `digits` (1 to 17) significant digits, as short as "%g" does. */
const char* scri_number_shorten(double value, int digits, char out[SCRI_NUMBER_SIZE]);

#endif
