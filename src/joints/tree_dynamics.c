/* Trees in the rates u of their freedoms, M(q) u' + bias = effort: forward by articulated inertias,
 * backward from the accelerations of all links, M by composite inertias. */
#include "joints/six_kernel.h"
#include "joints/tree.h"

#include <string.h>

void scri_tree_need(scri_tree* t, double* effort)
{
    for (int32_t k = t->n; k-- > 0;) {
        const scri_link* link = &t->link[k];
        double *load = t->load + 6 * (size_t)k, carried[6];
        scri_six_multiply(link->own, t->motion + 6 * (size_t)k, carried);
        scri_six_add(load, 1.0, carried);
        for (int j = 0; j < 6 - link->n_held; ++j) {
            effort[6 * k + j] = scri_six_dot(scri_link_free(link, j), load);
        }
        if (link->parent < 0) continue;
        memcpy(carried, load, sizeof carried);
        scri_carry_load(link->arm, carried);
        scri_six_add(t->load + 6 * (size_t)link->parent, 1.0, carried);
    }
}

/* Inertias of each link with all that hangs on it, held fast. */
static void compose(scri_tree* t)
{
    for (int32_t k = 0; k < t->n; ++k) {
        memcpy(t->link[k].articulated, t->link[k].own, sizeof t->link[k].own);
    }
    for (int32_t k = t->n; k-- > 0;) {
        const scri_link* link = &t->link[k];
        double felt[36];
        if (link->parent < 0) continue;
        memcpy(felt, link->articulated, sizeof felt);
        scri_carry_inertia(link->arm, felt);
        for (int i = 0; i < 36; ++i) t->link[link->parent].articulated[i] += felt[i];
    }
}

/* The column of one freedom: what it asks of the links between its own and the root. */
static void write_column(const scri_tree* t, const int32_t* rate, int32_t k, int j, double* out)
{
    const scri_link* link = &t->link[k];
    size_t n = (size_t)rate[t->n], column = (size_t)rate[k] + (size_t)j;
    double load[6];
    scri_six_multiply(link->articulated, scri_link_free(link, j), load);
    for (int32_t at = k; at >= 0; at = t->link[at].parent) {
        link = &t->link[at];
        for (int i = 0; i < 6 - link->n_held; ++i) {
            size_t row = (size_t)rate[at] + (size_t)i;
            double value = scri_six_dot(scri_link_free(link, i), load);
            out[row * n + column] = out[column * n + row] = value;
        }
        scri_carry_load(link->arm, load);
    }
}

void scri_tree_mass_matrix(scri_tree* t, const int32_t* rate, double* out)
{
    size_t n = (size_t)rate[t->n];
    memset(out, 0, n * n * sizeof *out);
    compose(t);
    for (int32_t k = 0; k < t->n; ++k) {
        for (int j = 0; j < 6 - t->link[k].n_held; ++j) write_column(t, rate, k, j, out);
    }
}
