// SPDX-License-Identifier: MIT
/* Products: by limbs/, and above its lengths by transforms. */
#include "product.h"

#include "../limbs/kernels.h"
#include "../transform/transform.h"

/* A longer factor is cut into slices of this many times the shorter one's length. */
#define SLICE 3

size_t cc_natural_transform_mul(void)
{
	size_t least = cc_transform_kernels()->least_mul;
	size_t of_limbs = cc_thresholds()->transform_mul;

	return least > of_limbs ? least : of_limbs;
}

size_t cc_natural_transform_sqr(void)
{
	size_t least = cc_transform_kernels()->least_sqr;
	size_t of_limbs = cc_thresholds()->transform_sqr;

	return least > of_limbs ? least : of_limbs;
}

static int worth_mul(size_t shorter)
{
	return shorter >= CC_TRANSFORM_LEAST && shorter >= cc_natural_transform_mul();
}

static int worth_sqr(size_t n)
{
	return n >= CC_TRANSFORM_LEAST && n >= cc_natural_transform_sqr();
}

/* x[] and y[] are residues, the table before them. */
struct product {
	struct cc_transform t;
	cc_word *x, *y, *rest;
};

static void open_product(struct product *p, size_t an, size_t bn, cc_word *scratch,
			 struct cc_watch *w)
{
	cc_transform_plan(&p->t, an, bn);
	cc_transform_open(&p->t, scratch, w);
	p->x = scratch + cc_transform_table_words(&p->t);
	p->y = p->x + cc_transform_words(&p->t);
	p->rest = p->y + cc_transform_words(&p->t);
}

/* an >= bn */
static void mul_slices(cc_word *r, const cc_word *a, size_t an, const cc_word *b, size_t bn,
		       cc_word *scratch, struct cc_watch *w)
{
	size_t slice = SLICE * bn;
	struct product p;
	cc_word *t;

	open_product(&p, slice, bn, scratch, w);
	t = p.rest;
	cc_transform_forward(&p.t, p.y, b, bn, w);
	/* r[bn] holds the product's upper part so far */
	memset(r, 0, bn * sizeof(*r));
	for (; an; a += slice, r += slice, an -= slice) {
		slice = slice < an ? slice : an;
		cc_transform_times(&p.t, t, slice + bn, a, slice, p.x, p.y, w);
		if (cc_watch_stopped(w))
			return;
		cc_limbs_add_1(r + bn, t + bn, slice, cc_limbs_add(r, r, t, bn));
	}
}

void cc_natural_mul_watched(cc_word *r, const cc_word *a, size_t an, const cc_word *b, size_t bn,
			    cc_word *scratch, struct cc_watch *w)
{
	struct product p;

	if (an < bn) {
		cc_natural_mul_watched(r, b, bn, a, an, scratch, w);
		return;
	}
	if (!worth_mul(bn)) {
		cc_limbs_mul_watched(r, a, an, b, bn, scratch, w);
		return;
	}
	if (cc_watch_step(w, bn))
		return;
	if (an > (SLICE + 1) * bn) {
		mul_slices(r, a, an, b, bn, scratch, w);
		return;
	}
	open_product(&p, an, bn, scratch, w);
	cc_transform_forward(&p.t, p.y, b, bn, w);
	cc_transform_times(&p.t, r, an + bn, a, an, p.x, p.y, w);
}

void cc_natural_mul(cc_word *r, const cc_word *a, size_t an, const cc_word *b, size_t bn,
		    cc_word *scratch)
{
	const struct cc_limbs_kernels *k = cc_cpu_kernels(CC_FAMILY_LIMBS);

	/* as in cc_limbs_mul(), without another jump */
	if (__builtin_expect(cc_limbs_is_few(k, an, bn), 1))
		k->mul_few(r, a, an, b, bn);
	else if (__builtin_expect(cc_limbs_is_basecase(k, an, bn), 1))
		k->mul_basecase(r, a, an, b, bn);
	else if (an < CC_TRANSFORM_LEAST || bn < CC_TRANSFORM_LEAST)
		cc_limbs_mul(r, a, an, b, bn, scratch);
	else
		cc_natural_mul_watched(r, a, an, b, bn, scratch, NULL);
}

/*
 * A product of a factor that is longer than SLICE + 2 times the shorter one is made of slices, of
 * SLICE + 1 times its length, with a separate product of that length.  That needs no more than one
 * of SLICE + 2 times the length, whose transforms take 2 / 16 of a slot per bit.  So the scratch
 * grows with the sum of the lengths and with the shorter one.  limbs/ needs less: 6 words for each
 * of the shorter one's, not 20.
 */
size_t cc_natural_mul_scratch(size_t an, size_t bn)
{
	size_t shorter = an < bn ? an : bn, sum = an + bn, slices = (SLICE + 2) * shorter;

	if (!worth_mul(shorter))
		return cc_limbs_mul_scratch(an, bn);
	return cc_transform_scratch(sum < slices ? sum : slices, 2);
}

void cc_natural_sqr_watched(cc_word *r, const cc_word *a, size_t n, cc_word *scratch,
			    struct cc_watch *w)
{
	struct product p;

	if (!worth_sqr(n)) {
		cc_limbs_sqr_watched(r, a, n, scratch, w);
		return;
	}
	if (cc_watch_step(w, n))
		return;
	open_product(&p, n, n, scratch, w);
	cc_transform_times(&p.t, r, 2 * n, a, n, p.x, p.x, w);
}

void cc_natural_sqr(cc_word *r, const cc_word *a, size_t n, cc_word *scratch)
{
	const struct cc_limbs_kernels *k = cc_cpu_kernels(CC_FAMILY_LIMBS);

	/* likewise */
	if (__builtin_expect(k && n - 1 < CC_FEW - 1, 1))
		k->sqr_few(r, a, n);
	else if (n < CC_TRANSFORM_LEAST)
		cc_limbs_sqr(r, a, n, scratch);
	else
		cc_natural_sqr_watched(r, a, n, scratch, NULL);
}

/* Transforms need 12 words per word of n, limbs/ at most 2, and 2 per level. */
size_t cc_natural_sqr_scratch(size_t n)
{
	if (!worth_sqr(n))
		return cc_limbs_sqr_scratch(n);
	return cc_transform_scratch(2 * n, 1);
}
