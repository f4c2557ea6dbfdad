/* SPDX-License-Identifier: MIT */
/* Functions of word.h, implemented by Linux's own. */

/* Leading zeros; x must not be 0. */
static inline unsigned int cc_clz_u32(cc_u32 x)
{
	return 32 - fls(x);
}

/* Leading zeros; x must not be 0. */
static inline unsigned int cc_clz_u64(cc_u64 x)
{
	return 64 - fls64(x);
}

static inline cc_u64 cc_mul_u32(cc_u32 a, cc_u32 b)
{
	return mul_u32_u32(a, b);
}

static inline cc_u64 cc_div_u64(cc_u64 *rem, cc_u64 u, cc_u64 d)
{
	return div64_u64_rem(u, d, rem);
}
