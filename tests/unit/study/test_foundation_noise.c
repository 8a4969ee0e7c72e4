/* Noise: normal numbers, order of the scheme, stationary density against closed forms and reference
 * values, ensembles against the density, jumps, workers, failing memory, wrong defs. */
#include "study/foundation.h"
#include "study/foundation_kernel.h"
#include "support/draw.h"
#include "support/test.h"

static const double degree = SCREE_PI / 180.0;

static scree_foundation_density make_density(double alpha, double noise)
{
    test_host host;
    scree_env env = test_env(&host);
    scree_foundation_def def = scree_noisy_foundation_def();
    scree_foundation_density density;
    def.slope = alpha * degree;
    def.noise = noise;
    scree_status status = scree_foundation_density_create(&env, &def, &density);
    require(status == SCREE_OK, "no density: %s", host.text);
    scree_foundation_density_release(&density);
    require(host.n_held == 0, "%ld pieces of memory were kept", host.n_held);
    assert_int_equal(scree_foundation_density_create(NULL, &def, &density), SCREE_OK);
    return density;
}

static double inertia_of(const scree_foundation_density* d)
{
    return d->def.mass * (1.0 + d->def.inertia);
}

/* ---- random numbers ---- */

/* Every number is the quantile of its bits. */
static void test_normal_quantiles(void** state)
{
    (void)state;
    scri_random random = test_seed("test_normal_quantiles", 21);
    scri_normal* normal = test_take(1, sizeof *normal);
    scri_normal_prepare(normal);
    for (int i = 0; i < test_size(50000, 1000000); ++i) {
        uint32_t bits = (uint32_t)scri_random_bits(&random);
        if (i % 2) bits >>= scri_random_below(&random, 31); /* far out, too */
        if (i < 3) bits = (uint32_t)i;
        bits &= 0x7fffffffu;
        double z = scri_normal_from(normal, bits);
        double p = (2.0 * bits + 1.0) / 8589934592.0;
        double q = 0.5 * erfc(z / sqrt(2.0)), slope = exp(-0.5 * z * z) / sqrt(2.0 * SCREE_PI);
        require(z >= 0.0 && fabs(q - p) / slope < 2e-8, "bits %x: z %g, %g instead of %g", bits, z,
                q, p);
        require(scri_normal_from(normal, bits | 0x80000000u) == -z, "not symmetric");
    }
    free(normal);
}

/* Moments over a grid of all bits. */
static void test_normal_moments(void** state)
{
    (void)state;
    scri_normal* normal = test_take(1, sizeof *normal);
    scri_normal_prepare(normal);
    enum { SHIFT = 11, COUNT = 1 << (31 - SHIFT) };
    double second = 0.0, fourth = 0.0;
    for (uint32_t i = 0; i < COUNT; ++i) {
        double z = scri_normal_from(normal, (i << SHIFT) + (1u << (SHIFT - 1)));
        second += z * z / COUNT;
        fourth += z * z * z * z / COUNT;
    }
    free(normal);
    require(fabs(second - 1.0) < 2e-5 && fabs(fourth - 3.0) < 1e-3, "%g %g", second, fourth);
}

/* ---- scheme ---- */

/* The drift of a density in the units of a walk with a given step. */
static scri_walk make_walk(const scree_foundation_density* d, double step)
{
    double(*cell)[4] = test_take((size_t)d->n + 1, sizeof *cell);
    double scale = step / (inertia_of(d) * d->width);
    for (int32_t i = 0; i < d->n; ++i) {
        /* straight lines suffice here */
        cell[i][0] = scale * d->force[i];
        cell[i][1] = scale * (d->force[i + 1] - d->force[i]);
    }
    return (scri_walk){.n = d->n,
                       .cell = (const double(*)[4])cell,
                       .kick = sqrt(d->def.noise * step) / (inertia_of(d) * d->width)};
}

static void free_walk(scri_walk* walk)
{
    union {
        const double (*read)[4];
        void* memory;
    } u = {.read = walk->cell};
    free(u.memory);
}

/* Root mean square distance of paths with steps 1, 2 and 4 times as long to those with the
 * shortest, all driven by the same random force. */
static void find_strong_errors(double noise, double x0, double error[3])
{
    enum { FINE = 512, REFINE = 16 };
    int n_paths = noise > 0.0 ? test_size(100, 400) : 1;
    scree_foundation_density d = make_density(4.9, 50.0);
    scri_random random = test_seed("find_strong_errors", 22);
    scri_normal* normal = test_take(1, sizeof *normal);
    scri_walk walk[4];
    scri_normal_prepare(normal);
    const int stride[4] = {1, REFINE, 2 * REFINE, 4 * REFINE};
    for (int k = 0; k < 4; ++k) {
        walk[k] = make_walk(&d, 0.25 * stride[k]);
        if (noise == 0.0) walk[k].kick = 0.0;
        if (k > 0) error[k - 1] = 0.0;
    }
    for (int path = 0; path < n_paths; ++path) {
        double x[4], sum[4] = {0.0, 0.0, 0.0, 0.0};
        for (int k = 0; k < 4; ++k) x[k] = (x0 - d.begin) / d.width;
        for (int i = 1; i <= FINE; ++i) {
            double z = scri_normal_from(normal, (uint32_t)scri_random_bits(&random));
            for (int k = 0; k < 4; ++k) {
                sum[k] += z;
                if (i % stride[k]) continue;
                x[k] = scri_walk_step(&walk[k], x[k], sum[k] / sqrt(stride[k]));
                sum[k] = 0.0;
            }
        }
        for (int k = 1; k < 4; ++k) error[k - 1] += (x[k] - x[0]) * (x[k] - x[0]) / n_paths;
    }
    for (int k = 0; k < 3; ++k) error[k] = sqrt(error[k]);
    for (int k = 0; k < 4; ++k) free_walk(&walk[k]);
    free(normal);
    scree_foundation_density_release(&d);
}

/* Strong order 1 under noise, order 2 without. */
static void test_order(void** state)
{
    (void)state;
    double error[3];
    find_strong_errors(50.0, 2.2, error);
    for (int k = 0; k < 2; ++k) {
        double ratio = error[k + 1] / error[k];
        require(ratio > 1.7 && ratio < 3.0, "errors grow by %g with twice the step", ratio);
    }
    find_strong_errors(0.0, 1.6, error);
    for (int k = 0; k < 2; ++k) {
        double ratio = error[k + 1] / error[k];
        require(ratio > 3.2 && ratio < 6.0, "without noise by %g", ratio);
    }
}

static void test_reflection(void** state)
{
    (void)state;
    double cell[11][4] = {{0.0}};
    scri_walk walk = {.n = 10.0, .cell = (const double(*)[4])cell, .kick = 1.0};
    require(fabs(scri_walk_step(&walk, 1.0, -3.0) - 2.0) < 1e-15, "at the lower end");
    require(fabs(scri_walk_step(&walk, 9.0, 3.0) - 8.0) < 1e-15, "at the upper end");
    require(scri_walk_step(&walk, 5.0, 5.0) == 10.0, "on the upper end");
    for (double z = -50.0; z < 50.0; z += 0.37) {
        double x = scri_walk_step(&walk, 5.0, z);
        require(x >= 0.0 && x <= 10.0, "left at %g", x);
    }
}

/* ---- density ---- */

/* A density: of sum 1, with extrema where the force vanishes, without flux in between. */
static void check_density(const scree_foundation_density* d)
{
    double sum = 0.0, e = 2.0 * inertia_of(d) / d->def.noise;
    for (int32_t i = 1; i < d->n; ++i) {
        const double *p = d->density + i, *f = d->force + i;
        sum += *p * d->width;
        require(*p >= 0.0 && d->cumulative[i + 1] >= d->cumulative[i], "negative at %d", (int)i);
        if (p[0] < 1e-8) continue;
        double change = log(p[1] / p[-1]);
        double expected = e * d->width / 3.0 * (f[-1] + 4.0 * f[0] + f[1]);
        require(fabs(change - expected) < 1e-9 * (1.0 + fabs(change)), "flux: %g %g", change,
                expected);
    }
    require(fabs(sum - 1.0) < 1e-12 && fabs(d->cumulative[d->n] - 1.0) < 1e-9, "sum %g, %g",
            sum - 1.0, d->cumulative[d->n] - 1.0);
    require(d->force_error < 1e-10 * d->def.mass * d->def.gravity, "table error %g",
            d->force_error);
}

static void test_density(void** state)
{
    (void)state;
    const double alpha[] = {4.0, 4.87, 4.9, 4.93, 6.0}, noise[] = {0.1, 1.0, 50.0, 1000.0};
    for (size_t i = 0; i < sizeof alpha / sizeof *alpha; ++i) {
        for (size_t k = 0; k < sizeof noise / sizeof *noise; ++k) {
            scree_foundation_density d = make_density(alpha[i], noise[k]);
            check_density(&d);
            scree_foundation_density_release(&d);
        }
    }
}

/* For weak noise a Gaussian around the stable speed. */
static void test_weak_noise(void** state)
{
    (void)state;
    const double alpha[] = {4.87, 4.93};
    for (size_t i = 0; i < 2; ++i) {
        scree_foundation_density d = make_density(alpha[i], 1e-3);
        double force, by_speed;
        assert_int_equal(d.n_rest, 1);
        assert_int_equal(scree_foundation_drive(NULL, &d.def, d.rest[0].speed, &force, &by_speed),
                         SCREE_OK);
        double variance = -d.def.noise / (2.0 * inertia_of(&d) * by_speed);
        require(fabs(d.variance / variance - 1.0) < 1e-4, "variance %g not %g", d.variance,
                variance);
        require(fabs(d.mean - d.rest[0].speed) < 1e-5, "mean %g not %g", d.mean, d.rest[0].speed);
        assert_true(isnan(d.dwell[0]) && isnan(d.dwell[1]) && d.low_share == 1.0);
        scree_foundation_density_release(&d);
    }
}

/* Level ground: symmetric; and Kramers' formula for the time between jumps over a high barrier. */
static void test_closed_forms(void** state)
{
    (void)state;
    scree_foundation_density d = make_density(0.0, 50.0);
    check_density(&d);
    require(fabs(d.mean) < 1e-8 && d.variance > 0.0, "mean %g", d.mean);
    scree_foundation_density_release(&d);

    d = make_density(4.9, 8.0);
    double by_speed[3], u[3], force, total = d.dwell[0] + d.dwell[1];
    assert_int_equal(d.n_rest, 3);
    for (int k = 0; k < 3; ++k) {
        assert_int_equal(
            scree_foundation_drive(NULL, &d.def, d.rest[k].speed, &force, &by_speed[k]), SCREE_OK);
        u[k] = d.potential[lround((d.rest[k].speed - d.begin) / d.width)];
    }
    for (int k = 0; k < 2; ++k) {
        double height = 2.0 * inertia_of(&d) * (u[1] - u[2 * k]) / d.def.noise;
        double time = 2.0 * SCREE_PI * inertia_of(&d) / sqrt(-by_speed[2 * k] * by_speed[1]);
        double kramers = time * exp(height);
        require(height > 15.0 && fabs(d.dwell[k] / kramers - 1.0) < 0.05, "%g not %g", d.dwell[k],
                kramers);
    }
    /* times and probabilities agree */
    require(fabs(d.dwell[0] / total - d.low_share) < 1e-3, "%g of the time, %g of probability",
            d.dwell[0] / total, d.low_share);
    scree_foundation_density_release(&d);
}

static void test_oracle_density(void** state)
{
    (void)state;
    const double alpha[] = {4.87, 4.90, 4.93};
    /* mean and variance by an independent Simpson rule over the same forces */
    const double mean[] = {2.3001390933, 3.7497978914, 5.6389897108};
    const double variance[] = {0.017425079133, 1.48678192726, 0.038642766776};
    for (int k = 0; k < 3; ++k) {
        scree_foundation_density d = make_density(alpha[k], 50.0);
        require(fabs(d.mean - mean[k]) < 1e-9 && fabs(d.variance - variance[k]) < 1e-9,
                "%g degrees: mean %.12g, variance %.12g", alpha[k], d.mean, d.variance);
        FILE* file = test_open_oracle("foundation_density.csv");
        char line[256];
        double v, p[3], worst = 0.0, highest = 0.0;
        assert_non_null(fgets(line, sizeof line, file));
        while (fgets(line, sizeof line, file)) {
            assert_int_equal(sscanf(line, "%lf,%lf,%lf,%lf", &v, &p[0], &p[1], &p[2]), 4);
            double x = (v - d.begin) / d.width;
            highest = fmax(highest, p[k]);
            if (x < 0.0 || x >= d.n) {
                require(p[k] < 1e-20, "%g at %g, outside", p[k], v);
                continue;
            }
            int32_t i = (int32_t)x;
            /* cubic through both nodes, p' being 2 M F p / sigma^2 */
            double t = x - i, e = 2.0 * inertia_of(&d) / d.def.noise * d.width;
            const double *q = d.density + i, *f = d.force + i;
            double d0 = e * f[0] * q[0], d1 = e * f[1] * q[1];
            double value = q[0] + t * (d0 + t * (3.0 * (q[1] - q[0]) - 2.0 * d0 - d1 +
                                                 t * (2.0 * (q[0] - q[1]) + d0 + d1)));
            worst = fmax(worst, fabs(value - p[k]));
        }
        fclose(file);
        require(highest > 0.5 && worst < 1e-5 * highest, "%g degrees: off by %g of %g", alpha[k],
                worst, highest);
        scree_foundation_density_release(&d);
    }
}

/* The table's means are good to about 1e-6: test_oracle_density() has better ones. */
static void test_oracle_means(void** state)
{
    (void)state;
    FILE* file = test_open_oracle("foundation_mean_velocity.csv");
    char line[256];
    double noise, expected[2], last[2] = {0.0, 1e9};
    const double alpha[2] = {4.87, 4.93};
    int n = 0;
    assert_non_null(fgets(line, sizeof line, file));
    for (; fgets(line, sizeof line, file); ++n) {
        assert_int_equal(sscanf(line, "%lf,%lf,%lf", &noise, &expected[0], &expected[1]), 3);
        for (int k = 0; k < 2; ++k) {
            scree_foundation_density d = make_density(alpha[k], noise);
            require(fabs(d.mean - expected[k]) < 2e-6, "sigma2 %g, %g degrees: %.9g not %.9g",
                    noise, alpha[k], d.mean, expected[k]);
            require(k == 0 ? d.mean > last[k] : d.mean < last[k], "%g after %g", d.mean, last[k]);
            last[k] = d.mean;
            scree_foundation_density_release(&d);
        }
    }
    fclose(file);
    require(n > 10, "%d rows", n);
}

/* ---- ensembles ---- */

static scree_ensemble run(const scree_foundation_density* d, const scree_ensemble_def* def)
{
    scree_ensemble out;
    assert_int_equal(scree_ensemble_run(d, def, &out), SCREE_OK);
    return out;
}

/* One stable speed: the mean rises with the noise on one side of the folds and falls on the other,
 * and agrees with the density within four standard errors. */
static void test_means(void** state)
{
    (void)state;
    const double alpha[2] = {4.87, 4.93}, noise[2] = {20.0, 300.0};
    double mean[2][2];
    for (int k = 0; k < 2; ++k) {
        for (int i = 0; i < 2; ++i) {
            scree_foundation_density d = make_density(alpha[k], noise[i]);
            scree_ensemble_def def = scree_default_ensemble_def();
            def.cylinders = 128;
            def.steps = test_size(15000, 60000);
            def.discard = def.steps / 5;
            scree_ensemble e = run(&d, &def);
            require(fabs(e.mean - d.mean) < 4.0 * e.mean_error, "%g degrees, %g: %g +- %g, not %g",
                    alpha[k], noise[i], e.mean, e.mean_error, d.mean);
            require(e.mean_error > 0.0 && e.mean_error < 0.05, "error %g", e.mean_error);
            require(e.distance < 0.02, "distance %g", e.distance);
            assert_int_equal(e.n_samples, (def.steps - def.discard) / def.sample * def.cylinders);
            mean[k][i] = e.mean;
            scree_ensemble_release(&e);
            scree_foundation_density_release(&d);
        }
    }
    require(mean[0][1] > mean[0][0] + 0.1, "%g after %g", mean[0][1], mean[0][0]);
    require(mean[1][1] < mean[1][0] - 0.1, "%g after %g", mean[1][1], mean[1][0]);
}

static void check_jumps(const scree_ensemble* e, const scree_ensemble_def* def)
{
    int64_t ups = 0;
    for (int64_t i = 0; i < e->n_listed; ++i) {
        const scree_jump* j = &e->jumps[i];
        assert_true(j->cylinder >= 0 && j->cylinder < def->cylinders);
        assert_true(j->time > 0.0 && j->time <= e->step * (double)e->steps);
        ups += j->up;
        if (i == 0 || j[-1].cylinder != j->cylinder) {
            /* cylinders begin at the low and the high speed in turns */
            assert_int_equal(j->up, j->cylinder % 2 == 0);
            assert_true(i == 0 || j[-1].cylinder < j->cylinder);
        } else {
            assert_true(j->up != j[-1].up && j->time > j[-1].time);
        }
    }
    assert_true(ups > 0 && ups < e->n_listed && e->n_listed <= e->n_jumps);
}

/* Two stable speeds: histogram against the density, stays against first-passage times. The long run
 * has the noise of figure 5, the short one more of it, and so more jumps. */
static void test_bistable(void** state)
{
    (void)state;
    scree_foundation_density d = make_density(4.9, test_all() ? 50.0 : 150.0);
    scree_ensemble_def def = scree_default_ensemble_def();
    def.workers = 2;
    def.cylinders = test_size(200, 1000);
    def.steps = test_size(25000, 200000);
    def.discard = def.steps / 4;
    scree_ensemble e = run(&d, &def);
    print_message("distance %g, mean %g +- %g (%g), jumps %lld\n", e.distance, e.mean, e.mean_error,
                  d.mean, (long long)e.n_jumps);
    require(e.distance < 0.02, "Kolmogorov-Smirnov distance %g", e.distance);
    require(fabs(e.mean - d.mean) < 4.0 * e.mean_error, "mean %g +- %g, not %g", e.mean,
            e.mean_error, d.mean);
    require(fabs(e.variance / d.variance - 1.0) < 0.02, "variance %g not %g", e.variance,
            d.variance);
    for (int k = 0; k < 2; ++k) {
        const scree_dwell* w = &e.dwell[k];
        print_message("stay %d: %g +- %g s (%g) from %lld\n", k, w->mean, w->error, d.dwell[k],
                      (long long)w->n);
        require(w->n > 100 && fabs(w->mean - d.dwell[k]) < 4.0 * w->error + 0.02 * d.dwell[k],
                "stays %g +- %g, not %g", w->mean, w->error, d.dwell[k]);
    }
    check_jumps(&e, &def);
    scree_ensemble_release(&e);
    scree_foundation_density_release(&d);
}

static void require_same(const scree_foundation_density* d, const scree_ensemble_def* def,
                         const scree_ensemble* a, const scree_ensemble* b)
{
    assert_true(a->mean == b->mean && a->mean_error == b->mean_error);
    assert_true(a->variance == b->variance && a->distance == b->distance);
    assert_int_equal(a->n_samples, b->n_samples);
    assert_int_equal(a->n_jumps, b->n_jumps);
    assert_int_equal(a->n_listed, b->n_listed);
    for (int64_t i = 0; i < a->n_listed; ++i) {
        assert_true(a->jumps[i].time == b->jumps[i].time && a->jumps[i].up == b->jumps[i].up &&
                    a->jumps[i].cylinder == b->jumps[i].cylinder);
    }
    for (int k = 0; k < 2; ++k) {
        assert_int_equal(a->dwell[k].n, b->dwell[k].n);
        assert_true(a->dwell[k].mean == b->dwell[k].mean);
    }
    assert_memory_equal(a->histogram, b->histogram, (size_t)d->n * sizeof *a->histogram);
    assert_memory_equal(a->speeds, b->speeds, (size_t)def->cylinders * sizeof *a->speeds);
    assert_int_equal(a->n_trace, b->n_trace);
    assert_memory_equal(a->trace, b->trace, (size_t)a->n_trace * sizeof *a->trace);
}

/* Neither the workers nor the number of other cylinders matter; the seed does. */
static void test_workers(void** state)
{
    (void)state;
    scree_foundation_density d = make_density(4.9, 400.0);
    scree_ensemble_def def = scree_default_ensemble_def();
    def.cylinders = 75; /* with rounds of 53332 steps */
    def.steps = test_size(55001, 110003);
    def.discard = 5001;
    def.sample = 7;
    scree_ensemble one = run(&d, &def);
    require(one.n_jumps > 20, "%lld jumps", (long long)one.n_jumps);
    const int32_t workers[] = {2, 3, 8};
    for (int i = 0; i < 3; ++i) {
        def.workers = workers[i];
        scree_ensemble e = run(&d, &def);
        require_same(&d, &def, &one, &e);
        scree_ensemble_release(&e);
    }
    def.cylinders = 5;
    scree_ensemble few = run(&d, &def);
    assert_memory_equal(few.speeds, one.speeds, 5 * sizeof *few.speeds);
    assert_memory_equal(few.trace, one.trace, (size_t)few.n_trace * sizeof *few.trace);
    def.seed = 2;
    scree_ensemble other = run(&d, &def);
    for (int i = 0; i < 5; ++i) assert_true(other.speeds[i] != few.speeds[i]);
    scree_ensemble_release(&other);
    scree_ensemble_release(&few);
    scree_ensemble_release(&one);
    scree_foundation_density_release(&d);
}

/* The variance of one speed in one step from a common start is that of the noise. */
static void test_first_step(void** state)
{
    (void)state;
    scree_foundation_density d = make_density(4.87, 50.0);
    scree_ensemble_def def = scree_default_ensemble_def();
    def.cylinders = 20000;
    def.steps = def.sample = 1;
    def.step = 1e-3;
    def.discard = 0;
    def.start = d.rest[0].speed;
    scree_ensemble e = run(&d, &def);
    double expected = d.def.noise * def.step / (inertia_of(&d) * inertia_of(&d)), square = 0.0;
    for (int32_t i = 0; i < def.cylinders; ++i) {
        double off = e.speeds[i] - def.start;
        square += off * off / def.cylinders;
    }
    require(fabs(square / expected - 1.0) < 4.0 * sqrt(2.0 / def.cylinders), "%g not %g", square,
            expected);
    scree_ensemble_release(&e);
    scree_foundation_density_release(&d);
}

static int stop_after(void* user, int64_t steps)
{
    int64_t* last = user;
    *last = steps;
    return steps >= 8000;
}

static void test_progress(void** state)
{
    (void)state;
    scree_foundation_density d = make_density(4.87, 50.0);
    scree_ensemble_def def = scree_default_ensemble_def();
    int64_t last = 0;
    def.steps = 100000;
    def.discard = 100;
    def.progress = stop_after;
    def.progress_user = &last;
    scree_ensemble e = run(&d, &def);
    assert_int_equal(e.steps, 8000);
    assert_int_equal(last, 8000);
    assert_int_equal(e.n_samples, (8000 - 100) / def.sample * def.cylinders);
    assert_int_equal(e.n_trace, 8000 / def.sample);
    scree_ensemble_release(&e);
    /* stopped before the statistics began */
    def.discard = 90000;
    e = run(&d, &def);
    assert_true(e.n_samples == 0 && isnan(e.mean) && isnan(e.distance) && isnan(e.mean_error));
    scree_ensemble_release(&e);
    scree_foundation_density_release(&d);
}

/* ---- failures ---- */

static void test_memory(void** state)
{
    (void)state;
    scree_foundation_def def = scree_noisy_foundation_def();
    scree_ensemble_def ensemble = scree_default_ensemble_def();
    ensemble.cylinders = 3;
    ensemble.steps = 100;
    ensemble.discard = 0;
    ensemble.workers = 2;
    for (long at = 0;; ++at) {
        test_host host;
        scree_env env = test_env(&host);
        scree_foundation_density d;
        scree_ensemble e = {.n_samples = 0};
        host.fail_at = at;
        scree_status status = scree_foundation_density_create(&env, &def, &d);
        if (status == SCREE_OK) status = scree_ensemble_run(&d, &ensemble, &e);
        int failed = host.n_asked > at;
        assert_int_equal(status, failed ? SCREE_ERROR_MEMORY : SCREE_OK);
        if (status == SCREE_OK) scree_ensemble_release(&e);
        scree_foundation_density_release(&d);
        require(host.n_held == 0, "%ld pieces kept after failure %ld", host.n_held, at);
        if (!failed) {
            require(at > 5, "only %ld allocations", at);
            break;
        }
    }
}

static void expect_no_density(const scree_foundation_def* def, const char* text)
{
    test_host host;
    scree_env env = test_env(&host);
    scree_foundation_density d;
    assert_int_equal(scree_foundation_density_create(&env, def, &d), SCREE_ERROR_INPUT);
    require(strstr(host.text, text), "'%s' lacks '%s'", host.text, text);
    assert_true(host.n_held == 0 && !d.force);
}

static void test_no_density(void** state)
{
    (void)state;
    scree_foundation_def def = scree_noisy_foundation_def();
    def.noise = 0.0;
    expect_no_density(&def, "sigma2 = 0");
    def = scree_noisy_foundation_def();
    def.drag_square = 0.0;
    expect_no_density(&def, "nothing holds the cylinder");
    def = scree_noisy_foundation_def();
    def.noise = 1e7;
    expect_no_density(&def, "off the ground");
    def = scree_noisy_foundation_def();
    def.damping = -1.0;
    expect_no_density(&def, "gamma = -1");
}

static void expect_no_ensemble(const scree_foundation_density* d, const scree_ensemble_def* def,
                               scree_status expected, const char* text)
{
    test_host host;
    scree_env env = test_env(&host);
    scree_foundation_density copy = *d;
    scree_ensemble out;
    copy.env = env;
    assert_int_equal(scree_ensemble_run(&copy, def, &out), expected);
    require(strstr(host.text, text), "'%s' lacks '%s'", host.text, text);
    assert_int_equal(host.n_held, 0);
}

static void test_no_ensemble(void** state)
{
    (void)state;
    scree_foundation_density d = make_density(4.9, 50.0);
    const scree_ensemble_def good = scree_default_ensemble_def();
    scree_ensemble_def def = good;
    def.struct_size = 0;
    expect_no_ensemble(&d, &def, SCREE_ERROR_ARGUMENT, "scree_default_ensemble_def");
    def = good, def.cylinders = 0;
    expect_no_ensemble(&d, &def, SCREE_ERROR_INPUT, "cylinders");
    def = good, def.steps = 0;
    expect_no_ensemble(&d, &def, SCREE_ERROR_INPUT, "steps");
    def = good, def.workers = 100000;
    expect_no_ensemble(&d, &def, SCREE_ERROR_INPUT, "workers");
    def = good, def.discard = -1;
    expect_no_ensemble(&d, &def, SCREE_ERROR_INPUT, "discard");
    def = good, def.discard = def.steps;
    expect_no_ensemble(&d, &def, SCREE_ERROR_INPUT, "must be below steps");
    def = good, def.step = 100.0;
    expect_no_ensemble(&d, &def, SCREE_ERROR_INPUT, "fastest relaxation");
    def = good, def.step = (double)NAN;
    expect_no_ensemble(&d, &def, SCREE_ERROR_INPUT, "step");
    def = good, def.start = 50.0;
    expect_no_ensemble(&d, &def, SCREE_ERROR_INPUT, "start = 50");
    scree_foundation_density_release(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_normal_quantiles),
        cmocka_unit_test(test_normal_moments),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_reflection),
        cmocka_unit_test(test_density),
        cmocka_unit_test(test_weak_noise),
        cmocka_unit_test(test_closed_forms),
        cmocka_unit_test(test_oracle_density),
        cmocka_unit_test(test_oracle_means),
        cmocka_unit_test(test_means),
        cmocka_unit_test(test_bistable),
        cmocka_unit_test(test_workers),
        cmocka_unit_test(test_first_step),
        cmocka_unit_test(test_progress),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_no_density),
        cmocka_unit_test(test_no_ensemble),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
