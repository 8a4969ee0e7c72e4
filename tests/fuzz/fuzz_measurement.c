/* Measurements from memory: any bytes must give a status, and samples that are finite or none; the
 * identification of these must end, and with finite sets. The first byte chooses what is asked. */
#include "fuzz/limited_memory.h"
#include "io/measurement.h"
#include "scree_study/identify.h"

#include <math.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void check_measurement(const scree_measurement* m)
{
    if (m->n < 1 || !m->angle || !m->radial || !m->tangential || !m->line) abort();
    for (int64_t i = 0; i < m->n; ++i) {
        if (!isfinite(m->angle[i]) || !isfinite(m->radial[i])) abort();
        if (!isfinite(m->tangential[i]) || (m->normal && !isfinite(m->normal[i]))) abort();
        if (m->line[i] < 2) abort();
    }
}

static void check_found(const scree_identification* f)
{
    for (int k = 0; k < 2 * f->n; ++k) {
        if (!isfinite(f->force[k]) || !isfinite(f->direction[k])) abort();
    }
    if (!(f->dent >= 0.0 && f->dent <= 0.1 && f->closure >= 0.0)) abort();
    if (!(f->direction_set.scale > 0.0)) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    if (size == 0) return 0;
    limit l = {(1 << 21) + 500 * size};
    scree_env env = {.alloc = limited_alloc, .release = limited_release, .user = &l};
    scree_measurement m;
    if (scri_measurement_parse(&env, "fuzz", (const char*)data + 1, size - 1, &m) == SCREE_OK) {
        scree_identify_def def = scree_default_identify_def();
        scree_identification* found = NULL;
        def.fit_angle = data[0] & 1;
        def.form = (scree_fit_form)(data[0] >> 1 & 3);
        def.most_gap = data[0] & 8 ? 90.0 : 10.0;
        check_measurement(&m);
        scree_status status = scree_identify(&env, &m, &def, &found);
        if ((status == SCREE_OK) != (found != NULL)) abort();
        if (status != SCREE_OK && status != SCREE_ERROR_INPUT) abort();
        if (found) check_found(found);
        scree_identification_destroy(found);
    }
    scree_measurement_release(&m);
    return 0;
}
