/* PLY: a head of text that says what follows, as text or as bytes. */
#include "base/env.h"
#include "io/mesh_file.h"

#include <math.h>
#include <string.h>

enum { MOST_PROPERTIES = 32, MOST_ELEMENTS = 16 };

typedef enum ply_type { NONE, INT8, UINT8, INT16, UINT16, INT32, UINT32, FLOAT, DOUBLE } ply_type;

static const int type_sizes[] = {0, 1, 1, 2, 2, 4, 4, 4, 8};

static const struct {
    const char* name;
    ply_type type;
} type_names[] = {{"char", INT8},   {"int8", INT8},     {"uchar", UINT8},   {"uint8", UINT8},
                  {"short", INT16}, {"int16", INT16},   {"ushort", UINT16}, {"uint16", UINT16},
                  {"int", INT32},   {"int32", INT32},   {"uint", UINT32},   {"uint32", UINT32},
                  {"float", FLOAT}, {"float32", FLOAT}, {"double", DOUBLE}, {"float64", DOUBLE}};

/* What a value is for. */
typedef enum ply_role { OTHER, X, Y, Z, CORNERS, ZONE } ply_role;

typedef struct ply_property {
    ply_type count; /* of a list: the type of its length */
    ply_type type;
    ply_role role;
} ply_property;

typedef struct ply_element {
    int64_t n;
    bool is_vertex, is_face;
    int n_properties;
    ply_property property[MOST_PROPERTIES];
} ply_element;

typedef struct ply {
    const scri_mesh_source* from;
    scri_text text; /* also where bytes are */
    bool is_text, is_big;
    int n_elements;
    ply_element element[MOST_ELEMENTS];
} ply;

/* ---- the head ---- */

static scree_status fail(const ply* p, const char* what)
{
    return scri_text_fail(&p->text, SCREE_ERROR_INPUT, "PLY: %s", what);
}

static scree_status read_type(ply* p, ply_type* out)
{
    if (!scri_text_next(&p->text)) return fail(p, "the head ends too soon");
    for (size_t k = 0; k < sizeof type_names / sizeof type_names[0]; ++k) {
        if (scri_text_is(&p->text, type_names[k].name)) {
            *out = type_names[k].type;
            return SCREE_OK;
        }
    }
    return fail(p, "a property has an unknown type");
}

static scree_status read_property(ply* p)
{
    ply_element* e = p->n_elements > 0 ? &p->element[p->n_elements - 1] : NULL;
    ply_property property = {NONE, NONE, OTHER};
    if (!e) return fail(p, "a property before any element");
    if (e->n_properties == MOST_PROPERTIES) return fail(p, "too many properties");
    scri_text before = p->text;
    scree_status status = SCREE_OK;
    if (scri_text_next(&p->text) && scri_text_is(&p->text, "list")) {
        status = read_type(p, &property.count);
        if (!status && property.count >= FLOAT) status = fail(p, "a list has no whole length");
    } else {
        p->text = before;
    }
    if (!status) status = read_type(p, &property.type);
    if (status) return status;
    if (!scri_text_next(&p->text)) return fail(p, "the head ends too soon");
    static const char* const axes[] = {"x", "y", "z"};
    for (int k = 0; k < 3 && e->is_vertex && property.count == NONE; ++k) {
        if (scri_text_is(&p->text, axes[k])) property.role = (ply_role)(X + k);
    }
    if (e->is_face && property.count != NONE &&
        (scri_text_is(&p->text, "vertex_indices") || scri_text_is(&p->text, "vertex_index"))) {
        property.role = CORNERS;
    }
    static const char* const zones[] = {"zone", "material", "material_index"};
    for (int k = 0; k < 3 && e->is_face && property.count == NONE; ++k) {
        if (scri_text_is(&p->text, zones[k])) property.role = ZONE;
    }
    e->property[e->n_properties++] = property;
    return SCREE_OK;
}

static scree_status read_element(ply* p)
{
    int32_t n;
    if (p->n_elements == MOST_ELEMENTS) return fail(p, "too many elements");
    ply_element* e = &p->element[p->n_elements++];
    *e = (ply_element){0};
    if (!scri_text_next(&p->text)) return fail(p, "the head ends too soon");
    e->is_vertex = scri_text_is(&p->text, "vertex");
    e->is_face = scri_text_is(&p->text, "face");
    scree_status status = scri_text_integer(&p->text, "the number of an element", 0, INT32_MAX, &n);
    e->n = n;
    return status;
}

static scree_status read_format(ply* p)
{
    if (!scri_text_next(&p->text)) return fail(p, "the head ends too soon");
    p->is_text = scri_text_is(&p->text, "ascii");
    p->is_big = scri_text_is(&p->text, "binary_big_endian");
    if (!p->is_text && !p->is_big && !scri_text_is(&p->text, "binary_little_endian")) {
        return fail(p, "the format is not ascii, binary_little_endian or binary_big_endian");
    }
    return SCREE_OK;
}

static scree_status read_head(ply* p)
{
    scree_status status = SCREE_OK;
    if (!scri_text_next(&p->text) || !scri_text_is(&p->text, "ply")) {
        return fail(p, "the file does not begin with 'ply'");
    }
    while (!status) {
        if (!scri_text_next(&p->text)) return fail(p, "no end_header");
        int64_t line = p->text.token_line;
        if (scri_text_is(&p->text, "end_header")) break;
        if (scri_text_is(&p->text, "format")) {
            status = read_format(p);
        } else if (scri_text_is(&p->text, "element")) {
            status = read_element(p);
        } else if (scri_text_is(&p->text, "property")) {
            status = read_property(p);
        }
        if (!status && p->text.line == line) scri_text_skip_line(&p->text);
    }
    /* bytes begin after one end of a line */
    if (!status && p->text.at < p->text.end && *p->text.at == '\r') ++p->text.at;
    if (!status && p->text.at < p->text.end && *p->text.at == '\n') ++p->text.at, ++p->text.line;
    return status;
}

/* ---- values ---- */

static double from_bytes(const unsigned char* b, ply_type type, bool is_big)
{
    uint64_t word = 0;
    int size = type_sizes[type];
    for (int k = 0; k < size; ++k) word = word << 8 | b[is_big ? k : size - 1 - k];
    float single;
    double whole;
    uint32_t half = (uint32_t)word;
    switch (type) {
    case INT8:
        return (double)(int8_t)(uint8_t)word;
    case INT16:
        return (double)(int16_t)(uint16_t)word;
    case INT32:
        return (double)(int32_t)half;
    case FLOAT:
        memcpy(&single, &half, sizeof single);
        return (double)single;
    case DOUBLE:
        memcpy(&whole, &word, sizeof whole);
        return whole;
    default:
        return (double)word;
    }
}

static scree_status read_value(ply* p, ply_type type, double* out)
{
    if (p->is_text) return scri_text_numbers(&p->text, "a value", 1, out);
    size_t size = (size_t)type_sizes[type];
    if ((size_t)(p->text.end - p->text.at) < size) return fail(p, "the file ends too soon");
    *out = from_bytes((const unsigned char*)p->text.at, type, p->is_big);
    p->text.at += size;
    return SCREE_OK;
}

/* ---- elements ---- */

typedef struct ply_output {
    int64_t n_points, n_triangles;
    scri_mesh_data* data; /* NULL: to be counted */
} ply_output;

static scree_status add_corner(const ply* p, ply_output* o, int64_t k, double value,
                               int32_t first[2])
{
    if (!(value >= 0.0 && value < (double)INT32_MAX && value == floor(value))) {
        return fail(p, "a corner is no number of a point");
    }
    if (k >= 2) {
        if (o->data) {
            int32_t* corner = o->data->corners + 3 * o->n_triangles;
            corner[0] = first[0];
            corner[1] = first[1];
            corner[2] = (int32_t)value;
        }
        ++o->n_triangles;
    }
    first[k > 0] = (int32_t)value;
    return SCREE_OK;
}

static scree_status read_list(ply* p, const ply_property* property, ply_output* o)
{
    double count = 0.0, value = 0.0;
    int32_t first[2] = {0, 0};
    scree_status status = read_value(p, property->count, &count);
    if (!status && !(count >= 0.0 && count <= 1e9 && count == floor(count))) {
        status = fail(p, "the length of a list");
    }
    for (int64_t k = 0; k < (int64_t)count && !status; ++k) {
        status = read_value(p, property->type, &value);
        if (!status && property->role == CORNERS) status = add_corner(p, o, k, value, first);
    }
    return status;
}

/* The zone of a face is that of all triangles that came of it, whichever of the two stands first.
 */
static scree_status set_zone(const ply* p, ply_output* o, int64_t first, double value)
{
    if (!(fabs(value) <= 1e9 && value == floor(value))) return fail(p, "a zone is no whole number");
    for (int64_t t = first; t < o->n_triangles && o->data; ++t) o->data->zone[t] = (int32_t)value;
    return SCREE_OK;
}

static scree_status read_row(ply* p, const ply_element* e, ply_output* o)
{
    scree_status status = SCREE_OK;
    int64_t first = o->n_triangles;
    double zone = 0.0;
    bool has_zone = false;
    for (int k = 0; k < e->n_properties && !status; ++k) {
        const ply_property* property = &e->property[k];
        double value = 0.0;
        if (property->count != NONE) {
            status = read_list(p, property, o);
            continue;
        }
        status = read_value(p, property->type, &value);
        if (!status && property->role >= X && property->role <= Z && o->data) {
            o->data->points[3 * o->n_points + (property->role - X)] = value;
        }
        has_zone |= property->role == ZONE;
        if (property->role == ZONE) zone = value;
    }
    if (has_zone && !status) status = set_zone(p, o, first, zone);
    o->n_points += e->is_vertex;
    return status;
}

static scree_status walk(ply p, ply_output* o)
{
    o->n_points = o->n_triangles = 0;
    for (int i = 0; i < p.n_elements; ++i) {
        for (int64_t k = 0; k < p.element[i].n; ++k) {
            const char* before = p.text.at;
            scree_status status = read_row(&p, &p.element[i], o);
            if (status) return status;
            if (p.text.at == before) return fail(&p, "an element has no properties");
        }
    }
    return SCREE_OK;
}

scree_status scri_mesh_parse_ply(const scri_mesh_source* from, scri_mesh_data* out)
{
    ply p = {.from = from, .text = scri_text_open(from->env, from->name, from->bytes, from->size)};
    ply_output o = {.data = NULL};
    int axes = 0;
    bool has_zones = false;
    scree_status status = read_head(&p);
    for (int i = 0; i < p.n_elements && !status; ++i) {
        for (int k = 0; k < p.element[i].n_properties; ++k) {
            axes += p.element[i].property[k].role >= X && p.element[i].property[k].role <= Z;
            has_zones |= p.element[i].property[k].role == ZONE;
        }
    }
    if (!status && axes != 3) status = fail(&p, "vertices need x, y and z");
    if (!status) status = walk(p, &o);
    if (!status) status = scri_mesh_data_reserve(from, o.n_points, o.n_triangles, out);
    o.data = out;
    if (!status && has_zones) {
        out->zone = scri_arena_take(from->arena, (size_t)o.n_triangles, sizeof *out->zone);
        if (!out->zone) status = SCREE_ERROR_MEMORY;
    }
    return status ? status : walk(p, &o);
}
