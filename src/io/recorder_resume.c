#include "base/env.h"
#include "io/recorder_state.h"
#include "io/recording_state.h"

#include <inttypes.h>
#include <string.h>

/* What a resume has made so far. */
typedef struct resumed {
    scree_scene* scene;
    scree_simulation* simulation;
    scree_recorder* recorder;
} resumed;

static scree_status fail_state(const scree_recording* old, scree_status status)
{
    return scri_fail(&old->env, status, "%s: the checkpoint does not fit the scene", old->h.name);
}

/* The simulation at the last checkpoint, or at its beginning if there is none. */
static scree_status make_simulation(const scree_env* env, scree_recording* old, int32_t workers,
                                    scri_saved_head* head, resumed* out)
{
    const scree_recording_info* info = &old->info;
    scree_status status = scree_scene_parse(env, info->scene, info->text, strlen(info->text),
                                            info->n_settings, info->settings, &out->scene);
    if (!status) out->scene->world.workers = workers;
    if (!status) status = scree_simulation_create(env, out->scene, &out->simulation);
    if (status) return status;
    void* bytes = scri_recording_read_checkpoint(old, head);
    if (!bytes) return SCREE_OK;
    status = scree_simulation_load(out->simulation, bytes, (size_t)head->size);
    scri_release(&old->env, bytes);
    return status ? fail_state(old, status) : SCREE_OK;
}

static scree_status make_recorder(const scree_env* env, const scree_recording* old,
                                  const scri_saved_head* head, resumed* out)
{
    int64_t n = old->info.n_frames;
    scree_status status = scri_recorder_open(env, old->h.name, &out->recorder);
    if (status) return status;
    scree_recorder* r = out->recorder;
    if (r->columns.rows[SCRI_COLUMN_TIME] != n) {
        return scri_fail(env, SCREE_ERROR_FILE, "%s: is being written by another process",
                         old->h.name);
    }
    r->n_frames = head->n_frames;
    r->n_on_file = n;
    r->n_saved = head->sequence;
    if (n == 0) return SCREE_OK;
    r->n_bodies = old->info.n_bodies;
    r->n_shapes = old->info.n_shapes;
    r->n_states = old->frames.body_offset[n - 1] + old->frames.n_bodies[n - 1];
    r->n_contacts = old->frames.contact_offset[n - 1] + old->frames.n_contacts[n - 1];
    return SCREE_OK;
}

static scree_status resume(const scree_env* env, scree_recording* old, int32_t workers,
                           resumed* out)
{
    scri_saved_head head;
    scree_status status = make_simulation(env, old, workers, &head, out);
    if (!status) status = make_recorder(env, old, &head, out);
    if (!status) status = scri_recorder_mark_closed(out->recorder, 0);
    return status;
}

scree_status scree_recorder_resume(const scree_env* env, const char* path, int32_t workers,
                                   scree_scene** scene, scree_simulation** simulation,
                                   scree_recorder** out)
{
    resumed made = {0};
    scree_recording* old = NULL;
    *scene = NULL;
    *simulation = NULL;
    *out = NULL;
    scree_status status = scree_recording_open(env, path, &old);
    if (status) return status;
    status = resume(env, old, workers, &made);
    scree_recording_close(old);
    if (status) {
        scri_recorder_abandon(made.recorder);
        scree_simulation_destroy(made.simulation);
        scree_scene_destroy(made.scene);
        return status;
    }
    *scene = made.scene;
    *simulation = made.simulation;
    *out = made.recorder;
    return SCREE_OK;
}
