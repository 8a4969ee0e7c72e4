/* Shapes of a body. */
#include "base/env.h"
#include "io/scene_loop.h"
#include "io/scene_zones.h"
#include "math/vec.h"
#include "shapes/rounded.h"

#include <string.h>

enum { MAX_KEYS = 18 };

/* Keys beside those that every shape has, in the order of scree_shape_kind. */
static const struct {
    const char* what;
    const char* keys[3];
} kinds[SCREE_SHAPE_COUNT] = {
    [SCREE_SHAPE_SPHERE] = {"a sphere", {"radius"}},
    [SCREE_SHAPE_HALF_SPACE] = {"a half-space", {"normal"}},
    [SCREE_SHAPE_BOX] = {"a box", {"size"}},
    [SCREE_SHAPE_CAPSULE] = {"a capsule", {"radius", "length"}},
    [SCREE_SHAPE_CYLINDER] = {"a cylinder", {"radius", "height"}},
    [SCREE_SHAPE_HULL] = {"a hull", {"points", "file", "scale"}},
    [SCREE_SHAPE_MESH] = {"a mesh", {"file", "cell", "holes"}},
    [SCREE_SHAPE_ELLIPSOID] = {"an ellipsoid", {"size"}},
    [SCREE_SHAPE_CONE] = {"a cone", {"radius", "height"}},
    [SCREE_SHAPE_TUBE] = {"a tube", {"radius", "inner", "height"}},
};

static const char* const common_keys[] = {"type",     "material", "position", "rotation",
                                          "category", "collides", "for"};
enum { N_COMMON = sizeof common_keys / sizeof common_keys[0] };

static void read_kind(scri_reader* r, const scri_yaml* map, scree_shape* out)
{
    const char* names[SCREE_SHAPE_COUNT + 1] = {NULL};
    for (int k = 0; k < SCREE_SHAPE_COUNT; ++k) names[k] = scree_shape_name(k);
    int kind = 0;
    if (map->kind == SCRI_YAML_MAP && !scri_need(r, map, "a shape", "type")) return;
    scri_read_choice(r, map, "type", names, &kind);
    out->kind = (scree_shape_kind)kind;
}

static bool has_its_keys(scri_reader* r, const scri_yaml* map, scree_shape_kind kind)
{
    const char* allowed[MAX_KEYS] = {NULL};
    int n = 0;
    allowed[n++] = common_keys[0];
    for (int k = 0; k < 3 && kinds[kind].keys[k]; ++k) allowed[n++] = kinds[kind].keys[k];
    if (scri_shape_can_round(kind)) allowed[n++] = "rounding";
    if (kind == SCREE_SHAPE_MESH) {
        allowed[n++] = "points";
        allowed[n++] = "triangles";
        allowed[n++] = "decompose";
        allowed[n++] = "zones";
        allowed[n++] = "materials";
    }
    for (int k = 1; k < N_COMMON; ++k) allowed[n++] = common_keys[k];
    if (!scri_is_map_of(r, map, kinds[kind].what, allowed)) return false;
    /* the normal of the one has a default, the others have points or a file */
    int is_mesh = kind == SCREE_SHAPE_MESH;
    int is_free = kind == SCREE_SHAPE_HALF_SPACE || kind == SCREE_SHAPE_HULL ||
                  (is_mesh && scri_get(map, "points"));
    int needed = is_free ? 0 : is_mesh ? 1 : 3;
    for (int k = 0; k < needed && kinds[kind].keys[k]; ++k) {
        if (!scri_need(r, map, kinds[kind].what, kinds[kind].keys[k])) return false;
    }
    return true;
}

/* The rotation that turns +z to n, about the axis across both. */
static void turn_to(scri_vec n, double rotation[4])
{
    double across = hypot(n.x, n.y);
    scri_vec axis =
        across > 0.0 ? (scri_vec){-n.y / across, n.x / across, 0.0} : (scri_vec){1.0, 0.0, 0.0};
    double angle = across > 0.0 ? atan2(across, n.z) : n.z > 0.0 ? 0.0 : SCREE_PI;
    scri_quat_store(scri_quat_normalize(scri_quat_exp(scri_vec_scale(angle, axis))), rotation);
}

static void read_normal(scri_reader* r, const scri_yaml* map, scree_shape* out)
{
    const scri_yaml* node = scri_get(map, "normal");
    if (!node) return;
    double n[3] = {0.0};
    scri_read_numbers(r, node, "normal", 3, n);
    if (r->status) return;
    if (scri_get(map, "rotation")) {
        scri_reader_fail(r, node->place, "a half-space has either a normal or a rotation");
        return;
    }
    double length = scri_vec_length(scri_vec_load(n));
    if (!(length > 0.0 && isfinite(length))) {
        scri_reader_fail(r, node->place, "normal has no direction");
        return;
    }
    turn_to(scri_vec_scale(1.0 / length, scri_vec_load(n)), out->rotation);
}

/* Lengths in the file are whole ones, in the library half. */
static void read_half(scri_reader* r, const scri_yaml* map, const char* key, double* value)
{
    double whole = 0.0;
    scri_read_number(r, map, key, SCRI_POSITIVE, &whole);
    *value = 0.5 * whole;
}

static void read_lengths(scri_reader* r, const scri_yaml* map, double size[3])
{
    const scri_yaml* list = scri_get(map, "size");
    double whole[3] = {0.0};
    scri_read_numbers(r, list, "size", 3, whole);
    const scri_yaml* item = list->first;
    for (int k = 0; k < 3 && !r->status; ++k, item = item->next) {
        scri_evaluate(r, item, "size", SCRI_POSITIVE, &whole[k]);
        size[k] = 0.5 * whole[k];
    }
}

/* What is to become of a raster: cells, holes. */
static void read_wishes(scri_reader* r, const scri_yaml* map, scri_mesh_source* from)
{
    static const char* const names[] = {"refuse", "open", "fill", NULL}; /* as scree_holes */
    int holes = (int)from->holes;
    if (scri_get(map, "cell")) scri_read_number(r, map, "cell", SCRI_POSITIVE, &from->cell);
    scri_read_choice(r, map, "holes", names, &holes);
    from->holes = (scree_holes)holes;
}

scri_arena* scri_read_surface(scri_reader* r, const scri_yaml* file, const scri_mesh_source* how,
                              scri_mesh_data* out)
{
    char* bytes = NULL;
    size_t size = 0;
    const char* path = scri_read_beside(r, file, &bytes, &size);
    scri_arena* arena = scri_arena_create(r->source.env);
    if (!arena && !r->status) r->status = SCREE_ERROR_MEMORY;
    if (path && !r->status) {
        scri_mesh_source from = {r->source.env, arena, path, bytes, size, how->holes, how->cell};
        r->status = scri_mesh_parse(&from, out);
    }
    scri_release(r->source.env, bytes);
    return arena;
}

/* Points and triangles that the scene lists, with memory of the scene. */
static void read_lists(scri_reader* r, const scri_yaml* map, scri_mesh_data* out)
{
    if (!scri_need(r, map, "a mesh", "triangles")) return;
    const scri_yaml* item = scri_get_list(r, map, "points", &out->n_points);
    out->points = scri_reader_take(r, 3 * (size_t)out->n_points, sizeof *out->points);
    for (int32_t i = 0; i < out->n_points && !r->status; ++i, item = item->next) {
        scri_read_numbers(r, item, "points", 3, out->points + 3 * (size_t)i);
    }
    item = scri_get_list(r, map, "triangles", &out->n_triangles);
    out->corners = scri_reader_take(r, 3 * (size_t)out->n_triangles, sizeof *out->corners);
    for (int32_t i = 0; i < out->n_triangles && !r->status; ++i, item = item->next) {
        double corner[3] = {0.0};
        scri_read_numbers(r, item, "triangles", 3, corner);
        for (int k = 0; k < 3 && !r->status; ++k) {
            if (!(corner[k] >= 0.0 && corner[k] < out->n_points && corner[k] == floor(corner[k]))) {
                scri_reader_fail(r, item->place,
                                 "triangles: %g is no number of a point from 0 to %d", corner[k],
                                 (int)out->n_points - 1);
                break;
            }
            out->corners[3 * i + k] = (int32_t)corner[k];
        }
    }
}

static scri_arena* read_surface(scri_reader* r, const scri_yaml* map, scri_mesh_data* out)
{
    scri_mesh_source how = {.holes = SCREE_HOLES_REFUSE};
    const scri_yaml *file = scri_get(map, "file"), *points = scri_get(map, "points");
    read_wishes(r, map, &how);
    if (file && points) {
        scri_reader_fail(r, file->place, "a shape has either points or a file");
    } else if (points) {
        read_lists(r, map, out);
    } else {
        return scri_read_surface(r, file, &how, out);
    }
    return NULL;
}

static void read_mesh(scri_reader* r, const scri_yaml* map, scree_shape* out)
{
    const scri_yaml* from = scri_get(map, scri_get(map, "file") ? "file" : "triangles");
    scri_mesh_data data = {0};
    scri_arena* arena = read_surface(r, map, &data);
    if (!r->status) {
        scri_asked asked;
        scree_mesh* mesh = NULL;
        scri_ask_begin(r, &asked);
        scri_ask_end(r, from->place, &asked, scri_mesh_make(&asked.env, &data, &mesh));
        out->mesh = mesh;
        if (!r->status) scri_read_zones(r, map, &data, mesh, out);
    }
    scri_arena_destroy(arena);
}

static void make_hull(scri_reader* r, const scri_yaml* from, int32_t n, const double* points,
                      scree_shape* out)
{
    scri_asked asked;
    scree_hull* hull;
    scri_ask_begin(r, &asked);
    scree_status status = scree_hull_create(&asked.env, n, points, &hull);
    scri_ask_end(r, from->place, &asked, status);
    if (status) return;
    scree_hull_view view = scree_hull_get_view(hull);
    scri_vec shift = scri_quat_rotate(scri_quat_load(out->rotation), scri_vec_load(view.centre));
    scri_vec_store(scri_vec_add(scri_vec_load(out->position), shift), out->position);
    out->hull = hull;
    out->half_size[0] = 1.0;
}

/* `scale` of a file: a number for all lengths or one for each axis. */
static void scale_points(scri_reader* r, const scri_yaml* map, const scri_mesh_data* data)
{
    const scri_yaml* scale = scri_get(map, "scale");
    double factor[3] = {1.0, 1.0, 1.0};
    if (!scale) return;
    if (scale->kind == SCRI_YAML_LIST) {
        scri_read_numbers(r, scale, "scale", 3, factor);
    } else {
        scri_evaluate(r, scale, "scale", SCRI_ANY, &factor[0]);
        factor[1] = factor[2] = factor[0];
    }
    for (size_t k = 0; k < 3 * (size_t)data->n_points && !r->status; ++k) {
        data->points[k] *= factor[k % 3];
    }
}

static void read_hull_file(scri_reader* r, const scri_yaml* map, const scri_yaml* file,
                           scree_shape* out)
{
    scri_mesh_data data = {0};
    scri_arena* arena = read_surface(r, map, &data);
    if (!r->status && data.columns > 0) {
        scri_reader_fail(r, file->place, "a raster has no hull");
    }
    if (!r->status) scale_points(r, map, &data);
    if (!r->status) make_hull(r, file, data.n_points, data.points, out);
    scri_arena_destroy(arena);
}

/* The hull of points that count from the shape's place: its own origin is its centre of mass. */
static void read_hull(scri_reader* r, const scri_yaml* map, scree_shape* out)
{
    int32_t n;
    const scri_yaml *list = scri_get(map, "points"), *file = scri_get(map, "file");
    if (list && file) {
        scri_reader_fail(r, file->place, "a hull has either points or a file");
        return;
    }
    if (file) {
        read_hull_file(r, map, file, out);
        return;
    }
    const scri_yaml* scale = scri_get(map, "scale");
    if (scale) scri_reader_fail(r, scale->place, "scale: is for a hull from a file");
    list = scri_need(r, map, "a hull", "points");
    if (!list) return;
    const scri_yaml* item = scri_get_list(r, map, "points", &n);
    double* points = scri_reader_take(r, 3 * (size_t)n, sizeof *points);
    for (int32_t i = 0; i < n && !r->status; ++i, item = item->next) {
        scri_read_numbers(r, item, "points", 3, points + 3 * (size_t)i);
    }
    if (!r->status) make_hull(r, list, n, points, out);
}

static void read_size(scri_reader* r, const scri_yaml* map, scree_shape* out)
{
    memset(out->half_size, 0, sizeof out->half_size);
    switch (out->kind) {
    case SCREE_SHAPE_HALF_SPACE:
        read_normal(r, map, out);
        break;
    case SCREE_SHAPE_HULL:
        read_hull(r, map, out);
        break;
    case SCREE_SHAPE_MESH:
        if (!scri_get(map, "decompose")) read_mesh(r, map, out);
        break;
    case SCREE_SHAPE_BOX:
    case SCREE_SHAPE_ELLIPSOID:
        read_lengths(r, map, out->half_size);
        break;
    default:
        scri_read_number(r, map, "radius", SCRI_POSITIVE, &out->half_size[0]);
        if (out->kind == SCREE_SHAPE_TUBE) {
            scri_read_number(r, map, "inner", SCRI_POSITIVE, &out->half_size[2]);
        }
        read_half(r, map, out->kind == SCREE_SHAPE_CAPSULE ? "length" : "height",
                  &out->half_size[1]);
        break;
    }
}

static void read_shape(scri_reader* r, const scri_yaml* map, scree_body_kind body, scree_shape* out)
{
    *out = scree_default_shape();
    read_kind(r, map, out);
    if (r->status || !has_its_keys(r, map, out->kind)) return;
    bool is_fixed = out->kind == SCREE_SHAPE_HALF_SPACE ||
                    (out->kind == SCREE_SHAPE_MESH && !scri_get(map, "decompose"));
    if (is_fixed && body == SCREE_BODY_DYNAMIC) {
        scri_reader_fail(r, map->place, "%s has no mass; its body must be static or kinematic",
                         kinds[out->kind].what);
        return;
    }
    int64_t category = out->category, collides = out->collides;
    scri_read_vector(r, map, "position", out->position);
    scri_read_rotation(r, map, "rotation", out->rotation);
    out->material = scri_read_material(r, map);
    read_size(r, map, out);
    scri_read_number(r, map, "rounding", SCRI_NOT_NEGATIVE, &out->rounding);
    if (!r->status && out->kind == SCREE_SHAPE_TUBE && !(out->half_size[2] < out->half_size[0])) {
        scri_reader_fail(r, scri_get(map, "inner")->place,
                         "inner = %g m must be less than radius = %g m", out->half_size[2],
                         out->half_size[0]);
    }
    scri_read_integer(r, map, "category", 0, UINT32_MAX, &category);
    scri_read_integer(r, map, "collides", 0, UINT32_MAX, &collides);
    out->category = (uint32_t)category;
    out->collides = (uint32_t)collides;
}

/* ---- convex parts of a mesh ---- */

/* What `decompose` asks for, and at most how many parts it may ask for. */
typedef struct wish {
    double error;
    int64_t parts;
} wish;
enum { MOST_PARTS = 1024 };

/* The points of a file in the frame of the body. */
static void place_points(const scree_shape* shape, const scri_mesh_data* data)
{
    scri_quat turn = scri_quat_load(shape->rotation);
    for (int32_t i = 0; i < data->n_points; ++i) {
        double* x = data->points + 3 * (size_t)i;
        scri_vec turned = scri_quat_rotate(turn, scri_vec_load(x));
        scri_vec_store(scri_vec_add(scri_vec_load(shape->position), turned), x);
    }
}

/* The hulls, with memory of the scene, as shapes that are otherwise as the one of the mesh. */
static void take_parts(scri_reader* r, const scri_yaml* node, int32_t n, scree_hull* const* parts,
                       scree_scene_body* out)
{
    scree_shape like = out->shapes[0], usual = scree_default_shape();
    out->shapes = scri_reader_take(r, (size_t)n, sizeof *out->shapes);
    out->n_shapes = 0;
    like.kind = SCREE_SHAPE_HULL;
    memcpy(like.rotation, usual.rotation, sizeof like.rotation);
    memset(like.position, 0, sizeof like.position);
    for (int32_t i = 0; i < n && !r->status; ++i) {
        scree_hull_view view = scree_hull_get_view(parts[i]);
        double* points = scri_reader_take(r, 3 * (size_t)view.n_corners, sizeof *points);
        for (int32_t k = 0; k < 3 * view.n_corners && !r->status; ++k) {
            points[k] = view.corners[k] + view.centre[k % 3];
        }
        scree_shape* shape = &out->shapes[out->n_shapes++];
        *shape = like;
        if (!r->status) make_hull(r, node, view.n_corners, points, shape);
    }
}

static void split_mesh(scri_reader* r, const scri_yaml* node, const scri_mesh_data* data,
                       const wish* asked_for, scree_scene_body* out, scree_mass* mass)
{
    scri_asked asked;
    scree_mesh* mesh = NULL;
    scree_hull** parts = scri_reader_take(r, (size_t)asked_for->parts, sizeof(scree_hull*));
    int32_t n = 0;
    double left = 0.0;
    scri_ask_begin(r, &asked);
    asked.env.alloc = NULL; /* what is tried on the way is not for the scene to keep */
    asked.env.release = NULL;
    scree_status status = r->status ? r->status : scri_mesh_make(&asked.env, data, &mesh);
    if (!status) status = scree_mesh_mass(&asked.env, mesh, 1.0, mass);
    if (!status) {
        status = scree_mesh_split(&asked.env, mesh, asked_for->error, (int32_t)asked_for->parts,
                                  parts, &n, &left);
    }
    scri_ask_end(r, node->place, &asked, status);
    if (!r->status && !(left <= asked_for->error)) {
        scri_reader_fail(r, node->place,
                         "decompose: %d parts hold %.3g more than the mesh, relative to its "
                         "volume, not %.3g; allow more parts or a larger error",
                         (int)n, left, asked_for->error);
    }
    if (!r->status) take_parts(r, node, n, parts, out);
    for (int32_t i = 0; i < n; ++i) scree_hull_destroy(parts[i]);
    scree_mesh_destroy(mesh);
}

/* Replaces the only shape, a mesh, by hulls; the mass is that of the mesh for density 1. */
static void read_parts(scri_reader* r, const scri_yaml* map, scree_scene_body* out,
                       scree_mass* mass)
{
    static const char* const keys[] = {"error", "parts", NULL};
    const scri_yaml* node = scri_get(map, "decompose");
    wish asked_for = {.error = 0.02, .parts = 64};
    if (r->status || !scri_is_map_of(r, node, "decompose", keys)) return;
    scri_read_number(r, node, "error", SCRI_POSITIVE, &asked_for.error);
    scri_read_integer(r, node, "parts", 1, MOST_PARTS, &asked_for.parts);
    const scri_yaml* zones = scri_get(map, scri_get(map, "zones") ? "zones" : "materials");
    if (zones) scri_reader_fail(r, zones->place, "convex parts of a mesh have one material");
    scri_mesh_data data = {0};
    if (r->status) return;
    scri_arena* arena = read_surface(r, map, &data);
    if (!r->status && data.columns > 0) {
        scri_reader_fail(r, node->place, "decompose: a raster is not closed");
    }
    if (!r->status) place_points(&out->shapes[0], &data);
    if (!r->status) split_mesh(r, node, &data, &asked_for, out, mass);
    scri_arena_destroy(arena);
}

void scri_read_shapes(scri_reader* r, const scri_yaml* body, scree_scene_body* out,
                      scree_mass* of_mesh)
{
    const scri_yaml *one = scri_get(body, "shape"), *many = scri_get(body, "shapes");
    if (r->status) return;
    bool is_told =
        out->def.kind == SCREE_BODY_DYNAMIC && scri_get(body, "mass") && scri_get(body, "inertia");
    if (!one && !many && is_told) return; /* what is only held by joints needs no shape */
    if (!one == !many) {
        scri_reader_fail(r, body->place,
                         one ? "a body has either 'shape' or 'shapes'"
                             : "a body needs 'shape', or 'shapes' with a list");
        return;
    }
    const scri_yaml* map = one;
    int32_t n = 1;
    if (many) map = scri_get_list(r, body, "shapes", &n);
    if (!r->status && n == 0) scri_reader_fail(r, many->place, "shapes: the list is empty");
    int32_t copies = scri_loop_count(r, map);
    if (!r->status && copies == 0) scri_reader_fail(r, map->place, "the body has no shape");
    out->shapes = scri_reader_take(r, (size_t)copies, sizeof *out->shapes);
    for (; map && !r->status; map = map->next) {
        scri_loop loop;
        for (scri_loop_begin(r, map, &loop); !loop.is_over; scri_loop_next(r, &loop)) {
            read_shape(r, map, out->def.kind, &out->shapes[out->n_shapes++]);
            const scri_yaml* parts = scri_get(map, "decompose");
            if (!r->status && parts && many) {
                scri_reader_fail(r, parts->place, "decompose: is for the only 'shape' of a body");
            }
        }
    }
    if (one && scri_get(one, "decompose")) read_parts(r, one, out, of_mesh);
}
