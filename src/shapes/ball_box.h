/* What a ball and a box have in common. */
#ifndef SCRI_BALL_BOX_H
#define SCRI_BALL_BOX_H

/* Volume that the ball of this radius and the box from `low` to `high`, both about `centre` or
 * anywhere else, have in common; 0 where a radius or a box has none. */
double scri_ball_box_volume(const double centre[3], double radius, const double low[3],
                            const double high[3]);

#endif
