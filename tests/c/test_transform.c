// SPDX-License-Identifier: MIT
/*
 * Transforms: what the table of primes says, proved; then products in every ring and tier beside
 * the schoolbook's, worst cases first; and kernels with one thing left out, which must be caught.
 */
#include "places.h"
#include "reference.h"
#include "transform_broken.h"

#include <carrychain/limbs.h>
#include <carrychain/u128.h>

#include "transform/transform.h"

#include <stdlib.h>
#include <string.h>

static uint64_t mul_mod(int64_t a, int64_t b, int64_t p)
{
	uint64_t x = (uint64_t)(a < 0 ? a + p : a), y = (uint64_t)(b < 0 ? b + p : b);
	cc_u128 rem;

	(void)div_u128_u64_rem(mul_u128_u64(u128_store(0, x), y), (uint64_t)p, &rem);
	return u128_load_low(rem);
}

static uint64_t power(uint64_t a, uint64_t e, int64_t p)
{
	uint64_t r = 1;

	for (; e; e /= 2) {
		if (e & 1)
			r = mul_mod((int64_t)r, (int64_t)a, p);
		a = mul_mod((int64_t)a, (int64_t)a, p);
	}
	return r;
}

/* Miller and Rabin's test; these bases decide below 3.8 10^18 (Y. Jiang and Y. Deng, 2014). */
static bool is_prime(uint64_t n)
{
	static const unsigned int bases[] = {2, 3, 5, 7, 11, 13, 17, 19, 23};
	uint64_t d = n - 1, x;
	unsigned int s = 0, i, r;

	for (; !(d & 1); d /= 2)
		s++;
	for (i = 0; i < COUNT(bases); i++) {
		x = power(bases[i], d, (int64_t)n);
		for (r = 0; r < s && x != 1 && x != n - 1; r++)
			x = mul_mod((int64_t)x, (int64_t)x, (int64_t)n);
		if (x != n - 1 && !(x == 1 && !r))
			return false;
	}
	return true;
}

static uint64_t positive(int64_t a, int64_t p)
{
	return (uint64_t)(a < 0 ? a + p : a);
}

static void primes(void)
{
	unsigned int i, k;

	begin(NULL, "cc_primes");
	for (i = 0; i < CC_PRIMES; i++) {
		const struct cc_prime *prime = &cc_primes[i];
		int64_t p = prime->p;
		uint64_t minus = (uint64_t)p - 1;

		CHECK(is_prime((uint64_t)p) && p < (int64_t)1 << 50, "%lld", (long long)p);
		CHECK(p % ((int64_t)1 << CC_PRIME_ORDER) == 1, "%lld", (long long)p);
		CHECK(!i || p < cc_primes[i - 1].p, "in no order");
		CHECK(positive(prime->power[0], p) == power(2, 48, p), "2^48");
		CHECK(positive(prime->power[1], p) == power(2, 96, p), "2^96");
		CHECK(mul_mod(prime->quarter_i, 4, p) == positive(prime->root[0], p), "i / 4");
		CHECK(mul_mod(prime->root[0], prime->root[0], p) == minus, "i");
		for (k = 1; k < CC_PRIME_ROOTS; k++)
			CHECK(mul_mod(prime->root[k], prime->root[k], p) ==
				      positive(prime->root[k - 1], p),
			      "root %u", k);
		for (k = 0; k < CC_PRIME_ROOTS; k++)
			CHECK(2 * prime->root[k] < p && -2 * prime->root[k] < p, "root %u", k);
	}
}

/* x[CC_REMAINDERS_WORDS] modulo p */
static uint64_t modulo(const cc_u64 *x, int64_t p)
{
	uint64_t r = 0;
	int i;

	for (i = CC_REMAINDERS_WORDS; i--;) {
		cc_u128 rem;

		(void)div_u128_u64_rem(u128_store(r, x[i]), (uint64_t)p, &rem);
		r = u128_load_low(rem);
	}
	return r;
}

static void remainders(void)
{
	unsigned int n, i, k, w;

	begin(NULL, "cc_remainders");
	for (n = CC_PRIMES_FEWEST; n <= CC_PRIMES; n++) {
		const struct cc_remainders *by = &cc_remainders[n];
		cc_u64 product[CC_REMAINDERS_WORDS] = {1};

		for (i = 0; i < n; i++) {
			cc_u64 carry = 0;

			for (w = 0; w < CC_REMAINDERS_WORDS; w++) {
				cc_u64 high,
					low = cc_mul_u64(&high, product[w], (cc_u64)cc_primes[i].p);

				product[w] = low + carry;
				carry = high + (product[w] < low);
			}
		}
		CHECK(!memcmp(product, by->product, sizeof(product)), "P of %u", n);
		CHECK(product[by->bits / 64] >> by->bits % 64 == 1, "%u bits", by->bits);
		for (i = 0; i < n; i++) {
			int64_t p = cc_primes[i].p;

			CHECK(mul_mod((int64_t)modulo(by->cofactor[i], p), by->inverse[i], p) == 1,
			      "the inverse of %u of %u", i, n);
			/* below P / p', and divided by all the others, it is P / p */
			for (k = 0; k < n; k++)
				CHECK(k == i || !modulo(by->cofactor[i], cc_primes[k].p),
				      "cofactor %u of %u", i, n);
			CHECK(by->cofactor[i][((n - 1) * 50 - 1) / 64] &&
				      ((n - 1) * 50 / 64 + 1 >= CC_REMAINDERS_WORDS ||
				       !by->cofactor[i][(n - 1) * 50 / 64 + 1]),
			      "cofactor %u of %u is another's multiple", i, n);
		}
	}
}

/* a[an] b[bn] and a[an]^2, all between guards */
static void check_product(const cc_word *a, size_t an, const cc_word *b, size_t bn, cc_word *want,
			  cc_word *work)
{
	struct cc_transform t;
	cc_word *r, *u, *v;

	test_sizes(an, bn, 0);
	cc_transform_plan(&t, an, bn);
	cc_transform_open(&t, place(THIRD, NULL, cc_transform_table_words(&t)), NULL);
	u = place(FIRST, NULL, cc_transform_words(&t));
	v = place(SECOND, NULL, cc_transform_words(&t));
	r = place(RESULT, NULL, an + bn);
	cc_transform_forward(&t, u, a, an, NULL);
	cc_transform_forward(&t, v, b, bn, NULL);
	cc_transform_multiply(&t, u, v, NULL);
	cc_transform_inverse(&t, r, an + bn, u, NULL);
	cc_limbs_mul(want, a, an, b, bn, work);
	CHECK(!memcmp(r, want, (an + bn) * sizeof(*r)), "%u primes, %u bits, length %zu", t.primes,
	      t.bits, t.ring.length);
	memset(r, 0, (an + bn) * sizeof(*r));
	cc_transform_times(&t, r, an + bn, a, an, u, v, NULL);
	CHECK(!memcmp(r, want, (an + bn) * sizeof(*r)), "in one go");
	/* what was kept, again */
	cc_transform_multiply(&t, v, v, NULL);
	cc_transform_inverse(&t, r, an + bn, v, NULL);
	if (2 * bn <= an + bn) {
		memset(want, 0, (an + bn) * sizeof(*want));
		cc_limbs_mul(want, b, bn, b, bn, work);
		CHECK(!memcmp(r, want, (an + bn) * sizeof(*r)), "a square");
		memset(r, 0, (an + bn) * sizeof(*r));
		cc_transform_times(&t, r, an + bn, b, bn, v, v, NULL);
		CHECK(!memcmp(r, want, (an + bn) * sizeof(*r)), "a square in one go");
	}
	check_guards();
}

static cc_u128 times(uint64_t a, uint64_t b)
{
	return mul_u128_u64(u128_store(0, a), b);
}

/* The value of a[n], in @radix, modulo p. */
static uint64_t value_modulo(const uint64_t *a, size_t n, uint64_t radix, uint64_t p)
{
	uint64_t r = 0;

	while (n--) {
		cc_u128 rem;

		(void)div_u128_u64_rem(add_u128_u64(times(r, radix), a[n]), p, &rem);
		r = u128_load_low(rem);
	}
	return r;
}

/* Modulo a prime of 61 bits, which a wrong product passes once in 2^50 times. */
static void check_radix_product(const uint64_t *a, size_t an, const uint64_t *b, size_t bn,
				uint64_t radix)
{
	const uint64_t p = ((uint64_t)1 << 61) - 1;
	struct cc_transform t;
	uint64_t *r, want;
	cc_word *u, *v;
	cc_u128 rem;
	size_t i;

	test_sizes(an, bn, 0);
	cc_transform_plan_radix(&t, an, bn, radix);
	cc_transform_open(&t, place(THIRD, NULL, cc_transform_table_words(&t)), NULL);
	u = place(FIRST, NULL, cc_transform_words(&t));
	v = place(SECOND, NULL, cc_transform_words(&t));
	r = (uint64_t *)place(RESULT, NULL, (an + bn) * sizeof(*r) / sizeof(cc_word));
	cc_transform_forward_radix(&t, u, a, an, NULL);
	cc_transform_forward_radix(&t, v, b, bn, NULL);
	cc_transform_multiply(&t, u, v, NULL);
	cc_transform_inverse_radix(&t, r, an + bn, u, NULL);
	want = value_modulo(r, an + bn, radix, p);
	memset(r, 0, (an + bn) * sizeof(*r));
	cc_transform_times_radix(&t, r, an + bn, a, an, u, v, NULL);
	CHECK(value_modulo(r, an + bn, radix, p) == want, "in one go");
	for (i = 0; i < an + bn; i++)
		CHECK(r[i] < radix, "place %zu", i);
	(void)div_u128_u64_rem(times(value_modulo(a, an, radix, p), value_modulo(b, bn, radix, p)),
			       p, &rem);
	want = u128_load_low(rem);
	CHECK(value_modulo(r, an + bn, radix, p) == want, "radix %llu, length %zu",
	      (unsigned long long)radix, t.ring.length);
	check_guards();
}

/* The greatest places, the least, or any. */
static void random_places(uint64_t *a, size_t n, uint64_t radix)
{
	size_t kind = random_below(4), i;

	for (i = 0; i < n; i++)
		a[i] = kind == 0   ? radix - 1
		       : kind == 1 ? (radix - 1) * random_below(2)
				   : random_u64() % radix;
}

/* Leaves of words beside their values modulo a prime. */
static void check_to_radix(size_t words, uint64_t radix)
{
	const struct cc_transform_kernels *k = cc_transform_kernels();
	const uint64_t p = ((uint64_t)1 << 61) - 1;
	size_t bits = 63 - cc_clz_u64(radix), places = (64 * words + 1) / bits + 1, i, leaf;
	cc_word *a = place(FIRST, NULL, k->leaf * words);
	uint64_t *r =
		(uint64_t *)place(RESULT, NULL, k->leaf * places * sizeof(*r) / sizeof(cc_word));

	test_sizes(words, 0, 0);
	random_words(a, k->leaf * words);
	memset(a + random_below(k->leaf) * words, 0xff, words * sizeof(*a));
	k->to_radix(r, places, a, words, radix);
	check_guards();
	for (leaf = 0; leaf < k->leaf; leaf++, r += places, a += words) {
		uint64_t want = 0;

		for (i = words; i--;) {
			cc_u128 rem;

			(void)div_u128_u64_rem(u128_store(want, a[i]), p, &rem);
			want = u128_load_low(rem);
		}
		for (i = 0; i < places; i++)
			CHECK(r[i] < radix, "place %zu", i);
		CHECK(value_modulo(r, places, radix, p) == want, "leaf %zu, radix %llu", leaf,
		      (unsigned long long)radix);
	}
}

/* Every length of a ring, in the greatest radix and any other. */
static void radix_products(size_t longest)
{
	uint64_t *a = malloc(longest * sizeof(*a)), *b = malloc(longest * sizeof(*b));
	size_t length = 0, n, i;

	for (n = 1; n < longest; n++) {
		uint64_t radix = CC_TRANSFORM_RADIX_MAX;
		struct cc_transform t;

		cc_transform_plan_radix(&t, n + 1, n + 1, radix);
		if (t.ring.length == length)
			continue;
		length = t.ring.length;
		for (i = 0; i < n; i++)
			a[i] = radix - 1;
		check_radix_product(a, n, a, n, radix);
		if (random_below(2))
			radix -= random_u64() % (radix - ((uint64_t)1 << 38));
		random_places(a, n, radix);
		random_places(b, n, radix);
		check_radix_product(a, n, b, n, radix);
	}
	for (n = 1; n < 180; n++)
		check_to_radix(n, CC_TRANSFORM_RADIX_MAX >> random_below(5));
	free(b);
	free(a);
}

#define LONGEST 9000

static void products(size_t longest)
{
	cc_word *a = malloc(LONGEST * sizeof(*a)), *b = malloc(LONGEST * sizeof(*b));
	cc_word *want = malloc(2 * LONGEST * sizeof(*want));
	cc_word *work = malloc(cc_limbs_mul_scratch(LONGEST, LONGEST) * sizeof(*work));
	size_t length = 0, n, i;

	/* the longest factors of each length, all ones: the greatest sums there are */
	for (n = 1; n < longest; n++) {
		struct cc_transform t, next;

		cc_transform_plan(&t, n, n);
		cc_transform_plan(&next, n + 1, n + 1);
		if (t.ring.length == length ||
		    (t.ring.length == next.ring.length && t.primes == next.primes))
			continue;
		memset(a, 0xff, n * sizeof(*a));
		check_product(a, n, a, n, want, work);
		random_words(a, n);
		random_words(b, n);
		check_product(a, n, b, n, want, work);
	}
	for (i = 0; i < test_scaled(200); i++) {
		size_t an = 1 + random_below(longest / (1 + random_below(40)));
		size_t bn = 1 + random_below(longest / (1 + random_below(40)));

		random_words(a, an);
		random_words(b, bn);
		check_product(a, an, b, bn, want, work);
	}
	free(work);
	free(want);
	free(b);
	free(a);
}

/* a[n] of digits that are all one number, @residue modulo a prime, as large as they can be. */
static void equal_digits(cc_word *a, size_t n, unsigned int bits, int64_t p, uint64_t residue)
{
	cc_u128 most = u128_store(bits > 64 ? ((uint64_t)1 << (bits - 64)) - 1 : 0, ~(uint64_t)0);
	cc_u128 rem, digit;
	size_t i;

	(void)div_u128_u64_rem(most, (uint64_t)p, &rem);
	digit = sub_u128_u64(most, (u128_load_low(rem) + (uint64_t)p - residue) % (uint64_t)p);
	memset(a, 0, n * sizeof(*a));
	for (i = 0; i < n * CC_WORD_BITS / bits * bits; i++) {
		unsigned int at = i % bits;
		uint64_t half = at < 64 ? u128_load_low(digit) : u128_load_high(digit);

		a[i / CC_WORD_BITS] |= (cc_word)(half >> at % 64 & 1) << i % CC_WORD_BITS;
	}
}

/* The greatest sums of one sign: residues next below p, and next below p / 2. */
static void equal_residues(size_t longest)
{
	const size_t shorter = 120;
	cc_word *a = malloc(longest * sizeof(*a)), *b = malloc(shorter * sizeof(*b));
	cc_word *want = malloc((longest + shorter) * sizeof(*want));
	cc_word *work = malloc(cc_limbs_mul_scratch(longest, shorter) * sizeof(*work));
	struct cc_transform t;
	unsigned int i;

	cc_transform_plan(&t, longest, shorter);
	for (i = 0; i < 2 * t.primes; i++) {
		int64_t p = cc_primes[i / 2].p;
		uint64_t residue = (uint64_t)(i % 2 ? p - 1 : p / 2);

		equal_digits(a, longest, t.bits, p, residue);
		equal_digits(b, shorter, t.bits, p, residue);
		check_product(a, longest, b, shorter, want, work);
	}
	free(work);
	free(want);
	free(b);
	free(a);
}

static void tier(const char *name)
{
	begin(name, "products");
	products(LONGEST);
	begin(name, "products of equal digits");
	equal_residues(40000);
	equal_residues(4000);
	if (!cc_transform_kernels()->join_radix)
		return;
	begin(name, "products in a radix");
	radix_products(LONGEST);
}

/* In this child alone: its tier is the broken one. */
static void run_control(const void *context)
{
	const struct broken_transform *broken = context;

	__atomic_store_n(&cc_cpu_chosen[CC_FAMILY_TRANSFORM], broken->kernels, __ATOMIC_RELEASE);
	begin(NULL, broken->name);
	products(2000);
}

int main(int argc, char **argv)
{
	size_t i;

	test_begin(argc, argv);
	primes();
	remainders();
	test_tiers(tier);
	for (i = 0; i < broken_transforms_count; i++)
		if (!(broken_transforms[i].needs & ~cc_cpu_detected()))
			test_control(broken_transforms[i].name, broken_transforms[i].caught,
				     run_control, &broken_transforms[i]);
	return test_end();
}
