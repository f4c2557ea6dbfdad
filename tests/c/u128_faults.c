// SPDX-License-Identifier: MIT
/* u128_faults.c - the mistakes that these functions invite, each of which the test must find. */
#define CC_U128_IMPL 64
#include "u128_impl.h"

#define FAULT(name) static void name(struct u128_result *r, const struct u128_args *x)
#define A	    u128_store(x->a1, x->a0)
#define B	    u128_store(x->b1, x->b0)

static void put(struct u128_result *r, cc_u128 x)
{
	r->w[0] = u128_load_high(x);
	r->w[1] = u128_load_low(x);
}

FAULT(carry_of_signed_words)
{
	uint64_t low = x->a0 + x->b0;

	put(r, u128_store(x->a1 + x->b1 + ((int64_t)low < (int64_t)x->a0), low));
}

FAULT(borrow_lost)
{
	put(r, u128_store(x->a1, x->a0 - x->b0));
}

FAULT(low_word_not_compared)
{
	r->w[1] = x->a1 < x->b1;
}

FAULT(shift_modulo_the_width)
{
	put(r, u128_shr(A, x->shift & 127));
}

FAULT(product_truncated_before_the_shift)
{
	put(r, u128_shr(mul_u128_u64(A, x->b0), x->shift));
}

FAULT(carry_into_the_top_lost)
{
	cc_u128 h0, l0 = u128_mul_192(&h0, A, x->b0);
	cc_u128 h1, l1 = u128_mul_192(&h1, A, x->b1);
	cc_u128 mid = add_u128_u128(l1, u128_store(h0.b63_0, l0.b127_64));

	put(r, u128_shr_256(u128_store(h1.b63_0, mid.b127_64), u128_store(mid.b63_0, l0.b63_0),
			    x->shift));
}

FAULT(quotient_not_corrected)
{
	cc_u128 rem, q = div_u128_rem(A, B, &rem);

	/* > where >= is right */
	if (x->b1 && !(rem.b127_64 | rem.b63_0))
		q = sub_u128_u64(q, 1);
	put(r, q);
}

FAULT(dividend_cut_to_96_bits)
{
	put(r, div_u96_u96(u128_store((uint32_t)x->a1, x->a0), B));
}

FAULT(remainder_modulo_2_64)
{
	cc_u128 rem;

	put(r, div_u128_rem(A, B, &rem));
	r->w[3] = rem.b63_0;
}

FAULT(product_of_64_bits_divided)
{
	r->w[1] = x->a1 * x->a0 / x->b0;
}

FAULT(overflow_parsed)
{
	char text[48], *s;
	cc_u128 value = u128_store(0, 0);

	u128_parser_text(text, x, 10);
	for (s = text; *s; s++)
		value = add_u128_u64(mul_u128_u32(value, 10), (uint64_t)(*s - '0'));
	put(r, value);
}

#define ENTRY(name, op)                                                                            \
	{                                                                                          \
#name, op, name                                                                    \
	}
const struct u128_fault u128_faults[] = {
	ENTRY(carry_of_signed_words, U128_OP_add_u128_u128),
	ENTRY(borrow_lost, U128_OP_sub_u128_u64),
	ENTRY(low_word_not_compared, U128_OP_u128_lt),
	ENTRY(shift_modulo_the_width, U128_OP_u128_shr),
	ENTRY(product_truncated_before_the_shift, U128_OP_mul_u128_u64_shr),
	ENTRY(carry_into_the_top_lost, U128_OP_mul_u128_u128_shr),
	ENTRY(quotient_not_corrected, U128_OP_div_u128_u128),
	ENTRY(dividend_cut_to_96_bits, U128_OP_div_u96_u96),
	ENTRY(remainder_modulo_2_64, U128_OP_div_u128_rem),
	ENTRY(product_of_64_bits_divided, U128_OP_mul_u64_u64_div_u64),
	ENTRY(overflow_parsed, U128_FROM_DEC),
};
const size_t u128_faults_count = sizeof(u128_faults) / sizeof(u128_faults[0]);
