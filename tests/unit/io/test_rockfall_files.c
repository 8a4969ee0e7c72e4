/* Rasters and tables from files, and the files of a rockfall study. */
#include "scree_io/raster_file.h"
#include "scree_io/rockfall_file.h"
#include "scree_io/table_file.h"
#include "scree_study/rockfall.h"
#include "support/draw.h"
#include "support/test.h"
#include "unit/io/io_support.h"

#include <math.h>

static io_path write_text(const char* name, const char* text)
{
    io_path path = io_scratch("rockfall", name);
    FILE* file = fopen(path.text, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    return path;
}

/* All of a file; to be freed. */
static char* read_text(const char* path)
{
    FILE* file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    size_t size = (size_t)ftell(file);
    rewind(file);
    char* text = test_take(size + 1, 1);
    assert_int_equal(fread(text, 1, size, file), size);
    fclose(file);
    return text;
}

static int count(const char* text, const char* part)
{
    int n = 0;
    for (const char* at = text; (at = strstr(at, part)); ++at) ++n;
    return n;
}

/* ---- rasters ---- */

static void test_raster_again(void** state)
{
    (void)state;
    scri_random random = test_seed("raster", 3);
    enum { COLUMNS = 5, ROWS = 3 };
    double values[COLUMNS * ROWS];
    for (int i = 0; i < COLUMNS * ROWS; ++i) {
        values[i] = draw_chance(&random, 20.0) ? (double)NAN : draw_between(&random, -1e3, 1e3);
    }
    values[4] = 0.0;
    scree_raster out = {.columns = COLUMNS,
                        .rows = ROWS,
                        .origin = {2600000.25, 1199999.75},
                        .cell = 0.5,
                        .values = values};
    scree_raster in;
    io_log log;
    scree_env env = io_env(&log);
    io_path path = io_scratch("rockfall", "again.asc");
    io_assert_ok(scree_raster_write(&env, path.text, &out), &log);
    io_assert_ok(scree_raster_read(&env, path.text, NULL, &in), &log);
    assert_int_equal(in.columns, COLUMNS);
    assert_int_equal(in.rows, ROWS);
    assert_true(in.origin[0] == out.origin[0] && in.origin[1] == out.origin[1]);
    assert_true(in.cell == out.cell);
    for (int i = 0; i < COLUMNS * ROWS; ++i) {
        if (isnan(values[i])) {
            assert_true(isnan(in.values[i]));
        } else {
            require(fabs(in.values[i] - values[i]) <= 1e-8 * fabs(values[i]), "%g became %g",
                    values[i], in.values[i]);
        }
    }
    scree_raster_release(&in);
    assert_null(in.values);
    remove(path.text);
}

static void require_no_raster(const char* name, const char* text, const char* said)
{
    io_log log;
    scree_env env = io_env(&log);
    scree_raster raster;
    io_path path = write_text(name, text);
    assert_true(scree_raster_read(&env, path.text, NULL, &raster) != SCREE_OK);
    io_assert_said(&log, said);
    assert_null(raster.values);
    remove(path.text);
}

static void test_raster_faults(void** state)
{
    (void)state;
    require_no_raster("a.txt", "1 2 3", ".asc, .tif, .tiff or .xyz");
    require_no_raster("a.asc", "ncols 2\nnrows x\n", "a.asc:2");
    require_no_raster("a.xyz", "0 0 1\n1 0 1\n0 2 1\n1 2 1\n", "not square");
    io_path path = write_text("b.xyz", "0 0 1\n1 0 2\n0 1 3\n2 1 4\n2 0 5\n");
    scree_raster raster;
    assert_int_equal(scree_raster_read(NULL, path.text, NULL, &raster), SCREE_OK);
    assert_true(raster.columns == 3 && raster.rows == 2 && isnan(raster.values[4]));
    assert_true(raster.values[2] == 5.0 && raster.values[5] == 4.0);
    scree_raster_release(&raster);
    remove(path.text);
}

/* ---- tables ---- */

static const char* const names[] = {"zone", "mu", "roll"};

static scree_status read_table(const char* text, int others, io_log* log, scree_table* out)
{
    const scree_table_def def = {.n_columns = 3, .columns = names, .n_needed = 2, .others = others};
    scree_env env = io_env(log);
    io_path path = write_text("t.csv", text);
    scree_status status = scree_table_read(&env, path.text, &def, out);
    remove(path.text);
    return status;
}

static void test_table(void** state)
{
    (void)state;
    io_log log;
    scree_table t;
    io_assert_ok(read_table("# grounds\nroll,zone,mu\n0.1, 3 ,0.5\n\n0.2,4,1e-1\n", 0, &log, &t),
                 &log);
    assert_int_equal(t.n, 2);
    assert_true(t.values[0] == 3.0 && t.values[1] == 0.5 && t.values[2] == 0.1);
    assert_true(t.values[3] == 4.0 && t.values[4] == 0.1 && t.values[5] == 0.2);
    assert_true(t.line[0] == 3 && t.line[1] == 5);
    scree_table_release(&t);
    io_assert_ok(read_table("1,2\n3,4\n", 0, &log, &t), &log);
    assert_true(t.n == 2 && t.values[3] == 3.0 && t.values[4] == 4.0 && isnan(t.values[5]));
    scree_table_release(&t);
    io_assert_ok(read_table("name,zone,mu\nfirst,1,2\n", 1, &log, &t), &log);
    assert_true(t.n == 1 && t.values[0] == 1.0 && t.values[1] == 2.0);
    scree_table_release(&t);
}

static void test_table_faults(void** state)
{
    (void)state;
    const struct {
        const char *text, *said;
    } cases[] = {
        {"", "empty"},
        {"zone,mu\n", "no numbers"},
        {"zone,roll\n1,2\n", "column 'mu' is missing"},
        {"zone,mu,rol\n1,2,3\n", "'rol'; did you mean 'roll'"},
        {"zone,mu,mu\n1,2,3\n", "two columns"},
        {"zone,mu\n1,2\n3\n", "t.csv:3: 1 columns instead of 2"},
        {"zone,mu\n1,2\n3,x\n", "t.csv:3: 'x' is not a number (column 'mu')"},
        {"zone,mu\n1,nan\n", "'nan' is not a number"},
        {"1,2,3,4\n", "no line of names"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        io_log log;
        scree_table t;
        assert_true(read_table(cases[k].text, 0, &log, &t) != SCREE_OK);
        io_assert_said(&log, cases[k].said);
        assert_true(!t.values && !t.line && t.n == 0);
    }
}

/* ---- files of a study ---- */

typedef struct study {
    double heights[21 * 9];
    double release[2];
    scree_rockfall_def def;
    scree_rockfall result;
} study;

static void make_study(study* s)
{
    for (int c = 0; c < 21 * 9; ++c) s->heights[c] = 0.8 * fmax(12.0 - c % 21, 0.0);
    s->release[0] = 502.0, s->release[1] = 14.0;
    s->def = scree_default_rockfall_def();
    s->def.map = (scree_rockfall_map){
        .columns = 21, .rows = 9, .origin = {500.0, 10.0}, .cell = 1.0, .heights = s->heights};
    s->def.n_releases = 1, s->def.releases = s->release;
    s->def.blocks = 3, s->def.lines = 2, s->def.step = 4e-3, s->def.time = 3.0;
    s->def.size_low = s->def.size_high = 0.5;
    assert_int_equal(scree_rockfall_run(sparse_env(), &s->def, &s->result), SCREE_OK);
}

static char* write_study(const study* s, scree_rockfall_file file)
{
    io_log log;
    scree_env env = io_env(&log);
    io_path path = io_scratch("rockfall", scree_rockfall_ending((int)file));
    io_assert_ok(scree_rockfall_write(&env, file, path.text, &s->def, &s->result), &log);
    char* text = read_text(path.text);
    remove(path.text);
    return text;
}

static void check_lines(const study* s)
{
    char* text = write_study(s, SCREE_ROCKFALL_LINES);
    const char* at = strchr(text, '\n') + 1;
    const scree_rockfall* r = &s->result;
    assert_int_equal(count(text, "\n"), r->n_points + 1);
    for (int32_t k = 0; k < r->n; ++k) {
        for (int64_t i = 0; i < r->rocks[k].n_points; ++i) {
            const scree_rock_point* p = &r->points[r->rocks[k].first_point + i];
            const double wanted[] = {k + 1,          p->time,  p->position[0], p->position[1],
                                     p->position[2], p->speed, p->energy,      p->jump};
            for (size_t c = 0; c < sizeof wanted / sizeof *wanted; ++c) {
                char* end;
                double x = strtod(at, &end);
                require(fabs(x - wanted[c]) <= 1e-11 * fabs(wanted[c]) + 1e-300, "%g is not %g", x,
                        wanted[c]);
                at = end + 1;
            }
        }
    }
    free(text);
}

static void check_runout(const study* s)
{
    char* text = write_study(s, SCREE_ROCKFALL_RUNOUT);
    int blocks = 0, left = 0;
    for (const char* at = strchr(text, '\n'); at && at[1]; at = strchr(at + 1, '\n')) {
        double from, to;
        int here, gone;
        assert_int_equal(sscanf(at + 1, "%lf,%lf,%d,%d", &from, &to, &here, &gone), 4);
        int wanted = 0;
        for (int32_t k = 0; k < s->result.n; ++k) {
            double x = s->result.rocks[k].runout;
            wanted += x >= from && x < to;
        }
        assert_int_equal(here, wanted);
        blocks += here;
        left += gone;
    }
    assert_int_equal(blocks, s->result.n);
    assert_int_equal(left, s->result.n_ended[SCREE_ROCK_LEFT]);
    free(text);
}

static void test_study(void** state)
{
    (void)state;
    study s;
    make_study(&s);
    check_lines(&s);
    check_runout(&s);
    char* text = write_study(&s, SCREE_ROCKFALL_BLOCKS);
    assert_int_equal(count(text, "\n"), 4);
    assert_int_equal(count(text, "equant"), 3);
    free(text);
    text = write_study(&s, SCREE_ROCKFALL_GEOJSON);
    assert_int_equal(count(text, "LineString"), 2); /* those whose lines are kept */
    assert_int_equal(count(text, "{"), count(text, "}"));
    free(text);
    text = write_study(&s, SCREE_ROCKFALL_PAGE);
    assert_int_equal(count(text, "id=\"study\""), 1);
    assert_int_equal(count(text, "<!-- STUDY -->"), 0);
    assert_int_equal(count(text, "\"name\":\"energy_95\""), 1);
    free(text);
    text = write_study(&s, SCREE_ROCKFALL_VTK);
    assert_int_equal(count(text, "NumberOfLines=\"2\""), 1);
    free(text);
    assert_null(scree_rockfall_ending(SCREE_ROCKFALL_FILE_COUNT));
    assert_null(scree_rockfall_ending(-1));
    scree_rockfall_release(&s.result);
}

/* Short of memory, no file is left behind. */
static void test_memory(void** state)
{
    (void)state;
    study s;
    make_study(&s);
    for (int file = 0; file < SCREE_ROCKFALL_FILE_COUNT; ++file) {
        io_path path = io_scratch("rockfall", "memory");
        scree_status status = SCREE_ERROR_MEMORY;
        for (long k = 0; status; ++k) {
            test_host host;
            scree_env env = test_env(&host);
            host.fail_at = k;
            status =
                scree_rockfall_write(&env, (scree_rockfall_file)file, path.text, &s.def, &s.result);
            assert_true(status == SCREE_OK || status == SCREE_ERROR_MEMORY);
            assert_true(io_exists(path.text) == (status == SCREE_OK));
            assert_int_equal(host.n_held, 0);
        }
        remove(path.text);
    }
    scree_rockfall_release(&s.result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_raster_again), cmocka_unit_test(test_raster_faults),
        cmocka_unit_test(test_table),        cmocka_unit_test(test_table_faults),
        cmocka_unit_test(test_study),        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
