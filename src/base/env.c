#include "base/env.h"

#include "base/moat.h"
#include "base/pages.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void* scri_alloc(const scree_env* env, size_t size)
{
    if (size == 0) size = 1;
    void* memory = env && env->alloc ? env->alloc(env->user, size) : scri_pages_take(size);
    if (memory) scri_moat_fill(memory, size); /* a host may hand out again what was given back */
    return memory;
}

void scri_release(const scree_env* env, void* memory)
{
    if (!memory) return;
    if (env && env->alloc) {
        if (env->release) env->release(env->user, memory);
    } else {
        free(memory);
    }
}

static void say(const scree_env* env, scree_log_level level, const char* format, va_list arguments)
    SCRI_PRINTF(3, 0);

static void say(const scree_env* env, scree_log_level level, const char* format, va_list arguments)
{
    char text[SCRI_LOG_SIZE];
    vsnprintf(text, sizeof text, format, arguments);
    env->log(env->user, level, text);
}

scree_status scri_fail(const scree_env* env, scree_status status, const char* format, ...)
{
    if (!env || !env->log) return status;
    va_list arguments;
    va_start(arguments, format);
    say(env, SCREE_LOG_ERROR, format, arguments);
    va_end(arguments);
    return status;
}

void scri_warn(const scree_env* env, const char* format, ...)
{
    if (!env || !env->log) return;
    va_list arguments;
    va_start(arguments, format);
    say(env, SCREE_LOG_WARNING, format, arguments);
    va_end(arguments);
}

scree_status scri_check_size(const scree_env* env, uint32_t size, size_t expected,
                             const char* begin)
{
    if (size == expected) return SCREE_OK;
    if (size == 0) return scri_fail(env, SCREE_ERROR_ARGUMENT, "begin with %s()", begin);
    return scri_fail(env, SCREE_ERROR_ARGUMENT,
                     "begin with %s(): a struct has %u bytes instead of %zu, the program was built "
                     "with headers of another version",
                     begin, (unsigned)size, expected);
}
