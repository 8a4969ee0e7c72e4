/* Lines and fields of a CSV file that lies in memory: '#' begins a comment, blank lines do not
 * count, and neither white space nor quotes around a field, nor a byte order mark, belong to it. A
 * comma ends a field, also between quotes. */
#ifndef SCRI_CSV_TEXT_H
#define SCRI_CSV_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct scri_csv {
    const char *at, *end;         /* not yet read */
    int64_t line;                 /* the current one, from 1; 0 before the first */
    const char *field, *line_end; /* what is left of it; `field` is NULL behind the last one */
} scri_csv;

scri_csv scri_csv_open(const char* bytes, size_t size);

/* Moves on to the next line that holds something; false at the end. */
bool scri_csv_next_line(scri_csv* csv);

/* Number of lines that follow and hold something. */
int64_t scri_csv_count_lines(scri_csv csv);

/* Number of fields left in the line. */
int scri_csv_count_fields(const scri_csv* csv);

/* Takes the next field of the line; false when there is none left. */
bool scri_csv_take(scri_csv* csv, const char** text, size_t* length);

#endif
