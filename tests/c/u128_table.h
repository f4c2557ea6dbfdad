/* SPDX-License-Identifier: MIT */
/*
 * u128_table.h - the table of one implementation: included once by a file that has
 * defined U128_TABLE and, before, what selects the implementation.
 */
#include <carrychain/u128.h>

#include <string.h>

#include "u128_impl.h"

#define OP(name) static void name##_op(struct u128_result *r, const struct u128_args *x)
#define A	 u128_store(x->a1, x->a0)
#define B	 u128_store(x->b1, x->b0)

static void put(struct u128_result *r, cc_u128 x)
{
	r->w[0] = u128_load_high(x);
	r->w[1] = u128_load_low(x);
}

/* The remainder beside the quotient, and it had better be the same in each place. */
static void put_rem(struct u128_result *r, cc_u128 q, cc_u128 rem, cc_u128 q2, cc_u128 rem2)
{
	put(r, q);
	r->w[2] = u128_load_high(rem);
	r->w[3] = u128_load_low(rem);
	if (memcmp(&q, &q2, sizeof(q)) || memcmp(&rem, &rem2, sizeof(rem)))
		r->w[3] = ~r->w[3];
}

OP(u128_store)
{
	put(r, A);
}

OP(u128_load)
{
	r->w[0] = u128_load_low(A);
	r->w[1] = u128_load_high(A);
}

OP(u128_views)
{
	cc_u128 a = A;

	r->w[0] = (uint64_t)a.b127_96 << 32 | a.b31_0;
	r->w[1] = (uint64_t)a.b95_64 << 32 | a.b63_32;
	r->w[2] = a.b63_0;
	r->w[3] = a.b127_64;
#if CC_U128_IMPL == 128
	r->w[2] &= (uint64_t)a.b127_0;
	r->w[3] &= (uint64_t)(a.b127_0 >> 64);
#endif
}

OP(u128_et)
{
	r->w[0] = (uint64_t)u128_et(A, B);
	r->w[1] = (uint64_t)u128_et(A, A);
}

OP(u128_gt)
{
	r->w[0] = (uint64_t)u128_gt(A, B);
	r->w[1] = (uint64_t)u128_gt(A, A);
}

OP(u128_get)
{
	r->w[0] = (uint64_t)u128_get(A, B);
	r->w[1] = (uint64_t)u128_get(A, A);
}

OP(u128_lt)
{
	r->w[0] = (uint64_t)u128_lt(A, B);
	r->w[1] = (uint64_t)u128_lt(A, A);
}

OP(u128_let)
{
	r->w[0] = (uint64_t)u128_let(A, B);
	r->w[1] = (uint64_t)u128_let(A, A);
}

OP(add_u128_u64)
{
	put(r, add_u128_u64(A, x->b0));
}

OP(add_u128_u128)
{
	put(r, add_u128_u128(A, B));
}

OP(sub_u128_u64)
{
	put(r, sub_u128_u64(A, x->b0));
}

OP(sub_u128_u128)
{
	put(r, sub_u128_u128(A, B));
}

OP(u128_shl)
{
	put(r, u128_shl(A, x->shift));
}

OP(u128_shr)
{
	put(r, u128_shr(A, x->shift));
}

OP(mul_half_u128_u64)
{
	put(r, mul_half_u128_u64(x->a0, x->b0));
}

OP(mul_u128_u32)
{
	put(r, mul_u128_u32(A, (uint32_t)x->b0));
}

OP(mul_u128_u64)
{
	put(r, mul_u128_u64(A, x->b0));
}

OP(mul_u128_u128)
{
	put(r, mul_u128_u128(A, B));
}

OP(mul_u128_u32_shr)
{
	put(r, mul_u128_u32_shr(A, (uint32_t)x->b0, x->shift));
}

OP(mul_u128_u32_shr_fb)
{
	put(r, mul_u128_u32_shr_fb(A, (uint32_t)x->b0, x->shift));
}

OP(mul_u128_u64_shr)
{
	put(r, mul_u128_u64_shr(A, x->b0, x->shift));
}

OP(mul_u128_u64_shr_fb)
{
	put(r, mul_u128_u64_shr_fb(A, x->b0, x->shift));
}

OP(mul_u128_u128_shr)
{
	put(r, mul_u128_u128_shr(A, B, x->shift));
}

OP(div_u128_u32_rem)
{
	cc_u128 rem, a = A, q = div_u128_u32_rem(a, (uint32_t)x->b0, &rem);
	cc_u128 q2 = div_u128_u32_rem(a, (uint32_t)x->b0, &a);

	put_rem(r, q, rem, q2, a);
}

OP(div_u128_u32)
{
	put(r, div_u128_u32(A, (uint32_t)x->b0));
}

OP(div_u128_u64_rem)
{
	cc_u128 rem, a = A, q = div_u128_u64_rem(a, x->b0, &rem);
	cc_u128 q2 = div_u128_u64_rem(a, x->b0, &a);

	put_rem(r, q, rem, q2, a);
}

OP(div_u128_u64)
{
	put(r, div_u128_u64(A, x->b0));
}

OP(div_u128_u128)
{
	put(r, div_u128_u128(A, B));
}

OP(div_u96_u96)
{
	put(r, div_u96_u96(A, B));
}

OP(div_u128_u96)
{
	put(r, div_u128_u96(A, B));
}

OP(div_u128_rem)
{
	cc_u128 rem, a = A, b = B, q = div_u128_rem(a, b, &rem);
	cc_u128 q2 = div_u128_rem(a, b, &a);

	put_rem(r, q, rem, q2, a);
	a = A;
	q2 = div_u128_rem(a, b, &b);
	put_rem(r, q, rem, q2, b);
}

OP(div_u128)
{
	put(r, div_u128(A, B));
}

OP(mul_u64_u64_div_u64)
{
	r->w[0] = mul_u64_u64_div_u64(x->a1, x->a0, x->b0);
}

OP(mul_u64_add_u64_div_u64)
{
	r->w[0] = mul_u64_add_u64_div_u64(x->a1, x->a0, x->b1, x->b0);
}

OP(mul_u64_u64_div_u64_roundup)
{
	r->w[0] = mul_u64_u64_div_u64_roundup(x->a1, x->a0, x->b0);
}

OP(u128_to_dec)
{
	char text[CC_U128_DEC_SIZE];

	u128_text_result(r, text, u128_to_dec(text, A));
}

OP(u128_to_hex)
{
	char text[CC_U128_HEX_SIZE];

	u128_text_result(r, text, u128_to_hex(text, A));
}

static int parse(uint64_t *high, uint64_t *low, const char *s, size_t length, int radix)
{
	cc_u128 value = u128_store(*high, *low);
	int error =
		radix == 10 ? u128_from_dec(&value, s, length) : u128_from_hex(&value, s, length);

	*high = u128_load_high(value);
	*low = u128_load_low(value);
	return error;
}

OP(u128_from_dec)
{
	char text[48];

	u128_parser_text(text, x, 10);
	r->w[2] = (uint64_t)(int64_t)parse(&r->w[0], &r->w[1], text, strlen(text), 10);
}

OP(u128_from_hex)
{
	char text[48];

	u128_parser_text(text, x, 16);
	r->w[2] = (uint64_t)(int64_t)parse(&r->w[0], &r->w[1], text, strlen(text), 16);
}

#define ENTRY(name, divisor) name##_op,
const struct u128_impl U128_TABLE = {U128_NAME, {U128_OPS(ENTRY)}, parse};
