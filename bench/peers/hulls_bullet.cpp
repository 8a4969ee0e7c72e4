/* The pile of bench/hulls.py in Bullet: its sequential impulse solver, its hulls with a margin of 1
 * mm, nothing may fall asleep. */
#include "hulls.h"

#include <btBulletDynamicsCommon.h>
#include <vector>

int main(int n_arguments, char** arguments)
{
    hull_job job = read_job(n_arguments, arguments);
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btDbvtBroadphase broad_phase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world(&dispatcher, &broad_phase, &solver, &configuration);
    world.setGravity(btVector3(0, 0, btScalar(-9.81)));
    world.getSolverInfo().m_numIterations = job.iterations;
    btScalar wall = btScalar(-room());
    btStaticPlaneShape planes[5] = {{btVector3(0, 0, 1), 0},
                                    {btVector3(1, 0, 0), wall},
                                    {btVector3(-1, 0, 0), wall},
                                    {btVector3(0, 1, 0), wall},
                                    {btVector3(0, -1, 0), wall}};
    const btScalar friction = btScalar(std::sqrt(FRICTION)); /* Bullet multiplies two of them */
    for (btStaticPlaneShape& plane : planes) {
        btRigidBody::btRigidBodyConstructionInfo info(0, nullptr, &plane);
        info.m_friction = friction;
        world.addRigidBody(new btRigidBody(info));
    }
    std::vector<btConvexHullShape*> forms;
    for (int f = 0; f < FORMS; ++f) {
        double x[3 * POINTS];
        form_points(f, x);
        btConvexHullShape* shape = new btConvexHullShape;
        for (int i = 0; i < POINTS; ++i) {
            shape->addPoint(
                btVector3(btScalar(x[3 * i]), btScalar(x[3 * i + 1]), btScalar(x[3 * i + 2])),
                false);
        }
        shape->setMargin(btScalar(0.001));
        shape->recalcLocalAabb();
        forms.push_back(shape);
    }
    std::vector<btRigidBody*> bodies;
    const double mass = DENSITY * 4.0 / 3.0 * 3.14159 * RADIUS * RADIUS * RADIUS;
    for (int i = 0; i < job.count; ++i) {
        double x[3];
        start_place(i, x);
        btVector3 inertia(0, 0, 0);
        forms[i % FORMS]->calculateLocalInertia(btScalar(mass), inertia);
        btRigidBody::btRigidBodyConstructionInfo info(btScalar(mass), nullptr, forms[i % FORMS],
                                                      inertia);
        info.m_friction = friction;
        info.m_startWorldTransform.setIdentity();
        info.m_startWorldTransform.setOrigin(
            btVector3(btScalar(x[0]), btScalar(x[1]), btScalar(x[2])));
        bodies.push_back(new btRigidBody(info));
        bodies.back()->setActivationState(DISABLE_DEACTIVATION);
        world.addRigidBody(bodies.back());
    }
    long n = std::lround(job.duration / job.step);
    double begin = processor_seconds();
    for (long k = 0; k < n; ++k) world.stepSimulation(btScalar(job.step), 0);
    double seconds = processor_seconds() - begin, height = 0.0;
    int lost = 0;
    for (const btRigidBody* body : bodies) {
        const btVector3& x = body->getWorldTransform().getOrigin();
        height += x.z() / job.count;
        lost += !(x.z() > 0 && std::fabs(x.x()) < room() && std::fabs(x.y()) < room());
    }
    print_result(seconds, n, height, lost);
    return 0;
}
