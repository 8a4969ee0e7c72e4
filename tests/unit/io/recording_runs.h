/* Runs of a small scene that are recorded, read back and resumed: what the tests of recordings
 * share. */
#ifndef RECORDING_RUNS_H
#define RECORDING_RUNS_H

#include "scree_io/recording.h"
#include "scree_io/scene_file.h"
#include "support/test.h"

#include <math.h>
#include <stdbool.h>

enum { STEPS_PER_FRAME = 5, FRAMES_PER_CHECKPOINT = 4 };

/* Eight spheres over a plane and a box, and a few more in the course of time. */
static const char scene_text[] = "title: Drops\n"
                                 "parameters: {radius: 0.05, time: 0.15}\n"
                                 "materials: {grain: {mu: 0.4, mu_r: 0.002, mu_s: 0.001}}\n"
                                 "bodies:\n"
                                 "  - {name: floor, kind: static, shape: {type: half-space}}\n"
                                 "  - name: block\n"
                                 "    position: [0.5, 0, 0.1]\n"
                                 "    shape: {type: box, size: [0.2, 0.2, 0.2]}\n"
                                 "generators:\n"
                                 "  - type: grid\n"
                                 "    count: [2, 2, 2]\n"
                                 "    spacing: 2.1*radius\n"
                                 "    origin: [0, 0, 1.02*radius]\n"
                                 "    jitter: 0.04*radius\n"
                                 "    body: {name: grain, shape: {type: sphere, radius: radius}}\n"
                                 "  - type: rain\n"
                                 "    count: 6\n"
                                 "    rate: 60\n"
                                 "    box: {from: [-1, -1, 0.06], to: [-0.2, 1, 0.07]}\n"
                                 "    body: {name: drop, shape: {type: sphere, radius: radius}}\n"
                                 "stop: {time: time}\n"
                                 "output: {interval: 0.005}\n";

static inline void check(scree_status status, const char* what, const test_host* host)
{
    if (status) fail_msg("%s: %s: %s", what, scree_status_text(status), host ? host->text : "");
}

typedef struct run {
    test_host host;
    scree_env env;
    scree_scene* scene;
    scree_simulation* simulation;
} run;

static inline void begin_run(run* r, const char* setting, int workers)
{
    r->env = test_env(&r->host);
    check(scree_scene_parse(&r->env, "drops.yaml", scene_text, sizeof scene_text - 1,
                            setting ? 1 : 0, &setting, &r->scene),
          "scene", &r->host);
    r->scene->world.workers = workers;
    check(scree_simulation_create(&r->env, r->scene, &r->simulation), "simulation", &r->host);
}

static inline void end_run(run* r)
{
    scree_simulation_destroy(r->simulation);
    scree_scene_destroy(r->scene);
    assert_int_equal(r->host.n_held, 0);
}

/* Over whatever an earlier part of a test has left there. */
static scree_status begin_recorder(const scree_env* env, const char* path,
                                   scree_simulation* simulation, scree_recorder** out)
{
    scree_recorder_def def = scree_simulation_recorder_def(simulation);
    def.force = 1;
    return scree_recorder_create(env, path, scree_simulation_world(simulation), &def, out);
}

/* Runs to the end as the program does: a frame every few steps, a checkpoint every few frames.
 * Returns the first failure. */
static scree_status record(scree_recorder* recorder, scree_simulation* simulation)
{
    scree_status status = SCREE_OK;
    if (scree_recorder_n_frames(recorder) == 0) status = scree_recorder_step(recorder, NULL);
    while (!status && !scree_simulation_done(simulation)) {
        scree_step_report report;
        int64_t before = scree_recorder_n_frames(recorder);
        status = scree_simulation_step(simulation, &report);
        if (!status) status = scree_recorder_step(recorder, &report);
        int64_t n = scree_recorder_n_frames(recorder);
        if (!status && n > before && n % FRAMES_PER_CHECKPOINT == 0) {
            status = scree_recorder_checkpoint(recorder, simulation);
        }
    }
    return status;
}

/* Records a run that has begun. */
static inline void record_run(run* r, const char* path)
{
    scree_recorder* recorder = NULL;
    check(begin_recorder(&r->env, path, r->simulation, &recorder), "create", &r->host);
    check(record(recorder, r->simulation), "record", &r->host);
    check(scree_recorder_close(recorder, 1), "close", &r->host);
}

/* The same of a run that has env and scene alone. */
static inline void record_scene(run* r, const char* path)
{
    check(scree_simulation_create(&r->env, r->scene, &r->simulation), "simulation", &r->host);
    record_run(r, path);
}

static inline void record_whole(const char* path, const char* setting, int workers)
{
    run r;
    begin_run(&r, setting, workers);
    record_run(&r, path);
    end_run(&r);
}

static scree_recording* open_recording(const char* path, test_host* host, scree_env* env)
{
    scree_recording* recording = NULL;
    *env = test_env(host);
    check(scree_recording_open(env, path, &recording), path, host);
    return recording;
}

static inline uint64_t hash_of(const char* path, scree_recording_info* info)
{
    test_host host;
    scree_env env;
    uint64_t hash = 0;
    scree_recording* recording = open_recording(path, &host, &env);
    check(scree_recording_hash(recording, &hash), "hash", &host);
    *info = scree_recording_get_info(recording);
    scree_recording_close(recording);
    assert_int_equal(host.n_held, 0);
    return hash;
}

static inline bool same_frame(const scree_frame* a, const scree_frame* b)
{
    size_t n = (size_t)a->n_bodies, m = (size_t)a->n_contacts;
    return memcmp(&a->time, &b->time, sizeof a->time) == 0 && a->step == b->step &&
           a->n_bodies == b->n_bodies && a->n_contacts == b->n_contacts &&
           memcmp(a->position, b->position, 3 * n * sizeof(double)) == 0 &&
           memcmp(a->rotation, b->rotation, 4 * n * sizeof(double)) == 0 &&
           memcmp(a->velocity, b->velocity, 3 * n * sizeof(double)) == 0 &&
           memcmp(a->angular_velocity, b->angular_velocity, 3 * n * sizeof(double)) == 0 &&
           (m == 0 || (memcmp(a->pair, b->pair, 2 * m * sizeof(int32_t)) == 0 &&
                       memcmp(a->force, b->force, 3 * m * sizeof(float)) == 0 &&
                       memcmp(a->moment, b->moment, 3 * m * sizeof(float)) == 0)) &&
           memcmp(&a->kinetic, &b->kinetic, sizeof a->kinetic) == 0;
}

/* The frames of `path` are the first ones of `whole`; returns how many. */
static inline int64_t check_prefix(const char* path, const char* whole)
{
    test_host hosts[2];
    scree_env envs[2];
    scree_recording* part = open_recording(path, &hosts[0], &envs[0]);
    scree_recording* all = open_recording(whole, &hosts[1], &envs[1]);
    int64_t n = scree_recording_get_info(part).n_frames;
    require(n <= scree_recording_get_info(all).n_frames, "more frames than there can be");
    for (int64_t k = 0; k < n; ++k) {
        scree_frame a, b;
        check(scree_recording_read(part, k, &a), "read part", &hosts[0]);
        check(scree_recording_read(all, k, &b), "read all", &hosts[1]);
        require(same_frame(&a, &b), "frame %d differs", (int)k);
    }
    scree_recording_close(all);
    scree_recording_close(part);
    return n;
}

static inline void resume_to_end(const char* path, const char* whole)
{
    run r = {.scene = NULL};
    scree_recorder* recorder = NULL;
    scree_recording_info info, whole_info;
    r.env = test_env(&r.host);
    check(scree_recorder_resume(&r.env, path, 1, &r.scene, &r.simulation, &recorder), "resume",
          &r.host);
    check(record(recorder, r.simulation), "record on", &r.host);
    check(scree_recorder_close(recorder, 1), "close", &r.host);
    end_run(&r);
    require(hash_of(path, &info) == hash_of(whole, &whole_info), "another hash after a resume");
    assert_int_equal(info.n_frames, whole_info.n_frames);
    assert_true(info.closed);
}

/* Runs to `until`, off the frames' grid, with the last state recorded. */
static inline void record_until(const char* path, double until, bool again)
{
    run r = {.scene = NULL};
    scree_recorder* recorder = NULL;
    if (again) {
        r.env = test_env(&r.host);
        check(scree_recorder_resume(&r.env, path, 1, &r.scene, &r.simulation, &recorder), "resume",
              &r.host);
    } else {
        begin_run(&r, NULL, 1);
        check(begin_recorder(&r.env, path, r.simulation, &recorder), "create", &r.host);
    }
    scree_simulation_set_end(r.simulation, until);
    check(record(recorder, r.simulation), "record", &r.host);
    check(scree_recorder_checkpoint(recorder, r.simulation), "checkpoint", &r.host);
    check(scree_recorder_last_frame(recorder), "last", &r.host);
    check(scree_recorder_close(recorder, 0), "close", &r.host);
    end_run(&r);
}

static inline void check_end(const char* path, int64_t n_frames, double end)
{
    scree_recording_info info;
    hash_of(path, &info);
    assert_int_equal(info.n_frames, n_frames);
    require(fabs(info.end - end) < 1e-12, "the last frame is at %g s, not %g s", info.end, end);
    require(info.closed && !info.complete, "closed %d, complete %d", info.closed, info.complete);
}

#endif
