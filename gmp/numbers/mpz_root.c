// SPDX-License-Identifier: MIT
/* Roots, and whether they are exact. */
#include "mpz.h"

#include "../../src/natural/square.h"

/* root or rem may be NULL; returns whether the root is exact. */
static int square_root(mpz_ptr root, mpz_ptr rem, mpz_srcptr x)
{
	size_t n = mpz_length(x), rest;
	struct temporary t;
	mp_ptr words;

	if (x->_mp_size < 0)
		cc_gmp_even_root_of_negative();
	if (!n) {
		if (root)
			root->_mp_size = 0;
		if (rem)
			rem->_mp_size = 0;
		return 1;
	}
	words = temporary_open(&t, n + 2 + cc_natural_isqrt_scratch(n));
	rest = cc_natural_isqrt(words, words + (n + 1) / 2, x->_mp_d, n, words + n + 2);
	n = (n + 1) / 2;
	if (root) {
		memcpy(mpz_room(root, n), words, n * sizeof(mp_limb_t));
		mpz_close(root, n, 0);
	}
	if (rem) {
		memcpy(mpz_room(rem, rest), words + n, rest * sizeof(mp_limb_t));
		rem->_mp_size = (int)rest;
	}
	temporary_close(&t);
	return !rest;
}

static int kth_root(mpz_ptr root, mpz_ptr rem, mpz_srcptr x, unsigned long k)
{
	size_t n = mpz_length(x), rn, rest;
	int negative = x->_mp_size < 0;
	struct temporary t;
	mp_ptr words;

	if (negative && !(k & 1))
		cc_gmp_even_root_of_negative();
	if (!k)
		cc_gmp_division_by_zero();
	if (k == 2 || !n)
		return square_root(root, rem, x);
	rn = n / k + (n % k != 0);
	words = temporary_open(&t, rn + (rem ? n : 0) + cc_natural_root_scratch(n));
	rest = cc_natural_root(words, rem ? words + rn : NULL, x->_mp_d, n, k,
			       words + rn + (rem ? n : 0));
	if (root) {
		memcpy(mpz_room(root, rn), words, rn * sizeof(mp_limb_t));
		mpz_close(root, rn, negative);
	}
	if (rem) {
		memcpy(mpz_room(rem, rest), words + rn, rest * sizeof(mp_limb_t));
		rem->_mp_size = negative ? -(int)rest : (int)rest;
	}
	temporary_close(&t);
	return !rest;
}

int mpz_root(mpz_ptr root, mpz_srcptr x, unsigned long k)
{
	return kth_root(root, NULL, x, k);
}

void mpz_rootrem(mpz_ptr root, mpz_ptr rem, mpz_srcptr x, unsigned long k)
{
	kth_root(root, rem, x, k);
}

void mpz_sqrt(mpz_ptr root, mpz_srcptr x)
{
	square_root(root, NULL, x);
}

void mpz_sqrtrem(mpz_ptr root, mpz_ptr rem, mpz_srcptr x)
{
	square_root(root, rem, x);
}

int mpz_perfect_square_p(mpz_srcptr x)
{
	size_t n = mpz_length(x);
	struct temporary t;
	mp_ptr scratch;
	int yes;

	if (x->_mp_size < 0)
		return 0;
	/* most numbers' low bits or residues say no: before there is any memory for more */
	if (n && (!cc_square_by_last_bits(x->_mp_d[0]) || !cc_square_by_residues(x->_mp_d, n)))
		return 0;
	scratch = temporary_open(&t, cc_natural_is_square_scratch(n));
	yes = cc_natural_is_square(x->_mp_d, n, scratch);
	temporary_close(&t);
	return yes;
}

int mpz_perfect_power_p(mpz_srcptr x)
{
	cc_bigint v = mpz_view(x);
	int yes;

	/* 2, once */
	if (x->_mp_size && (x->_mp_d[0] & 3) == 2)
		return 0;
	if (cc_bigint_is_power(&yes, &v, NULL))
		cc_gmp_no_memory(0);
	return yes;
}
