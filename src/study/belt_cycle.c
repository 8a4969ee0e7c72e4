/* The mass on the belt in time: away from the equilibrium, until a cycle repeats itself.
 *
 * A round ends when the mass begins to slip or, while it does not stick, when it crosses the
 * equilibrium in the belt's direction. A cycle is one round, or several that return together. Once
 * rounds have about the size and the duration of those a cycle before, some more are let go,
 * because they approach the limit cycle only gradually; then some are measured. */
#include "base/compiler.h"
#include "study/belt.h"
#include "study/planar_block.h"

#include <math.h>

#define TOLERANCE 1e-10 /* of a step */
#define STICKS 1e-7     /* times the belt's speed: slower than that it sticks */
#define SETTLED 1e-3    /* relative change of a round's size and duration */
#define FORGOTTEN 0.5   /* of all the time: without sticking for so long it does not stick */

/* Rounds of a cycle at most, and those that are remembered. */
enum { MOST_ROUNDS = 8, KEPT = 2 * MOST_ROUNDS + 1 };

/* Rounds that approach one that returns by itself from both sides in turn look like a cycle of two
 * as well, but differ less and less: those of a cycle keep this much of their difference. */
#define KEEPS 0.98

/* Steady is what stays below GROWN times its start, or below SMALL times the force set over the
 * stiffness: close to instability a start along one direction grows before it settles. */
#define GROWN 3.0
#define SMALL 0.02

typedef struct extent {
    double least[2], most[2], slip_speed;
    int64_t steps, sticking;
} extent;

typedef struct tracker {
    const scree_belt_def* def;
    double equilibrium[2], along[2];
    int sticks;      /* in the last step */
    int has_stuck;   /* rounds are counted by the beginning of slip */
    double stuck_at; /* s, the last time */
    double ahead;    /* of the equilibrium in the belt's direction, m, after the last step */
    int64_t rounds;  /* so far, and size and duration of the last ones */
    double size[KEPT], duration[KEPT];
    int64_t settled[MOST_ROUNDS + 1]; /* [n] rounds in a row that were like the n-th before them */
    int stays[MOST_ROUNDS + 1];       /* [n] the last one is like one several cycles of n before */
    int n;                            /* of the cycle that is measured */
    double round_began;
    extent cycle;    /* since the last round ended */
    extent measured; /* since measuring began */
    extent late;     /* since half of the time has gone */
    int is_measuring;
    double began, ended; /* s, of what is measured */
    int is_done;
} tracker;

static extent no_extent(void)
{
    return (extent){.least = {SCREE_INFINITY, SCREE_INFINITY},
                    .most = {-SCREE_INFINITY, -SCREE_INFINITY}};
}

static void extend(extent* e, const scree_belt_sample* s)
{
    for (int i = 0; i < 2; ++i) {
        e->least[i] = fmin(e->least[i], s->position[i]);
        e->most[i] = fmax(e->most[i], s->position[i]);
    }
    e->slip_speed = fmax(e->slip_speed, hypot(s->slip[0], s->slip[1]));
    e->steps++;
    e->sticking += s->sticks;
}

static double size_of(const extent* e)
{
    return hypot(e->most[0] - e->least[0], e->most[1] - e->least[1]);
}

/* Nothing is known of rounds any more. */
static void begin_anew(tracker* t)
{
    t->rounds = 0;
    t->is_measuring = 0;
    for (int n = 1; n <= MOST_ROUNDS; ++n) t->settled[n] = 0;
}

/* Whether a round has the size and the duration of the last but `ago` - 1. */
static int is_like(const tracker* t, double size, double duration, int64_t ago)
{
    double slack = fmax(SETTLED * duration, 2.0 * t->def->step);
    int at = (int)((t->rounds + KEPT - ago) % KEPT);
    return t->rounds >= ago && fabs(size - t->size[at]) <= SETTLED * size &&
           fabs(duration - t->duration[at]) <= slack;
}

/* Compares a round with those before it. What changes slowly is like the one before, but not like
 * one long ago. */
static void settle(tracker* t, double size, double duration)
{
    for (int n = 1; n <= MOST_ROUNDS; ++n) {
        int64_t cycles = (KEPT - 1) / n;
        if (cycles > t->def->discard) cycles = t->def->discard;
        t->settled[n] = is_like(t, size, duration, n) ? t->settled[n] + 1 : 0;
        t->stays[n] = cycles == 0 || is_like(t, size, duration, n * cycles);
    }
    t->size[t->rounds % KEPT] = size;
    t->duration[t->rounds % KEPT] = duration;
    t->rounds++;
}

/* How much the last n rounds but `skip` differ from their neighbours. */
static double difference(const tracker* t, int n, int skip)
{
    double most = 0.0;
    for (int i = skip; i < skip + n; ++i) {
        int64_t last = t->rounds + KEPT - 1 - i;
        int at = (int)(last % KEPT), before = (int)((last - 1) % KEPT);
        most = fmax(most, fabs(t->size[at] / t->size[before] - 1.0) +
                              fabs(t->duration[at] / t->duration[before] - 1.0));
    }
    return most;
}

/* Whether the last rounds are a cycle of n. */
static int is_cycle(const tracker* t, int n)
{
    if (t->settled[n] < n * (int64_t)t->def->discard || t->rounds <= 2 * n) return 0;
    if (!t->stays[n]) return 0;
    return n == 1 || difference(t, n, 0) >= KEEPS * difference(t, n, n);
}

static void end_round(tracker* t, double time)
{
    settle(t, size_of(&t->cycle), time - t->round_began);
    t->cycle = no_extent();
    t->round_began = time;
    if (t->is_measuring && t->settled[t->n] == 0) t->is_measuring = 0; /* it had only seemed so */
    if (t->is_measuring) {
        t->is_done = t->settled[t->n] == t->n * (int64_t)t->def->measure;
        t->ended = time;
        return;
    }
    for (int n = 1; n <= MOST_ROUNDS && !t->is_measuring; ++n) {
        if (!is_cycle(t, n)) continue;
        t->is_measuring = 1;
        t->n = n;
        t->began = time;
        t->settled[n] = 0;
        t->measured = no_extent();
    }
}

/* After a step: whether a round ended with it. */
static void track(tracker* t, scree_belt_sample* s)
{
    double ahead = (s->position[0] - t->equilibrium[0]) * t->along[0] +
                   (s->position[1] - t->equilibrium[1]) * t->along[1];
    int slips_off = t->sticks && !s->sticks, crosses = t->ahead < 0.0 && ahead >= 0.0;
    extend(&t->cycle, s);
    extend(&t->measured, s);
    if (s->time >= 0.5 * t->def->end) extend(&t->late, s);
    if (s->sticks) t->stuck_at = s->time;
    int sticks_on = s->time - t->stuck_at <= FORGOTTEN * s->time && t->stuck_at > 0.0;
    if (sticks_on != t->has_stuck) {
        t->has_stuck = sticks_on;
        begin_anew(t);
    }
    s->is_measured = t->is_measuring;
    t->sticks = s->sticks;
    t->ahead = ahead;
    if (t->has_stuck ? slips_off : crosses) end_round(t, s->time);
}

static scree_belt_sample sample(const scree_system_view* view, const tracker* t)
{
    double h = t->def->step;
    double slow = STICKS * t->def->speed;
    return (scree_belt_sample){.time = view->time,
                               .position = {view->q[0], view->q[1]},
                               .velocity = {view->u[0], view->u[1]},
                               .force = {view->p[1] / h, view->p[2] / h},
                               .slip = {view->y[1], view->y[2]},
                               .sticks = hypot(view->y[1], view->y[2]) <= slow};
}

static scree_status run(scree_system* system, tracker* t, scree_belt_watch* watch, void* user,
                        scree_belt_cycle* out)
{
    out->outcome = SCREE_BELT_UNDECIDED;
    while (!t->is_done && out->time < t->def->end) {
        scree_system_report report;
        scree_status status = scree_system_step(system, &report);
        if (status) return status;
        scree_system_view view = scree_system_get_view(system);
        scree_belt_sample s = sample(&view, t);
        track(t, &s);
        out->time = view.time;
        out->steps = view.steps;
        out->residual = fmax(out->residual, report.residual);
        out->not_converged += report.solve.outcome != SCREE_OUTCOME_CONVERGED;
        if (!watch || !watch(user, &s)) continue;
        out->outcome = SCREE_BELT_INTERRUPTED;
        return SCREE_OK;
    }
    return SCREE_OK;
}

static void conclude(const tracker* t, scree_belt_cycle* out)
{
    const extent* e = t->is_done ? &t->measured : t->late.steps > 0 ? &t->late : &t->cycle;
    const scree_belt_def* def = t->def;
    double start = hypot(def->start[0], def->start[1]);
    double least = fmin(def->semi_axis[0], def->semi_axis[1]) / def->stiffness;
    int is_small = size_of(e) <= fmax(GROWN * start, SMALL * least) && e->sticking == 0;
    for (int i = 0; i < 2; ++i) {
        out->least[i] = e->least[i];
        out->most[i] = e->most[i];
    }
    out->slip_speed = e->slip_speed;
    out->stick_fraction = (double)e->sticking / (double)e->steps;
    if (out->outcome == SCREE_BELT_INTERRUPTED) return;
    if (is_small) {
        out->outcome = SCREE_BELT_STEADY;
    } else if (t->is_done) {
        out->outcome = SCREE_BELT_CYCLE;
        out->period = (t->ended - t->began) / (double)t->def->measure;
        out->rounds = t->n;
    }
}

scree_status scree_belt_simulate(const scree_env* env, const scree_belt_def* def,
                                 scree_belt_watch* watch, void* user, scree_belt_cycle* out)
{
    if (!def || !out) return SCREE_ERROR_ARGUMENT;
    *out = (scree_belt_cycle){.period = SCREE_NAN};
    scree_belt_equilibrium rest;
    scri_belt_sets sets;
    scree_system* system = NULL;
    scree_status status = scree_belt_analyse(env, def, &rest);
    if (status) return status;
    tracker t = {.def = def,
                 .equilibrium = {rest.position[0], rest.position[1]},
                 .along = {cos(def->phi), sin(def->phi)},
                 .cycle = no_extent(),
                 .measured = no_extent(),
                 .late = no_extent()};
    scri_planar_block block = {.mass = def->mass,
                               .gravity = def->gravity,
                               .stiffness = def->stiffness,
                               .belt = {def->speed * t.along[0], def->speed * t.along[1]},
                               .step = def->step,
                               .tol = TOLERANCE};
    const double q[2] = {rest.position[0] + def->start[0], rest.position[1] + def->start[1]};
    status = scri_belt_make_sets(env, def, &sets);
    block.forces = sets.forces;
    block.flow = sets.flow;
    if (!status) status = scri_planar_block_create(env, &block, q, (double[]){0.0, 0.0}, &system);
    if (!status) status = run(system, &t, watch, user, out);
    if (!status) conclude(&t, out);
    scree_system_destroy(system);
    scri_belt_release_sets(&sets);
    return status;
}
