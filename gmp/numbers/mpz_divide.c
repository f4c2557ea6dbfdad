// SPDX-License-Identifier: MIT
/*
 * Division: the magnitudes' quotient and remainder.  If there is a remainder and the quotient is
 * rounded away from 0, it is one more, and the remainder is |d| - |r| with the opposite sign.
 */
#include "mpz.h"

#include "../../src/natural/quotient.h"

/* Whether a quotient of that sign is rounded away from 0. */
static inline int away(int negative, enum rounding rounding)
{
	return negative ? rounding == ROUND_DOWN : rounding == ROUND_UP;
}

/* |n| < |d|: the quotient is 0 or +-1, and the remainder n or n -+ d. */
static void divide_smaller(mpz_ptr q, mpz_ptr r, mpz_srcptr n, mpz_srcptr d, int up)
{
	int n_size = n->_mp_size, d_size = d->_mp_size;

	if (!n_size)
		up = 0;
	if (r && !up)
		mpz_set(r, n);
	else if (r && (n_size ^ d_size) >= 0)
		mpz_sub(r, n, d);
	else if (r)
		mpz_add(r, n, d);
	if (q && up) {
		mpz_room(q, 1)[0] = 1;
		q->_mp_size = (n_size ^ d_size) < 0 ? -1 : 1;
	} else if (q) {
		q->_mp_size = 0;
	}
}

static void divide_by_word(mpz_ptr q, mpz_ptr r, mpz_srcptr n, mp_limb_t d, int q_negative,
			   int r_negative, int up)
{
	size_t qn = mpz_length(n);
	mp_limb_t rest;

	if (q) {
		/* one more still fits: d = 1 leaves no remainder */
		mp_ptr words = mpz_room(q, qn);

		rest = cc_limbs_divrem_1(words, n->_mp_d, qn, d);
		if (up && rest)
			cc_limbs_add_1(words, words, qn, 1);
		qn -= !words[qn - 1];
		q->_mp_size = q_negative ? -(int)qn : (int)qn;
	} else {
		rest = cc_limbs_mod_1(n->_mp_d, qn, d);
	}
	if (r) {
		if (up && rest) {
			rest = d - rest;
			r_negative = !r_negative;
		}
		mpz_room(r, 1)[0] = rest;
		r->_mp_size = !rest ? 0 : r_negative ? -1 : 1;
	}
}

/* The most words of a quotient that is tried without what a long divisor would need. */
#define SHORT_QUOTIENT 16

/* A quotient of a few words, of many: mostly the upper parts decide it. */
static int short_quotient(mpz_ptr q, mpz_srcptr n, mpz_srcptr d, int negative)
{
	mp_limb_t words[5 * SHORT_QUOTIENT];
	size_t an = mpz_length(n), dn = mpz_length(d), qn = an - dn + 1;

	if (!cc_natural_quotient_by_top(words, n->_mp_d, an, d->_mp_d, dn, words + qn))
		return 0;
	memcpy(mpz_room(q, qn), words, qn * sizeof(mp_limb_t));
	mpz_close(q, qn, negative);
	return 1;
}

/* A quotient that is not rounded up does without the remainder. */
static void quotient_alone(mpz_ptr q, mpz_srcptr n, mpz_srcptr d, int negative)
{
	size_t an = mpz_length(n), dn = mpz_length(d), qn = an - dn + 1, need;
	struct temporary t;
	mp_srcptr a, b;
	mp_ptr words, work;

	if (qn <= SHORT_QUOTIENT && dn > 4 * qn && short_quotient(q, n, d, negative))
		return;
	words = mpz_room(q, qn);
	need = cc_natural_quotient_scratch(an, dn);
	need += words == n->_mp_d ? an : 0;
	need += words == d->_mp_d ? dn : 0;
	work = temporary_open(&t, need);
	a = apart(n->_mp_d, an, words, &work);
	b = apart(d->_mp_d, dn, words, &work);
	cc_natural_quotient(words, a, an, b, dn, work);
	mpz_close(q, qn, negative);
	temporary_close(&t);
}

void cc_mpz_divide(mpz_ptr q, mpz_ptr r, mpz_srcptr n, mpz_srcptr d, enum rounding rounding)
{
	size_t an = mpz_length(n), dn = mpz_length(d), qn, need;
	int r_negative = n->_mp_size < 0, q_negative = (n->_mp_size ^ d->_mp_size) < 0, up;
	mp_ptr quotient, remainder, work;
	struct temporary t;
	mp_srcptr a, b;

	if (!dn)
		cc_gmp_division_by_zero();
	up = away(q_negative, rounding);
	if (an < dn) {
		divide_smaller(q, r, n, d, up);
		return;
	}
	if (dn == 1) {
		divide_by_word(q, r, n, d->_mp_d[0], q_negative, r_negative, up);
		return;
	}
	qn = an - dn + 1;
	if (!r && !up) {
		quotient_alone(q, n, d, q_negative);
		return;
	}
	/* one word more: that of B^n - 1 by B is all ones */
	quotient = q ? mpz_room(q, qn + 1) : NULL;
	remainder = r ? mpz_room(r, dn) : NULL;
	a = n->_mp_d;
	b = d->_mp_d;
	need = cc_natural_divrem_scratch(an, dn) + (q ? 0 : qn) + (r ? 0 : dn);
	need += a == quotient ? an : 0;
	need += b == quotient || b == remainder ? dn : 0;
	work = temporary_open(&t, need);
	a = apart(a, an, quotient, &work);
	b = apart(b, dn, b == quotient ? quotient : remainder, &work);
	if (!q) {
		quotient = work;
		work += qn;
	}
	if (!r) {
		remainder = work;
		work += dn;
	}
	cc_natural_divrem(quotient, remainder, a, an, b, dn, work);
	if (q)
		quotient[qn] = 0;
	if (up && cc_limbs_normalise(remainder, dn)) {
		if (q)
			cc_limbs_add_1(quotient, quotient, qn + 1, 1);
		if (r)
			cc_limbs_sub(remainder, b, remainder, dn);
		r_negative = !r_negative;
	}
	if (q)
		mpz_close(q, qn + 1, q_negative);
	if (r)
		mpz_close(r, dn, r_negative);
	temporary_close(&t);
}

/* The functions of one rounding. */
#define DIVISIONS(letter, rounding)                                                                \
	void mpz_##letter##div_q(mpz_ptr q, mpz_srcptr n, mpz_srcptr d)                            \
	{                                                                                          \
		cc_mpz_divide(q, NULL, n, d, rounding);                                            \
	}                                                                                          \
                                                                                                   \
	void mpz_##letter##div_r(mpz_ptr r, mpz_srcptr n, mpz_srcptr d)                            \
	{                                                                                          \
		cc_mpz_divide(NULL, r, n, d, rounding);                                            \
	}                                                                                          \
                                                                                                   \
	void mpz_##letter##div_qr(mpz_ptr q, mpz_ptr r, mpz_srcptr n, mpz_srcptr d)                \
	{                                                                                          \
		cc_mpz_divide(q, r, n, d, rounding);                                               \
	}

DIVISIONS(c, ROUND_UP)
DIVISIONS(f, ROUND_DOWN)
DIVISIONS(t, ROUND_ZERO)

void mpz_mod(mpz_ptr r, mpz_srcptr n, mpz_srcptr d)
{
	cc_mpz_divide(NULL, r, n, d, d->_mp_size < 0 ? ROUND_UP : ROUND_DOWN);
}

/* The magnitude of the remainder by a word; q and r may be NULL. */
static inline unsigned long divide_ui(mpz_ptr q, mpz_ptr r, mpz_srcptr n, mp_limb_t d,
				      enum rounding rounding)
{
	size_t an = mpz_length(n);
	int negative = n->_mp_size < 0, up = away(negative, rounding);
	mp_limb_t rest;

	if (!d)
		cc_gmp_division_by_zero();
	if (!an) {
		if (q)
			q->_mp_size = 0;
		if (r)
			r->_mp_size = 0;
		return 0;
	}
	if (q) {
		mp_ptr words = mpz_room(q, an);

		rest = cc_limbs_divrem_1(words, n->_mp_d, an, d);
		if (up && rest)
			cc_limbs_add_1(words, words, an, 1);
		an -= !words[an - 1];
		q->_mp_size = negative ? -(int)an : (int)an;
	} else {
		rest = cc_limbs_mod_1(n->_mp_d, an, d);
	}
	if (up && rest) {
		rest = d - rest;
		negative = !negative;
	}
	if (r) {
		mpz_room(r, 1)[0] = rest;
		r->_mp_size = !rest ? 0 : negative ? -1 : 1;
	}
	return (unsigned long)rest;
}

#define DIVISIONS_UI(letter, rounding)                                                             \
	unsigned long mpz_##letter##div_q_ui(mpz_ptr q, mpz_srcptr n, unsigned long d)             \
	{                                                                                          \
		return divide_ui(q, NULL, n, d, rounding);                                         \
	}                                                                                          \
                                                                                                   \
	unsigned long mpz_##letter##div_r_ui(mpz_ptr r, mpz_srcptr n, unsigned long d)             \
	{                                                                                          \
		return divide_ui(NULL, r, n, d, rounding);                                         \
	}                                                                                          \
                                                                                                   \
	unsigned long mpz_##letter##div_qr_ui(mpz_ptr q, mpz_ptr r, mpz_srcptr n, unsigned long d) \
	{                                                                                          \
		return divide_ui(q, r, n, d, rounding);                                            \
	}                                                                                          \
                                                                                                   \
	unsigned long mpz_##letter##div_ui(mpz_srcptr n, unsigned long d)                          \
	{                                                                                          \
		return divide_ui(NULL, NULL, n, d, rounding);                                      \
	}

DIVISIONS_UI(c, ROUND_UP)
DIVISIONS_UI(f, ROUND_DOWN)
DIVISIONS_UI(t, ROUND_ZERO)

/* q = n / 2^bits */
static void shift_right(mpz_ptr q, mpz_srcptr n, mp_bitcnt_t bits, enum rounding rounding)
{
	size_t an = mpz_length(n), low = bits / GMP_LIMB_BITS;
	int negative = n->_mp_size < 0, up = away(negative, rounding);
	mp_ptr words;

	if (an <= low) {
		/* 2^bits is greater, and leaves all */
		up = up && an;
		if (up)
			mpz_room(q, 1)[0] = 1;
		q->_mp_size = !up ? 0 : negative ? -1 : 1;
		return;
	}
	up = up && cc_limbs_normalise(n->_mp_d, low);
	words = mpz_room(q, an - low + 1);
	if (cc_limbs_rshift(words, n->_mp_d + low, an - low, bits % GMP_LIMB_BITS))
		up = up || away(negative, rounding);
	an -= low;
	words[an] = up ? words_add_1(words, words, an, 1) : 0;
	an += words[an] != 0;
	an -= !words[an - 1];
	q->_mp_size = negative ? -(int)an : (int)an;
}

/* r = n modulo 2^bits: the low bits, or 2^bits less those. */
static void low_bits(mpz_ptr r, mpz_srcptr n, mp_bitcnt_t bits, enum rounding rounding)
{
	size_t an = mpz_length(n), rn = bits / GMP_LIMB_BITS + 1, kept = an < rn ? an : rn;
	int negative = n->_mp_size < 0, up = away(negative, rounding);
	mp_limb_t mask = ((mp_limb_t)1 << bits % GMP_LIMB_BITS) - 1;
	size_t low = 0;
	mp_ptr words;

	if (up) {
		while (low < kept && !n->_mp_d[low])
			low++;
		/* of a multiple nothing is left */
		up = low < kept && (low + 1 < rn || n->_mp_d[low] & mask);
	}
	words = mpz_room(r, up ? rn : kept);
	if (up) {
		words[low] = 0 - n->_mp_d[low];
		mpn_com(words + low + 1, n->_mp_d + low + 1, (mp_size_t)(kept - low - 1));
		while (low)
			words[--low] = 0;
		/* there are ones in what is kept: the rest is borrowed from */
		for (; kept < rn; kept++)
			words[kept] = GMP_NUMB_MAX;
		negative = !negative;
	} else {
		mp_limb_t top = kept ? n->_mp_d[kept - 1] : 0;

		if (r != n)
			cc_copy_words(words, n->_mp_d, kept);
		/* mostly the top word is not 0, and needn't be read again */
		if (kept == rn && (top &= mask)) {
			words[rn - 1] = top;
			r->_mp_size = negative ? -(int)rn : (int)rn;
			return;
		}
	}
	if (kept == rn)
		words[rn - 1] &= mask;
	mpz_close(r, kept, negative);
}

#define DIVISIONS_2EXP(letter, rounding)                                                           \
	void mpz_##letter##div_q_2exp(mpz_ptr q, mpz_srcptr n, mp_bitcnt_t bits)                   \
	{                                                                                          \
		shift_right(q, n, bits, rounding);                                                 \
	}                                                                                          \
                                                                                                   \
	void mpz_##letter##div_r_2exp(mpz_ptr r, mpz_srcptr n, mp_bitcnt_t bits)                   \
	{                                                                                          \
		low_bits(r, n, bits, rounding);                                                    \
	}

DIVISIONS_2EXP(c, ROUND_UP)
DIVISIONS_2EXP(f, ROUND_DOWN)
DIVISIONS_2EXP(t, ROUND_ZERO)
