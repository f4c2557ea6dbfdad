// SPDX-License-Identifier: MIT
/*
 * u128_reference.c - what u128.h is to compute, slowly and by other means: products in
 * base 2^16, quotients a bit at a time.  tests/python checks it against Python's ints.
 */
#include <carrychain/word.h>

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

OP(u128_store)
{
	put(r, A);
}

OP(u128_load)
{
	r->w[0] = x->a0;
	r->w[1] = x->a1;
}

OP(u128_views)
{
	r->w[0] = (x->a1 & ~(uint64_t)0xffffffff) | (x->a0 & 0xffffffff);
	r->w[1] = x->a1 << 32 | x->a0 >> 32;
	r->w[2] = x->a0;
	r->w[3] = x->a1;
}

static int order(const struct u128_args *x)
{
	struct number a = A, b = B;

	return compare(&a, &b);
}

OP(u128_et)
{
	r->w[0] = order(x) == 0;
	r->w[1] = 1;
}

OP(u128_gt)
{
	r->w[0] = order(x) > 0;
}

OP(u128_get)
{
	r->w[0] = order(x) >= 0;
	r->w[1] = 1;
}

OP(u128_lt)
{
	r->w[0] = order(x) < 0;
}

OP(u128_let)
{
	r->w[0] = order(x) <= 0;
	r->w[1] = 1;
}

OP(add_u128_u64)
{
	put(r, add(A, B64));
}

OP(add_u128_u128)
{
	put(r, add(A, B));
}

OP(sub_u128_u64)
{
	put(r, subtract(A, B64));
}

OP(sub_u128_u128)
{
	put(r, subtract(A, B));
}

OP(u128_shl)
{
	struct number power = {{0}};

	if (x->shift < 128)
		power.d[x->shift / 16] = 1u << (x->shift % 16);
	put(r, multiply(A, power));
}

OP(u128_shr)
{
	put(r, shift_right(A, x->shift));
}

OP(mul_half_u128_u64)
{
	put(r, multiply(from_words(0, x->a0), B64));
}

OP(mul_u128_u32)
{
	put(r, multiply(A, B32));
}

OP(mul_u128_u64)
{
	put(r, multiply(A, B64));
}

OP(mul_u128_u128)
{
	put(r, multiply(A, B));
}

OP(mul_u128_u32_shr)
{
	put(r, shift_right(multiply(A, B32), x->shift));
}

OP(mul_u128_u64_shr)
{
	put(r, shift_right(multiply(A, B64), x->shift));
}

OP(mul_u128_u128_shr)
{
	put(r, shift_right(multiply(A, B), x->shift));
}

OP(div_u128_rem)
{
	divide(&r->w[0], &r->w[1], &r->w[2], &r->w[3], x->a1, x->a0, x->b1, x->b0);
}

OP(div_u128_u64_rem)
{
	divide(&r->w[0], &r->w[1], &r->w[2], &r->w[3], x->a1, x->a0, 0, x->b0);
}

OP(div_u128_u32_rem)
{
	divide(&r->w[0], &r->w[1], &r->w[2], &r->w[3], x->a1, x->a0, 0, (uint32_t)x->b0);
}

static void no_remainder(struct u128_result *r)
{
	r->w[2] = r->w[3] = 0;
}

OP(div_u128)
{
	div_u128_rem_op(r, x);
	no_remainder(r);
}

OP(div_u128_u64)
{
	div_u128_u64_rem_op(r, x);
	no_remainder(r);
}

OP(div_u128_u32)
{
	div_u128_u32_rem_op(r, x);
	no_remainder(r);
}

static void multiply_divide(struct u128_result *r, const struct u128_args *x, uint64_t plus)
{
	struct number n =
		add(multiply(from_words(0, x->a1), from_words(0, x->a0)), from_words(0, plus));
	uint64_t q1, q0, r1, r0;

	divide(&q1, &q0, &r1, &r0, word(&n, 4), word(&n, 0), 0, x->b0);
	r->w[0] = q1 ? UINT64_MAX : q0;
}

OP(mul_u64_u64_div_u64)
{
	multiply_divide(r, x, 0);
}

OP(mul_u64_add_u64_div_u64)
{
	multiply_divide(r, x, x->b1);
}

OP(mul_u64_u64_div_u64_roundup)
{
	multiply_divide(r, x, x->b0 - 1);
}

void u128_reference_text(char text[48], uint64_t high, uint64_t low, unsigned int radix)
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
}

void u128_text_result(struct u128_result *r, const char *text, size_t length)
{
	uint64_t hash = 0xcbf29ce484222325;
	size_t i;

	/* FNV-1a, the NUL included */
	for (i = 0; i <= length; i++)
		hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3;
	r->w[0] = length;
	r->w[1] = hash;
}

OP(u128_to_dec)
{
	char text[48];

	u128_reference_text(text, x->a1, x->a0, 10);
	u128_text_result(r, text, strlen(text));
}

OP(u128_to_hex)
{
	char text[48];

	u128_reference_text(text, x->a1, x->a0, 16);
	u128_text_result(r, text, strlen(text));
}

void u128_parser_text(char text[48], const struct u128_args *x, unsigned int radix)
{
	uint64_t b = x->b0;
	unsigned int more = x->shift % 4;
	size_t length;

	u128_reference_text(text, x->a1, x->a0, radix);
	for (length = strlen(text); more; more--) {
		/* either case, as b has it */
		text[length++] = (b & 16 ? "0123456789ABCDEF" : "0123456789abcdef")[b % radix];
		b /= radix;
	}
	text[length] = '\0';
}

static void parse_text(struct u128_result *r, const struct u128_args *x, unsigned int radix)
{
	struct number n = {{0}}, digit = {{0}}, ten = {{radix}}, shifted;
	char text[48], *s;
	bool overflow = false;

	u128_parser_text(text, x, radix);
	for (s = text; *s; s++) {
		digit.d[0] = (uint32_t)(*s <= '9' ? *s - '0' : (*s | 32) - 'a' + 10);
		n = add(multiply(n, ten), digit);
		shifted = shift_right(n, 128);
		overflow |= word(&shifted, 0) != 0;
	}
	if (overflow)
		r->w[2] = (uint64_t)(int64_t)CC_ERANGE;
	else
		put(r, n);
}

OP(u128_from_dec)
{
	parse_text(r, x, 10);
}

OP(u128_from_hex)
{
	parse_text(r, x, 16);
}

/* One meaning, two names. */
#define mul_u128_u32_shr_fb_op mul_u128_u32_shr_op
#define mul_u128_u64_shr_fb_op mul_u128_u64_shr_op
#define div_u128_u128_op       div_u128_op
#define div_u96_u96_op	       div_u128_op
#define div_u128_u96_op	       div_u128_op

#define ENTRY(name, divisor) name##_op,
const struct u128_impl u128_impl_reference = {"reference", {U128_OPS(ENTRY)}, NULL};
