/* The spheres of bench/peers.py in the Open Dynamics Engine: its iterative solver (QuickStep), one
 * contact per pair, friction and rolling friction in proportion to the normal force. */
#include "spheres.h"

#include <math.h>
#include <ode/ode.h>

typedef struct {
    dWorldID world;
    dJointGroupID contacts;
} scene;

static void meet(void* data, dGeomID a, dGeomID b)
{
    scene* s = (scene*)data;
    dBodyID body_a = dGeomGetBody(a), body_b = dGeomGetBody(b);
    if (!body_a && !body_b) return;
    dContact contact = {0};
    if (!dCollide(a, b, 1, &contact.geom, sizeof contact)) return;
    contact.surface.mode = dContactApprox1 | dContactRolling;
    contact.surface.mu = SLIDING;
    contact.surface.rho = contact.surface.rho2 = contact.surface.rhoN = ROLLING;
    dJointAttach(dJointCreateContact(s->world, s->contacts, &contact), body_a, body_b);
}

static dBodyID release(dWorldID world, dSpaceID space, const double place[3])
{
    dMass mass;
    dMassSetSphere(&mass, DENSITY, RADIUS);
    dBodyID body = dBodyCreate(world);
    dBodySetMass(body, &mass);
    dBodySetPosition(body, place[0], place[1], place[2]);
    dGeomSetBody(dCreateSphere(space, RADIUS), body);
    return body;
}

static void record(const sphere_job* job, const dBodyID* bodies, int count)
{
    begin_frame(job, count);
    for (int i = 0; i < count; ++i) {
        const dReal* x = dBodyGetPosition(bodies[i]);
        write_place(job, x[0], x[1], x[2]);
    }
}

int main(int n_arguments, char** arguments)
{
    sphere_job job = read_job(n_arguments, arguments);
    dInitODE2(0);
    scene s = {dWorldCreate(), dJointGroupCreate(0)};
    dSpaceID space = dHashSpaceCreate(NULL);
    dHashSpaceSetLevels(space, -5, -4); /* cells of 31 and 63 mm */
    dWorldSetGravity(s.world, 0.0, 0.0, -9.81);
    dWorldSetQuickStepNumIterations(s.world, job.iterations);
    dCreatePlane(space, 0.0, 0.0, 1.0, 0.0);
    dCreatePlane(space, 1.0, 0.0, 0.0, -1.0);
    dCreatePlane(space, -1.0, 0.0, 0.0, -1.0);
    dCreatePlane(space, 0.0, 1.0, 0.0, -1.0);
    dCreatePlane(space, 0.0, -1.0, 0.0, -1.0);

    dBodyID* bodies = (dBodyID*)calloc((size_t)job.count + 1, sizeof *bodies);
    if (!bodies) abort();
    int count = 0;
    long n_steps = lround(job.duration / job.step), every = lround(job.interval / job.step);
    for (long k = 0; k < n_steps; ++k) {
        for (; is_due(&job, count, k); ++count) {
            bodies[count] = release(s.world, space, job.list[count].place);
        }
        dSpaceCollide(space, &s, meet);
        dWorldQuickStep(s.world, job.step);
        dJointGroupEmpty(s.contacts);
        if ((k + 1) % every == 0) record(&job, bodies, count);
    }
    free(bodies);
    free(job.list);
    return fclose(job.places) ? 1 : 0;
}
