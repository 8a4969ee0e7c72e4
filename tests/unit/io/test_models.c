/* URDF and MJCF: the models of examples/models equal scenes that were written by hand, everything
 * that is read can be written, and what the elements mean. */
#include "scene_bits.h"
#include "scene_text.h"
#include "scree_io/scene_file.h"

#include <math.h>

#define MODELS SCREE_FIXTURES "/../../examples/models/"

static scree_scene* read_with(const char* path, int32_t n, const char* const* settings)
{
    test_host host;
    scree_env env = test_env(&host);
    scree_scene* scene = NULL;
    scree_status status = scree_scene_read(&env, path, n, settings, &scene);
    require(status == SCREE_OK, "%s", host.text);
    scree_scene_destroy(scene);
    assert_int_equal(host.n_held, 0);
    assert_int_equal(scree_scene_read(NULL, path, n, settings, &scene), SCREE_OK);
    return scene;
}

static scree_scene* parse(const char* text)
{
    return parse_scene("m.xml", text);
}

/* ---- models ---------------------------------------------------------------------------------- */

static void match_hand_written(void** state)
{
    (void)state;
    static const char* const files[][2] = {{MODELS "arm.urdf", MODELS "arm.yaml"},
                                           {MODELS "toy.urdf", MODELS "toy.yaml"},
                                           {MODELS "gripper.xml", MODELS "gripper.yaml"},
                                           {MODELS "walker.xml", MODELS "walker.yaml"},
                                           {MODELS "fourbar.xml", MODELS "fourbar.yaml"}};
    for (size_t k = 0; k < sizeof files / sizeof files[0]; ++k) {
        print_message("%s\n", files[k][0]);
        scree_scene* model = read_with(files[k][0], 0, NULL);
        scree_scene* hand = read_with(files[k][1], 0, NULL);
        same_scene(model, hand);
        scree_scene_destroy(model);
        scree_scene_destroy(hand);
    }
}

static void settings(void** state)
{
    (void)state;
    static const char* const chosen[] = {"keyframe=open", "world.step=1e-4",
                                         "joints.lift.freedom.max_effort=50"};
    scree_scene* s = read_with(MODELS "gripper.xml", 3, chosen);
    near(s->world.step, 1e-4, "step");
    near(s->joints[0].def.freedom[0].max_effort, 50.0, "max_effort");
    near(s->joints[1].def.freedom[0].target, -0.0625, "target of the left finger");
    scree_scene_destroy(s);
}

/* ---- writing --------------------------------------------------------------------------------- */

static void write_and_compare(scree_scene* scene, const char* path)
{
    scree_scene* again = NULL;
    test_host host;
    scree_env env = test_env(&host);
    assert_int_equal(scree_scene_write(&env, path, scene), SCREE_OK);
    assert_int_equal(host.n_held, 0);
    again = read_with(path, 0, NULL);
    same_scene(scene, again);
    scree_scene_destroy(again);
    remove(path);
}

static void what_is_read_can_be_written(void** state)
{
    (void)state;
    static const char* const paths[] = {MODELS "arm.urdf", MODELS "gripper.xml",
                                        MODELS "walker.yaml", MODELS "arm.yaml"};
    for (size_t k = 0; k < sizeof paths / sizeof paths[0]; ++k) {
        scree_scene* scene = read_with(paths[k], 0, NULL);
        write_and_compare(scene, "written_model.yaml");
        scree_scene_destroy(scene);
    }
    for (int k = 0; k < scree_builtin_scene_count(); ++k) {
        scree_builtin_scene b = scree_builtin_scene_get(k);
        scree_scene* scene = NULL;
        if (scree_scene_parse(NULL, b.name, b.text, b.text_size, 0, NULL, &scene)) continue;
        print_message("%s\n", b.name);
        write_and_compare(scene, "written_model.yaml");
        scree_scene_destroy(scene);
    }
    scree_scene made = scree_default_scene();
    assert_int_equal(scree_scene_write(NULL, "x.yaml", &made), SCREE_ERROR_UNSUPPORTED);
}

/* Texts that YAML would take for something else. */
static void awkward_texts(void** state)
{
    (void)state;
    static const char text[] = "title: \"it's [a], \\\"b\\\": #c\\n\\ttabbed\"\n"
                               "parameters: {a: 2, 'data': 'x, y'}\n"
                               "materials: {'[odd]': {mu: 'max(a, 1)'}}\n"
                               "bodies: [{position: ['min(a, 3)', a, 0], shape: {type: sphere, "
                               "radius: 1}}]\n"
                               "stop:\n";
    scree_scene *scene = NULL, *again = NULL;
    assert_int_equal(scree_scene_parse(NULL, "s.yaml", text, strlen(text), 0, NULL, &scene), 0);
    assert_int_equal(scree_scene_write(NULL, "awkward_model.yaml", scene), SCREE_OK);
    assert_int_equal(scree_scene_read(NULL, "awkward_model.yaml", 0, NULL, &again), SCREE_OK);
    same_scene(scene, again);
    assert_string_equal(scene->title, again->title);
    assert_string_equal(scene->material_name[0], again->material_name[0]);
    assert_string_equal(again->source->parameters[1].text, "x, y");
    scree_scene_destroy(scene);
    scree_scene_destroy(again);
    remove("awkward_model.yaml");
}

#define MJCF(inside) "<mujoco>" inside "</mujoco>"
#define WORLD(inside) "<worldbody>" inside "</worldbody>"

/* ---- mimics ---------------------------------------------------------------------------------- */

#define LINK(name, mass)                                                           \
    "<link name='" name "'><inertial><origin xyz='0.1 0 0.05'/><mass value='" mass \
    "'/><inertia ixx='0.02' iyy='0.03' izz='0.04'/></inertial></link>"
#define JOINT(name, type, parent, child, xyz, axis, more)                                   \
    "<joint name='" name "' type='" type "'><parent link='" parent "'/><child link='" child \
    "'/><origin xyz='" xyz "'/><axis xyz='" axis "'/>" more "</joint>"

/* A robot that falls freely, one of whose coordinates follows another while torques drive both: q =
 * multiplier p + offset throughout, the momentum of all is that of the fall, and the energy what
 * the torque has put in. */
static void follow(const char* text, const char* what, double multiplier, double offset)
{
    scree_scene* s = parse(text);
    scree_simulation* simulation = NULL;
    scree_step_report report;
    double most = 0.0, mass = 0.0;
    s->joints[0].def.freedom[0].motor = SCREE_MOTOR_EFFORT;
    s->joints[0].def.freedom[0].target = 0.7;
    assert_int_equal(scree_simulation_create(NULL, s, &simulation), SCREE_OK);
    const scree_world* world = scree_simulation_world(simulation);
    double start = scree_simulation_totals(simulation).energy_begin, off = 0.0;
    for (int k = 0; k < 300; ++k) {
        scree_joint_state state[2];
        double momentum[3] = {0.0, 0.0, 0.0};
        assert_int_equal(scree_simulation_step(simulation, &report), SCREE_OK);
        for (int i = 0; i < 2; ++i) {
            scree_joint_id id = scree_world_joint_at(world, i);
            assert_int_equal(scree_world_get_joint(world, id, &state[i]), SCREE_OK);
        }
        double p = state[0].coordinate[0], q = state[1].coordinate[0];
        most = fmax(most, fabs(p));
        require(fabs(q - multiplier * p - offset) <= 1e-11, "step %d: %.15g follows %.15g", k, q,
                p);
        off = fmax(off, fabs(report.kinetic + report.potential - start - 0.7 * p));
        scree_world_view v = scree_simulation_view(simulation);
        mass = 0.0;
        for (int i = 0; i < v.n_bodies; ++i) {
            mass += v.mass[i];
            for (int c = 0; c < 3; ++c) momentum[c] += v.mass[i] * v.velocity[3 * i + c];
        }
        momentum[2] += mass * 9.81 * v.time;
        for (int c = 0; c < 3; ++c)
            require(fabs(momentum[c]) <= 1e-9 * mass, "%g N s", momentum[c]);
    }
    print_message("%s: to %g, %g kg, energy to %g J\n", what, most, mass, off);
    require(off <= 1e-5, "energy is off by %g J", off);
    require(most > 0.01, "it goes %g only", most);
    scree_simulation_destroy(simulation);
    scree_scene_destroy(s);
}

static void mimics_on_links_that_move(void** state)
{
    (void)state;
#define ROBOT(first, second) \
    "<robot>" LINK("palm", "2") LINK("a", "0.5") LINK("b", "0.3") first second "</robot>"
#define FAR "<limit lower='-9' upper='9' effort='9' velocity='9'/>"
#define MIMIC(numbers) FAR "<mimic joint='first' " numbers "/>"
    follow(ROBOT(JOINT("first", "prismatic", "palm", "a", "0.1 0 0", "0 1 0", FAR),
                 JOINT("second", "prismatic", "palm", "b", "0.1 0 0.02", "0 -1 0",
                       MIMIC("multiplier='1'"))),
           "two fingers that slide", 1.0, 0.0);
    follow(ROBOT(JOINT("first", "prismatic", "palm", "a", "0.1 0 0", "0 1 0", FAR),
                 JOINT("second", "prismatic", "a", "b", "0 0.2 0", "0 1 0",
                       MIMIC("multiplier='0.5'"))),
           "a telescope", 0.5, 0.0);
    follow(ROBOT(JOINT("first", "continuous", "palm", "a", "0.1 0 0", "0 1 0", FAR),
                 JOINT("second", "continuous", "palm", "b", "-0.1 0 0.02", "0 1 0",
                       MIMIC("multiplier='-2'"))),
           "two fingers that turn", -2.0, 0.0);
    follow(ROBOT(JOINT("first", "continuous", "palm", "a", "0.1 0 0", "0 1 0", FAR),
                 JOINT("second", "continuous", "a", "b", "0.2 0 0", "0 1 0",
                       MIMIC("multiplier='0.7' offset='0.3'"))),
           "a finger of two links", 0.7, 0.3);
    follow(ROBOT(JOINT("first", "continuous", "palm", "a", "0.1 0 0", "0 1 1", FAR),
                 JOINT("second", "prismatic", "palm", "b", "-0.1 0 0.02", "1 0 0",
                       MIMIC("multiplier='0.05'"))),
           "a rack", 0.05, 0.0);
    follow(ROBOT(JOINT("first", "prismatic", "palm", "a", "0.1 0 0", "0 1 1", FAR),
                 JOINT("second", "continuous", "a", "b", "-0.1 0 0.02", "1 0 0",
                       MIMIC("multiplier='3'"))),
           "a pinion on its rack", 3.0, 0.0);
#define BODY(at, joint) \
    "<body pos='" at "'>" joint "<geom size='0.1' contype='0' conaffinity='0'/></body>"
    follow(
        MJCF(WORLD(
            "<body><freejoint/><geom size='0.2' contype='0' conaffinity='0'/>" BODY(
                "0.3 0 0", "<joint name='first' type='slide' axis='0 1 0'/>")
                BODY(
                    "-0.3 0 0",
                    "<joint name='second' type='slide' axis='0 1 0'/>") "</body>") "<equality><"
                                                                                   "joint "
                                                                                   "joint1='second'"
                                                                                   " joint2='first'"
                                                                                   " polycoef='0 "
                                                                                   "-1'/></"
                                                                                   "equality>"),
        "an equality of MJCF", -1.0, 0.0);
#undef BODY
}

/* ---- meshes ---------------------------------------------------------------------------------- */

/* The hull of a mesh beside the model, scaled: a tetrahedron whose volume and corners are known. */
static void meshes_become_hulls(void** state)
{
    (void)state;
    static const char obj[] = "v 0 0 0\nv 3 0 0\nv 0 3 0\nv 0 0 3\nv 0.5 0.5 0.5\nf 1 3 2\n";
    static const char text[] =
        "<robot><link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/>"
        "</inertial><collision><origin xyz='1 0 0'/><geometry><mesh "
        "filename='package://robot/test_models_mesh.OBJ' scale='0.1 0.2 0.3'/></geometry>"
        "</collision></link></robot>";
    FILE* file = fopen("test_models_mesh.OBJ", "w");
    assert_non_null(file);
    fputs(obj, file);
    fclose(file);
    scree_scene* s = parse_scene("m.urdf", text);
    assert_int_equal(s->bodies[0].n_shapes, 1);
    const scree_shape* shape = s->bodies[0].shapes;
    assert_int_equal(shape->kind, SCREE_SHAPE_HULL);
    scree_hull_view hull = scree_hull_get_view(shape->hull);
    assert_int_equal(hull.n_corners, 4);
    near(hull.volume, 0.3 * 0.6 * 0.9 / 6.0, "volume");
    /* its own origin is its centre of mass, a quarter of each edge; the body's that of the link */
    const double centre[3] = {1.0 + 0.3 / 4.0, 0.6 / 4.0, 0.9 / 4.0};
    near_all(shape->position, centre, 3, "place");
    write_and_compare(s, "written_mesh_model.yaml");
    scree_scene_destroy(s);
    remove("test_models_mesh.OBJ");
}

/* ---- MJCF ------------------------------------------------------------------------------------ */

static void ellipsoids(void** state)
{
    (void)state;
    scree_scene* s = parse(MJCF(WORLD("<body><freejoint/><geom type='ellipsoid' size='1 2 3'/>"
                                      "</body><body pos='9 0 0'><freejoint/><geom type='ellipsoid' "
                                      "fromto='0 0 0 0 0 2' size='0.5'/></body>")));
    static const double half[2][3] = {{1.0, 2.0, 3.0}, {0.5, 0.5, 1.0}};
    for (int b = 0; b < 2; ++b) {
        const scree_shape* shape = s->bodies[b].shapes;
        assert_int_equal(shape->kind, SCREE_SHAPE_ELLIPSOID);
        for (int k = 0; k < 3; ++k) near(shape->half_size[k], half[b][k], "half axis");
    }
    scree_scene_destroy(s);
}

static void contact_laws(void** state)
{
    (void)state;
    scree_scene* s = parse(
        MJCF(WORLD("<geom type='plane' size='1 1 1' condim='1' friction='0.8 0.1 0.01'/>"
                   "<body pos='0 0 3'><freejoint/><geom size='1' condim='3' friction='0.5'/></body>"
                   "<body pos='0 0 6'><freejoint/><geom size='1' condim='4' "
                   "friction='0.3 0.02 0.001'/></body>"
                   "<body pos='0 0 9'><freejoint/><geom size='1' condim='6' "
                   "friction='0.2 0.03 0.002'/></body>")));
    static const double own[4][3] = {
        {0.0, 0.0, 0.0}, {0.5, 0.0, 0.0}, {0.3, 0.02, 0.0}, {0.2, 0.03, 0.002}};
    assert_int_equal(s->n_materials, 4);
    for (int k = 0; k < 4; ++k) {
        near(s->materials[k].mu, own[k][0], "mu");
        near(s->materials[k].mu_s, own[k][1], "mu_s");
        near(s->materials[k].mu_r, own[k][2], "mu_r");
    }
    /* The larger of everything, with the larger condim: floor and the last one. */
    assert_int_equal(s->n_pairs, 6);
    const scree_scene_pair* pair = &s->pairs[3];
    assert_int_equal(pair->a, 0);
    assert_int_equal(pair->b, 3);
    near(pair->material.mu, 0.8, "mu of a pair");
    near(pair->material.mu_s, 0.1, "mu_s of a pair");
    near(pair->material.mu_r, 0.01, "mu_r of a pair");
    scree_scene_destroy(s);
}

/* contype and conaffinity ask either way, the scene both: all pairs of eight kinds. */
static void who_collides(void** state)
{
    (void)state;
    enum { N = 8 };
    static const unsigned mask[N][2] = {{1, 1}, {2, 1}, {1, 2}, {4, 0},
                                        {0, 4}, {6, 1}, {0, 0}, {3, 4}};
    char text[4096] = "<mujoco><worldbody>";
    for (int k = 0; k < N; ++k) {
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used,
                 "<body pos='0 0 %d'><freejoint/><geom size='1' contype='%u' conaffinity='%u'/>"
                 "</body>",
                 3 * k, mask[k][0], mask[k][1]);
    }
    strcat(text, "</worldbody></mujoco>");
    scree_scene* s = parse(text);
    for (int i = 0; i < N * N; ++i) {
        const scree_shape *a = s->bodies[i / N].shapes, *b = s->bodies[i % N].shapes;
        const unsigned *p = mask[i / N], *q = mask[i % N];
        int ours = (a->category & b->collides) && (b->category & a->collides);
        int theirs = (p[0] & q[1]) || (q[0] & p[1]);
        require(ours == theirs, "kinds %d and %d: %d, not %d", i / N, i % N, ours, theirs);
    }
    scree_scene_destroy(s);
}

/* A rotated lump and a tensor, against the sums of points that they are made of. */
static void masses_add_up(void** state)
{
    (void)state;
    scree_scene* s = parse(MJCF(WORLD(
        "<body pos='1 2 3' name='a'><freejoint/>"
        "<inertial pos='0.5 0 0' mass='2' diaginertia='1 2 2.5' euler='0 0 90'/>"
        "<body pos='0 1 0' euler='0 0 90'>"
        "<inertial pos='1 0 0' mass='4' fullinertia='3 4 5 0.5 0.25 0.125'/></body></body>")));
    const scree_body_def* def = &s->bodies[0].def;
    /* The second one's centre: (0, 1, 0) + Rz(90) (1, 0, 0) = (0, 2, 0); the sum's: (1/6, 8/6, 0).
     */
    const double centre[3] = {1.0 + 1.0 / 6.0, 2.0 + 4.0 / 3.0, 3.0};
    const double d1[2] = {0.5 - 1.0 / 6.0, -4.0 / 3.0}, d2[2] = {-1.0 / 6.0, 2.0 - 4.0 / 3.0};
    /* Rz(90): xx and yy change places, xy its sign, (xz, yz) becomes (-yz, xz). */
    const double inertia[6] = {2.0 + 2.0 * d1[1] * d1[1] + 4.0 + 4.0 * d2[1] * d2[1],
                               1.0 + 2.0 * d1[0] * d1[0] + 3.0 + 4.0 * d2[0] * d2[0],
                               2.5 + 2.0 * (d1[0] * d1[0] + d1[1] * d1[1]) + 5.0 +
                                   4.0 * (d2[0] * d2[0] + d2[1] * d2[1]),
                               -2.0 * d1[0] * d1[1] - 0.5 - 4.0 * d2[0] * d2[1],
                               -0.125,
                               0.25};
    near(def->mass, 6.0, "mass");
    near_all(def->position, centre, 3, "centre");
    near_all(def->inertia, inertia, 6, "inertia");
    scree_scene_destroy(s);
}

static const double* position_of(const scree_scene* s, int body)
{
    return s->bodies[body].def.position;
}

/* The state of a keyframe: a slide and a hinge that is not at the origin, on a body that turns. */
static void keyframes(void** state)
{
    (void)state;
    scree_scene* s = parse(MJCF("<compiler angle='radian'/>" WORLD(
        "<body name='a' pos='0 0 1'><joint axis='0 0 1' ref='0.5'/>"
        "<geom size='0.1' pos='1 0 0'/>"
        "<body name='b' pos='2 0 0'><joint type='slide' axis='1 0 0'/><geom size='0.1'/></body>"
        "<body name='c' pos='0 3 0'><joint axis='0 0 1' pos='0 1 0'/><geom size='0.1'/></body>"
        "</body>"
        "<body name='d'><freejoint/><geom size='0.1'/></body>") "<keyframe><key "
                                                                "qpos='2.0707963267948966 0.25 "
                                                                "1.5707963267948966 7 8 9 0 0 1 0' "
                                                                "qvel='2 3 5 1 2 3 0.5 0 "
                                                                "0'/></keyframe>"));
    /* a turns by pi/2 from its reference. */
    const double a[3] = {0.0, 1.0, 1.0}, b[3] = {0.0, 2.25, 1.0}, d[3] = {7.0, 8.0, 9.0};
    /* c: the anchor is (0, 4, 0) in a, (-4, 0, 1) in the world; there it turns on to pi about z, so
     * that its origin lies at the anchor - Rz(pi) (0, 1, 0). */
    const double c[3] = {-4.0, 1.0, 1.0};
    near_all(position_of(s, 0), a, 3, "a");
    near_all(position_of(s, 1), b, 3, "b");
    near_all(position_of(s, 2), c, 3, "c");
    near_all(position_of(s, 3), d, 3, "d");
    const double va[3] = {-2.0, 0.0, 0.0}, vb[3] = {-4.5, 3.0, 0.0};
    near_all(s->bodies[0].def.velocity, va, 3, "velocity of a");
    near_all(s->bodies[1].def.velocity, vb, 3, "velocity of b");
    /* c: 2 rad/s about the origin and 5 about the anchor, at (-4, 1). */
    const double vc[3] = {-2.0 * 1.0 - 5.0 * 1.0, 2.0 * -4.0, 0.0};
    near_all(s->bodies[2].def.velocity, vc, 3, "velocity of c");
    near(s->bodies[2].def.angular_velocity[2], 7.0, "turning of c");
    /* d is turned by pi about y; its turning is given in its own axes. */
    near(s->bodies[3].def.angular_velocity[0], -0.5, "turning of d");
    scree_scene_destroy(s);
}

static void freedoms(void** state)
{
    (void)state;
    scree_scene* s = parse(MJCF("<compiler autolimits='false'/>" WORLD(
        "<body name='a'><joint name='h' axis='0 0 2' range='-90 45' limited='true' "
        "ref='45' "
        "stiffness='3' springref='90' damping='2' frictionloss='4' armature='5'/>"
        "<geom size='0.1'/></body>"
        "<body name='b' pos='1 0 0'><joint name='s' type='slide' axis='1 0 0' range='-2 "
        "3'/>"
        "<geom size='0.1'/></body>"
        "<body name='c' pos='2 0 0'><joint name='m' axis='0 1 0'/><geom "
        "size='0.1'/></body>") "<actuator><position joint='s' kp='6' kv='7' gear='2'/>"
                               "<motor joint='m' gear='3' ctrlrange='-1 1'/></actuator>"
                               "<keyframe><key ctrl='8 9'/></keyframe>"));
    const scree_freedom *h = &s->joints[0].def.freedom[0], *t = &s->joints[1].def.freedom[0];
    const scree_freedom* m = &s->joints[2].def.freedom[0];
    near(h->lower, -0.75 * SCREE_PI, "lower");
    near(h->upper, 0.0, "upper");
    near(h->rest, 0.25 * SCREE_PI, "rest");
    near(h->stiffness, 3.0, "stiffness");
    near(h->damping, 2.0, "damping");
    near(h->friction, 4.0, "friction");
    near(h->armature, 5.0, "armature");
    require(isinf(t->lower) && isinf(t->upper), "limits that nobody asked for");
    /* kp (u - 2 q) at the actuator is 2 kp (u - 2 q) at the joint: 4 kp (u/2 - q). */
    near(t->stiffness, 24.0, "stiffness of a position");
    near(t->damping, 28.0, "damping of a position");
    near(t->rest, 4.0, "rest of a position");
    assert_int_equal(m->motor, SCREE_MOTOR_EFFORT);
    near(m->target, 3.0, "a control beyond its range");
    scree_scene_destroy(s);
}

/* Several joints of one body. */
static void combinations(void** state)
{
    (void)state;
#define BODY(joints) "<body>" joints "<geom size='0.1' contype='0' conaffinity='0'/></body>"
    scree_scene* s = parse(MJCF(WORLD(
        BODY("<joint type='slide' axis='0 0 1' damping='1'/><joint axis='0 0 1' damping='2'/>")
            BODY("<joint axis='0 0 1' damping='1'/><joint axis='0 1 0' damping='2'/>") BODY(
                "<joint type='slide' axis='1 0 0' damping='1'/>"
                "<joint type='slide' axis='0 0 1' damping='2'/>"
                "<joint axis='0 1 0' damping='3'/>") BODY("<joint type='ball' damping='4'/>"))));
    static const scree_joint_kind kinds[] = {SCREE_JOINT_CYLINDRICAL, SCREE_JOINT_UNIVERSAL,
                                             SCREE_JOINT_PLANAR, SCREE_JOINT_BALL};
    static const double damping[4][3] = {
        {1.0, 2.0, 0.0}, {2.0, 1.0, 0.0}, {2.0, 1.0, 3.0}, {4.0, 0.0, 0.0}};
    assert_int_equal(s->n_joints, 4);
    for (int k = 0; k < 4; ++k) {
        assert_int_equal(s->joints[k].def.kind, kinds[k]);
        for (int j = 0; j < 3; ++j) {
            near(s->joints[k].def.freedom[j].damping, damping[k][j], "damping");
        }
    }
    scree_scene_destroy(s);
}

/* ---- what is not understood ------------------------------------------------------------------ */

static char heard[4000];

static void hear(void* user, scree_log_level level, const char* text)
{
    (void)user;
    assert_int_equal(level, SCREE_LOG_WARNING);
    size_t used = strlen(heard);
    snprintf(heard + used, sizeof heard - used, "%s\n", text);
}

static void everything_left_out_is_listed(void** state)
{
    (void)state;
    static const char text[] = "<mujoco>\n<visual/>\n<worldbody>\n<light/>\n<light/>\n"
                               "<body>\n<freejoint/>\n<geom size='1' rgba='1 0 0 1'/>\n"
                               "<geom type='mesh' mesh='x'/>\n<site><inner/></site>\n</body>\n"
                               "</worldbody>\n<sensor><gyro/></sensor>\n</mujoco>\n";
    scree_env env = {.log = hear};
    scree_scene* scene = NULL;
    heard[0] = '\0';
    assert_int_equal(scree_scene_parse(&env, "m.xml", text, strlen(text), 0, NULL, &scene), 0);
    scree_scene_destroy(scene);
    assert_string_equal(heard, "m.xml:9: a <geom> of type 'mesh' is not understood and left out\n"
                               "m.xml:2: <visual> is not understood and left out\n"
                               "m.xml:4: <light> is not understood and left out, also in lines 5\n"
                               "m.xml:8: rgba of <geom> is not understood and left out\n"
                               "m.xml:10: <site> is not understood and left out\n"
                               "m.xml:13: <sensor> is not understood and left out\n");
}

/* ---- damaged models -------------------------------------------------------------------------- */

static char* read_text(const char* path, size_t* size)
{
    FILE* file = fopen(path, "rb");
    char* text = malloc(1 << 16);
    require(file && text, "%s cannot be read", path);
    *size = fread(text, 1, 1 << 16, file);
    fclose(file);
    return text;
}

/* Bytes exchanged, doubled or left out: a status and nothing left behind, whatever it is. */
static void damaged_models_end(void** state)
{
    (void)state;
    static const char* const paths[] = {MODELS "arm.urdf", MODELS "toy.urdf", MODELS "gripper.xml",
                                        MODELS "walker.xml", MODELS "fourbar.xml"};
    static const char bits[] = "<>'\"/ 0123456789-.eabz";
    scri_random random = test_seed("damaged_models_end", 20261115);
    int n = test_cases(60, 4000), n_read = 0;
    for (size_t k = 0; k < sizeof paths / sizeof paths[0]; ++k) {
        size_t size;
        char *text = read_text(paths[k], &size), *copy = malloc(2 * size);
        assert_non_null(copy);
        for (int i = 0; i < n; ++i) {
            memcpy(copy, text, size);
            size_t at = (size_t)(scri_random_uniform(&random) * (double)size), length = size;
            double what = scri_random_uniform(&random);
            if (what < 0.5) {
                copy[at] = bits[(size_t)(scri_random_uniform(&random) * (double)(sizeof bits - 1))];
            } else { /* a piece is left out, or written twice */
                size_t piece = (size_t)(scri_random_uniform(&random) * 60.0);
                if (piece > size - at) piece = size - at;
                size_t rest = what < 0.75 ? at + piece : at;
                size_t to = what < 0.75 ? at : at + piece;
                memcpy(copy + to, text + rest, size - rest);
                length = to + size - rest;
            }
            test_host host;
            scree_env env = test_env(&host);
            scree_scene* scene = NULL;
            scree_status status = scree_scene_parse(&env, "m.xml", copy, length, 0, NULL, &scene);
            assert_int_equal(status == SCREE_OK, scene != NULL);
            n_read += status == SCREE_OK;
            scree_scene_destroy(scene);
            assert_int_equal(host.n_held, 0);
        }
        free(copy);
        free(text);
    }
    require(n_read > 0 && n_read < 5 * n, "%d of %d were read", n_read, 5 * n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(match_hand_written),
        cmocka_unit_test(settings),
        cmocka_unit_test(what_is_read_can_be_written),
        cmocka_unit_test(awkward_texts),
        cmocka_unit_test(mimics_on_links_that_move),
        cmocka_unit_test(meshes_become_hulls),
        cmocka_unit_test(ellipsoids),
        cmocka_unit_test(contact_laws),
        cmocka_unit_test(who_collides),
        cmocka_unit_test(masses_add_up),
        cmocka_unit_test(keyframes),
        cmocka_unit_test(freedoms),
        cmocka_unit_test(combinations),
        cmocka_unit_test(everything_left_out_is_listed),
        cmocka_unit_test(damaged_models_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
