/* The spheres of bench/peers.py in Bullet: its sequential impulse solver with default settings but
 * for the number of iterations, and nothing may fall asleep. */
#include "spheres.h"

#include <btBulletDynamicsCommon.h>
#include <cmath>
#include <vector>

/* Bullet multiplies the coefficients of two bodies; here each pair has the scene's own. */
static btScalar sliding(const btCollisionObject*, const btCollisionObject*)
{
    return btScalar(SLIDING);
}

static btScalar rolling(const btCollisionObject*, const btCollisionObject*)
{
    return btScalar(ROLLING);
}

static btRigidBody* add_body(btDynamicsWorld& world, btCollisionShape* shape, double mass,
                             const btVector3& place)
{
    btVector3 inertia(0, 0, 0);
    if (mass > 0.0) shape->calculateLocalInertia(btScalar(mass), inertia);
    btRigidBody::btRigidBodyConstructionInfo info(btScalar(mass), nullptr, shape, inertia);
    info.m_startWorldTransform.setIdentity();
    info.m_startWorldTransform.setOrigin(place);
    btRigidBody* body = new btRigidBody(info);
    body->setActivationState(DISABLE_DEACTIVATION);
    world.addRigidBody(body);
    return body;
}

static void record(const sphere_job& job, const std::vector<btRigidBody*>& bodies)
{
    begin_frame(&job, int(bodies.size()));
    for (const btRigidBody* body : bodies) {
        const btVector3& x = body->getWorldTransform().getOrigin();
        write_place(&job, x.x(), x.y(), x.z());
    }
}

int main(int n_arguments, char** arguments)
{
    sphere_job job = read_job(n_arguments, arguments);
    gCalculateCombinedFrictionCallback = sliding;
    gCalculateCombinedRollingFrictionCallback = rolling;
    gCalculateCombinedSpinningFrictionCallback = rolling;
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btDbvtBroadphase broad_phase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world(&dispatcher, &broad_phase, &solver, &configuration);
    world.setGravity(btVector3(0, 0, btScalar(-9.81)));
    world.getSolverInfo().m_numIterations = job.iterations;

    btStaticPlaneShape planes[5] = {{btVector3(0, 0, 1), 0},
                                    {btVector3(1, 0, 0), -1},
                                    {btVector3(-1, 0, 0), -1},
                                    {btVector3(0, 1, 0), -1},
                                    {btVector3(0, -1, 0), -1}};
    for (btStaticPlaneShape& plane : planes) add_body(world, &plane, 0.0, btVector3(0, 0, 0));
    const double pi = 3.14159265358979323846;
    const double mass = DENSITY * 4.0 / 3.0 * pi * RADIUS * RADIUS * RADIUS;
    btSphereShape sphere{btScalar(RADIUS)};
    std::vector<btRigidBody*> bodies;
    long n_steps = std::lround(job.duration / job.step);
    long every = std::lround(job.interval / job.step);
    for (long k = 0; k < n_steps; ++k) {
        for (int i = int(bodies.size()); is_due(&job, i, k); ++i) {
            const double* x = job.list[i].place;
            btVector3 place{btScalar(x[0]), btScalar(x[1]), btScalar(x[2])};
            bodies.push_back(add_body(world, &sphere, mass, place));
        }
        world.stepSimulation(btScalar(job.step), 0);
        if ((k + 1) % every == 0) record(job, bodies);
    }
    free(job.list);
    /* The world outlives nothing: the process ends here, so its bodies are not taken apart. */
    return std::fclose(job.places) ? 1 : 0;
}
