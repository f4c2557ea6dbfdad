/* SPDX-License-Identifier: MIT */
/*
 * doubles.h - residues in the lanes of double-precision vectors, 53 bits of integers each.
 *
 * A product a b is kept whole as h + l, h rounded and l = a b - h what fused
 * multiply-and-subtract leaves of it.  With q the integer next to an estimate of
 * a b / p, h - q p is an integer below 2^53, so that it is exact too, and
 *   r = (h - q p) + l = a b - q p.
 * |r| <= (1/2 + e) p, where e is the estimate's error: from wq = w / p, correctly rounded, and
 * |w| < p / 2 it is |a w / p| 2^-52 < |a| 2^-53 <= |a| / 8 p, a counted in p < 2^50.
 * From h / p it is 3 |a b / p| 2^-53: 3/8 |a b|, both counted in p.
 *
 * The library is compiled for the rounding that C begins with, to nearest.  No product
 * stands where a compiler may contract it with a sum: they go into fma, or are rounded.
 *
 * A tier defines VECTOR, LANES, TARGET and, in terms of them, all, load, store, add, sub,
 * product, fms (a b - c), fnma (c - a b), divide, nearest, rotate and the conversions.
 */

struct constants {
	VECTOR p, inverse;
};

TARGET static inline struct constants constants_of(const struct cc_field *f)
{
	VECTOR p = all((double)f->prime->p);

	return (struct constants){p, divide(all(1), p)};
}

TARGET static inline VECTOR quotient(VECTOR w, const struct constants *c)
{
	return divide(w, c->p);
}

TARGET static inline VECTOR mul(VECTOR a, VECTOR w, VECTOR wq, const struct constants *c)
{
	VECTOR h = product(a, w), q = nearest(product(a, wq));

	return add(fnma(q, c->p, h), fms(a, w, h));
}

TARGET static inline VECTOR mul_any(VECTOR a, VECTOR b, const struct constants *c)
{
	VECTOR h = product(a, b), q = nearest(product(h, c->inverse));

	return add(fnma(q, c->p, h), fms(a, b, h));
}

TARGET static inline VECTOR reduce(VECTOR a, const struct constants *c)
{
	return fnma(nearest(product(a, c->inverse)), c->p, a);
}

/* a test leaves it out */
#ifndef trim
#define trim reduce
#endif

#include "../passes.h"

#include "../digits.h"

TARGET static void table(const struct cc_field *f, size_t count, struct cc_watch *watch)
{
	const struct constants c = constants_of(f);
	ELEMENT *w = (ELEMENT *)f->w, *wq = (ELEMENT *)f->wq;
	size_t filled, i;
	unsigned int t;

	w[0] = 1;
	wq[0] = 1 / (double)f->prime->p;
	for (filled = 1, t = 0; filled < count; filled *= 2, t++) {
		struct factor by = constant(f->prime->root[t], &c);
		size_t more = count - filled < filled ? count - filled : filled;

		if (filled < LANES) {
			for (i = 0; i < more; i++) {
				ELEMENT some[LANES];

				store(some, reduce(times(all(w[i]), by, &c), &c));
				w[filled + i] = some[0];
				store(some, quotient(all(w[filled + i]), &c));
				wq[filled + i] = some[0];
			}
			continue;
		}
		for (i = 0; i < more && !cc_transform_stopped(watch, i); i += LANES) {
			VECTOR v = reduce(times(load(w + i), by, &c), &c);

			store(w + filled + i, v);
			store(wq + filled + i, quotient(v, &c));
		}
	}
}

/* The product of two leaves modulo x^LANES - r. */
TARGET static inline VECTOR multiply_leaf(VECTOR a, VECTOR b, VECTOR rb, const struct constants *c)
{
	ELEMENT some[LANES];
	VECTOR sum;

	store(some, a);
	sum = mul_any(all(some[0]), b, c);
#define TERM(i) sum = add(sum, mul_any(all(some[i]), rotate(b, rb, i), c))
	TERM(1);
	TERM(2);
	TERM(3);
#if LANES == 8
	TERM(4);
	TERM(5);
	TERM(6);
	TERM(7);
#endif
#undef TERM
	return sum;
}

/*
 * Both factors are reduced: a term is at most (1/2 + 3/32) p, or with r b, up to MUL(1/2),
 * (1/2 + 0.106) p, and eight are below 5 p, which the scale brings to MUL(5) < 1.13 p.
 */
TARGET static void multiply(const struct cc_field *f, cc_u64 *x, const cc_u64 *y,
			    const struct cc_ring *ring, const int64_t *scale, struct cc_watch *w)
{
	const struct constants c = constants_of(f);
	const struct table t = {(const ELEMENT *)f->w, (const ELEMENT *)f->wq};
	unsigned int i;
	size_t k;

	for (i = 0; i < ring->nodes; i++) {
		const struct cc_node *node = &ring->node[i];
		struct factor by = constant(scale[i], &c);
		ELEMENT *a = (ELEMENT *)x + node->at;
		const ELEMENT *b = (const ELEMENT *)y + node->at;
		size_t pairs = node->m / (2 * LANES);

		for (k = 0; k < pairs && !cc_transform_stopped(w, k);
		     k++, a += 2 * LANES, b += 2 * LANES) {
			struct factor r = factor(&t, node->j * pairs + k);
			VECTOR b0 = reduce(load(b), &c), b1 = reduce(load(b + LANES), &c);
			VECTOR a0 = reduce(load(a), &c), a1 = reduce(load(a + LANES), &c);
			VECTOR r0 = times(b0, r, &c), r1 = sub(all(0), times(b1, r, &c));

			store(a, times(multiply_leaf(a0, b0, r0, &c), by, &c));
			store(a + LANES, times(multiply_leaf(a1, b1, r1, &c), by, &c));
		}
	}
}

/* Pieces of 48 bits, the last of what is left. */
TARGET static void split(cc_u64 *const *x, const struct cc_field *f, unsigned int primes,
			 size_t length, const cc_word *a, size_t n, unsigned int bits,
			 struct cc_watch *w)
{
	size_t digits = (n * CC_WORD_BITS + bits - 1) / bits, j;
	unsigned int pieces = (bits + 47) / 48, i;

	if (digits > length)
		digits = length;
	for (j = 0; j < digits && !cc_transform_stopped(w, j); j += LANES) {
		cc_u64 piece[3][8];
		VECTOR v0, v1, v2;

		cc_digits(piece, LANES, a, n, j, bits);
		v0 = from_piece(piece[0]);
		v1 = from_piece(piece[1]);
		v2 = pieces == 3 ? from_piece(piece[2]) : v1;
		for (i = 0; i < primes; i++) {
			const struct constants c = constants_of(&f[i]);
			const int64_t *power = f[i].prime->power;
			VECTOR v = add(v0, times(v1, constant(power[0], &c), &c));

			if (pieces == 3)
				v = add(v, times(v2, constant(power[1], &c), &c));
			store((ELEMENT *)x[i] + j, v);
		}
	}
	for (i = 0; i < primes; i++)
		memset(x[i] + j, 0, (length - j) * sizeof(**x));
}

TARGET static void join(cc_word *r, size_t n, cc_u64 *const *x, const struct cc_field *f,
			unsigned int primes, size_t length, unsigned int bits, struct cc_watch *w)
{
	unsigned int i;
	size_t j;

	for (i = 0; i < primes; i++) {
		const struct constants c = constants_of(&f[i]);

		for (j = 0; j < length && !cc_transform_stopped(w, j); j += LANES)
			to_integers(x[i] + j, reduce(load((ELEMENT *)x[i] + j), &c), c.p);
	}
	cc_join(r, n, x, primes, length, bits, w);
}
