// SPDX-License-Identifier: MIT
/*
 * Names in Linux's math64.h and lib/math/div64.c since 6.19, which must not collide with the
 * series'.
 */
#include <linux/math64.h>

#undef mul_u64_u64_div_u64
u64 mul_u64_add_u64_div_u64(u64 a, u64 b, u64 c, u64 d);
#define mul_u64_u64_div_u64(a, b, d) mul_u64_add_u64_div_u64(a, b, 0, d)
#define mul_u64_u64_div_u64_roundup(a, b, d) \
	({ u64 _tmp = (d); mul_u64_add_u64_div_u64(a, b, _tmp - 1, _tmp); })
u64 add_u64_u32(u64 a, u32 b);
#define mul_add(a, b, c) add_u64_u32(mul_u32_u32(a, b), c)
u64 mul_u64_u64_add_u64(u64 *p_lo, u64 a, u64 b, u64 c);
#define mul_u64_long_add_u64(p_lo, a, b, c) mul_u64_u64_add_u64(p_lo, a, b, c)
#define add_u64_long(a, b) ((a) + (b))

#include "math128.c"
