// SPDX-License-Identifier: MIT
/*
 * gmp.h's functions on text, bytes, doubles and fractions beside GMP's, which have the same types.
 */
#include "harness.h"

#include <carrychain/gmp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ALSO(name) extern __typeof__(cc_mpz_##name) __gmpz_##name;
ALSO(set_str)
ALSO(get_str)
ALSO(sizeinbase)
ALSO(set_d)
ALSO(get_d)
ALSO(get_d_2exp)
ALSO(cmp_d)
ALSO(cmpabs_d)
ALSO(import)
ALSO(export)
ALSO(out_raw)
ALSO(inp_raw)
ALSO(out_str)
ALSO(inp_str)
ALSO(setbit)
ALSO(clrbit)
ALSO(combit)
ALSO(powm_sec)
ALSO(probab_prime_p)
ALSO(nextprime)
#define FRACTION(name) extern __typeof__(cc_mpq_##name) __gmpq_##name;
FRACTION(canonicalize)
FRACTION(add)
FRACTION(sub)
FRACTION(mul)
FRACTION(div)
FRACTION(mul_2exp)
FRACTION(div_2exp)
FRACTION(neg)
FRACTION(abs)
FRACTION(inv)
FRACTION(cmp)
FRACTION(cmp_z)
FRACTION(cmp_ui)
FRACTION(cmp_si)
FRACTION(equal)
FRACTION(set_str)
FRACTION(get_str)
FRACTION(set_d)
FRACTION(get_d)
FRACTION(init)
FRACTION(clear)

static mpz_t x, y;

static void any(mpz_ptr r, size_t most)
{
	size_t n = random_below(random_below(8) ? 5 : most + 1);

	random_words(mpz_limbs_write(r, (mp_size_t)n + 1), n);
	mpz_limbs_finish(r, random_below(2) ? (mp_size_t)n : -(mp_size_t)n);
}

static bool same(mpz_srcptr a, mpz_srcptr b)
{
	return !mpz_cmp(a, b);
}

static void text(void)
{
	static const char *const odd[] = {
		"",	"-",	"0x",  "0b",  "0",   "-0",    " 1 2", "- 1", "+1",
		"0x1F", "0b12", "017", "019", "1 ",  " \t1",  "1\n",  "zZ",  "0X1f",
		"--1",	"1.5",	"abc", "0 1", "08",  "-0x-1", "0xg",  "0b ", "0 x1",
		"007",	"-077", "0B1", "9a",  "Zz9", "  ",    "1-",
	};
	char *ours, *theirs, letters[40];
	size_t i, rounds;
	int base;

	test_case(NULL, "set_str");
	for (i = 0; i < COUNT(odd); i++)
		for (base = -1; base <= 63; base++) {
			int one, other;

			mpz_set_ui(x, 5);
			mpz_set_ui(y, 5);
			if (base == 1 || base < 0)
				continue;
			one = mpz_set_str(x, odd[i], base);
			other = __gmpz_set_str(y, odd[i], base);
			CHECK(one == other && (one || same(x, y)), "\"%s\" in base %d: %d", odd[i],
			      base, one);
		}
	for (rounds = test_scaled(20000); rounds--;) {
		size_t length = random_below(12);
		int one, other;

		for (i = 0; i < length; i++)
			letters[i] = "0123456789abxXzZ- \t/"[random_below(20)];
		letters[length] = 0;
		base = random_below(4) ? 0 : 2 + (int)random_below(61);
		one = mpz_set_str(x, letters, base);
		other = __gmpz_set_str(y, letters, base);
		CHECK(one == other && (one || same(x, y)), "\"%s\" in base %d: %d", letters, base,
		      one);
	}
	test_case(NULL, "get_str");
	for (rounds = test_scaled(4000); rounds--;) {
		any(x, 200);
		base = random_below(2) ? 10 : 2 + (int)random_below(61);
		if (base <= 36 && random_below(2))
			base = -base;
		ours = mpz_get_str(NULL, base, x);
		theirs = __gmpz_get_str(NULL, base, x);
		CHECK(!strcmp(ours, theirs), "%s in base %d, not %s", ours, base, theirs);
		base = abs(base);
		CHECK(mpz_set_str(y, ours, base) == 0 && same(x, y), "read from base %d", base);
		i = mpz_sizeinbase(x, base);
		CHECK(i == strlen(ours) - (*ours == '-') || i == strlen(ours) + 1 - (*ours == '-'),
		      "size %zu in base %d", i, base);
		free(ours);
		ours = malloc(i + 2);
		CHECK(mpz_get_str(ours, base, x) == ours, "where");
		free(ours);
		free(theirs);
	}
	CHECK(!mpz_get_str(NULL, 63, x) && !mpz_get_str(NULL, -37, x), "bases");
}

static double any_double(void)
{
	double d = (double)(int64_t)random_u64() * (random_below(2) ? 1 : 1e-10);

	d = ldexp(d, (int)random_below(random_below(2) ? 200 : 900) - 70);
	return random_below(4) ? d : trunc(d);
}

static void doubles(void)
{
	size_t rounds;

	test_case(NULL, "doubles");
	for (rounds = test_scaled(20000); rounds--;) {
		double d = any_double(), e, f;
		long one = 0, other = 0;

		mpz_set_d(x, d);
		__gmpz_set_d(y, d);
		CHECK(same(x, y), "%.17g", d);
		if (random_below(2))
			any(x, 20);
		else if (random_below(2))
			mpz_add_ui(x, x, random_below(2));
		CHECK(mpz_cmp_d(x, d) == __gmpz_cmp_d(x, d) ||
			      (mpz_cmp_d(x, d) > 0) == (__gmpz_cmp_d(x, d) > 0),
		      "order of %.17g", d);
		CHECK((mpz_cmpabs_d(x, d) > 0) - (mpz_cmpabs_d(x, d) < 0) ==
			      (__gmpz_cmpabs_d(x, d) > 0) - (__gmpz_cmpabs_d(x, d) < 0),
		      "order of |%.17g|", d);
		e = mpz_get_d(x);
		f = __gmpz_get_d(x);
		CHECK(e == f, "%.17g, not %.17g", e, f);
		e = mpz_get_d_2exp(&one, x);
		f = __gmpz_get_d_2exp(&other, x);
		CHECK(e == f && one == other, "%.17g 2^%ld, not %.17g 2^%ld", e, one, f, other);
	}
	CHECK(mpz_cmp_d(x, (double)INFINITY) < 0 && mpz_cmp_d(x, -(double)INFINITY) > 0,
	      "infinity");
}

static void bytes(void)
{
	unsigned char one[4096], other[4096];
	size_t rounds;

	test_case(NULL, "import and export");
	for (rounds = test_scaled(10000); rounds--;) {
		size_t size = 1 + random_below(12),
		       nails = random_below(2) ? 0 : random_below(size * 8);
		int order = random_below(2) ? 1 : -1, endian = (int)random_below(3) - 1;
		size_t n1 = 0, n2 = 0, count = random_below(20);

		if (!random_below(4)) {
			size = 8;
			nails = 0;
		}
		if (size * 8 - nails < 3)
			nails = 0;
		any(x, 10);
		memset(one, 0x55, sizeof(one));
		memset(other, 0x55, sizeof(other));
		mpz_export(one, &n1, order, size, endian, nails, x);
		__gmpz_export(other, &n2, order, size, endian, nails, x);
		CHECK(n1 == n2 && !memcmp(one, other, sizeof(one)),
		      "order %d, size %zu, endian %d, nails %zu: %zu, %zu words", order, size,
		      endian, nails, n1, n2);
		random_words((cc_word *)one, 64);
		mpz_import(x, count, order, size, endian, nails, one);
		__gmpz_import(y, count, order, size, endian, nails, one);
		CHECK(same(x, y), "import of %zu: order %d, size %zu, endian %d, nails %zu", count,
		      order, size, endian, nails);
	}
}

static void files(void)
{
	size_t rounds;

	FILE *bad = tmpfile();

	test_case(NULL, "files");
	fputs("100", bad);
	rewind(bad);
	CHECK(mpz_inp_str(x, bad, 63) == 0 && mpz_inp_str(x, bad, 10) == 3, "a base that is none");
	fclose(bad);
	for (rounds = test_scaled(300); rounds--;) {
		FILE *file = tmpfile();
		size_t one, other;
		int base = 2 + (int)random_below(61);

		any(x, 50);
		one = mpz_out_raw(file, x);
		other = __gmpz_out_raw(file, x);
		CHECK(one == other && one, "raw %zu %zu", one, other);
		rewind(file);
		CHECK(__gmpz_inp_raw(y, file) == one && same(x, y), "raw, read by theirs");
		CHECK(mpz_inp_raw(y, file) == one && same(x, y), "raw, read by ours");
		fclose(file);
		file = tmpfile();
		one = mpz_out_str(file, base, x);
		fputs("  ", file);
		other = __gmpz_out_str(file, base, x);
		CHECK(one == other && one, "text %zu %zu", one, other);
		rewind(file);
		CHECK(__gmpz_inp_str(y, file, base) == one && same(x, y), "read by theirs");
		CHECK(mpz_inp_str(y, file, base) == one + 2 && same(x, y), "read by ours");
		CHECK(mpz_inp_str(y, file, base) == 0, "the end");
		fclose(file);
	}
}

static void bits_and_primes(void)
{
	size_t rounds;

	test_case(NULL, "bits");
	for (rounds = test_scaled(20000); rounds--;) {
		mp_bitcnt_t bit = random_below(500);
		unsigned int which = (unsigned int)random_below(3);

		any(x, 10);
		mpz_set(y, x);
		(which == 0 ? mpz_setbit : which == 1 ? mpz_clrbit : mpz_combit)(x, bit);
		(which == 0 ? __gmpz_setbit : which == 1 ? __gmpz_clrbit : __gmpz_combit)(y, bit);
		CHECK(same(x, y), "bit %lu", bit);
	}
	test_case(NULL, "probab_prime_p");
	for (rounds = test_scaled(1000); rounds--;) {
		any(x, 3);
		if (random_below(2))
			mpz_nextprime(x, x);
		CHECK(!mpz_probab_prime_p(x, 30) == !__gmpz_probab_prime_p(x, 30), "prime");
		if (!mpz_prevprime(y, x)) {
			CHECK(mpz_cmp_ui(x, 2) <= 0, "no prime before");
			continue;
		}
		CHECK(__gmpz_probab_prime_p(y, 25) && mpz_cmp(y, x) < 0, "a prime before");
		__gmpz_nextprime(y, y);
		CHECK(mpz_cmp(y, x) >= 0, "none between");
	}
}

/* Around the most bits that a constant-time power takes in fixed.h, and beyond. */
static void wide_powers(void)
{
	const size_t most = 16384 / GMP_LIMB_BITS;
	size_t rounds;
	mpz_t e, m;

	test_case(NULL, "powm_sec of wide moduli");
	mpz_inits(e, m, NULL);
	for (rounds = test_scaled(10); rounds--;) {
		size_t n = most - 1 + random_below(4);

		any(x, 2 * most);
		any(e, 2);
		mpz_set_ui(e, mpz_getlimbn(e, 0) | 1);
		random_words(mpz_limbs_write(m, (mp_size_t)n), n);
		mpz_limbs_finish(m, (mp_size_t)n);
		mpz_setbit(m, 0);
		__gmpz_powm_sec(y, x, e, m);
		mpz_powm_sec(x, x, e, m);
		CHECK(same(x, y), "a power modulo %zu words", n);
	}
	mpz_clears(e, m, NULL);
}

static void any_fraction(mpq_ptr r)
{
	any(mpq_numref(r), 20);
	any(mpq_denref(r), 20);
	if (!mpz_sgn(mpq_denref(r)) || !random_below(4))
		mpz_set_ui(mpq_denref(r), 1 + random_below(100));
	mpq_canonicalize(r);
}

static bool same_fraction(mpq_srcptr a, mpq_srcptr b)
{
	return same(mpq_numref(a), mpq_numref(b)) && same(mpq_denref(a), mpq_denref(b));
}

static int sign(int order)
{
	return (order > 0) - (order < 0);
}

#define BOTH(name)                                                                                 \
	cc_mpq_##name(r, a, b);                                                                    \
	__gmpq_##name(q[r - (mpq_ptr)p], q[a - (mpq_ptr)p], q[b - (mpq_ptr)p]);                    \
	for (i = 0; i < 3; i++)                                                                    \
	CHECK(same_fraction(p[i], q[i]), #name)
#define ONE(name)                                                                                  \
	cc_mpq_##name(r, a);                                                                       \
	__gmpq_##name(q[r - (mpq_ptr)p], q[a - (mpq_ptr)p]);                                       \
	for (i = 0; i < 3; i++)                                                                    \
	CHECK(same_fraction(p[i], q[i]), #name)
#define SHIFT(name)                                                                                \
	cc_mpq_##name(r, a, bits);                                                                 \
	__gmpq_##name(q[r - (mpq_ptr)p], q[a - (mpq_ptr)p], bits);                                 \
	for (i = 0; i < 3; i++)                                                                    \
	CHECK(same_fraction(p[i], q[i]), #name)

static void fractions(void)
{
	mpq_t p[3], q[3];
	size_t rounds, i;

	test_case(NULL, "mpq");
	for (i = 0; i < 3; i++) {
		mpq_init(p[i]);
		__gmpq_init(q[i]);
	}
	for (rounds = test_scaled(5000); rounds--;) {
		mpq_ptr a = p[random_below(3)], b = p[random_below(3)], r = p[random_below(3)];
		mp_bitcnt_t bits = random_below(300);
		char *one, *other;
		double d = any_double();

		for (i = 0; i < 3; i++) {
			any_fraction(p[i]);
			if (!random_below(5))
				mpq_set(p[i], p[0]);
			mpq_set(q[i], p[i]);
		}
		BOTH(add);
		BOTH(sub);
		BOTH(mul);
		if (mpq_sgn(b)) {
			BOTH(div);
		}
		SHIFT(mul_2exp);
		SHIFT(div_2exp);
		ONE(neg);
		ONE(abs);
		if (mpq_sgn(a)) {
			ONE(inv);
		}
		CHECK(sign(mpq_cmp(a, b)) == sign(__gmpq_cmp(a, b)), "cmp");
		CHECK(!mpq_equal(a, b) == !__gmpq_equal(a, b), "equal");
		CHECK(sign(mpq_cmp_z(a, mpq_numref(b))) == sign(__gmpq_cmp_z(a, mpq_numref(b))),
		      "cmp_z");
		CHECK(sign(mpq_cmp_ui(a, bits, 7)) == sign(__gmpq_cmp_ui(a, bits, 7)), "cmp_ui");
		CHECK(sign(mpq_cmp_si(a, -(long)bits, 7)) == sign(__gmpq_cmp_si(a, -(long)bits, 7)),
		      "cmp_si");
		CHECK(mpq_get_d(a) == __gmpq_get_d(a), "%.17g, not %.17g", mpq_get_d(a),
		      __gmpq_get_d(a));
		one = mpq_get_str(NULL, 10, a);
		other = __gmpq_get_str(NULL, 10, a);
		CHECK(!strcmp(one, other), "%s, not %s", one, other);
		CHECK(!mpq_set_str(b, one, 10) && mpq_equal(a, b), "set_str");
		free(one);
		free(other);
		mpq_set_d(p[0], d);
		__gmpq_set_d(q[0], d);
		CHECK(same_fraction(p[0], q[0]), "set_d %.17g", d);
	}
	for (i = 0; i < 3; i++) {
		mpq_clear(p[i]);
		__gmpq_clear(q[i]);
	}
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	mpz_inits(x, y, NULL);
	text();
	doubles();
	bytes();
	files();
	bits_and_primes();
	wide_powers();
	fractions();
	mpz_clears(x, y, NULL);
	return test_end();
}
