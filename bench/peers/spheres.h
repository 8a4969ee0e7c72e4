/* What the peers written in C and C++ share: the list of spheres to release and the file of places
 * that bench/peers.py reads. Valid C and C++. */
#ifndef SPHERES_H
#define SPHERES_H

#include <stdio.h>
#include <stdlib.h>

static const double RADIUS = 0.0225, DENSITY = 2028.0, SLIDING = 0.6, ROLLING = 0.01;

/* One line of the list: when the sphere appears, at rest, and where. */
typedef struct {
    double time, place[3];
} sphere_release;

typedef struct {
    sphere_release* list;
    int count;
    double duration, step, interval;
    int iterations;
    FILE* places;
} sphere_job;

/* Arguments: list, places, duration, step, interval between records, iterations. Times in s. */
static sphere_job read_job(int n_arguments, char** arguments)
{
    sphere_job job = {NULL, 0, 0.0, 0.0, 0.0, 0, NULL};
    FILE* list = n_arguments == 7 ? fopen(arguments[1], "r") : NULL;
    job.places = n_arguments == 7 ? fopen(arguments[2], "wb") : NULL;
    if (!list || !job.places) {
        fprintf(stderr, "usage: %s LIST PLACES DURATION STEP INTERVAL ITERATIONS\n", arguments[0]);
        exit(2);
    }
    job.duration = atof(arguments[3]);
    job.step = atof(arguments[4]);
    job.interval = atof(arguments[5]);
    job.iterations = atoi(arguments[6]);
    sphere_release r;
    while (fscanf(list, "%lf %lf %lf %lf", &r.time, &r.place[0], &r.place[1], &r.place[2]) == 4) {
        if (job.count % 1024 == 0) {
            size_t bytes = ((size_t)job.count + 1024) * sizeof r;
            job.list = (sphere_release*)realloc(job.list, bytes);
            if (!job.list) abort();
        }
        job.list[job.count++] = r;
    }
    fclose(list);
    return job;
}

/* Whether the next sphere, after `count` others, appears before this step. */
static int is_due(const sphere_job* job, int count, long step)
{
    return count < job->count && job->list[count].time <= (double)step * job->step + 1e-9;
}

/* A frame is the number of spheres, then x, y, z of each, all as doubles. */
static void begin_frame(const sphere_job* job, int count)
{
    double n = count;
    fwrite(&n, sizeof n, 1, job->places);
}

static void write_place(const sphere_job* job, double x, double y, double z)
{
    double place[3] = {x, y, z};
    fwrite(place, sizeof place, 1, job->places);
}

#endif
