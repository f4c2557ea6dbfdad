// SPDX-License-Identifier: MIT
/*
 * Products modulo m.  Up to a few words, product and reduction are one loop, by fixed/'s kernels or
 * the one below.  Then a row for each word clears it, until two products by 1 / m modulo B^n and by
 * m are faster than so many rows.
 */
#include "residues.h"

#include "../limbs/divide.h"
#include "../limbs/kernels.h"

#if CC_BUILD_FIXED
#include "../fixed/kernels.h"
#endif

/* From so many words on, two products are faster than rows: by multiply-adds, and by rows. */
#define PRODUCTS_DIGITS 24
#define PRODUCTS_WORDS	100

/* Of the loop below. */
#define FUSED 6

/* *high : returned = a b + c + *high, at most B^2 - 1 */
static inline cc_word step(cc_word a, cc_word b, cc_word c, cc_word *high)
{
	cc_word above, low = cc_word_mul(&above, a, b);

	low += c;
	above += low < c;
	low += *high;
	*high = above + (low < *high);
	return low;
}

/* A word of b and one of the quotient at a time (HAC 14.36). */
static inline __attribute__((__always_inline__)) void
fused(cc_word *r, const cc_word *a, const cc_word *b, const cc_word *m, size_t n, cc_word inverse)
{
	cc_word t[FUSED], above = 0, borrow = 0, less;
	size_t i, j;

#pragma GCC unroll 8
	for (j = 0; j < n; j++)
		t[j] = 0;
#pragma GCC unroll 8
	for (i = 0; i < n; i++) {
		cc_word of_ab = 0, of_qm = 0, low = step(a[0], b[i], t[0], &of_ab);
		cc_word q = low * inverse;

		step(q, m[0], low, &of_qm);
#pragma GCC unroll 8
		for (j = 1; j < n; j++) {
			low = step(a[j], b[i], t[j], &of_ab);
			t[j - 1] = step(q, m[j], low, &of_qm);
		}
		/* t < 2m < 2 B^n */
		t[n - 1] = cc_word_add(of_ab, of_qm, &above);
	}
#pragma GCC unroll 8
	for (j = 0; j < n; j++)
		r[j] = cc_word_sub(t[j], m[j], &borrow);
	less = 0 - (borrow & ~above);
#pragma GCC unroll 8
	for (j = 0; j < n; j++)
		r[j] = (t[j] & less) | (r[j] & ~less);
}

#define FUSED_OF(words)                                                                            \
	static void fused_##words(cc_word *r, const cc_word *a, const cc_word *b,                  \
				  const cc_word *m, size_t n, cc_word inverse)                     \
	{                                                                                          \
		(void)n;                                                                           \
		fused(r, a, b, m, words, inverse);                                                 \
	}
FUSED_OF(2)
FUSED_OF(3)
FUSED_OF(4)
FUSED_OF(5)
FUSED_OF(6)

static cc_residues_mul_fn *fused_for(size_t n)
{
	static cc_residues_mul_fn *const loops[] = {fused_2, fused_3, fused_4, fused_5, fused_6};

#if CC_BUILD_FIXED
	if (n <= CC_FIXED_MONT_MOST && cc_fixed_kernels()->mont_mul[n])
		return cc_fixed_kernels()->mont_mul[n];
#endif
	return n <= FUSED ? loops[n - 2] : NULL;
}

/* r[n] = 1 / m[n] modulo B^n for odd m, by Newton's steps from a word on; t for reduce_by_products
 */
static void invert(cc_word *r, const cc_word *m, size_t n, cc_word *t, struct cc_watch *w)
{
	size_t ends[CC_WORD_BITS], steps = 0, k = 1, next;

	for (next = n; next > 1; next -= next / 2)
		ends[steps++] = next;
	r[0] = cc_limbs_inverse(m[0]);
	while (steps && !cc_watch_step(w, 2 * k)) {
		next = ends[--steps];
		/* r m = 1 + e B^k, and 1 / m = r - r e B^k modulo B^next */
		cc_natural_mul_watched(t, m, next, r, k, t + 2 * n, w);
		if (cc_watch_stopped(w))
			return;
		cc_natural_mul_watched(t + next, t + k, next - k, r, k, t + 2 * n + next, w);
		memset(r + k, 0, (next - k) * sizeof(*r));
		cc_limbs_sub(r + k, r + k, t + next, next - k);
		k = next;
	}
}

size_t cc_residues_words(size_t n)
{
	size_t division = 2 * n + 1 + cc_natural_divrem_scratch(2 * n, n);
	size_t products = 4 * n + cc_natural_mul_scratch(n, n);

	return 3 * n + cc_larger(cc_larger(division, products), cc_natural_sqr_scratch(n));
}

void cc_residues_init(struct cc_residues *residues, const cc_word *m, size_t n, int montgomery,
		      cc_word *memory, struct cc_watch *w)
{
	size_t products = cc_thresholds()->transform_mul ? PRODUCTS_DIGITS : PRODUCTS_WORDS;

	*residues = (struct cc_residues){.m = m, .n = n, .w = w};
	residues->product = memory + n;
	residues->t = residues->product + 2 * n;
	if (!montgomery || !(m[0] & 1))
		return;
	residues->minus_inverse = 0 - cc_limbs_inverse(m[0]);
	residues->fused = fused_for(n);
	if (n < products)
		return;
	invert(memory, m, n, residues->product, w);
	residues->inverse = memory;
}

/* r = the product modulo m by division */
static void divide(cc_word *r, struct cc_residues *m)
{
	size_t n = m->n;

	cc_natural_divrem_watched(m->t, r, m->product, 2 * n, m->m, n, m->t + n + 1, m->w);
}

/*
 * r = the product / B^n: the multiple q m of the modulus, q = product / m modulo B^n, has the same
 * low words; what is left of the high ones, which are below m, is their difference.
 */
static void reduce_by_products(cc_word *r, struct cc_residues *m)
{
	size_t n = m->n;
	cc_word *q = m->t, *of_q = q + 2 * n, *work = of_q + 2 * n;

	cc_natural_mul_watched(q, m->product, n, m->inverse, n, work, m->w);
	if (cc_watch_stopped(m->w))
		return;
	cc_natural_mul_watched(of_q, q, n, m->m, n, work, m->w);
	if (cc_limbs_sub(r, m->product + n, of_q + n, n))
		cc_limbs_add(r, r, m->m, n);
}

static void reduce_by_rows(cc_word *r, struct cc_residues *m)
{
	const struct cc_limbs_kernels *k = cc_limbs_kernels();
	cc_word *p = m->product;
	size_t n = m->n, i;

	/* what each row carries out belongs n words above, in the place that it has made zero */
	for (i = 0; i < n; i++)
		p[i] = k->addmul_1(p + i, m->m, n, p[i] * m->minus_inverse);
	if (k->add(r, p + n, p, n) || cc_limbs_cmp(r, m->m, n) >= 0)
		k->sub(r, r, m->m, n);
}

static void reduce(cc_word *r, struct cc_residues *m)
{
	if (!m->minus_inverse)
		divide(r, m);
	else if (m->inverse)
		reduce_by_products(r, m);
	else
		reduce_by_rows(r, m);
}

void cc_residues_to(cc_word *r, const cc_word *b, size_t bn, struct cc_residues *m)
{
	size_t n = m->n, shift = m->minus_inverse ? n : 0;

	memset(m->product, 0, 2 * n * sizeof(*r));
	memcpy(m->product + shift, b, bn * sizeof(*r));
	divide(r, m);
}

void cc_residues_from(cc_word *r, struct cc_residues *m)
{
	if (!m->minus_inverse)
		return;
	memcpy(m->product, r, m->n * sizeof(*r));
	memset(m->product + m->n, 0, m->n * sizeof(*r));
	reduce(r, m);
}

/* Many short products are long work. */
static int stops(struct cc_residues *m)
{
	m->work += 2 * m->n * m->n;
	if (m->work < CC_STEP_WORDS * CC_STEP_WORDS)
		return cc_watch_stopped(m->w);
	m->work = 0;
	return cc_watch_step(m->w, CC_STEP_WORDS);
}

void cc_residues_mul(cc_word *r, const cc_word *a, const cc_word *b, struct cc_residues *m)
{
	if (stops(m))
		return;
	if (m->fused) {
		m->fused(r, a, b, m->m, m->n, m->minus_inverse);
		return;
	}
	cc_natural_mul_watched(m->product, a, m->n, b, m->n, m->t, m->w);
	if (!cc_watch_stopped(m->w))
		reduce(r, m);
}

void cc_residues_sqr(cc_word *r, const cc_word *a, struct cc_residues *m)
{
	if (stops(m))
		return;
	if (m->fused) {
		m->fused(r, a, a, m->m, m->n, m->minus_inverse);
		return;
	}
	cc_natural_sqr_watched(m->product, a, m->n, m->t, m->w);
	if (!cc_watch_stopped(m->w))
		reduce(r, m);
}
