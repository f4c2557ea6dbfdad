// SPDX-License-Identifier: MIT
/*
 * A network card's clock (PTP) is tuned by what each tick adds to it: the increment moves
 * by incval * scaled_ppm / (10^6 * 2^16), a product of up to 70 bits.  Linux 5.19 shifted
 * bits away until it fitted 64.  Here it is kept whole, and what the shortcut loses in a
 * day is printed beside it.
 *
 *	cc -I../include ptp_clock.c -o ptp_clock
 */
#include <carrychain/u128.h>
#include <stdio.h>

#define SCALE 65536000000u /* 10^6 * 2^16 */
/* what a tick of 812.5 MHz adds, in units of 2^-32 ns, and how many there are in a day */
#define INCVAL	      0x13b13b13bu
#define TICKS_PER_DAY (812500000ull * 86400)

static uint64_t exact(uint64_t incval, uint64_t scaled_ppm)
{
	return mul_u64_u64_div_u64(incval, scaled_ppm, SCALE);
}

static uint64_t shortened(uint64_t incval, uint64_t scaled_ppm)
{
	uint64_t divisor = 1000000;

	while (scaled_ppm > UINT64_MAX / incval) {
		scaled_ppm >>= 2;
		divisor >>= 2;
	}
	return ((incval * scaled_ppm) >> 16) / divisor;
}

/* Whether d = floor(incval * scaled_ppm / SCALE). */
static int is_quotient(uint64_t d, uint64_t incval, uint64_t scaled_ppm)
{
	cc_u128 product = mul_half_u128_u64(incval, scaled_ppm);

	return u128_let(mul_half_u128_u64(d, SCALE), product) &&
	       u128_gt(mul_half_u128_u64(d + 1, SCALE), product);
}

int main(void)
{
	/* in parts per billion: a good oscillator, a bad one, and the most that cards take */
	static const uint64_t ppb[] = {1, 50, 4600, 12345678, 61234567, 100000000};
	size_t count = sizeof(ppb) / sizeof(ppb[0]), i, passed = 0;

	printf("%12s %14s %14s %22s\n", "ppb", "exact", "Linux 5.19", "apart in a day, ns");
	for (i = 0; i < count; i++) {
		uint64_t scaled_ppm = ppb[i] * 65536 / 1000, d = exact(INCVAL, scaled_ppm);
		uint64_t s = shortened(INCVAL, scaled_ppm), apart = s > d ? s - d : d - s;

		passed += is_quotient(d, INCVAL, scaled_ppm);
		printf("%12llu %14llu %14llu %22llu\n", (unsigned long long)ppb[i],
		       (unsigned long long)d, (unsigned long long)s,
		       (unsigned long long)u128_load_low(
			       u128_shr(mul_half_u128_u64(apart, TICKS_PER_DAY), 32)));
	}
	printf("%zu passed, %zu failed, 0 skipped\n", passed, count - passed);
	return passed != count;
}
