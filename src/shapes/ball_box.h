/* What a ball and a box have in common. */
#ifndef SCRI_BALL_BOX_H
#define SCRI_BALL_BOX_H

/* Volume that the ball of `radius` about `centre` and the box from `low` to `high` have in common;
 * 0 where one of them has none, NaN where the ball's place or size is. */
double scri_ball_box_volume(const double centre[3], double radius, const double low[3],
                            const double high[3]);

#endif
