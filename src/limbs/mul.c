// SPDX-License-Identifier: MIT
/*
 * Multiplication and squaring of any sizes: schoolbook, and Karatsuba above a threshold
 * (Knuth 4.3.3, in the subtractive form, whose differences always fit their words).
 *
 * With h = ceil(n / 2) and a = a1 B^h + a0, likewise b:
 *   a b = z2 B^2h + (z0 + z2 - (a0 - a1)(b0 - b1)) B^h + z0,  z0 = a0 b0,  z2 = a1 b1.
 */
#include "../platform.h"
#include "kernels.h"
#include "watch.h"

#define NOINLINE __attribute__((__noinline__))

/*
 * r[h] = |a0 - a1| for a = a1 : a0, the upper part of n - h words, h or h - 1;
 * returns whether a0 < a1.
 */
static int half_difference(const struct cc_limbs_kernels *k, cc_word *r, const cc_word *a, size_t h,
			   size_t n)
{
	const cc_word *a1 = a + h;
	size_t l = n - h;

	if (l < h) {
		if (a[l]) {
			r[l] = a[l] - k->sub(r, a, a1, l);
			return 0;
		}
		r[l] = 0;
	}
	if (cc_limbs_cmp(a, a1, l) < 0) {
		k->sub(r, a1, a, l);
		return 1;
	}
	k->sub(r, a, a1, l);
	return 0;
}

/*
 * r = z2 : z0 with 2n words, t[2h] = |(a0 - a1)(b0 - b1)|: adds the middle term into place.
 * The middle term is in [0, 2 B^2h), so its top @carry ends as 0 or 1.
 */
static void put_middle(const struct cc_limbs_kernels *k, cc_word *r, cc_word *t, size_t h, size_t n,
		       int negative)
{
	size_t l = n - h;
	cc_word carry;

	if (negative)
		carry = k->add(t, t, r, 2 * h);
	else
		carry = 0 - k->sub(t, r, t, 2 * h);
	carry += cc_limbs_add_1(t + 2 * l, t + 2 * l, 2 * (h - l), k->add(t, t, r + 2 * h, 2 * l));
	carry += k->add(r + h, r + h, t, 2 * h);
	cc_limbs_add_1(r + 3 * h, r + 3 * h, 2 * n - 3 * h, carry);
}

static void mul_n(const struct cc_limbs_kernels *k, cc_word *r, const cc_word *a, const cc_word *b,
		  size_t n, cc_word *t, struct cc_watch *w)
{
	size_t h = n - n / 2;
	int negative;

	if (n < k->thresholds.karatsuba_mul) {
		k->mul_basecase(r, a, n, b, n);
		return;
	}
	if (cc_watch_step(w, n))
		return;
	negative = half_difference(k, r, a, h, n) ^ half_difference(k, r + h, b, h, n);
	mul_n(k, t, r, r + h, h, t + 2 * h, w);
	mul_n(k, r, a, b, h, t + 2 * h, w);
	mul_n(k, r + 2 * h, a + h, b + h, n - h, t + 2 * h, w);
	if (!cc_watch_stopped(w))
		put_middle(k, r, t, h, n, negative);
}

static void sqr_n(const struct cc_limbs_kernels *k, cc_word *r, const cc_word *a, size_t n,
		  cc_word *t, struct cc_watch *w)
{
	size_t h = n - n / 2;

	if (n < k->thresholds.karatsuba_sqr) {
		k->sqr_basecase(r, a, n);
		return;
	}
	if (cc_watch_step(w, n))
		return;
	half_difference(k, r, a, h, n);
	sqr_n(k, t, r, h, t + 2 * h, w);
	sqr_n(k, r, a, h, t + 2 * h, w);
	sqr_n(k, r + 2 * h, a + h, n - h, t + 2 * h, w);
	if (!cc_watch_stopped(w))
		put_middle(k, r, t, h, n, 0);
}

static void mul_slices(const struct cc_limbs_kernels *k, cc_word *r, const cc_word *a, size_t an,
		       const cc_word *b, size_t bn, cc_word *t, struct cc_watch *w);

static void mul_slice(const struct cc_limbs_kernels *k, cc_word *r, const cc_word *a, size_t slice,
		      const cc_word *b, size_t bn, cc_word *t, struct cc_watch *w)
{
	if (slice < bn)
		mul_slices(k, r, b, bn, a, slice, t, w);
	else if (bn < k->thresholds.karatsuba_mul)
		k->mul_basecase(r, a, slice, b, bn);
	else
		mul_n(k, r, a, b, bn, t, w);
}

/*
 * Without Karatsuba, a longer factor is cut only for the sake of steps, into slices of SLICE times
 * the shorter one's length: where there are many passes over it, and more pairs than a step's.
 */
#define SLICE	   4
#define PASSES	   24
#define STEP_PAIRS ((size_t)CC_STEP_WORDS * CC_STEP_WORDS)

static int is_step(size_t an, size_t bn)
{
	return bn < PASSES || an <= STEP_PAIRS / bn;
}

/* an >= bn >= 1: cuts the longer operand into slices of the shorter one's length. */
static void mul_slices(const struct cc_limbs_kernels *k, cc_word *r, const cc_word *a, size_t an,
		       const cc_word *b, size_t bn, cc_word *t, struct cc_watch *w)
{
	size_t slice = bn;

	if (bn < k->thresholds.karatsuba_mul) {
		if (is_step(an, bn)) {
			k->mul_basecase(r, a, an, b, bn);
			return;
		}
		slice = SLICE * bn;
	}
	mul_slice(k, r, a, slice, b, bn, t, w);
	for (a += slice, r += slice, an -= slice; an; a += slice, r += slice, an -= slice) {
		/* r[bn] holds the product's upper half so far */
		cc_word carry;

		slice = an < slice ? an : slice;
		if (cc_watch_step(w, an))
			return;
		mul_slice(k, t, a, slice, b, bn, t + slice + bn, w);
		if (cc_watch_stopped(w))
			return;
		carry = k->add(r, r, t, bn);
		cc_limbs_add_1(r + bn, t + bn, slice, carry);
	}
}

/*
 * mul_slices() cuts a into slices of s_0 = bn words.  The rest of a, s_1 = an mod s_0 words, is
 * multiplied likewise, in slices of s_1 words, then of s_2 = s_0 mod s_1, ...  Each slice of s
 * words needs 2s for its product.  Karatsuba for the last one needs 2s, and 2 per level, for
 * fewer than CC_WORD_BITS levels.  So with S_j = s_j + ... + s_i + s_i, 2 S_0 + 2 CC_WORD_BITS
 * words suffice.  Slices of SLICE s_0 words need (SLICE + 1) s_0 for their product, and nothing
 * else, for an > 4 s_0.
 *
 * s_j >= s_(j+1) + s_(j+2), also with zeros after s_i.  So S_(j+2) <= s_j, by induction from
 * S_i = 2 s_i <= s_(i-2) and s_i <= s_(i-1) on.  Hence S_1 = s_1 + S_2 <= s_1 + s_0 <= an, and
 * S_0 <= an + bn; and S_0 = s_0 + s_1 + S_2 <= 3 s_0.
 *
 * Both bounds grow with either length, so their minimum does, too.  So does whether any is needed.
 */
size_t cc_limbs_mul_scratch(size_t an, size_t bn)
{
	size_t shorter = an < bn ? an : bn, by_sum = 2 * (an + bn), by_shorter = 6 * shorter;

	if (shorter < cc_thresholds()->karatsuba_mul && is_step(an + bn - shorter, shorter))
		return 0;
	return (by_sum < by_shorter ? by_sum : by_shorter) + 2 * CC_WORD_BITS;
}

static NOINLINE void mul_other(cc_word *r, const cc_word *a, size_t an, const cc_word *b, size_t bn,
			       cc_word *scratch)
{
	const struct cc_limbs_kernels *k = cc_limbs_kernels();

	if (an < bn)
		cc_limbs_mul(r, b, bn, a, an, scratch);
	else if (cc_limbs_is_basecase(k, an, bn))
		k->mul_basecase(r, a, an, b, bn);
	else if (bn)
		mul_slices(k, r, a, an, b, bn, scratch, NULL);
	else if (an)
		memset(r, 0, an * sizeof(*r));
}

/* A small product is a few tests and a jump, without saving registers. */
void cc_limbs_mul(cc_word *r, const cc_word *a, size_t an, const cc_word *b, size_t bn,
		  cc_word *scratch)
{
	const struct cc_limbs_kernels *k = cc_cpu_kernels(CC_FAMILY_LIMBS);

	if (__builtin_expect(cc_limbs_is_few(k, an, bn), 1))
		k->mul_few(r, a, an, b, bn);
	else if (__builtin_expect(cc_limbs_is_basecase(k, an, bn), 1))
		k->mul_basecase(r, a, an, b, bn);
	else
		mul_other(r, a, an, b, bn, scratch);
}

void cc_limbs_mul_watched(cc_word *r, const cc_word *a, size_t an, const cc_word *b, size_t bn,
			  cc_word *scratch, struct cc_watch *w)
{
	if (an < bn)
		cc_limbs_mul_watched(r, b, bn, a, an, scratch, w);
	else if (bn >= cc_thresholds()->karatsuba_mul)
		mul_slices(cc_limbs_kernels(), r, a, an, b, bn, scratch, w);
	else
		cc_limbs_mul(r, a, an, b, bn, scratch);
}

/* 2h words per level, h = ceil(n / 2): levels, and h at each, do not decrease with a longer n. */
size_t cc_limbs_sqr_scratch(size_t n)
{
	size_t words = 0, least = cc_thresholds()->karatsuba_sqr;

	while (n >= least) {
		n -= n / 2;
		words += 2 * n;
	}
	return words;
}

static __attribute__((__noinline__, __cold__)) void sqr_first(cc_word *r, const cc_word *a,
							      size_t n, cc_word *scratch)
{
	(void)cc_limbs_kernels();
	cc_limbs_sqr(r, a, n, scratch);
}

void cc_limbs_sqr(cc_word *r, const cc_word *a, size_t n, cc_word *scratch)
{
	const struct cc_limbs_kernels *k = cc_cpu_kernels(CC_FAMILY_LIMBS);

	if (__builtin_expect(!k, 0))
		sqr_first(r, a, n, scratch);
	else if (n - 1 < CC_FEW - 1)
		k->sqr_few(r, a, n);
	else if (!n)
		return;
	else if (n < k->thresholds.karatsuba_sqr)
		k->sqr_basecase(r, a, n);
	else
		sqr_n(k, r, a, n, scratch, NULL);
}

void cc_limbs_sqr_watched(cc_word *r, const cc_word *a, size_t n, cc_word *scratch,
			  struct cc_watch *w)
{
	if (n >= cc_thresholds()->karatsuba_sqr)
		sqr_n(cc_limbs_kernels(), r, a, n, scratch, w);
	else
		cc_limbs_sqr(r, a, n, scratch);
}
