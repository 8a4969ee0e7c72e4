#include "cli/info_recording.h"

#include "cli/recorded.h"
#include "cli/report.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* What has to be read besides the recording's own description. */
typedef struct facts {
    uint64_t hash;
    double duration; /* s that the scene asks for; NaN when it cannot be told */
    int32_t n_contacts;
    double residual_max, penetration_max;
} facts;

/* A damaged recording is one all the same: what the reader says of it is better than what the
 * reader of problems would say. */
static void listen(void* user, scree_log_level level, const char* text)
{
    bool* other = user;
    (void)level;
    if (strstr(text, "is not a recording")) *other = true;
}

bool cli_is_recording(const char* path)
{
    bool other = false;
    scree_env env = {.log = listen, .user = &other};
    scree_recording* recording = NULL;
    scree_status status = scree_recording_open(&env, path, &recording);
    scree_recording_close(recording);
    return status == SCREE_OK || !other;
}

/* Files that the scene names may be gone: then nobody can tell. */
static double find_duration(const scree_recording_info* info)
{
    const scree_env silent = {0};
    scree_scene* scene = NULL;
    scree_status status = scree_scene_parse(&silent, info->scene, info->text, strlen(info->text),
                                            info->n_settings, info->settings, &scene);
    double duration = status == SCREE_OK ? scene->duration : (double)NAN;
    scree_scene_destroy(scene);
    return duration;
}

static scree_status gather(const cli_recorded* recorded, facts* out)
{
    scree_frame frame;
    *out = (facts){.duration = find_duration(&recorded->info)};
    if (recorded->info.n_frames > 0) {
        scree_status status =
            scree_recording_read(recorded->recording, recorded->info.n_frames - 1, &frame);
        if (status != SCREE_OK) return status;
        out->n_contacts = frame.n_contacts;
        out->residual_max = frame.residual_max;
        out->penetration_max = frame.penetration_max;
    }
    return scree_recording_hash(recorded->recording, &out->hash);
}

static int count_kind(const scree_recording_info* info, scree_body_kind kind)
{
    int n = 0;
    for (int32_t b = 0; b < info->n_bodies; ++b) n += info->kind[b] == kind;
    return n;
}

static void print_times(const scree_recording_info* info, const facts* f)
{
    cli_row("frames", "%" PRId64 ", every %g s", info->n_frames, info->interval);
    if (isfinite(f->duration) && info->end < f->duration) {
        cli_row("time", "%g to %g of %g s in steps of %g s", info->begin, info->end, f->duration,
                info->step);
    } else {
        cli_row("time", "%g to %g s in steps of %g s", info->begin, info->end, info->step);
    }
    if (info->complete) {
        cli_row("closed", "yes");
    } else if (info->closed) {
        cli_row("closed", "yes, but the run was interrupted; --resume goes on");
    } else {
        cli_row("closed", "%sno%s: it is still written, or the run was ended from outside",
                cli_paint(CLI_BAD), cli_paint(CLI_PLAIN));
    }
}

static void print_table(const cli_recorded* recorded, const facts* f)
{
    const scree_recording_info* info = &recorded->info;
    cli_row("file", "%s", recorded->path);
    cli_row("format", "scree recording, schema %d", (int)info->schema);
    cli_row("size", "%.3g MB", 1e-6 * (double)cli_file_size(recorded->path));
    if (info->scene[0]) cli_row("scene", "%s", info->scene);
    if (info->title[0]) cli_row("title", "%s", info->title);
    for (int i = 0; i < info->n_settings; ++i) {
        cli_row(i == 0 ? "settings" : "", "%s", info->settings[i]);
    }
    print_times(info, f);
    cli_row("bodies", "%d: %d dynamic, %d kinematic, %d static", (int)info->n_bodies,
            count_kind(info, SCREE_BODY_DYNAMIC), count_kind(info, SCREE_BODY_KINEMATIC),
            count_kind(info, SCREE_BODY_STATIC));
    cli_row("shapes", "%d", (int)info->n_shapes);
    cli_row("contacts", "%d in the last frame", (int)f->n_contacts);
    cli_row("worst residual", "%.3g", f->residual_max);
    cli_row("worst penetration", "%.3g m", f->penetration_max);
    cli_row("hash", "%016" PRIx64, f->hash);
}

static void print_json(const cli_recorded* recorded, const facts* f)
{
    const scree_recording_info* info = &recorded->info;
    char hash[17];
    snprintf(hash, sizeof hash, "%016" PRIx64, f->hash);
    cli_json json = {.out = stdout};
    cli_json_object(&json, NULL);
    cli_json_text(&json, "file", recorded->path);
    cli_json_text(&json, "format", "scree recording");
    cli_json_integer(&json, "schema", info->schema);
    cli_json_integer(&json, "bytes", cli_file_size(recorded->path));
    cli_json_text(&json, "scene", info->scene);
    cli_json_text(&json, "title", info->title);
    cli_json_array(&json, "settings");
    for (int i = 0; i < info->n_settings; ++i) cli_json_text(&json, NULL, info->settings[i]);
    cli_json_end(&json);
    cli_json_integer(&json, "frames", info->n_frames);
    cli_json_real(&json, "begin", info->begin);
    cli_json_real(&json, "end", info->end);
    cli_json_real(&json, "duration", f->duration);
    cli_json_real(&json, "step", info->step);
    cli_json_real(&json, "interval", info->interval);
    cli_json_boolean(&json, "closed", info->closed != 0);
    cli_json_boolean(&json, "complete", info->complete != 0);
    cli_json_integer(&json, "bodies", info->n_bodies);
    cli_json_integer(&json, "bodies_dynamic", count_kind(info, SCREE_BODY_DYNAMIC));
    cli_json_integer(&json, "shapes", info->n_shapes);
    cli_json_integer(&json, "contacts", f->n_contacts);
    cli_json_real(&json, "residual_max", f->residual_max);
    cli_json_real(&json, "penetration_max", f->penetration_max);
    cli_json_text(&json, "hash", hash);
    cli_json_end(&json);
}

int cli_info_recording(cli_host* host, const char* path, bool json)
{
    cli_recorded recorded;
    facts f;
    int code = cli_open_recording(host, path, &recorded);
    if (code != CLI_DONE) return code;
    scree_status status = gather(&recorded, &f);
    if (status != SCREE_OK) {
        code = cli_refuse(host, status);
    } else if (json) {
        print_json(&recorded, &f);
    } else {
        print_table(&recorded, &f);
    }
    cli_close_recording(&recorded);
    return code;
}
