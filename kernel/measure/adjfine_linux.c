// SPDX-License-Identifier: MIT
/* The algorithms of Linux 5.19 and 6.0. */
#include <linux/limits.h>
#include <linux/log2.h>
#include <linux/math64.h>

#include "adjfine.h"

/* 5.19: drop bits of the argument and of the divisor until the product fits 64 bits. */
u64 adjfine_5_19(u64 incval, s64 scaled_ppm)
{
	u64 s = adjfine_size(scaled_ppm), d = 1000000;
	u64 max = div64_u64(U64_MAX, incval);

	while (s > max) {
		s >>= 2;
		d >>= 2;
	}
	return adjfine_moved(incval, scaled_ppm, div64_u64((incval * s) >> 16, d));
}

/*
 * mul_u64_u64_div_u64() in C as it was then: divide the multiplicand first, then shift the
 * product of its remainder, and the divisor, right until they fit.
 */
static noinline u64 mul_div(u64 a, u64 b, u64 d)
{
	u64 whole = 0;

	if (ilog2(a) + ilog2(b) > 62) {
		u64 rem;
		int excess;

		whole = div64_u64_rem(b, d, &rem) * a;
		b = rem;
		excess = ilog2(a) + ilog2(b) - 62;
		if (excess > 0) {
			b >>= excess;
			d >>= excess;
			if (!d)
				return whole;
		}
	}
	return whole + div64_u64(a * b, d);
}

u64 adjfine_6_0(u64 incval, s64 scaled_ppm)
{
	return adjfine_moved(incval, scaled_ppm,
		    mul_div(incval, adjfine_size(scaled_ppm), 1000000ULL << 16));
}

/* The same for architectures that divide 128 bits by 64 in one instruction. */
u64 adjfine_6_0_asm(u64 incval, s64 scaled_ppm)
{
	return adjfine_moved(incval, scaled_ppm,
		    mul_u64_u64_div_u64(incval, adjfine_size(scaled_ppm),
					1000000ULL << 16));
}
