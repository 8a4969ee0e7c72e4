#include "cli/table_file.h"

#include "cli/host.h"

#include <errno.h>
#include <string.h>

int cli_table_begin(cli_table_file* table, const char* verb, const char* path, const char* columns)
{
    *table = (cli_table_file){.verb = verb, .path = path};
    if (!path) return CLI_DONE;
    int code = cli_check_output(verb, path, "");
    if (code != CLI_DONE) return code;
    table->file = fopen(path, "w");
    if (!table->file) {
        cli_say(verb, "%s: %s", path, strerror(errno));
        return CLI_FAILED;
    }
    fprintf(table->file, "%s\n", columns);
    return CLI_DONE;
}

void cli_table_line(cli_table_file* table, const double* values, int n)
{
    if (!table->file) return;
    for (int i = 0; i < n; ++i) {
        fprintf(table->file, "%.12g%c", values[i], i + 1 < n ? ',' : '\n');
    }
}

int cli_table_end(cli_table_file* table, int code)
{
    if (!table->file) return code;
    bool failed = ferror(table->file) != 0;
    failed = fclose(table->file) != 0 || failed;
    table->file = NULL;
    if (!failed) return code;
    cli_say(table->verb, "%s: cannot be written", table->path);
    return CLI_FAILED;
}
