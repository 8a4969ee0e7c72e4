/* The contact of two round bodies under the convex law. Included by round_over_real.h.
 *
 * A contact alone is the least of its energy over the cone of its impulses. The rows of a channel
 * have a multiple of one in W (sliding and rolling apart, which are coupled) and so the least for a
 * given p_N is that of the exact law: the impulse that stops the channel, drawn onto its disc. What
 * a law that lifts off changes is p_N alone. With s_N and s_k those impulses that stop each row and
 * each channel by itself,
 *
 *     w_N (p_N - s_N) = sum over k of mu_k w_k max(0, |s_k| - mu_k p_N),
 *
 * whose right side is what drives the bodies apart, mu_k times the velocities of slip. */

/* A channel on its way to its disc: mu, w, and the length |s|. */
typedef struct SCRI_ROUND(channel) {
    SCRI_REAL mu, w, length;
} SCRI_ROUND(channel);

SCREE_FN SCRI_REAL SCRI_ROUND(length)(SCRI_REAL x, SCRI_REAL y)
{
    return SCRI_LANE(sqrt)(x * x + y * y);
}

/* p_N from s_N and n channels. The right side is convex and falls, so that Newton's steps from
 * p_N = 0 never pass the root, and each that does not end there leaves a channel behind. */
SCREE_FN SCRI_REAL SCRI_ROUND(press)(SCRI_REAL w_n, SCRI_REAL s_n, const SCRI_ROUND(channel) * of,
                                     const int n)
{
    SCRI_REAL zero = SCRI_LANE(all)(0), one = SCRI_LANE(all)(1), p = zero;
    for (int step = 0; step <= n; ++step) {
        SCRI_REAL push = w_n * s_n, stiff = w_n;
        for (int k = 0; k < n; ++k) {
            SCRI_LANE(mask) slips = of[k].length > of[k].mu * p;
            SCRI_REAL drive = SCRI_LANE(select)(slips, of[k].mu * of[k].w, zero);
            push += drive * of[k].length;
            stiff += drive * of[k].mu;
        }
        SCRI_REAL next = push / SCRI_LANE(select)(stiff > zero, stiff, one);
        next = SCRI_LANE(select)(next > zero, next, zero);
        if (!SCRI_LANE(any)(next != p)) break;
        p = next;
    }
    return p;
}

/* Sliding that may slip while rolling is at rest, which is exact where rolling stays on its disc;
 * and the reverse. b[5] are the normal impulse and those of both; `open` has the lanes that are not
 * settled. */
SCREE_FN SCRI_LANE(mask)
    SCRI_ROUND(slip_one)(const SCRI_ROUND(contact) * c, const SCRI_ROUND(w_block) * k,
                         const int slides, const SCRI_REAL* y, SCRI_REAL s_n,
                         SCRI_ROUND(channel) spin, SCRI_REAL* b)
{
    SCRI_REAL zero = SCRI_LANE(all)(0), one = SCRI_LANE(all)(1);
    SCRI_REAL inv_w = k->stick[slides ? 0 : 2];
    SCRI_REAL *s = b + (slides ? 1 : 3), *rest = b + (slides ? 3 : 1);
    if (slides) {
        s[0] = c->p[1] - (k->stick[0] * y[1] - k->stick[1] * y[4]);
        s[1] = c->p[2] - (k->stick[0] * y[2] + k->stick[1] * y[3]);
    } else {
        s[0] = c->p[3] - (k->stick[2] * y[3] + k->stick[1] * y[2]);
        s[1] = c->p[4] - (k->stick[2] * y[4] - k->stick[1] * y[1]);
    }
    SCRI_REAL mu = c->mu[slides ? 0 : 1], other = c->mu[slides ? 1 : 0];
    SCRI_REAL w = one / SCRI_LANE(select)(inv_w > zero, inv_w, one);
    SCRI_ROUND(channel) channels[2] = {{mu, w, SCRI_ROUND(length)(s[0], s[1])}, spin};
    b[0] = SCRI_ROUND(press)(k->w[0], s_n, channels, 2);
    SCRI_ROUND(clip)(mu * b[0], &s[0], &s[1]);
    if (slides) {
        SCRI_ROUND(stop_rolling)(c, k->w_tr, y, b + 1);
    } else {
        SCRI_ROUND(stop_sliding)(c, k->w_tr, y, b + 1);
    }
    return ~SCRI_ROUND(outside)(NULL, other * b[0], rest[0], rest[1]);
}

/* Sliding, rolling and spinning. Coupled channels that both carry and slip take the least of an
 * energy that is nowhere below theirs, with w_k (1 + |w_TR| / sqrt(w_T w_R)) for w_k: the next
 * sweep goes on. */
SCREE_FN void SCRI_ROUND(lift_and_roll)(const SCRI_ROUND(contact) * c,
                                        const SCRI_ROUND(w_block) * k, const SCRI_REAL* y,
                                        SCRI_REAL s_n, SCRI_REAL* p)
{
    SCRI_REAL zero = SCRI_LANE(all)(0), one = SCRI_LANE(all)(1);
    SCRI_LANE(mask) open = k->w_tr * c->mu[0] * c->mu[1] != zero;
    SCRI_REAL w_tr = SCRI_LANE(select)(open, k->w_tr, zero);
    SCRI_REAL widen = one + SCRI_LANE(sqrt)((w_tr * c->inv_w[1]) * (w_tr * c->inv_w[2]));
    SCRI_REAL slide = c->inv_w[1] / widen, roll = c->inv_w[2] / widen;
    p[1] = c->p[1] - y[1] * slide;
    p[2] = c->p[2] - y[2] * slide;
    p[3] = c->p[3] - y[3] * roll;
    p[4] = c->p[4] - y[4] * roll;
    p[5] = c->p[5] - y[5] * c->inv_w[2];
    SCRI_ROUND(channel)
    channels[3] = {{c->mu[2], k->w[2], SCRI_LANE(select)(p[5] < zero, -p[5], p[5])},
                   {c->mu[0], k->w[1] * widen, SCRI_ROUND(length)(p[1], p[2])},
                   {c->mu[1], k->w[2] * widen, SCRI_ROUND(length)(p[3], p[4])}};
    p[0] = SCRI_ROUND(press)(k->w[0], s_n, channels, 3);
    SCRI_ROUND(clip)(c->mu[0] * p[0], &p[1], &p[2]);
    SCRI_ROUND(clip)(c->mu[1] * p[0], &p[3], &p[4]);
    for (int slides = 1; slides >= 0 && SCRI_LANE(any)(open); --slides) {
        SCRI_REAL b[5] = {p[0], p[1], p[2], p[3], p[4]};
        SCRI_LANE(mask)
        good = open & SCRI_ROUND(slip_one)(c, k, slides, y, s_n, channels[0], b);
        p[0] = SCRI_LANE(select)(good, b[0], p[0]);
        SCRI_ROUND(take)(good, b + 1, p);
        open &= ~good;
    }
}

/* Impulses p under the velocities y. */
SCREE_FN void SCRI_ROUND(respond_convex)(const SCRI_ROUND(contact) * c,
                                         const SCRI_ROUND(w_block) * k, const int rolls,
                                         const SCRI_REAL* y, SCRI_REAL* p)
{
    SCRI_REAL s_n = c->p[0] - y[0] * c->inv_w[0];
    if (!rolls) {
        p[1] = c->p[1] - y[1] * c->inv_w[1];
        p[2] = c->p[2] - y[2] * c->inv_w[1];
        SCRI_ROUND(channel)
        channel = {c->mu[0], k->w[1], SCRI_ROUND(length)(p[1], p[2])};
        p[0] = SCRI_ROUND(press)(k->w[0], s_n, &channel, 1);
        SCRI_ROUND(clip)(c->mu[0] * p[0], &p[1], &p[2]);
        return;
    }
    SCRI_ROUND(lift_and_roll)(c, k, y, s_n, p);
    SCRI_ROUND(spin)(c, p);
}
