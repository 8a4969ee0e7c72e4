/* Text of a page: JSON that is safe inside a <script> element, and bytes as base64. */
#ifndef SCRI_PAGE_TEXT_H
#define SCRI_PAGE_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* A JSON string, or null. '<' and '&' are written as escapes, so that no text can end the element
 * or begin a comment in it. */
void scri_page_string(FILE* file, const char* text);

/* A JSON number; null for what is not finite. */
void scri_page_number(FILE* file, double value);

/* Bytes on their way into a file as base64. */
typedef struct scri_page_bytes {
    FILE* file;
    size_t count;
    uint8_t waiting[3 * 1024];
} scri_page_bytes;

void scri_page_bytes_begin(scri_page_bytes* bytes, FILE* file);
void scri_page_bytes_put(scri_page_bytes* bytes, const uint8_t* data, size_t size);
void scri_page_bytes_end(scri_page_bytes* bytes);

#endif
