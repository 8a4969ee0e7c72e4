/* From a simulation to the rows of a frame. */
#include "base/env.h"
#include "io/recorder_state.h"
#include "math/vec.h"

#include <inttypes.h>
#include <string.h>

/* ---- contacts ---- */

/* Columns of contacts within one block of memory. */
typedef struct contact_rows {
    int32_t* pair;
    float *point, *normal, *force, *moment, *gap;
} contact_rows;

enum { CONTACT_BYTES = 2 * sizeof(int32_t) + 13 * sizeof(float) };

static contact_rows lay_out(void* memory, size_t n)
{
    contact_rows rows = {.pair = memory};
    rows.point = (float*)(rows.pair + 2 * n);
    rows.normal = rows.point + 3 * n;
    rows.force = rows.normal + 3 * n;
    rows.moment = rows.force + 3 * n;
    rows.gap = rows.moment + 3 * n;
    return rows;
}

static void store(scri_vec a, float* out)
{
    out[0] = (float)a.x;
    out[1] = (float)a.y;
    out[2] = (float)a.z;
}

/* n a + t1 b + t2 c over the step. */
static scri_vec in_world(const double frame[9], double a, double b, double c, double step)
{
    scri_vec sum = scri_vec_scale(a / step, scri_vec_load(frame));
    sum = scri_vec_add_scaled(sum, b / step, scri_vec_load(frame + 3));
    return scri_vec_add_scaled(sum, c / step, scri_vec_load(frame + 6));
}

/* Force and moment of a contact from its impulse p, whose rows stand in the order N T T R R S. */
static void convert_impulse(int rows, const double frame[9], const double* p, double step,
                            scri_vec* force, scri_vec* moment)
{
    bool slides = rows != SCREE_ROWS_N;
    bool rolls = rows == SCREE_ROWS_NTTRR || rows == SCREE_ROWS_NTTRRS;
    double spin = rows == SCREE_ROWS_NTTS ? p[3] : rows == SCREE_ROWS_NTTRRS ? p[5] : 0.0;
    *force = in_world(frame, p[0], slides ? p[1] : 0.0, slides ? p[2] : 0.0, step);
    *moment = in_world(frame, spin, rolls ? p[3] : 0.0, rolls ? p[4] : 0.0, step);
}

static void convert_contacts(const scree_world_view* view, double step, contact_rows* out)
{
    const scree_problem* problem = view->problem;
    for (int64_t c = 0; c < view->n_contacts; ++c) {
        const double* frame = problem->bodies.frame + 9 * c;
        scri_vec force, moment;
        convert_impulse(problem->rows[c], frame, view->impulse + problem->row[c], step, &force,
                        &moment);
        out->pair[2 * c] = problem->bodies.pair[2 * c];
        out->pair[2 * c + 1] = problem->bodies.pair[2 * c + 1];
        store(scri_vec_load(view->point + 3 * c), out->point + 3 * c);
        store(scri_vec_load(frame), out->normal + 3 * c);
        store(force, out->force + 3 * c);
        store(moment, out->moment + 3 * c);
        out->gap[c] = (float)view->gap[c];
    }
}

static scree_status write_rows(scree_recorder* r, scri_column column, int64_t first, int64_t n,
                               const void* value)
{
    return scri_column_write(&r->h, &r->columns, column, first, n, value);
}

static scree_status write_contacts(scree_recorder* r, const scree_world_view* view, double step)
{
    int64_t first = r->n_contacts, n = view->n_contacts;
    if (n == 0) return SCREE_OK;
    void* memory = scri_recorder_scratch(r, (size_t)n * CONTACT_BYTES);
    if (!memory) return SCREE_ERROR_MEMORY;
    contact_rows rows = lay_out(memory, (size_t)n);
    convert_contacts(view, step, &rows);
    scree_status status = write_rows(r, SCRI_COLUMN_PAIR, first, n, rows.pair);
    if (!status) status = write_rows(r, SCRI_COLUMN_POINT, first, n, rows.point);
    if (!status) status = write_rows(r, SCRI_COLUMN_NORMAL, first, n, rows.normal);
    if (!status) status = write_rows(r, SCRI_COLUMN_FORCE, first, n, rows.force);
    if (!status) status = write_rows(r, SCRI_COLUMN_MOMENT, first, n, rows.moment);
    if (!status) status = write_rows(r, SCRI_COLUMN_GAP, first, n, rows.gap);
    return status;
}

/* ---- bodies and shapes that are new ---- */

static scree_status write_names(scree_recorder* r, const scree_simulation* simulation,
                                int32_t first, int32_t n)
{
    char* text = scri_recorder_scratch(r, (size_t)n * SCRI_RECORDING_NAME);
    if (!text) return SCREE_ERROR_MEMORY;
    memset(text, 0, (size_t)n * SCRI_RECORDING_NAME);
    for (int32_t k = 0; k < n; ++k) {
        scree_simulation_body_name(simulation, first + k, text + (size_t)k * SCRI_RECORDING_NAME,
                                   SCRI_RECORDING_NAME);
    }
    return write_rows(r, SCRI_COLUMN_BODY_NAME, first, n, text);
}

static scree_status write_bodies(scree_recorder* r, const scree_simulation* simulation,
                                 const scree_world_view* view)
{
    int32_t first = r->n_bodies, n = view->n_bodies - first;
    if (n == 0) return SCREE_OK;
    scree_status status = write_names(r, simulation, first, n);
    if (!status) status = write_rows(r, SCRI_COLUMN_BODY_KIND, first, n, view->kind + first);
    if (!status) status = write_rows(r, SCRI_COLUMN_BODY_MASS, first, n, view->mass + first);
    return status;
}

static scree_status write_shapes(scree_recorder* r, const scree_world_view* view)
{
    int64_t first = r->n_shapes, n = view->n_shapes - first;
    if (n == 0) return SCREE_OK;
    uint8_t* kind = scri_recorder_scratch(r, (size_t)n);
    if (!kind) return SCREE_ERROR_MEMORY;
    for (int64_t k = 0; k < n; ++k) kind[k] = (uint8_t)view->shape_kind[first + k];
    const struct {
        scri_column column;
        const void* value;
    } columns[] = {{SCRI_COLUMN_SHAPE_KIND, kind},
                   {SCRI_COLUMN_SHAPE_SIZE, view->shape_half_size + 3 * first},
                   {SCRI_COLUMN_SHAPE_POSITION, view->shape_offset + 3 * first},
                   {SCRI_COLUMN_SHAPE_ROTATION, view->shape_turn + 4 * first},
                   {SCRI_COLUMN_SHAPE_BODY, view->shape_body + first},
                   {SCRI_COLUMN_SHAPE_MATERIAL, view->shape_material + first}};
    scree_status status = SCREE_OK;
    for (size_t k = 0; k < sizeof columns / sizeof columns[0] && !status; ++k) {
        status = write_rows(r, columns[k].column, first, n, columns[k].value);
    }
    return status;
}

/* ---- the frame ---- */

static scree_status write_state(scree_recorder* r, const scree_world_view* view)
{
    int64_t first = r->n_states, n = view->n_bodies;
    scree_status status = write_rows(r, SCRI_COLUMN_POSITION, first, n, view->position);
    if (!status) status = write_rows(r, SCRI_COLUMN_ROTATION, first, n, view->rotation);
    if (!status) status = write_rows(r, SCRI_COLUMN_VELOCITY, first, n, view->velocity);
    if (!status) {
        status = write_rows(r, SCRI_COLUMN_ANGULAR_VELOCITY, first, n, view->angular_velocity);
    }
    return status;
}

static scree_status write_head(scree_recorder* r, const scree_world_view* view,
                               const scree_totals* totals)
{
    const struct {
        scri_column column;
        const void* value;
    } columns[] = {{SCRI_COLUMN_STEP, &view->steps},
                   {SCRI_COLUMN_N_BODIES, &view->n_bodies},
                   {SCRI_COLUMN_BODY_OFFSET, &r->n_states},
                   {SCRI_COLUMN_N_CONTACTS, &view->n_contacts},
                   {SCRI_COLUMN_CONTACT_OFFSET, &r->n_contacts},
                   {SCRI_COLUMN_N_SHAPES, &view->n_shapes},
                   {SCRI_COLUMN_KINETIC, &totals->kinetic},
                   {SCRI_COLUMN_POTENTIAL, &totals->potential},
                   {SCRI_COLUMN_RESIDUAL_MAX, &totals->residual_max},
                   {SCRI_COLUMN_PENETRATION_MAX, &totals->penetration_max}};
    scree_status status = SCREE_OK;
    for (size_t k = 0; k < sizeof columns / sizeof columns[0] && !status; ++k) {
        status = write_rows(r, columns[k].column, r->n_frames, 1, columns[k].value);
    }
    return status;
}

/* Everything but the time reaches the file first: the time makes the frame count. */
static scree_status append_frame(scree_recorder* r, const scree_simulation* simulation,
                                 const scree_world_view* view)
{
    double step = scree_scene_get_info(scree_simulation_scene(simulation)).step;
    scree_totals totals = scree_simulation_totals(simulation);
    scree_status status = write_bodies(r, simulation, view);
    if (!status) status = write_shapes(r, view);
    if (!status) status = write_state(r, view);
    if (!status) status = write_contacts(r, view, step);
    if (!status) status = write_head(r, view, &totals);
    if (!status) status = scri_recorder_flush(r);
    if (!status) status = write_rows(r, SCRI_COLUMN_TIME, r->n_frames, 1, &view->time);
    if (!status) status = scri_recorder_flush(r);
    if (status) return status;
    r->n_states += view->n_bodies;
    r->n_contacts += view->n_contacts;
    r->n_bodies = view->n_bodies;
    r->n_shapes = view->n_shapes;
    ++r->n_frames;
    r->n_on_file = r->n_frames;
    return SCREE_OK;
}

static bool same_bits(double a, double b)
{
    uint64_t x = 0, y = 0;
    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    return x == y;
}

/* A frame that the file has must be the one that the simulation has come to again. */
static scree_status count_frame(scree_recorder* r, const scree_simulation* simulation,
                                const scree_world_view* view)
{
    double time = 0.0, kinetic = 0.0;
    int32_t n_bodies = 0;
    int64_t k = r->n_frames;
    scree_status status = scri_column_read(&r->h, &r->columns, SCRI_COLUMN_TIME, k, 1, &time);
    if (!status) {
        status = scri_column_read(&r->h, &r->columns, SCRI_COLUMN_KINETIC, k, 1, &kinetic);
    }
    if (!status) {
        status = scri_column_read(&r->h, &r->columns, SCRI_COLUMN_N_BODIES, k, 1, &n_bodies);
    }
    if (status) return status;
    if (!same_bits(time, view->time) || n_bodies != view->n_bodies ||
        !same_bits(kinetic, scree_simulation_totals(simulation).kinetic)) {
        return scri_fail(&r->env, SCREE_ERROR_INPUT,
                         "%s: frame %" PRId64 " does not come out as it was recorded; the "
                         "recording was made by another program or on another kind of machine",
                         r->path, k);
    }
    ++r->n_frames;
    return SCREE_OK;
}

scree_status scree_recorder_frame(scree_recorder* recorder, const scree_simulation* simulation)
{
    scree_recorder* r = recorder;
    if (r->failed) {
        return scri_fail(&r->env, SCREE_ERROR_FILE, "%s: writing has failed before", r->path);
    }
    scree_world_view view = scree_simulation_view(simulation);
    if (!view.problem) view.n_contacts = 0;
    scri_hdf5_silence(&r->h);
    scree_status status = r->n_frames < r->n_on_file ? count_frame(r, simulation, &view)
                                                     : append_frame(r, simulation, &view);
    return scri_recorder_end_call(r, status);
}
