/* Solids against half-spaces: every point here is a point of the solid's surface that lies at most
 * the margin above the plane. */
#include "collide/pair.h"
#include "shapes/hull.h"

/* A cylinder stands flat when the sine of its tilt is at most this; fixed points of the rim then
 * stand for the lowest one, which they miss by less than 0.3 radius times this. */
#define FLAT_SINE 1e-3

/* Points of a rim closer in angle to the lowest one (cosine) give way to it. */
#define SAME_COSINE 0.93

/* Names of the points of a rim: those fixed on it, its lowest, the one that the load asks for. */
enum { LOWEST = SCRI_RIM, LOADED, RIM_NAMES };

/* `x` in the frame of a. */
static int write_point(const scri_solid* a, const scri_solid* b, scri_vec x, uint32_t feature,
                       double margin, scri_touch* out)
{
    scri_vec normal = scri_mat_column(b->axes, 2);
    scri_vec point = scri_vec_add(a->centre, scri_mat_multiply(a->axes, x));
    int n = scri_touch_sphere_plane(point, 0.0, b->centre, normal, margin, out);
    if (n) out->feature = feature;
    return n;
}

/* Feature: number of the corner, bit k set where coordinate k is positive. */
int scri_box_plane(const scri_solid* a, const scri_solid* b, double margin, scri_touch* out)
{
    const double* h = a->size;
    int n = 0;
    for (uint32_t k = 0; k < 8; ++k) {
        scri_vec corner = {k & 1u ? h[0] : -h[0], k & 2u ? h[1] : -h[1], k & 4u ? h[2] : -h[2]};
        n += write_point(a, b, corner, k, margin, out + n);
    }
    return n;
}

/* Feature: 0 for the end at negative z, 1 for the other. */
int scri_capsule_plane(const scri_solid* a, const scri_solid* b, double margin, scri_touch* out)
{
    scri_vec normal = scri_mat_column(b->axes, 2), axis = scri_mat_column(a->axes, 2);
    int n = 0;
    for (uint32_t k = 0; k < 2; ++k) {
        scri_vec end = scri_vec_add_scaled(a->centre, k ? a->size[1] : -a->size[1], axis);
        if (!scri_touch_sphere_plane(end, a->size[0], b->centre, normal, margin, out + n)) continue;
        out[n++].feature = k;
    }
    return n;
}

/* A rim of a about its axis z, and how the plane sees it. */
typedef struct rim {
    double radius, z;
    scri_vec up;   /* normal of the plane in the frame of a */
    double sine;   /* of the tilt */
    scri_vec down; /* the lowest point lies there, of length 1; 0 where it is flat */
} rim;

static rim rim_of(const scri_solid* a, const scri_solid* b, double radius, double z)
{
    scri_vec up = scri_mat_multiply_transposed(a->axes, scri_mat_column(b->axes, 2));
    rim r = {.radius = radius, .z = z, .up = up, .sine = sqrt(up.x * up.x + up.y * up.y)};
    if (r.sine > FLAT_SINE) r.down = (scri_vec){-up.x / r.sine, -up.y / r.sine, 0.0};
    return r;
}

static int write_rim_point(const scri_solid* a, const scri_solid* b, const rim* r, scri_vec at,
                           uint32_t feature, double margin, scri_touch* out)
{
    scri_vec x = {r->radius * at.x, r->radius * at.y, r->z};
    return write_point(a, b, x, feature, margin, out);
}

/* The fixed points, and the one towards which forces press. */
static int write_rim(const scri_solid* a, const scri_solid* b, const rim* r, uint32_t first,
                     double margin, scri_touch* out)
{
    int n = 0;
    scri_vec at, p;
    for (uint32_t k = 0; k < SCRI_RIM; ++k) {
        at = scri_rim_point(k);
        if (scri_vec_dot(at, r->down) > SAME_COSINE) continue;
        n += write_rim_point(a, b, r, at, first + k, margin, out + n);
    }
    if (!scri_solid_presses(a, scri_mat_column(b->axes, 2), b->centre, &p)) return n;
    p = scri_mat_multiply_transposed(a->axes, scri_vec_sub(p, a->centre));
    if (!scri_rim_towards(p, r->radius, &at)) return n;
    if (scri_vec_dot(at, r->down) > SAME_COSINE) return n;
    return n + write_rim_point(a, b, r, at, first + LOADED, margin, out + n);
}

/* Features: the names of the points of the rim at negative z, then of that at positive z. */
int scri_cylinder_plane(const scri_solid* a, const scri_solid* b, double margin, scri_touch* out)
{
    int n = 0;
    for (uint32_t end = 0; end < 2; ++end) {
        rim r = rim_of(a, b, a->size[0], end ? a->size[1] : -a->size[1]);
        int lies = r.sine >= fabs(r.up.z), lower = end ? r.up.z < 0.0 : r.up.z >= 0.0;
        uint32_t first = RIM_NAMES * end;
        if (!lies && !lower) continue;
        if (r.sine > FLAT_SINE) {
            n += write_rim_point(a, b, &r, r.down, first + LOWEST, margin, out + n);
        }
        if (!lies) n += write_rim(a, b, &r, first, margin, out + n);
    }
    return n;
}

/* Features: the names of the points of the rim, then the apex. */
int scri_cone_plane(const scri_solid* a, const scri_solid* b, double margin, scri_touch* out)
{
    rim r = rim_of(a, b, a->size[0], -0.5 * a->size[1]);
    int n = 0, stands = r.up.z > 0.0 && r.sine < r.up.z;
    if (r.sine > FLAT_SINE) n += write_rim_point(a, b, &r, r.down, LOWEST, margin, out);
    if (stands) n += write_rim(a, b, &r, 0, margin, out + n);
    scri_vec apex = {0.0, 0.0, 1.5 * a->size[1]};
    return n + write_point(a, b, apex, RIM_NAMES, margin, out + n);
}

/* The lowest point has the normal of the plane: x = -S^2 n / |S n| for half axes S. */
int scri_ellipsoid_plane(const scri_solid* a, const scri_solid* b, double margin, scri_touch* out)
{
    const double* s = a->size;
    scri_vec up = scri_mat_multiply_transposed(a->axes, scri_mat_column(b->axes, 2));
    scri_vec scaled = {s[0] * up.x, s[1] * up.y, s[2] * up.z};
    double reach = scri_vec_length(scaled);
    scri_vec x = {-s[0] * (scaled.x / reach), -s[1] * (scaled.y / reach),
                  -s[2] * (scaled.z / reach)};
    return write_point(a, b, x, 0, margin, out);
}

/* Feature: number of the corner. Where more corners are within the margin than there is room for,
 * those stay that are farthest out in as many directions. */
int scri_hull_plane(const scri_solid* a, const scri_solid* b, double margin, scri_touch* out)
{
    scri_vec up = scri_mat_multiply_transposed(a->axes, scri_mat_column(b->axes, 2)), u, v;
    scri_vec from = scri_mat_multiply_transposed(a->axes, scri_vec_sub(a->centre, b->centre));
    double height = scri_vec_dot(up, from), scale = a->size[0];
    int n = 0;
    scri_vec_tangents(up, &u, &v);
    for (int k = -1; k < SCRI_MAX_TOUCHES; ++k) { /* the lowest corner first */
        double angle = 2.0 * SCREE_PI / SCRI_MAX_TOUCHES * k, most = -SCREE_INFINITY;
        scri_vec d = k < 0 ? scri_vec_scale(-1.0, up)
                           : scri_vec_add_scaled(scri_vec_scale(cos(angle), u), sin(angle), v);
        int32_t best = -1;
        for (int32_t i = 0; i < a->hull->view.n_corners; ++i) {
            scri_vec x = a->hull->corner[i];
            if (!(height + scale * scri_vec_dot(up, x) <= margin && scri_vec_dot(d, x) > most)) {
                continue;
            }
            most = scri_vec_dot(d, x);
            best = i;
        }
        for (int e = 0; e < n && best >= 0; ++e) {
            if (out[e].feature == (uint32_t)best) best = -1;
        }
        if (best < 0 || n == SCRI_MAX_TOUCHES) continue;
        n += write_point(a, b, scri_vec_scale(scale, a->hull->corner[best]), (uint32_t)best, margin,
                         out + n);
    }
    return n;
}
