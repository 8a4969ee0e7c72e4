/* Measures at the ends of the range of numbers, row by row, and the memory that they ask for. */
#include "problem/certificate.h"
#include "support/problems.h"

/* One contact with the identity for W. */
static sample lone_contact(int rows, int law)
{
    sample s = sample_begin(1, &rows, &law);
    int width = shape_of(rows).width;
    s.w_start = sample_take(&s, 2, sizeof *s.w_start);
    s.w_column = sample_take(&s, 1, sizeof *s.w_column);
    s.w_offset = sample_take(&s, 2, sizeof *s.w_offset);
    s.w_value = sample_take(&s, (size_t)(width * width), sizeof *s.w_value);
    s.w_start[1] = 1;
    s.w_offset[1] = width * width;
    for (int i = 0; i < width; ++i) s.w_value[i * width + i] = 1.0;
    s.view.w = (scree_bsr){s.w_start, s.w_column, s.w_offset, s.w_value};
    return s;
}

/* q = -1 in the normal row and p = 1/2: y = -1/2, and the map is p - (p - y) = -1/2, of q's size 1.
 * In whatever units. */
static void one_row_in_any_units(void** state)
{
    (void)state;
    static const double units[] = {1.0, 1e-120, 1e120, 1e-170, 1e170, 1e-300, 1e300};
    static const int rows[] = {SCREE_ROWS_N, SCREE_ROWS_NT, SCREE_ROWS_NTT, SCREE_ROWS_NTTRRS};
    for (size_t k = 0; k < sizeof units / sizeof units[0]; ++k) {
        for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r) {
            sample s = lone_contact(rows[r], SCREE_LAW_EXACT);
            double p[6] = {0.5 * units[k]};
            for (int i = 0; i < 3; ++i) s.coef[i] = 0.5;
            s.q[0] = -units[k];
            scree_certificate c;
            assert_int_equal(scree_certify(NULL, &s.view, p, &c), SCREE_OK);
            require(fabs(c.residual - 0.5) <= 1e-15, "%g, rows %d: residual %.17g", units[k],
                    rows[r], c.residual);
            require(fabs(c.normal_violation / units[k] - 0.5) <= 1e-15, "%g, rows %d: %g", units[k],
                    rows[r], c.normal_violation);
            assert_int_equal(c.worst_contact, 0);
            sample_end(&s);
        }
    }
}

/* The certificate writes within the memory that it asks for. */
static void a_certificate_keeps_to_its_memory(void** state)
{
    (void)state;
    enum { MARGIN = 256 };
    sample s = lone_contact(SCREE_ROWS_NTTRRS, SCREE_LAW_EXACT); /* no byte of its room is spare */
    for (int i = 0; i < 3; ++i) s.coef[i] = 0.5;
    s.q[0] = -1.0;
    double p[6] = {1.0};
    size_t size = scri_certify_work_size(&s.view);
    unsigned char* work = test_take(size + MARGIN, 1);
    memset(work, 0xa5, size + MARGIN);
    scree_certificate c, other;
    scri_certify(&s.view, p, SCREE_MEASURE_LOCAL, 0.0, NULL, work, &c);
    for (size_t i = 0; i < MARGIN; ++i) {
        require(work[size + i] == 0xa5, "byte %d behind the end was written", (int)i);
    }
    assert_int_equal(scree_certify(NULL, &s.view, p, &other), SCREE_OK);
    assert_true(c.residual == other.residual && c.residual == 0.0);
    free(work);
    sample_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_row_in_any_units),
        cmocka_unit_test(a_certificate_keeps_to_its_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
