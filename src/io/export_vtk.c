/* Recordings for ParaView: a VTK XML file for each frame, and the list of them with their times.
 * Data stand behind the XML as raw bytes ("appended"), in the byte order of this machine. */
#include "base/env.h"
#include "io/file_util.h"
#include "io/number_text.h"
#include "io/recording.h"
#include "scene/scene.h"

#include <inttypes.h>
#include <string.h>

enum { MAX_FIELDS = 12, NAME_EXTRA = 64 };

typedef enum vtk_type { VTK_FLOAT64, VTK_FLOAT32, VTK_INT64, VTK_INT32, VTK_UINT8 } vtk_type;

typedef struct vtk_field {
    const char* name;
    vtk_type type;
    int components;
    const void* data; /* for every point */
} vtk_field;

/* Points with data; the first field holds their positions. */
typedef struct vtk_points {
    int32_t n;
    double time;
    int n_fields;
    vtk_field fields[MAX_FIELDS];
    const int64_t* count; /* 0, 1, 2, ..., n */
} vtk_points;

/* What does not change from frame to frame. */
typedef struct exporter {
    const scree_env* env;
    scree_recording* recording;
    scree_recording_info info;
    const char* prefix;
    int64_t stride;
    scri_arena* arena;
    int32_t* id;            /* [n_bodies] 0, 1, 2, ... */
    double* radius;         /* [n_bodies] m */
    int64_t* count;         /* [n_count] 0, 1, 2, ... */
    int64_t n_count;        /* grows with the frames */
    char* left[MAX_FIELDS]; /* fields of the bodies that are left, where some are gone */
} exporter;

/* ---- one file ---- */

static size_t type_size(vtk_type type)
{
    static const size_t size[] = {8, 4, 8, 4, 1};
    return size[type];
}

/* Describes an array and returns where the next one begins. */
static uint64_t describe(FILE* file, const vtk_field* field, uint64_t bytes, uint64_t offset)
{
    static const char* const name[] = {"Float64", "Float32", "Int64", "Int32", "UInt8"};
    fprintf(file,
            "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"appended\" "
            "offset=\"%" PRIu64 "\"/>\n",
            name[field->type], field->name, field->components, offset);
    return offset + sizeof bytes + bytes;
}

static uint64_t field_bytes(const vtk_field* field, int32_t n)
{
    return (uint64_t)n * (uint64_t)field->components * type_size(field->type);
}

static void append(FILE* file, const void* data, uint64_t bytes)
{
    fwrite(&bytes, sizeof bytes, 1, file);
    if (bytes > 0) fwrite(data, 1, (size_t)bytes, file);
}

static void write_head(FILE* file, const vtk_points* points)
{
    const uint16_t one = 1;
    char time[SCRI_NUMBER_SIZE];
    scri_number_print(points->time, time);
    fprintf(file,
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" "
            "byte_order=\"%s\" header_type=\"UInt64\">\n<PolyData>\n<FieldData>\n"
            "<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">"
            "%s</DataArray>\n</FieldData>\n",
            *(const uint8_t*)&one == 1 ? "LittleEndian" : "BigEndian", time);
    fprintf(file,
            "<Piece NumberOfPoints=\"%" PRId32 "\" NumberOfVerts=\"%" PRId32
            "\" NumberOfLines=\"0\" NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n",
            points->n, points->n);
}

static void write_points(FILE* file, const vtk_points* points)
{
    const vtk_field connectivity = {"connectivity", VTK_INT64, 1, points->count};
    const vtk_field ends = {"offsets", VTK_INT64, 1, points->count + 1};
    const vtk_field* places = &points->fields[0];
    uint64_t cells = (uint64_t)points->n * sizeof(int64_t);
    write_head(file, points);
    fputs("<Points>\n", file);
    uint64_t offset = describe(file, places, field_bytes(places, points->n), 0);
    fputs("</Points>\n<Verts>\n", file);
    offset = describe(file, &connectivity, cells, offset);
    offset = describe(file, &ends, cells, offset);
    fputs("</Verts>\n<PointData>\n", file);
    for (int k = 1; k < points->n_fields; ++k) {
        const vtk_field* field = &points->fields[k];
        offset = describe(file, field, field_bytes(field, points->n), offset);
    }
    fputs("</PointData>\n</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_", file);
    append(file, places->data, field_bytes(places, points->n));
    append(file, connectivity.data, cells);
    append(file, ends.data, cells);
    for (int k = 1; k < points->n_fields; ++k) {
        append(file, points->fields[k].data, field_bytes(&points->fields[k], points->n));
    }
    fputs("\n</AppendedData>\n</VTKFile>\n", file);
}

/* Begins the file PREFIX + ending; *name is to be given back with scri_release(). */
static scree_status begin_file(const exporter* e, const char* ending, char** name, scri_output* out)
{
    size_t size = strlen(e->prefix) + strlen(ending) + 1;
    *name = scri_alloc(e->env, size);
    if (*name) snprintf(*name, size, "%s%s", e->prefix, ending);
    scree_status status = *name ? scri_output_begin(e->env, *name, out) : SCREE_ERROR_MEMORY;
    if (status == SCREE_ERROR_MEMORY) scri_fail(e->env, status, "%s: out of memory", e->prefix);
    if (status) scri_release(e->env, *name);
    return status;
}

static scree_status write_file(const exporter* e, const char* kind, int64_t frame,
                               const vtk_points* points)
{
    char ending[NAME_EXTRA];
    char* name = NULL;
    scri_output output;
    snprintf(ending, sizeof ending, "%s_%06" PRId64 ".vtp", kind, frame);
    scree_status status = begin_file(e, ending, &name, &output);
    if (status) return status;
    write_points(output.stream, points);
    status = scri_output_end(&output, SCREE_OK);
    scri_release(e->env, name);
    return status;
}

/* ---- frames ---- */

static scree_status make_count(exporter* e, int64_t n)
{
    if (n + 1 <= e->n_count) return SCREE_OK;
    int64_t larger = n + n / 2 + 1;
    scri_release(e->env, e->count);
    e->count = scri_alloc(e->env, (size_t)larger * sizeof *e->count);
    e->n_count = e->count ? larger : 0;
    for (int64_t k = 0; k < e->n_count; ++k) e->count[k] = k;
    if (e->count) return SCREE_OK;
    return scri_fail(e->env, SCREE_ERROR_MEMORY, "%s: out of memory", e->prefix);
}

/* Leaves the bodies out that are not there. */
static scree_status leave_out(exporter* e, const scree_frame* f, vtk_points* points)
{
    int32_t n = 0;
    for (int32_t b = 0; b < f->n_bodies; ++b) n += scree_frame_holds(f, b);
    if (n == f->n_bodies) return SCREE_OK;
    points->n = n;
    for (int k = 0; k < points->n_fields; ++k) {
        vtk_field* field = &points->fields[k];
        size_t size = (size_t)field->components * type_size(field->type);
        char *out = e->left[k], *at = out;
        if (!out) {
            out = at = e->left[k] = scri_arena_take(e->arena, (size_t)e->info.n_bodies, size);
        }
        if (!out) return scri_fail(e->env, SCREE_ERROR_MEMORY, "%s: out of memory", e->prefix);
        for (int32_t b = 0; b < f->n_bodies; ++b) {
            if (!scree_frame_holds(f, b)) continue;
            memcpy(at, (const char*)field->data + (size_t)b * size, size);
            at += size;
        }
        field->data = out;
    }
    return SCREE_OK;
}

static scree_status write_bodies(exporter* e, int64_t k, const scree_frame* f)
{
    vtk_points points = {.n = f->n_bodies,
                         .time = f->time,
                         .n_fields = 8,
                         .fields = {{"position", VTK_FLOAT64, 3, f->position},
                                    {"body", VTK_INT32, 1, e->id},
                                    {"kind", VTK_UINT8, 1, e->info.kind},
                                    {"radius", VTK_FLOAT64, 1, e->radius},
                                    {"mass", VTK_FLOAT64, 1, e->info.mass},
                                    {"rotation", VTK_FLOAT64, 4, f->rotation},
                                    {"velocity", VTK_FLOAT64, 3, f->velocity},
                                    {"angular_velocity", VTK_FLOAT64, 3, f->angular_velocity}},
                         .count = e->count};
    scree_status status = leave_out(e, f, &points);
    return status ? status : write_file(e, "", k, &points);
}

static scree_status write_contacts(const exporter* e, int64_t k, const scree_frame* f)
{
    const vtk_points points = {.n = f->n_contacts,
                               .time = f->time,
                               .n_fields = 6,
                               .fields = {{"point", VTK_FLOAT32, 3, f->point},
                                          {"bodies", VTK_INT32, 2, f->pair},
                                          {"normal", VTK_FLOAT32, 3, f->normal},
                                          {"force", VTK_FLOAT32, 3, f->force},
                                          {"moment", VTK_FLOAT32, 3, f->moment},
                                          {"gap", VTK_FLOAT32, 1, f->gap}},
                               .count = e->count};
    return write_file(e, "_contacts", k, &points);
}

static scree_status write_frame(exporter* e, int64_t k)
{
    scree_frame frame;
    scree_status status = scree_recording_read(e->recording, k, &frame);
    int64_t most = frame.n_bodies > frame.n_contacts ? frame.n_bodies : frame.n_contacts;
    if (!status) status = make_count(e, most);
    if (!status) status = write_bodies(e, k, &frame);
    if (!status) status = write_contacts(e, k, &frame);
    return status;
}

/* ---- series ---- */

static void write_escaped(FILE* file, const char* text)
{
    for (; *text; ++text) {
        switch (*text) {
        case '&':
            fputs("&amp;", file);
            break;
        case '<':
            fputs("&lt;", file);
            break;
        case '"':
            fputs("&quot;", file);
            break;
        default:
            fputc(*text, file);
        }
    }
}

static void write_list(const exporter* e, const char* kind, FILE* file)
{
    const char* slash = strrchr(e->prefix, '/');
    const char* base = slash ? slash + 1 : e->prefix; /* the files stand beside the list */
    fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n",
          file);
    for (int64_t k = 0; k < e->info.n_frames; k += e->stride) {
        char time[SCRI_NUMBER_SIZE];
        scri_number_print(e->recording->frames.time[k], time);
        fprintf(file, "<DataSet timestep=\"%s\" file=\"", time);
        write_escaped(file, base);
        fprintf(file, "%s_%06" PRId64 ".vtp\"/>\n", kind, k);
    }
    fputs("</Collection>\n</VTKFile>\n", file);
}

static scree_status write_series(const exporter* e, const char* kind)
{
    char ending[NAME_EXTRA];
    char* name = NULL;
    scri_output output;
    snprintf(ending, sizeof ending, "%s.pvd", kind);
    scree_status status = begin_file(e, ending, &name, &output);
    if (status) return status;
    write_list(e, kind, output.stream);
    status = scri_output_end(&output, SCREE_OK);
    scri_release(e->env, name);
    return status;
}

/* ---- all ---- */

/* Bodies have rising shapes, each those from `first` on that name it. */
static scree_status make_bodies(exporter* e)
{
    size_t n = (size_t)e->info.n_bodies;
    e->arena = scri_arena_create(e->env);
    e->id = e->arena ? scri_arena_take(e->arena, n, sizeof *e->id) : NULL;
    e->radius = e->arena ? scri_arena_take(e->arena, n, sizeof *e->radius) : NULL;
    if (!e->id || !e->radius) {
        return scri_fail(e->env, SCREE_ERROR_MEMORY, "%s: out of memory", e->prefix);
    }
    int32_t first = 0;
    for (int32_t k = 0; k < e->info.n_bodies; ++k) {
        int32_t end = first;
        while (end < e->info.n_shapes && e->info.shape_body[end] == k) ++end;
        e->id[k] = k;
        e->radius[k] = scri_shapes_reach(end - first, e->info.shapes + first);
        first = end;
    }
    return SCREE_OK;
}

scree_status scree_export_vtk(const scree_env* env, scree_recording* recording, const char* prefix,
                              int64_t stride)
{
    if (!recording || !prefix || stride < 1) return SCREE_ERROR_ARGUMENT;
    exporter e = {.env = env,
                  .recording = recording,
                  .info = scree_recording_get_info(recording),
                  .prefix = prefix,
                  .stride = stride};
    scree_status status = make_bodies(&e);
    for (int64_t k = 0; k < e.info.n_frames && !status; k += stride) status = write_frame(&e, k);
    if (!status) status = write_series(&e, "");
    if (!status) status = write_series(&e, "_contacts");
    scri_release(env, e.count);
    scri_arena_destroy(e.arena);
    return status;
}
