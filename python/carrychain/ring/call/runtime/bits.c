// SPDX-License-Identifier: MIT
/* bits.c - bits of values, in infinite two's complement: logic, shifts, fields, counts. */
#include "entries.h"
#include "short.h"
#include "value.h"

/*
 * An operator that yields 1 for two zeros is the complement of one that yields 0.  Those eight are
 * 0, a, b, a & b, a | b, a ^ b, a & ~b and ~a & b.
 */
ring_value ring_logic(int32_t table, ring_value a, ring_value b, ring_value *slot)
{
	struct ring_integer *r;
	struct ring_view x, y;
	const cc_bigint *p = ring_view(&x, a), *q = ring_view(&y, b);
	int complement = table & 1, status;

	if (is_small(a) && is_small(b)) {
		uint64_t c = (uint64_t)a, d = (uint64_t)b, result = 1;

		if (table & 8)
			result |= c & d;
		if (table & 4)
			result |= c & ~d;
		if (table & 2)
			result |= ~c & d;
		if (table & 1)
			result |= ~c & ~d;
		return (ring_value)result;
	}
	r = ring_begin(slot);
	if (!r)
		return 0;
	switch (complement ? ~table & 15 : table) {
	case 0:
		status = cc_bigint_set_u64(&r->value, 0);
		break;
	case 2:
		/* ~a & b = ~(a | ~b) */
		status = cc_bigint_not(&r->value, q);
		if (!status)
			status = cc_bigint_or(&r->value, p, &r->value);
		complement = !complement;
		break;
	case 4:
		status = cc_bigint_not(&r->value, p);
		if (!status)
			status = cc_bigint_or(&r->value, &r->value, q);
		complement = !complement;
		break;
	case 6:
		status = cc_bigint_xor(&r->value, p, q);
		break;
	case 8:
		status = cc_bigint_and(&r->value, p, q);
		break;
	case 10:
		status = cc_bigint_set(&r->value, q);
		break;
	case 12:
		status = cc_bigint_set(&r->value, p);
		break;
	default:
		status = cc_bigint_or(&r->value, p, q);
		break;
	}
	if (!status && complement)
		status = cc_bigint_not(&r->value, &r->value);
	return ring_finish(r, slot, status);
}

ring_value ring_shift(ring_value a, int64_t n, ring_value *slot)
{
	struct ring_integer *r;
	struct ring_view x;
	const cc_bigint *p = ring_view(&x, a);

	if (a == tagged(0))
		return a;
	if (is_small(a) && n > 0 && n < 62 && small(a) >= SMALL_MIN >> n &&
	    small(a) <= SMALL_MAX >> n)
		return tagged(small(a) * ((int64_t)1 << n));
	if (is_small(a) && n <= 0)
		return tagged(n > -63 ? small(a) >> -n : small(a) < 0 ? -1 : 0);
	if (n > 0 && (n > (int64_t)BITS_MAX || cc_bigint_bit_length(p) + n > BITS_MAX))
		return 0;
	if (short_shift(p, n))
		return ring_short_shift(p, n, slot);
	r = ring_begin(slot);
	if (!r)
		return 0;
	if (n >= 0)
		return ring_finish(r, slot, cc_bigint_shl(&r->value, p, n));
	return ring_finish(r, slot, cc_bigint_shr(&r->value, p, -(uint64_t)n));
}

/* r = 2^k */
static int power(cc_bigint *r, uint64_t k)
{
	int status = cc_bigint_set_u64(r, 1);

	return status ? status : cc_bigint_shl(r, r, k);
}

static int low_bits(cc_bigint *r, const cc_bigint *x, uint64_t k)
{
	cc_bigint mask = CC_BIGINT_INIT, one = CC_BIGINT_INIT;
	int status = power(&mask, k);

	if (!status)
		status = cc_bigint_set_u64(&one, 1);
	if (!status)
		status = cc_bigint_sub(&mask, &mask, &one);
	if (!status)
		status = cc_bigint_and(r, x, &mask);
	cc_bigint_clear(&mask);
	cc_bigint_clear(&one);
	return status;
}

ring_value ring_low(ring_value a, uint64_t k, ring_value *slot)
{
	struct ring_integer *r;
	struct ring_view x;

	if (is_small(a) && (k < 63 || small(a) >= 0))
		return k < 63 ? tagged(small(a) & (((int64_t)1 << k) - 1)) : a;
	r = ring_begin(slot);
	if (!r)
		return 0;
	return ring_finish(r, slot, low_bits(&r->value, ring_view(&x, a), k));
}

ring_value ring_field(ring_value a, uint64_t k, ring_value *slot)
{
	struct ring_integer *r;
	struct ring_view x;
	cc_bigint wrap = CC_BIGINT_INIT;
	int status;

	if (is_small(a) && k >= 63)
		return a;
	r = ring_begin(slot);
	if (!r)
		return 0;
	status = low_bits(&r->value, ring_view(&x, a), k);
	if (!status && cc_bigint_bit_length(&r->value) == k) {
		status = power(&wrap, k);
		if (!status)
			status = cc_bigint_sub(&r->value, &r->value, &wrap);
		cc_bigint_clear(&wrap);
	}
	return ring_finish(r, slot, status);
}

/* The bits of x; if x < 0, of ~x = |x| - 1, which has one fewer if |x| is a power of two. */
uint64_t ring_bitlen(ring_value a)
{
	struct ring_view v;
	const cc_bigint *x = ring_view(&v, a);
	uint64_t bits = cc_bigint_bit_length(x);
	size_t i;

	if (!x->negative)
		return bits;
	for (i = 0; i + 1 < x->length; i++)
		if (x->words[i])
			return bits;
	return bits - !(x->words[i] & (x->words[i] - 1));
}

uint64_t ring_popcount(ring_value a)
{
	struct ring_view v;
	const cc_bigint *x = ring_view(&v, a);
	uint64_t count = 0;
	cc_word word, borrow = (cc_word)x->negative;
	size_t i;

	for (i = 0; i < x->length; i++) {
		word = x->words[i] - borrow;
		borrow = borrow && !x->words[i];
		count += (uint64_t)__builtin_popcountll(word);
	}
	return count;
}
