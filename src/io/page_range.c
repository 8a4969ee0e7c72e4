#include "io/page_range.h"

#include "base/compiler.h"

#include <math.h>

void scri_page_range_begin(const scree_recording_info* info, scri_page_range* out)
{
    bool environment = false, half_space = false;
    for (int32_t s = 0; s < info->n_shapes; ++s) {
        if (info->kind[info->shape_body[s]] != SCREE_BODY_DYNAMIC) environment = true;
        if (info->shapes[s].kind == SCREE_SHAPE_HALF_SPACE) half_space = true;
    }
    *out = (scri_page_range){.endless = !environment || half_space};
    for (int i = 0; i < 3; ++i) {
        out->home_low[i] = out->low[i] = SCREE_INFINITY;
        out->home_high[i] = out->high[i] = -SCREE_INFINITY;
    }
}

static void widen(double low[3], double high[3], const double x[3], double reach)
{
    for (int i = 0; i < 3; ++i) {
        if (x[i] - reach < low[i]) low[i] = x[i] - reach;
        if (x[i] + reach > high[i]) high[i] = x[i] + reach;
    }
}

/* The farthest that a shape reaches from the centre of its body. */
static double reach_of(const scree_shape* s)
{
    const double *a = s->half_size, *x = s->position;
    double reach = 0.0;
    switch (s->kind) {
    case SCREE_SHAPE_SPHERE:
        reach = a[0];
        break;
    case SCREE_SHAPE_BOX:
        reach = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
        break;
    case SCREE_SHAPE_CAPSULE:
        reach = a[0] + a[1];
        break;
    case SCREE_SHAPE_CYLINDER:
        reach = sqrt(a[0] * a[0] + a[1] * a[1]);
        break;
    case SCREE_SHAPE_HALF_SPACE:
    case SCREE_SHAPE_COUNT:
        break;
    }
    return reach + sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

static void widen_home(const scree_recording_info* info, const scree_frame* f,
                       scri_page_range* range)
{
    for (int32_t s = 0; s < info->n_shapes && info->shape_body[s] < f->n_bodies; ++s) {
        int32_t b = info->shape_body[s];
        if (info->kind[b] == SCREE_BODY_DYNAMIC) continue;
        widen(range->home_low, range->home_high, f->position + 3 * (size_t)b,
              reach_of(&info->shapes[s]));
    }
    for (; range->n_released < f->n_bodies; ++range->n_released) {
        widen(range->home_low, range->home_high, f->position + 3 * (size_t)range->n_released, 0.0);
    }
}

bool scri_page_range_lost(const scri_page_range* range, const double x[3])
{
    double width2 = 0.0, away2 = 0.0;
    for (int i = 0; i < 3; ++i) {
        if (!isfinite(x[i])) return true;
        double width = range->home_high[i] - range->home_low[i];
        double away = fmax(0.0, fmax(range->home_low[i] - x[i], x[i] - range->home_high[i]));
        width2 += width * width;
        away2 += away * away;
    }
    return !range->endless && !(away2 <= width2);
}

void scri_page_range_add(const scree_recording_info* info, const scree_frame* f,
                         scri_page_range* range)
{
    widen_home(info, f, range);
    for (int32_t b = 0; b < f->n_bodies; ++b) {
        const double* x = f->position + 3 * (size_t)b;
        if (info->kind[b] == SCREE_BODY_STATIC || scri_page_range_lost(range, x)) continue;
        widen(range->low, range->high, x, 0.0);
    }
    for (int32_t c = 0; c < f->n_contacts; ++c) {
        const float* p = f->point + 3 * (size_t)c;
        const double x[3] = {(double)p[0], (double)p[1], (double)p[2]};
        if (!scri_page_range_lost(range, x)) widen(range->low, range->high, x, 0.0);
    }
}
