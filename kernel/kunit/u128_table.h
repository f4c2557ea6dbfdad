/* SPDX-License-Identifier: MIT */
/*
 * The table U128_TABLE of the implementation that the includer selected.
 */
#include <carrychain/u128.h>

#include "u128_ops.h"

#define OP(name) static void name##_op(struct u128_result *r, const struct u128_args *x)
#define A u128_store(x->a1, x->a0)
#define B u128_store(x->b1, x->b0)

static void put(struct u128_result *r, cc_u128 x)
{
	r->w[0] = u128_load_high(x);
	r->w[1] = u128_load_low(x);
}

/* Called twice, the second time with the remainder put over an argument. */
static void put_rem(struct u128_result *r, cc_u128 q, cc_u128 rem, cc_u128 q2, cc_u128 rem2)
{
	put(r, q);
	r->w[2] = u128_load_high(rem);
	r->w[3] = u128_load_low(rem);
	if (!u128_et(q, q2) || !u128_et(rem, rem2))
		r->w[3] = ~r->w[3];
}

/* A function of these arguments, whose result has 128 bits, or one word. */
#define OF_128(name, ...)							\
	static void name##_op(struct u128_result *r, const struct u128_args *x)	\
	{									\
		put(r, name(__VA_ARGS__));					\
	}
#define OF_64(name, ...)							\
	static void name##_op(struct u128_result *r, const struct u128_args *x)	\
	{									\
		r->w[1] = (cc_u64)name(__VA_ARGS__);				\
	}

OF_128(u128_store, x->a1, x->a0)
OF_64(u128_et, A, B)
OF_64(u128_gt, A, B)
OF_64(u128_get, A, B)
OF_64(u128_lt, A, B)
OF_64(u128_let, A, B)
OF_128(add_u128_u64, A, x->b0)
OF_128(add_u128_u128, A, B)
OF_128(sub_u128_u64, A, x->b0)
OF_128(sub_u128_u128, A, B)
OF_128(u128_shl, A, x->shift)
OF_128(u128_shr, A, x->shift)
OF_128(mul_half_u128_u64, x->a0, x->b0)
OF_128(mul_u128_u32, A, (cc_u32)x->b0)
OF_128(mul_u128_u64, A, x->b0)
OF_128(mul_u128_u128, A, B)
OF_128(mul_u128_u32_shr, A, (cc_u32)x->b0, x->shift)
OF_128(mul_u128_u32_shr_fb, A, (cc_u32)x->b0, x->shift)
OF_128(mul_u128_u64_shr, A, x->b0, x->shift)
OF_128(mul_u128_u64_shr_fb, A, x->b0, x->shift)
OF_128(mul_u128_u128_shr, A, B, x->shift)
OF_128(div_u128_u32, A, (cc_u32)x->b0)
OF_128(div_u128_u64, A, x->b0)
OF_128(div_u96_u96, A, B)
OF_128(div_u128_u96, A, B)
OF_128(div_u128_u128, A, B)
OF_128(div_u128, A, B)
OF_64(mul_u64_u64_div_u64, x->a1, x->a0, x->b0)
OF_64(mul_u64_add_u64_div_u64, x->a1, x->a0, x->b1, x->b0)
OF_64(mul_u64_u64_div_u64_roundup, x->a1, x->a0, x->b0)

OP(u128_load)
{
	r->w[0] = u128_load_low(A);
	r->w[1] = u128_load_high(A);
}

OP(u128_views)
{
	cc_u128 a = A;

	r->w[0] = (cc_u64)a.b127_96 << 32 | a.b95_64;
	r->w[1] = (cc_u64)a.b63_32 << 32 | a.b31_0;
	r->w[2] = a.b127_64;
	r->w[3] = a.b63_0;
#if CC_U128_IMPL == 128
	r->w[2] &= (cc_u64)(a.b127_0 >> 64);
	r->w[3] &= (cc_u64)a.b127_0;
#endif
}

OP(div_u128_u32_rem)
{
	cc_u128 rem, a = A, q = div_u128_u32_rem(a, (cc_u32)x->b0, &rem);
	cc_u128 q2 = div_u128_u32_rem(a, (cc_u32)x->b0, &a);

	put_rem(r, q, rem, q2, a);
}

OP(div_u128_u64_rem)
{
	cc_u128 rem, a = A, q = div_u128_u64_rem(a, x->b0, &rem);
	cc_u128 q2 = div_u128_u64_rem(a, x->b0, &a);

	put_rem(r, q, rem, q2, a);
}

OP(div_u128_rem)
{
	cc_u128 rem, a = A, b = B, q = div_u128_rem(a, b, &rem);
	cc_u128 q2 = div_u128_rem(a, b, &a);

	put_rem(r, q, rem, q2, a);
	q2 = div_u128_rem(A, b, &b);
	if (!u128_et(q, q2) || !u128_et(rem, b))
		r->w[3] = ~r->w[3];
}

static size_t to_dec(char *buf, cc_u64 high, cc_u64 low)
{
	return u128_to_dec(buf, u128_store(high, low));
}

static size_t to_hex(char *buf, cc_u64 high, cc_u64 low)
{
	return u128_to_hex(buf, u128_store(high, low));
}

static int from_dec(cc_u64 *high, cc_u64 *low, const char *s, size_t length)
{
	cc_u128 x = u128_store(*high, *low);
	int err = u128_from_dec(&x, s, length);

	*high = u128_load_high(x);
	*low = u128_load_low(x);
	return err;
}

static int from_hex(cc_u64 *high, cc_u64 *low, const char *s, size_t length)
{
	cc_u128 x = u128_store(*high, *low);
	int err = u128_from_hex(&x, s, length);

	*high = u128_load_high(x);
	*low = u128_load_low(x);
	return err;
}

const struct u128_impl U128_TABLE = {
	.run = {
#define U128_OP(name, ...) name##_op,
#include "u128_list.h"
#undef U128_OP
	},
	.to_dec = to_dec,
	.to_hex = to_hex,
	.from_dec = from_dec,
	.from_hex = from_hex,
};
