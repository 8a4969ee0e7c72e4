#include "io/page_text.h"

#include "io/number_text.h"

#include <math.h>
#include <string.h>

void scri_page_string(FILE* file, const char* text)
{
    if (!text) {
        fputs("null", file);
        return;
    }
    fputc('"', file);
    for (const char* c = text; *c; ++c) {
        unsigned char byte = (unsigned char)*c;
        if (byte < 0x20 || byte == 0x7f || strchr("\"\\<>&", *c)) {
            fprintf(file, "\\u%04x", (unsigned)byte);
        } else {
            fputc(*c, file);
        }
    }
    fputc('"', file);
}

void scri_page_number(FILE* file, double value)
{
    char text[SCRI_NUMBER_SIZE];
    if (isfinite(value)) scri_number_print(value, text);
    fputs(isfinite(value) ? text : "null", file);
}

void scri_page_bytes_begin(scri_page_bytes* bytes, FILE* file)
{
    bytes->file = file;
    bytes->count = 0;
}

/* Writes what waits; only the last part of a text may be no multiple of three bytes. */
static void flush(scri_page_bytes* bytes)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char text[sizeof bytes->waiting / 3 * 4];
    size_t length = 0;
    for (size_t k = 0; k < bytes->count; k += 3) {
        size_t rest = bytes->count - k;
        uint32_t group = (uint32_t)bytes->waiting[k] << 16;
        if (rest > 1) group |= (uint32_t)bytes->waiting[k + 1] << 8;
        if (rest > 2) group |= bytes->waiting[k + 2];
        text[length++] = digits[group >> 18];
        text[length++] = digits[group >> 12 & 63];
        text[length++] = rest > 1 ? digits[group >> 6 & 63] : '=';
        text[length++] = rest > 2 ? digits[group & 63] : '=';
    }
    fwrite(text, 1, length, bytes->file);
    bytes->count = 0;
}

void scri_page_bytes_put(scri_page_bytes* bytes, const uint8_t* data, size_t size)
{
    while (size > 0) {
        size_t room = sizeof bytes->waiting - bytes->count;
        size_t part = size < room ? size : room;
        memcpy(bytes->waiting + bytes->count, data, part);
        bytes->count += part;
        data += part;
        size -= part;
        if (bytes->count == sizeof bytes->waiting) flush(bytes);
    }
}

void scri_page_bytes_end(scri_page_bytes* bytes)
{
    flush(bytes);
}
