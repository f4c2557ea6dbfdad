// SPDX-License-Identifier: MIT
/*
 * The transforms in signed words of 64 bits.
 *
 * With wq = floor(w 2^64 / p) and q = floor(a wq / 2^64), a w - q p is in (-e, 1 + e) p for
 * e = |a| / 2^64: the low halves of both products suffice (V. Shoup).  p is below 2^50, and
 * no value reaches 2^7 p on its way down the tree: node 0 ends with at most 8 p, and each pass of
 * another node adds 3 p.  So nothing has to be trimmed there.
 */
#include "digits.h"
#include "kernels.h"

#define TARGET
#define LANES 1
#define LEAF  4

typedef int64_t ELEMENT;
typedef int64_t VECTOR;

struct constants {
	int64_t p, inverse; /* floor(2^64 / p) */
};

static inline struct constants constants_of(const struct cc_field *f)
{
	cc_u64 p = (cc_u64)f->prime->p << 14, rem;

	return (struct constants){f->prime->p, (int64_t)cc_div_2by1_u64(&rem, (cc_u64)1 << 14, 0, p,
									cc_reciprocal_u64(p))};
}

static inline int64_t quotient(int64_t w, const struct constants *c)
{
	cc_u64 p = (cc_u64)c->p << 14, size = (cc_u64)(w < 0 ? -w : w) << 14, rem;
	cc_u64 q = cc_div_2by1_u64(&rem, size, 0, p, cc_reciprocal_u64(p));

	/* not exact but for 0 */
	return (int64_t)(w < 0 ? ~q : q);
}

/* floor(a b / 2^64) */
static inline int64_t high(int64_t a, int64_t b)
{
	cc_u64 upper;

	(void)cc_mul_u64(&upper, (cc_u64)a, (cc_u64)b);
	return (int64_t)(upper - ((cc_u64)(a >> 63) & (cc_u64)b) - ((cc_u64)(b >> 63) & (cc_u64)a));
}

static inline int64_t mul(int64_t a, int64_t w, int64_t wq, const struct constants *c)
{
	return (int64_t)((cc_u64)a * (cc_u64)w - (cc_u64)high(a, wq) * (cc_u64)c->p);
}

/* In [-p, 2p) */
static inline int64_t reduce(int64_t a, const struct constants *c)
{
	return (int64_t)((cc_u64)a - (cc_u64)high(a, c->inverse) * (cc_u64)c->p);
}

static inline int64_t canonical(int64_t a, const struct constants *c)
{
	a = reduce(a, c);
	a += c->p & a >> 63;
	a -= c->p;
	return a + (c->p & a >> 63);
}

#define all(e)	    (e)
#define load(x)	    (*(x))
#define store(x, v) (*(x) = (v))
/* modulo 2^64: with a broken table, the sum may wrap */
#define add(a, b)  ((int64_t)((cc_u64)(a) + (cc_u64)(b)))
#define sub(a, b)  ((int64_t)((cc_u64)(a) - (cc_u64)(b)))
#define trim(a, c) (a)

#include "passes.h"

static void table(const struct cc_field *f, size_t count, struct cc_watch *w)
{
	const struct constants c = constants_of(f);
	int64_t *v = (int64_t *)f->w, *vq = (int64_t *)f->wq;
	size_t filled, i;
	unsigned int t;

	v[0] = 1;
	vq[0] = c.inverse;
	for (filled = 1, t = 0; filled < count; filled *= 2, t++) {
		struct factor by = constant(f->prime->root[t], &c);

		for (i = 0; i < filled && filled + i < count; i++) {
			int64_t next = canonical(times(v[i], by, &c), &c);

			if (cc_transform_stopped(w, i))
				return;
			next -= 2 * next > c.p ? c.p : 0;
			v[filled + i] = next;
			vq[filled + i] = quotient(next, &c);
		}
	}
}

/* The sum of a[i] b[-i], all from 0 to p - 1, modulo p: in (-1, 4) p. */
static inline int64_t sum_of_products(const int64_t *a, const int64_t *b, const struct constants *c,
				      struct factor two64)
{
	cc_u64 low = 0, upper = 0, q;
	int i;

	for (i = 0; i < LEAF; i++) {
		cc_u64 above, below = cc_mul_u64(&above, (cc_u64)a[i], (cc_u64)b[-i]);

		low += below;
		upper += above + (low < below);
	}
	(void)cc_mul_u64(&q, low, (cc_u64)c->inverse);
	return times((int64_t)upper, two64, c) + (int64_t)(low - q * (cc_u64)c->p);
}

static void multiply_node(int64_t *x, const int64_t *y, size_t m, size_t j, struct factor by,
			  const struct table *t, const struct constants *c, struct cc_watch *w)
{
	size_t leaves = m / LEAF, k;
	cc_u64 rem, p = (cc_u64)c->p << 14;
	struct factor two64;

	/* 2^64 */
	(void)cc_div_2by1_u64(&rem, (cc_u64)1 << 14, 0, p, cc_reciprocal_u64(p));
	two64 = constant((int64_t)(rem >> 14), c);
	for (k = 0; k < leaves && !cc_transform_stopped(w, k); k++, x += LEAF, y += LEAF) {
		struct factor r = factor(t, (j * leaves + k) / 2);
		int64_t u[LEAF], v[2 * LEAF]; /* v = r y : y */
		int n;

		for (n = 0; n < LEAF; n++) {
			int64_t ry = times(y[n], r, c);

			u[n] = canonical(x[n], c);
			v[n] = canonical(k & 1 ? -ry : ry, c);
			v[LEAF + n] = canonical(y[n], c);
		}
		for (n = 0; n < LEAF; n++)
			x[n] = times(sum_of_products(u, v + LEAF + n, c, two64), by, c);
	}
}

#include "convolve.h"

static void split(cc_u64 *const *x, const struct cc_field *f, unsigned int primes, size_t length,
		  const cc_word *a, size_t n, unsigned int bits, struct cc_watch *w)
{
	size_t digits = (n * CC_WORD_BITS + bits - 1) / bits, j;
	unsigned int i;

	if (digits > length)
		digits = length;
	for (i = 0; i < primes; i++) {
		const struct constants c = constants_of(&f[i]);
		struct factor b1 = constant(f[i].prime->power[0], &c);
		struct factor b2 = constant(f[i].prime->power[1], &c);

		for (j = 0; j < digits && !cc_transform_stopped(w, j); j++) {
			cc_u64 piece[3][8];

			piece[2][0] = 0;
			cc_digits(piece, 1, a, n, j, bits);
			x[i][j] = piece[0][0] + (cc_u64)times((int64_t)piece[1][0], b1, &c) +
				  (cc_u64)times((int64_t)piece[2][0], b2, &c);
		}
		memset(x[i] + j, 0, (length - j) * sizeof(**x));
	}
}

static void join(cc_word *r, size_t n, cc_u64 *const *x, const struct cc_field *f,
		 unsigned int primes, size_t length, unsigned int bits, struct cc_watch *w)
{
	unsigned int i;
	size_t j;

	for (i = 0; i < primes; i++) {
		const struct constants c = constants_of(&f[i]);

		for (j = 0; j < length && !cc_transform_stopped(w, j); j++)
			x[i][j] = (cc_u64)canonical((int64_t)x[i][j], &c);
	}
	cc_join(r, n, x, primes, length, bits, w);
}

const struct cc_transform_kernels cc_transform_generic = {
	.tier = "generic",
	.leaf = LEAF,
#if CC_WORD_BITS == 64
	.least_mul = 1180,
	.least_sqr = 1320,
#else
	/* products of 64 bits are four each */
	.least_mul = 3000,
	.least_sqr = 4000,
#endif
	STEPS,
};
