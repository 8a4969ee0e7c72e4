/* How problems and certificates are shown, as a table for people and as members of a JSON object.
 */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include "cli/json.h"
#include "cli/load.h"
#include "scree/certificate.h"

/* One aligned line "label  ...", and a heading for the lines below it. */
void cli_row(const char* label, const char* format, ...) CLI_PRINTF(2, 3);
void cli_heading(const char* text);

/* The rows all contacts have (a scree_rows), or 0 when they differ or there are none. */
int cli_common_rows(const scree_problem* problem);

/* "exact", ...; "mixed" when contacts differ. */
const char* cli_common_law(const scree_problem* problem);

/* File, format, contacts, rows per contact and law. */
void cli_print_problem(const cli_loaded* loaded);
void cli_json_problem(cli_json* json, const cli_loaded* loaded);

/* Whether the residual that the judge asks for is within its tolerance; a NaN is not. */
bool cli_accepts(const scree_certificate* certificate, const cli_judge* judge);

/* What a proof that there is no solution says; nothing, or null, where there is none. */
void cli_print_infeasible(const scree_infeasibility* proof);
void cli_json_infeasible(cli_json* json, const scree_infeasibility* proof);

void cli_print_residuals(const scree_certificate* certificate, const cli_judge* judge);
void cli_print_physics(const scree_certificate* certificate);
void cli_json_certificate(cli_json* json, const scree_certificate* certificate,
                          const cli_judge* judge);

#endif
