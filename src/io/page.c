/* A recording as one HTML page: viewer/page.html with the recording where its mark stands.
 *
 * The recording is a JSON object and two blocks of base64, each between line breaks: the shapes,
 * and the frames, one to a line, poses, contacts and joints with a space between them.
 */
#include "io/page.h"

#include "base/env.h"
#include "io/embedded.h"
#include "io/file_util.h"
#include "io/number_text.h"
#include "io/surface.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char mark[] = "<!-- RECORDING -->";

/* ---- JSON that is safe inside a <script> element, and bytes as base64 ---- */

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

/* ---- the scene ---- */

/* What the page is made from. The scene is NULL where its text can no longer be read, for instance
 * because it names a file that is gone: the page then lacks parameters and law. */
typedef struct page {
    const scree_env* env;
    scri_arena* arena;
    scree_recording* recording;
    scri_page_plan plan;
    scree_scene* scene;
    FILE* file;
} page;

/* Short of memory is a failure; anything else that is wrong with the scene is not. */
static scree_status read_scene(page* p)
{
    const scree_recording_info* info = &p->plan.info;
    scree_env quiet = {0};
    if (p->env) quiet = *p->env;
    quiet.log = NULL;
    scree_status status = scree_scene_parse(&quiet, info->scene, info->text, strlen(info->text),
                                            info->n_settings, info->settings, &p->scene);
    if (status) p->scene = NULL;
    return status == SCREE_ERROR_MEMORY ? status : SCREE_OK;
}

/* ---- the JSON object ---- */

static void put_string(FILE* file, const char* key, const char* text)
{
    fprintf(file, "\"%s\":", key);
    scri_page_string(file, text);
    fputs(",\n", file);
}

static void put_number(FILE* file, const char* key, double value)
{
    fprintf(file, "\"%s\":", key);
    scri_page_number(file, value);
    fputs(",\n", file);
}

static void put_vector(FILE* file, const char* key, const double x[3])
{
    fprintf(file, "\"%s\":[", key);
    for (int i = 0; i < 3; ++i) {
        if (i) fputc(',', file);
        scri_page_number(file, x[i]);
    }
    fputs("],\n", file);
}

static void put_settings(const page* p)
{
    const scree_recording_info* info = &p->plan.info;
    fputs("\"settings\":[", p->file);
    for (int32_t k = 0; k < info->n_settings; ++k) {
        if (k) fputc(',', p->file);
        scri_page_string(p->file, info->settings[k]);
    }
    fputs("],\n", p->file);
}

static void put_scene(const page* p)
{
    FILE* file = p->file;
    int32_t n = p->scene ? p->scene->source->n_parameters : 0;
    if (p->scene) {
        put_string(file, "law", scree_law_name((int)p->scene->world.law));
        put_number(file, "tolerance", p->scene->world.solver.tol);
    }
    fputs("\"parameters\":[", file);
    for (int32_t k = 0; k < n; ++k) {
        const scree_parameter* parameter = &p->scene->source->parameters[k];
        fputs(k ? ",\n{\"name\":" : "\n{\"name\":", file);
        scri_page_string(file, parameter->name);
        fputs(",\"value\":", file);
        scri_page_number(file, parameter->value);
        fputs(",\"text\":", file);
        scri_page_string(file, parameter->text);
        fputs(",\"meaning\":", file);
        scri_page_string(file, parameter->meaning);
        fputc('}', file);
    }
    fputs("],\n", file);
}

/* Rows of time, bodies, moving bodies, contacts, kinetic energy, residual, penetration. */
static void put_frames(const page* p)
{
    fputs("\"frames\":[", p->file);
    for (int64_t k = 0; k < p->plan.n_frames; ++k) {
        const scri_page_frame* f = &p->plan.frames[k];
        fputs(k ? ",\n[" : "\n[", p->file);
        scri_page_number(p->file, f->time);
        fprintf(p->file, ",%" PRId32 ",%" PRId32 ",%" PRId32, f->bodies, f->moving, f->contacts);
        const double numbers[3] = {f->kinetic, f->residual, f->penetration};
        for (int i = 0; i < 3; ++i) {
            fputc(',', p->file);
            scri_page_number(p->file, numbers[i]);
        }
        fputc(']', p->file);
    }
    fputs("]\n", p->file);
}

/* A form: corners, and the corners of each face, of which those of face f end before end[f]. */
static void put_form(const page* p, bool is_first, const scri_surface* form)
{
    fprintf(p->file, "%s\n{\"corners\":[", is_first ? "" : ",");
    for (int32_t k = 0; k < 3 * form->n_points; ++k) {
        fprintf(p->file, "%s%.7g", k ? "," : "", form->point[k]);
    }
    fputs("],\"faces\":[", p->file);
    for (int32_t f = 0, k = 0; f < form->n_polygons; ++f) {
        for (int32_t begin = k; k < form->end[f]; ++k) {
            fprintf(p->file, "%s%" PRId32, k > begin ? "," : f ? ",[" : "[", form->corner[k]);
        }
        fputc(']', p->file);
    }
    fputs("]}", p->file);
}

/* Forms of hulls, then of rounded shapes, which are drawn as hulls. */
static scree_status put_hulls(const page* p)
{
    const scree_recording_info* info = &p->plan.info;
    fputs("\"hulls\":[", p->file);
    for (int32_t i = 0; i < info->n_hulls + p->plan.n_rounded; ++i) {
        scree_shape shape = scree_default_shape();
        scri_surface form;
        shape.kind = SCREE_SHAPE_HULL;
        if (i < info->n_hulls) shape.hull = info->hulls[i];
        if (i >= info->n_hulls) {
            shape = scri_page_form(&info->shapes[p->plan.rounded[i - info->n_hulls]]);
        }
        if (!scri_surface_make(p->arena, &shape, 1.0, &form)) return SCREE_ERROR_MEMORY;
        put_form(p, i == 0, &form);
    }
    fputs("],\n", p->file);
    return SCREE_OK;
}

/* Points of a height field that a page holds at most: of more, rows and columns are left out. */
enum { MOST_HEIGHTS = 200000 };

static void put_heights(const page* p, const scree_mesh_view* v)
{
    int32_t step = 1;
    while ((int64_t)(v->columns / step) * (v->rows / step) > MOST_HEIGHTS) ++step;
    int32_t columns = (v->columns - 1) / step + 1, rows = (v->rows - 1) / step + 1;
    fprintf(p->file, "{\"columns\":%" PRId32 ",\"rows\":%" PRId32 ",", columns, rows);
    fprintf(p->file, "\"origin\":[%.9g,%.9g],\"spacing\":[%.9g,%.9g],\"heights\":[", v->origin[0],
            v->origin[1], step * v->spacing[0], step * v->spacing[1]);
    for (int32_t row = 0; row < rows; ++row) {
        for (int32_t column = 0; column < columns; ++column) {
            int64_t at = (int64_t)row * step * v->columns + (int64_t)column * step;
            fprintf(p->file, "%s%.7g", row + column ? "," : "", v->heights[at]);
        }
    }
    fputs("]", p->file);
    if (v->zones) {
        fputs(",\"zones\":[", p->file);
        for (int32_t row = 0; row < rows; ++row) {
            for (int32_t column = 0; column < columns; ++column) {
                int64_t at = (int64_t)row * step * v->columns + (int64_t)column * step;
                fprintf(p->file, "%s%" PRId32, row + column ? "," : "", v->zones[at]);
            }
        }
        fputs("]", p->file);
    }
    fputs("}", p->file);
}

static void put_triangles(const page* p, const scree_mesh_view* v)
{
    fputs("{\"points\":[", p->file);
    for (int64_t k = 0; k < 3 * (int64_t)v->n_points; ++k) {
        fprintf(p->file, "%s%.7g", k ? "," : "", v->points[k]);
    }
    fputs("],\"corners\":[", p->file);
    for (int64_t k = 0; k < 3 * (int64_t)v->n_triangles; ++k) {
        fprintf(p->file, "%s%" PRId32, k ? "," : "", v->corners[k]);
    }
    fputs("]", p->file);
    if (v->zones) fputs(",\"zones\":[", p->file);
    for (int64_t k = 0; k < v->n_triangles && v->zones; ++k) {
        fprintf(p->file, "%s%" PRId32, k ? "," : "", v->zones[k]);
    }
    fputs(v->zones ? "]}" : "}", p->file);
}

/* Forms of meshes and height fields. */
static void put_meshes(const page* p)
{
    const scree_recording_info* info = &p->plan.info;
    fputs("\"meshes\":[", p->file);
    for (int32_t i = 0; i < info->n_meshes; ++i) {
        if (i) fputc(',', p->file);
        if (!info->meshes[i]) {
            fputs("null", p->file);
            continue;
        }
        scree_mesh_view v = scree_mesh_get_view(info->meshes[i]);
        if (v.columns > 0) {
            put_heights(p, &v);
        } else {
            put_triangles(p, &v);
        }
    }
    fputs("],\n", p->file);
}

/* Names, kinds and limits of joints; a limit that is not there is null. */
static void put_joints(const page* p)
{
    const scree_recording_info* info = &p->plan.info;
    fputs("\"joints\":[", p->file);
    for (int32_t i = 0; i < info->n_joints; ++i) {
        const scree_recorded_joint* joint = &info->joints[i];
        fputs(i ? ",\n{\"name\":" : "\n{\"name\":", p->file);
        scri_page_string(p->file, joint->name);
        fprintf(p->file, ",\"kind\":%d,\"limits\":[", (int)joint->kind);
        for (int k = 0; k < 2 * SCREE_FREEDOMS_MAX; ++k) {
            if (k) fputc(',', p->file);
            scri_page_number(p->file, joint->limits[k / 2][k % 2]);
        }
        fputs("]}", p->file);
    }
    fputs("],\n", p->file);
}

enum { MOST_NAME = 256 }; /* characters before the number */

/* The length of a name without its number at the end, which is then *number; -1: it has none. */
static size_t without_number(const char* name, int64_t* number)
{
    size_t length = strlen(name), end = length;
    while (end > 0 && name[end - 1] >= '0' && name[end - 1] <= '9') --end;
    bool plain = length - end < 10 && (name[end] != '0' || length == end + 1) && end < MOST_NAME;
    *number = end < length && plain ? strtoll(name + end, NULL, 10) : -1;
    return *number < 0 ? length : end;
}

/* Names of the bodies that move, in runs: [name without number, first number, how many]. */
static void put_names(const page* p)
{
    const scree_recording_info* info = &p->plan.info;
    const char* run = NULL;
    size_t length = 0;
    int64_t first = 0, n = 0, number;
    fputs("\"names\":[", p->file);
    for (int32_t b = 0; b <= info->n_bodies; ++b) {
        if (b < info->n_bodies && !p->plan.moves[b]) continue;
        const char* name = b < info->n_bodies ? info->name[b] : "";
        size_t own = without_number(name, &number);
        bool goes_on = b < info->n_bodies && run && own == length && number >= 0 &&
                       number == first + n && memcmp(run, name, own) == 0;
        if (goes_on) {
            ++n;
            continue;
        }
        if (run) {
            char text[MOST_NAME];
            snprintf(text, sizeof text, "%.*s", (int)length, run);
            fputs("[", p->file);
            scri_page_string(p->file, first < 0 ? run : text);
            fprintf(p->file, ",%" PRId64 ",%" PRId64 "]%s", first, n,
                    b < info->n_bodies ? "," : "");
        }
        run = name, length = own, first = number, n = 1;
    }
    fputs("],\n", p->file);
}

static scree_status put_object(const page* p)
{
    const scree_recording_info* info = &p->plan.info;
    FILE* file = p->file;
    fputs("<script type=\"application/json\" id=\"recording\">\n{", file);
    put_string(file, "title", info->title);
    put_string(file, "scene", info->scene);
    put_string(file, "text", info->text);
    put_settings(p);
    put_scene(p);
    fprintf(file, "\"closed\":%s,\n\"hasContacts\":%s,\n", info->closed ? "true" : "false",
            p->plan.has_contacts ? "true" : "false");
    fprintf(file, "\"hasJoints\":%s,\n", p->plan.has_joints ? "true" : "false");
    fprintf(file, "\"hasModes\":%s,\n", p->plan.has_modes ? "true" : "false");
    fprintf(file,
            "\"recordedFrames\":%" PRId64 ",\n\"bodies\":%" PRId32 ",\n\"moving\":%" PRId32 ",\n",
            info->n_frames, info->n_bodies, p->plan.n_moving);
    put_number(file, "step", info->step);
    put_vector(file, "low", p->plan.range.low);
    put_vector(file, "high", p->plan.range.high);
    put_number(file, "speedMax", p->plan.speed_max);
    put_number(file, "spinMax", p->plan.spin_max);
    put_number(file, "forceScale", p->plan.force_scale);
    put_number(file, "reactionScale", p->plan.reaction_scale);
    put_number(file, "torqueScale", p->plan.torque_scale);
    scree_status status = put_hulls(p);
    put_meshes(p);
    put_joints(p);
    put_names(p);
    put_frames(p);
    fputs("}\n</script>\n", file);
    return status;
}

/* ---- the blocks ---- */

static scree_status put_shapes(const page* p)
{
    scree_frame last; /* holds all bodies */
    scree_status status = scree_recording_read(p->recording, p->plan.info.n_frames - 1, &last);
    if (status) return status;
    fputs("<script type=\"text/plain\" id=\"recording-shapes\">\n", p->file);
    scri_page_bytes bytes;
    scri_page_bytes_begin(&bytes, p->file);
    for (int32_t s = 0; s < p->plan.info.n_shapes; ++s) {
        uint8_t record[SCRI_PAGE_SHAPE];
        scri_page_shape(&p->plan, &last, s, record);
        scri_page_bytes_put(&bytes, record, sizeof record);
    }
    scri_page_bytes_end(&bytes);
    fputs("\n</script>\n", p->file);
    return SCREE_OK;
}

static void put_frame(const page* p, const scree_frame* frame)
{
    scri_page_bytes bytes;
    scri_page_bytes_begin(&bytes, p->file);
    for (int32_t b = 0; b < frame->n_bodies; ++b) {
        uint8_t record[SCRI_PAGE_POSE];
        if (!p->plan.moves[b]) continue;
        scri_page_pose(&p->plan, frame, b, record);
        scri_page_bytes_put(&bytes, record, sizeof record);
    }
    scri_page_bytes_end(&bytes);
    fputc(' ', p->file);
    for (int32_t c = 0; p->plan.has_contacts && c < frame->n_contacts; ++c) {
        uint8_t record[SCRI_PAGE_CONTACT];
        if (!scri_page_contact(&p->plan, frame, c, record)) continue;
        scri_page_bytes_put(&bytes, record, sizeof record);
    }
    scri_page_bytes_end(&bytes);
    fputc(' ', p->file);
    for (int32_t j = 0; p->plan.has_joints && j < frame->n_joints; ++j) {
        uint8_t record[SCRI_PAGE_JOINT];
        scri_page_joint(&p->plan, frame, j, record);
        scri_page_bytes_put(&bytes, record, sizeof record);
    }
    scri_page_bytes_end(&bytes);
    fputc('\n', p->file);
}

static scree_status put_all_frames(const page* p)
{
    fputs("<script type=\"text/plain\" id=\"recording-frames\">\n", p->file);
    for (int64_t k = 0; k < p->plan.n_frames && !ferror(p->file); ++k) {
        scree_frame frame;
        scree_status status = scree_recording_read(p->recording, p->plan.frames[k].index, &frame);
        if (status) return status;
        put_frame(p, &frame);
    }
    fputs("</script>\n", p->file);
    return SCREE_OK;
}

/* ---- the page ---- */

static scree_status put_page(const page* p)
{
    const char* head = scri_embedded_page[0].text;
    const char* tail = strstr(head, mark);
    if (!tail) return scri_fail(p->env, SCREE_ERROR_FORMAT, "the library's page has no mark");
    fwrite(head, 1, (size_t)(tail - head), p->file);
    scree_status status = put_object(p);
    if (!status) status = put_shapes(p);
    if (!status) status = put_all_frames(p);
    fputs(tail + sizeof mark - 1, p->file);
    return status;
}

static scree_status write_page(page* p, const char* path)
{
    scree_status status = scri_page_plan_make(p->arena, p->recording, SCRI_PAGE_BYTES, &p->plan);
    if (!status) status = read_scene(p);
    if (status) return status;
    scri_output output;
    status = scri_output_begin(p->env, path, &output);
    if (!status) {
        p->file = output.stream;
        status = scri_output_end(&output, put_page(p));
    }
    scree_scene_destroy(p->scene);
    return status;
}

scree_status scree_export_page(const scree_env* env, scree_recording* recording, const char* path)
{
    if (!recording || !path) {
        return scri_fail(env, SCREE_ERROR_ARGUMENT, "scree_export_page: an argument is NULL");
    }
    if (scree_recording_get_info(recording).n_frames < 1) {
        return scri_fail(env, SCREE_ERROR_INPUT, "%s: the recording has no frames", path);
    }
    scri_file_env inner;
    scri_file_env_begin(env, path, &inner);
    page p = {.env = &inner.env, .arena = scri_arena_create(&inner.env), .recording = recording};
    scree_status status = p.arena ? write_page(&p, path) : SCREE_ERROR_MEMORY;
    scri_arena_destroy(p.arena);
    return scri_file_env_end(&inner, status);
}
