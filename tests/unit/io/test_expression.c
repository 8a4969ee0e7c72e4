/* Expressions of a scene: values against those that C computes, and every fault with its place. */
#include "base/compiler.h"
#include "io/scene_expression.h"
#include "support/test.h"

#include <math.h>

static const scree_parameter parameters[] = {
    {.name = "mu", .value = 0.3},     {.name = "mu_r", .value = 0.002},
    {.name = "angle", .value = 20.0}, {.name = "g", .value = 9.81},
    {.name = "csv", .text = "a.csv"},
};
enum { N_PARAMETERS = sizeof parameters / sizeof parameters[0] };

static bool evaluate(const char* text, double* value, scri_expression_fault* fault)
{
    /* The text is not ended by a zero where it lies. */
    size_t length = strlen(text);
    char* bytes = test_take(length, 1);
    memcpy(bytes, text, length);
    bool good = scri_expression_evaluate(bytes, length, N_PARAMETERS, parameters, value, fault);
    free(bytes);
    return good;
}

static void values(void** state)
{
    (void)state;
    volatile double mu = 0.3, mu_r = 0.002, angle = 20.0, g = 9.81, deg = SCREE_PI / 180.0;
    const struct {
        const char* text;
        double value;
    } table[] = {
        {"1", 1.0},
        {"-1.5e-3", -1.5e-3},
        {"+.5", 0.5},
        {"1.", 1.0},
        {"  7  ", 7.0},
        {"1.e2", 100.0},
        {"0x1F", 31.0},
        {"0xffffffff", 4294967295.0},
        {"2+3*4", 14.0},
        {"(2+3)*4", 20.0},
        {"10-4-3", 3.0},
        {"100/5/2", 10.0},
        {"2*-3", -6.0},
        {"--3", 3.0},
        {"-+-3", 3.0},
        {"-2^2", -4.0},
        {"2^-2", 0.25},
        {"2^3^2", 512.0},
        {"-2^-2^2", -0.0625},
        {"2^-3*4", 0.5},
        {"1/3+1/7", 1.0 / 3.0 + 1.0 / 7.0},
        {"mu", mu},
        {"-mu", -mu},
        {"mu_r/mu", mu_r / mu},
        {"g*sin(angle*deg)", g * sin(angle * deg)},
        {"-g*cos(angle*deg)", -(g * cos(angle * deg))},
        {"sqrt(2)", sqrt(2.0)},
        {"tan(1)+atan(1)", tan(1.0) + atan(1.0)},
        {"abs(-3)-abs(3)", 0.0},
        {"exp(1)*log(10)", exp(1.0) * log(10.0)},
        {"min(3,1,2)", 1.0},
        {"max(mu, mu_r, 0.1)", mu},
        {"max((1+2)*3, min(100, 2^3), 4)", 9.0},
        {"sin ( pi/6 )", sin(SCREE_PI / 6.0)},
        {"pi", SCREE_PI},
        {"180*deg/pi", 180.0 * deg / SCREE_PI},
        {"1e3+1E-3", 1e3 + 1e-3},
        {"((((((((1))))))))", 1.0},
        {"sqrt(sqrt(sqrt(256)))", 2.0},
    };
    for (size_t k = 0; k < sizeof table / sizeof table[0]; ++k) {
        double value = SCREE_NAN;
        scri_expression_fault fault;
        require(evaluate(table[k].text, &value, &fault), "%s: %s", table[k].text, fault.text);
        require(fabs(value - table[k].value) <= 4e-16 * fabs(table[k].value),
                "%s = %.17g, not %.17g", table[k].text, value, table[k].value);
    }
}

static void not_finite_values(void** state)
{
    (void)state;
    double value = 0.0;
    scri_expression_fault fault;
    assert_true(evaluate(".inf", &value, &fault) && value == SCREE_INFINITY);
    assert_true(evaluate("-.inf", &value, &fault) && value == -SCREE_INFINITY);
    assert_true(evaluate("sqrt(-1)", &value, &fault) && isnan(value));
    assert_true(evaluate("max(sqrt(-1), 1)", &value, &fault) && isnan(value));
    assert_true(evaluate("max(1, sqrt(-1))", &value, &fault) && isnan(value));
    assert_true(evaluate("min(1, sqrt(-1), 2)", &value, &fault) && isnan(value));
    assert_true(evaluate("1e200*1e200", &value, &fault) && isinf(value));
}

static void faults(void** state)
{
    (void)state;
    static const struct {
        const char* text;
        size_t at;
        const char* what;
    } table[] = {
        {"", 0, "a number is expected, but there is none"},
        {"   ", 0, "a number is expected, but there is none"},
        {"1+", 0, "the expression ends where a value is expected"},
        {"-", 0, "the expression ends where a value is expected"},
        {"*2", 0, "a value is missing before '*'"},
        {"2+*3", 2, "a value is missing before '*'"},
        {"()", 1, "a value is missing before ')'"},
        {"sin()", 4, "a value is missing before ')'"},
        {"max(1,)", 6, "a value is missing before ')'"},
        {"(1+2", 0, "')' is missing"},
        {"3*sin(1", 2, "')' is missing"},
        {"1+2)", 3, "')' without '('"},
        {"0,3", 1, "unexpected ','; numbers have a decimal point"},
        {"(0,3)", 2, "unexpected ','; numbers have a decimal point"},
        {"sin(1, 2)", 0, "sin takes one argument, not 2"},
        {"1+max(1)", 2, "max takes two or more arguments"},
        {"1/0", 1, "division by zero"},
        {"1/(mu-mu)", 1, "division by zero"},
        {"1e999", 0, "the number is too large"},
        {"0x", 0, "digits are missing after '0x'"},
        {".", 0, "a number is expected"},
        {"5 mm", 2,
         "found 'mm' after a number; units are SI and not written: a number or an expression is "
         "expected"},
        {"5mm", 1,
         "found 'mm' after a number; units are SI and not written: a number or an expression is "
         "expected"},
        {"30 deg", 3, "an operator is missing before 'deg'; a product is written with '*'"},
        {"2(3)", 1, "an operator is missing before this"},
        {"1 2", 2,
         "found '2' after a number; units are SI and not written: a number or an "
         "expression is expected"},
        {"muu", 0, "unknown name 'muu'; did you mean 'mu'?"},
        {"um", 0, "unknown name 'um'; did you mean 'mu'?"},
        {"2*angel", 2, "unknown name 'angel'; did you mean 'angle'?"},
        {"high", 0, "unknown name 'high'; known are mu, mu_r, angle, g, pi, deg"},
        {"sine(1)", 0, "unknown function 'sine'; did you mean 'sin'?"},
        {"foobar(1)", 0,
         "unknown function 'foobar'; known are sqrt, sin, cos, tan, atan, abs, exp, log, floor, "
         "min, max"},
        {"mu(1)", 0,
         "unknown function 'mu'; known are sqrt, sin, cos, tan, atan, abs, exp, log, floor, min, "
         "max"},
        {"sin", 0, "sin needs its argument in parentheses"},
        {"csv", 0, "parameter 'csv' is a text, where a number is expected"},
        {"1 $", 2, "an operator is missing before this"},
        {"#", 0, "a number or an expression is expected"},
        {"1+\xc3\xa9", 2, "a number or an expression is expected"},
        {"nan", 0, "unknown name 'nan'; known are mu, mu_r, angle, g, pi, deg"},
    };
    for (size_t k = 0; k < sizeof table / sizeof table[0]; ++k) {
        double value = 0.0;
        scri_expression_fault fault;
        require(!evaluate(table[k].text, &value, &fault), "%s is accepted", table[k].text);
        assert_string_equal(fault.text, table[k].what);
        require(fault.at == table[k].at, "%s: fault at %zu, not %zu", table[k].text, fault.at,
                table[k].at);
    }
}

/* Deep expressions end in a fault, long ones in a value. */
static void depth(void** state)
{
    (void)state;
    enum { N = 100000 };
    char* text = test_take(2 * N + 2, 1);
    static const char openers[] = "(-";
    for (int k = 0; k < 2; ++k) {
        double value;
        scri_expression_fault fault;
        memset(text, openers[k], N);
        text[N] = '1';
        text[N + 1] = '\0';
        assert_false(evaluate(text, &value, &fault));
        assert_string_equal(fault.text, "the expression is too deep");
        assert_int_equal(fault.at, SCRI_EXPRESSION_DEPTH);
    }
    for (int k = 0; k < N; ++k) memcpy(text + 2 * k, "1+", 2);
    memcpy(text + 2 * N, "1", 2);
    double value = 0.0;
    scri_expression_fault fault;
    assert_true(evaluate(text, &value, &fault));
    require(value == N + 1.0, "%g", value);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values),
        cmocka_unit_test(not_finite_values),
        cmocka_unit_test(faults),
        cmocka_unit_test(depth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
