// SPDX-License-Identifier: MIT
/* arithmetic.c - arithmetic on values: in one word where the result fits, else by bigint.h. */
#include "entries.h"
#include "short.h"
#include "value.h"

#include <carrychain/limbs.h>

/*
 * Operands shorter than this are never interrupted: they take little time, and an interruptible
 * operation allocates its result anew, since it may be abandoned.
 */
#define LONG_WORDS 1000

static int asked(void *context, cc_u64 done, cc_u64 total)
{
	(void)context, (void)done, (void)total;
	return ring_asked();
}

static const struct cc_progress asks = {.step = asked};

static int multiply(cc_bigint *r, const cc_bigint *x, const cc_bigint *y)
{
	if (x->length < LONG_WORDS || y->length < LONG_WORDS)
		return cc_bigint_mul(r, x, y);
	return cc_bigint_mul_watched(r, x, y, &asks);
}

static int divmod_floor(cc_bigint *q, cc_bigint *r, const cc_bigint *x, const cc_bigint *y)
{
	if (x->length < LONG_WORDS)
		return cc_bigint_divmod_floor(q, r, x, y);
	return cc_bigint_divmod_floor_watched(q, r, x, y, &asks);
}

static int divmod_trunc(cc_bigint *q, cc_bigint *r, const cc_bigint *x, const cc_bigint *y)
{
	if (x->length < LONG_WORDS)
		return cc_bigint_divmod_trunc(q, r, x, y);
	return cc_bigint_divmod_trunc_watched(q, r, x, y, &asks);
}

typedef int operation(cc_bigint *r, const cc_bigint *x, const cc_bigint *y);

static ring_value apply(operation *f, const cc_bigint *x, const cc_bigint *y, ring_value *slot)
{
	struct ring_integer *r = ring_begin(slot);

	if (!r)
		return 0;
	return ring_finish(r, slot, f(&r->value, x, y));
}

ring_value ring_add(ring_value a, ring_value b, ring_value *slot)
{
	struct ring_view v, w;
	const cc_bigint *x, *y;
	int64_t sum;

	if (a & b & 1 && !__builtin_add_overflow(a, b - 1, &sum))
		return sum;
	if (!((a | b) & 1) && short_sum(integer_of(a), integer_of(b)))
		return ring_short_add(integer_of(a), integer_of(b), integer_of(b)->negative, slot);
	x = ring_view(&v, a);
	y = ring_view(&w, b);
	if (short_sum(x, y))
		return ring_short_add(x, y, y->negative, slot);
	return apply(cc_bigint_add, x, y, slot);
}

ring_value ring_sub(ring_value a, ring_value b, ring_value *slot)
{
	struct ring_view v, w;
	const cc_bigint *x, *y;
	int64_t difference;

	if (a & b & 1 && !__builtin_sub_overflow(a, b - 1, &difference))
		return difference;
	if (!((a | b) & 1) && short_sum(integer_of(a), integer_of(b)))
		return ring_short_add(integer_of(a), integer_of(b), !integer_of(b)->negative, slot);
	x = ring_view(&v, a);
	y = ring_view(&w, b);
	if (short_sum(x, y))
		return ring_short_add(x, y, !y->negative, slot);
	return apply(cc_bigint_sub, x, y, slot);
}

ring_value ring_mul(ring_value a, ring_value b, ring_value *slot)
{
	struct ring_view v, w;
	const cc_bigint *x, *y;
	int64_t product;

	/* 2x * y, then the tag */
	if (a & b & 1 && !__builtin_mul_overflow(a - 1, small(b), &product))
		return product | 1;
	x = ring_view(&v, a);
	y = ring_view(&w, b);
	if (short_product(x, y))
		return ring_short_mul(x, y, slot);
	if (cc_bigint_bit_length(x) + cc_bigint_bit_length(y) > BITS_MAX)
		return 0;
	return apply(multiply, x, y, slot);
}

/* Of small integers; y is not 0, and the quotient fits an int64_t. */
static int64_t divide_words(int32_t which, int64_t x, int64_t y)
{
	int64_t q = x / y, r = x % y;
	int away = r && (which <= FMOD ? (x < 0) != (y < 0) : which >= CDIV && (x < 0) == (y < 0));

	if (which & 1)
		return !away ? r : which == FMOD ? r + y : r - y;
	return !away ? q : which == FDIV ? q - 1 : q + 1;
}

/* ceil(x / y) = -floor(-x / y); the remainder is negated likewise. */
ring_value ring_divide(int32_t which, ring_value a, ring_value b, ring_value *slot)
{
	struct ring_view x, y;
	const cc_bigint *p = ring_view(&x, a), *q = ring_view(&y, b);
	struct ring_integer *r;
	int status = CC_OK;

	if (which == FDIV && b & 1 && small(b) > 0 && !(small(b) & (small(b) - 1)))
		return ring_shift(a, -(int64_t)__builtin_ctzll((uint64_t)small(b)), slot);
	/* by -1, the least quotient would not be small */
	if (a & b & 1 && b != tagged(-1))
		return tagged(divide_words(which, small(a), small(b)));
	if (short_quotient(p, q))
		return ring_short_divide(which, p, q, slot);
	r = ring_begin(slot);
	if (!r)
		return 0;
	switch (which) {
	case FDIV:
		status = divmod_floor(&r->value, NULL, p, q);
		break;
	case FMOD:
		status = divmod_floor(NULL, &r->value, p, q);
		break;
	case TDIV:
		status = divmod_trunc(&r->value, NULL, p, q);
		break;
	case TREM:
		status = divmod_trunc(NULL, &r->value, p, q);
		break;
	case CDIV:
	case CREM:
		status = cc_bigint_neg(&r->value, p);
		if (!status && which == CDIV)
			status = divmod_floor(&r->value, NULL, &r->value, q);
		else if (!status)
			status = divmod_floor(NULL, &r->value, &r->value, q);
		if (!status)
			status = cc_bigint_neg(&r->value, &r->value);
		break;
	}
	return ring_finish(r, slot, status);
}

int ring_compare(ring_value a, ring_value b)
{
	if (a & b & 1)
		return (a > b) - (a < b);
	/* what is not small is beyond all that is */
	if (a & 1)
		return integer_of(b)->negative ? 1 : -1;
	if (b & 1)
		return integer_of(a)->negative ? -1 : 1;
	return cc_bigint_cmp(integer_of(a), integer_of(b));
}

ring_value ring_isqrt(ring_value a, ring_value *slot)
{
	struct ring_integer *r = ring_begin(slot);
	struct ring_view x;

	if (!r)
		return 0;
	return ring_finish(r, slot, cc_bigint_isqrt(&r->value, ring_view(&x, a), &asks));
}

static int divisor(cc_bigint *r, const cc_bigint *x, const cc_bigint *y)
{
	return cc_bigint_gcd(r, x, y, &asks);
}

ring_value ring_gcd(ring_value a, ring_value b, ring_value *slot)
{
	struct ring_view x, y;

	return apply(divisor, ring_view(&x, a), ring_view(&y, b), slot);
}

ring_value ring_expt(ring_value a, ring_value b, ring_value *slot)
{
	struct ring_integer *r;
	struct ring_view x;
	const cc_bigint *p = ring_view(&x, a);
	uint64_t bits = cc_bigint_bit_length(p), exponent;

	if (bits <= 1) {
		/* the base is -1, 0 or 1 */
		if (b == tagged(0) || a == tagged(1))
			return tagged(1);
		if (a == tagged(0))
			return a;
		exponent = is_small(b) ? (uint64_t)small(b) : integer_of(b)->words[0];
		return tagged(exponent & 1 ? -1 : 1);
	}
	if (b == tagged(2))
		return ring_mul(a, a, slot);
	if (b == tagged(3) && 3 * p->length <= RING_SHORT) {
		cc_word words[RING_SHORT];
		cc_bigint square = {words, 2 * p->length, RING_SHORT, 0};

		cc_limbs_mul(words, p->words, p->length, p->words, p->length, NULL);
		square.length = cc_limbs_normalise(words, square.length);
		return ring_short_mul(&square, p, slot);
	}
	/* the result has more than (bits - 1) * b bits */
	if (!is_small(b) || (uint64_t)small(b) > BITS_MAX / (bits - 1))
		return 0;
	r = ring_begin(slot);
	if (!r)
		return 0;
	if (bits * (uint64_t)small(b) < (uint64_t)LONG_WORDS * CC_WORD_BITS)
		return ring_finish(r, slot, cc_bigint_pow(&r->value, p, small(b)));
	return ring_finish(r, slot, cc_bigint_pow_watched(&r->value, p, small(b), &asks));
}
