/* Two faces that look at each other: the part of one that lies above the other. Every corner of it
 * becomes a point, however near to the next: a corner left out moves the patch, and with it what
 * the contact can carry, by more than the motion that made it. */
#include "collide/box.h"

/* Relative to the largest half length: what rounding does to a coordinate. */
#define ROUNDING 1e-12

/* Corners in the frame of the clipping face: two coordinates in it, one above it. */
typedef struct polygon {
    double x[SCRI_PATCH_POINTS][3];
    int n;
} polygon;

/* A face as the one that clips: its box, the other one, and the direction out of it. */
typedef struct clipper {
    const scri_box *box, *other;
    int from_a, i;
    scri_vec out;
} clipper;

static clipper clipper_of(const scri_box* a, const scri_box* b, const scri_axis* face)
{
    int from_a = face->kind == SCRI_FACE_OF_A;
    return (clipper){from_a ? a : b, from_a ? b : a, from_a, from_a ? face->i : face->j,
                     from_a ? scri_vec_scale(-1.0, face->normal) : face->normal};
}

/* Cuts off what has side * x[k] > limit. */
static void clip(polygon* poly, int k, double side, double limit, double tolerance)
{
    polygon kept = {.n = 0};
    int over = 0;
    for (int i = 0; i < poly->n; ++i) over |= !(side * poly->x[i][k] - limit <= tolerance);
    if (!over) return;
    for (int i = 0; i < poly->n; ++i) {
        const double *p = poly->x[i], *q = poly->x[(i + 1) % poly->n];
        double over_p = side * p[k] - limit, over_q = side * q[k] - limit;
        if (over_p <= tolerance && kept.n < SCRI_PATCH_POINTS) {
            for (int e = 0; e < 3; ++e) kept.x[kept.n][e] = p[e];
            ++kept.n;
        }
        if ((over_p <= tolerance) == (over_q <= tolerance)) continue;
        if (kept.n == SCRI_PATCH_POINTS) continue;
        double t = over_p / (over_p - over_q);
        t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
        for (int e = 0; e < 3; ++e) kept.x[kept.n][e] = p[e] + t * (q[e] - p[e]);
        ++kept.n;
    }
    *poly = kept;
}

/* The axis of the face of the other box that looks most at the clipping one. */
static int facing_axis(const clipper* c)
{
    double most = -1.0;
    int k = 0;
    for (int e = 0; e < 3; ++e) {
        double along = fabs(scri_vec_dot(c->other->axis[e], c->out));
        if (!(along > most)) continue;
        most = along;
        k = e;
    }
    return k;
}

static polygon facing_face(const clipper* c)
{
    static const double sign_u[] = {1.0, -1.0, -1.0, 1.0}, sign_v[] = {1.0, 1.0, -1.0, -1.0};
    const scri_box *box = c->box, *other = c->other;
    int k = facing_axis(c), u = (k + 1) % 3, v = (k + 2) % 3;
    double side = scri_vec_dot(other->axis[k], c->out) > 0.0 ? -other->half[k] : other->half[k];
    scri_vec middle = scri_vec_add_scaled(other->centre, side, other->axis[k]);
    polygon face = {.n = 4};
    for (int e = 0; e < 4; ++e) {
        scri_vec x = scri_vec_add_scaled(middle, sign_u[e] * other->half[u], other->axis[u]);
        x = scri_vec_add_scaled(x, sign_v[e] * other->half[v], other->axis[v]);
        x = scri_vec_sub(x, box->centre);
        face.x[e][0] = scri_vec_dot(x, box->axis[(c->i + 1) % 3]);
        face.x[e][1] = scri_vec_dot(x, box->axis[(c->i + 2) % 3]);
        face.x[e][2] = scri_vec_dot(x, c->out) - box->half[c->i];
    }
    return face;
}

static void clip_to_face(const clipper* c, polygon* face, double tolerance)
{
    for (int k = 0; k < 4; ++k) {
        double limit = c->box->half[(c->i + 1 + (k >> 1)) % 3];
        clip(face, k >> 1, k & 1 ? -1.0 : 1.0, limit, tolerance);
    }
}

double scri_box_tilt(const scri_box_pair* p, const scri_axis* face)
{
    clipper c = clipper_of(&p->a, &p->b, face);
    return scri_vec_length(scri_vec_cross(c.out, c.other->axis[facing_axis(&c)]));
}

int scri_box_faces_overlap(const scri_box_pair* p, const scri_axis* face)
{
    scri_box a = scri_box_shrunk(p->a, p->radius), b = scri_box_shrunk(p->b, p->radius);
    clipper c = clipper_of(&a, &b, face);
    double tolerance = ROUNDING * p->scale;
    double limit[2] = {c.box->half[(c.i + 1) % 3], c.box->half[(c.i + 2) % 3]};
    polygon other = facing_face(&c);
    for (int k = 0; k < other.n; ++k) { /* most often a corner decides */
        const double* x = other.x[k];
        if (fabs(x[0]) - limit[0] <= tolerance && fabs(x[1]) - limit[1] <= tolerance) return 1;
    }
    clip_to_face(&c, &other, tolerance);
    return other.n > 0;
}

double scri_box_add_patch(scri_box_pair* p, const scri_axis* face, scri_vec normal)
{
    clipper c = clipper_of(&p->a, &p->b, face);
    polygon part = facing_face(&c);
    clip_to_face(&c, &part, ROUNDING * p->scale);
    double least = SCREE_INFINITY, cosine = scri_vec_dot(face->normal, normal);
    scri_vec middle = scri_vec_add_scaled(c.box->centre, c.box->half[c.i], c.out);
    for (int k = 0; k < part.n; ++k) {
        const double* x = part.x[k];
        scri_vec foot = scri_vec_add_scaled(middle, x[0], c.box->axis[(c.i + 1) % 3]);
        foot = scri_vec_add_scaled(foot, x[1], c.box->axis[(c.i + 2) % 3]);
        scri_vec head = scri_vec_add_scaled(foot, x[2], c.out);
        double gap = cosine * x[2];
        if (gap < least) least = gap;
        scri_box_add(p, c.from_a ? foot : head, c.from_a ? head : foot, normal, gap);
    }
    return least;
}
