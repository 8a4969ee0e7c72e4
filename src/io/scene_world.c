/* The world of a scene, when it stops and what it records. */
#include "base/compiler.h"
#include "io/scene_reader.h"

#include <math.h>

#define USUAL_REST_TIME 0.5

void scri_read_world(scri_reader* r, const scri_yaml* root)
{
    static const char* const keys[] = {"gravity", "step",    "theta",      "scheme", "law",
                                       "tol",     "overlap", "max_sweeps", "margin", NULL};
    static const char* const schemes[] = {"impulse", "gap", NULL}; /* as in scree_scheme */
#define NAME(LAW, entry) #entry,
    static const char* const laws[] = {SCREE_WORLD_LAWS(NAME) NULL};
#undef NAME
    scree_world_def* world = &r->scene->world;
    const scri_yaml* map = scri_get_map(r, root, "world", "the world", keys);
    if (map) {
        int scheme = (int)world->scheme, law = (int)world->law;
        scri_read_vector(r, map, "gravity", world->gravity);
        scri_read_number(r, map, "step", SCRI_POSITIVE, &world->step);
        scri_read_number(r, map, "theta", SCRI_UPPER_HALF, &world->theta);
        scri_read_choice(r, map, "scheme", schemes, &scheme);
        scri_read_choice(r, map, "law", laws, &law);
        scri_read_number(r, map, "tol", SCRI_POSITIVE, &world->solver.tol);
        scri_read_integer(r, map, "max_sweeps", 1, 1000000000, &world->solver.max_iter);
        scri_read_number(r, map, "margin", SCRI_NOT_NEGATIVE, &world->margin);
        scri_read_number(r, map, "overlap", SCRI_NOT_NEGATIVE, &world->overlap);
        world->scheme = (scree_scheme)scheme;
        world->law = (scree_law)law;
    }
}

static void read_rest(scri_reader* r, const scri_yaml* stop)
{
    static const char* const keys[] = {"speed", "for", NULL};
    const scri_yaml* rest = scri_get_map(r, stop, "rest", "rest", keys);
    if (!rest) return;
    r->scene->rest_time = USUAL_REST_TIME;
    scri_read_number(r, rest, "speed", SCRI_NOT_NEGATIVE, &r->scene->rest_speed);
    scri_read_number(r, rest, "for", SCRI_POSITIVE, &r->scene->rest_time);
}

void scri_read_stop(scri_reader* r, const scri_yaml* root)
{
    static const char* const stop_keys[] = {"time", "rest", NULL};
    static const char* const output_keys[] = {"interval", NULL};
    scree_scene* scene = r->scene;
    double usual = scene->duration;
    scene->duration = SCREE_INFINITY;
    const scri_yaml* stop = scri_get_map(r, root, "stop", "stop", stop_keys);
    if (stop) {
        read_rest(r, stop);
        scri_read_number(r, stop, "time", SCRI_PERHAPS_NEVER, &scene->duration);
    }
    bool is_endless = isinf(scene->duration) && isinf(scene->rest_time);
    if (is_endless && !(stop && scri_get(stop, "time"))) {
        scene->duration = usual;
    } else if (is_endless) {
        scri_reader_fail(r, scri_get(stop, "time")->place,
                         "the scene never stops; give a finite time, or 'rest'");
    }
    const scri_yaml* output = scri_get_map(r, root, "output", "output", output_keys);
    if (output) scri_read_number(r, output, "interval", SCRI_POSITIVE, &scene->interval);
}
