/* Evaluation with two stacks, of values and of operations that wait for their right operand; no
 * recursion, so that no text can exhaust the program's stack. */
#include "io/scene_expression.h"

#include "base/compiler.h"
#include "io/number_text.h"
#include "io/scene_suggest.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- functions and constants ----------------------------------------------------------------- */

typedef double function1(double);

static double larger(double a, double b)
{
    return isnan(a) || a > b ? a : b; /* unlike fmax, keeps NaN */
}

static double smaller(double a, double b)
{
    return isnan(a) || a < b ? a : b;
}

static const struct {
    const char* name;
    function1* one;                 /* of one argument, or NULL */
    double (*fold)(double, double); /* of two or more, or NULL */
} functions[] = {
    {"sqrt", sqrt, NULL},   {"sin", sin, NULL},     {"cos", cos, NULL},    {"tan", tan, NULL},
    {"atan", atan, NULL},   {"abs", fabs, NULL},    {"exp", exp, NULL},    {"log", log, NULL},
    {"floor", floor, NULL}, {"min", NULL, smaller}, {"max", NULL, larger},
};
enum { N_FUNCTIONS = sizeof functions / sizeof functions[0], NO_FUNCTION = -1 };

static const struct {
    const char* name;
    double value;
} constants[] = {{"pi", SCREE_PI}, {"deg", SCREE_DEGREE}};
enum { N_CONSTANTS = sizeof constants / sizeof constants[0] };

static int find_function(const char* name)
{
    for (int k = 0; k < N_FUNCTIONS; ++k) {
        if (strcmp(name, functions[k].name) == 0) return k;
    }
    return NO_FUNCTION;
}

bool scri_expression_reserves(const char* name)
{
    for (int k = 0; k < N_CONSTANTS; ++k) {
        if (strcmp(name, constants[k].name) == 0) return true;
    }
    return find_function(name) != NO_FUNCTION;
}

/* ---- the machine ----------------------------------------------------------------------------- */

/* An operation that waits: + - * / ^, '~' for the sign, '(' for a parenthesis or a call. */
typedef struct operation {
    char sign;
    int function;    /* of '(' */
    int n_arguments; /* of '(' */
    size_t at;
} operation;

typedef struct machine {
    const char* text;
    size_t length, at;
    int32_t n_parameters;
    const scree_parameter* parameters;
    double value[SCRI_EXPRESSION_DEPTH];
    operation waiting[SCRI_EXPRESSION_DEPTH];
    int n_values, n_waiting;
    bool after_value; /* an operator may follow, but no value */
    scri_expression_fault* fault;
} machine;

static bool fail(machine* m, size_t at, const char* format, ...) SCRI_PRINTF(3, 4);

static bool fail(machine* m, size_t at, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(m->fault->text, sizeof m->fault->text, format, arguments);
    va_end(arguments);
    m->fault->at = at;
    return false;
}

static bool push_value(machine* m, double value, size_t at)
{
    if (m->n_values == SCRI_EXPRESSION_DEPTH) return fail(m, at, "the expression is too deep");
    m->value[m->n_values++] = value;
    m->after_value = true;
    return true;
}

static bool push_operation(machine* m, operation o)
{
    if (m->n_waiting == SCRI_EXPRESSION_DEPTH) return fail(m, o.at, "the expression is too deep");
    m->waiting[m->n_waiting++] = o;
    m->after_value = false;
    return true;
}

/* The sign binds less than a power: -2^2 = -4. */
static int precedence(char sign)
{
    return sign == '^' ? 4 : sign == '~' ? 3 : sign == '*' || sign == '/' ? 2 : 1;
}

/* Carries out the operation that has waited the shortest time; not a parenthesis. */
static bool apply(machine* m)
{
    operation o = m->waiting[--m->n_waiting];
    double b = m->value[m->n_values - 1];
    if (o.sign == '~') {
        m->value[m->n_values - 1] = -b;
        return true;
    }
    --m->n_values;
    double* a = &m->value[m->n_values - 1];
    if (o.sign == '/' && b == 0.0) return fail(m, o.at, "division by zero");
    *a = o.sign == '+'   ? *a + b
         : o.sign == '-' ? *a - b
         : o.sign == '*' ? *a * b
         : o.sign == '/' ? *a / b
                         : pow(*a, b);
    return true;
}

static bool waits(const machine* m)
{
    return m->n_waiting > 0 && m->waiting[m->n_waiting - 1].sign != '(';
}

static bool read_operator(machine* m, char sign)
{
    operation o = {.sign = sign, .function = NO_FUNCTION, .at = m->at++};
    while (waits(m)) {
        int before = precedence(m->waiting[m->n_waiting - 1].sign), here = precedence(sign);
        if (before < here || (before == here && sign == '^')) break;
        if (!apply(m)) return false;
    }
    return push_operation(m, o);
}

static bool call(machine* m, operation open)
{
    const char* name = functions[open.function].name;
    int n = open.n_arguments;
    double* argument = &m->value[m->n_values - n];
    if (functions[open.function].one) {
        if (n != 1) return fail(m, open.at, "%s takes one argument, not %d", name, n);
        argument[0] = functions[open.function].one(argument[0]);
    } else {
        if (n < 2) return fail(m, open.at, "%s takes two or more arguments", name);
        for (int k = 1; k < n; ++k) {
            argument[0] = functions[open.function].fold(argument[0], argument[k]);
        }
    }
    m->n_values -= n - 1;
    return true;
}

/* ')' or ','. */
static bool end_argument(machine* m)
{
    char c = m->text[m->at];
    while (waits(m)) {
        if (!apply(m)) return false;
    }
    operation* open = m->n_waiting > 0 ? &m->waiting[m->n_waiting - 1] : NULL;
    if (c == ',') {
        if (!open || open->function == NO_FUNCTION) {
            return fail(m, m->at, "unexpected ','; numbers have a decimal point");
        }
        ++open->n_arguments;
        ++m->at;
        m->after_value = false;
        return true;
    }
    if (!open) return fail(m, m->at, "')' without '('");
    --m->n_waiting;
    ++m->at;
    return open->function == NO_FUNCTION || call(m, *open);
}

/* ---- words ----------------------------------------------------------------------------------- */

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static char peek(const machine* m, size_t ahead)
{
    return m->at + ahead < m->length ? m->text[m->at + ahead] : '\0';
}

typedef struct word {
    char text[64];
    size_t length; /* in the text, may be more than fits */
} word;

static word next_word(const machine* m)
{
    word w = {.length = 0};
    while (is_letter(peek(m, w.length)) || is_digit(peek(m, w.length))) {
        if (w.length + 1 < sizeof w.text) w.text[w.length] = peek(m, w.length);
        ++w.length;
    }
    return w;
}

static bool find_value(const machine* m, const char* name, const scree_parameter** parameter,
                       double* value)
{
    *parameter = NULL;
    for (int32_t k = 0; k < m->n_parameters; ++k) {
        if (strcmp(name, m->parameters[k].name) != 0) continue;
        *parameter = &m->parameters[k];
        *value = (*parameter)->value;
        return true;
    }
    for (int k = 0; k < N_CONSTANTS; ++k) {
        if (strcmp(name, constants[k].name) != 0) continue;
        *value = constants[k].value;
        return true;
    }
    return false;
}

static bool fail_unknown(machine* m, const char* name, bool is_call)
{
    scri_nearest nearest = scri_nearest_begin(name);
    for (int k = 0; is_call && k < N_FUNCTIONS; ++k) {
        scri_nearest_consider(&nearest, functions[k].name);
    }
    for (int32_t k = 0; !is_call && k < m->n_parameters; ++k) {
        if (!m->parameters[k].text) scri_nearest_consider(&nearest, m->parameters[k].name);
    }
    for (int k = 0; !is_call && k < N_CONSTANTS; ++k) {
        scri_nearest_consider(&nearest, constants[k].name);
    }
    return fail(m, m->at, "unknown %s '%s'; %s", is_call ? "function" : "name", name,
                scri_nearest_hint(&nearest, "known are", "").text);
}

static bool read_name(machine* m)
{
    word w = next_word(m);
    size_t ahead = w.length;
    while (peek(m, ahead) == ' ') ++ahead;
    int function = find_function(w.text);
    if (peek(m, ahead) == '(') {
        if (function == NO_FUNCTION) return fail_unknown(m, w.text, true);
        operation o = {.sign = '(', .function = function, .n_arguments = 1, .at = m->at};
        m->at += ahead + 1;
        return push_operation(m, o);
    }
    const scree_parameter* parameter;
    double value;
    if (!find_value(m, w.text, &parameter, &value)) {
        if (function == NO_FUNCTION) return fail_unknown(m, w.text, false);
        return fail(m, m->at, "%s needs its argument in parentheses", w.text);
    }
    if (parameter && parameter->text) {
        return fail(m, m->at, "parameter '%s' is a text, where a number is expected", w.text);
    }
    size_t at = m->at;
    m->at += w.length;
    return push_value(m, value, at);
}

/* Digits of a hexadecimal number follow "0x". */
static bool read_hexadecimal(machine* m)
{
    double value = 0.0;
    size_t begin = m->at, n = 2;
    for (;; ++n) {
        char c = peek(m, n);
        int digit = is_digit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c - 'A' + 10;
        if (!is_digit(c) && !(c >= 'a' && c <= 'f') && !(c >= 'A' && c <= 'F')) break;
        value = 16.0 * value + digit;
    }
    if (n == 2) return fail(m, begin, "digits are missing after '0x'");
    m->at += n;
    return push_value(m, value, begin);
}

static size_t number_length(const machine* m)
{
    size_t n = 0;
    while (is_digit(peek(m, n))) ++n;
    if (peek(m, n) == '.') ++n;
    while (is_digit(peek(m, n))) ++n;
    if (peek(m, n) == 'e' || peek(m, n) == 'E') {
        size_t exponent = n + (peek(m, n + 1) == '-' || peek(m, n + 1) == '+' ? 2 : 1);
        if (is_digit(peek(m, exponent))) n = exponent;
        while (is_digit(peek(m, n))) ++n;
    }
    return n;
}

static bool read_number(machine* m)
{
    size_t begin = m->at;
    if (peek(m, 0) == '0' && (peek(m, 1) == 'x' || peek(m, 1) == 'X')) return read_hexadecimal(m);
    if (m->length - m->at >= 4 && memcmp(m->text + m->at, ".inf", 4) == 0) {
        m->at += 4;
        return push_value(m, SCREE_INFINITY, begin);
    }
    double value;
    size_t n = number_length(m);
    scri_number_kind kind = scri_number_parse(m->text + m->at, n, &value);
    if (kind == SCRI_NUMBER_MALFORMED) return fail(m, begin, "a number is expected");
    if (kind == SCRI_NUMBER_NOT_FINITE) return fail(m, begin, "the number is too large");
    m->at += n;
    return push_value(m, value, begin);
}

/* ---- the text as a whole --------------------------------------------------------------------- */

static bool read_operand(machine* m, char c)
{
    if (is_letter(c)) return read_name(m);
    if (is_digit(c) || c == '.') return read_number(m);
    operation o = {.function = NO_FUNCTION, .at = m->at};
    if (c == '-' || c == '(') {
        o.sign = c == '-' ? '~' : '(';
        ++m->at;
        return push_operation(m, o);
    }
    if (c == '+') {
        ++m->at;
        return true;
    }
    if (c == ')' || strchr("*/^,", c)) return fail(m, m->at, "a value is missing before '%c'", c);
    return fail(m, m->at, "a number or an expression is expected");
}

/* "5 mm", "30 deg", "2(x)": a value after a value. */
static bool fail_no_operator(machine* m)
{
    word w = next_word(m);
    const scree_parameter* parameter;
    double unused;
    if (w.length == 0) return fail(m, m->at, "an operator is missing before this");
    if (find_value(m, w.text, &parameter, &unused)) {
        return fail(m, m->at, "an operator is missing before '%s'; a product is written with '*'",
                    w.text);
    }
    return fail(m, m->at,
                "found '%s' after a number; units are SI and not written: a number or an "
                "expression is expected",
                w.text);
}

static bool read_after_value(machine* m, char c)
{
    if (strchr("+-*/^", c)) return read_operator(m, c);
    if (c == ')' || c == ',') return end_argument(m);
    return fail_no_operator(m);
}

static bool finish(machine* m, double* out)
{
    if (!m->after_value) {
        return fail(m, 0,
                    m->n_waiting > 0 ? "the expression ends where a value is expected"
                                     : "a number is expected, but there is none");
    }
    while (m->n_waiting > 0) {
        operation o = m->waiting[m->n_waiting - 1];
        if (o.sign == '(') return fail(m, o.at, "')' is missing");
        if (!apply(m)) return false;
    }
    *out = m->value[0];
    return true;
}

bool scri_expression_evaluate(const char* text, size_t length, int32_t n_parameters,
                              const scree_parameter* parameters, double* out,
                              scri_expression_fault* fault)
{
    if (scri_number_parse(text, length, out) == SCRI_NUMBER_OK) return true;
    machine m = {.text = text,
                 .length = length,
                 .n_parameters = n_parameters,
                 .parameters = parameters,
                 .fault = fault};
    while (m.at < length) {
        char c = text[m.at];
        if (c == ' ' || c == '\t' || c == '\n') {
            ++m.at;
            continue;
        }
        if (c == '\0') return fail(&m, m.at, "a number or an expression is expected");
        bool read = m.after_value ? read_after_value(&m, c) : read_operand(&m, c);
        if (!read) return false;
    }
    return finish(&m, out);
}
