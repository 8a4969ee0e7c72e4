/* One problem: a ball slides on a rough floor into a smooth wall. What must its contacts carry? */
#include "scree/scree.h"

#include <math.h>
#include <stdio.h>

int main(void)
{
    const double mass = 1.0, radius = 0.1, inertia = 0.4 * mass * radius * radius;
    const double fall = 9.81 * 1e-3; /* m/s in a step of 1 ms */
    scree_builder_body ball = {.mass = mass,
                               .inertia = {inertia, inertia, inertia},
                               .velocity = {2.0, 0.0, -fall}};
    scree_builder_contact floor = {.body = {0, -1},
                                   .point = {0.0, 0.0, -radius},
                                   .normal = {0.0, 0.0, 1.0},
                                   .coef = {0.5}};
    scree_builder_contact wall = {
        .body = {0, -1}, .point = {radius, 0.0, 0.0}, .normal = {-1.0, 0.0, 0.0}};
    scree_problem_builder* builder = NULL;
    scree_problem_store store;
    scree_solution s;
    if (scree_problem_builder_create(NULL, &builder)) return 1;
    scree_problem_builder_add_body(builder, &ball);
    scree_problem_builder_add_contact(builder, &floor);
    scree_problem_builder_add_contact(builder, &wall);
    if (scree_problem_builder_finish(builder, &store)) return 1;
    if (scree_solve_alloc(NULL, &store.problem, NULL, &s)) return 1;
    printf("floor %.6f N s, friction %.6f N s, wall %.6f N s, residual %.1g\n", s.p[0],
           hypot(s.p[1], s.p[2]), s.p[3], s.certificate.residual);
    /* The wall stops the ball, so that nothing is left for friction; the floor carries the weight. */
    int good = s.certificate.residual <= 1e-8 && fabs(s.p[0] - mass * fall) <= 1e-7 &&
               hypot(s.p[1], s.p[2]) <= 1e-7 && fabs(s.p[3] - mass * 2.0) <= 1e-7;
    scree_solution_release(&s);
    scree_problem_store_release(&store);
    return good ? 0 : 1;
}
