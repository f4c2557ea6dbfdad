// SPDX-License-Identifier: MIT
/* short.c - sums, products, quotients and shifts of a few words. */
#include "short.h"

#include <carrychain/limbs.h>
#include <carrychain/natural.h>

#include <string.h>

/* r[an] = a[an] + b[bn], for an >= bn; returns the carry */
static inline cc_word sum(cc_word *r, const cc_word *a, size_t an, const cc_word *b, size_t bn)
{
	cc_word carry = 0;
	size_t i;

	for (i = 0; i < bn; i++)
		r[i] = cc_word_add(a[i], b[i], &carry);
	for (; i < an; i++)
		r[i] = cc_word_add(a[i], 0, &carry);
	return carry;
}

/* r[an] = a[an] - b[bn], for a >= b; r may be a or b */
static inline void difference(cc_word *r, const cc_word *a, size_t an, const cc_word *b, size_t bn)
{
	cc_word borrow = 0;
	size_t i;

	for (i = 0; i < bn; i++)
		r[i] = cc_word_sub(a[i], b[i], &borrow);
	for (; i < an; i++)
		r[i] = cc_word_sub(a[i], 0, &borrow);
}

static int order(const cc_bigint *x, const cc_bigint *y)
{
	size_t i = x->length;

	if (i != y->length)
		return i < y->length ? -1 : 1;
	while (i--)
		if (x->words[i] != y->words[i])
			return x->words[i] < y->words[i] ? -1 : 1;
	return 0;
}

ring_value ring_short_add(const cc_bigint *x, const cc_bigint *y, int y_negative, ring_value *slot)
{
	int negative = x->negative, same = negative == y_negative;
	struct ring_integer *r;
	size_t n;

	if (same ? x->length < y->length : order(x, y) < 0) {
		const cc_bigint *larger = y;

		y = x;
		x = larger;
		negative = y_negative;
	}
	n = x->length;
	r = ring_begin_short(slot, n + 1);
	if (!r)
		return 0;
	if (same) {
		cc_word carry = sum(r->value.words, x->words, n, y->words, y->length);

		r->value.words[n] = carry;
		n += carry;
	} else {
		difference(r->value.words, x->words, n, y->words, y->length);
	}
	return ring_finish_short(r, slot, n, negative);
}

/* r[n + 1] = a[n] w */
static void times_word(cc_word *r, const cc_word *a, size_t n, cc_word w)
{
	cc_word above = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		cc_word high, carry = 0;

		r[i] = cc_word_add(cc_word_mul(&high, a[i], w), above, &carry);
		above = high + carry;
	}
	r[n] = above;
}

ring_value ring_short_mul(const cc_bigint *x, const cc_bigint *y, ring_value *slot)
{
	struct ring_integer *r;
	size_t n = x->length + y->length;

	if (!x->length || !y->length)
		return tagged(0);
	r = ring_begin_short(slot, n);
	if (!r)
		return 0;
	if (y->length == 1)
		times_word(r->value.words, x->words, x->length, y->words[0]);
	else if (x->length == 1)
		times_word(r->value.words, y->words, y->length, x->words[0]);
	else
		/* so short that it needs no scratch */
		cc_limbs_mul(r->value.words, x->words, x->length, y->words, y->length, NULL);
	return ring_finish_short(r, slot, n, x->negative != y->negative);
}

/* q[n] = a[n] / d, and the remainder; q may be NULL */
static cc_word by_word(cc_word *q, const cc_word *a, size_t n, cc_word d)
{
	unsigned int shift = cc_word_clz(d), back = CC_WORD_BITS - 1 - shift;
	cc_word rem, v, digit, next = a[--n];

	if (!n) {
		if (q)
			q[0] = next / d;
		return next % d;
	}
	d <<= shift;
	v = cc_word_reciprocal(d);
	rem = next >> 1 >> back;
	for (;;) {
		cc_word word = next << shift;

		next = n ? a[n - 1] : 0;
		digit = cc_word_div_2by1(&rem, rem, word | next >> 1 >> back, d, v);
		if (q)
			q[n] = digit;
		if (!n--)
			return rem >> shift;
	}
}

/* The word at i of a[n] 2^shift, where back + shift is CC_WORD_BITS - 1. */
static inline cc_word shifted(const cc_word *a, size_t i, unsigned int shift, unsigned int back)
{
	return a[i] << shift | (i ? a[i - 1] >> 1 >> back : 0);
}

/*
 * (u2 : u1 : u0 : ...) / (d1 : d0 : ...) for u2 < d1 and a d1 with its top bit set: the quotient,
 * if that is one word, or one more (Knuth, 4.3.1, algorithm D).  The words below take less than q
 * from what these leave; it is surely not more if q is left.
 */
static inline cc_word estimate(int *sure, cc_word u2, cc_word u1, cc_word u0, cc_word d1,
			       cc_word d0)
{
	cc_word q, rem, high, low;

	*sure = 1;
	q = cc_word_div_2by1(&rem, u2, u1, d1, cc_word_reciprocal(d1));
	low = cc_word_mul(&high, q, d0);
	while (high > rem || (high == rem && low > u0)) {
		q--;
		rem += d1;
		if (rem < d1)
			return q;
		high -= low < d0;
		low -= d0;
	}
	*sure = rem - high > (u0 < low) || u0 - low >= q;
	return q;
}

/* r[n] = a[n] - q d[n]; returns the borrow */
static inline cc_word less_product(cc_word *r, const cc_word *a, const cc_word *d, size_t n,
				   cc_word q)
{
	cc_word above = 0, borrow = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		cc_word high, carry = 0, low;

		low = cc_word_add(cc_word_mul(&high, d[i], q), above, &carry);
		above = high + carry;
		r[i] = cc_word_sub(a[i], low, &borrow);
	}
	return above + borrow;
}

/* a[n] / d[n] for n >= 2, which is one word, and r[n] = the remainder unless r is NULL. */
static cc_word by_as_many(cc_word *r, const cc_word *a, const cc_word *d, size_t n)
{
	unsigned int shift = cc_word_clz(d[n - 1]), back = CC_WORD_BITS - 1 - shift;
	cc_word product[RING_SHORT], q;
	int sure;

	q = estimate(&sure, a[n - 1] >> 1 >> back, shifted(a, n - 1, shift, back),
		     shifted(a, n - 2, shift, back), shifted(d, n - 1, shift, back),
		     shifted(d, n - 2, shift, back));
	if (!r && sure)
		return q;
	if (!r)
		r = product;
	if (less_product(r, a, d, n, q)) {
		q--;
		sum(r, r, n, d, n);
	}
	return q;
}

/*
 * The quotient is rounded to zero; then away from it by one, if there is a remainder and @which
 * rounds that way: to the floor if the signs differ, to the ceiling if they agree.  Then the
 * remainder is what y's magnitude exceeds it by, with the opposite sign.
 */
ring_value ring_short_divide(int32_t which, const cc_bigint *x, const cc_bigint *y,
			     ring_value *slot)
{
	cc_word quotient[RING_SHORT], remainder[RING_SHORT], *rest = remainder;
	cc_word scratch[SHORT_SCRATCH];
	size_t xn = x->length, yn = y->length, qn = 0;
	int differ = x->negative != y->negative, is_quotient = !(which & 1), left;
	int away = which <= FMOD ? differ : which >= CDIV && !differ;
	struct ring_integer *r;
	const cc_word one = 1;

	if (xn < yn || (xn == yn && order(x, y) < 0)) {
		memcpy(remainder, x->words, xn * sizeof(cc_word));
		memset(remainder + xn, 0, (yn - xn) * sizeof(cc_word));
	} else {
		qn = xn - yn + 1;
		if (is_quotient && !away)
			rest = NULL;
		if (yn == 1)
			remainder[0] =
				by_word(is_quotient ? quotient : NULL, x->words, xn, y->words[0]);
		else if (qn == 1)
			quotient[0] = by_as_many(rest, x->words, y->words, yn);
		else
			cc_natural_divrem(quotient, remainder, x->words, xn, y->words, yn, scratch);
	}
	left = rest && cc_limbs_normalise(remainder, yn) != 0;
	away = away && left;
	if (is_quotient && !qn)
		return tagged(!away ? 0 : differ ? -1 : 1);
	if (!is_quotient && !left)
		return tagged(0);
	r = ring_begin_short(slot, is_quotient ? qn + 1 : yn);
	if (!r)
		return 0;
	if (is_quotient) {
		r->value.words[qn] = sum(r->value.words, quotient, qn, &one, (size_t)away);
		return ring_finish_short(r, slot, qn + 1, differ);
	}
	if (away)
		difference(r->value.words, y->words, yn, remainder, yn);
	else
		memcpy(r->value.words, remainder, yn * sizeof(cc_word));
	return ring_finish_short(r, slot, yn, x->negative != away);
}

ring_value ring_short_shift(const cc_bigint *x, int64_t count, ring_value *slot)
{
	uint64_t distance = count < 0 ? -(uint64_t)count : (uint64_t)count;
	unsigned int bits = distance % CC_WORD_BITS, back = CC_WORD_BITS - 1 - bits;
	size_t words = distance / CC_WORD_BITS, n = x->length, i;
	const cc_word *from = x->words, one = 1;
	struct ring_integer *r;
	cc_word lost = 0, *to;

	r = ring_begin_short(slot, (count < 0 ? n - words : n + words) + 1);
	if (!r)
		return 0;
	to = r->value.words;
	if (count >= 0) {
		memset(to, 0, words * sizeof(cc_word));
		for (i = 0; i < n; i++)
			to[words + i] = shifted(from, i, bits, back);
		to[words + n] = from[n - 1] >> 1 >> back;
		return ring_finish_short(r, slot, words + n + 1, x->negative);
	}
	for (i = 0; i < words; i++)
		lost |= from[i];
	lost |= from[words] << 1 << back;
	n -= words;
	for (i = 0; i < n; i++)
		to[i] = from[words + i] >> bits |
			(i + 1 < n ? from[words + i + 1] << 1 << back : 0);
	to[n] = sum(to, to, n, &one, x->negative && lost);
	return ring_finish_short(r, slot, n + 1, x->negative);
}
