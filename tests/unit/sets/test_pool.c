/* Sets as plain data: what is stored evaluates to the same bits wherever it lies, and the border
 * lets nothing through that could not have been made. */
#include "set_draw.h"
#include "sets/set.h"

/* Where set i of a pool of one lies in a table that others begin. */
enum { BEFORE = 7, MOST_TABLE = 20000 };

typedef struct stored {
    scree_set_value value;
    double table[MOST_TABLE];
    scree_sets sets;
} stored;

static void store(const scree_set* set, stored* out)
{
    int32_t n = scree_set_table_size(set);
    assert_true(BEFORE + n <= MOST_TABLE);
    for (int i = 0; i < BEFORE; ++i) out->table[i] = -1.0;
    scree_set_store(set, BEFORE, &out->value, out->table);
    out->sets = (scree_sets){1, BEFORE + n, &out->value, out->table};
}

static int same_bits(const void* a, const void* b, size_t n)
{
    return memcmp(a, b, n) == 0;
}

static void data_evaluates_as_the_object(void** state)
{
    (void)state;
    scri_random random = test_seed("stored sets", 7101);
    stored* s = test_take(1, sizeof *s);
    for (int i = 0; i < test_cases(800, 20000); ++i) {
        drawn_set d = draw_set(&random, (scree_set_kind)(i % SCREE_SET_KIND_COUNT), 0);
        store(d.set, s);
        assert_int_equal(scri_set_check(NULL, &s->sets, 0), SCREE_OK);
        scri_set own = scri_set_of(d.set), other = scri_set_at(&s->sets, 0);
        double x[2], a[9], b[9];
        draw_near(&random, &d, 1.0, x);
        a[0] = scri_set_gauge(own, x, a + 1, a + 3);
        b[0] = scri_set_gauge(other, x, b + 1, b + 3);
        require(same_bits(a, b, 6 * sizeof *a), "the gauge of a %s", scree_set_kind_name(i % 8));
        scree_set_destroy(d.set);
        if (!s->value.is_convex) continue;
        double p[2][8] = {{0.0}};
        for (int k = 0; k < 2; ++k) scri_set_project(other, 0.7, x, p[k], p[k] + 2);
        assert_true(same_bits(p[0], p[1], sizeof p[0])); /* the object is gone */
    }
    free(s);
}

typedef void breaking(stored* s);

static void kind_below(stored* s)
{
    s->value.kind = -1;
}
static void kind_above(stored* s)
{
    s->value.kind = SCREE_SET_KIND_COUNT;
}
static void size_negative(stored* s)
{
    if (s->value.n) {
        s->table[BEFORE] = s->table[BEFORE + 1] = -0.0;
    } else {
        s->value.a = -s->value.a;
    }
}
static void size_not_a_number(stored* s)
{
    if (s->value.n) {
        s->table[BEFORE + 2] = (double)NAN;
    } else {
        s->value.a = (double)NAN;
    }
}
static void turn_too_long(stored* s)
{
    s->value.turn[0] *= 1.001, s->value.turn[1] *= 1.001;
}
static void turn_not_a_number(stored* s)
{
    s->value.turn[1] = (double)NAN;
}
static void convexity_wrong(stored* s)
{
    s->value.is_convex = !s->value.is_convex;
}
static void convexity_odd(stored* s)
{
    s->value.is_convex = 2;
}
static void points_negative(stored* s)
{
    s->value.n = -1;
}
static void points_too_many(stored* s)
{
    s->value.n += 1;
}
static void table_before_the_pool(stored* s)
{
    s->value.table = -1;
}
static void table_after_the_pool(stored* s)
{
    s->value.table = INT32_MAX;
}
static void table_wrong(stored* s) /* what follows from the points, of one of them */
{
    if (s->value.n) {
        s->table[BEFORE + 2] += 0.01 * (1.0 + fabs(s->table[BEFORE + 2]));
    } else {
        s->value.table = 1;
    }
}

static void the_border_refuses_the_rest(void** state)
{
    (void)state;
    static breaking* const breaks[] = {
        kind_below,           kind_above,      size_negative,     size_not_a_number,
        turn_too_long,        convexity_wrong, convexity_odd,     points_negative,
        points_too_many,      table_wrong,     turn_not_a_number, table_before_the_pool,
        table_after_the_pool,
    };
    scri_random random = test_seed("broken sets", 7102);
    stored* s = test_take(1, sizeof *s);
    for (int i = 0; i < 400; ++i) {
        int kind = i % SCREE_SET_KIND_COUNT;
        drawn_set d = draw_set(&random, (scree_set_kind)kind, 0);
        for (size_t k = 0; k < sizeof breaks / sizeof breaks[0]; ++k) {
            test_host host;
            scree_env env = test_env(&host);
            store(d.set, s);
            breaks[k](s);
            require(scri_set_check(&env, &s->sets, 0) == SCREE_ERROR_INPUT,
                    "break %d of a %s passes", (int)k, scree_set_kind_name(kind));
            require(strstr(host.text, "set 0"), "says \"%s\"", host.text);
        }
        scree_set_destroy(d.set);
    }
    free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(data_evaluates_as_the_object),
        cmocka_unit_test(the_border_refuses_the_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
