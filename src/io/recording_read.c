/* Frames of a recording, and the hash over all of them. */
#include "base/env.h"
#include "base/fill.h"
#include "io/recording.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- one frame ---- */

enum { BODY_REALS = 13, CONTACT_BYTES = 2 * sizeof(int32_t) + 13 * sizeof(float) + 1 };

static scree_status read_bodies(scree_recording* r, int64_t k, scree_frame* out)
{
    size_t n = (size_t)r->frames.n_bodies[k];
    if (!r->bodies) { /* enough for every frame, since rows do not vanish */
        size_t most = (size_t)r->info.n_bodies;
        r->bodies = scri_arena_take(r->arena, most, BODY_REALS * sizeof(double));
        if (!r->bodies) return SCREE_ERROR_MEMORY;
    }
    double* position = r->bodies;
    double *rotation = position + 3 * n, *velocity = rotation + 4 * n;
    double* angular_velocity = velocity + 3 * n;
    const struct {
        scri_column column;
        double* out;
    } columns[] = {{SCRI_COLUMN_POSITION, position},
                   {SCRI_COLUMN_ROTATION, rotation},
                   {SCRI_COLUMN_VELOCITY, velocity},
                   {SCRI_COLUMN_ANGULAR_VELOCITY, angular_velocity}};
    scree_status status = SCREE_OK;
    for (size_t i = 0; i < sizeof columns / sizeof columns[0] && !status; ++i) {
        status = scri_column_read(&r->h, &r->columns, columns[i].column, r->frames.body_offset[k],
                                  (int64_t)n, columns[i].out);
    }
    out->position = position;
    out->rotation = rotation;
    out->velocity = velocity;
    out->angular_velocity = angular_velocity;
    return status;
}

/* Room for the contacts of a frame; zeroed, so that what HDF5 does not fill is known. */
static scree_status make_room(scree_recording* r, size_t size)
{
    if (size <= r->contacts_size) return SCREE_OK;
    scri_release(&r->env, r->contacts);
    size_t larger = size + size / 2;
    r->contacts = scri_alloc(&r->env, larger);
    r->contacts_size = r->contacts ? larger : 0;
    if (!r->contacts) return SCREE_ERROR_MEMORY;
    memset(r->contacts, 0, larger);
    return SCREE_OK;
}

static scree_status check_pairs(const scree_recording* r, int64_t k, const int32_t* pair)
{
    int32_t n_bodies = r->frames.n_bodies[k];
    for (int64_t i = 0; i < 2 * (int64_t)r->frames.n_contacts[k]; ++i) {
        if (pair[i] < -1 || pair[i] >= n_bodies) {
            return scri_hdf5_fail(&r->h, "/contacts/pair", SCREE_ERROR_FORMAT,
                                  "frame %" PRId64 " has no body %" PRId32, k, pair[i]);
        }
    }
    return SCREE_OK;
}

/* Modes that this version knows. */
static scree_status check_modes(const scree_recording* r, int64_t k, const uint8_t* mode)
{
    for (int32_t i = 0; i < r->frames.n_contacts[k]; ++i) {
        if (mode[i] >= SCREE_MODE_COUNT) {
            return scri_hdf5_fail(&r->h, "/contacts/mode", SCREE_ERROR_FORMAT,
                                  "frame %" PRId64 " has a contact of mode %d", k, mode[i]);
        }
    }
    return SCREE_OK;
}

static scree_status read_modes(scree_recording* r, int64_t k, uint8_t* mode, scree_frame* out)
{
    int64_t n = r->frames.n_contacts[k];
    if (!scri_column_is_in(SCRI_COLUMN_MODE, r->info.schema)) return SCREE_OK;
    scree_status status = scri_column_read(&r->h, &r->columns, SCRI_COLUMN_MODE,
                                           r->frames.contact_offset[k], n, mode);
    out->mode = mode;
    return status ? status : check_modes(r, k, mode);
}

static scree_status read_contacts(scree_recording* r, int64_t k, scree_frame* out)
{
    size_t n = (size_t)r->frames.n_contacts[k];
    scree_status status = make_room(r, n * CONTACT_BYTES);
    if (status || n == 0) return status;
    int32_t* pair = r->contacts;
    float *point = (float*)(pair + 2 * n), *normal = point + 3 * n, *force = normal + 3 * n;
    float *moment = force + 3 * n, *gap = moment + 3 * n;
    const struct {
        scri_column column;
        void* out;
    } columns[] = {{SCRI_COLUMN_PAIR, pair},     {SCRI_COLUMN_POINT, point},
                   {SCRI_COLUMN_NORMAL, normal}, {SCRI_COLUMN_FORCE, force},
                   {SCRI_COLUMN_MOMENT, moment}, {SCRI_COLUMN_GAP, gap}};
    for (size_t i = 0; i < sizeof columns / sizeof columns[0] && !status; ++i) {
        status = scri_column_read(&r->h, &r->columns, columns[i].column,
                                  r->frames.contact_offset[k], (int64_t)n, columns[i].out);
    }
    out->pair = pair;
    out->point = point;
    out->normal = normal;
    out->force = force;
    out->moment = moment;
    out->gap = gap;
    if (!status) status = check_pairs(r, k, pair);
    return status ? status : read_modes(r, k, (uint8_t*)(gap + n), out);
}

static scree_status read_frame(scree_recording* r, int64_t index, scree_frame* out)
{
    if (index < 0 || index >= r->info.n_frames) {
        return scri_fail(&r->env, SCREE_ERROR_ARGUMENT,
                         "%s: there is no frame %" PRId64 "; there are %" PRId64, r->h.name, index,
                         r->info.n_frames);
    }
    const scri_frame_rows* f = &r->frames;
    *out = (scree_frame){.struct_size = sizeof *out,
                         .time = f->time[index],
                         .step = f->step[index],
                         .n_bodies = f->n_bodies[index],
                         .n_contacts = f->n_contacts[index],
                         .n_joints = f->n_joints[index],
                         .kinetic = f->kinetic[index],
                         .potential = f->potential[index],
                         .residual_max = f->residual_max[index],
                         .penetration_max = f->penetration_max[index]};
    scri_hdf5_silence(&r->h);
    scree_status status = read_bodies(r, index, out);
    if (!status) status = read_contacts(r, index, out);
    if (!status) status = scri_recording_read_motions(r, index, out);
    scri_hdf5_speak(&r->h);
    if (status == SCREE_ERROR_MEMORY) {
        scri_fail(&r->env, status, "%s: out of memory", r->h.name);
    }
    return status;
}

scree_status scree_recording_fill_frame(scree_recording* recording, int64_t index, scree_frame* out)
{
    if (!recording || !out) return SCREE_ERROR_ARGUMENT;
    scree_frame whole = {.struct_size = sizeof whole};
    scree_status status = read_frame(recording, index, &whole);
    scri_fill(out, out->struct_size, &whole, sizeof whole);
    return status;
}

int scree_frame_holds(const scree_frame* frame, int32_t body)
{
    if (!frame) return 0;
    return body >= 0 && body < frame->n_bodies && !isnan(frame->rotation[4 * (size_t)body]);
}

/* ---- hash ---- */

/* Eight bytes at a time: each step is a bijection of the 64 bits for a given word, so that a
 * difference in one word always shows. */
uint64_t scri_recording_mix(uint64_t seed, const void* bytes, size_t size)
{
    const unsigned char* at = bytes;
    uint64_t hash = seed ^ (uint64_t)size;
    while (size > 0) {
        uint64_t word = 0;
        size_t n = size < sizeof word ? size : sizeof word;
        memcpy(&word, at, n);
        hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29;
        at += n;
        size -= n;
    }
    return hash;
}

static uint64_t mix_joints(uint64_t hash, const scree_frame* f)
{
    const double* columns[] = {f->joint_coordinate, f->joint_rate, f->joint_effort, f->joint_force,
                               f->joint_torque};
    for (size_t k = 0; k < sizeof columns / sizeof columns[0] && f->n_joints > 0; ++k) {
        hash = scri_recording_mix(hash, columns[k], 3 * (size_t)f->n_joints * sizeof(double));
    }
    return hash;
}

/* Modes follow from the rest of a step and are left out: files of schemas that had none keep their
 * numbers. */
static uint64_t mix_frame(uint64_t hash, const scree_frame* f)
{
    const double head[] = {f->time, f->kinetic, f->potential, f->residual_max, f->penetration_max};
    const int64_t counts[] = {f->step, f->n_bodies, f->n_contacts};
    size_t n = (size_t)f->n_bodies, m = (size_t)f->n_contacts;
    hash = scri_recording_mix(hash, head, sizeof head);
    hash = scri_recording_mix(hash, counts, sizeof counts);
    hash = scri_recording_mix(hash, f->position, 3 * n * sizeof(double));
    hash = scri_recording_mix(hash, f->rotation, 4 * n * sizeof(double));
    hash = scri_recording_mix(hash, f->velocity, 3 * n * sizeof(double));
    hash = scri_recording_mix(hash, f->angular_velocity, 3 * n * sizeof(double));
    hash = scri_recording_mix(hash, f->pair, 2 * m * sizeof(int32_t));
    hash = scri_recording_mix(hash, f->point, 3 * m * sizeof(float));
    hash = scri_recording_mix(hash, f->normal, 3 * m * sizeof(float));
    hash = scri_recording_mix(hash, f->force, 3 * m * sizeof(float));
    hash = scri_recording_mix(hash, f->moment, 3 * m * sizeof(float));
    hash = scri_recording_mix(hash, f->gap, m * sizeof(float));
    return mix_joints(hash, f);
}

scree_status scree_recording_hash(scree_recording* recording, uint64_t* out)
{
    if (!recording || !out) return SCREE_ERROR_ARGUMENT;
    uint64_t hash = UINT64_C(0x5c4ee);
    for (int64_t k = 0; k < recording->info.n_frames; ++k) {
        scree_frame frame;
        scree_status status = scree_recording_read(recording, k, &frame);
        if (status) return status;
        hash = mix_frame(hash, &frame);
    }
    *out = hash;
    return SCREE_OK;
}
