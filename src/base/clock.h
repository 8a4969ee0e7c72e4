/* Seconds that only go forward. */
#ifndef SCRI_CLOCK_H
#define SCRI_CLOCK_H

double scri_clock_seconds(void);

#endif
