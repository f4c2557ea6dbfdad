/* SPDX-License-Identifier: MIT */
/* u128_loops.h - the loops of one implementation, which the including file has selected. */
#include "u128.h"

static inline cc_u128 xor_u128(cc_u128 a, cc_u128 b)
{
	return u128_store(a.b127_64 ^ b.b127_64, a.b63_0 ^ b.b63_0);
}

U128_LOOP(loop_add, r = add_u128_u128(r, a))
U128_LOOP(loop_sub, r = sub_u128_u128(r, a))
U128_LOOP(loop_lt, r.b63_0 ^= (cc_u64)u128_lt(a, b))
U128_LOOP(loop_mul_shr, r = xor_u128(r, mul_u128_u64_shr(a, b.b63_0, w->shift)))
U128_LOOP(loop_mul_shr_chain, r = mul_u128_u64_shr(a, b.b63_0 ^ r.b63_0, w->shift))
U128_LOOP(loop_div, r = xor_u128(r, div_u128_u128(a, b)))
U128_LOOP(loop_div_chain, a = after(a, r, zero); r = div_u128_u128(a, b))
U128_LOOP(loop_mul_div, r.b63_0 ^= mul_u64_u64_div_u64(a.b63_0, a.b127_64, b.b63_0))

const struct u128_loops U128_LOOPS = {
	.impl = U128_NAME,
	.add = loop_add,
	.sub = loop_sub,
	.lt = loop_lt,
	.mul_shr = loop_mul_shr,
	.mul_shr_chain = loop_mul_shr_chain,
	.div = loop_div,
	.div_chain = loop_div_chain,
	.mul_div = loop_mul_div,
};
