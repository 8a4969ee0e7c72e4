/* A world without a scene file: embed it, steer it, take bodies out and put others in, record it,
 * and read the recording back.
 *
 *     record [RUN.h5]     scree view RUN.h5 shows what happened
 */
#include "scree/scree.h"
#include "scree_io/recording.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void check(scree_status status, const char* what)
{
    if (status == SCREE_OK) return;
    fprintf(stderr, "record: %s: %s\n", what, scree_status_text(status));
    exit(1);
}

static scree_body_id add(scree_world* world, scree_body_kind kind, scree_shape shape, double x,
                         double z)
{
    scree_body_def def = scree_default_body_def();
    scree_mass mass;
    scree_body_id id;
    def.kind = kind;
    def.position[0] = x;
    def.position[2] = z;
    if (kind == SCREE_BODY_DYNAMIC) {
        check(scree_shape_mass(NULL, 1, &shape, 2500.0, &mass), "mass");
        def.mass = mass.mass;
        for (int k = 0; k < 6; ++k) def.inertia[k] = mass.inertia[k];
    }
    check(scree_world_add_body(world, &def, 1, &shape, &id), "body");
    return id;
}

/* Three balls roll on a floor; one is pushed, one leaves, another one comes. */
static void record(scree_world* world, scree_recorder* recorder, const scree_body_id ball[3],
                   scree_shape shape)
{
    check(scree_recorder_step(recorder, NULL), "first frame");
    for (int k = 1; k <= 1000; ++k) {
        scree_step_report report;
        if (k == 100) {
            const double push[3] = {0.2, 0.0, 0.0};
            check(scree_world_apply_impulse(world, ball[0], push), "push");
        }
        if (k == 400) check(scree_world_remove_body(world, ball[2]), "removal");
        if (k == 700) add(world, SCREE_BODY_DYNAMIC, shape, 0.0, 0.5);
        check(scree_world_step(world, &report), "step");
        check(scree_recorder_step(recorder, &report), "frame");
    }
}

static int read_back(const char* path)
{
    scree_recording* recording = NULL;
    scree_frame frame;
    check(scree_recording_open(NULL, path, &recording), "open");
    scree_recording_info info = scree_recording_get_info(recording);
    check(scree_recording_read(recording, info.n_frames - 1, &frame), "read");
    printf("%d frames until %g s; at the end:\n", (int)info.n_frames, info.end);
    int n_there = 0;
    for (int32_t b = 0; b < info.n_bodies; ++b) {
        const double* x = frame.position + 3 * (size_t)b;
        if (scree_frame_holds(&frame, b)) {
            printf("  %s at (%.3f, %.3f, %.3f)\n", info.name[b], x[0], x[1], x[2]);
            ++n_there;
        } else {
            printf("  %s is gone\n", info.name[b]);
        }
    }
    int good = info.n_frames == 51 && info.n_bodies == 5 && n_there == 4 && info.complete;
    scree_recording_close(recording);
    return good;
}

int main(int argc, char** argv)
{
    const char* path = argc > 1 ? argv[1] : "record.h5";
    scree_world_def world_def = scree_default_world_def();
    scree_world* world = NULL;
    check(scree_world_create(NULL, &world_def, &world), "world");
    const scree_material material = {.mu = 0.4, .mu_r = 0.0002};
    int32_t index;
    check(scree_world_add_material(world, &material, &index), "material");
    scree_shape floor = scree_default_shape(), shape = floor;
    floor.kind = SCREE_SHAPE_HALF_SPACE;
    shape.half_size[0] = 0.05;
    add(world, SCREE_BODY_STATIC, floor, 0.0, 0.0);
    scree_body_id ball[3];
    for (int k = 0; k < 3; ++k) ball[k] = add(world, SCREE_BODY_DYNAMIC, shape, 0.3 * k, 0.05);
    scree_recorder_def def = scree_default_recorder_def();
    scree_recorder* recorder = NULL;
    def.title = "Balls that come and go";
    check(scree_recorder_create(NULL, path, world, &def, &recorder), path);
    record(world, recorder, ball, shape);
    check(scree_recorder_close(recorder, 1), "close");
    scree_world_destroy(world);
    int good = read_back(path);
    if (argc < 2) remove(path);
    return good ? 0 : 1;
}
