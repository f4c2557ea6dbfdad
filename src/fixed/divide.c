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
#include <carrychain/limbs.h>
#include <carrychain/montgomery.h>

#include "kernels.h"
#include "mask.h"

struct divisor {
	cc_word d[CC_FZ_MAX]; /* normalised */
	cc_word w[CC_FZ_MAX + 1];
	size_t n;
	size_t shift;
	cc_word d1, d0, v; /* the two top words (d0 = 0 if n = 1), their reciprocal */
};

/*
 * floor((B^3 - 1) / (d1 : d0)) - B for d1 with its top bit set, one bit at a time, because
 * the time of the machine's division depends on its operands.
 */
static cc_word reciprocal(cc_word d1, cc_word d0)
{
	/* B^3 - 1 - B (d1 : d0), whose upper two words are below (d1 : d0) */
	cc_word u1 = ~d1, u0 = ~d0, v = 0;
	int i;

	for (i = 0; i < CC_WORD_BITS; i++) {
		cc_word out = u1 >> (CC_WORD_BITS - 1), borrow = 0, s1, s0, take;

		u1 = u1 << 1 | u0 >> (CC_WORD_BITS - 1);
		u0 = u0 << 1 | 1;
		s0 = cc_word_sub(u0, d0, &borrow);
		s1 = cc_word_sub(u1, d1, &borrow);
		take = cc_mask(out | (borrow ^ 1));
		u1 = cc_choose(take, s1, u1);
		u0 = cc_choose(take, s0, u0);
		v = v << 1 | (take & 1);
	}
	return v;
}

/* The quotient's estimate; (u2 : u1) <= (d1 : d0) */
static cc_word estimate(const struct divisor *k, cc_word u2, cc_word u1, cc_word u0)
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

static void start(struct divisor *k, const cc_word *d, size_t n)
{
	k->n = n;
	k->shift = n * CC_WORD_BITS - cc_fz_bits(d, n);
	cc_fz_shl(k->d, d, n, k->shift);
	k->d1 = k->d[n - 1];
	k->d0 = n > 1 ? k->d[n - 2] : 0;
	k->v = reciprocal(k->d1, k->d0);
	memset(k->w, 0, (n + 1) * sizeof(*k->w));
}

/* Takes a multiple of D off the window; returns it, the quotient's word. */
static cc_word take_multiple(struct divisor *k)
{
	size_t n = k->n;
	cc_word *w = k->w, q = estimate(k, w[n], w[n - 1], n > 1 ? w[n - 2] : 0), add, carry = 0;

	w[n] = cc_word_sub(w[n], cc_limbs_submul_1(w, k->d, n, q), &carry);
	add = cc_hide(carry);
	w[n] += cc_limbs_addmul_1(w, k->d, n, add);
	return q - add;
}

/* Brings in a word of the dividend; returns the quotient's word. */
static cc_word step(struct divisor *k, cc_word next, int next_is_zero)
{
	size_t n = k->n, i;
	cc_word *w = k->w, carry = 0;

	memmove(w + 1, w, n * sizeof(*w));
	w[0] = 0;
	if (!next_is_zero) {
		size_t position = k->shift / CC_WORD_BITS;
		unsigned int s = k->shift % CC_WORD_BITS;
		cc_word low = next << s, high = next >> 1 >> (CC_WORD_BITS - 1 - s), above = 0;

		for (i = 0; i <= n; i++) {
			cc_word here = cc_mask_eq(i, position);

			w[i] = cc_word_add(w[i], (here & low) | (above & high), &carry);
			above = here;
		}
	}
	return take_multiple(k);
}

static void finish(struct divisor *k, cc_word *r)
{
	cc_fz_shr(r, k->w, k->n, k->shift);
	cc_wipe(k, sizeof(*k));
}

int cc_fz_divrem(cc_word *q, cc_word *r, const cc_word *a, size_t an, const cc_word *d, size_t dn)
{
	struct divisor k;
	size_t i;

	if (dn > CC_FZ_MAX || cc_shows_zero(d, dn))
		return CC_EINVAL;
	start(&k, d, dn);
	for (i = an; i--;)
		q[i] = step(&k, a[i], 0);
	finish(&k, r);
	return CC_OK;
}

void cc_fixed_mod(cc_word *r, const cc_word *a, size_t an, const cc_word *m, size_t mn)
{
	struct divisor k;
	size_t i;

	start(&k, m, mn);
	for (i = an; i--;)
		step(&k, a[i], 0);
	finish(&k, r);
}

int cc_fz_mod(cc_word *r, const cc_word *a, size_t an, const cc_word *m, size_t mn)
{
	if (mn > CC_FZ_MAX || cc_shows_zero(m, mn))
		return CC_EINVAL;
	cc_fixed_mod(r, a, an, m, mn);
	return CC_OK;
}

/* r = @from 2^bits mod m, with @from as the divisor's w has it; r may be w */
static void times_power_of_two(cc_word *r, struct divisor *k, const cc_word *from, size_t bits)
{
	memcpy(k->w, from, k->n * sizeof(*from));
	for (; bits >= CC_WORD_BITS; bits -= CC_WORD_BITS)
		step(k, 0, 1);
	if (bits) {
		k->w[k->n] = cc_limbs_lshift(k->w, k->w, k->n, (unsigned int)bits);
		take_multiple(k);
	}
	cc_fz_shr(r, k->w, k->n, k->shift);
}

/*
 * The words by which R is multiplied step by step: a squaring takes as long as n / 2 steps, or some
 * eight for a small n.
 */
#define STEPS(n) ((n) < 16 ? 8 : (n) / 2)

/* r = R 2^e mod m, with R as times_power_of_two() takes it */
static void montgomery_power_of_two(cc_word *r, struct divisor *k, const cc_word *radix, size_t e,
				    const struct cc_fz_mont *M)
{
	size_t words = e / CC_WORD_BITS, squarings;

	for (squarings = 0; words > STEPS(M->n); squarings++)
		words /= 2;
	if (!squarings) {
		times_power_of_two(r, k, radix, e);
		return;
	}
	times_power_of_two(r, k, radix, words * CC_WORD_BITS);
	e -= (words << squarings) * CC_WORD_BITS;
	for (; squarings; squarings--)
		cc_fz_mont_sqr(r, r, M);
	if (e) {
		times_power_of_two(k->w, k, radix, e);
		cc_fz_mont_mul(r, r, k->w, M);
	}
}

/*
 * With R = B^n, the number that stands for 2^e in Montgomery form is R 2^e mod m: squared, it
 * stands for 2^2e.  So 2^bits = R 2^e mod m takes n steps for R, some for the top bits of e, and a
 * squaring for each bit below.  What these leave of e is another factor; likewise what a power
 * has beyond one before it.
 */
void cc_fixed_powers_of_two_mod(cc_word *const *r, const size_t *bits, size_t count,
				const cc_word *m, size_t n)
{
	struct cc_fz_mont M = {
		.n = n,
		.m = m,
		.minus_inverse = cc_fixed_minus_inverse(m[0]),
		.kernels = cc_fixed_kernels(),
	};
	cc_word radix[CC_FZ_MAX];
	struct divisor k;
	size_t i, j, e;

	start(&k, m, n);
	step(&k, 1, 0);
	for (i = n; i--;)
		step(&k, 0, 1);
	memcpy(radix, k.w, n * sizeof(*radix));
	for (i = 0; i < count; i++) {
		const cc_word *before = NULL;

		e = bits[i] - n * CC_WORD_BITS;
		for (j = 0; j < i; j++) {
			if (bits[j] > n * CC_WORD_BITS && bits[j] <= bits[i] &&
			    bits[i] - bits[j] < e) {
				before = r[j];
				e = bits[i] - bits[j];
			}
		}
		if (before && !e) {
			memcpy(r[i], before, n * sizeof(*before));
			continue;
		}
		montgomery_power_of_two(r[i], &k, radix, e, &M);
		if (before)
			cc_fz_mont_mul(r[i], r[i], before, &M);
	}
	cc_wipe(&M, sizeof(M));
	cc_wipe(radix, n * sizeof(*radix));
	cc_wipe(&k, sizeof(k));
}

void cc_fixed_power_of_two_mod(cc_word *r, size_t bits, const cc_word *m, size_t n)
{
	cc_fixed_powers_of_two_mod(&r, &bits, 1, m, n);
}
