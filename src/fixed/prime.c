// SPDX-License-Identifier: MIT
/*
 * Primes that are not secret: Baillie and Wagstaff's test, and the next prime by a sieve.
 * Nothing in this file is in constant time.
 */
#include <carrychain/limbs.h>
#include <carrychain/montgomery.h>
#include <carrychain/prime.h>

#include "mask.h"
#include "public.h"

#include "../limbs/divide.h"

/* The odd primes below 2^8; an odd number below SURE without such a factor is prime. */
static const uint16_t small_primes[] = {
	3,   5,	  7,   11,  13,	 17,  19,  23,	29,  31,  37,  41,  43,	 47,  53,  59,	61,  67,
	71,  73,  79,  83,  89,	 97,  101, 103, 107, 109, 113, 127, 131, 137, 139, 149, 151, 157,
	163, 167, 173, 179, 181, 191, 193, 197, 199, 211, 223, 227, 229, 233, 239, 241, 251,
};

#define SMALL_PRIMES (sizeof(small_primes) / sizeof(small_primes[0]))
#define SURE	     ((cc_word)257 * 257)

/* r[i] = a[n] mod primes[i], for as many primes at a time as a word holds */
static void residues(uint16_t *r, const uint16_t *primes, size_t count, const cc_word *a, size_t n)
{
	while (count) {
		cc_word product = 1, rest;
		size_t together = 0;

		while (together < count && product <= ~(cc_word)0 / primes[together])
			product *= primes[together++];
		rest = cc_limbs_mod_1(a, n, product);
		for (count -= together; together--; primes++)
			*r++ = (uint16_t)(rest % *primes);
	}
}

/* Newton's iteration from above, until it no longer decreases. */
bool cc_fixed_is_square(const cc_word *c, size_t n)
{
	cc_word x[CC_FZ_MAX], y[CC_FZ_MAX], rest[CC_FZ_MAX];
	size_t bits = cc_fz_bits(c, n);
	cc_word carry;

	if (bits < 2)
		return true;
	memset(y, 0, n * sizeof(*y));
	/* at least the root, and below B^n where n > 1, or bits < CC_WORD_BITS */
	y[0] = 1;
	cc_fz_shl(y, y, n, (bits + 1) / 2);
	do {
		memcpy(x, y, n * sizeof(*x));
		(void)cc_fz_divrem(y, rest, c, n, x, n);
		carry = cc_limbs_add(y, y, x, n);
		cc_limbs_rshift(y, y, n, 1);
		y[n - 1] |= carry << (CC_WORD_BITS - 1);
	} while (cc_limbs_cmp(y, x, n) < 0);
	(void)cc_fz_divrem(y, rest, c, n, x, n);
	return !cc_limbs_cmp(x, y, n) && cc_shows_zero(rest, n);
}

/* r = |x| or -|x| in Montgomery's form */
static void small(cc_word *r, cc_word x, bool negative, const struct cc_fz_mont *M)
{
	memset(r, 0, M->n * sizeof(*r));
	r[0] = x;
	if (negative)
		cc_fz_negmod(r, r, M->m, M->n);
	cc_fz_mont_to(r, r, M);
}

/*
 * Selfridge's D, the first of 5, -7, 9, -11, ... with (D / c) = -1: its magnitude, and whether
 * it is negative; 0 if c is not prime: D and c have a common factor, or c is a square.
 */
static cc_word selfridge(bool *negative, const cc_word *c, size_t n)
{
	cc_word d[CC_FZ_MAX];
	int symbol;

	memset(d, 0, n * sizeof(*d));
	*negative = false;
	for (d[0] = 5;; d[0] += 2, *negative = !*negative) {
		(void)cc_fz_jacobi(&symbol, d, c, n);
		/* (-1 / c) */
		if (*negative && c[0] & 2)
			symbol = -symbol;
		if (symbol < 0)
			return d[0];
		if (!symbol || (d[0] == 41 && cc_fixed_is_square(c, n)))
			return 0;
	}
}

/*
 * With P = 1, Q = (1 - D) / 4 and c + 1 = 2^s d: whether U_d = 0, or V_(2^r d) = 0 for a
 * r < s (Baillie and Wagstaff 1980, section 6).  From the top of d on,
 *
 *	U_2k = U_k V_k,  V_2k = V_k^2 - 2 Q^k,
 *	U_(k+1) = (U_k + V_k) / 2,  V_(k+1) = (D U_k + V_k) / 2
 */
bool cc_fixed_is_lucas(const cc_word *c, size_t n)
{
	cc_word memory[CC_FZ_MONT_WORDS(CC_FZ_MAX)], u[CC_FZ_MAX], v[CC_FZ_MAX], power[CC_FZ_MAX];
	cc_word d[CC_FZ_MAX], q[CC_FZ_MAX], e[CC_FZ_MAX], t[CC_FZ_MAX], size;
	struct cc_fz_mont M;
	size_t s, at, top;
	bool negative;

	size = selfridge(&negative, c, n);
	if (!size)
		return false;
	(void)cc_fz_mont_init_public(&M, memory, c, n);
	small(d, size, negative, &M);
	small(q, negative ? (size + 1) / 4 : (size - 1) / 4, !negative, &M);
	/* (c + 1) / 2, which n words hold */
	cc_limbs_rshift(e, c, n, 1);
	cc_limbs_add_1(e, e, n, 1);
	s = 1 + cc_fz_trailing_zeros(e, n);
	top = cc_fz_bits(e, n) - 1;

	memcpy(u, M.one, n * sizeof(*u));
	memcpy(v, M.one, n * sizeof(*v));
	memcpy(power, q, n * sizeof(*q));
	for (at = top; at-- > s - 1;) {
		cc_fz_mont_mul(u, u, v, &M);
		cc_fz_mont_sqr(v, v, &M);
		cc_fz_submod(v, v, power, c, n);
		cc_fz_submod(v, v, power, c, n);
		cc_fz_mont_sqr(power, power, &M);
		if (!(e[at / CC_WORD_BITS] >> at % CC_WORD_BITS & 1))
			continue;
		cc_fz_mont_mul(t, d, u, &M);
		cc_fz_addmod(u, u, v, c, n);
		cc_fz_halfmod(u, u, c, n);
		cc_fz_addmod(v, v, t, c, n);
		cc_fz_halfmod(v, v, c, n);
		cc_fz_mont_mul(power, power, q, &M);
	}
	if (cc_shows_zero(u, n))
		return true;
	while (s--) {
		if (cc_shows_zero(v, n))
			return true;
		cc_fz_mont_sqr(v, v, &M);
		cc_fz_submod(v, v, power, c, n);
		cc_fz_submod(v, v, power, c, n);
		cc_fz_mont_sqr(power, power, &M);
	}
	return false;
}

/* The tests for an odd c above SURE */
static bool is_probable(const cc_word *c, size_t n)
{
	cc_word two[CC_FZ_MAX], passes;

	memset(two, 0, n * sizeof(*two));
	two[0] = 2;
	(void)cc_fz_miller_rabin(&passes, c, n, two, 1);
	return passes && cc_fixed_is_lucas(c, n);
}

int cc_fixed_is_prime_by_trial(const cc_word *c, size_t n)
{
	uint16_t rest[SMALL_PRIMES];
	size_t i;

	if (!n || (n == 1 && c[0] < 4))
		return n && c[0] > 1;
	if (!(c[0] & 1))
		return 0;
	residues(rest, small_primes, SMALL_PRIMES, c, n);
	for (i = 0; i < SMALL_PRIMES; i++)
		if (!rest[i])
			return n == 1 && c[0] == small_primes[i];
	return n == 1 && c[0] < SURE ? 1 : -1;
}

static bool is_prime(const cc_word *c, size_t n)
{
	int by_trial;

	n = cc_limbs_normalise(c, n);
	by_trial = cc_fixed_is_prime_by_trial(c, n);
	return by_trial < 0 ? is_probable(c, n) : by_trial;
}

int cc_fz_is_prime_public(cc_word *prime, const cc_word *c, size_t n)
{
	if (n > CC_FZ_MAX)
		return CC_EINVAL;
	*prime = is_prime(c, n) ? ~(cc_word)0 : 0;
	return CC_OK;
}

/* The sieve's span, in odd numbers; its primes are all those below twice the span. */
#define SPAN  4096
#define MOST  1027 /* the number of odd primes below 2 SPAN */
#define BELOW ((cc_word)2 * SPAN)

/* Marks the multiples of p in the span, from its number @from on. */
static void mark(unsigned char *composite, size_t from, size_t p)
{
	for (; from < SPAN; from += p)
		composite[from] = 1;
}

static size_t sieve_primes(uint16_t *primes, unsigned char *composite)
{
	size_t count = 0, i;

	memset(composite, 0, SPAN);
	for (i = 1; i < SPAN; i++) {
		size_t p = 2 * i + 1;

		if (composite[i])
			continue;
		primes[count++] = (uint16_t)p;
		mark(composite, p * p / 2, p);
	}
	return count;
}

/* The least prime from the odd number r on, by spans; r is above all primes of the sieve. */
static int next_by_sieve(cc_word *r, size_t n)
{
	uint16_t primes[MOST], rest[MOST];
	unsigned char composite[SPAN];
	size_t count = sieve_primes(primes, composite), i;

	for (;;) {
		residues(rest, primes, count, r, n);
		memset(composite, 0, SPAN);
		for (i = 0; i < count; i++) {
			/* r + 2 from = 0 (mod p) */
			size_t p = primes[i], from = rest[i] ? p - rest[i] : 0;

			mark(composite, from & 1 ? (from + p) / 2 : from / 2, p);
		}
		for (i = 0; i < SPAN; i++) {
			if (!composite[i] && is_probable(r, n))
				return CC_OK;
			if (cc_limbs_add_1(r, r, n, 2))
				return CC_ERANGE;
		}
	}
}

int cc_fz_next_prime(cc_word *r, const cc_word *a, size_t n)
{
	cc_word next[CC_FZ_MAX];
	int error;

	if (n > CC_FZ_MAX)
		return CC_EINVAL;
	/* the next number that is odd, or 2 */
	if (cc_limbs_add_1(next, a, n, n && (a[0] & 1) ? 2 : 1))
		return CC_ERANGE;
	if (cc_limbs_normalise(a, n) < 2 && a[0] < BELOW * BELOW) {
		/* nothing to be gained */
		if (a[0] < 2)
			next[0] = 2;
		while (!is_prime(next, n))
			next[0] += 2;
	} else {
		error = next_by_sieve(next, n);
		if (error)
			return error;
	}
	memcpy(r, next, n * sizeof(*r));
	return CC_OK;
}
