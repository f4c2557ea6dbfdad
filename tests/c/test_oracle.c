// SPDX-License-Identifier: MIT
/*
 * fixed.h beside another's arithmetic, at widths from 4 to 128 words: at --scale 1000 a
 * million products, squares and sums of random density at each width, a quarter as many
 * others beside (all ones, one bit, few bits, and what random_words() knows); of what costs
 * more than a product the fewer the wider.  Every case says how many it had.
 */
#include "fixed/kernels.h"
#include "harness.h"
#include "oracle.h"

#include <carrychain/prime.h>
#include <stdio.h>
#include <string.h>
#if ORACLE_GMP
#include <gmp.h>
#endif

#define MOST 128

/* Multiples of four, and both sides of 8, 16, 32 and 64 and of what the tiers treat apart. */
static const size_t widths[] = {4,  7,	8,  9,	12, 15, 16, 17, 20, 21, 24, 28,	 31,
				32, 33, 40, 48, 56, 63, 64, 65, 80, 96, 97, 127, MOST};

#define WIDTHS COUNT(widths)

/* The tier at hand, and the kind of the case. */
static const struct cc_fixed_kernels *kernels;
static bool dense;

static void few_bits(cc_word *r, size_t n, size_t bits)
{
	memset(r, 0, n * sizeof(*r));
	while (bits--)
		r[random_below(n)] |= (cc_word)1 << random_below(CC_WORD_BITS);
}

static void any(cc_word *r, size_t n)
{
	switch (dense ? 4 : random_below(5)) {
	case 0:
		memset(r, 0xff, n * sizeof(*r));
		break;
	case 1:
		few_bits(r, n, 1);
		break;
	case 2:
		few_bits(r, n, 2 + random_below(2 * n));
		break;
	case 3:
		random_words(r, n);
		break;
	default:
		random_dense_words(r, n, (unsigned int)random_below(65));
	}
}

static void same(const char *what, const cc_word *is, const cc_word *should, size_t n)
{
	CHECK(!memcmp(is, should, n * sizeof(*is)), "another %s than %s's", what, oracle_name);
}

static void check_mul(size_t n)
{
	cc_word x[MOST], y[MOST], r[2 * MOST], should[2 * MOST];

	any(x, n);
	any(y, n);
	kernels->mul(r, x, y, n);
	oracle_mul(should, x, y, n);
	same("product", r, should, 2 * n);
}

static void check_sqr(size_t n)
{
	cc_word x[MOST], r[2 * MOST], should[2 * MOST];

	any(x, n);
	kernels->sqr(r, x, n);
	oracle_sqr(should, x, n);
	same("square", r, should, 2 * n);
}

#if ORACLE_GMP
/* Not 0, and in one case of four narrower. */
static void any_modulus(cc_word *r, size_t n)
{
	size_t top = random_below(4) ? n : 1 + random_below(n);

	any(r, top);
	memset(r + top, 0, (n - top) * sizeof(*r));
	if (cc_fz_is_zero(r, n))
		r[random_below(n)] = 1;
}

/* y of any width up to n, x no narrower, and of n words in half the cases */
static void check_mul_unequal(size_t n)
{
	cc_word x[MOST], y[MOST], r[2 * MOST], should[2 * MOST];
	size_t yn = 1 + random_below(n), xn = random_below(2) ? n : yn + random_below(n + 1 - yn);

	any(x, xn);
	any(y, yn);
	oracle_mul_unequal(should, x, xn, y, yn);
	cc_fz_mul_unequal(r, x, xn, y, yn);
	same("product", r, should, xn + yn);
	cc_fz_mul_unequal(r, y, yn, x, xn);
	same("product, exchanged", r, should, xn + yn);
}

static void check_halves(size_t n)
{
	cc_word x[MOST], y[MOST], r[MOST], should[2 * MOST];

	any(x, n);
	any(y, n);
	oracle_mul(should, x, y, n);
	cc_fz_mul_low(r, x, y, n);
	same("lower half", r, should, n);
	cc_fz_mul_high(r, x, y, n);
	same("upper half", r, should + n, n);
}

static void check_sums(size_t n)
{
	cc_word a[MOST], b[MOST], r[MOST], should[MOST], out, w = random_edge_word();
	bool made = random_below(2);
	cc_word mask = made ? ~(cc_word)0 : 0;

	any(a, n);
	any(b, n);
	out = mpn_cnd_add_n(made, should, a, b, (mp_size_t)n);
	CHECK(cc_fz_add_if(r, mask, a, b, n) == out, "carry");
	same("sum", r, should, n);
	out = mpn_cnd_sub_n(made, should, a, b, (mp_size_t)n);
	CHECK(cc_fz_sub_if(r, mask, a, b, n) == out, "borrow");
	same("difference", r, should, n);
	out = oracle_add_word(should, a, n, w);
	CHECK(cc_fz_add_word(r, a, n, w) == out, "carry");
	same("sum with a word", r, should, n);
	out = oracle_sub_word(should, a, n, w);
	CHECK(cc_fz_sub_word(r, a, n, w) == out, "borrow");
	same("difference from a word", r, should, n);
}

static void check_words(size_t n)
{
	cc_word a[MOST], r[MOST], should[MOST], above, w = random_edge_word(), rest;

	any(a, n);
	above = mpn_mul_1(should, a, (mp_size_t)n, w);
	CHECK(cc_fz_mul_word(r, a, n, w) == above, "above the product");
	same("product by a word", r, should, n);
	above = mpn_addmul_1(should, a, (mp_size_t)n, w);
	CHECK(cc_fz_addmul_word(r, a, n, w) == above, "above the sum");
	same("sum with a product", r, should, n);
	above = mpn_submul_1(should, a, (mp_size_t)n, ~w);
	CHECK(cc_fz_submul_word(r, a, n, ~w) == above, "above the difference");
	same("difference from a product", r, should, n);
	w >>= random_below(CC_WORD_BITS);
	w += !w;
	above = mpn_divrem_1(should, 0, a, (mp_size_t)n, w);
	CHECK(cc_fz_div_word(r, &rest, a, n, w) == CC_OK, "refused");
	CHECK(rest == above, "remainder");
	same("quotient by a word", r, should, n);
}

static void check_table_select(size_t n)
{
	cc_word table[8 * MOST], r[MOST], should[MOST];
	size_t count = 1 + random_below(8), which = random_below(count);

	any(table, count * n);
	mpn_sec_tabselect(should, table, (mp_size_t)n, (mp_size_t)count, (mp_size_t)which);
	cc_fz_table_select(r, table, count, n, which);
	same("entry", r, should, n);
}

static void check_divrem(size_t n)
{
	cc_word a[2 * MOST], d[MOST], q[2 * MOST], r[MOST], q_should[2 * MOST], r_should[MOST];
	size_t an = random_below(2) ? 2 * n : random_below(2 * n + 1);

	any(a, an);
	any_modulus(d, n);
	oracle_divrem(q_should, r_should, a, an, d, n);
	CHECK(cc_fz_divrem(q, r, a, an, d, n) == CC_OK, "refused");
	same("quotient", q, q_should, an);
	same("remainder", r, r_should, n);
	CHECK(cc_fz_mod(r, a, an, d, n) == CC_OK, "refused");
	same("residue", r, r_should, n);
}

/* Sums modulo m by a quotient of what they are without it. */
static void check_addmod(size_t n)
{
	cc_word a[MOST], b[MOST], m[MOST + 1], sum[MOST + 1], quotient[MOST + 1];
	cc_word r[MOST], should[MOST + 1];

	any(a, n);
	any(b, n);
	any_modulus(m, n);
	m[n] = 0;
	oracle_divrem(quotient, should, a, n, m, n);
	memcpy(a, should, n * sizeof(*a));
	oracle_divrem(quotient, should, b, n, m, n);
	memcpy(b, should, n * sizeof(*b));
	sum[n] = mpn_add_n(sum, a, b, (mp_size_t)n);
	oracle_divrem(quotient, should, sum, n + 1, m, n + 1);
	cc_fz_addmod(r, a, b, m, n);
	same("sum modulo m", r, should, n);
	sum[n] = mpn_add_n(sum, a, m, (mp_size_t)n);
	sum[n] -= mpn_sub_n(sum, sum, b, (mp_size_t)n);
	oracle_divrem(quotient, should, sum, n + 1, m, n + 1);
	cc_fz_submod(r, a, b, m, n);
	same("difference modulo m", r, should, n);
	mpn_sub_n(sum, m, b, (mp_size_t)n);
	oracle_divrem(quotient, should, sum, n, m, n);
	cc_fz_negmod(r, b, m, n);
	same("negative modulo m", r, should, n);
	if (!(m[0] & 1))
		return;
	cc_fz_halfmod(r, a, m, n);
	sum[n] = mpn_add_n(sum, r, r, (mp_size_t)n);
	oracle_divrem(quotient, should, sum, n + 1, m, n + 1);
	same("twice the half modulo m", a, should, n);
}

static void check_mulmod(size_t n)
{
	cc_word a[MOST], b[MOST], m[MOST], r[MOST];
	cc_word product[2 * MOST], quotient[2 * MOST], should[MOST];

	any(a, n);
	any(b, n);
	any_modulus(m, n);
	oracle_mul(product, a, b, n);
	oracle_divrem(quotient, should, product, 2 * n, m, n);
	CHECK(cc_fz_mulmod(r, a, b, m, n) == CC_OK, "refused");
	same("product modulo m", r, should, n);
	oracle_sqr(product, a, n);
	oracle_divrem(quotient, should, product, 2 * n, m, n);
	CHECK(cc_fz_sqrmod(r, a, m, n) == CC_OK, "refused");
	same("square modulo m", r, should, n);
}

static void check_powmod(size_t n)
{
	cc_word b[MOST], e[MOST], m[MOST], r[MOST], should[MOST];

	any(b, n);
	any(e, n);
	any_modulus(m, n);
	/* odd in seven cases of eight */
	m[0] |= random_below(4) != 0;
	oracle_powmod(should, b, e, m, n);
	CHECK(cc_fz_powmod(r, b, e, m, n) == CC_OK, "refused");
	same("power", r, should, n);
}

/* A batch of eight, and some of the next. */
static void check_powmod_many(size_t n)
{
	static cc_word b[16 * MOST], e[16 * MOST], m[16 * MOST], r[16 * MOST], should[16 * MOST];
	size_t count = 8 + random_below(8), i;

	for (i = 0; i < count * n; i += n) {
		any(b + i, n);
		any(e + i, n);
		any_modulus(m + i, n);
		m[i] |= 1;
		oracle_powmod(should + i, b + i, e + i, m + i, n);
	}
	CHECK(cc_fz_powmod_many(r, b, e, m, n, count) == CC_OK, "refused");
	same("power", r, should, count * n);
}

/* In half the cases there is a factor in common. */
static void any_pair(cc_word *a, cc_word *b, size_t n)
{
	cc_word factor[MOST / 2], x[MOST / 2];
	size_t half = n / 2;

	any(a, n);
	any(b, n);
	if (random_below(2)) {
		any(factor, half);
		any(x, half);
		oracle_mul(a, factor, x, half);
		any(x, half);
		oracle_mul(b, factor, x, half);
	}
}

static void check_gcd(size_t n)
{
	cc_word a[MOST], b[MOST], r[MOST], should[MOST];

	any_pair(a, b, n);
	oracle_gcd(should, a, b, n);
	CHECK(cc_fz_gcd(r, a, b, n) == CC_OK, "refused");
	same("gcd", r, should, n);
}

static void check_inverse(size_t n)
{
	cc_word a[MOST], m[MOST], r[MOST], should[MOST], exists;

	any_pair(a, m, n);
	if (random_below(2)) {
		a[0] |= 1;
		m[0] &= ~(cc_word)0 << random_below(CC_WORD_BITS);
	}
	if (cc_fz_is_zero(m, n))
		m[n - 1] = 1;
	CHECK(cc_fz_inverse(r, &exists, a, m, n) == CC_OK, "refused");
	CHECK(exists == (oracle_inverse(should, a, m, n) ? ~(cc_word)0 : 0), "exists or not");
	same("inverse", r, should, n);
}

static void check_gcdext(size_t n)
{
	cc_word a[MOST], b[MOST], g[MOST], x[MOST], y[MOST];
	cc_word g_should[MOST], x_should[MOST], y_should[MOST];

	any_pair(a, b, n);
	oracle_gcdext(g_should, x_should, y_should, a, b, n);
	CHECK(cc_fz_gcdext(g, x, y, a, b, n) == CC_OK, "refused");
	same("gcd", g, g_should, n);
	same("cofactor of a", x, x_should, n);
	same("cofactor of b", y, y_should, n);
}

static void check_jacobi(size_t n)
{
	cc_word a[MOST], m[MOST];
	int symbol;

	any_pair(a, m, n);
	m[0] |= random_below(4) != 0;
	CHECK(cc_fz_jacobi(&symbol, a, m, n) == CC_OK, "refused");
	CHECK(symbol == oracle_jacobi(a, m, n), "another symbol than %s's", oracle_name);
}

static void check_divexact(size_t n)
{
	cc_word d[MOST], q[2 * MOST], a[2 * MOST], r[2 * MOST];

	any_modulus(d, n);
	memset(q, 0, sizeof(q));
	any(q, n);
	oracle_mul(a, d, q, n);
	CHECK(cc_fz_divexact(r, a, 2 * n, d, n) == CC_OK, "refused");
	same("exact quotient", r, q, 2 * n);
}

/* Strong or not by the oracle's powers: half the time for 2^k o + 1 and a base that is a square. */
static void check_miller_rabin(size_t n)
{
	cc_word c[MOST], b[MOST], d[MOST], x[MOST], less[MOST], passes;
	const cc_word one[MOST] = {1};
	size_t s = 0, k = random_below(2) ? 1 : random_below(n * CC_WORD_BITS - 1);
	bool should;

	any_modulus(c, n);
	cc_fz_shl(c, c, n, k);
	c[0] |= 3;
	c[0] ^= k > 1 ? 2 : 0;
	any(b, n);
	for (passes = random_below(k + 1); passes; passes--)
		cc_fz_sqrmod(b, b, c, n);
	memcpy(less, c, n * sizeof(*c));
	less[0] ^= 1;
	if (cc_fz_is_zero(less, n))
		return;
	while (!(less[s / CC_WORD_BITS] >> s % CC_WORD_BITS & 1))
		s++;
	cc_fz_shr(d, less, n, s);
	oracle_powmod(x, b, d, c, n);
	should = cc_fz_is_zero(x, n) || cc_fz_eq(x, one, n);
	while (s-- && !should) {
		should = cc_fz_eq(x, less, n);
		cc_fz_sqrmod(x, x, c, n);
	}
	CHECK(cc_fz_miller_rabin(&passes, c, n, b, 1) == CC_OK, "refused");
	CHECK(passes == (should ? ~(cc_word)0 : 0), "passes, or does not");
}

/* From any number on: the prime, and what lies between. */
static void check_prime(size_t n)
{
	cc_word a[MOST], r[MOST], should[MOST], prime;
	bool exists;

	any(a, n);
	exists = oracle_next_prime(should, a, n);
	CHECK(cc_fz_next_prime(r, a, n) == (exists ? CC_OK : CC_ERANGE), "exists, or does not");
	if (exists) {
		same("prime", r, should, n);
		CHECK(cc_fz_is_prime_public(&prime, r, n) == CC_OK && prime, "no prime");
	}
	a[0] |= 1;
	CHECK(cc_fz_is_prime_public(&prime, a, n) == CC_OK, "refused");
	CHECK(!prime == !oracle_is_prime(a, n), "prime, or not");
}

/* A root modulo any odd number is one; modulo a prime there is one if the symbol says so. */
static void check_sqrtmod(size_t n)
{
	cc_word a[MOST], p[MOST], r[MOST], x[MOST], square[MOST], exists;
	bool prime;
	int symbol;

	any(p, n);
	cc_fz_shl(p, p, n, random_below(12));
	p[0] |= 3;
	p[0] ^= random_below(2) && n > 1 && p[n - 1] ? 2 : 0;
	/* mostly a prime */
	prime = random_below(4) && oracle_next_prime(x, p, n);
	if (prime)
		memcpy(p, x, n * sizeof(*p));
	any(x, n);
	cc_fz_sqrmod(a, x, p, n);
	CHECK(cc_fz_sqrtmod(r, &exists, a, p, n) == CC_OK, "refused");
	CHECK(!prime || exists, "no root of a square");
	if (exists) {
		cc_fz_sqrmod(square, r, p, n);
		same("square of a root", square, a, n);
		CHECK(!(r[0] & 1) && cc_fz_lt(r, p, n), "not the even one");
	}
	any(x, n);
	CHECK(cc_fz_sqrtmod(r, &exists, x, p, n) == CC_OK, "refused");
	symbol = oracle_jacobi(x, p, n);
	CHECK(!prime || exists == (symbol >= 0 ? ~(cc_word)0 : 0), "exists, or does not");
}
#endif

/* At --scale 1, @cases of random density at 4 words, divided by (n / 4)^power at n. */
struct operation {
	const char *name;
	void (*check)(size_t n);
	size_t cases;
	unsigned int power;
};

static const struct operation operations[] = {
	{"mul", check_mul, 1000, 0},
	{"sqr", check_sqr, 1000, 0},
#if ORACLE_GMP
	{"mul_unequal", check_mul_unequal, 1000, 0},
	{"mul_low, mul_high", check_halves, 1000, 0},
	{"add_if, sub_if, add_word, sub_word", check_sums, 1000, 0},
	{"mul_word, addmul_word, submul_word, div_word", check_words, 1000, 0},
	{"table_select", check_table_select, 1000, 0},
	{"addmod, submod, negmod, halfmod", check_addmod, 1000, 1},
	{"divrem, mod", check_divrem, 1000, 1},
	{"mulmod, sqrmod", check_mulmod, 1000, 1},
	{"powmod", check_powmod, 500, 3},
	{"powmod_many", check_powmod_many, 50, 3},
	{"gcd", check_gcd, 500, 2},
	{"inverse", check_inverse, 500, 2},
	{"gcdext", check_gcdext, 500, 2},
	{"jacobi", check_jacobi, 500, 2},
	{"divexact", check_divexact, 1000, 1},
	{"miller_rabin", check_miller_rabin, 500, 3},
	{"next_prime, is_prime", check_prime, 100, 3},
	{"sqrtmod", check_sqrtmod, 200, 3},
#endif
};

static size_t cases_of(const struct operation *operation, size_t n)
{
	size_t cases = test_scaled(operation->cases);
	unsigned int i;

	for (i = 0; i < operation->power; i++)
		cases = cases * 4 / n;
	return cases;
}

static void run_operation(const struct operation *operation)
{
	size_t i, first = 0, count;

	test_case(kernels->tier, operation->name);
	printf("%s [%s], words: cases of random density + others:", operation->name, kernels->tier);
	for (i = 0; i < WIDTHS && !test_case_failed(); i++) {
		size_t n = widths[i], cases = cases_of(operation, n), others = cases / 4;

		test_sizes(n, 0, 0);
		for (count = 0; count < cases + others; count++) {
			dense = count < cases;
			operation->check(n);
		}
		if (i + 1 < WIDTHS && cases_of(operation, widths[i + 1]) == cases)
			continue;
		if (first < i)
			printf(" %zu to", widths[first]);
		printf(" %zu: %zu + %zu,", n, cases, others);
		first = i + 1;
	}
	printf("\n");
}

static void run_tiers(const struct operation *operation)
{
	size_t i;

	for (i = 0; i < cc_fixed_candidates_count; i++) {
		kernels = cc_fixed_candidates[i].kernels;
		if (!(cc_fixed_candidates[i].needs & ~cc_cpu_detected())) {
			cc_cpu_set_mask(cc_fixed_candidates[i].needs);
			run_operation(operation);
		} else if (operation == operations) {
			test_skip("tier %s: this processor lacks it", kernels->tier);
		}
	}
	cc_cpu_set_mask(~(uint64_t)0);
}

/* A control: right but where a carry has run through a whole word of the product. */
static void mul_stops_carry(cc_word *xy, const cc_word *x, const cc_word *y, size_t n)
{
	cc_fixed_generic.mul(xy, x, y, n);
	if (!xy[n + 1])
		xy[n + 2]--;
}

static void run_broken(const void *context)
{
	struct cc_fixed_kernels broken = cc_fixed_generic;

	(void)context;
	broken.mul = mul_stops_carry;
	kernels = &broken;
	run_operation(&operations[0]);
}

int main(int argc, char **argv)
{
	size_t i;

	test_begin(argc, argv);
	printf("beside %s; words of %d bits; widths:", oracle_name, CC_WORD_BITS);
	for (i = 0; i < WIDTHS; i++)
		printf(" %zu", widths[i]);
	printf("\n");
	for (i = 0; i < COUNT(operations); i++)
		run_tiers(&operations[i]);
	test_tiers(oracle_natural);
#if !ORACLE_GMP
	test_skip("quotients, powers, gcds and inverses beside GMP: it is not here");
#endif
	test_control("mul_stops_carry", true, run_broken, NULL);
	return test_end();
}
