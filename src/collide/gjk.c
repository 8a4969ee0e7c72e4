/* Nearest points of two convex cores, by the method of Gilbert, Johnson and Keerthi.
 *
 * The differences of points of a and points of b form a convex set; its point nearest to the origin
 * is sought with simplices of at most four of its points. Of each simplex every face is looked at
 * that contains the newest point, and the nearest of those taken whose nearest point lies inside of
 * them: a face that is thin, or spoilt by rounding, then loses to a smaller one and does no harm.
 *
 * The distance lies between v.w/|v|, w being the farthest point against v, and |v|. The search ends
 * when the two agree to rounding, or when the next simplex is no nearer: for polytopes after
 * finitely many steps. A turn by the root of rounding changes the distance by rounding alone, and
 * v.w/|v| by that root: a few steps more are made where rounding may have hidden that the next
 * simplex is nearer, and of all directions that of the greatest v.w/|v| is taken. Faces that are
 * parallel but for such a turn are as near at every corner: the search may go round among corners
 * and edges there without coming to the face that they span, so that faces of the corners it has
 * passed last are tried as well, with the corners that lie before the best of them. */
#include "collide/convex.h"

enum { MOST_STEPS = 200, MOST_SIDEWAYS = 4, MOST_SEEN = 6, MOST_ROUNDS = 6 };

/* Relative to the coordinates at hand: what rounding may do to them. */
#define ROUNDING 2e-16

/* The same: planes that are off by less are good enough. */
#define OFF 1e-12

typedef struct vertex {
    scri_vec a, b, w; /* points of the cores and their difference */
} vertex;

typedef struct simplex {
    int n;
    vertex p[4];
    double weight[4];
    scri_vec v; /* nearest to the origin */
} simplex;

/* ---- faces of a simplex: weights of the point nearest to the origin, 0 when it lies outside ----
 */

static int on_edge(const vertex* p, const vertex* q, double weight[2], scri_vec* v)
{
    scri_vec e = scri_vec_sub(q->w, p->w);
    double square = scri_vec_dot(e, e), t = -scri_vec_dot(p->w, e) / square;
    if (!(t > 0.0 && t < 1.0)) return 0;
    weight[0] = 1.0 - t;
    weight[1] = t;
    *v = scri_vec_add_scaled(p->w, t, e);
    return 1;
}

/* With edges from the corner across the longest one: rounding in their product, relative to it,
 * then is that of a short edge and not of a long one. */
static int on_triangle(const vertex* const p[3], double weight[3], scri_vec* v)
{
    double longest = -1.0;
    int first = 0;
    for (int i = 0; i < 3; ++i) {
        scri_vec across = scri_vec_sub(p[(i + 1) % 3]->w, p[(i + 2) % 3]->w);
        double square = scri_vec_dot(across, across);
        if (square > longest) first = i;
        longest = fmax(longest, square);
    }
    int second = (first + 1) % 3, third = (first + 2) % 3;
    scri_vec o = p[first]->w, e = scri_vec_sub(p[second]->w, o), f = scri_vec_sub(p[third]->w, o);
    scri_vec n = scri_vec_cross(e, f);
    double square = scri_vec_dot(n, n);
    if (!(square > 0.0)) return 0;
    scri_vec foot = scri_vec_scale(scri_vec_dot(n, o) / square, n);
    scri_vec d = scri_vec_sub(foot, o);
    weight[second] = scri_vec_dot(n, scri_vec_cross(d, f)) / square;
    weight[third] = scri_vec_dot(n, scri_vec_cross(e, d)) / square;
    weight[first] = 1.0 - weight[second] - weight[third];
    *v = foot;
    return weight[0] > 0.0 && weight[1] > 0.0 && weight[2] > 0.0;
}

static int inside(const simplex* s)
{
    scri_vec o = s->p[0].w;
    scri_vec e = scri_vec_sub(s->p[1].w, o), f = scri_vec_sub(s->p[2].w, o);
    scri_vec g = scri_vec_sub(s->p[3].w, o), fg = scri_vec_cross(f, g);
    double volume = scri_vec_dot(e, fg);
    double x = -scri_vec_dot(o, fg) / volume;
    double y = -scri_vec_dot(o, scri_vec_cross(g, e)) / volume;
    double z = -scri_vec_dot(o, scri_vec_cross(e, f)) / volume;
    return x > 0.0 && y > 0.0 && z > 0.0 && x + y + z < 1.0;
}

/* ---- the simplex ---- */

/* The face that consists of these vertices, if it is the nearest so far. */
static void take(const simplex* s, const int* which, int n, const double* weight, scri_vec v,
                 simplex* best)
{
    if (best->n > 0 && !(scri_vec_dot(v, v) < scri_vec_dot(best->v, best->v))) return;
    best->n = n;
    best->v = v;
    for (int i = 0; i < n; ++i) {
        best->p[i] = s->p[which[i]];
        best->weight[i] = weight[i];
    }
}

/* Reduces s, whose last vertex is new, to its face nearest to the origin; 0 when the origin lies
 * inside. */
static int reduce(simplex* s)
{
    simplex best = {.n = 0};
    int last = s->n - 1;
    double weight[3] = {1.0, 0.0, 0.0};
    scri_vec v;
    if (s->n == 4 && inside(s)) return 0;
    take(s, &last, 1, weight, s->p[last].w, &best);
    for (int i = 0; i < last; ++i) {
        int edge[2] = {i, last};
        if (on_edge(&s->p[i], &s->p[last], weight, &v)) take(s, edge, 2, weight, v, &best);
        for (int k = 0; k < i; ++k) {
            int face[3] = {k, i, last};
            const vertex* const corners[3] = {&s->p[k], &s->p[i], &s->p[last]};
            if (on_triangle(corners, weight, &v)) take(s, face, 3, weight, v, &best);
        }
    }
    *s = best;
    return 1;
}

static vertex farthest(const scri_convex* a, const scri_convex* b, scri_vec v)
{
    vertex p = {scri_convex_support(a, scri_vec_scale(-1.0, v)),
                scri_convex_support(b, v),
                {0.0, 0.0, 0.0}};
    p.w = scri_vec_sub(p.a, p.b);
    return p;
}

static void write(const simplex* s, scri_vec direction, scri_nearest* out)
{
    scri_vec a = {0.0, 0.0, 0.0}, b = a;
    for (int i = 0; i < s->n; ++i) {
        a = scri_vec_add_scaled(a, s->weight[i], s->p[i].a);
        b = scri_vec_add_scaled(b, s->weight[i], s->p[i].b);
    }
    scri_vec normal = scri_vec_scale(1.0 / scri_vec_length(direction), direction);
    *out = (scri_nearest){a, b, normal, scri_vec_length(s->v)};
}

/* Takes the direction across a face of vertices [n] whose plane is farther from the origin than
 * *plane, and its distance. */
static void try_faces(const scri_convex* a, const scri_convex* b, const vertex* seen, int n,
                      double* plane, scri_vec* direction)
{
    for (int k = 0; k < n * n * n; ++k) {
        int of[3] = {k % n, k / n % n, k / n / n};
        if (!(of[0] < of[1] && of[1] < of[2])) continue;
        scri_vec o = seen[of[0]].w, e = scri_vec_sub(seen[of[1]].w, o);
        scri_vec across = scri_vec_cross(e, scri_vec_sub(seen[of[2]].w, o));
        double length = scri_vec_length(across);
        if (!(length > 0.0)) continue;
        if (scri_vec_dot(across, o) < 0.0) across = scri_vec_scale(-1.0, across);
        double bound = scri_vec_dot(across, farthest(a, b, across).w) / length;
        if (!(bound > *plane)) continue;
        *plane = bound;
        *direction = across;
    }
}

/* The same until the plane is `enough` away: what lies before the best plane joins the vertices,
 * which have room for MOST_ROUNDS + 1 more. */
static void turn_to_face(const scri_convex* a, const scri_convex* b, vertex* seen, int n,
                         double plane, double enough, scri_vec* direction)
{
    for (int round = 0; round <= MOST_ROUNDS && plane < enough; ++round) {
        double before = plane;
        try_faces(a, b, seen, n, &plane, direction);
        if (round > 0 && !(plane > before)) return;
        seen[n++] = farthest(a, b, *direction);
    }
}

scri_gap scri_nearest_of(const scri_convex* a, const scri_convex* b, double limit,
                         scri_nearest* out)
{
    simplex s = {.n = 0};
    scri_vec start = scri_vec_sub(a->centre, b->centre);
    if (!(scri_vec_dot(start, start) > SCRI_NO_DIRECTION)) start = (scri_vec){0.0, 0.0, 1.0};
    s.p[0] = farthest(a, b, start);
    s.n = 1;
    reduce(&s);
    scri_vec direction = s.v; /* whose plane is farthest from the origin */
    double plane = -SCREE_INFINITY, far = 0.0;
    vertex seen[1 + MOST_SEEN + MOST_ROUNDS + 1] = {s.p[0]};
    int n_seen = 1;
    for (int step = 0, sideways = 0; step < MOST_STEPS; ++step) {
        double square = scri_vec_dot(s.v, s.v);
        far = 0.0;
        for (int i = 0; i < s.n; ++i) {
            far = fmax(far, scri_vec_length(s.p[i].a) + scri_vec_length(s.p[i].b));
        }
        double length = sqrt(square);
        if (!(length > 8.0 * ROUNDING * far)) return SCRI_OVERLAP;
        vertex p = farthest(a, b, s.v);
        seen[1 + step % MOST_SEEN] = p;
        n_seen = step < MOST_SEEN ? step + 2 : 1 + MOST_SEEN;
        double bound = scri_vec_dot(s.v, p.w);
        if (bound > limit * length) return SCRI_BEYOND;
        int done = !(square - bound > 4.0 * ROUNDING * far * length);
        if (done || bound > plane * length) {
            plane = bound / length;
            direction = s.v;
        }
        if (done) break;
        simplex next = s;
        next.p[next.n++] = p;
        if (!reduce(&next)) return SCRI_OVERLAP;
        double next_length = scri_vec_length(next.v);
        sideways += !(next_length < length);
        if (sideways > MOST_SIDEWAYS || !(next_length <= length + 8.0 * ROUNDING * far)) break;
        s = next;
    }
    if (!(plane > 0.0)) return SCRI_OVERLAP; /* the search is stuck beside the origin */
    turn_to_face(a, b, seen, n_seen, plane, scri_vec_length(s.v) - OFF * far, &direction);
    write(&s, direction, out);
    return SCRI_APART;
}
