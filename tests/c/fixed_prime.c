// SPDX-License-Identifier: MIT
/* prime.h: roots, and the tests of primes, by their definitions and by published lists. */
#include "fixed/public.h"
#include "fixed_kernels.h"
#include "harness.h"
#include "reference.h"

#include <carrychain/prime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SMALL 40
#define BITS  CC_WORD_BITS
/* of primes.txt */
#define LONGEST (1344 / BITS)

static const char *tier;

static const cc_word one[SMALL] = {1};

/* r = a^2 mod m; r may be a */
static void ref_sqrmod(cc_word *r, const cc_word *a, const cc_word *m, size_t n)
{
	cc_word product[2 * SMALL], quotient[2 * SMALL];

	ref_mul(product, a, n, a, n);
	ref_divrem(quotient, r, product, 2 * n, m, n);
}

/* Whether b, that is not 0 modulo c, shows an odd c > 1 to be composite: HAC 4.24. */
static bool ref_passes(const cc_word *c, const cc_word *b, size_t n)
{
	cc_word less[SMALL], d[SMALL], x[SMALL], q[SMALL];
	size_t s = 1;

	ref_divrem(q, x, b, n, c, n);
	if (is_zero(x, n))
		return true;
	ref_sub(less, c, one, n, 0);
	ref_shr(d, less, n, s);
	while (!(d[0] & 1))
		ref_shr(d, less, n, ++s);
	ref_powmod(x, b, d, n, c, n);
	if (ref_equal(x, one, n))
		return true;
	while (s--) {
		if (ref_equal(x, less, n))
			return true;
		ref_sqrmod(x, x, c, n);
	}
	return false;
}

static void check_miller_rabin(const cc_word *c, const cc_word *bases, size_t count, size_t n)
{
	cc_word *pc = place(FIRST, c, n), passes = 7;
	cc_word *pb = place(SECOND, bases, count * n);
	cc_word half[SMALL];
	bool should = !ref_equal(c, one, n);
	size_t i;

	test_sizes(n, count, 0);
	CHECK(cc_fz_miller_rabin(&passes, pc, n, pb, count) == CC_OK, "refused");
	if (c[0] & 1) {
		for (i = 0; should && i < count; i++)
			should = ref_passes(c, bases + i * n, n);
	} else {
		ref_shr(half, c, n, 1);
		should = ref_equal(half, one, n);
	}
	CHECK(passes == (should ? TRUE : 0), "%s", should ? "refused it" : "let it pass");
	check_words("the candidate", pc, c, n);
	check_guards();
}

/*
 * 2^k o + 1 for every k, where all of the squares matter, with bases of which it is a strong
 * pseudoprime for a good part: it is small, or b is a square many times over.
 */
static void test_miller_rabin(void)
{
	static cc_word c[SMALL], bases[3 * SMALL];
	size_t n, round, k, i, squares;
	cc_word passes = 7;

	begin(tier, "cc_fz_miller_rabin");
	for (round = 0; round < 260; round++) {
		set(c, round, 1);
		for (i = 0; i < 12; i++) {
			set(bases, i, 1);
			check_miller_rabin(c, bases, 1, 1);
		}
	}
	for (round = 0; round < test_scaled(100); round++) {
		n = 1 + random_below(round % 50 ? 2 : 3);
		k = 1 + random_below(n * BITS - 1);
		any_modulus(bases, n);
		ref_shl(c, bases, n, k);
		if (random_below(4) == 0) {
			set(bases, 1, n);
			ref_shl(c, bases, n, k);
		}
		c[0] |= 1;
		if (is_zero(c + 1, n - 1) && c[0] == 1)
			continue;
		for (i = 0; i < 3; i++) {
			any_words(bases + i * n, n);
			squares = random_below(random_below(4) ? 4 : k + 2);
			for (; squares; squares--)
				ref_sqrmod(bases + i * n, bases + i * n, c, n);
		}
		check_miller_rabin(c, bases, 1 + random_below(3), n);
	}
	CHECK(cc_fz_miller_rabin(&passes, NULL, 0, bases, 1) == CC_OK && !passes, "of nothing");
	/* whatever it is, and whether it is a prime or not, no base says nothing of it */
	for (c[0] = 0; c[0] < 20; c[0]++) {
		passes = 7;
		CHECK(cc_fz_miller_rabin(&passes, c, 1, bases, 0) == CC_EINVAL && passes == 7,
		      "without a base");
	}
}

static bool small_is_prime(size_t c)
{
	size_t d;

	for (d = 2; d * d <= c; d++)
		if (c % d == 0)
			return false;
	return c > 1;
}

static bool is_prime(const cc_word *c, size_t n)
{
	cc_word prime = 7, *pc = place(FIRST, c, n);

	CHECK(cc_fz_is_prime_public(&prime, pc, n) == CC_OK, "refused");
	CHECK(!prime || prime == TRUE, "no mask");
	check_guards();
	return prime;
}

/* All small numbers, products, and squares. */
static void test_is_prime(void)
{
	/* where the method changes: 2^16 + 513, 2^26 */
	static const size_t about[] = {0, 65536, 67107864};
	static cc_word c[SMALL], x[SMALL], y[SMALL];
	size_t n, round, i, last, should;

	begin(tier, "cc_fz_is_prime_public, next_prime");
	for (i = 0; i < COUNT(about); i++) {
		last = 0;
		for (round = 0; round < test_scaled(2000); round++) {
			cc_word *px, *pr;

			n = 1 + round % 3;
			should = about[i] + round;
			test_sizes(n, should, 0);
			set(c, should, n);
			CHECK(is_prime(c, n) == small_is_prime(should), "prime or not");
			if (!small_is_prime(should))
				continue;
			/* from the last prime on, or from between */
			if (last || !i) {
				set(x, last + random_below(should - last), n);
				px = place(FIRST, x, n);
				pr = random_below(2) ? px : place(RESULT, NULL, n);
				CHECK(cc_fz_next_prime(pr, px, n) == CC_OK, "refused");
				check_words("next prime", pr, c, n);
				check_guards();
			}
			last = should;
		}
	}
	/* what only one factor, or two, of those that are tried shows */
	for (i = 3; i < 270; i += 2)
		for (should = i; should < 270; should += 2)
			if (small_is_prime(i) && small_is_prime(should)) {
				test_sizes(i, should, 0);
				set(c, i * should, 1);
				CHECK(!is_prime(c, 1), "a product of two small ones");
			}
	for (round = 0; round < test_scaled(400); round++) {
		n = 2 * (1 + random_below(round % 10 ? 2 : 6));
		test_sizes(n, 0, 0);
		any_words(x, n / 2);
		any_words(y, n / 2);
		x[0] |= 1;
		y[0] |= random_below(8) != 0;
		if (is_zero(x + 1, n / 2 - 1))
			x[0] |= 2;
		if (is_zero(y + 1, n / 2 - 1))
			y[0] |= 2;
		ref_mul(c, x, n / 2, y, n / 2);
		CHECK(!is_prime(c, n), "a product of two");
		ref_mul(c, x, n / 2, x, n / 2);
		CHECK(!is_prime(c, n) && cc_fixed_is_square(c, n), "a square");
		c[0] ^= 2;
		CHECK(!cc_fixed_is_square(c, n), "no square");
	}
}

/* What lies between is no prime, for each odd number by the test; beside B^n there is none. */
static void test_next_prime(void)
{
	static cc_word a[SMALL], r[SMALL];
	const cc_word two[SMALL] = {2};
	cc_word ones[SMALL];
	size_t n, round;

	begin(tier, "cc_fz_next_prime, wide");
	memset(ones, 0xff, sizeof(ones));
	for (round = 0; round < test_scaled(60); round++) {
		n = 1 + random_below(fixed_slow() ? 2 : 4);
		test_sizes(n, 0, 0);
		any_words(a, n);
		if (cc_fz_next_prime(r, a, n)) {
			/* none of the last 2^12 numbers, which is many times ln B^n */
			ref_sub(a, ones, a, n, 0);
			CHECK(is_zero(a + 1, n - 1) && a[0] < 4096, "none found");
			continue;
		}
		CHECK(ref_cmp(r, a, n) > 0 && is_prime(r, n), "no prime above it");
		if (ref_cmp(r, two, n) <= 0)
			continue;
		for (;;) {
			ref_sub(r, r, two, n, 0);
			if (ref_cmp(r, a, n) <= 0 || ref_equal(r, one, n))
				break;
			CHECK(!is_prime(r, n), "passed a prime by");
		}
	}
	for (n = 0; n <= 3; n++) {
		memset(a, 0xff, n * sizeof(*a));
		set(r, 7, 4);
		CHECK(cc_fz_next_prime(r, a, n) == CC_ERANGE && r[0] == 7, "above all");
		if (n)
			a[0]--;
		CHECK(cc_fz_next_prime(r, a, n) == CC_ERANGE && r[0] == 7, "above all");
	}
}

static size_t parse(cc_word *r, const char *text)
{
	size_t digits = strlen(text), i;

	memset(r, 0, (LONGEST + 1) * sizeof(*r));
	for (i = 0; i < digits; i++) {
		size_t at = 4 * (digits - 1 - i);
		char digit[2] = {text[i], 0};

		r[at / BITS] |= (cc_word)strtoul(digit, NULL, 16) << at % BITS;
	}
	return (4 * digits + BITS - 1) / BITS;
}

static void check_line(const char *kind, const char *k, const char *number)
{
	static cc_word c[LONGEST + 1], bases[62 * LONGEST];
	size_t n = parse(c, number), count = fixed_slow() ? 8 : 62, i, p;
	cc_word passes;

	if (!strcmp(kind, "lucas"))
		CHECK(cc_fixed_is_lucas(c, n), "refused as a strong Lucas probable prime");
	if (!strcmp(kind, "strong"))
		count = strtoul(k, NULL, 16);
	CHECK(is_prime(c, n + 1) == !strcmp(kind, "prime"), "%s: prime or not", kind);
	memset(bases, 0, sizeof(bases));
	for (i = 0, p = 2; i < count; p++)
		if (small_is_prime(p))
			bases[i++ * n] = p;
	CHECK(cc_fz_miller_rabin(&passes, c, n, bases, count) == CC_OK, "refused");
	if (!strcmp(kind, "prime") || !strcmp(kind, "strong"))
		CHECK(passes, "%s: does not pass", kind);
	else
		CHECK(!passes, "%s: passes", kind);
}

static void test_vectors(void)
{
	static char line[2000];
	size_t number = 0;
	FILE *file = fopen(VECTORS "/primes.txt", "r");

	begin(tier, "vectors/primes.txt");
	CHECK(file, "no file %s", VECTORS "/primes.txt");
	while (file && fgets(line, sizeof(line), file)) {
		const char *fields[3] = {NULL}, *field;
		size_t count = 0;

		test_sizes(++number, 0, 0);
		for (field = strtok(line, " \n"); field && count < 3; field = strtok(NULL, " \n"))
			fields[count++] = field;
		if (!count || *fields[0] == '#')
			continue;
		CHECK(count > 1, "no number");
		check_line(fields[0], fields[1], fields[count - 1]);
	}
	if (file)
		fclose(file);
}

static void check_sqrtmod(const cc_word *a, const cc_word *p, size_t n, bool has, bool is_square)
{
	static cc_word square[SMALL], residue[SMALL], quotient[SMALL];
	size_t alias = random_below(3);
	cc_word *pr = place(RESULT, NULL, n), *pa, *pp, exists = 7;

	test_sizes(n, alias, 0);
	pa = place(FIRST, a, n);
	pp = place(SECOND, p, n);
	pr = alias == 1 ? pa : alias == 2 ? pp : pr;
	CHECK(cc_fz_sqrtmod(pr, &exists, pa, pp, n) == CC_OK, "refused");
	CHECK(exists == TRUE || !exists, "no mask");
	CHECK(!has || exists == (is_square ? TRUE : 0), "exists or not");
	if (exists) {
		ref_sqrmod(square, pr, p, n);
		ref_divrem(quotient, residue, a, n, p, n);
		check_words("its square", square, residue, n);
		CHECK(!(pr[0] & 1) && ref_cmp(pr, p, n) < 0, "not the even one below p");
	} else {
		CHECK(is_zero(pr, n), "not 0 where there is none");
	}
	check_guards();
}

/*
 * Modulo every odd number below 200, and primes of every 2^s in p - 1 that n words allow; where
 * p is composite, what is found is a root.
 */
static void test_sqrtmod(void)
{
	static cc_word a[SMALL], p[SMALL], x[SMALL], half[SMALL];
	size_t n, round, i, j, s;

	begin(tier, "cc_fz_sqrtmod");
	for (i = 3; i < 200; i += 2) {
		for (round = 0; round < i + 2; round++) {
			bool is_square = false;

			n = 1 + round % 2;
			for (j = 0; j < i; j++)
				is_square = is_square || j * j % i == round % i;
			set(a, round, n);
			set(p, i, n);
			check_sqrtmod(a, p, n, small_is_prime(i), is_square);
		}
	}
	for (round = 0; round < test_scaled(60); round++) {
		n = 1 + random_below(round % 10 ? 2 : 3);
		s = random_below(8) ? 1 + random_below(8) : random_below(n * BITS - 12);
		any_words(x, n);
		ref_shl(p, x, n, s);
		p[0] |= 1;
		/* to be prime, with the zeros kept */
		for (i = 0; i < 2000 && !(is_prime(p, n) && p[0] != 2) && p[n - 1] != TRUE; i++) {
			cc_word step[SMALL];

			set(x, 1, n);
			ref_shl(step, x, n, s + !s);
			ref_add(p, p, step, n, 0);
		}
		if (is_zero(p + 1, n - 1) && p[0] < 3)
			continue;
		any_words(a, n);
		ref_shr(half, p, n, 1);
		ref_powmod(x, a, half, n, p, n);
		check_sqrtmod(a, p, n, is_prime(p, n), is_zero(x, n) || ref_equal(x, one, n));
		ref_sqrmod(a, a, p, n);
		check_sqrtmod(a, p, n, is_prime(p, n), true);
		/* a square has no non-residue */
		if (n % 2 == 0) {
			ref_mul(p, x, n / 2, x, n / 2);
			p[0] |= 1;
			if (!ref_equal(p, one, n))
				check_sqrtmod(a, p, n, false, false);
		}
	}
}

static void test_refused(void)
{
	static cc_word wide[CC_FZ_MAX + 1];
	const size_t too_wide = CC_FZ_MAX + 1;
	const cc_word zero[2] = {0, 0}, four[2] = {4, 0};
	cc_word r[2] = {7, 7}, mask = 7;

	begin(tier, "prime.h refuses");
	memset(wide, 0xff, sizeof(wide));
#define REFUSED(call) CHECK((call) == CC_EINVAL, #call)
	REFUSED(cc_fz_sqrtmod(r, &mask, four, zero, 2));
	REFUSED(cc_fz_sqrtmod(r, &mask, four, one, 2));
	REFUSED(cc_fz_sqrtmod(r, &mask, four, four, 2));
	REFUSED(cc_fz_sqrtmod(r, &mask, NULL, NULL, 0));
	REFUSED(cc_fz_sqrtmod(r, &mask, wide, wide, too_wide));
	REFUSED(cc_fz_miller_rabin(&mask, wide, too_wide, wide, 1));
	REFUSED(cc_fz_is_prime_public(&mask, wide, too_wide));
	REFUSED(cc_fz_next_prime(r, wide, too_wide));
#undef REFUSED
	CHECK(r[0] == 7 && r[1] == 7 && mask == 7, "wrote what it refused");
}

void fixed_prime(const char *in_tier)
{
	tier = in_tier;
	test_miller_rabin();
	test_is_prime();
	test_next_prime();
	test_vectors();
	test_sqrtmod();
	test_refused();
}
