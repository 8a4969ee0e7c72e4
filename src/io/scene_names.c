/* Names: those of bodies and joints, found by hashing, because a scene may list a great many; and
 * which one was meant by a word that is none. */
#include "io/scene_reader.h"
#include "io/scene_suggest.h"

#include <stdio.h>
#include <string.h>

/* ---- which one was meant ---- */

scri_nearest scri_nearest_begin(const char* word)
{
    size_t length = strlen(word);
    int allowed = length <= 3 ? 1 : length <= 7 ? 2 : 3;
    return (scri_nearest){.word = word, .distance = allowed + 1};
}

static void add_to_list(scri_nearest* nearest, const char* name)
{
    size_t room = sizeof nearest->names - nearest->used;
    int n = snprintf(nearest->names + nearest->used, room, "%s%s", nearest->used ? ", " : "", name);
    if (n >= 0 && (size_t)n < room) {
        nearest->used += (size_t)n;
    } else {
        nearest->names[nearest->used] = '\0'; /* a list cut short ends with a whole name */
    }
}

void scri_nearest_consider(scri_nearest* nearest, const char* name)
{
    add_to_list(nearest, name);
    int d = scree_spelling_distance(nearest->word, name);
    /* A word of which nothing would be left is no misspelling. */
    if (d >= nearest->distance || d >= (int)strlen(nearest->word)) return;
    nearest->distance = d;
    nearest->best = name;
}

scri_hint scri_nearest_hint(const scri_nearest* nearest, const char* known, const char* none)
{
    scri_hint hint;
    if (nearest->best) {
        snprintf(hint.text, sizeof hint.text, "did you mean '%s'?", nearest->best);
    } else if (nearest->used) {
        snprintf(hint.text, sizeof hint.text, "%s %s", known, nearest->names);
    } else {
        snprintf(hint.text, sizeof hint.text, "%s", none);
    }
    return hint;
}

/* ---- names of bodies and joints ---- */

typedef struct entry {
    const char* name; /* NULL: free */
    scri_yaml_place place;
    int32_t index;
} entry;

struct scri_names {
    size_t size; /* a power of two, more than the names */
    entry* entries;
};

scri_names* scri_names_create(scri_reader* r, int32_t most)
{
    scri_names* names = scri_reader_take(r, 1, sizeof *names);
    if (!names) return NULL;
    names->size = 16;
    while (names->size < 2 * (size_t)most) names->size *= 2;
    names->entries = scri_reader_take(r, names->size, sizeof *names->entries);
    return names->entries ? names : NULL;
}

/* Where the name stands or would stand (FNV-1a, then the next free place). */
static entry* look_up(const scri_names* names, const char* name)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (const char* c = name; *c; ++c) hash = (hash ^ (unsigned char)*c) * 0x100000001b3u;
    size_t k = (size_t)(hash ^ hash >> 32) & (names->size - 1);
    while (names->entries[k].name && strcmp(names->entries[k].name, name) != 0) {
        k = (k + 1) & (names->size - 1);
    }
    return &names->entries[k];
}

void scri_names_add(scri_reader* r, scri_names* names, const char* name, scri_yaml_place place,
                    int32_t index)
{
    if (r->status) return;
    entry* e = look_up(names, name);
    if (!e->name) {
        *e = (entry){name, place, index};
    } else if (e->place.line > 0 && !e->place.setting) {
        scri_reader_fail(r, place, "the name '%s' was already given in line %d", name,
                         e->place.line);
    } else {
        scri_reader_fail(r, place, "the name '%s' was already given", name);
    }
}

int32_t scri_names_find(scri_reader* r, const scri_yaml* node)
{
    const char* name = scri_text_of(r, node, "body");
    if (!name) return -1;
    const entry* e = look_up(r->names, name);
    if (e->name && e->index >= 0) return e->index;
    if (e->name) {
        scri_reader_fail(r, node->place, "'%s' names the bodies of a generator, not one body",
                         name);
        return -1;
    }
    scri_nearest nearest = scri_nearest_begin(name);
    for (int32_t k = 0; k < r->scene->n_bodies; ++k) {
        scri_nearest_consider(&nearest, r->scene->bodies[k].name);
    }
    scri_reader_fail(r, node->place, "no body is called '%s'; %s", scri_show(name).text,
                     scri_nearest_hint(&nearest, "there are", "there is none").text);
    return -1;
}

int32_t scri_names_find_or_world(scri_reader* r, const scri_yaml* node)
{
    const char* name = scri_text_of(r, node, "body");
    if (name && strcmp(name, "world") == 0 && !look_up(r->names, name)->name) return -1;
    return scri_names_find(r, node);
}

int32_t scri_names_find_joint(scri_reader* r, const scri_yaml* node)
{
    const char* name = scri_text_of(r, node, "joint");
    if (!name) return -1;
    const entry* e = look_up(r->joint_names, name);
    if (e->name) return e->index;
    scri_nearest nearest = scri_nearest_begin(name);
    for (int32_t k = 0; k < r->scene->n_joints; ++k) {
        scri_nearest_consider(&nearest, r->scene->joints[k].name);
    }
    scri_reader_fail(r, node->place, "no joint is called '%s'; %s", scri_show(name).text,
                     scri_nearest_hint(&nearest, "there are", "there is none").text);
    return -1;
}
