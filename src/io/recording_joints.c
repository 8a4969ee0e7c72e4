/* The joints of a recording, and what they do in a frame. */
#include "base/env.h"
#include "io/recording.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Columns of joints as they are in the file. */
typedef struct joint_rows {
    char* name;
    uint8_t* kind;
    int32_t* bodies;
    double *position, *rotation, *limits;
    int32_t* slot;
    uint32_t* generation;
} joint_rows;

static bool are_finite(const double* value, int n)
{
    for (int k = 0; k < n; ++k) {
        if (!isfinite(value[k])) return false;
    }
    return true;
}

static bool make_joint(const joint_rows* rows, int32_t row, int32_t n_bodies,
                       scree_recorded_joint* out)
{
    size_t k = (size_t)row;
    char* name = rows->name + k * SCRI_RECORDING_NAME;
    name[SCRI_RECORDING_NAME - 1] = '\0';
    *out = (scree_recorded_joint){.name = name,
                                  .kind = (scree_joint_kind)rows->kind[k],
                                  .body = {rows->bodies[2 * k], rows->bodies[2 * k + 1]},
                                  .slot = rows->slot[k],
                                  .generation = rows->generation[k]};
    memcpy(out->position, rows->position + 6 * k, sizeof out->position);
    memcpy(out->rotation, rows->rotation + 8 * k, sizeof out->rotation);
    memcpy(out->limits, rows->limits + 6 * k, sizeof out->limits);
    for (int i = 0; i < SCREE_FREEDOMS_MAX; ++i) {
        if (!(out->limits[i][0] <= out->limits[i][1])) return false;
    }
    return rows->kind[k] < SCREE_JOINT_KIND_COUNT && out->slot >= 0 && out->body[0] >= -1 &&
           out->body[1] >= -1 && out->body[0] < n_bodies && out->body[1] < n_bodies &&
           are_finite(rows->position + 6 * k, 6) && are_finite(rows->rotation + 8 * k, 8);
}

scree_status scri_recording_read_joints(scree_recording* r)
{
    int32_t n = r->info.n_joints;
    scree_status status = SCREE_OK;
    if (n == 0) return SCREE_OK;
    joint_rows rows = {.name = scri_recording_rows(r, SCRI_COLUMN_JOINT_NAME, n, &status)};
    rows.kind = scri_recording_rows(r, SCRI_COLUMN_JOINT_KIND, n, &status);
    rows.bodies = scri_recording_rows(r, SCRI_COLUMN_JOINT_BODIES, n, &status);
    rows.position = scri_recording_rows(r, SCRI_COLUMN_JOINT_POSITION, n, &status);
    rows.rotation = scri_recording_rows(r, SCRI_COLUMN_JOINT_ROTATION, n, &status);
    rows.limits = scri_recording_rows(r, SCRI_COLUMN_JOINT_LIMITS, n, &status);
    rows.slot = scri_recording_rows(r, SCRI_COLUMN_JOINT_SLOT, n, &status);
    rows.generation = scri_recording_rows(r, SCRI_COLUMN_JOINT_GENERATION, n, &status);
    scree_recorded_joint* joints = scri_arena_take(r->arena, (size_t)n, sizeof *joints);
    if (status) return status;
    if (!joints) return SCREE_ERROR_MEMORY;
    for (int32_t k = 0; k < n; ++k) {
        if (!make_joint(&rows, k, r->info.n_bodies, &joints[k])) {
            return scri_hdf5_fail(&r->h, "/joints", SCREE_ERROR_FORMAT,
                                  "row %" PRId32 " is not a joint of bodies", k);
        }
    }
    r->info.joints = joints;
    r->joint_slot = rows.slot;
    r->joint_generation = rows.generation;
    return SCREE_OK;
}

enum { N_COLUMNS = 5, WIDTH = 3 };

scree_status scri_recording_read_motions(scree_recording* r, int64_t k, scree_frame* out)
{
    static const scri_column columns[N_COLUMNS] = {
        SCRI_COLUMN_JOINT_COORDINATE, SCRI_COLUMN_JOINT_RATE, SCRI_COLUMN_JOINT_EFFORT,
        SCRI_COLUMN_JOINT_FORCE, SCRI_COLUMN_JOINT_TORQUE};
    const double** to[N_COLUMNS] = {&out->joint_coordinate, &out->joint_rate, &out->joint_effort,
                                    &out->joint_force, &out->joint_torque};
    size_t n = (size_t)r->frames.n_joints[k];
    if (n == 0) return SCREE_OK;
    if (!r->motions) { /* enough for every frame, since rows do not vanish */
        r->motions = scri_arena_take(r->arena, (size_t)r->info.n_joints,
                                     N_COLUMNS * WIDTH * sizeof *r->motions);
        if (!r->motions) return SCREE_ERROR_MEMORY;
    }
    scree_status status = SCREE_OK;
    for (size_t i = 0; i < N_COLUMNS && !status; ++i) {
        double* at = r->motions + i * WIDTH * n;
        status = scri_column_read(&r->h, &r->columns, columns[i], r->frames.joint_offset[k],
                                  (int64_t)n, at);
        *to[i] = at;
    }
    return status;
}
