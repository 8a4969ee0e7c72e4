/* scree stability belt: unstable directions of the belt, critical rotations of the force set. */
#include "cli/host.h"
#include "cli/plot.h"
#include "cli/report.h"
#include "cli/stability.h"
#include "cli/watch.h"

#include <math.h>
#include <stdlib.h>

enum { RANGES = 8 };

/* One simulated direction. */
typedef struct point {
    double phi; /* degrees */
    scree_belt_equilibrium rest;
    scree_belt_cycle cycle;
} point;

typedef struct job {
    const cli_stability_options* options;
    cli_host host;
    cli_belt belt;
    int32_t n_ranges, n_critical;
    double range[2 * RANGES], critical[RANGES]; /* degrees */
    scree_belt_equilibrium rest;
    int n_points;
    point* points;
    int64_t not_converged;
    double residual;
    cli_watch watch;
    scree_belt_pair pair[2]; /* under the belt's law, and under the associated one of the same C */
    size_t n_samples[2], room;
    double *time, *distance[2]; /* [room] of the pairs */
    scree_belt_slips slips[2];  /* by a table of the map, and by a finer one */
} job;

static int analyse(job* j)
{
    scree_env env = cli_env(&j->host);
    const scree_belt_def* def = &j->belt.def;
    scree_status status = scree_belt_ranges(&env, def, RANGES, j->range, &j->n_ranges);
    if (!status) status = scree_belt_critical(&env, def, RANGES, j->critical, &j->n_critical);
    if (!status) status = scree_belt_analyse(&env, def, &j->rest);
    if (status) return cli_refuse(&j->host, status);
    if (j->n_ranges > RANGES) j->n_ranges = RANGES;
    if (j->n_critical > RANGES) j->n_critical = RANGES;
    for (int32_t i = 0; i < 2 * j->n_ranges; ++i) j->range[i] /= SCREE_DEGREE;
    for (int32_t i = 0; i < j->n_critical; ++i) j->critical[i] /= SCREE_DEGREE;
    return CLI_DONE;
}

/* ---- simulation of many directions ----------------------------------------------------------- */

static int look(void* user, const scree_belt_sample* s)
{
    job* j = user;
    if (cli_watch_due(&j->watch)) {
        cli_watch_show(&j->watch, "direction %d of %d, %.0f s simulated", j->n_points + 1,
                       (int)j->options->simulate, s->time);
    }
    return cli_watch_interrupted();
}

static void print_point(const point* p)
{
    const scree_belt_cycle* c = &p->cycle;
    printf("  %8.3f  %-11s  %10.5g %10.5g  %10.5g %10.5g\n", p->phi, cli_belt_outcome(c->outcome),
           c->least[0], c->most[0], c->least[1], c->most[1]);
    fflush(stdout);
}

/* One direction; the watch is open only meanwhile, so that its line does not stand in the table. */
static scree_status simulate_one(job* j, point* p)
{
    scree_belt_def def = j->belt.def;
    scree_env env = cli_env(&j->host);
    def.phi = p->phi * SCREE_DEGREE;
    cli_watch_begin(&j->watch, j->options->verb);
    scree_status status = scree_belt_analyse(&env, &def, &p->rest);
    if (!status) status = scree_belt_simulate(&env, &def, look, j, &p->cycle);
    cli_watch_end(&j->watch);
    return status;
}

/* From 0 to 90 degrees, where the figure of the paper shows them. */
static int simulate(job* j)
{
    int n = (int)j->options->simulate;
    if (!j->options->json) {
        cli_heading("simulated: phi in degrees, least and most x and y in m");
        fflush(stdout);
    }
    j->points = malloc((size_t)n * sizeof *j->points);
    if (!j->points) return cli_refuse(&j->host, SCREE_ERROR_MEMORY);
    for (j->n_points = 0; j->n_points < n; ++j->n_points) {
        point* p = &j->points[j->n_points];
        p->phi = 90.0 * (j->n_points + 0.5) / n;
        scree_status status = simulate_one(j, p);
        if (status) return cli_refuse(&j->host, status);
        if (p->cycle.outcome == SCREE_BELT_INTERRUPTED) return CLI_FAILED;
        if (!j->options->json) print_point(p);
        j->not_converged += p->cycle.not_converged;
        j->residual = fmax(j->residual, p->cycle.residual);
    }
    return CLI_DONE;
}

/* ---- two motions ----------------------------------------------------------------------------- */

static void keep_distance(void* user, double time, double v)
{
    job* j = user;
    size_t law = j->n_samples[0] < j->room ? 0 : 1, i = j->n_samples[law]++;
    if (i >= j->room) return;
    j->time[i] = time;
    j->distance[law][i] = v;
}

static int follow_pairs(job* j)
{
    const scree_belt_def* def = &j->belt.def;
    scree_belt_pair_def pair = {.other = {0.0, 0.05 * def->semi_axis[0] / def->stiffness},
                                .duration = j->options->pair,
                                .watch = keep_distance,
                                .user = j};
    scree_env env = cli_env(&j->host);
    double steps = ceil(j->options->pair / def->step);
    if (!(steps <= 1e7)) return cli_usage_error(j->host.verb, "%g steps are too many", steps);
    j->room = (size_t)steps;
    j->time = calloc(3 * j->room, sizeof *j->time);
    if (!j->time) return cli_refuse(&j->host, SCREE_ERROR_MEMORY);
    for (int i = 0; i < 2; ++i) j->distance[i] = j->time + (size_t)(i + 1) * j->room;
    scree_status status = SCREE_OK;
    for (pair.associated = 0; pair.associated < 2 && !status; ++pair.associated) {
        status = scree_belt_compare(&env, def, &pair, &j->pair[pair.associated]);
    }
    return status ? cli_refuse(&j->host, status) : CLI_DONE;
}

static const char* const pair_names[2] = {"law of the belt", "associated law"};

static void print_pairs(const job* j)
{
    cli_heading("two motions, V of eq. (78)");
    for (int i = 0; i < 2; ++i) {
        cli_row(pair_names[i], "%.6g J at first, %.6g at %g s, at most %.6g; it rises by %.3g",
                j->pair[i].first, j->pair[i].last, j->options->pair, j->pair[i].most,
                j->pair[i].rise);
    }
}

static void json_pairs(cli_json* json, const job* j)
{
    cli_json_array(json, "pairs");
    for (int i = 0; i < 2; ++i) {
        cli_json_object(json, NULL);
        cli_json_text(json, "law", i ? "associated" : "belt");
        cli_json_real(json, "first", j->pair[i].first);
        cli_json_real(json, "last", j->pair[i].last);
        cli_json_real(json, "most", j->pair[i].most);
        cli_json_real(json, "rise", j->pair[i].rise);
        cli_json_end(json);
    }
    cli_json_end(json);
}

static int draw_pairs(const job* j)
{
    cli_plot* plot = cli_plot_begin(&(cli_plot_def){.title = "Distance of two motions on the belt",
                                                    .x_label = "time, s",
                                                    .y_label = "V, J",
                                                    .log_y = 1});
    for (int i = 0; i < 2; ++i) {
        cli_plot_add(plot, CLI_PLOT_LINE, pair_names[i], j->room, j->time, j->distance[i]);
    }
    return cli_plot_end(plot, j->options->svg);
}

/* ---- slip after slip ------------------------------------------------------------------------- */

/* What a finer table does not confirm is not said. */
static int follow_slips(job* j)
{
    enum { NODES = 64 };
    scree_env env = cli_env(&j->host);
    scree_belt_slips* s = j->slips;
    for (int i = 0; i < 2; ++i) {
        scree_status status = scree_belt_follow_slips(&env, &j->belt.def, i ? 1e-9 : 1e-7,
                                                      i ? 2 * NODES : NODES, &s[i]);
        if (status) return cli_refuse(&j->host, status);
    }
    if (s[0].verdict != s[1].verdict || s[0].rounds != s[1].rounds) {
        s[1].verdict = SCREE_BELT_SLIPS_UNDECIDED;
    }
    return CLI_DONE;
}

static const char* const verdicts[] = {"they repeat", "they never repeat: irregular",
                                       "it slides on beyond the end", "undecided"};

static void print_slips(const job* j)
{
    const scree_belt_slips* s = &j->slips[1];
    cli_heading("slip after slip");
    cli_row("verdict", "%s", verdicts[s->verdict]);
    if (!isfinite(s->exponent)) return; /* nothing is known of their map */
    if (s->verdict == SCREE_BELT_SLIPS_REPEAT) {
        cli_row("cycle", "%d slip%s in %.6g s", (int)s->rounds, s->rounds > 1 ? "s" : "",
                s->period);
        cli_row("multiplier", "%.4g: what is left of a disturbance after it", s->multiplier);
    } else {
        cli_row("from slip to slip", "%.5g s in the mean", s->period);
    }
    if (s->halts > 0.0) {
        cli_row("halts", "%.3g per slip, under a force that does not hold", s->halts);
    }
    if (s->exponent_error > 0.0) {
        cli_row("Lyapunov exponent", "%.4f +- %.4f per slip (%.4f by half as many nodes)",
                s->exponent, s->exponent_error, j->slips[0].exponent);
    } else {
        cli_row("Lyapunov exponent", "%.4f per slip (%.4f by half as many nodes)", s->exponent,
                j->slips[0].exponent);
    }
}

static void json_slips(cli_json* json, const job* j)
{
    static const char* const names[] = {"repeat", "irregular", "end", "undecided"};
    const scree_belt_slips* s = &j->slips[1];
    cli_json_object(json, "slips");
    cli_json_text(json, "verdict", names[s->verdict]);
    cli_json_integer(json, "rounds", s->rounds);
    cli_json_real(json, "period", s->period);
    cli_json_real(json, "multiplier", s->multiplier);
    cli_json_real(json, "exponent", s->exponent);
    cli_json_real(json, "exponent_error", s->exponent_error);
    cli_json_real(json, "exponent_coarser", j->slips[0].exponent);
    cli_json_real(json, "halts", s->halts);
    cli_json_end(json);
}

/* ---- output ---------------------------------------------------------------------------------- */

static void print_table(const job* j)
{
    const scree_belt_equilibrium* e = &j->rest;
    const scree_belt_def* def = &j->belt.def;
    cli_row("force set", "semi-axes %g and %g N, turned by %g degrees", def->semi_axis[0],
            def->semi_axis[1], def->zeta / SCREE_DEGREE);
    for (int32_t i = 0; i < j->n_ranges; ++i) {
        cli_row(i == 0 ? "unstable phi" : "", "%.6f to %.6f degrees (and half a turn further)",
                j->range[2 * i], j->range[2 * i + 1]);
    }
    if (j->n_ranges == 0) cli_row("unstable phi", "none");
    for (int32_t i = 0; i < j->n_critical; ++i) {
        cli_row(i == 0 ? "critical zeta" : "", "%.6f degrees", j->critical[i]);
    }
    if (j->n_critical == 0) cli_row("critical zeta", "none from 0 to 90 degrees");
    cli_heading("equilibrium");
    cli_row("phi", "%g degrees", def->phi / SCREE_DEGREE);
    cli_row("position", "(%.6g, %.6g) m", e->position[0], e->position[1]);
    cli_row("mode", "grows by %.5g /s, %.5g rad/s: %s",
            cli_without_rounding(e->growth, e->frequency), e->frequency,
            e->is_unstable ? "unstable" : "stable");
    cli_row("eigenvalue of B", "%.5g N s/m", e->slope);
    cli_row("Proposition 10", "%s: tr(M^-1 B) = %.5g /s", e->by_trace ? "holds" : "does not hold",
            e->trace);
    cli_row("Proposition 11", "%s", e->by_slope ? "holds" : "does not hold");
    cli_row("Theorem 2", "%s", e->by_tangent ? "holds" : "does not hold");
    cli_row("Proposition 8", "%s: the sliding is %.5g of its length along the normal of C",
            e->zero_multiplicity == 2 ? "holds" : "does not hold", e->tangency);
    cli_row("D of (111)", "eigenvalues %.5g and %.5g N s/m", e->damping[0], e->damping[1]);
    cli_row("G of (111)", "%.5g N s/m", e->gyroscopic);
}

static void json_points(cli_json* json, const job* j)
{
    cli_json_array(json, "simulated");
    for (int i = 0; i < j->n_points; ++i) {
        const point* p = &j->points[i];
        const scree_belt_cycle* c = &p->cycle;
        const double x[2] = {c->least[0], c->most[0]}, y[2] = {c->least[1], c->most[1]};
        cli_json_object(json, NULL);
        cli_json_real(json, "phi_deg", p->phi);
        cli_json_boolean(json, "equilibrium_unstable", p->rest.is_unstable != 0);
        cli_json_reals(json, "equilibrium", p->rest.position, 2);
        cli_json_text(json, "outcome", cli_belt_outcome(c->outcome));
        cli_json_reals(json, "x", x, 2);
        cli_json_reals(json, "y", y, 2);
        cli_json_real(json, "period", c->period);
        cli_json_real(json, "stick_fraction", c->stick_fraction);
        cli_json_end(json);
    }
    cli_json_end(json);
}

static void print_json(const job* j)
{
    const scree_belt_equilibrium* e = &j->rest;
    cli_json json = {.out = stdout};
    cli_json_object(&json, NULL);
    cli_json_text(&json, "system", "belt");
    cli_json_parameters(&json, &cli_belt_parameters, &j->belt);
    cli_json_array(&json, "unstable_phi_deg");
    for (int32_t i = 0; i < j->n_ranges; ++i) cli_json_reals(&json, NULL, j->range + 2 * i, 2);
    cli_json_end(&json);
    cli_json_reals(&json, "critical_zeta_deg", j->critical, j->n_critical);
    cli_json_object(&json, "equilibrium");
    cli_json_reals(&json, "position", e->position, 2);
    cli_json_boolean(&json, "unstable", e->is_unstable != 0);
    cli_json_real(&json, "growth", e->growth);
    cli_json_real(&json, "frequency", e->frequency);
    cli_json_real(&json, "eigenvalue", e->slope);
    cli_json_real(&json, "trace", e->trace);
    cli_json_boolean(&json, "proposition_10", e->by_trace != 0);
    cli_json_boolean(&json, "proposition_11", e->by_slope != 0);
    cli_json_boolean(&json, "theorem_2", e->by_tangent != 0);
    cli_json_boolean(&json, "proposition_8", e->zero_multiplicity == 2);
    cli_json_real(&json, "tangency", e->tangency);
    cli_json_reals(&json, "damping", e->damping, 2);
    cli_json_real(&json, "gyroscopic", e->gyroscopic);
    cli_json_end(&json);
    if (j->options->pair > 0.0) json_pairs(&json, j);
    if (j->options->slips) json_slips(&json, j);
    if (j->options->simulate > 0) {
        json_points(&json, j);
        cli_json_integer(&json, "steps_not_converged", j->not_converged);
        cli_json_real(&json, "residual_max", j->residual);
    }
    cli_json_end(&json);
}

/* ---- figure ---------------------------------------------------------------------------------- */

/* x of the equilibrium against phi, where it is stable or where not. */
static void draw_equilibria(const job* j, cli_plot* plot, bool unstable)
{
    enum { N = 721 };
    double phi[N], x[N];
    scree_env env = cli_env(&(cli_host){.verb = j->host.verb});
    for (int i = 0; i < N; ++i) {
        scree_belt_def def = j->belt.def;
        scree_belt_equilibrium e;
        phi[i] = 90.0 * i / (N - 1);
        def.phi = phi[i] * SCREE_DEGREE;
        bool wanted = scree_belt_analyse(&env, &def, &e) == SCREE_OK;
        wanted = wanted && (e.is_unstable != 0) == unstable;
        x[i] = wanted ? e.position[0] : (double)NAN;
    }
    cli_plot_add(plot, unstable ? CLI_PLOT_DASHED : CLI_PLOT_LINE,
                 unstable ? "unstable equilibrium" : "stable equilibrium", N, phi, x);
}

static void draw_cycles(const job* j, cli_plot* plot)
{
    size_t n = (size_t)j->n_points;
    double* line = n > 0 ? malloc(3 * n * sizeof *line) : NULL;
    if (!line) return;
    for (size_t i = 0; i < n; ++i) {
        line[i] = j->points[i].phi;
        line[n + i] = j->points[i].cycle.least[0];
        line[2 * n + i] = j->points[i].cycle.most[0];
    }
    cli_plot_add(plot, CLI_PLOT_POINTS, "simulated motion, least and most x", n, line, line + n);
    cli_plot_again(plot, CLI_PLOT_POINTS, n, line, line + 2 * n);
    free(line);
}

static int draw(const job* j)
{
    cli_plot_def def = {.title = "mass on a belt: equilibria and limit cycles",
                        .x_label = "direction of the belt (degrees)",
                        .y_label = "x (m)"};
    cli_plot* plot = cli_plot_begin(&def);
    draw_equilibria(j, plot, false);
    draw_equilibria(j, plot, true);
    draw_cycles(j, plot);
    return cli_plot_end(plot, j->options->svg);
}

int cli_stability_belt(const cli_stability_options* options)
{
    job j = {.options = options, .host = {.verb = options->verb}, .belt = cli_default_belt()};
    int code = cli_set_parameters(options->verb, &cli_belt_parameters, &options->settings, &j.belt);
    if (code != CLI_DONE) return code;
    cli_host_turn_to(&j.host, "belt");
    code = analyse(&j);
    if (code == CLI_DONE && !options->json) print_table(&j);
    if (code == CLI_DONE && options->pair > 0.0) code = follow_pairs(&j);
    if (code == CLI_DONE && options->pair > 0.0 && !options->json) print_pairs(&j);
    if (code == CLI_DONE && options->slips) code = follow_slips(&j);
    if (code == CLI_DONE && options->slips && !options->json) print_slips(&j);
    if (code == CLI_DONE && options->simulate > 0) code = simulate(&j);
    if (code == CLI_DONE && options->json) print_json(&j);
    if (code == CLI_DONE && options->svg) code = (options->pair > 0.0 ? draw_pairs : draw)(&j);
    if (code == CLI_DONE && j.not_converged > 0) {
        cli_say(options->verb, "%lld steps missed the tolerance", (long long)j.not_converged);
        code = CLI_FAILED;
    }
    free(j.points);
    free(j.time);
    return code;
}
