/* Generators: how many bodies, which model, what size, where and how turned. Everything that is
 * drawn is a function of the generator's seed and the number of the body alone. */
#include "base/compiler.h"
#include "base/random.h"
#include "math/vec.h"
#include "scene/scene.h"

#include <inttypes.h>
#include <math.h>

/* More bodies than this from one generator are a mistake. */
#define MOST_COPIES INT64_C(100000000)

/* Streams of a generator's random numbers; rain.c has those from 2 on, one for each body. */
#define STREAM_JITTER 0u
#define STREAM_SIZE 1u
#define STREAM_TURN UINT64_MAX
#define STREAM_MODEL (UINT64_MAX - 1)

/* Deviations beyond which a size is drawn again. */
#define MOST_DEVIATIONS 3.0

/* ---- what may be said ------------------------------------------------------------------------ */

static int is_region(const scree_generator* g)
{
    int good = 1;
    for (int j = 0; j < 3; ++j) {
        good &= isfinite(g->low[j]) && isfinite(g->high[j]) && g->low[j] <= g->high[j];
    }
    return good;
}

static const char* fault_of_sieve(const scree_generator* g)
{
    if (g->n_sieve < 2 || !g->sieve) return "a sieve curve needs two points and more";
    for (int32_t k = 0; k < g->n_sieve; ++k) {
        const double* at = g->sieve + 2 * (size_t)k;
        if (!(at[0] > 0.0 && isfinite(at[0]))) return "sizes of a sieve curve must be positive";
        if (k > 0 && !(at[0] > at[-2] && at[1] >= at[-1])) return "a sieve curve must grow";
    }
    const double* last = g->sieve + 2 * (size_t)(g->n_sieve - 1);
    return g->sieve[1] == 0.0 && last[1] == 1.0 ? NULL : "a sieve curve goes from 0 to 1";
}

static const char* fault_of_size(const scree_generator* g)
{
    if (!(g->size_spread >= 0.0 && g->size_spread < 1.0)) return "size_spread must be 0 to below 1";
    switch (g->size_kind) {
    case SCREE_SIZE_SPREAD:
        return NULL;
    case SCREE_SIZE_UNIFORM:
        if (g->size[0] > 0.0 && g->size[1] >= g->size[0] && isfinite(g->size[1])) return NULL;
        return "uniform sizes need two positive factors, the larger last";
    case SCREE_SIZE_LOG_NORMAL:
        if (g->size[0] > 0.0 && isfinite(g->size[0]) && g->size[1] >= 0.0 && g->size[1] <= 3.0) {
            return NULL;
        }
        return "log-normal sizes need a positive median and a deviation of 0 to 3";
    case SCREE_SIZE_SIEVE:
        return fault_of_sieve(g);
    default:
        return "the kind of its sizes is unknown";
    }
}

static const char* fault_of_models(const scree_generator* g)
{
    if (g->n_others < 0 || (g->n_others > 0 && !g->others)) return "its other models are missing";
    double sum = g->weight ? 0.0 : 1.0;
    for (int32_t k = 0; g->weight && k <= g->n_others; ++k) {
        if (!(g->weight[k] >= 0.0)) return "weights must not be negative";
        sum += g->weight[k];
    }
    return sum > 0.0 && isfinite(sum) ? NULL : "some weight must be positive";
}

static const char* fault_of_list(const scree_generator* g, int32_t n_materials)
{
    const scree_listed* l = &g->listed;
    if (g->count < 1 || g->count > MOST_COPIES) return "count is out of range";
    if (!g->place) return "a list needs places";
    for (int64_t k = 0; k < g->count; ++k) {
        if (l->scale && !(l->scale[k] > 0.0)) return "sizes of a list must be positive";
        if (l->mass && !(l->mass[k] > 0.0)) return "masses of a list must be positive";
        if (l->material && !(l->material[k] >= -1 && l->material[k] < n_materials)) {
            return "a list names a material that is not there";
        }
    }
    return NULL;
}

const char* scri_generator_fault(const scree_generator* g, int32_t n_materials)
{
    int64_t left = MOST_COPIES;
    const char* fault = fault_of_size(g);
    if (!fault) fault = fault_of_models(g);
    if (fault) return fault;
    switch (g->kind) {
    case SCREE_GENERATOR_GRID:
        for (int j = 0; j < 3; ++j) {
            if (g->grid[j] < 1) return "a grid has at least one body along each axis";
            left /= g->grid[j];
        }
        if ((int)g->packing < 0 || g->packing >= SCREE_GRID_COUNT) return "unknown packing";
        return left > 0 ? NULL : "too many bodies";
    case SCREE_GENERATOR_LIST:
        return fault_of_list(g, n_materials);
    case SCREE_GENERATOR_RAIN:
        if (g->count < 1 || g->count > MOST_COPIES) return "count is out of range";
        if (!(g->rate > 0.0) || !(g->begin >= 0.0)) return "rain needs a positive rate";
        if (!is_region(g)) return "rain needs a box whose low corner is not above the high one";
        return g->model.def.kind == SCREE_BODY_DYNAMIC ? NULL : "bodies that rain must be dynamic";
    default:
        return "the kind is unknown";
    }
}

/* ---- how many, and which model --------------------------------------------------------------- */

int64_t scri_generator_count(const scree_generator* g)
{
    if (g->kind != SCREE_GENERATOR_GRID) return g->count;
    return (int64_t)g->grid[0] * g->grid[1] * g->grid[2];
}

const scree_scene_body* scri_generator_model(const scree_generator* g, int32_t k)
{
    return k == 0 ? &g->model : &g->others[k - 1];
}

static const scree_scene_body* draw_model(const scree_generator* g, int64_t number)
{
    if (g->n_others == 0) return &g->model;
    scri_random random = {g->seed, STREAM_MODEL, (uint64_t)number};
    double sum = 0.0;
    for (int32_t k = 0; k <= g->n_others; ++k) sum += g->weight ? g->weight[k] : 1.0;
    double left = sum * scri_random_uniform(&random);
    int32_t last = 0;
    for (int32_t k = 0; k <= g->n_others; ++k) {
        double weight = g->weight ? g->weight[k] : 1.0;
        if (!(weight > 0.0)) continue;
        last = k;
        if (left < weight) break;
        left -= weight;
    }
    return scri_generator_model(g, last);
}

/* ---- sizes ----------------------------------------------------------------------------------- */

/* Number of bodies, but for a factor, that a class of the curve holds: its mass is spread evenly
 * over the sizes from a to b, and a body has the mass d^3. */
static double bodies_between(const double* at)
{
    double a = at[0], b = at[2];
    return (at[3] - at[1]) / (b - a) * 0.5 * (1.0 / (a * a) - 1.0 / (b * b));
}

static double draw_from_sieve(const scree_generator* g, scri_random* random)
{
    double sum = 0.0;
    for (int32_t k = 0; k + 1 < g->n_sieve; ++k) sum += bodies_between(g->sieve + 2 * (size_t)k);
    double left = sum * scri_random_uniform(random), share = scri_random_uniform(random);
    const double* at = g->sieve;
    for (int32_t k = 0; k + 1 < g->n_sieve; ++k) {
        double here = bodies_between(g->sieve + 2 * (size_t)k);
        if (!(here > 0.0)) continue;
        at = g->sieve + 2 * (size_t)k;
        if (left < here) break;
        left -= here;
    }
    /* Within a class the number falls with d^-3. */
    double low = 1.0 / (at[0] * at[0]), high = 1.0 / (at[2] * at[2]);
    return 1.0 / sqrt(low - share * (low - high));
}

/* Box and Muller's normal deviate, drawn again beyond the bound. */
static double draw_normal(scri_random* random)
{
    for (;;) {
        double a = 1.0 - scri_random_uniform(random), b = scri_random_uniform(random);
        double x = sqrt(-2.0 * log(a)) * cos(2.0 * SCREE_PI * b);
        if (fabs(x) <= MOST_DEVIATIONS) return x;
    }
}

/* The factor by which body `number` is larger than its model. */
static double draw_scale(const scree_generator* g, int64_t number)
{
    if (g->listed.scale) return g->listed.scale[number];
    /* Streams of normal deviates are as long as they need to be: far apart. */
    uint64_t apart = g->size_kind == SCREE_SIZE_SPREAD ? 1u : UINT64_C(1) << 32;
    scri_random random = {g->seed, STREAM_SIZE, apart * (uint64_t)number};
    switch (g->size_kind) {
    case SCREE_SIZE_UNIFORM:
        return g->size[0] + (g->size[1] - g->size[0]) * scri_random_uniform(&random);
    case SCREE_SIZE_LOG_NORMAL:
        return g->size[0] * exp(g->size[1] * draw_normal(&random));
    case SCREE_SIZE_SIEVE:
        return draw_from_sieve(g, &random);
    default:
        if (!(g->size_spread > 0.0)) return 1.0;
        return 1.0 + g->size_spread * (2.0 * scri_random_uniform(&random) - 1.0);
    }
}

double scri_generator_reach(const scree_generator* g, int64_t number)
{
    const scree_scene_body* model = draw_model(g, number);
    return draw_scale(g, number) * scri_shapes_reach(model->n_shapes, model->shapes);
}

/* The least and the largest factor that can be drawn. */
static void bound_scale(const scree_generator* g, double bound[2])
{
    double spread = MOST_DEVIATIONS * g->size[1];
    bound[0] = 1.0 - g->size_spread;
    bound[1] = 1.0 + g->size_spread;
    if (g->size_kind == SCREE_SIZE_UNIFORM) {
        bound[0] = g->size[0];
        bound[1] = g->size[1];
    } else if (g->size_kind == SCREE_SIZE_LOG_NORMAL) {
        bound[0] = g->size[0] * exp(-spread);
        bound[1] = g->size[0] * exp(spread);
    } else if (g->size_kind == SCREE_SIZE_SIEVE) {
        bound[0] = g->sieve[0];
        bound[1] = g->sieve[2 * (size_t)(g->n_sieve - 1)];
    }
    for (int64_t k = 0; g->listed.scale && k < g->count; ++k) {
        bound[0] = k == 0 ? g->listed.scale[k] : fmin(bound[0], g->listed.scale[k]);
        bound[1] = k == 0 ? g->listed.scale[k] : fmax(bound[1], g->listed.scale[k]);
    }
}

static double bound_reach(const scree_generator* g, int is_most)
{
    double bound[2], reach = 0.0;
    bound_scale(g, bound);
    for (int32_t k = 0; k <= g->n_others; ++k) {
        const scree_scene_body* model = scri_generator_model(g, k);
        double one = scri_shapes_reach(model->n_shapes, model->shapes);
        if (k == 0 || (is_most ? one > reach : one < reach)) reach = one;
    }
    return bound[is_most] * reach;
}

double scri_generator_least_reach(const scree_generator* g)
{
    return bound_reach(g, 0);
}

double scri_generator_most_reach(const scree_generator* g)
{
    return bound_reach(g, 1);
}

/* ---- where, and how turned ------------------------------------------------------------------- */

/* Shifts of close-packed layers and rows: every second row by half of a spacing, and layers by
 * (1/2, sqrt(3)/6) once (ABAB) or once and twice (ABCABC). */
static void pack(const scree_generator* g, const int64_t cell[3], double at[3])
{
    int64_t period = g->packing == SCREE_GRID_HEXAGONAL ? 2 : 3, layer = cell[2] % period;
    at[0] = (double)cell[0] + 0.5 * (double)(cell[1] % 2) + 0.5 * (double)layer;
    at[1] = sqrt(0.75) * ((double)cell[1] + (double)layer / 3.0);
    at[2] = sqrt(2.0 / 3.0) * (double)cell[2];
}

void scri_generator_place(const scree_generator* g, int64_t k, double position[3])
{
    if (g->kind == SCREE_GENERATOR_LIST) {
        for (int j = 0; j < 3; ++j) position[j] = g->place[3 * k + j];
        return;
    }
    int64_t cell[3] = {k % g->grid[0], k / g->grid[0] % g->grid[1], k / g->grid[0] / g->grid[1]};
    double at[3] = {(double)cell[0], (double)cell[1], (double)cell[2]};
    if (g->packing != SCREE_GRID_CUBIC) pack(g, cell, at);
    scri_random random = {g->seed, STREAM_JITTER, 3 * (uint64_t)k};
    for (int j = 0; j < 3; ++j) {
        position[j] = g->low[j] + g->spacing[j] * at[j] +
                      g->jitter * (2.0 * scri_random_uniform(&random) - 1.0);
    }
}

/* All orientations alike: Shoemake (1992), Uniform random rotations. */
static scri_quat draw_turn(const scree_generator* g, int64_t number)
{
    scri_random random = {g->seed, STREAM_TURN, 3 * (uint64_t)number};
    double u = scri_random_uniform(&random), a = 2.0 * SCREE_PI * scri_random_uniform(&random);
    double b = 2.0 * SCREE_PI * scri_random_uniform(&random);
    double s = sqrt(1.0 - u), t = sqrt(u);
    return scri_quat_normalize((scri_quat){t * cos(b), s * sin(a), s * cos(a), t * sin(b)});
}

/* ---- bodies ---------------------------------------------------------------------------------- */

static void take_listed(const scree_listed* l, int64_t number, scree_body_def* def)
{
    const size_t k = (size_t)number;
    if (l->mass) {
        double factor = l->mass[k] / def->mass;
        def->mass = l->mass[k];
        for (int j = 0; j < 6; ++j) def->inertia[j] *= factor;
    }
    for (size_t j = 0; j < 4; ++j) {
        if (l->rotation) def->rotation[j] = l->rotation[4 * k + j];
        if (l->velocity && j < 3) def->velocity[j] = l->velocity[3 * k + j];
        if (l->angular_velocity && j < 3) {
            def->angular_velocity[j] = l->angular_velocity[3 * k + j];
        }
    }
}

int32_t scri_generator_make(const scree_generator* g, int64_t number, const double position[3],
                            scree_body_def* def, scree_shape* shapes)
{
    const scree_scene_body* model = draw_model(g, number);
    double scale = draw_scale(g, number), cube = scale * scale * scale;
    int32_t material = g->listed.material ? g->listed.material[number] : -1;
    *def = model->def;
    def->mass *= cube;
    for (int j = 0; j < 6; ++j) def->inertia[j] *= cube * scale * scale;
    for (int j = 0; j < 3; ++j) def->position[j] = position[j];
    if (g->is_turned) scri_quat_store(draw_turn(g, number), def->rotation);
    take_listed(&g->listed, number, def);
    for (int32_t i = 0; i < model->n_shapes; ++i) {
        shapes[i] = model->shapes[i];
        if (material >= 0) shapes[i].material = material;
        shapes[i].rounding *= scale;
        for (int j = 0; j < 3; ++j) {
            shapes[i].half_size[j] *= scale;
            shapes[i].position[j] *= scale;
        }
    }
    return model->n_shapes;
}
