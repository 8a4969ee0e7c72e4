/* What mechanics promises of any scene: balances of energy and momentum, independence of units. */
#include "support/draw.h"
#include "support/worlds.h"

/* ---- random heaps ---------------------------------------------------------------------------- */

typedef struct heap {
    int spheres, boxes;
    double mass, length, time; /* units: 1 of each is SI */
    double theta, tol;
    int64_t max_sweeps;
    int corner; /* walls and gravity, or neither */
    scree_material material;
} heap;

static const heap usual_heap = {.spheres = 24,
                                .boxes = 24,
                                .mass = 1.0,
                                .length = 1.0,
                                .time = 1.0,
                                .theta = 0.5,
                                .tol = 1e-4,
                                .max_sweeps = 300,
                                .corner = 1,
                                .material = {.mu = 0.5, .mu_r = 0.01, .mu_s = 0.005}};

static void add_wall(scree_world* world, double x, double y)
{
    scree_body_def def = scree_default_body_def();
    scree_shape shape = scree_default_shape();
    def.kind = SCREE_BODY_STATIC;
    def.rotation[0] = sqrt(0.5);
    def.rotation[1] = x * sqrt(0.5);
    def.rotation[2] = y * sqrt(0.5);
    shape.kind = SCREE_SHAPE_HALF_SPACE;
    add_body(world, &def, &shape);
}

static void add_random_body(scree_world* world, scri_random* random, const heap* s, int i)
{
    scree_shape shape;
    double size[3], turn[4], square = 0.0, speed = s->length / s->time;
    for (int j = 0; j < 3; ++j) size[j] = s->length * draw_between(random, 0.05, 0.12);
    shape = box_of(size[0], size[1], size[2]);
    if (i < s->spheres) shape = sphere_of(1.8 * size[0]);
    double density = draw_between(random, 500.0, 5000.0);
    scree_body_def body = body_of(&shape, density * s->mass / (s->length * s->length * s->length));
    for (int j = 0; j < 4; ++j) {
        turn[j] = draw_between(random, -1.0, 1.0);
        square += turn[j] * turn[j];
    }
    for (int j = 0; j < 4; ++j) body.rotation[j] = turn[j] / sqrt(square);
    int at = i * 29 % (s->spheres + s->boxes), cell[3] = {at % 4, at / 4 % 4, at / 16};
    for (int j = 0; j < 3; ++j) {
        double away = 0.25 + 0.46 * cell[j] + draw_between(random, -0.01, 0.01);
        body.position[j] = s->length * away;
        body.velocity[j] = speed * draw_between(random, -1.0, 1.0);
        if (!s->corner) body.velocity[j] += speed * (0.7 - away); /* towards each other */
        body.angular_velocity[j] = draw_between(random, -5.0, 5.0) / s->time;
    }
    add_body(world, &body, &shape);
}

/* Bodies of random size on a grid above a corner of three half-spaces (bodies 0 to 2). */
static scree_world* heap_world(const heap* s, scri_random random, double step)
{
    scree_world_def def = world_def(step * s->time, s->tol);
    scree_material material = s->material;
    double pull = s->corner ? s->length / (s->time * s->time) : 0.0;
    def.theta = s->theta;
    def.solver.max_iter = s->max_sweeps;
    set3(def.gravity, -2.0 * pull, -3.0 * pull, -9.0 * pull);
    material.mu_r *= s->length;
    material.mu_s *= s->length;
    scree_world* world = world_new(def, material);
    if (s->corner) {
        add_floor(world, 0.0);
        add_wall(world, 0.0, 1.0);
        add_wall(world, -1.0, 0.0);
    }
    for (int i = 0; i < s->spheres + s->boxes; ++i) add_random_body(world, &random, s, i);
    return world;
}

static double* copy_of(const double* x, int n)
{
    double* out = test_take((size_t)n, sizeof *out);
    memcpy(out, x, (size_t)n * sizeof *out);
    return out;
}

/* ---- energy ---------------------------------------------------------------------------------- */

static void energy_never_grows(void** state)
{
    (void)state;
    test_of_numbers();
    scri_random random = test_seed("energy_never_grows", 11);
    for (int run = 0; run < 4; run += test_size(3, 1)) {
        heap s = usual_heap;
        s.theta = run % 2 ? 1.0 : 0.5;
        s.boxes = run < 2 ? 0 : 24;
        s.spheres = 48 - s.boxes;
        random.stream = (uint64_t)run;
        scree_world* world = heap_world(&s, random, 2e-3);
        scree_step_report last = step_any(world);
        double size = last.kinetic + fabs(last.potential), most_growth = -HUGE_VAL;
        int most = 0;
        for (int i = 0; i < test_size(250, 400); ++i) {
            scree_step_report now = step_any(world);
            double growth = (now.kinetic + now.potential - last.kinetic - last.potential) / size;
            require(growth <= 1e-14, "step %d: energy grows by %g of %g J", i, growth, size);
            most_growth = fmax(most_growth, growth);
            most = now.n_contacts > most ? now.n_contacts : most;
            last = now;
        }
        print_message("theta %.1f, %d boxes: up to %d contacts, %.0f J of %.0f J left, largest "
                      "growth %.1e\n",
                      s.theta, s.boxes, most, last.kinetic + last.potential, size, most_growth);
        require(most > 40, "%d contacts only", most);
        require_finite(world);
        scree_world_destroy(world);
    }
}

typedef struct balance {
    double work;        /* p . (y- + y+) / 2, of bodies that are round */
    double dissipation; /* sum of mu_k |w_k| r_N */
    double law;         /* p . y+ */
} balance;

/* Sums over the contacts of the last step, from impulses and velocities of the bodies; what the law
 * is about are the velocities of the problem, which hold the lag of contacts that turn too. */
static balance balance_of(const scree_world_view* view, const double* velocity,
                          const double* angular)
{
    balance b = {0.0, 0.0, 0.0};
    double* y = test_take((size_t)scree_problem_n_rows(view->problem) + 1, sizeof *y);
    assert_int_equal(scree_problem_velocity(NULL, view->problem, view->impulse, y), SCREE_OK);
    for (int32_t c = 0; c < view->n_contacts; ++c) {
        const double* mu = view->problem->coef + 3 * (size_t)c;
        double force[3], moment[3], u[2][3], w[2][3];
        contact_wrench(view, c, force, moment);
        contact_motion(view, velocity, angular, c, u[0], w[0]);
        contact_motion(view, view->velocity, view->angular_velocity, c, u[1], w[1]);
        double before = dot3(force, u[0]) + dot3(moment, w[0]);
        double after = dot3(force, u[1]) + dot3(moment, w[1]);
        const double *row = y + view->problem->first_row[c],
                     *p = view->impulse + view->problem->first_row[c];
        assert_int_equal(view->problem->rows[c], SCREE_ROWS_NTTRRS);
        b.work += 0.5 * (before + after);
        b.dissipation += p[0] * (mu[0] * hypot(row[1], row[2]) + mu[1] * hypot(row[3], row[4]) +
                                 mu[2] * fabs(row[5]));
        for (int i = 0; i < 6; ++i) b.law += p[i] * row[i];
    }
    free(y);
    return b;
}

/* theta = 1/2, no restitution: the energy changes by the work of the contacts and nothing else, and
 * of that work the exact law takes sum mu_k |w_k| r_N in friction. The work is seen from outside
 * where spheres alone meet: the spin of boxes drifts between the impulses and the ends of a step.
 */
static void contact_work_is_the_dissipation(void** state)
{
    (void)state;
    scri_random random = test_seed("contact_work_is_the_dissipation", 12);
    for (int run = 0; run < test_size(2, 3); ++run) {
        heap s = usual_heap;
        s.boxes = run ? 0 : 16;
        s.spheres = 32 - s.boxes;
        s.tol = 1e-12;
        s.max_sweeps = s.boxes ? 500 : 5000;
        random.stream = (uint64_t)run;
        scree_world* world = heap_world(&s, random, 2e-3);
        scree_step_report last = step_any(world);
        double size = last.kinetic + fabs(last.potential), off[3] = {0.0, 0.0, 0.0};
        int unsolved = 0, steps = test_size(140, 400), n = 3 * (s.spheres + s.boxes + 3);
        for (int i = 0; i < steps; ++i) {
            scree_world_view view = scree_world_get_view(world);
            double *v = copy_of(view.velocity, n), *w = copy_of(view.angular_velocity, n);
            scree_step_report now = step_any(world);
            view = scree_world_get_view(world);
            balance b = balance_of(&view, v, w);
            double change = now.kinetic + now.potential - last.kinetic - last.potential;
            unsolved += now.solve.outcome != SCREE_OUTCOME_CONVERGED;
            double of_impulses = now.contact_work - now.overlap_work;
            off[0] = fmax(off[0], fabs(change - now.contact_work) / size);
            require_near(change, now.contact_work, 1e-13 * size, "energy balance");
            require(now.overlap_work <= -of_impulses + 1e-12 * size,
                    "overlap costs more than impacts lose");
            if (!s.boxes) {
                off[1] = fmax(off[1], fabs(of_impulses - b.work) / size);
                require_near(of_impulses, b.work, 1e-13 * size, "reported work");
            }
            if (now.solve.outcome == SCREE_OUTCOME_CONVERGED) {
                require_near(-b.law, b.dissipation, 1e-9 * size, "dissipation");
                off[2] = fmax(off[2], fabs(b.law + b.dissipation) / size);
            }
            require(b.dissipation >= 0.0, "friction drives: %g J", b.dissipation);
            free(v);
            free(w);
            last = now;
        }
        print_message(
            "%d boxes: balance to %.1e, reported work to %.1e, dissipation to %.1e of the energy; "
            "%d of %d steps not solved to %g\n",
            s.boxes, off[0], off[1], off[2], unsolved, steps, s.tol);
        require(steps - unsolved >= 100, "%d of %d steps are not solved", unsolved, steps);
        scree_world_destroy(world);
    }
}

/* ---- momentum -------------------------------------------------------------------------------- */

typedef struct momenta {
    double linear[3], angular[3]; /* about the origin; spheres only for the angular one */
    double size, size_angular;
} momenta;

static momenta momenta_of(const scree_world_view* view)
{
    momenta out = {.size = 0.0};
    for (int32_t i = 0; i < view->n_bodies; ++i) {
        const double *x = view->position + 3 * (size_t)i, *v = view->velocity + 3 * (size_t)i;
        const double* w = view->angular_velocity + 3 * (size_t)i;
        double m = view->mass[i], r = view->shape_half_size[3 * (size_t)i], p[3];
        for (int j = 0; j < 3; ++j) {
            p[j] = m * v[j];
            out.linear[j] += p[j];
            out.angular[j] += 0.4 * m * r * r * w[j];
        }
        add_cross(x, p, out.angular);
        out.size += sqrt(dot3(p, p));
        out.size_angular += sqrt(dot3(x, x) * dot3(p, p)) + 0.4 * m * r * r * sqrt(dot3(w, w));
    }
    return out;
}

/* Without gravity and walls. The impulses of a pair act at one point of the poses at which they are
 * found, and bodies drift freely to and from these: both momenta stay, whatever theta is. */
static void free_collisions_keep_momenta(void** state)
{
    (void)state;
    scri_random random = test_seed("free_collisions_keep_momenta", 13);
    for (int run = 0; run < 4; ++run) {
        heap s = usual_heap;
        s.corner = 0;
        s.theta = run % 2 ? 0.5 : 1.0;
        s.boxes = run < 2 ? 0 : 24;
        s.spheres = 48 - s.boxes;
        s.material.restitution = 0.5;
        random.stream = (uint64_t)run;
        scree_world* world = heap_world(&s, random, 2e-3);
        scree_world_view view = scree_world_get_view(world);
        momenta first = momenta_of(&view);
        int touched = 0;
        for (int i = 0; i < 500; ++i) touched += step_any(world).n_contacts;
        view = scree_world_get_view(world);
        momenta now = momenta_of(&view);
        double off = 0.0;
        for (int j = 0; j < 3; ++j) {
            require_near(now.linear[j], first.linear[j], 1e-12 * first.size, "momentum");
            if (s.boxes) continue;
            double change = now.angular[j] - first.angular[j];
            require(fabs(change) <= 1e-12 * first.size_angular, "angular momentum: off by %g of %g",
                    change, first.size_angular);
            off = fmax(off, fabs(change) / first.size_angular);
        }
        print_message("theta %.1f, %d boxes: %d contacts, angular momentum to %.1e\n", s.theta,
                      s.boxes, touched, off);
        require(touched > 50, "%d contacts only", touched);
        scree_world_destroy(world);
    }
}

/* ---- units ----------------------------------------------------------------------------------- */

/* The largest distance between two runs, in SI, after each of `steps` steps. */
static double apart(const heap* a, const heap* b, scri_random random, int steps)
{
    scree_world *one = heap_world(a, random, 2e-3), *two = heap_world(b, random, 2e-3);
    double worst = 0.0;
    int touched = 0;
    for (int i = 0; i < steps; ++i) {
        touched += step_any(one).n_contacts;
        step_any(two);
        scree_world_view x = scree_world_get_view(one), y = scree_world_get_view(two);
        for (int j = 0; j < 3 * x.n_bodies; ++j) {
            double dx = x.position[j] / a->length - y.position[j] / b->length;
            double dv = x.velocity[j] * a->time / a->length - y.velocity[j] * b->time / b->length;
            double dw = x.angular_velocity[j] * a->time - y.angular_velocity[j] * b->time;
            double far = fabs(dx) + fabs(dv) + fabs(dw);
            require(isfinite(far), "step %d: body %d is not finite", i, j / 3);
            worst = fmax(worst, far);
        }
    }
    require(touched > 50 * steps / 10, "%d contacts only", touched);
    scree_world_destroy(one);
    scree_world_destroy(two);
    return worst;
}

/* Powers of two change no digit of any sum or product, so the runs of spheres must agree to the
 * last bit: a length, mass or time written into the code would show. Other units agree as far as
 * the tolerance allows, which collisions magnify. */
static void units_do_not_matter(void** state)
{
    (void)state;
    scri_random random = test_seed("units_do_not_matter", 14);
    heap si = usual_heap, binary;
    si.spheres = 48;
    si.boxes = 0;
    binary = si;
    binary.mass = ldexp(1.0, 20);
    binary.length = ldexp(1.0, -10);
    binary.time = ldexp(1.0, -5);
    double exact = apart(&si, &binary, random, test_size(200, 500));
    print_message("masses by 2^20, lengths by 2^-10, times by 2^-5: apart by %g\n", exact);
    require(exact == 0.0, "apart by %g", exact);
    test_needs_sparse(); /* sweeps alone do not come to 1e-12 */
    for (int boxes = 0; boxes < 2; ++boxes) {
        heap one = boxes ? usual_heap : si, other;
        one.tol = 1e-12;
        one.max_sweeps = 3000;
        other = one;
        other.mass = 1e6;
        other.length = 1e-3;
        other.time = sqrt(1e-3);
        double near = apart(&one, &other, random, boxes ? 120 : 100);
        print_message("%s, masses by 10^6, lengths by 10^-3, same gravity: apart by %g\n",
                      boxes ? "half boxes" : "spheres", near);
        require(near <= 1e-6, "apart by %g", near);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energy_never_grows),
        cmocka_unit_test(contact_work_is_the_dissipation),
        cmocka_unit_test(free_collisions_keep_momenta),
        cmocka_unit_test(units_do_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
