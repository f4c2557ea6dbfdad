// SPDX-License-Identifier: MIT
/* Quotients. */
#include "memory.h"
#include "mpn.h"

#include <carrychain/limbs.h>
#include <carrychain/natural.h>

#include "../src/limbs/chain.h"
#include "../src/limbs/divide.h"
#include "../src/natural/quotient.h"

#include <string.h>

int cc_try_tdiv_qr(cc_word *q, cc_word *r, const cc_word *a, cc_mpn_size an, const cc_word *d,
		   cc_mpn_size dn)
{
	struct cc_room room;

	if (!cc_room_open(&room, cc_natural_divrem_scratch((size_t)an, (size_t)dn)))
		return 0;
	cc_natural_divrem(q, r, a, (size_t)an, d, (size_t)dn, room.words);
	cc_room_close(&room);
	return 1;
}

void cc_mpn_tdiv_qr(cc_word *q, cc_word *r, cc_mpn_size zero, const cc_word *a, cc_mpn_size an,
		    const cc_word *d, cc_mpn_size dn)
{
	(void)zero;
	if (!cc_try_tdiv_qr(q, r, a, an, d, dn))
		cc_room_refused(cc_natural_divrem_scratch((size_t)an, (size_t)dn));
}

/* the quotient, and the work */
static size_t div_q_words(cc_mpn_size an, cc_mpn_size dn)
{
	return (size_t)(an - dn + 1) + cc_natural_quotient_scratch((size_t)an, (size_t)dn);
}

int cc_try_div_q(cc_word *q, const cc_word *a, cc_mpn_size an, const cc_word *d, cc_mpn_size dn)
{
	const size_t digits = (size_t)(an - dn + 1);
	struct cc_room room;

	if (!cc_room_open(&room, div_q_words(an, dn)))
		return 0;
	/* q may be an operand */
	cc_natural_quotient(room.words, a, (size_t)an, d, (size_t)dn, room.words + digits);
	memcpy(q, room.words, digits * sizeof(*q));
	cc_room_close(&room);
	return 1;
}

void cc_mpn_div_q(cc_word *q, const cc_word *a, cc_mpn_size an, const cc_word *d, cc_mpn_size dn,
		  cc_word *scratch)
{
	(void)scratch;
	if (!cc_try_div_q(q, a, an, d, dn))
		cc_room_refused(div_q_words(an, dn));
}

cc_word cc_mpn_divrem(cc_word *q, cc_mpn_size fraction, cc_word *a, cc_mpn_size an,
		      const cc_word *d, cc_mpn_size dn)
{
	size_t length = (size_t)(an + fraction), digits = length - (size_t)dn;
	size_t scratch = cc_natural_divrem_scratch(length, (size_t)dn);
	size_t words = length + digits + 1 + scratch;
	struct cc_room room;
	cc_word *dividend, *quotient, top;

	if (!cc_room_open(&room, words))
		cc_room_refused(words);
	dividend = room.words;
	quotient = dividend + length;
	memset(dividend, 0, (size_t)fraction * sizeof(*a));
	memcpy(dividend + fraction, a, (size_t)an * sizeof(*a));
	cc_natural_divrem(quotient, dividend, dividend, length, d, (size_t)dn,
			  quotient + digits + 1);
	memcpy(a, dividend, (size_t)dn * sizeof(*a));
	memcpy(q, quotient, digits * sizeof(*q));
	top = quotient[digits];
	cc_room_close(&room);
	return top;
}

cc_word cc_mpn_divrem_1(cc_word *q, cc_mpn_size fraction, const cc_word *a, cc_mpn_size n,
			cc_word d)
{
	cc_word rem = cc_limbs_divrem_1(q + fraction, a, (size_t)n, d);
	struct cc_divisor by;

	if (!fraction)
		return rem;
	by = cc_divisor(d);
	rem <<= by.shift;
	while (fraction)
		q[--fraction] = cc_word_div_2by1(&rem, rem, 0, by.d, by.reciprocal);
	return rem >> by.shift;
}

cc_word cc_mpn_mod_1(const cc_word *a, cc_mpn_size n, cc_word d)
{
	return cc_limbs_mod_1(a, (size_t)n, d);
}

void cc_mpn_divexact_1(cc_word *q, const cc_word *a, cc_mpn_size n, cc_word d)
{
	cc_limbs_divexact_1(q, a, (size_t)n, d);
}

/*
 * c B^n + a - carry = 3 q for the returned c.  3 third = B - 1 for third = (B - 1) / 3, so modulo
 * B^n q = a / 3 = a third / (B - 1) = -(1 + B + B^2 + ...) a third: a sum of two-word products, of
 * which only a subtraction waits for the words below.
 */
cc_word cc_mpn_divexact_by3c(cc_word *q, const cc_word *a, cc_mpn_size n, cc_word carry)
{
	const cc_word third = ~(cc_word)0 / 3;
	cc_word sum = carry * third;
	cc_mpn_size i;

#pragma GCC unroll 2
	for (i = 0; i < n; i++) {
		cc_word above, below = cc_word_mul(&above, a[i], third);
		cc_carry borrow = 0;

		q[i] = sum = cc_chain_sub(sum, below, &borrow);
		sum = cc_chain_sub(sum, above, &borrow);
	}
	return 0 - sum * 3;
}
