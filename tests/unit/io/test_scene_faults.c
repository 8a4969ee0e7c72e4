/* Faulty scenes: one message each, with the place and what to do about it. */
#include "io/scene_reader.h"
#include "support/test.h"

/* What stands for the files that a scene names. */
static const char* csv_text;

static scree_status fake_file(const scree_env* env, const char* path, char** bytes, size_t* size)
{
    (void)path;
    *bytes = NULL;
    *size = 0;
    if (!csv_text) return SCREE_ERROR_FILE;
    *size = strlen(csv_text);
    *bytes = env->alloc(env->user, *size + 1);
    if (!*bytes) return SCREE_ERROR_MEMORY;
    memcpy(*bytes, csv_text, *size);
    return SCREE_OK;
}

/* One message, exactly this one, and nothing left behind. */
static void expect_fault(const char* text, size_t size, const char* setting, const char* message)
{
    test_host host;
    scree_env env = test_env(&host);
    scree_scene* scene = NULL;
    scri_scene_text from = {"s.yaml", text, size, setting != NULL, &setting};
    scree_status status = scri_scene_parse(&env, fake_file, &from, &scene);
    require(status == SCREE_ERROR_INPUT || status == SCREE_ERROR_FORMAT,
            "status %d (%s) for:\n%s\nexpected: %s", (int)status, host.text, text, message);
    assert_null(scene);
    assert_int_equal(host.n_held, 0);
    require(host.n_logged == 1, "%d messages for:\n%s", host.n_logged, text);
    require(strcmp(host.text, message) == 0, "said:     %s\nexpected: %s\nfor:\n%.1000s", host.text,
            message, text);
}

#define SPHERE "{type: sphere, radius: 1}"
#define BALL "bodies: [{name: ball, shape: " SPHERE "}]\n"

typedef struct fault {
    const char *text, *message;
} fault;

static void expect_each(const fault* table, size_t n)
{
    for (size_t k = 0; k < n; ++k) {
        expect_fault(table[k].text, strlen(table[k].text), NULL, table[k].message);
    }
}

static void yaml(void** state)
{
    (void)state;
    static const fault table[] = {
        {"", "s.yaml:1:1: the scene is empty"},
        {"# nothing\n", "s.yaml:1:1: the scene is empty"},
        {"text\n", "s.yaml:1:1: a scene is expected as a map of keys and values, not a text"},
        {"[1, 2]\n", "s.yaml:1:1: a scene is expected as a map of keys and values, not a list"},
        {BALL "---\ntitle: x\n", "s.yaml:2:1: a second document begins here; there must be one"},
        {"title: [a\nworld: {}\n",
         "s.yaml:2:6: while parsing a flow sequence: did not find expected ',' or ']'"},
        {"title: \"a\n", "s.yaml:2:1: while scanning a quoted scalar: found unexpected end of "
                         "stream"},
        {"world:\n\tstep: 1\n", "s.yaml:2:1: while scanning for the next token: found character "
                                "that cannot start any token"},
        {"title: *none\n", "s.yaml:1:8: no anchor '&none' for this alias"},
        {"title: caf\xe9\n", "s.yaml:1:11: incomplete UTF-8 octet sequence (texts are UTF-8)"},
        {BALL "title: \"a\\0b\"\n", "s.yaml:2:8: a text holds a zero character"},
        {"title: a\ntitle: b\n", "s.yaml:2:1: key 'title' was already given in line 1"},
        {"[a]: b\n", "s.yaml:1:1: a key must be a text"},
        {"title: &a [*a]\n", "s.yaml:1:12: an alias contains itself"},
        {"title: &a {x: {y: *a}}\n", "s.yaml:1:19: an alias contains itself"},
    };
    expect_each(table, sizeof table / sizeof table[0]);
}

static void keys_and_kinds(void** state)
{
    (void)state;
    static const fault table[] = {
        {"boddies: []\n", "s.yaml:1:1: unknown key 'boddies'; did you mean 'bodies'?"},
        {"xyzzy: 1\n",
         "s.yaml:1:1: unknown key 'xyzzy'; a scene has title, parameters, world, materials, pairs, "
         "bodies, generators, containers, joints, probes, sinks, domain, measures, results, "
         "drives, "
         "forces, stop, output"},
        {"title: x\n", "s.yaml:1:1: the scene has no bodies"},
        {"bodies: {}\n", "s.yaml:1:9: bodies: a list is expected, not a map"},
        {"bodies: [1]\n",
         "s.yaml:1:10: a body is expected as a map of keys and values, not a text"},
        {"bodies: [{}]\n", "s.yaml:1:10: a body needs 'shape', or 'shapes' with a list"},
        {"bodies: [{shape: " SPHERE ", shapes: []}]\n",
         "s.yaml:1:10: a body has either 'shape' or 'shapes'"},
        {"bodies: [{shapes: []}]\n", "s.yaml:1:19: shapes: the list is empty"},
        {"bodies: [{shape: {radius: 1}}]\n", "s.yaml:1:18: a shape needs 'type'"},
        {"bodies: [{shape: {type: sphere}}]\n", "s.yaml:1:18: a sphere needs 'radius'"},
        {"bodies: [{shape: {type: capsule, radius: 1}}]\n",
         "s.yaml:1:18: a capsule needs 'length'"},
        {"bodies: [{shape: {type: polygon}}]\n", "s.yaml:1:25: unknown type 'polygon'; known are "
                                                 "sphere, half-space, box, capsule, cylinder, "
                                                 "hull, ellipsoid, cone, mesh, tube"},
        {"bodies: [{shape: {type: spere}}]\n",
         "s.yaml:1:25: unknown type 'spere'; did you mean 'sphere'?"},
        {"bodies: [{shape: {type: sphere, radius: 1, size: 2}}]\n",
         "s.yaml:1:44: unknown key 'size'; a sphere has type, radius, material, position, "
         "rotation, "
         "category, collides, for"},
        {"bodies:\n  - shape: {type: sphere, radius: 1, matterial: x}\n",
         "s.yaml:2:38: unknown key 'matterial'; did you mean 'material'?"},
        {"bodies: [{kind: statik, shape: " SPHERE "}]\n",
         "s.yaml:1:17: unknown kind 'statik'; did you mean 'static'?"},
        {"bodies: [{name: a b, shape: " SPHERE "}]\n",
         "s.yaml:1:17: name: 'a b' is no name: 1 to 64 characters without white space, '.' and "
         "'='"},
        {"bodies:\n  - {name: a, shape: " SPHERE "}\n  - {name: a, shape: " SPHERE "}\n",
         "s.yaml:3:12: the name 'a' was already given in line 2"},
        {BALL "world: 1\n",
         "s.yaml:2:8: the world is expected as a map of keys and values, not a text"},
        {BALL "world: {law: exakt}\n", "s.yaml:2:14: unknown law 'exakt'; did you mean 'exact'?"},
        {BALL "world: {gravity: 9.81}\n", "s.yaml:2:18: gravity: a list of 3 numbers is expected"},
        {BALL "world: {step: [1]}\n", "s.yaml:2:15: step: a number is expected, not a list"},
        {BALL "title: {a: 1}\n", "s.yaml:2:8: title: a text is expected, not a map"},
        {BALL "parameters: [1]\n",
         "s.yaml:2:13: parameters: a map of names and values is expected"},
        {BALL "materials: [1]\n",
         "s.yaml:2:12: materials: a map of names and materials is expected"},
    };
    expect_each(table, sizeof table / sizeof table[0]);
}

static void values(void** state)
{
    (void)state;
    static const fault table[] = {
        {BALL "world: {step: 5 mm}\n",
         "s.yaml:2:17: step: found 'mm' after a number; units are SI and not written: a number or "
         "an expression is expected"},
        {BALL "world: {step: 0}\n", "s.yaml:2:15: step = 0 must be positive"},
        {BALL "world: {step: }\n", "s.yaml:2:15: step: a number is expected, but there is none"},
        {BALL "world: {theta: 0.4}\n", "s.yaml:2:16: theta = 0.4 must be from 0.5 to 1"},
        {BALL "world: {solver: newton}\n",
         "s.yaml:2:17: unknown solver 'newton'; did you mean 'newton-dense'?"},
        {BALL "world: {max_sweeps: 1.5}\n", "s.yaml:2:21: max_sweeps = 1.5 must be a whole number"},
        {BALL "world: {max_sweeps: 0}\n",
         "s.yaml:2:21: max_sweeps = 0 must be from 1 to 1000000000"},
        {BALL "world: {gravity: [0, 0, 1/0]}\n", "s.yaml:2:26: gravity: division by zero"},
        {BALL "world: {gravity: [0, 0, sqrt(-1)]}\n",
         "s.yaml:2:25: gravity: the result is not a finite number"},
        {BALL "world: {joints: tree}\n",
         "s.yaml:2:17: unknown joints 'tree'; did you mean 'trees'?"},
        {BALL "world: {margin: .inf}\n", "s.yaml:2:17: margin: the result is not a finite number"},
        {"materials: {a: {mu: -0.3}}\n" BALL, "s.yaml:1:21: mu = -0.3 must not be negative"},
        {"materials: {a: {mu: 0.5, mu_static: 0.4}}\n" BALL,
         "s.yaml:1:16: mu = 0.4 at rest is below the 0.5 of motion"},
        {"materials: {a: {stribeck_r: -1}}\n" BALL,
         "s.yaml:1:29: stribeck_r = -1 must not be negative"},
        {"materials: {a: {mu_static: 0.5}}\nworld: {law: coupled}\n" BALL,
         "s.yaml:1:16: the law coupled has no friction that depends on slip"},
        {"materials: {a: {restitution: 2}}\n" BALL,
         "s.yaml:1:30: restitution = 2 must be from 0 to 1"},
        {"materials: {a: {restitution: 0.5}}\nworld: {scheme: gap}\n" BALL,
         "s.yaml:1:30: restitution = 0.5 needs the impulse scheme; the gap scheme has none"},
        {"parameters: {mu: -1}\nmaterials: {a: {mu: mu}}\n" BALL,
         "s.yaml:2:21: mu = -1 must not be negative"},
        {"parameters: {a: b, b: 1}\n" BALL, "s.yaml:1:17: a: unknown name 'b'; known are pi, deg"},
        {"parameters: {2a: 1}\n" BALL,
         "s.yaml:1:14: '2a' is no name of a parameter: letters, digits and '_', at most 60"},
        {"parameters: {pi: 3}\n" BALL, "s.yaml:1:14: 'pi' has a meaning in expressions already"},
        {"parameters: {a: {value: 1, meaning: rolling, m}}\n" BALL,
         "s.yaml:1:46: unknown key 'm'; quote a text that holds a comma"},
        {"parameters: {a: {meaning: x}}\n" BALL, "s.yaml:1:17: a parameter needs 'value'"},
        {"bodies: [{shape: {type: sphere, radius: -1}}]\n",
         "s.yaml:1:41: radius = -1 must be positive"},
        {"bodies: [{shape: {type: sphere, radius: 'r'}}]\n",
         "s.yaml:1:42: radius: unknown name 'r'; known are pi, deg"},
        {"bodies: [{shape: {type: box, size: [1, 0, 1]}}]\n",
         "s.yaml:1:40: size = 0 must be positive"},
        {"bodies: [{shape: {type: half-space}}]\n",
         "s.yaml:1:18: a half-space has no mass; its body must be static or kinematic"},
        {"bodies: [{kind: static, shape: {type: half-space, normal: [0, 0, 0]}}]\n",
         "s.yaml:1:59: normal has no direction"},
        {"bodies: [{rotation: [1, 1, 0, 0], shape: " SPHERE "}]\n",
         "s.yaml:1:21: rotation: the quaternion w, x, y, z has length 1.41421, not 1"},
        {"bodies: [{rotation: 30, shape: " SPHERE "}]\n",
         "s.yaml:1:21: rotation: a quaternion [w, x, y, z] or {axis: [x, y, z], angle: ...} is "
         "expected"},
        {"bodies: [{rotation: {axis: [0, 0, 1], angle: 1, degrees: 2}, shape: " SPHERE "}]\n",
         "s.yaml:1:58: a rotation has either 'angle' or 'degrees'"},
        {"bodies: [{rotation: {axis: [0, 0, 0], angle: 1}, shape: " SPHERE "}]\n",
         "s.yaml:1:28: axis has no direction"},
        {"bodies: [{kind: static, velocity: [1, 0, 0], shape: " SPHERE "}]\n",
         "s.yaml:1:35: velocity: a static body does not move"},
        {"bodies: [{density: 0, shape: " SPHERE "}]\n",
         "s.yaml:1:20: density = 0 must be positive"},
        {"bodies: [{density: 1, mass: 1, shape: " SPHERE "}]\n",
         "s.yaml:1:29: a body has either 'density' or 'mass'"},
        {"bodies: [{inertia: [1, 1], shape: " SPHERE "}]\n",
         "s.yaml:1:20: inertia: a list of 3 numbers (xx, yy, zz) or 6 (xx, yy, zz, xy, xz, yz) is "
         "expected"},
        {"bodies: [{inertia: [1, 1, 1, 2, 0, 0], shape: " SPHERE "}]\n",
         "s.yaml:1:20: inertia is not positive definite"},
        {"bodies: [{inertia: [1, 1, 100], shape: " SPHERE "}]\n",
         "s.yaml:1:20: no body has this inertia: no principal moment may exceed the sum of the "
         "other two"},
        {"bodies: [{inertia: [3, 3, 3, 1.4, 1.4, 1.4], shape: " SPHERE "}]\n",
         "s.yaml:1:20: no body has this inertia: no principal moment may exceed the sum of the "
         "other two"},
        {"bodies: [{shape: {type: sphere, radius: 1e200}}]\n",
         "s.yaml:1:10: the body's sizes, mass or inertia exceed what can be computed"},
        {"bodies: [{shape: {type: sphere, radius: 1, category: -1}}]\n",
         "s.yaml:1:54: category = -1 must be from 0 to 4294967295"},
        {BALL "stop: {time: .inf}\n",
         "s.yaml:2:14: the scene never stops; give a finite time, or 'rest'"},
        {BALL "stop: {rest: {speed: -1}}\n", "s.yaml:2:22: speed = -1 must not be negative"},
        {BALL "output: {interval: 0}\n", "s.yaml:2:20: interval = 0 must be positive"},
    };
    expect_each(table, sizeof table / sizeof table[0]);
}

static void references(void** state)
{
    (void)state;
    static const fault table[] = {
        {"materials: {grain: {}, steel: {}}\n" BALL,
         "s.yaml:2:30: 'material' is missing; the scene has 2 of them"},
        {"materials: {grain: {}}\nbodies: [{shape: {type: sphere, radius: 1, material: grian}}]\n",
         "s.yaml:2:54: unknown material 'grian'; did you mean 'grain'?"},
        {"materials: {grain: {}, steel: {}}\npairs: [{materials: [grain]}]\n",
         "s.yaml:2:21: materials: a list of two names is expected"},
        {"materials: {grain: {}, steel: {}}\npairs: [{materials: [grain, grain]}]\n",
         "s.yaml:2:21: a pair has two materials; what 'grain' does against itself stands under "
         "materials"},
        {"materials: {a: {}, b: {}}\npairs: [{materials: [a, b]}, {materials: [b, a]}]\n",
         "s.yaml:2:30: the pair of 'b' and 'a' was already given"},
        {BALL "drives: [{body: bal}]\n", "s.yaml:2:17: no body is called 'bal'; did you mean "
                                         "'ball'?"},
        {BALL "drives: [{body: ball}]\n",
         "s.yaml:2:17: 'ball' is not kinematic, and cannot be driven"},
        {"bodies: [{name: p, kind: kinematic, shape: " SPHERE "}]\n"
         "drives: [{body: p, begin: 2, end: 1}]\n",
         "s.yaml:2:35: end = 1 s must be later than begin = 2 s"},
        {"bodies: [{name: p, kind: static, shape: " SPHERE "}]\nforces: [{body: p}]\n",
         "s.yaml:2:17: 'p' is not dynamic, and no force moves it"},
        {BALL "forces: [{force: [1, 0, 0]}]\n", "s.yaml:2:10: a force needs 'body'"},
        {"title: $name\n" BALL, "s.yaml:1:8: unknown parameter 'name'; no parameter has a text"},
        {"parameters: {mu: 1}\ntitle: $mu\n" BALL,
         "s.yaml:2:8: parameter 'mu' is a number, where a text is expected"},
        {"parameters: {file: a.csv}\nworld: {step: file}\n" BALL,
         "s.yaml:2:15: step: parameter 'file' is a text, where a number is expected"},
    };
    expect_each(table, sizeof table / sizeof table[0]);
}

static void generators(void** state)
{
    (void)state;
    static const fault table[] = {
        {"generators: [{}]\n", "s.yaml:1:14: a generator needs 'type'"},
        {"generators: [{type: grid}]\n", "s.yaml:1:14: a grid needs 'body'"},
        {"generators: [{type: grid, rate: 1}]\n",
         "s.yaml:1:27: unknown key 'rate'; a grid has type, count, spacing, origin, jitter, "
         "packing, "
         "file, seed, size_spread, sizes, orientation, body, bodies, weights"},
        {"generators: [{type: grid, body: {position: [0, 0, 0], shape: " SPHERE "}}]\n",
         "s.yaml:1:44: position: the generator says where its bodies are"},
        {"generators:\n- {type: grid, body: {shape: " SPHERE "}, spacing: 1,\n"
         "   count: [1000, 1000, 1000]}\n",
         "s.yaml:3:11: count: more than 100000000 bodies"},
        {"generators:\n- {type: grid, body: {shape: " SPHERE "}, spacing: 1,\n"
         "   count: [1, 2.5, 3]}\n",
         "s.yaml:3:15: count = 2.5 must be a whole number from 1 to 100000000"},
        {"generators:\n- {type: grid, body: {shape: " SPHERE "}, count: [1, 1, 1],\n"
         "   spacing: [1, -1, 1]}\n",
         "s.yaml:3:17: spacing = -1 must be positive"},
        {"generators:\n- {type: rain, body: {shape: " SPHERE "}, rate: 1, count: 1e9,\n"
         "   box: {from: [0, 0, 0], to: [0, 0, 0]}}\n",
         "s.yaml:2:74: count = 1000000000 must be from 1 to 100000000"},
        {"generators:\n- {type: rain, body: {shape: " SPHERE "}, rate: 1, count: 1,\n"
         "   box: {from: [0, 0, 1], to: [0, 0, 0]}}\n",
         "s.yaml:3:9: box: from = 1 lies beyond to = 0"},
        {"generators:\n- {type: rain, body: {kind: static, shape: " SPHERE "}, rate: 1, count: 1,\n"
         "   box: {from: [0, 0, 0], to: [0, 0, 0]}}\n",
         "s.yaml:2:22: bodies that rain must be dynamic"},
        {"generators:\n- {type: rain, body: {shape: " SPHERE "}, rate: 1, count: 1,\n"
         "   size_spread: 1, box: {from: [0, 0, 0], to: [0, 0, 0]}}\n",
         "s.yaml:3:17: size_spread = 1 must be from 0 to less than 1"},
        {"generators: [{type: csv, file: a.csv, body: {shape: " SPHERE "}}]\n",
         "s.yaml:1:32: file 'a.csv' cannot be read"},
        {"parameters: {csv: a.csv}\n"
         "generators: [{type: csv, file: $csv, body: {shape: " SPHERE "}}]\n",
         "s.yaml:2:32: file 'a.csv', which parameter 'csv' names, cannot be read"},
        {"containers: [{name: box, inside: {from: [0, 0, 0]}}]\n",
         "s.yaml:1:34: inside needs 'to'"},
        {"containers: [{name: box, inside: {from: [0, 0, 0], to: [1, 1, 1]}, open: [up]}]\n",
         "s.yaml:1:75: unknown side 'up'; known are left, right, front, back, bottom, top"},
        {"containers: [{name: box, inside: {from: [0, 0, 0], to: [1, 1, 1]},\n"
         "open: [left, right, front, back, bottom, top]}]\n",
         "s.yaml:2:7: open: no side is left"},
    };
    csv_text = NULL;
    expect_each(table, sizeof table / sizeof table[0]);
}

static void csv(void** state)
{
    (void)state;
    static const fault table[] = {
        {"", "a.csv:0: the file holds no place"},
        {"# only\n\n", "a.csv:2: the file holds no place"},
        {"x,y,z\n", "a.csv:1: the file holds no place"},
        {"1,2\n", "a.csv:1: 2 columns, where x,y,z are expected"},
        {"x,y,z\n1,2,3\n4,5,6,7\n", "a.csv:3: 4 columns, where x,y,z are expected"},
        {"1 2 3\n4 5 6\n", "a.csv:1: unknown column '1 2 3'; known are x, y, z, radius, size, "
                           "mass, vx, vy, vz, wx, wy, "
                           "wz, qw, qx, qy, qz, material, name"},
        {"x,y,z,radus\n", "a.csv:1: unknown column 'radus'; did you mean 'radius'?"},
        {"x,y,radius\n1,2,3\n", "a.csv:1: column 'z' is missing"},
        {"x,y,z,vx,vy\n", "a.csv:1: column 'vz' is missing"},
        {"x,y,z,qw\n", "a.csv:1: column 'qx' is missing"},
        {"x,y,z,x\n", "a.csv:1: column 'x' appears twice"},
        {"x,y,z,size,radius\n", "a.csv:1: a file has either 'radius' or 'size'"},
        {"x,y,z,radius\n1,2,3,-1\n", "a.csv:2: radius = -1 must be positive"},
        {"mass,z,y,x\n0,1,2,3\n", "a.csv:2: mass = 0 must be positive"},
        {"x,y,z,mass\n1,2,3\n", "a.csv:2: 3 columns, where x,y,z,mass are expected"},
        {"x,y,z,qw,qx,qy,qz\n1,2,3,1,1,0,0\n",
         "a.csv:2: the quaternion qw, qx, qy, qz has length 1.41421, not 1"},
        {"x,y,z,material\n1,2,3,gold\n", "a.csv:2: unknown material 'gold'; there are default"},
        {"name,x,y,z\na b,2,3,4\n",
         "a.csv:2: 'a b' is no name: 1 to 64 characters without white space, '.' and '='"},
        {"1,2,3\nx,y,z\n", "a.csv:2: x is 'x', which is not a number"},
        {"1,2,nan\n", "a.csv:1: z is 'nan', which is not a finite number"},
        {"1,-inf,3\n", "a.csv:1: y is '-inf', which is not a finite number"},
        {"1,,3\n", "a.csv:1: y is '', which is not a number"},
        {"1,2,3mm\n", "a.csv:1: z is '3mm', which is not a number"},
        {"1,2,3\n\x01\x02,0,0\n", "a.csv:2: x is '?\?', which is not a number"},
    };
    const char* text = "generators: [{type: csv, file: a.csv, body: {shape: " SPHERE "}}]\n";
    for (size_t k = 0; k < sizeof table / sizeof table[0]; ++k) {
        csv_text = table[k].text;
        expect_fault(text, strlen(text), NULL, table[k].message);
    }
}

#define PLATE(text) BALL "materials:\n  plate: {" text "}\n"

static void sets(void** state)
{
    (void)state;
    static const fault table[] = {
        {PLATE("slidding: {disc: 1}"),
         "s.yaml:3:11: unknown key 'slidding'; did you mean 'sliding'?"},
        {PLATE("sliding: 0.5"),
         "s.yaml:3:20: a set is expected as a map of keys and values, not a text"},
        {PLATE("sliding: {}"), "s.yaml:3:20: sliding: a set needs one of disc, ellipse, rectangle, "
                               "superellipse, runner, polygon, asperity, polar"},
        {PLATE("sliding: {disc: 1, angle: 3}"),
         "s.yaml:3:30: sliding: the angle of a set is called 'degrees'"},
        {PLATE("sliding: {degrees: 3}"),
         "s.yaml:3:20: sliding: a set needs one of disc, ellipse, rectangle, superellipse, runner, "
         "polygon, asperity, polar"},
        {PLATE("sliding: {elipse: [1, 2]}"),
         "s.yaml:3:21: unknown key 'elipse'; did you mean 'ellipse'?"},
        {PLATE("sliding: {square: 1}"),
         "s.yaml:3:21: unknown key 'square'; a set has disc, ellipse, rectangle, superellipse, "
         "runner, polygon, asperity, polar, degrees, scale, "
         "spin_power"},
        {PLATE("sliding: {disc: 1, ellipse: [1, 2]}"),
         "s.yaml:3:30: sliding: a set is either 'disc' or 'ellipse'"},
        {PLATE("sliding: {ellipse: [1, 2, 3]}"),
         "s.yaml:3:30: ellipse: [a, b] (semi-axes) is expected"},
        {PLATE("sliding: {superellipse: [1, 2, 1 +]}"),
         "s.yaml:3:42: superellipse: the expression ends where a value is expected"},
        {PLATE("sliding: {disc: -1}"), "s.yaml:3:27: disc = -1 must be positive"},
        {PLATE("sliding: {disc: 1, degrees: x}"),
         "s.yaml:3:39: degrees: unknown name 'x'; known are pi, deg"},
        {PLATE("sliding: {disc: 1, scale: 0}"), "s.yaml:3:37: scale = 0 must be positive"},
        {PLATE("direction: {polygon: 3}"),
         "s.yaml:3:32: polygon: [[x, y], ...] (corners) is expected"},
        {PLATE("direction: {polygon: [[1, 0], [0]]}"),
         "s.yaml:3:41: polygon: a list of 2 numbers is expected"},
        {PLATE("rolling: {asperity: [1.2, 80]}"), "s.yaml:3:31: asperity: the friction a is 1.2, "
                                                  "but wedges of 1.39626 rad jam from 0.176327 "
                                                  "on"},
        {PLATE("sliding: {superellipse: [1, 1, 0.5]}"),
         "s.yaml:3:20: sliding: the set is not convex, so that it needs a set of directions"},
        {"world: {law: convex}\n" PLATE("direction: {disc: 1}"),
         "s.yaml:4:22: sliding: the law convex takes a convex set and no directions; the law exact "
         "takes both"},
        {"world: {law: convex}\n" PLATE("sliding: {disc: 1}, direction: {disc: 1}"),
         "s.yaml:4:42: sliding: the law convex takes a convex set and no directions; the law exact "
         "takes both"},
        {"world: {law: coupled}\n" PLATE("rolling: {disc: 1}, rolling_direction: {disc: 1}"),
         "s.yaml:4:20: rolling: the law coupled has no sets"},
        {PLATE("lay: [0, 0, 0]"), "s.yaml:3:16: lay has no direction"},
        {PLATE("lay: [0, 1]"), "s.yaml:3:16: lay: a list of 3 numbers is expected"},
        {PLATE("file: p.yaml"), "s.yaml:3:17: file 'p.yaml' cannot be read"},
        {BALL "materials: {a: {mu: 1}, b: {mu: 1}}\npairs: [{materials: [a, b], lay: [1, 0, 0]}]\n",
         "s.yaml:3:29: unknown key 'lay'; a pair has materials, mu, mu_r, mu_s, mu_r_share, "
         "mu_s_share, mu_static, mu_r_static, mu_s_static, stribeck, stribeck_r, stribeck_s, "
         "viscous, viscous_r, viscous_s, restitution, stiffness, damping, young, poisson, sliding, "
         "direction, tensor, rolling, rolling_direction"},
        {BALL "materials: {a: {mu: 1}, b: {mu: 1}}\n"
              "pairs: [{materials: [a, b], sliding: {superellipse: [1, 1, 0.5]}}]\n",
         "s.yaml:3:38: sliding: the set is not convex, so that it needs a set of directions"},
        {"world: {law: convex}\n" PLATE("sliding: {asperity: [0.3, 30]}"),
         "s.yaml:4:20: sliding: the law convex takes a convex set and no directions; the law exact "
         "takes both"},
        {PLATE("tensor: {second: [[0.5, 0.1], [-0.1, 0.3]]}"),
         "s.yaml:3:19: flow rule: no set has these directions: its curve does not close, it ends "
         "at "
         "0.197442 times the radius of its beginning"},
        {PLATE("tensor: {second: [[0.5, 0]]}"),
         "s.yaml:3:28: second: two lists of 2 numbers are expected"},
        {PLATE("tensor: {second: [[1, 0], [0, -1]]}"),
         "s.yaml:3:19: flow rule: at 0 degrees the force does not resist the sliding, or does not "
         "turn "
         "on with it"},
        {PLATE("tensor: {fourth: 1}"), "s.yaml:3:19: a tensor needs 'second'"},
        {PLATE("sliding: {disc: 1}, tensor: {second: [[1, 0], [0, 1]]}"),
         "s.yaml:3:39: tensor: it takes the place of sliding and direction"},
    };
    csv_text = NULL;
    expect_each(table, sizeof table / sizeof table[0]);
}

/* Faults in the file of a material name that file. */
static void material_files(void** state)
{
    (void)state;
    static const fault table[] = {
        {"", "s.yaml:3:17: file 'p.yaml' is empty"},
        {"# nothing", "s.yaml:3:17: file 'p.yaml' is empty"},
        {"1", "p.yaml:1:1: a material is expected as a map of keys and values, not a text"},
        {"mu: 1\nmuu: 2", "p.yaml:2:1: unknown key 'muu'; did you mean 'mu'?"},
        {"file: q.yaml", "p.yaml:1:1: unknown key 'file'; a material has mu, mu_r, mu_s, "
                         "mu_r_share, mu_s_share, mu_static, mu_r_static, mu_s_static, stribeck, "
                         "stribeck_r, stribeck_s, "
                         "viscous, viscous_r, viscous_s, restitution, stiffness, damping, "
                         "young, poisson, sliding, direction, tensor, rolling, "
                         "rolling_direction, lay, contour"},
        {"mu: -1", "p.yaml:1:5: mu = -1 must not be negative"},
        {"mu: 1 mm", "p.yaml:1:7: mu: found 'mm' after a number; units are SI and not written: a "
                     "number or an expression is expected"},
        {"sliding:\n  superellipse: [1, 1, 0.5]",
         "p.yaml:2:3: sliding: the set is not convex, so that it needs a set of directions"},
        {"sliding: {disc: 1}\nsliding: {disc: 2}",
         "p.yaml:2:1: key 'sliding' was already given in line 1"},
        {"a: [", "p.yaml:2:1: while parsing a flow node: did not find expected node content"},
    };
    const char* text = PLATE("file: p.yaml");
    for (size_t k = 0; k < sizeof table / sizeof table[0]; ++k) {
        csv_text = table[k].text;
        expect_fault(text, strlen(text), NULL, table[k].message);
    }
    csv_text = "sliding: {disc: 1}\nmu: 2";
    text = PLATE("file: p.yaml, mu: -3");
    expect_fault(text, strlen(text), NULL, "s.yaml:3:29: mu = -3 must not be negative");
    text = PLATE("file: p.yaml");
    expect_fault(text, strlen(text), "materials.plate.mu=-4",
                 "materials.plate.mu=-4: mu = -4 must not be negative");
    csv_text = NULL;
}

static void settings(void** state)
{
    (void)state;
    static const char text[] = "parameters: {mu: 0.3, file: a.csv}\n"
                               "materials: {grain: {mu: mu}}\n"
                               "bodies: [{name: floor, kind: static, shape: {type: half-space}}]\n"
                               "generators: [{type: rain, count: 1, rate: 1, body: {name: drop, "
                               "shape: " SPHERE "}, box: {from: [0,0,0], to: [0,0,0]}}]\n";
    static const fault table[] = {
        {"mu", "mu: KEY=VALUE is expected"},
        {"=3", "=3: KEY=VALUE is expected"},
        {"mu=", "mu=: there is no value"},
        {"mu=[1]", "mu=[1]: a parameter is a number or a text"},
        {"mu=b.csv", "mu=b.csv: parameter 'mu' is a number, not a text"},
        {"mu=-1", "s.yaml:2:25: mu = -1 must not be negative"},
        {"mu=3 mm",
         "mu=3 mm: mu: found 'mm' after a number; units are SI and not written: a number "
         "or an expression is expected"},
        {"mu=nu", "mu=nu: mu: unknown name 'nu'; known are pi, deg"},
        {"mu=[", "mu=[: while parsing a flow node: did not find expected node content"},
        {"muu=1", "muu=1: unknown parameter or key 'muu'; did you mean 'mu'?"},
        {"wrld.step=1", "wrld.step=1: unknown parameter or key 'wrld'; did you mean 'world'?"},
        {"world.stp=1", "world.stp=1: unknown key 'stp'; did you mean 'step'?"},
        {"world..step=1", "world..step=1: a word is missing in the path"},
        {"world.step=-1", "world.step=-1: step = -1 must be positive"},
        {"title.x.y=1", "title.x.y=1: title: a text is expected, not a map"},
        {"materials.grian.mu=1",
         "materials.grian.mu=1: unknown name 'grian'; did you mean 'grain'?"},
        {"parameters.nu=1", "parameters.nu=1: unknown name 'nu'; did you mean 'mu'?"},
        {"materials.grain.mu.x=1",
         "materials.grain.mu.x=1: 'mu' is a value; nothing lies below it"},
        {"bodies.flor.kind=static",
         "bodies.flor.kind=static: unknown item 'flor'; did you mean 'floor'?"},
        {"bodies.3.kind=static", "bodies.3.kind=static: no item 3; the list has 1, counted from 0"},
        {"generators.drip.rate=2",
         "generators.drip.rate=2: unknown item 'drip'; did you mean 'drop'?"},
        {"generators.drop.rate=0", "generators.drop.rate=0: rate = 0 must be positive"},
        {"bodies.floor.shape=cube",
         "bodies.floor.shape=cube: a sphere is expected as a map of keys and values, not a text"},
    };
    csv_text = NULL;
    for (size_t k = 0; k < sizeof table / sizeof table[0]; ++k) {
        expect_fault(text, sizeof text - 1, table[k].text, table[k].message);
    }
}

/* ---- hostile texts --------------------------------------------------------------------------- */

/* `before` n times, then `middle`, then `after` n times. */
static char* repeated(int n, const char* before, const char* middle, const char* after)
{
    size_t a = strlen(before), b = strlen(middle), c = strlen(after);
    char* text = test_take((a + c) * (size_t)n + b + 1, 1);
    char* at = text;
    for (int k = 0; k < n; ++k, at += a) memcpy(at, before, a);
    memcpy(at, middle, b);
    at += b;
    for (int k = 0; k < n; ++k, at += c) memcpy(at, after, c);
    return text;
}

static void hostile(void** state)
{
    (void)state;
    char* deep = repeated(100, "[", "1", "]");
    expect_fault(deep, strlen(deep), NULL, "s.yaml:1:65: nested deeper than 64 levels");
    free(deep);
    deep = repeated(8000000, "[", "1", "]");
    expect_fault(deep, strlen(deep), NULL, "s.yaml:1:65: nested deeper than 64 levels");
    free(deep);
    deep = repeated(60, "[", "&a [[[1]]], *a, [[*a]]", "]");
    expect_fault(deep, strlen(deep), NULL, "s.yaml:1:79: nested deeper than 64 levels");
    free(deep);

    char* anchors = repeated(1001, "- &a x\n", "", "");
    expect_fault(anchors, strlen(anchors), NULL, "s.yaml:1001:3: more than 1000 anchors");
    free(anchors);

    char bomb[2048];
    size_t n = (size_t)snprintf(bomb, sizeof bomb, "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for (int k = 1; k < 9; ++k) {
        n += (size_t)snprintf(bomb + n, sizeof bomb - n, "a%d: &a%d [", k, k);
        for (int j = 0; j < 10; ++j) {
            n += (size_t)snprintf(bomb + n, sizeof bomb - n, "%s*a%d", j ? ", " : "", k - 1);
        }
        n += (size_t)snprintf(bomb + n, sizeof bomb - n, "]\n");
    }
    expect_fault(bomb, n, NULL, "s.yaml:6:45: more than 1000000 values (aliases copied out)");

    char* keys = test_take(20000, 1);
    n = 0;
    for (int k = 0; k <= SCRI_YAML_MAX_KEYS; ++k) {
        n += (size_t)snprintf(keys + n, 20000 - n, "k%d: 1\n", k);
    }
    expect_fault(keys, n, NULL, "s.yaml:1001:1: more than 1000 keys in one map");
    free(keys);

    char* long_text = repeated(1000000, "x", ": 1\n", "");
    expect_fault(long_text, strlen(long_text), NULL,
                 "s.yaml:1:1000001: mapping values are not allowed in this context");
    free(long_text);
    char* huge = test_take(SCRI_YAML_MAX_SIZE + 1, 1);
    memset(huge, ' ', SCRI_YAML_MAX_SIZE + 1);
    expect_fault(huge, SCRI_YAML_MAX_SIZE + 1, NULL, "s.yaml:1:1: longer than 16777216 bytes");
    free(huge);
    expect_fault("a\0b", 3, NULL,
                 "s.yaml:1:2: control characters are not allowed (texts are UTF-8)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(yaml),       cmocka_unit_test(keys_and_kinds), cmocka_unit_test(values),
        cmocka_unit_test(references), cmocka_unit_test(generators),     cmocka_unit_test(csv),
        cmocka_unit_test(sets),       cmocka_unit_test(material_files), cmocka_unit_test(settings),
        cmocka_unit_test(hostile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
