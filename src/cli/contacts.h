/* What a certificate says contact by contact: modes and bipotentials, in a line, as JSON, and as a
 * table in a file. */
#ifndef CLI_CONTACTS_H
#define CLI_CONTACTS_H

#include "cli/json.h"
#include "cli/load.h"
#include "scree/certificate.h"

#define CLI_CONTACTS_OPTION(type)                                                                 \
    {                                                                                             \
        .name = "contacts", .kind = CLI_TEXT, .offset = offsetof(type, contacts), .value = "OUT", \
        .text = "write mode, residual and bipotential of every contact", .usual = "none"          \
    }

typedef struct cli_contacts {
    int32_t n;
    scree_contact_certificate* of; /* [n], to be given back with free() */
    bool is_convex;                /* all laws are associated: impulses make `objective` least */
    double objective;              /* J */
} cli_contacts;

/* Judges p[n_rows]; a message and an exit code where that fails. */
int cli_contacts_judge(cli_host* host, const cli_loaded* loaded, const double* p,
                       cli_contacts* out);

/* How many contacts are in which mode, and the largest bipotential. */
void cli_contacts_print(const cli_contacts* contacts);
void cli_contacts_json(cli_json* json, const cli_contacts* contacts);

/* A table with commas, a line to a contact; a message and false where it cannot be written. */
bool cli_contacts_write(const char* verb, const char* path, const cli_contacts* contacts);

#endif
