#include "scree_study/repose.h"

#include "cli/recorded.h"
#include "cli/report.h"
#include "cli/verbs.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct repose_options {
    const char* run;
    int64_t frame; /* -1: the last */
    double time;   /* s; NaN: not asked for */
    double floor;  /* m */
    bool json;
} repose_options;

static const cli_argument arguments[] = {
    {"RUN.h5", "recording that scree run has written", offsetof(repose_options, run)},
};

static const cli_option options[] = {
    {.name = "frame",
     .kind = CLI_INTEGER,
     .offset = offsetof(repose_options, frame),
     .value = "K",
     .text = "frame to measure, counted from 0",
     .usual = "the last"},
    {.name = "time",
     .kind = CLI_REAL,
     .offset = offsetof(repose_options, time),
     .value = "T",
     .text = "measure the last frame up to T seconds instead",
     .usual = "none",
     .most = 1e30},
    {.name = "floor",
     .kind = CLI_REAL,
     .offset = offsetof(repose_options, floor),
     .value = "Z",
     .text = "height of the plane that the heap lies on, in m",
     .least = -1e30,
     .most = 1e30},
    CLI_JSON_OPTION(repose_options),
};

static const cli_syntax syntax = {
    .verb = "repose",
    .purpose = "Measures the heap that the grains of a recording form: height, width, angle of\n"
               "repose, density, contacts and their forces. Moving bodies of one shape count, as\n"
               "spheres of their volume.",
    .n_arguments = CLI_COUNT(arguments),
    .n_options = CLI_COUNT(options),
    .arguments = arguments,
    .options = options,
    .example = "  scree run pile -o heap.h5\n"
               "  scree repose heap.h5",
};

/* The heap of one frame, in memory of its own. */
typedef struct job {
    const repose_options* options;
    cli_host host;
    cli_recorded recorded;
    int64_t index; /* of the frame */
    scree_frame frame;
    int32_t* sphere;  /* [bodies of the recording] its number in the heap, or -1 */
    double* radius;   /* [bodies] of spheres, by number */
    double* position; /* [3 bodies] the same */
    int32_t* pair;    /* [2 contacts] */
    float* normal;    /* [contacts] normal forces */
    scree_heap heap;
    scree_repose repose;
    double diameter; /* mean, m */
} job;

static int read_frame(job* j, int64_t index)
{
    cli_host_turn_to(&j->host, j->recorded.path);
    scree_status status = scree_recording_read(j->recorded.recording, index, &j->frame);
    j->index = index;
    return status == SCREE_OK ? CLI_DONE : cli_refuse(&j->host, status);
}

/* The last frame up to the time asked for; the first if all are later. Times rise. */
static int read_frame_at(job* j, double time)
{
    int64_t low = 0, high = j->recorded.info.n_frames; /* it is at least low, below high */
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        int code = read_frame(j, middle);
        if (code != CLI_DONE) return code;
        if (j->frame.time <= time) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return read_frame(j, low);
}

static int choose_frame(job* j)
{
    const repose_options* o = j->options;
    int64_t n = j->recorded.info.n_frames;
    if (n == 0) return cli_usage_error(syntax.verb, "%s: holds no frames", o->run);
    if (o->frame >= n) {
        return cli_usage_error(syntax.verb, "%s: has no frame %" PRId64 ", only 0 to %" PRId64,
                               o->run, o->frame, n - 1);
    }
    if (o->time >= 0.0) return read_frame_at(j, o->time);
    return read_frame(j, o->frame >= 0 ? o->frame : n - 1);
}

static int allocate(job* j)
{
    size_t n_bodies = (size_t)j->recorded.info.n_bodies + 1; /* never nothing */
    size_t n_contacts = (size_t)j->frame.n_contacts + 1;
    j->sphere = malloc(n_bodies * sizeof *j->sphere);
    j->radius = malloc(n_bodies * sizeof *j->radius);
    j->position = malloc(3 * n_bodies * sizeof *j->position);
    j->pair = malloc(2 * n_contacts * sizeof *j->pair);
    j->normal = malloc(n_contacts * sizeof *j->normal);
    bool good = j->sphere && j->radius && j->position && j->pair && j->normal;
    return good ? CLI_DONE : cli_refuse(&j->host, SCREE_ERROR_MEMORY);
}

/* Whether the shape is all that its body has, and about its centre if it is a sphere. */
static bool is_grain(const scree_recording_info* info, int32_t shape)
{
    const scree_shape* s = &info->shapes[shape];
    int32_t body = info->shape_body[shape];
    bool alone = (shape == 0 || info->shape_body[shape - 1] != body) &&
                 (shape + 1 == info->n_shapes || info->shape_body[shape + 1] != body);
    bool centred = s->position[0] == 0.0 && s->position[1] == 0.0 && s->position[2] == 0.0;
    return alone && (centred || s->kind != SCREE_SHAPE_SPHERE) &&
           info->kind[body] == SCREE_BODY_DYNAMIC;
}

/* Of a sphere, or of the sphere with the volume of another shape. */
static int find_radius(job* j, const scree_shape* shape, double* out)
{
    scree_mass mass;
    *out = shape->half_size[0];
    if (shape->kind == SCREE_SHAPE_SPHERE) return CLI_DONE;
    scree_env env = cli_env(&j->host);
    scree_status status = scree_shape_mass(&env, 1, shape, 1.0, &mass);
    if (status != SCREE_OK) return cli_refuse(&j->host, status);
    *out = cbrt(0.75 * mass.mass / SCREE_PI);
    return CLI_DONE;
}

static int gather_grains(job* j)
{
    const scree_recording_info* info = &j->recorded.info;
    size_t n = 0;
    int code = CLI_DONE;
    for (int32_t b = 0; b < info->n_bodies; ++b) j->sphere[b] = -1;
    for (int32_t s = 0; s < info->n_shapes && code == CLI_DONE; ++s) {
        int32_t body = info->shape_body[s];
        if (!scree_frame_holds(&j->frame, body) || !is_grain(info, s)) continue;
        memcpy(j->position + 3 * n, j->frame.position + 3 * (size_t)body, 3 * sizeof(double));
        code = find_radius(j, &info->shapes[s], &j->radius[n]);
        j->diameter += 2.0 * j->radius[n];
        j->sphere[body] = (int32_t)n++;
    }
    j->heap.n = (int32_t)n;
    j->diameter /= (double)n;
    return code;
}

static void gather_contacts(job* j)
{
    const scree_frame* frame = &j->frame;
    for (size_t c = 0; c < (size_t)frame->n_contacts; ++c) {
        const float *f = frame->force + 3 * c, *n = frame->normal + 3 * c;
        for (size_t i = 0; i < 2; ++i) {
            int32_t body = frame->pair[2 * c + i];
            j->pair[2 * c + i] = body >= 0 ? j->sphere[body] : -1;
        }
        j->normal[c] = f[0] * n[0] + f[1] * n[1] + f[2] * n[2];
    }
}

static int measure(job* j)
{
    int code = choose_frame(j);
    if (code == CLI_DONE) code = allocate(j);
    if (code != CLI_DONE) return code;
    code = gather_grains(j);
    if (code != CLI_DONE) return code;
    gather_contacts(j);
    if (j->heap.n == 0) {
        return cli_usage_error(syntax.verb, "%s: frame %" PRId64 " has no moving body of one shape",
                               j->options->run, j->index);
    }
    bool known = j->frame.step > 0; /* contacts belong to the step that led to the frame */
    j->heap = (scree_heap){.n = j->heap.n,
                           .position = j->position,
                           .radius = j->radius,
                           .n_contacts = j->frame.n_contacts,
                           .pair = known ? j->pair : NULL,
                           .normal_force = known ? j->normal : NULL,
                           .gap = known ? j->frame.gap : NULL,
                           .floor = j->options->floor};
    scree_env env = cli_env(&j->host);
    scree_status status = scree_repose_measure(&env, &j->heap, &j->repose);
    return status == SCREE_OK ? CLI_DONE : cli_refuse(&j->host, status);
}

static void print_slope(const scree_repose* r)
{
    if (isnan(r->angle)) {
        cli_row("angle of repose", "unknown: the heap is too small or too flat");
    } else {
        cli_row("angle of repose", "%-10.3g degrees, standard error %.2g", r->angle / SCREE_DEGREE,
                r->angle_error / SCREE_DEGREE);
    }
    if (isnan(r->packing_fraction)) {
        cli_row("packing fraction", "unknown: the heap has no core");
    } else {
        cli_row("packing fraction", "%-10.3g in the core", r->packing_fraction);
    }
}

static void print_contacts(const job* j)
{
    const scree_repose* r = &j->repose;
    const double* q = r->force_quantile;
    if (!j->heap.pair) {
        cli_row("contacts", "unknown: no step was made yet");
        return;
    }
    cli_row("contacts", "%d", (int)j->heap.n_contacts);
    cli_row("coordination", "%-10.3g contacts per sphere that has any", r->coordination);
    cli_row("rattlers", "%-10d spheres without contact", (int)r->n_rattlers);
    cli_row("gap", "%-10.3g m on average where contacts carry", r->gap_mean);
    cli_row("normal force", "%-10.3g N on average", r->force_mean);
    cli_row("  over the mean", "%.3g, %.3g, %.3g, %.3g, %.3g at 5, 25, 50, 75, 95 %%", q[0], q[1],
            q[2], q[3], q[4]);
}

static void print_table(const job* j)
{
    const scree_repose* r = &j->repose;
    cli_row("recording", "%s", j->options->run);
    cli_row("frame", "%" PRId64 " at %g s", j->index, j->frame.time);
    cli_row("spheres", "%d, mean diameter %g m", (int)j->heap.n, j->diameter);
    if (r->n_lost > 0) cli_row("below the floor", "%d, not counted", (int)r->n_lost);
    cli_row("on the floor", "%d", (int)r->n_base);
    cli_row("height", "%-10.4g m, %.3g diameters", r->height, r->height / j->diameter);
    cli_row("mean radius", "%-10.4g m, %.3g diameters", r->mean_radius,
            r->mean_radius / j->diameter);
    print_slope(r);
    print_contacts(j);
}

static void print_json(const job* j)
{
    const scree_repose* r = &j->repose;
    cli_json json = {.out = stdout};
    cli_json_object(&json, NULL);
    cli_json_text(&json, "recording", j->options->run);
    cli_json_integer(&json, "frame", j->index);
    cli_json_real(&json, "time", j->frame.time);
    cli_json_integer(&json, "spheres", j->heap.n);
    cli_json_real(&json, "diameter", j->diameter);
    cli_json_integer(&json, "lost", r->n_lost);
    cli_json_integer(&json, "base", r->n_base);
    cli_json_real(&json, "height", r->height);
    cli_json_real(&json, "height_diameters", r->height / j->diameter);
    cli_json_real(&json, "mean_radius", r->mean_radius);
    cli_json_reals(&json, "axis", r->axis, CLI_COUNT(r->axis));
    cli_json_real(&json, "angle_degrees", r->angle / SCREE_DEGREE);
    cli_json_real(&json, "angle_error_degrees", r->angle_error / SCREE_DEGREE);
    cli_json_reals(&json, "profile_radius", r->profile_radius, SCREE_REPOSE_BINS);
    cli_json_reals(&json, "profile_height", r->profile_height, SCREE_REPOSE_BINS);
    cli_json_integer(&json, "flank_begin", r->flank_begin);
    cli_json_integer(&json, "flank_end", r->flank_end);
    cli_json_real(&json, "flank_height", r->flank_height);
    cli_json_real(&json, "packing_fraction", r->packing_fraction);
    cli_json_integer(&json, "contacts", j->heap.n_contacts);
    cli_json_real(&json, "coordination", r->coordination);
    cli_json_count(&json, "rattlers", r->n_rattlers);
    cli_json_real(&json, "gap_mean", r->gap_mean);
    cli_json_real(&json, "force_mean", r->force_mean);
    cli_json_reals(&json, "force_quantile", r->force_quantile, CLI_COUNT(r->force_quantile));
    cli_json_reals(&json, "force_density", r->force_density, SCREE_REPOSE_BINS);
    cli_json_end(&json);
}

static void release(job* j)
{
    free(j->sphere);
    free(j->radius);
    free(j->position);
    free(j->pair);
    free(j->normal);
    cli_close_recording(&j->recorded);
}

int cli_repose(int argc, char** argv)
{
    repose_options o = {.frame = -1, .time = (double)NAN};
    int code;
    if (!cli_parse(&syntax, argc, argv, &o, &code)) return code;
    if (o.frame >= 0 && o.time >= 0.0) {
        return cli_usage_error(syntax.verb, "--frame or --time, not both");
    }
    job j = {.options = &o, .host = {.verb = syntax.verb}};
    code = cli_open_recording(&j.host, o.run, &j.recorded);
    if (code == CLI_DONE) code = measure(&j);
    if (code == CLI_DONE && o.json) print_json(&j);
    if (code == CLI_DONE && !o.json) print_table(&j);
    release(&j);
    return code;
}
