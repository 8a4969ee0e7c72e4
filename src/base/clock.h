/* Seconds that only go forward, of the host's clock where it lends one. */
#ifndef SCRI_CLOCK_H
#define SCRI_CLOCK_H

#include "base/compiler.h"
#include "scree/base.h"

/* `env` may be NULL, which means the system's clock. */
SCRI_SISTERS double scri_clock_seconds(const scree_env* env);

#endif
