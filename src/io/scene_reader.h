/* What the parts of the scene reader share.
 *
 * A fault is logged once and kept in `status`; from then on every function here does nothing and
 * leaves its results as they were, so that callers need not ask after each value. */
#ifndef SCRI_SCENE_READER_H
#define SCRI_SCENE_READER_H

#include "io/yaml_tree.h"
#include "scree_io/scene_file.h"

/* All bytes of a file, given back with scri_release(): scri_file_read(), or what a test puts in its
 * place. */
typedef scree_status scri_read_file(const scree_env* env, const char* path, char** bytes,
                                    size_t* size);

typedef struct scri_names scri_names;

typedef struct scri_reader {
    scri_yaml_source source;
    scri_read_file* read_file;
    int n_values;        /* in all texts */
    scree_status status; /* SCREE_OK until the first fault */
    scree_scene* scene;
    scree_scene_source* info; /* its parameters serve expressions as soon as they are read */
    scree_parameter* parameters;
    int32_t n_bodies;  /* that the scene lists, containers included */
    int64_t copy;      /* of the item that is read, where it stands for many; else -1 */
    double* centres;   /* [3 n_bodies] of mass, in the frames that the file gives bodies */
    scri_names* names; /* of all bodies */
    scri_names* joint_names;
} scri_reader;

/* The text of a scene and what it is read with. */
typedef struct scri_scene_text {
    const char* path;
    const char* text;
    size_t size;
    int32_t n_settings;
    const char* const* settings;
} scri_scene_text;

/* scree_scene_parse() with another way to read files. */
scree_status scri_scene_parse(const scree_env* env, scri_read_file* read_file,
                              const scri_scene_text* from, scree_scene** out);

/* ---- faults: scene_value.c ------------------------------------------------------------------- */

void scri_reader_fail(scri_reader* r, scri_yaml_place place, const char* format, ...)
    SCRI_PRINTF(3, 4);
void* scri_reader_take(scri_reader* r, size_t count, size_t size); /* NULL with a fault */

/* A call of the library about a place of the scene: memory is the scene's, and what it says becomes
 * the fault. */
typedef struct scri_asked {
    scree_env env; /* for the call */
    scri_arena* arena;
    char said[256];
} scri_asked;
void scri_ask_begin(scri_reader* r, scri_asked* out);
void scri_ask_end(scri_reader* r, scri_yaml_place place, const scri_asked* asked,
                  scree_status status);

/* ---- values: scene_value.c ------------------------------------------------------------------- */

/* What numbers are allowed. Only the last may be infinite. */
typedef enum scri_range {
    SCRI_ANY,
    SCRI_NOT_NEGATIVE,
    SCRI_POSITIVE,
    SCRI_FRACTION,      /* 0 to 1 */
    SCRI_UPPER_HALF,    /* 0.5 to 1 */
    SCRI_PROPER_PART,   /* 0 to less than 1 */
    SCRI_PERHAPS_NEVER, /* a time; .inf is allowed */
    SCRI_RANGE_COUNT
} scri_range;

/* Whether the map may be read: a map, and every key of it one of `keys`, a list ended by NULL.
 * `what` says what it describes, "a shape". */
bool scri_is_map_of(scri_reader* r, const scri_yaml* map, const char* what,
                    const char* const* keys);

/* The map under a key, checked in the same way; NULL when there is none. */
const scri_yaml* scri_get_map(scri_reader* r, const scri_yaml* map, const char* key,
                              const char* what, const char* const* keys);

/* The items of a list under a key; NULL when there are none. *n is their number. */
const scri_yaml* scri_get_list(scri_reader* r, const scri_yaml* map, const char* key, int32_t* n);

/* The value of a key, or NULL. */
const scri_yaml* scri_get(const scri_yaml* map, const char* key);

/* The same; it is a fault when the key is missing. */
const scri_yaml* scri_need(scri_reader* r, const scri_yaml* map, const char* what, const char* key);

/* The number that a scalar says; `name` is what messages call it. */
void scri_evaluate(scri_reader* r, const scri_yaml* node, const char* name, scri_range range,
                   double* value);

/* These leave *value as it is when the key is not there. */
void scri_read_number(scri_reader* r, const scri_yaml* map, const char* key, scri_range range,
                      double* value);
void scri_read_integer(scri_reader* r, const scri_yaml* map, const char* key, int64_t low,
                       int64_t high, int64_t* value);
void scri_read_vector(scri_reader* r, const scri_yaml* map, const char* key, double value[3]);
void scri_read_choice(scri_reader* r, const scri_yaml* map, const char* key,
                      const char* const* names, int* value);

/* "yes" or "no". */
void scri_read_truth(scri_reader* r, const scri_yaml* map, const char* key, int* value);
void scri_read_rotation(scri_reader* r, const scri_yaml* map, const char* key, double value[4]);

/* {from: [x, y, z], to: [x, y, z]}, no coordinate of the first beyond that of the second. */
void scri_read_region(scri_reader* r, const scri_yaml* map, const char* key, double from[3],
                      double to[3]);

/* A list of n numbers, at most 9. */
void scri_read_numbers(scri_reader* r, const scri_yaml* list, const char* name, int n,
                       double* value);

/* The text of a scalar, "$name" replaced by the parameter's; NULL after a fault. */
const char* scri_text_of(scri_reader* r, const scri_yaml* node, const char* name);

/* A text that can name something: not empty, no white space, no '.' and no '='. */
const char* scri_name_of(scri_reader* r, const scri_yaml* node, const char* name);

/* ---- parts of a scene ------------------------------------------------------------------------ */

/* Whether a parameter with this value is a text: quoted, or a file name: scene_settings.c. */
bool scri_is_text_value(const scri_yaml* node);

/* A fault where a key cannot name a parameter: scene_settings.c. */
void scri_check_parameter_name(scri_reader* r, const scri_yaml* key);

/* Puts a setting into the tree: scene_settings.c. */
void scri_apply_setting(scri_reader* r, scri_yaml* root, const char* text);

/* Keys of a scene, ended by NULL: scene_read.c. */
extern const char* const scri_scene_keys[];

void scri_read_parameters(scri_reader* r, const scri_yaml* root); /* scene_settings.c */
void scri_read_world(scri_reader* r, const scri_yaml* root);      /* scene_read.c */
void scri_read_stop(scri_reader* r, const scri_yaml* root);       /* scene_read.c */
void scri_read_materials(scri_reader* r, const scri_yaml* root);  /* scene_material.c */
void scri_read_drives(scri_reader* r, const scri_yaml* root);     /* scene_drive.c */
void scri_read_joints(scri_reader* r, const scri_yaml* root);     /* scene_joint.c */
void scri_read_probes(scri_reader* r, const scri_yaml* root);     /* scene_measure.c */
void scri_read_measures(scri_reader* r, const scri_yaml* root);   /* the same */
void scri_read_results(scri_reader* r, const scri_yaml* root);

/* What files call a kind of joint. */
const char* scri_joint_type(scree_joint_kind kind);

/* Bodies from a CSV file, for a generator whose model has been read: scene_list.c. */
void scri_read_list(scri_reader* r, const scri_yaml* file, scree_generator* out);

/* Largest seed: the whole number up to which a double has them all. */
#define SCRI_MAX_SEED (INT64_C(1) << 53)

/* The material that a shape or container names, or the only one: scene_material.c. */
int32_t scri_read_material(scri_reader* r, const scri_yaml* map);

/* The material that a value names. */
int32_t scri_find_material(scri_reader* r, const scri_yaml* node);

/* All bodies, generators and containers: scene_body.c, scene_generator.c. */
void scri_read_bodies(scri_reader* r, const scri_yaml* root);
void scri_read_generators(scri_reader* r, const scri_yaml* root);
void scri_read_containers(scri_reader* r, const scri_yaml* root);

/* The shapes of a body, in its frame: scene_shape.c. *of_mesh is written for a mesh in parts: its
 * mass properties for density 1. */
void scri_read_shapes(scri_reader* r, const scri_yaml* body, scree_scene_body* out,
                      scree_mass* of_mesh);

/* A body, the index-th of the scene, or the model of the index-th generator, whose places are those
 * of the centre of mass: scene_body.c. */
void scri_read_body(scri_reader* r, const scri_yaml* map, bool is_model, int32_t index,
                    scree_scene_body* out);

/* The bytes of the file that `file` names, beside the scene or, where there is none, in the working
 * folder; given back with scri_release(). Returns its path, NULL after a fault: scene_read.c. */
const char* scri_read_beside(scri_reader* r, const scri_yaml* file, char** bytes, size_t* size);

/* The value under a key of a material or pair as a set of the scene; *out stays as it is when the
 * key is not there: scene_set.c. */
void scri_read_set(scri_reader* r, const scri_yaml* map, const char* key, const scree_set** out);

/* {second: [[a, b], [c, d]], fourth: [[4 numbers], [4]], degrees: angle, scale: number} under
 * `tensor`, which takes the place of both sets. */
void scri_read_tensor(scri_reader* r, const scri_yaml* map, const scree_set** force,
                      const scree_set** direction);

/* ---- names of bodies and joints: scene_names.c ----------------------------------------------- */

scri_names* scri_names_create(scri_reader* r, int32_t most);

/* Enters a name with the index of what it names (-1: a generator's bodies); a second time is a
 * fault. */
void scri_names_add(scri_reader* r, scri_names* names, const char* name, scri_yaml_place place,
                    int32_t index);

/* The index of the body that `node` names; a fault when there is none. The second one gives -1 for
 * "world", unless a body has that name. */
int32_t scri_names_find(scri_reader* r, const scri_yaml* node);
int32_t scri_names_find_or_world(scri_reader* r, const scri_yaml* node);

/* The same of a joint. */
int32_t scri_names_find_joint(scri_reader* r, const scri_yaml* node);

#endif
