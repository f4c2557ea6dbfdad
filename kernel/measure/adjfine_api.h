/* SPDX-License-Identifier: MIT */
/*
 * The function ADJFINE by the implementation of u128.h that the includer selected.
 *
 * 10^6 * 2^16 = 15625 * 2^22: a product, a shift, and a division by a constant, which
 * compiles to a multiplication.
 */
#include <linux/math64.h>

#include <carrychain/u128.h>

#include "adjfine.h"

u64 ADJFINE(u64 incval, s64 scaled_ppm)
{
	cc_u128 scaled = u128_shr(mul_half_u128_u64(incval, adjfine_size(scaled_ppm)),
				  22);

	/* below 2^45 for increments of 34 bits and |scaled_ppm| <= ADJFINE_MAX */
	if (unlikely(u128_load_high(scaled)))
		scaled = div_u128_u32(scaled, 15625);
	else
		scaled = u128_store(0, div_u64(u128_load_low(scaled), 15625));
	return adjfine_moved(incval, scaled_ppm, u128_load_low(scaled));
}
