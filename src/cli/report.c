#include "cli/report.h"

#include <stdarg.h>
#include <stdio.h>

enum { LABEL_WIDTH = 20 };

static const char* const row_names[SCREE_ROWS_END] = {
    [SCREE_ROWS_N] = "N",
    [SCREE_ROWS_NT] = "N T",
    [SCREE_ROWS_NTT] = "N T1 T2",
    [SCREE_ROWS_NTTS] = "N T1 T2 S",
    [SCREE_ROWS_NTTRR] = "N T1 T2 R1 R2",
    [SCREE_ROWS_NTTRRS] = "N T1 T2 R1 R2 S",
    [SCREE_ROWS_NTR] = "N T R",
};

void cli_row(const char* label, const char* format, ...)
{
    printf("%-*s", LABEL_WIDTH, label);
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    printf("\n");
}

void cli_heading(const char* text)
{
    printf("\n%s%s%s\n", cli_paint(CLI_BOLD), text, cli_paint(CLI_PLAIN));
}

/* The number that all contacts share, or -1. */
static int common_value(const uint8_t* values, int32_t n)
{
    for (int32_t c = 1; c < n; ++c) {
        if (values[c] != values[0]) return -1;
    }
    return n > 0 ? values[0] : -1;
}

int cli_common_rows(const scree_problem* problem)
{
    int rows = common_value(problem->rows, problem->n_contacts);
    return rows > 0 && rows < SCREE_ROWS_END ? rows : 0;
}

const char* cli_common_law(const scree_problem* problem)
{
    const char* name = scree_law_name(common_value(problem->law, problem->n_contacts));
    return name ? name : "mixed";
}

void cli_print_problem(const cli_loaded* loaded)
{
    const scree_problem* problem = &loaded->problem;
    int rows = cli_common_rows(problem);
    cli_row("file", "%s", loaded->path);
    cli_row("format", "%s", loaded->file.format);
    cli_row("contacts", "%d", (int)problem->n_contacts);
    if (rows) {
        cli_row("rows per contact", "%d (%s)", scree_rows_width(rows), row_names[rows]);
    } else {
        cli_row("rows per contact", "mixed, %d in all", (int)scree_problem_n_rows(problem));
    }
    cli_row("law", "%s", cli_common_law(problem));
}

void cli_json_problem(cli_json* json, const cli_loaded* loaded)
{
    const scree_problem* problem = &loaded->problem;
    int rows = cli_common_rows(problem);
    cli_json_text(json, "file", loaded->path);
    cli_json_text(json, "format", loaded->file.format);
    cli_json_integer(json, "contacts", problem->n_contacts);
    cli_json_integer(json, "rows", scree_problem_n_rows(problem));
    cli_json_count(json, "width", rows ? scree_rows_width(rows) : -1);
    cli_json_text(json, "row_names", rows ? row_names[rows] : NULL);
    cli_json_text(json, "law", cli_common_law(problem));
}

bool cli_accepts(const scree_certificate* certificate, const cli_judge* judge)
{
    return scree_certificate_residual(certificate, (scree_measure)judge->measure) <= judge->tol;
}

static void print_residual(const char* label, double value, bool asked, double tol)
{
    if (asked) {
        cli_row(label, "%-10.3g %s %g (asked for)", value, value <= tol ? "<=" : "> ", tol);
    } else {
        cli_row(label, "%.3g", value);
    }
}

void cli_print_residuals(const scree_certificate* certificate, const cli_judge* judge)
{
    int asked = judge->measure;
    cli_row("measure", "%s", cli_measure_choices[asked]);
    print_residual("residual", certificate->residual, asked == SCREE_MEASURE_SCREE, judge->tol);
    print_residual("residual_siconos", certificate->residual_siconos,
                   asked == SCREE_MEASURE_SICONOS, judge->tol);
    print_residual("residual_local", certificate->local, asked == SCREE_MEASURE_LOCAL, judge->tol);
}

void cli_print_infeasible(const scree_infeasibility* proof)
{
    if (proof->n_contacts == 0) return;
    cli_row("contradiction", "%d contacts press on each other in vain: %.3g m/s of approach stay",
            (int)proof->n_contacts, proof->approach);
    cli_row("proof", "a solution would need impulses %.1e times the velocities", proof->bound);
}

void cli_json_infeasible(cli_json* json, const scree_infeasibility* proof)
{
    if (proof->n_contacts == 0) {
        cli_json_null(json, "infeasible");
        return;
    }
    cli_json_object(json, "infeasible");
    cli_json_integer(json, "contacts", proof->n_contacts);
    cli_json_real(json, "approach", proof->approach);
    cli_json_real(json, "bound", proof->bound);
    cli_json_end(json);
}

void cli_print_physics(const scree_certificate* certificate)
{
    cli_heading("worst violations");
    cli_row("  normal velocity", "%-10.3g m/s", certificate->normal_violation);
    cli_row("  cone", "%-10.3g N s", certificate->cone_violation);
    cli_row("  complementarity", "%-10.3g J", certificate->complementarity);
    if (certificate->worst_contact >= 0) {
        cli_row("  worst contact", "%-10d (counted from 0)", (int)certificate->worst_contact);
    } else {
        cli_row("  worst contact", "none");
    }
    cli_heading("dissipated energy");
    cli_row("  sliding", "%-10.3g J", certificate->dissipation[0]);
    cli_row("  rolling", "%-10.3g J", certificate->dissipation[1]);
    cli_row("  spinning", "%-10.3g J", certificate->dissipation[2]);
}

void cli_json_certificate(cli_json* json, const scree_certificate* certificate,
                          const cli_judge* judge)
{
    cli_json_real(json, "tol", judge->tol);
    cli_json_text(json, "measure", cli_measure_choices[judge->measure]);
    cli_json_real(json, "residual", certificate->residual);
    cli_json_real(json, "residual_siconos", certificate->residual_siconos);
    cli_json_real(json, "residual_local", certificate->local);
    cli_json_count(json, "local_contact", certificate->local_contact);
    cli_json_real(json, "absolute_siconos", certificate->absolute_siconos);
    cli_json_real(json, "normal_violation", certificate->normal_violation);
    cli_json_real(json, "cone_violation", certificate->cone_violation);
    cli_json_real(json, "complementarity", certificate->complementarity);
    cli_json_object(json, "dissipation");
    cli_json_real(json, "sliding", certificate->dissipation[0]);
    cli_json_real(json, "rolling", certificate->dissipation[1]);
    cli_json_real(json, "spinning", certificate->dissipation[2]);
    cli_json_end(json);
    cli_json_count(json, "worst_contact", certificate->worst_contact);
}
