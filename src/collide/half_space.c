/* Solids against half-spaces: every point here is a point of the solid's surface that lies at most
 * the margin above the plane. */
#include "collide/pair.h"
#include "math/constants.h"
#include "shapes/hull.h"

/* A cylinder stands flat when the sine of its tilt is at most this; fixed points of the rim then
 * stand for the lowest one, which they miss by less than 0.3 radius times this. */
#define FLAT_SINE 1e-3

/* Fixed points of the rim closer in angle to the lowest one (cosine) give way to it. */
#define SAME_COSINE 0.966

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

/* Features 0-3 and 4-7: points fixed on the rims at negative and positive z, on the axes x, y, -x,
 * -y; 8 and 9: the lowest points of these rims, wherever they are. */
int scri_cylinder_plane(const scri_solid* a, const scri_solid* b, double margin, scri_touch* out)
{
    double radius = a->size[0], half = a->size[1];
    scri_vec up = scri_mat_multiply_transposed(a->axes, scri_mat_column(b->axes, 2));
    double sine = sqrt(up.x * up.x + up.y * up.y);
    int flat = sine <= FLAT_SINE, n = 0;
    double down_x = flat ? 0.0 : -up.x / sine, down_y = flat ? 0.0 : -up.y / sine;
    if (!flat) {
        int lying = sine >= fabs(up.z);
        for (uint32_t end = 0; end < 2; ++end) {
            int lower = end ? up.z < 0.0 : up.z >= 0.0;
            if (!lying && !lower) continue;
            scri_vec lowest = {radius * down_x, radius * down_y, end ? half : -half};
            n += write_point(a, b, lowest, 8 + end, margin, out + n);
        }
        if (lying) return n;
    }
    static const double x[] = {1.0, 0.0, -1.0, 0.0}, y[] = {0.0, 1.0, 0.0, -1.0};
    uint32_t first = up.z < 0.0 ? 4 : 0;
    for (uint32_t k = 0; k < 4; ++k) {
        if (x[k] * down_x + y[k] * down_y > SAME_COSINE) continue;
        scri_vec rim = {radius * x[k], radius * y[k], first ? half : -half};
        n += write_point(a, b, rim, first + k, margin, out + n);
    }
    return n;
}

/* Features 0-3: points fixed on the rim; 4: its lowest point; 5: the apex. */
int scri_cone_plane(const scri_solid* a, const scri_solid* b, double margin, scri_touch* out)
{
    double radius = a->size[0], half = a->size[1];
    scri_vec up = scri_mat_multiply_transposed(a->axes, scri_mat_column(b->axes, 2));
    double sine = sqrt(up.x * up.x + up.y * up.y);
    int n = 0, flat = sine <= FLAT_SINE, stands = up.z > 0.0 && sine < up.z;
    double down_x = flat ? 0.0 : -up.x / sine, down_y = flat ? 0.0 : -up.y / sine;
    static const double x[] = {1.0, 0.0, -1.0, 0.0}, y[] = {0.0, 1.0, 0.0, -1.0};
    for (uint32_t k = 0; k < 4 && stands; ++k) {
        if (x[k] * down_x + y[k] * down_y > SAME_COSINE) continue;
        scri_vec rim = {radius * x[k], radius * y[k], -0.5 * half};
        n += write_point(a, b, rim, k, margin, out + n);
    }
    scri_vec lowest = {radius * down_x, radius * down_y, -0.5 * half};
    if (!flat) n += write_point(a, b, lowest, 4, margin, out + n);
    return n + write_point(a, b, (scri_vec){0.0, 0.0, 1.5 * half}, 5, margin, out + n);
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
        double angle = 2.0 * SCRI_PI / SCRI_MAX_TOUCHES * k, most = -SCREE_INFINITY;
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
