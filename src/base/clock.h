/* Seconds that only go forward, of the host's clock where it lends one. */
#ifndef SCRI_CLOCK_H
#define SCRI_CLOCK_H

#include "scree/base.h"

/* `env` may be NULL, which means the system's clock. */
double scri_clock_seconds(const scree_env* env);

#endif
