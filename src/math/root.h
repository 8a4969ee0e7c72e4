/* Roots of functions of one variable. */
#ifndef SCRI_ROOT_H
#define SCRI_ROOT_H

#include "base/compiler.h"

typedef double scri_function(const void* context, double x);

/* A root between a and b, where f(a) and f(b) differ in sign, to rounding. */
SCRI_SISTERS double scri_find_root(scri_function* f, const void* context, double a, double b);

#endif
