/* MJCF: the whole file, its options and keyframes. */
#include "io/mjcf.h"

#include <stdio.h>
#include <string.h>

static void read_options(scri_mjcf* c)
{
    scri_model* m = c->m;
    const double usual[3] = {0.0, 0.0, -9.81};
    memcpy(m->gravity, usual, sizeof usual);
    m->has_gravity = true;
    m->step = 0.002;
    scri_xml* e = scri_xml_child(m->root, "option");
    for (; e && !m->status; e = scri_xml_sibling(e, "option")) {
        scri_mjcf_numbers(c, NULL, e, "gravity", 3, 3, m->gravity);
        scri_mjcf_numbers(c, NULL, e, "timestep", 1, 1, &m->step);
        if (!m->status && !(m->step > 0.0)) {
            scri_model_fail(m, e->place, "timestep = %g must be positive", m->step);
        }
    }
}

/* The keyframe that was asked for, by its name or its number from 0, or the first one. */
static void find_key(scri_mjcf* c)
{
    scri_model* m = c->m;
    scri_xml* section = scri_xml_child(m->root, "keyframe");
    int k = 0;
    char number[16];
    for (; section; section = scri_xml_sibling(section, "keyframe")) {
        scri_xml* key = scri_xml_child(section, "key");
        for (; key; key = scri_xml_sibling(key, "key"), ++k) {
            const char* name = scri_xml_get(key, "name");
            snprintf(number, sizeof number, "%d", k);
            const char* called = name ? name : scri_model_name(m, number, "key", k);
            bool fits = m->keyframe ? strcmp(m->keyframe, called) == 0 : !c->key;
            if (!fits) {
                scri_xml_forgive(key);
                continue;
            }
            c->key = key;
            m->has_keyframe = true;
        }
    }
}

static void read_key(scri_mjcf* c)
{
    if (!c->key || c->m->status) return;
    c->n_position =
        scri_mjcf_numbers(c, NULL, c->key, "qpos", 0, SCRI_MJCF_COORDINATES, c->position);
    c->n_velocity =
        scri_mjcf_numbers(c, NULL, c->key, "qvel", 0, SCRI_MJCF_COORDINATES, c->velocity);
}

static void check_key(const scri_mjcf* c)
{
    bool good = c->n_position == 0 || c->n_position == c->at_position;
    good = good && (c->n_velocity == 0 || c->n_velocity == c->at_velocity);
    if (!c->key || good) return;
    scri_model_fail(c->m, c->key->place,
                    "the model has %d positions and %d velocities; qpos has %d, qvel %d",
                    c->at_position, c->at_velocity, c->n_position, c->n_velocity);
}

void scri_mjcf_read(scri_model* m)
{
    scri_mjcf* c = scri_model_take(m, 1, sizeof *c);
    if (!c) return;
    c->m = m;
    scri_xml* include = scri_xml_child(m->root, "include");
    if (include) {
        scri_model_fail(m, include->place,
                        "<include> is not understood: put what the file holds "
                        "in its place");
        return;
    }
    scri_mjcf_read_compiler(c);
    read_options(c);
    scri_mjcf_read_defaults(c);
    find_key(c);
    read_key(c);
    if (!m->status) scri_mjcf_read_bodies(c);
    if (!m->status) check_key(c);
    if (!m->status) scri_mjcf_read_actuators(c);
    if (!m->status) scri_mjcf_read_equalities(c);
    scri_mjcf_forgive_defaults(c);
}
