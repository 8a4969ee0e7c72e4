/* One time step, stage by stage. */
#ifndef SCRI_STEP_H
#define SCRI_STEP_H

#include "base/compiler.h"
#include "math/vec.h"
#include "world/world.h"

/* Calls work(world, i) for every i from 0 to n - 1, by the team of the world; `grain` as in
 * scri_team_for(). Whatever one call writes, no other may read or write. */
void scri_step_each(scree_world* world, int32_t n, int32_t grain,
                    void (*work)(scree_world* world, int32_t i));

/* Moves all bodies as if nothing acted on them but joints: drift.c. Those that meet another on
 * their way go bodies.stop of it, unless they have joints. `shifted`: see
 * scri_overlap_shift_body().
 */
void scri_step_drift(scree_world* world, double time, int shifted);

/* One body for a time. */
void scri_step_drift_body(scree_world* world, size_t i, double t);

/* Whether a body moves with others that joints hold. */
static inline int scri_step_is_joined(const scree_world* world, size_t i)
{
    return world->bodies.n_joints[i] > 0 && world->bodies.inv_mass[i] > 0.0;
}

/* Position, rotation, angular velocity and velocity [13] of a body. */
void scri_step_save_body(const scri_bodies_table* b, size_t i, double* out);
void scri_step_restore_body(scri_bodies_table* b, size_t i, const double* from);

/* The rotation by the vector `turn`, of any length. */
scri_quat scri_step_rotation(scri_vec turn);

/* Notes the state in bodies.begin and drifts to the middle of the step, (1 - theta) h, where its
 * forces and impulses act; and back, for a step that fails. */
scree_status scri_step_begin(scree_world* world, scree_step_report* report);
void scri_step_undo(scree_world* world);

/* bodies.force and torque, of gravity, of what the host has applied and of the callback. */
void scri_step_forces(scree_world* world);

/* What the host has applied has acted. */
void scri_step_drop_loads(scree_world* world);

/* bodies.free: where forces alone would lead from the middle of the step. */
void scri_step_free_velocity(scree_world* world);

/* Finds what may touch in this step (borrowed until the next call), chooses the contacts among it,
 * writes them as a problem and fills p from the last step. */
scree_status scri_step_find_contacts(scree_world* world, const scri_touch** touches);

/* Ranks bodies, shapes and the contacts of the last step, where they are not or no more as they
 * should be: ranks.c. */
scree_status scri_step_rank(scree_world* world);

/* The first contact of the last list that does not come before the one of these shapes and this
 * feature. */
int32_t scri_step_search(const scree_world* world, const int32_t shape[2], uint32_t feature);

/* The first of the last list that contact c of this one, or one behind it, may have been. */
int32_t scri_step_search_last(const scree_world* world, int32_t c);

/* The contacts written last become those that the next ones take their impulses from. */
void scri_step_swap_contacts(scree_world* world);

/* The view of contacts between bodies with these inverse masses, without sets. */
scree_problem scri_step_problem(const scri_contacts_table* t, int32_t n_bodies,
                                const double* inv_mass, const double* inv_inertia);

/* Adds to a view of the world's contacts, or of a part of them, what joints need. */
void scri_step_add_joints(const scree_world* world, const scri_contacts_table* t,
                          scree_problem* problem);

/* Writes the chosen touches as a problem; `again` in the same step, after a swap. */
scree_status scri_step_write_contacts(scree_world* world, const scri_touch* touches, int again);

/* The search for the share of its rebounds that a part may have: rebound.c. Begins with zeros. */
typedef struct scri_rebound {
    int tries;
    double share;      /* at hand */
    double low, high;  /* shares that lose, and gain, energy */
    double lost, gain; /* by these, J */
    double most_lost;  /* without rebound, J */
} scri_rebound;

/* After a part has been solved: whether it is to be solved again, with other rebounds. */
int scri_rebound_again(scree_world* world, scri_team* team, int32_t part, scri_rebound* search);

/* The lag of contact c, which was contact j of the last step: lag.c. */
void scri_step_lag(const scree_world* world, int32_t j, int32_t c, double lag[6]);

/* That of a contact which is new and whose bodies met in this step. */
void scri_step_met_lag(const scree_world* world, int32_t c, double lag[6]);

/* Room for the sets of n contacts, if any material has sets; 0 when memory is short. */
int scri_axes_reserve(scree_world* world, int32_t n);

/* Frame and sets of contact c: n points from the shape side[1] to side[0], t1 follows the lay of
 * the first if it has one. Where there are sets, contacts must come one after the other. */
void scri_axes_write(scree_world* world, const scri_pair* pair, const int32_t side[2], int32_t c,
                     scri_vec n);

/* Coefficients of contact c by how fast it slips, where its materials say so: slip.c. `again` in
 * the same step: contacts keep what they have. */
void scri_step_slip(scree_world* world, int32_t c, int again);

/* Notes how fast the contacts slip after the step. */
void scri_step_note_slip(scree_world* world);

/* Compliance and lag of contact c of a pair that yields: soft.c. `is_kept`: it has its lag. */
void scri_step_soften(scree_world* world, int32_t c, const scri_pair* pair, int is_kept);

/* Takes from the certificate's energy of sliding what it counts too much in such contacts. */
void scri_step_soft_sliding(const scree_world* world, double* sliding);

/* The coefficient of rolling friction of a touch: rolling.c. */
double scri_step_rolling(const scree_world* world, const scri_pair* pair, const scri_touch* touch);

/* How far apart surfaces may be and still meet in this step: shapes.reach of both, and *margin. */
scree_status scri_select_reach(scree_world* world, double* margin);

/* Chooses the contacts of the step from `free`. */
scree_status scri_select(scree_world* world, const scri_touch* touches, int32_t n);

/* Adds the touches that `next` closes although they were left out, after as many rounds; in the gap
 * scheme the last round takes in whatever is within reach. Returns how many: 0 when none is closed.
 */
scree_status scri_select_missed(scree_world* world, const scri_touch* touches, int round,
                                int32_t* missed);

/* The impulses of the problem at hand, part by part: solve.c. `again` in the same step: parts
 * without new contacts keep what they have. */
scree_status scri_step_solve(scree_world* world, int again, scree_step_report* report);

/* The world's solver with the speed, the memory and the threads of this step, and the time that is
 * left of it. */
scree_solver_def scri_step_solver(const scree_world* world);

/* The problem at hand with what has given way. */
scree_problem scri_step_relaxed(const scree_world* world);

/* What gravity gives in a step, m/s: a unit for velocities that are wrong. */
double scri_step_gravity_speed(const scree_world* world);

/* The same, and not below rounding of how fast joined bodies move: what a contact is judged by. */
double scri_step_least_speed(const scree_world* world);

/* bodies.next from bodies.free and the impulses; what is only rounding becomes zero. */
void scri_step_apply(scree_world* world);

/* bodies.n_contacts of the contacts at hand, and their shares for several workers. */
void scri_step_share_contacts(scree_world* world);

/* Its stages: a body at its free velocity, the impulses of one contact on its bodies, a body
 * without what is only rounding. */
void scri_step_begin_apply(scree_world* world, int32_t body);
void scri_step_apply_contact(scree_world* world, int32_t contact);
void scri_step_end_apply(scree_world* world, int32_t body);

/* What must be added to the displacements of the step so that it leaves no overlap, after
 * scri_step_apply(): overlap.c. Then the gap of any touch at the end of the step; once in a step,
 * the work of that shift, which joins that of the contacts, and how much overlap is left;
 * scri_overlap_undo() adds it to poses that have been moved. */
scree_status scri_overlap_find(scree_world* world, const scri_touch* touches);
double scri_overlap_end_gap(const scree_world* world, const scri_touch* touch);
void scri_overlap_account(scree_world* world, const scri_touch* touches, scree_step_report* report);

/* The worst overlap of all contacts at the end of the step, in the report. */
void scri_overlap_judge(const scree_world* world, const scri_touch* touches,
                        scree_step_report* report);
void scri_overlap_undo(scree_world* world);

/* The same for one body; those with joints are shifted while they drift. */
void scri_overlap_shift_body(scree_world* world, size_t i);

/* Bodies that meet others on their way through a part of the step stop there: sweep.c. Before the
 * drift to its middle, and before that to its end, with the shift of scri_overlap_find(). */
scree_status scri_sweep_first(scree_world* world, scree_step_report* report);
scree_status scri_sweep_second(scree_world* world, const scri_touch* touches,
                               scree_step_report* report);

/* After such a drift: takes what bodies have not fallen from their speed. `ahead`: the time that
 * forces have yet to work with the velocity at hand. */
void scri_sweep_slow(scree_world* world, double ahead, scree_step_report* report);

/* How far a shape reaches from the centre of its body. */
double scri_sweep_radius(const scri_shapes_table* shapes, int32_t i);

/* The longest way of a point of a shape under a motion [6] of its body, linear and angular. */
double scri_sweep_way(const scree_world* world, int32_t shape, const double* motion);

/* What the gap in the law adds to the free normal velocity: g/h, but overlap is driven out no
 * faster than `most` would close it, so that no speed comes from it that was not there: the free
 * velocity where bodies meet, and what forces alone add to it in the step where they have met
 * before. What jaws close on, further than it is wide, would be thrown out of them. */
static inline double scri_overlap_rate(double gap_per_step, double most)
{
    if (gap_per_step >= 0.0) return gap_per_step;
    double least = most < 0.0 ? most : 0.0;
    return gap_per_step > least ? gap_per_step : least;
}

/* Makes `next` the velocity and drifts to the end of the step. */
void scri_step_move(scree_world* world);

/* Work of all contacts on dynamic bodies: p . (y- + y+) / 2, without the share in y of bodies whose
 * motion is given. Leaves y+ in contacts.after. */
double scri_step_contact_work(scree_world* world);

/* Work of the forces besides gravity, h f . (v + v+) / 2; before scri_step_move(). */
double scri_step_force_work(const scree_world* world);

/* Kinetic energy of a body with the velocity and angular velocity [6]. */
double scri_step_kinetic(const scree_world* world, int32_t body, const double* velocity);

/* Kinetic energy, and potential energy in the world's gravity. */
SCRI_SISTERS void scri_step_energy(const scree_world* world, double* kinetic, double* potential);

#endif
