// SPDX-License-Identifier: MIT
/*
 * Constant time: fixed.h's.  Moduli and divisors wider than it takes are worked on here bit by bit
 * and word by word, by its sums.
 */
#include "mpn.h"

#include "../src/fixed/mask.h"
#include "../src/limbs/chain.h"

#include <carrychain/fixed.h>

#include <string.h>

static cc_word mask(cc_word truth)
{
	return 0 - ((truth | (0 - truth)) >> (CC_WORD_BITS - 1));
}

/* Four words at a time: the carry is a flag from one to the next. */
#define CND(name, chain)                                                                           \
	cc_word name(cc_word made, cc_word *r, const cc_word *a, const cc_word *b, cc_mpn_size n)  \
	{                                                                                          \
		const cc_word all = cc_hide(mask(made));                                           \
		cc_carry carry = 0;                                                                \
		cc_mpn_size i = 0;                                                                 \
                                                                                                   \
		for (; i + 4 <= n; i += 4) {                                                       \
			cc_word w[4] = {a[i], a[i + 1], a[i + 2], a[i + 3]};                       \
			const cc_word v[4] = {b[i] & all, b[i + 1] & all, b[i + 2] & all,          \
					      b[i + 3] & all};                                     \
                                                                                                   \
			chain##_four(w, v, &carry);                                                \
			r[i] = w[0];                                                               \
			r[i + 1] = w[1];                                                           \
			r[i + 2] = w[2];                                                           \
			r[i + 3] = w[3];                                                           \
		}                                                                                  \
		for (; i < n; i++)                                                                 \
			r[i] = chain(a[i], b[i] & all, &carry);                                    \
		return carry;                                                                      \
	}
CND(cc_mpn_cnd_add_n, cc_chain_add)
CND(cc_mpn_cnd_sub_n, cc_chain_sub)

void cc_mpn_cnd_swap(cc_word made, volatile cc_word *a, volatile cc_word *b, cc_mpn_size n)
{
	const cc_word all = mask(made);
	cc_mpn_size i;

	for (i = 0; i < n; i++) {
		cc_word x = a[i], y = b[i], change = (x ^ y) & all;

		a[i] = x ^ change;
		b[i] = y ^ change;
	}
}

cc_word cc_mpn_sec_add_1(cc_word *r, const cc_word *a, cc_mpn_size n, cc_word b, cc_word *scratch)
{
	(void)scratch;
	return cc_fz_add_word(r, a, (size_t)n, b);
}

cc_word cc_mpn_sec_sub_1(cc_word *r, const cc_word *a, cc_mpn_size n, cc_word b, cc_word *scratch)
{
	(void)scratch;
	return cc_fz_sub_word(r, a, (size_t)n, b);
}

void cc_mpn_sec_mul(cc_word *r, const cc_word *a, cc_mpn_size an, const cc_word *b, cc_mpn_size bn,
		    cc_word *scratch)
{
	(void)scratch;
	cc_fz_mul_unequal(r, a, (size_t)an, b, (size_t)bn);
}

void cc_mpn_sec_sqr(cc_word *r, const cc_word *a, cc_mpn_size n, cc_word *scratch)
{
	(void)scratch;
	cc_fz_sqr(r, a, (size_t)n);
}

void cc_mpn_sec_tabselect(volatile cc_word *r, volatile const cc_word *table, cc_mpn_size n,
			  cc_mpn_size count, cc_mpn_size which)
{
	cc_fz_table_select((cc_word *)r, (const cc_word *)table, (size_t)count, (size_t)n,
			   (size_t)which);
}

/*
 * a[dn] = a[an] mod d[dn], q[an], or NULL, the quotient: a bit at a time, below d all the time.
 * rem[dn + 1] is work.
 */
static void divide_bits(cc_word *q, cc_word *a, size_t an, const cc_word *d, size_t dn,
			cc_word *rem)
{
	size_t bit = an * CC_WORD_BITS;

	memset(rem, 0, (dn + 1) * sizeof(*rem));
	while (bit--) {
		const size_t word = bit / CC_WORD_BITS;
		cc_word below;

		rem[dn] = cc_fz_add(rem, rem, rem, dn);
		rem[0] |= a[word] >> bit % CC_WORD_BITS & 1;
		/* the carry, or no borrow: subtract */
		below = ~mask(rem[dn]) & cc_fz_lt(rem, d, dn);
		cc_fz_sub_if(rem, ~below, rem, d, dn);
		if (q) {
			q[word] = bit % CC_WORD_BITS == CC_WORD_BITS - 1 ? 0 : q[word];
			q[word] |= (~below & 1) << bit % CC_WORD_BITS;
		}
	}
	memcpy(a, rem, dn * sizeof(*a));
	cc_fz_wipe(rem, dn + 1);
}

cc_word cc_mpn_sec_div_qr(cc_word *q, cc_word *a, cc_mpn_size an, const cc_word *d, cc_mpn_size dn,
			  cc_word *scratch)
{
	cc_word *quotient = scratch, *rem = quotient + an, top;
	size_t digits = (size_t)(an - dn);

	if (cc_fz_divrem(quotient, rem, a, (size_t)an, d, (size_t)dn) == CC_OK)
		memcpy(a, rem, (size_t)dn * sizeof(*a));
	else
		divide_bits(quotient, a, (size_t)an, d, (size_t)dn, rem);
	memcpy(q, quotient, digits * sizeof(*q));
	top = quotient[digits];
	cc_fz_wipe(scratch, (size_t)(an + dn + 1));
	return top;
}

void cc_mpn_sec_div_r(cc_word *a, cc_mpn_size an, const cc_word *d, cc_mpn_size dn,
		      cc_word *scratch)
{
	if (cc_fz_mod(scratch, a, (size_t)an, d, (size_t)dn) == CC_OK) {
		memcpy(a, scratch, (size_t)dn * sizeof(*a));
		cc_fz_wipe(scratch, (size_t)dn);
	} else {
		divide_bits(NULL, a, (size_t)an, d, (size_t)dn, scratch);
	}
}

/* r[n] = t[2n] / B^n mod m, below m for a t below m B^n; t is destroyed */
static void reduce(cc_word *r, cc_word *t, const cc_word *m, size_t n, cc_word inverse)
{
	cc_word carry = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		cc_word above = cc_fz_addmul_word(t + i, m, n, 0 - t[i] * inverse);

		carry += cc_fz_add_word(t + i + n, t + i + n, n - i, above);
	}
	memcpy(r, t + n, n * sizeof(*r));
	cc_fz_sub_if(r, mask(carry) | ~cc_fz_lt(r, m, n), r, m, n);
}

/* The exponent's bits from the top: a square, and a product that is taken or not. */
static void power_of_wide(cc_word *r, cc_word *base, const cc_word *e, size_t bits,
			  const cc_word *m, size_t n, cc_word *t)
{
	cc_word inverse = m[0], *product = t + 2 * n;
	size_t i;

	/* from 3 right bits on, each step doubles them */
	for (i = 3; i < CC_WORD_BITS; i *= 2)
		inverse *= 2 - m[0] * inverse;
	/* 1 and base times B^n, by doubling */
	memset(r, 0, n * sizeof(*r));
	r[0] = 1;
	for (i = 0; i < n * CC_WORD_BITS; i++) {
		cc_fz_addmod(r, r, r, m, n);
		cc_fz_addmod(base, base, base, m, n);
	}
	for (i = bits; i--;) {
		cc_word bit = e[i / CC_WORD_BITS] >> i % CC_WORD_BITS & 1;

		cc_fz_sqr(t, r, n);
		reduce(r, t, m, n, inverse);
		cc_fz_mul(t, r, base, n);
		reduce(product, t, m, n, inverse);
		cc_fz_copy_if(r, mask(bit), product, n);
	}
	memcpy(t, r, n * sizeof(*t));
	memset(t + n, 0, n * sizeof(*t));
	reduce(r, t, m, n, inverse);
}

/* b modulo m: bn words, of which n are then the base; t */
void cc_mpn_sec_powm(cc_word *r, const cc_word *b, cc_mpn_size bn, const cc_word *e,
		     cc_mpn_bits bits, const cc_word *m, cc_mpn_size n, cc_word *scratch)
{
	const size_t words = (size_t)(bn > n ? bn : n);
	cc_word *base = scratch, *t = base + words;

	memcpy(base, b, (size_t)bn * sizeof(*b));
	memset(base + bn, 0, (words - (size_t)bn) * sizeof(*b));
	cc_mpn_sec_div_r(base, (cc_mpn_size)words, m, n, t);
	if (cc_fz_powmod_bits(r, base, e, bits, m, (size_t)n) != CC_OK)
		power_of_wide(r, base, e, bits, m, (size_t)n, t);
	cc_fz_wipe(scratch, words + 3 * (size_t)n);
}

/*
 * As many steps as a and m have bits, each of which halves the one or the other: a = u x and b =
 * v x modulo m for the x that is given; from a = x, u = 1, b = m, v = 0.  When a is 0, b is the
 * common divisor.
 */
int cc_mpn_sec_invert(cc_word *r, cc_word *a, const cc_word *m, cc_mpn_size n, cc_mpn_bits steps,
		      cc_word *scratch)
{
	const size_t words = (size_t)n;
	cc_word *b = scratch, *u = b + n, *change = u + n, *v = r, is_one, odd;

	memcpy(b, m, words * sizeof(*b));
	memset(u, 0, words * sizeof(*u));
	memset(v, 0, words * sizeof(*v));
	u[0] = 1;
	/* modulo 1 */
	cc_fz_sub_if(u, cc_fz_eq(u, m, words), u, m, words);
	while (steps--) {
		odd = mask(a[0] & 1);
		is_one = odd & cc_fz_lt(a, b, words);
		cc_fz_cswap(is_one, a, b, words);
		cc_fz_cswap(is_one, u, v, words);
		cc_fz_sub_if(a, odd, a, b, words);
		memset(change, 0, words * sizeof(*change));
		cc_fz_copy_if(change, odd, v, words);
		cc_fz_submod(u, u, change, m, words);
		cc_fz_shr(a, a, words, 1);
		cc_fz_halfmod(u, u, m, words);
	}
	memset(change, 0, words * sizeof(*change));
	change[0] = 1;
	is_one = cc_fz_eq(b, change, words);
	cc_fz_wipe(scratch, 3 * words);
	return (int)(is_one & 1);
}

/* No function needs none: a scratch of no words can't be allocated everywhere. */
cc_mpn_size cc_mpn_sec_add_1_itch(cc_mpn_size n)
{
	return n;
}

cc_mpn_size cc_mpn_sec_sub_1_itch(cc_mpn_size n)
{
	return n;
}

cc_mpn_size cc_mpn_sec_mul_itch(cc_mpn_size an, cc_mpn_size bn)
{
	return an + bn;
}

cc_mpn_size cc_mpn_sec_sqr_itch(cc_mpn_size n)
{
	return 2 * n;
}

cc_mpn_size cc_mpn_sec_powm_itch(cc_mpn_size bn, cc_mpn_bits bits, cc_mpn_size n)
{
	(void)bits;
	return (bn > n ? bn : n) + 3 * n + 1;
}

cc_mpn_size cc_mpn_sec_div_qr_itch(cc_mpn_size an, cc_mpn_size dn)
{
	return an + dn + 1;
}

cc_mpn_size cc_mpn_sec_div_r_itch(cc_mpn_size an, cc_mpn_size dn)
{
	(void)an;
	return dn + 1;
}

cc_mpn_size cc_mpn_sec_invert_itch(cc_mpn_size n)
{
	return 3 * n;
}
