// SPDX-License-Identifier: MIT
/*
 * 128-bit arithmetic against the compiler's __int128, whose division is libgcc's, and the
 * fallbacks against the native implementation.  Where there is no __int128 there is no
 * such suite.
 */
#include "u128.h"

#include <stdlib.h>

#ifdef __SIZEOF_INT128__

U128_LOOP(peer_add, r.b127_0 += a.b127_0)
U128_LOOP(peer_sub, r.b127_0 -= a.b127_0)
U128_LOOP(peer_lt, r.b63_0 ^= a.b127_0 < b.b127_0)
U128_LOOP(peer_div, r.b127_0 ^= a.b127_0 / b.b127_0)
U128_LOOP(peer_div_chain, a = after(a, r, zero); r.b127_0 = a.b127_0 / b.b127_0)
U128_LOOP(peer_mul_div, r.b63_0 ^= (cc_u64)((cc_native_u128)a.b63_0 * a.b127_64 / b.b63_0))

/* b of exactly so many bits, a of 128 */
static void operands(struct u128_work *w, unsigned int bits)
{
	size_t i;

	cc_bench_random(w->a, sizeof(w->a));
	cc_bench_random(w->b, sizeof(w->b));
	for (i = 0; i < U128_OPERANDS; i++) {
		w->a[i].b127_64 |= (cc_u64)1 << 63;
		w->b[i].b127_64 |= (cc_u64)1 << 63;
		w->b[i] = u128_shr(w->b[i], 128 - bits);
	}
}

static void simple(const struct u128_loops *loops, struct u128_work *w)
{
	static const unsigned int shifts[] = {23, 75};
	size_t i;

	operands(w, 128);
	cc_bench_pair("add_u128_u128", 128, loops->impl, "__int128", loops->add, peer_add, w);
	cc_bench_pair("sub_u128_u128", 128, loops->impl, "__int128", loops->sub, peer_sub, w);
	cc_bench_pair("u128_lt", 128, loops->impl, "__int128", loops->lt, peer_lt, w);
	if (loops == &u128_loops_128)
		return;
	for (i = 0; i < sizeof(shifts) / sizeof(*shifts); i++) {
		w->shift = shifts[i];
		cc_bench_pair("mul_u128_u64_shr", shifts[i], loops->impl, "128", loops->mul_shr,
			      u128_loops_128.mul_shr, w);
		cc_bench_pair("mul_u128_u64_shr chain", shifts[i], loops->impl, "128",
			      loops->mul_shr_chain, u128_loops_128.mul_shr_chain, w);
	}
}

static void divisions(const struct u128_loops *loops, struct u128_work *w)
{
	static const unsigned int bits[] = {30, 64, 96, 128};
	const char *libgcc = "__udivti3", *native = u128_loops_128.impl;
	size_t i;

	for (i = 0; i < sizeof(bits) / sizeof(*bits); i++) {
		operands(w, bits[i]);
		if (loops == &u128_loops_128) {
			cc_bench_pair("div_u128_u128", bits[i], loops->impl, libgcc, loops->div,
				      peer_div, w);
			cc_bench_pair("div_u128_u128 chain", bits[i], loops->impl, libgcc,
				      loops->div_chain, peer_div_chain, w);
		} else {
			cc_bench_pair("div_u128_u128", bits[i], loops->impl, native, loops->div,
				      u128_loops_128.div, w);
			cc_bench_pair("div_u128_u128 chain", bits[i], loops->impl, native,
				      loops->div_chain, u128_loops_128.div_chain, w);
		}
	}
	/* the upper factor below the divisor: the quotient fits */
	operands(w, 64);
	for (i = 0; i < U128_OPERANDS; i++)
		w->a[i].b127_64 >>= 1;
	cc_bench_pair("mul_u64_u64_div_u64", 64, loops->impl, libgcc, loops->mul_div, peer_mul_div,
		      w);
}

void cc_bench_u128(void)
{
	const struct u128_loops *const loops[] = {&u128_loops_128, &u128_loops_64, &u128_loops_32};
	struct u128_work *w = cc_bench_alloc(sizeof(*w));
	size_t i;

	for (i = 0; i < sizeof(loops) / sizeof(*loops); i++) {
		simple(loops[i], w);
		divisions(loops[i], w);
	}
	free(w);
}

#endif
