/* The contact of two bodies of any inertia with Coulomb friction, over a real: behind
 * solvers/round_over_real.h, whose types and functions it shares.
 *
 * Three rows N, T1, T2 with a full block w. Write p = (n, l). A contact lets go when its velocity
 * without own impulse opens it; it sticks when w^-1 takes its velocity away within the cone; else
 * it slips: y_T = -lambda l with lambda > 0 and |l| = mu n, where for given lambda
 *
 *     (w_TT + lambda) l = -(q_T + w_TN n),      w_NN n + w_NT l + q_N = 0
 *
 * are linear, and mu n / |l| = 1 is solved for lambda by Newton's method, from the value found last
 * (laws/one_contact_kernel.h has the same for any rows and laws). */
#define SCRI_SOLID_REALS 47

typedef struct SCRI_ROUND(solid) {
    int32_t a[SCRI_REAL_LANES], b[SCRI_REAL_LANES]; /* bodies */
    SCRI_ROUND(vec) n, t1, t2;
    SCRI_ROUND(vec) arm_a, arm_b;
    SCRI_REAL turn_a[6], turn_b[6]; /* inverse inertias, xx yy zz xy xz yz */
    SCRI_REAL w[6], stick[6];       /* NN NT1 NT2 T1T1 T1T2 T2T2 of the block and its inverse */
    SCRI_REAL mu;
    SCRI_REAL q[3], p[3];
    SCRI_REAL lambda; /* where it slipped last */
} SCRI_ROUND(solid);

/* m x with a symmetric m: 11 22 33 12 13 23. */
SCREE_FN SCRI_ROUND(vec) SCRI_ROUND(turn)(const SCRI_REAL* m, SCRI_ROUND(vec) x)
{
    return SCRI_OF(SCRI_ROUND(vec), m[0] * x.x + m[3] * x.y + m[4] * x.z,
                   m[3] * x.x + m[1] * x.y + m[5] * x.z, m[4] * x.x + m[5] * x.y + m[2] * x.z);
}

/* m x with a symmetric m of the rows: NN NT1 NT2 T1T1 T1T2 T2T2. */
SCREE_FN void SCRI_ROUND(multiply)(const SCRI_REAL* m, const SCRI_REAL* x, SCRI_REAL* out)
{
    out[0] = m[0] * x[0] + m[1] * x[1] + m[2] * x[2];
    out[1] = m[1] * x[0] + m[3] * x[1] + m[4] * x[2];
    out[2] = m[2] * x[0] + m[4] * x[1] + m[5] * x[2];
}

/* What a slip rate makes of a contact. */
typedef struct SCRI_ROUND(slipping) {
    SCRI_REAL n, l[2];
    SCRI_REAL gap, square;   /* |l| - mu n, |l|^2 */
    SCRI_REAL length;        /* |l| */
    SCRI_LANE(mask) presses; /* n > 0, and w_NN with l eliminated is positive */
    SCRI_REAL proposal;      /* for lambda, by Newton's method */
} SCRI_ROUND(slipping);

SCREE_FN SCRI_ROUND(slipping)
    SCRI_ROUND(slip_at)(const SCRI_ROUND(solid) * c, const SCRI_REAL* q, SCRI_REAL lambda)
{
    SCRI_ROUND(slipping) s;
    SCRI_REAL zero = SCRI_LANE(all)(0), one = SCRI_LANE(all)(1);
    const SCRI_REAL* w = c->w;
    SCRI_REAL a = w[3] + lambda, d = w[5] + lambda, inv = one / (a * d - w[4] * w[4]);
    SCRI_REAL base[2] = {(w[4] * q[2] - d * q[1]) * inv, (w[4] * q[1] - a * q[2]) * inv};
    SCRI_REAL slope[2] = {(w[4] * w[2] - d * w[1]) * inv, (w[4] * w[1] - a * w[2]) * inv};
    SCRI_REAL mobility = w[0] + w[1] * slope[0] + w[2] * slope[1], yields = one / mobility;
    s.n = -(q[0] + w[1] * base[0] + w[2] * base[1]) * yields;
    for (int i = 0; i < 2; ++i) s.l[i] = base[i] + slope[i] * s.n;
    s.square = s.l[0] * s.l[0] + s.l[1] * s.l[1];
    s.length = SCRI_LANE(sqrt)(s.square);
    s.gap = s.length - c->mu * s.n;
    s.presses = (s.n > zero) & (mobility > zero);
    SCRI_REAL z[2] = {(d * s.l[0] - w[4] * s.l[1]) * inv, (a * s.l[1] - w[4] * s.l[0]) * inv};
    SCRI_REAL by_n = (w[1] * z[0] + w[2] * z[1]) * yields; /* dn / dlambda */
    SCRI_REAL grows =
        s.l[0] * (slope[0] * by_n - z[0]) + s.l[1] * (slope[1] * by_n - z[1]); /* l . dl */
    s.proposal = lambda + s.gap * s.square / (c->mu * (by_n * s.square - s.n * grows));
    return s;
}

/* The slip rate to try next. It must go in the right sense: more slip where the impulse leaves its
 * disc, less where it lies inside, and not back to sticking, which has been seen to fail. */
SCREE_FN SCRI_REAL SCRI_ROUND(next_rate)(const SCRI_ROUND(solid) * c,
                                         const SCRI_ROUND(slipping) * s, SCRI_REAL lambda)
{
    SCRI_REAL more = SCRI_LANE(all)(0.5) * c->w[0] + SCRI_LANE(all)(4) * lambda;
    SCRI_REAL least = SCRI_LANE(all)(0.1) * lambda, less = SCRI_LANE(all)(0.25) * lambda;
    SCRI_REAL up = SCRI_LANE(select)(s->proposal > lambda, s->proposal, more);
    SCRI_REAL down = SCRI_LANE(select)(s->proposal > least, s->proposal, least);
    down = SCRI_LANE(select)(s->proposal < lambda, down, less);
    SCRI_REAL next = SCRI_LANE(select)(s->gap > SCRI_LANE(all)(0), up, down);
    return SCRI_LANE(select)(s->presses, next, more);
}

/* Impulses p of those that slip, where `slips` is set; q is the velocity without them. Returns
 * where they were found to `tolerance`, relative. */
SCREE_FN SCRI_LANE(mask)
    SCRI_ROUND(slip_solid)(SCRI_ROUND(solid) * c, SCRI_LANE(mask) slips, SCRI_REAL tolerance,
                           const SCRI_REAL* q, SCRI_REAL* p)
{
    enum { MOST = 30 };
    SCRI_REAL one = SCRI_LANE(all)(1), lambda = c->lambda;
    SCRI_LANE(mask) open = slips;
    for (int k = 0; k < MOST && SCRI_LANE(any)(open); ++k) {
        SCRI_ROUND(slipping) s = SCRI_ROUND(slip_at)(c, q, lambda);
        SCRI_REAL allowed = tolerance * s.length;
        SCRI_LANE(mask) good = open & s.presses & (s.gap <= allowed) & (-s.gap <= allowed);
        if (SCRI_LANE(any)(good)) {
            SCRI_REAL out = SCRI_LANE(select)(s.gap > SCRI_LANE(all)(0), s.length, one);
            SCRI_REAL shrink = SCRI_LANE(select)(s.gap > SCRI_LANE(all)(0), c->mu * s.n, one) / out;
            p[0] = SCRI_LANE(select)(good, s.n, p[0]);
            p[1] = SCRI_LANE(select)(good, s.l[0] * shrink, p[1]);
            p[2] = SCRI_LANE(select)(good, s.l[1] * shrink, p[2]);
            c->lambda = SCRI_LANE(select)(good, lambda, c->lambda);
            open &= ~good;
        }
        lambda = SCRI_LANE(select)(open, SCRI_ROUND(next_rate)(c, &s, lambda), lambda);
    }
    return slips & ~open;
}

/* Impulses p under the velocities y. Returns where they were found. */
SCREE_FN SCRI_LANE(mask) SCRI_ROUND(respond_solid)(SCRI_ROUND(solid) * c, SCRI_REAL tolerance,
                                                   const SCRI_REAL* y, SCRI_REAL* p)
{
    SCRI_REAL zero = SCRI_LANE(all)(0), own[3], stop[3], q[3];
    SCRI_ROUND(multiply)(c->w, c->p, own);
    SCRI_ROUND(multiply)(c->stick, y, stop);
    for (int i = 0; i < 3; ++i) {
        q[i] = y[i] - own[i];
        p[i] = c->p[i] - stop[i];
    }
    SCRI_REAL most = c->mu * p[0];
    SCRI_LANE(mask) parts = q[0] >= zero;
    SCRI_LANE(mask) sticks = (p[0] > zero) & (p[1] * p[1] + p[2] * p[2] <= most * most);
    for (int i = 0; i < 3; ++i) p[i] = SCRI_LANE(select)(parts, zero, p[i]);
    SCRI_LANE(mask) found = parts | sticks, slips = (zero == zero) & ~found;
    if (SCRI_LANE(any)(slips)) found |= SCRI_ROUND(slip_solid)(c, slips, tolerance, q, p);
    return found;
}

/* Squares of the impulses x, weighted by the diagonal of W, alike for both tangents. */
SCREE_FN SCRI_REAL SCRI_ROUND(weigh_solid)(const SCRI_ROUND(solid) * c, const SCRI_REAL* x)
{
    SCRI_REAL tangent = SCRI_LANE(all)(0.5) * (c->w[3] + c->w[5]);
    return x[0] * x[0] * c->w[0] + (x[1] * x[1] + x[2] * x[2]) * tangent;
}

/* One Gauss-Seidel update, to `tolerance` where the contact slips; the bodies a and b are kept in
 * step with p. `change` and `impulse` receive squares of those. Where no impulse is found nothing
 * changes, and `change` is -1. */
SCREE_FN void SCRI_ROUND(solve_solid)(SCRI_ROUND(solid) * c, SCRI_REAL tolerance,
                                      SCRI_ROUND(side) * a, SCRI_ROUND(side) * b, SCRI_REAL* change,
                                      SCRI_REAL* impulse)
{
    SCRI_REAL y[3], p[3], d[3], one = SCRI_LANE(all)(1);
    SCRI_ROUND(vec) at_a = SCRI_ROUND(add)(a->v, one, SCRI_ROUND(cross)(a->w, c->arm_a));
    SCRI_ROUND(vec) at_b = SCRI_ROUND(add)(b->v, one, SCRI_ROUND(cross)(b->w, c->arm_b));
    SCRI_ROUND(vec) dv = SCRI_ROUND(sub)(at_a, at_b);
    y[0] = c->q[0] + SCRI_ROUND(dot)(c->n, dv);
    y[1] = c->q[1] + SCRI_ROUND(dot)(c->t1, dv);
    y[2] = c->q[2] + SCRI_ROUND(dot)(c->t2, dv);
    SCRI_LANE(mask) found = SCRI_ROUND(respond_solid)(c, tolerance, y, p);
    for (int i = 0; i < 3; ++i) {
        p[i] = SCRI_LANE(select)(found, p[i], c->p[i]);
        d[i] = p[i] - c->p[i];
        c->p[i] = p[i];
    }
    *change = SCRI_LANE(select)(found, SCRI_ROUND(weigh_solid)(c, d), -one);
    *impulse = SCRI_ROUND(weigh_solid)(c, p);
    SCRI_ROUND(vec) force = SCRI_ROUND(add)(SCRI_ROUND(scale)(d[0], c->n), d[1], c->t1);
    force = SCRI_ROUND(add)(force, d[2], c->t2);
    SCRI_ROUND(vec) on_a = SCRI_ROUND(turn)(c->turn_a, SCRI_ROUND(cross)(c->arm_a, force));
    SCRI_ROUND(vec) on_b = SCRI_ROUND(turn)(c->turn_b, SCRI_ROUND(cross)(c->arm_b, force));
    a->v = SCRI_ROUND(add)(a->v, a->inv_mass, force);
    a->w = SCRI_ROUND(add)(a->w, one, on_a);
    b->v = SCRI_ROUND(add)(b->v, -b->inv_mass, force);
    b->w = SCRI_ROUND(sub)(b->w, on_b);
}
