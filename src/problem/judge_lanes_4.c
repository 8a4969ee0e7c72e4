/* Four lanes: AVX2 on x86-64. */
#define SCRI_VECTOR_BITS 256
#include "base/wider_begin.h"

#define SCRI_DOUBLES 4
#include "problem/judge_over_doubles.h"

int32_t scri_judge_lanes_4(const scri_judge_list* list, int32_t c, int32_t n,
                           scri_judged_lanes* out)
{
    return scri_lanes_judge(list, c, n, out);
}

#include "base/wider_end.h"
