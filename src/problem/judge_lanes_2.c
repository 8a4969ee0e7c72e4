/* Two lanes: every processor has them. */
#include "problem/judge_over_doubles.h"

int32_t scri_judge_lanes_2(const scri_judge_list* list, int32_t c, int32_t n,
                           scri_judged_lanes* out)
{
    return scri_lanes_judge(list, c, n, out);
}
