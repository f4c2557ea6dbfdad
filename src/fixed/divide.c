// SPDX-License-Identifier: MIT
/*
 * Division in constant time: Knuth's algorithm D, one word at a time, in which every
 * correction is made by a mask, and the divisor is normalised by a secret shift.
 *
 * With s leading zeros in d, the remainder so far is kept as R = (the remainder) 2^s, below
 * D = d 2^s, and a step brings in the dividend's next word w:
 * the window W = R B + w 2^s is below D B, since R <= D - 2^s and w 2^s <= (B - 1) 2^s.
 * The quotient digit is estimated from the window's top three words and D's top two
 * (Moeller and Granlund 2011, algorithm 5): it is right or one too large.
 */
#include "divide.h"

#include <carrychain/limbs.h>

#include "mask.h"

/*
 * floor((B^3 - 1) / (d1 : d0)) - B for d1 with its top bit set.  The machine's division takes time
 * by its operands; so Newton's iteration for y = B^2 / 2 d1, from c B - d1, c = sqrt(12) - 2, which
 * is within 7.2%.  Each step squares the error, rounds down, and loses less than 5.  So at most 15
 * are missing in the end, and 2 (y - 2) is too small by less than 34, which the remainder tells.
 */
static cc_word reciprocal(cc_word d1, cc_word d0)
{
	cc_word y = (cc_word)((uint64_t)0x76cf5d0b09954e80 >> (64 - CC_WORD_BITS)) - d1, high;
	cc_word v, p0, p1, p2, more, q, q0, q1, q2, carry = 0, above, last;
	unsigned int bits;

	for (bits = 4; bits < CC_WORD_BITS; bits *= 2) {
		cc_word_mul(&high, y, d1);
		cc_word_mul(&high, y, ~high);
		y = 2 * high;
	}
	y -= 2;
	v = 2 * y;
	/* p = B^3 - 1 - (v or B + v) (d1 : d0) */
	above = cc_mask(y >> (CC_WORD_BITS - 1));
	p0 = cc_word_mul(&p1, v, d0);
	q0 = cc_word_mul(&p2, v, d1);
	p1 = cc_word_add(p1, q0, &carry);
	p2 += carry;
	carry = 0;
	p1 = cc_word_add(p1, above & d0, &carry);
	p2 += (above & d1) + carry;
	p0 = ~p0;
	p1 = ~p1;
	p2 = ~p2;
	/* the quotient, or one less */
	more = p2 << (CC_WORD_BITS - 6) | p1 >> 6;
	cc_word_mul(&q, more, y);
	q >>= CC_WORD_BITS - 7;
	q0 = cc_word_mul(&q1, q, d0);
	last = cc_word_mul(&q2, q, d1);
	carry = 0;
	q1 = cc_word_add(q1, last, &carry);
	q2 += carry;
	carry = 0;
	p0 = cc_word_sub(p0, q0, &carry);
	p1 = cc_word_sub(p1, q1, &carry);
	p2 -= q2 + carry;
	carry = 0;
	cc_word_sub(p0, d0, &carry);
	cc_word_sub(p1, d1, &carry);
	return v + q + (p2 | (carry ^ 1));
}

/* The quotient's estimate; (u2 : u1) <= (d1 : d0) */
static cc_word estimate(const struct cc_fixed_divisor *k, cc_word u2, cc_word u1, cc_word u0)
{
	cc_word top = cc_mask_eq(u2, k->d1) & cc_mask_eq(u1, k->d0);
	cc_word q1, q0 = cc_word_mul(&q1, k->v, u2), t1, t0, r1, r0, carry = 0, fix;

	q0 = cc_word_add(q0, u1, &carry);
	q1 = cc_word_add(q1, u2, &carry);
	t0 = cc_word_mul(&t1, k->d0, q1);
	r1 = u1 - q1 * k->d1;
	carry = 0;
	r0 = cc_word_sub(u0, t0, &carry);
	r1 -= t1 + carry;
	carry = 0;
	r0 = cc_word_sub(r0, k->d0, &carry);
	r1 -= k->d1 + carry;
	q1++;
	fix = ~cc_mask_lt(r1, q0);
	q1 += fix;
	carry = 0;
	r0 = cc_word_add(r0, fix & k->d0, &carry);
	r1 += (fix & k->d1) + carry;
	/* (r1 : r0) >= (d1 : d0) */
	carry = 0;
	cc_word_sub(r0, k->d0, &carry);
	cc_word_sub(r1, k->d1, &carry);
	q1 += carry ^ 1;
	return q1 | top;
}

/* (u1 : u0) / d for normalised d > u1 and its reciprocal v, likewise (their algorithm 4) */
static cc_word divide_word(cc_word *rem, cc_word u1, cc_word u0, cc_word d, cc_word v)
{
	cc_word q1, q0 = cc_word_mul(&q1, v, u1), r, carry = 0, fix;

	q0 = cc_word_add(q0, u0, &carry);
	q1 += u1 + carry + 1;
	r = u0 - q1 * d;
	fix = cc_mask_lt(q0, r);
	q1 += fix;
	r += fix & d;
	fix = ~cc_mask_lt(r, d);
	q1 -= fix;
	*rem = r - (fix & d);
	return q1;
}

int cc_fz_div_word(cc_word *q, cc_word *r, const cc_word *a, size_t n, cc_word d)
{
	unsigned int s = cc_mask_clz(d), back = CC_WORD_BITS - 1 - s;
	cc_word rest = 0, v;
	size_t i;

	if (!d)
		return CC_EINVAL;
	d <<= s;
	v = reciprocal(d, 0);
	if (n)
		rest = a[n - 1] >> 1 >> back;
	for (i = n; i--;)
		q[i] = divide_word(&rest, rest, a[i] << s | (i ? a[i - 1] >> 1 >> back : 0), d, v);
	*r = rest >> s;
	return CC_OK;
}

void cc_fixed_divisor_start(struct cc_fixed_divisor *k, const cc_word *d, size_t n)
{
	k->n = n;
	k->shift = n * CC_WORD_BITS - cc_fz_bits(d, n);
	cc_fz_shl(k->d, d, n, k->shift);
	k->d1 = k->d[n - 1];
	k->d0 = n > 1 ? k->d[n - 2] : 0;
	k->v = reciprocal(k->d1, k->d0);
	memset(k->w, 0, (n + 1) * sizeof(*k->w));
}

cc_word cc_fixed_take_multiple(const struct cc_fixed_divisor *k, cc_word *w, const cc_word *d,
			       size_t n)
{
	cc_word q = estimate(k, w[n], w[n - 1], n > 1 ? w[n - 2] : 0), add, carry = 0;

	w[n] = cc_word_sub(w[n], cc_limbs_submul_1(w, d, n, q), &carry);
	add = cc_hide(carry);
	w[n] += cc_limbs_addmul_1(w, d, n, add);
	return q - add;
}

/* Brings in a word of the dividend; returns the quotient's word. */
static cc_word step(struct cc_fixed_divisor *k, cc_word next)
{
	size_t n = k->n, position = k->shift / CC_WORD_BITS, i;
	unsigned int s = k->shift % CC_WORD_BITS;
	cc_word low = next << s, high = next >> 1 >> (CC_WORD_BITS - 1 - s), above = 0;
	cc_word *w = k->w, carry = 0;

	memmove(w + 1, w, n * sizeof(*w));
	w[0] = 0;
	for (i = 0; i <= n; i++) {
		cc_word here = cc_mask_eq(i, position);

		w[i] = cc_word_add(w[i], (here & low) | (above & high), &carry);
		above = here;
	}
	return cc_fixed_take_multiple(k, w, k->d, n);
}

static void finish(struct cc_fixed_divisor *k, cc_word *r)
{
	cc_fz_shr(r, k->w, k->n, k->shift);
	cc_wipe(k, sizeof(*k));
}

int cc_fz_divrem(cc_word *q, cc_word *r, const cc_word *a, size_t an, const cc_word *d, size_t dn)
{
	struct cc_fixed_divisor k;
	size_t i;

	if (dn > CC_FZ_MAX || cc_shows_zero(d, dn))
		return CC_EINVAL;
	cc_fixed_divisor_start(&k, d, dn);
	for (i = an; i--;)
		q[i] = step(&k, a[i]);
	finish(&k, r);
	return CC_OK;
}

void cc_fixed_mod(cc_word *r, const cc_word *a, size_t an, const cc_word *m, size_t mn)
{
	struct cc_fixed_divisor k;
	size_t i;

	cc_fixed_divisor_start(&k, m, mn);
	for (i = an; i--;)
		step(&k, a[i]);
	finish(&k, r);
}

int cc_fz_mod(cc_word *r, const cc_word *a, size_t an, const cc_word *m, size_t mn)
{
	if (mn > CC_FZ_MAX || cc_shows_zero(m, mn))
		return CC_EINVAL;
	cc_fixed_mod(r, a, an, m, mn);
	return CC_OK;
}
