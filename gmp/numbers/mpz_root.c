// SPDX-License-Identifier: MIT
/* Roots, and whether they are exact. */
#include "mpz.h"

#include "../../src/natural/quotient.h"
#include "../../src/natural/square.h"

/*
 * From these lengths on, odd and even ones, a root is faster without the remainder; of long numbers
 * it saves little.
 */
#define ALONE_ODD  21
#define ALONE_EVEN 54
#define ALONE_MOST 400
/* So many bits below the root's are rarely 0. */
#define GUARD 16

static size_t root_alone_words(size_t n)
{
	size_t m = (n + 1) / 2, high = m - m / 2 + 1;
	size_t root = cc_natural_isqrt_scratch(2 * high);
	size_t divide = cc_natural_quotient_scratch(m + 2, high) + m / 2 + 3;
	size_t square = cc_natural_sqr_scratch(m) + 2 * m;

	root = root > divide ? root : divide;
	return 2 * m + m + 2 + (root > square ? root : square);
}

/*
 * root[m] = floor(sqrt(a[n])) for m = (n + 1) / 2, m > 2, by that of a 2^2e, whose low e bits are
 * dropped.  With s and r the root and the remainder of the upper words, s B^l + q for
 * q = (r B^l + those below) / 2s, rounded down, is the root, or one more (Zimmermann, as
 * natural/root.c, whose last product says which).  It matters only if the bits to drop are 0.
 */
static void root_alone(mp_ptr root, mp_srcptr a, size_t n, mp_ptr x)
{
	size_t m = (n + 1) / 2, odd = n % 2, more, l, h, rest;
	unsigned int even = cc_word_clz(a[n - 1]) & ~1u;
	unsigned int e = even / 2 + (unsigned int)odd * (GMP_LIMB_BITS / 2);
	mp_ptr upper = x + 2 * m, t = upper + m + 2, q = t;

	x[0] = 0;
	(void)cc_limbs_lshift(x + odd, a, n, even);
	/* with few bits to drop, a word more of them */
	more = e < GUARD;
	l = (m - more) / 2;
	h = m - l;
	memcpy(upper, x + l - more, (l + more) * sizeof(*x));
	rest = cc_natural_isqrt(root + l, upper + l + more, x + 2 * l, 2 * h, t);
	memset(upper + l + more + rest, 0, (h + 1 - rest) * sizeof(*x));
	cc_natural_quotient(q, upper, m + more + 1, root + l, h, q + l + more + 2);
	(void)cc_limbs_rshift(q, q, l + more + 2, 1);
	/* B to that power is too large, as all ones may be */
	if (q[l + more])
		memset(q, 0xff, (l + more) * sizeof(*q));
	memcpy(root, q + more, l * sizeof(*q));
	if (more ? !q[0] : !(q[0] & (((mp_limb_t)1 << e) - 1))) {
		cc_natural_sqr(t, root, m, t + 2 * m);
		if (cc_limbs_cmp(t, x, 2 * m) > 0)
			(void)words_sub_1(root, root, m, 1);
	}
	(void)cc_limbs_rshift(root, root, m, e);
}

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
	size_t n = mpz_length(x), m = (n + 1) / 2;
	struct temporary t;
	mp_ptr words;

	if (x->_mp_size < (n % 2 ? ALONE_ODD : ALONE_EVEN) || n > ALONE_MOST) {
		square_root(root, NULL, x);
		return;
	}
	words = temporary_open(&t, m + root_alone_words(n));
	root_alone(words, x->_mp_d, n, words + m);
	cc_copy_words(mpz_room(root, m), words, m);
	root->_mp_size = (int)m;
	temporary_close(&t);
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
