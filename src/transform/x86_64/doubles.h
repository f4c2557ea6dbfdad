/* SPDX-License-Identifier: MIT */
/*
 * doubles.h - residues in the lanes of double-precision vectors, 53 bits of integers each.
 *
 * A product a b is kept exactly as h + l: h is the rounded product, and l = a b - h is computed
 * by a fused multiply-subtract.  With q the integer nearest to an estimate of a b / p, h - q p is
 * an integer below 2^53, so it is exact, too, and
 *   r = (h - q p) + l = a b - q p.
 * |r| <= (1/2 + e) p, where e is the estimate's error.  With wq = w / p, correctly rounded, and
 * |w| < p / 2, it is |a w / p| 2^-52 < |a| 2^-53 <= |a| / 8 p, for a in units of p < 2^50.
 *
 * The library assumes C's default rounding, to nearest.  A compiler may contract no product with
 * a sum unless the product is exact: all others are operands of fma, or are rounded.
 *
 * A tier must define VECTOR, INTS, LANES, TARGET and, in terms of them, all, load, store, add, sub,
 * product, fmadd (a b + c), fmsub (a b - c), fnmadd (c - a b), divide, nearest and rotate; the
 * conversions; and of integers of 64 bits every, gather, load, store, plus, both, either,
 * left, right, negative, zero, lanes and spread.
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

	return add(fnmadd(q, c->p, h), fmsub(a, w, h));
}

TARGET static inline VECTOR reduce(VECTOR a, const struct constants *c)
{
	return fnmadd(nearest(product(a, c->inverse)), c->p, a);
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

/* The pairs of leaves that are prepared, and then multiplied, so that neither step waits. */
#define PAIRS 8

/* For the pairs of leaves x^LANES - r and x^LANES + r: a, b and +-r b. */
struct leaves {
	VECTOR a[2 * PAIRS], b[2 * PAIRS], rb[2 * PAIRS];
};

/*
 * The product of two leaves: |.| < 5.2 p.
 *
 * a and b are reduced, below 2^49, and r b is below 9/8 2^49.  As in join.h, the sum of four
 * products, each below 2^98 9/8, is rounded to a multiple of 2^50, and the eight rounding errors
 * are at most 2^49 each.  The integer nearest to @upper / p, below 2^51.2, is estimated with an
 * error below 1.1, so upper - q p is exact.
 */
TARGET static inline VECTOR multiply_leaf(const struct leaves *l, unsigned int k,
					  const struct constants *c)
{
	const VECTOR magic = all(0x3p101);
	const ELEMENT *a = (const ELEMENT *)&l->a[k];
	VECTOR b = l->b[k], rb = l->rb[k], upper, odd, lower, q;

	upper = fmadd(all(a[0]), b, magic);
	lower = fmsub(all(a[0]), b, sub(upper, magic));
	odd = magic;
#define TERM(i, to)                                                                                \
	do {                                                                                       \
		VECTOR x = all(a[i]), y = rotate(b, rb, i), sum = fmadd(x, y, to);                 \
                                                                                                   \
		lower = add(lower, fmsub(x, y, sub(sum, to)));                                     \
		to = sum;                                                                          \
	} while (0)
	TERM(1, odd);
	TERM(2, upper);
	TERM(3, odd);
#if LANES == 8
	TERM(4, upper);
	TERM(5, odd);
	TERM(6, upper);
	TERM(7, odd);
#endif
#undef TERM
	upper = add(sub(upper, magic), sub(odd, magic));
	q = nearest(product(upper, c->inverse));
	return add(fnmadd(q, c->p, upper), lower);
}

/* The scale brings leaves to MUL(5.2) < 1.15 p. */
TARGET static void multiply_node(ELEMENT *x, const ELEMENT *y, size_t m, size_t j, struct factor by,
				 const struct table *t, const struct constants *c,
				 struct cc_watch *w)
{
	size_t pairs = m / (2 * LANES), k;
	unsigned int n, count = pairs < PAIRS ? (unsigned int)pairs : PAIRS;
	struct leaves l;

	for (k = 0; k < pairs && !cc_transform_stopped(w, k); k += count) {
		for (n = 0; n < 2 * count; n++) {
			struct factor r = factor(t, j * pairs + k + n / 2);
			VECTOR v = reduce(load(y + n * LANES), c), rv = times(v, r, c);

			l.b[n] = v;
			l.a[n] = x == y ? v : reduce(load(x + n * LANES), c);
			l.rb[n] = n % 2 ? sub(all(0), rv) : rv;
		}
		for (n = 0; n < 2 * count; n++, x += LANES, y += LANES)
			store(x, times(multiply_leaf(&l, n, c), by, c));
	}
}

#include "../convolve.h"

/* Pieces of 48 bits; the last one has the rest. */
TARGET static void split(cc_u64 *const *x, const struct cc_field *f, unsigned int primes,
			 size_t length, const cc_word *a, size_t n, unsigned int bits,
			 struct cc_watch *w)
{
	const unsigned char *bytes = (const unsigned char *)a;
	size_t digits = (n * CC_WORD_BITS + bits - 1) / bits, j, at;
	size_t step = LANES * bits / 8, size = n * sizeof(*a);
	unsigned int pieces = (bits + CC_PIECE_BITS - 1) / CC_PIECE_BITS, i;
	INTS mask = every(((cc_u64)1 << CC_PIECE_BITS) - 1);
	INTS last = every(((cc_u64)1 << (bits - (pieces - 1) * CC_PIECE_BITS)) - 1);
	struct constants c[CC_PRIMES];
	struct factor power[CC_PRIMES][2];

	for (i = 0; i < primes; i++) {
		c[i] = constants_of(&f[i]);
		power[i][0] = constant(f[i].prime->power[0], &c[i]);
		power[i][1] = constant(f[i].prime->power[1], &c[i]);
	}
	if (digits > length)
		digits = length;
	for (j = 0, at = 0; j < digits && !cc_transform_stopped(w, j); j += LANES, at += step) {
		VECTOR v0, v1, v2;
		INTS piece[3];

		if (at + step + sizeof(cc_u64) <= size) {
			const unsigned char *from = bytes + at;

			piece[0] = both(gather(from, bits / 8), mask);
			piece[1] = gather(from + CC_PIECE_BITS / 8, bits / 8);
			piece[1] = both(piece[1], pieces == 3 ? mask : last);
			piece[2] = piece[1];
			if (pieces == 3)
				piece[2] = both(gather(from + CC_PIECE_BITS / 4, bits / 8), last);
		} else {
			cc_u64 some[3][8] = {{0}};

			cc_digits(some, LANES, a, n, j, bits);
			for (i = 0; i < 3; i++)
				piece[i] = load_integers(some[i]);
		}
		v0 = from_integers(piece[0]);
		v1 = from_integers(piece[1]);
		v2 = from_integers(piece[2]);
		for (i = 0; i < primes; i++) {
			VECTOR v = add(v0, times(v1, power[i][0], &c[i]));

			if (pieces == 3)
				v = add(v, times(v2, power[i][1], &c[i]));
			store((ELEMENT *)x[i] + j, v);
		}
	}
	for (i = 0; i < primes; i++)
		memset(x[i] + j, 0, (length - j) * sizeof(**x));
}
