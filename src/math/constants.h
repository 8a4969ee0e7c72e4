/* Numbers that C17 does not name. */
#ifndef SCRI_CONSTANTS_H
#define SCRI_CONSTANTS_H

#define SCRI_PI 3.14159265358979323846

#endif
