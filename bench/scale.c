/* What a step costs per contact as the number of spheres grows: layers of spheres that settle on a
 * floor. The solver's set-up and checks are part of what an update costs.
 *
 * usage: ./dev bench scale [MOST_SPHERES]      (default 300000)
 */
#define _POSIX_C_SOURCE 200809L /* getrusage */

#include "scree_io/scene_file.h"
#include "shared.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { STEPS = 10, WARM_UP = 3, LAYERS = 10, UPDATES = 20 };

/* Spheres of 1 cm, slightly apart and out of place, so that contacts come and go. */
static void write_scene(int side, char* text, size_t size)
{
    snprintf(text, size,
             "world: {step: 1e-3, scheme: gap, theta: 1, tol: 1e-5, max_sweeps: 10}\n"
             "materials: {grain: {mu: 0.5, mu_r: 1e-4, mu_s: 1e-4}}\n"
             "bodies:\n  - {name: floor, kind: static, shape: {type: half-space}}\n"
             "generators:\n"
             "  - {type: grid, count: [%d, %d, %d], spacing: 0.01001, origin: [0, 0, 0.005005],\n"
             "     jitter: 4e-6, seed: 1, body: {name: g, shape: {type: sphere, radius: 0.005}}}\n",
             side, side, LAYERS);
}

static double peak_memory(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return 1024.0 * (double)usage.ru_maxrss;
}

typedef struct result {
    double spheres, contacts, updates; /* the last two per step */
    double seconds[4];                 /* contacts, solve, certify, move: per step */
} result;

static scree_status measure(const scree_env* env, int side, result* out)
{
    char text[1024];
    scree_scene* scene = NULL;
    scree_simulation* simulation = NULL;
    write_scene(side, text, sizeof text);
    scree_status status = scree_scene_parse(env, "scale.yaml", text, strlen(text), 0, NULL, &scene);
    if (!status) status = scree_simulation_create(env, scene, &simulation);
    *out = (result){.spheres = (double)side * side * LAYERS};
    for (int i = 0; !status && i < WARM_UP + STEPS; ++i) {
        scree_step_report r;
        status = scree_simulation_step(simulation, &r);
        if (status || i < WARM_UP) continue;
        double part[4] = {r.time_contacts, r.time_solve, r.time_certify, r.time_move};
        out->contacts += (double)r.n_contacts / STEPS;
        out->updates += (double)r.solve.updates / STEPS;
        for (int k = 0; k < 4; ++k) out->seconds[k] += part[k] / STEPS;
    }
    scree_simulation_destroy(simulation);
    scree_scene_destroy(scene);
    return status;
}

int main(int argc, char** argv)
{
    scree_env env = {.log = print_log};
    double most = argc > 1 ? atof(argv[1]) : 300000.0, first = 0.0, before = peak_memory();
    printf("%9s %9s %9s | ns per contact: %8s %8s %8s | %8s %8s %7s | %s\n", "spheres", "contacts",
           "updates", "find", "certify", "move", "ns/update", "20 each", "ratio",
           "bytes per sphere");
    for (double spheres = 1000.0; spheres <= 1.0001 * most; spheres *= spheres < 5e4 ? 10.0 : 3.0) {
        result r;
        if (measure(&env, (int)lround(sqrt(spheres / LAYERS)), &r)) return 1;
        double per = 1e9 / r.contacts, update = 1e9 * r.seconds[1] / r.updates;
        /* steps differ in how soon contacts settle: compared at the same number of updates */
        double all = per * (r.seconds[0] + r.seconds[2] + r.seconds[3]) + UPDATES * update;
        if (first == 0.0) first = all;
        printf("%9.0f %9.0f %9.1f | %13s: %8.0f %8.0f %8.0f | %9.1f %8.0f %7.2f | %.0f\n",
               r.spheres, r.contacts, r.updates / r.contacts, "", per * r.seconds[0],
               per * r.seconds[2], per * r.seconds[3], update, all, all / first,
               (peak_memory() - before) / r.spheres);
    }
    return 0;
}
