/* From the joints of a world to the rows of a frame. */
#include "base/compiler.h"
#include "base/env.h"
#include "io/recorder.h"
#include "world/world.h"

#include <inttypes.h>
#include <string.h>

/* Finds the row of every joint, new rows for those that the file does not have. */
static scree_status assign_rows(scree_recorder* r)
{
    const scri_joints_table* joints = &r->world->joints;
    if (!scri_slots_table_reserve(&r->env, &r->joint_slots, joints->n) ||
        !scri_rows_table_reserve(&r->env, &r->joint_rows, r->joint_rows.n + joints->n)) {
        return SCREE_ERROR_MEMORY;
    }
    while (r->joint_slots.n < joints->n) r->joint_slots.row[r->joint_slots.n++] = -1;
    for (int32_t i = 0; i < joints->n; ++i) {
        if (joints->joint[i].is_used) {
            scri_recorder_assign(&r->joint_rows, &r->joint_slots, i, joints->joint[i].generation);
        } else {
            r->joint_slots.row[i] = -1;
        }
    }
    return SCREE_OK;
}

/* ---- joints that are new ---- */

static void name_joint(const scree_recorder* r, int32_t slot, uint32_t generation,
                       char text[SCRI_RECORDING_NAME])
{
    scree_joint_id joint = {slot + 1, generation};
    if (r->def.name_joint) {
        r->def.name_joint(r->def.name_user, joint, text, SCRI_RECORDING_NAME);
    } else {
        snprintf(text, SCRI_RECORDING_NAME, "joint-%" PRId32, slot);
    }
}

static scree_status write_joint(scree_recorder* r, int32_t row)
{
    int32_t slot = r->joint_rows.slot[row], bodies[2];
    uint32_t generation = r->joint_rows.generation[row];
    const scri_joint* joint = &r->world->joints.joint[slot];
    char name[SCRI_RECORDING_NAME] = {0};
    uint8_t kind = (uint8_t)joint->def.kind;
    double limits[2 * SCREE_FREEDOMS_MAX];
    name_joint(r, slot, generation, name);
    for (int k = 0; k < 2; ++k) {
        bodies[k] = joint->body[k] < 0 ? -1 : r->slots.row[joint->body[k]];
    }
    for (int i = 0; i < SCREE_FREEDOMS_MAX; ++i) {
        limits[2 * i] = joint->def.freedom[i].lower;
        limits[2 * i + 1] = joint->def.freedom[i].upper;
    }
    const struct {
        scri_column column;
        const void* value;
    } columns[] = {{SCRI_COLUMN_JOINT_NAME, name},
                   {SCRI_COLUMN_JOINT_KIND, &kind},
                   {SCRI_COLUMN_JOINT_BODIES, bodies},
                   {SCRI_COLUMN_JOINT_POSITION, joint->def.position},
                   {SCRI_COLUMN_JOINT_ROTATION, joint->def.rotation},
                   {SCRI_COLUMN_JOINT_LIMITS, limits},
                   {SCRI_COLUMN_JOINT_SLOT, &slot},
                   {SCRI_COLUMN_JOINT_GENERATION, &generation}};
    scree_status status = SCREE_OK;
    for (size_t k = 0; k < sizeof columns / sizeof columns[0] && !status; ++k) {
        status = scri_recorder_write(r, columns[k].column, row, 1, columns[k].value);
    }
    return status;
}

/* ---- what joints do ---- */

enum { N_COLUMNS = 5, WIDTH = 3 };

static void store(double* out, size_t n, size_t row, const scree_joint_state* state)
{
    const double* from[N_COLUMNS] = {state->coordinate, state->rate, state->effort, state->force,
                                     state->torque};
    for (size_t k = 0; k < N_COLUMNS; ++k) {
        memcpy(out + WIDTH * (k * n + row), from[k], WIDTH * sizeof *out);
    }
}

static void store_nothing(double* out, size_t n, size_t row)
{
    for (size_t k = 0; k < N_COLUMNS; ++k) {
        for (size_t j = 0; j < WIDTH; ++j) out[WIDTH * (k * n + row) + j] = SCREE_NAN;
    }
}

/* One column behind the other; NaN for joints that are gone. */
static scree_status gather(const scree_recorder* r, double* out)
{
    size_t n = (size_t)r->joint_rows.n;
    scree_status status = SCREE_OK;
    for (size_t row = 0; row < n && !status; ++row) {
        int32_t slot = r->joint_rows.slot[row];
        if (r->joint_slots.row[slot] != (int32_t)row) {
            store_nothing(out, n, row);
            continue;
        }
        scree_joint_state state = {0};
        scree_joint_id id = {slot + 1, r->joint_rows.generation[row]};
        status = scree_world_get_joint(r->world, id, &state);
        if (!status) store(out, n, row, &state);
    }
    return status;
}

static scree_status write_motions(scree_recorder* r)
{
    static const scri_column columns[N_COLUMNS] = {
        SCRI_COLUMN_JOINT_COORDINATE, SCRI_COLUMN_JOINT_RATE, SCRI_COLUMN_JOINT_EFFORT,
        SCRI_COLUMN_JOINT_FORCE, SCRI_COLUMN_JOINT_TORQUE};
    size_t n = (size_t)r->joint_rows.n;
    double* memory = scri_recorder_scratch(r, n * N_COLUMNS * WIDTH * sizeof *memory);
    if (!memory) return SCREE_ERROR_MEMORY;
    scree_status status = gather(r, memory);
    for (size_t k = 0; k < N_COLUMNS && !status; ++k) {
        status =
            scri_recorder_write(r, columns[k], r->n_motions, (int64_t)n, memory + WIDTH * k * n);
    }
    return status;
}

scree_status scri_recorder_write_joints(scree_recorder* r)
{
    int32_t first = r->joint_rows.n;
    if (r->world->joints.n == 0 && first == 0) return SCREE_OK;
    scree_status status = assign_rows(r);
    for (int32_t row = first; row < r->joint_rows.n && !status; ++row) status = write_joint(r, row);
    return status ? status : write_motions(r);
}
