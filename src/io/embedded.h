/* Files of the source tree that the library carries as text; see cmake/ScreeEmbed.cmake. */
#ifndef SCRI_EMBEDDED_H
#define SCRI_EMBEDDED_H

#include <stddef.h>

typedef struct scri_embedded {
    const char* name; /* of the file, without folder and ending; NULL ends the array */
    const char* text; /* ended by a zero */
    size_t size;
} scri_embedded;

extern const scri_embedded scri_embedded_builtin_scenes[]; /* src/io/builtin, by name */
extern const scri_embedded scri_embedded_scene_defaults[]; /* src/io/scene_defaults.yaml */
extern const scri_embedded scri_embedded_page[];           /* viewer/page.html with its parts */
extern const scri_embedded scri_embedded_rockfall[];       /* viewer/rockfall.html, the same */

#endif
