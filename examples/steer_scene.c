/* Loads a scene, changes it, and steers it while it runs: a controller turns the plane on which a
 * ball rolls until the ball is back where it began.
 *
 *     steer_scene [SCENE.yaml]     any scene with a ball "ball" and a kinematic body "plate"
 */
#include "scree/scree.h"
#include "scree_io/scene_file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char built_in[] = "title: A ball on a plate that turns\n"
                               "parameters: {radius: 0.05}\n"
                               "materials: {steel: {mu: 0.4, mu_r: 0.00005}}\n"
                               "bodies:\n"
                               "  - name: plate\n"
                               "    kind: kinematic\n"
                               "    shape: {type: box, size: [4, 4, 0.2]}\n"
                               "  - name: ball\n"
                               "    position: [0.3, 0, 0.1 + radius]\n"
                               "    shape: {type: sphere, radius: radius}\n"
                               "stop: {time: 8}\n";

static void report_error(void* user, scree_log_level level, const char* text)
{
    (void)user;
    if (level == SCREE_LOG_ERROR) fprintf(stderr, "steer_scene: %s\n", text);
}

/* The handle of a body by the name that the scene gives it; index1 is 0 when there is none. */
static scree_body_id find(const scree_scene* scene, const char* name)
{
    for (int32_t k = 0; k < scene->n_bodies; ++k) {
        const char* other = scene->bodies[k].name;
        if (other && strcmp(other, name) == 0) return (scree_body_id){.index1 = k + 1};
    }
    return (scree_body_id){0};
}

/* Turns the plate about y so that the ball, at x with speed v, rolls home. */
static scree_status steer(scree_world* world, scree_body_id plate, scree_body_id ball)
{
    static const double still[3] = {0.0, 0.0, 0.0};
    scree_world_view view = scree_world_get_view(world);
    size_t p = (size_t)(plate.index1 - 1), b = (size_t)(ball.index1 - 1);
    double x = view.position[3 * b], v = view.velocity[3 * b];
    double tilt = 2.0 * view.rotation[4 * p + 2]; /* about y, rad: small */
    double wanted = fmax(-0.1, fmin(0.1, -0.3 * x - 0.4 * v));
    double turn[3] = {0.0, fmax(-1.0, fmin(1.0, 10.0 * (wanted - tilt))), 0.0};
    return scree_world_set_velocity(world, plate, still, turn);
}

static int run(const scree_env* env, scree_scene* scene)
{
    scree_simulation* simulation = NULL;
    scree_body_id plate = find(scene, "plate"), ball = find(scene, "ball");
    if (plate.index1 == 0 || ball.index1 == 0) {
        fprintf(stderr, "steer_scene: the scene has no 'plate' or no 'ball'\n");
        return 1;
    }
    scree_status status = scree_simulation_create(env, scene, &simulation);
    if (status) return 1;
    scree_world* world = scree_simulation_world(simulation);
    while (!status && !scree_simulation_done(simulation)) {
        scree_step_report report;
        status = steer(world, plate, ball);
        if (!status) status = scree_simulation_step(simulation, &report);
    }
    scree_world_view view = scree_simulation_view(simulation);
    double x = view.position[3 * (size_t)(ball.index1 - 1)];
    int64_t missed = scree_simulation_totals(simulation).not_converged;
    printf("after %g s the ball is at x = %.4f m; %d steps missed the tolerance\n", view.time, x,
           (int)missed);
    scree_simulation_destroy(simulation);
    return status || !(fabs(x) < 0.01) || missed > 0;
}

int main(int argc, char** argv)
{
    const scree_env env = {.log = report_error};
    scree_scene* scene = NULL;
    scree_status status =
        argc > 1 ? scree_scene_read(&env, argv[1], 0, NULL, &scene)
                 : scree_scene_parse(&env, "built-in", built_in, sizeof built_in - 1, 0, NULL,
                                     &scene);
    if (status) return 1;
    scene->world.step = 2e-3; /* a scene from a file is a struct like any other */
    int failed = run(&env, scene);
    scree_scene_destroy(scene);
    return failed;
}
