#include "cli/lcp.h"
#include "cli/parameters.h"
#include "cli/plot.h"
#include "cli/report.h"
#include "cli/table_file.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ITEM(name_, value_, meaning_) \
    {.name = #name_, .meaning = (meaning_), .offset = offsetof(scree_example_parameters, name_)},
static const cli_parameter items[] = {SCREE_EXAMPLE_FIELDS(ITEM)};
#undef ITEM
static const cli_parameters parameters = {.of = "an example", .n = CLI_COUNT(items), .item = items};

enum { CONTACTS_MOST = 8, CHANGES_MOST = 200, CHANGES_SHOWN = 12, NAME_SIZE = 24, SWEEP = 241 };

static const char* const mode_names[] = {"open", "sticks", "slides"};
static const char* const chain_names[] = {"first foot", "first knee", "middle foot", "second knee",
                                          "last foot"};

/* A contact whose mode has changed. */
typedef struct change {
    double time;
    int32_t contact;
    uint8_t from, to;
} change;

typedef struct job {
    const cli_lcp_options* options;
    cli_host host;
    scree_example_parameters parameters;
    scree_example_store store;
    double rho[CONTACTS_MOST], none[CONTACTS_MOST];
    scree_polyhedral_report with, without; /* phantom inertia, at a quarter of the period */
    scree_polyhedral_ranks ranks;          /* at the same time */
    double chosen;                         /* rho of contact 0 */
    size_t n, n_samples;                   /* taken, and room for */
    double *time, *drive, *friction, *limit, *foot; /* [n_samples]; foot: [3 n_samples] */
    double worst;                                   /* error of (8) */
    int64_t events;
    int n_changes; /* the first of them are kept */
    change changes[CHANGES_MOST];
    bool solved;
} job;

/* ---- ranks ---- */

static scree_status examine(job* j, const double* rho, scree_polyhedral_report* report,
                            double* chosen)
{
    scree_env env = cli_env(&j->host);
    scree_polyhedral_def def = j->store.def;
    scree_polyhedral* p = NULL;
    def.rho = rho;
    def.check = 1;
    scree_status status = scree_polyhedral_create(&env, &def, 0.25 * j->parameters.period,
                                                  j->store.q, j->store.u, &p);
    if (status == SCREE_OK) status = scree_polyhedral_evaluate(p, report);
    if (status == SCREE_OK && chosen) *chosen = scree_polyhedral_get_view(p).rho[0];
    if (status == SCREE_OK && report == &j->with) {
        status = scree_polyhedral_find_ranks(p, j->options->step, &j->ranks);
    }
    scree_polyhedral_destroy(p);
    return status;
}

static int prepare(job* j)
{
    const cli_lcp_options* o = j->options;
    scree_env env = cli_env(&j->host);
    j->parameters = scree_default_example_parameters(o->example);
    int code = cli_set_parameters(cli_lcp_verb, &parameters, &o->settings, &j->parameters);
    if (code != CLI_DONE) return code;
    scree_status status =
        scree_polyhedral_example_make(&env, o->example, &j->parameters, &j->store);
    if (status != SCREE_OK) return cli_refuse(&j->host, status);
    scree_polyhedral_def* def = &j->store.def;
    def->directions = (int32_t)o->directions;
    def->compliance = o->compliance;
    def->method = (scree_lcp_method)o->solver;
    def->tol = o->tol;
    if (o->redundancy >= 0) def->redundancy = (scree_redundancy)o->redundancy;
    for (int c = 0; c < CONTACTS_MOST; ++c) j->rho[c] = o->rho;
    if (!isnan(o->rho)) def->rho = j->rho;
    status = examine(j, def->rho, &j->with, &j->chosen);
    if (status == SCREE_OK) status = examine(j, j->none, &j->without, NULL);
    if (status != SCREE_OK) return cli_refuse(&j->host, status);
    double steps = ceil(o->until / o->step);
    if (!(steps <= 1e7)) return cli_usage_error(cli_lcp_verb, "%g steps are too many", steps);
    j->n_samples = (size_t)steps + 1;
    j->time = calloc(7 * j->n_samples, sizeof(double));
    if (!j->time) return cli_refuse(&j->host, SCREE_ERROR_MEMORY);
    j->drive = j->time + j->n_samples;
    j->friction = j->drive + j->n_samples;
    j->limit = j->friction + j->n_samples;
    j->foot = j->limit + j->n_samples;
    return CLI_DONE;
}

/* ---- motion ---- */

/* Time and drive, the state, then of every contact its mode, forces, and kappa and sigma of every
 * line. */
static int count_columns(const scree_polyhedral_view* v)
{
    return 2 + 3 * v->n + v->n_contacts + v->n_rows + 4 * v->n_lines;
}

static void name_columns(const scree_polyhedral_view* v, char* text, size_t size)
{
    static const char* const lines[] = {"kappa_plus", "kappa_minus", "sigma_minus", "sigma_plus"};
    static const char* const rows[] = {"n", "t1_", "t2_"};
    size_t used = (size_t)snprintf(text, size, "t,drive");
    for (int i = 0; i < 3 * v->n; ++i) {
        used += (size_t)snprintf(text + used, size - used, ",%c%d", "qua"[i / v->n], i % v->n);
    }
    for (int c = 0; c < v->n_contacts; ++c) {
        used += (size_t)snprintf(text + used, size - used, ",mode%d", c);
        for (int i = 0; i < 3 && i < v->row[c + 1] - v->row[c]; ++i) {
            used += (size_t)snprintf(text + used, size - used, ",%s%d", rows[i], c);
        }
        for (int i = 0; i < 4 * (v->line[c + 1] - v->line[c]); ++i) {
            used += (size_t)snprintf(text + used, size - used, ",%s%d_%d", lines[i % 4], c, i / 4);
        }
    }
}

static void write_line(cli_table_file* table, const scree_polyhedral_view* v, double drive)
{
    double* values = calloc((size_t)count_columns(v), sizeof *values);
    if (!values) return;
    const double* lines[] = {v->kappa_plus, v->kappa_minus, v->sigma_minus, v->sigma_plus};
    const double* state[] = {v->q, v->u, v->acceleration};
    int n = 2;
    values[0] = v->time;
    values[1] = drive;
    for (int i = 0; i < 3 * v->n; ++i) values[n++] = state[i / v->n][i % v->n];
    for (int c = 0; c < v->n_contacts; ++c) {
        values[n++] = v->mode[c];
        for (int i = v->row[c]; i < v->row[c + 1]; ++i) values[n++] = v->force[i];
        for (int i = 4 * v->line[c]; i < 4 * v->line[c + 1]; ++i) values[n++] = lines[i % 4][i / 4];
    }
    cli_table_line(table, values, n);
    free(values);
}

/* What the figures show: the total friction and its limit, or how far the feet have come. */
static void sample(job* j, const scree_polyhedral_view* v)
{
    size_t i = j->n++;
    double sum[2] = {0.0, 0.0};
    j->time[i] = v->time;
    j->drive[i] = scree_polyhedral_example_drive(j->options->example, &j->parameters, v->time);
    for (int c = 0; c < v->n_contacts; ++c) {
        const double* force = v->force + v->row[c];
        for (int d = 1; d < 3 && d < v->row[c + 1] - v->row[c]; ++d) sum[d - 1] += force[d];
        j->limit[i] += j->parameters.mu * force[0];
    }
    j->friction[i] = hypot(sum[0], sum[1]);
    if (j->options->example != SCREE_EXAMPLE_CHAIN) return;
    for (size_t foot = 0; foot < 3; ++foot) {
        double* way = j->foot + foot * j->n_samples;
        way[i] = i == 0 ? 0.0 : way[i - 1] + j->options->step * v->velocity[4 * foot + 1];
    }
}

static void note_changes(job* j, const scree_polyhedral_view* v, uint8_t* before)
{
    for (int32_t c = 0; c < v->n_contacts; ++c) {
        if (before[c] != v->mode[c]) {
            if (j->n_changes < CHANGES_MOST) {
                j->changes[j->n_changes] = (change){v->time, c, before[c], v->mode[c]};
            }
            ++j->n_changes;
        }
        before[c] = v->mode[c];
    }
}

static int move(job* j, scree_polyhedral* p)
{
    uint8_t before[CONTACTS_MOST];
    cli_table_file table;
    cli_watch watch;
    scree_polyhedral_report report;
    scree_polyhedral_view v = scree_polyhedral_get_view(p);
    size_t room = NAME_SIZE * (size_t)count_columns(&v);
    char* columns = malloc(room);
    if (!columns) return cli_refuse(&j->host, SCREE_ERROR_MEMORY);
    name_columns(&v, columns, room);
    int code = cli_table_begin(&table, cli_lcp_verb, j->options->output, columns);
    free(columns);
    if (code != CLI_DONE) return code;
    memcpy(before, v.mode, (size_t)v.n_contacts);
    scree_status status = scree_polyhedral_evaluate(p, &report);
    cli_watch_begin(&watch, cli_lcp_verb);
    while (status == SCREE_OK && report.solved) {
        v = scree_polyhedral_get_view(p);
        sample(j, &v);
        note_changes(j, &v, before);
        write_line(&table, &v, j->drive[j->n - 1]);
        j->worst = fmax(j->worst, report.error);
        if (j->n >= j->n_samples || cli_watch_interrupted()) break;
        if (cli_watch_due(&watch)) cli_watch_show(&watch, "%.3g s of the motion", v.time);
        status = scree_polyhedral_advance(p, j->options->step, &report);
    }
    cli_watch_end(&watch);
    j->solved = status == SCREE_OK && report.solved;
    j->events = v.n_events;
    code = cli_table_end(&table, code);
    return status == SCREE_OK ? code : cli_refuse(&j->host, status);
}

static int simulate(job* j)
{
    scree_env env = cli_env(&j->host);
    scree_polyhedral* p = NULL;
    scree_status status =
        scree_polyhedral_create(&env, &j->store.def, 0.0, j->store.q, j->store.u, &p);
    if (status != SCREE_OK) return cli_refuse(&j->host, status);
    int code = move(j, p);
    scree_polyhedral_destroy(p);
    return code;
}

/* ---- reports ---- */

static void print_spectrum(const char* label, const scree_spectrum* s)
{
    cli_row(label, "rank %d of %d, singular values %.3g to %.3g", (int)s->rank, (int)s->size,
            s->smallest, s->largest);
}

/* Why the accelerations of a state were not found. */
static void print_refusal(const job* j, const scree_polyhedral_report* r)
{
    bool redundant =
        j->store.def.redundancy == SCREE_REDUNDANCY_REFUSE && r->tangent_rank < r->tangent_rows;
    cli_row("status", "%snot solved%s: %s", cli_paint(CLI_BAD), cli_paint(CLI_PLAIN),
            redundant ? "the contacts are redundant" : scree_lcp_outcome_text((int)r->lcp.outcome));
    if (redundant) cli_row("", "--redundancy least or relax solves it");
}

static void print_contact(const job* j, const change* c, const char* label)
{
    bool named = j->options->example == SCREE_EXAMPLE_CHAIN;
    cli_row(label, "%8.4f s  contact %d%s%s%s %s", c->time, (int)c->contact, named ? " (" : "",
            named ? chain_names[c->contact] : "", named ? ")" : "", mode_names[c->to]);
}

static void print_motion(const job* j)
{
    cli_heading("motion");
    if (j->n == 0) {
        cli_row("time", "none: the beginning is not solved");
        return;
    }
    cli_row("time", "%zu steps to %g s", j->n - 1, j->time[j->n - 1]);
    if (!j->solved) cli_row("", "there it ends: not solved");
    cli_row("equation (8)", "solved to %.1e", j->worst);
    cli_row("impulses", "%" PRId64 ", of contacts that stop or close", j->events);
    if (j->n_changes == 0) cli_row("transitions", "none");
    for (int i = 0; i < j->n_changes && i < CHANGES_SHOWN; ++i) {
        print_contact(j, &j->changes[i], i ? "" : "transitions");
    }
    if (j->n_changes > CHANGES_SHOWN) cli_row("", "and %d more", j->n_changes - CHANGES_SHOWN);
}

static void print_ranks(const scree_polyhedral_ranks* r)
{
    const struct {
        const char* label;
        const scree_spectrum* form;
    } forms[] = {{"Glocker, rho = 0", r->glocker},
                 {"Stewart, Trinkle", r->stewart_trinkle},
                 {"Anitescu, Potra", r->anitescu_potra},
                 {"phantom inertia", r->phantom}};
    cli_row("formulations", "whole matrix, and without the accelerations");
    for (int i = 0; i < CLI_COUNT(forms); ++i) {
        const scree_spectrum* s = forms[i].form;
        char reduced[64] = "-";
        if (s[1].size > 0) {
            snprintf(reduced, sizeof reduced, "rank %3d of %3d, %3d lost", (int)s[1].rank,
                     (int)s[1].size, (int)(s[1].size - s[1].rank));
        }
        cli_row("", "%-18s rank %3d of %3d, %3d lost; %s", forms[i].label, (int)s[0].rank,
                (int)s[0].size, (int)(s[0].size - s[0].rank), reduced);
    }
}

static void print_table(const job* j)
{
    const scree_polyhedral_report* r = &j->with;
    cli_row("example", "%s", scree_polyhedral_example_name(j->options->example));
    cli_print_parameters(&parameters, &j->parameters);
    cli_heading("at a quarter of the period");
    cli_row("contacts", "%d closed, %d rows of rank %d, %d tangential ones of rank %d",
            (int)r->n_closed, (int)r->rows, (int)r->rank, (int)r->tangent_rows,
            (int)r->tangent_rank);
    cli_row("redundancy", "%s", scree_redundancy_name((int)j->store.def.redundancy));
    if (r->solved) {
        cli_row("phantom inertia", "%-10.4g kg, margin %.3g", j->chosen, r->margin);
        print_spectrum("equation (8)", &r->lead);
        print_spectrum("  without rho", &j->without.lead);
    }
    if (r->solved && r->reduced.size > 0) {
        print_spectrum("reduced LCP", &r->reduced);
        print_spectrum("  without rho", &j->without.reduced);
    }
    print_ranks(&j->ranks);
    if (r->solved) {
        cli_row("accelerations", "%s: two solutions differ by %.1e",
                r->unique ? "unique" : "not unique", r->acceleration_spread);
        cli_row("forces", "%s: they differ by %.1e", r->rank < r->rows ? "not unique" : "unique",
                r->force_spread);
    } else {
        print_refusal(j, r);
    }
    print_motion(j);
}

static void write_spectrum(cli_json* json, const char* key, const scree_spectrum* s)
{
    cli_json_object(json, key);
    cli_json_integer(json, "size", s->size);
    cli_json_integer(json, "rank", s->rank);
    cli_json_real(json, "smallest", s->smallest);
    cli_json_real(json, "largest", s->largest);
    cli_json_end(json);
}

static void write_forms(cli_json* json, const char* key, const scree_spectrum form[2])
{
    cli_json_object(json, key);
    write_spectrum(json, "whole", &form[0]);
    write_spectrum(json, "reduced", &form[1]);
    cli_json_end(json);
}

static void print_json(const job* j)
{
    cli_json json = {.out = stdout};
    const scree_polyhedral_report* r = &j->with;
    cli_json_object(&json, NULL);
    cli_json_text(&json, "example", scree_polyhedral_example_name(j->options->example));
    cli_json_parameters(&json, &parameters, &j->parameters);
    cli_json_boolean(&json, "solved", r->solved != 0 && j->solved);
    cli_json_integer(&json, "rows", r->rows);
    cli_json_integer(&json, "rank", r->rank);
    cli_json_integer(&json, "tangent_rows", r->tangent_rows);
    cli_json_integer(&json, "tangent_rank", r->tangent_rank);
    cli_json_real(&json, "rho", j->chosen);
    cli_json_real(&json, "rho_margin", r->margin);
    write_spectrum(&json, "equation_8", &r->lead);
    write_spectrum(&json, "equation_8_without_rho", &j->without.lead);
    write_spectrum(&json, "reduced", &r->reduced);
    write_spectrum(&json, "reduced_without_rho", &j->without.reduced);
    cli_json_object(&json, "ranks");
    write_forms(&json, "glocker", j->ranks.glocker);
    write_forms(&json, "stewart_trinkle", j->ranks.stewart_trinkle);
    write_forms(&json, "anitescu_potra", j->ranks.anitescu_potra);
    write_forms(&json, "phantom", j->ranks.phantom);
    cli_json_end(&json);
    cli_json_boolean(&json, "acceleration_unique", r->unique != 0);
    cli_json_real(&json, "acceleration_spread", r->acceleration_spread);
    cli_json_real(&json, "force_spread", r->force_spread);
    cli_json_integer(&json, "steps", j->n ? (int64_t)j->n - 1 : 0);
    cli_json_integer(&json, "events", j->events);
    cli_json_real(&json, "error", j->n ? j->worst : (double)NAN);
    cli_json_array(&json, "transitions");
    for (int i = 0; i < j->n_changes && i < CHANGES_MOST; ++i) {
        cli_json_object(&json, NULL);
        cli_json_real(&json, "time", j->changes[i].time);
        cli_json_integer(&json, "contact", j->changes[i].contact);
        cli_json_text(&json, "from", mode_names[j->changes[i].from]);
        cli_json_text(&json, "to", mode_names[j->changes[i].to]);
        cli_json_end(&json);
    }
    cli_json_end(&json);
    cli_json_end(&json);
}

/* ---- figures ---- */

/* The smallest singular value of (8) over rho, for the directions asked for, half and a quarter. */
static int draw_spectrum(job* j)
{
    static double rho[SWEEP], smallest[SWEEP];
    double all[CONTACTS_MOST], chosen[3] = {0.0}, at[3] = {0.0};
    cli_plot* plot = cli_plot_begin(&(cli_plot_def){.title = "Phantom inertia keeps (8) regular",
                                                    .x_label = "phantom inertia rho, kg",
                                                    .y_label = "smallest singular value of (8)",
                                                    .log_x = 1,
                                                    .log_y = 1});
    int n = 0;
    scree_status status = SCREE_OK;
    for (int32_t k = j->store.def.directions; k >= 2 && n < 3; k /= 2, ++n) {
        scree_polyhedral_report report = {.solved = 0};
        char label[32];
        j->store.def.directions = k;
        status = examine(j, NULL, &report, &chosen[n]);
        at[n] = report.lead.smallest;
        for (int i = 0; i < SWEEP && status == SCREE_OK; ++i) {
            rho[i] = j->parameters.mass * pow(10.0, -2.0 + 4.5 * i / (SWEEP - 1));
            for (int c = 0; c < CONTACTS_MOST; ++c) all[c] = rho[i];
            status = examine(j, all, &report, NULL);
            smallest[i] = report.lead.smallest;
        }
        snprintf(label, sizeof label, "k = %d", (int)k);
        cli_plot_add(plot, CLI_PLOT_LINE, label, SWEEP, rho, smallest);
    }
    cli_plot_add(plot, CLI_PLOT_POINTS, "chosen", (size_t)n, chosen, at);
    int code = cli_plot_end(plot, j->options->svg);
    return status == SCREE_OK ? code : cli_refuse(&j->host, status);
}

static int draw_forces(const job* j)
{
    cli_plot* plot = cli_plot_begin(&(cli_plot_def){
        .title = "A block pushed and let go", .x_label = "time, s", .y_label = "force, N"});
    cli_plot_add(plot, CLI_PLOT_LINE, "push", j->n, j->time, j->drive);
    cli_plot_add(plot, CLI_PLOT_LINE, "friction, total", j->n, j->time, j->friction);
    cli_plot_add(plot, CLI_PLOT_DASHED, "static limit mu N", j->n, j->time, j->limit);
    return cli_plot_end(plot, j->options->svg);
}

static int draw_feet(const job* j)
{
    char label[64];
    cli_plot* plot = cli_plot_begin(&(cli_plot_def){
        .title = "Feet of a driven chain", .x_label = "time, s", .y_label = "way of the foot, m"});
    for (int i = 0; i < 3; ++i) {
        snprintf(label, sizeof label, "contact %d (%s)", 2 * i, chain_names[2 * i]);
        cli_plot_add(plot, CLI_PLOT_LINE, label, j->n, j->time, j->foot + (size_t)i * j->n_samples);
    }
    return cli_plot_end(plot, j->options->svg);
}

/* Of the line that is nearest to the push, while it grows on a body at rest. */
typedef struct transition {
    double push[SWEEP], friction[SWEEP], limit[SWEEP];
    double plus[SWEEP], minus[SWEEP], inertia[SWEEP]; /* sigma+, sigma-, rho (kappa+ + kappa-) */
} transition;

static scree_status follow_transition(job* j, transition* t)
{
    scree_status status = SCREE_OK;
    for (int i = 0; i < SWEEP && status == SCREE_OK; ++i) {
        scree_example_store store = {.memory = NULL};
        scree_example_parameters at = j->parameters;
        scree_polyhedral_report report;
        scree_polyhedral* p = NULL;
        scree_env env = cli_env(&j->host);
        at.force = 1.5 * j->parameters.mu * at.mass * at.gravity * i / (SWEEP - 1);
        status = scree_polyhedral_example_make(&env, j->options->example, &at, &store);
        if (status != SCREE_OK) return status;
        store.def.directions = j->store.def.directions;
        store.def.redundancy = j->store.def.redundancy;
        store.def.rho = j->store.def.rho;
        status = scree_polyhedral_create(&env, &store.def, 0.5 * at.period, store.q, store.u, &p);
        if (status == SCREE_OK) status = scree_polyhedral_evaluate(p, &report);
        if (status == SCREE_OK) {
            scree_polyhedral_view v = scree_polyhedral_get_view(p);
            double angle = at.angle * SCREE_PI / 180.0, k = store.def.directions;
            int32_t line = ((int32_t)lround(angle * k / SCREE_PI) % store.def.directions +
                            store.def.directions) %
                           store.def.directions;
            double e[2] = {cos(line * SCREE_PI / k), sin(line * SCREE_PI / k)};
            t->push[i] = at.force;
            t->friction[i] = e[0] * v.force[1] + e[1] * v.force[2];
            t->limit[i] = -at.mu * v.force[0];
            t->plus[i] = v.sigma_plus[line];
            t->minus[i] = v.sigma_minus[line];
            t->inertia[i] = v.rho[0] * (v.kappa_plus[line] + v.kappa_minus[line]);
        }
        scree_polyhedral_destroy(p);
        scree_example_store_release(&store);
    }
    return status;
}

static int draw_transition(job* j)
{
    static transition t;
    scree_status status = follow_transition(j, &t);
    if (status != SCREE_OK) return cli_refuse(&j->host, status);
    cli_plot* plot = cli_plot_begin(&(cli_plot_def){.title = "From stick to slip along one line",
                                                    .x_label = "push, N",
                                                    .y_label = "force of a contact, N"});
    cli_plot_add(plot, CLI_PLOT_LINE, "e . lambda_t", SWEEP, t.push, t.friction);
    cli_plot_add(plot, CLI_PLOT_DASHED, "-mu lambda_n", SWEEP, t.push, t.limit);
    cli_plot_add(plot, CLI_PLOT_LINE, "sigma-", SWEEP, t.push, t.minus);
    cli_plot_add(plot, CLI_PLOT_LINE, "sigma+", SWEEP, t.push, t.plus);
    cli_plot_add(plot, CLI_PLOT_LINE, "rho (kappa+ + kappa-)", SWEEP, t.push, t.inertia);
    return cli_plot_end(plot, j->options->svg);
}

static int draw(job* j)
{
    if (j->options->figure == 1) return draw_transition(j);
    if (j->options->example == SCREE_EXAMPLE_MASS) return draw_spectrum(j);
    return j->options->example == SCREE_EXAMPLE_BLOCK ? draw_forces(j) : draw_feet(j);
}

int cli_lcp_example(const cli_lcp_options* options)
{
    job j = {.options = options, .host = {.verb = cli_lcp_verb}};
    int code = prepare(&j);
    if (code == CLI_DONE) code = simulate(&j);
    if (code == CLI_DONE && options->json) print_json(&j);
    if (code == CLI_DONE && !options->json) print_table(&j);
    if (code == CLI_DONE && options->svg && j.n > 0) code = draw(&j);
    if (code == CLI_DONE && !(j.with.solved && j.solved)) code = CLI_FAILED;
    free(j.time);
    scree_example_store_release(&j.store);
    return code;
}
