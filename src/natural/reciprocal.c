// SPDX-License-Identifier: MIT
/*
 * The reciprocal of the divisor's top words, by Newton's iteration, and with it the quotient, in
 * blocks (Barrett; Brent and Zimmermann, Modern Computer Arithmetic, 2.4.1 and 3.4.1).
 * Reciprocal and divisor are transformed once for all blocks.
 */
#include "reciprocal.h"

#include "../limbs/kernels.h"
#include "../transform/transform.h"

/* Shorter reciprocals are computed by a division. */
#define INVERT_RECURSIVE 300

/* The quotient's words per block: all of a short one, or half of it if two halves are cheaper. */
static size_t block_words(size_t m, size_t n)
{
	size_t blocks = m > n ? (m + n - 1) / n : m > n / 3 ? 2 : 1;

	return (m + blocks - 1) / blocks;
}

/* The least length of a block, in words. */
static size_t least_block(void)
{
	return 2 * cc_natural_transform_mul();
}

int cc_reciprocal_wins(size_t m, size_t n)
{
	size_t least = least_block();

	return m >= least && n >= least && block_words(m, n) >= least;
}

/* The scratch of reciprocals of up to n words, by Newton, and at the end by a division. */
static size_t invert_scratch(size_t n)
{
	size_t last = n < INVERT_RECURSIVE ? n : INVERT_RECURSIVE - 1;
	size_t newton = cc_natural_mul_scratch(n, n);
	size_t divide = cc_natural_divrem_scratch(2 * last, last);

	return 4 * n + 4 + (newton > divide ? newton : divide);
}

/*
 * x[n] with a X < B^2n < a (X + 2) for X = B^n + x, and a[n - 1] >= B / 2: algorithm 3.5 there,
 * with its lemma 3.4.
 */
static void invert(cc_word *x, const cc_word *a, size_t n, cc_word *t, struct cc_watch *w)
{
	const struct cc_limbs_kernels *k = cc_limbs_kernels();
	size_t l = (n - 1) / 2, h = n - l, i;
	cc_word *xh = x + l, *u = t + n + h, top, carry;

	if (n < INVERT_RECURSIVE) {
		/* ((B^n - 1 - a) B^n + B^n - 1) / a, below B^n */
		memset(t, 0xff, n * sizeof(*t));
		for (i = 0; i < n; i++)
			t[n + i] = ~a[i];
		u = t + 2 * n;
		cc_natural_divrem_watched(u, t, t, 2 * n, a, n, u + n + 1, w);
		memcpy(x, u, n * sizeof(*x));
		return;
	}
	invert(xh, a + l, h, t, w);
	/* t = a X_h, at most a little above B^(n + h), and then its complement: below 2 B^n */
	cc_natural_mul_watched(t, a, n, xh, h, u, w);
	if (cc_watch_stopped(w))
		return;
	top = k->add(t + h, t + h, a, n);
	while (top) {
		cc_limbs_sub_1(xh, xh, h, 1);
		top -= cc_limbs_sub_1(t + n, t + n, h, k->sub(t, t, a, n));
	}
	/* its words from l on; the carry from those below is 1 only if they are all 0 */
	carry = !cc_limbs_normalise(t, l);
	for (i = l; i < n; i++) {
		t[i] = ~t[i] + carry;
		carry &= !t[i];
	}
	top = ~t[n] + carry;
	/* times X_h */
	cc_natural_mul_watched(u, t + l, h, xh, h, u + 2 * h, w);
	if (cc_watch_stopped(w))
		return;
	carry = k->add(u + h, u + h, t + l, h);
	if (top)
		carry += 1 + k->add(u + h, u + h, xh, h);
	memcpy(x, u + 2 * h - l, l * sizeof(*x));
	cc_limbs_add_1(xh, xh, h, carry);
}

/* A factor whose transform is kept. */
struct factor {
	struct cc_transform t;
	cc_word *residues;
};

/* Transforms a[n], for products by at most @most words; returns the scratch after it. */
static cc_word *keep(struct factor *f, const cc_word *a, size_t n, size_t most, cc_word *store,
		     struct cc_watch *w)
{
	cc_transform_plan(&f->t, n, most);
	cc_transform_open(&f->t, store, w);
	f->residues = store + cc_transform_table_words(&f->t);
	cc_transform_forward(&f->t, f->residues, a, n, w);
	return f->residues + cc_transform_words(&f->t);
}

/* r[rn] = b[bn] times the factor */
static void multiply(cc_word *r, size_t rn, const cc_word *b, size_t bn, const struct factor *f,
		     cc_word *work, struct cc_watch *w)
{
	cc_transform_times(&f->t, r, rn, b, bn, work, f->residues, w);
}

/*
 * For a quotient of m words by n <= dn, m + n <= an + 1, a block has k words:
 *   k <= n, and k <= n / 3 or k <= (m + 1) / 2, by block_words().  In the second case
 *   3k <= n + 2k <= m + n + 1 <= an + 2; in the first 3k <= n <= an.
 *   n + k <= 2n, and n + k <= m + n <= an + 1.
 * So k and n + k have bounds that grow with an and dn, and so do all terms below.
 */
size_t cc_reciprocal_scratch(size_t an, size_t dn)
{
	size_t third = (an + 2) / 3, k = third < dn ? third : dn;
	size_t sum = an + 1 < 2 * dn ? an + 1 : 2 * dn, invert, kept;

	/* short ones needn't ask */
	if (k < CC_TRANSFORM_LEAST || k < least_block())
		return 0;
	invert = invert_scratch(k);
	kept = cc_transform_scratch(2 * k, 1) + cc_transform_scratch(sum, 2) + sum;
	return k + (invert > kept ? invert : kept);
}

/*
 * With a = d's top k words and X = B^k + x its reciprocal as above, y the top k words of the
 * remainder so far, y <= a, and q' = floor(y X / B^(2k - j)), j <= k: for the quotient q of
 * j words
 *   q < (y + 1) B^j / a < (y + 1) (X + 2) B^(j - 2k) < q' + 1 + (2y + X + 2) B^(j - 2k), and
 *   q' < y B^j / a < q + 1 + y B^j / (a (a + 1)) < q + 3,
 * so that q' is at most 5 too small or 2 too large; and it is below B^j, as a X < B^2k.
 */
void cc_divide_by_reciprocal(cc_word *q, cc_word *a, size_t m, const cc_word *d, size_t n,
			     cc_word *t, struct cc_watch *w)
{
	const struct cc_limbs_kernels *limbs = cc_limbs_kernels();
	size_t k = block_words(m, n), j;
	struct factor by_x, by_d;
	cc_word *x = t, *p, *work;

	t += k;
	invert(x, d + n - k, k, t, w);
	p = keep(&by_x, x, k, k, t, w);
	p = keep(&by_d, d, n, k, p, w);
	work = p + n + k;
	for (j = m % k ? m % k : k; m; j = k) {
		cc_word *y;

		m -= j;
		y = a + m + j + n - k;
		multiply(p, 2 * k, y, k, &by_x, work, w);
		if (cc_watch_stopped(w))
			return;
		limbs->add(p + k, p + k, y, k);
		memcpy(q + m, p + 2 * k - j, j * sizeof(*q));
		multiply(p, n + j, q + m, j, &by_d, work, w);
		if (cc_watch_stopped(w))
			return;
		/* the remainder's top word is signed */
		y = a + m + n;
		limbs->sub(a + m, a + m, p, n + 1);
		while (*y >> (CC_WORD_BITS - 1)) {
			cc_limbs_sub_1(q + m, q + m, j, 1);
			*y += limbs->add(a + m, a + m, d, n);
		}
		while (*y || cc_limbs_cmp(a + m, d, n) >= 0) {
			cc_limbs_add_1(q + m, q + m, j, 1);
			*y -= limbs->sub(a + m, a + m, d, n);
		}
	}
}
