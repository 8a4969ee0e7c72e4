#include "base/env.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void* scri_alloc(const scree_env* env, size_t size)
{
    if (size == 0) size = 1;
    return env && env->alloc ? env->alloc(env->user, size) : malloc(size);
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

scree_status scri_fail(const scree_env* env, scree_status status, const char* format, ...)
{
    if (!env || !env->log) return status;
    char text[SCRI_LOG_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    env->log(env->user, SCREE_LOG_ERROR, text);
    return status;
}
