/* The spheres of bench/peers.py in Box3D: ITERATIONS are its substeps. Nothing sleeps, for a step
 * of what moves is compared; its speed limit and everything else are as its defaults say. Its
 * rolling resistance is a share of the larger radius. */
#include "spheres.h"

#include <box3d/box3d.h>
#include <math.h>

static void add_wall(b3WorldId world, b3Vec3 center, b3Vec3 half)
{
    b3BodyDef body = b3DefaultBodyDef();
    body.position = (b3Pos){center.x, center.y, center.z};
    b3ShapeDef shape = b3DefaultShapeDef();
    shape.baseMaterial.friction = (float)SLIDING;
    shape.baseMaterial.rollingResistance = (float)(ROLLING / RADIUS);
    b3BoxHull box = b3MakeBoxHull(half.x, half.y, half.z);
    b3CreateHullShape(b3CreateBody(world, &body), &shape, &box.base);
}

static b3WorldId make_world(void)
{
    b3WorldDef def = b3DefaultWorldDef();
    def.gravity = (b3Vec3){0.0f, 0.0f, -9.81f};
    def.enableSleep = false;
    b3WorldId world = b3CreateWorld(&def);
    add_wall(world, (b3Vec3){0.0f, 0.0f, -0.5f}, (b3Vec3){2.0f, 2.0f, 0.5f});
    for (int side = -1; side <= 1; side += 2) {
        add_wall(world, (b3Vec3){(float)side * 1.5f, 0.0f, 2.0f}, (b3Vec3){0.5f, 2.0f, 4.0f});
        add_wall(world, (b3Vec3){0.0f, (float)side * 1.5f, 2.0f}, (b3Vec3){2.0f, 0.5f, 4.0f});
    }
    return world;
}

static b3BodyId release(b3WorldId world, const double place[3])
{
    b3BodyDef def = b3DefaultBodyDef();
    def.type = b3_dynamicBody;
    def.position = (b3Pos){(float)place[0], (float)place[1], (float)place[2]};
    b3BodyId body = b3CreateBody(world, &def);
    b3ShapeDef shape = b3DefaultShapeDef();
    shape.density = (float)DENSITY;
    shape.baseMaterial.friction = (float)SLIDING;
    shape.baseMaterial.rollingResistance = (float)(ROLLING / RADIUS);
    b3Sphere sphere = {{0.0f, 0.0f, 0.0f}, (float)RADIUS};
    b3CreateSphereShape(body, &shape, &sphere);
    return body;
}

static void record(const sphere_job* job, const b3BodyId* bodies, int count)
{
    begin_frame(job, count);
    for (int i = 0; i < count; ++i) {
        b3Pos x = b3Body_GetPosition(bodies[i]);
        write_place(job, x.x, x.y, x.z);
    }
}

int main(int n_arguments, char** arguments)
{
    sphere_job job = read_job(n_arguments, arguments);
    b3WorldId world = make_world();
    b3BodyId* bodies = (b3BodyId*)calloc((size_t)job.count + 1, sizeof *bodies);
    if (!bodies) abort();
    int count = 0;
    long n_steps = lround(job.duration / job.step), every = lround(job.interval / job.step);
    for (long k = 0; k < n_steps; ++k) {
        for (; is_due(&job, count, k); ++count) {
            bodies[count] = release(world, job.list[count].place);
        }
        b3World_Step(world, (float)job.step, job.iterations);
        if ((k + 1) % every == 0) record(&job, bodies, count);
    }
    b3DestroyWorld(world);
    free(bodies);
    free(job.list);
    return fclose(job.places) ? 1 : 0;
}
