// SPDX-License-Identifier: MIT
/*
 * A libFuzzer target: number theory against GMP: cofactors, inverses, symbols, modular powers,
 * roots, perfect powers, exact quotients, and products of many factors.
 *
 *	clang -std=c17 -g -O1 -fsanitize=fuzzer,address,undefined \
 *		-fno-sanitize-recover=undefined -DCC_NO_ASM -Iinclude tests/fuzz/fuzz_theory.c \
 *		src/{bigint,cpu,fib,fixed,limbs,natural,theory,threads,transform}/[a-z]*.c \
 *		-lgmp -o fuzz_theory
 *	./fuzz_theory -max_total_time=60 -max_len=4096 -len_control=0
 *
 * Without assembly, into which the sanitizers don't see; tests/c runs every tier.
 *
 * The first byte is the operation, the second says where the rest is cut into two numbers, signed
 * bytes.  A third one, an exponent or the k of a root, is of a few bytes of the first.
 */
#include "beside_gmp.h"

#include <carrychain/fib.h>
#include <carrychain/theory.h>

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The operands, x and y, with small numbers of x; results and those of GMP. */
static cc_bigint x, y, e, r, s, t;
static mpz_t gx, gy, ge, gr, gs, gt;
static uint64_t small;

static void gcdext(void)
{
	MUST(!cc_bigint_gcdext(&r, &s, &t, &x, &y, NULL));
	mpz_gcdext(gr, gs, gt, gx, gy);
	MUST(same(&r, gr) && same(&s, gs) && same(&t, gt));
}

static void invert(void)
{
	int err;

	if (!y.length)
		return;
	MUST(!cc_bigint_abs(&y, &y));
	mpz_abs(gy, gy);
	err = cc_bigint_invert(&r, &x, &y, NULL);
	if (!mpz_cmp_ui(gy, 1))
		MUST(!err && !r.length);
	else if (mpz_invert(gr, gx, gy))
		MUST(!err && same(&r, gr));
	else
		MUST(err);
}

static void symbol(void)
{
	int is;

	MUST(!cc_bigint_kronecker(&is, &x, &y, NULL) && is == mpz_kronecker(gx, gy));
}

static void powm(void)
{
	if (!y.length)
		return;
	MUST(!cc_bigint_abs(&y, &y));
	mpz_abs(gy, gy);
	MUST(!cc_bigint_powm(&r, &x, &e, &y, NULL));
	mpz_powm(gr, gx, ge, gy);
	MUST(same(&r, gr));
}

static void root(void)
{
	uint64_t k = 1 + small % 70;

	MUST(!cc_bigint_abs(&x, &x));
	mpz_abs(gx, gx);
	MUST(!cc_bigint_rootrem(&r, &s, &x, k, NULL));
	mpz_rootrem(gr, gs, gx, k);
	MUST(same(&r, gr) && same(&s, gs));
}

static void power(void)
{
	int is;

	/* a power, or beside one */
	MUST(!cc_bigint_pow(&r, &y, small % 8));
	if (small & 8)
		MUST(!cc_bigint_add(&r, &r, &x));
	to_gmp(gr, &r);
	MUST(!cc_bigint_is_power(&is, &r, NULL) && is == !!mpz_perfect_power_p(gr));
	MUST(!cc_bigint_is_square(&is, &r, NULL) && is == !!mpz_perfect_square_p(gr));
}

static void divexact(void)
{
	if (!y.length)
		return;
	MUST(!cc_bigint_mul(&r, &x, &y) && !cc_bigint_divexact(&s, &r, &y, NULL));
	MUST(same(&s, gx));
}

static void prime(void)
{
	int is;

	if (x.length > 20 || x.negative)
		return;
	MUST(!cc_theory_is_prime(&is, &x, NULL) && is == !!mpz_probab_prime_p(gx, 25));
	MUST(!cc_theory_next_prime(&r, &x, NULL));
	mpz_nextprime(gr, gx);
	MUST(same(&r, gr));
}

static void products(void)
{
	uint64_t n = small % 4000, k = (small >> 12) % (n + 1);

	MUST(!cc_theory_factorial(&r, n, NULL));
	mpz_fac_ui(gr, n);
	MUST(same(&r, gr));
	MUST(!cc_theory_primorial(&r, n, NULL));
	mpz_primorial_ui(gr, n);
	MUST(same(&r, gr));
	MUST(!cc_theory_binomial(&r, n, k, NULL));
	mpz_bin_uiui(gr, n, k);
	MUST(same(&r, gr));
	MUST(!cc_theory_binomial(&r, small, k % 100, NULL));
	mpz_bin_uiui(gr, small, k % 100);
	MUST(k % 100 > small || same(&r, gr));
	MUST(!cc_lucas(&r, n, NULL));
	mpz_lucnum_ui(gr, n);
	MUST(same(&r, gr));
}

static void (*const operations[])(void) = {gcdext, invert,   symbol, powm,    root,
					   power,  divexact, prime,  products};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t cut, few;

	if (size < 3)
		return 0;
	cut = (size - 2) * data[1] / 256;
	few = cut < 40 ? cut : 40;
	mpz_inits(gx, gy, ge, gr, gs, gt, NULL);
	MUST(!cc_bigint_from_bytes(&x, data + 2, cut, CC_SIGNED));
	MUST(!cc_bigint_from_bytes(&y, data + 2 + cut, size - 2 - cut, CC_SIGNED | CC_BIG_ENDIAN));
	MUST(!cc_bigint_from_bytes(&e, data + 2, few, 0));
	small = 0;
	memcpy(&small, data + 2, few < 8 ? few : 8);
	to_gmp(gx, &x);
	to_gmp(gy, &y);
	to_gmp(ge, &e);
	operations[data[0] % (sizeof(operations) / sizeof(*operations))]();
	mpz_clears(gx, gy, ge, gr, gs, gt, NULL);
	cc_bigint_clear(&x);
	cc_bigint_clear(&y);
	cc_bigint_clear(&e);
	cc_bigint_clear(&r);
	cc_bigint_clear(&s);
	cc_bigint_clear(&t);
	return 0;
}
