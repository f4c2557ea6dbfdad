// SPDX-License-Identifier: MIT
/*
 * u128_reference.c - what u128.h is to compute, slowly and by other means: products in
 * base 2^16, quotients a bit at a time.  tests/python checks it against Python's ints.
 */
#include <stdbool.h>
#include <string.h>

#include "u128_impl.h"

#define OP(name) static void name##_op(struct u128_result *r, const struct u128_args *x)

/* 256 bits and more, in base 2^16, least significant first */
#define DIGITS 17
struct number {
	uint32_t d[DIGITS];
};

static struct number from_words(uint64_t high, uint64_t low)
{
	struct number n = {{0}};
	int i;

	for (i = 0; i < 4; i++) {
		n.d[i] = (low >> (16 * i)) & 0xffff;
		n.d[i + 4] = (high >> (16 * i)) & 0xffff;
	}
	return n;
}

static uint64_t word(const struct number *n, int first)
{
	return (uint64_t)n->d[first + 3] << 48 | (uint64_t)n->d[first + 2] << 32 |
	       n->d[first + 1] << 16 | n->d[first];
}

static void put(struct u128_result *r, struct number n)
{
	r->w[0] = word(&n, 4);
	r->w[1] = word(&n, 0);
}

static int compare(const struct number *a, const struct number *b)
{
	int i;

	for (i = DIGITS - 1; i >= 0; i--)
		if (a->d[i] != b->d[i])
			return a->d[i] < b->d[i] ? -1 : 1;
	return 0;
}

static struct number add(struct number a, struct number b)
{
	uint32_t carry = 0;
	int i;

	for (i = 0; i < DIGITS; i++) {
		carry += a.d[i] + b.d[i];
		a.d[i] = carry & 0xffff;
		carry >>= 16;
	}
	return a;
}

static struct number subtract(struct number a, struct number b)
{
	uint32_t borrow = 0;
	int i;

	for (i = 0; i < DIGITS; i++) {
		uint32_t t = a.d[i] - b.d[i] - borrow;

		a.d[i] = t & 0xffff;
		borrow = t >> 31;
	}
	return a;
}

static struct number multiply(struct number a, struct number b)
{
	struct number p = {{0}};
	int i, j;

	for (j = 0; j < 8; j++) {
		uint32_t carry = 0;

		for (i = 0; i < 8; i++) {
			carry += a.d[i] * b.d[j] + p.d[i + j];
			p.d[i + j] = carry & 0xffff;
			carry >>= 16;
		}
		p.d[j + 8] = carry;
	}
	return p;
}

static struct number shift_right(struct number a, unsigned int shift)
{
	struct number r = {{0}};
	unsigned int i;

	if (shift >= 16 * DIGITS)
		return r;
	for (i = shift / 16; i < DIGITS; i++) {
		uint32_t above = i + 1 < DIGITS ? a.d[i + 1] : 0;

		r.d[i - shift / 16] = ((above << 16 | a.d[i]) >> (shift % 16)) & 0xffff;
	}
	return r;
}

/* Restoring division of a1 : a0, the remainder in *r1 : *r0. */
static void divide(uint64_t *q1, uint64_t *q0, uint64_t *r1, uint64_t *r0, uint64_t a1, uint64_t a0,
		   uint64_t b1, uint64_t b0)
{
	int i;

	*q1 = *q0 = *r1 = *r0 = 0;
	for (i = 127; i >= 0; i--) {
		uint64_t bit = (i >= 64 ? a1 >> (i - 64) : a0 >> i) & 1;
		bool out = *r1 >> 63;

		*r1 = *r1 << 1 | *r0 >> 63;
		*r0 = *r0 << 1 | bit;
		*q1 = *q1 << 1 | *q0 >> 63;
		*q0 <<= 1;
		if (out || *r1 > b1 || (*r1 == b1 && *r0 >= b0)) {
			*r1 -= b1 + (*r0 < b0);
			*r0 -= b0;
			*q0 |= 1;
		}
	}
}

#define A   from_words(x->a1, x->a0)
#define B   from_words(x->b1, x->b0)
#define B64 from_words(0, x->b0)
#define B32 from_words(0, (uint32_t)x->b0)

#define NUMBER(name, value)                                                                        \
	OP(name)                                                                                   \
	{                                                                                          \
		put(r, value);                                                                     \
	}
#define WORD(name, value)                                                                          \
	OP(name)                                                                                   \
	{                                                                                          \
		r->w[1] = (value);                                                                 \
	}

static int order(const struct u128_args *x)
{
	struct number a = A, b = B;

	return compare(&a, &b);
}

static struct number shift_left(struct number a, unsigned int shift)
{
	struct number power = {{0}};

	if (shift < 128)
		power.d[shift / 16] = 1u << (shift % 16);
	return multiply(a, power);
}

/* (a1 a0 + plus) / b0, or all ones where that is too large */
static uint64_t multiply_divide(const struct u128_args *x, uint64_t plus)
{
	struct number n =
		add(multiply(from_words(0, x->a1), from_words(0, x->a0)), from_words(0, plus));
	uint64_t q1, q0, r1, r0;

	divide(&q1, &q0, &r1, &r0, word(&n, 4), word(&n, 0), 0, x->b0);
	return q1 ? UINT64_MAX : q0;
}

NUMBER(u128_store, A)
WORD(u128_et, order(x) == 0)
WORD(u128_gt, order(x) > 0)
WORD(u128_get, order(x) >= 0)
WORD(u128_lt, order(x) < 0)
WORD(u128_let, order(x) <= 0)
NUMBER(add_u128_u64, add(A, B64))
NUMBER(add_u128_u128, add(A, B))
NUMBER(sub_u128_u64, subtract(A, B64))
NUMBER(sub_u128_u128, subtract(A, B))
NUMBER(u128_shl, shift_left(A, x->shift))
NUMBER(u128_shr, shift_right(A, x->shift))
NUMBER(mul_half_u128_u64, multiply(from_words(0, x->a0), B64))
NUMBER(mul_u128_u32, multiply(A, B32))
NUMBER(mul_u128_u64, multiply(A, B64))
NUMBER(mul_u128_u128, multiply(A, B))
NUMBER(mul_u128_u32_shr, shift_right(multiply(A, B32), x->shift))
NUMBER(mul_u128_u64_shr, shift_right(multiply(A, B64), x->shift))
NUMBER(mul_u128_u128_shr, shift_right(multiply(A, B), x->shift))
WORD(mul_u64_u64_div_u64, multiply_divide(x, 0))
WORD(mul_u64_add_u64_div_u64, multiply_divide(x, x->b1))
WORD(mul_u64_u64_div_u64_roundup, multiply_divide(x, x->b0 - 1))

OP(u128_load)
{
	r->w[0] = x->a0;
	r->w[1] = x->a1;
}

OP(u128_views)
{
	r->w[0] = r->w[2] = x->a1;
	r->w[1] = r->w[3] = x->a0;
}

/* The quotient, and the remainder if it is asked for. */
static void quotient(struct u128_result *r, const struct u128_args *x, uint64_t b1, uint64_t b0,
		     bool remainder)
{
	divide(&r->w[0], &r->w[1], &r->w[2], &r->w[3], x->a1, x->a0, b1, b0);
	if (!remainder)
		r->w[2] = r->w[3] = 0;
}

#define QUOTIENT(name, b1, b0)                                                                     \
	OP(name)                                                                                   \
	{                                                                                          \
		quotient(r, x, b1, b0, false);                                                     \
	}                                                                                          \
	OP(name##_rem)                                                                             \
	{                                                                                          \
		quotient(r, x, b1, b0, true);                                                      \
	}

QUOTIENT(div_u128, x->b1, x->b0)
QUOTIENT(div_u128_u64, 0, x->b0)
QUOTIENT(div_u128_u32, 0, (uint32_t)x->b0)

static size_t text_of(char *text, uint64_t high, uint64_t low, unsigned int radix)
{
	struct number n = from_words(high, low), zero = {{0}};
	char reversed[48];
	size_t length = 0, i;

	do {
		uint32_t rem = 0;

		for (i = 8; i-- > 0;) {
			rem = rem << 16 | n.d[i];
			n.d[i] = rem / radix;
			rem %= radix;
		}
		reversed[length++] = "0123456789abcdef"[rem];
	} while (compare(&n, &zero));
	for (i = 0; i < length; i++)
		text[i] = reversed[length - 1 - i];
	text[length] = '\0';
	return length;
}

static size_t to_dec(char *text, cc_u64 high, cc_u64 low)
{
	return text_of(text, high, low, 10);
}

static size_t to_hex(char *text, cc_u64 high, cc_u64 low)
{
	return text_of(text, high, low, 16);
}

void u128_parser_text(char text[48], const struct u128_args *x, unsigned int radix)
{
	uint64_t b = x->b0;
	unsigned int more = x->shift % 4;
	size_t length = text_of(text, x->a1, x->a0, radix);

	for (; more; more--) {
		/* either case, as b has it */
		text[length++] = (b & 16 ? "0123456789ABCDEF" : "0123456789abcdef")[b % radix];
		b /= radix;
	}
	text[length] = '\0';
}

static int parse(cc_u64 *high, cc_u64 *low, const char *s, size_t length, unsigned int radix)
{
	struct number n = {{0}}, digit = {{0}}, base = {{radix}}, shifted;
	bool overflow = false;

	for (; length--; s++) {
		digit.d[0] = (uint32_t)(*s <= '9' ? *s - '0' : (*s | 32) - 'a' + 10);
		n = add(multiply(n, base), digit);
		shifted = shift_right(n, 128);
		overflow |= word(&shifted, 0) != 0;
	}
	if (overflow)
		return CC_ERANGE;
	*high = word(&n, 4);
	*low = word(&n, 0);
	return CC_OK;
}

static int from_dec(cc_u64 *high, cc_u64 *low, const char *s, size_t length)
{
	return parse(high, low, s, length, 10);
}

static int from_hex(cc_u64 *high, cc_u64 *low, const char *s, size_t length)
{
	return parse(high, low, s, length, 16);
}

/* One meaning, two names. */
#define mul_u128_u32_shr_fb_op mul_u128_u32_shr_op
#define mul_u128_u64_shr_fb_op mul_u128_u64_shr_op
#define div_u128_u128_op       div_u128_op
#define div_u96_u96_op	       div_u128_op
#define div_u128_u96_op	       div_u128_op

#define U128_OP(name, divisor) name##_op,
const struct u128_impl u128_impl_reference = {
	.run =
		{
#include "../../kernel/kunit/u128_list.h"
		},
	.to_dec = to_dec,
	.to_hex = to_hex,
	.from_dec = from_dec,
	.from_hex = from_hex,
};
