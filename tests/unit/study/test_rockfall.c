/* Rockfall: closed forms of sliding, rolling and flight, books that balance, layers against brute
 * force, the same bits for any number of workers, wrong input. */
#include "study/rockfall.h"
#include "support/draw.h"
#include "support/meshes.h"
#include "support/test.h"

#include <math.h>

#define G 9.81

/* A map of n x m points, one metre and less apart. */
typedef struct field {
    scree_rockfall_map map;
    double* heights;
} field;

static field field_of(int32_t columns, int32_t rows, double cell,
                      double (*height)(double x, double y))
{
    field f = {.map = {.columns = columns, .rows = rows, .cell = cell}};
    f.heights = test_take((size_t)columns * (size_t)rows, sizeof(double));
    for (int32_t r = 0; r < rows; ++r) {
        for (int32_t c = 0; c < columns; ++c)
            f.heights[r * columns + c] = height(cell * c, cell * r);
    }
    f.map.heights = f.heights;
    return f;
}

static scree_rockfall_def def_of(const field* f, const double release[2])
{
    scree_rockfall_def def = scree_default_rockfall_def();
    def.map = f->map;
    def.n_releases = 1;
    def.releases = release;
    def.step = 2e-3;
    def.time = 60.0;
    return def;
}

static scree_rockfall run(const scree_rockfall_def* def)
{
    scree_env env = {.sparse = test_sparse()};
    scree_rockfall result;
    assert_int_equal(scree_rockfall_run(&env, def, &result), SCREE_OK);
    return result;
}

static void require_near(double x, double wanted, double relative, const char* what)
{
    require(fabs(x - wanted) <= relative * fabs(wanted), "%s: %.9g, wanted %.9g", what, x, wanted);
}

/* ---- closed forms ---- */

#define FOOT 20.0
#define SLOPE 0.5 /* tangent */

static double ramp(double x, double y)
{
    (void)y;
    return x < FOOT ? SLOPE * (FOOT - x) : 0.0;
}

static double flat(double x, double y)
{
    (void)x, (void)y;
    return 0.0;
}

/* A ball that friction keeps from rolling is a sliding block: v^2 = 2 g L (sin - mu cos) down the
 * slope; at its foot the impulse that stops it across the flat takes mu times as much along, v' = v
 * (cos - mu sin); then it stops within v'^2 / (2 mu g). */
static void test_sliding_block(void** state)
{
    (void)state;
    double mu = 0.3, angle = atan(SLOPE), release[2] = {5.0, 4.0};
    field f = field_of(61, 9, 1.0, ramp);
    scree_rockfall_def def = def_of(&f, release);
    scree_rockfall_ground ground = {.mu = mu, .roll = 100.0};
    def.n_grounds = 1, def.grounds = &ground;
    def.form = SCREE_BLOCK_SPHERE;
    def.blocks = 1, def.drop = 0.0, def.step = 1e-3;
    scree_rockfall r = run(&def);
    const scree_rock* rock = &r.rocks[0];
    /* The ball touches slope and flat at once when its centre is r tan(angle / 2) before the foot
     * along the slope, and as much behind it along the flat. */
    double from =
        (rock->first[0] - 0.5 * sin(angle)) / cos(angle); /* along the slope, of the touch */
    double bend = 0.5 * tan(0.5 * angle), way = FOOT / cos(angle) - from - bend;
    double fast = sqrt(2.0 * G * way * (sin(angle) - mu * cos(angle)));
    double after = fast * (cos(angle) - mu * sin(angle));
    double end = FOOT + bend + after * after / (2.0 * mu * G);
    assert_int_equal(rock->end, SCREE_ROCK_RESTED);
    require_near(rock->speed, fast, 2e-3, "speed at the foot");
    require_near(rock->last[0], end, 2e-3, "end of sliding");
    require(fabs(rock->last[1] - release[1]) <= 1e-9, "it left its line: %g", rock->last[1]);
    require_near(rock->lost, rock->mass * G * (rock->first[2] - rock->last[2]), 1e-9, "lost");
    scree_rockfall_release(&r);
    free(f.heights);
}

/* A rolling ball: 7/5 m a = m g (sin - roll cos). */
static void test_rolling_ball(void** state)
{
    (void)state;
    double angle = atan(SLOPE), release[2] = {3.0, 4.0};
    field f = field_of(20, 9, 1.0, ramp);
    scree_rockfall_def def = def_of(&f, release);
    scree_rockfall_ground ground = {.mu = 0.8, .roll = 0.1};
    def.n_grounds = 1, def.grounds = &ground;
    def.form = SCREE_BLOCK_SPHERE;
    def.blocks = 1, def.drop = 0.0;
    scree_rockfall r = run(&def);
    assert_int_equal(r.rocks[0].end, SCREE_ROCK_LEFT);
    double a = G * (sin(angle) - ground.roll * cos(angle)) / 1.4;
    assert_true(r.n_points > 5);
    for (int64_t i = 3; i < r.n_points; ++i) {
        const scree_rock_point* p = &r.points[i];
        double way = (p->position[0] - r.rocks[0].first[0]) / cos(angle);
        require_near(p->speed, sqrt(2.0 * a * way), 2e-3, "speed of rolling");
        require_near(p->energy, 0.7 * r.rocks[0].mass * p->speed * p->speed, 1e-3, "energy");
        require(p->jump <= 1e-6, "a ball that rolls jumps %g m", p->jump);
    }
    for (int32_t c = 0; c < f.map.columns * f.map.rows; ++c) {
        require(r.layer[SCREE_ROCKFALL_DEPOSITS][c] == 0.0, "it left and rests in cell %d", c);
    }
    scree_rockfall_release(&r);
    free(f.heights);
}

#define ASIDE 0.2 /* tangent, across the fall of the ramp */

static double bent(double x, double y)
{
    return ramp(x, y) + ASIDE * y;
}

/* A ball rolls obliquely over a bend and goes on turning about the normal of what lies behind it. A
 * patch of the radius mu_r resists that by 2/3 mu mu_r times the pressure, so that the rate falls
 * by 2/3 mu mu_r g cos / (d^2 / 10) a second, while the ball rolls on. */
static void test_spinning_ball(void** state)
{
    (void)state;
    double angle = atan(ASIDE), release[2] = {12.0, 50.0};
    field f = field_of(61, 61, 1.0, bent);
    scree_rockfall_def def = def_of(&f, release);
    scree_rockfall_ground ground = {.mu = 0.3, .roll = 0.05};
    def.n_grounds = 1, def.grounds = &ground;
    def.form = SCREE_BLOCK_SPHERE;
    def.blocks = 1, def.drop = 0.0, def.step = 1e-3, def.way = 0.1;
    scree_rockfall r = run(&def);
    const scree_rock* rock = &r.rocks[0];
    double falls = 2.0 / 3.0 * ground.mu * (0.5 * ground.roll) * G * cos(angle) / 0.1;
    double first[2] = {0.0, 0.0}, last[2] = {0.0, 0.0}; /* time and rate */
    for (int64_t i = 0; i < r.n_points; ++i) {
        const scree_rock_point* p = &r.points[i];
        double spins = p->energy / rock->mass - 0.7 * p->speed * p->speed;
        double rate = sqrt(fmax(spins, 0.0) / 0.05);
        if (p->position[0] < FOOT + 1.0 || rate < 0.2) continue;
        if (!(first[0] > 0.0)) first[0] = p->time, first[1] = rate;
        last[0] = p->time, last[1] = rate;
    }
    require(first[1] - last[1] > 2.0, "it turns at %g, later at %g", first[1], last[1]);
    require_near((first[1] - last[1]) / (last[0] - first[0]), falls, 2e-3, "fall of the rate");
    scree_rockfall_release(&r);
    free(f.heights);
}

/* Each zone by its own friction: v0^2 = 2 g (mu_1 L_1 + mu_2 L_2). */
static void test_zones(void** state)
{
    (void)state;
    enum { COLUMNS = 31, ROWS = 9 };
    double release[2] = {3.0, 4.0}, border = 7.5;
    field f = field_of(COLUMNS, ROWS, 1.0, flat);
    int32_t zone[COLUMNS * ROWS];
    for (int32_t c = 0; c < COLUMNS * ROWS; ++c) zone[c] = c % COLUMNS > 7;
    scree_rockfall_def def = def_of(&f, release);
    scree_rockfall_ground grounds[2] = {{.mu = 0.2, .roll = 100.0}, {.mu = 0.5, .roll = 100.0}};
    def.map.zone = zone;
    def.n_grounds = 2, def.grounds = grounds;
    def.form = SCREE_BLOCK_SPHERE;
    def.blocks = 1, def.drop = 0.0, def.speed = 8.0, def.step = 1e-3;
    scree_rockfall r = run(&def);
    double square = def.speed * def.speed - 2.0 * grounds[0].mu * G * (border - release[0]);
    require_near(r.rocks[0].last[0], border + square / (2.0 * grounds[1].mu * G), 1e-3, "stop");
    scree_rockfall_release(&r);
    free(f.heights);
}

/* A ball that creeps at the speed at which viscous friction holds it, more than the energy of rest:
 * slow enough it rests in its place, faster it does not. */
static void test_creep(void** state)
{
    (void)state;
    double release[2] = {5.0, 4.0}, viscous = 10.0;
    field f = field_of(20, 9, 1.0, ramp);
    scree_rockfall_def def = def_of(&f, release);
    def.form = SCREE_BLOCK_SPHERE;
    def.blocks = 1, def.drop = 0.0, def.time = 15.0, def.step = 4e-3;
    for (int fast = 0; fast < 2; ++fast) {
        double speed = fast ? 6e-3 : 4.8e-3;
        scree_rockfall_ground ground = {
            .mu = SLOPE - viscous * speed, .roll = 100.0, .viscous = viscous};
        def.n_grounds = 1, def.grounds = &ground;
        scree_rockfall r = run(&def);
        assert_int_equal(r.rocks[0].end, fast ? SCREE_ROCK_LATE : SCREE_ROCK_RESTED);
        if (fast) require_near(r.rocks[0].length, speed * def.time, 0.02, "way");
        scree_rockfall_release(&r);
    }
    free(f.heights);
}

/* Thrown over level ground: H - g t^2 / 2 above it, until it lands. */
static void test_flight(void** state)
{
    (void)state;
    double release[2] = {3.0, 4.0};
    field f = field_of(41, 9, 1.0, flat);
    scree_rockfall_def def = def_of(&f, release);
    def.blocks = 4;
    def.drop = 5.0, def.speed = 10.0, def.form = SCREE_BLOCK_SPHERE;
    scree_rockfall r = run(&def);
    int n = 0;
    for (int64_t i = 0; i < r.n_points; ++i) {
        const scree_rock_point* p = &r.points[i];
        double jump = def.drop - 0.5 * G * p->time * p->time;
        if (!(jump > 0.1 && p->time < 1.0)) continue;
        ++n;
        require(fabs(p->jump - jump) <= 1e-9, "at %g s: %.12g m, wanted %.12g", p->time, p->jump,
                jump);
        require(fabs(p->position[0] - release[0] - def.speed * p->time) <= 1e-9, "x is %g",
                p->position[0]);
    }
    assert_true(n >= 4 * 9);
    require(r.layer[SCREE_ROCKFALL_JUMP_MAX][4 * 41 + 3] == def.drop, "highest where it begins");
    scree_rockfall_release(&r);
    free(f.heights);
}

/* ---- forms ---- */

static void extents_of(const scree_hull_view* view, double out[3])
{
    for (int k = 0; k < 3; ++k) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (int32_t i = 0; i < view->n_corners; ++i) {
            low = fmin(low, view->corners[3 * i + k]);
            high = fmax(high, view->corners[3 * i + k]);
        }
        out[k] = high - low;
    }
}

static void test_forms(void** state)
{
    (void)state;
    for (int form = 0; form < SCREE_BLOCK_SPHERE; ++form) {
        double axes[3], first = 0.0;
        scree_block_form_axes((scree_block_form)form, axes);
        assert_non_null(scree_block_form_name(form));
        for (int32_t number = 0; number < test_cases(10, 1000); ++number) {
            scree_hull* hull;
            assert_int_equal(scree_block_hull(NULL, (scree_block_form)form, 7, number, &hull),
                             SCREE_OK);
            scree_hull_view view = scree_hull_get_view(hull);
            double extent[3];
            extents_of(&view, extent);
            require_near(view.volume, SCREE_PI / 6.0, 1e-12, "volume");
            require_near(extent[1] / extent[0], axes[1], 1e-12, "b / a");
            require_near(extent[2] / extent[0], axes[2], 1e-12, "c / a");
            assert_true(view.n_corners >= 8);
            require(view.corners[0] != first, "two blocks of one form are alike");
            first = view.corners[0];
            scree_hull_destroy(hull);
        }
    }
    scree_hull* hull;
    assert_int_equal(scree_block_hull(NULL, SCREE_BLOCK_SPHERE, 7, 0, &hull), SCREE_ERROR_ARGUMENT);
    assert_null(scree_block_form_name(SCREE_BLOCK_COUNT));
    assert_null(scree_block_form_name(-1));
}

/* ---- many blocks on rough ground ---- */

static double rough(double x, double y)
{
    double slope = x < 30.0 ? 0.9 * (30.0 - x) : 0.02 * (x - 30.0);
    return slope + 0.5 * sin(1.3 * x) * cos(0.9 * y) + 0.02 * (y - 15.0) * (y - 15.0);
}

static const double crest[4] = {4.0, 12.0, 5.0, 18.0};

static scree_rockfall_def rough_def(const field* f)
{
    scree_rockfall_def def = def_of(f, crest);
    def.n_releases = 2;
    def.release_side = 2.0;
    def.blocks = test_cases(8, 200);
    def.form = SCREE_BLOCK_MIXED;
    def.size_low = 0.6, def.size_high = 1.4;
    def.step = 4e-3;
    def.way = 1e-12; /* every step that moves */
    return def;
}

static field rough_field(void)
{
    return field_of(56, 31, 1.0, rough);
}

static void check_rock(const scree_rockfall_def* def, const scree_rock* rock)
{
    double d = rock->diameter, weight = rock->mass * G;
    assert_true(d >= def->size_low && d <= def->size_high);
    require_near(rock->mass, def->density * SCREE_PI / 6.0 * d * d * d, 1e-12, "mass");
    require(rock->gained <= 1e-5 * weight * d, "gained %g of m g d", rock->gained / weight / d);
    require(rock->runout <= rock->length + 1e-9 && rock->length > 0.0, "run-out %g of %g",
            rock->runout, rock->length);
    double fall = weight * (rock->first[2] - rock->last[2]);
    if (rock->end == SCREE_ROCK_RESTED) {
        require(fabs(rock->lost - fall) <= 1e-6 * weight * d, "lost %g, fell %g", rock->lost, fall);
    }
    require(rock->lost <= fall + 1e-9 * fabs(fall), "lost more than there was");
    require(rock->energy <= weight * (rock->first[2] + 3.0), "energy %g", rock->energy);
}

static void check_books(const field* f, const scree_rockfall_def* def, const scree_rockfall* r)
{
    int32_t ended = 0;
    double deposits = 0.0;
    assert_int_equal(r->n, def->blocks);
    for (int k = 0; k < SCREE_ROCK_END_COUNT; ++k) ended += r->n_ended[k];
    assert_int_equal(ended, r->n);
    assert_true(r->n_ended[SCREE_ROCK_RESTED] > 0);
    assert_int_equal(r->n_loose, 0);
    for (int32_t k = 0; k < r->n; ++k) check_rock(def, &r->rocks[k]);
    for (int32_t c = 0; c < f->map.columns * f->map.rows; ++c) {
        double passages = r->layer[SCREE_ROCKFALL_PASSAGES][c];
        deposits += r->layer[SCREE_ROCKFALL_DEPOSITS][c];
        assert_true(passages >= r->layer[SCREE_ROCKFALL_DEPOSITS][c] && passages <= r->n);
        assert_true(r->layer[SCREE_ROCKFALL_FREQUENCY][c] == passages / r->n);
    }
    assert_true(deposits == r->n_ended[SCREE_ROCK_RESTED]);
}

/* ---- layers by brute force ---- */

/* The value below which a share p lies: the smallest x with at least p (n - 1) others below it, and
 * the straight line to the next. */
static double brute_quantile(const double* x, int n, double p)
{
    double at = p * (n - 1), low = 0.0, high = 0.0;
    int rank = (int)floor(at);
    for (int i = 0; i < n; ++i) {
        int below = 0, equal = 0;
        for (int k = 0; k < n; ++k) below += x[k] < x[i], equal += x[k] == x[i];
        if (below <= rank && rank < below + equal) low = x[i];
        if (below <= rank + 1 && rank + 1 < below + equal) high = x[i];
    }
    return rank + 1 < n ? low + (at - rank) * (high - low) : low;
}

/* Largest value of a block in a cell, from the points of its line; -1: it never was there. */
static double brute_most(const field* f, const scree_rockfall* r, int32_t block, int32_t cell,
                         int value)
{
    const scree_rock* rock = &r->rocks[block];
    double most = -1.0;
    int64_t n = rock->n_points - (rock->end == SCREE_ROCK_LEFT); /* the last one is over the rim */
    for (int64_t i = 0; i < n; ++i) {
        const scree_rock_point* p = &r->points[rock->first_point + i];
        int32_t column = (int32_t)lround(p->position[0]), row = (int32_t)lround(p->position[1]);
        if (row * f->map.columns + column != cell) continue;
        most = fmax(most, value == 0 ? p->speed : value == 1 ? p->energy : p->jump);
    }
    return most;
}

static void check_cell(const field* f, const scree_rockfall* r, int32_t cell)
{
    static const scree_rockfall_layer first[3] = {
        SCREE_ROCKFALL_SPEED_MAX, SCREE_ROCKFALL_ENERGY_MAX, SCREE_ROCKFALL_JUMP_MAX};
    double* x = test_take((size_t)r->n, sizeof *x);
    for (int value = 0; value < 3; ++value) {
        int n = 0;
        double most = 0.0;
        for (int32_t b = 0; b < r->n; ++b) {
            double here = brute_most(f, r, b, cell, value);
            if (here >= 0.0) x[n++] = here;
            most = fmax(most, here);
        }
        assert_true(r->layer[SCREE_ROCKFALL_PASSAGES][cell] == n);
        double* const* three = r->layer + first[value];
        if (n == 0) {
            assert_true(isnan(three[0][cell]) && isnan(three[1][cell]) && isnan(three[2][cell]));
            continue;
        }
        require(three[0][cell] == most, "cell %d: %g, wanted %g", cell, three[0][cell], most);
        require_near(three[1][cell], brute_quantile(x, n, 0.90), 1e-14, "90 %");
        require_near(three[2][cell], brute_quantile(x, n, 0.95), 1e-14, "95 %");
    }
    free(x);
}

static void check_layers(const field* f, const scree_rockfall* r)
{
    int seen = 0;
    for (int32_t c = 0; c < f->map.columns * f->map.rows; ++c) {
        int several = r->layer[SCREE_ROCKFALL_PASSAGES][c] > 1.0;
        seen += several;
        if (several ? seen <= test_cases(20, 1000) : c % 100 == 0) check_cell(f, r, c);
    }
    assert_true(seen > 20);
}

static void test_rough_ground(void** state)
{
    (void)state;
    field f = rough_field();
    scree_rockfall_def def = rough_def(&f);
    scree_rockfall r = run(&def);
    check_books(&f, &def, &r);
    check_layers(&f, &r);
    scree_rockfall_release(&r);
    free(f.heights);
}

/* Restitution with friction adds no energy, however much comes back; to undo what overlaps may lift
 * a block by some 1e-5 of its size. */
static void test_bouncy_ground(void** state)
{
    (void)state;
    field f = rough_field();
    scree_rockfall_def def = rough_def(&f);
    scree_rockfall_ground ground = {.mu = 0.6, .roll = 0.1, .restitution = 0.9};
    def.n_grounds = 1;
    def.grounds = &ground;
    def.blocks = test_cases(8, 400);
    scree_rockfall r = run(&def);
    for (int32_t k = 0; k < r.n; ++k) {
        const scree_rock* rock = &r.rocks[k];
        require(rock->gained <= 3e-5 * rock->mass * G * rock->diameter, "block %d gained %g",
                (int)k, rock->gained / (rock->mass * G * rock->diameter));
    }
    scree_rockfall_release(&r);
    free(f.heights);
}

/* A ball that comes back leaps through cells that it rolled through before. */
static double trough(double x, double y)
{
    (void)y;
    return 0.7 * fabs(x - 12.0);
}

static void test_cells_met_again(void** state)
{
    (void)state;
    double release[2] = {5.0, 4.0};
    field f = field_of(25, 9, 1.0, trough);
    scree_rockfall_def def = def_of(&f, release);
    scree_rockfall_ground ground = {.mu = 0.5, .restitution = 0.8};
    def.n_grounds = 1, def.grounds = &ground;
    def.form = SCREE_BLOCK_SPHERE;
    def.blocks = 1, def.drop = 0.0, def.way = 1e-12, def.time = 10.0;
    scree_rockfall r = run(&def);
    for (int32_t c = 0; c < f.map.columns * f.map.rows; ++c) check_cell(&f, &r, c);
    scree_rockfall_release(&r);
    free(f.heights);
}

/* Heights below points as rays find them on the surface that blocks touch. */
static void test_ground(void** state)
{
    (void)state;
    scri_random random = test_seed("ground", 5);
    field f = rough_field();
    scree_world_def def = scree_default_world_def();
    scree_world* world = NULL;
    scree_body_def body = scree_default_body_def();
    body.kind = SCREE_BODY_STATIC;
    const double zero[2] = {0.0, 0.0}, spacing[2] = {1.0, 1.0};
    scree_mesh* mesh = NULL;
    assert_int_equal(
        scree_mesh_create_heights(NULL, f.map.columns, f.map.rows, zero, spacing, f.heights, &mesh),
        SCREE_OK);
    scree_shape shape = shape_of_mesh(mesh);
    scree_body_id id;
    int32_t material;
    assert_int_equal(scree_world_create(NULL, &def, &world), SCREE_OK);
    assert_int_equal(scree_world_add_material(world, &(scree_material){0}, &material), SCREE_OK);
    assert_int_equal(scree_world_add_body(world, &body, 1, &shape, &id), SCREE_OK);
    for (int k = 0; k < test_cases(200, 20000); ++k) {
        double x = draw_between(&random, 0.0, 55.0), y = draw_between(&random, 0.0, 30.0);
        scri_ground_point at = scri_rockfall_ground(&f.map, x, y);
        const double origin[3] = {x, y, 100.0}, way[3] = {0.0, 0.0, -200.0};
        scree_ray_hit hit;
        assert_int_equal(scree_world_cast_ray(world, origin, way, UINT32_MAX, &hit), SCREE_OK);
        require(fabs(hit.point[2] - at.height) <= 1e-11, "at %g, %g: %g, wanted %g", x, y,
                at.height, hit.point[2]);
        require(fabs(hit.normal[0] + at.slope[0] * hit.normal[2]) <= 1e-11, "slope along x");
        require(fabs(hit.normal[1] + at.slope[1] * hit.normal[2]) <= 1e-11, "slope along y");
    }
    scree_world_destroy(world);
    scree_mesh_destroy(mesh);
    free(f.heights);
}

/* ---- promises ---- */

static void require_same(const scree_rockfall* a, const scree_rockfall* b, size_t cells)
{
    assert_int_equal(a->n, b->n);
    assert_int_equal(a->n_points, b->n_points);
    assert_memory_equal(a->rocks, b->rocks, (size_t)a->n * sizeof *a->rocks);
    assert_memory_equal(a->points, b->points, (size_t)a->n_points * sizeof *a->points);
    for (int k = 0; k < SCREE_ROCKFALL_LAYER_COUNT; ++k) {
        assert_memory_equal(a->layer[k], b->layer[k], cells * sizeof *a->layer[k]);
    }
}

static void test_workers(void** state)
{
    (void)state;
    field f = rough_field();
    scree_rockfall_def def = rough_def(&f);
    def.blocks = 8, def.time = 2.0, def.way = 0.0, def.lines = 5;
    scree_rockfall one = run(&def);
    assert_true(one.rocks[4].n_points > 0 && one.rocks[5].n_points == 0);
    for (int32_t workers = 2; workers <= 3; ++workers) {
        def.workers = workers;
        scree_rockfall other = run(&def);
        require_same(&one, &other, (size_t)(f.map.columns * f.map.rows));
        scree_rockfall_release(&other);
    }
    scree_rockfall_release(&one);
    free(f.heights);
}

/* Maps of countries begin far away: nothing but coordinates changes. */
static void test_far_origin(void** state)
{
    (void)state;
    field f = rough_field();
    double there[2] = {2600000.0, 1200000.0},
           release[2] = {there[0] + crest[0], there[1] + crest[1]};
    scree_rockfall_def def = rough_def(&f);
    def.blocks = 3, def.time = 2.0, def.n_releases = 1;
    scree_rockfall near = run(&def);
    def.map.origin[0] = there[0], def.map.origin[1] = there[1];
    def.releases = release;
    scree_rockfall far = run(&def);
    assert_int_equal(near.n_points, far.n_points);
    for (int64_t i = 0; i < near.n_points; ++i) {
        assert_true(near.points[i].speed == far.points[i].speed);
        assert_true(near.points[i].position[0] + there[0] == far.points[i].position[0]);
    }
    for (int k = 0; k < SCREE_ROCKFALL_LAYER_COUNT; ++k) {
        assert_memory_equal(near.layer[k], far.layer[k],
                            sizeof(double) * (size_t)(f.map.columns * f.map.rows));
    }
    scree_rockfall_release(&near);
    scree_rockfall_release(&far);
    free(f.heights);
}

static int stop_at_once(void* user, int32_t blocks)
{
    int32_t* seen = user;
    *seen = blocks;
    return 1;
}

static void test_interrupted(void** state)
{
    (void)state;
    field f = rough_field();
    scree_rockfall_def def = rough_def(&f);
    def.blocks = 30, def.time = 0.1;
    int32_t seen = 0;
    def.progress = stop_at_once;
    def.progress_user = &seen;
    scree_rockfall r = run(&def);
    assert_true(seen > 0 && seen < def.blocks && r.n == seen);
    def.progress = NULL;
    def.blocks = seen;
    scree_rockfall whole = run(&def);
    require_same(&r, &whole, (size_t)(f.map.columns * f.map.rows));
    scree_rockfall_release(&r);
    scree_rockfall_release(&whole);
    free(f.heights);
}

static int stop_later(void* user)
{
    int* left = user;
    return --*left < 0;
}

/* Ended in the middle of a block: the result has those before it, none if it was the first. */
static void test_stopped(void** state)
{
    (void)state;
    field f = rough_field();
    scree_rockfall_def def = rough_def(&f);
    def.blocks = 4, def.time = 2.0, def.stop = stop_later;
    for (int asked = 0; asked <= 4; asked += 4) { /* twice for each block of 500 steps */
        int left = asked;
        def.stop_user = &left;
        scree_rockfall r = run(&def);
        assert_int_equal(r.n, asked / 2);
        double sum = 0.0;
        for (int32_t c = 0; c < f.map.columns * f.map.rows; ++c) {
            sum = fmax(sum, r.layer[SCREE_ROCKFALL_PASSAGES][c]);
        }
        assert_true(sum <= r.n && (r.n == 0) == (sum == 0.0));
        scree_rockfall_release(&r);
    }
    free(f.heights);
}

/* Log-normal sizes: their logarithm has mean and deviation, within three of it. */
static void test_sizes(void** state)
{
    (void)state;
    double release[2] = {4.0, 4.0}, sum = 0.0, square = 0.0;
    field f = field_of(9, 9, 1.0, flat);
    scree_rockfall_def def = def_of(&f, release);
    def.blocks = 400, def.time = def.step, def.form = SCREE_BLOCK_SPHERE;
    def.size_low = 0.5, def.deviation = 0.4;
    scree_rockfall r = run(&def);
    for (int32_t k = 0; k < r.n; ++k) {
        double z = log(r.rocks[k].diameter / def.size_low) / def.deviation;
        require(fabs(z) <= 3.0 + 1e-12, "a size %g deviations off", z);
        sum += z;
        square += z * z;
    }
    print_message("mean %g, variance %g\n", sum / r.n, square / r.n);
    require(fabs(sum / r.n) <= 0.2 && fabs(square / r.n - 1.0) <= 0.3, "no normal numbers");
    scree_rockfall_release(&r);
    free(f.heights);
}

/* ---- what is refused ---- */

static void require_refused(const scree_rockfall_def* def, scree_status wanted, const char* text)
{
    test_host host;
    scree_env env = test_env(&host);
    scree_rockfall r;
    assert_int_equal(scree_rockfall_run(&env, def, &r), wanted);
    assert_int_equal(host.n_held, 0);
    assert_int_equal(host.n_logged, 1);
    require(strstr(host.text, text), "'%s' does not say '%s'", host.text, text);
    assert_true(r.n == 0 && !r.rocks && !r.points && !r.layer[0]);
}

static void test_wrong(void** state)
{
    (void)state;
    double release[2] = {4.0, 4.0}, rim[2] = {0.2, 4.0}, off[2] = {-40.0, 4.0};
    field f = field_of(9, 9, 1.0, flat);
    scree_rockfall_def good = def_of(&f, release), def;
    scree_rockfall_ground ground = scree_default_rockfall_ground();
    int32_t zone[81] = {0};
    good.time = 0.01;
    def = good, def.struct_size = 0;
    require_refused(&def, SCREE_ERROR_ARGUMENT, "scree_default_rockfall_def");
    def = good, def.map.heights = NULL;
    require_refused(&def, SCREE_ERROR_ARGUMENT, "NULL");
    def = good, def.form = SCREE_BLOCK_COUNT;
    require_refused(&def, SCREE_ERROR_ARGUMENT, "form");
    def = good, def.map.rows = 1;
    require_refused(&def, SCREE_ERROR_INPUT, "9 x 1");
    def = good, def.blocks = 0;
    require_refused(&def, SCREE_ERROR_INPUT, "blocks");
    def = good, def.step = (double)NAN;
    require_refused(&def, SCREE_ERROR_INPUT, "step");
    def = good, def.size_low = 2.0;
    require_refused(&def, SCREE_ERROR_INPUT, "sizes from 2 to 1");
    def = good, def.releases = rim;
    require_refused(&def, SCREE_ERROR_INPUT, "block 1, released at 0.2, 4,");
    def = good, def.releases = off;
    require_refused(&def, SCREE_ERROR_INPUT, "within the map");
    def = good, def.n_grounds = 1, def.grounds = &ground;
    ground.restitution = 1.5;
    require_refused(&def, SCREE_ERROR_INPUT, "restitution");
    ground.restitution = 0.5, zone[80] = 1, def.map.zone = zone;
    require_refused(&def, SCREE_ERROR_INPUT, "cell 80 is in zone 1");
    f.heights[3] = (double)INFINITY;
    require_refused(&good, SCREE_ERROR_INPUT, "height");
    free(f.heights);
}

static void test_memory(void** state)
{
    (void)state;
    double release[2] = {4.0, 4.0};
    field f = field_of(9, 9, 1.0, flat);
    scree_rockfall_def def = def_of(&f, release);
    def.blocks = 2, def.time = 0.02, def.drop = 0.001;
    scree_status status = SCREE_ERROR_MEMORY;
    for (long k = 0; status; ++k) {
        test_host host;
        scree_env env = test_env(&host);
        scree_rockfall r;
        host.fail_at = k;
        status = scree_rockfall_run(&env, &def, &r);
        assert_true(status == SCREE_OK || status == SCREE_ERROR_MEMORY);
        if (!status) scree_rockfall_release(&r);
        assert_int_equal(host.n_held, 0);
    }
    free(f.heights);
}

static void test_names(void** state)
{
    (void)state;
    scree_rockfall_layer_words words = scree_rockfall_describe(SCREE_ROCKFALL_ENERGY_95);
    assert_string_equal(words.name, "energy_95");
    assert_string_equal(words.unit, "J");
    assert_string_equal(words.meaning, "kinetic energy, 95 % quantile");
    assert_null(scree_rockfall_describe(SCREE_ROCKFALL_LAYER_COUNT).name);
    assert_null(scree_rockfall_describe(-1).unit);
    assert_string_equal(scree_block_form_name(SCREE_BLOCK_LONG), "long");
    assert_string_equal(scree_rock_end_name(SCREE_ROCK_LEFT), "left");
    assert_null(scree_rock_end_name(SCREE_ROCK_END_COUNT));
}

/* ---- holes ---- */

/* A block goes as if there were no hole until it reaches one; then it has left. */
static void test_holes(void** state)
{
    (void)state;
    double release[2] = {5.0, 4.0}, edge = 17.0;
    field f = field_of(61, 9, 1.0, ramp);
    scree_rockfall_def def = def_of(&f, release);
    def.blocks = 3, def.speed = 5.0;
    def.size_low = def.size_high = 0.6;
    scree_rockfall whole = run(&def);
    for (int32_t c = 0; c < 61 * 9; ++c) {
        if (c % 61 > (int)edge) f.heights[c] = (double)NAN;
    }
    scree_rockfall holed = run(&def);
    assert_int_equal(holed.n_ended[SCREE_ROCK_LEFT], 3);
    for (int32_t k = 0; k < 3; ++k) {
        const scree_rock *a = &whole.rocks[k], *b = &holed.rocks[k];
        assert_true(a->n_points > b->n_points && b->n_points > 3);
        assert_memory_equal(whole.points + a->first_point, holed.points + b->first_point,
                            (size_t)(b->n_points - 1) * sizeof *whole.points);
        require(b->last[0] < edge && b->last[0] > edge - 1.0, "it left at %g", b->last[0]);
    }
    scree_rockfall_release(&whole);
    scree_rockfall_release(&holed);
    release[0] = edge;
    assert_int_equal(scree_rockfall_run(NULL, &def, &holed), SCREE_ERROR_INPUT);
    for (int32_t c = 0; c < 61 * 9; ++c) f.heights[c] = (double)NAN;
    assert_int_equal(scree_rockfall_run(NULL, &def, &holed), SCREE_ERROR_INPUT);
    free(f.heights);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sliding_block), cmocka_unit_test(test_rolling_ball),
        cmocka_unit_test(test_zones),         cmocka_unit_test(test_flight),
        cmocka_unit_test(test_creep),         cmocka_unit_test(test_forms),
        cmocka_unit_test(test_rough_ground),  cmocka_unit_test(test_cells_met_again),
        cmocka_unit_test(test_ground),        cmocka_unit_test(test_workers),
        cmocka_unit_test(test_far_origin),    cmocka_unit_test(test_interrupted),
        cmocka_unit_test(test_stopped),       cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_wrong),         cmocka_unit_test(test_memory),
        cmocka_unit_test(test_names),         cmocka_unit_test(test_holes),
        cmocka_unit_test(test_bouncy_ground), cmocka_unit_test(test_spinning_ball),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
