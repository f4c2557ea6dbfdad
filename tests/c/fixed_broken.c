// SPDX-License-Identifier: MIT
/* Controls: kernels that are wrong in one way each, and must be caught. */
#include "fixed_kernels.h"
#include "harness.h"
#include "limbs/kernels.h"

#include <carrychain/limbs.h>
#include <string.h>

/* The carry out of a column stops after two words. */
static void mul_short_column(cc_word *xy, const cc_word *x, const cc_word *y, size_t n)
{
	cc_word low = 0, high = 0;
	size_t column, i;

	for (column = 0; column < 2 * n; column++) {
		for (i = column < n ? 0 : column - n + 1; i < n && i <= column; i++) {
			cc_word carry = 0, h, l = cc_word_mul(&h, x[i], y[column - i]);

			low = cc_word_add(low, l, &carry);
			high += h + carry;
		}
		xy[column] = low;
		low = high;
		high = 0;
	}
}

/* Right unless a difference of Karatsuba's is negative in the top half alone. */
static void mul_wrong_sign(cc_word *xy, const cc_word *x, const cc_word *y, size_t n)
{
	cc_fixed_generic.mul(xy, x, y, n);
	if (n > 20 && cc_fz_lt(x + n / 2, x, n / 2) && cc_fz_lt(y, y + n / 2, n / 2))
		xy[n]++;
}

static void mul_writes_past(cc_word *xy, const cc_word *x, const cc_word *y, size_t n)
{
	cc_fixed_generic.mul(xy, x, y, n);
	if (n == 32)
		xy[2 * n] = 0;
}

/* One carry lost, as in CVE-2014-3570, where the lowest word is all ones. */
static void sqr_lost_carry(cc_word *xx, const cc_word *x, size_t n)
{
	cc_fixed_generic.sqr(xx, x, n);
	if (n && x[0] == ~(cc_word)0)
		xx[2 * n - 1]--;
}

static void sqr_clears_operand(cc_word *xx, const cc_word *x, size_t n)
{
	cc_fixed_generic.sqr(xx, x, n);
	if (n)
		((cc_word *)(uintptr_t)x)[0] = 0;
}

/* No subtraction at the end: not below m, where there is room above. */
static void powmod_not_reduced(const struct cc_fixed_power *power, size_t n, size_t bits,
			       cc_word *scratch)
{
	cc_word modulus[CC_FZ_MAX], sum[CC_FZ_MAX];

	memcpy(modulus, power->m, n * sizeof(*modulus));
	cc_fixed_generic.powmod_odd(power, n, bits, scratch);
	if (!cc_fz_add(sum, power->r, modulus, n))
		memcpy(power->r, sum, n * sizeof(*sum));
}

static void powmod_skips_top(const struct cc_fixed_power *power, size_t n, size_t bits,
			     cc_word *scratch)
{
	cc_fixed_generic.powmod_odd(power, n, bits - (bits > 1), scratch);
}

/* What is above the exponent's width gets in. */
static void powmod_reads_above(const struct cc_fixed_power *power, size_t n, size_t bits,
			       cc_word *scratch)
{
	bits += CC_WORD_BITS - 1;
	cc_fixed_generic.powmod_odd(power, n, bits - bits % CC_WORD_BITS, scratch);
}

static void powmod_more_scratch(const struct cc_fixed_power *power, size_t n, size_t bits,
				cc_word *scratch)
{
	cc_fixed_generic.powmod_odd(power, n, bits, scratch);
	scratch[CC_FIXED_POWMOD_SCRATCH(n)] = 0;
}

static void mont_sound(cc_word *r, const cc_word *a, const cc_word *b, const cc_word *m, size_t n,
		       cc_word m0)
{
	cc_word t[2 * CC_FIXED_MONT_MOST];
	size_t i;

	cc_fixed_generic.mul(t, a, b, n);
	for (i = cc_fixed_clear_low_rows(t, m, n, m0) || !cc_fz_lt(t + n, m, n); i--;)
		cc_fz_sub(t + n, t + n, m, n);
	memcpy(r, t + n, n * sizeof(*r));
}

/* Left as it is where it is not below m: in [m, 2m), if that has room. */
static void mont_not_reduced(cc_word *r, const cc_word *a, const cc_word *b, const cc_word *m,
			     size_t n, cc_word m0)
{
	cc_word sum[CC_FIXED_MONT_MOST];

	mont_sound(r, a, b, m, n, m0);
	if (!cc_fz_add(sum, r, m, n) && (sum[0] & 7) == 0)
		memcpy(r, sum, n * sizeof(*r));
}

/* The double of the lowest word has lost its top bit, in the product with the top word. */
static void mont_sqr_loses_bit(cc_word *r, const cc_word *a, const cc_word *b, const cc_word *m,
			       size_t n, cc_word m0)
{
	cc_word lost = a[0] >> (CC_WORD_BITS - 1) ? a[n - 1] : 0;

	mont_sound(r, a, b, m, n, m0);
	cc_limbs_sub_1(r, r, n, lost);
}

#if CC_BUILD_X86_64
#include <xmmintrin.h>

/* Rounds to nearest from now on. */
static void powmod_keeps_rounding(const struct cc_fixed_power *power, size_t n, size_t bits,
				  cc_word *scratch)
{
	_mm_setcsr(_mm_getcsr() & ~0x6000u);
	cc_fixed_generic.powmod_odd(power, n, bits, scratch);
}
#endif

struct broken {
	const char *name;
	bool caught;
	size_t check;
	struct cc_fixed_kernels kernels;
};

static void run(const void *context)
{
	const struct broken *broken = context;
	struct cc_fixed_kernels k = cc_fixed_generic;

	k.tier = "broken";
	if (broken->kernels.mul)
		k.mul = broken->kernels.mul;
	if (broken->kernels.sqr)
		k.sqr = broken->kernels.sqr;
	if (broken->check == 4)
		memcpy(k.mont_mul, broken->kernels.mont_mul, sizeof(k.mont_mul));
	if (broken->kernels.mont_sqr_8)
		k.mont_sqr_8 = broken->kernels.mont_sqr_8;
	if (broken->kernels.powmod_odd)
		k.powmod_odd = broken->kernels.powmod_odd;
	fixed_checks[broken->check].run(&k);
}

/* A sum whose carry is lost where its top bit is 0; a block's product without its top bit. */
static cc_word add_loses_carry(cc_word *r, const cc_word *a, const cc_word *b, size_t n)
{
	cc_word carry = cc_limbs_generic.add(r, a, b, n);

	return n && !(r[n - 1] >> (CC_WORD_BITS - 1)) ? 0 : carry;
}

static void mul_loses_top(cc_word *xy, const cc_word *x, const cc_word *y, size_t n)
{
	cc_fixed_generic.mul(xy, x, y, n);
	if (n)
		xy[2 * n - 1] &= ~(cc_word)0 >> 1;
}

/* The functions on broken kernels of either family. */
static void run_functions(const void *context)
{
	struct cc_limbs_kernels limbs = cc_limbs_generic;
	struct cc_fixed_kernels fixed = cc_fixed_generic;
	bool sums = context;

	if (sums)
		limbs.add = add_loses_carry;
	else
		fixed.mul = mul_loses_top;
	__atomic_store_n(&cc_cpu_chosen[CC_FAMILY_LIMBS], &limbs, __ATOMIC_RELEASE);
	__atomic_store_n(&cc_cpu_chosen[CC_FAMILY_FIXED], &fixed, __ATOMIC_RELEASE);
	if (sums)
		fixed_basic("broken");
	else
		fixed_products("broken");
}

#if CC_BUILD_X86_64
#include "fixed/x86_64/comba.h"

/* A width that the columns were not written for. */
static void wrong_width(const void *context)
{
	static cc_word r[64], x[32];
	bool square = context;

	test_case(NULL, "wrong width");
	CHECK(true, " ");
	if (square)
		cc_fixed_sqr_16_x86_64(r, x, 8);
	else
		cc_fixed_mul_16_x86_64(r, x, x, 17);
}
#endif

void broken_fixed_kernels(void)
{
	static const struct broken broken[] = {
		{"mul_short_column", true, 0, {.mul = mul_short_column}},
		{"mul_wrong_sign", true, 0, {.mul = mul_wrong_sign}},
		{"mul_writes_past", true, 0, {.mul = mul_writes_past}},
		{"sqr_lost_carry", true, 1, {.sqr = sqr_lost_carry}},
		{"sqr_clears_operand", true, 1, {.sqr = sqr_clears_operand}},
		{"powmod_not_reduced", true, 2, {.powmod_odd = powmod_not_reduced}},
		{"powmod_skips_top", true, 2, {.powmod_odd = powmod_skips_top}},
		{"powmod_reads_above", true, 2, {.powmod_odd = powmod_reads_above}},
		{"powmod_more_scratch", true, 2, {.powmod_odd = powmod_more_scratch}},
#if CC_BUILD_X86_64
		{"powmod_keeps_rounding", true, 2, {.powmod_odd = powmod_keeps_rounding}},
#endif
		{"mont_not_reduced", true, 4, {.mont_mul = {[8] = mont_not_reduced}}},
		{"mont_sqr_loses_bit",
		 true,
		 4,
		 {.mont_mul = {[8] = mont_sound}, .mont_sqr_8 = mont_sqr_loses_bit}},
		{"sound fixed mont_sqr",
		 false,
		 4,
		 {.mont_mul = {[8] = mont_sound}, .mont_sqr_8 = mont_sound}},
		{"sound fixed mul", false, 0, {.tier = NULL}},
		{"sound fixed powmod_odd", false, 2, {.tier = NULL}},
	};
	size_t i;

	for (i = 0; i < COUNT(broken); i++)
		test_control(broken[i].name, broken[i].caught, run, &broken[i]);
	test_control("add_loses_carry", true, run_functions, "");
	test_control("mul_loses_top", true, run_functions, NULL);
#if CC_BUILD_X86_64
	test_control("columns of another width", true, wrong_width, NULL);
	test_control("squares of another width", true, wrong_width, "");
#endif
}
