// SPDX-License-Identifier: MIT
/*
 * Squares and other perfect powers.
 *
 * If a prime p divides a just e times, then a = b^k needs that k divides e.  So one small prime
 * that divides a once decides.  If there are no small primes below 2^l in a, k is less than its
 * bits / l.  Modulo a prime q = 1 modulo k just one residue in k is a k-th power (Bernstein,
 * Detecting perfect powers in essentially linear time, 1998).
 */
#include "product.h"
#include "sieve.h"
#include "square.h"

#include "../limbs/chain.h"
#include "../limbs/divide.h"

/*
 * Factors of 2^(3/4 CC_WORD_BITS) - 1, by which a sum of words, each turned by so many bits, leaves
 * the same remainder as the number; and their squares as bits.
 */
static const struct {
	unsigned int modulus, prime;
	uint64_t squares;
} residues[] = {
	{9, 3, 0x93}, {5, 5, 0x13}, {7, 7, 0x17}, {13, 13, 0x161b}, {17, 17, 0x1a317},
};
/* More of them, with more bits: the last three for 64 bits alone. */
static const struct {
	unsigned int prime;
	uint64_t squares[11];
} larger[] = {
	{241, {0x3c67a3116b15977f, 0x2fd21c174c8fa909, 0x98f24257c4cba0e1, 0x1fba6a35a2317}},
	{97, {0x6067981b8b451b5f, 0x1eb628b47}},
	{257,
	 {0x7e16541de6e7ab17, 0x1f76811c93128359, 0x6b052324e205bbe3, 0xa3579d9ee0a9a1fa, 0x1}},
	{673,
	 {0x85f744b13fa573df, 0xc231d5979aba4f21, 0xe944c76e98dd0c01, 0xd20e0f2bd993e915,
	  0x616259fb225208ab, 0x7e691a18f8b7b47c, 0x53c1c12f54412913, 0xdb8c8a5ea25f266f,
	  0xa6ae310e00c2ec65, 0x348bbe8613c97567, 0x1ef3a97f2}},
};

#define MODULI	(sizeof(residues) / sizeof(*residues))
#define QUARTER (CC_WORD_BITS / 4)
#define LARGER	(CC_WORD_BITS == 64 ? 4 : 1)

/* The same modulo M = 2^(3 QUARTER) - 1; one that is below B, twice, is at most M */
static cc_word fold(cc_word x)
{
	return (x & ~(cc_word)0 >> QUARTER) + (x >> 3 * QUARTER);
}

/* x 2^(j QUARTER) modulo M */
static cc_word turn(cc_word x, size_t j)
{
	x = fold(fold(x));
	return j ? (x << j * QUARTER & ~(cc_word)0 >> QUARTER) + (x >> (3 - j) * QUARTER) : x;
}

/* A number that is a[n] modulo M, at most 4 M: B is 2^QUARTER, and B^3 is 1. */
static cc_word short_residue(const cc_word *a, size_t n)
{
	cc_word sum[3] = {0, 0, 0}, above = 0, last[3] = {0, 0, 0};
	size_t i;

	for (i = 0; i + 3 <= n; i += 3)
		cc_chain_accumulate(sum, &above, a + i);
	if (i < n) {
		last[0] = a[i];
		last[1] = i + 1 < n ? a[i + 1] : 0;
		cc_chain_accumulate(sum, &above, last);
	}
	return turn(sum[0], 0) + turn(sum[1], 1) + turn(sum[2], 2) + fold(above);
}

#define HALF (CC_WORD_BITS / 2)
/* Sums side by side, of two words each, and how many each may have: sums of halves fit a word. */
#define SUMS 6
#define MOST ((size_t)1 << (HALF - 1))
/* Shorter numbers are not worth so many sums. */
#define SUMS_LEAST 192

/* Where there are no vectors, the compiler takes words. */
typedef cc_word two __attribute__((__vector_size__(2 * sizeof(cc_word)), __may_alias__,
				   __aligned__(sizeof(cc_word))));

/*
 * The same of 2 SUMS n words: with the sum of the high halves, a sum modulo B tells that of the low
 * ones.  So there is no carry to wait for.
 */
static cc_word long_residue(const cc_word *a, size_t n)
{
	two whole[SUMS] = {{0}}, high[SUMS] = {{0}};
	const two *from = (const two *)a;
	cc_word rest = 0;
	size_t i, j;

	for (i = 0; i < n; i++, from += SUMS)
#pragma GCC unroll 6
		for (j = 0; j < SUMS; j++) {
			whole[j] += from[j];
			high[j] += from[j] >> HALF;
		}
	for (j = 0; j < 2 * SUMS; j++) {
		cc_word above = high[j / 2][j % 2];

		rest += turn(whole[j / 2][j % 2] - (above << HALF), j % 3) +
			turn(above, (j + 2) % 3);
	}
	return rest;
}

/* The same, below 15 M. */
static cc_word residue_of(const cc_word *a, size_t n)
{
	cc_word rest = 0;

	while (n >= SUMS_LEAST) {
		size_t part = n / (2 * SUMS) < MOST ? n / (2 * SUMS) : MOST;

		rest = fold(rest) + long_residue(a, part);
		a += 2 * SUMS * part;
		n -= 2 * SUMS * part;
	}
	return fold(fold(rest)) + short_residue(a, n);
}

static cc_word power_of(cc_word b, size_t e, cc_word q)
{
	cc_word power = 1;

	for (; e; e >>= 1, b = b * b % q)
		if (e & 1)
			power = power * b % q;
	return power;
}

/* All of the first residues before the first branch, which is then seldom mispredicted. */
int cc_square_by_residues(const cc_word *a, size_t n)
{
	cc_word rest = residue_of(a, n);
	uint64_t is = 1;
	size_t i;

#pragma GCC unroll 5
	for (i = 0; i < MODULI; i++)
		is &= residues[i].squares >> rest % residues[i].modulus;
	if (!is)
		return 0;
	for (i = 0; i < LARGER; i++) {
		cc_word x = rest % larger[i].prime;

		if (!(larger[i].squares[x / 64] >> x % 64 & 1))
			return 0;
	}
	return 1;
}

/* The root, its remainder, and what both take; those of two words are elsewhere. */
size_t cc_natural_is_square_scratch(size_t an)
{
	return an < 3 ? 0 : (an + 1) / 2 + an + 1 + cc_natural_isqrt_scratch(an);
}

static __attribute__((__noinline__)) int has_root(const cc_word *a, size_t n, cc_word *scratch,
						  struct cc_watch *w)
{
	cc_word root[1], rem[2];

	n = cc_limbs_normalise(a, n);
	/* a word's root takes less time than its residues */
	if (n <= 1)
		return !n || !cc_natural_isqrt(root, rem, a, n, scratch);
	if (!cc_square_by_residues(a, n))
		return 0;
	if (n == 2)
		return !cc_natural_isqrt(root, rem, a, n, scratch);
	return !cc_natural_root_watched(scratch, NULL, a, n, 2, scratch + (n + 1) / 2, w);
}

/* The last bits decide most, so they are looked at before registers are saved. */
int cc_natural_is_square_watched(const cc_word *a, size_t an, cc_word *scratch, struct cc_watch *w)
{
	return !an || (cc_square_by_last_bits(a[0]) && has_root(a, an, scratch, w));
}

int cc_natural_is_square(const cc_word *a, size_t an, cc_word *scratch)
{
	return cc_natural_is_square_watched(a, an, scratch, NULL);
}

/* Small primes are those below it: more for longer numbers, up to 2^10. */
static unsigned int small_bits(size_t n)
{
	unsigned int bits = 6;

	while (bits < 10 && n >> (bits - 5))
		bits++;
	return bits;
}

static size_t common(size_t a, size_t b)
{
	while (b) {
		size_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* 1, 2, 4, ...: then a is a square, or no power, and no further prime needs to be known. */
static int is_only_even(size_t exponent)
{
	return exponent && !(exponent & (exponent - 1));
}

/*
 * The residues of a[n] modulo the small primes, in rest[] by their number in the sieve; *exponent
 * = the common divisor of how often they divide a, and of what it was; ends at a power of two.
 */
static void divide_by_small(cc_word *rest, size_t *exponent, const cc_word *sieve, size_t below,
			    const cc_word *a, size_t n, cc_word *t)
{
	size_t p = cc_sieve_next(sieve, below, 2), first;

	while (p < below && !is_only_even(*exponent)) {
		cc_word together = 1, of_all;

		for (first = p; p < below && together <= ~(cc_word)0 / p;
		     p = cc_sieve_next(sieve, below, p))
			together *= p;
		of_all = cc_limbs_mod_1(a, n, together);
		for (; first < p && !is_only_even(*exponent);
		     first = cc_sieve_next(sieve, below, first)) {
			cc_word q = first;

			rest[q / 2] = of_all % q;
			if (rest[q / 2])
				continue;
			if (cc_limbs_mod_1(a, n, q * q))
				*exponent = 1;
			else
				*exponent =
					common(*exponent, cc_natural_remove(t, a, n, &q, 1, t + n));
		}
	}
}

/* Whether a prime is known to divide a just once. */
static int has_single_factor(const cc_word *a, size_t n)
{
	cc_word rest = residue_of(a, n);
	size_t i;

	for (i = 0; i < MODULI; i++) {
		unsigned int p = residues[i].prime;

		if (!(rest % p) && (p == 3 ? rest % 9 : cc_limbs_mod_1(a, n, p * p)))
			return 1;
	}
	return 0;
}

static int is_none_or_one(const cc_word *a, size_t n)
{
	return !n || (n == 1 && a[0] == 1);
}

int cc_natural_is_no_power(const cc_word *a, size_t an)
{
	size_t n = cc_limbs_normalise(a, an);

	return !is_none_or_one(a, n) && (cc_natural_zeros(a) == 1 || has_single_factor(a, n));
}

/* Whether a may be a k-th power, k an odd prime, by some primes q = 1 (mod k). */
static int may_be_power(const cc_word *rest, const cc_word *sieve, size_t below, size_t k)
{
	size_t q, tried = 0;

	for (q = 2 * k + 1; q < below && tried < 4; q += 2 * k) {
		if (sieve[q / 2 / CC_WORD_BITS] >> q / 2 % CC_WORD_BITS & 1)
			continue;
		if (rest[q / 2] && power_of(rest[q / 2], (q - 1) / k, q) != 1)
			return 0;
		tried++;
	}
	return 1;
}

/* The first number that is not small. */
static size_t small_limit(size_t n)
{
	return (size_t)1 << small_bits(n);
}

/* Exponents have fewer bits than a. */
static size_t sieve_limit(size_t n)
{
	size_t most = n * CC_WORD_BITS + 2;

	return most > small_limit(n) ? most : small_limit(n);
}

/* Residues, a sieve, and then the scratch of a removal with its result, or of a root with its. */
size_t cc_natural_is_power_scratch(size_t an)
{
	size_t root = an / 2 + 1 + cc_natural_root_scratch(an);
	size_t removal = an + cc_natural_remove_scratch(an, 1);

	return small_limit(an) / 2 + cc_sieve_words(sieve_limit(an)) +
	       (root > removal ? root : removal);
}

int cc_natural_is_power_watched(const cc_word *a, size_t an, int odd, cc_word *scratch,
				struct cc_watch *w)
{
	size_t n = cc_limbs_normalise(a, an), exponent, k, most;
	size_t below = small_limit(n), limit = below;
	cc_word *rest = scratch, *sieve = rest + below / 2;
	cc_word *t = sieve + cc_sieve_words(sieve_limit(n));

	if (is_none_or_one(a, n))
		return 1;
	exponent = cc_natural_zeros(a);
	if (!is_only_even(exponent)) {
		cc_sieve(sieve, limit);
		divide_by_small(rest, &exponent, sieve, below, a, n, t);
	}
	if (cc_watch_step(w, n))
		return 0;
	if (is_only_even(exponent))
		return exponent > 1 && !odd && cc_natural_is_square_watched(a, n, t, w);
	/* of the exponent's divisors; without one, all primes of a are above the small ones */
	most = exponent ? exponent : n * CC_WORD_BITS / small_bits(n);
	if (!odd && (!exponent || exponent % 2 == 0) && cc_natural_is_square_watched(a, n, t, w))
		return 1;
	/* most numbers need no more than the small primes */
	if (most >= limit) {
		limit = most + 1;
		cc_sieve(sieve, limit);
	}
	for (k = 3; k <= most && !cc_watch_stopped(w); k = cc_sieve_next(sieve, limit, k)) {
		if (exponent ? exponent % k : !may_be_power(rest, sieve, below, k))
			continue;
		if (!cc_natural_root_watched(t, NULL, a, n, k, t + n / 2 + 1, w))
			return !cc_watch_stopped(w);
	}
	return 0;
}

int cc_natural_is_power(const cc_word *a, size_t an, cc_word *scratch)
{
	return !cc_natural_is_no_power(a, an) &&
	       cc_natural_is_power_watched(a, an, 0, scratch, NULL);
}
