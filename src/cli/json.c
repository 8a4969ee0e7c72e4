#include "cli/json.h"

#include "cli/host.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>

int cli_utf8_length(const char* text)
{
    const unsigned char* s = (const unsigned char*)text;
    if (s[0] < 0x80) return 1;
    int length = s[0] >= 0xc2 && s[0] < 0xe0 ? 2 : (s[0] & 0xf0) == 0xe0 ? 3 : s[0] >= 0xf0 ? 4 : 0;
    if (length == 0 || s[0] > 0xf4) return 0;
    for (int i = 1; i < length; ++i) {
        if ((s[i] & 0xc0) != 0x80) return 0;
    }
    if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f)) return 0;
    if ((s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f)) return 0;
    return length;
}

static void write_string(FILE* out, const char* text)
{
    fputc('"', out);
    for (const char* s = text; *s;) {
        int length = cli_utf8_length(s);
        if (length == 0) {
            fputs("\\ufffd", out);
        } else if (*s == '"' || *s == '\\') {
            fprintf(out, "\\%c", *s);
        } else if ((unsigned char)*s < 0x20 || *s == 0x7f) {
            fprintf(out, "\\u%04x", (unsigned)*s);
        } else {
            fwrite(s, 1, (size_t)length, out);
        }
        s += length ? length : 1;
    }
    fputc('"', out);
}

static void new_line(cli_json* json)
{
    fprintf(json->out, "\n%*s", 2 * json->depth, "");
}

/* Everything that stands before a value. */
static void begin_value(cli_json* json, const char* key)
{
    if (json->depth > 0) {
        bool* filled = &json->filled[json->depth - 1];
        if (*filled) fputc(',', json->out);
        *filled = true;
        new_line(json);
    }
    if (!key) return;
    write_string(json->out, key);
    fputs(": ", json->out);
}

static void open_level(cli_json* json, const char* key, char opening, char closing)
{
    assert(json->depth < CLI_JSON_DEPTH);
    begin_value(json, key);
    fputc(opening, json->out);
    json->closing[json->depth] = closing;
    json->filled[json->depth] = false;
    ++json->depth;
}

void cli_json_object(cli_json* json, const char* key)
{
    open_level(json, key, '{', '}');
}

void cli_json_array(cli_json* json, const char* key)
{
    open_level(json, key, '[', ']');
}

static void close_level(cli_json* json)
{
    assert(json->depth > 0);
    --json->depth;
    if (json->filled[json->depth]) new_line(json);
    fputc(json->closing[json->depth], json->out);
    if (json->depth == 0) fputc('\n', json->out);
}

static void write_messages(cli_json* json, const char* key, bool warnings)
{
    const cli_message* kept;
    int n = cli_kept_messages(&kept), count = 0;
    for (int i = 0; i < n; ++i) count += kept[i].is_warning == warnings;
    if (count == 0) return;
    cli_json_array(json, key);
    for (int i = 0; i < n; ++i) {
        if (kept[i].is_warning == warnings) cli_json_text(json, NULL, kept[i].text);
    }
    close_level(json);
}

static bool was_printed;

bool cli_json_was_printed(void)
{
    return was_printed;
}

void cli_json_end(cli_json* json)
{
    if (json->depth == 1 && json->closing[0] == '}') {
        write_messages(json, "errors", false);
        write_messages(json, "warnings", true);
        was_printed = true;
    }
    close_level(json);
}

void cli_json_text(cli_json* json, const char* key, const char* value)
{
    if (!value) {
        cli_json_null(json, key);
        return;
    }
    begin_value(json, key);
    write_string(json->out, value);
}

static void write_real(FILE* out, double value)
{
    if (isfinite(value)) {
        fprintf(out, "%.17g", value);
    } else {
        fputs("null", out);
    }
}

void cli_json_real(cli_json* json, const char* key, double value)
{
    begin_value(json, key);
    write_real(json->out, value);
}

void cli_json_reals(cli_json* json, const char* key, const double* values, int n)
{
    begin_value(json, key);
    fputc('[', json->out);
    for (int i = 0; i < n; ++i) {
        if (i > 0) fputs(", ", json->out);
        write_real(json->out, values[i]);
    }
    fputc(']', json->out);
}

void cli_json_integer(cli_json* json, const char* key, int64_t value)
{
    begin_value(json, key);
    fprintf(json->out, "%" PRId64, value);
}

void cli_json_count(cli_json* json, const char* key, int64_t value)
{
    if (value < 0) {
        cli_json_null(json, key);
        return;
    }
    cli_json_integer(json, key, value);
}

void cli_json_boolean(cli_json* json, const char* key, bool value)
{
    begin_value(json, key);
    fputs(value ? "true" : "false", json->out);
}

void cli_json_null(cli_json* json, const char* key)
{
    begin_value(json, key);
    fputs("null", json->out);
}

void cli_json_print_failure(int exit_code)
{
    cli_json json = {.out = stdout};
    cli_json_object(&json, NULL);
    cli_json_text(&json, "status", "failed");
    cli_json_integer(&json, "exit_code", exit_code);
    cli_json_end(&json);
}
