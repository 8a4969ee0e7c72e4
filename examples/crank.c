/* A slider-crank: a motor turns the crank, a rod drives the piston against a load. The torque that
 * the motor needs is compared with the formula at the end. */
#include "scree/scree.h"

#include <math.h>
#include <stdio.h>

#define CRANK 0.1 /* m */
#define ROD 0.3   /* m */
#define SPEED 5.0 /* rad/s */
#define LOAD 40.0 /* N on the piston, towards the crank */

static void print_line(void* user, scree_log_level level, const char* text)
{
    (void)user, (void)level;
    fprintf(stderr, "crank: %s\n", text);
}

/* A body that weighs next to nothing, so that the load alone counts. */
static scree_body_id add(scree_world* world, double x, double mass)
{
    scree_body_def def = scree_default_body_def();
    scree_body_id id = {0, 0};
    def.mass = mass;
    for (int i = 0; i < 3; ++i) def.inertia[i] = 1e-3 * mass;
    def.position[0] = x;
    if (scree_world_add_body(world, &def, 0, NULL, &id)) id.index1 = 0;
    return id;
}

static scree_joint_id join(scree_world* world, scree_joint_kind kind, scree_body_id a,
                           scree_body_id b, double x, double speed)
{
    scree_joint_def def = scree_default_joint_def();
    scree_joint_id id = {0, 0};
    double point[3] = {x, 0.0, 0.0}, axis[3] = {0.0, 0.0, 1.0}, along[3] = {1.0, 0.0, 0.0};
    def.kind = kind;
    def.body[0] = a;
    def.body[1] = b;
    if (scree_joint_place(world, &def, point, kind == SCREE_JOINT_SLIDER ? along : axis)) return id;
    if (speed != 0.0) def.freedom[0].motor = SCREE_MOTOR_VELOCITY;
    def.freedom[0].target = speed;
    if (scree_world_add_joint(world, &def, &id)) id.index1 = 0;
    return id;
}

int main(void)
{
    const scree_env env = {.log = print_line};
    scree_world_def def = scree_default_world_def();
    scree_world* world = NULL;
    scree_body_id none = {0, 0};
    double worst = 0.0;
    def.gravity[2] = 0.0;
    if (scree_world_create(&env, &def, &world)) return 1;
    scree_body_id crank = add(world, 0.5 * CRANK, 1e-6);
    scree_body_id rod = add(world, CRANK + 0.5 * ROD, 1e-6);
    scree_body_id piston = add(world, CRANK + ROD, 1e-6);
    scree_joint_id shaft = join(world, SCREE_JOINT_HINGE, crank, none, 0.0, SPEED);
    join(world, SCREE_JOINT_HINGE, rod, crank, CRANK, 0.0);
    join(world, SCREE_JOINT_HINGE, piston, rod, CRANK + ROD, 0.0);
    join(world, SCREE_JOINT_SLIDER, piston, none, CRANK + ROD, 0.0);
    while (scree_world_time(world) < 2.0) {
        double load[3] = {-LOAD, 0.0, 0.0};
        scree_joint_state before, after;
        if (scree_world_get_joint(world, shaft, &before)) return 1;
        if (scree_world_apply_force(world, piston, load)) return 1;
        if (scree_world_step(world, NULL)) return 1;
        if (scree_world_get_joint(world, shaft, &after)) return 1;
        /* work of the load per angle: F r sin(a) (1 + r cos(a) / sqrt(l^2 - r^2 sin^2(a))) */
        double a = 0.5 * (before.coordinate[0] + after.coordinate[0]), s = CRANK * sin(a);
        double torque = LOAD * s * (1.0 + CRANK * cos(a) / sqrt(ROD * ROD - s * s));
        if (before.rate[0] > 0.0) worst = fmax(worst, fabs(after.effort[0] + torque));
    }
    printf("the motor's torque is within %.2g N m of the formula, of up to %.3g N m\n", worst,
           LOAD * CRANK);
    scree_world_destroy(world);
    return worst <= 1e-3 ? 0 : 1;
}
