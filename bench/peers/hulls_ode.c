/* The pile of bench/hulls.py in the Open Dynamics Engine: its iterative solver (QuickStep), its
 * convex shapes, up to eight contacts per pair, friction in proportion to the normal force. */
#include "hulls.h"

#include <ode/ode.h>

enum { MOST_FACES = 2 * POINTS, CONTACTS = 8 };

/* Planes, points and triangles of a form, as ODE wants them. */
typedef struct {
    dReal plane[4 * MOST_FACES], point[3 * POINTS];
    unsigned face[4 * MOST_FACES];
    unsigned n_faces;
} form;

typedef struct {
    dWorldID world;
    dJointGroupID contacts;
} scene;

/* Every three points that have all others behind them are a face. */
static void make_form(int number, form* out)
{
    double x[3 * POINTS];
    form_points(number, x);
    out->n_faces = 0;
    for (int i = 0; i < 3 * POINTS; ++i) out->point[i] = x[i];
    for (int a = 0; a < POINTS; ++a) {
        for (int b = 0; b < POINTS; ++b) {
            for (int c = 0; c < POINTS; ++c) {
                if (!(a < b && a < c && b != c)) continue;
                double u[3], v[3], n[3], most = -1.0;
                for (int k = 0; k < 3; ++k) {
                    u[k] = x[3 * b + k] - x[3 * a + k];
                    v[k] = x[3 * c + k] - x[3 * a + k];
                }
                for (int k = 0; k < 3; ++k) {
                    n[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
                }
                double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]), at = 0.0;
                for (int k = 0; k < 3; ++k) at += n[k] / length * x[3 * a + k];
                for (int i = 0; i < POINTS; ++i) {
                    double above = -at;
                    for (int k = 0; k < 3; ++k) above += n[k] / length * x[3 * i + k];
                    if (i != a && i != b && i != c && above > most) most = above;
                }
                if (!(most < 0.0) || out->n_faces == MOST_FACES) continue;
                unsigned f = out->n_faces++;
                for (int k = 0; k < 3; ++k) out->plane[4 * f + (unsigned)k] = n[k] / length;
                out->plane[4 * f + 3] = at;
                const unsigned face[4] = {3, (unsigned)a, (unsigned)b, (unsigned)c};
                for (int k = 0; k < 4; ++k) out->face[4 * f + (unsigned)k] = face[k];
            }
        }
    }
}

static void meet(void* data, dGeomID a, dGeomID b)
{
    scene* s = (scene*)data;
    dBodyID body_a = dGeomGetBody(a), body_b = dGeomGetBody(b);
    if (!body_a && !body_b) return;
    dContact contact[CONTACTS] = {{{0}}};
    int n = dCollide(a, b, CONTACTS, &contact[0].geom, sizeof contact[0]);
    for (int i = 0; i < n; ++i) {
        contact[i].surface.mode = dContactApprox1;
        contact[i].surface.mu = FRICTION;
        dJointAttach(dJointCreateContact(s->world, s->contacts, &contact[i]), body_a, body_b);
    }
}

int main(int n_arguments, char** arguments)
{
    hull_job job = read_job(n_arguments, arguments);
    dInitODE2(0);
    scene s = {dWorldCreate(), dJointGroupCreate(0)};
    dSpaceID space = dHashSpaceCreate(NULL);
    dHashSpaceSetLevels(space, -4, -3); /* cells of 63 and 125 mm */
    dWorldSetGravity(s.world, 0.0, 0.0, -9.81);
    dWorldSetQuickStepNumIterations(s.world, job.iterations);
    dCreatePlane(space, 0.0, 0.0, 1.0, 0.0);
    dCreatePlane(space, 1.0, 0.0, 0.0, -room());
    dCreatePlane(space, -1.0, 0.0, 0.0, -room());
    dCreatePlane(space, 0.0, 1.0, 0.0, -room());
    dCreatePlane(space, 0.0, -1.0, 0.0, -room());
    form* forms = (form*)calloc(FORMS, sizeof *forms);
    dBodyID* bodies = (dBodyID*)calloc((size_t)job.count, sizeof *bodies);
    if (!forms || !bodies) abort();
    for (int f = 0; f < FORMS; ++f) make_form(f, &forms[f]);
    for (int i = 0; i < job.count; ++i) {
        double x[3];
        dMass mass;
        form* f = &forms[i % FORMS];
        start_place(i, x);
        dMassSetSphere(&mass, DENSITY, RADIUS);
        bodies[i] = dBodyCreate(s.world);
        dBodySetMass(bodies[i], &mass);
        dBodySetPosition(bodies[i], x[0], x[1], x[2]);
        dGeomSetBody(dCreateConvex(space, f->plane, f->n_faces, f->point, POINTS, f->face),
                     bodies[i]);
    }
    long n = lround(job.duration / job.step);
    double begin = processor_seconds();
    for (long k = 0; k < n; ++k) {
        dSpaceCollide(space, &s, meet);
        dWorldQuickStep(s.world, job.step);
        dJointGroupEmpty(s.contacts);
    }
    double seconds = processor_seconds() - begin, height = 0.0;
    int lost = 0;
    for (int i = 0; i < job.count; ++i) {
        const dReal* x = dBodyGetPosition(bodies[i]);
        height += x[2] / job.count;
        lost += !(x[2] > 0.0 && fabs(x[0]) < room() && fabs(x[1]) < room());
    }
    print_result(seconds, n, height, lost);
    return 0;
}
