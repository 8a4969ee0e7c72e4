/* Numbers that C17 does not name, for rooms that know no public header otherwise. */
#ifndef SCRI_CONSTANTS_H
#define SCRI_CONSTANTS_H

#include "scree/base.h"

#define SCRI_PI SCREE_PI

#endif
