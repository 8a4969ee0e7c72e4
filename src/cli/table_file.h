/* A table of comma-separated numbers that is written line by line. */
#ifndef CLI_TABLE_FILE_H
#define CLI_TABLE_FILE_H

#include <stdbool.h>
#include <stdio.h>

typedef struct cli_table_file {
    const char *verb, *path;
    FILE* file; /* NULL: nothing is written */
} cli_table_file;

/* Opens `path` (NULL: none) and writes the names of the columns, "a,b,c". An exit code. */
int cli_table_begin(cli_table_file* table, const char* verb, const char* path, const char* columns);
void cli_table_line(cli_table_file* table, const double* values, int n);

/* Closes it; `code`, or CLI_FAILED with a message when not all of it could be written. */
int cli_table_end(cli_table_file* table, int code);

#endif
